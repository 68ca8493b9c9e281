"""Executors: processes of this machine that work on chunks.

- An **executor** accepts chunks and returns their lines, in any order. `Workers` uses this machine,
  `bridge.batching.cluster` a cluster in the same way.
- A chunk is **lost** when the process that had it died.

Each worker is a process (`bridge.isolation.worker`, with the job `bridge.batching.chunk_job`) and a thread here,
which sends it a chunk and waits for the lines. When the process has died, the next chunk gets a new one.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from contextlib import suppress
from typing import Any, ClassVar

from bridge.batching.items import Chunk, Job
from bridge.common.english import how_ended
from bridge.errors import BridgeError, SolverError
from bridge.isolation import frames
from bridge.isolation.worker import Worker
from bridge.outcome import Progress

#: The number of a chunk, its lines, and the seconds that they took; or the number, and the reason of the loss.
Answered = tuple[int, bytes, float]
Lost = tuple[int, str]

#: The module that works on chunks, in a worker.
JOB = "bridge.batching.chunk_job"

#: How often the start of a worker is tried.
STARTS = 3


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """So many worker processes on this machine, started when there is work for them; each keeps one core busy."""

    #: Seconds that a chunk should take: long compared with the cost of sending it.
    pace: ClassVar[float] = 0.05

    def __init__(self, job: Job, number: int) -> None:
        self.capacity = 2 * number  #: The number of chunks that keeps all workers busy.
        self._job = job
        self._number = number
        self._todo: queue.SimpleQueue[tuple[int, Chunk] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Answered | Lost | BridgeError] = queue.SimpleQueue()
        self._workers: set[Worker] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._threads: list[threading.Thread] = []

    def submit(self, number: int, chunk: Chunk) -> None:
        """Send a chunk; its answer has the same number."""
        self._todo.put((number, chunk))
        if len(self._threads) < self._number:
            thread = threading.Thread(target=self._look_after_one, name="lpbridge-batch", daemon=True)
            self._threads.append(thread)
            thread.start()

    def take(self) -> Answered | Lost:
        """Wait for the next answer; SolverError when no worker can be started."""
        while True:
            with suppress(queue.Empty):  # with a time, so that Ctrl-C is heard on every system
                done = self._done.get(timeout=0.5)
                if isinstance(done, BridgeError):
                    raise done
                return done

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for worker in self._workers:
                _kill(worker)
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()

    def _look_after_one(self) -> None:
        worker = Worker(JOB, output="stderr")  # what solvers print must not mix with results
        try:
            while (task := self._todo.get()) is not None and not self._closed:
                number, chunk = task
                if not worker.alive and not self._start(worker):
                    break
                self._done.put(self._answered(worker, number, chunk))
        except Exception as error:  # otherwise `take` would wait for ever
            failed = f"a thread of the batch failed: {type(error).__name__}: {error}"
            self._done.put(SolverError(failed, hint="please report it"))
        finally:
            with self._lock:
                self._workers.discard(worker)
            worker.close()

    def _answered(self, worker: Worker, number: int, chunk: Chunk) -> Answered | Lost:
        try:
            ((lines, seconds),) = _call(worker, "chunk", [*chunk])
        except frames.FrameError as error:
            return number, str(error)
        except BridgeError as error:
            return number, error.message
        return number, lines, seconds

    def _start(self, worker: Worker) -> bool:
        """Start a worker's process and send it the job; False when that cannot be done, which `take` then raises."""
        why = ""
        for _ in range(STARTS):
            with self._lock:
                if self._closed:
                    return False
                try:
                    worker.start()
                except BridgeError as error:
                    why = error.message
                    continue
                self._workers.add(worker)
            try:
                _call(worker, "open", [self._job.module, self._job.pack()])
            except BridgeError as error:
                why = error.message
            else:
                return True
        message = f"no worker can be started: {why}"
        self._done.put(SolverError(message, hint="`lpbridge doctor` checks the installation"))
        return False


def _call(worker: Worker, name: str, data: Any) -> list[tuple[bytes, float]]:
    """What a worker answers. BridgeError when its process has ended."""
    progress = Progress()
    found = list(worker.ask((name, data), progress, convert=lambda items: map(_answer, items)))
    if not progress.complete:
        raise SolverError(progress.remark or how_ended(progress.limit))
    return found


def _answer(answer: object) -> tuple[bytes, float]:
    match answer:
        case [bytes(lines), float(seconds)]:
            return lines, seconds
    raise ValueError("no lines")


def _kill(worker: Worker) -> None:
    """End a worker's process from another thread than its own, which then reads the end of the line."""
    if (pid := worker.pid) is not None:
        for kill in (os.killpg, os.kill):
            with suppress(OSError):
                kill(pid, signal.SIGKILL)
