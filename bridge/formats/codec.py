"""What a format is: a codec between puzzles and text, or bytes.

A codec tells its name, the puzzles that it carries, and what of a puzzle it does not. It reads (`decode`) and writes
(`encode`), and says of a text whether that looks like its own (`sniff`). The one idea: a codec reads a puzzle into its
JSON form, which the puzzle's own class then checks (`made`). So options such as `words` or `box` hold for every format,
and no codec repeats a rule of a puzzle.

Nothing is dropped without a word: what belongs to the instance and has no place in a format is an error, or a note
where the caller asked for a lossy conversion; what does not belong to it (titles, the text of clues) is a note.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles import Puzzle, puzzle_class
from bridge.puzzles.options import read_options
from bridge.puzzles.text import Token

#: A longer file, in bytes, is no file of puzzles: it is not looked at.
LARGEST = 1 << 26


@dataclass(frozen=True)
class Source:
    """What is to be read: bytes, and what error messages call them."""

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
        """Its beginning as far as it is text, to be sniffed at."""
        return self.data[:65536].decode("utf-8-sig", "replace").lstrip()

    def lines(self) -> Iterator[Token]:
        """The lines that say something, without blanks around them; `#` begins a comment."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if (said := line.strip()) and not said.startswith("#"):
                yield Token(said, Place(self.name, number, line.index(said) + 1))


@dataclass(frozen=True)
class Wish:
    """What the caller said beside the text.

    Attributes
    ----------
    puzzle
        The name of the puzzle that is wanted; None where the text is to tell.
    options
        The puzzle's options (`Puzzle.options`), as people type them.
    lossy
        Whether what has no place may be left out.
    """

    puzzle: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    lossy: bool = False


