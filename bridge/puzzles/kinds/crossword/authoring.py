"""How new crosswords are made: random grids, then a fill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.authoring import Authoring
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.crossword.grid import random_grid, read_request
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.rules import Cell, Grid
from bridge.puzzles.kinds.seeded_random import SeededRandom


class CrosswordAuthoring(Authoring[Crossword]):
    """Makes crosswords. The symmetry is that of the black cells."""

    options: ClassVar[Mapping[str, Option]] = {
        "black": Option("the share of black cells, 0.17 unless said; all white cells hang together"),
        "shortest": Option("the least length of a slot, 3 unless said"),
        "checked": Option("no: a letter may be in one slot only"),
    }

    def blanks(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], Crossword]:
        """Returns a function that makes instances with random grids (`bridge.puzzles.kinds.crossword.grid`)."""
        if options.get("reading", "slots") != "slots":
            raise InputError("new crosswords are for the reading `slots` only", where=Place("--option"))
        if "words" not in options:
            raise InputError("a crossword needs a list of words", hint="name its file: --words LIST")
        grid = self.grids(rows, columns, options, symmetry)
        return lambda random: self.cls.made(grid(random), options, Place("--size"))

    def grids(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], Grid]:
        request = read_request(rows, columns, options, symmetry)
        return lambda random: random_grid(request, random)

    def orbits(self, puzzle: Crossword, symmetry: str | None) -> list[tuple[Cell, ...]]:
        """Each cell by itself: only the black cells are symmetric."""
        return [(cell,) for cell in puzzle.cells()]
