"""A picture of a puzzle: a scene with methods that draw it.

`bridge.puzzles.render.scene` has the contents; `bridge.puzzles.render.svg`, `bridge.puzzles.render.terminal` and
`bridge.puzzles.render.words` draw them, and `bridge.puzzles.render.views` makes pictures of results.

    >>> from bridge.puzzles.kinds import parse
    >>> from bridge.puzzles.render import instance
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

from bridge.drawing.drawable import Drawable
from bridge.drawing.themes import theme_named
from bridge.puzzles.render import svg, terminal, words
from bridge.puzzles.render.scene import Scene


@dataclass(frozen=True, slots=True)
class Picture(Scene, Drawable):
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

    def __str__(self) -> str:
        return self.text()
