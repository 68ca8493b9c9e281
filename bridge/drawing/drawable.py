"""What can be drawn: its formats, and how it is written to files and shown in notebooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from bridge.common.files import format_of, write_whole
from bridge.drawing import document
from bridge.errors import InputError

#: The formats of `save` and `render`, by the suffix of a file.
FORMATS = ("svg", "png", "pdf", "txt")


class Drawable(ABC):
    """Draws itself as SVG, in characters and in words; the other formats follow from these."""

    __slots__ = ()

    title: str

    @abstractmethod
    def words(self) -> str:
        """The picture in words."""

    @abstractmethod
    def text(self, *, colour: bool = False) -> str:
        """The picture in characters; with `colour`, ANSI escapes as well."""

    @abstractmethod
    def svg(self, theme: str = "light", *, legend: bool = True) -> str:
        """The picture as a standalone SVG document."""

    def png(self, theme: str = "light", *, legend: bool = True, dpi: float = 192) -> bytes:
        """The picture as PNG.

        Raises
        ------
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        return document.page(self.svg(theme, legend=legend), self.title, self.words(), format="png", ppi=dpi)

    def pdf(self, theme: str = "light", *, legend: bool = True) -> bytes:
        """The picture as a PDF page of its size: lines and text, no pixels.

        Raises
        ------
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        return document.page(self.svg(theme, legend=legend), self.title, self.words(), format="pdf")

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
            When the suffix is not a format, or the file cannot be written.
        OutputError
            When the system fails to write it.
        UnsupportedError
            When the format needs the extra `pictures`.
        """
        write_whole(file, self.render(format_of(file), theme, legend=legend))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.text())

    def __str__(self) -> str:
        return self.text()
