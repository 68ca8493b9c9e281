"""A worker's main loop: reads questions from its line and streams the answers of its job back.

A worker has two threads: the main one runs the solver; the other reads stops, ends the process at the end of the line,
and sends the answers that wait during a long search.

A job that has a function `connect` gets its `JobLoop`, which can `send` answers and `ask` the caller while a call is
being answered, from code that the solver calls, and do work in a `fork` of its process.
"""

from __future__ import annotations

import os
import queue
import select
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import nullcontext, suppress
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bridge.errors import BridgeError, LimitError, SolverError, too_deep
from bridge.isolation import environment, frames, resources, sockets, watchdog
from bridge.isolation.cancellation import GRACE
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress

if TYPE_CHECKING:
    from socket import socket

    from bridge.isolation.wall import Wall

#: Answers are sent when they are so many, or so heavy, or when the first of them has waited so many seconds (a job may
#: say otherwise: `patience`).
BATCH, WEIGHT, PATIENCE = 512, 1 << 16, 0.02

#: The exit code of a fork that has no more memory, and what stands for one of a fork that printed more than is kept.
MEMORY, PRINTED = 71, 72

#: The bytes that a fork may print.
MOST_PRINTED = 1 << 20


def print_error(error: BaseException) -> None:
    import traceback

    traceback.print_exception(error)
    sys.stderr.flush()


def serve(job: ModuleType, header: dict[str, Any], line: socket, walls: list[Wall]) -> None:
    """The main function of a worker: `walls` stand around it already."""
    environment.enter(header["caller"])
    if not header["untrusted"]:
        JobLoop(job, line).run()
    from bridge.isolation import sandbox  # here: the others need none of it

    prepare = getattr(job, "confine", list)
    in_folder = getattr(job, "in_folder", False)
    walls += sandbox.confine([*prepare(), *header["readable"]], keep=[line.fileno()], in_folder=in_folder)
    loop = JobLoop(job, line, untrusted=True)
    walls += loop.sealed() if header["forks"] else sandbox.seal()
    loop.ready(walls)
    loop.run()


