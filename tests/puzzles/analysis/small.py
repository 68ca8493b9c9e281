"""Small instances, and what is true of them by going through everything."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations, product

from hypothesis import strategies as st
from instances import takuzu

from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.rules import Cell, Grid, Value, violations
from bridge.puzzles.kinds.sudoku import Sudoku
from bridge.puzzles.oracle import Assignment, Oracle, RuleOrFact

BLANK: dict[str, Puzzle] = {
    "sudoku": Sudoku(((None,) * 4,) * 4, (2, 2)),
    "latin": parse("latin-square", "order 3"),
    "takuzu": takuzu(((None,) * 4,) * 4),
    "futoshiki": Futoshiki(((None,) * 3,) * 3, (((1, 1), (1, 2)), ((3, 2), (2, 2)))),
}


@cache
def solutions_of(name: str) -> tuple[Assignment, ...]:
    """All solutions of a blank instance, row by row."""
    puzzle = BLANK[name]
    height, width = len(puzzle.grid), len(puzzle.grid[0])
    rows = product(puzzle.values(), repeat=width) if name == "takuzu" else permutations(puzzle.values())
    lines, grids = list(rows), list[Grid]([()])
    for _ in range(height):
        longer = [(*grid, row) for grid in grids for row in lines]
        open_rows = ((None,) * width,) * (height - len(longer[0]))
        grids = [grid for grid in longer if not violations(puzzle.rules(), (*grid, *open_rows))]
    assert not any(puzzle.violations(grid) for grid in grids)
    return tuple(
        {(r, c): value for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1) if value is not None}
        for grid in grids
    )


def with_clues(name: str, clues: Mapping[Cell, Value]) -> list[Assignment]:
    """The solutions that have some clues."""
    return [one for one in solutions_of(name) if all(one[cell] == value for cell, value in clues.items())]


def clues(name: str, least: int, most: int) -> st.SearchStrategy[dict[Cell, Value]]:
    """Clues at random, mostly contradictory when they are many."""
    cells = st.sampled_from(BLANK[name].cells())
    return st.dictionaries(cells, st.sampled_from(BLANK[name].values()), min_size=least, max_size=most)


def parts_of_solutions(name: str, least: int, most: int) -> st.SearchStrategy[dict[Cell, Value]]:
    """Clues that a solution has."""
    cells = st.sets(st.sampled_from(BLANK[name].cells()), min_size=least, max_size=most)
    return st.tuples(st.sampled_from(solutions_of(name)), cells).map(lambda both: {c: both[0][c] for c in both[1]})


def asked(name: str, given: Mapping[Cell, Value]) -> tuple[Puzzle, Oracle, list[RuleOrFact]]:
    """The instance, its oracle, and its rules and clues."""
    puzzle = BLANK[name].with_clues(given)
    oracle = Oracle(puzzle)
    return puzzle, oracle, [*oracle.rules, *oracle.clues]
