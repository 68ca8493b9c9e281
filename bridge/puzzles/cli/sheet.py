"""`sheet`: puzzles on pages to be printed."""

from __future__ import annotations

import sys
from typing import Any

import click

from bridge.cli.kit import ProgressLine, exit_code, or_partial, output_option, time_option
from bridge.common import write_whole
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.cli.options import KindName, format_option, puzzle_option, puzzles_option
from bridge.puzzles.cli.reading import read_puzzles
from bridge.puzzles.kinds import Puzzle, puzzle_class
from bridge.puzzles.kinds.registry import is_kind, is_kind_file

#: `bridge.puzzles.render.sheet.PAPERS`, which is not imported for a help text.
_PAPERS = ("a4", "us-letter")


@click.command()
@click.argument("puzzles_and_files", nargs=-1, required=True, metavar="PUZZLE FILE... [PUZZLE FILE...]...")
@format_option
@puzzles_option
@puzzle_option
@output_option("OUT.pdf", "The file, a PDF; - is standard output.", None)
@click.option("--title", default="", metavar="TEXT", help="What stands on the first page.")
@click.option("--paper", type=click.Choice(_PAPERS), default="a4", show_default=True)
@click.option(
    "--columns", type=click.IntRange(1, 6), default=2, show_default=True, help="How many puzzles stand side by side."
)
@click.option("--grades/--no-grades", default=True, help="With the grade of each puzzle.", show_default=True)
@click.option("--answers/--no-answers", default=True, help="With the solutions on the last page.", show_default=True)
@click.option("--expect-unique", is_flag=True, help="Exit with 1, and write nothing, unless each has one solution.")
@time_option(10, "each puzzle")
@click.pass_context
def sheet(
    ctx: click.Context,
    /,
    puzzles_and_files: tuple[str, ...],
    options: tuple[tuple[str, str], ...],
    output: str | None,
    expect_unique: bool,
    time_limit: float | None,
    **given: Any,
) -> None:
    """Set the puzzles of FILEs on pages to be printed: titles, grades, and the solutions on the last page.

    A FILE belongs to the PUZZLE named before it and may hold several. Each puzzle is solved; one that has not exactly
    one solution is named on standard error. The solution that a file carries is the one that is printed. It needs the
    extra `pictures`.

    \b
    lpbridge puzzle sheet sudoku puzzles.txt -o sudokus.pdf --title "Saturday" --columns 3
    lpbridge puzzle sheet sudoku a.txt b.txt takuzu c.txt -o mixed.pdf --paper us-letter
    """
    from bridge.puzzles.sheets import Item, check_pdf
    from bridge.puzzles.sheets import sheet as sheet_of

    if output is None:
        raise click.UsageError("name the file: -o OUT.pdf")
    if output != "-":
        check_pdf(output)
    puzzles = _load(puzzles_and_files, dict(options))
    line = ProgressLine()

    def report(item: Item) -> None:
        line.clear()
        if item.problem:
            click.echo(f"lpbridge: {item.title}: {item.problem}", err=True)
        else:
            line.show(item.title)

    limits = Limits(seconds=time_limit)
    made, interrupted = or_partial(lambda: sheet_of(puzzles, limits=limits, on_progress=report, **given))
    line.clear()
    met = not (expect_unique and any(item.verdict is not Verdict.UNIQUE for item in made.items))
    if made.items and met:
        data = made.pdf()
        if output == "-":
            sys.stdout.buffer.write(data)
        else:
            write_whole(output, data)
    ctx.exit(exit_code(met, interrupted=interrupted))


def _load(words: tuple[str, ...], options: dict[str, str]) -> list[Puzzle]:
    """The puzzles of all files, each file of the kind named last before it, with those options that the kind has."""
    ctx, name = click.get_current_context(), KindName()
    kind = name.convert(words[0], None, ctx)
    files: list[tuple[str, str]] = []
    for word in words[1:]:
        if is_kind(word) or is_kind_file(word):
            kind = name.convert(word, None, ctx)
        else:
            files.append((kind, word))
    if not files:
        raise click.UsageError(f"name a file after {kind}")
    known = {kind: puzzle_class(kind).options.keys() for kind, _ in files}
    nowhere = {option: value for option, value in options.items() if not any(option in own for own in known.values())}
    found: list[Puzzle] = []
    for kind, file in files:
        of_kind = {option: value for option, value in options.items() if option in known[kind]}
        found += read_puzzles(kind, file, **of_kind, **nowhere)
    return found
