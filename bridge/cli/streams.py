"""Standard streams whose failures can be told from others.

A stream that is closed is put back such that every use of it fails; otherwise the next file that is opened would get
its number. Standard output says by its errors that it is the one that failed:

- `ReaderGoneError`: the reader of the pipe has seen enough;
- `ClosedOutputError`: a full disk, a limit, a stream that is closed.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, BinaryIO, cast

from bridge.errors import OutputError


class ReaderGoneError(Exception):
    """The reader of standard output has closed it."""


class ClosedOutputError(OutputError):
    """Standard output takes no more."""


class _Output(io.RawIOBase):
    """A raw stream, the errors of its `write` made ours."""

    def __init__(self, raw: io.RawIOBase, stands_for: object) -> None:
        self._raw, self._kept = raw, stands_for  # which would close the raw stream if it were collected
        self.written = 0

    def write(self, data: Any) -> int:
        try:
            written = self._raw.write(data) or 0
        except BrokenPipeError:
            raise ReaderGoneError from None
        except OSError as error:
            said = "is closed" if error.errno == errno.EBADF else f"cannot be written: {error.strerror}"
            raise ClosedOutputError(f"standard output {said}") from None
        self.written += written
        return written

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()


def guard() -> None:
    """Open what is closed, and let standard output say that it is the one that failed. Once for a process."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _closed(number))
    out = sys.stdout
    if not isinstance(out, io.TextIOWrapper) or isinstance(_raw(out), _Output):
        return  # something else stands in its place, in a test perhaps
    out.flush()
    raw = _Output(_raw(out), out)
    buffer = raw if _raw(out) is out.buffer else io.BufferedWriter(raw)
    sys.stdout = io.TextIOWrapper(
        cast(BinaryIO, buffer),
        encoding=out.encoding,
        errors="backslashreplace",  # a name of a file that is no text must not end a command
        line_buffering=out.line_buffering,
        write_through=out.write_through,
    )


def written() -> bool:
    """Has anything been written to standard output?"""
    raw = _raw(sys.stdout)
    return isinstance(raw, _Output) and raw.written > 0


def give_up_output() -> None:
    """Let nothing more be written to standard output: Python would complain when it flushes at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = None


def _raw(out: Any) -> Any:
    buffer = getattr(out, "buffer", None)
    return getattr(buffer, "raw", buffer)


def _closed(number: int) -> Any:
    """A stream in place of one that is closed: to use it fails."""
    opened = os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)
    if opened != number:  # it is closed for Python alone
        os.dup2(opened, number)
        os.close(opened)
    os.set_inheritable(number, True)  # workers count on these numbers, too
    if number == 2:
        return open(os.devnull, "w", encoding="utf-8")
    return open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)
