"""`solve`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from bridge.cli.options import MANY, engine_option, json_option, jsonl_option, print_json, time_option
from bridge.cli.reading import puzzle_file, read_puzzles
from bridge.cli.results import exit_code, print_results
from bridge.limits import Limits
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Grid
from bridge.texts.words import end_text


@click.command()
@puzzle_file
@engine_option("asp")
@click.option("-n", "--solutions", type=MANY, default=1, show_default=True, help="How many; 0 for all.")
@time_option(None, "the search")
@json_option
@jsonl_option("one solution per line, as they are found.")
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
) -> None:
    """Print solutions of the PUZZLE in FILE, drawn, as they are found.

    \b
    lpbridge solve sudoku examples/sudoku/report3-problem8.txt
    lpbridge solve sudoku examples/sudoku/report3-problem5.txt -n 0 -e mac+mrv
    """
    limits = Limits(seconds=time_limit, solutions=solutions or None)
    puzzles = read_puzzles(puzzle, file, **dict(options))
    results: list[dict[str, Any]] = []
    code = 0
    for instance in puzzles:
        code = max(code, _solve(instance, engine, limits, as_json, jsonl, results.append))
        if code == 130:
            break
    if as_json:
        print_results(puzzle, results, several=len(puzzles) > 1)
    ctx.exit(code)


def _solve(
    puzzle: Puzzle, engine: str, limits: Limits, as_json: bool, jsonl: bool, keep: Callable[[dict[str, Any]], None]
) -> int:
    """One instance: prints its solutions and keeps the outcome; the exit code."""
    from bridge.analysis.check import outcome_json
    from bridge.analysis.solve import solutions as solutions_of
    from bridge.engines import engine as engine_of

    found: list[Grid] = []
    interrupted = False
    with solutions_of(puzzle, engine=engine, limits=limits) as stream:
        try:
            for grid in stream:
                found.append(grid)
                if jsonl:
                    print_json([list(row) for row in grid])
                elif not as_json:
                    click.echo(f"solution {len(found)}\n{puzzle.draw(grid)}\n")
        except KeyboardInterrupt:
            stream.interrupted()
            interrupted = True
    outcome = stream.outcome(found)
    keep(outcome_json(puzzle, engine_of(engine).name, outcome))
    if not as_json and not jsonl:
        click.echo(end_text(outcome))
    return exit_code(outcome.complete or bool(found), interrupted=interrupted)
