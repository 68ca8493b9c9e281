"""Functions shared by the crossword formats: letters, and the words of a solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bridge.errors import InputError, Place
from bridge.puzzles.formats.codec import Request
from bridge.puzzles.kinds.crossword.runs import BLACK, slots
from bridge.puzzles.kinds.rules import Cell, Grid

Letters = Mapping[Cell, str]

#: The greatest number of cells: a file of a few characters can announce any number.
MOST_CELLS = 65_536


def check_size(rows: int, columns: int, place: Place) -> None:
    """Refuse a grid that is too large, before it is made."""
    if rows * columns > MOST_CELLS:
        message = f"a crossword of {rows:,} rows and {columns:,} columns is not read"
        raise InputError(message, where=place, hint=f"{MOST_CELLS:,} cells are the most")


def entries(grid: Sequence[Sequence[Any]], letters: Letters) -> list[str]:
    """What a solution has in the slots of a grid; slots with an open cell are left out."""
    cut: Grid = tuple(map(tuple, grid))
    found = (tuple(letters.get(cell, "") for cell in slot.cells) for slot in slots(cut))
    return ["".join(word) for word in found if all(word)]


def with_words(
    grid: list[list[Any]], solution: Letters, request: Request, place: Place, why: str = "the file has no solution"
) -> tuple[dict[str, Any], list[str]]:
    """The JSON form of a crossword whose words are those of its solution, unless a list is named; and notes.

    A word that occurs twice in the solution may be repeated.
    """
    if "words" in request.options:
        return {"grid": grid}, []
    words = entries(grid, solution)
    if _is_placeholder(words):
        raise InputError(f"a crossword needs words, and {why}", where=place, hint="name a list: --words LIST")
    twice = sorted(word for word, number in Counter(words).items() if number > 1)
    form = {"grid": grid, "words": list(dict.fromkeys(words))}
    if twice and not request.options.keys() & {"reading", "repeat"}:
        return form | {"repeat": True}, [f"words may stand twice: the file's solution has {', '.join(twice)} twice"]
    return form, []


def unusual(data: Mapping[str, Any]) -> list[str]:
    """The options of a crossword's JSON form that are not the usual ones."""
    usual = {"reading": "slots", "repeat": False}
    return [f"the option {key}={value}" for key, value in data.items() if key in usual and value != usual[key]]


def published(grid: Sequence[Sequence[Any]], solution: Letters) -> list[list[str]]:
    """The rows of a file's solution; none when it is a placeholder, or a cell has no letter."""
    rows = [
        [BLACK if value == BLACK else solution.get((r, c), "") for c, value in enumerate(row, 1)]
        for r, row in enumerate(grid, 1)
    ]
    letters = [value for row in rows for value in row if value != BLACK]
    whole = all(len(letter) == 1 and letter.isalpha() for letter in letters)
    return rows if whole and not _is_placeholder(letters) else []


def _is_placeholder(words: Iterable[str]) -> bool:
    """Whether words have the same letter everywhere, as in files without a solution."""
    return len(set("".join(words))) < 2
