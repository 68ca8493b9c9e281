"""`lpbridge compare`."""

from __future__ import annotations

import csv
import sys

import click

from bridge.analysis.compare import Comparison, Row
from bridge.analysis.compare import compare as compare_engines
from bridge.cli.options import (
    ENGINE,
    MANY,
    form_option,
    json_option,
    kind_argument,
    print_json,
    puzzle_option,
    time_option,
)
from bridge.cli.reading import format_option, read_puzzles
from bridge.cli.results import exit_code
from bridge.cli.show import LIMITS, table
from bridge.english import plural
from bridge.errors import InputError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Interrupted
from bridge.puzzles import Puzzle

_PHASES = ("load", "ground", "post", "solve", "decode")
_COUNTERS = (
    "conflicts", "choices", "inferences", "nodes", "backtracks", "checks", "generated", "expanded", "branches",
)  # fmt: skip


@click.command()
@kind_argument
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True), metavar="FILE...")
@format_option
@puzzle_option
@click.option(
    "-e",
    "--engines",
    type=ENGINE,
    default="asp,clpfd,mac+mrv",
    show_default=True,
    help="Names with commas between; see `lpbridge engines`.",
)
@click.option("-n", "--solutions", type=MANY, default=2, show_default=True, help="How many to look for; 0: all.")
@time_option(10, "each engine on each puzzle")
@click.option("--skip-bad", is_flag=True, help="Report unreadable files on stderr, and go on with the others.")
@json_option
@click.option("--plot", metavar="FILE", help="Draw the times too: FILE.svg, .png or .pdf (extra `pictures`).")
@form_option("--csv", "as_csv", "Print the rows as CSV.")
@click.pass_context
def compare(
    ctx: click.Context,
    puzzle: str,
    files: tuple[str, ...],
    options: tuple[tuple[str, str], ...],
    engines: str,
    solutions: int,
    time_limit: float,
    skip_bad: bool,
    plot: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Compare engines on the PUZZLEs in FILEs: do they agree, and what does each cost?

    Every engine gets the same question (two solutions, or a proof that there is only one), the same instance and the
    same time limit. Times are in milliseconds: the total, then its parts: loading the instance, grounding, posting
    constraints, solving, and decoding; then each engine's own counters. A contradiction between engines is an error.

    \b
    lpbridge compare sudoku examples/sudoku/report3-problem[13-8].txt
    lpbridge compare sudoku puzzle.txt -e asp,fc,fc+mrv,mac+mrv --csv > times.csv
    """
    if plot is not None:
        from bridge.render.plots import can_save

        can_save(plot)
    chosen = [name.strip() for name in engines.split(",") if name.strip()]
    if not chosen:
        raise InputError("no engine is named", hint="`lpbridge engines` lists them")
    puzzles, names = _load(puzzle, files, dict(options), skip_bad)
    progress = not (as_json or as_csv) and sys.stderr.isatty()

    def report(row: Row) -> None:
        if progress:
            click.echo(f"\r\033[K{row.instance} {row.engine}", nl=False, err=True)

    interrupted = False
    try:
        comparison = compare_engines(
            puzzles,
            engines=chosen,
            limits=Limits(seconds=time_limit, solutions=solutions or None),
            on_progress=report,
            names=names,
        )
    except Interrupted as interruption:
        comparison, interrupted = interruption.partial, True
    if progress:
        click.echo("\r\033[K", nl=False, err=True)
    if as_json:
        print_json(comparison.to_json())
    elif as_csv:
        _write_csv(comparison)
    else:
        _show(comparison)
    if plot is not None:
        from bridge.render.plots import comparison_chart

        comparison_chart(comparison.to_json()).save(plot)
    if not as_json:
        comparison.require_agreement()
    ctx.exit(exit_code(comparison.agree, interrupted=interrupted))


def _load(
    puzzle: str, files: tuple[str, ...], options: dict[str, str], skip_bad: bool
) -> tuple[list[Puzzle], list[str]]:
    puzzles: list[Puzzle] = []
    names: list[str] = []
    for file in files:
        try:
            loaded = read_puzzles(puzzle, file, **options)
        except (InputError, UnsupportedError) as error:
            if not skip_bad:
                raise
            click.echo(f"lpbridge: skipped: {error}", err=True)
            continue
        stem = file.rpartition("/")[2].rpartition(".")[0] or file
        puzzles += loaded
        names += [stem] if len(loaded) == 1 else [f"{stem}:{number}" for number in range(1, len(loaded) + 1)]
    if not puzzles:
        raise InputError("there is no puzzle to compare on")
    return puzzles, names


def _show(comparison: Comparison) -> None:
    rows = [row for row in comparison.rows if row.outcome is not None]
    if rows:
        phases = [p for p in _PHASES if any(p in _seconds(row) for row in rows)]
        counters = [c for c in _COUNTERS if any(c in _counted(row) for row in rows)]
        head = ["instance", "engine", "verdict", "ms", *phases, *counters]
        click.echo(table([head, *([*_cells(row, phases, counters)] for row in rows)]))
    missing = {row.engine: row.error for row in comparison.rows if row.error}
    for name, error in missing.items():
        click.echo(f"{name} did not run: {error}")
    if comparison.agree:
        summary = "of one engine:" if len(comparison.engines) == 1 else "the engines do not contradict each other:"
        instances = plural(len(comparison.instances), "instance")
        click.echo(f"{instances}, {len(rows)} runs; {summary} {_unknown(comparison)}")


def _unknown(comparison: Comparison) -> str:
    stopped = sum(row.outcome is not None and row.outcome.limit not in (None, "solutions") for row in comparison.rows)
    return f"{stopped} stopped by a limit" if stopped else "every verdict is final"


def _cells(row: Row, phases: list[str], counters: list[str]) -> list[str]:
    assert row.outcome is not None
    limit = row.outcome.limit
    verdict = str(row.verdict) + (f" ({LIMITS[limit]})" if limit not in (None, "solutions") else "")
    times = [f"{_seconds(row)[p] * 1000:.2f}" if p in _seconds(row) else "" for p in phases]
    counts = [f"{_counted(row)[c]:,}" if c in _counted(row) else "" for c in counters]
    return [row.instance, row.engine, verdict, f"{row.seconds * 1000:.2f}", *times, *counts]


def _seconds(row: Row) -> dict[str, float]:
    return row.outcome.statistics.seconds if row.outcome else {}


def _counted(row: Row) -> dict[str, int]:
    return row.outcome.statistics.counters if row.outcome else {}


def _write_csv(comparison: Comparison) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    phases = [f"{phase}_seconds" for phase in ("total", *_PHASES)]
    fixed = ["instance", "engine", "verdict", "complete", "solutions", "limit", "error"]
    writer.writerow([*fixed, *phases, *_COUNTERS])
    for row in comparison.rows:
        data = row.to_json()
        seconds = [data["seconds"].get(phase, "") for phase in ("total", *_PHASES)]
        writer.writerow([*(data[key] for key in fixed), *seconds, *(data["statistics"].get(c, "") for c in _COUNTERS)])
