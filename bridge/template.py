"""The other end of `bridge/worker.py`: the warm template process, and the workers that it forks.

A template does nothing but fork and reap; so it is always quick to answer, and it ends, with all its workers, as soon
as the process that started it is gone. A worker has two threads of ours: the main one runs the solver; the other
listens for a stop, or for the end of the line, which ends the process, and sends what waits behind a search that takes
its time.
"""

from __future__ import annotations

import gc
import marshal
import os
import queue
import select
import signal
import socket
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from time import monotonic, sleep
from types import ModuleType
from typing import Any

from bridge import confine, watchdog
from bridge.errors import BridgeError, SolverError
from bridge.limits import Limits
from bridge.outcome import Progress

_LENGTH = struct.Struct("!I")

#: Answers are sent when they are so many, or so heavy, or when the first of them has waited so many seconds (a job may
#: say otherwise: `patience`).
BATCH, WEIGHT, PATIENCE = 512, 1 << 16, 0.02


def main(name: str, descriptor: int) -> None:
    """A template's life. It ends when the other end of the control line does."""
    control = socket.socket(fileno=descriptor)
    job = import_module(name)
    failed = b""
    try:
        job.warm()
    except BridgeError as error:  # a solver that is missing: whoever wants a worker is told
        failed = marshal.dumps(error.pack())
    confine.warm()
    gc.collect()
    gc.freeze()  # what is there now is never collected, so that workers share its pages
    parent = os.getpid()
    living: set[int] = set()
    dying: set[int] = set()
    while True:
        while dying and not select.select([control], [], [], 0.01)[0]:
            dying -= {pid for pid in dying if os.waitpid(pid, os.WNOHANG)[0]}
        try:
            head, descriptors = _received(control, 5)
        except ConnectionError:
            break
        (number,) = _LENGTH.unpack(head[1:])
        if head[:1] == b"D":
            living.discard(number)
            if _killed(number):
                dying.add(number)
            continue
        if head[:1] in (b"K", b"W"):
            living.discard(number)
            control.sendall(struct.pack("!q", _reaped(number, gently=head[:1] == b"W")))
            continue
        header = marshal.loads(_received(control, number)[0])
        if failed:
            for fd in descriptors:
                os.close(fd)
            control.sendall(struct.pack("!q", -len(failed)) + failed)
            continue
        pid = os.fork()
        if pid == 0:
            control.close()
            _forked(job, header, descriptors, parent)
        for fd in descriptors:
            os.close(fd)
        living.add(pid)
        control.sendall(struct.pack("!q", pid))
    for pid in living | dying:
        _reaped(pid, gently=False)
    os._exit(0)


def _received(control: socket.socket, size: int) -> tuple[bytes, list[int]]:
    data, descriptors = b"", []
    while len(data) < size:
        more, some, _, _ = socket.recv_fds(control, size - len(data), 8)
        descriptors += some
        if not more:
            raise ConnectionError
        data += more
    return data, descriptors


def _reaped(pid: int, gently: bool) -> int:
    """End a worker and its whole process group; how it ended. Gently: it is about to end by itself."""
    with suppress(ChildProcessError):
        patience = monotonic() + (0.25 if gently else 0.0)
        done, status = os.waitpid(pid, os.WNOHANG)
        while not done and monotonic() < patience:
            sleep(0.001)
            done, status = os.waitpid(pid, os.WNOHANG)
        if not done:
            _killed(pid)
            done, status = os.waitpid(pid, 0)
        else:  # what it started may live on
            with suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(status)
    return -signal.SIGKILL


def _killed(pid: int) -> bool:
    """Kill a worker that has not been waited for, with its group, which it may not have yet; was it there?"""
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    return True


def _forked(job: ModuleType, header: dict[str, Any], descriptors: list[int], parent: int) -> None:
    """The first steps of a worker. It never returns to the template's code."""
    try:
        os.setsid()
        confine.die_with_parent(parent)
        line, out, err = descriptors
        null = os.open(os.devnull, os.O_RDWR)
        for fd, target in ((null, 0), (out, 1), (err, 2)):
            os.dup2(fd, target)
        for fd in (null, out, err):
            os.close(fd)
        _serve(job, header, socket.socket(fileno=line))
    except BaseException as error:
        _complain(error)
    finally:
        os._exit(70)


def alone(name: str, header: dict[str, Any], descriptor: int) -> None:
    """A spawned worker: it warms itself. For systems without fork."""
    job = import_module(name)
    job.warm()
    _serve(job, header, socket.socket(fileno=descriptor))


