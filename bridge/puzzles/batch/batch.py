"""Batches: one command on many instances, with all cores or a cluster.

    for result in bridge.batch("sudoku", "check", ["puzzles.txt"]):
        print(result["index"], result.get("verdict", result.get("error")))

Instances are sent in chunks, and results come back as lines. The number of chunks under way is bounded: memory does not
grow with the input, and a slow reader slows the workers down.

A chunk that is lost because its process died is sent once more, each of its instances alone. An instance that is lost
again has an error as its result, like one that cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any

from bridge.errors import BridgeError, InputError, UnsupportedError
from bridge.limits import Limits, takes_limits
from bridge.outcome import OnProgress, Progress, Stream
from bridge.public import public
from bridge.puzzles.batch.executors import Executor, Workers, available_cores
from bridge.puzzles.batch.input import Source, instances
from bridge.puzzles.batch.jobs import COMMANDS, WITH_ENGINE, Chunk, Command, Item, Job, gone, puzzle_item
from bridge.puzzles.kinds import Puzzle, puzzle_class
from bridge.puzzles.kinds.options import read_options

if TYPE_CHECKING:
    from distributed import Client

    from bridge.analysis.ask import Which

#: Instances in a chunk, at first and at most; and so many characters or bytes of them at most.
FIRST, MOST, TEXT = 4, 1024, 1 << 18

#: Chunks under way or waiting for their turn, as a multiple of the executor's capacity.
WINDOW = 8

#: The weight of a chunk's time in the running mean.
NEWS = 0.3

#: The default limits of a batch: `solve` finds one solution.
LIMITS = Limits(solutions=1)

Result = dict[str, Any]


def make_job(
    kind: str,
    command: str,
    *,
    engine: str = "asp",
    limits: Limits = LIMITS,
    options: Mapping[str, str] | None = None,
    residual: Which | None = None,
    propagation: str | None = None,
    until: float | None = None,
) -> Job:
    """The job of a batch, checked before anything is done.

    Raises
    ------
    InputError
        For an unknown puzzle, command, engine or option, and for an engine where the command asks none.
    UnsupportedError
        For a limit on solutions where the command is not `solve`, and what is only for `check` elsewhere; for an engine
        of `propagation` that does not propagate.
    """
    options = dict(options or {})
    cls = puzzle_class(kind)
    if command not in COMMANDS:
        raise InputError(f"there is no batch of {command!r}", hint=f"one of: {', '.join(COMMANDS)}")
    if command in WITH_ENGINE:
        from bridge.puzzles.engines import engine as engine_of

        engine = engine_of(engine).name
    elif engine != "asp":
        raise InputError(f"{command} asks no engine", hint="leave the engine out")
    if command != "solve":
        if limits.solutions != LIMITS.solutions and limits.solutions is not None:
            raise UnsupportedError(f"a batch of {command} has no limit on solutions", hint="`solve` has")
        limits = replace(limits, solutions=None)
    if command == "check":
        from bridge.analysis.ask import check_which
        from bridge.puzzles.analysis.check import propagating_engine
        from bridge.puzzles.engines import engine as engine_of

        residual = residual or ("exact" if propagation is None else "both")
        check_which(residual)
        propagation = propagation and propagating_engine(engine_of(engine), propagation).name
    elif residual is not None or propagation is not None:
        what = "propagation" if residual is None else "residual"
        raise UnsupportedError(f"a batch of {command} has no {what}", hint="`check` has")
    read = read_options(kind, cls.options, options)
    return Job(kind, command, engine, limits, options, read, residual or "both", propagation, until)


@public("bridge")
@takes_limits("seconds", "solutions", "nodes")
def batch(
    kind: str,
    command: Command,
    puzzles: Iterable[Puzzle | str | PathLike[str]] | str | PathLike[str],
    *,
    engine: str = "asp",
    limits: Limits = LIMITS,
    on_progress: OnProgress | None = None,
    jobs: int | None = None,
    ordered: bool = True,
    scheduler: str | Client | None = None,
    residual: Which | None = None,
    propagation: str | None = None,
    **options: str,
) -> Stream[Result]:
    """The results of one command on many instances.

    Parameters
    ----------
    kind
        The name of the puzzle.
    command
        `check`, `solve`, `count`, `grade` or `diagnose`.
    puzzles
        Instances, or files with instances (see `bridge.puzzles.batch.input`), or both. They are taken as they are
        needed: a generator may be infinite.
    engine
        The engine of `check`, `solve` and `count`.
    limits
        The limits on each instance, as the command takes them. `solutions` is that of `solve`: `Limits(seconds=5)`
        finds all.
    on_progress
        Called about once a second, while the stream is read, with the number of results and the seconds so far.
    jobs
        Worker processes on this machine; by default one for each core.
    ordered
        Whether results come in the order of the instances; otherwise in the order in which they are ready.
    scheduler
        A Dask cluster to use in place of this machine: the address of its scheduler, or a `distributed.Client`.
    residual
        Of `check`: which residuals of ambiguous puzzles are computed, `both`, `exact`, `propagated` or `none`; by
        default `exact`, or `both` with `propagation`. SWI-Prolog's propagation costs a hundred times what the verdict
        does. What was not computed is None in their results.
    propagation
        Of `check`: the engine of the propagated residual, such as `mac` (see `bridge.check`).
    options
        Options that a text does not contain, such as `box="2x3"`.

    Returns
    -------
    A dictionary for each instance, as `lpbridge puzzle batch` prints it: `index` (from 1), `file` and `line` (None for
    a puzzle that is not from a file), and what the command prints with `--json`, or `error`.

    Raises
    ------
    InputError
        When a parameter or a file is wrong; in the iteration, after the results of what could be read, when a file is
        damaged. A wrong instance is not an exception: its result has `error`.
    SolverError
        In the iteration, when no worker can be started, or the connection to the cluster is lost.
    UnsupportedError, MissingSolverError
        When the cluster's workers have other versions than this machine, or Dask is not installed.
    """
    job = make_job(
        kind,
        command,
        engine=engine,
        limits=limits,
        options=options,
        residual=residual,
        propagation=propagation,
    )
    given = [puzzles] if isinstance(puzzles, str | PathLike) else puzzles

    def results(progress: Progress) -> Iterator[Result]:
        with executor_for(job, jobs, scheduler) as executor:
            for lines, _ in answered(_items_of(job, given), executor, ordered=ordered):
                yield from map(json.loads, lines.splitlines())
        progress.complete = True

    return Stream(results, on_progress=on_progress)


@contextmanager
def executor_for(job: Job, jobs: int | None = None, scheduler: str | Client | None = None) -> Iterator[Executor]:
    """The executor of a job: processes of this machine, or a cluster. It is closed at the end of the `with` block."""
    executor: Executor
    if scheduler is None:
        if jobs is not None and jobs < 1:
            raise InputError(f"{jobs} jobs are too few", hint="1 or more")
        executor = Workers(job, jobs or available_cores())
    else:
        from bridge.puzzles.batch.cluster import Cluster

        executor = Cluster(job, scheduler)
    try:
        yield executor
    finally:
        executor.close()


def _items_of(job: Job, given: Iterable[Puzzle | str | PathLike[str]]) -> Iterator[Item]:
    index = 0
    for one in given:
        if not isinstance(one, Puzzle):
            for instance in instances(job.kind, Source(one)):
                index += 1
                yield index, *instance
            continue
        index += 1
        yield puzzle_item(index, job.kind, one)


def answered(given: Iterator[Item], executor: Executor, *, ordered: bool = True) -> Iterator[tuple[bytes, int]]:
    """The result lines of instances, some at a time, with their number.

    Parameters
    ----------
    given
        The instances; taken as the executor has capacity for them.
    ordered
        Whether lines come in the order of the instances.

    Raises
    ------
    InputError
        What `given` raises, after the lines of the instances before it.
    """
    flow = _Flow(given, executor)
    turn = 0  # the chunk whose lines come next
    while flow.more():
        for origin in flow.take():
            if not ordered:
                yield flow.lines(origin)
        while ordered and turn in flow.whole:
            yield flow.lines(turn)
            turn += 1
    if flow.wrong is not None:
        raise flow.wrong


@dataclass
class _Sent:
    """A chunk that was sent, or one of its instances that is sent again alone."""

    chunk: Chunk
    origin: int
    place: int | None = None  # in the chunk that was lost


@dataclass
class _Whole:
    """The lines of a chunk in one piece, or in one for each instance when it was lost."""

    size: int
    pieces: list[bytes | None] = field(default_factory=lambda: [None])


class _Flow:
    """The chunks under way. A chunk has a number, from 0, and is kept until its lines are taken."""

    def __init__(self, given: Iterator[Item], executor: Executor) -> None:
        self._given = given
        self._executor = executor
        self._sent: dict[int, _Sent] = {}
        self._parts: dict[int, _Whole] = {}
        self._chunks = 0  # so many were made
        self._numbers = 0  # so many were sent
        self._ended = False
        self._cost: float | None = None  # seconds an instance
        self.whole: set[int] = set()
        #: The error that ended the instances.
        self.wrong: BridgeError | None = None

    def more(self) -> bool:
        """Send chunks up to the capacity; False when all is done."""
        while not self._ended and len(self._sent) < self._executor.capacity and len(self._parts) < self._window():
            if not (chunk := self._chunk()):
                self._ended = True
                break
            self._parts[self._chunks] = _Whole(len(chunk))
            self._send(_Sent(chunk, self._chunks))
            self._chunks += 1
        return bool(self._parts)

    def take(self) -> list[int]:
        """Wait for an answer; the chunks that it completes, none or one."""
        answer = self._executor.take()
        sent = self._sent.pop(answer[0])
        if len(answer) == 3:
            _, lines, seconds = answer
            self._learn(seconds / len(sent.chunk))
        elif sent.place is None:
            self._parts[sent.origin].pieces = [None] * len(sent.chunk)
            for place, item in enumerate(sent.chunk):
                self._send(_Sent([item], sent.origin, place))
            return []
        else:
            lines = gone(sent.chunk[0], answer[1])
        pieces = self._parts[sent.origin].pieces
        pieces[sent.place or 0] = lines
        if None in pieces:
            return []
        self.whole.add(sent.origin)
        return [sent.origin]

    def lines(self, origin: int) -> tuple[bytes, int]:
        """Take the lines of a complete chunk, and their number."""
        self.whole.remove(origin)
        whole = self._parts.pop(origin)
        return b"".join(piece or b"" for piece in whole.pieces), whole.size

    def _send(self, sent: _Sent) -> None:
        self._sent[self._numbers] = sent
        self._executor.submit(self._numbers, sent.chunk)
        self._numbers += 1

    def _window(self) -> int:
        return WINDOW * self._executor.capacity

    def _learn(self, cost: float) -> None:
        self._cost = cost if self._cost is None else (1 - NEWS) * self._cost + NEWS * cost

    def _chunk(self) -> list[Item]:
        size = FIRST if self._cost is None else max(1, min(MOST, int(self._executor.pace / max(self._cost, 1e-9))))
        chunk, text = [], 0
        try:
            for item in islice(self._given, size):
                chunk.append(item)
                text += len(item[4]) if isinstance(item[4], str | bytes) else 0
                if text >= TEXT:
                    break
        except BridgeError as error:
            self.wrong = error
        return chunk
