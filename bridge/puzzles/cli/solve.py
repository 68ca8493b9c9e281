"""`solve`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from bridge.cli.kit import MANY, each, exit_code, json_option, jsonl_option, print_part, time_option
from bridge.limits import Limits
from bridge.puzzles.cli.options import engine_option, found_and_end, puzzle_file
from bridge.puzzles.cli.reading import print_results, puzzles_of, say_warnings
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Grid, at


@click.command()
@puzzle_file
@engine_option("asp")
@click.option("-n", "--solutions", type=MANY, default=1, show_default=True, help="How many; 0 for all.")
@time_option(None, "the search")
@json_option
@jsonl_option("one solution per line, as they are found.")
@click.option(
    "--as-puzzles",
    is_flag=True,
    help="Print each solution as the puzzle with all its cells given, a line of JSON that all commands read.",
)
@click.pass_context
def solve(ctx: click.Context, /, **given: Any) -> None:
    """Print solutions of the PUZZLE in FILE, drawn, as they are found.

    \b
    lpbridge puzzle solve sudoku examples/sudoku/report3-problem8.txt
    lpbridge puzzle solve sudoku examples/sudoku/report3-problem5.txt -n 0 -e mac+mrv
    lpbridge puzzle solve sudoku puzzle.txt --as-puzzles | lpbridge puzzle convert - - --to sdk
    """
    from bridge import solutions
    from bridge.puzzles.analysis.check import outcome_json
    from bridge.puzzles.engines import engine

    as_json, as_puzzles = given["as_json"], given["as_puzzles"]
    if as_puzzles and (as_json or given["jsonl"]):
        raise click.UsageError("--as-puzzles is a form of its own: leave --json and --jsonl out")
    limits = Limits(seconds=given["time_limit"], solutions=given["solutions"] or None)
    puzzles, results, code = puzzles_of(given), list[dict[str, Any]](), 0
    for puzzle in puzzles:
        line = _line(puzzle) if as_puzzles else (lambda grid: [list(row) for row in grid]) if given["jsonl"] else None
        found: list[Grid] = []
        with solutions(puzzle, engine=given["engine"], limits=limits) as stream:
            interrupted, _ = each(stream, _shown(puzzle, found, line, quiet=as_json))
        outcome = stream.outcome(found)
        say_warnings(puzzle)
        results.append(outcome_json(puzzle, engine(given["engine"]).name, outcome))
        if not as_json and line is None:
            click.echo(found_and_end(outcome))
        code = max(code, exit_code(outcome.complete or bool(found), interrupted=interrupted))
        if interrupted:
            break
    if as_json:
        print_results(given, results, several=len(puzzles) > 1)
    ctx.exit(code)


def _shown(
    puzzle: Puzzle, found: list[Grid], line: Callable[[Grid], Any] | None, *, quiet: bool
) -> Callable[[int, Grid], None]:
    """What keeps a solution, and prints it unless `quiet`: drawn, or as a line of JSON."""

    def show(number: int, grid: Grid) -> None:
        found.append(grid)
        if line is not None:
            print_part(line(grid))
        elif not quiet:
            click.echo(f"solution {number}\n{puzzle.draw(grid)}\n")

    return show


def _line(puzzle: Puzzle) -> Callable[[Grid], Any]:
    """What makes the JSON form of the puzzle with the values of a solution as its clues."""

    def filled(grid: Grid) -> Any:
        values = ((cell, at(grid, cell)) for cell in puzzle.cells())
        return puzzle.with_clues({cell: value for cell, value in values if value is not None}).to_json()

    return filled
