"""The rules of a Latin square and its variants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.rules import Checker, Rule, Value, distinct


@lru_cache(maxsize=32)
def variant_checker(variant: str, size: int) -> Checker:
    return Checker(rows_and_columns(size) + variant_rules(variant, size), size, size, range(1, size + 1))


@lru_cache(maxsize=32)
def variant_rules(variant: str, size: int) -> tuple[Rule, ...]:
    index = range(1, size + 1)
    if variant == "diagonal":
        falling, rising = tuple((i, i) for i in index), tuple((size + 1 - i, i) for i in index)
        return Rule("diagonal 1", falling, distinct), Rule("diagonal 2", rising, distinct)
    if variant == "reduced":
        row, column = tuple((1, i) for i in index), tuple((i, 1) for i in index)
        return Rule("row 1 in order", row, _in_order), Rule("column 1 in order", column, _in_order)
    return ()


def _in_order(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """The values are 1, 2, 3, ...; violated by the first that differs."""
    return next(((i,) for i, value in enumerate(values) if value not in (None, i + 1)), None)
