"""The form of a course: the first line of a Takuzu is its size, and then `2` is an open cell."""

from __future__ import annotations

import re

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.text import Line, read_lines

_OPEN = frozenset("._*")


def without_size(text: str, place: Place) -> str:
    """The text with `.` for open cells and without the size, where it has that form. Places in it stay."""
    kept = read_lines(text, place)
    rows = kept[kept[0].words[0].text == "lines" :]
    if (size := _course_size(rows)) is None:
        return text
    if (found := len(rows) - 1) != size:
        raise InputError(f"{found} rows, but the size is {size}", where=rows[-1].place, hint="is a row missing?")
    for number, row in enumerate(rows[1:], 1):
        if row.length != size:
            message = f"row {number} has {row.length} cells, the size is {size}"
            raise InputError(message, where=row.place, hint="write `.` for an open cell")
    lines = text.splitlines()
    lines[(rows[0].place.line or 1) - 1] = ""
    if not any(token.text in _OPEN for row in rows for token in row.characters):
        for row in rows[1:]:
            number = (row.place.line or 1) - 1
            lines[number] = lines[number].replace("2", ".")
    return "\n".join(lines)


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
