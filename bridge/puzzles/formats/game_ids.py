"""Game IDs of Simon Tatham's Portable Puzzle Collection: the base classes of the games, and what they share.

A text is taken for a game whose puzzles are kinds that are files only if all its cells are there: the alphabets of the
games overlap.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar
from urllib.parse import unquote

from bridge.common import plural
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.formats.codec import LineCodec, Reading, Request, column, cut, made, spread
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.rules import Cell, components
from bridge.puzzles.kinds.text import Token

Rows = list[list[int | None]]

_HINT = "the game ID is what `Specific` in the menu shows"


class GameID(LineCodec):
    """Base class of the games."""

    #: The name of the game in the collection.
    game: ClassVar[str]
    #: Whether the size is one number.
    square: ClassVar[bool] = False
    #: The pattern of the parameters that follow the size.
    more: ClassVar[str] = ""

    def sniff_line(self, line: str) -> bool:
        return self._page(line) is not None or self.sniff_id(line)

    def sniff_id(self, line: str) -> bool:
        """Whether this looks like a game ID of this game."""
        found = re.fullmatch(rf"([0-9]{{1,3}})(?:x([0-9]{{1,3}}))?{self.more}:(\S+)", line)
        if found is None or (self.square and found[2]):
            return False
        width, height = int(found[1]), int(found[2] or found[1])
        return min(width, height) > 0 and self.fits(width, height, found[3])

    def fits(self, width: int, height: int, text: str) -> bool:
        """Whether a text is a description of this size."""
        raise NotImplementedError

    def _page(self, line: str) -> re.Match[str] | None:
        """The address of the game in a browser, which may end with an ID."""
        page = self.game.lower().replace(" ", "")
        return re.match(rf"https?://\S*/{page}(?:\.html)?#", line)

    def decode_line(self, line: Token, request: Request) -> Reading:
        if page := self._page(line.text):
            line = Token(unquote(line.text[page.end() :]), column(line, page.end()))
        parameters, colon, description = line.text.partition(":")
        if not colon and "#" in line.text:
            raise UnsupportedError(
                f"{line.text!r} is a random seed, from which only {self.game} itself makes the puzzle",
                where=line.place,
                hint=f"{_HINT}, with a colon in place of the `#`",
            )
        if not colon:
            raise InputError(f"{line.text!r} is not a game ID of {self.game}", where=line.place, hint=f"write {_HINT}")
        at = column(line, len(parameters) + 1)
        return Reading((self.read(Token(parameters, line.place), Token(description, at), request),))

    @abstractmethod
    def read(self, parameters: Token, description: Token, request: Request) -> Puzzle:
        """The puzzle of an ID, cut at the colon."""

    def size(self, parameters: Token) -> tuple[int, int]:
        """Columns and rows."""
        found = re.fullmatch(rf"([0-9]+)(?:x([0-9]+))?{self.more}", parameters.text)
        if found is None or (self.square and found[2]):
            hint = "as in `6:`" if self.square else "as in `8x6:`"
            raise InputError(
                f"{parameters.text[:40]!r} is not a size of {self.game}", where=parameters.place, hint=hint
            )
        width, height = int(found[1][:4]), int((found[2] or found[1])[:4])
        if not (1 <= width <= 64 and 1 <= height <= 64):
            message = f"a size of {width}x{height} is not read"
            raise InputError(message, where=parameters.place, hint="64 is the largest")
        return width, height


class FileGame(GameID):
    """Base class of games whose puzzles are of one kind, which is a file."""

    #: The sizes that the game has.
    smallest: ClassVar[int]
    largest: ClassVar[int] = 64
    #: The facts that it has a place for: their predicates, each with its number of arguments.
    facts: ClassVar[frozenset[tuple[str, int]]]
    #: Whether it has a place for given values.
    givens: ClassVar[bool] = False
    #: Whether its values are those of the edges of a grid.
    lattice: ClassVar[bool] = False

    @abstractmethod
    def facts_in(self, description: Token, width: int, height: int) -> tuple[list[str], Rows | None]:
        """The facts of a description, and the given values; None where there are none."""

    @abstractmethod
    def text_of(self, puzzle: Puzzle) -> str:
        """The description of a puzzle."""

    def read(self, parameters: Token, description: Token, request: Request) -> Puzzle:
        width, height = self.size(parameters)
        facts, grid = self.facts_in(description, width, height)
        data: dict[str, Any] = {"facts": facts, "grid": grid or [[None] * width for _ in range(height)]}
        if self.lattice:
            data = {"facts": facts, "constants": {"rows": height, "columns": width}}
        return made(self.kinds[0], data, parameters.place, request)

    def write_line(self, puzzle: Puzzle) -> str:
        height, width = text_size(puzzle)
        return f"{width}{'' if self.square else f'x{height}'}{'t0' if self.lattice else ''}:{self.text_of(puzzle)}"

    def lost(self, puzzle: Puzzle) -> list[str]:
        height, width = text_size(puzzle)
        if not all(self.smallest <= one <= self.largest for one in (height, width)):
            size = f"{height} rows and {width} columns"
            hint = f"it goes from {self.smallest} to {self.largest}; take json"
            raise UnsupportedError(f"{self.game} has no grid of {size}", hint=hint)
        clues = [] if self.givens or not puzzle.clues() else [f"given values ({len(puzzle.clues())})"]
        return [*clues, *others(puzzle, self.facts)]


def text_size(puzzle: Puzzle) -> Cell:
    """The rows and columns of a puzzle's text."""
    assert isinstance(puzzle, FilePuzzle)
    return puzzle.text_size


