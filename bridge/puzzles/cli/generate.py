"""`generate`: new puzzles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from bridge.cli.kit import ProgressLine, each, exit_code, json_option, jsonl_option, print_json, time_option
from bridge.common import LIMITS
from bridge.limits import Limits
from bridge.puzzles.cli.options import kind_argument, puzzle_option
from bridge.puzzles.kinds.symmetry import SYMMETRIES

if TYPE_CHECKING:
    from bridge.puzzles.generating.generate import Generated


class _Size(click.ParamType[tuple[int, int]]):
    """`9`, or rows and columns as in `6x8`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"([0-9]{1,3})(?:x([0-9]{1,3}))?", str(value))
        if match is None:
            self.fail(f"{value!r} is not a size; write it as in 9 or 6x8", param, ctx)
        return int(match[1]), int(match[2] or match[1])


@click.command()
@kind_argument
@click.option("--size", type=_Size(), required=True, metavar="N|RxC", help="Rows and columns: 9, or 6x8.")
@click.option(
    "--grade",
    metavar="LEVEL",
    help="Exactly this grade: easy, medium, hard, very hard, or a level (`lpbridge puzzle grade --help`).",
)
@click.option("--clues", type=click.IntRange(min=0), metavar="N", help="The exact number of cells given.")
@click.option(
    "--symmetry", type=click.Choice(list(SYMMETRIES)), help="Of the clues; of a crossword, of the black cells."
)
@click.option("--seed", type=click.IntRange(min=0), help="The same seed and options, the same puzzles, on any machine.")
@click.option("-n", "--number", type=click.IntRange(min=1), default=1, show_default=True, help="How many puzzles.")
@click.option(
    "--attempts", type=click.IntRange(min=1), default=1000, show_default=True, help="Candidates for each puzzle."
)
@click.option("--black", metavar="SHARE", help="Of a crossword: the share of black cells; the same as -O black=SHARE.")
@click.option("--empty", is_flag=True, help="Of a crossword: only grids of black and white cells, without words.")
@puzzle_option
@time_option(None, "all together")
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is made.")
@click.pass_context
def generate(
    ctx: click.Context,
    /,
    puzzle: str,
    number: int,
    black: str | None,
    empty: bool,
    as_json: bool,
    jsonl: bool,
    **given: Any,
) -> None:
    """Make a new PUZZLE with exactly one solution.

    Clues are removed from a random solution until none is redundant; with a symmetry, those that it relates go or stay
    together. The other commands can read the output; comment lines before the puzzle have its seed, its grade, and the
    engines that proved uniqueness. The given letters of a crossword leave one fill with words of the list.

    When the request is not met, the exit code is 1, and stderr says what was found and what ended the search: the time
    limit, the number of attempts or Ctrl-C.

    \b
    lpbridge puzzle generate sudoku --size 9 --grade medium --symmetry rotate
    lpbridge puzzle generate takuzu --size 8 --seed 1 | lpbridge puzzle grade takuzu -
    lpbridge puzzle generate crossword --size 5 --words words.txt
    lpbridge puzzle generate crossword --size 15 --empty | lpbridge puzzle solve crossword - --words words.txt
    """
    from bridge.puzzles.generating.generate import generate as new

    options, limits = dict(given.pop("options")), Limits(seconds=given.pop("time_limit"))
    chosen = options if black is None else {**options, "black": black}
    if empty:
        _print_empty(puzzle, chosen, number, given, as_json=as_json, jsonl=jsonl)
        return
    made: list[Generated] = []
    line = ProgressLine(not (as_json or jsonl))

    def report(found: int, seconds: float) -> None:
        tried = f"; {stream.remark}" if stream.remark else ""
        line.show(f"{found} of {number} puzzles, {seconds:.0f} s{tried}")

    stream = new(
        puzzle,
        options=chosen,
        number=number,
        limits=limits,
        on_progress=report if line.shown else None,
        **given,
    )

    def show(count: int, one: Generated) -> None:
        line.clear()
        made.append(one)
        if jsonl:
            print_json(one.to_json())
        elif not as_json:
            comment = one.puzzle.text_form.comment
            click.echo(one if number == 1 else f"{comment} puzzle {count}\n{one}\n")

    with stream:
        interrupted, _ = each(stream, show)
    line.clear()
    missing = len(made) < number
    if as_json:
        found = [one.to_json() for one in made]
        end = {"limit": stream.limit, "remark": stream.remark} if missing else {}
        print_json(found[0] if number == 1 and made else {"puzzle": puzzle, "results": found, **end})
    if missing and stream.complete and stream.remark:  # nothing was tried: there is no such puzzle
        click.echo(f"lpbridge: {stream.remark}", err=True)
    elif missing:
        why = f"stopped by {LIMITS[stream.limit]}" if stream.limit else "no more attempts"
        why += f"; {stream.remark}" if stream.remark else ""
        click.echo(f"lpbridge: {len(made)} of {number} puzzles made, {why}", err=True)
    ctx.exit(exit_code(not missing, interrupted=interrupted))


def _print_empty(
    kind: str, options: dict[str, str], number: int, requested: dict[str, Any], *, as_json: bool, jsonl: bool
) -> None:
    """Print grids without words."""
    from bridge.puzzles.generating.generate import empty_grids

    if wrong := next((name for name in ("grade", "clues") if requested[name] is not None), None):
        raise click.UsageError(f"--{wrong} is about the letters given, and with --empty there are none")
    symmetry, seed = requested["symmetry"], requested["seed"]
    made = empty_grids(kind, requested["size"], options=options, symmetry=symmetry, seed=seed, number=number)
    found = [{"puzzle": kind, "grid": [list(row) for row in grid], "seed": own} for own, grid in made]
    if jsonl:
        for one in found:
            print_json(one)
    elif as_json:
        print_json(found[0] if number == 1 else {"puzzle": kind, "results": found})
    else:
        for count, (own, grid) in enumerate(made, 1):
            part = f"% puzzle {count}\n" if number > 1 else ""
            rows = "\n".join("".join(str(value or ".") for value in row) for row in grid)
            click.echo(f"{part}% seed {own}\n{rows}" + ("\n" if number > 1 else ""))
