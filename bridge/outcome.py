"""What a search tells: the words that every room shares.

- A **verdict** is about an instance: `unique`, `ambiguous`, `impossible`, or `unknown` when a limit came first.
- An **outcome** is what a finished search knows: the solutions found, whether the search was complete, and if not,
  which limit ended it.
- A **stream** is a search under way: solutions one at a time, and an outcome at any moment.

    >>> stream = Stream(lambda progress: progress.exhaust("ab"))
    >>> next(stream), stream.complete
    ('a', False)
    >>> stream.collect()
    Outcome(solutions=('b',), complete=True, limit=None)
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from time import perf_counter
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from bridge.errors import BridgeError
from bridge.limits import UNLIMITED, LimitName, Limits, StopMethod

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Verdict(StrEnum):
    """How many solutions an instance has, as far as its author cares."""

    UNIQUE = "unique"
    AMBIGUOUS = "ambiguous"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Statistics:
    """What a search cost.

    Attributes
    ----------
    seconds
        Wall-clock seconds by phase: `load` (programs and instance), `ground` or `post` (the constraints), `solve`,
        `decode` (answers to Python). A phase that an engine does not have is absent.
    counters
        The engine's own counters under its own field's names: `conflicts` and `choices` (clingo), `inferences`
        (Prolog), `nodes`, `backtracks` and `checks` (imperative search).
    """

    seconds: dict[str, float] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)

    def spend(self, phase: str, since: float) -> float:
        """Add the time since `since` (of `perf_counter`) to a phase; returns the time now."""
        now = perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - since
        return now

    def add(self, other: Statistics, *, but: Collection[str] = ()) -> None:
        """Add what another search cost, except for some phases and counters."""
        for phase, seconds in other.seconds.items():
            if phase not in but:
                self.seconds[phase] = self.seconds.get(phase, 0.0) + seconds
        for name, number in other.counters.items():
            if name not in but:
                self.counters[name] = self.counters.get(name, 0) + number

    def to_json(self) -> dict[str, Any]:
        return {"seconds": {k: round(v, 6) for k, v in self.seconds.items()}, "counters": dict(self.counters)}


@dataclass(slots=True)
class Progress:
    """What a producer writes down while it searches; a stream reads it.

    `waiting` holds solutions that have arrived and are not handed out yet, so that an interrupt does not lose them.
    `stop` makes the search end soon, from any thread; None where only closing the stream does.
    """

    complete: bool = False
    limit: LimitName | None = None
    rung: StopMethod | None = None
    remark: str | None = None
    statistics: Statistics = field(default_factory=Statistics)
    waiting: deque[Any] = field(default_factory=deque)
    stop: Callable[[], None] | None = None

    def exhaust(self, items: Iterable[T]) -> Iterator[T]:
        """Yield all items and then call the search complete. For producers with nothing to stop them."""
        yield from items
        self.complete = True


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T_co]):
    """What a search knows when it stops.

    Attributes
    ----------
    solutions
        Every solution found, in the order found, no two the same.
    complete
        True when there are no others.
    limit
        The limit that ended the search, None when it was complete or simply not continued.
    statistics
        What it cost.
    rung
        How a limit ended it: by the solver's own `stop`, by asking `again`, or by a `kill` of its process.
    remark
        More about the end in words, where there is more to say.
    undefined
        How many of the solutions are undefined in the well-founded semantics (tabled Prolog programs with negation):
        such an answer is neither true nor false, and no verdict counts it as a solution.
    """

    solutions: tuple[T_co, ...]
    complete: bool
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics, compare=False, repr=False)
    rung: StopMethod | None = field(default=None, compare=False, repr=False)
    remark: str | None = field(default=None, compare=False, repr=False)
    undefined: int = field(default=0, compare=False, repr=False)

    @property
    def verdict(self) -> Verdict:
        """`ambiguous` as soon as there are two; the others need a complete search without undefined answers."""
        if len(self.solutions) - self.undefined >= 2:
            return Verdict.AMBIGUOUS
        if not self.complete or self.undefined:
            return Verdict.UNKNOWN
        return Verdict.UNIQUE if self.solutions else Verdict.IMPOSSIBLE


class Stream(Generic[T]):
    """Solutions as they are found. An iterator and a context manager; close it, or use it up, or use `with`.

    Parameters
    ----------
    produce
        Called once with the stream's `Progress`; yields solutions, sets `progress.complete` when it has proved that
        there are no more, or `progress.limit` when a limit stopped it.
    limits
        `solutions` is kept here, the same for every engine; the producer keeps the others.

    Closing stops the search under way. Ctrl-C raises KeyboardInterrupt out of the iteration as it should; what was
    found up to then is still told by `complete`, `limit`, `statistics` and `leftover`.

    `async for` works too: the search goes on in a thread of its own while the event loop does other things, and a task
    that is cancelled stops it.
    """

    def __init__(self, produce: Callable[[Progress], Iterator[T]], limits: Limits = UNLIMITED) -> None:
        self._progress = Progress()
        self._limits = limits
        self._items = produce(self._progress)
        self.closed = False
        self.found = 0

    complete = property(lambda self: bool(self._progress.complete), doc="True when there are no more solutions.")

    @property
    def limit(self) -> LimitName | None:
        """The limit that ended the search, if one did."""
        return self._progress.limit

    @property
    def rung(self) -> StopMethod | None:
        """How the limit ended it: by a `stop`, by asking `again`, or by a `kill`."""
        return self._progress.rung

    @property
    def remark(self) -> str | None:
        """More about the end in words, where there is more to say."""
        return self._progress.remark

    @property
    def statistics(self) -> Statistics:
        """What the search has cost so far."""
        return self._progress.statistics

    @property
    def ready(self) -> bool:
        """True when the next solution has arrived already."""
        return bool(self._progress.waiting)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        if self.closed:
            raise StopIteration
        if self._limits.solutions is not None and self.found >= self._limits.solutions:
            self.close()  # first: a producer that is closed may still write down how far it came
            if not self._progress.complete:
                self._progress.limit = "solutions"
            raise StopIteration
        try:
            item = next(self._items)
        except KeyboardInterrupt:
            self.interrupted()
            raise
        except BaseException:
            self.close()
            raise
        self.found += 1
        return item

    def collect(self) -> Outcome[T]:
        """Run the search to its end or limit and tell what it found from here on.

        Raises
        ------
        Interrupted
            On Ctrl-C, with the outcome so far in `partial`.
        BridgeError
            Whatever the search raises, with the outcome so far in `partial`.
        """
        solutions: list[T] = []
        try:
            for solution in self:  # one by one: what was found survives an interrupt
                solutions.append(solution)  # noqa: PERF402
        except KeyboardInterrupt:
            self.interrupted()
            raise Interrupted(self.outcome([*solutions, *self.leftover()])) from None
        except BridgeError as error:
            error.partial = self.outcome(solutions)
            raise
        return self.outcome(solutions)

    def outcome(self, solutions: Iterable[T]) -> Outcome[T]:
        """The outcome of this stream for solutions that somebody else has collected."""
        return Outcome(tuple(solutions), self.complete, self.limit, self.statistics, self.rung, self.remark)

    def leftover(self) -> list[T]:
        """Solutions that had been found, and not yet handed out, when the stream was closed."""
        most = None if self._limits.solutions is None else self._limits.solutions - self.found
        return list(self._progress.waiting)[:most]

    def interrupted(self) -> None:
        """Stop the search because of Ctrl-C: for whoever catches KeyboardInterrupt around the iteration."""
        self.close()
        if not self._progress.complete:
            self._progress.limit = "interrupt"

    def stop(self) -> None:
        """Ask the search to end soon, from any thread. What it has found until then is still handed out."""
        if self._progress.stop is not None:
            self._progress.stop()

    def close(self) -> None:
        """Stop the search. Harmless when it is over."""
        self.closed = True
        if isinstance(self._items, Generator):
            self._items.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aiter__(self) -> AsyncIterator[T]:
        """The same solutions without blocking the event loop: some at a time, fetched in one other thread."""
        import asyncio  # slow to load, and few need it
        from concurrent.futures import ThreadPoolExecutor

        fetcher = ThreadPoolExecutor(1, "lpbridge-stream")
        loop = asyncio.get_running_loop()
        try:
            while not self.closed:
                items = loop.run_in_executor(fetcher, self._some)
                try:
                    fetched, error = await asyncio.shield(items)
                except asyncio.CancelledError:
                    self.stop()
                    raise
                for item in fetched:
                    yield item
                if error is not None:
                    raise error
                if not fetched:
                    break
        finally:
            # In the same thread, after whatever it does now: closing belongs to the one that iterates.
            await asyncio.shield(loop.run_in_executor(fetcher, self.close))
            fetcher.shutdown(wait=False)

    def _some(self) -> tuple[list[T], BaseException | None]:
        """The next solution, if there is one, and those that have arrived with it."""
        items: list[T] = []
        try:
            for item in self:
                items.append(item)
                if not self._progress.waiting:
                    break
        except Exception as error:
            return items, error
        return items, None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while something was being collected; `partial` holds what had been found."""

    def __init__(self, partial: Any) -> None:
        super().__init__()
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.partial,)  # an exception's own way would call it without arguments
