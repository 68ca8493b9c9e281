"""Stop a solver that runs in C, when its time is up or Ctrl-C is pressed.

While a solver runs, Python does not: no signal handler, no timer. One thread watches all searches. It
sleeps until the nearest deadline, or until the interpreter writes an arriving SIGINT to the wakeup descriptor
(`signal.set_wakeup_fd`), and then calls the search's own way to stop, again every half second until it has worked.

    with Watch(control.interrupt, seconds=2) as watch:
        with watch.armed():
            ...  # one call into the solver
        watch.fired   # None, "seconds" or "interrupt"

Ctrl-C still raises KeyboardInterrupt in the main thread: the watchdog makes the solver return, and the watch raises
when it is disarmed. Never earlier: a solver that calls back into Python would meet the exception in there, and clingo
ends the process when it does. A stop can arrive just after the call has ended: code that uses a watch has to handle a
stop that comes late.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, Self

from bridge.isolation import sockets
from bridge.limits import StopMethod

if TYPE_CHECKING:
    from socket import socket

# Those of the module `signal` turn every number into an enum: 10 µs a search.
_signal: Any = sys.modules["_signal"]
_getsignal, _set_handler = _signal.getsignal, _signal.signal

#: A stop that did not work (a program that catches everything) is sent again after so many seconds.
AGAIN = 0.5

#: Seconds by which a stop may be late: the thread is not woken for less.
LATE = 0.005

#: What the thread reads beside signal numbers: look at the clock; and, Python has handled the signals up to here. The
#: thread may be late, and a Ctrl-C that has been raised already must not stop the search that comes after it.
_POKE, _HANDLED = b"\0", b"\xff"
_END = b"\xfe"  # the thread is to end
_alone = False  # see `alone`

_lock = threading.RLock()
_watches: set[Watch] = set()
_thread: threading.Thread | None = None
_entered = 0  # so many watches were opened
_in_main = 0  # so many of those that are open belong to the main thread
_wakes_at = float("inf")  # when the thread looks at the clock next
_poke: socket | None = None  # what is written here wakes the thread
_poked: socket | None = None  # which reads it here
_outer_fd = -1  # the wakeup descriptor that was set before; signals are written to it, too
_outer_handler: Callable[[int, FrameType | None], Any] | None = None  # what Ctrl-C did before, and does in the end


class Watch:
    """One search, which the watchdog can stop.

    Parameters
    ----------
    stop
        Makes the search return. Called from the watchdog's thread, with the lock held: it must be quick.
    seconds
        Wall-clock time from the opening of the watch; None for no limit.
    """

    def __init__(self, stop: Callable[[], None], seconds: float | None = None) -> None:
        self._stop = stop
        self._due = float("inf") if seconds is None else monotonic() + seconds
        self._armed = False
        self._stops = self._serial = 0
        self._pressed = False  # Ctrl-C, not yet raised
        self._in_main = threading.current_thread() is threading.main_thread()
        self.fired: Literal["seconds", "interrupt"] | None = None

    def __enter__(self) -> Self:
        global _entered, _in_main
        if _alone:
            return self
        with _lock:
            if _thread is None:
                _start()
            self._serial = _entered = _entered + 1
            if self._in_main:
                if not _in_main:
                    _listen()
                _in_main += 1
            _watches.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        global _in_main
        with _lock:
            self._armed = False
            if self not in _watches:  # a forked child has none of its parent's
                return
            _watches.remove(self)
            if self._in_main:
                _in_main -= 1
                if not _in_main:
                    _unlisten()

    @contextmanager
    def armed(self) -> Iterator[None]:
        """While this is entered, the search may be stopped."""
        self.arm()
        try:
            yield
        finally:
            self.disarm()

    def arm(self) -> None:
        """The solver is about to be called. (`armed` is simpler; this is for loops where microseconds count.)"""
        global _wakes_at
        if _alone:
            if self._due != float("inf"):
                signal.setitimer(signal.ITIMER_REAL, max(self._due - monotonic(), 1e-6), AGAIN)
            return
        with _lock:
            self._armed = True
            if self._due < _wakes_at - LATE:
                _wakes_at = self._due
                _wake()

    def disarm(self) -> None:
        """The solver has returned: from here on no stop is sent. Raises KeyboardInterrupt when one is due."""
        if _alone:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if self.expired:
                self.fired, self._stops = "seconds", 1
            return
        with _lock:
            self._armed = False
        if self._pressed:
            self._pressed = False
            _raise(None)

    def end(self) -> None:
        """End the search as an interrupt does. From any thread."""
        with _lock:
            self.fired, self._due = self.fired or "interrupt", min(self._due, monotonic())
            if self._armed:
                _wake()

    @property
    def expired(self) -> bool:
        """True when the time is up, whether or not a stop was needed."""
        return self.fired == "seconds" or monotonic() >= self._due

    @property
    def rung(self) -> StopMethod | None:
        """How the search was made to end: by one stop, or by more than one; None when none was needed."""
        return None if self.fired is None else "stop" if self._stops < 2 else "again"

    def _look(self, now: float, interrupted: bool) -> None:
        if not self._armed:
            return
        if interrupted and self._in_main:
            self.fired, self._due = "interrupt", now
        if now >= self._due:
            self.fired = self.fired or "seconds"
            self._due = now + AGAIN
            self._stops += 1
            self._stop()


def mark() -> int:
    """A moment, for `stop_since`."""
    return _entered


def stop_since(moment: int) -> None:
    """Stop the searches begun since then, as if their time were up, at work or about to be. From any thread."""
    with _lock:
        for watch in _watches:
            if watch._serial > moment and watch.fired is None:
                watch._due = min(watch._due, monotonic())
        if _poke is not None:
            _wake()


def start() -> None:
    """Start the watchdog's thread now; otherwise the first watch does."""
    with _lock:
        _start()


