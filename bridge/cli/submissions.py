"""`lpbridge compare --against`: programs of a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from bridge.cli.instances import generator_of, values_of
from bridge.cli.shared import ProgressLine, exit_code, or_partial, print_csv
from bridge.cli.writers import print_result
from bridge.common.languages import language_of_path
from bridge.comparison.generator import MOST
from bridge.debugging.submissions import LIMITS, Submissions, submissions
from bridge.limits import Limits
from bridge.problem.asp import AspProblem
from bridge.problem.front import goal

#: Options of `compare` that mean nothing here.
_OTHERS = ("brief", "equivalent", "most", "solutions", "total", "plot", "measure", "handout", "paper")


def compare_with(ctx: click.Context, programs: Sequence[str], given: Mapping[str, Any]) -> NoReturn:
    """Hold each program against the reference, and print a line for each."""
    for name in _OTHERS:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is not for --against")
    rename: dict[str, str] = {}
    for one in given["rename"]:
        name, equals, meant = one.partition("=")
        if not equals:
            raise click.UsageError(f"{one!r} renames nothing: write it as in chosen/1=in/1, or at(L,S)=at(S,L)")
        rename[name.strip()] = meant.strip()
    source, paths = generator_of(given, MOST), [Path(one) for one in given["against"]]
    against: Any = paths
    if given["goals"]:
        against = [goal(paths, one) for one in given["goals"]]
    elif language_of_path(paths[0]) == "clingo":
        constants = {} if source is not None else values_of(given)
        against = AspProblem(*paths, constants=constants, optimal=given["optimal"] or None)
    timed = ctx.get_parameter_source("time_limit") is not ParameterSource.DEFAULT
    with ProgressLine(not (given["as_json"] or given["as_csv"])) as line:
        found, interrupted = or_partial(
            submissions, [Path(one) for one in programs], against=against, show=given["show"], rename=rename,
            instances=source or [Path(one) for one in given["instances"]] or None, untrusted=not given["trusted"],
            limits=Limits(seconds=given["time_limit"]) if timed else LIMITS,
            on_progress=lambda row: line.show(f"{row.file} {row.status}"),
        )
    if given["as_csv"]:
        _write_csv(found, given["hint"])
    else:
        print_result({"as_json": given["as_json"]}, found, found.text(hint=given["hint"]))
    ctx.exit(exit_code(bool(found.rows), interrupted=interrupted))


def _write_csv(found: Submissions, hint: bool) -> None:
    rows = []
    for row in found.rows:
        first = row.found.suspects[0] if row.found is not None and row.found.suspects else None
        sentence = "" if first is None or hint or row.status == "error" else first.sentence
        instance = "" if row.found is None or row.found.instance is None else row.found.instance
        line, seconds = "" if first is None else first.place.line, f"{row.seconds:.3f}"
        rows.append([row.file, row.status, line, sentence, instance, row.error or "", seconds, row.passed, row.cases])
    print_csv(["file", "status", "line", "sentence", "instance", "error", "seconds", "passed", "cases"], rows)
