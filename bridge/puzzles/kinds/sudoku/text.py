"""The text form of a Sudoku.

All of these are recognised:

- 81 characters (or 16, 36, 256, ...), one puzzle per line, as many lines as you like;
- one row per line, with or without blanks between cells, bars and rulers.

`.`, `0`, `_` and `*` are open cells. Values above 9 are numbers between blanks, or letters: A is 10, B is 11. A line
`box 3x2` says that boxes have 3 rows and 2 columns; without it they are as square as can be, wider than high.
"""

from __future__ import annotations

import re
from collections import Counter
from math import isqrt

from bridge.common import regex
from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.latin.text import checked_size, drawn, read_rows
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.text import OPEN, Line, TextForm, Token, read_lines, square

#: Where an option is.
OPTION = Place("--option")

#: The numbers of rows and columns of a box.
Box = tuple[int, int]

#: The usual form of a 9x9, which millions come in, and what its characters mean.
_USUAL = regex(r"[1-9.0_*]{81}\n?")
_MEANING = {**dict.fromkeys(OPEN, None), **{str(value): value for value in range(1, 10)}}


class SudokuText(TextForm):
    """Rows, or a puzzle on each line."""

    def one_a_line(self, head: str) -> str | None:
        try:
            lines = read_lines(head, Place())
        except InputError:
            return None
        header = ""
        if lines[0].words[0].text == "box":
            header = " ".join(word.text for word in lines[0].words) + "\n"
            lines = lines[1:]
        # Some lines may be wrong, the first among them; the usual ones tell.
        lengths = Counter(len(line.words[0].text) if len(line.words) == 1 else 0 for line in lines)
        usual = max(lengths, key=lengths.__getitem__, default=0)
        lines.sort(key=lambda line: len(line.words) != 1 or len(line.words[0].text) != usual)
        return header if lines and _one_a_line(lines) else None


def read(text: str, place: Place, title: str, box: Box | None) -> list[tuple[Grid, Box]]:
    """The grids of a text and the sizes of their boxes; `box` is for texts that do not say it."""
    if box is None and _USUAL.fullmatch(text):  # twelve times faster than with the place of every cell
        flat = tuple(map(_MEANING.__getitem__, text[:81]))
        return [(tuple([flat[start : start + 9] for start in range(0, 81, 9)]), (3, 3))]
    lines = read_lines(text, place)
    first = lines[0]
    if first.words[0].text == "box":
        box, lines = read_box("".join(word.text for word in first.words[1:]), first.place), lines[1:]
        if not lines:
            raise InputError("there is a box but no puzzle", where=place)
    if _one_a_line(lines):
        return [_from_rows(_cut(line), title, box) for line in lines]
    return [_from_rows(square(lines), title, box)]


def _from_rows(rows: list[tuple[Token, ...]], title: str, box: Box | None) -> tuple[Grid, Box]:
    size, place = checked_size(len(rows), title, rows[0][0].place), rows[0][0].place
    box = fitting(box or squarest_box(size), size, place)
    return read_rows(rows, title), box


def draw(grid: Grid, box: Box) -> str:
    """A grid with lines between boxes, which `read` reads."""
    height, width = box
    size = len(grid)
    rows = drawn(grid)
    length = len(rows[0][0])
    bands = [" | ".join(" ".join(row[c : c + width]) for c in range(0, size, width)) for row in rows]
    parts = [(width * (length + 1)) * "-"] + [(width * (length + 1) + 1) * "-"] * (size // width - 1)
    ruler = "\n" + "+".join(parts) + "\n"
    drawing = ruler.join("\n".join(bands[r : r + height]) for r in range(0, size, height))
    return drawing if box == squarest_box(size) else f"box {height}x{width}\n{drawing}"


def squarest_box(size: int) -> Box:
    """The default box of a size: as square as possible, wider than high. 6 has (2, 3)."""
    height = next(h for h in range(isqrt(size), 0, -1) if size % h == 0)
    return height, size // height


def read_box(text: str, place: Place = OPTION) -> Box:
    """The value of the option `box`, such as `2x3`."""
    if (match := re.fullmatch(r"(\d{1,9})x(\d{1,9})", text)) is None:
        raise InputError(f"{brief(text)} is not a box", where=place, hint="write it as in `box 2x3`")
    return int(match[1]), int(match[2])


def fitting(box: Box, size: int, place: Place) -> Box:
    """The box, if its rows times columns are the size."""
    if box[0] * box[1] != size or min(box) < 1:
        raise InputError(f"boxes of {box[0]}x{box[1]} do not fit {size} rows", where=place, hint="HEIGHTxWIDTH = rows")
    return box


def _one_a_line(lines: list[Line]) -> bool:
    """Whether each line is a whole puzzle. A line of 16 characters among 16 such lines is a row, though."""
    first = lines[0]
    if len(first.words) != 1:
        return False
    length = len(first.words[0].text)
    return length != len(lines) and (len(lines) == 1 or isqrt(length) ** 2 == length > 16 or length == 16)


def _cut(line: Line) -> list[tuple[Token, ...]]:
    characters = line.characters
    size = isqrt(len(characters))
    if size * size != len(characters) or len(line.words) != 1:
        near = f", but a 9x9 Sudoku has 81: {abs(len(characters) - 81)} too {'many' if len(characters) > 81 else 'few'}"
        raise InputError(
            f"{len(characters)} characters are not square{near if 64 < len(characters) < 100 else ''}",
            where=line.place,
            hint="write `.` for an open cell",
        )
    return [characters[row * size : (row + 1) * size] for row in range(size)]
