"""`check`, `solve`, `residual` and `engines`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.options import (
    MANY,
    engine_option,
    json_option,
    jsonl_option,
    print_json,
    puzzles_option,
    residual_options,
    time_option,
)
from bridge.cli.reading import or_programs, puzzle_file, read_puzzles
from bridge.cli.results import Results, exit_code, print_results
from bridge.errors import MissingSolverError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles import Puzzle
from bridge.puzzles.residual import Residual
from bridge.puzzles.rules import Grid
from bridge.texts.check import candidates_text, open_text, report_text, residual_text
from bridge.texts.words import end_text

if TYPE_CHECKING:
    from bridge.engines import Engine


@click.command(cls=or_programs("bridge.cli.of_programs:check"))
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
    puzzle: str,
    file: str,
    options: tuple[tuple[str, str], ...],
    engine: str,
    time_limit: float | None,
    expect: str | None,
    verdict_only: bool,
    propagation: str | None,
    as_json: bool,
    jsonl: bool,
) -> None:
    """Is the PUZZLE in FILE unique, ambiguous or impossible?

    Shows the solution, or two that differ. If the puzzle is ambiguous: the open cells with their possible values, exact
    (those of some solution) beside propagated (those left without search), and the constraints on them. If
    clues clash: which.

    \b
    lpbridge check sudoku examples/sudoku/report3-problem6.txt
    lpbridge check sudoku --expect unique - < puzzle.txt && echo publish it
    """
    from bridge.analysis.check import Report
    from bridge.analysis.check import check as check_puzzle
    from bridge.engines import engine as engine_of

    engine_of(engine)
    puzzles = read_puzzles(puzzle, file, **dict(options))
    results: Results[Report] = Results(ctx, len(puzzles) > 1, lambda one: f"{report_text(one)}\n", Report.to_json)

    def unexpected(report: Report) -> bool:
        return expect is not None and report.verdict != expect

    with results.ending(lambda one: unexpected(one) or (one.verdict is Verdict.UNKNOWN and not one.solutions)):
        for instance in puzzles:
            report = check_puzzle(
                instance,
                engine=engine,
                limits=Limits(seconds=time_limit),
                verdict_only=verdict_only,
                propagation=propagation,
            )
            results.show(report)
        if any(map(unexpected, results.found)) and not (as_json or jsonl):
            click.echo(f"lpbridge: expected {expect}", err=True)


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


@click.command(cls=or_programs("bridge.cli.of_programs:residual"))
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
    lpbridge residual sudoku examples/sudoku/report3-problem6.txt -e clpfd
    lpbridge residual sudoku examples/sudoku/report3-problem8.txt -e clpfd --candidates
    """
    from bridge.analysis.check import residual as residual_of

    found: list[tuple[Puzzle, Residual]] = []
    for instance in read_puzzles(puzzle, file, **dict(options)):
        found.append((instance, residual_of(instance, engine=engine, limits=Limits(seconds=time_limit))))
        if not as_json:
            click.echo(residual_text(found[-1][1]))
            if candidates:
                click.echo(candidates_text(*found[-1]))
            else:
                click.echo(open_text(*found[-1]))
    if as_json:
        results = [{"puzzle": puzzle, **one.to_json()} for _, one in found]
        print_results(puzzle, results, several=len(results) > 1)
    ctx.exit(exit_code(all(one.complete or one.possible for _, one in found)))


@click.command()
@json_option
def engines(as_json: bool) -> None:
    """List the engines, their abilities, and their solvers with the versions that are installed.

    `clingo` is another name of `asp`, and `prolog` of `clpfd`. Imperative engines are named by their parts, and any
    combination is an engine: an inference (`bt`, `fc`, `mac`, `gac`), then `+mrv`, `+mrv+degree`, `+mrv+wdeg` or the
    like to order the variables, then `+lcv` to order the values, then `+restarts`. `choco` and `cp-sat` need
    `pip install 'lpbridge[cp]'`.

    The last line says whether imperative search is compiled, or pure Python and why.
    """
    from bridge.engines import MEANINGS, NAMES, Ability
    from bridge.engines import engine as engine_of
    from bridge.search import FORM

    listed = [engine_of(name) for name in NAMES]
    if as_json:
        print_json(
            {
                "engines": [
                    {
                        "name": one.name,
                        "description": one.description,
                        "abilities": sorted(one.abilities),
                        **_solver(one),
                    }
                    for one in listed
                ],
                "search": {"compiled": FORM.compiled, "form": str(FORM)},
            }
        )
        return
    width = max(len(one.name) for one in listed)
    for one in listed:
        click.echo(f"{one.name:<{width}}  {one.description}")
        click.echo(f"{'':<{width}}  {', '.join(ability for ability in Ability if ability in one.abilities)}")
        solver = _solver(one)
        if said := solver["solver"] or solver["problem"]:
            click.echo(f"{'':<{width}}  {said}")
    click.echo()
    for ability, meaning in MEANINGS.items():
        click.echo(f"{ability:<11} {meaning}")
    click.echo(f"\nsearch: {FORM}")


def _solver(engine: Engine) -> dict[str, Any]:
    """The solver of an engine, and whether it is there, as JSON."""
    try:
        return {"installed": True, "solver": engine.solver(), "problem": None}
    except MissingSolverError as error:
        return {"installed": False, "solver": None, "problem": str(error)}


@click.command()
@puzzles_option
@json_option
def puzzles(as_json: bool) -> None:
    """List the puzzles, and the options of each that `-O NAME=VALUE` sets."""
    from bridge.puzzles import puzzle_class
    from bridge.puzzles.registry import kinds

    if as_json:
        helps = {kind: {name: one.help for name, one in puzzle_class(kind).options.items()} for kind in kinds()}
        print_json({"puzzles": [{"name": kind, "options": options} for kind, options in helps.items()]})
        return
    for kind in kinds():
        click.echo(kind)
        options = puzzle_class(kind).options
        width = max(map(len, options), default=0)
        for name, option in options.items():
            click.echo(f"  {name:<{width}}  {option.help}")
