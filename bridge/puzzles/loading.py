"""Problems from files: a puzzle by its kind, or by the file that declares it; or a program by its paths.

The file of a puzzle may have any format. Text forms are read fast: `bridge.puzzles.formats` is imported only for
another one.

    load("sudoku", "problem6.txt")
    load("./killer.lp", "board.txt")
    load("timetable.lp", "monday.lp", slots=3)
    load("rooms.pl", goal="rooms(X, Y)")
"""

from __future__ import annotations

from os import PathLike
from os.path import splitext
from typing import TYPE_CHECKING, Any, Literal, overload

from bridge.common.arguments import named_arguments
from bridge.common.files import LARGEST, path_of, read_bytes, shown_name, unpacked
from bridge.common.languages import language_of_path
from bridge.errors import InputError, Place
from bridge.problem.front import goal as goal_of
from bridge.problem.front import program
from bridge.public import public
from bridge.puzzles.kinds import KINDS, Puzzle, parse_all
from bridge.puzzles.kinds.registry import add_path, is_kind, is_kind_file, kinds

if TYPE_CHECKING:
    from bridge.problem.asp import AspProblem
    from bridge.problem.prolog import PrologProblem

#: The formats that puzzles read themselves, with better error messages.
TEXT_FORMS = ("text", "json", "jsonl", "line", "course")

Kind = Literal["sudoku", "latin-square", "futoshiki", "takuzu", "magic-square", "crossword"]


@overload
def load(what: Kind, path: str | PathLike[str], *, goal: None = None, **options: str) -> Puzzle: ...


@overload
def load(what: str | PathLike[str], *files: str | PathLike[str], goal: str) -> PrologProblem: ...


@overload
def load(
    what: str | PathLike[str], *files: str | PathLike[str], goal: None = None, **options: Any
) -> Puzzle | AspProblem: ...


@public("bridge")
@named_arguments
def load(
    what: str | PathLike[str], *files: str | PathLike[str], goal: str | None = None, **options: Any
) -> Puzzle | AspProblem | PrologProblem:
    """A problem from files: what `check`, `diagnose`, `explain`, `count` and `why` take.

    Parameters
    ----------
    what
        The name of a puzzle, the path of a file that declares one (`#program workbench.`), or the path of a program.
    files
        The file of the puzzle, in any format; or the further files of the program. `-` is standard input for a puzzle.
    goal
        Of a Prolog program: the query, as at the toplevel.
    options
        Of a puzzle: what its text does not say, such as `box="2x3"`. Of a program: values for `#const`.

    Raises
    ------
    InputError
        With line and column when the file has no such puzzle; when a file cannot be read.
    """
    name = path_of(what)
    known = name in KINDS or is_kind(name)
    one = path_of(files[0]) if len(files) == 1 and goal is None else None
    if known or (one is not None and language_of_path(one) is None and is_kind_file(name)):
        if len(files) != 1:
            raise InputError(f"{len(files)} files, but one {name} is wanted", hint=f'load("{name}", "puzzle.txt")')
        return puzzle(name, files[0], **options)
    if goal is not None:
        if options:
            raise InputError(f"a Prolog program takes no {next(iter(options))!r}", hint="put it into the goal")
        return goal_of([what, *files], goal)
    language = language_of_path(name)
    if language == "prolog":
        raise InputError("a Prolog program needs a goal", hint='load("rooms.pl", goal="rooms(X, Y)")')
    if language != "clingo":
        hint = f"puzzles are {', '.join(kinds())}; a program is one or more .lp files"
        raise InputError(f"{name!r} is neither a puzzle nor a program", hint=hint)
    return program(name, *files, **options)


@public("bridge")
@named_arguments
def puzzle(kind: str, source: str | PathLike[str], **options: str) -> Puzzle:
    """A puzzle from a file of any format.

    Parameters
    ----------
    kind
        The name of a kind, or the path of a file that declares one.
    source
        The path; `-` is standard input. `bridge.parse` takes text.
    options
        What the file does not say, such as `box="2x3"`.

    Raises
    ------
    InputError
        With line and column when the file has no such puzzle; when it has several.
    """
    puzzles = load_all(kind if is_kind(kind) else add_path(kind), source, **options)
    if len(puzzles) != 1:
        where = Place(shown_name(path_of(source)))
        raise InputError(f"{len(puzzles)} puzzles, but one is wanted", where=where, hint="use `load_all`")
    return puzzles[0]


@public("bridge")
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
    name = shown_name(path_of(path))
    data = unpacked(read_bytes(path, LARGEST), name)
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
