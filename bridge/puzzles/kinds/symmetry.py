"""Symmetries of a grid: the orbits of its cells, and the images of its solutions.

- An **orbit** is a set of cells that the symmetry maps to each other: symmetric clues are given, or left out, an orbit
  at a time.
- The **images** of a solution are its values under the symmetries of an instance; they are solutions, too.
- A **reduction** is an instance with one solution of each set of images. All others can be computed from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from operator import itemgetter
from typing import Generic, TypeVar

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.rules import Cell, Grid

P = TypeVar("P")

#: Maps a cell, given the numbers of rows and columns of its grid.
Move = Callable[[Cell, int, int], Cell]

#: Each symmetry by its name: its description, the move that generates it, and whether the grid must be square.
_MOVES: dict[str, tuple[str, Move, bool]] = {
    "none": ("every cell for itself", lambda cell, height, width: cell, False),
    "rotate": ("by a half turn", lambda cell, height, width: (height + 1 - cell[0], width + 1 - cell[1]), False),
    "rotate4": ("by quarter turns", lambda cell, height, width: (cell[1], height + 1 - cell[0]), True),
    "mirror": ("left and right", lambda cell, height, width: (cell[0], width + 1 - cell[1]), False),
    "flip": ("above and below", lambda cell, height, width: (height + 1 - cell[0], cell[1]), False),
    "diagonal": ("about the diagonal from the top left", lambda cell, height, width: (cell[1], cell[0]), True),
}

#: The names, each with a description.
SYMMETRIES = {name: meaning for name, (meaning, _, _) in _MOVES.items()}


def orbits(cells: Iterable[Cell], symmetry: str, height: int, width: int) -> list[tuple[Cell, ...]]:
    """The orbits of these cells, by the first of each; cells that are not mapped to them are left out."""
    if symmetry not in _MOVES:
        raise InputError(f"there is no symmetry {symmetry!r}", hint=f"one of: {', '.join(_MOVES)}")
    _, move, square = _MOVES[symmetry]
    if square and height != width:
        raise InputError(
            f"a grid of {height}x{width} is not square: it cannot have the symmetry {symmetry}",
            where=Place("--symmetry"),
        )
    left = dict.fromkeys(cells)
    found = []
    while left:
        cell = next(iter(left))
        orbit = []
        while cell in left:
            del left[cell]
            orbit.append(cell)
            cell = move(cell, height, width)
        found.append(tuple(sorted(orbit)))
    return found


@dataclass(frozen=True, slots=True)
class Reduction(Generic[P]):
    """An instance each of whose solutions stands for `factor` solutions of another instance, which has more.

    `images` returns all that a solution stands for, itself first, each once. No two solutions have an image in common.
    """

    puzzle: P
    factor: int
    images: Callable[[Grid], Iterator[Grid]]


def diagonals_kept(grid: Grid) -> Iterator[Grid]:
    """The images of a square by all permutations of rows and columns, and by mirroring, that keep its two diagonals.

    Rows and columns are permuted alike, so that pairs of rows with the same distance from the middle stay pairs; then
    it is mirrored: 2 · 2 · 2^m · m! images, where m is half of the order, rounded down. Order 3: turned and mirrored.
    """
    order, half = len(grid), len(grid) // 2
    for chosen in permutations(range(half)):
        for exchanged in product((False, True), repeat=half):
            first = [order - 1 - i if other else i for i, other in zip(chosen, exchanged, strict=True)]
            places = [*first, *([half] if order % 2 else []), *(order - 1 - i for i in reversed(first))]
            take = itemgetter(*places)
            image = tuple(map(take, take(grid)))
            for one in (image, tuple(zip(*image, strict=True))):
                yield one
                yield one[::-1]


def permuted(grid: Grid) -> Iterator[Grid]:
    """A square of order n > 1 with its rows and its columns in every order, and mirrored at the diagonal: 2(n!)²."""
    for order in permutations(range(len(grid))):
        for rows in permutations(list(map(itemgetter(*order), grid))):
            yield rows
            yield tuple(zip(*rows, strict=True))


def rearranged(grid: Grid) -> Iterator[Grid]:
    """A square of order n > 1 with its columns, and its rows but the first, in every order: n!(n - 1)!."""
    for order in permutations(range(len(grid))):
        first, *others = map(itemgetter(*order), grid)
        for rows in permutations(others):
            yield (first, *rows)


def renamed(grid: Grid) -> Iterator[Grid]:
    """A grid with its values exchanged in every way: n! grids. The first row has to contain all n values."""
    for values in permutations(grid[0]):
        name = dict(zip(grid[0], values, strict=True)).__getitem__
        yield tuple([tuple(map(name, row)) for row in grid])
