"""`check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import json_option, jsonl_option, time_option
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.cli.options import engine_option, residual_options
from bridge.puzzles.cli.reading import puzzle_file
from bridge.puzzles.cli.results import Results

if TYPE_CHECKING:
    from bridge.analysis.ask import Which


@click.command()
@puzzle_file
@engine_option("asp")
@time_option(None, "each question put to an engine")
@click.option("--expect", type=click.Choice([str(v) for v in Verdict]), help="Exit with 1 on any other verdict.")
@residual_options()
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is checked.")
@click.pass_context
def check(
    ctx: click.Context,
    /,
    engine: str,
    time_limit: float | None,
    expect: str | None,
    residual: Which,
    propagation: str | None,
    **_: Any,
) -> None:
    """Is the PUZZLE in FILE unique, ambiguous or impossible?

    Shows the solution, or two that differ. If the puzzle is ambiguous: the open cells with their possible values, exact
    (those of some solution) beside propagated (those left without search), and the constraints on them. If
    clues clash: which.

    \b
    lpbridge puzzle check sudoku examples/sudoku/report3-problem6.txt
    lpbridge puzzle check sudoku --expect unique - < puzzle.txt && echo publish it
    """
    from bridge.puzzles.analysis.check import Report
    from bridge.puzzles.analysis.check import check as check_puzzle
    from bridge.puzzles.engines import engine as engine_of

    engine_of(engine)
    results: Results[Report] = Results(ctx)

    def unexpected(report: Report) -> bool:
        return expect is not None and report.verdict != expect

    with results.ending(lambda one: unexpected(one) or (one.verdict is Verdict.UNKNOWN and not one.solutions)):
        for instance in results.puzzles:
            report = check_puzzle(
                instance,
                engine=engine,
                limits=Limits(seconds=time_limit),
                residual=residual,
                propagation=propagation,
            )
            results.show(report)
        if any(map(unexpected, results.found)) and results.in_words:
            click.echo(f"lpbridge: expected {expect}", err=True)
