"""Symmetries of a grid, and which cells they make one of.

- An **orbit** is a set of cells that the symmetry carries into each other: clues that are to look symmetric are given,
  or left out, an orbit at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bridge.errors import InputError, Place
from bridge.puzzles.rules import Cell

#: Where a cell goes in a grid of so many rows and columns.
Move = Callable[[Cell, int, int], Cell]

#: Each symmetry by its name: what it is, the move that it repeats, and whether the grid must be square.
_MOVES: dict[str, tuple[str, Move, bool]] = {
    "none": ("every cell for itself", lambda cell, height, width: cell, False),
    "rotate": ("by a half turn", lambda cell, height, width: (height + 1 - cell[0], width + 1 - cell[1]), False),
    "rotate4": ("by quarter turns", lambda cell, height, width: (cell[1], height + 1 - cell[0]), True),
    "mirror": ("left and right", lambda cell, height, width: (cell[0], width + 1 - cell[1]), False),
    "flip": ("above and below", lambda cell, height, width: (height + 1 - cell[0], cell[1]), False),
    "diagonal": ("about the diagonal from the top left", lambda cell, height, width: (cell[1], cell[0]), True),
}

#: The names, each with what it says.
SYMMETRIES = {name: meaning for name, (meaning, _, _) in _MOVES.items()}


def orbits(cells: Iterable[Cell], symmetry: str, height: int, width: int) -> list[tuple[Cell, ...]]:
    """The orbits of these cells, in reading order of the first of each; a cell carried to none of them is left out.

    Raises
    ------
    InputError
        When there is no such symmetry, or a grid that is not square cannot have it.
    """
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
