"""Executors: processes of this machine that work on chunks.

- An **executor** accepts chunks and returns their lines, in any order. `Workers` uses this machine,
  `bridge.batches.cluster` a cluster.
- A chunk is **lost** when the process that had it died.

Each worker is a process and a thread. The thread writes a chunk to the process and reads the lines. When it reads the
end of the stream instead, the process has died, and the next chunk gets a new one. The processes are started as
programs of their own: unlike those of `multiprocessing`, they do not import the caller's main module.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import BinaryIO, ClassVar, Protocol, cast

from bridge.batches.jobs import Chunk, Job, answers
from bridge.errors import BridgeError, SolverError
from bridge.isolation.frames import Buffer, FrameError, frame, unpack
from bridge.isolation.watchdog import Watch

#: The number of a chunk, its lines, and the seconds that they took; or the number, and the reason of the loss.
Answered = tuple[int, bytes, float]
Lost = tuple[int, str]


_CODE = f"from {__name__} import work; work()"

#: How often the start of a worker is tried.
STARTS = 3


class Executor(Protocol):
    """Accepts chunks and returns their results."""

    #: Seconds that a chunk should take: long compared with the cost of sending it.
    pace: ClassVar[float]

    @property
    def capacity(self) -> int:
        """The number of chunks that keeps all workers busy."""

    def submit(self, number: int, chunk: Chunk) -> None:
        """Send a chunk; its answer has the same number."""

    def take(self) -> Answered | Lost:
        """Wait for the next answer."""

    def close(self) -> None:
        """Stop all work."""


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """Worker processes on this machine, started when there is work for them.

    Parameters
    ----------
    job
        The job, the same for every instance.
    number
        The number of processes; each keeps one core busy.
    """

    pace: ClassVar[float] = 0.05

    def __init__(self, job: Job, number: int) -> None:
        self.capacity = 2 * number
        self._job = job
        self._number = number
        self._todo: queue.SimpleQueue[tuple[int, Chunk] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Answered | Lost | BridgeError] = queue.SimpleQueue()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._threads: list[threading.Thread] = []

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers that have been started."""
        with self._lock:
            return [process.pid for process in self._processes]

    def submit(self, number: int, chunk: Chunk) -> None:
        """See `Executor`."""
        self._todo.put((number, chunk))
        if len(self._threads) < self._number:
            thread = threading.Thread(target=self._look_after_one, name="lpbridge-batch", daemon=True)
            self._threads.append(thread)
            thread.start()

    def take(self) -> Answered | Lost:
        """See `Executor`.

        Raises
        ------
        SolverError
            When no worker can be started.
        """
        while True:
            with suppress(queue.Empty):  # with a time, so that Ctrl-C is heard on every system
                done = self._done.get(timeout=0.5)
                if isinstance(done, BridgeError):
                    raise done
                return done

    def close(self) -> None:
        """Kill the processes."""
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.kill()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()

    def _look_after_one(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        while (task := self._todo.get()) is not None and not self._closed:
            number, chunk = task
            process = process or self._start()
            if process is None:
                break
            try:
                data = pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)
            except Exception as error:  # a class defined by the caller
                self._done.put((number, f"it cannot be sent to a worker: {type(error).__name__}: {error}"))
                continue
            try:
                _send(process, data)
                lines, seconds = _receive(process)
            except (EOFError, OSError, FrameError):
                self._done.put((number, self._reap(process)))
                process = None
            else:
                self._done.put((number, lines, seconds))
        if process is not None:
            self._reap(process)

    def _start(self) -> subprocess.Popen[bytes] | None:
        """A process that is ready; None when none can be started, which `take` then raises."""
        why = ""
        for _ in range(STARTS):
            with self._lock:
                if self._closed:
                    return None
                process = _python(_CODE)
                self._processes.add(process)
            try:
                _send(process, pickle.dumps(self._job, pickle.HIGHEST_PROTOCOL))
                _receive(process)
            except (EOFError, OSError, FrameError):
                why = self._reap(process)
            else:
                return process
        message = f"no worker can be started: {why}"
        self._done.put(SolverError(message, hint="`lpbridge doctor` checks the installation"))
        return None

    def _reap(self, process: subprocess.Popen[bytes]) -> str:
        """End a process, if it is still running; how it ended, in words."""
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                cast(BinaryIO, pipe).close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
        process.kill()
        code = process.wait()
        with self._lock:
            self._processes.discard(process)
        return (
            f"its worker process was ended by signal {-code}" if code < 0 else f"its worker process ended with {code}"
        )


def _python(code: str) -> subprocess.Popen[bytes]:
    """A Python process with this lpbridge, in a session of its own, so that Ctrl-C in a terminal does not reach it."""
    home = str(Path(__file__).parent.parent.parent)
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )


def _send(process: subprocess.Popen[bytes], data: bytes) -> None:
    pipe = cast(BinaryIO, process.stdin)
    pipe.write(data)
    pipe.flush()


def _receive(process: subprocess.Popen[bytes]) -> tuple[bytes, float]:
    """What a worker answers: plain data. (What it is asked may hold a puzzle of any kind, and is pickled.)"""
    pipe, arrived = cast(BinaryIO, process.stdout), Buffer()
    while (content := arrived.next()) is None:
        data = os.read(pipe.fileno(), 1 << 16)
        if not data:
            raise EOFError
        arrived.add(data)
    match unpack(content):
        case [bytes(lines), float(seconds)]:
            return lines, seconds
    raise FrameError("no answer")


def work() -> None:
    """The main function of a worker process: reads a job, then chunks, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    # Standard input and output of solvers must not mix with chunks and answers.
    chunks, lines = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    job: Job = pickle.load(chunks)
    answer: tuple[bytes, float] = (b"ready", 0.0)
    with Watch(lambda: None), suppress(EOFError, BrokenPipeError):  # a permanent watchdog makes others cheaper
        while True:
            lines.write(frame([*answer]))
            lines.flush()
            answer = answers(job, pickle.load(chunks))


def _leave_with(parent: int) -> None:
    """End this process when its parent has ended, even during a search without a limit."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)
