"""Limits on a search, as one value that every function and every engine takes as `limits`.

    >>> Limits(seconds=2, solutions=10)
    Limits(seconds=2, solutions=10, nodes=None, memory=None)

A limit ends a search. What was found before it is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Literal, ParamSpec, TypeVar

from bridge.common.arguments import named_arguments
from bridge.errors import InputError, UnsupportedError
from bridge.errors import LimitName as LimitName
from bridge.public import public

P = ParamSpec("P")
R = TypeVar("R")

#: How a limit was enforced: by an interrupt ("stop"), by repeated interrupts ("again"), or by killing the
#: process ("kill").
StopMethod = Literal["stop", "again", "kill"]


@public("bridge")
@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops before it is complete; None is not a limit.

    Parameters
    ----------
    seconds
        Wall-clock time from the start of the search, in seconds.
    solutions
        Stop after so many solutions.
    nodes
        Stop after so many expanded nodes (imperative engines; clingo and SWI-Prolog have no nodes and ignore it).
    memory
        Bytes that a program may allocate beyond what its process had at the start. Available for programs that run in a
        process of their own, refused otherwise. Prolog's stacks and its clauses may each have half of it.

    Raises
    ------
    InputError
        For a limit that is not a number above 0.
    """

    seconds: float | None = None
    solutions: int | None = None
    nodes: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "solutions", "nodes", "memory"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InputError(f"the limit on {name} is {value!r}, not a number", hint=f"Limits({name}=5)")
            if not value > 0:
                raise InputError(f"the limit on {name} is {value}", hint="a limit is above 0, or None for no limit")


#: The least number of seconds that is left: a deadline that has come is still a limit, which is reached at once.
LEAST = 0.001


class Deadline:
    """A clock that starts when it is made; `remaining` is what is left of `seconds`."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float | None:
        """Seconds left, at least `LEAST`; None when there is no limit."""
        return None if self._end is None else max(LEAST, self._end - time.monotonic())

    def share(self, share: float) -> float | None:
        """So much of the seconds left; None when there is no limit."""
        return None if self._end is None else share * max(LEAST, self._end - time.monotonic())

    def within(self, limits: Limits) -> Limits:
        """Limits that end no later than this, if not before."""
        left = self.remaining()
        if left is None:
            return limits
        return replace(limits, seconds=left if limits.seconds is None else min(left, limits.seconds))

    def extend(self, seconds: float) -> None:
        """End so much later: for the time that a person needs for a reply."""
        if self._end is not None:
            self._end += seconds

    def expired(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


#: No limit at all.
UNLIMITED = Limits()

#: The memory of an untrusted program, where nothing else is said.
UNTRUSTED = Limits(memory=1 << 30)

#: How a limit is written, for error messages.
EXAMPLE = "limits=Limits(seconds=5)"

#: Parameters of other libraries, and of earlier versions, that people try for a limit.
_OTHER_SPELLINGS = frozenset({"limit", "seconds", "solutions", "nodes", "memory", "most", "timeout", "time_limit"})


def as_limits(value: object) -> Limits:
    """The value, if it is a `Limits`; InputError otherwise: a number alone does not say what it limits."""
    if isinstance(value, Limits):
        return value
    raise InputError(f"limits is to be a Limits, not {value!r}", hint=f"write {EXAMPLE}")


def takes_limits(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator of a public function with a parameter `limits`: refuses limits that the function would not respect.

    Refused are a number in place of a `Limits`, a limit as a parameter of its own (`seconds=5`), the parameter `engine`
    of a function that asks no engine, and a limit other than `names`.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__
        known = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        name = function.__name__
        refused = tuple(field.name for field in fields(Limits) if field.name not in names)

        inner = named_arguments(function)

        @wraps(function)
        def checked(*args: P.args, **given: P.kwargs) -> R:
            if "limits" in given:
                limits = as_limits(given["limits"])
                for field in refused:
                    if getattr(limits, field) is not None:
                        hint = f"it takes limits on {' and '.join(names)}"
                        raise UnsupportedError(f"{name} has no limit on {field}", hint=hint)
            for word in given.keys() - known:
                if word in _OTHER_SPELLINGS:
                    raise InputError(f"{name} has no parameter {word!r}", hint=f"write {EXAMPLE}")
                if word == "engine":
                    raise InputError(f"{name} asks no engine", hint="leave the engine out")
                if word == "assuming":
                    raise InputError(f"{name} assumes nothing", hint="add it: problem.with_query(':- not a.')")
            return inner(*args, **given)

        return checked

    return decorate
