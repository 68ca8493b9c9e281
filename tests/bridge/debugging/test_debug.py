"""`bridge.debug`: the statement that is wrong is named, and the repair does what is expected."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import called
from patience import given_time

import bridge
from bridge.asp.reading.context import Context
from bridge.asp.reading.mend import mended
from bridge.asp.reading.text import Text
from bridge.debugging import schemas
from bridge.debugging.asking import QUESTIONS, Oracle, Question, kept
from bridge.debugging.cases import Asked, expected_of_reference, read_given
from bridge.debugging.mutants import mutants
from bridge.debugging.search import ProgramSearch, Variant
from bridge.debugging.trials import REFUSED, Case, Trials
from bridge.errors import InputError, ProgramError
from bridge.limits import Deadline, Limits
from bridge.problem.asp import AspProblem

COLOURING = """node(X) :- edge(X, _).
node(X) :- edge(_, X).
{ colour(X, 1..k) } = 1 :- node(X).
:- edge(X, Y), colour(X, C), colour(Y, C).
"""
COVER = """vertex(X) :- e(X, _).
vertex(X) :- e(_, X).
{ sel(X) : vertex(X) } k.
:- e(X, Y), not sel(X), not sel(Y).
"""
PATHS = """reach(X) :- start(X).
reach(Y) :- reach(X), edge(X, Y).
{ on(X, Y) : edge(X, Y) }.
seen(X) :- start(X).
seen(Y) :- seen(X), on(X, Y).
:- reach(X), not seen(X).
:- on(X, Y), on(Z, Y), X < Z.
"""
PROGRAMS = {
    "colouring": (COLOURING, "colour/2", ["#const k = 2. edge(a, b). edge(b, c).", "#const k = 2. edge(1, 2). edge(2, 3). edge(3, 1)."]),
    "cover": (COVER, "sel/1", ["#const k = 2. e(1, 2). e(2, 3). e(4, 3).", "#const k = 3. e(a, b). e(b, c)."]),
    "paths": (PATHS, "on/2", ["start(1). edge(1, 2). edge(2, 3). edge(1, 3).", "start(a). edge(a, b). edge(b, a). edge(b, c). edge(c, b)."]),
}  # fmt: skip


def answers(program: str, instance: str, show: str) -> set[frozenset[str]]:
    """By clingo alone, without a line of the code that is tested."""
    import clingo

    control = clingo.Control(["0"], logger=lambda code, text: None)
    control.add("base", [], f"{program}\n{instance}")
    control.ground()
    name, arity = show.split("/")
    found: set[frozenset[str]] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.add(
                frozenset(
                    str(atom) for atom in model.symbols(atoms=True) if atom.match(name, int(arity))
                )
            )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_simple_mutant_is_found_and_repaired(name: str) -> None:
    program, show, instances = PROGRAMS[name]
    right = [answers(program, instance, show) for instance in instances]
    wrong = 0
    for mutant in list(mutants(program))[::5]:
        try:
            now = [answers(mutant.text, instance, show) for instance in instances]
        except RuntimeError:
            continue
        if now == right:
            continue
        wrong += 1
        found = bridge.debug(bridge.program(mutant.text, show=show), against=program, instances=instances)
        assert not found.right
        assert found.repair is not None, mutant.diff
        assert [answers(found.repair.text, instance, show) for instance in instances] == right, mutant.diff
        if mutant.after:  # one that is left out stands nowhere
            assert mutant.place.line in [one.place.line for one in found.suspects], mutant.diff
    assert wrong > 1


@pytest.mark.slow
def test_two_wrong_constraints() -> None:
    faulty = COLOURING.replace("colour(Y, C).", "colour(Y, D), C != D.").replace("node(X) :- edge(_, X).", "node(X) :- edge(_, X), edge(X, _).")
    found = bridge.debug(bridge.program(faulty, show="colour/2"), against=COLOURING, instances=PROGRAMS["colouring"][2])
    assert {one.place.line for one in found.suspects} >= {2, 4}
    assert found.repair is not None
    for instance in PROGRAMS["colouring"][2]:
        assert answers(found.repair.text, instance, "colour/2") == answers(COLOURING, instance, "colour/2")


def test_what_nothing_defines_is_defined() -> None:
    faulty = "{ colour(X, 1..k) } = 1 :- node(X).\n:- edge(X, Y), colour(X, C), colour(Y, C).\n"
    found = bridge.debug(faulty, against=COLOURING, instances=PROGRAMS["colouring"][2])
    assert found.suspects[0].place.line == 1
    assert "nothing defines" in found.suspects[0].sentence
    assert found.repair is not None
    assert "node(X) :- edge(X,_)." in found.repair.text


@pytest.mark.parametrize(
    ("program", "missing", "instance", "after", "reads"),
    [
        ("{ x(R,C,V) : val(V) } = 1 :- row(R), row(C). row(1..2). val(1..2).", ":- given(R,C,V), not x(R,C,V).",
         "given(1,1,2). given(2,2,1).", ":- given(X,Y,Z), not x(X,Y,Z).", "given/3"),
        ("{ in(X) : node(X) }. r(Y) :- in(X), edge(X,Y). r(Y) :- r(X), edge(X,Y).", ":- goal(X), not r(X).",
         "node(1..3). edge(1,2). edge(2,3). goal(3).", ":- goal(X), not r(X).", "goal/1"),
        ("{ at(P,T) : table(T) } = 1 :- person(P).", ":- friend(P,Q), at(P,T), not at(Q,T).",
         "person(a;b;c;d). table(1;2). friend(a,c). friend(c,d).", ":- friend(X,Y), at(X,V), not at(Y,V).", "friend/2"),
        ("{ start(J,T) : T = 0..3 } = 1 :- job(J,_).", ":- before(J,K), start(J,T), job(J,D), start(K,U), U < T + D.",
         "job(a,2). job(b,1). job(c,1). before(a,c).", "W < V + N.", "before/2"),
        ("{ on(N,D,S) : shift(S) } :- nurse(N), day(D). shift(early;late).", ":- need(S,K), day(D), #count { N : on(N,D,S) } < K.",
         "nurse(a;b). day(1..2). need(early,1).", "#count { Z : on(Z,Y,X) } < N.", "need/2"),
        ("{ c(N,C) : col(C) } = 1 :- node(N). used(C) :- c(_,C). #const most = 2.", ":- #count { C : used(C) } > most.",
         "node(1..3). col(r;g;b).", ":- #count { X : used(X) } > most.", "most"),
        ("{ in(I) : item(I,_) }. #const cap = 5.", ":- #sum { W,I : in(I), item(I,W) } > cap.",
         "item(a,3). item(b,3). item(c,2).", ":- #sum { N,X : in(X), item(X,N) } > cap.", "cap"),
        ("{ slot(E,S) : time(S) } = 1 :- exam(E).", ":- takes(P,E), takes(P,F), E < F, slot(E,S), slot(F,S).",
         "exam(1..3). time(1..2). takes(a,1). takes(a,2). takes(b,3).", ":- takes(A,X), takes(A,Y), X < Y, slot(X,V), slot(Y,V).", "takes/2"),
        ("{ g(P,W,1..2) } = 1 :- player(P), W = 1..2. met(P,Q,W) :- g(P,W,G), g(Q,W,G), P < Q.", ":- met(P,Q,W), met(P,Q,V), W < V.",
         "player(1..3).", ":- met(X,Y,V), met(X,Y,W), V < W.", "met/3"),
        ("{ on(N,D,S) : shift(S) } = 1 :- nurse(N), day(D). shift(early;late).", ":- on(N,D,late), on(N,D+1,early).",
         "nurse(a;b). day(1..3).", ":- on(X,N,late), on(X,N+1,early).", ""),
    ],
    ids=["given", "goal", "friend", "before", "need", "used", "cap", "shared", "at most once", "one after the other"],
)  # fmt: skip
def test_a_constraint_that_is_missing(program: str, missing: str, instance: str, after: str, reads: str) -> None:
    """What nothing reads says which one: a predicate of the instance, one that is derived, a constant."""
    found = bridge.debug(program, against=f"{program}\n{missing}\n", instances=[instance])
    assert found.repair is not None
    assert after in found.repair.text
    assert (f"nothing reads {reads}" in found.suspects[0].sentence) == bool(reads)


def test_what_is_to_be_true_in_the_end() -> None:
    program = "{ go(D,T) : D = -1..1 } = 1 :- T = 1..n. #const n = 3. at(b,0,0). at(b,5,0) :- at(b,1,n). at(X,P+D,T) :- at(X,P,T-1), go(D,T)."
    bodies = [body for body, _, _ in schemas.constraints(Context.of(Text(program)), [("go", 2)])]
    assert {"not at(b,0,n)", "not at(b,5,n)"} <= set(bodies)


def test_what_nothing_reads_is_said_without_a_repair() -> None:
    program = "{ at(P,T) : table(T) } = 1 :- person(P).\n#show at/2.\n"
    meant = "ok(1,3,2,2). ok(3,1,1,2). ok(2,2,3,1). ok(1,1,3,2). ok(2,3,3,3). ok(3,3,1,1). ok(1,2,2,1)."  # no rule in these
    wanted = f":- at(a,T), at(b,U), at(c,V), at(d,W), not ok(T,U,V,W). {meant}\n"
    instance = "person(a;b;c;d). table(1..3). grudge(a,b)."

    def searched(seconds: float) -> bridge.Debugging:
        return bridge.debug(program, against=program + wanted, instances=[instance], limits=Limits(seconds=seconds))

    found = given_time(searched, lambda found: found.notes == ("no rule reads grudge/2: is a constraint missing?",), 1.0)
    assert found.repair is None


def test_a_pool_is_read_where_it_stands_in_a_body() -> None:
    context = Context.of(Text("day(mon;tue). { in(X) : node(X;Y) } :- day(Y). :- goal(1;3), in(2)."), shown=[("in", 1)])
    assert {"goal", "node", "day"} == {one[0] for one in context.read if isinstance(one, tuple)} - {"in"}
    assert ("day", 1) in context.derived
    assert not context.derived & {("goal", 1), ("node", 1)}


def test_an_unwanted_atom_of_a_program_without_rules() -> None:
    found = bridge.debug(":- b.\n", instances=["a."], unwanted="a")
    assert not found.right


@pytest.mark.parametrize(
    ("rule", "part", "without", "instance", "after"),
    [
        (":- x(R,V), x(S,W), R < S, R/2 = S/2, V/2 = W/2.", ", V/2 = W/2", "", "row(1..3).", "V/2 = W/2"),
        ("{ x(R,1) } :- row(R). holds(f(R),1) :- row(R). holds(f(R),2) :- holds(f(R),1), not gone(R). gone(R) :- x(R,2).",
         ", not gone(R)", "", "row(1..3).", "not gone(R)"),
        ("{ holds(R,0) } :- row(R). :- #sum { W,R : w(R,W), holds(R,0) } > 3.", ", holds(R,0)", "", "row(1..3). w(1,1). w(2,3). w(3,2).",
         ", holds(R,_) } > 3"),
        (":- x(R,V), x(S,U), b(R,S), d(R,N), U < V+N.", ", d(R,N), U < V+N", ", U < V", "row(1..3). b(1,2). d(1,2). d(2,1).", "U < V+N, d(R,N)"),
        (":- x(R,V), d(R,D), x(S,U), b(R,S), U < V+D.", "V+D", "V", "row(1..3). b(1,2). d(1,2). d(2,1).", "U < V+D"),
    ],
    ids=["comparison again", "of what nothing reads", "in an aggregate", "a length that is given", "a length that is there"],
)  # fmt: skip
def test_a_part_that_is_missing(rule: str, part: str, without: str, instance: str, after: str) -> None:
    base = "{ x(R,V) : V = 1..3 } = 1 :- row(R).\n#show x/2. #show holds/2.\n"
    assert part in rule
    found = bridge.debug(bridge.program(base + rule.replace(part, without), show="x/2,holds/2"), against=base + rule, instances=[instance])
    assert found.repair is not None
    assert after in found.repair.text
    assert found.suspects[0].place.line == 3


def test_what_clingo_cannot_read_is_mended_first() -> None:
    faulty = "node(X) :- edge(X, _)\nnode(X) :- edge(_, X)\n{ colour(X, 1..k) } = 1 :- node(X).\n:- edge(X, Y), colour(X, C), colour(Y, D).\n"
    found = bridge.debug(faulty, against=COLOURING, instances=PROGRAMS["colouring"][2])
    assert [one.place.line for one in found.suspects] == [1, 2, 4]
    assert found.repair is not None
    assert len(found.repair.steps) == 3


@pytest.mark.parametrize(
    ("text", "lines"),
    [("a :- b\nb.\n", [1]), ("p(X) :- q(X) r(X).\n", [1]), ("a.\n:- p(X), X =< 3.\np(1..4.\n", [2, 3]), ("a.", [])],
)
def test_mended(text: str, lines: list[int]) -> None:
    result = mended(text)
    assert result is not None
    assert sorted({one.line for one in result[1]}) == lines
    with bridge.asp.Program(result[0]) as program:
        program.ground()


def test_unsafe_variables_are_the_fault() -> None:
    faulty = COVER.replace("{ sel(X) : vertex(X) } k.", "{ sel(X) } k :- vertex(Y).")
    found = bridge.debug(faulty, against=COVER, instances=PROGRAMS["cover"][2])
    assert found.suspects[0].place.line == 3


def test_without_what_is_unwanted_answers_stay_that_were_fine() -> None:
    program = "row(1..3). { x(R,V) : V = 1..3 } = 1 :- row(R).\n:- x(R,V), x(S,V), R < S.\n"
    found = bridge.debug(program, instances=["given(1,1). given(2,3)."], unwanted="x(1,2)")
    assert found.repair is not None
    assert ":- given(X,Y), not x(X,Y)." in found.repair.text
    assert found.repair.proved_by == "does what was asked for, and takes answers away only"
    # Where nothing says what is missing, too, some answers stay, and none is new.
    found = bridge.debug(program, unwanted="x(1,2)")
    before = answers(program, "", "x/2")
    now = answers(found.repair.text, "", "x/2") if found.repair else set()
    assert now
    assert now < before


def test_a_repair_without_answers_comes_last_where_something_is_only_unwanted(tmp_path: Path) -> None:
    program = tmp_path / "halves.lp"
    program.write_text(
        "1 { a(V) ; b(V) } 1 :- value(V).\n"
        "total(a, S) :- S = #sum { V : a(V) }.\n"
        "total(b, S) :- S = #sum { V : b(V) }.\n"
        ":- total(a, S), total(b, T), S < T.\n\n"
        "%! test halves: no total(a,10), total(b,4)\n"
        "%! fact value(2;3;4;5).\n"
    )
    found = bridge.debug(program)
    assert found.repair is not None
    (after,) = bridge.asp.Program(found.repair.text, "value(2;3;4;5).").models(limits=Limits(solutions=1))
    assert after


def test_an_atom_that_is_missing_and_one_that_is_unwanted() -> None:
    program = "node(1..3). edge(1,2). reach(1).\nreach(Y) :- reach(X), edge(Y,X).\n"
    found = bridge.debug(program, missing="reach(2)", unwanted="reach(3)")
    assert found.repair is not None
    now = answers(found.repair.text, "", "reach/1")
    assert any("reach(2)" in one for one in now)
    assert not any("reach(3)" in one for one in now)
    assert bridge.debug(found.repair.text, missing="reach(2)", unwanted="reach(3)").right


def test_the_atom_is_missing_where_others_hold() -> None:
    program = "{ at(1); at(2) } = 1.\nwarm :- at(1), at(2).\n"
    found = bridge.debug(program, missing="warm", given="at(2)")
    assert found.suspects[0].place.line == 2


def test_nothing_is_wrong() -> None:
    found = bridge.debug(COVER, against=COVER.replace("vertex", "v"), instances=PROGRAMS["cover"][2])
    assert found.right
    assert found.suspects == ()
    assert "nothing is wrong" in str(found)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"missing": "a"}, "it has an answer with a"),
        ({"missing": ["a", "b"], "unwanted": "d"}, "it has an answer with a and b, and none with d"),
        ({"unwanted": ["d", "e"]}, "it has no answer with d or e"),
        ({"unwanted": "d", "given": "not a"}, "it has no answer with d, given not a"),
    ],
)
def test_what_is_asked_for_and_is_so(asked: dict[str, str], words: str) -> None:
    assert str(bridge.debug("{ a; b }.\n:- d. :- e.\n{ d; e }.\n", **asked)).endswith(words)


@pytest.mark.parametrize(
    ("given", "words"), [((), "the program has no answer, and"), ("a", "the program has no answer with a, and so none with b")]
)
def test_of_no_answer_there_is_nothing_unwanted(given: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as ended:
        bridge.debug(f"{{ a; b }}.\n:- a.\n{'' if given else ':- not a.'}\n", unwanted="b", given=given)
    assert "diagnose" in str(ended.value)


def test_of_costs() -> None:
    best = COVER.replace(" k.", ".") + "#minimize { 1, X : sel(X) }.\n"
    found = bridge.debug(bridge.program(best.replace("1, X", "1"), show="sel/1"), against=best, instances=["e(1,2). e(2,3). e(3,4)."])
    assert found.suspects[0].place.line == 5
    assert found.repair is not None


@pytest.mark.slow
def test_a_variant_that_cannot_be_ground_does_no_harm() -> None:
    program = "n(0).\nn(X+1) :- n(X), X < 5.\n:- n(X), X > 3.\n"
    reference = "n(0).\nn(X+1) :- n(X), X < 5.\n:- n(X), X > 5.\n"
    found = bridge.debug(bridge.program(program, show="n/1"), against=reference)
    assert found.repair is not None
    assert found.suspects[0].place.line == 3


@pytest.mark.slow
def test_the_reference_is_not_shown() -> None:
    secret = COVER.replace("vertex", "secret_vertex") + "% secret comment\n"
    faulty = "v(X) :- e(X, _).\nv(X) :- e(_, X).\nk { sel(X) : v(X) } k.\n:- e(X, Y), not sel(X), sel(Y).\n"
    found = bridge.debug(faulty, against=secret, instances=PROGRAMS["cover"][2])
    assert found.repair is not None
    assert "secret" not in str(found)
    assert "secret" not in json.dumps(found.to_json())


def test_a_reference_in_python() -> None:
    def solve(instance):  # type: ignore[no-untyped-def]
        for (n,) in instance["n"]:
            yield {"p": [(m,) for m in range(1, n + 1)]}

    found = bridge.debug(bridge.program("p(X) :- n(N), X = 0..N.", show="p/1"), against=solve, instances=["n(2).", "n(4)."])
    assert found.repair is not None
    assert "1..N" in found.repair.text


def test_it_must_be_clear_what_is_wrong() -> None:
    with pytest.raises(InputError, match="not said what is wrong"):
        bridge.debug("a.")
    with pytest.raises(ProgramError):
        bridge.debug("a.", against="b :- c(.")


# The command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.lp").write_text(COVER.replace("} k.", "} = k."))
    (tmp_path / "right.lp").write_text(COVER)
    for number, instance in enumerate(PROGRAMS["cover"][2], 1):
        (tmp_path / f"graph{number}.lp").write_text(instance)
    return tmp_path


ASKED = ("debug", "mine.lp", "--against", "right.lp", "-i", "graph1.lp", "-i", "graph2.lp")


def test_the_command_names_line_and_repair(folder: Path) -> None:
    run = called(*ASKED, folder=folder)
    assert run.returncode == 0
    assert run.stdout.startswith("mine.lp:3:1: the program lacks an answer that is meant")
    assert "-{ sel(X) : vertex(X) } = k." in run.stdout
    assert "on the 2 instances" in run.stdout


def test_a_hint_has_no_repair(folder: Path) -> None:
    run = called(*ASKED, "--hint", folder=folder)
    assert "mine.lp:3:1" in run.stdout
    assert "repair" not in run.stdout
    found = json.loads(called(*ASKED, "--hint", "--json", folder=folder).stdout)
    assert found["suspects"][0]["repair"] is None


def test_json(folder: Path) -> None:
    found = json.loads(called(*ASKED, "--json", folder=folder).stdout)
    assert found["suspects"][0]["place"] == {"file": "mine.lp", "line": 3, "column": 1}
    assert found["suspects"][0]["repair"]["proved_by"].startswith("gives the answers of the reference on the 2 instances, and on ")
    assert (found["complete"], found["limit"]) == (True, None)


def test_fix_writes_the_repair(folder: Path) -> None:
    assert called(*ASKED, "--fix", folder=folder).returncode == 0
    assert "nothing is wrong" in called(*ASKED, folder=folder).stdout


def test_includes_stay_as_they_are_written(folder: Path) -> None:
    (folder / "vertices.lp").write_text("vertex(X) :- e(X, _).\nvertex(X) :- e(_, X).\n")
    (folder / "mine.lp").write_text('#include "vertices.lp".\n{ sel(X) : vertex(X) } = k.\n:- e(X, Y), not sel(X), not sel(Y).\n')
    called(*ASKED, "--fix", folder=folder)
    assert (folder / "mine.lp").read_text().startswith('#include "vertices.lp".\n')


def test_wrong_calls(folder: Path) -> None:
    assert called("debug", "mine.lp", folder=folder).returncode == 2
    assert called("debug", "mine.lp", "--against", "no.lp", folder=folder).returncode == 2
    assert called("debug", "no.lp", "--against", "right.lp", folder=folder).returncode == 2
    assert called(*ASKED, "--hint", "--fix", folder=folder).returncode == 2
    (folder / "mine.lp").write_text("#script (python)\ndef f(): return 1\n#end.\nsel(@f()).\n")
    refused = called(*ASKED, folder=folder)
    assert refused.returncode == 2
    assert "`debug` runs no scripts" in refused.stderr


# Somebody who is asked


def knowing(program: str, instances: list[str], show: str) -> tuple[Oracle, list[Question]]:
    """An oracle that has the answers of a program that is right, and the questions that were put to it."""
    right = {instance: answers(program, instance, show) for instance in instances}
    asked: list[Question] = []

    def oracle(question: Question) -> bool:
        asked.append(question)
        facts = question.instance.replace("k = ", "#const k = ")
        meant = next(right[one] for one in instances if one.replace(" ", "") == facts.replace(" ", ""))
        return bool(meant) if question.answer is None else frozenset(question.answer) in meant

    return oracle, asked


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_somebody_who_knows_the_answers_is_asked(name: str) -> None:
    program, show, instances = PROGRAMS[name]
    right = [answers(program, instance, show) for instance in instances]
    wrong = repaired = 0
    for mutant in list(mutants(program))[1::7]:
        try:
            now = [answers(mutant.text, instance, show) for instance in instances]
        except RuntimeError:
            continue
        if now == right:
            continue
        oracle, asked = knowing(program, instances, show)
        found = bridge.debug(bridge.program(mutant.text, show=show), instances=instances, oracle=oracle)
        assert len(asked) == len(set(asked)) <= QUESTIONS
        if found.right:  # an answer is missing somewhere, and nobody has said so
            assert all(one <= other for one, other in zip(now, right, strict=True)), mutant.diff
            continue
        wrong += 1
        assert found.repair is None or found.repair.proved_by.startswith("fits "), mutant.diff
        for question in list(asked) if found.repair is not None else ():  # the repair does fit
            assert found.repair is not None
            facts = question.instance.replace("k = ", "#const k = ")
            has = answers(found.repair.text, facts, show)
            if question.answer is not None:
                assert (frozenset(question.answer) in has) is oracle(question), mutant.diff
        repaired += found.repair is not None and [answers(found.repair.text, one, show) for one in instances] == right
    assert 2 * repaired >= wrong >= 1


@pytest.mark.slow
def test_replies_are_kept(tmp_path: Path) -> None:
    program, show, instances = PROGRAMS["cover"]
    oracle, asked = knowing(program, instances, show)
    faulty = program.replace("not sel(Y)", "sel(Y)")
    found = bridge.debug(bridge.program(faulty, show=show), instances=instances, oracle=kept(oracle, tmp_path / "replies.jsonl"))
    assert found.suspects[0].place.line == 4
    assert asked
    again = bridge.debug(bridge.program(faulty, show=show), instances=instances, oracle=kept(None, tmp_path / "replies.jsonl"))
    assert again.repair is not None
    assert found.repair is not None
    assert again.repair.text == found.repair.text
    (tmp_path / "replies.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="not a reply"):
        kept(None, tmp_path / "replies.jsonl")


def test_who_is_asked_may_not_know() -> None:
    program, show, instances = PROGRAMS["cover"]
    found = bridge.debug(bridge.program(program, show=show), instances=instances, oracle=lambda question: None)
    assert "it fits 0 replies" in str(found)


def test_a_reference_and_somebody_who_is_asked() -> None:
    with pytest.raises(InputError, match="nobody is asked"):
        bridge.debug("{ a }.", against="a.", oracle=lambda question: True)


@pytest.mark.slow
def test_a_repair_is_held_against_further_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.debugging.cases.BEGIN", 2)
    program = "{ in(X) : node(X) }.\n:- edge(X, Y), in(X), in(Y), X < Y.\n"
    reference = program.replace(", X < Y", "")
    generator = "node(1..n). { edge(X, Y) : node(X), node(Y) }."
    found = bridge.debug(bridge.program(program, show="in/1"), instances=bridge.Generator(generator, n=range(1, 3)), against=reference)
    assert found.repair is not None
    assert found.repair.proved_by == "gives the answers of the reference on all 18 instances up to n = 2; there are no others"
    # What is right on the first two instances only is refuted by a later one.
    assert bridge.compare(bridge.program(found.repair.text), bridge.program(reference), instances=bridge.Generator(generator, n=range(1, 3)), show="in/1").equivalent


def test_the_command_asks(folder: Path) -> None:
    words = ("debug", "mine.lp", "-i", "graph2.lp", "--ask", "--show", "sel/1", "--answers", "replies.jsonl")
    run = called(*words, folder=folder, stdin="y\n" * 30)
    assert run.returncode == 0
    assert "is this an answer that is meant?" in run.stderr
    assert len((folder / "replies.jsonl").read_text().splitlines()) > 0
    run = called(*words, folder=folder, stdin="")
    assert run.returncode == 0  # nothing is asked twice
    assert "meant?" not in run.stderr
    (folder / "replies.jsonl").unlink()
    assert called(*words, folder=folder, stdin="").returncode == 130


@pytest.mark.parametrize(
    ("rules", "missing", "given"),
    [
        (
            "{ move(B,T) : ball(B) } 1 :- T = 0..1.\nat(B,a,0) :- ball(B).\nat(B,b,T+1) :- move(B,T), T < n.\n#const n=2.\n",
            "at(B,L,T+1) :- at(B,L,T), not move(B,T), T < n.",
            "ball(x;y).",
        ),
        (
            "{ in(X) : node(X) } = 2.\n:- edge(X,Y), in(X), not in(Y).\n",
            "edge(Y,X) :- edge(X,Y).",
            "node(1..4). edge(1,2). edge(3,4). edge(2,3).",
        ),
    ],
    ids=["inertia", "symmetry"],
)
def test_a_rule_of_a_known_form_is_missing(rules: str, missing: str, given: str) -> None:
    found = bridge.debug(bridge.program(rules, show=["at/3", "in/1"]), against=rules + missing, instances=[given])
    assert "a rule is missing beside this" in found.suspects[0].sentence
    assert found.repair is not None
    assert not bridge.compare(bridge.program(found.repair.text), bridge.program(rules + missing), instances=[given]).disagreements


def test_an_encoding_without_an_instance_is_refused_and_not_called_right() -> None:
    wrong = COLOURING.replace("colour(Y, C)", "colour(X, C)")
    with pytest.raises(InputError, match="nothing gives edge/2: an instance is missing; its facts: -i FILE"):
        bridge.debug(wrong, against=bridge.program(COLOURING))
    found = bridge.compare(bridge.program(wrong), bridge.program(COLOURING), show="colour/2")
    assert found.notes[0] == "nothing gives edge/2: an instance is missing"
    given = bridge.compare(bridge.program(wrong), bridge.program(COLOURING), show="colour/2", instances=["#const k = 1. edge(1,2)."])
    assert given.notes == ()
    facts = "edge(1, 2).\n#const k = 2.\n"
    assert bridge.debug(facts + wrong, against=bridge.program(facts + COLOURING)).repair is not None


GRAPH = "node(1..4). edge(1,2). edge(2,3). edge(3,4). edge(4,1)."
CYCLE = """{ in(X,Y) : edge(X,Y) } = 1 :- node(X).
{ in(X,Y) : edge(X,Y) } = 1 :- node(Y).
BASE
reached(Y) :- reached(X), in(X,Y).
:- node(X), not reached(X).
"""


@pytest.mark.parametrize(
    ("program", "right", "instances", "line", "after"),
    [
        (
            "1 { colour(X,C) : c(C) } :- node(X).\n:- edge(X,Y), colour(X,C), colour(Y,C).",
            "{ colour(X,C) : c(C) } = 1 :- node(X).\n:- edge(X,Y), colour(X,C), colour(Y,C).\n#show colour/2.",
            [f"{GRAPH} c(a;b;d)."],
            1,
            "1 { colour(X,C) : c(C) } 1 :- node(X).",
        ),
        (
            CYCLE.replace("BASE", ""),
            f"{CYCLE.replace('BASE', 'reached(X) :- in(1,X).')}#show in/2.",
            [f"{GRAPH} edge(2,1). edge(1,4). edge(4,3). edge(3,2)."],
            4,
            "reached(Y) :- reached(X), in(X,Y). reached(X) :- in(1,X).",
        ),
        (
            "{ in(X) : node(X) }.\n:- edge(X,Y), not in(X), not in(Y).",
            "{ in(X) : node(X) }.\n:- edge(X,Y), not in(X), not in(Y).\n#minimize { 1,X : in(X) }.\n#show in/1.",
            [GRAPH],
            2,
            ":- edge(X,Y), not in(X), not in(Y). #minimize { 1,X : in(X) }.",
        ),
        (
            "{ in(X) : node(X) }\nnext(X,Y) :- edge(X,Y).\nnext(X,Y) :- edge(Y,X).\n:- next(X,Y), in(X), in(Y).",
            "{ in(X) : node(X) }.\n:- edge(X,Y), in(X), in(Y).\n#show in/1.",
            [GRAPH, "node(1..3). edge(3,2)."],
            1,
            "{ in(X) : node(X) }.\nnext(X,Y) :- edge(X,Y).",
        ),
        (
            "box(X,Y,X/2,Y/2) :- X = 1..n, Y = 1..n.\nsame(X,Y,V,W) :- box(X,Y,A,B), box(V,W,A,B).",
            "same(X,Y,V,W) :- X = 1..n, Y = 1..n, V = X-1..X+1, W = Y-1..Y+1, V = 1..n, W = 1..n, (X-1)/2 = (V-1)/2,"
            " (Y-1)/2 = (W-1)/2.\n#show same/4.",
            ["#const n = 6."],
            1,
            "box(X,Y,(X+1)/2,(Y+1)/2) :- X = 1..n, Y = 1..n.",
        ),
        (
            "{ in(P,G,W) : G = 1..2 } = 1 :- p(P), W = 1..2.\n"
            ":- in(P,G,W), in(Q,G,W), in(P,G,V), in(Q,G,V), P != Q, W != V.",
            "{ in(P,G,W) : G = 1..2 } = 1 :- p(P), W = 1..2.\n"
            ":- in(P,G,W), in(Q,G,W), in(P,H,V), in(Q,H,V), P != Q, W != V.\n#show in/3.",
            ["p(1..3)."],
            2,
            ":- in(P,V1,W), in(Q,V1,W), in(P,G,V), in(Q,G,V), P != Q, W != V.",
        ),
        (
            "{ in(X) : node(X) }.\n:- edge(X,Y), not in(X), not in(Y).\n:~ in(X), cost(X,C). [C]",
            "{ in(X) : node(X) }.\n:- edge(X,Y), not in(X), not in(Y).\n#minimize { C,X : in(X), cost(X,C) }.\n#show in/1.",
            ["node(1..4). edge(1,2). edge(2,3). edge(3,4). cost(1..2,1). cost(3..4,2)."],
            3,
            ":~ in(X), cost(X,C). [C, X]",
        ),
        (
            "{ in(X) : node(X) }.\n:- edge(X,Y), in(X), in(Y).\n:- lot(X), not in(X).",
            "{ in(X) : node(X) }.\n:- edge(X,Y), in(X), in(Y).\n#show in/1.",
            ["node(1..2). edge(1,2). lot(1..2).", "node(1..2). edge(2,1)."],
            3,
            "",
        ),
        (
            "p(1..4).\n{ at(a,P) : p(P) } = 1. { at(b,P) : p(P) } = 1.\n:- at(a,P), at(b,Q), Q != P+1.",
            "{ at(a,P) : P = 1..4 } = 1. { at(b,P) : P = 1..4 } = 1.\n:- at(a,P), at(b,Q), |P-Q| != 1.\n#show at/2.",
            [""],
            3,
            ":- at(a,P), at(b,Q), Q != P+1, Q != P-1.",
        ),
        (
            "path(X,Y,A,B) :- link(X,Y,A,B).\npath(X,Y,A,B) :- path(X,Y,C,D), path(C,D,A,B).",
            "path(X,Y,A,B) :- link(X,Y,A,B).\npath(X,Y,A,B) :- link(A,B,X,Y).\n"
            "path(X,Y,A,B) :- path(X,Y,C,D), path(C,D,A,B).\n#show path/4.",
            ["link(1,1,1,2). link(1,3,1,2). link(2,3,1,3)."],
            1,
            "path(A,B,X,Y) :- link(X,Y,A,B).",
        ),
        (
            "{ tour(X,Y) : edge(X,Y,_) } = 1 :- node(X).\nreach(1).\nreach(Y) :- reach(X), edge(X,Y,_).\n:- node(X), not reach(X).",
            "{ tour(X,Y) : edge(X,Y,_) } = 1 :- node(X).\nreach(1).\nreach(Y) :- reach(X), tour(X,Y).\n:- node(X), not reach(X).\n#show tour/2.",
            ["node(1..3). edge(1,2,5). edge(2,1,5). edge(2,3,7). edge(3,1,5). edge(1,3,9)."],
            3,
            "reach(X), tour(X,Y).",
        ),
    ],
    ids=["upper bound", "base case", "objective", "dot", "twice", "fresh variable", "weak constraint", "too strong",
         "one side", "one direction", "another predicate"],
)  # fmt: skip
def test_faults_that_students_make(program: str, right: str, instances: list[str], line: int, after: str) -> None:
    found = bridge.debug(program, against=right, instances=instances)
    assert found.suspects[0].place.line == line
    assert found.repair is not None
    assert after in found.repair.text
    show = right.rpartition("#show ")[2].rstrip(".\n")
    if "#min" not in right:
        for instance in instances:
            assert answers(found.repair.text, instance, show) == answers(right, instance, show)


def test_instances_near_by_are_of_the_same_form() -> None:
    wanted = expected_of_reference(
        AspProblem(""),
        [read_given("node(1..4). edge(1,2). edge(2,3). edge(4,2). max(2).", "one")],
        Asked(),
        (),
        Deadline(None),
        AspProblem("{ in(X) : node(X) }. :- edge(X,Y), in(X), in(Y). :- max(M), #count { X : in(X) } > M. #show in/1."),
    )
    near = [case.facts for case in wanted.extra]
    assert any("max(3)" in facts for facts in near)
    assert all("max(" in facts for facts in near)
    assert any("edge(4,2)" not in facts and "node(4)" in facts for facts in near)
    for facts in near:  # no edge of a node that is not there
        nodes = set(re.findall(r"node\((\d)\)", facts))
        assert {end for pair in re.findall(r"edge\((\d),(\d)\)", facts) for end in pair} <= nodes, facts
    assert len(set(near)) == len(near) >= 4


def test_what_clingo_warns_of_on_every_instance(tmp_path: Path) -> None:
    """What the facts of one instance lack is not a warning."""
    mine, right = tmp_path / "mine.lp", "{ in(X) } :- node(X). :- in(X), out(X). #show in/1."
    mine.write_text("{ in(X) } :- node(X).\n:- in(X), out(X), inn(X).\n#show in/1.\n")
    found = bridge.debug(mine, against=right, instances=["node(1). out(1).", "node(1..2)."])
    assert [one["message"] for one in found.to_json()["warnings"]] == ["atom does not occur in any rule head: inn(X)"]
    assert found.warnings[0].startswith(f"{mine}:2:19")
    mine.write_text(right)
    assert bridge.debug(mine, against=right, instances=["node(1). out(1).", "node(1..2)."]).warnings == ()


def test_rules_are_suspected_before_facts() -> None:
    program = (
        "node(1..4). edge(1,2). edge(2,3). edge(3,4).\n{ in(X) : node(X) }.\n:- edge(X,Y), not in(X), in(Y).\n"
        ":- #count { X : in(X) } > 2.\n%! test cover: some in(2), in(3)\n%! test none: no in(1), in(4)\n%! test number: models 3\n"
    )

    def suspects(seconds: float) -> tuple[bridge.Suspect, ...]:
        return bridge.debug(program, limits=Limits(seconds=seconds)).suspects

    given_time(suspects, lambda found: found and found[0].place.line == 3, 1.0)


def test_an_answer_that_is_expected_has_the_plain_facts_of_the_program() -> None:
    found = bridge.debug("r(a). p(1..2).\n{ q(X) : p(X) }.\n:- q(1), not q(2).\n:- q(2).\n%! test one: answer p(1) p(2) r(a) q(1)\n")
    assert found.suspects[0].place.line == 3
    assert found.repair is not None


@pytest.mark.slow
def test_the_rule_that_does_not_end_is_named() -> None:
    program = "{ in(X) : node(X) } 2.\n:- edge(X,Y), not in(X), not in(Y).\nstep(0).\nstep(T+1) :- step(T).\n"
    found = bridge.debug(program, against=program.replace("step(T).", "step(T), T < 2.") + "#show in/1.", instances=[GRAPH])
    assert found.suspects[0].place.line == 4
    assert found.repair is not None


@pytest.mark.parametrize("text", ["X", "?- g", "p :- q", "", "a. b", "p(", "#true", "1 < 2", "p(X)", "q(1..2)", "p(X+1)"])
@pytest.mark.parametrize("wish", ["missing", "unwanted", "given"])
def test_what_is_no_ground_atom_is_refused(wish: str, text: str) -> None:
    with pytest.raises(InputError, match=r"^'.*' is not a(n| ground) atom; write it as in"):
        bridge.debug("a. { c }.", **{"missing": "c", wish: text})  # type: ignore[arg-type]


def test_columns_are_counted_in_characters() -> None:
    """As lint counts them: clingo counts bytes."""
    found = bridge.debug('{ a("é漢é") }. q(1) :- a("é漢"), p(1). p(1..2). :- not q(1), p(1).', missing="q(1)")
    assert (found.suspects[0].place.column, found.suspects[0].text) == (15, 'q(1) :- a("é漢"), p(1).')
    assert any(":1:23-30: info:" in one for one in found.warnings)


def test_a_projection_of_the_program_is_none_of_its_answers() -> None:
    """Answers that are the same but for what the program projects to came several times, and others not at all."""
    text = "{ a; b }.\n{ x(1..8) }.\n#project x(X) : % #project y/0.\n    x(X), X = 1..8.\n#show a/0.\n#show b/0.\n"
    tests = "\n%! test one: models 4\n"
    assert all(one.status == "passed" for one in bridge.test(bridge.program(f"{text}{tests}")).results)
    assert bridge.debug(f"{text}{tests}").right
    found = bridge.debug(f"{text}:- a, b.\n{tests}")
    assert [one.text for one in found.suspects] == [":- a, b."]


def test_an_instance_may_be_a_program_of_its_own(tmp_path: Path) -> None:
    """Files with constants, choices, constraints and includes are taken as they are: nothing near by is made of them."""
    (tmp_path / "colours.lp").write_text("colour(1..k).\n")
    instance = tmp_path / "instance.lp"
    instance.write_text('#const k = 3.\n#include "colours.lp".\nnode(1..3). { edge(1,2); edge(2,3) } = 1.\n:- colour(1,3).\n')
    right = "{ colour(X,C) : colour(C) } = 1 :- node(X).\n:- edge(X,Y), colour(X,C), colour(Y,C).\n"
    found = bridge.debug(right.replace("(Y,C)", "(X,C)"), against=right, instances=[instance])
    assert found.suspects[0].place.line == 2
    assert found.repair is not None
    assert "edge(1,2); edge(2,3)" in found.instance


def test_constants_are_known_where_facts_are_read() -> None:
    assert read_given("#const n = 2. a(1..n).", "").atoms == (("a", ("1",)), ("a", ("2",)))


def test_of_a_large_program_what_the_reference_has_not_is_changed_first() -> None:
    """Not all changes can be made in time, and only those that are tried are written."""
    rules = [f"p{number}(X) :- q{number}(X), s{number}(X,Y), not r{number}(Y)." for number in range(40)]
    wrong = "\n".join([*rules, "last(X) :- p1(X), p2(Y)."])
    otherwise = [f"p{number}(A) :- not r{number}(B), s{number}(A,B), q{number}(A)." for number in range(40)]
    right = "\n".join([*otherwise, "last(X) :- p2(X), p1(X)."])
    written = 0
    with Trials([Case("", verdict="sat")]) as trials:
        search = ProgramSearch(wrong, trials, reference=right)
        change, _ = next(search._changes([Variant(wrong, (), 0.0, REFUSED)]))
        assert change.step.line == 41

        def texts() -> Iterator[str]:
            nonlocal written
            for written in range(1, 1001):
                yield f"a({written})."

        assert next(trials.scores(texts())).right
    assert written < 1000


def test_of_an_instance_with_rules_the_facts_are_known() -> None:
    """A predicate that it gives is none that nothing defines."""
    assert read_given("p(1,a). { q(X) : p(X,_) }. :- not q(2).", "x").stated == (("p", ("1", "a")),)


@pytest.mark.parametrize("nothing", [" ", "% a comment\n", "#program base."])
def test_a_program_without_a_statement_is_wrong_by_a_reference(nothing: str) -> None:
    reference = bridge.program("{ a }.\n#minimize { 1 : a }.\n-a. a.\n")
    assert not bridge.debug(bridge.program(nothing), against=reference, limits=bridge.Limits(seconds=30)).right
