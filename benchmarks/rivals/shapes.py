"""What the models of all rivals need to know of an instance, in no solver's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Cell, Grid, Value, distinct

#: Answers a puzzle with so many solutions at most; None asks for all. Fewer than asked for says: there are no more.
Contender = Callable[[Puzzle, int | None], list[Grid]]


def groups(puzzle: Puzzle) -> list[tuple[Cell, ...]]:
    """Cells among which no value stands twice: rows, columns, boxes; of a magic square, all cells."""
    return [rule.cells for rule in puzzle.rules() if rule.check is distinct]


def inequalities(puzzle: Any) -> tuple[tuple[Cell, Cell], ...]:
    """Pairs of cells, the first less than the second; of a Futoshiki."""
    return getattr(puzzle, "less", ())


def sums(puzzle: Any) -> tuple[int, list[tuple[Cell, ...]]]:
    """What the lines of a magic square add up to, and these lines; none in any other puzzle."""
    if puzzle.kind != "magic-square":
        return 0, []
    from bridge.puzzles.kinds.magic_square import magic_lines

    return puzzle.magic_sum, list(magic_lines(puzzle.size, puzzle.semi).values())


def rows_and_columns(puzzle: Any) -> tuple[list[list[Cell]], list[list[Cell]]]:
    """The lines of a Takuzu."""
    rows = [[(r, c) for c in range(1, puzzle.width + 1)] for r in range(1, puzzle.height + 1)]
    return rows, [list(column) for column in zip(*rows, strict=True)]


def halves(length: int) -> tuple[int, int]:
    """How many ones a line of a Takuzu has, at least and at most."""
    return length // 2, (length + 1) // 2


def threes(line: list[Cell]) -> list[list[Cell]]:
    """Every three neighbours in a line."""
    return [line[start : start + 3] for start in range(len(line) - 2)]


def tables(puzzle: Any) -> list[tuple[tuple[Cell, ...], list[str]]]:
    """The slots of a crossword, and the words that fit each of them."""
    return [(slot.cells, puzzle.fitting(slot)) for slot in puzzle.slots]


def numbers(puzzle: Any) -> Mapping[str, int]:
    """The words of a crossword's list, numbered from 0."""
    return dict(zip(puzzle.words, count(), strict=False))


def same_length(puzzle: Any) -> list[list[int]]:
    """Which slots, counted from 0, could have the same word."""
    found: dict[int, list[int]] = {}
    for number, slot in enumerate(puzzle.slots):
        found.setdefault(len(slot), []).append(number)
    return [group for group in found.values() if len(group) > 1]


def grid(puzzle: Puzzle, value: Callable[[Cell], Value]) -> Grid:
    """The grid in which each cell has its value."""
    return puzzle.solution({cell: value(cell) for cell in puzzle.cells()})
