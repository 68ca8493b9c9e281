"""The base classes of formats: a codec converts puzzles to text or bytes, and back.

A codec has a name and the puzzles that it carries. `decode` reads, `encode` writes, `sniff` detects the format, and
`lost` lists what the format cannot hold. A codec reads a puzzle into its JSON form, which the class of the puzzle
checks (`made`). So options such as `words` or `box` work for every format, and no codec repeats a rule of a puzzle.

Nothing is dropped silently: a part of the instance that a format cannot hold is an error, or a note in a lossy
conversion; what is not a part of it (`bridge.puzzles.kinds.about`: titles, the text of clues) is a note.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bridge.common import listed
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.kinds import KINDS, Puzzle, puzzle_class
from bridge.puzzles.kinds.about import NAMES as ABOUT
from bridge.puzzles.kinds.options import read_options
from bridge.puzzles.kinds.registry import is_kind, kinds
from bridge.puzzles.kinds.text import Token, without_comment


@dataclass(frozen=True)
class Source:
    """The bytes to read, with their name for error messages."""

    data: bytes
    name: str | None = None

    @property
    def place(self) -> Place:
        return Place(self.name)

    @property
    def text(self) -> str:
        """The bytes as text.

        Raises
        ------
        InputError
            When they are not UTF-8.
        """
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"byte {error.start} is not UTF-8: this is not text", where=self.place) from None

    @property
    def head(self) -> str:
        """The beginning of the text, for detection."""
        return self.data[:65536].decode("utf-8-sig", "replace").lstrip()

    def lines(self) -> Iterator[Token]:
        """The lines without comments (`#`, at the beginning or after a blank), stripped, unless nothing is left."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if content := without_comment(line).strip():
                yield Token(content, Place(self.name, number, line.index(content) + 1))


@dataclass(frozen=True)
class Request:
    """What the caller requests of a text."""

    #: The name of the puzzle; None if the text determines it.
    puzzle: str | None = None
    #: The options of the puzzle (`Puzzle.options`), as text.
    options: Mapping[str, str] = field(default_factory=dict)
    #: Whether contents that a puzzle or format cannot hold may be left out.
    lossy: bool = False


