"""The options of `compare`, and its output as text, CSV, charts and handouts: for puzzles and for programs."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from typing import Any, Literal

import click

from bridge.cli.options import brief_option, form_option, json_option, together
from bridge.cli.progress import ProgressLine
from bridge.cli.results import print_found
from bridge.common.cells import guarded
from bridge.common.files import write_whole
from bridge.common.lazy import registered
from bridge.comparison.comparison import COUNTERS, PHASES, Comparison, Row
from bridge.errors import UnsupportedError

form_options = together(
    json_option,
    brief_option,
    form_option("--csv", "as_csv", "Print the rows as CSV."),
    click.option("--plot", metavar="FILE", help="Draw a chart, too: FILE.svg, .png or .pdf (extra `pictures`)."),
    click.option(
        "--measure",
        type=click.Choice(("seconds", *COUNTERS)),
        default="seconds",
        show_default=True,
        help="What the chart shows: conflicts are clingo's, inferences Prolog's, nodes imperative engines'.",
    ),
    click.option("--handout", metavar="FILE", help="Print it on pages, too: puzzles, table, charts, as FILE.pdf."),
    click.option("--paper", type=click.Choice(("a4", "us-letter")), default="a4", help="That of --handout."),
)


class Progress:
    """The instance and contender that were done last, on standard error where that is a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._line = ProgressLine(not quiet)

    def __call__(self, row: Row) -> None:
        self._line.show(f"{row.instance} {row.engine}")

    def end(self) -> None:
        self._line.clear()


def check_files(plot: str | None, handout: str | None) -> None:
    """Check that a chart and a handout can be written, before the work for them is done."""
    if plot is not None:
        from bridge.drawing.plots import can_save

        can_save(plot)
    if handout is not None:
        _workbench("check_pdf")(handout)


def print_comparison(
    found: Comparison,
    puzzles: Sequence[Any] = (),
    *,
    as_json: bool,
    brief: bool,
    as_csv: bool,
    plot: str | None,
    measure: str,
    handout: str | None,
    paper: Literal["a4", "us-letter"],
) -> None:
    """A comparison in the form that was asked for."""
    if as_csv:
        _write_csv(found)
    else:
        print_found({"as_json": as_json, "brief": brief}, found)
    if plot is not None:
        from bridge.drawing.plots import comparison_chart

        comparison_chart(found.to_json(), measure).save(plot)
    if handout is not None:
        write_whole(handout, _workbench("handout")(found, puzzles, paper=paper))


def _workbench(name: str) -> Any:
    """What the workbench has for handouts."""
    if (found := registered(name)) is None:
        raise UnsupportedError("--handout needs the workbench, and it is not installed")
    return found


def _write_csv(comparison: Comparison) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    phases = [f"{phase}_seconds" for phase in ("total", *PHASES)]
    fixed = ["instance", "engine", "verdict", "complete", "solutions", "limit", "error"]
    writer.writerow([*fixed, *phases, *COUNTERS])
    for row in comparison.rows:
        data = row.to_json()
        seconds = [data["seconds"].get(phase, "") for phase in ("total", *PHASES)]
        fields = [guarded(cell) if isinstance(cell := data[key], str) else cell for key in fixed]
        writer.writerow([*fields, *seconds, *(data["statistics"].get(c, "") for c in COUNTERS)])
