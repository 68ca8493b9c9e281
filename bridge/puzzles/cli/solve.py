"""`solve`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from bridge.cli.endings import each, found_and_end
from bridge.cli.options import MANY, json_option, jsonl_option, print_part, time_option
from bridge.cli.results import exit_code
from bridge.limits import Limits
from bridge.puzzles.cli.options import engine_option
from bridge.puzzles.cli.reading import puzzle_file, read_puzzles
from bridge.puzzles.cli.results import print_results
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
def solve(
    ctx: click.Context,
    puzzle: str,
    file: str,
    options: tuple[tuple[str, str], ...],
    engine: str,
    solutions: int,
    time_limit: float | None,
    as_json: bool,
    jsonl: bool,
    as_puzzles: bool,
) -> None:
    """Print solutions of the PUZZLE in FILE, drawn, as they are found.

    \b
    lpbridge puzzle solve sudoku examples/sudoku/report3-problem8.txt
    lpbridge puzzle solve sudoku examples/sudoku/report3-problem5.txt -n 0 -e mac+mrv
    lpbridge puzzle solve sudoku puzzle.txt --as-puzzles | lpbridge puzzle convert - - --to sdk
    """
    if as_puzzles and (as_json or jsonl):
        raise click.UsageError("--as-puzzles is a form of its own: leave --json and --jsonl out")
    limits = Limits(seconds=time_limit, solutions=solutions or None)
    puzzles = read_puzzles(puzzle, file, **dict(options))
    results: list[dict[str, Any]] = []
    code = 0
    for instance in puzzles:
        line = _filled(instance) if as_puzzles else _rows if jsonl else None
        code = max(code, _solve(instance, engine, limits, as_json, line, results.append))
        if code == 130:
            break
    if as_json:
        print_results(puzzle, results, several=len(puzzles) > 1)
    ctx.exit(code)


def _rows(grid: Grid) -> Any:
    return [list(row) for row in grid]


def _filled(puzzle: Puzzle) -> Callable[[Grid], Any]:
    """What makes the JSON form of the puzzle with the values of a solution as its clues."""

    def filled(grid: Grid) -> Any:
        values = ((cell, at(grid, cell)) for cell in puzzle.cells())
        return puzzle.with_clues({cell: value for cell, value in values if value is not None}).to_json()

    return filled


def _solve(
    puzzle: Puzzle,
    engine: str,
    limits: Limits,
    as_json: bool,
    line: Callable[[Grid], Any] | None,
    keep: Callable[[dict[str, Any]], None],
) -> int:
    """One instance: prints its solutions, as lines of JSON or drawn, and keeps the outcome; the exit code."""
    from bridge.analysis.ask import solutions as solutions_of
    from bridge.puzzles.analysis.check import outcome_json
    from bridge.puzzles.engines import engine as engine_of

    found: list[Grid] = []

    def show(number: int, grid: Grid) -> None:
        found.append(grid)
        if line is not None:
            print_part(line(grid))
        elif not as_json:
            click.echo(f"solution {number}\n{puzzle.draw(grid)}\n")

    with solutions_of(puzzle, engine=engine, limits=limits) as stream:
        interrupted, _ = each(stream, show)
    outcome = stream.outcome(found)
    keep(outcome_json(puzzle, engine_of(engine).name, outcome))
    if not as_json and line is None:
        click.echo(found_and_end(outcome))
    return exit_code(outcome.complete or bool(found), interrupted=interrupted)
