"""`residual`."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.options import json_option, time_option
from bridge.limits import Limits
from bridge.puzzles.cli.options import engine_option, puzzle_file
from bridge.puzzles.cli.reading import show_each
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import Puzzle


@click.command()
@puzzle_file
@engine_option("asp")
@time_option(None, "the question")
@click.option("--candidates", is_flag=True, help="Draw the grid with the possible values of every cell.")
@json_option
@click.pass_context
def residual(ctx: click.Context, /, **given: Any) -> None:
    """Print the open cells of the PUZZLE in FILE with their possible values, and the constraints on them.

    With `-e asp` they are exact: the values that occur in some solution. With `-e clpfd` they are those that
    propagation leaves without search, with the residual goals of SWI-Prolog; `mac` and `fc` propagate, too.

    \b
    lpbridge puzzle residual sudoku examples/sudoku/report3-problem6.txt -e clpfd
    lpbridge puzzle residual sudoku examples/sudoku/report3-problem8.txt -e clpfd --candidates
    """
    from bridge.puzzles.analysis.check import candidates_text
    from bridge.puzzles.analysis.check import residual as residual_of

    def ask(puzzle: Puzzle) -> tuple[PuzzleResidual, str]:
        one = residual_of(puzzle, engine=given["engine"], limits=Limits(seconds=given["time_limit"]))
        return one, f"{one.sentence()}\n{candidates_text(puzzle, one) if given['candidates'] else one.listing()}"

    show_each(
        ctx,
        ask,
        lambda one: not (one[0].complete or one[0].possible),
        text=lambda one: one[1],
        data=lambda one: {"puzzle": given["puzzle"], **one[0].to_json()},
        titled=False,
    )
