"""Ctrl-C between two answers, not within one: what it breaks off between taking an answer and showing it loses it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class _State:
    before: Any = None  #: The handler that Ctrl-C has otherwise; None where nothing is deferred.
    waiting = pressed = False


@contextmanager
def deferred() -> Iterator[None]:
    """Ctrl-C comes while something is `awaited`, or else at the end of this; pressed again, it comes at once."""
    before = signal.getsignal(signal.SIGINT)
    if _State.before is not None or not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def later(number: int, frame: FrameType | None) -> None:
        again, _State.pressed = _State.pressed, True
        if _State.waiting or again:
            _come()

    _State.before, _State.pressed = before, False
    signal.signal(signal.SIGINT, later)
    try:
        yield
    finally:
        if _State.before is not None:
            signal.signal(signal.SIGINT, _State.before)
            _State.before = None
    if _State.pressed:
        before(signal.SIGINT, None)


@contextmanager
def awaited() -> Iterator[None]:
    """A wait that Ctrl-C ends. Nothing is taken in it."""
    if _State.before is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    _State.waiting = True
    try:
        if _State.pressed:
            _come()
        yield
    finally:
        _State.waiting = False


def _come() -> None:
    """What was deferred comes, and nothing is deferred any more."""
    before, _State.before, _State.pressed = _State.before, None, False
    signal.signal(signal.SIGINT, before)
    before(signal.SIGINT, None)