@dataclass(frozen=True)
class Reading:
    """What was read: the puzzles, and what was left out, in sentences."""

    puzzles: tuple[Puzzle, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """What was written, and what was left out, in sentences."""

    data: bytes
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.data.decode("utf-8")


class Codec(ABC):
    """One format."""

    #: What it is called on the command line.
    name: ClassVar[str]
    #: Whose format it is, in a few words.
    title: ClassVar[str]
    #: How names of its files end; none where files of it have no name of their own.
    suffixes: ClassVar[tuple[str, ...]] = ()
    #: The names of the puzzles that it carries.
    kinds: ClassVar[tuple[str, ...]]
    #: Whether a file may hold several.
    many: ClassVar[bool] = True
    #: What of a puzzle it carries and what not, in a sentence or two.
    carries: ClassVar[str]
    #: Whether it is bytes, not text.
    binary: ClassVar[bool] = False

    @abstractmethod
    def sniff(self, source: Source) -> bool:
        """Whether this looks like a file of this format, with or without mistakes; never raises."""

    @abstractmethod
    def decode(self, source: Source, wish: Wish) -> Reading:
        """The puzzles in a file.

        Raises
        ------
        InputError
            With line and column, when it is no such file.
        UnsupportedError
            When it holds a puzzle, or a variant, that there is none of here; its name is told.
        """

    @abstractmethod
    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        """Puzzles of the kinds that it carries; what `lost` tells is left out."""

    def lost(self, puzzle: Puzzle) -> list[str]:
        """What of an instance has no place in this format: 'the list of words'.

        Raises
        ------
        UnsupportedError
            When there is no way at all to write it.
        """
        return []

    def encode(self, puzzles: Sequence[Puzzle], *, lossy: bool = False) -> Written:
        """Puzzles in this format.

        Parameters
        ----------
        puzzles
            One or more; of the kinds that it carries.
        lossy
            Whether what the format has no place for may be left out, which then is a note.

        Raises
        ------
        UnsupportedError
            When it does not carry them.
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
            if puzzle.kind not in self.kinds:
                carried = ", ".join(self.kinds)
                raise UnsupportedError(
                    f"the format {self.name} does not carry a {puzzle.title}", hint=f"it carries {carried}"
                )
            lost = self.lost(puzzle)
            if lost and not lossy:
                raise UnsupportedError(
                    f"the format {self.name} cannot carry {' nor '.join(lost)}",
                    hint="json can; or ask for a lossy conversion (--lossy)",
                )
            notes += [f"the format {self.name} does not carry {what}: left out" for what in lost]
        return Written(self.write(puzzles), tuple(dict.fromkeys(notes)))

    def one_of(self, wish: Wish, *kinds: str, place: Place) -> str:
        """Which of some kinds a text holds that does not say which: the one that is wished for.

        Raises
        ------
        InputError
            When none of them is wished for, and there are several.
        """
        if wish.puzzle in kinds or (wish.puzzle is None and len(kinds) == 1):
            return wish.puzzle or kinds[0]
        if wish.puzzle is None:
            listed = " or ".join(kinds)
            raise InputError(f"this may be a {listed}", where=place, hint="say which puzzle it is (--puzzle)")
        raise InputError(f"this is a {' or '.join(kinds)}, not a {wish.puzzle}", where=place)


class LineCodec(Codec):
    """A format in which a puzzle is a line; others are empty, or begin with `#`."""

    #: A longer line, in characters, is no puzzle: a letter of it may stand for many cells.
    longest: ClassVar[int] = 1 << 20

    def decode(self, source: Source, wish: Wish) -> Reading:
        puzzles: list[Puzzle] = []
        notes: list[str] = []
        for line in source.lines():
            if len(line.text) > self.longest:
                message = f"a line of {len(line.text):,} characters: no puzzle is that long"
                raise InputError(message, where=line.place, hint=f"{self.longest:,} are the most")
            reading = self.decode_line(line, wish)
            puzzles += reading.puzzles
            notes += reading.notes
        if not puzzles:
            raise InputError("there is no puzzle in here: the text is empty", where=source.place)
        return Reading(tuple(puzzles), tuple(dict.fromkeys(notes)))

    def sniff(self, source: Source) -> bool:
        lines = (line.strip() for line in source.head.splitlines())
        return self.sniff_line(next((line for line in lines if line and not line.startswith("#")), ""))

    @abstractmethod
    def sniff_line(self, line: str) -> bool:
        """Whether this looks like a line of this format."""

    @abstractmethod
    def decode_line(self, line: Token, wish: Wish) -> Reading:
        """The puzzle in a line."""

    @abstractmethod
    def write_line(self, puzzle: Puzzle) -> str:
        """A puzzle as a line."""

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        return "".join(f"{self.write_line(puzzle)}\n" for puzzle in puzzles).encode()


def made(kind: str, data: Mapping[str, Any], place: Place, wish: Wish) -> Puzzle:
    """The puzzle of a JSON form, with the options that were wished for, checked by its class.

    Raises
    ------
    InputError
        When it is no such puzzle, or another one is wished for.
    """
    if wish.puzzle is not None and wish.puzzle != kind:
        raise InputError(f"this is a {kind}, not a {wish.puzzle}", where=place)
    cls = puzzle_class(kind)
    options = read_options(kind, cls.options, wish.options)
    return cls.from_json({**data, "puzzle": kind, **options}, place)


def column(token: Token, offset: int) -> Place:
    """The place of a character of a token, counted from 0."""
    return Place(token.place.file, token.place.line, (token.place.column or 1) + offset)


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def spread(runs: Iterable[tuple[Any, int]], most: int) -> tuple[list[Any], int]:
    """Cells from runs of equal ones, and how many there are; no more of them are made than there should be."""
    cells: list[Any] = []
    count = 0
    for value, length in runs:
        cells += [value] * min(length, most - len(cells))
        count += length
    return cells, count


def cut(cells: Sequence[Any], width: int) -> list[list[Any]]:
    """Cells in reading order as rows."""
    return [list(cells[start : start + width]) for start in range(0, len(cells), width)]
