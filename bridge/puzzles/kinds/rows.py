"""Reading a grid from Python values: lists of lists, NumPy arrays, pandas tables.

None, NaN, `"."` and its like are open cells. Digits in a text are a number, and so is a float without a fraction.

>>> cells_of([[1, "."], ["2", None]], None)
[[1, None], [2, None]]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bridge.errors import InputError, Place

_OPEN = frozenset(["", ".", "_", "*"])


def cells_of(rows: Any, where: Place | None) -> list[list[Any]]:
    """The cells of rows, as the JSON form has them.

    NumPy is not imported: its arrays and scalars have methods that return plain values.
    """
    hint = "as in [[1, 0], [0, 2]]"
    for convert in ("to_numpy", "tolist"):
        if callable(method := getattr(rows, convert, None)):
            rows = method()
    if not isinstance(rows, Iterable) or isinstance(rows, str | bytes):
        raise InputError(f"a grid is a list of rows, not {rows!r}", where=where, hint=hint)
    found = []
    for r, row in enumerate(rows, 1):
        if callable(method := getattr(row, "tolist", None)):
            row = method()
        if not isinstance(row, Iterable) or isinstance(row, bytes):
            raise InputError(f"row {r} is {row!r}, not a list of cells", where=where, hint=hint)
        found.append([_cell(value, r, c, where) for c, value in enumerate(row, 1)])
    return found


def _cell(value: Any, r: int, c: int, where: Place | None) -> Any:
    if callable(method := getattr(value, "item", None)):  # a NumPy scalar
        value = method()
    if isinstance(value, str):
        text = value.strip()
        if text in _OPEN:
            return None
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
    if isinstance(value, float):
        if value != value:  # NaN
            return None
        return int(value) if value.is_integer() else value
    if value is not None and not isinstance(value, int):
        raise InputError(f"row {r}, column {c}: {value!r} is not the value of a cell", where=where)
    return value
