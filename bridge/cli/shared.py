"""What commands share: options, forms of output, answers as they come, exit codes, a line of progress."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from math import isnan
from typing import Any, TypeVar

import click

from bridge.cli.streams import ERASE, write_styled
from bridge.common.cells import guarded
from bridge.common.closing import Closing
from bridge.common.english import LIMITS, plural
from bridge.common.interrupts import deferred
from bridge.common.strict_json import VERSION, dumps
from bridge.outcome import Count, Interrupted, OnProgress, Outcome, Stream

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


#: How many; 0 is all.
MANY = click.IntRange(0, 2**63 - 1)

#: How many processes.
JOBS = click.IntRange(1, 4096)


def _one_form(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Refuse two forms of the output."""
    if value:
        _take_form(ctx, param.opts[0])
    return value


#: The values of `--format` for editors and CI.
FOR_MACHINES = ("gcc", "github", "gitlab", "sarif")


def one_format(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """The same of `--format`, where it names a form for editors or CI; a picture is beside the others."""
    if value in FOR_MACHINES:
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
    return form_option("--jsonl", "jsonl", f"Print {what}")


def output_option(metavar: str, what: str, default: str | None = None) -> Callable[[F], F]:
    """`-o/--output`, a file; `-` is standard output."""
    path = click.Path(dir_okay=False, allow_dash=True)
    return click.option("-o", "--output", type=path, default=default, metavar=metavar, help=what)


def time_option(default: float | None, what: str) -> Callable[[F], F]:
    """`-t/--time-limit`, in seconds."""
    return click.option("-t", "--time-limit", type=_Seconds(), default=default, show_default=default is not None,
                        metavar="SECONDS", help=f"Time limit of {what}; what was found by then is kept.")


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


def print_csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table as CSV, in which no text of a program is a formula."""
    import csv  # slow to load

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([head, *([guarded(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)])


# Answers, and how a search ended


def each(stream: Stream[Any], show: Any, *, isolated: bool = False) -> tuple[bool, int]:
    """Show every answer, on Ctrl-C also those that had arrived; whether it was pressed, and the number of answers.

    `isolated`: the stream waits for a worker, and does nothing else that takes long.
    """
    count, pressed = 0, False
    try:
        with deferred() if isolated else nullcontext():
            for answer in stream:
                count += 1
                with deferred():
                    show(count, answer)
    except KeyboardInterrupt:
        pressed = True
        stream.interrupted()
        for answer in stream.leftover():
            count += 1
            show(count, answer)
    return pressed, count


def ended(outcome: Outcome[Any]) -> dict[str, Any]:
    data = {"statistics": outcome.statistics.to_json(), "limit": outcome.limit}
    more = {"rung": outcome.rung, "remark": outcome.remark}
    return data | {name: value for name, value in more.items() if value is not None}


def end(outcome: Outcome[Any]) -> str:
    if outcome.complete:
        return "the search is complete"
    remark = f" ({outcome.remark})" if outcome.remark else ""
    if outcome.limit is None:
        return f"there may be more{remark}"
    return f"stopped by {LIMITS[outcome.limit]}{remark}, there may be more"


def counted(found: Count, noun: str) -> str:
    """A number of answers; a lower bound where something stopped the count, and nothing where none was found."""
    if found.complete:
        return plural(found.number, noun)
    number = f"at least {plural(found.number, noun)}" if found.number else f"no {noun} found"
    return f"{number}, stopped by {'an option of clingo' if found.limit is None else LIMITS[found.limit]}"


def warn(warnings: Sequence[str]) -> None:
    for warning in warnings:
        click.echo(f"lpbridge: {warning}", err=True)


# How commands end


def exit_code(done: bool, *, interrupted: bool = False) -> int:
    """The exit code of a command: 0 when it did its work, 1 when it did not, 130 when Ctrl-C came first."""
    return 130 if interrupted else 0 if done else 1


def or_partial(do: Callable[..., Any], /, *args: Any, **given: Any) -> tuple[Any, bool]:
    """What a function gives, and on Ctrl-C what it had found by then; and whether Ctrl-C was pressed."""
    try:
        return do(*args, **given), False
    except Interrupted as interrupted:
        if interrupted.partial is None:
            raise
        return interrupted.partial, True


# Progress


class ProgressLine(Closing):
    """The line; where standard error is not a terminal, or it is not wanted, it is not `shown`."""

    def __init__(self, wanted: bool = True) -> None:
        self.shown = wanted and sys.stderr.isatty()

    def show(self, text: str) -> None:
        """Replace what is there."""
        if self.shown:
            width = shutil.get_terminal_size().columns - 1  # a line that wraps is not written over
            write_styled(f"{ERASE}{text[:width]}", sys.stderr)

    def clear(self) -> None:
        """Remove it, before anything else is printed."""
        self.show("")

    close = clear


def of_steps(line: ProgressLine) -> OnProgress | None:
    """What a line shows while the steps of an explanation are looked for."""
    return (lambda found, seconds: line.show(f"looking for step {found + 1}, {seconds:.0f} s")) if line.shown else None
