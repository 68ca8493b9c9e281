"""The processes that answer pages, and who may use them.

- A **slot** is one worker (`bridge.isolation.worker`), confined, and the thread that reads it.
- A **page** names itself; what it asks anew ends what it asked before.

The one idea: whoever no longer wants an answer frees the slot at once. The worker is asked to stop, and when it still
runs `PATIENCE` later its process is killed; the next question has a new one, which is forked warm.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

from bridge.errors import BridgeError
from bridge.isolation.process import prepare
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.web.limits import MEMORY, MOST_WAITING, PATIENCE, SECONDS, WAITING

JOB = "bridge.web.job"


class BusyError(BridgeError):
    """Everybody is at work, and enough are waiting."""

    kind = "busy"


def line(part: dict[str, Any]) -> str:
    """A part of an answer, said by this process."""
    return json.dumps(part, ensure_ascii=False)


class Pool:
    """Workers, and the questions that wait for them, first come, first served.

    Parameters
    ----------
    number
        How many workers: each keeps one core busy.
    waiting
        How many questions may wait.
    """

    def __init__(self, number: int, waiting: int = MOST_WAITING) -> None:
        self.number, self._most, self._waiting = number, waiting, 0
        self._executor = ThreadPoolExecutor(number, thread_name_prefix="lpbridge-web")
        self._slots = [_Slot() for _ in range(number)]
        self._free: asyncio.Queue[_Slot] = asyncio.Queue()
        self._asking: set[asyncio.Task[Any]] = set()
        self._latest: dict[str, asyncio.Task[Any]] = {}  # of these, by page and question
        self._ending: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to warm up. Questions that come before that is done wait for it."""
        prepare(JOB, untrusted=True)
        for slot in self._slots:
            self._free_after(slot, asyncio.get_running_loop().run_in_executor(self._executor, slot.start))

    async def close(self) -> None:
        """End all workers, whatever they do."""
        self.end_answers()
        await asyncio.gather(*self._ending, return_exceptions=True)
        self._executor.shutdown()
        for slot in self._slots:
            slot.worker.close()

    def end_answers(self) -> None:
        """End what is under way, and what waits."""
        for task in list(self._asking):
            task.cancel()
        for slot in self._slots:
            slot.kill()

    @property
    def at_work(self) -> int:
        """How many workers are not free."""
        return self.number - self._free.qsize()

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that run."""
        return [slot.worker.pid for slot in self._slots if slot.worker.pid]

    async def answer(self, question: str, body: bytes, page: str | None = None) -> AsyncGenerator[str, None]:
        """The lines of an answer, as they come. What the same page has asked before, by the same question, ends.

        Raises
        ------
        BusyError
            When too many wait, or it takes too long.
        """
        key = f"{page} {question}"
        task = asyncio.current_task()
        assert task is not None
        if page is not None:
            if older := self._latest.get(key):
                older.cancel()
            self._latest[key] = task
        self._asking.add(task)
        try:
            async with self._slot() as slot, aclosing(self._read(slot, question, body)) as lines:
                async for text in lines:
                    yield text
        finally:
            self._asking.discard(task)
            if self._latest.get(key) is task:
                del self._latest[key]

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[_Slot]:
        if self._free.empty() and self._waiting >= self._most:
            raise BusyError("too many questions are waiting", hint="try again in a second")
        self._waiting += 1
        try:
            async with asyncio.timeout(WAITING):
                slot = await self._free.get()
        except TimeoutError:
            raise BusyError("no worker was free in time", hint="try again in a second") from None
        finally:
            self._waiting -= 1
        yield slot  # `_end` gives it back

    async def _read(self, slot: _Slot, question: str, body: bytes) -> AsyncGenerator[str, None]:
        loop = asyncio.get_running_loop()
        lines: asyncio.Queue[str | None] = asyncio.Queue()

        def tell(text: str | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens
                loop.call_soon_threadsafe(lines.put_nowait, text)

        slot.wanted = True
        running = loop.run_in_executor(self._executor, slot.run, question, body, tell)
        complete = False
        try:
            while (text := await lines.get()) is not None:
                yield text
            complete = True
        finally:
            slot.wanted = complete
            self._free_after(slot, running)

    def _free_after(self, slot: _Slot, running: asyncio.Future[None]) -> None:
        """Offer a slot again when its thread is done with it."""
        ending = asyncio.ensure_future(self._end(slot, running))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _end(self, slot: _Slot, running: asyncio.Future[None]) -> None:
        how = slot.stop
        while not slot.wanted and not running.done():
            how()
            await asyncio.wait([running], timeout=PATIENCE)
            how = slot.kill
        await asyncio.gather(
            running, return_exceptions=True
        )  # what fails now fails again when it is asked, and is told
        self._free.put_nowait(slot)


class _Slot:
    """One worker. `run` is for a thread; `stop` and `kill` for any other."""

    def __init__(self) -> None:
        # What it reads is puzzles, which are no programs: it is confined by what there is.
        self.worker = Worker(JOB, output="stderr", untrusted=True, allow_missing_walls=True)
        self.wanted = True  # does anybody wait for its answer?
        self._progress = Progress()

    def start(self) -> None:
        self.worker.start()

    def run(self, question: str, body: bytes, tell: Callable[[str | None], None]) -> None:
        """Put the question, tell the lines, and then None."""
        limits = Limits(seconds=SECONDS[question], memory=MEMORY)
        try:
            for again in (True, False):
                progress, told = Progress(), False
                self._progress = progress
                for text in self.worker.ask((question, body), progress, limits):
                    told = True
                    tell(text)
                if told or not again or not self.wanted or progress.limit != "crash":
                    break  # otherwise it was dead before it was asked, perhaps: a new one is
            limit = progress.limit
            tell(line({"part": "end", "complete": progress.complete, "limit": limit, "remark": progress.remark}))
        except BridgeError as error:
            tell(line({"part": "error", **error.to_json()["error"]}))
        finally:
            tell(None)

    def stop(self) -> None:
        if stop := self._progress.stop:
            stop()

    def kill(self) -> None:
        """End the process. Whoever reads it is told, reaps it, and starts a new one for the next question."""
        if pid := self.worker.pid:
            with suppress(OSError, AttributeError):  # the latter where there are no groups
                os.killpg(pid, signal.SIGKILL)
