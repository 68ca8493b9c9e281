"""Prolog programs as problems: fragments, posted constraints, proofs; checked with plain swipl where they claim."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from goal_cases import CASES, diagnosed, verified

from bridge.analysis.ask import diagnose
from bridge.analysis.cores import Clash, clash, shrink
from bridge.analysis.proofs import prove
from bridge.errors import InputError, LimitError, ProgramError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.problem.clauses import Reader, summary
from bridge.problem.fragments import Preparation, shown
from bridge.problem.posted import Posted, PostedConstraint
from bridge.problem.prolog import PrologProblem

CLPFD = ":- use_module(library(clpfd)).\n"
ROOT = Path(__file__).parent.parent.parent.parent


@pytest.mark.parametrize("name", ["problem.clauses", "problem.prolog", "problem.posted", "analysis.proofs"])
def test_the_examples_of_the_modules(name: str) -> None:
    result = doctest.testmod(import_module(f"bridge.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.slow
def test_injected_faults_are_named_and_confirmed_by_swipl(tmp_path: Path) -> None:
    """Every fifth; `goal_cases.py`, run as a program, scores them all."""
    results = [diagnosed(case) for case in CASES[::5]]
    assert [result.case.name for result in results if not result.named] == []
    assert all(result.minimal for result in results)
    assert sum(result.instances is not None for result in results) >= 2
    assert verified(results, tmp_path) == []


# Reading.


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as found:
        yield found


def test_places_of_goals(reader: Reader) -> None:
    source = reader.read("a.pl", "% é\np(X) :-\n    q(X), % here\n    r.\n")
    (clause,) = source.clauses
    assert [(source.of(goal), str(source.place(goal.start))) for goal in clause.goals] == [
        ("q(X)", "a.pl:3:5"),
        ("r", "a.pl:4:5"),
    ]


def test_the_sentence_of_a_predicate(reader: Reader) -> None:
    source = reader.read("a.pl", "%!  p(+X) is det.\n%\n%   X is small. Really.\n\np(1).\n% no\nq.\n")
    assert (source.sentence("p/1"), source.sentence("q/0")) == ("X is small.", "")
    assert summary("%   no head\n") == ""


# Fragments.


def failing(program: str, goal: str, **more: bool) -> list[str]:
    """The goals of a slice of a goal that fails, without the arguments of heads."""
    with PrologProblem([program], goal, **more).oracle("fails") as oracle:
        reply = oracle.ask(oracle.premises)
        assert reply.satisfiable is False
        left, minimal = shrink(oracle, reply.core)
        assert minimal
        return [premise.text for premise in oracle.ordered(left) if premise.kind != "head"]


def test_the_text_keeps_its_lines(reader: Reader) -> None:
    source = reader.read("a.pl", "p :- q,\n   ( r\n   ; s ).\nt --> u, { v },\n  [w].\n")
    query = reader.read("<goal>", "lpbridge_query :-\n p\n.", skipped=18)
    for question in ("fails", "loops"):
        texts = Preparation([source, query], question).prepared().texts  # type: ignore[arg-type]
        assert [text.count("\n") for text in texts] == [5, 2]


def test_a_program_may_use_our_names() -> None:
    text = "on(1). post(2). enter(3, 3). start(_).\np(X) :- start(X), on(X), post(X), enter(X, X).\n"
    assert failing(text, "p(X)") == ["on(X)", "post(X)", "p(X)"]


def test_what_changes_clauses_is_undone_between_fragments() -> None:
    text = ":- dynamic c/1.\nc(0).\nt(X) :- retract(c(Y)), X is Y + 1, assertz(c(X)).\np :- t(X), X > 1.\n"
    assert failing(text, "p")[-2:] == ["X > 1", "p"]


def test_tables_are_forgotten_between_fragments() -> None:
    text = ":- table r/2.\ne(a, b).\nr(X, Y) :- r(X, Z), e(Z, Y).\nr(X, Y) :- e(X, Y).\n"
    assert "e(X, Y)" in failing(text, "r(a, c)")


def test_operators_flags_and_other_files(tmp_path: Path) -> None:
    (tmp_path / "colours.pl").write_text(":- module(colours, [likes/2, op(700, xfx, likes)]).\nann likes red.\n")
    (tmp_path / "main.pl").write_text(
        ":- use_module(colours).\n:- set_prolog_flag(double_quotes, codes).\n"
        "p(X) :- X likes C, q(C).\nq(blue).\nq(C) :- C = \"a\".\n"
    )
    problem = PrologProblem([tmp_path / "main.pl"], "p(X), X likes _")
    with problem.oracle("fails") as oracle:
        reply = oracle.ask(oracle.premises)
        assert reply.satisfiable is False
        left, _ = shrink(oracle, reply.core)
        names = ["red in ann likes red", "X likes C", "q(C)", "blue in q(blue)", 'C = "a"', "p(X)"]
        assert sorted(premise.label for premise in left) == sorted(names)
        assert {str(premise.place.file) for premise in oracle.premises} >= {str(tmp_path / "main.pl"), "<goal>"}


def test_a_fragment_that_raises_or_loops_has_not_failed() -> None:
    with PrologProblem(["p :- X = 1, X < 0.\nq :- l(X), X < 0.\nl(0).\n"], "p").oracle("fails") as oracle:
        without = [premise for premise in oracle.premises if premise.text != "X = 1"]
        assert oracle.ask(without).satisfiable is True
        assert not oracle.undecided
    with PrologProblem(["p :- n(X), X = a.\nn(0).\nn(s(X)) :- n(X).\n"], "p").oracle("fails") as oracle:
        assert oracle.ask(oracle.premises).satisfiable is True
        assert oracle.undecided == 1


def test_untrusted_programs_have_slices_only() -> None:
    assert failing("p(X) :- q(X), r(X).\nq(1).\nr(2).\n", "p(X)", untrusted=True) == ["q(X)", "r(X)", "p(X)"]
    problem = PrologProblem([CLPFD], "X #> X", untrusted=True)
    with pytest.raises(UnsupportedError, match="not recorded"):
        Posted(problem)
    with pytest.raises(UnsupportedError, match="not available"):
        prove(problem)


def test_an_untrusted_program_is_confined() -> None:
    with pytest.raises(ProgramError, match="safe"):
        PrologProblem(["p :- shell(true).\n"], "p", untrusted=True).oracle("fails").ask([])


LOOPS = [
    ("anc(X, Z) :- anc(Y, Z), par(X, Y).\nanc(X, Y) :- par(X, Y).\npar(a, b).\n", "anc(a, X)",
     ["anc(X, Z) :- anc(Y, Z), false."]),
    ("p(X) :- n(X), m(X).\nn(0).\nn(s(X)) :- n(X).\nm(_).\n", "p(X), X = a",
     ["p(X) :- n(X), false.", "n(s(X)) :- n(X), false.", "p(X), false"]),
    ("s --> s, [a].\ns --> [].\n", "phrase(s, L)", ["s --> s, false."]),
    ("p :- !, p.\np.\n", "p", ["p :- !, p, false.", "p"]),
]  # fmt: skip


@pytest.mark.parametrize(("program", "goal", "lines"), LOOPS)
def test_slices_that_do_not_end(program: str, goal: str, lines: list[str]) -> None:
    problem = PrologProblem([program], goal)
    with problem.oracle("loops", inferences=50_000) as oracle:
        reply = oracle.ask(oracle.premises)
        assert reply.satisfiable is False
        left, minimal = shrink(oracle, reply.core)
        assert minimal
        found = shown(problem.read().sources, "loops", oracle.premises, left)
        assert [line for _, line in found][: len(lines)] == lines


def test_a_goal_that_ends_has_no_loop() -> None:
    with PrologProblem(["p(1). p(2).\n"], "p(X)").oracle("loops") as oracle:
        assert oracle.ask(oracle.premises).satisfiable is True


def test_wrong_input() -> None:
    for sources, goal in (("a.pl", "p"), (["p.\n"], " ."), (["no such file.pl"], "p")):
        with pytest.raises(InputError):
            PrologProblem(sources, goal).read()
    with pytest.raises(ProgramError, match=r"<goal>:1"):
        PrologProblem(["p.\n"], "p(").read()
    with pytest.raises(ProgramError, match=r"<text>:1"):
        PrologProblem(["p(.\n"], "p").read()


def test_a_deadline_keeps_what_there_is() -> None:
    problem = PrologProblem(["p :- q, r.\nq.\nr :- fail.\n"], "p")
    with problem.oracle("fails", deadline=(deadline := Deadline(60))) as oracle:
        core = oracle.ask(oracle.premises).core
        deadline.__init__(1e-9)  # type: ignore[misc]
        assert shrink(oracle, core) == (list(core), False)


# Posted constraints.


def clashing(sources: list[str | Path], goal: str) -> tuple[Clash[PostedConstraint], bool]:
    with Posted(PrologProblem(sources, goal)) as posted:
        found = clash(posted, posted.premises)
        assert found is not None
        return found, posted.fails_by_propagation(found.premises)


CLUES = [
    ("sudoku", "sudoku([[1,_,_,_],[_,_,_,_],[_,_,_,1],[1,_,_,_]])", {"sudoku[1][1]=1", "sudoku[4][1]=1"}),
    ("latin_square", "latin_square([[1,2],[1,_]])", {"latin_square[1][1]=1", "latin_square[2][1]=1"}),
    ("magic_square", "magic_square([[1,_,3],[_,_,_],[_,_,1]])", {"magic_square[1][1]=1", "magic_square[3][3]=1"}),
    ("takuzu", "takuzu([[1,1,1,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]])", {"takuzu[1][1]=1", "takuzu[1][2]=1", "takuzu[1][3]=1"}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "goal", "facts"), CLUES, ids=[kind for kind, _, _ in CLUES])
def test_clues_of_a_puzzle_that_contradict(kind: str, goal: str, facts: set[str]) -> None:
    found, _ = clashing([ROOT / "encodings" / kind / f"{kind}.pl"], goal)
    assert {instance.text for instance in found.facts} == facts
    assert all(str(instance.place.file).endswith(f"{kind}.pl") for instance in found.rules)


def test_labelling_sees_what_propagation_does_not() -> None:
    goal = "[X, Y, Z] ins 1..2, X #\\= Y, Y #\\= Z, X #\\= Z"
    found, propagated = clashing([CLPFD], goal)
    assert len(found.premises) == 4
    assert not propagated


def test_a_constraint_called_by_name() -> None:
    program = CLPFD + "p([X, Y], C) :- [X, Y] ins 1..1, maplist(C, [[X, Y]]).\n"
    found, _ = clashing([program], "p(L, all_distinct)")
    assert [instance.text for instance in found.premises] == ["[L[1], L[2]] ins 1..1", "all_distinct([L[1], L[2]])"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "goal", "why"),
    [
        ("p(X) :- member(X, [1, 2]), Y #> X, Y #< 2.\n", "p(X)", "several answers"),
        ("p(N) :- N #= 2, length(L, N), N #> 5, L = L.\n", "p(N)", "several answers|does not end|raises"),
        ("p(X) :- X #> 0, fail.\n", "p(X)", "fails, too"),
        ("p(X) :- X #> 3, ( fd_inf(X, 4) -> X #> 5 ; X #> 6 ), X #< 5.\n", "p(X)", "depends|raises"),
        ("p.\n", "p", "no constraints"),
    ],
)
def test_what_cannot_be_recorded_is_refused(program: str, goal: str, why: str) -> None:
    with pytest.raises(UnsupportedError, match=why):
        Posted(PrologProblem([CLPFD + program], goal))


# Proofs.


def test_a_proof() -> None:
    program = "e(a, b). e(b, c).\np(X, Y) :- e(X, Y).\np(X, Z) :- e(X, Y), p(Y, Z).\n"
    proof = prove(PrologProblem([program], "p(a, c)"))
    assert proof is not None
    assert [(depth, each.goal, each.where) for depth, each in proof] == [
        (0, "p(a, c)", "<text>:3"),
        (1, "e(a, b)", "<text>:1:1"),
        (1, "p(b, c)", "<text>:2"),
        (2, "e(b, c)", "<text>:1:10"),
    ]
    assert proof.to_json()["parts"][1]["clause"] == "<text>:2:1"


def test_a_proof_with_cut_negation_branches_and_libraries() -> None:
    program = (
        "good(X) :- \\+ bad(X), ( X > 2 -> big(X) ; true ), !.\ngood(_).\nbad(1).\nbig(3).\n"
        "all(Xs) :- findall(X, member(X, Xs), Ys), maplist(good, Ys).\n"
    )
    proof = prove(PrologProblem([program], "all([2, 3]), X = 1"))
    assert [each.goal for _, each in proof or ()] == [
        "the query", "all([2, 3])", "findall(_1, member(_1, [2, 3]), [2, 3])", "maplist(good, [2, 3])",
        "good(2)", "\\+bad(2)", "true", "good(3)", "\\+bad(3)", "big(3)", "1=1",
    ]  # fmt: skip


def test_other_answers_and_none() -> None:
    problem = PrologProblem(["p(1). p(2).\n"], "p(X)")
    assert [str(prove(problem, number=number)) for number in (1, 2, 3)] == [
        "p(1)  <text>:1:1", "p(2)  <text>:1:7", "None",
    ]  # fmt: skip


def test_a_program_that_looks_at_its_own_clauses_is_proved_as_it_runs() -> None:
    program = (
        ":- dynamic n/1, app/3.\nn(1).\nnext(N) :- retract(n(M)), N is M + 1, assertz(n(N)).\n"
        "app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\n"
        "solve(true) :- !.\nsolve((A, B)) :- !, solve(A), solve(B).\nsolve(H) :- clause(H, B), solve(B).\n"
    )
    assert str(prove(PrologProblem([program], "next(N), n(M)"))).splitlines()[1:] == [
        "  next(2)  <text>:3", "    retract(n(1))  built-in", "    2 is 1+1  built-in", "    assertz(n(2))  built-in",
        "  n(2)  dynamic",
    ]  # fmt: skip
    proof = prove(PrologProblem([program], "solve(app([a], [b], X))"))
    assert "clause(app([a], [b], [a, b]), app([], [b], [b]))" in [each.goal for _, each in proof or ()]


def test_comments_in_a_clause_are_not_shown_in_its_line() -> None:
    program = "p(X) :- q(X, % it's the first\n  1), % 'and\n  r(X). /* on */\nq(a, 2).\nr('a % b').\n"
    text = str(diagnose(PrologProblem([program], "p(a)")))
    assert "p(X) :- q(_, 1), ...." in text


def test_a_goal_that_a_table_proves_is_not_built_in() -> None:
    program = ":- table p/2.\ne(1, 2). e(2, 1).\np(X, Y) :- p(X, Z), e(Z, Y).\np(X, Y) :- e(X, Y).\nq :- p(1, 1).\n"
    assert str(prove(PrologProblem([program], "q"))) == "q  <text>:5\n  p(1, 1)  table"


def test_a_clash_of_a_single_constraint() -> None:
    found = diagnose(PrologProblem([f"{CLPFD}m(X) :- X #> 3, X is 2.\n"], "m(X)"))
    assert "This constraint cannot hold:" in str(found)


@pytest.mark.slow
def test_a_deep_proof() -> None:
    proof = prove(PrologProblem(["n(0).\nn(X) :- X > 0, Y is X - 1, n(Y).\n"], "n(3000)"))
    assert proof is not None
    assert max(depth for depth, _ in proof) == 3000
    assert proof.to_json()["goal"] == "n(3000)"


@pytest.mark.slow
def test_no_proof_within_the_limit() -> None:
    with pytest.raises(LimitError):
        prove(PrologProblem(["p :- p.\n"], "p"), limits=Limits(seconds=1))