@dataclass(frozen=True)
class Reading:
    """The puzzles read, with notes on what was left out."""

    puzzles: tuple[Puzzle, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """The bytes written, with notes on what was left out."""

    data: bytes
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.data.decode("utf-8")


class Codec(ABC):
    """A format."""

    #: The name on the command line.
    name: ClassVar[str]
    #: The origin of the format, in a few words.
    title: ClassVar[str]
    #: The suffixes of its files; empty if they have none of their own.
    suffixes: ClassVar[tuple[str, ...]] = ()
    #: The names of the puzzles that it can hold.
    kinds: ClassVar[tuple[str, ...]]
    #: Whether it holds every kind of puzzle that is a file, too.
    generic: ClassVar[bool] = False
    #: Whether a file may hold several puzzles.
    many: ClassVar[bool] = True
    #: A sentence or two on what it can hold of a puzzle.
    carries: ClassVar[str]
    #: The texts about a puzzle that it can hold: names of `About`.
    about: ClassVar[frozenset[str]] = frozenset()
    #: Whether it is binary.
    binary: ClassVar[bool] = False
    #: Whether `write_open` writes a solution beside open cells.
    has_solution: ClassVar[bool] = False

    @classmethod
    def holds(cls, kind: str) -> bool:
        """Whether it can hold puzzles of a kind."""
        return kind in cls.kinds or (cls.generic and kind not in KINDS and is_kind(kind))

    @classmethod
    def all_kinds(cls) -> tuple[str, ...]:
        """The names of the puzzles that it can hold, those that are files among them."""
        return (*cls.kinds, *(kind for kind in kinds() if kind not in KINDS)) if cls.generic else cls.kinds

    @abstractmethod
    def sniff(self, source: Source) -> bool:
        """Whether this looks like a file of this format, with or without mistakes; never raises."""

    @abstractmethod
    def decode(self, source: Source, request: Request) -> Reading:
        """The puzzles in a file.

        Raises
        ------
        InputError
            With line and column, if the file is malformed.
        UnsupportedError
            For a puzzle or variant that is not supported, with its name.
        """

    @abstractmethod
    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        """The bytes of puzzles that the format can hold, without what `lost` lists."""

    def write_open(self, puzzles: Sequence[Puzzle]) -> bytes:
        """The bytes of full grids as puzzles to be solved: all cells open, their contents as the solution."""
        raise NotImplementedError

    def lost(self, puzzle: Puzzle) -> list[str]:
        """The parts of an instance that the format cannot hold: 'the list of words'.

        Raises
        ------
        UnsupportedError
            If the instance cannot be written at all.
        """
        return []

    def lost_texts(self, puzzle: Puzzle) -> list[str]:
        """The texts about a puzzle that the format cannot hold: 'the title'."""
        return [what for name, what in ABOUT.items() if getattr(puzzle.about, name) and name not in self.about]

    def encode(self, puzzles: Sequence[Puzzle], *, lossy: bool = False, open_cells: bool = False) -> Written:
        """Puzzles in this format.

        Parameters
        ----------
        puzzles
            One or more, of kinds that the format can hold.
        lossy
            Whether parts that the format cannot hold may be left out, with a note.
        open_cells
            Whether the contents of full grids become their solution, and all cells are open.

        Raises
        ------
        UnsupportedError
            If the format cannot hold them.
        InputError
            If a grid that is to be the solution is not full.
        """
        if not puzzles:
            raise InputError("there is no puzzle to be written")
        if len(puzzles) > 1 and not self.many:
            raise UnsupportedError(
                f"a file of the format {self.name} holds one puzzle, not {len(puzzles)}",
                hint="json and jsonl hold many",
            )
        notes: list[str] = []
        for puzzle in puzzles:
            if not self.holds(puzzle.kind):
                carried = ", ".join(self.all_kinds())
                raise UnsupportedError(
                    f"the format {self.name} does not carry a {puzzle.title}", hint=f"it carries {carried}"
                )
            if open_cells and (not self.has_solution or puzzle.kind != "crossword"):
                what = f"the format {self.name} has no solution beside the open cells of a {puzzle.title}"
                raise UnsupportedError(what, hint="crosswords in puz and ipuz have one")
            if open_cells and (empty := sum(value is None for row in puzzle.grid for value in row)):
                raise InputError(
                    f"{empty} of its cells have no letter, so its solution is not known",
                    hint="fill it: `lpbridge puzzle solve crossword GRID --words LIST`",
                )
            lost = self.lost(puzzle)
            if lost and not lossy and not open_cells:
                raise UnsupportedError(
                    f"the format {self.name} cannot carry {' nor '.join(lost)}",
                    hint="json can; or ask for a lossy conversion (--lossy)",
                )
            lost += self.lost_texts(puzzle)
            notes += [f"the format {self.name} does not carry {what}: left out" for what in lost]
        data = self.write_open(puzzles) if open_cells else self.write(puzzles)
        return Written(data, tuple(dict.fromkeys(notes)))

    def one_of(self, request: Request, *kinds: str, place: Place) -> str:
        """The requested one of several kinds that a text may hold."""
        if request.puzzle in kinds or (request.puzzle is None and len(kinds) == 1):
            return request.puzzle or kinds[0]
        if request.puzzle is None:
            listed = " or ".join(kinds)
            raise InputError(f"this may be a {listed}", where=place, hint="say which puzzle it is (--puzzle)")
        raise InputError(f"this is a {' or '.join(kinds)}, not a {request.puzzle}", where=place)


class LineCodec(Codec):
    """A format with one puzzle per line; comments (`#`) and empty lines are skipped."""

    #: The greatest length of a line, in characters: one may stand for many cells.
    longest: ClassVar[int] = 1 << 20

    def decode(self, source: Source, request: Request) -> Reading:
        puzzles: list[Puzzle] = []
        notes: list[str] = []
        for line in source.lines():
            if len(line.text) > self.longest:
                message = f"a line of {len(line.text):,} characters: no puzzle is that long"
                raise InputError(message, where=line.place, hint=f"{self.longest:,} are the most")
            reading = self.decode_line(line, request)
            puzzles += reading.puzzles
            notes += reading.notes
        if not puzzles:
            raise InputError("there is no puzzle in here: the text is empty", where=source.place)
        return Reading(tuple(puzzles), tuple(dict.fromkeys(notes)))

    def sniff(self, source: Source) -> bool:
        lines = (without_comment(line).strip() for line in source.head.splitlines())
        return self.sniff_line(next((line for line in lines if line), ""))

    @abstractmethod
    def sniff_line(self, line: str) -> bool:
        """Whether this looks like a line of this format."""

    @abstractmethod
    def decode_line(self, line: Token, request: Request) -> Reading:
        """The puzzle in a line."""

    @abstractmethod
    def write_line(self, puzzle: Puzzle) -> str:
        """A puzzle as a line."""

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        return "".join(f"{self.write_line(puzzle)}\n" for puzzle in puzzles).encode()


def made(kind: str, data: Mapping[str, Any], place: Place, request: Request) -> Puzzle:
    """The puzzle of a JSON form, with the requested options, checked by its class."""
    if request.puzzle is not None and request.puzzle != kind:
        raise InputError(f"this is a {kind}, not a {request.puzzle}", where=place)
    cls = puzzle_class(kind)
    options = read_options(kind, cls.options, request.options)
    return cls.from_json({**data, "puzzle": kind, **options}, place)


def column(token: Token, offset: int) -> Place:
    """The place of a character of a token, counted from 0."""
    return Place(token.place.file, token.place.line, (token.place.column or 1) + offset)


def left_out(what: Iterable[str]) -> tuple[str, ...]:
    """The note on what was left out, each thing once; none where nothing was."""
    things = tuple(dict.fromkeys(what))
    return (f"left out: {listed(things)}",) if things else ()


def spread(runs: Iterable[tuple[Any, int]], most: int) -> tuple[list[Any], int]:
    """The cells of runs of equal cells, at most `most`, and the number of all of them."""
    cells: list[Any] = []
    count = 0
    for value, length in runs:
        cells += [value] * min(length, most - len(cells))
        count += length
    return cells, count


def cut(cells: Sequence[Any], width: int) -> list[list[Any]]:
    """Cells in reading order as rows."""
    return [list(cells[start : start + width]) for start in range(0, len(cells), width)]
