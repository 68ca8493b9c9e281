"""The rules of a Takuzu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from bridge.puzzles.kinds.rules import Cell, Check, Checker, Rule, Value


def balanced(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """Neither value has more than half of the line, rounded up."""
    for value in (0, 1):
        if values.count(value) > (len(values) + 1) // 2:
            return tuple(position for position, one in enumerate(values) if one == value)
    return None


def no_three_alike(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """No three neighbours have the same value; violated by the first three."""
    for start, (one, second, third) in enumerate(zip(values, values[1:], values[2:], strict=False)):
        if one == second == third is not None:
            return start, start + 1, start + 2
    return None


def halves_differ(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """The first half of the cells, one line, is not the same as the second, another line."""
    half = len(values) // 2
    if None in values or values[:half] != values[half:]:
        return None
    return tuple(range(len(values)))


def _all_lines(height: int, width: int) -> dict[str, list[tuple[Cell, ...]]]:
    rows = [tuple((r, c) for c in range(1, width + 1)) for r in range(1, height + 1)]
    return {"row": rows, "column": list(zip(*rows, strict=True))}


@lru_cache(maxsize=32)
def line_rules(height: int, width: int, distinct: bool) -> tuple[Rule, ...]:
    """For rows, then for columns: `row 3: balance`, `row 3: no three alike`; then `rows 2 and 5 differ`."""
    of_each: list[tuple[str, Check]] = [("balance", balanced), ("no three alike", no_three_alike)]
    found = []
    for name, lines in _all_lines(height, width).items():
        for number, line in enumerate(lines, 1):
            found += [Rule(f"{name} {number}: {what}", line, check) for what, check in of_each]
    if distinct:
        for name, lines in _all_lines(height, width).items():
            for (i, one), (j, other) in combinations(enumerate(lines, 1), 2):
                found.append(Rule(f"{name}s {i} and {j} differ", one + other, halves_differ))
    return tuple(found)


@lru_cache(maxsize=32)
def line_checker(height: int, width: int) -> Checker:
    """Checks all rules but those that lines differ, of which there are very many."""
    return Checker(line_rules(height, width, distinct=False), height, width, (0, 1))
