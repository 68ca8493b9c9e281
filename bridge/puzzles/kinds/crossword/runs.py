"""The runs of white cells in a grid, numbered as newspapers number them.

- A **run** is a maximal line of white cells, across or down; a run of two cells or more is a **slot**.
- A cell in which a slot begins has a number, counted from left to right and then down: `1 across`, `1 down`, `2 down`.
- A **stretch** is any part of a slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bridge.puzzles.kinds.rules import Cell, Grid, cell_name

BLACK = "#"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a word: its name, its direction (`across` or `down`), and its cells in reading order."""

    name: str
    direction: str
    cells: tuple[Cell, ...]

    @property
    def start(self) -> tuple[str, Cell]:
        """Where it begins and which way it goes."""
        return self.direction, self.cells[0]

    def __len__(self) -> int:
        return len(self.cells)

    def part(self, start: int, length: int) -> Slot:
        """The stretch of so many cells from the cell at index `start`."""
        if length == len(self.cells):
            return self
        cells = self.cells[start : start + length]
        return Slot(f"{length} of {self.name} from {cell_name(cells[0])}", self.direction, cells)


def slots(grid: Grid) -> tuple[Slot, ...]:
    """All slots of a grid: those across from left to right and then down, then those down by where they begin."""
    white = {(r, c) for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1) if value != BLACK}
    ways = (("across", (0, 1)), ("down", (1, 0)))
    found = [(direction, run) for direction, step in ways for run in sorted(runs(white, step)) if len(run) > 1]
    number = {start: n for n, start in enumerate(sorted({run[0] for _, run in found}), 1)}
    return tuple(Slot(f"{number[run[0]]} {direction}", direction, run) for direction, run in found)


def runs(white: AbstractSet[Cell], step: tuple[int, int]) -> Iterator[tuple[Cell, ...]]:
    """The runs of white cells in the direction of a step, those of one cell among them."""
    down, right = step
    for r, c in white:
        if (r - down, c - right) in white:
            continue
        run = [(r, c)]
        while (cell := (run[-1][0] + down, run[-1][1] + right)) in white:
            run.append(cell)
        yield tuple(run)


def stretches(all_slots: Iterable[Slot], lengths: Iterable[int]) -> tuple[Slot, ...]:
    """Every stretch of one of these lengths, slot by slot."""
    wanted = sorted(set(lengths))
    return tuple(
        slot.part(start, length) for slot in all_slots for length in wanted for start in range(len(slot) - length + 1)
    )
