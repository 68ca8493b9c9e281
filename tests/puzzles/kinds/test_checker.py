"""The checker of whole grids against the rules one by one, and the forms of a shape."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.models import AspForm, models
from bridge.puzzles.kinds.rules import Checker, Grid, Rule, distinct, violations

#: A solution of each, and what may stand in a cell: right values and wrong ones.
SOLVED = {
    "sudoku": "624578139135496827789123456216385794857964213493217685942651378568732941371849562",
    "latin-square": "\n".join(" ".join(str((r + c) % 12 + 1) for c in range(12)) for r in range(12)),
    "magic-square": "16 3 2 13\n5 10 11 8\n9 6 7 12\n4 15 14 1",
}


@pytest.mark.parametrize("kind", SOLVED)
@given(data=st.data())
def test_a_grid_holds_exactly_when_it_breaks_no_rule(kind: str, data: st.DataObject) -> None:
    puzzle: Puzzle = parse(kind, SOLVED[kind])
    size = len(puzzle.grid)
    cells = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    rows = [list(row) for row in puzzle.grid]
    for (r, c), (other_r, other_c) in data.draw(st.lists(st.tuples(cells, cells), max_size=3)):
        rows[r][c], rows[other_r][other_c] = rows[other_r][other_c], rows[r][c]
    for (r, c), value in data.draw(st.lists(st.tuples(cells, st.none() | st.integers(-1, size**2 + 1)), max_size=2)):
        rows[r][c] = value
    grid: Grid = tuple(map(tuple, rows))
    free = puzzle.with_clues({})
    full = set(puzzle.values()).issuperset(value for row in grid for value in row)
    assert free._holds(grid) == (full and not violations(free.rules(), grid))
    assert puzzle._holds(grid) == (grid == puzzle.grid)


@pytest.mark.parametrize("size", [1, 2, 3, 10, 15, 16, 17])
def test_values_once_in_each_group_of_any_size(size: int) -> None:
    """Up to 256 cells, groups of all values are checked as one integer; beyond, one by one."""
    row = Rule("row", tuple((1, column) for column in range(1, size + 1)), distinct)
    checker = Checker([row], 1, size, range(size))
    assert checker.hold((tuple(range(size)),), ())
    for place, value in product(range(size), range(size)):
        values = list(range(size))
        values[place] = value
        assert checker.hold((tuple(values),), ()) == (place == value)
    large = Checker([row], size, size, range(size))
    assert large.hold(tuple(tuple(range(size)) for _ in range(size)), ())
    assert size == 1 or not large.hold(tuple((0,) * size for _ in range(size)), ())


def test_the_shape_of_a_form_is_that_of_its_program() -> None:
    form = models(parse("sudoku", SOLVED["sudoku"])).asp()
    assert form.shape == AspForm(form.encoding, form.constants, solver=form.solver).shape
    other = form.with_clues(())
    assert (other.shape, other.clues) == (form.shape, ())
    assert replace(other, switches=()).shape != form.shape
