"""A job run in a process of its own: nothing that its program does can harm this one.

    worker = Worker("bridge.prolog.job")
    for answer in worker.ask("query", goal, limits=Limits(seconds=2), progress=progress): ...
    worker.close()

A job is a module with two functions: `warm()` loads its solver, and `serve(call, progress)` answers one call, an
iterator of plain data. How its process comes to be is `bridge.isolation.process`.

What a worker finds streams back in batches (`marshal`: plain data only, so that nothing is run by being received). A
reader that is slow makes the worker wait. Limits are kept in rungs: the worker stops its own solver; a program that
will not stop is asked again; and when it still runs `GRACE` seconds after its time, its process is killed, with all
that it started. What had arrived by then is kept.
"""

from __future__ import annotations

import atexit
import marshal
import os
import selectors
import signal
import socket
import struct
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import WeakSet

from bridge.errors import BridgeError, LimitError
from bridge.isolation.process import Output, Process, close_fork_servers, forget_fork_servers, start
from bridge.limits import UNLIMITED, LimitName, Limits, StopMethod
from bridge.outcome import Progress

#: Seconds that a worker has to stop by itself, before it is killed.
GRACE = 0.75

_LENGTH = struct.Struct("!I")


class Worker:
    """One job's process, started when it is first asked something.

    Parameters
    ----------
    module
        The job, as a module's name.
    output
        Where the program's own output goes.
    untrusted
        Confine the process (see SECURITY.md): the folder is empty, nothing can be written, started or connected to.
    readable
        The files that an untrusted process may read.
    """

    def __init__(
        self, module: str, *, output: Output = "inherit", untrusted: bool = False, readable: Sequence[str] = ()
    ) -> None:
        self._module = module
        self._header = {"untrusted": untrusted, "readable": [str(Path(file).resolve()) for file in readable]}
        self._output: Output = "nowhere" if untrusted else output
        self._process: Process | None = None
        self._lock = threading.Lock()
        self._buffer = bytearray()
        self._questions: list[_Question] = []  # open, each put while the ones before it were
        self._number = 0

    @property
    def alive(self) -> bool:
        """False before the first question, and after the process was killed or died: it has forgotten everything."""
        return self._process is not None

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return self._process.pid if self._process else None

    @property
    def asking(self) -> bool:
        """True while a question is open."""
        return bool(self._questions)

    def start(self) -> None:
        """Start the process, if it does not run."""
        if self._process is None:
            self._buffer.clear()
            self._process = start(self._module, {**self._header, "folder": _folder()}, self._output)
            _workers.add(self)

    def ask(
        self,
        call: tuple[Any, ...],
        progress: Progress,
        limits: Limits = UNLIMITED,
        convert: Callable[[list[Any]], Iterable[Any]] = iter,
    ) -> Generator[Any, None, None]:
        """Put a call to the job and yield what it answers, as it comes.

        Parameters
        ----------
        call
            A name and arguments: plain data.
        progress
            Told how it ends: what the worker wrote into its own, and what became of the process.
        limits
            Seconds count from here. The stream that reads keeps `solutions`; the worker knows it too and finds no more.
        convert
            Makes solutions of a batch of answers.

        Raises
        ------
        BridgeError
            What the job raised.
        """
        begun = monotonic()
        self.start()
        self._number += 1
        due = None if limits.seconds is None else begun + limits.seconds + GRACE
        question = _Question(self._number, call, progress, limits, convert, due)
        self._questions.append(question)
        left = None if limits.seconds is None else max(limits.seconds - (monotonic() - begun), 0.001)
        numbers = (left, limits.solutions, limits.nodes, limits.memory)
        self._send(("ask", question.number, call, numbers))
        progress.stop = lambda: self._stop(question)
        try:
            yield from self._answers(question)
        finally:
            progress.stop = None
            if question in self._questions:
                self._questions.remove(question)

    def call(self, call: tuple[Any, ...], limits: Limits = UNLIMITED, progress: Progress | None = None) -> Any:
        """Put a call to the job that has one answer, and give it; None when it has none.

        Raises
        ------
        LimitError
            When a limit came first, or the process ended.
        """
        progress = progress or Progress()
        answers = list(self.ask(call, progress, limits))
        if not progress.complete:
            said = progress.remark or f"the limit on {progress.limit} came first"
            raise LimitError(f"{call[0]}: {said}", hint="give it more, or look at what its directives do")
        return answers[0] if answers else None

    def _answers(self, question: _Question) -> Iterator[Any]:
        waiting = question.progress.waiting
        try:
            while not question.over:
                self._check(question)
                self._receive(question, question.due)
                while waiting:
                    yield waiting.popleft()
        except KeyboardInterrupt:
            self._stopped(question)
            raise
        finally:
            if not question.over:
                self._stopped(question)
                question.progress.limit = None  # the reader had enough: no limit
            if waiting:
                question.progress.complete = False  # for the reader there are more
        if question.error is not None:
            raise question.error

    def _check(self, question: _Question) -> None:
        last = self._questions[-1]
        if last is not question and not last.over:
            raise BridgeError(
                f"the answers of {question} cannot go on before those of {last}, a later question, are closed",
                hint="use up or close the inner one first",
            )

    def _receive(self, question: _Question, due: float | None) -> None:
        """Wait for one frame, for this question or an earlier one, and take it in."""
        frame = self._frame(due)
        if frame is None:
            self._lost("seconds", "its process was killed, since it did not stop in time", "kill")
        elif not frame:
            self._lost(*self._died(question.limits))
        else:
            kind, number, *data = marshal.loads(frame)
            for asked in self._questions:
                if asked.number == number:
                    self._take(asked, kind, data)

    def _take(self, question: _Question, kind: str, data: list[Any]) -> None:
        progress = question.progress
        if kind == "items":
            progress.waiting.extend(question.convert(data[0]))
            return
        _read(progress, data[0])
        question.over = True
        if question.stopped and not progress.complete:
            progress.limit = "interrupt"
        if kind == "error":
            question.error = BridgeError.unpack(data[1])
        if progress.limit in ("halt", "memory"):
            self._kill()  # what is left of it is not to be trusted
            question.over = False
            self._lost(progress.limit, progress.remark, progress.rung)

    def _lost(self, limit: LimitName | None, remark: str | None, rung: StopMethod | None = None) -> None:
        """The process is gone, and with it the answers to all questions."""
        self._kill()
        for question in self._questions:
            if not question.over:
                question.over = True
                progress = question.progress
                progress.complete, progress.limit, progress.remark, progress.rung = False, limit, remark, rung

    def _frame(self, due: float | None) -> bytes | None:
        """One frame; None when it is overdue, empty when the worker is gone."""
        waited = monotonic() + GRACE
        buffer, need = self._buffer, 4
        while len(buffer) < need or need == 4:
            if len(buffer) >= 4:
                need = 4 + _LENGTH.unpack_from(buffer)[0]
                if len(buffer) >= need:
                    break
            process = self._process
            if process is None:
                return b""
            timeout = None if due is None else max(due, waited) - monotonic()
            if timeout is not None and (timeout <= 0 or not _readable(process.line, timeout)):
                return None
            try:
                more = process.line.recv(1 << 18)
            except OSError:
                return b""
            if not more:
                return b""
            buffer += more
        frame = bytes(memoryview(buffer)[4:need])
        del buffer[:need]
        return frame

    def _stopped(self, question: _Question) -> None:
        """Stop the search under way, keep what still comes, and end the process if it does not obey."""
        if self._questions[-1] is not question:
            self._stop(question)  # it waits behind a later one, and nobody waits for it any more
            question.over = True
            return
        self._stop(question)
        due = monotonic() + GRACE
        try:
            while not question.over:
                self._receive(question, due)
        except KeyboardInterrupt:
            self._lost("interrupt", "its process was killed", "kill")
        if question.progress.limit == "seconds":
            question.progress.limit = "interrupt"

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.discard()

    def _died(self, limits: Limits) -> tuple[LimitName, str]:
        process, self._process = self._process, None
        status = process.finish(gently=True) if process is not None else -signal.SIGKILL
        if status >= 0:
            return "halt", f"the program ended its process, with exit code {status}"
        name = _signal_name(-status)
        if limits.memory is not None and -status in (signal.SIGABRT, signal.SIGSEGV, getattr(signal, "SIGBUS", 0)):
            return "memory", f"its process died of {name} at its memory limit"
        return "crash", f"its process died of {name}"

    def _send(self, message: tuple[Any, ...]) -> None:
        process, data = self._process, marshal.dumps(message)
        if process is not None:
            with suppress(OSError), self._lock:  # when it died, whoever reads next is told how
                process.line.sendall(_LENGTH.pack(len(data)) + data)

    def _stop(self, question: _Question) -> None:
        """Ask the worker to stop what it does for a question. From any thread."""
        question.stopped = True
        self._send(("stop", question.number))

    def close(self) -> None:
        """End the process and all that it started. It can be asked again: a new one starts then."""
        self._lost(None, "the worker was closed")
        _workers.discard(self)

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()


