"""Formats that people already have their puzzles in: read, written, and told apart by how they look.

    >>> from bridge import formats
    >>> formats.load("problem.sdk")
    [Sudoku(...)]
    >>> formats.dump(puzzles, "problem.ipuz")
    >>> formats.encode(puzzles, "solo").text
    '3x3:a2e9a5b6a2b3_7a1_4a9...'

One module a format, or a family of them; `bridge.formats.codec` says what a codec is. To add a format, write its
codec and enter it in `_MODULES`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from os import PathLike
from pathlib import Path

from bridge import files
from bridge.errors import InputError, Place
from bridge.formats.codec import LARGEST, Codec, Reading, Source, Wish, Written
from bridge.puzzles import Puzzle

#: Name on the command line: module and class. Loaded when asked for; sniffed in this order.
_MODULES = {
    "text": ("text_form", "Text"),
    "json": ("json_form", "Json"),
    "jsonl": ("json_form", "Jsonl"),
    "lp": ("facts", "Lp"),
    "pl": ("prolog", "Pl"),
    "line": ("sudoku_lines", "Line"),
    "sdm": ("sudoku_lines", "Sdm"),
    "sdk": ("sudoku_lines", "Sdk"),
    "candidates": ("sudoku_lines", "Candidates"),
    "solo": ("tatham", "Solo"),
    "unequal": ("tatham", "Unequal"),
    "unruly": ("tatham", "Unruly"),
    "sav": ("tatham", "SavedGame"),
    "puzzlink": ("puzzlink", "PuzzLink"),
    "fpuzzles": ("fpuzzles", "FPuzzles"),
    "sudokupad": ("sudokupad", "SudokuPad"),
    "ipuz": ("ipuz", "Ipuz"),
    "puz": ("puz_file", "Puz"),
    "course": ("text_form", "Course"),
}

#: How names of files end that are told by it, without any codec being loaded.
SUFFIXES: Mapping[str, str] = {
    ".txt": "text", ".grid": "text", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".lp": "lp", ".pl": "pl",
    ".pro": "pl", ".prolog": "pl", ".sdm": "sdm", ".sdk": "sdk", ".sav": "sav", ".ipuz": "ipuz", ".puz": "puz",
}  # fmt: skip


def names() -> tuple[str, ...]:
    """The names of the formats."""
    return tuple(_MODULES)


@lru_cache
def codec(name: str) -> Codec:
    """A format by its name.

    Raises
    ------
    InputError
        Listing the names there are.
    """
    if name not in _MODULES:
        raise InputError(f"there is no format {name!r}", hint=f"one of: {', '.join(_MODULES)}")
    module, cls = _MODULES[name]
    found = getattr(import_module(f"bridge.formats.{module}"), cls)()
    assert isinstance(found, Codec)
    return found


def sniff(source: Source, puzzle: str | None = None) -> str:
    """The name of the format that a file is in: by how its name ends, otherwise by how it looks.

    Of several, those remain that carry the puzzle that is wanted.

    Raises
    ------
    InputError
        When it looks like several.
    """
    by_name = SUFFIXES.get(Path(source.name or "").suffix.lower())
    if by_name not in (None, "text"):
        return str(by_name)
    found = [name for name in _MODULES if codec(name).sniff(source)]
    if len(found) > 1 and puzzle is not None:
        found = [name for name in found if puzzle in codec(name).kinds]
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
    """The puzzles in a text, or in bytes, and what of it was left out.

    Parameters
    ----------
    data
        What is to be read.
    format
        The name of its format; None: it is told by how it looks.
    puzzle
        The name of the puzzle that it holds; None: the text is to tell.
    file
        What error messages call it; how the name ends tells the format, too.
    lossy
        Whether what has no place in a puzzle may be left out.
    options
        What the text does not say, such as `words="list.txt"`.

    Raises
    ------
    InputError
        With line and column, when it is no such text, or when it may be several things.
    UnsupportedError
        When it holds a puzzle or a variant that there is none of here.
    """
    source = Source(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data, file)
    if len(source.data) > LARGEST:
        raise InputError(f"more than {LARGEST:,} bytes: `lpbridge batch` reads files of any length", where=source.place)
    chosen = codec(format or sniff(source, puzzle))
    if puzzle is not None and puzzle not in chosen.kinds:
        raise InputError(
            f"this looks like the format {chosen.name}, which has no {puzzle}"
            if format is None
            else f"the format {chosen.name} has no {puzzle}",
            where=source.place,
            hint=f"it has {', '.join(chosen.kinds)}",
        )
    return chosen.decode(source, Wish(puzzle, options, lossy))


def read(
    path: str | PathLike[str],
    format: str | None = None,
    puzzle: str | None = None,
    *,
    lossy: bool = False,
    **options: str,
) -> Reading:
    """The puzzles in a file, and what of it was left out; `-` is standard input. See `decode`."""
    name = str(path)
    data, shown = read_bytes(name)
    return decode(data, format, puzzle, file=shown, lossy=lossy, **options)


def load(
    path: str | PathLike[str], format: str | None = None, puzzle: str | None = None, **options: str
) -> list[Puzzle]:
    """The puzzles in a file; `-` is standard input. See `decode`; `read` tells what was left out, too."""
    return list(read(path, format, puzzle, lossy=False, **options).puzzles)


def encode(puzzles: Puzzle | Iterable[Puzzle], format: str, *, lossy: bool = False) -> Written:
    """Puzzles in a format, and what of them was left out.

    Parameters
    ----------
    puzzles
        One, or several.
    format
        The name of the format.
    lossy
        Whether what it has no place for may be left out, which then is told in `notes`.

    Raises
    ------
    UnsupportedError
        When the format does not carry them.
    """
    wanted: Sequence[Puzzle] = [puzzles] if isinstance(puzzles, Puzzle) else list(puzzles)
    return codec(format).encode(wanted, lossy=lossy)


def dump(
    puzzles: Puzzle | Iterable[Puzzle], path: str | PathLike[str], format: str | None = None, *, lossy: bool = False
) -> Written:
    """Write puzzles to a file; `-` is standard output. See `encode`.

    Without a format, it is told by how the name of the file ends.
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
        files.write_whole(path, data)


def format_of(path: str | PathLike[str]) -> str:
    """The format that the name of a file to be written tells.

    Raises
    ------
    InputError
        When it tells none.
    """
    if (found := SUFFIXES.get(Path(path).suffix.lower())) is None:
        shown = Place("<stdout>" if str(path) == "-" else str(path))
        hint = f"say it (--to): one of {', '.join(_MODULES)}"
        raise InputError("the name does not tell the format", where=shown, hint=hint)
    return found


def read_bytes(path: str) -> tuple[bytes, str]:
    """The bytes of a file, `-` being standard input, and what error messages call it.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    return files.read_bytes(path), files.shown_name(path)


def schema(puzzle: str) -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of a puzzle's JSON form."""
    from bridge.formats.json_form import schema as schema_of

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
