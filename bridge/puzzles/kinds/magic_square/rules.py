"""The rules of a magic square: all values different, all lines with the same sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bridge.puzzles.kinds.rules import Cell, Check, Checker, Rule, Value, cell_name, distinct


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


def implied(order: int, semi: bool) -> dict[str, tuple[Cell, ...]]:
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
def magic_rules(order: int, semi: bool, symmetry: str) -> tuple[Rule, ...]:
    """`all different`, then `sum of row 1`, `sum of column 1`, `sum of diagonal 1`, then `r1c1 < r1c4`."""
    everywhere = tuple((r, c) for r in range(1, order + 1) for c in range(1, order + 1))
    adds_up = _adding_up_to(magic_sum(order), order**2)
    less = _less(order**2)
    return (
        Rule("all different", everywhere, distinct),
        *(Rule(name, cells, adds_up) for name, cells in magic_lines(order, semi).items()),
        *(Rule(less_name(x, y), (x, y), less) for x, y in ordered_cells(order, semi, symmetry)),
    )


@lru_cache(maxsize=32)
def magic_checker(order: int, semi: bool, symmetry: str) -> Checker:
    return Checker(magic_rules(order, semi, symmetry), order, order, range(1, order**2 + 1))


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


def _less(greatest: int) -> Check:
    """The first of two values is less. One alone violates it if no value is below, or above, it."""

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        first, second = values
        if isinstance(first, int) and isinstance(second, int):
            return None if first < second else (0, 1)
        if first == greatest:
            return (0,)
        return (1,) if second == 1 else None

    return check


def less_name(x: Cell, y: Cell) -> str:
    return f"{cell_name(x)} < {cell_name(y)}"
