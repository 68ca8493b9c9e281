"""A picture of a puzzle, as a value: what stands in each cell, what is lit, what is said below.

It knows no format: `bridge.render.svg` draws it for screens and paper, `bridge.render.terminal` for terminals, and
`bridge.render.words` tells it to who cannot see it. `bridge.render.views` makes pictures of what solvers find.

    >>> from bridge.puzzles import parse
    >>> from bridge.render import instance
    >>> print(instance(parse("latin-square", "1 . . / . 2 . / . . .".replace("/", chr(10)))).text())
    Latin square
         1 2 3
       ┌───────┐
     1 │ 1 . . │
     2 │ . 2 . │
     3 │ . . . │
       └───────┘
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bridge.errors import InputError
from bridge.files import write_whole
from bridge.puzzles.rules import Cell, Value
from bridge.render.board import Board
from bridge.render.themes import Mark, Shade

#: The formats that `save` and `render` know, by the ending of a file.
FORMATS = ("svg", "png", "pdf", "txt")


@dataclass(frozen=True, slots=True)
class Lit:
    """A rule that is lit."""

    name: str
    cells: tuple[Cell, ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class Note:
    """Lines that stand below the board, under a heading. `code` is set as programs are."""

    heading: str
    lines: tuple[str, ...]
    code: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be drawn.

    Attributes
    ----------
    title
        What the puzzle is called.
    board
        Its shape.
    alphabet
        The values that cells can have, in order: the places of candidates.
    givens
        The values of the given cells.
    values
        Those of other cells.
    candidates
        What cells without a value may hold.
    marks
        The cells that are lit.
    lit
        The rules that are lit.
    tags
        A few letters in a corner of a cell, to name it or to refer to a note.
    notes
        What stands below.
    caption
        A sentence or two on what is to be seen.
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

    @property
    def shades(self) -> frozenset[Shade]:
        """The kinds of candidates that occur."""
        return frozenset(shade for of_cell in self.candidates.values() for shade in of_cell.values())

    @property
    def sample(self) -> str:
        """A value to explain signs with: 5 where there is one."""
        return "5" if 5 in self.alphabet else self.shown(self.alphabet[-1])

    def shown(self, value: Value) -> str:
        """A value as it is written: letters of a numbered board in capitals, as newspapers print them."""
        return str(value).upper() if self.board.numbers else str(value)

    def cells(self) -> Iterable[Cell]:
        """All cells but black ones, in reading order."""
        size = self.board
        every = ((r, c) for r in range(1, size.rows + 1) for c in range(1, size.columns + 1))
        return (cell for cell in every if cell not in size.black)

    def value(self, cell: Cell) -> Value | None:
        return self.givens.get(cell, self.values.get(cell))

    def words(self) -> str:
        """The picture in words."""
        from bridge.render.words import described

        return described(self)

    def text(self, *, colour: bool = False) -> str:
        """The picture for a terminal; with `colour`, for one that knows ANSI escapes."""
        from bridge.render.terminal import text

        return text(self, colour=colour)

    def svg(self, theme: str = "light", *, legend: bool = True) -> str:
        """The picture as SVG that stands alone."""
        from bridge.render.svg import svg
        from bridge.render.themes import theme_named

        return svg(self, theme_named(theme), legend=legend)

    def png(self, theme: str = "light", *, legend: bool = True, dpi: float = 192) -> bytes:
        """The picture as PNG.

        Raises
        ------
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        from bridge.render.document import png

        return png(self.svg(theme, legend=legend), title=self.title, words=self.words(), dpi=dpi)

    def pdf(self, theme: str = "light", *, legend: bool = True) -> bytes:
        """The picture as a PDF page of its size: lines and text, no pixels.

        Raises
        ------
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        from bridge.render.document import pdf

        return pdf(self.svg(theme, legend=legend), title=self.title, words=self.words())

    def render(self, form: str, theme: str = "light", *, legend: bool = True) -> bytes:
        """The picture in one of `FORMATS`.

        Raises
        ------
        InputError
            When there is no such format.
        UnsupportedError
            When it needs the extra `pictures`.
        """
        if form == "svg":
            return self.svg(theme, legend=legend).encode()
        if form == "txt":
            return f"{self.text()}\n".encode()
        if form == "png":
            return self.png(theme, legend=legend)
        if form == "pdf":
            return self.pdf(theme, legend=legend)
        raise InputError(f"there is no picture format {form!r}", hint=f"one of: {', '.join(FORMATS)}")

    def save(self, file: str | Path, theme: str = "light", *, legend: bool = True) -> None:
        """Write it to a file; its ending says the format.

        Raises
        ------
        InputError
            When the ending is no format, or the file cannot be written.
        OutputError
            When the system fails to write it.
        UnsupportedError
            When the format needs the extra `pictures`.
        """
        form = Path(file).suffix.removeprefix(".").lower()
        write_whole(file, self.render(form, theme, legend=legend))

    def _repr_svg_(self) -> str:
        """For notebooks."""
        return self.svg()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """For IPython in a terminal."""
        printer.text(self.text())

    def __str__(self) -> str:
        return self.text()
