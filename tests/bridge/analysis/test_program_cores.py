"""Cores and repairs of clingo programs: the code that puzzles have, on a `ProgramOracle`, checked against plain clingo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import clingo
import pytest

from bridge.analysis.cores import Clash, clash, correction, disjoint_clashes, shrink, smallest
from bridge.analysis.repairs import removals
from bridge.errors import LimitError
from bridge.limits import Deadline, Limits
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import ProgramOracle, StatementPremise
from bridge.problem.questions import Questions, some, without
from bridge.problem.scope import Scope

#: A timetable with two contradictions: three lessons of one teacher in two free slots, and a lesson without a room.
TIMETABLE = """\
lesson(math). lesson(physics). lesson(art). lesson(music).
teaches(ada, math). teaches(ada, physics). teaches(ada, art). teaches(bob, music).
slot(mon). slot(tue). slot(wed).
large(music).
away(ada, wed).

{ at(L, S) : slot(S) } = 1 :- lesson(L).

:- at(L, S), at(M, S), L < M, teaches(T, L), teaches(T, M).
:- at(L, S), teaches(T, L), away(T, S).
:- large(L), at(L, S), not hall(S).
hall(S) :- open(S).
#show at/2.
"""


@pytest.fixture
def oracle() -> Iterator[ProgramOracle]:
    problem = AspProblem(TIMETABLE)
    rules = problem.backend.oracle()
    found = Scope(problem).joint(rules.premises)
    yield found
    found.close()
    rules.close()


def plain(oracle: ProgramOracle, kept: Iterable[StatementPremise]) -> bool:
    """Whether clingo itself finds an answer set of the program's text in which the premises that are kept hold.

    Whether the others hold is free. The bound of a choice is a premise, the choice is not.
    """
    kept, lines = set(kept), ["{ free }."]
    for premise in oracle.premises:
        if premise in kept:
            lines.append(premise.text)
        elif premise.kind == "choice":
            lines.append(premise.text.replace("= 1", ""))
        elif premise.kind == "fact":
            lines.append(f"{{ {str(premise).removesuffix('.')} }}.")
        elif premise.kind == "definition":
            lines.append(premise.text.replace(".", ", free."))
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


def test_every_answer_of_the_oracle_is_that_of_clingo(oracle: ProgramOracle) -> None:
    assert not plain(oracle, oracle.premises)
    for number in (1, 2):
        for away in combinations(oracle.premises, number):
            kept = [premise for premise in oracle.premises if premise not in away]
            assert oracle.ask(kept).satisfiable == plain(oracle, kept), away


@pytest.mark.parametrize("effort", [0, None])
def test_a_clash_of_a_program_is_a_mus(oracle: ProgramOracle, effort: int | None) -> None:
    found = clash(oracle, oracle.premises, effort=effort)
    assert found is not None
    assert found.minimal
    assert found.smallest == (effort is None)
    assert not plain(oracle, found.premises)
    for premise in found.premises:
        assert plain(oracle, [one for one in found.premises if one != premise]), premise
    assert found.premises == oracle.ordered(found.premises)
    assert {one.kind for one in found.facts} == {"fact"}
    assert "fact" not in {one.kind for one in found.rules}
    assert {one["kind"] for one in found.to_json()["clues"]} == {"fact"}


def test_the_smallest_clash_is_the_music_without_a_hall(oracle: ProgramOracle) -> None:
    found = clash(oracle, oracle.premises, effort=None)
    assert found is not None
    assert [str(fact) for fact in found.facts] == ["lesson(music).", "large(music)."]
    assert [rule.place.line for rule in found.rules] == [7, 11]
    assert str(found) == "lesson(music)., large(music)., <string>:7, <string>:11"


def test_the_other_clash_is_the_teacher_with_too_many_lessons(oracle: ProgramOracle) -> None:
    both = disjoint_clashes(oracle, [one for one in oracle.premises if one.kind != "choice"], 3)
    assert both == []  # without lessons that have to be held nothing clashes
    left = [one for one in oracle.premises if str(one) != "large(music)."]
    found = clash(oracle, left)
    assert found is not None
    assert "away(ada,wed)." in map(str, found.facts)
    assert sum(str(fact).startswith("teaches(ada,") for fact in found.facts) == 3
    assert not plain(oracle, found.premises)


def test_the_removals_are_all_of_the_fewest(oracle: ProgramOracle) -> None:
    givens = [one for one in oracle.premises if one.kind == "fact"]
    others = [one for one in oracle.premises if one.kind != "fact"]
    found = removals(oracle, givens, others, 1000)
    assert found.complete
    assert found.size == 2

    def repairs(number: int) -> set[frozenset[StatementPremise]]:
        return {
            frozenset(away)
            for away in combinations(givens, number)
            if plain(oracle, [one for one in oracle.premises if one not in away])
        }

    assert repairs(1) == set()
    assert {frozenset(one) for one in found.sets} == repairs(2)
    assert list(found.sets) == sorted(found.sets)
    assert found.to_json()["sets"][0][0]["kind"] == "fact"


def test_a_rule_can_be_removed_too(oracle: ProgramOracle) -> None:
    givens = [one for one in oracle.premises if one.kind == "constraint"]
    others = [one for one in oracle.premises if one.kind != "constraint"]
    found = removals(oracle, givens, others, 10)
    assert [[rule.place.line for rule in one] for one in found.sets] == [[9, 11], [10, 11]]


def test_what_can_hold_together_grows(oracle: ProgramOracle) -> None:
    together = without(oracle.premises, correction(oracle, [], oracle.premises) or ())
    assert plain(oracle, together)
    for premise in oracle.premises:
        assert premise in together or not plain(oracle, [*together, premise])
    assert some(oracle, together, 2)


def test_a_limit_that_comes_first() -> None:
    late = AspProblem(TIMETABLE).backend.oracle()
    late._deadline = Deadline(1e-9)
    try:
        assert clash(late, late.premises) is None
        assert shrink(late, late.premises) == (list(late.premises), False)
        best = Clash(late.premises, True)
        assert smallest(late, late.premises, best, None) is best
        with pytest.raises(LimitError):
            some(late, late.premises, 1)
        assert removals(late, late.premises, [], 5).complete is False
    finally:
        late.close()


def test_the_oracle_satisfies_the_protocol(oracle: ProgramOracle) -> None:
    """For mypy, and at run time: what the protocol names is there."""
    questions: Questions[StatementPremise] = oracle
    assert questions.calls >= 0
    assert questions.within(Limits(solutions=3)).solutions == 3
    assert all(hasattr(questions, name) for name in ("ask", "solutions", "ordered", "near"))
