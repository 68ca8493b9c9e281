"""`lpbridge puzzle compare`: engines on puzzles."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.kit import MANY, check_files, compared, exit_code, form_options, print_comparison, time_option
from bridge.comparison import contender
from bridge.errors import InputError, UnsupportedError
from bridge.limits import Limits
from bridge.puzzles.cli.options import ENGINE, format_option, kind_argument, puzzle_option
from bridge.puzzles.cli.reading import read_puzzles
from bridge.puzzles.kinds import Puzzle


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
    help="Names with commas between; see `lpbridge puzzle engines`. A program may stand among them: mine.lp, mine.pl "
    "with --goal, mine.py:solve.",
)
@click.option("-g", "--goal", help="The goal of a .pl among the engines; its variable Rows is the grid.")
@click.option("-n", "--solutions", type=MANY, default=2, show_default=True, help="How many to look for; 0: all.")
@time_option(10, "each engine on each puzzle")
@click.option("--skip-bad", is_flag=True, help="Report unreadable files on stderr, and go on with the others.")
@form_options
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    puzzle: str,
    files: tuple[str, ...],
    options: tuple[tuple[str, str], ...],
    engines: str,
    goal: str | None,
    solutions: int,
    time_limit: float,
    skip_bad: bool,
    **form: Any,
) -> None:
    """Compare engines on the PUZZLEs in FILEs: do they agree, and what does each cost?

    Every engine gets the same question (two solutions, or a proof that there is only one), the same instance and the
    same time limit. Times are in milliseconds: the total, then its parts: loading the instance, grounding, posting
    constraints, solving, and decoding; then each engine's own counters. A contradiction between engines is an error.

    A program of yours may take an engine's place. An .lp gets the facts that our encoding takes, and answers by
    cell(R,C,V); a .pl gets the grid as Rows; a Python function is called with the instance, whose `rows` are the grid,
    and yields grids. Where it differs from the others, the reason is shown.

    \b
    lpbridge puzzle compare sudoku examples/sudoku/report3-problem[13-8].txt
    lpbridge puzzle compare sudoku puzzle.txt -e asp,fc,fc+mrv,mac+mrv --csv > times.csv
    lpbridge puzzle compare sudoku puzzle.txt -e asp,mine.lp,mine.py:solve
    lpbridge puzzle compare sudoku puzzle.txt -e bt,fc+mrv,mac+mrv --handout lesson.pdf
    """
    check_files(form)
    chosen = [name.strip() for name in engines.split(",") if name.strip()]
    if not chosen:
        raise InputError("no engine is named", hint="`lpbridge puzzle engines` lists them")
    puzzles, names = _load(puzzle, files, dict(options), skip_bad)
    contenders = [contender(name, goal=goal) for name in chosen]
    programs = {one.name for one in contenders if not one.only}
    limits = Limits(seconds=time_limit, solutions=solutions or None)
    comparison, interrupted = compared(form, *contenders, instances=puzzles, limits=limits, names=names)
    print_comparison(comparison, form, [] if interrupted else puzzles)
    if not form["as_json"] and not programs:
        comparison.require_agreement()
    ran = {row.engine for row in comparison.rows if row.error is None}
    ctx.exit(exit_code(comparison.agree and programs <= ran, interrupted=interrupted))


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
