"""`count`: how many solutions a puzzle has."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from bridge.cli.options import (
    JOBS,
    MANY,
    engine_option,
    json_option,
    jsonl_option,
    time_option,
)
from bridge.cli.reading import puzzle_file, read_puzzles
from bridge.cli.results import Results
from bridge.cli.show import LIMITS
from bridge.plural import many
from bridge.puzzles.rules import cell_name

if TYPE_CHECKING:
    from bridge.analysis.count import Counted, Part

#: Of a part with more cells than this only some are named; the JSON has them all.
NAMED = 8


@click.command()
@puzzle_file
@engine_option("asp")
@click.option("-n", "--most", type=MANY, default=0, show_default=True, help="Stop at so many; 0 for all.")
@time_option(None, "each puzzle")
@click.option(
    "--cubes", type=click.IntRange(min=1), metavar="N", help="Split each puzzle into N or more, to be counted apart."
)
@click.option("-j", "--jobs", type=JOBS, help="Worker processes for cubes; one for each core without.")
@click.option("--scheduler", metavar="ADDRESS", help="Let a Dask cluster count the cubes (see docs/scaling.md).")
@json_option
@jsonl_option("a JSON object a line, for each puzzle as it is counted.")
@click.pass_context
def count(
    ctx: click.Context,
    puzzle: str,
    file: str,
    options: tuple[tuple[str, str], ...],
    engine: str,
    most: int,
    time_limit: float | None,
    cubes: int | None,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
    jsonl: bool,
) -> None:
    """How many solutions has the PUZZLE in FILE?

    Exactly, without going through those that need not be looked at: an empty Latin or magic square is counted up to
    symmetry, and open cells that do not interact are counted apart and multiplied. When a limit or Ctrl-C comes first,
    there are at least as many as are told. With --cubes all cores count one puzzle, or a cluster does: a few cells get
    each value that they can have, and the numbers are added.

    \b
    lpbridge count takuzu examples/takuzu/six-solutions.txt
    echo order 6 | lpbridge count latin-square -
    lpbridge count takuzu grid.txt --cubes 64 --jobs 8
    """
    from bridge.analysis.count import count as count_solutions

    if cubes is None and (jobs is not None or scheduler is not None):
        raise click.UsageError("--jobs and --scheduler are for --cubes")

    puzzles = read_puzzles(puzzle, file, **dict(options))
    watched = not (as_json or jsonl) and sys.stderr.isatty()

    def told(number: int, seconds: float) -> None:
        rate = f"{number / seconds:,.0f} a second"
        click.echo(f"\r\033[K{number:,} so far, {rate}, {seconds:.0f} s", nl=False, err=True)

    def text(one: Counted, title: str) -> str:
        if watched:
            click.echo("\r\033[K", nl=False, err=True)
        return title + show_count(one)

    results: Results[Counted] = Results(ctx, len(puzzles) > 1, text, lambda one: one.to_json())
    on_progress = told if watched else None
    with results.ending(lambda one: one.number == 0 and not one.complete):
        for instance in puzzles:
            if cubes is None:
                counted = count_solutions(
                    instance, engine, seconds=time_limit, most=most or None, on_progress=on_progress
                )
                results.show(counted)
                continue
            from bridge.batches.cubes import count_cubes

            results.show(
                count_cubes(
                    instance,
                    cubes,
                    engine,
                    jobs=jobs,
                    scheduler=scheduler,
                    seconds=time_limit,
                    most=most or None,
                    on_progress=on_progress,
                )
            )


def show_count(found: Counted) -> str:
    """A count in a sentence, and how it came about."""
    text = "no solution" if found.number == 0 else many(found.number, "solution")
    if found.symmetry > 1 and found.number:
        text += f" ({found.number // found.symmetry:,} up to symmetry, times {found.symmetry:,})"
    if not found.complete:
        text = f"at least {text}" if found.number else "no solution found"
        text += f": {LIMITS[str(found.limit)]} came first"
    if len(found.parts) > 1:
        factors = " × ".join(f"{part.number:,}" for part in found.parts)
        cells = " and ".join(map(_named, found.parts))
        text += f"{':' if found.complete else ';'} {factors}, of cells that do not interact: {cells}"
    return text


def _named(part: Part) -> str:
    named = ", ".join(map(cell_name, part.cells[:NAMED]))
    return f"{{{named}{f', … {len(part.cells)} cells' if len(part.cells) > NAMED else ''}}}"
