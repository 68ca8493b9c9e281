"""The reports' own algorithms, against plain counterparts and the engines."""

from __future__ import annotations

from itertools import permutations

import pytest

from bridge.limits import Limits
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import parse
from bridge.puzzles.reports.originals.backtracking import Cells, backtracking
from bridge.puzzles.reports.originals.moves import ORDERS, searched
from bridge.puzzles.reports.originals.placing import most_constrained, placing, spots
from bridge.puzzles.reports.originals.successors import magic_squares, sudokus

GIVENS = {(1, 0): 7, (1, 7): 5, (7, 4): 1, (7, 7): 7}


@pytest.mark.parametrize("inference", [False, True])
@pytest.mark.parametrize(
    "text", ["....\n..3.\n.2..\n....", "1 . . .\n. 1 . .\n. . . 1\n. . 1 .", "2 . .\n. 2 .\n. . 1"]
)
def test_backtracking_finds_a_solution_if_and_only_if_there_is_one(text: str, inference: bool) -> None:
    puzzle = parse("latin-square", text)
    result = backtracking(Cells.of(puzzle.grid), inference=inference)
    assert result.complete
    if engine("asp").solutions(puzzle, Limits(solutions=1)).collect().solutions:
        assert result.grid is not None
        assert not puzzle.violations(result.grid)
    else:
        assert result.grid is None


def test_backtracking_keeps_inequalities_and_its_limit() -> None:
    assert backtracking(Cells.of(((None, None), (None, None)), [(0, 1)])).grid == ((2, 1), (1, 2))
    result = backtracking(Cells.empty(6), limit=100)
    assert (result.grid, result.complete, result.tried) == (None, False, 100)


def test_a_given_counts_when_its_turn_comes() -> None:
    """The 4 of the last cell clashes with nothing before it: all values of the others are tried first."""
    late = Cells.of(((None, None, None), (None, None, None), (1, None, 1)))
    assert backtracking(late).tried > 30
    assert backtracking(late).grid is None


def test_values_come_back_at_the_end_of_their_domain() -> None:
    """With the order of values kept, the square of order 5 would be the first one in the order of numbers."""
    squares = engine("bt").solutions(parse("latin-square", "order 5"), Limits(solutions=1)).collect().solutions
    found = backtracking(Cells.empty(5), inference=True).grid
    assert found is not None
    assert squares[0] < found


@pytest.mark.slow
@pytest.mark.parametrize("forward_checking", [False, True])
def test_magic_squares_are_those_of_order_3(forward_checking: bool) -> None:
    found = [one.grid for one in magic_squares(3, forward_checking=forward_checking)]
    magic = {
        rows
        for p in permutations(range(1, 10))
        if len({sum(p[i] for i in line) for line in _LINES}) == 1
        for rows in [(p[:3], p[3:6], p[6:])]
    }
    assert len(found) == 8
    assert set(found) == magic


_LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def test_sudokus_with_and_without_forward_checking_are_the_same() -> None:
    searches = [sudokus(GIVENS, forward_checking=fc) for fc in (False, True)]
    for _ in range(20):
        without, with_fc = (next(search) for search in searches)
        assert without.grid == with_fc.grid
        assert without.kept == with_fc.kept
        assert without.tried > with_fc.tried
        assert all(value == without.grid[x][y] for (x, y), value in GIVENS.items())


def test_takuzu_searches_stop_at_their_limit_and_find_the_solution() -> None:
    puzzle = parse("takuzu", "4\n2\t2\t0\t1\n1\t0\t2\t1\n0\t2\t1\t0\n1\t2\t2\t2\n")
    solution = engine("asp").solutions(puzzle, Limits(solutions=2)).collect().solutions
    for order in ORDERS:
        assert (searched(puzzle.grid, order, limit=100).grid,) == solution
        assert searched(puzzle.grid, order, limit=3) == searched(puzzle.grid, order, limit=3)
        assert (searched(puzzle.grid, order, limit=3).grid, searched(puzzle.grid, order, limit=3).expanded) == (None, 3)
    empty = ((None,) * 4,) * 4
    assert searched(empty, "BFS", limit=1).generated == 32  # two for each open cell


def test_places_and_the_most_constrained_word() -> None:
    assert spots(("c..", "a..", "t.."), "cat") == (("O", 0, 0), ("V", 0, 0), ("V", 0, 1), ("V", 0, 2))
    assert spots(("#.#",), "ab") == ()
    assert most_constrained({"a": [1, 2], "b": [1], "c": [1]}) == "b"
    assert most_constrained({}) is None


def test_placing_fails_when_a_word_has_no_place() -> None:
    steps = list(placing((".#", "##"), ["ab"]))
    assert [step.kind for step in steps] == ["domains", "failed"]
    assert [step.kind for step in placing(("..",), [])] == ["solved"]
    plain = [step.kind for step in placing(("..",), ["ab", "abc"], constrained_first=False)]
    assert plain == ["domains", "placed", "domains", "undone", "failed"]
