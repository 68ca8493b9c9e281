"""The Latin family: square grids of order n with the values 1 to n, none of them twice in a row or a column.

Magic squares have the same shape and text form. Their values are 1 to n ** 2, and no value stands twice at all.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import itemgetter

from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.rules import Cell, Grid, Value


class Latin(Puzzle, ABC):
    """A square grid with the values from 1 to its order."""

    @property
    def size(self) -> int:
        return len(self.grid)

    def values(self) -> tuple[int, ...]:
        return tuple(range(1, self.size + 1))

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        size = self.size
        cells, of_all = cells_of(size)
        flat: Iterable[Value | None]
        try:
            flat = of_all(values)
        except KeyError:  # open cells
            flat = map(values.get, cells)
        return tuple(zip(*[iter(flat)] * size, strict=True))


@lru_cache(maxsize=32)
def cells_of(size: int) -> tuple[tuple[Cell, ...], Callable[[Mapping[Cell, Value]], tuple[Value, ...]]]:
    """All cells in reading order, and a function that returns the values of all of them."""
    cells = tuple((r, c) for r in range(1, size + 1) for c in range(1, size + 1))
    return cells, itemgetter(*cells) if size > 1 else lambda values: (values[1, 1],)
