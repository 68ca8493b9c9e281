"""Takuzus of even and odd sizes, square or not, with lines that differ or may be equal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from fuzz.naive import Cell, Naive, Rule, Values, clues_of, grid_cells
from fuzz.puzzle import PuzzleCampaign, clued, emptier


class Takuzus(PuzzleCampaign):
    """Lines are balanced, no three alike, no two equal."""

    name = "takuzu"

    def form(self, chance: Random) -> dict[str, Any]:
        rows = chance.choice([1, 2, 2, 3, 3, 4, 4, 4, 5, 6])
        columns = rows if chance.random() < 0.5 else chance.choice([1, 2, 3, 4, 5, 6])
        lines = chance.choice(["distinct", "distinct", "repeat"])
        empty = {"lines": lines, "grid": [[None] * columns for _ in range(rows)]}
        solved = [[chance.randrange(2) for _ in range(columns)] for _ in range(rows)]
        naive = self.naive(empty)
        # A random solution, if some clues of a random grid have one.
        for kept in (3, 2, 1, 0):
            clues = {cell: solved[cell[0] - 1][cell[1] - 1] for cell in chance.sample(naive.cells, min(kept, rows))}
            if found := naive.solutions(clues, most=4):
                held = chance.choice(found)
                solved = [[int(held[r, c]) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
                break
        open_cells = chance.randint(0, 16)
        return {"lines": lines, "grid": clued(chance, solved, open_cells, range(2))}

    def naive(self, form: dict[str, Any]) -> Naive:
        rows, columns = len(form["grid"]), len(form["grid"][0])
        across = [tuple((r, c) for c in range(1, columns + 1)) for r in range(1, rows + 1)]
        down = [tuple((r, c) for r in range(1, rows + 1)) for c in range(1, columns + 1)]
        rules = [*_lines("row", across), *_lines("column", down)]
        if form["lines"] == "distinct":
            rules += [*_differing("row", across), *_differing("column", down)]
        return Naive(grid_cells(rows, columns), range(2), lambda _: rules, clues_of(form["grid"]))

    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if len(form["grid"]) > 1:
            yield {**form, "grid": form["grid"][:-1]}
            yield {**form, "grid": form["grid"][1:]}
        if len(form["grid"][0]) > 1:
            yield {**form, "grid": [row[:-1] for row in form["grid"]]}
            yield {**form, "grid": [row[1:] for row in form["grid"]]}
        if form["lines"] != "distinct":
            yield {**form, "lines": "distinct"}
        yield from emptier(form)

    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]]:
        return (len(form["grid"]), len(form["grid"][0])), {"lines": form["lines"]}


def _lines(name: str, lines: list[tuple[Cell, ...]]) -> Iterator[Rule]:
    for number, line in enumerate(lines, 1):
        yield Rule(f"{name} {number}: balance", line, _balanced)
        yield Rule(f"{name} {number}: no three alike", line, _no_three_alike)


def _differing(name: str, lines: list[tuple[Cell, ...]]) -> Iterator[Rule]:
    for (i, one), (j, other) in combinations(enumerate(lines, 1), 2):
        yield Rule(f"{name}s {i} and {j} differ", one + other, _halves_differ)


def _balanced(values: Values) -> bool:
    half = -(-len(values) // 2)
    return values.count(0) <= half and values.count(1) <= half


def _no_three_alike(values: Values) -> bool:
    return not any(values[i] == values[i + 1] == values[i + 2] != None for i in range(len(values) - 2))  # noqa: E711


def _halves_differ(values: Values) -> bool:
    half = len(values) // 2
    return None in values or values[:half] != values[half:]
