"""`grade`: how hard a puzzle is."""

from __future__ import annotations

from typing import Any

import click

from bridge.cli.options import json_option, jsonl_option, time_option
from bridge.limits import Limits
from bridge.puzzles.cli.options import puzzle_file
from bridge.puzzles.cli.reading import show_each


@click.command()
@puzzle_file
@click.option("--top", default="search", help="The last level to use: a name of the table, or easy, medium, hard.")
@time_option(None, "each puzzle")
@json_option
@jsonl_option("one JSON object per line, for each puzzle as it is graded.")
@click.pass_context
def grade(ctx: click.Context, /, **given: Any) -> None:
    """How hard is the PUZZLE in FILE: which techniques solve it without search?

    The levels, from the weakest. Easy: naked singles (fc), one rule at a time (ac), hidden singles (singles). Medium:
    locked candidates and other reasons of two rules (locked), pairs to quads (gac). Hard: X-wings to jellyfish (fish),
    wings, chains. Very hard: values that lead to a contradiction (shaving), search. The grade is the weakest that
    suffices. The table has for each level its steps, the values that it removed, the variables that it decided, and the
    number of open ones when it was exhausted. A puzzle with several solutions, or with none, has no grade.

    \b
    lpbridge puzzle grade sudoku examples/sudoku/report3-problem1.txt
    lpbridge puzzle grade takuzu puzzles.txt --jsonl
    """
    from bridge.puzzles.explain.grade import grade as grade_of
    from bridge.puzzles.search.ladder import levels_of

    top, limits = levels_of(given["top"])[-1], Limits(seconds=given["time_limit"])
    show_each(
        ctx,
        lambda one: grade_of(one, top=top, limits=limits),
        lambda one: one.limit is not None,
        data=lambda one: {"puzzle": given["puzzle"], **one.to_json()},
    )
