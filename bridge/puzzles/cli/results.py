"""The results of a command, one for each puzzle: printed as they come, or as one JSON object at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import methodcaller
from typing import Any, Generic, TypeVar

import click

from bridge.cli.options import print_json
from bridge.cli.results import exit_code
from bridge.outcome import Interrupted
from bridge.puzzles.cli.reading import read_puzzles

T = TypeVar("T")


def print_results(puzzle: str, results: Sequence[dict[str, Any]], *, several: bool) -> None:
    """The JSON of a command that puts one question to every puzzle of a file."""
    print_json({"puzzle": puzzle, "results": results} if several else results[0])


class Results(Generic[T]):
    """The results of a command that treats every puzzle of a file alike.

    Of several puzzles, each result has a title, and the JSON is a list.

    Parameters
    ----------
    ctx
        The command, with its arguments PUZZLE and FILE and its options --json (one object at the end) and --jsonl (one
        in each line, as they come); without these it prints text.
    text, data
        A result in words, and as JSON.
    """

    def __init__(
        self,
        ctx: click.Context,
        text: Callable[[T], str] = "{}\n".format,
        data: Callable[[T], dict[str, Any]] = methodcaller("to_json"),
    ) -> None:
        self._ctx, self._text, self._data = ctx, text, data
        self._puzzle, self._file = ctx.params["puzzle"], ctx.params["file"]
        self._as_json, self._jsonl = ctx.params["as_json"], ctx.params["jsonl"]
        self.in_words = not (self._as_json or self._jsonl)
        self.puzzles = read_puzzles(self._puzzle, self._file, **dict(ctx.params["options"]))
        self._several = len(self.puzzles) > 1
        self.found: list[T] = []

    def show(self, one: T) -> None:
        """Add a result, and print it."""
        self.found.append(one)
        if self._jsonl:
            print_json(self._data(one))
        elif self.in_words:
            title = f"{self._file} {len(self.found)}: " if self._several else ""
            click.echo(f"{title}{self._text(one)}")

    @contextmanager
    def ending(self, failed: Callable[[T], bool]) -> Iterator[None]:
        """Results are shown in the `with` block; at its end the command exits.

        The exit code is 1 if any result `failed`. On Ctrl-C, the partial result of the last puzzle is shown.
        """
        interrupted = False
        try:
            yield
        except Interrupted as interruption:
            self.show(interruption.partial)
            interrupted = True
        if self._as_json:
            print_results(self._puzzle, [self._data(one) for one in self.found], several=self._several)
        self._ctx.exit(exit_code(not any(map(failed, self.found)), interrupted=interrupted))
