"""What a command finds for each of its puzzles, shown as it comes or as one JSON object in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import click

from bridge.cli.options import print_json
from bridge.outcome import Interrupted

T = TypeVar("T")


class Results(Generic[T]):
    """The results of a command that puts one question to every puzzle of a file.

    Parameters
    ----------
    ctx, puzzle, file
        The command, the name of the puzzle and of the file.
    several
        Whether the file has more than one: each result then has a title, and the JSON a list.
    as_json, jsonl
        One object in the end, or one a line as they come; otherwise text.
    data
        A result as JSON.
    text
        A result in words, given its title.
    """

    def __init__(
        self,
        ctx: click.Context,
        puzzle: str,
        file: str,
        *,
        several: bool,
        as_json: bool,
        jsonl: bool,
        data: Callable[[T], dict[str, Any]],
        text: Callable[[T, str], str],
    ) -> None:
        self._ctx, self._puzzle, self._file, self._several = ctx, puzzle, file, several
        self._as_json, self._jsonl, self._data, self._text = as_json, jsonl, data, text
        self.found: list[T] = []

    def show(self, one: T) -> None:
        """The next result."""
        self.found.append(one)
        if self._jsonl:
            print_json(self._data(one))
        elif not self._as_json:
            click.echo(self._text(one, f"{self._file} {len(self.found)}: " if self._several else ""))

    @contextmanager
    def ending(self, failed: Callable[[T], bool]) -> Iterator[None]:
        """While this is entered, results are shown; on leaving it the command ends.

        Its exit code is 1, it did not do its work, when any result is one that `failed`. Ctrl-C shows what the last
        puzzle had come to.
        """
        interrupted = False
        try:
            yield
        except Interrupted as interruption:
            self.show(interruption.partial)
            interrupted = True
        if self._as_json:
            data = [self._data(one) for one in self.found]
            print_json({"puzzle": self._puzzle, "results": data} if self._several else data[0])
        self._ctx.exit(130 if interrupted else int(any(map(failed, self.found))))
