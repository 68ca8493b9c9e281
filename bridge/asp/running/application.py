"""Answer sets that clingo prints itself, in a worker: no atom is read, and no Python runs for an answer set.

clingo prints answer sets only where it is a program, to its standard output. Here that program runs in a thread, and
waits in its `main` while the worker uses its Control. During a search standard output is a pipe, which another thread
reads now and then.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import clingo

from bridge.common.files import AS_LATIN_1
from bridge.errors import SolverError

#: So many bytes the pipe holds, where the system allows it; so many are read at once, and so many of an answer set
#: are sent in one piece.
_SIZE = 1 << 20

#: The signals that clingo's program handles.
_SIGNALS = ("SIGINT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGHUP", "SIGXCPU", "SIGXFSZ", "SIGALRM")


class Application(clingo.Application):
    """clingo's own program, up to the end of this process.

    Parameters
    ----------
    options
        Those that a Control takes.
    log
        Takes what clingo remarks.

    Attributes
    ----------
    control
        The Control that it has made.
    """

    program_name = "clingo"
    message_limit = 10_000
    control: clingo.Control

    def __init__(self, options: Sequence[str], log: Callable[[clingo.MessageCode, str], object]) -> None:
        self._log = log
        self._started, self._reading = threading.Event(), threading.Lock()
        self._source = -1
        self._rest, self._waiting, self._found = b"", list[tuple[str, str]](), 0
        numbers = [number for name in _SIGNALS if (number := getattr(signal, name, None)) is not None]
        handlers = [signal.getsignal(number) for number in numbers]
        threading.Thread(target=self._run, args=(options,), daemon=True).start()
        self._started.wait()
        for number, handler in zip(numbers, handlers, strict=True):
            if handler is not None:  # otherwise it is not Python's
                signal.signal(number, handler)
        if not hasattr(self, "control"):
            raise SolverError("clingo's own program does not start")

    def _run(self, options: Sequence[str]) -> None:
        try:
            clingo.clingo_main(self, ["--verbose=0", *options])
        finally:
            self._started.set()

    def logger(self, code: clingo.MessageCode, message: str) -> None:
        self._log(code, message)

    def main(self, control: clingo.Control, files: Sequence[str]) -> None:
        self.control = control
        self._started.set()
        threading.Event().wait()  # at its end it would print how its search ended

    @contextmanager
    def printing(self) -> Iterator[None]:
        """For one search: while this is entered, and afterwards, `take` has what is printed."""
        sys.stdout.flush()
        source, into = os.pipe()
        _enlarge(into)
        os.set_blocking(source, False)
        standard = os.dup(1)
        os.dup2(into, 1)
        os.close(into)
        self._rest, self._found, self._source = b"", 0, source
        try:
            yield
        finally:
            os.dup2(standard, 1)
            os.close(standard)
            with self._reading:
                self._read()
                self._source = -1
            os.close(source)

    def check(self, found: int) -> None:
        """Make sure that a search has printed what it has found.

        Raises
        ------
        SolverError
            When there are more or fewer lines than so many answer sets.
        """
        if self._rest or self._found != found:
            raise SolverError(f"clingo has found {found:,} answer sets, and printed {self._found:,}")

    def take(self) -> list[tuple[str, str]]:
        """The answer sets that wait, as they are sent; from any thread.

        `("lines", TEXT)` is several of them, a line each; of one that is long, `("part", TEXT)` is what comes before.
        """
        with self._reading:
            if self._source != -1:
                self._read()
            taken, self._waiting = self._waiting, []
        return taken

    def _read(self) -> None:
        """Read what is in the pipe; of what is printed meanwhile, too, but not without an end."""
        pieces, size = [self._rest], 0
        with suppress(BlockingIOError):
            while size < _SIZE and (more := os.read(self._source, _SIZE)):
                pieces.append(more)
                size += len(more)
        data = b"".join(pieces)
        end = data.rfind(b"\n") + 1
        if end:
            self._found += data.count(b"\n")
            self._waiting.append(("lines", data[: end - 1].decode("utf-8", AS_LATIN_1)))
            data = data[end:]
        if len(data) > _SIZE and (end := data.rfind(b" ") + 1):
            self._waiting.append(("part", data[:end].decode("utf-8", AS_LATIN_1)))
            data = data[end:]
        self._rest = data


def _enlarge(pipe: int) -> None:
    """Let a pipe hold more, where that can be: clingo waits when it is full."""
    with suppress(AttributeError, OSError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _SIZE)
