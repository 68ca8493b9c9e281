"""Reading puzzles for commands, by `bridge.puzzles.loading`; and the options that say how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bridge.cli.options import file_argument
from bridge.common.files import read_text, shown_name
from bridge.errors import InputError, Place
from bridge.puzzles.cli.options import FORMAT, kind_argument, puzzle_option, remember, remembered
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.registry import check_by
from bridge.puzzles.loading import read

F = TypeVar("F", bound=Callable[..., Any])


def format_option(command: F) -> F:
    """`-F/--format`, which `read_puzzles` uses."""
    option = click.option(
        "-F",
        "--format",
        type=FORMAT,
        expose_value=False,
        callback=remember,
        metavar="FORMAT",
        help="The format of FILE, if it is not recognised; `lpbridge puzzle convert --list` lists the formats.",
    )
    return option(command)


def puzzle_file(command: F) -> F:
    """What a command takes that reads the puzzles of one file: PUZZLE, FILE, and how it is read."""
    return kind_argument(file_argument(format_option(puzzle_option(checker_option(command)))))


def checker_option(command: F) -> F:
    """`--checker FILE`, which `read_puzzles` uses."""
    option = click.option(
        "--checker",
        metavar="FILE",
        type=click.Path(),
        expose_value=False,
        callback=remember,
        help="A second clingo program, for a kind of puzzle that is a file: it gets the instance and an answer as "
        "facts, and has an answer set when all is right.",
    )
    return option(command)


def read_puzzle(kind: str, file: str, **options: str) -> Puzzle:
    """The one puzzle in a file; see `read_puzzles`.

    Raises
    ------
    InputError
        When there are several.
    """
    puzzles = read_puzzles(kind, file, **options)
    if len(puzzles) != 1:
        where = Place(shown_name(file))
        raise InputError(f"{len(puzzles)} puzzles, but one is wanted", where=where, hint="leave one in the file")
    return puzzles[0]


def read_puzzles(kind: str, file: str, **options: str) -> list[Puzzle]:
    """All puzzles in a file, in any format, packed by gzip or not; `-` is standard input.

    Notes on what was left out go to stderr.

    Raises
    ------
    InputError
        With line and column, when it is not such a puzzle. A text in no other format is read as a text form.
    UnsupportedError
        When it has a variant that is not available.
    """
    context = click.get_current_context(silent=True)
    chosen = remembered(context, "format") if context else None
    if context is not None and (checker := remembered(context, "checker")) is not None:
        check_by(kind, read_text(checker))
    puzzles, notes = read(kind, file, chosen, **options)
    for note in notes:
        click.echo(f"lpbridge: {note}", err=True)
    return puzzles