def shared(name: str, header: dict[str, Any]) -> None:  # pragma: no cover (Windows; not tried)
    """The same where sockets are passed by value."""
    line = socket.fromshare(sys.stdin.buffer.read())  # type: ignore[attr-defined, unused-ignore]
    job = import_module(name)
    job.warm()
    _serve(job, header, line)


def _complain(error: BaseException) -> None:
    import traceback

    traceback.print_exception(error)
    sys.stderr.flush()


def _serve(job: ModuleType, header: dict[str, Any], line: socket.socket) -> None:
    with suppress(OSError):
        os.chdir(header["folder"])
    if header["untrusted"]:  # before there are threads: Landlock is the calling thread's, and inherited
        prepare = getattr(job, "confine", list)
        confine.confine([*prepare(), *header["readable"]], keep=[line.fileno()])
    server = _Server(job, line)
    if header["untrusted"]:
        watchdog.start()
        confine.no_processes()
    server.run()


class _Server:
    """A worker's side of the line."""

    def __init__(self, job: ModuleType, line: socket.socket) -> None:
        self._job, self._line = job, line
        self._questions: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._sending = threading.RLock()
        self._batch: list[Any] = []
        self._weight = 0
        self._since = 0.0
        self._current = self._running = 0  # the question that is being answered, or is about to be
        self._stopping: set[int] = set()
        self._mark = 0  # of the watchdog, when that question began
        self._room = confine.Room()
        self._pending = getattr(job, "pending", None)
        self._patience = getattr(job, "patience", PATIENCE)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Hear what is asked; and while an answer is under way, send on what has been found and waits."""
        with suppress(OSError, EOFError, ValueError):
            while True:
                if not select.select([self._line], [], [], self._patience if self._current else None)[0]:
                    self._stop()
                    self._hurry()
                    continue
                kind, number, *rest = marshal.loads(self._exactly(_LENGTH.unpack(self._exactly(4))[0]))
                if kind == "ask":
                    self._current = self._current or number
                    self._questions.put((number, *rest))
                else:
                    self._stopping.add(number)
                    self._stop()
        confine.end_group()

    def _stop(self) -> None:
        """Stop what runs, if that was asked for. (Its search may not have begun when it was.)"""
        if self._current in self._stopping:
            watchdog.stop_since(self._mark)

    def _hurry(self) -> None:
        if self._sending.acquire(blocking=False):  # otherwise the main thread is sending
            try:
                if self._pending is not None:
                    self._batch += self._pending()
                if self._batch and select.select([], [self._line], [], 0)[1]:
                    self._flush()
            finally:
                self._sending.release()

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self._line.recv(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

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
            end = ("done", number, _told(progress))
        except BridgeError as error:
            end = ("error", number, _told(progress), error.pack())
        except MemoryError:
            progress.limit, progress.complete = "memory", False
            end = ("done", number, _told(progress))
        except Exception as error:
            _complain(error)
            failed = SolverError(f"the worker failed: {type(error).__name__}: {error}", hint="please report it")
            end = ("error", number, _told(progress), failed.pack())
        self._change_to(*outer)
        self._stopping.discard(number)
        with self._sending:
            self._send(end)

    def _change_to(self, number: int, mark: int) -> tuple[int, int]:
        """What is found from here on belongs to this question; gives what to change back to."""
        with self._sending:
            self._flush()
            before = self._running, self._mark
            self._current = self._running = number
            self._mark = mark
        return before

    def _answer(self, number: int, answers: Iterator[Any], memory: int | None) -> None:
        with self._room.limited(memory):
            for answer, weight in answers:
                with self._sending:
                    if weight:
                        self._batch.append(answer)
                        self._weight += weight
                    else:  # many at once: what weighs nothing is a list of answers
                        self._batch += answer
                    enough = len(self._batch) >= BATCH or self._weight >= WEIGHT
                    if enough or monotonic() > self._since + self._patience:
                        self._flush()
                while not self._questions.empty():
                    self._take(*self._questions.get())
                if number in self._stopping:
                    break
        close = getattr(answers, "close", None)
        if close:
            close()

    def _flush(self) -> None:
        self._since = monotonic()
        if self._batch:
            batch, self._batch, self._weight = self._batch, [], 0
            self._send(("items", self._running, batch))

    def _send(self, frame: tuple[Any, ...]) -> None:
        data = marshal.dumps(frame)
        try:
            self._line.sendall(_LENGTH.pack(len(data)) + data)
        except OSError:
            confine.end_group()  # nobody reads any more


def _told(progress: Progress) -> dict[str, Any]:
    return {
        "complete": progress.complete,
        "limit": progress.limit,
        "rung": progress.rung,
        "remark": progress.remark,
        "seconds": progress.statistics.seconds,
        "counters": progress.statistics.counters,
    }
