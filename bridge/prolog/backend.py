"""Where a session's Prolog lives: in this process (`Local`), or in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from bridge.limits import Limits
from bridge.outcome import Progress


class Backend(Protocol):
    """What a session asks of its Prolog. Only plain data passes, apart from limits and progress."""

    seconds: dict[str, float]

    def load(self, source: str, is_text: bool) -> list[str]:
        """Load program text, or a file by its path; the warnings it gave rise to.

        Raises
        ------
        InputError
            When the file cannot be read.
        ProgramError
            At the first error, with its place.
        """

    def names(self, goal: str) -> list[str]:
        """The names of a goal's variables. ProgramError, with the column, when the goal cannot be read."""

    def run(
        self, goal: str, inputs: list[Any], most: int | None, texts: bool, limits: Limits, progress: Progress
    ) -> Iterator[list[Any]]:
        """Run a goal: its answers, carried, some at a time.

        `inputs` are pairs `[name, carried]`. There are never more answers than `most`. `texts` has each answer bring
        its text along. What ended the search is in `progress`; when that is an interrupt, the last answers come before
        the KeyboardInterrupt.
        """

    def first(self, goal: str, inputs: list[Any], limits: Limits) -> list[Any]:
        """The first answer, carried, in a list that is empty when there is none, or a limit came first."""

    def text(self, values: list[tuple[str, Any]]) -> str:
        """The text of an answer without residual goals, given as its carried values by name."""

    def exports(self) -> list[tuple[str, int]]:
        """What the loaded files offer, name and arity: what modules export, and all that the other files define."""

    def main(self) -> str | None:
        """The goal of `:- initialization(Goal, main)`, if a loaded file has one. It was not run."""

    def close(self) -> None:
        """Free what can be freed."""
