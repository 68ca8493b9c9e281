"""`draw`: pictures of a puzzle, its solution, residual, clashes, ambiguity, or a step of its explanation."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.kit import output_option, time_option, write_styled
from bridge.common import check_writable, write_whole
from bridge.errors import InputError, LimitError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.cli.options import file_argument, format_option, kind_argument, puzzle_option
from bridge.puzzles.cli.reading import puzzles_of
from bridge.puzzles.kinds import Puzzle

if TYPE_CHECKING:
    from bridge.puzzles.render import Drawable

FORMATS = ("svg", "png", "pdf", "txt")


@click.command()
@kind_argument
@file_argument
@format_option
@puzzle_option
@output_option("OUT", "The file: .svg, .png, .pdf or .txt; - is standard output. Without it, the terminal.")
@click.option("--as", "form", type=click.Choice(FORMATS), help="The format of OUT, if not by its name.")
@click.option("--number", type=click.IntRange(min=1), metavar="N", help="Which puzzle of FILE, if it has several.")
@click.option("--solution", is_flag=True, help="With the solution; clues are distinguished.")
@click.option(
    "--candidates",
    type=click.Choice(["exact", "propagated", "both"]),
    help="With the possible values of open cells: in some solution, after propagation alone, or both.",
)
@click.option("--conflict", is_flag=True, help="The rules and clues that clash in an impossible puzzle.")
@click.option("--ambiguity", is_flag=True, help="The cells that differ between solutions.")
@click.option("--step", type=click.IntRange(min=1), metavar="N", help="The step N of the explanation.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--no-legend", is_flag=True, help="Without the legend of colours, patterns and sizes.")
@time_option(None, "the search for what is drawn")
def draw(output: str | None, form: str | None, **given: Any) -> None:
    """Draw the PUZZLE in FILE: its clues, or with one of the flags, a result.

    SVG and text need nothing else; PNG and PDF need the extra `pictures`.

    \b
    lpbridge puzzle draw sudoku examples/sudoku/report3-problem6.txt --candidates both -o problem6.svg
    lpbridge puzzle draw sudoku examples/sudoku/report3-problem3.txt --conflict
    lpbridge puzzle draw takuzu examples/takuzu/course-test5.txt --step 12 --theme dark -o step12.png
    """
    chosen = [name for name in ("solution", "candidates", "conflict", "ambiguity", "step") if given[name]]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} are two pictures: ask for one")
    form = form or ("txt" if output is None else "svg" if output == "-" else Path(output).suffix[1:].lower())
    if form not in FORMATS:
        raise InputError(f"{output} does not determine the format", hint=f"end it in .{', .'.join(FORMATS)}, or --as")
    if output not in (None, "-"):
        check_writable(str(output))
    puzzle, limits = _chosen(puzzles_of(given), given["number"]), Limits(seconds=given["time_limit"])
    picture = _picture(puzzle, chosen[0] if chosen else "instance", given, limits)
    if output in (None, "-") and form == "txt":
        colour = output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        write_styled(f"{picture.text(colour=colour)}\n", sys.stdout)
        return
    data = picture.render(form, given["theme"], legend=not given["no_legend"])
    if output is None or output == "-":
        sys.stdout.buffer.write(data)
    else:
        write_whole(output, data)


def _chosen(puzzles: Sequence[Puzzle], number: int | None) -> Puzzle:
    """The only puzzle, or the one of a number."""
    if number is None and len(puzzles) > 1:
        raise InputError(f"{len(puzzles)} puzzles, but one is to be drawn", hint="name it with --number N")
    if (number or 1) > len(puzzles):
        there = "is 1" if len(puzzles) == 1 else f"are {len(puzzles)}"
        raise InputError(f"there is no puzzle {number}", hint=f"there {there}")
    return puzzles[(number or 1) - 1]


def _picture(puzzle: Puzzle, what: str, given: dict[str, Any], limits: Limits) -> Drawable:
    """The picture that a flag names; `instance` is that without one."""
    from bridge import diagnose, picture
    from bridge.analysis import LIMITS
    from bridge.puzzles import pictures, render
    from bridge.puzzles.analysis.check import EXACT_ENGINE, PROPAGATED_ENGINE
    from bridge.puzzles.engines import engine

    if what == "instance":
        return picture(puzzle)
    if what == "step":
        return pictures.numbered_step(puzzle, given["step"], limits=limits)
    if what == "solution":
        if (solved := pictures.of_solution(puzzle, limits=limits)) is None:
            raise InputError("there is no solution to draw", hint="--conflict shows why")
        return solved
    if what == "candidates":
        which = given["candidates"]
        exact = engine(EXACT_ENGINE).exact(puzzle, limits) if which != "propagated" else None
        propagated = engine(PROPAGATED_ENGINE).propagated(puzzle, limits) if which != "exact" else None
        return render.residual(puzzle, exact, propagated)
    found = diagnose(puzzle, limits=LIMITS if limits.seconds is None else limits)
    flags = {Verdict.UNIQUE: "solution", Verdict.AMBIGUOUS: "ambiguity", Verdict.IMPOSSIBLE: "conflict"}
    if found.verdict is Verdict.UNKNOWN:
        raise LimitError("the time limit came before the verdict")
    if flags[found.verdict] != what:
        hint = f"--{flags[found.verdict]} draws that"
        raise InputError(f"there is no {what} to draw: the puzzle is {found.verdict}", hint=hint)
    return picture(found)
