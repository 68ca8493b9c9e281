"""The part of a link of puzz.link after the name and size of a puzzle, for the kinds that are files.

pzpr has a few codes for numbers, which its puzzles share:

- `numbers`: a digit of base 16, or `-` and two of them; `g` to `z` for 1 to 20 open places.
- `fours`: 0 to 4; 5 to 9 is such a number and an open place after it, `a` to `e` with two; `g` to `z` as before.
- `letters`: a digit of base 36, or `-` and two of them, for each place; another character for an open one.
- `borders`: five walls between cells in each digit of base 32, those beside cells first, then those below.

`.` is a number that is not told. `KINDS` has the reader and the writer of each kind; both speak of the facts of an
instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import column
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.rules import components
from bridge.puzzles.kinds.text import Token

#: A number at each place: None for an open one, UNKNOWN for one that is not told.
Places = list[int | None]
UNKNOWN = -1

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


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

    def numbers(self, count: int) -> Places:
        return self._with_runs(count, self._number)

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

    def _number(self) -> Places:
        if self.token.text[self.at] != "-":
            return [self._take(1, 16)]
        self.at += 1
        return [self._take(2, 16)]

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

    def end(self) -> None:
        if self.at < len(self.token.text):
            raise InputError(f"{self.token.text[self.at :][:20]!r} is left over", where=column(self.token, self.at))

    def _sized(self, found: Places, count: int) -> Places:
        if any(one is not None for one in found[count:]) or len(found) > count + 20:
            raise InputError(f"{len(found)} places, and there are {count}", where=column(self.token, self.at - 1))
        return found[:count] + [None] * (count - len(found))


def _runs(places: Sequence[int | None]) -> Iterator[tuple[int, int | None]]:
    """The numbers, each with how many open places are before it; at last None."""
    open_ = 0
    for one in places:
        if one is None:
            open_ += 1
            continue
        yield open_, one
        open_ = 0
    yield open_, None


def _open(count: int) -> str:
    return "z" * (count // 20) + (_DIGITS[15 + count % 20] if count % 20 else "")


def write_numbers(places: Sequence[int | None]) -> str:
    text = ""
    for open_, number in _runs(places):
        text += _open(open_)
        if number is not None:
            text += "." if number == UNKNOWN else f"{number:x}" if number < 16 else f"-{number:02x}"
    return text


def write_fours(places: Sequence[int | None]) -> str:
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


def write_letters(places: Sequence[int | None]) -> str:
    def one(number: int | None) -> str:
        if number is None:
            return "."
        return _DIGITS[number] if number < 36 else f"-{_DIGITS[number // 36]}{_DIGITS[number % 36]}"

    return "".join(map(one, places))


def write_borders(walls: Sequence[bool]) -> str:
    text = ""
    for start in range(0, len(walls), 5):
        five = [*walls[start : start + 5], *[False] * 5][:5]
        text += _DIGITS[sum(wall << place for wall, place in zip(five, (4, 3, 2, 1, 0), strict=True))]
    return text


# Kinds


@dataclass(frozen=True)
class Kind:
    """How a kind is read and written.

    Attributes
    ----------
    pzpr
        Its name in links.
    read
        Facts and constants, from a body, rows and columns.
    write
        The text of an instance.
    """

    pzpr: str
    read: Callable[[Body, int, int], tuple[list[str], dict[str, int]]]
    write: Callable[[FilePuzzle], str]


def _facts(name: str, places: Places, columns: int) -> list[str]:
    found = []
    for index, number in enumerate(places):
        if number is not None and number != UNKNOWN:
            found.append(f"{name}({index // columns + 1},{index % columns + 1},{number})")
    return found


def _size(rows: int, columns: int) -> dict[str, int]:
    return {"rows": rows, "columns": columns}


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


def _read_slither(body: Body, rows: int, columns: int) -> tuple[list[str], dict[str, int]]:
    return _facts("number", body.fours(rows * columns), columns), _size(rows, columns)


def _read_akari(body: Body, rows: int, columns: int) -> tuple[list[str], dict[str, int]]:
    places = body.fours(rows * columns)
    walls = [f"wall({i // columns + 1},{i % columns + 1})" for i, one in enumerate(places) if one == UNKNOWN]
    return [*walls, *_facts("number", places, columns)], _size(rows, columns)


def _read_hitori(body: Body, rows: int, columns: int) -> tuple[list[str], dict[str, int]]:
    return _facts("number", body.letters(rows * columns), columns), _size(rows, columns)


def _read_nonogram(body: Body, rows: int, columns: int) -> tuple[list[str], dict[str, int]]:
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
    return facts, _size(rows, columns)


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
    return write_numbers(places)


_SIDES = ("top", "bottom", "left", "right")


def _read_skyscrapers(body: Body, rows: int, columns: int) -> tuple[list[str], dict[str, int]]:
    outside = body.numbers(4 * rows)
    facts = [
        f"sees({side},{index + 1},{number})"
        for k, side in enumerate(_SIDES)
        for index, number in enumerate(outside[k * rows : (k + 1) * rows])
        if number is not None and number != UNKNOWN
    ]
    return [*facts, *_facts("clue", body.numbers(rows * columns), columns)], {"n": rows}


def _write_skyscrapers(puzzle: FilePuzzle) -> str:
    size = len(puzzle.grid)
    seen = {(str(a[0]), a[1]): a[2] for name, a in puzzle.atoms if name == "sees"}
    outside: Places = [seen.get((side, index)) for side in _SIDES for index in range(1, size + 1)]
    inside: Places = [None if value is None else int(value) for row in puzzle.grid for value in row]
    return write_numbers(outside) + (write_numbers(inside) if puzzle.clues() else "")


def _read_star_battle(body: Body, rows: int, columns: int) -> tuple[list[str], dict[str, int]]:
    stars = body.stars()
    beside, below = body.borders((columns - 1) * rows), body.borders(columns * (rows - 1))
    walls = {((r, c), (r, c + 1)) for r in range(rows) for c in range(columns - 1) if beside[r * (columns - 1) + c]}
    walls |= {((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(columns) if below[r * columns + c]}
    regions = components([(r, c) for r in range(rows) for c in range(columns)], walls)
    region = {cell: z for z, cells in enumerate(regions, 1) for cell in cells}
    facts = [f"region({r + 1},{c + 1},{z})" for (r, c), z in sorted(region.items())]
    return facts, {**_size(rows, columns), "stars": stars}


def _write_star_battle(puzzle: FilePuzzle) -> str:
    rows, columns = puzzle.text_size
    region = {(a[0], a[1]): str(a[2]) for name, a in puzzle.atoms if name == "region"}
    if len(region) < rows * columns:
        raise UnsupportedError("puzz.link has a region for every cell", hint="take json")
    cells = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    beside = [region[r, c] != region[r, c + 1] for r, c in cells if c < columns]
    below = [region[r, c] != region[r + 1, c] for r, c in cells if r < rows]
    read, _ = _read_star_battle(Body(Token(f"1/{write_borders(beside)}{write_borders(below)}", Place())), rows, columns)
    if len({fact.rsplit(",", 1)[1] for fact in read}) != len(set(region.values())):
        raise UnsupportedError("puzz.link has regions whose cells hang together", hint="take json")
    stars = dict(puzzle.constants).get("stars", 1)
    return f"{stars}/{write_borders(beside)}{write_borders(below)}"


#: The kinds, by their names here.
KINDS: Mapping[str, Kind] = {
    "akari": Kind("lightup", _read_akari, lambda puzzle: write_fours(_grid(puzzle, "wall", "number"))),
    "hitori": Kind("hitori", _read_hitori, lambda puzzle: write_letters(_grid(puzzle, "number"))),
    "nonogram": Kind("nonogram", _read_nonogram, _write_nonogram),
    "skyscrapers": Kind("skyscrapers", _read_skyscrapers, _write_skyscrapers),
    "slitherlink": Kind("slither", _read_slither, lambda puzzle: write_fours(_grid(puzzle, "number"))),
    "star-battle": Kind("starbattle", _read_star_battle, _write_star_battle),
}

#: The names here, by those in links.
NAMES: Mapping[str, str] = {**{kind.pzpr: name for name, kind in KINDS.items()}, "akari": "akari"}


def read(name: str, token: Token, rows: int, columns: int) -> dict[str, Any]:
    """The JSON form of an instance, from the rest of its link.

    Raises
    ------
    InputError
        With the column, when it is malformed.
    """
    body = Body(token)
    facts, constants = KINDS[name].read(body, rows, columns)
    body.end()
    return {"facts": facts, "constants": constants}


def write(puzzle: FilePuzzle) -> str:
    """The part of a link after the address: name, columns, rows and the rest."""
    kind, (rows, columns) = KINDS[puzzle.kind], puzzle.text_size
    return f"{kind.pzpr}/{columns}/{rows}/{kind.write(puzzle)}"


def lost(puzzle: FilePuzzle) -> list[str]:
    """What a link does not carry."""
    return ["given values"] if puzzle.clues() and puzzle.kind != "skyscrapers" else []
