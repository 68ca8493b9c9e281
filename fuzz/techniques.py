"""The examples of the solving techniques, mirrored, renamed, with fewer clues: each step of an explanation is true."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import bridge
from fuzz.campaign import campaign_class
from fuzz.naive import Naive
from fuzz.puzzle import PuzzleCampaign

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "techniques"

Form = dict[str, Any]


class TechniqueSteps(PuzzleCampaign):
    """Sudokus, Futoshikis and Takuzus that take some technique, and instances like them."""

    name = "techniques"
    weight = 1.5
    round = 1
    proving = 0.05

    checks = {"explain": 4, "grade": 2, "propagated": 1}  # noqa: RUF012

    def form(self, chance: Random) -> Form:
        form = chance.choice(_examples())
        form = _TURNS[form["puzzle"]](chance, form)
        grid = [list(row) for row in form["grid"]]
        given = [(r, c) for r, row in enumerate(grid) for c, value in enumerate(row) if value is not None]
        for r, c in chance.sample(given, min(len(given), chance.choice([0, 0, 0, 0, 0, 1]))):
            grid[r][c] = None
        return {**form, "grid": grid}

    def naive(self, form: Form) -> Naive:
        campaign = campaign_class(form["puzzle"])()
        assert isinstance(campaign, PuzzleCampaign)
        naive = campaign.naive(form)
        naive.most_nodes = 2000
        return naive

    def smaller_form(self, form: Form) -> Iterator[Form]:
        yield from ()

    def new(self, form: Form, chance: Random) -> None:
        return None


@cache
def _examples() -> list[Form]:
    found = []
    for file in sorted(EXAMPLES.glob("*.txt")):
        kind = file.read_text(encoding="utf-8").split(":")[0].removeprefix("# ")
        if kind in _TURNS:
            found.append({**bridge.puzzles.load(kind, file).to_json(), "puzzle": kind})
    return found


def _transposed(grid: list[list[Any]]) -> list[list[Any]]:
    return [list(row) for row in zip(*grid, strict=True)]


def _sudoku(chance: Random, form: Form) -> Form:
    """Rows and columns exchanged within bands, bands exchanged, values renamed."""
    height, width = form["box"]
    size = height * width

    def order(block: int) -> list[int]:
        bands = chance.sample(range(size // block), size // block)
        return [band * block + row for band in bands for row in chance.sample(range(block), block)]

    rows, columns = order(height), order(width)
    names = dict(zip(range(1, size + 1), chance.sample(range(1, size + 1), size), strict=True))
    grid = [[names.get(form["grid"][r][c]) for c in columns] for r in rows]
    if height == width and chance.random() < 0.5:
        grid = _transposed(grid)
    return {**form, "grid": grid}


def _futoshiki(chance: Random, form: Form) -> Form:
    """Mirrored; or each value exchanged with the one as far from the other end, and each inequality turned."""
    grid, less = form["grid"], [tuple(one) for one in form["less"]]
    size = len(grid)
    if chance.random() < 0.5:
        grid, less = _transposed(grid), [(c, r, j, i) for r, c, i, j in less]
    if chance.random() < 0.5:
        grid, less = grid[::-1], [(size + 1 - r, c, size + 1 - i, j) for r, c, i, j in less]
    if chance.random() < 0.5:
        grid = [[None if value is None else size + 1 - value for value in row] for row in grid]
        less = [(i, j, r, c) for r, c, i, j in less]
    return {**form, "grid": grid, "less": sorted(map(list, less))}


def _takuzu(chance: Random, form: Form) -> Form:
    """Mirrored, and with zeros and ones exchanged."""
    grid = form["grid"]
    if chance.random() < 0.5:
        grid = _transposed(grid)
    if chance.random() < 0.5:
        grid = grid[::-1]
    if chance.random() < 0.5:
        grid = [[None if value is None else 1 - value for value in row] for row in grid]
    return {**form, "grid": grid}


_TURNS = {"sudoku": _sudoku, "futoshiki": _futoshiki, "takuzu": _takuzu}
