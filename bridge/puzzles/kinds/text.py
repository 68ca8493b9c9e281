"""Reading grids from text. Error messages have the line and the column of a cell.

The line structure of most kinds: `#` begins a comment, at the beginning of a line or after a blank; blank lines and
ruler lines (`------+---`) are ignored, `|` separates as a blank does. Cells are single characters, or words between
blanks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bridge.common import plural, regex
from bridge.errors import InputError, Place

RULER = regex(r"[-+=|\s]*[-+=|][-+=|\s]*\Z")
_COMMENT = regex(r"(?:^|(?<=\s))#")
_WORD = regex(r"[^\s|]+")

#: Characters for an open cell, in every kind in which they are not values.
OPEN = frozenset(".0_*")


class TextForm:
    """How the text form of a kind is divided into lines."""

    def __init__(self, comment: str = "#") -> None:
        #: What a comment line begins with.
        self.comment = comment

    def one_a_line(self, head: str) -> str | None:
        """Whether a text of any length has a puzzle on each line, decided by its first lines.

        None when it has not. Otherwise the text before the puzzles that belongs to each, with its line break; it is
        empty in most texts.
        """
        return None


class Token(NamedTuple):
    """A piece of text and its place."""

    text: str
    place: Place


class Line(NamedTuple):
    """A line with content, as words."""

    words: tuple[Token, ...]
    place: Place

    @property
    def length(self) -> int:
        """The number of `characters`."""
        return sum(len(word.text) for word in self.words)

    @property
    def characters(self) -> tuple[Token, ...]:
        """The same line, one token per character."""
        return tuple(
            Token(character, Place(word.place.file, word.place.line, (word.place.column or 0) + offset))
            for word in self.words
            for offset, character in enumerate(word.text)
        )


def without_comment(line: str) -> str:
    """A line up to a `#` at its beginning or after a blank."""
    return _COMMENT.split(line, maxsplit=1)[0] if "#" in line else line


def line_of(raw: str, place: Place) -> Line:
    """The words of a line."""
    words = (Token(m[0], Place(place.file, place.line, m.start() + 1)) for m in _WORD.finditer(raw))
    return Line(tuple(words), place)


def read_lines(text: str, place: Place) -> list[Line]:
    """The lines of a text that are neither blank, comments nor rulers; there has to be one."""
    if "\0" in text:
        raise InputError("this is not text", where=place, hint="is it the right file?")
    lines = []
    for number, whole in enumerate(text.splitlines(), 1):
        raw = without_comment(whole)
        if not raw.strip() or RULER.match(raw):
            continue
        lines.append(line_of(raw, Place(place.file, number)))
    if not lines:
        raise InputError("there is no puzzle in here: the text is empty", where=place)
    return lines


def square(lines: Iterable[Line]) -> list[tuple[Token, ...]]:
    """The rows of a square grid: as many cells in a row as there are rows.

    Cells are words if the first row then has the right length, characters otherwise.
    """
    kept = list(lines)
    size = len(kept)
    fitting = sum(len(line.words) == size for line in kept), sum(line.length == size for line in kept)
    by_words = fitting[0] > fitting[1] or (fitting[0] == fitting[1] == 0 and len(kept[0].words) > 1)
    rows = [line.words if by_words else line.characters for line in kept]
    usual = usual_length(rows, kept, size)
    if usual != size:
        raise InputError(no_square(size, usual), where=kept[-1].place, hint="is a row missing?")
    return rows


def usual_length(rows: Sequence[Sequence[Token]], lines: Iterable[Line], likely: int) -> int:
    """The length of all rows, read from these lines; of two lengths, the likely one is usual.

    The first row that differs from the usual length is the likely mistake.
    """
    lengths = [len(row) for row in rows]
    usual = max(set(lengths), key=lambda length: (lengths.count(length), length == likely))
    for number, (length, line) in enumerate(zip(lengths, lines, strict=True), 1):
        if length != usual:
            message = f"row {number} has {plural(length, 'cell')}, the others have {usual}"
            raise InputError(message, where=line.place, hint="write `.` for an open cell")
    return usual


def no_square(rows: int, columns: int) -> str:
    """The message about a grid of another shape: `2 rows of 3 cells are not square`."""
    return f"{plural(rows, 'row')} of {plural(columns, 'cell')} {'is' if rows == 1 else 'are'} not square"