def rows_of(puzzle: Puzzle, name: str) -> list[tuple[Any, ...]]:
    """The arguments of the facts of a name."""
    assert isinstance(puzzle, FilePuzzle)
    return [arguments for one, arguments in puzzle.atoms if one == name]


def others(puzzle: Puzzle, known: Collection[tuple[str, int]]) -> list[str]:
    """The predicates of the facts that are not among the known ones."""
    assert isinstance(puzzle, FilePuzzle)
    return sorted({f"{name}/{len(row)}" for name, row in puzzle.atoms if (name, len(row)) not in known})


def pieces(text: Token, separator: str) -> Iterator[Token]:
    """The parts of a text between separators, each with its place."""
    at = 0
    for piece in text.text.split(separator):
        yield Token(piece, column(text, at))
        at += len(piece) + 1


def regions_of(puzzle: Puzzle, name: str) -> dict[Any, list[Cell]]:
    """The cells of each region or cage, as facts `name(R, C, Id)` have them."""
    found: dict[Any, list[Cell]] = {}
    for r, c, zone in rows_of(puzzle, name):
        found.setdefault(zone, []).append((r, c))
    return found


def as_map(regions: Mapping[Any, Iterable[Cell]], size: int) -> list[list[Any]]:
    """The region of each cell of a square."""
    at = {cell: name for name, cells in regions.items() for cell in cells}
    return [[at.get((r, c)) for c in range(1, size + 1)] for r in range(1, size + 1)]


