"""The rules of a Futoshiki: those of a Latin square, and its inequalities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter

from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.rules import Cell, Check, Checker, Rule, Value, Violation, cell_name

#: The first cell holds less than the second.
Inequality = tuple[Cell, Cell]


@lru_cache(maxsize=4096)
def written(smaller: Cell, greater: Cell) -> str:
    """An inequality with its cells in reading order: `r1c2 > r1c3`."""
    if smaller < greater:
        return f"{cell_name(smaller)} < {cell_name(greater)}"
    return f"{cell_name(greater)} > {cell_name(smaller)}"


@lru_cache(maxsize=32)
def latin_checker(size: int) -> Checker:
    return Checker(rows_and_columns(size), size, size, range(1, size + 1))


@lru_cache(maxsize=32)
def inequality_rules(size: int, less: tuple[Inequality, ...]) -> tuple[Rule, ...]:
    """A rule for each inequality, `r1c2 > r1c3`, its cells in reading order."""
    rising, falling = _rising(size), _rising(size, backwards=True)
    return tuple(
        Rule(written(smaller, greater), (min(smaller, greater), max(smaller, greater)), check, given=True)
        for smaller, greater in less
        for check in [rising if smaller < greater else falling]
    )


def _rising(size: int, *, backwards: bool = False) -> Check:
    """The first of two values is less than the second; or backwards, the second less than the first."""

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        smaller, greater = reversed(values) if backwards else values
        if isinstance(smaller, int) and isinstance(greater, int):
            return None if smaller < greater else (0, 1)
        if smaller == size or greater == 1:  # nothing is left for the open one
            return (0,) if values[0] is not None else (1,)
        return None

    return check


def endless(size: int, less: Iterable[Inequality]) -> list[Violation]:
    """A cycle of inequalities, or a chain of more cells than there are values. At most one is returned."""
    smaller_than: dict[Cell, set[Cell]] = {}
    for smaller, greater in less:
        smaller_than.setdefault(greater, set()).add(smaller)
    try:
        ascending = tuple(TopologicalSorter(smaller_than).static_order())
    except CycleError as error:
        cycle = error.args[1][:-1]
        start = cycle.index(min(cycle))
        cycle = [*cycle[start:], *cycle[:start]]
        name = " < ".join(map(cell_name, [*cycle, cycle[0]]))
        return [Violation(name, tuple(cycle), f"the inequalities go round in a cycle: {name}")]
    chain: dict[Cell, list[Cell]] = {}  # the longest that ends in a cell
    for cell in ascending:
        chain[cell] = [*max((chain[other] for other in sorted(smaller_than.get(cell, ()))), key=len, default=[]), cell]
        if len(chain[cell]) > size:
            name = " < ".join(map(cell_name, chain[cell]))
            message = f"a chain of {len(chain[cell])} cells, but only {size} values: {name}"
            return [Violation(name, tuple(chain[cell]), message)]
    return []
