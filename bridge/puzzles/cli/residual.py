"""`residual`."""

from __future__ import annotations

import click

from bridge.cli.options import json_option, time_option
from bridge.cli.results import exit_code
from bridge.limits import Limits
from bridge.puzzles.cli.options import engine_option
from bridge.puzzles.cli.reading import puzzle_file, read_puzzles
from bridge.puzzles.cli.results import print_results
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import Puzzle


@click.command()
@puzzle_file
@engine_option("asp")
@time_option(None, "the question")
@click.option("--candidates", is_flag=True, help="Draw the grid with the possible values of every cell.")
@json_option
@click.pass_context
def residual(
    ctx: click.Context,
    puzzle: str,
    file: str,
    options: tuple[tuple[str, str], ...],
    engine: str,
    time_limit: float | None,
    candidates: bool,
    as_json: bool,
) -> None:
    """Print the open cells of the PUZZLE in FILE with their possible values, and the constraints on them.

    With `-e asp` they are exact: the values that occur in some solution. With `-e clpfd` they are those that
    propagation leaves without search, with the residual goals of SWI-Prolog; `mac` and `fc` propagate, too.

    \b
    lpbridge puzzle residual sudoku examples/sudoku/report3-problem6.txt -e clpfd
    lpbridge puzzle residual sudoku examples/sudoku/report3-problem8.txt -e clpfd --candidates
    """
    from bridge.puzzles.analysis.check import candidates_text
    from bridge.puzzles.analysis.check import residual as residual_of

    found: list[tuple[Puzzle, PuzzleResidual]] = []
    for instance in read_puzzles(puzzle, file, **dict(options)):
        found.append((instance, residual_of(instance, engine=engine, limits=Limits(seconds=time_limit))))
        if not as_json:
            one = found[-1][1]
            click.echo(f"{one.sentence()}\n{candidates_text(instance, one) if candidates else one.listing()}")
    if as_json:
        results = [{"puzzle": puzzle, **one.to_json()} for _, one in found]
        print_results(puzzle, results, several=len(results) > 1)
    ctx.exit(exit_code(all(one.complete or one.possible for _, one in found)))