class JobLoop:
    """A worker's end of the line."""

    def __init__(self, job: ModuleType, line: socket, untrusted: bool = False) -> None:
        self._job, self._line = job, line
        self._questions: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._sending = threading.RLock()
        self._batch: list[Any] = []
        self._weight = 0
        self._unsent: SolverError | None = None
        self._since = 0.0
        self._current = self._running = 0  # the question that is being answered, or is about to be
        self._stopping: set[int] = set()
        self._mark = 0  # of the watchdog, when that question began
        self._untrusted = untrusted
        self._seal: list[list[Any]] = []  # of a fork
        self._most = frames.MOST_UNTRUSTED if untrusted else frames.MOST
        self._pending = getattr(job, "pending", None)
        self._patience = getattr(job, "patience", PATIENCE)
        self._replies: queue.SimpleQueue[tuple[int, Any] | None] = queue.SimpleQueue()
        self._calls = 0  # so many questions have been put to the caller
        if (connect := getattr(job, "connect", None)) is not None:
            connect(self)
        threading.Thread(target=self._listen, daemon=True).start()
        # Both threads are there before memory is limited: their stacks take 16 MB of address space.
        watchdog.start()
        self._memory = None if untrusted and resources.CAN_LIMIT_OTHERS else resources.MemoryLimit()

    def _listen(self) -> None:
        """Read calls and stops; during a search, send the answers that wait."""
        try:
            received = frames.Buffer()
            while True:
                if not select.select([self._line], [], [], self._patience if self._current else None)[0]:
                    self._stop()
                    self._hurry()
                    continue
                data = self._line.recv(1 << 18)
                if not data:
                    break
                received.add(data)
                while (frame := received.next()) is not None:
                    self._hear(*frames.unpack(frame))
        except OSError:
            pass  # the other end is gone
        finally:
            resources.end_group()

    def _hear(self, kind: str, number: int, *rest: Any) -> None:
        if kind == "ask":
            self._current = self._current or number
            self._questions.put((number, *rest))
        elif kind == "reply":
            self._replies.put((rest[0], rest[1]))
        else:
            self._stopping.add(number)
            self._replies.put(None)
            self._stop()

    def ready(self, walls: list[Wall]) -> None:
        """Send the caller which walls stand. It sends a question only when they are enough."""
        self._send(("ready", 0, [[wall.name, wall.up, wall.why] for wall in walls]))

    def _stop(self) -> None:
        """Stop what runs, if that was asked for. (Its search may not have begun when it was.)"""
        if self._current in self._stopping:
            watchdog.stop_since(self._mark)

    def _hurry(self) -> None:
        if self._sending.acquire(blocking=False):  # otherwise the main thread is sending
            try:
                if select.select([], [self._line], [], 0)[1]:  # a slow caller makes the job wait
                    self._collect()
                    if self._batch:
                        self._flush()
            except SolverError as error:
                self._unsent = error  # raised at the end of the question
            finally:
                self._sending.release()

    def _collect(self) -> None:
        """Take what the job has found, and not answered yet."""
        if self._pending is not None:
            self._batch += self._pending()

    def run(self) -> None:
        while True:
            self._take(*self._questions.get())

    def _take(self, number: int, call: tuple[Any, ...], limits: tuple[Any, ...]) -> None:
        """Answer one question; it may come while an earlier one is being answered, which goes on afterwards."""
        outer = self._change_to(number, watchdog.mark())
        progress = Progress()
        end: tuple[Any, ...]
        try:
            self._answer(number, self._job.serve(call, Limits(*limits), progress), limits[3])
            end = ("done", number, _packed(progress))
        except BridgeError as error:
            end = ("error", number, _packed(progress), error.pack())
        except MemoryError:
            progress.limit, progress.complete = "memory", False
            end = ("done", number, _packed(progress))
        except RecursionError:
            end = ("error", number, _packed(progress), too_deep().pack())
        except Exception as error:
            print_error(error)
            failed = SolverError(f"the worker failed: {type(error).__name__}: {error}", hint="please report it")
            end = ("error", number, _packed(progress), failed.pack())
        try:
            with self._sending:
                self._collect()  # of a search that failed
                self._flush()
                if self._unsent is not None:
                    raise self._unsent
        except SolverError as error:
            self._unsent = None
            end = ("error", number, _packed(progress), error.pack())
        self._change_to(*outer)
        self._stopping.discard(number)
        with self._sending:
            try:
                self._send(end)
            except frames.FrameError as error:
                failed = SolverError(f"the end of the search cannot be sent: {error}")
                self._send(("error", number, _packed(Progress()), failed.pack()))

    def _change_to(self, number: int, mark: int) -> tuple[int, int]:
        """Answers from here on belong to this question; returns what to change back to."""
        with self._sending:
            self._flush()
            before = self._running, self._mark
            self._current = self._running = number
            self._mark = mark
        return before

    def _answer(self, number: int, answers: Iterator[Any], memory: int | None) -> None:
        with self._memory.limited(memory) if self._memory else nullcontext():
            for answer, weight in answers:
                self.send(answer, weight)
                while not self._questions.empty():
                    self._take(*self._questions.get())
                if number in self._stopping:
                    break
        close = getattr(answers, "close", None)
        if close:
            close()

    def send(self, answer: Any, weight: int) -> None:
        """Send an answer to the question that is being answered; soon, with others. From any thread."""
        with self._sending:
            if weight:
                self._batch.append(answer)
                self._weight += weight
            else:  # many at once: what weighs nothing is a list of answers
                self._batch += answer
            enough = len(self._batch) >= BATCH or self._weight >= WEIGHT
            if enough or monotonic() > self._since + self._patience:
                self._flush()

    def ask(self, call: Any) -> Any:
        """Put a question to the caller, plain data, and wait for the reply: None where the caller failed.

        Raises
        ------
        LimitError
            When the caller stops the question that is being answered.
        """
        self._calls += 1
        with self._sending:
            self._flush()
            self._send(("call", self._running, self._calls, call))
        while self._running not in self._stopping:
            reply = self._replies.get()
            if reply is not None and reply[0] == self._calls:
                return reply[1]
        raise LimitError("stopped by the caller")

    def forks(self, works: Iterable[Callable[[], Any]], limits: Limits = UNLIMITED) -> Generator[Fork, None, None]:
        """Do each work in a fork of this process that ends with it: the forks, in order, as they are over.

        A fork of an untrusted job is sealed. Called while no other thread is at work. As many work at once as there are
        processors.
        """
        size = resources.size()  # a confined fork sees nothing of its own in /proc
        most = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        given: deque[Fork] = deque()
        rest = iter(works)
        dying: list[int] = []
        try:
            while True:
                working = [fork for fork in given if not fork.over]
                room = sum(fork.size for fork in given) <= frames.MOST_UNTRUSTED  # what waits for a slower one
                while room and len(working) < most and (work := next(rest, None)) is not None:
                    working.append(self._fork(work, size, limits, working))
                    given.append(working[-1])
                while dying:
                    resources.reaped(dying.pop(), gently=False)
                if not given:
                    return
                if given[0].over:
                    yield given.popleft()
                    continue
                heard = select.select([end for fork in working for end in fork.ends], [], [], 0.05)[0]
                stopped = self._running in self._stopping
                for fork in working:
                    fork.read()
                    if fork.line in heard and not fork.over:
                        fork.hear()
                    if not fork.over and (stopped or monotonic() > fork.due):
                        fork.end(None)
                    if fork.over and not fork.reaped:
                        resources.killed(fork.pid)
                        dying.append(fork.pid)
        finally:
            for fork in given:
                if not fork.over:
                    fork.end(None)
                    dying.append(fork.pid)
            for pid in dying:
                resources.reaped(pid, gently=False)

    def _fork(self, work: Callable[[], Any], size: int, limits: Limits, others: list[Fork]) -> Fork:
        ours, theirs = sockets.pair()
        output, printing = os.pipe()
        os.set_blocking(output, False)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.dup2(printing, 1)
            os.close(output)
            os.close(printing)
            ours.close()
            for fork in others:
                fork.close()
            self._work(theirs, parent, size, work, limits)
        theirs.close()
        os.close(printing)
        due = float("inf") if limits.seconds is None else monotonic() + limits.seconds + GRACE
        return Fork(pid, ours, output, due, frames.Buffer(self._most // 2))

    def _work(self, line: socket, parent: int, size: int, work: Callable[[], Any], limits: Limits) -> None:
        """The life of a fork. It never returns."""
        try:
            os.setsid()
            resources.die_with_parent(parent)
            os.dup2(0, self._line.fileno(), inheritable=False)  # a program in here has no caller
            watchdog.alone()
            if limits.memory is not None:
                resources.limit(AS=size + limits.memory)
            if limits.seconds is not None:
                resources.limit(CPU=3 * (int(limits.seconds) + 3))
            if self._untrusted:
                from bridge.isolation import sandbox

                walls = [[wall.name, wall.up, wall.why] for wall in sandbox.seal()]
                if walls != (self._seal or walls):
                    os._exit(70)
                self._seal = walls
            line.sendall(frames.frame(work(), self._most // 2))  # it goes on with what it printed
            os._exit(0)
        except MemoryError:
            os._exit(MEMORY)
        except BaseException as error:
            print_error(error)
        finally:
            os._exit(70)

    def sealed(self) -> list[Wall]:
        """The walls around each fork of an untrusted job, as one shows that does nothing."""
        from bridge.isolation.wall import Wall

        resources.hide()
        (shown,) = (fork.result for fork in self.forks([lambda: self._seal]))
        self._seal = frames.unpack(shown) if isinstance(shown, bytes) else [["seccomp", False, "a fork has died"]]
        return [Wall(*wall) for wall in self._seal]

    def _flush(self) -> None:
        self._since = monotonic()
        if self._batch:
            batch, self._batch, self._weight = self._batch, [], 0
            self._send_items(batch)

    def _send_items(self, batch: list[Any]) -> None:
        """Send answers, in several frames if one would be too large.

        Raises
        ------
        SolverError
            When an answer cannot be sent: it alone is too large.
        """
        try:
            self._send(("items", self._running, batch))
        except frames.FrameError as error:
            if len(batch) == 1:
                raise SolverError(f"an answer cannot be sent: {error}", hint="ask for a part of it") from None
            half = len(batch) // 2
            self._send_items(batch[:half])
            self._send_items(batch[half:])

    def _send(self, message: tuple[Any, ...]) -> None:
        data = frames.frame([*message], self._most)  # what has no tuples is read faster
        try:
            self._line.sendall(data)
        except OSError:
            resources.end_group()  # the caller is gone


class Fork:
    """A fork that does some work, for the process that it is a fork of.

    Attributes
    ----------
    result
        What the work gave, packed; an exit code where the fork ended without; None where its time was up, or what it
        sent is too large.
    printed
        What it wrote to its standard output.
    """

    def __init__(self, pid: int, line: socket, output: int | None, due: float, received: frames.Buffer) -> None:
        self.pid, self.line, self._output, self.due, self._received = pid, line, output, due, received
        self.over = self.reaped = False
        self.result: bytes | int | None = None
        self.printed = b""

    @property
    def size(self) -> int:
        return len(self.printed) + (len(self.result) if isinstance(self.result, bytes) else 0)

    def hear(self) -> None:
        """Take what it has sent, or how it ended."""
        try:
            if data := self.line.recv(1 << 18):
                self._received.add(data)
                if (content := self._received.next()) is not None:
                    self.end(content)
            else:
                self.reaped = True
                self.end(resources.reaped(self.pid, gently=True))
        except (OSError, frames.FrameError):
            self.end(None)

    @property
    def ends(self) -> list[Any]:
        return [self.line] if self._output is None else [self.line, self._output]

    def read(self) -> None:
        """Take what it has printed by now; too much ends it."""
        with suppress(BlockingIOError):
            while self._output is not None and len(self.printed) <= MOST_PRINTED:
                data = os.read(self._output, 1 << 16)
                self.printed += data
                if not data:
                    self.close_output()
        if len(self.printed) > MOST_PRINTED and not self.over:
            self.end(PRINTED)

    def end(self, result: bytes | int | None) -> None:
        """Nothing more is heard of it."""
        self.over, self.result = True, result
        self.read()
        if len(self.printed) > MOST_PRINTED:
            self.result = PRINTED
        self.close()

    def close(self) -> None:
        self.line.close()
        self.close_output()

    def close_output(self) -> None:
        if self._output is not None:
            os.close(self._output)
            self._output = None


def _packed(progress: Progress) -> list[Any]:
    """How a question has ended, as the caller's `ENDING` reads it."""
    spent = progress.statistics
    how = [progress.complete, progress.limit, progress.rung, progress.remark, progress.exit_code]
    return [*how, spent.seconds, spent.counters]
