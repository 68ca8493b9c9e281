"""File formats of puzzles: reading, writing and detection.

    >>> from bridge.puzzles import formats
    >>> formats.load("problem.sdk")
    [Sudoku(...)]
    >>> formats.dump(puzzles, "problem.ipuz")
    >>> formats.encode(puzzles, "solo").text
    '3x3:a2e9a5b6a2b3_7a1_4a9...'

There is one module for each format or family of formats; `bridge.puzzles.formats.codec` has the base class. To add a
format, write its codec and register it in `_FORMATS`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path

from bridge.common import export, write_whole
from bridge.common import load as at_place
from bridge.errors import InputError, Place
from bridge.puzzles.formats.codec import Codec, Reading, Request, Source, Written
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.files import HINTS, LARGEST, read_bytes

#: The classes of the formats, by name on the command line. A module is imported when one is asked for; formats are
#: detected in this order.
_FORMATS = {
    "text": "bridge.puzzles.formats.own:Text",
    "json": "bridge.puzzles.formats.own:Json",
    "jsonl": "bridge.puzzles.formats.own:Jsonl",
    "lp": "bridge.puzzles.formats.facts:Lp",
    "pl": "bridge.puzzles.formats.prolog:Pl",
    "line": "bridge.puzzles.formats.sudoku_lines:Line",
    "sdm": "bridge.puzzles.formats.sudoku_lines:Sdm",
    "csv": "bridge.puzzles.formats.sudoku_lines:Csv",
    "sdk": "bridge.puzzles.formats.sudoku_lines:Sdk",
    "candidates": "bridge.puzzles.formats.sudoku_lines:Candidates",
    "solo": "bridge.puzzles.formats.tatham:Solo",
    "unequal": "bridge.puzzles.formats.tatham:Unequal",
    "unruly": "bridge.puzzles.formats.tatham:Unruly",
    "towers": "bridge.puzzles.formats.tatham:Towers",
    "keen": "bridge.puzzles.formats.tatham:Keen",
    "loopy": "bridge.puzzles.formats.tatham:Loopy",
    "lightup": "bridge.puzzles.formats.tatham:LightUp",
    "pattern": "bridge.puzzles.formats.tatham:Pattern",
    "singles": "bridge.puzzles.formats.tatham:Singles",
    "sav": "bridge.puzzles.formats.tatham:SavedGame",
    "puzzlink": "bridge.puzzles.formats.puzzlink:PuzzLink",
    "fpuzzles": "bridge.puzzles.formats.fpuzzles:FPuzzles",
    "sudokupad": "bridge.puzzles.formats.sudokupad:SudokuPad",
    "ipuz": "bridge.puzzles.formats.ipuz:Ipuz",
    "puz": "bridge.puzzles.formats.puz_file:Puz",
    "course": "bridge.puzzles.formats.own:Course",
}

#: Suffixes of file names that determine the format, without importing a codec.
SUFFIXES: Mapping[str, str] = {
    ".txt": "text", ".grid": "text", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".lp": "lp", ".pl": "pl",
    ".pro": "pl", ".prolog": "pl", ".sdm": "sdm", ".sdk": "sdk", ".csv": "csv", ".tsv": "csv", ".sav": "sav",
    ".ipuz": "ipuz", ".puz": "puz",
}  # fmt: skip


def names() -> tuple[str, ...]:
    """The names of the formats."""
    return tuple(_FORMATS)


@lru_cache
def codec(name: str) -> Codec:
    """A format by its name.

    Raises
    ------
    InputError
        Listing the names there are.
    """
    if name not in _FORMATS:
        raise InputError(f"there is no format {name!r}", hint=f"one of: {', '.join(_FORMATS)}")
    found: Codec = at_place(_FORMATS[name])()
    return found


def sniff(source: Source, puzzle: str | None = None) -> str:
    """The name of the format of a file: by its suffix, otherwise by its contents.

    Of several formats, those that carry the requested puzzle remain.

    Raises
    ------
    InputError
        If it looks like several formats.
    """
    by_name = SUFFIXES.get(Path((source.name or "").removesuffix(".gz")).suffix.lower())
    if by_name not in (None, "text"):
        return str(by_name)
    found = [name for name in _FORMATS if codec(name).sniff(source)]
    if len(found) > 1 and puzzle is not None:
        found = [name for name in found if codec(name).holds(puzzle)]
    if len(found) > 1:
        raise InputError(
            f"this looks like {' and like '.join(found)}", where=source.place, hint="say which format it is (--from)"
        )
    return found[0] if found else "text"


def decode(
    data: str | bytes,
    format: str | None = None,
    puzzle: str | None = None,
    *,
    file: str | None = None,
    lossy: bool = False,
    **options: str,
) -> Reading:
    """The puzzles in a text or in bytes, with notes on what was left out.

    Parameters
    ----------
    data
        The contents.
    format
        The name of the format; None to detect it.
    puzzle
        The name of the puzzle; None if the text determines it.
    file
        The file name for error messages; its suffix helps to detect the format.
    lossy
        Whether contents that a puzzle cannot hold may be left out.
    options
        Options that the text does not contain, such as `words="list.txt"`.

    Raises
    ------
    InputError
        With line and column, if the text is malformed or ambiguous.
    UnsupportedError
        For a puzzle or variant that is not supported.
    """
    source = Source(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data, file)
    if len(source.data) > LARGEST:
        raise InputError(f"more than {LARGEST:,} bytes: {HINTS.long}", where=source.place)
    chosen = codec(format or sniff(source, puzzle))
    if puzzle is not None and not chosen.holds(puzzle):
        raise InputError(
            f"this looks like the format {chosen.name}, which has no {puzzle}"
            if format is None
            else f"the format {chosen.name} has no {puzzle}",
            where=source.place,
            hint=f"it has {', '.join(chosen.all_kinds())}",
        )
    return chosen.decode(source, Request(puzzle, options, lossy))


def read(
    path: str | PathLike[str],
    format: str | None = None,
    puzzle: str | None = None,
    *,
    lossy: bool = False,
    **options: str,
) -> Reading:
    """The puzzles in a file, with notes on what was left out; `-` is standard input. See `decode`."""
    name = str(path)
    data, shown = read_bytes(name)
    return decode(data, format, puzzle, file=shown, lossy=lossy, **options)


def load(
    path: str | PathLike[str], format: str | None = None, puzzle: str | None = None, **options: str
) -> list[Puzzle]:
    """The puzzles in a file; `-` is standard input. See `decode`; `read` also returns notes."""
    return list(read(path, format, puzzle, lossy=False, **options).puzzles)


def encode(
    puzzles: Puzzle | Iterable[Puzzle], format: str, *, lossy: bool = False, open_cells: bool = False
) -> Written:
    """Puzzles in a format, with notes on what was left out.

    Parameters
    ----------
    puzzles
        One, or several.
    format
        The name of the format.
    lossy
        Whether contents that the format cannot hold may be left out, with a note.
    open_cells
        Whether the letters of full crosswords become their solution, and all cells are open (puz, ipuz).

    Raises
    ------
    UnsupportedError
        When the format does not carry them.
    InputError
        When a grid that is to be the solution is not full.
    """
    wanted: Sequence[Puzzle] = [puzzles] if isinstance(puzzles, Puzzle) else list(puzzles)
    return codec(format).encode(wanted, lossy=lossy, open_cells=open_cells)


def dump(
    puzzles: Puzzle | Iterable[Puzzle], path: str | PathLike[str], format: str | None = None, *, lossy: bool = False
) -> Written:
    """Write puzzles to a file; `-` is standard output. See `encode`.

    The default format is that of the suffix of the file.
    """
    written = encode(puzzles, format or format_of(path), lossy=lossy)
    put(written.data, str(path))
    return written


def put(data: bytes, path: str) -> None:
    """Write bytes to a file; `-` is standard output.

    Raises
    ------
    InputError, OutputError
        When it cannot be written.
    """
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_whole(path, data)


def format_of(path: str | PathLike[str]) -> str:
    """The format given by the name of a file to write.

    Raises
    ------
    InputError
        When the name has none of the known suffixes.
    """
    if (found := SUFFIXES.get(Path(path).suffix.lower())) is None:
        shown = Place("<stdout>" if str(path) == "-" else str(path))
        hint = f"name it (--to): one of {', '.join(_FORMATS)}"
        raise InputError("the name does not determine the format", where=shown, hint=hint)
    return found


def schema(puzzle: str) -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of a puzzle's JSON form."""
    from bridge.puzzles.formats.schemas import schema as schema_of

    return schema_of(puzzle)


__all__ = [
    "SUFFIXES",
    "Codec",
    "Reading",
    "Source",
    "Written",
    "codec",
    "decode",
    "dump",
    "encode",
    "format_of",
    "load",
    "names",
    "put",
    "read",
    "read_bytes",
    "schema",
    "sniff",
]

export(__name__)
