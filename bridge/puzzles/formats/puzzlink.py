"""Links of puzz.link (pzpr): `https://puzz.link/p?sudoku/9/9/g3h6h5g5h3...`, one puzzle per line.

The name of the puzzle, columns and rows are followed by what that puzzle has. A link does not have the shape of a
Sudoku's boxes: it is 2x3 for size 6, and square otherwise. pzpr has a few codes for numbers, which its puzzles share:

- `numbers`: a digit of base 16, or `-` and two of them; `g` to `z` for 1 to 20 open places.
- `fours`: 0 to 4; 5 to 9 is such a number and an open place after it, `a` to `e` with two; `g` to `z` as before.
- `letters`: a digit of base 36, or `-` and two of them, for each place; another character for an open one.
- `borders`: five walls between cells in each digit of base 32, those beside cells first, then those below.

`.` is a number that is not told. `KINDS` has the reader and the writer of each kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import Any
from urllib.parse import unquote

from bridge.asp.reading import Atom
from bridge.asp.reading import written as fact_text
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import LineCodec, Reading, Request, column, cut, made
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.rules import Cell, components
from bridge.puzzles.kinds.text import Token

#: A number at each place: None for an open one, UNKNOWN for one that is not told.
Places = list[int | None]
UNKNOWN = -1

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

#: Those of the sums of a Kakuro.
_SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass
class Body:
    """The characters of a link, read from the left."""

    token: Token
    at: int = 0

    def _take(self, length: int, base: int) -> int:
        digits = self.token.text[self.at : self.at + length]
        if len(digits) < length or not all(one in _DIGITS[:base] for one in digits):
            raise self._wrong()
        self.at += length
        return int(digits, base)

    def _wrong(self) -> InputError:
        text = self.token.text[self.at : self.at + 1]
        message = f"{text!r} has no meaning here" if text else "the link ends too early"
        return InputError(message, where=column(self.token, self.at))

    def numbers(self, count: int, values: range = range(256)) -> Places:
        return self._with_runs(count, partial(self._number, values))

    def fours(self, count: int) -> Places:
        return self._with_runs(count, self._four)

    def _with_runs(self, count: int, read: Callable[[], Places]) -> Places:
        found: Places = []
        while len(found) < count and self.at < len(self.token.text):
            sign = self.token.text[self.at]
            if "g" <= sign <= "z":
                found += [None] * (self._take(1, 36) - 15)
            elif sign == ".":
                found.append(UNKNOWN)
                self.at += 1
            else:
                found += read()
        return self._sized(found, count)

    def _number(self, values: range) -> Places:
        start = self.at
        digits = 1 if self.token.text[start] != "-" else 2
        self.at += digits - 1
        number = self._take(digits, 16)
        if number not in values:
            message = f"{number} is not a value of a Sudoku of size {values[-1]}"
            raise InputError(message, where=column(self.token, start))
        return [number]

    def _four(self) -> Places:
        after, number = divmod(self._take(1, 15), 5)
        return [number, *[None] * after]

    def letters(self, count: int) -> Places:
        found: Places = []
        while len(found) < count and self.at < len(self.token.text):
            sign = self.token.text[self.at]
            if sign == "-":
                self.at += 1
                found.append(self._take(2, 36))
            elif sign in _DIGITS:
                found.append(self._take(1, 36))
            elif sign in ".%@":
                found.append(None)
                self.at += 1
            else:
                raise self._wrong()
        return self._sized(found, count)

    def borders(self, count: int) -> list[bool]:
        found: list[bool] = []
        while len(found) < count:
            five = self._take(1, 32)
            found += [bool(five >> place & 1) for place in (4, 3, 2, 1, 0)]
        return found[:count]

    def stars(self) -> int:
        """A number, up to a slash."""
        digits, slash, _ = self.token.text[self.at :].partition("/")
        if not slash or not digits.isdigit() or not 0 < len(digits) < 3:
            raise InputError("here the number of stars is wanted", where=column(self.token, self.at))
        self.at += len(digits) + 1
        return int(digits)

    def white(self) -> int:
        """The white cells of a Kakuro before the next black one."""
        if not "k" <= self.token.text[self.at : self.at + 1] <= "z":
            return 0
        return self._take(1, 36) - 19

    def sum(self) -> int:
        """A sum of a Kakuro; 0 where there is none."""
        if self.at >= len(self.token.text):
            raise InputError("the link is cut short: sums are missing", where=self.token.place)
        sign = self.token.text[self.at]
        number = 0 if sign == "-" else _SUMS.find(sign)
        if number < 0:
            raise InputError(f"{sign!r} is not a sum", where=column(self.token, self.at))
        self.at += 1
        return number

    def end(self) -> None:
        if self.at < len(self.token.text):
            raise InputError(f"{self.token.text[self.at :][:20]!r} is left over", where=column(self.token, self.at))

    def _sized(self, found: Places, count: int) -> Places:
        if any(one is not None for one in found[count:]) or len(found) > count + 20:
            raise InputError(f"{len(found)} places, and there are {count}", where=column(self.token, self.at - 1))
        return found[:count] + [None] * (count - len(found))


def _open(count: int) -> str:
    return "z" * (count // 20) + (_DIGITS[15 + count % 20] if count % 20 else "")


def _written(places: Places) -> str:
    """The inverse of `Body.numbers`."""
    text, run = "", 0
    for number in places:
        if number is None:
            run += 1
            continue
        text += _open(run) + ("." if number == UNKNOWN else f"{number:x}" if number < 16 else f"-{number:02x}")
        run = 0
    return text + _open(run)


def _fours(places: Places) -> str:
    text, at = "", 0
    while at < len(places):
        number = places[at]
        if number is None or number == UNKNOWN:
            after = next((n for n, one in enumerate(places[at:]) if one is not None), len(places) - at)
            text += "." if number == UNKNOWN else _open(after)
            at += 1 if number == UNKNOWN else after
            continue
        after = next((n for n, one in enumerate(places[at + 1 : at + 3]) if one is not None), 2)
        text += _DIGITS[5 * after + number]
        at += 1 + after
    return text


def _letters(places: Places) -> str:
    def one(number: int | None) -> str:
        if number is None:
            return "."
        return _DIGITS[number] if number < 36 else f"-{_DIGITS[number // 36]}{_DIGITS[number % 36]}"

    return "".join(map(one, places))


def _borders(walls: Sequence[bool]) -> str:
    fives = ([*walls[start : start + 5], *[False] * 4][:5] for start in range(0, len(walls), 5))
    return "".join(_DIGITS[int("".join(str(int(wall)) for wall in five), 2)] for five in fives)


# Kinds


#: Facts and constants of an instance of a kind that is a file; of a Sudoku, its grid.
Data = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """How a kind is read and written."""

    #: Its name in links.
    pzpr: str
    #: The JSON form, from a body, rows and columns.
    read: Callable[[Body, int, int], Data]
    #: The text of an instance.
    write: Callable[[Any], str]
    #: Whether rows and columns are equally many.
    square: bool = False
    #: How many rows, and columns, an instance has before those of a link.
    margin: int = 0
    #: What a link does not carry.
    lost: Callable[[Any], list[str]] = lambda puzzle: ["given values"] if puzzle.clues() else []


def _read_sudoku(body: Body, rows: int, columns: int) -> Data:
    if isqrt(rows) ** 2 != rows != 6:
        where = Place(body.token.place.file, body.token.place.line, 1)
        raise UnsupportedError(f"a Sudoku of size {rows}, whose boxes are not part of a link", where=where)
    cells = body.numbers(rows * columns, range(1, rows + 1))
    return {"grid": cut([None if value == UNKNOWN else value for value in cells], columns)}


def _values(puzzle: Puzzle) -> str:
    return _written([None if value is None else int(value) for row in puzzle.grid for value in row])


def _lost_of_sudoku(puzzle: Puzzle) -> list[str]:
    size = len(puzzle.grid)
    root = isqrt(size)
    if root**2 != size != 6:
        raise UnsupportedError(f"puzz.link has no Sudoku of size {size}", hint="take json")
    box = puzzle.to_json()["box"]
    return [] if box == ([2, 3] if size == 6 else [root, root]) else [f"boxes of {box[0]}x{box[1]}"]


def _facts(name: str, places: Places, columns: int) -> list[str]:
    told = ((index, number) for index, number in enumerate(places) if number is not None and number != UNKNOWN)
    return [f"{name}({index // columns + 1},{index % columns + 1},{number})" for index, number in told]


def _data(facts: list[str], rows: int, columns: int, **more: int) -> Data:
    return {"facts": facts, "constants": {"rows": rows, "columns": columns, **more}}


def _grid(puzzle: FilePuzzle, *names: str) -> Places:
    """The last argument of facts about cells, in reading order; of a fact without a number, UNKNOWN."""
    rows, columns = puzzle.text_size
    places: Places = [None] * (rows * columns)
    for name, arguments in puzzle.atoms:
        if name in names:
            number = arguments[2] if len(arguments) == 3 else UNKNOWN
            if not isinstance(number, int):
                raise UnsupportedError(f"puzz.link has numbers, not {number!r}")
            places[(arguments[0] - 1) * columns + arguments[1] - 1] = number
    return places


def _numbers(pzpr: str, code: str, write: Callable[[Places], str], wall: str = "") -> Kind:
    """A kind whose link has a number for each cell, in a code of `Body`; one that is not told is a wall."""

    def read(body: Body, rows: int, columns: int) -> Data:
        places: Places = getattr(body, code)(rows * columns)
        untold = [index for index, number in enumerate(places) if wall and number == UNKNOWN]
        walls = [f"{wall}({index // columns + 1},{index % columns + 1})" for index in untold]
        return _data([*walls, *_facts("number", places, columns)], rows, columns)

    return Kind(pzpr, read, lambda puzzle: write(_grid(puzzle, wall, "number")))


def _read_nonogram(body: Body, rows: int, columns: int) -> Data:
    """Half as many places for each column, from the grid outwards; then for each row."""
    facts = []
    high, wide = (rows + 1) // 2, (columns + 1) // 2
    places = body.numbers(high * columns + wide * rows)
    for name, count, most, start in (("down", columns, high, 0), ("across", rows, wide, high * columns)):
        for line in range(count):
            outwards = places[start + line * most : start + (line + 1) * most]
            clues = [number for number in reversed(outwards) if number is not None] or [0]
            if UNKNOWN in clues:
                raise UnsupportedError("a Nonogram with numbers that are not told", where=body.token.place)
            facts += [f"{name}({line + 1},{position},{number})" for position, number in enumerate(clues, 1)]
    return _data(facts, rows, columns)


def _write_nonogram(puzzle: FilePuzzle) -> str:
    rows, columns = puzzle.text_size
    places: Places = []
    for name, count, length in (("down", columns, rows), ("across", rows, columns)):
        for line in range(1, count + 1):
            clues = sorted((a[1], a[2]) for one, a in puzzle.atoms if one == name and a[0] == line)
            if not clues:
                raise UnsupportedError("puzz.link has numbers for every row and column", hint="take json")
            outwards = [number for _, number in reversed(clues) if number]
            places += [*outwards, *[None] * ((length + 1) // 2 - len(outwards))]
    return _written(places)


_SIDES = ("top", "bottom", "left", "right")


def _read_skyscrapers(body: Body, rows: int, columns: int) -> Data:
    outside = body.numbers(4 * rows)
    facts = [
        f"sees({side},{index + 1},{number})"
        for k, side in enumerate(_SIDES)
        for index, number in enumerate(outside[k * rows : (k + 1) * rows])
        if number is not None and number != UNKNOWN
    ]
    facts += _facts("clue", body.numbers(rows * columns), columns)
    return {"facts": facts, "constants": {"n": rows}}


def _write_skyscrapers(puzzle: FilePuzzle) -> str:
    size = len(puzzle.grid)
    seen = {(str(a[0]), a[1]): a[2] for name, a in puzzle.atoms if name == "sees"}
    outside: Places = [seen.get((side, index)) for side in _SIDES for index in range(1, size + 1)]
    return _written(outside) + (_values(puzzle) if puzzle.clues() else "")


def _read_star_battle(body: Body, rows: int, columns: int) -> Data:
    stars = body.stars()
    beside, below = body.borders((columns - 1) * rows), body.borders(columns * (rows - 1))
    walls = {((r, c), (r, c + 1)) for r in range(rows) for c in range(columns - 1) if beside[r * (columns - 1) + c]}
    walls |= {((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(columns) if below[r * columns + c]}
    regions = components([(r, c) for r in range(rows) for c in range(columns)], walls)
    region = {cell: z for z, cells in enumerate(regions, 1) for cell in cells}
    facts = [f"region({r + 1},{c + 1},{z})" for (r, c), z in sorted(region.items())]
    return _data(facts, rows, columns, stars=stars)


def _write_star_battle(puzzle: FilePuzzle) -> str:
    rows, columns = puzzle.text_size
    region = {(a[0], a[1]): str(a[2]) for name, a in puzzle.atoms if name == "region"}
    if len(region) < rows * columns:
        raise UnsupportedError("puzz.link has a region for every cell", hint="take json")
    cells = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    beside = [region[r, c] != region[r, c + 1] for r, c in cells if c < columns]
    below = [region[r, c] != region[r + 1, c] for r, c in cells if r < rows]
    text = f"{dict(puzzle.constants).get('stars', 1)}/{_borders(beside)}{_borders(below)}"
    read = _read_star_battle(Body(Token(text, Place())), rows, columns)["facts"]
    if len({fact.rsplit(",", 1)[1] for fact in read}) != len(set(region.values())):
        raise UnsupportedError("puzz.link has regions whose cells hang together", hint="take json")
    return text


def _read_kakuro(body: Body, rows: int, columns: int) -> Data:
    """Cells row by row: letters for 1 to 16 white cells, two digits for a black cell with sums, `.` for one without.

    The sums are those of the run below, and of the run on the right. Those of the runs that begin at the edge of the
    grid follow: above it and on its left, in a row and a column of black cells that are not part of the link.
    """
    black: dict[Cell, tuple[int, int]] = {}
    count, cells = 0, rows * columns
    while count < cells and body.at < len(body.token.text):
        if white := body.white():
            count += white
            continue
        cell = count // columns + 2, count % columns + 2
        if body.token.text[body.at] == ".":
            black[cell] = 0, 0
            body.at += 1
        else:
            black[cell] = body.sum(), body.sum()
        count += 1
    if count != cells:
        raise InputError(f"{count} cells, but {rows} rows of {columns} have {cells}", where=body.token.place)
    black[1, 1] = 0, 0
    black |= {(1, c): (0 if (2, c) in black else body.sum(), 0) for c in range(2, columns + 2)}
    black |= {(r, 1): (0, 0 if (r, 2) in black else body.sum()) for r in range(2, rows + 2)}
    facts: list[Atom] = []
    for (r, c), (below, right) in sorted(black.items()):
        facts += [("down", (r, c, below))] if below else []
        facts += [("across", (r, c, right))] if right else []
        facts.append(("black", (r, c)))
    return {"grid": [[None] * (columns + 1) for _ in range(rows + 1)], "facts": [fact_text(fact) for fact in facts]}


def _write_kakuro(puzzle: FilePuzzle) -> str:
    white, (height, width) = set(puzzle.cells()), puzzle.text_size
    sums: dict[Cell, list[int]] = {}
    for name, arguments in puzzle.atoms:
        if name in ("down", "across"):
            sums.setdefault(arguments[:2], [0, 0])[name == "across"] = arguments[2]
    if any(r == 1 or c == 1 for r, c in white):
        raise UnsupportedError("its first row and first column are not black", hint="take json")
    if any(not 0 <= one < len(_SUMS) for pair in sums.values() for one in pair):
        raise UnsupportedError(f"a sum above {len(_SUMS) - 1} has no digit in a link", hint="take json")
    text, run = "", 0
    for cell in ((r, c) for r in range(2, height + 1) for c in range(2, width + 1)):
        if cell in white:
            run += 1
        if run and (run == 16 or cell not in white):
            text, run = text + _DIGITS[19 + run], 0
        if cell not in white:
            text += "".join(_SUMS[one] for one in sums[cell]) if cell in sums else "."
    text += _DIGITS[19 + run] if run else ""
    text += "".join(_SUMS[sums.get((1, c), [0, 0])[0]] for c in range(2, width + 1) if (2, c) in white)
    return text + "".join(_SUMS[sums.get((r, 1), [0, 0])[1]] for r in range(2, height + 1) if (r, 2) in white)


#: The kinds, by their names here.
KINDS: Mapping[str, Kind] = {
    "sudoku": Kind("sudoku", _read_sudoku, _values, square=True, lost=_lost_of_sudoku),
    "kakuro": Kind("kakuro", _read_kakuro, _write_kakuro, margin=1),
    "akari": _numbers("lightup", "fours", _fours, wall="wall"),
    "hitori": _numbers("hitori", "letters", _letters),
    "nonogram": Kind("nonogram", _read_nonogram, _write_nonogram),
    "skyscrapers": Kind("skyscrapers", _read_skyscrapers, _write_skyscrapers, square=True, lost=lambda puzzle: []),
    "slitherlink": _numbers("slither", "fours", _fours),
    "star-battle": Kind("starbattle", _read_star_battle, _write_star_battle),
}

#: The names here, by those in links.
NAMES: Mapping[str, str] = {**{kind.pzpr: name for name, kind in KINDS.items()}, "akari": "akari"}

_LINK = re.compile(r"(?:https?://)?(?:[\w.-]*puzz\.link|pzv\.jp|pzprxs\.vercel\.app|[\w.-]+)/p(?:\.html)?\?(.*)")


class PuzzLink(LineCodec):
    """Sudokus, and kinds that are files."""

    name = "puzzlink"
    title = "links of puzz.link and pzv.jp"
    kinds = tuple(KINDS)
    carries = "Size and clues; of a Kakuro, sums. Boxes are 2x3 for size 6, and otherwise square: 4, 9, 16, 25, ..."

    def sniff_line(self, line: str) -> bool:
        return _LINK.fullmatch(line) is not None and "load=" not in line

    def decode_line(self, line: Token, request: Request) -> Reading:
        line = Token(line.text.removesuffix("/"), line.place)
        if (link := _LINK.fullmatch(line.text)) is None:
            raise InputError(
                "this is not a link of puzz.link", where=line.place, hint="https://puzz.link/p?sudoku/9/9/..."
            )
        name, *parts = unquote(link[1]).split("/")
        after = column(line, link.start(1))
        if (kind := NAMES.get(name.removesuffix("_edit"))) is None:
            raise UnsupportedError(f"a puzzle of the kind {name!r} is not supported", where=after)
        if len(parts) == 4 and not parts[0].isdigit():
            raise UnsupportedError(f"a {kind.title()} of the variant {parts[0]!r} is not supported", where=line.place)
        if len(parts) < 3 or not all(re.fullmatch("[1-9][0-9]?", one) for one in parts[:2]):
            raise InputError("not KIND/COLUMNS/ROWS/CLUES", where=after)
        columns, rows, rest = int(parts[0]), int(parts[1]), "/".join(parts[2:])
        if KINDS[kind].square and columns != rows:
            raise InputError(f"{columns} columns and {rows} rows are not square", where=after)
        body = Body(Token(rest, column(line, len(line.text) - len(rest))))
        data = KINDS[kind].read(body, rows, columns)
        body.end()
        return Reading((made(kind, data, line.place, request),))

    def lost(self, puzzle: Puzzle) -> list[str]:
        return KINDS[puzzle.kind].lost(puzzle)

    def write_line(self, puzzle: Puzzle) -> str:
        kind = KINDS[puzzle.kind]
        rows, columns = puzzle.text_size if isinstance(puzzle, FilePuzzle) else (len(puzzle.grid), len(puzzle.grid[0]))
        size = f"{columns - kind.margin}/{rows - kind.margin}"
        return f"https://puzz.link/p?{kind.pzpr}/{size}/{kind.write(puzzle)}"
