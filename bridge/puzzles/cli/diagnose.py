"""`diagnose`: why a puzzle is impossible or ambiguous, and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import json_option, jsonl_option, time_option
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.cli.options import puzzle_file
from bridge.puzzles.cli.reading import show_each
from bridge.puzzles.kinds import Puzzle

if TYPE_CHECKING:
    from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis


@click.command()
@puzzle_file
@time_option(10.0, "each puzzle")
@click.option(
    "--clashes", type=click.IntRange(min=1), default=1, show_default=True, help="How many clashes, pairwise disjoint."
)
@click.option("--smallest", is_flag=True, help="Find a clash of the fewest rules and clues, however long it takes.")
@click.option("--most-clues", type=click.IntRange(min=1), default=4, show_default=True, help="The most clues to add.")
@click.option("--repairs", type=click.IntRange(min=1), default=100, show_default=True, help="The most repairs to find.")
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is diagnosed.")
@click.pass_context
def diagnose(ctx: click.Context, /, **given: Any) -> None:
    """What is wrong with the PUZZLE in FILE, and how to fix it?

    Impossible: a minimal set of rules and clues that cannot hold together, and the fewest clues to take away.
    Ambiguous: the open cells, the number of solutions for each of their values, the cells that vary together, and the
    fewest clues to add. Unique: the grade, and the redundant clues.

    \b
    lpbridge puzzle diagnose sudoku examples/sudoku/report3-problem6.txt
    lpbridge puzzle diagnose takuzu puzzles.txt --jsonl
    """
    from bridge.analysis.ask import EFFORT
    from bridge.puzzles.analysis.diagnose import diagnose as diagnosis_of

    how = {name: given[name] for name in ("clashes", "repairs", "most_clues")}
    effort = None if given["smallest"] else EFFORT

    def ask(puzzle: Puzzle) -> PuzzleDiagnosis:
        return diagnosis_of(puzzle, limits=Limits(seconds=given["time_limit"]), effort=effort, **how)

    show_each(ctx, ask, lambda one: one.verdict is Verdict.UNKNOWN and not one.solutions)
