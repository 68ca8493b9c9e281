"""The text form of a Takuzu.

Both of these are recognised:

- one row per line, `0`, `1`, and `.` for an open cell (`_` and `*` too), with or without blanks between;
- the form of a course: the first line is the size N, then N rows in which `2` is an open cell.

A line `lines repeat` before everything else allows equal rows and equal columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.rules import Grid, cell_name
from bridge.puzzles.kinds.text import Line, Token, read_lines

#: Larger than any Takuzu that was printed, but small enough for memory if the file is wrong.
LARGEST = 64

_OPEN = frozenset("._*")
LINES = ("distinct", "repeat")
_HINT = "the values are 0 and 1, and `.` is an open cell"


def read(text: str, place: Place, chosen: str | None) -> tuple[Grid, str]:
    """The grid of a text, and whether lines are `distinct` or may `repeat`: as `chosen`, or as it says."""
    kept = read_lines(text, place)
    lines = LINES[0]
    if [word.text for word in kept[0].words][:1] == ["lines"]:
        lines = checked_lines(" ".join(word.text for word in kept[0].words[1:]), kept[0].place)
        kept = kept[1:]
    if chosen is not None:
        lines = checked_lines(chosen, Place("--option"))
    size = _course_size(kept)
    rows = [line.characters for line in (kept if size is None else kept[1:])]
    if not rows:
        raise InputError("there is no grid", where=place, hint="write the rows of the puzzle")
    check_shape([len(row) for row in rows], [row[0].place for row in rows], size)
    read = _reader(rows, course=size is not None)
    return tuple(tuple(read(t, r, c) for c, t in enumerate(row, 1)) for r, row in enumerate(rows, 1)), lines


def checked_lines(text: Any, place: Place) -> str:
    """The value of the option `lines`."""
    if text not in LINES:
        raise InputError(f"lines are {' or '.join(LINES)}, not {brief(text)}", where=place)
    return str(text)


def _course_size(lines: list[Line]) -> int | None:
    """N, if the first line is one, and not a row of digits: a row would be as long as the other rows."""
    if not lines or len(lines[0].words) != 1 or not re.fullmatch("[1-9][0-9]*", text := lines[0].words[0].text):
        return None
    rows, size = lines[1:], int(text[:9])
    if not rows:
        return size if text not in ("0", "1", "2") else None
    if text == "1":  # a column of two cells, unless what follows is the course's open cell
        return 1 if [token.text for row in rows for token in row.words] == ["2"] else None
    is_row = 2 * sum(len(row.characters) == len(text) for row in rows) >= len(rows)
    return None if is_row and not len(rows) == size < 10 else size


def check_shape(lengths: list[int], places: list[Place], size: int | None) -> None:
    """Every row is as long as the others, and both as N says."""
    usual = size or max(lengths, key=lengths.count)
    for number, (length, place) in enumerate(zip(lengths, places, strict=True), 1):
        if length != usual:
            others = f"the size is {size}" if size else f"the others have {usual}"
            where = replace(place, column=None)
            hint = "write `.` for an open cell"
            raise InputError(f"row {number} has {length} cells, {others}", where=where, hint=hint)
    if size is not None and len(lengths) != size:
        raise InputError(f"{len(lengths)} rows, but the size is {size}", where=places[-1], hint="is a row missing?")
    if max(len(lengths), usual) > LARGEST:
        raise InputError(
            f"{len(lengths)} rows of {usual} cells are more than the {LARGEST} of the largest Takuzu", where=places[0]
        )


def _reader(rows: Sequence[Sequence[Token]], *, course: bool) -> Callable[[Token, int, int], int | None]:
    """How the cells of a text are read: `2` is an open cell in the course's form, unless something else is too."""
    dotted = any(token.text in _OPEN for row in rows for token in row)
    open_cells = _OPEN if dotted or not course else _OPEN | {"2"}

    def read(token: Token, r: int, c: int) -> int | None:
        text = token.text
        if text in open_cells:
            return None
        if text in ("0", "1"):
            return int(text)
        cell = cell_name((r, c))
        if text == "2":
            hint = f"{_HINT}; 2 is one in the course's form only, where the first line is the size"
            raise InputError(f"{cell} holds 2, but a Takuzu has two values, not three", where=token.place, hint=hint)
        raise InputError(f"{cell}: {brief(text)} is neither a value nor an open cell", where=token.place, hint=_HINT)

    return read
