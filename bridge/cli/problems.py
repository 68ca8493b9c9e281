"""A program as the problem that a command asks about: its files, options and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bridge.cli.findings import FORMATS
from bridge.cli.programs import (
    asp_problem,
    constant_option,
    language_of,
    language_option,
    limits_of,
    process_options,
    source_of,
    theory_option,
)
from bridge.cli.shared import json_option, one_format, together
from bridge.errors import UnsupportedError

if TYPE_CHECKING:
    from bridge.problem.asp import AspProblem

F = TypeVar("F", bound=Callable[..., Any])


def program_options(seconds: float | None) -> Callable[[F], F]:
    """FILES and what is said of them, the time limit, and the form of the output."""
    return together(
        click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE..."),
        click.option("-g", "--goal", help="The query, as at the toplevel, without the final dot (.pl)."),
        constant_option,
        theory_option(),
        click.option("--steps", type=click.IntRange(min=0), metavar="N",
                     help="Of an incremental program (.lp): up to step N."),
        language_option,
        process_options(seconds, "the whole command"),
        json_option,
    )


format_option = click.option(
    "-F",
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    callback=one_format,
    help="text for people, gcc for editors (file:line:column: message); github, gitlab and sarif for CI.",
)


def problem_of(files: Sequence[str], given: dict[str, Any]) -> AspProblem:
    """The program of the command line as a problem."""
    if language_of(files, given) != "clingo":
        hint = "`lpbridge run FILE.pl --goal GOAL -n 0` counts the answers of a goal, `diagnose` and `why` explain them"
        raise UnsupportedError("this command is for clingo programs (.lp)", hint=hint)
    if given["goal"]:
        raise click.UsageError("--goal is for Prolog (.pl)")
    more = {"theory": given["theory"], "steps": given["steps"], "memory": limits_of(given).memory}
    more["optimal"] = given.get("optimal") or None
    return asp_problem(map(source_of, files), given, **more)
