"""Report 2: state search in Prolog by a successor operator, here with its counts.

- A **state** is the variables without a value and those with one. The **successor operator** gives the first variable
  without a value one of its domain; a state that breaks a constraint is dropped, and Prolog's backtracking goes on.
- A value is **tried** when the operator takes it from the domain, and **kept** when no constraint is broken.

Variables are cells (x, y) with x running fastest. The report prints x downwards, so that the first column of a printed
grid is filled first. What the report checks, and when:

- Magic square: all values differ; a line of full length has the right sum; the diagonals are checked once all cells
  have a value. All variables share one domain, and forward checking takes used values out of it.
- Sudoku: the values of a line and of a box differ. Forward checking takes a value out of the domains of the open cells
  in the same lines and box. The givens have a value from the start, and are not taken out of any domain.

    >>> first = next(magic_squares(3, forward_checking=True))
    >>> first.grid, first.tried, first.kept
    (((2, 9, 4), (7, 5, 3), (6, 1, 8)), 1696, 450)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bridge.puzzles.kinds.rules import Grid

#: A cell (x, y) of the report, counted from 0.
Cell: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A solution, and the counts up to it."""

    #: Printed as in the report, x downwards.
    grid: Grid
    #: As said above.
    tried: int
    kept: int
    #: Of a Sudoku, the domain of each cell when it got its value.
    domains: Mapping[Cell, tuple[int, ...]] = field(default_factory=dict)


def magic_squares(order: int, *, forward_checking: bool) -> Iterator[Found]:
    """All magic squares of an order, as the search finds them."""
    size = order * order
    total = order * (size + 1) // 2
    value = [0] * size  # by number of the cell: x + order * y
    used = [False] * (size + 1)
    column, row = [0] * order, [0] * order
    tried = kept = 0

    def diagonals_add_up() -> bool:
        falling = sum(value[i * (order + 1)] for i in range(order))
        return falling == sum(value[(i + 1) * (order - 1)] for i in range(order)) == total

    def after(k: int) -> Iterator[Found]:
        """The squares with the values that the first k cells have."""
        nonlocal tried, kept
        if k == size:
            yield Found(tuple(tuple(value[i + order * j] for j in range(order)) for i in range(order)), tried, kept)
            return
        y, x = divmod(k, order)
        for v in range(1, size + 1):
            if used[v]:
                tried += not forward_checking  # out of the domain with forward checking
                continue
            tried += 1
            if (y == order - 1 and column[x] + v != total) or (x == order - 1 and row[y] + v != total):
                continue
            value[k] = v
            if k == size - 1 and not diagonals_add_up():
                continue
            kept += 1
            used[v] = True
            column[x] += v
            row[y] += v
            yield from after(k + 1)
            used[v] = False
            column[x] -= v
            row[y] -= v

    return after(0)


def sudokus(givens: Mapping[Cell, int], *, forward_checking: bool) -> Iterator[Found]:
    """All 9x9 Sudokus with these givens, as the search finds them."""
    cells = [(x, y) for y in range(9) for x in range(9) if (x, y) not in givens]
    meets = {cell: [other for other in (*cells, *givens) if other != cell and _related(cell, other)] for cell in cells}
    later = {cell: [other for other in cells[k + 1 :] if _related(cell, other)] for k, cell in enumerate(cells)}
    value: dict[Cell, int] = dict(givens)
    domains = {cell: tuple(range(1, 10)) for cell in cells}
    tried = kept = 0

    def after(k: int) -> Iterator[Found]:
        """The Sudokus with the values that the givens and the first k cells have."""
        nonlocal tried, kept
        if k == len(cells):
            yield Found(tuple(tuple(value[x, y] for y in range(9)) for x in range(9)), tried, kept, dict(domains))
            return
        cell = cells[k]
        for v in domains[cell]:
            tried += 1
            if any(value.get(other) == v for other in meets[cell]):
                continue
            kept += 1
            value[cell] = v
            before = {other: domains[other] for other in later[cell] if forward_checking and v in domains[other]}
            for other in before:
                domains[other] = tuple(w for w in domains[other] if w != v)
            yield from after(k + 1)
            domains.update(before)
            del value[cell]

    return after(0)


def _related(one: Cell, other: Cell) -> bool:
    (x, y), (u, w) = one, other
    return x == u or y == w or (x // 3, y // 3) == (u // 3, w // 3)
