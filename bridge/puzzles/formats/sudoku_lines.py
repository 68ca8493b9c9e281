"""Sudokus as characters: one per line (81 characters), `.sdm`, `.sdk`, candidates (729 characters), and tables.

`.`, `0`, `_`, `*` and `-` are open cells. Values above 9 are letters: A is 10. These formats do not have the shape of
boxes: the default is the most nearly square shape, wider than high; the option `box` overrides it.

A table is CSV with a column of puzzles in one line each, as collections for machine learning have it
(`quizzes,solutions`). The column is known by its name (`NAMES`), or, in a table without names, by its first entry.
Columns `title` and `author` are texts about the puzzle. Other columns are left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from math import isqrt
from typing import Any, ClassVar, cast

from bridge.common import guarded, listed, plain
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import Codec, LineCodec, Reading, Request, Source, column, cut, left_out, made
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.about import About
from bridge.puzzles.kinds.rules import Value, cell_name
from bridge.puzzles.kinds.sudoku.text import squarest_box
from bridge.puzzles.kinds.text import OPEN, Token

_OPEN = OPEN | {"-"}
_LETTERS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BOXES = "The size, by the length; no boxes but the usual ones of the size"


class Line(LineCodec):
    """81 characters, and so on."""

    name = "line"
    title = "one Sudoku per line, 81 characters (16, 36, 256, ...)"
    suffixes: ClassVar[tuple[str, ...]] = ()
    kinds = ("sudoku",)
    carries = f"{_BOXES}. Sizes up to 35."
    #: The character written for an open cell.
    open_cell = "."

    def sniff_line(self, line: str) -> bool:
        length = len(line)
        fits = isqrt(length) ** 2 == length >= 16 and re.fullmatch(r"[0-9A-Za-z._*-]+", line) is not None
        return fits and not _are_candidates(line)  # 729 characters could be a Sudoku of size 27

    def decode_line(self, line: Token, request: Request) -> Reading:
        size = isqrt(len(line.text))
        if size**2 != len(line.text):
            away = len(line.text) - 81
            near = (
                f", but a 9x9 Sudoku has 81: {abs(away)} too {'many' if away > 0 else 'few'}" if abs(away) < 18 else ""
            )
            raise InputError(
                f"{len(line.text)} characters are not square{near}", where=line.place, hint="write `.` for an open cell"
            )
        cells = [_value(mark, column(line, at), size) for at, mark in enumerate(line.text)]
        return Reading((made("sudoku", {"grid": cut(cells, size)}, line.place, request),))

    def lost(self, puzzle: Puzzle) -> list[str]:
        return _lost(self.name, puzzle)

    def write_line(self, puzzle: Puzzle) -> str:
        return "".join(_characters(puzzle, self.open_cell))


class Sdm(Line):
    """The same format by another name, with 0 for open cells, as most programs expect."""

    name = "sdm"
    title = "SadMan Sudoku's and SudoCue's collections: the same with 0 for open cells"
    suffixes = (".sdm",)
    open_cell = "0"

    def sniff_line(self, line: str) -> bool:
        return False  # only the file's name distinguishes it from `line`


class Sdk(Codec):
    """`.sdk`: rows, after lines of metadata."""

    name = "sdk"
    title = "SadMan Sudoku's and SudoCue's files of one puzzle"
    suffixes = (".sdk",)
    kinds = ("sudoku",)
    many = False
    about = frozenset(["title", "author"])
    carries = (
        f"{_BOXES}. Sizes up to 35. The author (#A), and the description (#D) as the title; what a file says of its "
        "source, level and state is left out."
    )

    _TEXTS: ClassVar[dict[str, str]] = {"#A": "author", "#D": "title"}
    _FIELDS: ClassVar[dict[str, str]] = {
        "A": "author", "D": "description", "C": "comment", "B": "date", "S": "source", "L": "level", "U": "address"
    }  # fmt: skip

    def sniff(self, source: Source) -> bool:
        lines = [line.strip() for line in source.head.splitlines() if line.strip()]
        metadata = re.compile(r"#[ADCBSLU]\S|\[(Puzzle|State)\]", re.IGNORECASE)
        rows = any(re.fullmatch(r"[1-9.]{9}", line) for line in lines)
        return rows and any(metadata.match(line) for line in lines[:3])

    def decode(self, source: Source, request: Request) -> Reading:
        rows: list[Token] = []
        aside: list[str] = []
        about: dict[str, str] = {}
        section = "puzzle"
        for number, raw in enumerate(source.text.splitlines(), 1):
            line = raw.strip()
            if header := re.fullmatch(r"\[(.*)\]", line):
                section = header[1].lower()
                if section != "puzzle":
                    aside.append(f"the section [{header[1]}]")
            elif (name := self._TEXTS.get(line[:2].upper())) and line[2:].strip():
                about.setdefault(name, line[2:].strip())
            elif line.startswith("#"):
                aside.append(f"the {self._FIELDS.get(line[1:2].upper(), 'comment')}")
            elif line and section == "puzzle":
                rows.append(Token(line, Place(source.name, number, raw.index(line) + 1)))
        if not rows:
            raise InputError("there is no puzzle in here: no row", where=source.place)
        for number, row in enumerate(rows, 1):
            if len(row.text) != len(rows):
                raise InputError(
                    f"row {number} has {len(row.text)} characters, but there are {len(rows)} rows",
                    where=row.place,
                    hint="write `.` for an open cell",
                )
        grid = [[_value(mark, column(row, at), len(rows)) for at, mark in enumerate(row.text)] for row in rows]
        return Reading((made("sudoku", {"grid": grid, "about": about}, rows[0].place, request),), left_out(aside))

    def lost(self, puzzle: Puzzle) -> list[str]:
        return _lost(self.name, puzzle)

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        rows = cut(_characters(puzzles[0], "."), len(puzzles[0].grid))
        about = puzzles[0].about
        texts = [f"{mark}{' '.join(getattr(about, name).split())}" for mark, name in self._TEXTS.items()]
        lines = [text for text in texts if len(text) > 2]
        return "".join(line + "\n" for line in [*lines, *map("".join, rows)]).encode()


class Candidates(LineCodec):
    """729 characters: for each cell the values that it may have."""

    name = "candidates"
    title = "one Sudoku per line, 729 characters: the nine candidates of each cell"
    kinds = ("sudoku",)
    carries = (
        "Clues, as cells with a single candidate. Candidates that were taken away from open cells are not part of a "
        "puzzle here: unless the clues of the same row, column or box rule them out, they are refused, or lost with "
        "--lossy. Sizes up to 9."
    )
    _SIZES: ClassVar[dict[int, int]] = {size**3: size for size in (4, 6, 8, 9)}

    def sniff_line(self, line: str) -> bool:
        return _are_candidates(line)

    def decode_line(self, line: Token, request: Request) -> Reading:
        if (size := self._SIZES.get(len(line.text))) is None:
            raise InputError(
                f"{len(line.text)} characters, but a 9x9 Sudoku has 729 candidates",
                where=line.place,
                hint="`.` is none",
            )
        cells = cut(line.text, size)
        for cell, marks in enumerate(cells):
            name = cell_name((cell // size + 1, cell % size + 1))
            for at, mark in enumerate(marks):
                if mark not in (".", "0", str(at + 1)):
                    where = column(line, cell * size + at)
                    raise InputError(f"{name}: {mark!r} where {at + 1} or `.` is to stand", where=where)
            if all(mark in ".0" for mark in marks):
                raise InputError(f"{name} has no candidate", where=column(line, cell * size))
        possible = [{at + 1 for at, mark in enumerate(marks) if mark not in ".0"} for marks in cells]
        values = [min(some) if len(some) == 1 else None for some in possible]
        puzzle = made("sudoku", {"grid": cut(values, size)}, line.place, request)
        return Reading((puzzle,), self._left_out(puzzle, possible, line.place, request))

    def _left_out(self, puzzle: Puzzle, possible: list[set[int]], place: Place, request: Request) -> tuple[str, ...]:
        """Checks that the clues rule out every candidate that is missing from an open cell."""
        seen: dict[tuple[int, int], set[Value]] = {cell: set() for cell in puzzle.cells()}
        clues = puzzle.clues()
        for rule in puzzle.rules():
            held = {clues[cell] for cell in rule.cells if cell in clues}
            for cell in rule.cells:
                seen[cell] |= held
        taken = [
            cell
            for cell, some in zip(puzzle.cells(), possible, strict=True)
            if cell not in clues and set(puzzle.values()) - some - seen[cell]
        ]
        if not taken:
            return ()
        what = (
            f"candidates that no clue rules out were taken away, from {len(taken)} cells ({cell_name(taken[0])}, ...)"
        )
        if not request.lossy:
            raise UnsupportedError(
                f"{what}: a puzzle has only clues", where=place, hint="a lossy conversion (--lossy) goes without them"
            )
        return (f"left out: {what}",)

    def lost(self, puzzle: Puzzle) -> list[str]:
        if len(puzzle.grid) ** 3 not in self._SIZES:
            raise UnsupportedError(f"the format {self.name} has no Sudoku of size {len(puzzle.grid)}", hint="take json")
        return _lost(self.name, puzzle)

    def write_line(self, puzzle: Puzzle) -> str:
        every = "".join(str(value) for value in puzzle.values())
        return "".join(
            every if value is None else "".join(mark if mark == str(value) else "." for mark in every)
            for row in puzzle.grid
            for value in row
        )


def _are_candidates(line: str) -> bool:
    """Nine characters per cell, each a dot or the digit of its position."""
    return len(line) == 729 and all(mark in (".", "0", str(at % 9 + 1)) for at, mark in enumerate(line))


def _value(mark: str, place: Place, size: int) -> int | None:
    if mark in _OPEN:
        return None
    value = _LETTERS.find(mark.upper()) + 1
    if not 1 <= value <= size:
        shown = f"{mark!r} (= {value})" if value > 9 else repr(mark)
        raise InputError(
            f"{shown} is not a value of a {size}x{size} Sudoku",
            where=place,
            hint=f"values are 1 to {size}, and `.` is open",
        )
    return value


def _characters(puzzle: Puzzle, open_cell: str) -> list[str]:
    return [open_cell if value is None else _LETTERS[int(value) - 1] for row in puzzle.grid for value in row]


def _lost(name: str, puzzle: Puzzle) -> list[str]:
    size, shape = len(puzzle.grid), getattr(puzzle, "box", None)
    if size > len(_LETTERS):
        raise UnsupportedError(f"the format {name} has no sign for values above {len(_LETTERS)}", hint="take json")
    return usual_boxes(shape, size)


def usual_boxes(shape: Any, size: int) -> list[str]:
    """What a format without boxes loses: nothing if they are the default ones."""
    return [] if shape == squarest_box(size) else [f"boxes of {shape[0]}x{shape[1]}"]


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
    for delimiter in DELIMITERS:
        try:
            entries = [entry.strip() for entry in split(first, Place(), delimiter)]
        except InputError:
            continue
        names, line = [entry.lower() for entry in entries], Line()
        if name := next((name for name in NAMES if name in names), None):
            texts = tuple((text, names.index(text)) for text in TEXTS if text in names)
            return Columns(tuple(entries), names.index(name), texts, delimiter)
        for at, entry in enumerate(entries if len(entries) > 1 else []):
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
