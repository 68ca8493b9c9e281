"""Cells, grids and rules: the checker of all puzzles, independent of the encodings.

- A **cell** is a pair (row, column), both from 1, and written `r4c1`.
- A **grid** is a tuple of rows, each a tuple of values; None is an open cell.
- A **rule** is a named constraint over some cells. Its name is the same in checker, diagnosis and explanation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

Cell = tuple[int, int]
Value = int | str
Grid = tuple[tuple[Value | None, ...], ...]

#: Returns the indices of the values that violate a rule, or None when it holds or still can: open cells are None.
Check = Callable[[Sequence[Value | None]], tuple[int, ...] | None]


def cell_name(cell: Cell) -> str:
    """`(4, 1)` as `r4c1`."""
    return f"r{cell[0]}c{cell[1]}"


def read_cell(name: str) -> Cell | None:
    """`r4c1` as (4, 1), and None if it is not the name of a cell."""
    found = re.fullmatch("r([1-9][0-9]{0,8})c([1-9][0-9]{0,8})", name.strip().lower())
    return (int(found[1]), int(found[2])) if found else None


def cell_names(cells: Iterable[Cell]) -> str:
    """Several cells as people list them: `r1c1, r1c7 and r4c2`."""
    *others, last = map(cell_name, cells)
    return f"{', '.join(others)} and {last}" if others else last


class Rule(NamedTuple):
    """A named constraint on cells, in reading order: `row 3`, `box (1,2)`, `clue r4c7=2`.

    `check` returns the indices of the cells that violate it, given their values; `by_solver` where Python has no check.
    A rule that is `given` belongs to this instance, not to its kind, so that it may be removed like a clue: the
    inequalities of a Futoshiki.
    """

    name: str
    cells: tuple[Cell, ...]
    check: Check
    given: bool = False


class Violation(NamedTuple):
    """A rule that a grid breaks, and the cells that break it."""

    rule: str
    cells: tuple[Cell, ...]
    message: str

    def __str__(self) -> str:
        return self.message


def at(grid: Grid, cell: Cell) -> Value | None:
    """The value of a cell, None when it is open."""
    return grid[cell[0] - 1][cell[1] - 1]


def violations(rules: Iterable[Rule], grid: Grid) -> list[Violation]:
    """The rules that a grid breaks. It may have open cells."""
    found = []
    for rule in rules:
        values = [grid[row - 1][column - 1] for row, column in rule.cells]
        if (positions := rule.check(values)) is not None:
            cells = tuple(rule.cells[position] for position in positions)
            shown = ", ".join(f"{cell_name(cell)}={at(grid, cell)}" for cell in cells)
            found.append(Violation(rule.name, cells, f"{rule.name} is broken{f' by {shown}' if shown else ''}"))
    return found


class Checker:
    """Checks very many full grids for the same rules. It only decides; `violations` lists the broken rules."""

    def __init__(self, rules: Iterable[Rule], height: int, width: int, values: Iterable[Value]) -> None:
        self._lengths = [width] * height
        self._values = frozenset(values)
        self._others = []
        of_size: dict[int, list[Cell]] = {}
        for rule in rules:
            if rule.check is distinct:
                of_size.setdefault(len(rule.cells), []).extend(rule.cells)
            else:
                self._others.append((_reader(rule.cells, width), rule.check))
        # One reader for all rules of a size: splitting its result costs less than many readers do.
        self._different = [(_reader(cells, width), size) for size, cells in of_size.items()]

    def hold(self, solution: Grid, clues: Sequence[tuple[int, Value]]) -> bool:
        """Whether a grid is full, keeps every rule and has every clue. Clues are as `places` returns them."""
        flat = tuple(chain.from_iterable(solution))
        return (
            list(map(len, solution)) == self._lengths
            and self._values.issuperset(flat)
            and [flat[place] for place, _ in clues] == [value for _, value in clues]
            and all(_all_different(reader(flat), size) for reader, size in self._different)
            and all(check(reader(flat)) is None for reader, check in self._others)
        )


def _all_different(values: tuple[Value | None, ...], size: int) -> bool:
    """Whether the values are different within each group of this size."""
    groups = zip(*[iter(values)] * size, strict=True)
    return {*map(len, map(set, groups))} == {size}


def places(grid: Grid) -> tuple[tuple[int, Value], ...]:
    """The values of a grid with their positions in reading order, from 0."""
    return tuple([(place, value) for place, value in enumerate(chain(*grid)) if value is not None])


def _reader(cells: Sequence[Cell], width: int) -> Callable[[Sequence[Value | None]], tuple[Value | None, ...]]:
    """Returns the values of some cells, given all values of a grid in reading order."""
    places = [(row - 1) * width + column - 1 for row, column in cells]
    if len(places) == 1:
        return lambda flat: (flat[places[0]],)
    return itemgetter(*places)


def distinct(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """No value occurs twice; violated by the first two that are equal."""
    if len(set(values)) == len(values):  # the common case, at the speed of C
        return None
    seen: dict[Value, int] = {}
    for position, value in enumerate(values):
        if value is None:
            continue
        if value in seen:
            return seen[value], position
        seen[value] = position
    return None


def by_solver(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """The check of a rule that only a solver can check: it finds nothing."""
    return None


def equal_to(expected: Value) -> Check:
    """The only cell holds this value."""
    return lambda values: None if values[0] is None or values[0] == expected else (0,)


def clue_rules(clues: Mapping[Cell, Value]) -> list[Rule]:
    """A rule for each clue: `clue r4c7=2`."""
    return [Rule(f"clue {cell_name(cell)}={v}", (cell,), equal_to(v)) for cell, v in clues.items()]


def components(cells: Collection[Cell], walls: Container[tuple[Cell, Cell]] = frozenset()) -> list[list[Cell]]:
    """The connected groups of cells: neighbours share a side, which is not one of the walls (sorted pairs of cells)."""
    left, found = set(cells), []
    for start in sorted(cells):
        if start not in left:
            continue
        left.discard(start)
        group, todo = [start], [start]
        while todo:
            here = todo.pop()
            for cell in neighbours(here):
                if cell in left and (min(here, cell), max(here, cell)) not in walls:
                    left.discard(cell)
                    group.append(cell)
                    todo.append(cell)
        found.append(group)
    return found


def neighbours(cell: Cell) -> Iterator[Cell]:
    """Above, to the right, below, to the left."""
    r, c = cell
    yield from ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))
