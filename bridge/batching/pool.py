"""Functions of the bridge for services: run beside an event loop or by several threads, so many at once.

    async with Pool(4, waiting=32) as pool:
        found = await pool.run(bridge.diagnose, problem, limits=bridge.Limits(seconds=5))

The functions run in threads, and their solvers in processes of their own, which are forks of one that has loaded them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from inspect import iscoroutinefunction
from typing import Any, ParamSpec, TypeVar

from bridge.common.arguments import named_arguments
from bridge.common.closing import Closing
from bridge.common.english import plural
from bridge.common.log import log
from bridge.errors import BusyError, InputError, brief
from bridge.isolation.cancellation import Cancellation
from bridge.outcome import Interrupted
from bridge.public import public

P = ParamSpec("P")
T = TypeVar("T")


class Job(Future[T]):
    """A call that waits, runs, or has ended. `cancel` stops it, also while it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.cancellation = Cancellation()

    def cancel(self) -> bool:
        """Cancel it, from any thread: one that waits is not begun, one that runs ends as by Ctrl-C.

        Returns
        -------
        bool
            False when it had ended.
        """
        if super().cancel():
            return True
        self.cancellation.cancel()
        return not self.done()


@public("bridge")
class Pool(Closing):
    """Runs functions of the bridge: so many at once, so many waiting, and no more.

    `async with` and `with` end what still runs. A problem, an `asp.Program` and a `prolog.Session` are for one call at
    a time.

    Parameters
    ----------
    workers
        How many run at once; by default one for each processor.
    waiting
        How many may wait. One more is refused with a BusyError, at once.
    """

    @named_arguments
    def __init__(self, workers: int | None = None, *, waiting: int = 64) -> None:
        workers = workers or os.cpu_count() or 1
        if workers < 1 or waiting < 0:
            raise InputError("a pool has at least one worker, and no negative number of waiting calls")
        self.workers, self.waiting = workers, waiting
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="bridge-pool")
        self._lock = threading.Lock()
        self._jobs: set[Future[Any]] = set()
        self._waiting: dict[Future[Any], Callable[[], None]] = {}  # of these, in their order
        self._active = 0  # threads that run calls
        self._closed = False

    def __repr__(self) -> str:
        return f"<Pool {plural(self.workers, 'worker')}, {plural(len(self._jobs), 'call')}>"

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Job[T]:
        """Begin a call; what comes back is a `concurrent.futures.Future`, whose `cancel` stops a call that runs, too.

        Raises
        ------
        BusyError
            When as many calls wait as may.
        InputError
            When the pool is closed.
        """
        if not callable(function) or iscoroutinefunction(function):
            hint = "await it yourself, and give the functions that it calls to the pool"
            raise InputError(f"{brief(function)} is no function that a thread can run", hint=hint)
        job: Job[T] = Job()
        job.add_done_callback(self._ended)

        def run() -> None:
            if not job.set_running_or_notify_cancel():
                return
            try:
                with job.cancellation.applied():
                    job.cancellation.check()
                    result = function(*args, **kwargs)
            except BaseException as error:
                stopped = type(error) is KeyboardInterrupt and job.cancellation.cancelled
                job.set_exception(Interrupted(None) if stopped else error)
            else:
                job.set_result(result)

        with self._lock:
            if self._closed:
                raise InputError("the pool is closed")
            if len(self._jobs) >= self.workers + self.waiting:
                log("warning", "a call is refused: %d run or wait", len(self._jobs))
                raise BusyError(f"{plural(len(self._jobs), 'call')} run or wait already", hint="try again later")
            self._jobs.add(job)
            self._waiting[job] = run
            if self._active < self.workers:
                self._active += 1
                self._executor.submit(self._work)
        return job

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Await the result of a call. Cancelling the task stops it, and its solver.

        Raises
        ------
        BusyError
            When as many calls wait as may.
        """
        import asyncio  # slow to load

        job = self.submit(function, *args, **kwargs)
        try:
            return await asyncio.wrap_future(job)
        except KeyboardInterrupt:  # which would end the event loop
            if not job.cancellation.cancelled:
                raise
            raise asyncio.CancelledError from None

    def _work(self) -> None:
        """Run calls while some wait."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._active -= 1
                    return
                run = self._waiting.pop(next(iter(self._waiting)))
            run()
            del run  # it holds the arguments and the result

    def _ended(self, job: Future[Any]) -> None:
        with self._lock:
            self._jobs.discard(job)
            self._waiting.pop(job, None)

    def close(self) -> None:
        """Cancel all calls, and wait until they have ended."""
        with self._lock:
            self._closed = True
            jobs = [*self._waiting, *self._jobs]  # those that wait first, so that none begins
        for job in jobs:
            job.cancel()
        self._executor.shutdown()

    async def __aexit__(self, *_: object) -> None:
        import asyncio

        await asyncio.to_thread(self.close)
