"""Arguments and options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any, TypeVar

import click

from bridge.common.strict_json import VERSION, dumps

F = TypeVar("F", bound=Callable[..., Any])


class _Seconds(click.FloatRange):
    """A time limit: above 0, and at most what a clock can wait for."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True, max=1e9)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        return seconds


file_argument = click.argument("file", type=click.Path(allow_dash=True), metavar="FILE")

#: How many; 0 is all.
MANY = click.IntRange(0, 2**63 - 1)

#: How many processes.
JOBS = click.IntRange(1, 4096)


def _one_form(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Refuse two forms of the output."""
    if value:
        _take_form(ctx, param.opts[0])
    return value


def one_format(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """The same of `--format`, where it names a form for editors or CI; a picture is beside the others."""
    if value in ("gcc", "sarif"):
        _take_form(ctx, f"--format {value}")
    return value


def _take_form(ctx: click.Context, form: str) -> None:
    first = ctx.meta.setdefault(f"{__name__}.form", form)
    if first != form:
        raise click.UsageError(f"{first} and {form} are two forms: ask for one", ctx)


def form_option(name: str, variable: str, what: str) -> Callable[[F], F]:
    """A flag for a form of the output; at most one may be given."""
    return click.option(name, variable, is_flag=True, callback=_one_form, help=what)


json_option = form_option("--json", "as_json", "Print one JSON object and nothing else.")

brief_option = form_option("--brief", "brief", "Print the cause and one remedy, in at most some 400 tokens.")


def together(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorated(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def jsonl_option(what: str) -> Callable[[F], F]:
    """`--jsonl`."""
    return form_option("--jsonl", "jsonl", f"Print {what}")


def output_option(metavar: str, what: str, default: str | None = None) -> Callable[[F], F]:
    """`-o/--output`, a file; `-` is standard output."""
    path = click.Path(dir_okay=False, allow_dash=True)
    return click.option("-o", "--output", type=path, default=default, metavar=metavar, help=what)


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


def print_json(data: dict[str, Any], lists: Mapping[str, Sequence[str]] = {}) -> None:
    """One JSON object, on one line, with the version of its form; the items of some `lists` are JSON already."""
    parts = (
        json_line(name) + ": " + (f"[{', '.join(lists[name])}]" if name in lists else json_line(value))
        for name, value in {**data, "version": VERSION}.items()
    )
    click.echo(f"{{{', '.join(parts)}}}")


def print_part(data: Any) -> None:
    """A line of JSON that is a part of the object, which has the version: a model, a step, a clash."""
    click.echo(json_line(data))


def json_line(data: Any) -> str:
    """Data as strict JSON that standard output can encode."""
    return dumps(data, sys.stdout.encoding or "utf-8")
