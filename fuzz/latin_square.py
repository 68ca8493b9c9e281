"""Latin squares of order 1 to 5, plain, diagonal and reduced."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from fuzz.naive import Naive, Rule, Values, clues_of, distinct, grid_cells, rows_and_columns
from fuzz.puzzle import PuzzleCampaign, clued, emptier, pattern


class LatinSquares(PuzzleCampaign):
    """Rows and columns hold each value once."""

    name = "latin-square"

    def form(self, chance: Random) -> dict[str, Any]:
        size = chance.choice([1, 2, 3, 3, 4, 4, 4, 5, 5])
        variant = chance.choice(["plain", "diagonal", "reduced"])
        solved = [[(r + c) % size + 1 for c in range(size)] for r in range(size)]
        if variant != "reduced":
            solved = pattern(chance, solved)
        open_cells = chance.randint(0, 12 if size > 4 else 16)
        return {"variant": variant, "grid": clued(chance, solved, open_cells, range(1, size + 1))}

    def naive(self, form: dict[str, Any]) -> Naive:
        size = len(form["grid"])
        index = range(1, size + 1)
        rules = rows_and_columns(size)
        if form["variant"] == "diagonal":
            rules.append(Rule("diagonal 1", tuple((i, i) for i in index), distinct))
            rules.append(Rule("diagonal 2", tuple((size + 1 - i, i) for i in index), distinct))
        if form["variant"] == "reduced":
            rules.append(Rule("row 1 in order", tuple((1, i) for i in index), _in_order))
            rules.append(Rule("column 1 in order", tuple((i, 1) for i in index), _in_order))
        return Naive(grid_cells(size, size), index, lambda _: rules, clues_of(form["grid"]))

    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if form["variant"] != "plain":
            yield {**form, "variant": "plain"}
        yield from emptier(form)

    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]]:
        return len(form["grid"]), {"variant": form["variant"]}


def _in_order(values: Values) -> bool:
    return all(value in (None, place) for place, value in enumerate(values, 1))
