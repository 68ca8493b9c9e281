"""How a diagnosis, or reasons, are put together: part after part, each kept when a limit or Ctrl-C ends a later one.

What the diagnoses of all problems have in common is here: they ask `Questions` of some premises.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

from bridge.analysis.cores import Clash, clash, disjoint_clashes, smallest
from bridge.errors import LimitError
from bridge.limits import Deadline
from bridge.outcome import Interrupted, Verdict
from bridge.problem.questions import P, without

#: Seconds for a smallest clash, unless `effort` is None: most take some hundredths of a second, some very long.
PATIENCE = 1.0

D = TypeVar("D")


class Options(NamedTuple):
    """What to look for; see `bridge.analysis.ask.diagnose`."""

    engine: str = "asp"
    clashes: int = 1
    effort: int | None = 0
    repairs: int = 100
    most_clues: int = 4
    instances: bool = False
    variants: tuple[str, ...] = ()


class FinishedError(Exception):
    """No further part of a diagnosis is of use; a note says why."""


class Published(Generic[D]):
    """A result so far: `found` has nothing computed at first, and `on_progress` is called whenever a part was added."""

    def __init__(self, found: D, seconds: float | None, on_progress: Callable[[D], object] | None) -> None:
        self.found: Any = found
        self.deadline = Deadline(seconds)
        self._on_progress = on_progress

    @property
    def questions(self) -> int:
        """The number of questions put to the solver."""
        asked: int = self.found.questions
        return asked

    def after(self, do: Callable[[], object]) -> D:
        """The result when something is done, or a limit has ended it; on Ctrl-C in `partial` of Interrupted."""
        try:
            do()
        except LimitError as error:
            self.publish(limit=error.limit)
            if error.limit == "nodes":
                self.note(error.message)
        except KeyboardInterrupt:
            self.publish(limit="interrupt")
            raise Interrupted(self.found) from None
        found: D = self.found
        return found

    def publish(self, **parts: Any) -> None:
        """Add parts to the result."""
        self.found = replace(self.found, **{"questions": self.questions, **parts})
        if self._on_progress is not None:
            self._on_progress(self.found)

    def note(self, note: str) -> None:
        self.publish(notes=(*self.found.notes, note))


class Work(Published[D], ABC, Generic[D, P]):
    """The state of the diagnosis of a problem."""

    @abstractmethod
    def verdict(self) -> None:
        """Find the verdict, and `publish` it; LimitError when a limit comes first."""

    @abstractmethod
    def parts(self) -> Mapping[Verdict, Sequence[Callable[[], None]]]:
        """The parts that a verdict calls for, in the order of their importance."""

    def done(self) -> D:
        """The whole diagnosis; on Ctrl-C, what there is of it in `partial` of Interrupted."""
        return self.after(self._parts_done)

    def _parts_done(self) -> None:
        with suppress(FinishedError):
            self.verdict()
            for part in self.parts().get(self.found.verdict, ()):
                part()
                if self.deadline.expired():
                    self.publish(limit="seconds")
                    break

    def keep(self, name: str, found: Callable[[], Any]) -> None:
        """Add a part to the diagnosis, or on Ctrl-C what there is of it."""
        try:
            self.publish(**{name: found()})
        except Interrupted as interrupted:
            self.publish(**{name: interrupted.partial})
            raise

    def first_clash(self, oracle: Any, premises: Sequence[P]) -> Clash[P]:
        """A clash, small where that costs little."""
        first = clash(oracle, premises)
        if first is None:
            raise LimitError("the limit on seconds came before a clash was found")
        return first

    def smaller_clash(self, oracle: Any, premises: Sequence[Any], effort: int | None) -> Clash[P]:
        """The first clash as one of the fewest premises, as far as the effort goes."""
        first: Clash[P] = self.found.clashes[0]
        # With the removals known, it takes less: they are correction sets.
        known = self.found.removals.sets if self.found.removals else ()
        return smallest(oracle, premises, first, effort, known, None if effort is None else PATIENCE)

    def other_clashes(self, oracle: Any, premises: Sequence[Any], number: int) -> tuple[Clash[P], ...]:
        """Up to so many clashes that share nothing with the first."""
        (first, *_) = self.found.clashes
        return tuple(disjoint_clashes(oracle, without(premises, first.premises), number))
