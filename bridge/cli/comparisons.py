"""The options of `compare`, and its output as text, CSV, charts and handouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from bridge.cli.shared import ProgressLine, brief_option, form_option, json_option, or_partial, print_csv, together
from bridge.cli.writers import print_result
from bridge.common.files import write_whole
from bridge.common.parts import added
from bridge.comparison.compare import compare
from bridge.comparison.comparison import COUNTERS, PHASES, Comparison
from bridge.errors import UnsupportedError

form_options = together(
    json_option,
    brief_option,
    form_option("--csv", "as_csv", "Print the rows as CSV."),
    click.option("--plot", metavar="FILE", help="Draw a chart, too: FILE.svg, .png or .pdf (extra `pictures`)."),
    click.option("--measure", type=click.Choice(("seconds", *COUNTERS)), default="seconds", show_default=True,
                 help="What the chart shows: conflicts are clingo's, inferences Prolog's, nodes imperative engines'."),
    click.option("--handout", metavar="FILE", help="Print it on pages, too: instances, table, charts, as FILE.pdf."),
    click.option("--paper", type=click.Choice(("a4", "us-letter")), default="a4", help="That of --handout."),
)


def check_files(given: Mapping[str, Any]) -> None:
    """Check that a chart and a handout can be written, before the work for them is done."""
    if given["plot"] is not None:
        from bridge.drawing.plots import can_save

        can_save(given["plot"])
    if given["handout"] is not None:
        _of_part("check_handout")(given["handout"])


def compared(given: Mapping[str, Any], *contenders: Any, **more: Any) -> tuple[Comparison, bool]:
    """A comparison, and whether Ctrl-C was pressed; on a terminal, what was done last is shown."""
    with ProgressLine(not (given["as_json"] or given["as_csv"])) as line:
        show = lambda row: line.show(f"{row.instance} {row.engine}")  # noqa: E731
        return or_partial(compare, *contenders, on_progress=show, **more)


def print_comparison(found: Comparison, given: Mapping[str, Any], problems: Sequence[Any] = ()) -> None:
    """A comparison in the form that was asked for."""
    if given["as_csv"]:
        _write_csv(found)
    else:
        print_result(given, found)
    if given["plot"] is not None:
        from bridge.drawing.plots import comparison_chart

        comparison_chart(found.to_json(), given["measure"]).save(given["plot"])
    if given["handout"] is not None:
        write_whole(given["handout"], _of_part("handout")(found, problems, paper=given["paper"]))


def _of_part(name: str) -> Any:
    if (found := next(added(name), None)) is None:
        raise UnsupportedError("--handout needs what draws pages, and it is not installed")
    return found


def _write_csv(comparison: Comparison) -> None:
    phases = [f"{phase}_seconds" for phase in ("total", *PHASES)]
    fixed = ["instance", "engine", "verdict", "complete", "solutions", "limit", "error"]
    rows = []
    for data in (row.to_json() for row in comparison.rows):
        seconds = [data["seconds"].get(phase, "") for phase in ("total", *PHASES)]
        rows.append([*map(data.get, fixed), *seconds, *(data["statistics"].get(c, "") for c in COUNTERS)])
    print_csv([*fixed, *phases, *COUNTERS], rows)
