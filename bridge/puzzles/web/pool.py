"""The pool of worker processes.

- A **slot** is one worker (`bridge.isolation.worker`), confined, and the thread that reads it.
- A **page** has an id; a new question of a page cancels its previous one.
- The **queue** bounds the questions that wait for a slot.

A cancelled question frees its slot at once: the worker is interrupted, and killed if it still runs `PATIENCE` seconds
later; the next question gets a new one from the fork server.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any

from bridge.errors import BridgeError, BusyError
from bridge.isolation import Worker, prepare
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.puzzles.web.limits import MEMORY, MOST_WAITING, PATIENCE, SECONDS, WAITING

JOB = "bridge.puzzles.web.job"

HINT = "try again in a second"


def line(part: dict[str, Any]) -> str:
    """A part of an answer made by the server process."""
    return json.dumps(part, ensure_ascii=False)


class Pool:
    """Workers, of which each uses one core, with a queue of at most `waiting` questions: first come, first served."""

    def __init__(self, number: int, waiting: int = MOST_WAITING) -> None:
        self.number, self._most, self._waiting = number, waiting, 0
        self._executor = ThreadPoolExecutor(number, thread_name_prefix="lpbridge-web")
        self._slots = [_Slot() for _ in range(number)]
        self._free: asyncio.Queue[_Slot] = asyncio.Queue()
        self._asking: set[asyncio.Task[Any]] = set()
        self._latest: dict[str, asyncio.Task[Any]] = {}  # of these, by page and question
        self._ending: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the workers. Questions wait until the start is complete."""
        prepare(JOB, untrusted=True)
        for slot in self._slots:
            self._free_after(slot, asyncio.get_running_loop().run_in_executor(self._executor, slot.worker.start))

    async def close(self) -> None:
        """End all workers at once."""
        self.end_answers()
        await asyncio.gather(*self._ending, return_exceptions=True)
        self._executor.shutdown()
        for slot in self._slots:
            slot.worker.close()

    def end_answers(self) -> None:
        """Cancel running and waiting questions."""
        for task in list(self._asking):
            task.cancel()
        for slot in self._slots:
            slot.kill()

    @property
    def at_work(self) -> int:
        """The number of busy workers."""
        return self.number - self._free.qsize()

    @property
    def pids(self) -> list[int]:
        """The process ids of the running workers."""
        return [slot.worker.pid for slot in self._slots if slot.worker.pid]

    async def answer(self, question: str, body: bytes, page: str | None = None) -> AsyncGenerator[str, None]:
        """The lines of an answer as they come. An earlier question of the same page and name is cancelled."""
        key = f"{page} {question}"
        task = asyncio.current_task()
        assert task is not None
        if page is not None:
            if older := self._latest.get(key):
                older.cancel()
            self._latest[key] = task
        self._asking.add(task)
        try:
            slot = await self._take()  # `_end` gives it back
            async with aclosing(self._read(slot, question, body)) as lines:
                async for text in lines:
                    yield text
        finally:
            self._asking.discard(task)
            if self._latest.get(key) is task:
                del self._latest[key]

    async def _take(self) -> _Slot:
        """Wait for a free slot."""
        if not self._free.empty():
            return self._free.get_nowait()
        if self._waiting >= self._most:
            raise BusyError("too many questions are waiting", hint=HINT)
        self._waiting += 1
        try:
            async with asyncio.timeout(WAITING):
                return await self._free.get()
        except TimeoutError:
            raise BusyError("everything that runs questions is busy", hint=HINT) from None
        finally:
            self._waiting -= 1

    async def _read(self, slot: _Slot, question: str, body: bytes) -> AsyncGenerator[str, None]:
        loop = asyncio.get_running_loop()
        lines: asyncio.Queue[str | None] = asyncio.Queue()

        def send(text: str | None) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(lines.put_nowait, text)

        slot.wanted = True
        running = loop.run_in_executor(self._executor, slot.run, question, body, send)
        complete = False
        try:
            while (text := await lines.get()) is not None:
                yield text
            complete = True
        finally:
            slot.wanted = complete
            self._free_after(slot, running)

    def _free_after(self, slot: _Slot, running: asyncio.Future[None]) -> None:
        """Return a slot to the queue when its thread has finished."""
        ending = asyncio.ensure_future(self._end(slot, running))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _end(self, slot: _Slot, running: asyncio.Future[None]) -> None:
        how = slot.stop
        while not slot.wanted and not running.done():
            how()
            await asyncio.wait([running], timeout=PATIENCE)
            how = slot.kill
        # An error now occurs again, and is reported, at the next question.
        await asyncio.gather(running, return_exceptions=True)
        self._free.put_nowait(slot)


class _Slot:
    """One worker. `run` is for a thread; `stop` and `kill` for any other."""

    def __init__(self) -> None:
        # Its input is puzzles, not programs: the available confinement is enough.
        self.worker = Worker(JOB, output="stderr", untrusted=True, allow_missing_walls=True)
        self.wanted = True  # whether a client waits for the answer
        self._progress = Progress()

    def run(self, question: str, body: bytes, send: Callable[[str | None], None]) -> None:
        """Send the question; pass on the lines, then None."""
        limits = Limits(seconds=SECONDS[question], memory=MEMORY)
        try:
            for again in (True, False):
                progress, sent = Progress(), False
                self._progress = progress
                for text in self.worker.ask((question, body), progress, limits):
                    sent = True
                    send(text)
                if sent or not again or not self.wanted or progress.limit != "crash":
                    break  # otherwise it was dead before it was asked, perhaps: a new one is
            limit = progress.limit
            send(line({"part": "end", "complete": progress.complete, "limit": limit, "remark": progress.remark}))
        except BridgeError as error:
            send(line({"part": "error", **error.to_json()["error"]}))
        finally:
            send(None)

    def stop(self) -> None:
        if stop := self._progress.stop:
            stop()

    def kill(self) -> None:
        """Kill the process. The reading thread notices, reaps it, and starts a new one for the next question."""
        if pid := self.worker.pid:
            with suppress(OSError, AttributeError):  # the latter where there are no groups
                os.killpg(pid, signal.SIGKILL)
