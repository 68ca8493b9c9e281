"""Problems from files: a puzzle by its kind, or by the file that declares it; or a program by its paths.

    load("sudoku", "problem6.txt")
    load("./killer.lp", "board.txt")
    load("timetable.lp", "monday.lp", slots=3)
    load("rooms.pl", goal="rooms(X, Y)")
"""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, overload

from bridge.errors import InputError
from bridge.files import path_of
from bridge.languages import language_of_path
from bridge.problems.goal import PrologProblem
from bridge.problems.program import AspProblem
from bridge.puzzles import KINDS, Puzzle
from bridge.puzzles import load as load_puzzle
from bridge.puzzles.registry import add_path, is_kind, is_kind_file, kinds

Kind = Literal["sudoku", "latin-square", "futoshiki", "takuzu", "magic-square", "crossword"]


@overload
def load(what: Kind, path: str | PathLike[str], **options: str) -> Puzzle: ...


@overload
def load(what: str | PathLike[str], *files: str | PathLike[str], goal: str | None = None, **options: Any) -> Any: ...


def load(what: str | PathLike[str], *files: str | PathLike[str], goal: str | None = None, **options: Any) -> Any:
    """A problem from files: what `check`, `diagnose`, `explain`, `count` and `why` take.

    Parameters
    ----------
    what
        The name of a puzzle, the path of a file that declares one (`#program workbench.`), or the path of a program.
    files
        The file of the puzzle, or the further files of the program; `-` is standard input for a puzzle.
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
    if known or (goal is None and len(files) == 1 and not _is_program(files[0]) and is_kind_file(name)):
        if len(files) != 1:
            raise InputError(f"{len(files)} files, but one {name} is wanted", hint=f'load("{name}", "puzzle.txt")')
        return load_puzzle(name if known else add_path(name), files[0], **options)
    if goal is not None:
        if options:
            raise InputError(f"a Prolog program takes no {next(iter(options))!r}", hint="put it into the goal")
        return PrologProblem([what, *files], goal)
    language = language_of_path(name)
    if language == "prolog":
        raise InputError("a Prolog program needs a goal", hint='load("rooms.pl", goal="rooms(X, Y)")')
    if language != "clingo":
        hint = f"puzzles are {', '.join(kinds())}; a program is one or more .lp files"
        raise InputError(f"{name!r} is neither a puzzle nor a program", hint=hint)
    return AspProblem(name, *files, constants=options)


def _is_program(file: str | PathLike[str]) -> bool:
    return language_of_path(path_of(file)) is not None
