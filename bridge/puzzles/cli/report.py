"""`lpbridge puzzle report`."""

from __future__ import annotations

import platform
from collections import Counter
from pathlib import Path

import click

from bridge.cli.kit import json_option, print_json, time_option
from bridge.common import check_writable, refuse_other_format, write_whole
from bridge.limits import Limits
from bridge.outcome import Interrupted
from bridge.puzzles.reports import MARKS, TITLES, Chapter, Finding, reproduce

#: What Markdown may take for its own, or what breaks a row of a table.
_SPECIAL = frozenset("[]_*<>|'\n")
_SPECIAL_IN_HTML = _SPECIAL | frozenset("&`\\")


@click.command()
@click.argument("numbers", nargs=-1, type=click.IntRange(1, 5), metavar="[1-5]...")
@time_option(10, "each engine on each instance")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write Markdown, too.")
@json_option
@click.pass_context
def report(ctx: click.Context, numbers: tuple[int, ...], time_limit: float, save: Path | None, as_json: bool) -> None:
    """Reproduce the student reports 1 to 5, or all of them.

    For each table, figure and printed result: what the document says, word for word, what comes out here, and by which
    algorithm. Marks: ✓ the same, ✗ not the same (a note says why), + the document does not say it, and ours is checked,
    · not compared. Searches that would not end are limited by nodes, so that the same comes out on every machine.

    \b
    lpbridge puzzle report 3
    lpbridge puzzle report -t 60 --save docs/reports.md
    """
    if save:
        refuse_other_format(save, "it is Markdown: end it in .md")
        check_writable(save)
    chapters: list[Chapter] = []
    code = 0

    def show(finding: Finding) -> None:
        if as_json:
            return
        says, ours = (" / ".join(text.splitlines()) for text in (finding.says, finding.ours))
        text = f"{MARKS[finding.mark][0]} {finding.what}: {f'report: {says}; ' if says else ''}ours: {ours}"
        text += f" ({finding.compared})" if finding.compared else ""
        click.echo(f"{text}\n    {finding.note}" if finding.note else text)

    try:
        for number in numbers or tuple(TITLES):
            if not as_json:
                click.echo(f"\n# Report {number}: {TITLES[number]}\n")
            chapters.append(reproduce(number, limits=Limits(seconds=time_limit), on_progress=show))
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


def markdown(chapters: list[Chapter], seconds: float) -> str:
    """All chapters as one document, with what made it and what its marks mean."""
    parts = ["# The five reports, reproduced", "", _made(seconds), "", *_legend()]
    for chapter in chapters:
        parts += ["", f"## Report {chapter.number}: {chapter.title}", "", chapter.about, ""]
        if not chapter.complete:
            parts += ["Interrupted: what follows is not all.", ""]
        counts = Counter(finding.mark for finding in chapter.findings)
        parts += [", ".join(f"{MARKS[mark][0]} {counts[mark]}" for mark in MARKS if counts[mark]) + ".", ""]
        number = {passage.name: place for place, passage in enumerate(chapter.passages, 1)}
        if different := [finding for finding in chapter.findings if finding.mark == "differs"]:
            parts += ["What differs, and why:", ""]
            parts += [f"- **{_cell(finding.what)}**: {_cell(finding.note)}." for finding in different] + [""]
        parts += ["| | what | the document | here | by | compared | note |", "|---|---|---|---|---|---|---|"]
        for finding in chapter.findings:
            says = f"{_code(finding.says)} [{number[finding.source]}]" if finding.says else ""
            ours = _code(finding.ours) if set(finding.ours) & _SPECIAL else finding.ours
            fields = (says, ours, finding.method, finding.compared, _cell(finding.note))
            parts.append(f"| {MARKS[finding.mark][0]} | {_cell(finding.what)} | {' | '.join(fields)} |")
        parts += ["", "Where the document says it:", "", "| | passage | what it is |", "|---|---|---|"]
        for place, passage in enumerate(chapter.passages, 1):
            text = " ".join(passage.text.split())
            short = text if len(text) <= 120 else f"{text[:120]}…"
            parts.append(f"| {place} | {_code(short)} | {_cell(passage.means)} |")
    return "\n".join(parts) + "\n"


def _made(seconds: float) -> str:
    from importlib.metadata import version

    from bridge.prolog.locate import current, show_version

    return (
        f"Made by `lpbridge puzzle report -t {seconds:g} --save FILE`, not by hand, on Python "
        f"{platform.python_version()}, "
        f"clingo {version('clingo')}, SWI-Prolog {show_version(current().version)}; {platform.system()} "
        f"{platform.machine()}. Node counts of the searches in Python are the same on every machine. Conflicts and "
        "inferences vary with the version of the solver, seconds with the machine: they are information only."
    )


def _legend() -> list[str]:
    """What the columns and marks mean."""
    marks = [f"| {sign} | {means} |" for sign, means in MARKS.values()]
    return [
        "*The document* quotes the report word for word; the number in brackets is that of the passage, in the list at "
        "the end of the chapter. *Here* is what came out when this page was made, *by* the algorithm or engine named "
        "beside it. A figure of a document is compared with a figure of the document's own algorithm, which is in "
        "`puzzles/reports/originals`; our engines have rows of their own. *Compared* has a ratio only where both "
        "figures are of the same algorithm.",
        "",
        "| mark | meaning |",
        "|---|---|",
        *marks,
    ]


def _code(text: str) -> str:
    """Text as code, line by line: Markdown leaves its characters alone."""
    return "<br>".join(map(_code_line, text.splitlines()))


def _code_line(line: str) -> str:
    if "|" in line:  # ends a cell of a table even in backticks, and a backslash before it would be shown
        return f"<code>{''.join(f'&#{ord(char)};' if char in _SPECIAL_IN_HTML else char for char in line)}</code>"
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")
