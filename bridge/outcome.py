"""Result types shared by all packages: Verdict, Outcome, Statistics, Stream.

- A **verdict** on an instance is `unique`, `ambiguous`, `impossible`, or `unknown` when a limit came first.
- An **outcome** is the result of a search that has ended: the solutions found, whether the search was complete, and if
  not, which limit ended it.
- A **stream** is a search that is running: an iterator over its solutions.

    >>> stream = Stream(lambda progress: progress.exhaust("ab"))
    >>> next(stream), stream.complete
    ('a', False)
    >>> stream.collect()
    Outcome(solutions=('b',), complete=True, limit=None)
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from threading import RLock
from time import perf_counter
from typing import Any, ClassVar, Generic, Self, TypeVar

from bridge.as_json import Json, Keys
from bridge.common.closing import Closing
from bridge.common.english import how_ended, plural
from bridge.errors import BridgeError, LimitError
from bridge.limits import UNLIMITED, LimitName, Limits, StopMethod, as_limits
from bridge.public import public

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: Called with the number of solutions so far and the seconds so far.
OnProgress = Callable[[int, float], object]

#: `on_progress` is called at most once in so many seconds.
PROGRESS_SECONDS = 1.0


@public("bridge")
class Verdict(StrEnum):
    """How many solutions an instance has: one, several, none, or not known."""

    UNIQUE = "unique"
    AMBIGUOUS = "ambiguous"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@public("bridge")
@dataclass(slots=True)
class Statistics(Json):
    """The cost of a search.

    Attributes
    ----------
    seconds
        Wall-clock seconds by phase: `load` (programs and instance), `ground` or `post` (the constraints), `solve`,
        `decode` (answers to Python). A phase that an engine does not have is absent.
    counters
        The engine's own counters: `conflicts` and `choices` (clingo), `inferences` (Prolog), `nodes`, `backtracks` and
        `checks` (imperative search), `conflicts` and `branches` (CP-SAT).
    """

    seconds: dict[str, float] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)

    def spend(self, phase: str, since: float) -> float:
        """Add the time since `since` (of `perf_counter`) to a phase; returns the time now."""
        now = perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - since
        return now

    def add(self, other: Statistics | Mapping[str, Mapping[str, Any]], *, without: Collection[str] = ()) -> None:
        """Add another search's seconds and counters, except those named; the other may be in its JSON form."""
        if isinstance(other, Statistics):
            seconds, counters = other.seconds, other.counters
        else:
            seconds, counters = dict(other["seconds"]), dict(other["counters"])
        for phase, spent in seconds.items():
            if phase not in without:
                self.seconds[phase] = self.seconds.get(phase, 0.0) + spent
        for name, number in counters.items():
            if name not in without:
                self.counters[name] = self.counters.get(name, 0) + number


class Progress:
    """The state of a search, written by its producer and read by its stream.

    `waiting` holds solutions that have arrived and are not handed out yet, so that an interrupt does not lose them.
    `stop` makes the search end soon, from any thread; None where only closing the stream does, and while a question is
    being put: `stopping` says that it was asked for then. A producer that works for long between two solutions calls
    `report` now and then, for the stream's `on_progress`, and `bounded` with what it proves of the least cost.
    `exit_code` is that of a program that ended its own process.
    """

    __slots__ = (
        "bounded", "complete", "exit_code", "limit", "remark", "report", "rung", "statistics", "stop", "stopping",
        "waiting",
    )  # fmt: skip

    def __init__(self) -> None:
        self.complete = False
        self.limit: LimitName | None = None
        self.rung: StopMethod | None = None
        self.remark: str | None = None
        self.exit_code: int | None = None
        self.statistics = Statistics()
        self.waiting: deque[Any] = deque()
        self.stop: Callable[[], None] | None = None
        self.stopping = False
        self.report: Callable[[], None] = lambda: None
        self.bounded: Callable[[tuple[int, ...]], object] = lambda lower: None

    def explain(self, limits: Limits) -> None:
        """Refuse, by a LimitError, an end that is not the result: neither complete, nor by a limit that was given."""
        if not (self.complete or (self.limit is not None and getattr(limits, self.limit, None) is not None)):
            error = LimitError(f"{self.remark or how_ended(self.limit)}, before there was an answer")
            error.limit = self.limit or "interrupt"
            raise error

    def exhaust(self, items: Iterable[T]) -> Iterator[T]:
        """Yield all items and then set `complete`. For producers that nothing stops."""
        yield from items
        self.complete = True

    @contextmanager
    def following(self, stream: Stream[Any], *, without: Collection[str] = ()) -> Iterator[None]:
        """A search whose solutions are made of another's: closes that at the end, and takes over its cost and its end.

        Phases and counters that are named in `without` are not added.
        """
        try:
            with stream:
                yield
        finally:
            self.statistics.add(stream.statistics, without=without)
            self.complete, self.limit = stream.complete, stream.limit
            self.rung, self.exit_code = stream.rung, stream.exit_code
            self.remark = stream.remark or self.remark  # such as the name of the engine that was chosen


