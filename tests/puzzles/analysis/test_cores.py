"""Clashes: none of their parts can be left out, and the smallest are the smallest."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small import asked, clues, with_clues

from bridge.analysis.cores import Clash, clash, correction, disjoint_clashes, shrink, smallest
from bridge.errors import LimitError
from bridge.limits import Deadline
from bridge.problem.questions import some
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact


def can_hold(oracle: Oracle, premises: tuple[RuleOrFact, ...] | list[RuleOrFact]) -> bool:
    """Whether a grid keeps these, by a fresh question for one solution and the judges' word on it."""
    for values in some(oracle, premises, 1):
        rules = [oracle.rules[one] for one in premises if isinstance(one, str)]
        assert all(rule.check([values[cell] for cell in rule.cells]) is None for rule in rules)
        return True
    return False


def grown(oracle: Oracle, some: list[RuleOrFact], premises: list[RuleOrFact]) -> list[RuleOrFact] | None:
    """A maximal satisfiable subset that has some premises: all but those of a correction set."""
    away = correction(oracle, some, premises)
    return None if away is None else [one for one in premises if one not in away]


@pytest.mark.parametrize("name", ["sudoku", "latin", "takuzu", "futoshiki"])
@pytest.mark.parametrize("effort", [0, None])
def test_a_clash_is_a_mus(name: str, effort: int | None) -> None:
    @settings(max_examples=12)
    @given(clues(name, 2, 7))
    def check(given: dict[Cell, Value]) -> None:
        _, oracle, premises = asked(name, given)
        found = clash(oracle, premises, effort=effort)
        assert (found is None) == bool(with_clues(name, given))
        if found is None:
            return
        assert found.minimal
        assert found.smallest == (effort is None)
        assert not can_hold(oracle, found.premises)
        for premise in found.premises:
            assert can_hold(oracle, [one for one in found.premises if one != premise])

    check()


@settings(max_examples=8)
@given(clues("latin", 2, 4), st.integers(0, 500))
def test_the_smallest_clash_is_the_smallest(given: dict[Cell, Value], effort: int) -> None:
    _, oracle, premises = asked("latin", given)
    found = clash(oracle, premises, effort=effort)
    assume(found is not None)
    assert found is not None
    sizes = range(1, len(found.premises) + 1)
    least = next(n for n in sizes if any(not oracle.holds(some) for some in combinations(premises, n)))
    assert len(found.premises) == least or not found.smallest
    whole = clash(oracle, premises, effort=None)
    assert whole is not None
    assert whole.smallest
    assert len(whole.premises) == least


def test_a_clash_that_no_single_rule_has() -> None:
    _, oracle, premises = asked("sudoku", {(1, 1): 1, (1, 2): 2, (3, 3): 3, (4, 3): 4})  # nothing is left for r1c3
    found = clash(oracle, premises)
    assert found is not None
    assert (found.rules, found.facts) == (("row 1", "column 3"), oracle.clues)
    assert not any(oracle.ask([rule, *oracle.clues]).core for rule in oracle.rules)


def test_known_correction_sets_are_used() -> None:
    _, oracle, premises = asked("sudoku", {(1, 1): 1, (1, 3): 1, (3, 3): 1})
    first = clash(oracle, premises)
    assert first is not None
    before = oracle.calls
    plain = smallest(oracle, premises, first, None)
    middle = oracle.calls
    told = smallest(oracle, premises, first, None, [[Fact((1, 3), 1)]])
    assert plain.smallest
    assert told.smallest
    assert len(plain.premises) == len(told.premises) == 3
    assert oracle.calls - middle <= middle - before
    # What is not proved to be minimal is left as it is.
    loose = Clash(first.premises, False)
    assert smallest(oracle, premises, loose, None) is loose


def test_no_effort_means_no_question() -> None:
    _, oracle, premises = asked("sudoku", {(1, 1): 1, (1, 3): 1})
    first = clash(oracle, premises)
    assert first is not None
    assert not first.smallest
    assert str(first) == "clue r1c1=1, clue r1c3=1, row 1"
    assert first.to_json() == {
        "rules": ["row 1"], "facts": [[1, 1, 1], [1, 3, 1]], "clues": [[1, 1, 1], [1, 3, 1]], "minimal": True, "smallest": False,
    }  # fmt: skip


def test_disjoint_clashes() -> None:
    _, oracle, premises = asked("sudoku", {(1, 1): 1, (1, 3): 1, (3, 2): 2, (4, 2): 2})
    found = disjoint_clashes(oracle, premises, 5)
    assert len(found) >= 2
    for one, other in combinations(found, 2):
        assert not set(one.premises) & set(other.premises)
    assert len(disjoint_clashes(oracle, premises, 1)) == 1
    assert disjoint_clashes(oracle, list(oracle.rules), 3) == []


@settings(max_examples=15)
@given(clues("takuzu", 6, 10))
def test_shrink_and_grow(given: dict[Cell, Value]) -> None:
    _, oracle, premises = asked("takuzu", given)
    if not oracle.holds(premises):
        left, minimal = shrink(oracle, premises)
        assert minimal
        assert not oracle.holds(left)
        assert all(oracle.holds([one for one in left if one != premise]) for premise in left)
    some = premises[:3]
    together = grown(oracle, some, premises)
    if together is None:
        assert not oracle.holds(some)
        return
    assert set(some) <= set(together) <= set(premises)
    assert oracle.holds(together)
    assert not any(oracle.holds([*together, one]) for one in premises if one not in together)


def test_rules_that_hang_together() -> None:
    # Each word stands somewhere in "ab", but not so that the two begin apart.
    puzzle = Crossword(((None, None),), ("a", "ab"), "anywhere")
    oracle = Oracle(puzzle)
    together = grown(oracle, [], list(oracle.rules))
    assert together is not None
    assert oracle.holds(together)
    found = clash(oracle, list(oracle.rules), effort=None)
    assert found is not None
    assert not oracle.holds(found.premises)
    assert all(oracle.holds([one for one in found.premises if one != premise]) for premise in found.premises)


def test_limits_keep_what_is_known() -> None:
    hard = parse("magic-square", "order 5")
    late = Oracle(hard, Deadline(0.0))
    assert clash(late, list(late.rules)) is None
    assert shrink(late, list(late.rules)) == (list(late.rules), False)
    with pytest.raises(LimitError):
        correction(late, [], list(late.rules))
    best = Clash(tuple(late.rules), True)
    assert smallest(late, list(late.rules), best, None) is best
