"""The contents of a picture, as values: the board, and on it values, candidates, highlights and notes.

`board` is a generic function. A puzzle without a function of its own has a plain board; register one for its class to
add more:

    @board.register
    def _(puzzle: MyPuzzle, values: Values) -> Board: ...
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any

from bridge.drawing import Mark, Note
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.crossword.runs import BLACK
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.futoshiki.text import written
from bridge.puzzles.kinds.patterns import shown
from bridge.puzzles.kinds.rules import Cell, Value, at, cell_name
from bridge.puzzles.kinds.sudoku import Sudoku
from bridge.puzzles.render.marks import Shade

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
class Path:
    """A line through cells."""

    cells: tuple[Cell, ...]
    #: `line`; `thermometer`, with a bulb at its first cell; `arrow`, with a circle at its first cell and a head.
    form: str


@dataclass(frozen=True, slots=True)
class Outside:
    """Texts outside the grid, from outside to inside."""

    #: `left`, `right`, `top` or `bottom`.
    side: str
    #: The row or column.
    index: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a picture, without values."""

    #: Their numbers.
    rows: int
    columns: int
    #: Cells that take no value.
    black: frozenset[Cell] = frozenset()
    #: The cells of each region that has heavy lines around it.
    boxes: tuple[tuple[Cell, ...], ...] = ()
    #: Inequalities.
    signs: tuple[Sign, ...] = ()
    #: Whether there are gaps between cells, for signs.
    spaced: bool = False
    #: Small numbers in the corners of cells.
    numbers: Mapping[Cell, str] = field(default_factory=dict)
    #: Lines of cells drawn with a thin line: rules that lines and boxes do not show.
    diagonals: tuple[tuple[Cell, ...], ...] = ()
    #: A sentence on rules that the board does not show.
    remark: str = ""
    #: Whether rows and columns are those of a lattice of corners, edges and cells; values are those of edges then.
    lattice: bool = False
    #: Cells with a dashed line around them.
    cages: tuple[tuple[Cell, ...], ...] = ()
    #: Small texts in the corners of cells; texts in places that take no value.
    corners: Mapping[Cell, str] = field(default_factory=dict)
    texts: Mapping[Cell, str] = field(default_factory=dict)
    #: Shaded cells, and cells with a circle, each with its colour: `white`, `grey` or `black`.
    shaded: Mapping[Cell, str] = field(default_factory=dict)
    circles: Mapping[Cell, str] = field(default_factory=dict)
    #: Dots between two cells, with their colour and a text.
    dots: tuple[tuple[Cell, Cell, str, str], ...] = ()
    #: Cells divided by a diagonal, with the texts below and above it.
    divided: Mapping[Cell, tuple[str, str]] = field(default_factory=dict)
    #: Lines, thermometers and arrows.
    paths: tuple[Path, ...] = ()
    #: Texts outside the grid.
    outside: tuple[Outside, ...] = ()
    #: Names of rows and columns in place of their numbers, by `row` or `column` and number.
    headings: Mapping[tuple[str, int], str] = field(default_factory=dict)
    #: How values are written; the values whose cells are filled, with the colour.
    glyphs: Mapping[Value, str] = field(default_factory=dict)
    paint: Mapping[Value, str] = field(default_factory=dict)

    def heading(self, what: str, index: int) -> str:
        """What a row or column is called."""
        return self.headings.get((what, index), str(index))


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
def _crossword(puzzle: Crossword, values: Values) -> Board:
    starts = {slot.cells[0]: slot.name.split()[0] for slot in puzzle.slots}
    size = len(puzzle.grid), len(puzzle.grid[0])
    every = [(r, c) for r in range(1, size[0] + 1) for c in range(1, size[1] + 1)]
    return Board(*size, frozenset(cell for cell in every if at(puzzle.grid, cell) == BLACK), numbers=starts)


