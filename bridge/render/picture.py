"""A picture of a puzzle: a scene with methods that draw it.

`bridge.render.scene` has the contents; `bridge.render.svg`, `bridge.render.terminal` and `bridge.render.words` draw
them, and `bridge.render.views` makes pictures of results.

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

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.errors import InputError
from bridge.files import write_whole
from bridge.render import document, svg, terminal, words
from bridge.render.scene import Scene
from bridge.render.themes import theme_named

#: The formats of `save` and `render`, by the suffix of a file.
FORMATS = ("svg", "png", "pdf", "txt")


@dataclass(frozen=True, slots=True)
class Picture(Scene):
    """A scene that draws itself: as SVG, PNG, PDF, in characters or in words."""

    def words(self) -> str:
        """The picture in words."""
        return words.described(self)

    def text(self, *, colour: bool = False) -> str:
        """The picture in characters; with `colour`, ANSI escapes as well."""
        return terminal.text(self, colour=colour)

    def svg(self, theme: str = "light", *, legend: bool = True) -> str:
        """The picture as a standalone SVG document."""
        return svg.svg(self, theme_named(theme), legend=legend)

    def png(self, theme: str = "light", *, legend: bool = True, dpi: float = 192) -> bytes:
        """The picture as PNG.

        Raises
        ------
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        return document.png(self.svg(theme, legend=legend), title=self.title, words=self.words(), dpi=dpi)

    def pdf(self, theme: str = "light", *, legend: bool = True) -> bytes:
        """The picture as a PDF page of its size: lines and text, no pixels.

        Raises
        ------
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        return document.pdf(self.svg(theme, legend=legend), title=self.title, words=self.words())

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
        """Write the picture to a file; the suffix gives the format.

        Raises
        ------
        InputError
            When the suffix is no format, or the file cannot be written.
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
