"""A job for the tests of the worker: what a solver could do, well or badly, without any solver."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from bridge.errors import InputError, Place
from bridge.isolation.watchdog import Watch
from bridge.limits import Limits
from bridge.outcome import Progress

memory: dict[str, Any] = {}


def warm() -> None:
    memory["warm"] = True


def connect(loop: Any) -> None:
    memory["loop"] = loop


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    name, *arguments = call
    progress.statistics.seconds["solve"] = 0.25
    yield from globals()[name](limits, progress, *arguments)


def numbers(limits: Limits, progress: Progress, most: int, pause: float = 0.0) -> Iterator[tuple[int, int]]:
    for number in range(most):
        yield number, 1
        time.sleep(pause) if pause else None
    progress.complete = True


def asks(limits: Limits, progress: Progress, *questions: Any) -> Iterator[tuple[Any, int]]:
    """Puts questions to its caller, sends the replies, and from another thread one more answer."""
    for question in questions:
        memory["loop"].send(memory["loop"].ask(question), 1)
    sender = threading.Thread(target=memory["loop"].send, args=("last", 1))
    sender.start()
    sender.join()
    progress.complete = True
    yield from ()


def raises_when_none(limits: Limits, progress: Progress, question: Any) -> Iterator[tuple[Any, int]]:
    """Fails, as the job of a solver does, when its caller has no reply."""
    if memory["loop"].ask(question) is None:
        raise InputError("the caller failed")
    yield from ()


def heavy(limits: Limits, progress: Progress, most: int, size: int) -> Iterator[tuple[bytes, int]]:
    for number in range(most):
        yield bytes([number % 256]) * size, size
    progress.complete = True


def remember(limits: Limits, progress: Progress, value: Any) -> Iterator[tuple[Any, int]]:
    yield memory.get("value"), 1
    memory["value"] = value
    progress.complete = True


def obedient(limits: Limits, progress: Progress, first: int) -> Iterator[tuple[int, int]]:
    """Finds some, then searches until it is stopped, and obeys."""
    yield from ((number, 1) for number in range(first))
    stopped: list[bool] = []
    with Watch(lambda: stopped.append(True), limits.seconds) as watch:
        with watch.armed():
            while not stopped:
                time.sleep(0.001)
        progress.limit, progress.rung = watch.fired, "stop"


def stubborn(limits: Limits, progress: Progress, first: int) -> Iterator[tuple[int, int]]:
    """Finds some, then never comes back."""
    yield from ((number, 1) for number in range(first))
    while True:
        time.sleep(1)


def wrong(limits: Limits, progress: Progress, first: int) -> Iterator[tuple[int, int]]:
    yield from ((number, 1) for number in range(first))
    raise InputError("it is wrong", where=Place("a.lp", 2, 3), hint="fix it")


def broken(limits: Limits, progress: Progress) -> Iterator[tuple[int, int]]:
    yield 1, 1
    raise ZeroDivisionError("a bug")


def leave(limits: Limits, progress: Progress, first: int, status: int, end: str) -> Iterator[tuple[int, int]]:
    """Ends when there is a file `end`."""
    yield from ((number, 1) for number in range(first))
    _wait_for(end)
    os._exit(status)


def die(limits: Limits, progress: Progress, number: int, end: str) -> Iterator[tuple[int, int]]:
    """Ends when there is a file `end`."""
    yield 1, 1
    _wait_for(end)
    os.kill(os.getpid(), number)


def _wait_for(name: str) -> None:
    while not os.path.exists(name):
        time.sleep(0.01)


def hog(limits: Limits, progress: Progress) -> Iterator[tuple[int, int]]:
    yield 1, 1
    kept = []
    while True:
        kept.append(bytearray(10_000_000))


def spawn(limits: Limits, progress: Progress) -> Iterator[tuple[int, int]]:
    """Starts a process of its own, and tells its number."""
    code = "import time; time.sleep(600)"
    yield subprocess.Popen([sys.executable, "-c", code]).pid, 1
    progress.complete = True


def speak(limits: Limits, progress: Progress, text: str) -> Iterator[tuple[int, int]]:
    print(text, flush=True)
    print(text.upper(), file=sys.stderr, flush=True)
    progress.complete = True
    yield 1, 1


def attempt(limits: Limits, progress: Progress, code: str) -> Iterator[tuple[str, int]]:
    """Runs Python: what can a confined process still do?"""
    try:
        result = eval(code)
        yield f"did it: {result}", 1
    except Exception as error:
        yield type(error).__name__, 1
    progress.complete = True


assert signal.SIGKILL  # for `attempt`