@board.register
def _declared(puzzle: FilePuzzle, values: Values) -> Board:
    """The board that a kind from a file declares by `draw(...)` (`docs/puzzle-files.md`)."""
    shape = puzzle.shape
    by_name: dict[str, list[tuple[Any, ...]]] = {}
    for name, arguments in shape.details.drawn:
        by_name.setdefault(name, []).append(arguments)

    def of(name: str) -> list[tuple[Any, ...]]:
        return by_name.get(name, [])

    def groups(name: str) -> dict[str, list[Cell]]:
        found: dict[str, list[Cell]] = {}
        for r, c, key in of(name):
            found.setdefault(shown(key), []).append((r, c))
        return {key: sorted(cells) for key, cells in found.items()}

    def texts(name: str) -> dict[Cell, str]:
        return {(r, c): shown(text) for r, c, text in of(name)}

    def coloured(name: str, otherwise: str) -> dict[Cell, str]:
        return {(row[0], row[1]): str(row[2]) if len(row) == 3 else otherwise for row in of(name)}

    def lines(form: str) -> list[tuple[Cell, ...]]:
        found: dict[str, list[tuple[Any, Cell]]] = {}
        for key, position, r, c in of(form):
            found.setdefault(shown(key), []).append((position, (r, c)))
        return [tuple(cell for _, cell in sorted(held)) for _, held in sorted(found.items())]

    paths = [Path(cells, form) for form in ("line", "thermometer", "arrow") for cells in lines(form)]
    outside: dict[tuple[str, int], list[tuple[Any, str]]] = {}
    for row in of("outside"):
        outside.setdefault((str(row[0]), row[1]), []).append((row[2] if len(row) == 4 else 0, shown(row[-1])))
    cells = set(shape.cells)
    drawn_text = texts("text")
    every = [(r, c) for r in range(1, shape.rows + 1) for c in range(1, shape.columns + 1)]
    black = frozenset(cell for cell in every if cell not in cells and cell not in drawn_text and not shape.lattice)
    signs = tuple(Sign((r, c), (r1, c1), f"{cell_name((r, c))} < {cell_name((r1, c1))}") for r, c, r1, c1 in of("less"))
    return Board(
        shape.rows,
        shape.columns,
        black,
        boxes=tuple(tuple(held) for held in groups("region").values()),
        signs=signs,
        spaced=bool(signs),
        diagonals=tuple(lines("diagonal")),
        remark=" ".join(shown(text) for (text,) in of("remark")),
        lattice=shape.lattice,
        cages=tuple(tuple(held) for held in groups("cage").values()),
        corners=texts("corner"),
        texts=drawn_text,
        shaded=coloured("shade", "grey"),
        circles=coloured("circle", "white"),
        dots=tuple((row[0:2], row[2:4], str(row[4]), shown(row[5]) if len(row) == 6 else "") for row in of("dot")),
        divided={(r, c): (shown(below), shown(above)) for r, c, below, above in of("divided")},
        paths=tuple(paths),
        outside=tuple(Outside(*key, tuple(text for _, text in sorted(held))) for key, held in sorted(outside.items())),
        headings={(str(what), index): shown(text) for what, index, text in of("heading")},
        glyphs=shape.glyphs,
        paint={str(value) if isinstance(value, str) else value: str(colour) for value, colour in of("paint")},
    )


@dataclass(frozen=True, slots=True)
class Lit:
    """A highlighted rule."""

    name: str
    cells: tuple[Cell, ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn, independent of any format."""

    #: The name of the puzzle.
    title: str
    #: The board without its values.
    board: Board
    #: The values that cells can have, in order; it fixes the places of candidates.
    alphabet: tuple[Value, ...]
    #: The values of the given cells.
    givens: Mapping[Cell, Value] = field(default_factory=dict)
    #: The values of other cells.
    values: Mapping[Cell, Value] = field(default_factory=dict)
    #: The candidates of cells without a value.
    candidates: Mapping[Cell, Mapping[Value, Shade]] = field(default_factory=dict)
    #: The highlighted cells.
    marks: Mapping[Cell, Mark] = field(default_factory=dict)
    #: The highlighted rules.
    lit: tuple[Lit, ...] = ()
    #: A few letters in a corner of a cell, which name it or refer to a note.
    tags: Mapping[Cell, str] = field(default_factory=dict)
    #: The notes below the board.
    notes: tuple[Note, ...] = ()
    #: A sentence or two that describe the picture.
    caption: str = ""
    #: Lines above the board: the title of the puzzle, and its author.
    heading: str = ""
    byline: str = ""
    #: Notes below the board that stand side by side: the clues across and down.
    lists: tuple[Note, ...] = ()
    #: Whether rows and columns have their numbers outside the board.
    numbered: bool = True

    @property
    def shades(self) -> frozenset[Shade]:
        """The kinds of candidates that occur."""
        return frozenset(shade for of_cell in self.candidates.values() for shade in of_cell.values())

    @property
    def sample(self) -> str:
        """The value shown in the legend: 5 if the alphabet has it."""
        return "5" if 5 in self.alphabet else self.shown(self.alphabet[-1])

    def shown(self, value: Value) -> str:
        """The text of a value; letters of a numbered board are capitals, as in newspapers."""
        if value in self.board.glyphs:
            return self.board.glyphs[value]
        return str(value).upper() if self.board.numbers else str(value)

    def cells(self) -> Iterable[Cell]:
        """All cells but black ones, in reading order."""
        size = self.board
        every = ((r, c) for r in range(1, size.rows + 1) for c in range(1, size.columns + 1))
        return (cell for cell in every if cell not in size.black)

    def value(self, cell: Cell) -> Value | None:
        """The value of a cell, given or not."""
        return self.givens.get(cell, self.values.get(cell))
