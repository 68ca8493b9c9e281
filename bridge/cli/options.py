"""Arguments and options that several commands share, with their completion."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import isnan
from os.path import exists, isfile
from typing import Any, TypeVar

import click

from bridge.common.strict_json import dumps
from bridge.errors import InputError, Place
from bridge.puzzles.kinds import KINDS, puzzle_class
from bridge.puzzles.kinds.registry import add_folder, add_path, is_kind, is_kind_file, kinds

F = TypeVar("F", bound=Callable[..., Any])


class _Seconds(click.FloatRange):
    """A time limit: above 0, and at most what a clock can wait for."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True, max=1e9)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        return seconds


class _EngineName(click.ParamType[str]):
    """An engine's name. The listed names complete; the registry refuses an unknown one."""

    name = "engine"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from bridge.puzzles.engines import NAMES

        done, comma, last = incomplete.rpartition(",")
        found = (f"{done}{comma}{name}" for name in NAMES if name.startswith(last))
        return [click.shell_completion.CompletionItem(name) for name in found]


ENGINE = _EngineName()


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
            raise InputError("this program is no puzzle", where=Place(value), hint=hint)
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
        return "It is a kind of puzzle, which `lpbridge puzzles` lists, or the path of a file."

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        self.choices = kinds()
        return super().shell_complete(ctx, param, incomplete)


def _add_folder(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:
    for folder in value:
        add_folder(folder)


def puzzles_option(command: F) -> F:
    """`--puzzles DIR`."""
    option = click.option(
        "--puzzles",
        multiple=True,
        metavar="DIR",
        is_eager=True,
        expose_value=False,
        callback=_add_folder,
        help="A folder with the .lp files of further kinds of puzzles; LPBRIDGE_PUZZLES names such folders, too.",
    )
    return option(command)


def kind_argument(command: F) -> F:
    """PUZZLE, and `--puzzles DIR`."""
    return click.argument("puzzle", type=KindName(), metavar="PUZZLE")(puzzles_option(command))


file_argument = click.argument("file", type=click.Path(allow_dash=True), metavar="FILE")

#: How many; 0 is all.
MANY = click.IntRange(0, 2**63 - 1)

#: How many processes.
JOBS = click.IntRange(1, 4096)


def _one_form(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Refuse two forms of the output."""
    if value:
        first = ctx.meta.setdefault(f"{__name__}.form", param.opts[0])
        if first != param.opts[0]:
            raise click.UsageError(f"{first} and {param.opts[0]} are two forms: ask for one", ctx)
    return value


def form_option(name: str, variable: str, what: str) -> Callable[[F], F]:
    """A flag for a form of the output; at most one may be given."""
    return click.option(name, variable, is_flag=True, callback=_one_form, help=what)


json_option = form_option("--json", "as_json", "Print one JSON object and nothing else.")


def jsonl_option(what: str) -> Callable[[F], F]:
    """`--jsonl`."""
    return form_option("--jsonl", "jsonl", f"Print {what}")


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


def _with_words(
    ctx: click.Context, param: click.Parameter, value: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    named = ((name, ctx.meta.get(f"{__name__}.{name}")) for name in ("words", "min_score"))
    return (*value, *((name, str(given)) for name, given in named if given is not None))


def _no_output(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        hint = _SPELLING.format(value) if _is_option(value) else f"redirect its output: > {value}"
        raise click.UsageError(f"-o is the output file, and {ctx.info_name} has none; {hint}", ctx)


def _is_output(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse the option of a puzzle in place of a file: `-o` had both meanings once."""
    if value is not None and "=" in value and _is_option(value):
        raise click.UsageError(f"-o is the output file; {_SPELLING.format(value)} (or -o ./{value} for a file)", ctx)
    return value


_SPELLING = "the option of a puzzle is -O {}"


def _is_option(text: str) -> bool:
    """Whether a text begins with the name of an option of some puzzle."""
    name = text.partition("=")[0]
    from bridge.puzzles.kinds.authoring import authoring

    return any(name in puzzle_class(kind).options or name in authoring(kind).options for kind in KINDS)


def output_option(metavar: str, what: str, default: str | None = None) -> Callable[[F], F]:
    """`-o/--output`, a file; `-` is standard output."""
    path = click.Path(dir_okay=False, allow_dash=True)
    return click.option("-o", "--output", type=path, default=default, metavar=metavar, callback=_is_output, help=what)


def puzzle_option(command: F, *, has_output: bool = False) -> F:
    """`-O/--option`, and `--words LIST` for `-O words=LIST`; all of them arrive as `options`.

    In a command without an output file, `-o` is an error.
    """
    if not has_output:
        moved = click.option("-o", "no_output", hidden=True, expose_value=False, callback=_no_output)
        command = moved(command)
    options = click.option(
        "-O",
        "--option",
        "options",
        type=_PuzzleOption(),
        multiple=True,
        callback=_with_words,
        metavar="NAME=VALUE",
        help="An option of the puzzle that FILE does not contain, such as box=2x3; `lpbridge puzzles` lists them.",
    )
    words = click.option(
        "--words",
        type=click.Path(allow_dash=True),
        metavar="LIST",
        is_eager=True,  # `-O` takes it in
        expose_value=False,
        callback=_remember,
        help="The file of the word list, one word in each line: the same as -O words=LIST.",
    )
    score = click.option(
        "--min-score",
        type=int,
        metavar="N",
        is_eager=True,
        expose_value=False,
        callback=_remember,
        help="Leave out words of a lower score: the same as -O min_score=N.",
    )
    return options(words(score(command)))


def engine_option(default: str) -> Callable[[F], F]:
    """`-e/--engine`."""
    return click.option(
        "-e", "--engine", type=ENGINE, default=default, show_default=True, help="See `lpbridge engines`."
    )


def residual_options(of: str = "", default: str | None = "both") -> Callable[[F], F]:
    """`--residual` and `--propagation`; `of` is what their help begins with."""
    cheap = "" if default else " By default exact, or both with --propagation."
    which = click.option(
        "--residual",
        type=click.Choice(["both", "exact", "propagated", "none"]),
        default=default,
        show_default=default is not None,
        help=f"{of}What to compute of the open cells; clpfd's propagation takes longest.{cheap}",
    )
    what = f"{of}The engine of the propagated residual; mac is faster than clpfd, and names rules, not goals."
    propagation = click.option("--propagation", type=ENGINE, default=None, help=what)
    return lambda function: which(propagation(function))


def time_option(default: float | None, what: str) -> Callable[[F], F]:
    """`-t/--time-limit`, in seconds."""
    return click.option(
        "-t",
        "--time-limit",
        type=_Seconds(),
        default=default,
        show_default=default is not None,
        metavar="SECONDS",
        help=f"Time limit of {what}; what was found by then is kept.",
    )


def print_json(data: Any) -> None:
    """One JSON object, on one line."""
    click.echo(json_line(data))


def json_line(data: Any) -> str:
    """Data as strict JSON that standard output can encode."""
    return dumps(data, sys.stdout.encoding or "utf-8")
