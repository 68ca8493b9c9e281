"""Positions and sizes in a drawn picture, in pixels of 1/96 inch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import ceil, sqrt

from bridge.drawing import AROUND, DIGIT, LETTER
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


class Layout:
    """The measures of one picture."""

    def __init__(self, picture: Scene) -> None:
        board, self.picture = picture.board, picture
        # Widths are in sizes of the font; some values are not written.
        shown = [width(picture.shown(value)) for value in (*picture.givens.values(), *picture.values.values())]
        held = [width(picture.shown(value)) for of_cell in picture.candidates.values() for value in of_cell]
        widest, self._candidate = max(shown, default=0.0) or DIGIT, max(held, default=0.0) or DIGIT
        # The heights of numbers in corners of cells, and of tags: not available to candidates.
        self.corner = 11.0 if (board.numbers or board.corners) and picture.candidates else 0.0
        self.foot = 9.0 if picture.tags and picture.candidates else 0.0
        # A few candidates stand larger one beside the other. Of more, each has a place of its own, the same in all
        # cells; but of very many values, most places would be empty.
        most, every = max(map(len, picture.candidates.values()), default=1), len(picture.alphabet)
        self.fixed = most > 4 and (every <= 16 or most > every / 2)
        number = every if self.fixed else most
        self.columns = ceil(sqrt(number))
        self.lines = ceil(number / self.columns)
        #: The side of a cell.
        self.side = self._side(max(shown, default=0.0))
        #: The sizes of the fonts of candidates, as large as the cell allows, and of values.
        across = ((self.side - FREE) / self.columns - 2) / self._candidate
        self.candidate_size = min(across, (self.side - FREE - self.corner - self.foot) / self.lines / PITCH, LARGEST)
        self.value_size = min(0.56 * self.side, (self.side - 8) / widest, 26.0)
        #: From a column, or row, to the next.
        self.pitch = self.side / 2 if board.lattice else self.side + (SPACE if board.spaced else 0.0)
        # The margin for the numbers of rows and columns; names of columns need it, too.
        named = any(what == "column" for what, _ in board.headings)
        numbers = NUMBERS if picture.numbered or named else 0.0
        rows = [width(text) * NAME + 8 for (what, _), text in board.headings.items() if what == "row"]
        #: The edges of the board, and the top of the text below it.
        self.left = AROUND + max([numbers, *rows]) + self.outside("left")
        self.top = AROUND + numbers + self.outside("top")
        last = 0.0 if board.lattice else self.side
        self.right, self.bottom = self.x(board.columns) + last, self.y(board.rows) + last
        self.below = self.bottom + 4 + self.outside("bottom")
        self.board_width = self.right + self.outside("right") + AROUND

    def _side(self, longest: float) -> float:
        names = (width(text) for (what, _), text in self.picture.board.headings.items() if what == "column")
        named = min(max(names, default=0.0) * NAME + 6, 2 * SIDE)
        least = max(SIDE, named, longest * VALUE + 6 if longest > width("000") else 0)
        if not self.picture.candidates or self.picture.board.lattice:
            return float(ceil(least))
        across = self.columns * (self._candidate * SMALLEST + 2) + FREE
        return float(ceil(max(least, across, self.lines * SMALLEST * PITCH + self.corner + self.foot + FREE)))

    def outside(self, side: str) -> float:
        """The width, or height, of the texts outside the grid on a side."""
        texts = [one.texts for one in self.picture.board.outside if one.side == side]
        if side in ("left", "right"):
            return max((sum(width(text) * OUTSIDE + 6 for text in held) + 6 for held in texts), default=0.0)
        return max((len(held) * OUTSIDE * 1.15 + 8 for held in texts), default=0.0)

    def x(self, column: int) -> float:
        """The left side of a column; of a lattice, its middle."""
        return self.left + (column - 1) * self.pitch

    def y(self, row: int) -> float:
        """The upper side of a row; of a lattice, its middle."""
        return self.top + (row - 1) * self.pitch

    def middle(self, cell: Cell) -> tuple[float, float]:
        half = 0.0 if self.picture.board.lattice else self.side / 2
        return self.x(cell[1]) + half, self.y(cell[0]) + half

    def candidate_places(self, cell: Cell, values: Sequence[Value]) -> Iterator[tuple[Value, float, float]]:
        """The middle of each candidate of a cell."""
        across, lines, columns = (self.side - FREE) / self.columns, self.lines, self.columns
        held = list(self.picture.alphabet) if self.fixed else list(values)
        if not self.fixed:
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
