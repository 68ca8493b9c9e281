"""`lpbridge report`."""

from __future__ import annotations

import platform
from pathlib import Path

import click

from bridge.cli.options import json_option, print_json, time_option
from bridge.files import check_writable, write_whole
from bridge.outcome import Interrupted
from bridge.reports import TITLES, Chapter, Finding, reproduce

_MARKS = {True: "✓", False: "✗", None: "·"}


@click.command()
@click.argument("numbers", nargs=-1, type=click.IntRange(1, 5), metavar="[1-5]...")
@time_option(10, "each engine on each instance")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write Markdown, too.")
@json_option
@click.pass_context
def report(ctx: click.Context, numbers: tuple[int, ...], time_limit: float, save: Path | None, as_json: bool) -> None:
    """Reproduce the student reports 1 to 5, or all of them.

    For each table, figure and printed result: what the report says, what we get, and how they compare. Marks: ✓ it
    holds or ours is better, ✗ it does not, · nothing to compare. Report 1 asks which orders are solved within a
    minute: `-t 60` answers as asked, and takes some minutes.

    \b
    lpbridge report 3
    lpbridge report -t 60 --save docs/reports.md
    """
    if save:
        check_writable(save)
    chapters: list[Chapter] = []
    code = 0

    def told(finding: Finding) -> None:
        if not as_json:
            click.echo(_line(finding))

    try:
        for number in numbers or tuple(TITLES):
            if not as_json:
                click.echo(f"\n# Report {number}: {TITLES[number]}\n")
            chapters.append(reproduce(number, seconds=time_limit, told=told))
    except Interrupted as interrupted:
        chapters.append(interrupted.partial)
        code = 130
    unexplained = [finding.what for chapter in chapters for finding in chapter.differences]
    if as_json:
        print_json({"reports": [chapter.to_json() for chapter in chapters], "unexplained": unexplained})
    elif unexplained:
        click.echo(f"\ndifferences without an explanation: {', '.join(unexplained)}")
    if save:
        write_whole(save, markdown(chapters, time_limit).encode())
    ctx.exit(code or (1 if unexplained else 0))


def _line(finding: Finding) -> str:
    says = f"report: {finding.says}; " if finding.says else ""
    text = f"{_MARKS[finding.holds]} {finding.what}: {says}ours: {finding.ours}"
    text += f" ({finding.compared})" if finding.compared else ""
    return f"{text}\n    {finding.note}" if finding.note else text


def markdown(chapters: list[Chapter], seconds: float) -> str:
    """All chapters as one document, with what made it."""
    import clingo

    from bridge.prolog.locate import current, show_version

    made = (
        f"Made by `lpbridge report -t {seconds:g} --save FILE`, not by hand, on Python {platform.python_version()}, "
        f"clingo {clingo.__version__}, SWI-Prolog {show_version(current().version)}; {platform.system()} "
        f"{platform.machine()}. Times are of this machine and say little; counts are the same everywhere."
    )
    parts = ["# The five reports, reproduced", "", made]
    for chapter in chapters:
        parts += ["", f"## Report {chapter.number}: {chapter.title}", ""]
        if not chapter.complete:
            parts += ["Interrupted: what follows is not all.", ""]
        parts += ["| | what | report | ours | compared | note |", "|---|---|---|---|---|---|"]
        for finding in chapter.findings:
            fields = (finding.what, finding.says, finding.ours, finding.compared, finding.note)
            cells = " | ".join(text.replace("|", "\\|").replace("\n", "<br>") for text in fields)
            parts.append(f"| {_MARKS[finding.holds]} | {cells} |")
    return "\n".join(parts) + "\n"
