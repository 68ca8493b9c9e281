"""What a diagnosis says of tiny instances of every puzzle, against what is true of all their grids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import KINDS, All, instance

from bridge.analysis.ask import explain
from bridge.analysis.cores import Clash
from bridge.analysis.repairs import Repairs
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.analysis.diagnose import diagnose
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.kinds import KINDS as ALL
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.rules import at
from bridge.puzzles.oracle import Fact, RuleOrFact

#: Sets of premises tried, at most.
SETS = 20_000


def tiny(name: str, random: Random, least: int) -> All:
    """An instance of which every grid can be looked at."""
    while True:
        every = All(instance(name, random, least), random, 20_000)
        if not every.held and not every.cut:
            return every


def premises_of(puzzle: Puzzle) -> list[RuleOrFact]:
    return [*(rule.name for rule in puzzle.rules()), *(Fact(c, v) for c, v in puzzle.clues().items())]


def without(premises: Sequence[RuleOrFact], away: Iterable[RuleOrFact]) -> list[RuleOrFact]:
    gone = set(away)
    return [premise for premise in premises if premise not in gone]


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=4)
@given(seed=st.integers(0, 10**9))
def test_a_diagnosis_is_true(name: str, seed: int) -> None:
    random = Random(seed)
    every = tiny(name, random, least=random.choice([0, 0, 3]))
    puzzle, premises = every.puzzle, premises_of(every.puzzle)
    found = diagnose(puzzle, limits=Limits(), clashes=2, effort=None, repairs=1000, most_clues=2)
    solutions = every.keeping(premises)
    number = solutions.bit_count()
    assert found.verdict is (Verdict.IMPOSSIBLE, Verdict.UNIQUE, Verdict.AMBIGUOUS)[min(number, 2)]
    assert found.limit is None
    if found.verdict is Verdict.IMPOSSIBLE:
        assert found.clashes
        for clash in found.clashes:
            check_clash(every, premises, clash)
        check_removals(every, premises, found)
    elif found.verdict is Verdict.AMBIGUOUS:
        check_open(every, solutions, found)
        check_additions(every, found)
    else:
        check_redundant(every, premises, found)


def check_clash(every: All, premises: list[RuleOrFact], clash: Clash) -> None:
    assert clash.minimal
    assert not every.keeping(clash.premises)
    assert all(every.keeping(without(clash.premises, [one])) for one in clash.premises)
    if clash.smallest:
        smaller = list(combinations(premises, len(clash.premises) - 1))
        assert all(every.keeping(some) for some in smaller[:SETS])


def check_removals(every: All, premises: list[RuleOrFact], found: PuzzleDiagnosis) -> None:
    given_rules = {rule.name for rule in every.puzzle.rules() if rule.given}
    givens = [one for one in premises if isinstance(one, Fact) or one in given_rules]
    if not every.keeping(without(premises, givens)):
        assert found.removals == Repairs((), len(givens) + 1, True)
        assert found.after == ()
        return
    of_size = ([s for s in combinations(givens, n) if every.keeping(without(premises, s))] for n in range(len(givens)))
    least = next(sets for sets in [*of_size, [tuple(givens)]] if sets)
    assert found.removals is not None
    assert found.removals.complete
    assert found.removals.size == len(least[0])
    assert {frozenset(one) for one in found.removals.sets} == {frozenset(one) for one in least}
    assert found.after is not None
    for away, after in zip(found.removals.sets, found.after, strict=True):
        left = every.keeping(without(premises, away))
        assert after.unique == (left.bit_count() == 1)
        if after.unique:
            (grid,) = every.grids(left)
            assert after.values == {one.cell: at(grid, one.cell) for one in away if isinstance(one, Fact)}


def check_open(every: All, solutions: int, found: PuzzleDiagnosis) -> None:
    grids = every.grids(solutions)
    values = {cell: {at(grid, cell) for grid in grids} for cell in every.puzzle.cells()}
    assert found.residual is not None
    assert {cell: set(some) for cell, some in found.residual.possible.items()} == values
    ambiguity = found.ambiguity
    assert ambiguity is not None
    assert ambiguity.finished
    assert ambiguity.groups is not None
    assert (ambiguity.number == len(grids)) if ambiguity.complete else (ambiguity.number <= len(grids))
    if ambiguity.complete:
        for cell, counts in ambiguity.counts.items():
            assert counts == {v: sum(at(grid, cell) == v for grid in grids) for v in values[cell]}
    for group in ambiguity.groups:
        assert {tuple(at(grid, cell) for cell in group.cells) for grid in grids} == set(group.ways)


def check_additions(every: All, found: PuzzleDiagnosis) -> None:
    assert found.additions is not None
    for some in found.additions.sets:
        assert only_one(every, some)
    if not isinstance(every.puzzle, Crossword):
        assert found.residual is not None
        facts = [Fact(cell, value) for cell, of in found.residual.open.items() for value in of]
        size = found.additions.size
        fewer = [s for n in range(1, size) for s in combinations(facts, n)]
        assert not any(only_one(every, some) for some in fewer[:50])
        if found.additions.complete:
            good = {frozenset(some) for some in list(combinations(facts, size))[:50] if only_one(every, some)}
            assert good <= {frozenset(some) for some in found.additions.sets}


def only_one(every: All, added: Sequence[RuleOrFact]) -> bool:
    """Whether the instance with these clues, too, has one solution."""
    if not isinstance(every.puzzle, Crossword):
        return every.keeping([*premises_of(every.puzzle), *added]).bit_count() == 1
    facts = [one for one in added if isinstance(one, Fact)]
    more = every.puzzle.with_clues({**every.puzzle.clues(), **{one.cell: one.value for one in facts}})
    fitting = every.grids(every.keeping(facts))
    return sum(not more.violations(grid) for grid in fitting) == 1


def check_redundant(every: All, premises: list[RuleOrFact], found: PuzzleDiagnosis) -> None:
    given_rules = {rule.name for rule in every.puzzle.rules() if rule.given}
    givens = [one for one in premises if isinstance(one, Fact) or one in given_rules]
    solution = every.keeping(premises)
    alone = {one for one in givens if every.keeping(without(premises, [one])) == solution}
    assert found.redundant is not None
    assert found.spare is not None
    assert set(found.redundant) == alone
    assert every.keeping(without(premises, found.spare)) == solution
    assert not any(every.keeping(without(premises, [*found.spare, one])) == solution for one in alone - {*found.spare})


@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=5)
@given(seed=st.integers(0, 10**9))
def test_steps_follow_from_their_premises(name: str, seed: int) -> None:
    random = Random(seed)
    every = tiny(name, random, least=0)
    if not every.keeping(premises_of(every.puzzle)):
        return
    known = set(premises_of(every.puzzle))
    for step in explain(every.puzzle):
        assert set(step.premises) <= known
        contrary = step.fact.negated()
        assert not every.keeping([*step.premises, contrary])
        assert step.proved
        for one in step.premises:
            assert every.keeping([*without(step.premises, [one]), contrary])
        known.add(step.fact)


def test_rules_of_a_crossword_clash_as_the_checker_has_them() -> None:
    words = "aa aaa ab aba abbb ba bab bb bbba"
    puzzle = Crossword(((None,) * 3, ("b", None, None)), tuple(words.split()))
    every, premises = All(puzzle, Random(0)), premises_of(puzzle)
    found = diagnose(puzzle, limits=Limits(), effort=None)
    assert found.verdict is Verdict.IMPOSSIBLE
    (clash,) = found.clashes or ()
    assert clash.smallest
    check_clash(every, premises, clash)


def test_the_kinds_are_all_there_are() -> None:
    assert {make(Random(0)).kind for make in KINDS.values()} == set(ALL)
