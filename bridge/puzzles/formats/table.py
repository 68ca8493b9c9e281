"""Sudokus in a table: CSV with a column of puzzles, as collections for machine learning have it (`quizzes,solutions`).

The column is known by its name (`NAMES`), or, in a table without names, by its first entry. Other columns are left out.
Columns `title` and `author` are texts about the puzzle. An entry is a Sudoku in one line, as in the format `line`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, cast

from bridge.common.cells import guarded, plain
from bridge.common.english import listed
from bridge.errors import InputError, Place
from bridge.puzzles.formats.codec import Reading, Request, Source, left_out
from bridge.puzzles.formats.sudoku_lines import Line
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.about import About
from bridge.puzzles.kinds.text import Token

#: Names of the column of puzzles, in small letters; the first that a table has is taken.
NAMES = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "sudokus", "question", "questions", "clues", "grid", "board")

#: What may stand between columns: commas, semicolons as in spreadsheets of many countries, and tabs.
DELIMITERS = (",", ";", "\t")

#: Names of columns of texts about the puzzle.
TEXTS = ("title", "author")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table."""

    #: The names in the first line; empty when it has none.
    names: tuple[str, ...]
    #: The number of the column of puzzles, from 0.
    at: int
    #: The numbers of the columns of texts about the puzzle, by their names in `About`.
    texts: tuple[tuple[str, int], ...] = ()
    #: What stands between columns.
    delimiter: str = ","

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the columns that hold no puzzle, and no text about one."""
        read = {self.at, *(number for _, number in self.texts)}
        return tuple(name for number, name in enumerate(self.names) if number not in read)

    def entry(self, line: str, place: Place) -> Token:
        """The puzzle in a line of the table."""
        entries = split(line, place, self.delimiter)
        if len(entries) <= self.at:
            number, found = self.at + 1, len(entries)
            raise InputError(f"the puzzle stands in column {number}, and this line has {found}", where=place)
        text = entries[self.at].strip()
        if not text:
            raise InputError(f"there is no puzzle in column {self.at + 1}", where=place)
        # Where the column begins, if no entry before it is quoted; otherwise the beginning of the line.
        before = [] if '"' in line else line.split(self.delimiter, self.at)[: self.at]
        start = sum(len(one) + 1 for one in before)
        return Token(text, Place(place.file, place.line, line.find(text, start) + 1))

    def about(self, line: str, place: Place) -> About:
        """The texts about the puzzle in a line of the table."""
        entries = split(line, place, self.delimiter) if self.texts else []
        found = {name: plain(entries[number]).strip() for name, number in self.texts if number < len(entries)}
        return About(found.get("title", ""), found.get("author", ""))


def columns(first: str) -> Columns | None:
    """The columns of a table with this first line; None when this is not the first line of a table of puzzles."""
    return next((found for mark in DELIMITERS if (found := _columns(first, mark)) is not None), None)


def _columns(first: str, delimiter: str) -> Columns | None:
    try:
        entries = [entry.strip() for entry in split(first, Place(), delimiter)]
    except InputError:
        return None
    names = [entry.lower() for entry in entries]
    for name in NAMES:
        if name in names:
            texts = tuple((text, names.index(text)) for text in TEXTS if text in names)
            return Columns(tuple(entries), names.index(name), texts, delimiter)
    line = Line()
    if len(entries) > 1:
        for at, entry in enumerate(entries):
            if line.sniff_line(entry) and not entry.isalpha():
                return Columns((), at, (), delimiter)
    return None


def split(line: str, place: Place, delimiter: str = ",") -> list[str]:
    """The entries of one line."""
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        raise InputError(f"this line is not a row of a table: {error}", where=place) from None


class Csv(Line):
    """A table with a column of Sudokus."""

    name = "csv"
    title = "a table (CSV, TSV) with a column of Sudokus in one line each: puzzle, quizzes, ..."
    suffixes = (".csv", ".tsv")
    carries = (
        "The size, by the length; no boxes but the usual ones of the size. The columns title and author; others are "
        "left out."
    )
    about = frozenset(TEXTS)

    def sniff(self, source: Source) -> bool:
        first = next((line for line in source.head.splitlines() if line.strip()), "")
        # A line with a colon is a game ID: `5:a__a,a5m15`.
        return columns(first) is not None and not re.match(r"\w+:", first)

    def decode(self, source: Source, request: Request) -> Reading:
        lines = source.lines()
        first = next(lines, None)
        if first is None:
            raise InputError("there is no puzzle in here: the text is empty", where=source.place)
        found = columns(first.text)
        if found is None:
            raise InputError(
                f"none of these columns is known to hold puzzles: {listed(split(first.text, first.place))}",
                where=first.place,
                hint=f"call it one of: {', '.join(NAMES)}",
            )
        puzzles: list[Puzzle] = []
        for line in [*([] if found.names else [first]), *lines]:
            read = self.decode_line(found.entry(line.text, line.place), request).puzzles
            about = found.about(line.text, line.place)
            puzzles += [replace(cast(Any, one), about=about) for one in read] if about else read
        if not puzzles:
            raise InputError("there is no puzzle in here: the table has no row", where=source.place)
        what = "column" if len(found.others) == 1 else "columns"
        return Reading(tuple(puzzles), left_out([f"the {what} {listed(found.others)}"] if found.others else []))

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        names = ["puzzle", *(name for name in TEXTS if any(getattr(one.about, name) for one in puzzles))]
        text = StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(names)
        for one in puzzles:
            texts = (" ".join(getattr(one.about, name).split()) for name in names[1:])
            table.writerow([self.write_line(one), *map(guarded, texts)])
        return text.getvalue().encode()
