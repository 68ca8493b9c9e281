"""Positions and sizes in a drawn picture, in pixels of 1/96 inch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

from bridge.drawing.page import AROUND, DIGIT, LETTER
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.render.board import Scene

#: The least side of a cell; its contents may need more.
SIDE = 42.0

#: The gap between the cells of a spaced board.
SPACE = 17.0

#: The least and the largest size of candidates.
SMALLEST, LARGEST = 10.0, 15.0

#: The pitch of lines of candidates, in sizes of their font; the free margin around all of them.
PITCH, FREE = 1.12, 5.0

#: The margin for the numbers of rows and columns.
NUMBERS = 18.0

#: The sizes of fonts: of names of rows and columns, of texts outside the grid, the least of long values.
NAME, OUTSIDE, VALUE = 11.0, 15.0, 11.0


@dataclass(frozen=True)
class Layout:
    """The measures of one picture."""

    picture: Scene

    @cached_property
    def _shown(self) -> list[str]:
        return [self.picture.shown(value) for value in (*self.picture.givens.values(), *self.picture.values.values())]

    @cached_property
    def widest(self) -> float:
        """The width of the widest value, in sizes of its font."""
        return max((width(text) for text in self._shown), default=0.0) or DIGIT  # some values are not written

    @cached_property
    def _candidate(self) -> float:
        texts = (self.picture.shown(value) for of_cell in self.picture.candidates.values() for value in of_cell)
        return max(map(width, texts), default=DIGIT)

    @cached_property
    def corner(self) -> float:
        """The height of the numbers in corners of cells, not available to candidates."""
        board = self.picture.board
        return 11.0 if (board.numbers or board.corners) and self.picture.candidates else 0.0

    @cached_property
    def foot(self) -> float:
        """The height of tags, not available to candidates."""
        return 9.0 if self.picture.tags and self.picture.candidates else 0.0

    @cached_property
    def _arranged(self) -> tuple[bool, int, int]:
        """Whether each candidate has a place of its own, the same in all cells; the number of columns and lines."""
        most = max(map(len, self.picture.candidates.values()), default=1)
        every = len(self.picture.alphabet)
        # A few stand larger one beside the other; of very many values, most places would be empty.
        fixed = most > 4 and (every <= 16 or most > every / 2)
        number = every if fixed else most
        columns = ceil(sqrt(number))
        return fixed, columns, ceil(number / columns)

    @cached_property
    def side(self) -> float:
        """The side of a cell."""
        longest = max((width(text) for text in self._shown), default=0.0)
        names = (text for (what, _), text in self.picture.board.headings.items() if what == "column")
        named = min(max(map(width, names), default=0.0) * NAME + 6, 2 * SIDE)
        least = max(SIDE, named, longest * VALUE + 6 if longest > width("000") else 0)
        if not self.picture.candidates or self.picture.board.lattice:
            return float(ceil(least))
        _, columns, lines = self._arranged
        across = columns * (self._candidate * SMALLEST + 2) + FREE
        return float(ceil(max(least, across, lines * SMALLEST * PITCH + self.corner + self.foot + FREE)))

    @cached_property
    def candidate_size(self) -> float:
        """The font's size of candidates: as large as the cell allows."""
        _, columns, lines = self._arranged
        across = ((self.side - FREE) / columns - 2) / self._candidate
        return min(across, (self.side - FREE - self.corner - self.foot) / lines / PITCH, LARGEST)

    @cached_property
    def value_size(self) -> float:
        """The font's size of values."""
        return min(0.56 * self.side, (self.side - 8) / self.widest, 26.0)

    @cached_property
    def space(self) -> float:
        return SPACE if self.picture.board.spaced else 0.0

    @cached_property
    def left(self) -> float:
        """The left edge of the board."""
        before = min((one.at[1] for one in self.picture.board.sums), default=1) < 1
        return AROUND + self.names + (self.margin if before else 0) + self.outside("left")

    @cached_property
    def names(self) -> float:
        """The width of the numbers or names of rows."""
        rows = [text for (what, _), text in self.picture.board.headings.items() if what == "row"]
        return max([self.numbers, *(width(text) * NAME + 8 for text in rows)])

    @cached_property
    def numbers(self) -> float:
        """The margin for the numbers of rows and columns; names of columns and sums above them need it too."""
        board = self.picture.board
        named = any(what == "column" for what, _ in board.headings) or any(one.at[0] < 1 for one in board.sums)
        return NUMBERS if self.picture.numbered or named else 0.0

    @property
    def top(self) -> float:
        return AROUND + self.numbers + self.outside("top")

    def outside(self, side: str) -> float:
        """The width, or height, of the texts outside the grid on a side."""
        texts = [one.texts for one in self.picture.board.outside if one.side == side]
        if side in ("left", "right"):
            return max((sum(width(text) * OUTSIDE + 6 for text in held) + 6 for held in texts), default=0.0)
        return max((len(held) * OUTSIDE * 1.15 + 8 for held in texts), default=0.0)

    @cached_property
    def margin(self) -> float:
        """The width of the margin in which sums stand."""
        return max((width(one.text) * 15 + 14 for one in self.picture.board.sums), default=0.0)

    @cached_property
    def right(self) -> float:
        """The right edge of the board."""
        columns = self.picture.board.columns
        if self.picture.board.lattice:
            return self.x(columns)
        return self.left + columns * self.side + (columns - 1) * self.space

    @cached_property
    def bottom(self) -> float:
        rows = self.picture.board.rows
        if self.picture.board.lattice:
            return self.y(rows)
        return self.top + rows * self.side + (rows - 1) * self.space

    @cached_property
    def below(self) -> float:
        """The top of the text below the board."""
        return self.bottom + (28 if self.picture.board.sums else 4) + self.outside("bottom")

    @cached_property
    def board_width(self) -> float:
        return self.right + self.margin + self.outside("right") + AROUND

    def x(self, column: int) -> float:
        """The left side of a column; of a lattice, its middle."""
        if self.picture.board.lattice:
            return self.left + (column - 1) * self.side / 2
        return self.left + (column - 1) * (self.side + self.space)

    def y(self, row: int) -> float:
        """The upper side of a row; of a lattice, its middle."""
        if self.picture.board.lattice:
            return self.top + (row - 1) * self.side / 2
        return self.top + (row - 1) * (self.side + self.space)

    def middle(self, cell: Cell) -> tuple[float, float]:
        if self.picture.board.lattice:
            return self.x(cell[1]), self.y(cell[0])
        return self.x(cell[1]) + self.side / 2, self.y(cell[0]) + self.side / 2

    def candidate_places(self, cell: Cell, values: Sequence[Value]) -> Iterator[tuple[Value, float, float]]:
        """The middle of each candidate of a cell."""
        fixed, columns, lines = self._arranged
        across = (self.side - FREE) / columns
        held = list(self.picture.alphabet) if fixed else list(values)
        if not fixed:
            lines = ceil(len(held) / columns)
            columns = ceil(len(held) / lines)  # 3 and 2 rather than 4 and 1
        # Down, as near to each other as they are across, around the middle of what corner and tags leave.
        down = min((self.side - FREE - self.corner - self.foot) / lines, 1.6 * self.candidate_size)
        x, y = self.middle(cell)
        y += (self.corner - self.foot) / 2
        for index, value in enumerate(held):
            if value in values:
                line, column = divmod(index, columns)
                yield value, x + (column - (columns - 1) / 2) * across, y + (line - (lines - 1) / 2) * down


def width(text: str) -> float:
    """The width of a short text in sizes of its font, at most."""
    return sum(DIGIT if character.isdigit() else LETTER for character in text)


def is_rectangle(cells: Collection[Cell]) -> bool:
    """Whether the cells fill their bounding rectangle."""
    (top, left), (bottom, right) = corners(cells)
    return len(set(cells)) == (bottom - top + 1) * (right - left + 1)


def corners(cells: Iterable[Cell]) -> tuple[Cell, Cell]:
    """The first and the last cell of the bounding rectangle."""
    rows, columns = zip(*cells, strict=True)
    return (min(rows), min(columns)), (max(rows), max(columns))
