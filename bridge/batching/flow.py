"""The flow of a batch: chunks to workers, lines back.

Instances are sent in chunks, and results come back as lines. The number of chunks under way is bounded: memory does not
grow with the input, and a slow reader slows the workers down.

A chunk that is lost because its process died is sent once more, each of its instances alone. An instance that is lost
again has an error as its result, like one that cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from bridge.batching.executors import Workers, available_cores
from bridge.batching.items import Chunk, Item, Job, gone
from bridge.errors import BridgeError, InputError

if TYPE_CHECKING:
    from distributed import Client

    from bridge.batching.cluster import Cluster

    Executor = Workers | Cluster

#: Instances in a chunk, at first and at most; and so many characters or bytes of them at most.
FIRST, MOST, TEXT = 4, 1024, 1 << 18

#: Chunks under way or waiting for their turn, as a multiple of the executor's capacity.
WINDOW = 8

#: The weight of a chunk's time in the running mean.
NEWS = 0.3


@contextmanager
def executor_for(job: Job, jobs: int | None = None, scheduler: str | Client | None = None) -> Iterator[Executor]:
    """The executor of a job: processes of this machine, or a cluster. It is closed at the end of the `with` block."""
    executor: Executor
    if scheduler is None:
        if jobs is not None and jobs < 1:
            raise InputError(f"{jobs} jobs are too few", hint="1 or more")
        executor = Workers(job, jobs or available_cores())
    else:
        from bridge.batching.cluster import Cluster

        executor = Cluster(job, scheduler)
    try:
        yield executor
    finally:
        executor.close()


def answered(given: Iterator[Item], executor: Executor, *, ordered: bool = True,
             first: int = FIRST) -> Iterator[tuple[bytes, int]]:
    """The result lines of instances, some at a time, with their number.

    Instances are taken as the executor has capacity for them, `first` in a chunk before their cost is known. Lines come
    in their order, if `ordered`. What `given` raises comes after the lines of the instances before it.
    """
    flow = _Flow(given, executor, first)
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

    def __init__(self, given: Iterator[Item], executor: Executor, first: int) -> None:
        self._given = given
        self._first = first
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
        window = WINDOW * self._executor.capacity
        while not self._ended and len(self._sent) < self._executor.capacity and len(self._parts) < window:
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
            cost = seconds / len(sent.chunk)
            self._cost = cost if self._cost is None else (1 - NEWS) * self._cost + NEWS * cost
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

    def _chunk(self) -> list[Item]:
        size = (
            self._first if self._cost is None else max(1, min(MOST, int(self._executor.pace / max(self._cost, 1e-9))))
        )
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
