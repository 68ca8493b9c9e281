"""Reads the puzzles of commands, and shows the answers about each: as they come, or as one JSON object at the end."""

from __future__ import annotations

from collections.abc import Callable
from operator import methodcaller
from typing import Any, TypeVar

import click

from bridge.cli.kit import exit_code, print_json
from bridge.common import read_text, shown_name
from bridge.errors import Place
from bridge.outcome import Interrupted
from bridge.puzzles.cli.options import remembered
from bridge.puzzles.kinds import Puzzle, the_one
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.registry import check_by
from bridge.puzzles.loading import read

T = TypeVar("T")


def read_puzzle(kind: str, file: str, **options: str) -> Puzzle:
    """The one puzzle in a file; see `read_puzzles`."""
    return the_one(read_puzzles(kind, file, **options), Place(shown_name(file)), "leave one in the file")


def read_puzzles(kind: str, file: str, **options: str) -> list[Puzzle]:
    """All puzzles in a file, as `loading.read` reads them; notes on what was left out go to stderr."""
    context = click.get_current_context(silent=True)
    chosen = remembered(context, "format") if context else None
    if context is not None and (checker := remembered(context, "checker")) is not None:
        check_by(kind, read_text(checker))
    puzzles, notes = read(kind, file, chosen, **options)
    for note in notes:
        click.echo(f"lpbridge: {note}", err=True)
    return puzzles


def puzzles_of(given: dict[str, Any]) -> list[Puzzle]:
    """The puzzles that a command's arguments PUZZLE and FILE and its options name."""
    return read_puzzles(given["puzzle"], given["file"], **dict(given["options"]))


def print_results(given: dict[str, Any], results: list[dict[str, Any]], *, several: bool) -> None:
    """The JSON of a command that puts one question to every puzzle of a file."""
    print_json({"puzzle": given["puzzle"], "results": results} if several else results[0])


def say_warnings(puzzle: Puzzle) -> None:
    """Print on stderr what clingo has warned of in the program of a kind that is a file."""
    for warning in models(puzzle).warnings():
        click.echo(" ".join(warning.split()), err=True)


def show_each(
    ctx: click.Context,
    ask: Callable[[Puzzle], T],
    failed: Callable[[T], bool] = lambda one: False,
    *,
    text: Callable[[T], str] = "{}\n".format,
    data: Callable[[T], dict[str, Any]] = methodcaller("to_json"),
    titled: bool = True,
    unmet: Callable[[T], str | None] = lambda one: None,
) -> None:
    """Put a question to every puzzle of a file, show the answers in the form that the command was asked for, and exit.

    The exit code is 1 if an answer `failed`, or is `unmet`, which is said on stderr. On Ctrl-C, the partial answer
    about the last puzzle is shown. Of several puzzles, each answer has a title if it is `titled`.
    """
    given, found, interrupted = ctx.params, list[T](), False
    as_json, jsonl = given["as_json"], given.get("jsonl", False)
    puzzles = puzzles_of(given)

    def show(one: T) -> None:
        found.append(one)
        if jsonl:
            print_json(data(one))
        elif not as_json:
            title = f"{given['file']} {len(found)}: " if titled and len(puzzles) > 1 else ""
            click.echo(f"{title}{text(one)}")

    try:
        for puzzle in puzzles:
            show(ask(puzzle))
            if not hasattr(found[-1], "warnings"):
                say_warnings(puzzle)
    except Interrupted as interruption:
        show(interruption.partial)
        interrupted = True
    missed = next(filter(None, map(unmet, found)), None)
    if missed and not interrupted and not (as_json or jsonl):
        click.echo(f"lpbridge: {missed}", err=True)
    if as_json:
        print_results(given, [data(one) for one in found], several=len(puzzles) > 1)
    ctx.exit(exit_code(not missed and not any(map(failed, found)), interrupted=interrupted))
