"""Magic square: the numbers 1 to n², each once; every row, every column and both diagonals have the same sum.

That sum is n(n² + 1)/2: 15, 34, 65, 111 for the orders 3 to 6. Of squares that are images of each other,

- `symmetry reduced` takes that of the 8 squares that turning and mirroring make of one in which the corner at the top
  left is the least of the four, and that at the top right is less than that at the bottom left;
- `symmetry permuted`: of those squares, too, that a permutation of the rows and the columns makes of each other. It is
  the same for both, and takes rows that are equally far from the middle to such rows, so that diagonals stay what they
  are: 32 squares of order 4 or 5, 192 of order 6. Of semi-magic squares, any permutations: (n!)² · 2 squares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import factorial
from operator import lt
from typing import TYPE_CHECKING, Any

from bridge.puzzles.kinds.latin import LatinModels, less_than
from bridge.puzzles.kinds.latin.number_square import NumberSquare
from bridge.puzzles.kinds.models import ClpForm
from bridge.puzzles.kinds.rules import Cell, Check, Checker, Grid, Rule, Value, cell_name, distinct
from bridge.puzzles.kinds.symmetry import Reduction, diagonals_kept, permuted

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP


class MagicSquare(NumberSquare):
    """One magic square, empty or partly filled."""

    @property
    def semi(self) -> bool:
        """Whether the diagonals may have any sum."""
        return self.settings["variant"] == "semi"

    @property
    def symmetry(self) -> str:
        """Which of the squares that are images of each other count: `all`, `reduced` or `permuted`."""
        return self.settings["symmetry"]

    @property
    def magic_sum(self) -> int:
        return magic_sum(self.size)

    def rules(self) -> tuple[Rule, ...]:
        return _rules(self.size, self.semi, self.symmetry)

    def _checker(self) -> Checker:
        return _checker(self.size, self.semi, self.symmetry)


def magic_sum(order: int) -> int:
    """The sum of every line: 1 + 2 + ... + n², divided by the number of rows."""
    return order * (order**2 + 1) // 2


def magic_lines(order: int, semi: bool) -> dict[str, tuple[Cell, ...]]:
    """The lines that have the magic sum, by name: rows, columns, diagonals (the first begins at the top left)."""
    index = range(1, order + 1)
    found = {f"sum of row {r}": tuple((r, c) for c in index) for r in index}
    found |= {f"sum of column {c}": tuple((r, c) for r in index) for c in index}
    if not semi:
        found["sum of diagonal 1"] = tuple((i, i) for i in index)
        found["sum of diagonal 2"] = tuple((i, order + 1 - i) for i in index)
    return found


def _implied(order: int, semi: bool) -> dict[str, tuple[Cell, ...]]:
    """Other sets of cells with the magic sum, which follow from the rules: in order 4, the corners and the middle.

    Both diagonals and the outer rows, less the inner columns, leave the corners twice: so these are half of 4 - 2 sums.
    The diagonals less the corners leave the middle.
    """
    if order != 4 or semi:
        return {}
    return {
        "sum of corners": ((1, 1), (1, 4), (4, 1), (4, 4)),
        "sum of middle": ((2, 2), (2, 3), (3, 2), (3, 3)),
    }


def ordered_cells(order: int, semi: bool, symmetry: str) -> tuple[tuple[Cell, Cell], ...]:
    """Pairs of cells of which the first is less: true of exactly one square of those that are images of each other.

    `reduced`: turned and mirrored. `permuted`: with rows and columns in another order, too (`images`).
    """
    n = order
    if symmetry == "all" or n == 1:
        return ()
    corners = ((1, 1), (1, n)), ((1, n), (n, 1)), ((1, 1), (n, n))
    if symmetry == "reduced":
        return corners
    if semi:  # the least value in the first row and column, and these in order
        first = [((1, i), (1, i + 1)) for i in range(1, n)] + [((i, 1), (i + 1, 1)) for i in range(1, n)]
        inner = [((1, 1), (r, c)) for r in range(2, n + 1) for c in range(2, n + 1)]
        return (*first, ((1, 2), (2, 1)), *inner)
    outer = [i for i in range(1, n + 1) if 2 * i != n + 1]  # in odd order, the middle stays
    diagonal = [((k, k), (i, i)) for k in outer[: n // 2] for i in outer if k < i <= n + 1 - k]
    return (*diagonal, *(((1, 1), (i, n + 1 - i)) for i in outer), ((1, n), (n, 1)))


@lru_cache(maxsize=32)
def _rules(order: int, semi: bool, symmetry: str) -> tuple[Rule, ...]:
    """`all different`, then `sum of row 1`, `sum of column 1`, `sum of diagonal 1`, then `r1c1 < r1c4`."""
    everywhere = tuple((r, c) for r in range(1, order + 1) for c in range(1, order + 1))
    adds_up = _adding_up_to(magic_sum(order), order**2)
    less = less_than(order**2)
    return (
        Rule("all different", everywhere, distinct),
        *(Rule(name, cells, adds_up) for name, cells in magic_lines(order, semi).items()),
        *(Rule(_less_name(x, y), (x, y), less) for x, y in ordered_cells(order, semi, symmetry)),
    )


@lru_cache(maxsize=32)
def _checker(order: int, semi: bool, symmetry: str) -> Checker:
    return Checker(_rules(order, semi, symmetry), order, order, range(1, order**2 + 1))


def _adding_up_to(total: int, greatest: int) -> Check:
    """The values, from 1 to the greatest, add up to the total; violated by all given cells when they no longer can.

    Only the sum is checked: that open cells hold different values is another rule.
    """

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        given = [position for position, value in enumerate(values) if value is not None]
        missing = total - sum(value for value in values if isinstance(value, int))
        unknown = len(values) - len(given)
        return None if unknown <= missing <= unknown * greatest else tuple(given)

    return check


def _less_name(x: Cell, y: Cell) -> str:
    return f"{cell_name(x)} < {cell_name(y)}"


#: The squares that turning and mirroring make of one.
TURNED = 8


class MagicSquareModels(LatinModels[MagicSquare]):
    """The forms of one magic square for solvers."""

    assumed = 5
    encoding = "magic_square/magic_square.lp"
    #: All of order 4: 4 s in place of 9 by default; 23 partial squares of order 9 (CSPLib 19): 38 in place of 60.
    solver = large_solver = ("--configuration=crafty",)

    def symmetric(self) -> Reduction[MagicSquare] | None:
        """For an empty square: images of a permuted one (`permuted`) are different squares, as all values differ."""
        puzzle, semi, size = self.puzzle, self.puzzle.semi, self.puzzle.size
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

        return Reduction(puzzle.with_setting("symmetry", "permuted"), factor, images)

    def clp(self) -> ClpForm:
        post = "semi_magic_square(Rows)" if self.puzzle.semi else "magic_square(Rows)"
        if self.puzzle.symmetry != "all":
            semi = "semi_" if self.puzzle.symmetry == "permuted" and self.puzzle.semi else ""
            post += f", {semi}{self.puzzle.symmetry}(Rows)"
        # The diagonals first: they meet every row and every column.
        label = "diagonals_first(Rows, Cells), labeling([ff], Cells)"
        return ClpForm("magic_square/magic_square.pl", post, label)

    def csp(self) -> CSP:
        puzzle = self.puzzle
        return _empty(puzzle.size, puzzle.semi, puzzle.symmetry).narrowed(self.clue_domains())


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
    sums = magic_lines(size, semi) | _implied(size, semi)
    constraints += [Sum(line, magic_sum(size), name) for name, line in sums.items()]
    constraints += [Binary(x, y, lt, _less_name(x, y)) for x, y in ordered_cells(size, semi, symmetry)]
    return CSP(dict.fromkeys(cells, values), constraints)
