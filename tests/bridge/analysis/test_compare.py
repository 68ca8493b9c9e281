"""Programs compared: a difference is found if there is one, on a smallest instance, and is held against brute force."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import given_time

import bridge
from bridge import Instance, Limits
from bridge.asp import Program
from bridge.comparison import family
from bridge.comparison.answers import of_atoms, text
from bridge.comparison.comparison import scope_text
from bridge.comparison.contenders import AspContender
from bridge.errors import InputError, ProgramError
from bridge.limits import UNLIMITED
from bridge.outcome import Outcome, Statistics, Verdict

FACTS = ("p(1)", "p(2)", "q")
GENERATOR = "{ p(1..2); q }.\n#show p/1. #show q/0.\n"
HEAD = "#defined p/1. #defined q/0.\n#show a/1. #show b/0.\n"
RULES = [
    "{ a(X) : p(X) }.", "a(X) :- p(X).", "{ b } :- q.", "b :- q, not a(1).", "b :- not q.", "{ a(1); b } = 1 :- q.",
    ":- a(1), b.", ":- p(2), q, not b.", ":- a(X), a(Y), X < Y.", "a(3) :- p(1), p(2).", ":- p(1), not a(1), not b.",
]  # fmt: skip


@cache
def answers(program: str, facts: frozenset[str]) -> frozenset[frozenset[str]]:
    """The answers of a program to an instance, by clingo alone."""
    with Program(program + "".join(f"{fact}.\n" for fact in facts), isolated=False) as loaded:
        return frozenset(frozenset(str(model).split()) for model in loaded.models())


def programs() -> st.SearchStrategy[str]:
    rules = st.lists(st.sampled_from(RULES), max_size=5, unique=True)
    return rules.map(lambda some: HEAD + "".join(f"{rule}\n" for rule in some))


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), programs())
def test_a_difference_is_found_iff_there_is_one_and_it_is_smallest(one: str, other: str) -> None:
    found = bridge.compare(bridge.AspProblem(one), bridge.AspProblem(other), instances=bridge.Generator(GENERATOR))
    subsets = [frozenset(some) for size in range(4) for some in combinations(FACTS, size)]
    different = [some for some in subsets if answers(one, some) != answers(other, some)]
    assert (found.difference is not None) is bool(different)
    assert found.equivalent is not bool(different)
    if found.difference is None:
        assert (len(found.instances), found.exhausted, found.finished) == (8, True, "3")
        return
    gap = found.difference
    facts = frozenset(str(gap.instance).replace(".", "").split())
    assert facts in different
    assert len(facts) == min(map(len, different)) == gap.instance.size
    programs = {"<text 1>": one, "<text 2>": other}
    answer = frozenset(text([atom]) for atom in gap.answer)
    assert answer in answers(programs[gap.has], facts)
    assert answer not in answers(programs[gap.lacks], facts)
    assert_reason(programs[gap.lacks], facts, answer, gap.reason)


def assert_reason(program: str, facts: frozenset[str], answer: frozenset[str], reason: Any) -> None:
    """The premises stand in the program or the instance; an atom that is told is in the answer, and in no other."""
    assert reason is not None
    assert reason.clash is not None or reason.atom is not None
    for premise in reason.clash.premises if reason.clash else ():
        assert premise.text in program or premise.text.rstrip(".") in facts, premise
    if reason.atom is not None:
        assert reason.atom in answer
        assert all(reason.atom not in each for each in answers(program, facts))


# The contenders


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graphs.lp").write_text("{ edge(1..n, 1..n) }.\n#show edge/2.\n")
    (tmp_path / "colour.lp").write_text(
        "node(X) :- edge(X, _).\nnode(X) :- edge(_, X).\n{ colour(X, (red; green)) } = 1 :- node(X).\n"
        ":- edge(X, Y), colour(X, C), colour(Y, C).\n#defined edge/2.\n#show colour/2.\n"
    )
    (tmp_path / "wrong.lp").write_text((tmp_path / "colour.lp").read_text().replace("colour(Y, C).", "colour(Y, C), X < Y."))
    (tmp_path / "colour.pl").write_text(
        "colours([], []).\ncolours([N|Ns], [colour(N, C)|Cs]) :- member(C, [red, green]), colours(Ns, Cs).\n"
        "colouring(Cs) :-\n    findall(X, (edge(X, _) ; edge(_, X)), Xs), sort(Xs, Ns), colours(Ns, Cs),\n"
        "    \\+ ( edge(X, Y), member(colour(X, C), Cs), member(colour(Y, C), Cs) ).\n"
    )
    (tmp_path / "colour.py").write_text(
        "from itertools import product\n\n\ndef solve(instance):\n    edges = instance['edge']\n"
        "    nodes = sorted({node for edge in edges for node in edge})\n"
        "    for colours in product(['red', 'green'], repeat=len(nodes)):\n"
        "        of = dict(zip(nodes, colours))\n        if all(of[x] != of[y] for x, y in edges):\n"
        "            yield {'colour': of.items()}\n\n\n"
        "def fails(instance):\n    if len(instance['edge']) == 1:\n        raise ValueError('one edge')\n"
        "    yield from solve(instance)\n\n\ndef hangs(instance):\n    yield from solve(instance)\n"
        "    while instance['edge']:\n        pass\n"
    )
    return tmp_path


def graphs() -> bridge.Generator:
    return bridge.Generator("graphs.lp", n=range(1, 3))


def test_asp_prolog_and_python_agree(folder: Path) -> None:
    found = bridge.compare("colour.lp", bridge.goal("colour.pl", "colouring(Cs)"), "colour.py:solve", instances=graphs())
    assert found.equivalent is True
    assert found.scope == "all 18 instances up to n = 2; there are no others"
    assert found.engines == ("colour.lp", "colour.pl", "colour.py:solve")
    assert len(found.rows) == 54
    assert found.to_json()["rows"][5]["verdict"] == "impossible"


@pytest.mark.slow
@pytest.mark.parametrize("other", ["colour.pl", "colour.py:solve"])
def test_a_wrong_encoding_is_told_by_a_smallest_instance(folder: Path, other: str) -> None:
    found = bridge.compare("wrong.lp", bridge.goal(other, "colouring(Cs)") if ".pl" in other else other, instances=graphs())
    assert found.difference is not None
    assert str(found.difference.instance) == "n = 1. edge(1,1)."
    assert (found.difference.has, found.difference.lacks) == ("wrong.lp", other)
    assert found.difference.smaller == 0
    with pytest.raises(bridge.DisagreementError):
        found.require_agreement()


def test_the_reason_names_the_rule(folder: Path) -> None:
    found = bridge.compare("wrong.lp", "colour.lp", instances=graphs())
    assert found.difference is not None
    assert found.difference.reason is not None
    assert found.difference.reason.clash is not None
    texts = [premise.text for premise in found.difference.reason.clash.premises]
    assert ":- edge(X, Y), colour(X, C), colour(Y, C)." in texts


def ended(found: Any) -> list[str | None]:
    return [row.outcome.limit for row in found.rows if row.outcome]


@pytest.mark.slow
def test_an_exception_and_a_limit_are_rows(folder: Path) -> None:
    found = bridge.compare("colour.lp", "colour.py:fails", instances=bridge.Generator("graphs.lp", n=2))
    assert found.difference is None
    assert found.equivalent is None
    assert len(found.undecided) == 4
    assert {row.error for row in found.rows if row.error} == {"colour.py:15: ValueError: one edge"}

    def hangs(seconds: float) -> Any:
        limits = Limits(seconds=seconds, solutions=100)
        return bridge.compare("colour.lp", "colour.py:hangs", instances=bridge.Generator("graphs.lp", n=1), limits=limits)

    found = given_time(hangs, lambda found: ended(found) == [None, None, None, "seconds"])
    assert found.scope == "1 of 2 instances; the others are not decided"


def test_functions_of_this_process_and_how_they_end() -> None:
    def two(instance: Any) -> Iterator[Any]:
        yield {"a": [1]}
        yield {"a": [2]}

    def leaves(instance: Any) -> Iterator[Any]:
        yield {"a": [1]}
        os._exit(3)

    def catches(instance: Any) -> Iterator[Any]:
        yield {"a": [1]}
        while True:
            with suppress(BaseException):
                time.sleep(1)

    problem = bridge.AspProblem("{ a(1..2) } = 1. #show a/1.")
    assert bridge.compare(problem, two).equivalent is True
    found = given_time(
        lambda seconds: bridge.compare(problem, leaves, catches, limits=Limits(seconds=seconds, solutions=9)),
        lambda found: ended(found) == [None, "halt", "seconds"],
    )
    assert found.agree
    assert found.equivalent is None


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda instance: {"a": [1]}, "yield each answer"),
        (lambda instance: [3], "not an atom of an answer"),
        (lambda instance: 5, "not answers"),
    ],
)
def test_what_is_no_answer_is_an_error_of_the_row(function: Callable[..., Any], said: str) -> None:
    found = bridge.compare(bridge.AspProblem("a(1). #show a/1."), function)
    assert said in str(found.rows[1].error)
    assert found.equivalent is None


def test_many_answers_are_looked_for_in_the_other_program() -> None:
    """Both are stopped by the limit on answers: an answer of one is put to the other."""
    limits = Limits(solutions=5)
    one, other = bridge.AspProblem("{ a(1..6) }. :- a(6)."), bridge.AspProblem("{ a(1..6) }. :- not a(6).")
    found = bridge.compare(one, other, show="a/1", limits=limits)
    assert found.difference is not None
    assert not any(row.complete for row in found.rows)
    same = bridge.compare(one, bridge.AspProblem("{ a(1..5) }."), show="a/1", limits=limits)
    assert same.difference is None
    assert same.equivalent is None


def test_costs_are_looked_at_when_it_is_said() -> None:
    one = "{ a(1..3) } = 1. #minimize { X : a(X) }. #show a/1."
    found = bridge.compare(bridge.AspProblem(one), bridge.AspProblem("a(1). #show a/1."))
    assert found.agree is False
    assert "whatever they cost" in found.notes[0]
    assert bridge.compare(bridge.AspProblem(one, optimal=True), bridge.AspProblem("a(1). #show a/1.", optimal=True)).equivalent


def test_texts_constants_and_atoms_are_the_same(tmp_path: Path) -> None:
    goal = bridge.PrologProblem(["p(red, [1, 2]).\n"], "p(X, L), A = a(X, L)")
    asp = bridge.AspProblem('a("red", (1, 2)). #show a/2.')
    assert bridge.compare(asp, goal, lambda: [[("a", "red", [1, 2])]]).equivalent is True


def test_a_constant_is_a_variable_of_the_goal_and_the_answer_its_other_variables() -> None:
    goal = bridge.PrologProblem(["twice(X, Y) :- Y is 2 * X.\n"], "twice(MaxSize, Y)")
    found = bridge.compare(goal, lambda instance: [{"Y": 2 * instance.constants["max_size"]}], instances=bridge.Generator(max_size=range(1, 4)))
    assert found.scope == "all 3 instances up to max_size = 3; there are no others"
    wrong = bridge.compare(goal, lambda instance: [{"Y": 2}], instances=bridge.Generator(max_size=range(1, 4)))
    assert wrong.difference is not None
    assert wrong.difference.text in ("Y = 2", "Y = 4")
    assert wrong.difference.instance.size == 2


def test_instances_from_files_and_values(folder: Path) -> None:
    (folder / "two.lp").write_text("edge(1..2, 3).\n")
    assert Instance.read("two.lp")["edge"] == [(1, 3), (2, 3)]
    instances = ["two.lp", "edge(1, 1).", {"edge": [(1, 2)]}, Instance.of_facts({"edge": [(4, 4)]}, name="loop")]
    found = bridge.compare("colour.lp", "wrong.lp", instances=instances)
    assert found.instances == ("two", "2", "3", "loop")
    assert [said.partition(":")[0] for said in found.disagreements] == ["2", "loop"]
    assert found.difference is not None
    assert found.difference.instance.name == "2"


def test_what_cannot_be_compared_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match=r"what is an answer\? colour.lp shows colour/2; <text> shows everything"):
        bridge.compare("colour.lp", bridge.AspProblem("a."))
    with pytest.raises(InputError, match="needs a goal"):
        bridge.compare("colour.pl", "colour.lp")
    with pytest.raises(InputError, match="no such file"):
        bridge.compare("nowhere.lp", "colour.lp")
    with pytest.raises(InputError, match="there is no function 'nowhere'"):
        bridge.compare("colour.py:nowhere", "colour.lp")
    with pytest.raises(InputError, match="cannot be compared"):
        bridge.compare(["colour.lp", "wrong.lp"])
    with pytest.raises(InputError, match="no answer set"):
        bridge.compare("colour.lp", "wrong.lp", instances=bridge.Generator("a. :- a.\n"))
    with pytest.raises(InputError, match="is facts"):
        bridge.compare("colour.lp", "wrong.lp", instances="{ edge(1, 2) }.\n")
    (folder / "bad.lp").write_text("a(.\n")
    with pytest.raises(ProgramError, match=r"bad\.lp:1"):
        bridge.compare("bad.lp", "colour.lp")


def test_instances_end_at_the_number_and_at_the_time(folder: Path) -> None:
    found = bridge.compare("colour.lp", "colour.py:solve", instances=bridge.Generator("graphs.lp", most=7, n=2))
    assert found.scope == "all 5 instances up to size 1, and 2 beyond"
    assert found.exhausted is False
    late = bridge.compare("colour.lp", "colour.py:solve", instances=bridge.Generator(n=range(1, 4)), deadline=1e-9)
    assert (late.instances, late.exhausted, late.equivalent) == ((), False, None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((1, None, 0, None), "1 instance"),
        ((3, None, 0, None), "all 3 instances"),
        ((9, None, 0, False), "the first 9 instances"),
        ((9, "2", 4, False), "all 5 instances up to size 2, and 4 beyond"),
        ((1234, "3", 0, True), "all 1,234 instances up to size 3; there are no others"),
    ],
)
def test_no_more_is_said_than_was_compared(given: tuple[Any, ...], said: str) -> None:
    assert scope_text(*given) == said


class _MuteError(Exception):
    """An exception without a text: to ask for it fails."""

    def __str__(self) -> str:
        raise ValueError("no text")


def _mute(instance: Any) -> Iterator[Any]:
    raise _MuteError


def test_a_function_raises_what_has_no_text() -> None:
    found = bridge.compare(_mute, bridge.AspProblem("a. #show a/0."), instances=[Instance()])
    (error,) = [row.error for row in found.rows if row.error]
    assert error.endswith("_MuteError")


def test_a_generator_without_the_value_of_a_constant_is_told() -> None:
    program, generator = bridge.AspProblem("{ a } :- p(_). #show a/0."), "{ p(1..n) }. #show p/1."
    found = bridge.compare(program, program, instances=bridge.Generator(generator))
    assert [note.rpartition("info: ")[2] for note in found.notes] == ["interval undefined: 1..n"]
    assert bridge.compare(program, program, instances=bridge.Generator(generator, n=1)).notes == ()


def test_the_hint_names_a_predicate_that_is_shown() -> None:
    mine, yours = bridge.AspProblem("color(1). #show color/1."), bridge.AspProblem("colour(2). #show colour/1.")
    with pytest.raises(InputError, match=r"say it: --show color/1, or show='color/1'"):
        bridge.compare(mine, yours, instances=bridge.Generator("{ p }."))


def test_a_constant_belongs_to_one_of_the_programs_at_least(tmp_path: Path) -> None:
    one, other = bridge.AspProblem("p(1..size).\n"), bridge.AspProblem("p(1..2).\n")
    assert bridge.compare(one, other, instances=bridge.Instance(constants={"size": 2}, name="as it is")).equivalent
    found = bridge.compare(one, other, instances=bridge.Generator(size=range(1, 5)))
    assert found.difference is not None
    assert found.difference.instance.constants == {"size": 1}
    (tmp_path / "facts.lp").write_text("q(1).\n")
    assert bridge.compare(one, other, instances=Instance.read(tmp_path / "facts.lp", {"size": 2}), show="p/1").equivalent
    with pytest.raises(InputError, match="the program has no constant 'sizes'"):
        bridge.compare(one, other, instances=bridge.Instance(constants={"sizes": 2}, name="as it is"))


HAS = "v(1). p(X) :- v(X). #show p/1.\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "name"), [("v(1).", None), ("v(1). pp(X) :- v(X).", "pp/1"), ("v(2..3). w(X) :- v(X).", None), ("v(1). w(1,1).", None), ("v(1). p(5). w(X) :- v(X).", None)]
)
def test_a_predicate_that_the_other_program_does_not_have(other: str, name: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(HAS)
    (tmp_path / "b.lp").write_text(f"{other} #show p/1.\n")
    found = bridge.compare(tmp_path / "a.lp", tmp_path / "b.lp")
    assert found.difference is not None
    assert found.difference.reason is not None
    reason = found.difference.reason
    assert (reason.note, reason.clash, reason.renamed) == (f"{tmp_path / 'b.lp'} has no rule that derives p(1)", None, name)
    lines = str(found).splitlines()[len(found.warnings) :]
    assert lines[:3] == [f"an answer that {tmp_path / 'a.lp'} has, and {tmp_path / 'b.lp'} has not:", "  p(1)", f"{tmp_path / 'b.lp'} has no rule that derives p(1)"], "before the table"
    assert ("its pp/1 has the same atoms: is that another name for it?" in lines) == (name is not None)


def test_what_an_answer_is_under_another_name() -> None:
    with pytest.raises(InputError) as error:
        bridge.compare(bridge.AspProblem(HAS), bridge.AspProblem("{ v(1) }. v(1). pp(X) :- v(X). #show pp/1.\n"))
    assert error.value.hint == "p/1 of <text 1> is likely pp/1 of <text 2>: they have the same atoms"
    with pytest.raises(InputError, match="say it: --show p/1"):
        bridge.compare(bridge.AspProblem(HAS), bridge.AspProblem("v(1..2). pp(X) :- v(X). #show pp/1.\n"))


@pytest.mark.slow
@pytest.mark.parametrize("order", [(1, 2, 0), (2, 1, 0), (2, 0, 1)])
def test_of_all_instances_the_smallest_with_a_difference_is_shown(order: tuple[int, ...], tmp_path: Path) -> None:
    files = [tmp_path / f"{size}.lp" for size in range(3)]
    for size, file in enumerate(files):
        file.write_text("".join(f"e({one}).\n" for one in range(1, size + 2)))
    one, other = bridge.AspProblem("{ p(X) : e(X) }. #show p/1.\n"), bridge.AspProblem("{ p(X) : e(X) }. :- p(2). #show p/1.\n")
    found = bridge.compare(one, other, instances=[files[one] for one in order])
    assert found.difference is not None
    assert found.difference.instance.file == str(files[1]), "the first is the same for both"


def test_warnings_of_texts_have_the_names_of_the_texts() -> None:
    found = bridge.compare(bridge.AspProblem("a. :- b."), bridge.AspProblem("a.\n:- c."), show="a/0,d/0")
    told = "info: atom does not occur in any rule head:"
    assert [one for one in found.warnings if told in one] == [f"<text 1>:1:7-8: {told} b", f"<text 2>:2:4-5: {told} c"]


def test_the_first_two_of_several_that_differ_are_any_two() -> None:
    same = "{ p(1..2) }. #show p/1.\n"
    found = bridge.compare(*map(bridge.AspProblem, (same, f"{same} ", f"{same}:- p(2).\n")))
    assert found.difference is not None
    assert (found.difference.has, found.difference.lacks) == ("<text 1>", "<text 3>")
    assert found.difference.text == "p(2)", "of p(2) and p(1) p(2), the one with fewer atoms"


EDGES = tuple(f"edge({x},{y})" for x in (1, 2) for y in (1, 2))
WEIGHT = {edge: 2 * int(edge[5]) - int(edge[7]) for edge in EDGES}  # some weigh nothing
LOOPS = "{ edge(1..2,1..2) }.\n#show edge/2.\n"
WEIGHED = LOOPS + "#minimize { 2 * X - Y, X, Y : edge(X, Y) }.\n"


def _pair(seed: int) -> tuple[str, str]:
    """Two programs that forbid some sets of edges each, the same ones in part."""
    chance = random.Random(seed)
    sets = [some for size in (2, 3) for some in combinations(EDGES, size)]
    forbidden = chance.sample(sets, 3)
    head = "#defined edge/2.\n#show in/1.\n{ in(X) : edge(X, _) }.\n"
    lines = [f":- in(_), {', '.join(some)}.\n" for some in forbidden]
    return head + "".join(lines[:2]), head + "".join(lines[1:])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("way", ["generator", "cost", "given"])
def test_the_reported_instance_is_a_smallest_one_of_all(way: str, seed: int) -> None:
    one, other = _pair(seed)
    every = [frozenset(some) for size in range(5) for some in combinations(EDGES, size)]

    def size(of: frozenset[str]) -> int:
        return sum(WEIGHT[edge] for edge in of) if way == "cost" else len(of)

    sizes = {some: size(some) for some in every if answers(one, some) != answers(other, some)}
    assert len(set(sizes.values())) > 1, "some are larger than others"
    given: dict[str, Any]
    if way in ("generator", "cost"):
        given = {"instances": bridge.Generator(WEIGHED if way == "cost" else LOOPS)}
    else:
        random.Random(seed).shuffle(every)
        texts = ["".join(f"{edge}. " for edge in sorted(some)) for some in every]
        given = {"instances": [Instance.of_text(one) for one in texts]}
    gap = bridge.compare(bridge.AspProblem(one), bridge.AspProblem(other), **given).difference
    assert gap is not None
    facts = frozenset(str(gap.instance).replace(".", "").split())
    assert sizes[facts] == min(sizes.values()) == gap.instance.size


def test_smaller_instances_that_are_not_decided_are_counted() -> None:
    def fails(instance: Instance) -> Iterator[list[tuple[str, int]]]:
        if len(instance["e"]) < 3 or (7,) in instance["e"]:
            raise ValueError("not this one")
        yield [("p", 1)]

    def answers(instance: Instance) -> Iterator[list[tuple[str, int]]]:
        yield [("p", 2)]

    instances = [Instance.of_text("".join(f"e({one}). " for one in range(size))) for size in (3, 1, 2)]
    instances.insert(0, Instance.of_text("e(5). e(6). e(7)."))  # as large as that which shows the difference
    found = bridge.compare(fails, answers, instances=instances)
    assert found.difference is not None
    assert (found.difference.instance.size, found.difference.smaller) == (3, 2)
    assert "(2 smaller ones were not decided)" in str(found)


def test_the_note_on_costs_is_not_there_where_costs_are_looked_at() -> None:
    one = bridge.AspProblem("{ a(1..3) } = 1. #minimize { X : a(X) }. #show a/1.")
    assert any("whatever they cost" in note for note in bridge.compare(one, one).notes)
    assert bridge.compare(*[bridge.AspProblem(*one.sources, optimal=True)] * 2).notes == ()


def test_an_answer_set_that_is_not_proved_to_be_best_is_not_an_answer() -> None:
    problem = bridge.AspProblem("{ a }. #minimize { 1 : a }.", optimal=True)
    problem.backend.read(Limits())
    contender = AspContender(problem)
    with Program("a.") as program:
        models = tuple(program.models())

    class Stopped:
        def optimal(self, limits: Limits) -> Outcome[Any]:
            return Outcome(models, False, "seconds", Statistics())

    stream = contender._search(Stopped(), Limits())  # type: ignore[arg-type]
    assert (len(models), list(stream), stream.complete, stream.limit) == (1, [], False, "seconds")


@pytest.mark.parametrize(("atoms", "has"), [({1}, True), ({1, 2}, False), ({3}, False), (set(), True)])
def test_whether_a_program_has_an_answer(atoms: set[int], has: bool) -> None:
    problem = bridge.AspProblem("{ p(1..2) }. :- p(1), p(2).")
    problem.backend.read(Limits())
    answer = frozenset(("p", (one,)) for one in atoms)
    assert AspContender(problem).has(Instance((), {}, "one"), answer, Limits()) is has


def test_an_auxiliary_predicate_is_no_part_of_an_answer() -> None:
    problem = bridge.AspProblem("{ p(1..2) }. __both :- p(1), p(2).")
    problem.backend.read(Limits())
    for atoms in ({1}, {1, 2}):
        answer = frozenset(("p", (one,)) for one in atoms)
        assert AspContender(problem).has(Instance((), {}, "one"), answer, Limits())


@pytest.mark.slow
def test_an_instance_that_does_not_end_costs_itself_only() -> None:
    endless = bridge.program("p(X) :- d(X).\np(X+1) :- p(X), big.\n#show p/1.")
    other = bridge.program("p(X) :- d(X).\n#show p/1.")
    given = ["d(1).", "d(2). big.", "d(3).", "d(4).", "d(5). big.", "d(6)."]
    expected = [True, False, True, True, False, True]
    found = given_time(
        lambda seconds: bridge.compare(endless, other, instances=given, limits=Limits(seconds=seconds)),
        lambda found: [row.complete for row in found.rows if row.engine == found.engines[0]] == expected,
        0.3,
    )
    assert all(row.complete for row in found.rows if row.engine == found.engines[1])
    assert found.undecided == ("2", "5")
    assert found.agree


def test_an_instance_leaves_nothing_behind() -> None:
    # Each instance is loaded into the same process; what one adds is not there for the next.
    program = bridge.program("q(X) :- p(X).\n#show q/1.")
    shown = bridge.compare(program, bridge.program("q(X) :- p(X), X > 2.\n#show q/1."), instances=["p(3).", "p(1).", "p(4)."])
    assert shown.difference is not None
    assert shown.difference.text == "q(1)"


def test_scripts_remember_nothing_from_one_instance_to_the_next() -> None:
    script = "#script(python)\nseen = []\ndef number():\n    import clingo\n    seen.append(1)\n    return clingo.Number(len(seen))\n#end.\n"
    program = bridge.program(script + "n(@number()).\n#show n/1.\n#show p/1.")
    found = bridge.compare(program, bridge.program("n(1).\n#show n/1.\n#show p/1."), instances=["p(1).", "p(2).", "p(3)."])
    assert found.equivalent


#: Facts of instances that are ground together, and what else is in all of them.
TOGETHER = ("d(1)", "d(2)", "p(1)", "-p(1)", "q")
OF_FACTS = "#defined d/1. #defined p/1. #defined -p/1. #defined q/0.\n"
ALIKE = [
    "{ a(X) } :- d(X). :- a(1), a(2). #show a/1.",
    "n(N) :- N = #count { X : d(X) }. s(N) :- N = #sum { X : d(X); 3 : q }. #show n/1. #show s/1.",
    "a(X) :- d(X), not b(X). b(X) :- d(X), not a(X). d(3) :- q. { x; y } = 1 :- d(3).",
    "p(X) :- d(X), not -p(X). { d(2) }. #show p/1. #show -p/1. #show X + 1 : p(X).",
    "r(4 / X) :- d(X). all :- p(X) : d(X). m(M) :- M = #max { X : d(X), not p(X) }.",
    "1 { e(X, Y) : d(Y) } 1 :- d(X). #edge (X, Y) : e(X, Y). :~ e(X, X). [X] #show e/2.",
]


def _subsets(of: tuple[str, ...]) -> list[Instance]:
    some = [one for size in range(len(of) + 1) for one in combinations(of, size) if not {"p(1)", "-p(1)"} <= set(one)]
    return [Instance(_atoms(one), {}, " ".join(one)) for one in some]


def _atoms(facts: tuple[str, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((one.split("(")[0], tuple(map(int, one[:-1].split("(")[1:]))) for one in facts)


def _solved(program: str, instances: list[Instance], limits: Limits = UNLIMITED) -> tuple[list[Outcome[Any]], list[bool]]:
    """The answers of a program to instances that are expected, and which of them came from those solved together."""
    with AspContender(bridge.AspProblem(program)) as contender:
        contender.prepare(instances[0], limits)
        contender.expect(instances, limits)
        found = [(contender.answers(one, limits).collect(), contender.together) for one in instances]
    return [outcome for outcome, _ in found], [together for _, together in found]


def _alone(program: str, instance: Instance) -> set[frozenset[Any]]:
    with Program(program + instance.text, isolated=False) as loaded:
        found = [{(name, row) for name in model for row in model[name]} for model in loaded.models()]
    return {of_atoms(one) for one in found}


@pytest.mark.parametrize("program", ALIKE)
def test_instances_ground_together_have_the_answers_of_each(program: str) -> None:
    instances = _subsets(TOGETHER)
    found, together = _solved(f"{OF_FACTS}{program}\n", instances)
    assert all(together)
    assert all(one.complete and len(one.solutions) == len(set(one.solutions)) for one in found)
    assert [set(one.solutions) for one in found] == [_alone(f"{OF_FACTS}{program}\n", one) for one in instances]


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        "#external d(1). [free] a(X) :- d(X).",  # which a rule for d(1) would take away
        # clasp 3.3 finds t(3) in answer sets of the union where d(3) is false.
        "d(1). p(2) ; t(Y) :- d(X), d(Y). { p(X) : d(X) } 1. q(N) :- N = #count { X, Y : p(2), d(X), d(Y) }, 1 < N.",
        "#theory t { term { }; &x/0 : term, head }. &x { } :- d(1).",
        "r(4 / (X - 1)) :- d(X).",  # clingo warns of it where there is d(1)
        "c(0). c(X+1) :- c(X), not d(1), not d(2), not q. #show c/1.",  # without end, but not in these instances
    ],
)
def test_what_cannot_be_ground_together_is_ground_alone(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family, "GROUNDING", 0.05)
    instances = [one for one in _subsets(TOGETHER) if {"d(1)", "d(2)", "q"} & set(one.name.split())][:4]
    found, together = _solved(f"{OF_FACTS}{program}\n", instances)
    assert not any(together)
    assert [set(one.solutions) for one in found] == [_alone(f"{OF_FACTS}{program}\n", one) for one in instances]


def test_limits_are_those_of_each_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    instances = _subsets(("d(1)", "d(2)", "d(3)"))
    found, together = _solved(f"{OF_FACTS}{{ a(X) }} :- d(X).\n", instances, Limits(solutions=2))
    assert all(together)
    assert [one.limit for one in found] == [None, *["solutions"] * 7]
    assert [len(one.solutions) for one in found] == [1, *[2] * 7]
    # What is hard is solved alone; the others still come together.
    monkeypatch.setattr(family, "CONFLICTS", 1)
    holes = "{ in(P, 1..3) } = 1 :- P = 1..4, d(1). :- in(P, H), in(Q, H), P < Q.\n"
    found, together = _solved(OF_FACTS + holes, instances)
    assert [one.verdict for one in found] == [Verdict.IMPOSSIBLE if "d(1)" in one.name else Verdict.UNIQUE for one in instances]
    assert [one for one, alone in zip(instances, together, strict=True) if not alone] != []
    assert together[0]


def test_a_difference_among_many_instances_is_the_first_of_its_size() -> None:
    mine = "a(X) :- e(X).\n"
    yours = "a(X) :- e(X), not 7 { e(_) }. :- e(8), #count { X : e(X) } > 1.\n#show a/1.\n"
    generator = "{ e(1..6) }. e(8) :- e(1), e(2), e(3), not e(4), not e(5). #show e/1.\n"
    found = bridge.compare(bridge.AspProblem(f"{mine}#show a/1.\n"), bridge.AspProblem(yours), instances=bridge.Generator(generator))
    assert found.difference is not None
    assert str(found.difference.instance) == "e(1). e(2). e(3). e(8)."
    assert (found.finished, found.exhausted) == ("3", False)
    number = len(found.instances)
    assert found.beyond == number - 1 - 6 - 15 - 19
    assert {row.complete for row in found.rows} == {True}
    # Of the number that was wanted none is left out, and none comes twice.
    same = bridge.compare(bridge.AspProblem(f"{mine}#show a/1."), bridge.AspProblem(f"{mine}#show a/1. "), instances=bridge.Generator(generator, most=45))
    assert (len(same.instances), len(set(same.instances)), same.finished, same.beyond) == (45, 45, "3", 4)


def test_warnings_are_those_of_all_instances_also_where_they_are_solved_together() -> None:
    program = "a :- e(1), f. a :- e(7). a :- e(X), g(X).\n#show a/0.\n"
    generator = "{ e(1..4); g(1) }. #show e/1. #show g/1.\n"
    found = bridge.compare(bridge.AspProblem(program), bridge.AspProblem(f"{program} "), instances=bridge.Generator(generator))
    assert found.equivalent
    assert len(found.instances) == 32
    assert [one.partition("head: ")[2] for one in found.warnings] == ["f", "f"]


def test_given_instances_are_solved_together_after_those_that_are_shown() -> None:
    seen: list[Any] = []
    given = [f"e({number % 9}). e({number // 9})." for number in range(81)]
    program = "{ a(X) : e(X) } 1.\n#show a/1.\n"
    found = bridge.compare(bridge.AspProblem(program), bridge.AspProblem(f"{program} "), instances=given, on_progress=seen.append)
    assert found.equivalent
    assert [row.instance for row in found.rows] == [str(number) for number in range(1, 82) for _ in range(2)]
    assert [len(row.outcome.solutions) for row in found.rows[::2]] == [2 if number % 10 == 0 else 3 for number in range(81)]
    assert seen == list(found.rows)
    assert ["load" in row.outcome.statistics.seconds for row in found.rows[::2]] == [True] * 61 + [False] * 20


def test_plain_facts_of_a_generator_belong_to_its_instances() -> None:
    generator = "start(1).\n{ edge(X, Y) : X = 1..2, Y = 1..2, X != Y }."
    wrong, right = "reach(X) :- start(X), edge(X, _).", "reach(Y) :- start(X), edge(X, Y)."
    gap = bridge.compare(bridge.AspProblem(wrong), bridge.AspProblem(right), instances=bridge.Generator(generator)).difference
    assert gap is not None
    assert str(gap.instance) == "edge(1,2). start(1)."


QUEENS = "{ q(R,1..n) } = 1 :- R = 1..n.\n"
COUNTED = "s(S) :- q(R,C), S = R+C.\n:- s(S), #count { R : q(R,C), R+C = S } > 1.\n"


@pytest.mark.parametrize(
    ("one", "other", "proved"),
    [
        (":- q(R,C), q(S,C), R != S.\n#show q/2.\n", ":- q(_,C), #count { R : q(R,C) } > 1.\n#show q/2.\n", True),
        (":- q(R,C), q(S,D), R < S, R+C = S+D.\n#show q/2.\n", f"{COUNTED}#show q/2.\n", True),
        (f"{COUNTED}#show q/2.\n", ":- q(R,C), q(S,D), R < S, R+C = S+D.\n#show q/2.\n", True),
        # What is shown is a part of the answers; what stands in another part is not ground.
        (":- q(R,C), q(S,D), R < S, R+C = S+D.\n#show q/2. #show s/1.\n", f"{COUNTED}#show q/2. #show s/1.\n", False),
        (":- q(R,C), q(S,C), R != S.\n", "#program p.\n:- q(R,C), q(S,C), R != S.\n", False),
        # Two values are not enough to see it.
        (":- q(R,C), q(S,C), R != S.\n", ":- q(_,C), #count { R : q(R,C) } > 2.\n", False),
    ],
)
def test_two_programs_may_be_proved_to_be_the_same(one: str, other: str, proved: bool) -> None:
    programs = [bridge.program(f"{QUEENS}{text}") for text in (one, other)]
    found = bridge.compare(*programs, instances=bridge.Instance(constants={"n": 2}, name="as it is"))
    assert found.proved is proved
    assert ("and on every other instance: proved" in str(found)) is proved
    assert found.to_json()["proved"] is proved


def test_what_an_included_file_has_is_not_new(tmp_path: Path) -> None:
    (tmp_path / "more.lp").write_text("s(9).\n")
    include = f'#include "{tmp_path}/more.lp".\n#show q/2.\n'
    one = bridge.program(f"{QUEENS}:- q(R,C), q(S,D), R < S, R+C = S+D.\n{include}")
    other = bridge.program(f"{QUEENS}{COUNTED}{include}")
    assert not bridge.compare(one, other, instances=bridge.Instance(constants={"n": 2}, name="as it is")).proved


def test_of_other_constants_nothing_is_proved() -> None:
    """Without facts both have the empty answer only."""
    text = "#const n=1.\n{ p(X) : d(X), X <= n }.\n#defined d/1.\n"
    one, other, same = (bridge.program(text, n=value) for value in (1, 2, 1))
    found = bridge.compare(one, other)
    assert (found.proved, found.agree) == (False, True)
    assert bridge.compare(one, same).proved


@pytest.mark.parametrize(
    ("first", "second", "goal"),
    [
        ("p(a).", 'p("a").', None),
        ("p(f(a)).", 'p(f("a")).', None),
        ("p(a).", 'p("a").', "p(X)"),
        ("p(1).", "p(1.0).", "p(X)"),
        ("p(1r2).", "p(0.5).", "p(X)"),
    ],
)
def test_what_a_language_tells_apart_is_told_apart(first: str, second: str, goal: str | None) -> None:
    programs = [bridge.goal(one, goal) if goal else bridge.program(one) for one in (first, second)]
    assert not bridge.compare(*programs).agree
    assert bridge.compare(programs[0], programs[0]).agree


def test_that_an_answer_comes_more_than_once_is_said() -> None:
    once, twice = (bridge.goal(text, "p(X)") for text in ("p(1).", "p(1). p(1)."))
    (note,) = bridge.compare(once, twice).notes
    assert note.endswith(": an answer that comes more than once is compared once")
    assert not bridge.compare(once, once).notes
