"""Arguments and options of commands about puzzles, with their completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from os.path import exists, isfile
from typing import Any, TypeVar

import click

from bridge.cli.kit import end, together
from bridge.common import load, plural
from bridge.errors import InputError, Place
from bridge.outcome import Outcome
from bridge.puzzles.kinds import KINDS
from bridge.puzzles.kinds.registry import add_folder, add_path, is_kind, is_kind_file, kinds

F = TypeVar("F", bound=Callable[..., Any])

file_argument = click.argument("file", type=click.Path(allow_dash=True), metavar="FILE")


def found_and_end(outcome: Outcome[Any]) -> str:
    """The number of solutions, and how the search ended: the last line of `solve`."""
    found = plural(len(outcome.solutions), "solution") if outcome.solutions or not outcome.complete else "no solution"
    remark = f" ({outcome.remark})" if outcome.remark else ""
    return f"{found}{remark}; {end(replace(outcome, remark=None))}"


class _Name(click.ParamType[str]):
    """The name of an engine or a format, or several with commas between. They complete; the registry refuses others."""

    def __init__(self, name: str, names: Callable[[], Iterable[str]]) -> None:
        self.name, self._names = name, names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        done, comma, last = incomplete.rpartition(",")
        found = (f"{done}{comma}{name}" for name in self._names() if name.startswith(last))
        return [click.shell_completion.CompletionItem(name) for name in found]


ENGINE = _Name("engine", lambda: load("bridge.puzzles.engines:NAMES"))
FORMAT = _Name("format", lambda: load("bridge.puzzles.formats:names")())


class KindName(click.Choice[str]):
    """The name of a kind of puzzle, or the path of the file that declares one. Names are listed only when needed."""

    def __init__(self) -> None:
        super().__init__(KINDS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in KINDS or is_kind(value):
            return str(value)
        if is_kind_file(value):
            return add_path(value)
        if value.endswith(".lp") and exists(value):
            hint = "it has no part `#program workbench.`, which makes it a kind of puzzle"
            raise InputError("this program is not a puzzle", where=Place(value), hint=hint)
        if value.endswith(".lp"):
            raise InputError("no such file", where=Place(value), hint="check the path")
        from difflib import get_close_matches

        self.choices = kinds()
        if isfile(value):
            self.fail(f"{value!r} is a file: name the kind of puzzle before it, such as sudoku", param, ctx)
        if close := get_close_matches(value.lower().replace("_", "-"), self.choices, 1):
            self.fail(f"there is no kind of puzzle {value!r}; did you mean {close[0]}?", param, ctx)
        return super().convert(value, param, ctx)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return "It is a kind of puzzle, which `lpbridge puzzle kinds` lists, or the path of a file."

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        self.choices = kinds()
        return super().shell_complete(ctx, param, incomplete)


def _add_folder(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:
    for folder in value:
        add_folder(folder)


puzzles_option = click.option(
    "--puzzles",
    multiple=True,
    metavar="DIR",
    is_eager=True,
    expose_value=False,
    callback=_add_folder,
    help="A folder with the .lp files of further kinds of puzzles; LPBRIDGE_PUZZLES names such folders, too.",
)

kind_argument = together(click.argument("puzzle", type=KindName(), metavar="PUZZLE"), puzzles_option)


class _PuzzleOption(click.ParamType[tuple[str, str]]):
    """`NAME=VALUE`, or `NAME` alone for `NAME=yes`."""

    name = "option"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, _, text = str(value).partition("=")
        return name, text or "yes"


def _remember(ctx: click.Context, param: click.Parameter, value: str | int | None) -> None:
    ctx.meta[f"{__name__}.{param.name}"] = value


def remembered(ctx: click.Context, name: str) -> Any:
    """The value of an option that is no argument of the command; None where it is not given."""
    return ctx.meta.get(f"{__name__}.{name}")


def _no_argument(name: str, *, eager: bool = False, **more: Any) -> Callable[[F], F]:
    """An option whose value is `remembered`."""
    return click.option(*name.split(), expose_value=False, callback=_remember, is_eager=eager, **more)


def _with_words(
    ctx: click.Context, param: click.Parameter, value: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    named = ((name, remembered(ctx, name)) for name in ("words", "min_score"))
    return (*value, *((name, str(given)) for name, given in named if given is not None))


#: `-O/--option`, and `--words LIST` for `-O words=LIST`; all of them arrive as `options`.
puzzle_option = together(
    click.option(
        "-O",
        "--option",
        "options",
        type=_PuzzleOption(),
        multiple=True,
        callback=_with_words,
        metavar="NAME=VALUE",
        help="An option of the puzzle that FILE does not contain, such as box=2x3; `lpbridge puzzle kinds` lists them.",
    ),
    _no_argument(
        "--words",
        type=click.Path(allow_dash=True),
        metavar="LIST",
        eager=True,  # `-O` takes it in
        help="The file of the word list, one word in each line: the same as -O words=LIST.",
    ),
    _no_argument(
        "--min-score",
        type=int,
        metavar="N",
        eager=True,
        help="Leave out words of a lower score: the same as -O min_score=N.",
    ),
)

format_option = _no_argument(
    "-F --format",
    type=FORMAT,
    metavar="FORMAT",
    help="The format of FILE, if it is not recognised; `lpbridge puzzle convert --list` lists the formats.",
)

#: What a command takes that reads the puzzles of one file: PUZZLE, FILE, and how it is read.
puzzle_file = together(
    kind_argument,
    file_argument,
    format_option,
    puzzle_option,
    _no_argument(
        "--checker",
        metavar="FILE",
        type=click.Path(),
        help="A second clingo program, for a kind of puzzle that is a file: it gets the instance and an answer as "
        "facts, and has an answer set when all is right.",
    ),
)


def engine_option(default: str) -> Callable[[F], F]:
    """`-e/--engine`."""
    return click.option(
        "-e", "--engine", type=ENGINE, default=default, show_default=True, help="See `lpbridge puzzle engines`."
    )


def residual_options(of: str = "", default: str | None = "both") -> Callable[[F], F]:
    """`--residual` and `--propagation`; `of` is what their help begins with."""
    cheap = "" if default else " By default exact, or both with --propagation."
    return together(
        click.option(
            "--residual",
            type=click.Choice(["both", "exact", "propagated", "none"]),
            default=default,
            show_default=default is not None,
            help=f"{of}What to compute of the open cells; clpfd's propagation takes longest.{cheap}",
        ),
        click.option(
            "--propagation",
            type=ENGINE,
            help=f"{of}The engine of the propagated residual; mac is faster than clpfd, and names rules, not goals.",
        ),
    )
