"""The forms of a magic square for solvers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import factorial
from operator import lt
from typing import TYPE_CHECKING, Any

from bridge.puzzles.kinds.latin.models import LatinModels
from bridge.puzzles.kinds.magic_square import MagicSquare
from bridge.puzzles.kinds.magic_square.rules import implied, less_name, magic_lines, magic_sum, ordered_cells
from bridge.puzzles.kinds.models import ClpForm
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.symmetry import Reduction, diagonals_kept, permuted

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP

#: The squares that turning and mirroring make of one.
TURNED = 8


class MagicSquareModels(LatinModels[MagicSquare]):
    """The forms of one magic square."""

    assumed = 5
    encoding = "magic_square/magic_square.lp"
    #: All of order 4: 4 s in place of 9 by default; 23 partial squares of order 9 (CSPLib 19): 38 in place of 60.
    solver = large_solver = ("--configuration=crafty",)

    def symmetric(self) -> Reduction[MagicSquare] | None:
        """For an empty square: images of a permuted one (`SETTINGS`) are different squares, as all values differ."""
        puzzle, semi, size = self.puzzle, self.puzzle.variant == "semi", self.puzzle.size
        if size == 1 or puzzle.symmetry == "permuted" or puzzle.clues():
            return None
        half = size // 2
        factor = 2 * factorial(size) ** 2 if semi else 4 * 2**half * factorial(half)
        less = [((r - 1, c - 1), (i - 1, j - 1)) for (r, c), (i, j) in ordered_cells(size, semi, puzzle.symmetry)]
        if less:
            factor //= TURNED

        def images(grid: Grid) -> Iterator[Grid]:
            full: Any  # its cells have numbers
            for full in permuted(grid) if semi else diagonals_kept(grid):
                if all(full[r][c] < full[i][j] for (r, c), (i, j) in less):
                    yield full

        return Reduction(replace(puzzle, symmetry="permuted"), factor, images)

    def clp(self) -> ClpForm:
        post = "semi_magic_square(Rows)" if self.puzzle.variant == "semi" else "magic_square(Rows)"
        if self.puzzle.symmetry != "all":
            semi = "semi_" if self.puzzle.symmetry == "permuted" and self.puzzle.variant == "semi" else ""
            post += f", {semi}{self.puzzle.symmetry}(Rows)"
        # The diagonals first: they meet every row and every column.
        label = "diagonals_first(Rows, Cells), labeling([ff], Cells)"
        return ClpForm("magic_square/magic_square.pl", post, label)

    def csp(self) -> CSP:
        puzzle = self.puzzle
        return _empty(puzzle.size, puzzle.variant == "semi", puzzle.symmetry).narrowed(self.clue_domains())


@lru_cache(maxsize=32)
def _empty(size: int, semi: bool, symmetry: str) -> CSP:
    """The empty square, the base of all instances of a shape.

    The diagonals come first, as they meet every row and every column; of the values those farthest from the middle,
    since they are the hardest to place: order 6 takes `mac+mrv+degree` 159 nodes, and 105,722 row by row from 1 on.
    """
    from bridge.puzzles.search import CSP, AllDifferent, Binary, Constraint, Sum

    index = range(1, size + 1)
    cells = [(r, c) for r in index for c in index]
    cells.sort(key=lambda cell: -(cell[0] == cell[1]) - (sum(cell) == size + 1))
    values = sorted(range(1, size**2 + 1), key=lambda value: -abs(2 * value - size**2 - 1))
    constraints: list[Constraint] = [AllDifferent(cells, "all different")]
    sums = magic_lines(size, semi) | implied(size, semi)
    constraints += [Sum(line, magic_sum(size), name) for name, line in sums.items()]
    constraints += [Binary(x, y, lt, less_name(x, y)) for x, y in ordered_cells(size, semi, symmetry)]
    return CSP(dict.fromkeys(cells, values), constraints)
