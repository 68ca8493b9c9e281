"""`count`: the number of solutions of a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import JOBS, MANY, json_option, jsonl_option, time_option
from bridge.cli.progress import ProgressLine
from bridge.limits import Limits
from bridge.puzzles.cli.options import engine_option, puzzle_file
from bridge.puzzles.cli.reading import show_each
from bridge.puzzles.kinds import Puzzle

if TYPE_CHECKING:
    from bridge.puzzles.analysis.count import PuzzleCount


@click.command()
@puzzle_file
@engine_option("asp")
@click.option("-n", "--most", type=MANY, default=0, show_default=True, help="Stop at this number; 0 for all.")
@time_option(None, "each puzzle")
@click.option(
    "--cubes", type=click.IntRange(min=1), metavar="N", help="Split each puzzle into N or more, counted separately."
)
@click.option("-j", "--jobs", type=JOBS, help="Worker processes for cubes; by default one for each core.")
@click.option("--scheduler", metavar="ADDRESS", help="Count the cubes on a Dask cluster (see docs/scaling.md).")
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is counted.")
@click.pass_context
def count(ctx: click.Context, /, **given: Any) -> None:
    """How many solutions has the PUZZLE in FILE?

    Exactly, and without enumerating all where possible: an empty Latin or magic square is counted up to symmetry, and
    independent groups of open cells are counted separately and multiplied. When a limit or Ctrl-C comes first, the
    number is a lower bound. With --cubes all cores, or a cluster, count one puzzle: it is split by the values of some
    cells, and the numbers are added.

    \b
    lpbridge puzzle count takuzu examples/takuzu/six-solutions.txt
    echo order 6 | lpbridge puzzle count latin-square -
    lpbridge puzzle count takuzu grid.txt --cubes 64 --jobs 8
    """
    from bridge.puzzles.analysis.count import count as count_solutions

    cubes, cluster = given["cubes"], {name: given[name] for name in ("jobs", "scheduler")}
    if cubes is None and any(value is not None for value in cluster.values()):
        raise click.UsageError("--jobs and --scheduler are for --cubes")
    line = ProgressLine(not (given["as_json"] or given["jsonl"]))

    def report(number: int, seconds: float) -> None:
        line.show(f"{number:,} so far, {number / seconds:,.0f} a second, {seconds:.0f} s")

    def text(one: PuzzleCount) -> str:
        line.clear()
        return str(one)

    def ask(puzzle: Puzzle) -> PuzzleCount:
        limits = Limits(seconds=given["time_limit"], solutions=given["most"] or None)
        how: dict[str, Any] = {
            "engine": given["engine"],
            "limits": limits,
            "on_progress": report if line.shown else None,
        }
        if cubes is None:
            return count_solutions(puzzle, **how)
        from bridge.puzzles.batch.cubes import count_cubes

        return count_cubes(puzzle, cubes, **how, **cluster)

    show_each(ctx, ask, lambda one: one.number == 0 and not one.complete, text=text)
