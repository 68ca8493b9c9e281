"""Many instances: one question, put to as many instances as you like, with all cores or a cluster.

    for result in bridge.batch("sudoku", "check", ["puzzles.txt"]):
        print(result["index"], result.get("verdict", result.get("error")))

The one idea: instances go out in chunks and come back as lines, and only so many are on their way at once. So memory
does not grow with the input, and whoever reads slowly makes everybody wait.

A chunk that is lost with the process that had it is tried again, each of its instances alone, once. An instance that
is lost again has an error as its answer, like one that cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any

from bridge.batches.executors import Crew, Workers, available_cores
from bridge.batches.input import Source, instances
from bridge.batches.jobs import COMMANDS, WITH_ENGINE, Chunk, Command, Item, Job, gone
from bridge.errors import BridgeError, InputError
from bridge.outcome import Progress, Stream
from bridge.puzzles import Puzzle, puzzle_class
from bridge.puzzles.options import read_options

if TYPE_CHECKING:
    from distributed import Client

#: Instances in a chunk, at first and at most; and so many characters of them at most.
FIRST, MOST, TEXT = 4, 1024, 1 << 18

#: Chunks under way or waiting for their turn, for each that keeps somebody busy.
WINDOW = 8

#: What a chunk's time tells of the next ones counts so much beside what was known.
NEWS = 0.3

Result = dict[str, Any]


def make_job(
    kind: str,
    command: str,
    *,
    engine: str = "asp",
    seconds: float | None = None,
    solutions: int | None = 1,
    options: Mapping[str, str] | None = None,
    until: float | None = None,
) -> Job:
    """The question of a batch, looked over before anything is done.

    Raises
    ------
    InputError
        When there is no such puzzle, command, engine or option, or the command asks no engine.
    """
    options = dict(options or {})
    cls = puzzle_class(kind)
    if command not in COMMANDS:
        raise InputError(f"there is no batch of {command!r}", hint=f"one of: {', '.join(COMMANDS)}")
    if command in WITH_ENGINE:
        from bridge.engines import engine as engine_of

        engine_of(engine)
    elif engine != "asp":
        raise InputError(f"{command} asks no engine", hint="leave the engine out")
    read = read_options(kind, cls.options, options)
    return Job(kind, command, engine, seconds, solutions, options, read, until)


def batch(
    kind: str,
    command: Command,
    puzzles: Iterable[Puzzle | str | PathLike[str]] | str | PathLike[str],
    *,
    engine: str = "asp",
    jobs: int | None = None,
    seconds: float | None = None,
    solutions: int | None = 1,
    ordered: bool = True,
    scheduler: str | Client | None = None,
    **options: str,
) -> Stream[Result]:
    """One question to many instances: their results, as they come.

    Parameters
    ----------
    kind
        The name of the puzzle.
    command
        `check`, `solve`, `count`, `grade` or `diagnose`.
    puzzles
        Instances, or files that hold them (see `bridge.batches.input`), or both; taken as they are needed, so a
        generator may have no end.
    engine
        Who answers `check`, `solve` and `count`.
    jobs
        Worker processes on this machine; as many as there are cores when nobody says.
    seconds
        The time limit of each instance, as the command has it.
    solutions
        How many solutions `solve` finds at most; None for all.
    ordered
        Results come in the order of the instances; otherwise as they are done.
    scheduler
        A Dask cluster that works in place of this machine: the address of its scheduler, or a `distributed.Client`.
    options
        What a text does not say, such as `box="2x3"`.

    Returns
    -------
    For each instance a dictionary, as `lpbridge batch` prints it: `index` (from 1), `file` and `line` (None for a
    puzzle that comes from no file), and what the command prints under `--json`, or `error`.

    Raises
    ------
    InputError
        When the question or a file is wrong; in the iteration, after the results of what could be read, when a file
        is damaged. An instance that is wrong is a result.
    SolverError
        In the iteration, when no worker can be started, or the cluster is gone.
    UnsupportedError, MissingSolverError
        When the cluster's workers are not like this machine, or Dask is not installed.
    """
    job = make_job(kind, command, engine=engine, seconds=seconds, solutions=solutions, options=options)
    given = [puzzles] if isinstance(puzzles, str | PathLike) else puzzles

    def results(progress: Progress) -> Iterator[Result]:
        with crew_for(job, jobs, scheduler) as crew:
            for lines, _ in answered(_items_of(job, given), crew, ordered=ordered):
                yield from map(json.loads, lines.splitlines())
        progress.complete = True

    return Stream(results)


@contextmanager
def crew_for(job: Job, jobs: int | None = None, scheduler: str | Client | None = None) -> Iterator[Crew]:
    """Who works on a job: processes of this machine, or a cluster. They stop when this is left."""
    crew: Crew
    if scheduler is None:
        if jobs is not None and jobs < 1:
            raise InputError(f"{jobs} jobs are too few", hint="1 or more")
        crew = Workers(job, jobs or available_cores())
    else:
        from bridge.batches.cluster import Cluster

        crew = Cluster(job, scheduler)
    try:
        yield crew
    finally:
        crew.close()


def _items_of(job: Job, given: Iterable[Puzzle | str | PathLike[str]]) -> Iterator[Item]:
    index = 0
    for one in given:
        if not isinstance(one, Puzzle):
            for instance in instances(job.kind, Source(one)):
                index += 1
                yield index, *instance
            continue
        index += 1
        if one.kind == job.kind:
            yield index, None, None, "puzzle", one
        else:
            wrong = InputError(f"this is a {one.kind}, not a {job.kind}")
            yield index, None, None, "error", wrong.to_json()


def answered(given: Iterator[Item], crew: Crew, *, ordered: bool = True) -> Iterator[tuple[bytes, int]]:
    """The lines of instances, some at a time, and how many they are.

    Parameters
    ----------
    given
        The instances; taken as somebody is free to work on them.
    ordered
        Lines come in the order of the instances.

    Raises
    ------
    InputError
        What the instances raise, when those before it are answered.
    """
    flow = _Flow(given, crew)
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
    """A chunk on its way, or one of its instances on a second way alone."""

    chunk: Chunk
    origin: int
    place: int | None = None  # in the chunk that was lost


@dataclass
class _Whole:
    """The lines of a chunk, in one piece, or one for each instance when it was lost."""

    size: int
    pieces: list[bytes | None] = field(default_factory=lambda: [None])


class _Flow:
    """Chunks on their way out and back. A chunk is known by its number, from 0, and stays until its lines are taken."""

    def __init__(self, given: Iterator[Item], crew: Crew) -> None:
        self._given = given
        self._crew = crew
        self._sent: dict[int, _Sent] = {}
        self._parts: dict[int, _Whole] = {}
        self._chunks = 0  # so many were made
        self._numbers = 0  # so many were sent
        self._ended = False
        self._cost: float | None = None  # seconds an instance
        self.whole: set[int] = set()
        #: Why there are no more instances, though they have not ended.
        self.wrong: BridgeError | None = None

    def more(self) -> bool:
        """Keep everybody busy; False when all is done."""
        while not self._ended and len(self._sent) < self._crew.capacity and len(self._parts) < self._window():
            if not (chunk := self._chunk()):
                self._ended = True
                break
            self._parts[self._chunks] = _Whole(len(chunk))
            self._send(_Sent(chunk, self._chunks))
            self._chunks += 1
        return bool(self._parts)

    def take(self) -> list[int]:
        """Wait for an answer: the chunk that is whole with it, if there is one."""
        answer = self._crew.take()
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
        """The lines of a chunk that is whole, and how many they are; it is forgotten."""
        self.whole.remove(origin)
        whole = self._parts.pop(origin)
        return b"".join(piece or b"" for piece in whole.pieces), whole.size

    def _send(self, sent: _Sent) -> None:
        self._sent[self._numbers] = sent
        self._crew.submit(self._numbers, sent.chunk)
        self._numbers += 1

    def _window(self) -> int:
        return WINDOW * self._crew.capacity

    def _learn(self, cost: float) -> None:
        self._cost = cost if self._cost is None else (1 - NEWS) * self._cost + NEWS * cost

    def _chunk(self) -> list[Item]:
        size = FIRST if self._cost is None else max(1, min(MOST, int(self._crew.pace / max(self._cost, 1e-9))))
        chunk, text = [], 0
        try:
            for item in islice(self._given, size):
                chunk.append(item)
                text += len(item[4]) if isinstance(item[4], str) else 0
                if text >= TEXT:
                    break
        except BridgeError as error:
            self.wrong = error
        return chunk
