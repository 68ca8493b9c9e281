"""`check`."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.options import json_option, jsonl_option, time_option
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.cli.options import engine_option, puzzle_file, residual_options
from bridge.puzzles.cli.reading import show_each
from bridge.puzzles.kinds import Puzzle


@click.command()
@puzzle_file
@engine_option("asp")
@time_option(None, "each question put to an engine")
@click.option("--expect", type=click.Choice([str(v) for v in Verdict]), help="Exit with 1 on any other verdict.")
@residual_options()
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is checked.")
@click.pass_context
def check(ctx: click.Context, /, **given: Any) -> None:
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
    from bridge.puzzles.engines import engine

    how = {name: given[name] for name in ("engine", "residual", "propagation")}
    engine(given["engine"])

    def ask(puzzle: Puzzle) -> Report:
        return check_puzzle(puzzle, limits=Limits(seconds=given["time_limit"]), **how)

    def unmet(report: Report) -> str | None:
        expected = given["expect"]
        return f"expected {expected}" if expected is not None and report.verdict != expected else None

    show_each(ctx, ask, lambda one: one.verdict is Verdict.UNKNOWN and not one.solutions, unmet=unmet)
