"""What a `Program` asks of whoever runs clingo for it: `Local`, in this process, or another.

Terms, atoms and program text go as text, answers come as plain data, so that a backend may stand behind a pipe. Only
the stream of models, `Limits` and `Progress` are objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol

from bridge.asp.model import Model
from bridge.limits import Limits
from bridge.outcome import Progress

#: A literal assumed: `"queen(1,5)"`, `"not queen(1,5)"`, or a number from `literals`.
Assumption = int | str
#: How answer sets are gone through. All but `optimal` take no notice of `#minimize`.
Mode = Literal["models", "brave", "cautious", "optimal"]
#: A part of a program and its arguments, as text: `("step", ("3",))`.
Part = tuple[str, tuple[str, ...]]
#: Where a program comes from: `("file", path)` or `("text", text)`.
Source = tuple[Literal["file", "text"], str]


class Backend(Protocol):
    """One clingo program, somewhere."""

    @property
    def busy(self) -> bool:
        """True while a search is under way."""

    @property
    def warnings(self) -> list[str]:
        """What clingo remarked up to now."""

    def add(self, text: str, part: str, parameters: Sequence[str]) -> None:
        """Add program text to a part that is not ground yet."""

    def ground(self, parts: Sequence[Part]) -> None:
        """Ground `base`, if it is not, and further parts."""

    def assign_external(self, atom: str, value: bool | None) -> None:
        """Give an external atom a value."""

    def release_external(self, atom: str) -> None:
        """Make an external atom false for good."""

    def literals(self, name: str, arity: int) -> dict[tuple[Any, ...], int]:
        """The literal of each atom of a predicate (with a minus sign for a negated one)."""

    def search(
        self, mode: Mode, assuming: Sequence[Assumption], project: bool, limits: Limits, progress: Progress
    ) -> Iterator[Model]:
        """Models as they are found. In `brave` and `cautious` the last is the answer; in `optimal` those `proved`."""

    def core(self, refine: bool) -> list[Assumption]:
        """The assumptions of the last search that clash, when it found nothing; refined, without those only first."""

    def count(self, assuming: Sequence[Assumption], project: bool, limits: Limits, progress: Progress) -> None:
        """Count models into `progress.statistics.counters["models"]`."""

    def grounding(self, limits: Limits) -> dict[str, Any]:
        """The fields of `Grounding`, from grounding the program once more."""

    def ground_facts(self, limits: Limits) -> list[str]:
        """The atoms that are facts, as program text."""

    def close(self) -> None:
        """Free it."""
