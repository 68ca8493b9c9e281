"""Futoshikis of order 1 to 4 with inequalities between any two cells, in cycles and twice, too."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from fuzz.naive import Cell, Naive, Rule, ascending, clues_of, grid_cells, name_of, rows_and_columns
from fuzz.puzzle import PuzzleCampaign, clued, emptier, pattern


class Futoshikis(PuzzleCampaign):
    """A Latin square in which some cells hold less than others."""

    name = "futoshiki"

    def form(self, chance: Random) -> dict[str, Any]:
        size = chance.choice([1, 2, 3, 3, 4, 4, 4])
        solved = pattern(chance, [[(r + c) % size + 1 for c in range(size)] for r in range(size)])
        cells, less = grid_cells(size, size), set()
        beside = chance.random() < 0.6
        wrong = chance.choice([0, 0, 0, 0.2, 0.5])
        for _ in range(chance.randint(0, 8) if size > 1 else 0):
            one = chance.choice(cells)
            near = [cell for cell in cells if abs(cell[0] - one[0]) + abs(cell[1] - one[1]) == 1]
            other = chance.choice(near if beside else [cell for cell in cells if cell != one])
            rising = solved[one[0] - 1][one[1] - 1] < solved[other[0] - 1][other[1] - 1]
            if solved[one[0] - 1][one[1] - 1] == solved[other[0] - 1][other[1] - 1] and not wrong:
                continue
            if chance.random() < wrong:
                rising = not rising
            less.add((*one, *other) if rising else (*other, *one))
        open_cells = chance.randint(0, 14)
        grid = clued(chance, solved, open_cells, range(1, size + 1))
        return {"grid": grid, "less": sorted(map(list, less))}

    def naive(self, form: dict[str, Any]) -> Naive:
        size = len(form["grid"])
        rules = rows_and_columns(size)
        for r, c, r1, c1 in form["less"]:
            rules.append(Rule(_name((r, c), (r1, c1)), ((r, c), (r1, c1)), ascending, given=True))
        return Naive(grid_cells(size, size), range(1, size + 1), lambda _: rules, clues_of(form["grid"]))

    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for index in range(len(form["less"])):
            yield {**form, "less": form["less"][:index] + form["less"][index + 1 :]}
        yield from emptier(form)

    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]]:
        return len(form["grid"]), {}


def _name(smaller: Cell, greater: Cell) -> str:
    if smaller < greater:
        return f"{name_of(smaller)} < {name_of(greater)}"
    return f"{name_of(greater)} > {name_of(smaller)}"
