"""What a rule means: of any rules of any puzzle, switched on alone, encoding and checker have the same solutions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import KINDS, All, instance, solutions

from bridge.puzzles.engines import engine
from bridge.puzzles.kinds.rules import at
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact

SEEDS = st.integers(0, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=6)
@given(seed=SEEDS)
def test_any_rules_have_the_same_solutions_in_encoding_and_checker(name: str, seed: int) -> None:
    random = Random(seed)
    puzzle = instance(name, random)
    every, oracle = All(puzzle, random), Oracle(puzzle)
    rules: list[RuleOrFact] = [*oracle.rules]
    others: list[list[RuleOrFact]] = [[rule] for rule in random.sample(rules, min(len(rules), 2))]
    others += [[one for one in rules if random.random() < share] for share in (0.3, 0.5, 0.7, 0.9)]
    for some in [[], rules, *others]:
        clues = [clue for clue in oracle.clues if random.random() < 0.7]
        assert_same(every, oracle, [*some, *clues, *every.held])


def assert_same(every: All, oracle: Oracle, premises: list[RuleOrFact]) -> None:
    # Clues that are not asked for may be anything; where not all of that is among the grids, the rest is left out.
    asked, values = set(premises), oracle.values
    if every.cut:
        seen = {cell: every.values(cell) for cell in every.clues}
        premises = premises + [Fact(c, v, False) for c in seen for v in values if v not in seen[c]]
    found = solutions(oracle, premises)
    assert len(found) == len(set(found))
    assert set(found) == every.assignments(every.keeping(asked)), (every.puzzle, premises)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=5)
@given(seed=SEEDS)
def test_what_is_taken_away_is_not_in_the_instance(name: str, seed: int) -> None:
    """`without` and `with_clues` are what the oracle does without some premises, and engines see it likewise."""
    random = Random(seed)
    puzzle = instance(name, random)
    every, oracle = All(puzzle, random), Oracle(puzzle)
    gone = {rule.name for rule in puzzle.rules() if rule.given and random.random() < 0.5}
    clues = [clue for clue in oracle.clues if random.random() < 0.5]
    left = puzzle.without(gone).with_clues({clue.cell: clue.value for clue in clues})
    assert {rule.name for rule in left.rules()} == oracle.rules.keys() - gone
    if every.held or every.cut:
        return
    # Only values that the instance has; a letter that was given, and is in no word, may be gone with its clue.
    absent = [Fact(c, v, False) for c in puzzle.cells() for v in puzzle.values() if v not in left.values()]
    premises: list[RuleOrFact] = [*(rule for rule in oracle.rules if rule not in gone), *clues, *absent]
    expected = every.assignments(every.keeping(premises))
    assert set(solutions(oracle, premises)) == expected
    grids = engine("asp").solutions(left).collect().solutions
    assert {tuple((cell, at(grid, cell)) for cell in puzzle.cells()) for grid in grids} == expected
    assert engine("asp").count(left).number == len(expected)
