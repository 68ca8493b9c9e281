"""Magic squares of order 1 to 4: magic and semi-magic, all of them and those up to symmetry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from fuzz.naive import Cell, Naive, Rule, Values, ascending, clues_of, distinct, grid_cells, name_of
from fuzz.puzzle import PuzzleCampaign, clued, emptier

SOLVED = {
    1: [[1]],
    2: [[1, 2], [4, 3]],  # there is none: something to diagnose
    3: [[2, 7, 6], [9, 5, 1], [4, 3, 8]],
    4: [[16, 3, 2, 13], [5, 10, 11, 8], [9, 6, 7, 12], [4, 15, 14, 1]],
}


class MagicSquares(PuzzleCampaign):
    """The numbers 1 to n², each once; lines have the same sum."""

    name = "magic-square"
    round = 4

    def form(self, chance: Random) -> dict[str, Any]:
        size = chance.choice([1, 2, 3, 3, 3, 3, 3, 4])
        solved = SOLVED[size]
        for _ in range(chance.randrange(4)):
            solved = [list(row) for row in zip(*solved[::-1], strict=True)]
        if chance.random() < 0.5:
            solved = solved[::-1]
        variant, symmetry = chance.choice(["magic", "semi"]), chance.choice(["all", "reduced", "permuted"])
        open_cells = chance.randint(0, 5 if size == 4 else 9 if variant == "magic" else 6)
        grid = clued(chance, solved, open_cells, range(1, size**2 + 1))
        return {"variant": variant, "symmetry": symmetry, "grid": grid}

    def naive(self, form: dict[str, Any]) -> Naive:
        size = len(form["grid"])
        index, cells = range(1, size + 1), tuple(grid_cells(size, size))
        adds_up = _adding_up_to(sum(range(1, size**2 + 1)) // size, size**2)
        lines: dict[str, tuple[Cell, ...]] = {f"row {r}": tuple((r, c) for c in index) for r in index}
        lines |= {f"column {c}": tuple((r, c) for r in index) for c in index}
        if form["variant"] == "magic":
            lines["diagonal 1"] = tuple((i, i) for i in index)
            lines["diagonal 2"] = tuple((i, size + 1 - i) for i in index)
        rules = [Rule("all different", cells, distinct)]
        rules += [Rule(f"sum of {name}", line, adds_up) for name, line in lines.items()]
        if form["symmetry"] == "reduced" and size > 1:
            for one, other in [((1, 1), (1, size)), ((1, size), (size, 1)), ((1, 1), (size, size))]:
                rules.append(Rule(f"{name_of(one)} < {name_of(other)}", (one, other), ascending))
        if form["symmetry"] == "permuted" and size > 1:
            for one, other in _permuted_semi(size) if form["variant"] == "semi" else _permuted(size):
                rules.append(Rule(f"{name_of(one)} < {name_of(other)}", (one, other), ascending))
        return Naive(cells, range(1, size**2 + 1), lambda _: rules, clues_of(form["grid"]))

    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if form["variant"] != "magic":
            yield {**form, "variant": "magic"}
        if form["symmetry"] != "all":
            yield {**form, "symmetry": "all"}
        yield from emptier(form)

    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]]:
        return min(len(form["grid"]), 3), {"variant": form["variant"], "symmetry": form["symmetry"]}


def _permuted(size: int) -> Iterator[tuple[Cell, Cell]]:
    """The first cell is the least of both diagonals, each next one that of the first diagonal up to its image."""
    last = size + 1
    inner = [i for i in range(1, last) if i != last - i]
    for i in inner:
        for j in inner:
            if i < j <= last - i:
                yield (i, i), (j, j)
    yield from (((1, 1), (i, last - i)) for i in inner)
    yield (1, size), (size, 1)


def _permuted_semi(size: int) -> Iterator[tuple[Cell, Cell]]:
    """The first row and column are in order, and the first cell is less than all that are in neither."""
    yield from (((1, i), (1, i + 1)) for i in range(1, size))
    yield from (((i, 1), (i + 1, 1)) for i in range(1, size))
    yield (1, 2), (2, 1)
    yield from (((1, 1), (i + 1, j + 1)) for i in range(1, size) for j in range(1, size))


def _adding_up_to(total: int, greatest: int) -> Callable[[Values], bool]:
    def may(values: Values) -> bool:
        given = [int(value) for value in values if value is not None]
        missing, unknown = total - sum(given), len(values) - len(given)
        return unknown <= missing <= unknown * greatest

    return may
