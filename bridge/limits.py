"""Limits: when to stop, as one value that every engine understands.

    >>> Limits(seconds=2, solutions=10)
    Limits(seconds=2, solutions=10, nodes=None, memory=None)

A limit that is reached ends a search; it never throws away what was found.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

#: What ended a search before it was complete. The last two only a process of its own survives: the program ended the
#: process itself (`halt/0`), or the process died (a crash, a kill from outside).
LimitName = Literal["seconds", "solutions", "nodes", "memory", "interrupt", "halt", "crash"]

#: How a limit was enforced: by an interrupt ("stop"), by repeated interrupts ("again"), or by killing the
#: process ("kill").
StopMethod = Literal["stop", "again", "kill"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop a search that is not complete; None means no such limit.

    Parameters
    ----------
    seconds
        Wall-clock time from the start of the search, in seconds.
    solutions
        Stop after so many solutions.
    nodes
        Stop after so many expanded nodes (imperative engines only; solvers of other kinds ignore it).
    memory
        Bytes that a program may take beyond what its process had when it began. Kept for programs that run in a process
        of their own; others refuse it. Prolog's stacks and its clauses may each have half of it.
    """

    seconds: float | None = None
    solutions: int | None = None
    nodes: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "solutions", "nodes", "memory"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"the limit on {name} is {value}, but a limit is more than 0, or None for none")


class Deadline:
    """A clock started now: how much of `seconds` is left."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float | None:
        """Seconds left, never negative; None when there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def expired(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


#: Nothing stops the search.
UNLIMITED = Limits()
