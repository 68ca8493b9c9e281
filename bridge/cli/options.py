"""Arguments and options that several commands share, with their completion."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from bridge.puzzles import KINDS

F = TypeVar("F", bound=Callable[..., Any])


class _EngineName(click.ParamType[str]):
    """An engine's name: any of the listed ones completes, and the registry says no to what is none."""

    name = "engine"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from bridge.engines import NAMES

        done, comma, last = incomplete.rpartition(",")
        found = (f"{done}{comma}{name}" for name in NAMES if name.startswith(last))
        return [click.shell_completion.CompletionItem(name) for name in found]


ENGINE = _EngineName()

kind_argument = click.argument("puzzle", type=click.Choice(KINDS), metavar="PUZZLE")
file_argument = click.argument("file", type=click.Path(allow_dash=True), metavar="FILE")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


class _PuzzleOption(click.ParamType[tuple[str, str]]):
    """`NAME=VALUE`, or `NAME` alone for `NAME=yes`."""

    name = "option"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, _, text = str(value).partition("=")
        return name, text or "yes"


def _remember(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    ctx.meta[f"{__name__}.words"] = value


def _with_words(
    ctx: click.Context, param: click.Parameter, value: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    words = ctx.meta.get(f"{__name__}.words")
    return value if words is None else (*value, ("words", words))


def puzzle_option(command: F, names: Sequence[str] = ("-o", "--option")) -> F:
    """`-o/--option`, and `--words LIST` for `-o words=LIST`; all of them arrive as `options`.

    Where `-o` means something else, `names` say what takes its place.
    """
    options = click.option(
        *names,
        "options",
        type=_PuzzleOption(),
        multiple=True,
        callback=_with_words,
        metavar="NAME=VALUE",
        help="What the text does not say, such as box=2x3; `lpbridge puzzles` lists them.",
    )
    words = click.option(
        "--words",
        type=click.Path(allow_dash=True),
        metavar="LIST",
        is_eager=True,  # `-o` takes it in
        expose_value=False,
        callback=_remember,
        help="The file of the word list, one word a line, of a puzzle that has one: the same as --option words=LIST.",
    )
    return options(words(command))


def engine_option(default: str) -> Callable[[F], F]:
    """`-e/--engine`."""
    return click.option(
        "-e", "--engine", type=ENGINE, default=default, show_default=True, help="See `lpbridge engines`."
    )


def time_option(default: float | None, what: str) -> Callable[[F], F]:
    """`-t/--time-limit`, in seconds."""
    return click.option(
        "-t",
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        show_default=default is not None,
        metavar="SECONDS",
        help=f"Time limit of {what}; what was found by then is kept.",
    )


def json_line(data: Any) -> str:
    """Strict JSON on one line: no NaN or Infinity; half a surrogate pair, which UTF-8 does not have, as an escape."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def print_json(data: Any) -> None:
    """One JSON object, on one line."""
    click.echo(json_line(data))
