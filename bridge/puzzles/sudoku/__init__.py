"""Sudoku of any size: every row, every column and every box holds each value once.

Text forms, all read without being told which:

- 81 characters (or 16, 36, 256, ...), one puzzle a line, as many lines as you like;
- a row a line, with or without blanks between cells, bars and rulers.

`.`, `0`, `_` and `*` are open cells. Values above 9 are numbers between blanks, or letters: A is 10, B is 11. A line
`box 3x2` says that boxes have 3 rows and 2 columns; without it they are as square as can be, wider than high.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, isqrt
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bridge.errors import InputError, Place
from bridge.puzzles.latin import Latin, checked_size, drawn, read_json_rows, read_rows, rows_and_columns
from bridge.puzzles.puzzle import AspForm, ClpForm
from bridge.puzzles.rules import Checker, Grid, Rule, distinct
from bridge.puzzles.symmetry import Reduction, renamed
from bridge.puzzles.text import OPEN, Line, Token, read_lines, square

if TYPE_CHECKING:
    from bridge.search import CSP

Box = tuple[int, int]

#: The usual form of a 9x9, which millions come in, and what its characters mean.
_USUAL = re.compile(r"[1-9.0_*]{81}\n?")
_MEANING = {**dict.fromkeys(OPEN, None), **{str(value): value for value in range(1, 10)}}

#: Up to this size clues are assumed, and one ground program serves all instances; beyond, each is ground by itself.
ASSUMED = 16


@dataclass(frozen=True)
class Sudoku(Latin):
    """One Sudoku. `box` is the number of rows and columns of a box; the size is their product."""

    grid: Grid
    box: Box

    kind = "sudoku"
    title = "Sudoku"
    encoding = "sudoku/sudoku.lp"
    options: ClassVar[Mapping[str, str]] = {"box": "rows and columns of a box, such as 2x3"}

    @classmethod
    def read_options(cls, options: Mapping[str, str]) -> dict[str, Any]:
        box = {"box": _box(options["box"], Place("--option"))} if "box" in options else {}
        return {**options, **box}

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, str]) -> list[Self]:
        if not options and _USUAL.fullmatch(text):  # twelve times faster than with the place of every cell
            flat = tuple(map(_MEANING.__getitem__, text[:81]))
            return [cls(tuple([flat[start : start + 9] for start in range(0, 81, 9)]), (3, 3))]
        lines = read_lines(text, place)
        box = _box(options["box"], Place("--option")) if "box" in options else None
        if (header := _box_header(lines[0])) is not None:
            box, lines = header, lines[1:]
            if not lines:
                raise InputError("there is a box but no puzzle", where=place)
        if _one_a_line(lines):
            return [cls._from_rows(_cut(line), box) for line in lines]
        return [cls._from_rows(square(lines), box)]

    @classmethod
    def one_a_line(cls, head: str) -> str | None:
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

    @classmethod
    def _from_rows(cls, rows: list[tuple[Token, ...]], box: Box | None) -> Self:
        size, place = checked_size(len(rows), cls.title, rows[0][0].place), rows[0][0].place
        box = _fitting(box or squarest_box(size), size, place)
        return cls(read_rows(rows, cls.title), box)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], place: Place) -> Self:
        grid = read_json_rows(data, cls.title, place)
        size = len(grid)
        box = data.get("box") or squarest_box(size)
        if not (isinstance(box, list | tuple) and len(box) == 2 and all(type(n) is int for n in box)):
            raise InputError(f"`box` is to be [rows, columns], not {box!r}", where=place)
        return cls(grid, _fitting((box[0], box[1]), size, place))

    def to_json(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "box": list(self.box), "grid": [list(row) for row in self.grid]}

    def draw(self, grid: Grid | None = None) -> str:
        height, width = self.box
        rows = drawn(grid or self.grid)
        length = len(rows[0][0])
        bands = [" | ".join(" ".join(row[c : c + width]) for c in range(0, self.size, width)) for row in rows]
        parts = [(width * (length + 1)) * "-"] + [(width * (length + 1) + 1) * "-"] * (self.size // width - 1)
        ruler = "\n" + "+".join(parts) + "\n"
        drawing = ruler.join("\n".join(bands[r : r + height]) for r in range(0, self.size, height))
        return drawing if self.box == squarest_box(self.size) else f"box {height}x{width}\n{drawing}"

    def rules(self) -> tuple[Rule, ...]:
        return _rules(self.box)

    def checker(self) -> Checker:
        return _checker(self.box)

    def facts(self) -> str:
        height, width = self.box
        lines = []
        if self.box != (3, 3):  # what the encoding assumes
            lines += [f"#const box_rows = {height}. [override]", f"#const box_columns = {width}. [override]"]
        return "".join(f"{line}\n" for line in lines) + self.clue_facts()

    def asp(self) -> AspForm:
        constants = {"box_rows": self.box[0], "box_columns": self.box[1]}
        if self.size > ASSUMED:
            # Clues that are ground cut the program down: ten 25x25 tests take 2 to 35 s each. With
            # clues assumed, eight of them did not end within 5 s, and three tried longer not within 12 s.
            solver = ("--configuration=crafty", "--sat-prepro=2")
            return AspForm(self.encoding, constants, self.clue_facts(), solver=solver, reusable=False)
        # A quarter faster than the default on 9x9s, of 17 clues and mixed; about the same on other sizes:
        # MOMS scores are made anew for every instance, and most are done before they pay.
        solver = ("--heuristic=berkmin", "--no-init-moms")
        return AspForm(self.encoding, constants, clues=self.clue_atoms(), solver=solver)

    def switchable(self) -> AspForm:
        constants = {"box_rows": self.box[0], "box_columns": self.box[1]}
        return AspForm(self.encoding, constants, clues=self.clue_atoms(), switches=())

    def symmetric(self) -> Reduction[Self] | None:
        """An empty one: its values may be exchanged, so the first row may be taken to be in order."""
        if self.size == 1 or self.clues():
            return None
        return Reduction(self.with_clues({(1, c): c for c in self.values()}), factorial(self.size), renamed)

    def clp(self) -> ClpForm:
        height, width = self.box
        # One labelling of all cells, so that the smallest domain of the whole grid comes first.
        return ClpForm(
            "sudoku/sudoku.pl",
            "sudoku(Rows, Height-Width)",
            "append(Rows, Cells), labeling([ff], Cells)",
            {"Height": height, "Width": width},
        )

    def csp(self) -> CSP:
        from bridge.search import CSP, AllDifferent

        return CSP(self.domains(), [AllDifferent(rule.cells, rule.name) for rule in self.rules()])


def squarest_box(size: int) -> Box:
    """The box that a size has unless another is said: as square as can be, wider than high. 6 has (2, 3)."""
    height = next(h for h in range(isqrt(size), 0, -1) if size % h == 0)
    return height, size // height


@lru_cache(maxsize=32)
def _rules(box: Box) -> tuple[Rule, ...]:
    """Rows, then columns, then boxes from left to right and down: `row 3`, `column 4`, `box (1,2)`."""
    height, width = box
    size = height * width
    boxes = []
    for down in range(size // height):
        for right in range(size // width):
            cells = tuple(
                (down * height + r, right * width + c) for r in range(1, height + 1) for c in range(1, width + 1)
            )
            boxes.append(Rule(f"box ({down + 1},{right + 1})", cells, distinct))
    return rows_and_columns(size) + tuple(boxes)


@lru_cache(maxsize=32)
def _checker(box: Box) -> Checker:
    size = box[0] * box[1]
    return Checker(_rules(box), size, size, range(1, size + 1))


def _box_header(line: Line) -> Box | None:
    words = [word.text for word in line.words]
    return _box("".join(words[1:]), line.place) if words[0] == "box" else None


def _box(text: str, place: Place) -> Box:
    if (match := re.fullmatch(r"(\d+)x(\d+)", text)) is None:
        raise InputError(f"{text!r} is no box", where=place, hint="write it as in `box 2x3`")
    return int(match[1]), int(match[2])


def _fitting(box: Box, size: int, place: Place) -> Box:
    if box[0] * box[1] != size or min(box) < 1:
        raise InputError(f"boxes of {box[0]}x{box[1]} do not fit {size} rows", where=place, hint="HEIGHTxWIDTH = rows")
    return box


def _one_a_line(lines: list[Line]) -> bool:
    """Is each line a whole puzzle? A line of 16 characters among 16 such lines is a row, though."""
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
            f"{len(characters)} characters are no square{near if 64 < len(characters) < 100 else ''}",
            where=line.place,
            hint="write `.` for an open cell",
        )
    return [characters[row * size : (row + 1) * size] for row in range(size)]
