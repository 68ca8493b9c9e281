"""Positions and sizes in a drawn picture, in pixels of 1/96 inch.

Fonts are not measured: widths are those of DejaVu Sans, which is wider than others, so that nothing overlaps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

from bridge.puzzles.rules import Cell, Value
from bridge.render.scene import Scene

#: The width of a character, bold, in sizes of its font: digits, capital letters; and of running text, on average.
DIGIT, LETTER, RUNNING, CODE = 0.70, 0.80, 0.56, 0.605

#: Half the height of a digit: how far below the middle of its place its baseline is.
HALF = 0.36

#: The least side of a cell; its contents may need more.
SIDE = 42.0

#: The gap between the cells of a spaced board.
SPACE = 17.0

#: The least and the largest size of candidates.
SMALLEST, LARGEST = 10.0, 15.0

#: The pitch of lines of candidates, in sizes of their font; the free margin around all of them.
PITCH, FREE = 1.12, 5.0

#: The outer margin, and the margin for the numbers of rows and columns.
AROUND, NUMBERS = 12.0, 18.0

#: The least width of the text below a board.
WRITTEN = 400.0


@dataclass(frozen=True)
class Places:
    """How the candidates of a cell are laid out.

    Attributes
    ----------
    fixed
        Whether each value has a place of its own, the same in all cells. Otherwise they are listed in order.
    columns, lines
        The number of columns and lines.
    size
        The size of the font.
    """

    fixed: bool
    columns: int
    lines: int
    size: float


@dataclass(frozen=True)
class Layout:
    """The measures of one picture."""

    picture: Scene

    @cached_property
    def _shown(self) -> list[str]:
        return [str(value) for value in (*self.picture.givens.values(), *self.picture.values.values())]

    @cached_property
    def widest(self) -> float:
        """The width of the widest value, in sizes of its font."""
        return max((width(text) for text in self._shown), default=DIGIT)

    @cached_property
    def _candidate(self) -> float:
        texts = (str(value) for of_cell in self.picture.candidates.values() for value in of_cell)
        return max(map(width, texts), default=DIGIT)

    @cached_property
    def corner(self) -> float:
        """The height of the numbers in corners of cells, not available to candidates."""
        return 11.0 if self.picture.board.numbers and self.picture.candidates else 0.0

    @cached_property
    def foot(self) -> float:
        """The height of tags, not available to candidates."""
        return 9.0 if self.picture.tags and self.picture.candidates else 0.0

    @cached_property
    def _arranged(self) -> tuple[bool, int, int]:
        """Whether candidates have fixed places, and the number of columns and lines."""
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
        if not self.picture.candidates:
            return SIDE
        _, columns, lines = self._arranged
        across = columns * (self._candidate * SMALLEST + 2) + FREE
        return float(ceil(max(SIDE, across, lines * SMALLEST * PITCH + self.corner + self.foot + FREE)))

    @cached_property
    def places(self) -> Places:
        """The candidates' places, as large as the cell allows."""
        fixed, columns, lines = self._arranged
        across = ((self.side - FREE) / columns - 2) / self._candidate
        down = (self.side - FREE - self.corner - self.foot) / lines / PITCH
        return Places(fixed, columns, lines, min(across, down, LARGEST))

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
        return AROUND + NUMBERS + (self.margin if before else 0)

    @property
    def top(self) -> float:
        return AROUND + NUMBERS

    @cached_property
    def margin(self) -> float:
        """The width of the margin in which sums stand."""
        return max((width(one.text) * 15 + 14 for one in self.picture.board.sums), default=0.0)

    @cached_property
    def right(self) -> float:
        """The right edge of the board."""
        columns = self.picture.board.columns
        return self.left + columns * self.side + (columns - 1) * self.space

    @cached_property
    def bottom(self) -> float:
        rows = self.picture.board.rows
        return self.top + rows * self.side + (rows - 1) * self.space

    @cached_property
    def below(self) -> float:
        """The top of the text below the board."""
        return self.bottom + (28 if self.picture.board.sums else 4)

    @cached_property
    def board_width(self) -> float:
        return self.right + self.margin + AROUND

    def x(self, column: int) -> float:
        """The left side of a column."""
        return self.left + (column - 1) * (self.side + self.space)

    def y(self, row: int) -> float:
        """The upper side of a row."""
        return self.top + (row - 1) * (self.side + self.space)

    def middle(self, cell: Cell) -> tuple[float, float]:
        return self.x(cell[1]) + self.side / 2, self.y(cell[0]) + self.side / 2

    def candidate_places(self, cell: Cell, values: Sequence[Value]) -> Iterator[tuple[Value, float, float]]:
        """The middle of each candidate of a cell."""
        places = self.places
        held = list(self.picture.alphabet) if places.fixed else list(values)
        lines = places.lines if places.fixed else ceil(len(held) / places.columns)
        columns = places.columns if places.fixed else ceil(len(held) / lines)  # 3 and 2 rather than 4 and 1
        across = (self.side - FREE) / places.columns
        # Down, as near to each other as they are across, around the middle of what corner and tags leave.
        down = min((self.side - FREE - self.corner - self.foot) / lines, 1.6 * places.size)
        x, y = self.middle(cell)
        y += (self.corner - self.foot) / 2
        for index, value in enumerate(held):
            if value in values:
                line, column = divmod(index, columns)
                yield value, x + (column - (columns - 1) / 2) * across, y + (line - (lines - 1) / 2) * down


def width(text: str) -> float:
    """The width of a short text in sizes of its font, at most."""
    return sum(DIGIT if character.isdigit() else LETTER for character in text)


def components(cells: Collection[Cell]) -> list[list[Cell]]:
    """The connected groups of cells (neighbours share a side)."""
    left, found = set(cells), []
    for start in sorted(cells):
        if start not in left:
            continue
        left.discard(start)
        group, todo = [start], [start]
        while todo:
            for cell in neighbours(todo.pop()):
                if cell in left:
                    left.discard(cell)
                    group.append(cell)
                    todo.append(cell)
        found.append(group)
    return found


def neighbours(cell: Cell) -> Iterator[Cell]:
    """Above, to the right, below, to the left."""
    r, c = cell
    yield from ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))


def is_rectangle(cells: Collection[Cell]) -> bool:
    """Whether the cells fill their bounding rectangle."""
    (top, left), (bottom, right) = corners(cells)
    return len(set(cells)) == (bottom - top + 1) * (right - left + 1)


def corners(cells: Iterable[Cell]) -> tuple[Cell, Cell]:
    """The first and the last cell of the bounding rectangle."""
    rows, columns = zip(*cells, strict=True)
    return (min(rows), min(columns)), (max(rows), max(columns))
