"""`lpbridge judge`."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from bridge.as_json import Json
from bridge.cli.programs import memory, source_of
from bridge.cli.shared import each, exit_code, json_option, jsonl_option, time_option
from bridge.cli.writers import Writer
from bridge.common.english import plural
from bridge.common.files import read_program, shown_name
from bridge.comparison.judging import Judgement
from bridge.comparison.judging import judge as judged
from bridge.errors import InputError, Place
from bridge.limits import Limits


@dataclass(frozen=True)
class Candidate(Json):
    """A program that was judged."""

    file: str
    judgement: Judgement

    _json = ("file *judgement",)


@click.command()
@click.argument("background", type=click.Path(allow_dash=True), metavar="BACKGROUND")
@click.argument("candidates", nargs=-1, required=True, type=click.Path(), metavar="CANDIDATE...")
@click.option("-g", "--goal", "goals", multiple=True, help="Of Prolog: what is asked of each; any answer is right.")
@click.option("--expected", metavar="FILE",
              help='JSON: of Prolog the answers to each goal, {"size(X)": [17]}; of clingo the answer sets, '
              '[["a", "b(1)"]].')
@click.option("--output", metavar="FILE", help="Of Prolog: what each is to print; without goals each runs as a script.")
@click.option("--trusted", is_flag=True, help="Run the candidates unconfined, with your rights.")
@click.option("--allow-missing-walls", is_flag=True,
              help="Run them even where this machine does not put up an essential wall.")
@time_option(5, "each candidate")
@click.option("--memory", type=memory, default="1G", show_default=True, metavar="SIZE", help="Memory of each.")
@json_option
@jsonl_option("one JSON object a candidate, as soon as it is judged.")
@click.pass_context
def judge(ctx: click.Context, /, background: str, candidates: tuple[str, ...], **given: Any) -> None:
    """Judge CANDIDATEs, programs that nobody has read, each with BACKGROUND and confined in a process of its own.

    The verdict on each is answered, wrong, no answer, unbound (a variable is open), does not end, does not ground,
    error, refused (confined, it may not do that) or limit; and so many of the expected answers are right. BACKGROUND is
    your program, which they use and may not change; it may be empty. Exit code 0 whatever the verdicts.

    \b
    lpbridge judge family.pl answers/*.pl --goal 'child(X, ann)'
    lpbridge judge family.pl answers/*.pl --expected expected.json --jsonl
    lpbridge judge empty.pl scripts/*.pl --output expected.txt
    lpbridge judge colours.lp answers/*.lp --expected expected.json
    """
    if given["allow_missing_walls"] and given["trusted"]:
        raise click.UsageError("--allow-missing-walls is not for --trusted")
    goals: dict[str, Any] | list[Any] | None = None
    if given["expected"] is not None:
        goals = _expected(given["expected"])
    if given["goals"]:
        if isinstance(goals, list):
            raise click.UsageError("--goal is for Prolog, whose expected answers stand under their goals")
        goals = {**dict.fromkeys(given["goals"], True), **(goals or {})}
    stream = judged(source_of(background), map(Path, candidates), goals,
                    output=None if given["output"] is None else read_program(given["output"]),
                    untrusted=not given["trusted"], allow_missing_walls=given["allow_missing_walls"],
                    limits=Limits(seconds=given["time_limit"], memory=given["memory"]))
    counts, writer = Counter[str](), Writer(given)

    def show(number: int, one: Judgement) -> None:
        counts[one.verdict] += 1
        found = Candidate(candidates[number - 1], one)
        writer.answer(found.to_json, partial(str, one), f"{found.file}: ")

    pressed, number = each(stream, show, isolated=True)
    said = f"{plural(number, 'candidate')}: {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}"
    writer.end({"verdicts": dict(counts), "candidates": []}, said)
    ctx.exit(exit_code(True, interrupted=pressed))


def _expected(file: str) -> dict[str, Any] | list[Any]:
    try:
        found = json.loads(read_program(file))
    except ValueError as error:
        raise InputError(f"it is not JSON: {error}", where=Place(shown_name(file))) from None
    if not isinstance(found, dict | list):
        raise InputError("it is neither a JSON object nor a list", where=Place(shown_name(file)))
    return found
