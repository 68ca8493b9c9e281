"""Text and JSON forms of square grids of integers.

`.`, `0`, `_` and `*` are open cells; values above 9 are numbers between blanks, or letters: A is 10, B is 11. A
line `order 9` may stand before a grid. Values are 1 to n.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.rules import Cell, Grid, cell_name
from bridge.puzzles.kinds.text import OPEN, Line, Token, square

#: The largest size: larger than any that was printed, but small enough for memory if the file is wrong.
LARGEST = 64


def drawn(grid: Grid) -> list[list[str]]:
    """The cells as text, all of the same width."""
    shown = [["." if value is None else str(value) for value in row] for row in grid]
    width = max(len(value) for row in shown for value in row)
    return [[value.rjust(width) for value in row] for row in shown]


def take_settings(lines: Sequence[Line], names: Container[str]) -> tuple[dict[str, Token], list[Line]]:
    """The settings before a grid, lines such as `order 9`, each at most once; and the other lines."""
    settings: dict[str, Token] = {}
    for number, line in enumerate(lines):
        if len(line.words) != 2 or line.words[0].text not in names:
            return settings, list(lines[number:])
        name, value = line.words
        if name.text in settings:
            raise InputError(f"a second line `{name.text}`", where=name.place, hint="leave one of them out")
        settings[name.text] = value
    return settings, []


def checked_size(size: int, title: str, place: Place) -> int:
    """The size, when it is not too large."""
    if size > LARGEST:
        raise InputError(f"{size} rows are more than the {LARGEST} of the largest {title}", where=place)
    return size


def read_square(lines: Sequence[Line], order: Token | None, title: str, place: Place) -> Grid:
    """The grid of some lines, or where there are none, the empty one of an order that is set.

    Values are 1 to order.
    """
    if not lines and order is None:
        raise InputError("there are settings but no square", where=place, hint="write its rows, or a line `order 9`")
    size = None if order is None else _order(order, title)
    if size is not None and not lines:
        return ((None,) * size,) * size
    rows = square(lines)
    if order is not None and len(rows) != size:
        raise InputError(f"{len(rows)} rows, but the order is {size}", where=order.place, hint="is a row missing?")
    return read_rows(rows, title)


def read_rows(rows: Sequence[Sequence[Token]], title: str) -> Grid:
    """The grid of a text cut into cells; each is open or a value from 1 to the number of rows."""
    size = checked_size(len(rows), title, rows[0][0].place)
    return tuple(
        tuple(_value(token, (r, c), size, title) for c, token in enumerate(row, 1))
        for r, row in enumerate(rows, 1)
    )


def read_json_rows(data: Mapping[str, Any], title: str, place: Place) -> Grid:
    """The key `grid` of a puzzle in JSON; null and 0 are open, values are 1 to the number of rows."""
    grid = data.get("grid")
    if not isinstance(grid, list) or not grid or not all(isinstance(row, list) for row in grid):
        raise InputError("`grid` is to be a list of rows, each a list of cells", where=place)
    size = checked_size(len(grid), title, place)
    for number, row in enumerate(grid, 1):
        if len(row) != size:
            where = place.inside("grid", number - 1)
            raise InputError(f"row {number} has {len(row)} cells, not {size}", where=where)
    return tuple(
        tuple(_given(value, (r, c), size, title, place) for c, value in enumerate(row, 1))
        for r, row in enumerate(grid, 1)
    )


def _order(token: Token, title: str) -> int:
    """The value of a setting `order`."""
    if not re.fullmatch("[1-9][0-9]*", token.text):
        raise InputError(f"{brief(token.text)} is not an order", where=token.place, hint="write it as in `order 9`")
    return checked_size(int(token.text[:9]), title, token.place)


def _value(token: Token, cell: Cell, size: int, title: str) -> int | None:
    text = token.text
    if text in OPEN:
        return None
    if text.isascii() and text.isdigit():
        value = int(text[:9])
    elif len(text) == 1 and text.isascii() and text.isalpha():
        value = ord(text.upper()) - ord("A") + 10
    else:
        raise InputError(
            f"{cell_name(cell)}: {brief(text)} is neither a value nor an open cell",
            where=token.place,
            hint=f"values are 1 to {size}, and `.` is open",
        )
    shown = text[:40] if text.isdigit() else f"{text} (= {value})"
    return _in_range(value, shown, cell, size, title, token.place)


def _given(value: Any, cell: Cell, size: int, title: str, place: Place) -> int | None:
    if value is None or (type(value) is int and value == 0):
        return None
    if type(value) is int and 1 <= value <= size:
        return value
    where = place.inside("grid", cell[0] - 1, cell[1] - 1)
    if type(value) is not int:
        raise InputError(f"{cell_name(cell)}: {brief(value)} is not an integer", where=where, hint="null is open")
    return _in_range(value, brief(value), cell, size, title, where, open_cell="null")


def _in_range(
    value: int, shown: str, cell: Cell, size: int, title: str, place: Place, open_cell: str = "`.`"
) -> int:
    if not 1 <= value <= size:
        raise InputError(
            f"{cell_name(cell)} (row {cell[0]}, column {cell[1]}) holds {shown}, "
            f"but the values of a {size}x{size} {title} are 1 to {size}",
            where=place,
            hint=f"change it, or write {open_cell} for an open cell",
        )
    return value
