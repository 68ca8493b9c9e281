"""Reading puzzles for commands, by `bridge.puzzles.loading`; and the options that say how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bridge.cli.options import file_argument, kind_argument, puzzle_option
from bridge.common.files import read_text, shown_name
from bridge.common.languages import SUFFIXES
from bridge.common.lazy import load, regex
from bridge.errors import InputError, Place
from bridge.puzzles.kinds import KINDS, Puzzle
from bridge.puzzles.kinds.registry import add_folder, check_by, is_kind, is_kind_file
from bridge.puzzles.loading import read

F = TypeVar("F", bound=Callable[..., Any])

_KEY, _CHECKER = f"{__name__}.format", f"{__name__}.checker"


class _FormatName(click.ParamType[str]):
    """The name of a format; the registry refuses an unknown one."""

    name = "format"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from bridge.puzzles import formats

        return [click.shell_completion.CompletionItem(name) for name in formats.names() if name.startswith(incomplete)]


FORMAT = _FormatName()


def _remember(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    ctx.meta[_KEY] = value


def format_option(command: F) -> F:
    """`-F/--format`, which `read_puzzles` uses."""
    option = click.option(
        "-F",
        "--format",
        type=FORMAT,
        expose_value=False,
        callback=_remember,
        metavar="FORMAT",
        help="The format of FILE, if it is not recognised; `lpbridge convert --list` lists the formats.",
    )
    return option(command)


_SUFFIXES = tuple(SUFFIXES)
_NAME = regex("[a-z][a-z0-9-]*")
#: Options that only programs have.
_OF_PROGRAMS = ("--language", "--goal", "-g", "--cost")
#: A call on programs of each language, for `--help`.
_EXAMPLES = {"lp": "rules.lp instance.lp", "pl": "rules.pl --goal 'p(X)'"}


class WithPrograms(click.Command):
    """A command on a puzzle, where the paths of programs may stand in place of PUZZLE FILE: then another one runs."""

    program_command: str
    languages: tuple[str, ...]

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        # Standard input stands where a puzzle's name would.
        if args[:1] == ["-"] or self.is_of_programs(args):
            command = load(self.program_command)
            assert isinstance(command, click.Command)
            return command.make_context(info_name, args, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def is_of_programs(self, args: list[str]) -> bool:
        """Whether the first word that tells is one of programs: an option that only they have, or a path."""
        for number, word in enumerate(args):
            before = args[number - 1] if number else ""
            if before == "--puzzles":
                add_folder(word)
            elif word.startswith("--puzzles="):
                add_folder(word.partition("=")[2])
            elif word in KINDS or is_kind_file(word) or (_NAME.fullmatch(word) and before[:1] != "-" and is_kind(word)):
                return False
            elif self.names_program(word, before):
                return True
        return False

    def names_program(self, word: str, before: str) -> bool:
        """Whether a word, after another, says that the command is about programs."""
        return word in _OF_PROGRAMS or word.endswith(_SUFFIXES)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        calls = [f"`lpbridge {ctx.info_name} {_EXAMPLES[language]}`" for language in self.languages]
        formatter.write_paragraph()
        formatter.write_text(
            f"In place of PUZZLE FILE, the paths of programs may stand: {' or '.join(calls)}. "
            f"`lpbridge {ctx.info_name} rules.{self.languages[0]} --help` shows the options for them."
        )


def or_programs(place: str, *languages: str) -> type[WithPrograms]:
    """The class of a command which, for programs, is another one.

    Parameters
    ----------
    place
        That of the other command, `module:name`.
    languages
        The programs that it takes: `lp`, `pl`.
    """
    return type("WithPrograms", (WithPrograms,), {"program_command": place, "languages": languages or ("lp",)})


def puzzle_file(command: F) -> F:
    """What a command takes that reads the puzzles of one file: PUZZLE, FILE, and how it is read."""
    return kind_argument(file_argument(format_option(puzzle_option(checker_option(command)))))


def _remember_checker(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    ctx.meta[_CHECKER] = value


def checker_option(command: F) -> F:
    """`--checker FILE`, which `read_puzzles` uses."""
    option = click.option(
        "--checker",
        metavar="FILE",
        type=click.Path(),
        expose_value=False,
        callback=_remember_checker,
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
        With line and column, when it is no such puzzle. A text in no other format is read as a text form.
    UnsupportedError
        When it has a variant that is not available.
    """
    context = click.get_current_context(silent=True)
    chosen = context.meta.get(_KEY) if context else None
    if context is not None and (checker := context.meta.get(_CHECKER)) is not None:
        check_by(kind, read_text(checker))
    puzzles, notes = read(kind, file, chosen, **options)
    for note in notes:
        click.echo(f"lpbridge: {note}", err=True)
    return puzzles
