"""The text form of a crossword: one row per line, `#` black, `.` open, and letters that are given."""

from __future__ import annotations

from typing import Any

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.crossword.runs import BLACK
from bridge.puzzles.kinds.crossword.words import normal
from bridge.puzzles.kinds.rules import Cell, Grid, Value, cell_name
from bridge.puzzles.kinds.text import TextForm

_BLACK = frozenset("#■█")
_OPEN = frozenset(".0_")


class CrosswordText(TextForm):
    """Rows; `#` is a black cell, so comments begin with `%`."""

    def __init__(self) -> None:
        super().__init__("%")


def read_grid(text: str, place: Place) -> Grid:
    """The rows of a text."""
    if "\0" in text:
        raise InputError("this is not text", where=place, hint="is it the right file?")
    rows: list[tuple[Value | None, ...]] = []
    places: list[Place] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        columns = [(column, mark) for column, mark in enumerate(_composed(line), 1) if not mark.isspace()]
        cells = enumerate(columns, 1)
        row = len(rows) + 1
        rows.append(tuple(_cell(mark, (row, c), Place(place.file, number, column)) for c, (column, mark) in cells))
        places.append(Place(place.file, number))
    if not rows:
        raise InputError("there is no puzzle in here: the text is empty", where=place)
    check_even([len(row) for row in rows], places)
    return tuple(rows)


def _composed(line: str) -> str:
    """A line in which every letter is one character, its case left alone: folding may change how many there are."""
    import unicodedata

    return unicodedata.normalize("NFC", line)


def check_even(lengths: list[int], places: list[Place]) -> None:
    usual = max(lengths, key=lengths.count)
    for number, (length, place) in enumerate(zip(lengths, places, strict=True), 1):
        if length != usual:
            raise InputError(
                f"row {number} has {length} {'cell' if length == 1 else 'cells'}, the others have {usual}",
                where=place,
                hint="`#` is a black cell",
            )


def _cell(mark: str, cell: Cell, place: Place) -> str | None:
    if mark in _OPEN:
        return None
    if mark in _BLACK:
        return BLACK
    letter = normal(mark)
    if len(letter) != 1 or not letter.isalpha():
        raise InputError(
            f"{cell_name(cell)}: {mark!r} is not a cell of a crossword",
            where=place,
            hint="`#` is black, `.` is open, and a letter is given",
        )
    return letter


def given_cell(value: Any, cell: Cell, place: Place) -> str | None:
    if value is None or value == 0:
        return None
    where = place.inside("grid", cell[0] - 1, cell[1] - 1)
    if not isinstance(value, str) or len(_composed(value)) != 1:
        raise InputError(f"{cell_name(cell)}: {value!r} is not a cell of a crossword", where=where, hint="null is open")
    return _cell(_composed(value), cell, where)
