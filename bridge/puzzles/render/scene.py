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
    """What is to be drawn, independent of any format.

    Attributes
    ----------
    title
        The name of the puzzle.
    board
        The board without its values.
    alphabet
        The values that cells can have, in order; it fixes the places of candidates.
    givens
        The values of the given cells.
    values
        The values of other cells.
    candidates
        The candidates of cells without a value.
    marks
        The highlighted cells.
    lit
        The highlighted rules.
    tags
        A few letters in a corner of a cell, which name it or refer to a note.
    notes
        The notes below the board.
    heading, byline
        Lines above the board: the title of the puzzle, and its author.
    numbered
        Whether rows and columns have their numbers outside the board.
    lists
        Notes below the board that stand side by side: the clues across and down.
    caption
        A sentence or two that describe the picture.
    """

    title: str
    board: Board
    alphabet: tuple[Value, ...]
    givens: Mapping[Cell, Value] = field(default_factory=dict)
    values: Mapping[Cell, Value] = field(default_factory=dict)
    candidates: Mapping[Cell, Mapping[Value, Shade]] = field(default_factory=dict)
    marks: Mapping[Cell, Mark] = field(default_factory=dict)
    lit: tuple[Lit, ...] = ()
    tags: Mapping[Cell, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    caption: str = ""
    heading: str = ""
    byline: str = ""
    lists: tuple[Note, ...] = ()
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
