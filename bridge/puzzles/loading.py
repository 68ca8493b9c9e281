"""Puzzles from files, by their kind, or by the file that declares it.

The file may have any format. Text forms are read fast: `bridge.puzzles.formats` is imported only for another one.

    load("sudoku", "problem6.txt")
    load("./killer.lp", "board.txt")
"""

from __future__ import annotations

from os import PathLike
from os.path import splitext

from bridge.common import named_arguments, path_of, public, shown_name
from bridge.errors import InputError, Place
from bridge.puzzles.kinds import Puzzle, parse_all, the_one
from bridge.puzzles.kinds.files import read_bytes
from bridge.puzzles.kinds.registry import add_path, is_kind

#: The formats that puzzles read themselves, with better error messages.
TEXT_FORMS = ("text", "json", "jsonl", "line", "course")


@public("bridge.puzzles")
@named_arguments
def load(kind: str, source: str | PathLike[str], **options: str) -> Puzzle:
    """A puzzle from a file of any format.

    Parameters
    ----------
    kind
        The name of a kind, or the path of a file that declares one.
    source
        The path; `-` is standard input. `bridge.puzzles.parse` takes text.
    options
        What the file does not say, such as `box="2x3"`.

    Raises
    ------
    InputError
        With line and column when the file has no such puzzle; when it has several.
    """
    puzzles = load_all(kind if is_kind(kind) else add_path(kind), source, **options)
    return the_one(puzzles, Place(shown_name(path_of(source))), "use `load_all`")


@public("bridge.puzzles")
@named_arguments
def load_all(kind: str, path: str | PathLike[str], **options: str) -> list[Puzzle]:
    """All puzzles in a file of any format, packed by gzip or not; `-` is standard input.

    Raises
    ------
    InputError
        With line and column, when it is not such a puzzle.
    UnsupportedError
        When it has a variant that is not available.
    """
    return read(kind, path, **options)[0]


def read(
    kind: str, path: str | PathLike[str], format: str | None = None, **options: str
) -> tuple[list[Puzzle], tuple[str, ...]]:
    """All puzzles in a file, as `load_all` reads them, and notes on what was left out; None detects the format.

    A text in no other format is read as a text form.
    """
    data, name = read_bytes(path)
    wrong: InputError | None = None
    if format is None and not _named_otherwise(name):
        try:
            return parse_all(kind, data.decode(), file=name, **options), ()
        except UnicodeDecodeError:
            pass  # a binary format
        except InputError as error:
            if error.where is None or error.where.file != name:
                raise  # about an option or another file, not about this text
            wrong = error
    from bridge.puzzles import formats

    if wrong is not None and formats.sniff(formats.Source(data, name)) in TEXT_FORMS[:-1]:
        if data.startswith(b"solution "):
            hint = "`lpbridge puzzle solve PUZZLE FILE --as-puzzles` prints what is read"
            raise InputError("this is what `solve` prints for people", where=Place(name, 1), hint=hint)
        raise wrong
    reading = formats.decode(data, format, kind, file=name, lossy=False, **options)
    return list(reading.puzzles), reading.notes


def _named_otherwise(name: str) -> bool:
    """Whether the name of a file says that it has a format that puzzles do not read themselves."""
    suffix = splitext(name.removesuffix(".gz"))[1].lower()
    if suffix in ("", ".txt"):  # without an import
        return False
    from bridge.puzzles.formats import SUFFIXES

    return SUFFIXES.get(suffix, "text") not in TEXT_FORMS