class _Question:
    """A question that is open, and what is known of its end."""

    def __init__(
        self,
        number: int,
        call: tuple[Any, ...],
        progress: Progress,
        limits: Limits,
        convert: Callable[[list[Any]], Iterable[Any]],
        due: float | None,
    ) -> None:
        self.number, self.call, self.progress, self.limits = number, call, progress, limits
        self.convert, self.due = convert, due
        self.over = self.stopped = False
        self.error: BridgeError | None = None

    def __str__(self) -> str:
        return " ".join(["a", str(self.call[0]), *[f"`{word}`" for word in self.call[1:2] if isinstance(word, str)]])


_workers: WeakSet[Worker] = WeakSet()


def _readable(line: socket.socket, timeout: float) -> bool:
    """Wait until something can be read. (A timeout of the socket's own would be the sender's, too.)"""
    with selectors.DefaultSelector() as selector:
        selector.register(line, selectors.EVENT_READ)
        return bool(selector.select(timeout))


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "/"  # it was deleted


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _read(progress: Progress, told: dict[str, Any]) -> None:
    progress.complete, progress.limit, progress.rung = told["complete"], told["limit"], told["rung"]
    progress.remark = told["remark"]
    for phase, seconds in told["seconds"].items():
        progress.statistics.seconds[phase] = seconds
    progress.statistics.counters.update(told["counters"])


@atexit.register
def close_all() -> None:
    """End every worker and fork server of this process."""
    for worker in list(_workers):
        worker.close()
    close_fork_servers()


def _forget() -> None:
    """A forked child of this process has no part in its workers."""
    for worker in list(_workers):
        if worker._process is not None:
            worker._process.line.close()
            worker._process = None
    forget_fork_servers()
    _workers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
