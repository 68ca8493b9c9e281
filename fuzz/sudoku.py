"""Sudokus with boxes of 1xN, 2x2, 2x3 and 3x2."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from fuzz.naive import Naive, Rule, clues_of, distinct, grid_cells, rows_and_columns
from fuzz.puzzle import PuzzleCampaign, clued, emptier, pattern

BOXES = [(1, 2), (1, 3), (3, 1), (1, 4), (1, 5), (2, 2), (2, 2), (2, 2), (2, 2), (2, 3), (3, 2)]


class Sudokus(PuzzleCampaign):
    """Rows, columns and boxes hold each value once."""

    name = "sudoku"

    def form(self, chance: Random) -> dict[str, Any]:
        height, width = chance.choice(BOXES)
        size = height * width
        solved = [[(width * (r % height) + r // height + c) % size + 1 for c in range(size)] for r in range(size)]
        open_cells = chance.randint(0, 9 if size > 5 else 11 if size > 4 else 16)
        return {"box": [height, width], "grid": clued(chance, pattern(chance, solved), open_cells, range(1, size + 1))}

    def naive(self, form: dict[str, Any]) -> Naive:
        height, width = form["box"]
        size = height * width
        rules = rows_and_columns(size)
        for down in range(size // height):
            for right in range(size // width):
                inside = tuple((down * height + r, right * width + c) for r, c in grid_cells(height, width))
                rules.append(Rule(f"box ({down + 1},{right + 1})", inside, distinct))
        return Naive(grid_cells(size, size), range(1, size + 1), lambda _: rules, clues_of(form["grid"]))

    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield from emptier(form)

    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]]:
        height, width = form["box"]
        return height * width, {"box": f"{height}x{width}"}
