"""The board of a puzzle without its values: heavy lines, signs, black squares, numbers, sums.

`board` is a generic function. A puzzle without a function of its own has a plain board; register one for its class to
add more:

    @board.register
    def _(puzzle: MyPuzzle, values: Values) -> Board: ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch

from bridge.puzzles import Puzzle
from bridge.puzzles.crossword import Crossword
from bridge.puzzles.crossword.runs import BLACK
from bridge.puzzles.futoshiki import Futoshiki
from bridge.puzzles.futoshiki.rules import written
from bridge.puzzles.latin_square import LatinSquare
from bridge.puzzles.magic_square import MagicSquare
from bridge.puzzles.magic_square.rules import magic_lines
from bridge.puzzles.rules import Cell, Value, at
from bridge.puzzles.sudoku import Sudoku

Values = Mapping[Cell, Value]


@dataclass(frozen=True, slots=True)
class Sign:
    """An inequality between two cells, and the name of its rule."""

    smaller: Cell
    greater: Cell
    rule: str

    @property
    def beside(self) -> bool:
        """Whether the two cells are neighbours, so that the sign is drawn between them."""
        (r, c), (r1, c1) = self.smaller, self.greater
        return abs(r - r1) + abs(c - c1) == 1


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of a line, beside its last cell: to the right of a row, under a column, at a corner.

    Attributes
    ----------
    at
        The place in the grid of cells: column n + 1 is the right margin, row n + 1 the lower one, 0 those before.
    text
        The sum required, or the sum found.
    wrong
        Whether all cells have values with a different sum.
    rule
        The name of the rule.
    """

    at: Cell
    text: str
    wrong: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a picture, without values.

    Attributes
    ----------
    rows, columns
        Their numbers.
    black
        Cells that take no value.
    boxes
        The cells of each region that has heavy lines around it.
    signs
        Inequalities.
    spaced
        Whether there are gaps between cells, for signs.
    numbers
        Small numbers in the corners of cells.
    sums
        The sums in the margins.
    diagonals
        Lines of cells drawn with a thin line: rules that lines and boxes do not show.
    remark
        A sentence on rules that the board does not show.
    """

    rows: int
    columns: int
    black: frozenset[Cell] = frozenset()
    boxes: tuple[tuple[Cell, ...], ...] = ()
    signs: tuple[Sign, ...] = ()
    spaced: bool = False
    numbers: Mapping[Cell, str] = field(default_factory=dict)
    sums: tuple[Sum, ...] = ()
    diagonals: tuple[tuple[Cell, ...], ...] = ()
    remark: str = ""


@singledispatch
def board(puzzle: Puzzle, values: Values) -> Board:
    """The board of a puzzle; `values` are the values shown, clues included."""
    cells = set(puzzle.cells())
    black = {
        (r, c)
        for r, row in enumerate(puzzle.grid, 1)
        for c, value in enumerate(row, 1)
        if value is not None and (r, c) not in cells
    }
    return Board(len(puzzle.grid), max(map(len, puzzle.grid)), frozenset(black))


def _plain(puzzle: Puzzle) -> Board:
    return Board(len(puzzle.grid), len(puzzle.grid[0]))


@board.register
def _sudoku(puzzle: Sudoku, values: Values) -> Board:
    boxes = tuple(rule.cells for rule in puzzle.rules() if rule.name.startswith("box"))
    return replace(_plain(puzzle), boxes=boxes)


@board.register
def _futoshiki(puzzle: Futoshiki, values: Values) -> Board:
    signs = tuple(Sign(*pair, written(*pair)) for pair in puzzle.less)
    return replace(_plain(puzzle), signs=signs, spaced=True)


@board.register
def _latin_square(puzzle: LatinSquare, values: Values) -> Board:
    diagonals = tuple(rule.cells for rule in puzzle.rules() if rule.name.startswith("diagonal"))
    remark = "The first row and the first column are in order." if puzzle.variant == "reduced" else ""
    return replace(_plain(puzzle), diagonals=diagonals, remark=remark)


@board.register
def _magic_square(puzzle: MagicSquare, values: Values) -> Board:
    size, semi = puzzle.size, puzzle.variant == "semi"
    sums = []
    for name, cells in magic_lines(size, semi).items():
        known = [value for cell in cells if isinstance(value := values.get(cell), int)]
        wrong = len(known) == size and sum(known) != puzzle.magic_sum
        (r, c), (r1, c1) = cells[0], cells[-1]
        place = (r1 + (r1 > r), c1 + (c1 > c)) if c1 >= c else (r1 + 1, 0)  # the second diagonal ends at the left
        sums.append(Sum(place, str(sum(known)) if wrong else str(puzzle.magic_sum), wrong, name))
    remarks = ["The diagonals may have any sum."] if semi else []
    if puzzle.symmetry == "reduced":
        remarks.append("Turned and mirrored so that the corner at the top left is the least.")
    return replace(_plain(puzzle), sums=tuple(sums), remark=" ".join(remarks))


@board.register
def _crossword(puzzle: Crossword, values: Values) -> Board:
    starts = {slot.cells[0]: slot.name.split()[0] for slot in puzzle.slots}
    size = len(puzzle.grid), len(puzzle.grid[0])
    every = [(r, c) for r in range(1, size[0] + 1) for c in range(1, size[1] + 1)]
    return Board(*size, frozenset(cell for cell in every if at(puzzle.grid, cell) == BLACK), numbers=starts)