def alone() -> None:
    """From here on this process has one thread: in place of the watchdog's, SIGALRM ends its searches.

    The job has given it a handler that does.
    """
    global _alone
    _alone = True


def end() -> None:
    """End the watchdog's thread, until the next watch starts another. For a process that may have one thread only."""
    global _thread
    with _lock:
        thread, _thread = _thread, None
        if thread is not None:
            _wake(_END)
    if thread is not None:
        thread.join()


def runs() -> bool:
    return _thread is not None


def _start() -> None:
    global _thread, _poke, _poked
    if _thread is not None:
        return
    _poked, _poke = sockets.pair()
    _poke.setblocking(False)
    _poked.setblocking(False)
    _thread = threading.Thread(target=_run, args=(_poked,), name="lpbridge-watchdog", daemon=True)
    _thread.start()


def _run(poked: socket) -> None:
    global _thread, _wakes_at
    try:
        while True:
            with _lock:
                now = monotonic()
                # Once too often, when that search has ended, rather than to be woken by each search of very many.
                planned = _wakes_at if _wakes_at > now else float("inf")
                _wakes_at = min([planned, *(watch._due for watch in _watches if watch._armed)])
            # No longer than an hour at a time: select refuses what does not fit into its type.
            wait = None if _wakes_at == float("inf") else min(max(0.0, _wakes_at - now), 3600.0)
            select.select([poked], [], [], wait)
            with _lock:
                # Read under the lock: whatever was handled before a watch was armed has left its mark in here by now.
                heard = _drain(poked)
                if _END in heard:
                    return
                signals = heard.replace(_POKE, b"").replace(_HANDLED, b"")
                if _outer_fd != -1 and signals:
                    with suppress(OSError):
                        os.write(_outer_fd, signals)
                interrupted = signal.SIGINT in heard.rpartition(_HANDLED)[2]
                for watch in list(_watches):
                    watch._look(monotonic(), interrupted)
    finally:
        with _lock:
            if _thread is threading.current_thread():  # it ends by an error: the next watch starts another
                _thread = None


def _drain(poked: socket) -> bytes:
    heard = b""
    with suppress(BlockingIOError):
        while more := poked.recv(4096):
            heard += more
    return heard


def _wake(word: bytes = _POKE) -> None:
    if _poke is not None:  # otherwise this is a forked child, in which no thread waits yet
        with suppress(BlockingIOError):  # full: the thread is awake as it is
            _poke.send(word)


def _listen() -> None:
    """Hear of signals: the thread at once, through its socket, and Python's handler when it comes to run."""
    global _outer_fd, _outer_handler
    assert _poke is not None
    before = signal.set_wakeup_fd(_poke.fileno(), warn_on_full_buffer=False)
    _outer_fd = -1 if before == _poke.fileno() else before
    handler = _getsignal(signal.SIGINT)
    if callable(handler) and handler is not _on_sigint:
        _outer_handler = handler
        _set_handler(signal.SIGINT, _on_sigint)


def _unlisten() -> None:
    global _outer_fd
    if threading.current_thread() is not threading.main_thread():
        return  # a generator collected elsewhere; harmless, and put right by the next watch
    signal.set_wakeup_fd(_outer_fd)
    _outer_fd = -1
    if _getsignal(signal.SIGINT) is _on_sigint:
        _set_handler(signal.SIGINT, _outer_handler)


def _on_sigint(number: int, frame: FrameType | None) -> None:
    searching = [watch for watch in _watches if watch._armed and watch._in_main]
    for watch in searching:
        watch.fired, watch._pressed = "interrupt", True
    if not searching:
        _raise(frame)


def _raise(frame: FrameType | None) -> None:
    """Ctrl-C has its effect, now that no solver runs; the thread need not stop anything for it any more."""
    _wake(_HANDLED)
    assert _outer_handler is not None
    _outer_handler(signal.SIGINT, frame)


def _forget() -> None:
    """In a forked child there is no watchdog thread, and the sockets are the parent's."""
    global _lock, _thread, _wakes_at, _in_main, _poke, _poked
    if _thread is not None and _watches:
        signal.set_wakeup_fd(-1)
    for one in filter(None, (_poke, _poked)):
        one.close()  # now: when the watchdog starts here, their numbers may be those of others
    _poke = _poked = None
    _lock, _thread, _wakes_at, _in_main = threading.RLock(), None, float("inf"), 0
    _watches.clear()


if hasattr(os, "register_at_fork"):  # Windows has none
    os.register_at_fork(after_in_child=_forget)
