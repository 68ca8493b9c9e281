"""The contents of a picture, as a value: the board, its values and candidates, highlights and notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bridge.drawing.page import Note
from bridge.drawing.themes import Mark
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.render.board import Board
from bridge.puzzles.render.marks import Shade


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
