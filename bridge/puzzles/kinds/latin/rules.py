"""The rules that the Latin family shares: no value twice in a row or a column."""

from __future__ import annotations

from functools import lru_cache

from bridge.puzzles.kinds.rules import Rule, distinct


@lru_cache(maxsize=32)
def rows_and_columns(size: int) -> tuple[Rule, ...]:
    """`row 1` to `row n`, then `column 1` to `column n`: no value twice."""
    index = range(1, size + 1)
    rows = [Rule(f"row {r}", tuple((r, c) for c in index), distinct) for r in index]
    return (*rows, *(Rule(f"column {c}", tuple((r, c) for r in index), distinct) for c in index))
