"""Repairs: as few as can be, all of them, and each does what is said."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from small import BLANK, asked, clues, parts_of_solutions, solutions_of, with_clues

from bridge.analysis.repairs import Repairs, additions, after, removals
from bridge.asp.hitting import HittingSets
from bridge.limits import Deadline
from bridge.outcome import Interrupted
from bridge.puzzles.analysis.diagnose import redundant
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Assignment, Fact, Oracle, RuleOrFact


def smallest_removals(name: str, given: dict[Cell, Value]) -> set[tuple[Cell, ...]]:
    """The naive twin: every set of clues, by size."""
    for size in range(len(given) + 1):
        sets = combinations(sorted(given), size)
        if found := {s for s in sets if with_clues(name, {c: v for c, v in given.items() if c not in s})}:
            return found
    return set()


def smallest_additions(solutions: Sequence[Assignment], cells: Sequence[Cell], most: int) -> set[tuple[Fact, ...]]:
    """The naive twin: every set of values of cells, by size."""
    for size in range(1, most + 1):
        found: dict[tuple[Fact, ...], int] = {}
        for one in solutions:
            for chosen in combinations(cells, size):
                facts = tuple(Fact(cell, one[cell]) for cell in chosen)
                found[facts] = found.get(facts, 0) + 1
        if unique := {facts for facts, number in found.items() if number == 1}:
            return unique
    return set()


def open_cells(solutions: Sequence[Assignment]) -> dict[Cell, list[Value]]:
    values = {cell: sorted({one[cell] for one in solutions}, key=str) for cell in sorted(solutions[0])}
    return {cell: found for cell, found in values.items() if len(found) > 1}


@pytest.mark.parametrize("name", ["sudoku", "latin", "takuzu"])
def test_the_fewest_to_take_away(name: str) -> None:
    @settings(max_examples=8)
    @given(clues(name, 3, 8))
    def check(given: dict[Cell, Value]) -> None:
        assume(not with_clues(name, given))
        _, oracle, premises = asked(name, given)
        found = removals(oracle, oracle.clues, list(oracle.rules), 1000)
        assert found.complete
        cells = [tuple(fact.cell for fact in one if isinstance(fact, Fact)) for one in found.sets]
        assert len(set(cells)) == len(cells)
        assert set(cells) == smallest_removals(name, given)
        assert found.size == len(found.sets[0])
        for one in found.sets:
            left = {cell: value for cell, value in given.items() if cell not in {fact.cell for fact in one}}  # type: ignore[union-attr]
            solutions, then = with_clues(name, left), after(oracle, premises, one)
            assert then.unique == (len(solutions) == 1)
            if then.unique:
                assert then.values == {fact.cell: solutions[0][fact.cell] for fact in one}  # type: ignore[union-attr]

    check()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sudoku", "latin", "takuzu", "futoshiki"])
def test_the_fewest_to_add(name: str) -> None:
    @settings(max_examples=5)
    @given(parts_of_solutions(name, 0 if name in ("latin", "futoshiki") else 5, 10))
    def check(given: dict[Cell, Value]) -> None:
        solutions = with_clues(name, given)
        assume(1 < len(solutions) <= 30)
        _, oracle, premises = asked(name, given)
        cells = open_cells(solutions)
        found = additions(oracle, premises, cells, 4, 10_000)
        expected = smallest_additions(solutions, list(cells), 4)
        assert found.complete
        assert set(found.sets) == expected
        assert len(found.sets) == len(expected)
        assert {len(one) for one in found.sets} == {found.size}

    check()


def test_problem_6_of_report_3() -> None:
    text = ".39...12. ...9.7... 8..4.1..6 .42...79. ......... .91...54. 5..1.9..3 ...8.5... .14...87."
    puzzle = parse("sudoku", text.replace(" ", ""))
    oracle = Oracle(puzzle)
    cells = [(4, 1), (4, 6), (6, 1), (6, 6)]
    found = additions(oracle, [*oracle.rules, *oracle.clues], dict.fromkeys(cells, (3, 6)), 4, 100)
    assert set(found.sets) == {(Fact(cell, value),) for cell in cells for value in (3, 6)}
    assert found == Repairs(found.sets, 1, True)


def test_an_inequality_can_be_taken_away() -> None:
    puzzle = Futoshiki(((3, None, None),) + ((None,) * 3,) * 2, (((1, 1), (1, 2)), ((2, 1), (2, 2))))
    oracle = Oracle(puzzle)
    given: list[RuleOrFact] = [*oracle.clues, "r1c1 < r1c2", "r2c1 < r2c2"]
    found = removals(oracle, given, [name for name in oracle.rules if name not in given], 10)
    assert set(found.sets) == {(Fact((1, 1), 3),), ("r1c1 < r1c2",)}
    assert {key: found.to_json()[key] for key in ("size", "complete")} == {"size": 1, "complete": True}
    assert sorted(found.to_json()["sets"], key=str) == [["r1c1 < r1c2"], [[1, 1, 3]]]


def test_known_cores_spare_questions() -> None:
    given: dict[Cell, Value] = {(1, 1): 1, (1, 3): 1, (3, 2): 2, (2, 4): 3, (4, 3): 4}
    counts = []
    known: list[RuleOrFact] = [Fact((1, 1), 1), Fact((1, 3), 1), "row 1"]
    for cores in ([], [known]):
        _, oracle, _ = asked("sudoku", given)
        found = removals(oracle, oracle.clues, list(oracle.rules), 10, cores)
        assert set(found.sets) == {(Fact((1, 1), 1),), (Fact((1, 3), 1),)}
        counts.append(oracle.calls)
    assert counts[1] < counts[0]


@pytest.mark.parametrize("name", ["sudoku", "latin", "takuzu"])
def test_redundant_clues(name: str) -> None:
    @settings(max_examples=8)
    @given(parts_of_solutions(name, 3 if name == "latin" else 6, 12))
    def check(given: dict[Cell, Value]) -> None:
        assume(len(with_clues(name, given)) == 1)
        _, oracle, _ = asked(name, given)
        alone, away, finished = redundant(oracle, list(oracle.rules))
        assert finished

        def unique(*cells: Cell) -> bool:
            return len(with_clues(name, {c: v for c, v in given.items() if c not in cells})) == 1

        assert alone == [Fact(cell, given[cell]) for cell in sorted(given) if unique(cell)]
        gone = [one.cell for one in away if isinstance(one, Fact)]
        assert unique(*gone)
        assert not any(unique(*gone, cell) for cell in given if cell not in gone)

    check()


def test_a_redundant_inequality() -> None:
    rows = ((1, 2, 3), (2, 3, None), (None,) * 3)
    oracle = Oracle(Futoshiki(rows, (((1, 1), (1, 2)),)))
    alone, away, _ = redundant(oracle, list(oracle.rules))
    assert "r1c1 < r1c2" in alone
    assert set(away) <= set(alone)


@pytest.mark.slow
def test_limits_on_number_and_size() -> None:
    given: dict[Cell, Value] = {(1, 1): 1, (1, 3): 1, (3, 2): 2, (4, 2): 2}
    _, oracle, _ = asked("sudoku", given)
    found = removals(oracle, oracle.clues, list(oracle.rules), 3)
    assert (len(found.sets), found.size, found.complete) == (3, 2, False)
    assert len(removals(oracle, oracle.clues, list(oracle.rules), 4).sets) == 4
    blank = BLANK["sudoku"]
    oracle = Oracle(blank)
    candidates = {cell: blank.values() for cell in blank.cells()}
    none = additions(oracle, list(oracle.rules), candidates, 2, 10)
    assert none == Repairs((), 3, False)  # four are needed


def test_a_deadline_leaves_a_bound() -> None:
    puzzle = parse("magic-square", "order 5")
    late = Oracle(puzzle, Deadline(0.0))
    facts = [Fact((1, c), c) for c in range(1, 6)]
    gone = removals(late, facts, list(late.rules), 5)
    assert (gone.sets, gone.complete) == ((), False)
    found = additions(late, list(late.rules), {cell: puzzle.values() for cell in puzzle.cells()}, 4, 5)
    assert (found.sets, found.complete) == ((), False)
    assert redundant(late, list(late.rules))[2] is True  # there are no clues to try
    with_one = Oracle(puzzle.with_clues({(1, 1): 1}), Deadline(0.0))
    assert redundant(with_one, list(with_one.rules)) == ([], [], False)


@pytest.fixture
def _ctrl_c_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes when the first repair has been found."""
    monkeypatch.setattr(HittingSets, "forbid", lambda *_: signal.raise_signal(signal.SIGINT))


@pytest.mark.usefixtures("_ctrl_c_with_the_first")
def test_ctrl_c_keeps_what_was_found() -> None:
    given: dict[Cell, Value] = {(1, 1): 1, (1, 3): 1, (3, 2): 2, (4, 2): 2}
    _, oracle, _ = asked("sudoku", given)
    with pytest.raises(Interrupted) as caught:
        removals(oracle, oracle.clues, list(oracle.rules), 10)
    (one,) = caught.value.partial.sets
    assert caught.value.partial == Repairs((one,), 2, False)


@pytest.mark.usefixtures("_ctrl_c_with_the_first")
def test_ctrl_c_while_clues_are_added() -> None:
    given: dict[Cell, Value] = {(1, 1): 1, (1, 2): 2, (2, 1): 3, (3, 3): 1}
    _, oracle, premises = asked("sudoku", given)
    cells = open_cells(with_clues("sudoku", given))
    with pytest.raises(Interrupted) as caught:
        additions(oracle, premises, cells, 4, 100)
    assert len(caught.value.partial.sets) == 1
    assert not caught.value.partial.complete


def test_the_twins_know_their_numbers() -> None:
    assert [len(solutions_of(name)) for name in ("sudoku", "latin", "takuzu")] == [288, 12, 72]
