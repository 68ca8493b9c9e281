"""How tests wait. No test measures speed: on a slow or busy machine each takes longer and says the same.

What has to end gets `PATIENCE`; what has to find something gets more time until it has. How long things take is for the
benchmarks to say.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from bridge.outcome import Interrupted

T = TypeVar("T")

#: Seconds after which what has not ended counts as hanging, on any machine.
PATIENCE = 120.0


@contextmanager
def ends(seconds: float = PATIENCE) -> Iterator[None]:
    """What is done in here ends, by itself or by its limit."""
    started = time.monotonic()
    yield
    took = time.monotonic() - started
    assert took < seconds, f"it took {took:.0f} s"


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Waits for a condition."""
    due = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < due, "it never came true"
        time.sleep(0.005)


def given_time(run: Callable[[float], T], enough: Callable[[T], object], seconds: float = 0.2) -> T:
    """The first result of `run(seconds)` that is enough; each run has four times as long as the one before."""
    while not enough(found := run(seconds)):
        seconds *= 4
        assert seconds < PATIENCE, f"not even {seconds / 4:.0f} s gave more than {found}"
    return found


def interrupted(question: Callable[[], object], seconds: float = 0.3) -> Any:
    """What is kept of a question that Ctrl-C ends.

    Python drops a KeyboardInterrupt that falls into a callback, of the garbage collection or of a weak reference: then
    it comes again, or the question has ended by itself.
    """
    lost = 0
    while True:
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            with ends(), _again_when_lost():
                question()
        except Interrupted as found:
            return found.partial
        except KeyboardInterrupt:  # it came before the search had begun
            seconds *= 4
        else:
            lost += 1
            assert lost < 3, "it ended by itself"


@contextmanager
def _again_when_lost() -> Iterator[None]:
    """Where Python drops a KeyboardInterrupt, send the signal again in a moment."""

    def hook(lost: Any) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            usual(lost)

    usual, sys.unraisablehook = sys.unraisablehook, hook
    try:
        yield
    finally:
        sys.unraisablehook = usual
