"""Standard streams with errors of their own.

A closed stream is replaced by one that fails on use; otherwise the next file that is opened would get its descriptor.
Standard output raises

- `ReaderGoneError` when the reader of a pipe has closed it;
- `ClosedOutputError` for a full disk, a limit, or a closed stream.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, cast

from bridge.errors import OutputError


class ReaderGoneError(Exception):
    """The reader of standard output has closed it."""


class ClosedOutputError(OutputError):
    """Standard output cannot be written."""


class _Output(io.BufferedWriter):
    """A buffered stream whose `write` and `flush` raise the errors of this module.

    The raw stream is Python's own: in one of ours, Ctrl-C could come between a write and its return, and what is
    written would be written again.
    """

    def __init__(self, raw: io.RawIOBase, stands_for: object, at_once: bool) -> None:
        super().__init__(raw)
        self._kept, self._at_once = stands_for, at_once  # kept: collected, it would close the raw stream
        self.written = 0

    def write(self, data: Any) -> int:
        try:
            written = super().write(data)
        except OSError as error:
            raise _own(error) from None
        self.written += written
        if self._at_once:
            self.flush()
        return written

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _own(error) from None


def _own(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return ReaderGoneError()
    said = "is closed" if error.errno == errno.EBADF else f"cannot be written: {error.strerror}"
    return ClosedOutputError(f"standard output {said}")


def guard() -> None:
    """Replace closed streams, and standard output by one with errors of its own. Once in a process."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _closed(number))
    out = sys.stdout
    if not isinstance(out, io.TextIOWrapper) or isinstance(out.buffer, _Output):
        return  # replaced by a test
    out.flush()
    raw = cast(io.RawIOBase, getattr(out.buffer, "raw", out.buffer))
    sys.stdout = io.TextIOWrapper(
        _Output(raw, out, at_once=out.write_through),
        encoding=out.encoding,
        errors="backslashreplace",  # names of files may be no valid text
        line_buffering=out.line_buffering,
        write_through=out.write_through,
    )


def written() -> bool:
    """Whether anything has been written to standard output."""
    out = getattr(sys.stdout, "buffer", None)
    return isinstance(out, _Output) and out.written > 0


def give_up_output() -> None:
    """Discard further output, so that Python does not fail when it flushes at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = None


def _closed(number: int) -> Any:
    """A stream in place of a closed one; it fails on use."""
    opened = os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)
    if opened != number:  # closed for Python, but not for the system
        os.dup2(opened, number)
        os.close(opened)
    os.set_inheritable(number, True)  # workers count on these numbers, too
    if number == 2:
        return open(os.devnull, "w", encoding="utf-8")
    return open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)
