"""Cancelling what a function does, from any thread: what it asks of workers is stopped, as by Ctrl-C.

A function that runs under a `Cancellation` sees a KeyboardInterrupt when it next asks a worker, or waits for one. So it
ends as it does on Ctrl-C: with an `Interrupted` that has what it had found.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final

#: Seconds that a worker has to stop by itself, before it is killed.
GRACE = 0.75


class Cancellation:
    """What the calls of one function are cancelled by."""

    def __init__(self) -> None:
        self.cancelled = False
        self._lock = threading.Lock()
        self._running: dict[int, tuple[Callable[[], object], Callable[[], object]]] = {}
        self._number = 0

    def cancel(self) -> None:
        """Stop what runs, and kill it where it does not stop in time. No effect the second time."""
        with self._lock:
            if self.cancelled:
                return
            self.cancelled = True
            stops = [stop for stop, _ in self._running.values()]
        for stop in stops:
            stop()
        if stops:
            timer = threading.Timer(GRACE, self._kill)
            timer.daemon = True
            timer.start()

    def check(self) -> None:
        if self.cancelled:
            raise KeyboardInterrupt

    @contextmanager
    def running(self, stop: Callable[[], object], kill: Callable[[], object]) -> Iterator[None]:
        """While something runs that can be stopped, and killed."""
        with self._lock:
            self._number += 1
            number = self._number
            self._running[number] = stop, kill
            late = self.cancelled
        if late:
            stop()
        try:
            yield
        finally:
            with self._lock:
                del self._running[number]

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Everything in this context can be cancelled by it."""
        token = CURRENT.set(self)
        try:
            yield
        finally:
            CURRENT.reset(token)

    def _kill(self) -> None:
        with self._lock:
            kills = [kill for _, kill in self._running.values()]
        for kill in kills:
            with suppress(OSError):
                kill()


#: The one that the code of this context runs under.
CURRENT: Final[ContextVar[Cancellation | None]] = ContextVar("bridge_cancellation", default=None)