def open_run(length: int, most: int = 26) -> str:
    """A run of open cells as letters, of which the last stands for `most`."""
    letters = "abcdefghijklmnopqrstuvwxyz"[:most]
    return letters[-1] * (length // most) + (letters[length % most - 1] if length % most else "")


def run_length(letter: str) -> int:
    return ord(letter) - ord("a") + 1


def in_order(tokens: Sequence[Any], between: str = "") -> str:
    """Cells as tokens, with this between those that follow each other, and runs of open ones as letters."""
    groups = ((is_open, list(group)) for is_open, group in groupby(tokens, key=lambda token: token is None))
    return "".join(open_run(len(cells)) if is_open else between.join(map(str, cells)) for is_open, cells in groups)


def cells_of(text: Token, pattern: str, most: int) -> Iterator[tuple[int, str, int]]:
    """The number of each cell that is not open, its token, and the column of the token."""
    at = 0
    for piece in re.finditer(rf"([a-z])|(_)|({pattern})|(.)", text.text):
        if piece[1]:
            at += run_length(piece[1])
        elif piece[3] is not None:
            if at < most:
                yield at, piece[3], piece.start()
            at += 1
        elif piece[4]:
            raise InputError(f"{piece[4]!r} has no meaning here", where=column(text, piece.start()))
    if at != most:
        raise InputError(f"{plural(at, 'cell')}, but the grid has {most}", where=text.place)


def numbered(text: Token, size: int) -> Rows:
    """A square grid of values, as in Solo and Towers."""
    cells: list[int | None] = [None] * size**2
    for at, token, offset in cells_of(text, "[1-9][0-9]*", size**2):
        if int(token[:6]) > size:
            raise InputError(f"{token[:20]} is not a value of size {size}", where=column(text, offset))
        cells[at] = int(token)
    return cut(cells, size)


def values_in_order(grid: Sequence[Sequence[Any]]) -> str:
    """The inverse of `numbered`: numbers that follow each other have `_` between them."""
    return in_order([value for row in grid for value in row], "_")


def binary(text: Token, most: int) -> tuple[list[int | None], int]:
    """Cells that are 0 or 1, as in Unruly and Pattern, up to so many; and how many there are.

    A letter is a run of open cells and a cell behind it, which is 1 for a capital: `C` is two open ones and a 1. `z` is
    25 open cells and no other.
    """
    runs: list[tuple[int | None, int]] = []
    for at, letter in enumerate(text.text):
        if not (letter.isascii() and letter.isalpha()):
            raise InputError(f"{letter!r} has no meaning here", where=column(text, at))
        runs.append((None, run_length(letter.lower()) - 1))
        if letter not in "zZ":
            runs.append((int(letter.isupper()), 1))
    return spread(runs, most)


def binary_in_order(cells: Iterable[object]) -> tuple[str, int]:
    """The inverse of `binary`, and how many cells at the end are open and not written."""
    text, run = "", 0
    for value in cells:
        if value is None:
            run += 1
            continue
        text += "z" * (run // 25) + chr(ord("A" if value else "a") + run % 25)
        run = 0
    return text, run


# Divisions of a square into connected regions: the sides between cells, those of rows first, then those of columns.


def _sides(size: int) -> Iterator[tuple[Cell, Cell]]:
    for r in range(size):
        yield from (((r, c), (r, c + 1)) for c in range(size - 1))
    for c in range(size):
        yield from (((r, c), (r + 1, c)) for r in range(size - 1))


def divided(text: Token, size: int, special: int) -> list[list[str]]:
    """The names of the regions of cells, from the runs of sides that divide nothing.

    A letter stands for so many sides, and one that divides after them, except for `special` (25 in Keen, 26 in Solo),
    after which there is none. A number after a letter repeats it.
    """
    sides = list(_sides(size))
    walls: set[tuple[Cell, Cell]] = set()
    at = 0
    for piece in re.finditer("([a-z_])([0-9]*)|(.)", text.text):
        if piece[3]:
            raise InputError(f"{piece[3]!r} divides no cells", where=column(text, piece.start()))
        length = 0 if piece[1] == "_" else run_length(piece[1])
        for _ in range(min(int(piece[2][:6] or 1), 2 * len(sides) + 2)):
            at += length + (length != special)
            if length != special:
                walls.update(sides[at - 1 : at])
        if at > len(sides) + 1:
            break
    if at != len(sides) + 1:
        found = f"more than {len(sides)}" if at > len(sides) else max(at - 1, 0)
        message = f"the description is of {found} sides of cells, and there are {len(sides)}"
        raise InputError(message, where=text.place)
    groups = components([(r, c) for r in range(size) for c in range(size)], walls)
    # They are called a, b, ..., z, then a1, b1, ...
    names = [chr(ord("a") + number % 26) + (str(number // 26) if number >= 26 else "") for number in range(len(groups))]
    of = {cell: name for name, group in zip(names, groups, strict=True) for cell in group}
    return [[of[r, c] for c in range(size)] for r in range(size)]


def divisions(regions: Sequence[Sequence[Any]], special: int) -> str:
    """The inverse of `divided`, without repetitions."""
    runs = [0]
    for (r, c), (r1, c1) in _sides(len(regions)):
        if regions[r][c] == regions[r1][c1]:
            runs[-1] += 1
        else:
            runs.append(0)
    return "".join(open_run(run, special) + ("" if run % special else "_") for run in runs)