@public("bridge")
@dataclass(frozen=True, slots=True)
class Outcome(Generic[T_co]):
    """The result of a search that has ended.

    Attributes
    ----------
    solutions
        Every solution found, in the order found, no two the same.
    complete
        True when there are no others.
    limit
        The limit that ended the search; None when it was complete or was not continued.
    statistics
        Its cost.
    rung
        How the limit was enforced: by an interrupt (`stop`), a repeated one (`again`), or a `kill` of the process.
    remark
        More about the end, in words.
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
        """`ambiguous` from two solutions on; the others need a complete search without undefined answers."""
        if len(self.solutions) - self.undefined >= 2:
            return Verdict.AMBIGUOUS
        if not self.complete or self.undefined:
            return Verdict.UNKNOWN
        return Verdict.UNIQUE if self.solutions else Verdict.IMPOSSIBLE


@public("bridge")
@dataclass(frozen=True, slots=True)
class Count(Json):
    """How many solutions a problem has.

    Attributes
    ----------
    number
        All of them when `complete`; otherwise those counted so far, so there are at least as many.
    complete
        True when there are no others.
    limit
        The limit that ended the count, None when it was complete.
    statistics
        What it cost.
    notes
        Remarks.
    symmetry
        How many solutions each of those counted stands for; 1 where no symmetry was used.
    parts
        The parts that were counted separately, where there are several.
    """

    number: int
    complete: bool
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics, compare=False, repr=False)
    notes: tuple[str, ...] = ()
    symmetry: int = 1
    parts: tuple[Any, ...] = ()

    def __str__(self) -> str:
        found = plural(self.number, "solution") if self.number else "no solution"
        if not self.complete:
            found = f"{f'at least {found}' if self.number else 'no solution found'}: {how_ended(self.limit)}"
        return "\n".join([found, *(f"note: {note}" for note in self.notes)])

    _json: ClassVar[Keys] = ("number complete limit statistics notes",)


@public("bridge")
class Stream(Closing, Generic[T]):
    """The solutions of a search, in the order found: an iterator and a context manager.

    Exhaust it, close it, or use `with`. Closing stops the search. Ctrl-C raises KeyboardInterrupt out of the iteration;
    `complete`, `limit`, `statistics` and `leftover` then describe what was found before.

    `async for` works, too: the search runs in a thread of its own, and cancelling the task stops it.

    Parameters
    ----------
    produce
        Called once with the stream's `Progress`; yields solutions, sets `progress.complete` when it has proved that
        there are no more, or `progress.limit` when a limit stopped it.
    limits
        The stream enforces `solutions`, the producer the others.
    on_progress
        Called about once a second, during the iteration, with the number of solutions and the seconds so far.
    """

    def __init__(self, produce: Callable[[Progress], Iterator[T]], limits: Limits = UNLIMITED,
                 on_progress: OnProgress | None = None) -> None:
        self._limits = as_limits(limits)
        self._progress = Progress()
        self.closed = False
        self.found = 0
        self._on_progress = on_progress
        if on_progress is not None:
            self._started = self._reported = perf_counter()
            self._progress.report = self._report
        self._iterating = RLock()
        self._items: Iterator[Any] = produce(self._progress)

    complete = property(lambda self: bool(self._progress.complete), doc="True when there are no more solutions.")

    @property
    def limit(self) -> LimitName | None:
        """The limit that ended the search, if one did."""
        return self._progress.limit

    @property
    def rung(self) -> StopMethod | None:
        """How the limit was enforced: by a `stop`, a repeated one (`again`), or a `kill`."""
        return self._progress.rung

    @property
    def remark(self) -> str | None:
        """More about the end, in words."""
        return self._progress.remark

    @property
    def exit_code(self) -> int | None:
        """The exit code of a program that ended itself (`limit` is `halt`); None when it did not."""
        return self._progress.exit_code

    @property
    def statistics(self) -> Statistics:
        """The cost of the search so far."""
        return self._progress.statistics

    @property
    def ready(self) -> bool:
        """True when the next solution has arrived already."""
        return bool(self._progress.waiting)

    def __repr__(self) -> str:
        state = "complete" if self.complete else self.limit or ("closed" if self.closed else "open")
        return f"<{type(self).__name__} found: {self.found}, {state}>"

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
            with self._iterating:
                item: T = next(self._items)
        except KeyboardInterrupt:
            self.interrupted()
            raise
        except BaseException:
            self.close()
            raise
        self.found += 1
        if self._on_progress is not None:
            self._report()
        return item

    def first(self) -> T | None:
        """The next solution; None when there is none, or a limit that was given came first; then the stream is closed.

        None does not mean that there is no solution unless `complete` is true.

        Raises
        ------
        LimitError
            When something else ended the search: its process died, the program ended it, another thread closed it.
        """
        with self:
            item = next(self, None)
        if item is None:
            self._progress.explain(self._limits)
        return item

    def collect(self) -> Outcome[T]:
        """Run the search to its end or limit; the outcome has the solutions found from here on.

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
        """The outcome of this stream, with solutions that the caller has collected."""
        return Outcome(tuple(solutions), self.complete, self.limit, self.statistics, self.rung, self.remark)

    def leftover(self) -> list[T]:
        """Solutions that had been found, and not yet handed out, when the stream was closed."""
        most = None if self._limits.solutions is None else self._limits.solutions - self.found
        return list(self._progress.waiting)[:most]

    def interrupted(self) -> None:
        """Stop the search because of Ctrl-C: to be called where KeyboardInterrupt is caught around the iteration."""
        self.close()
        if not self._progress.complete:
            self._progress.limit = "interrupt"

    def stop(self) -> None:
        """Ask the search to end soon, from any thread. What it has found by then is still handed out."""
        self._progress.stopping = True
        if self._progress.stop is not None:
            self._progress.stop()

    def close(self) -> None:
        """Stop the search, from any thread. No effect when it has ended."""
        self.closed = True
        close: Callable[[], object] | None = getattr(self._items, "close", None)  # of a generator
        if close is None:
            return
        if not self._iterating.acquire(blocking=False):
            self.stop()
            while not self._iterating.acquire(timeout=0.05):  # another thread waits for a solution, or just begins to
                self.stop()
        try:
            if getattr(self._items, "gi_running", False):  # called by what the search calls
                self.stop()
            else:
                close()
        finally:
            self._iterating.release()

    def _report(self) -> None:
        now = perf_counter()
        if self._on_progress is not None and now - self._reported >= PROGRESS_SECONDS:
            self._reported = now
            self._on_progress(self.found, now - self._started)

    async def __aiter__(self) -> AsyncIterator[T]:
        """The same solutions without blocking the event loop, fetched in another thread."""
        import asyncio  # slow to load
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
            # In the same thread: a generator can be closed only where it is not running.
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


@public("bridge")
class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a search; `partial` holds what had been found."""

    def __init__(self, partial: Any) -> None:
        super().__init__()
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.partial,)  # BaseException's own would call it without arguments
