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
from typing import Any, BinaryIO, cast

from bridge.errors import OutputError


class ReaderGoneError(Exception):
    """The reader of standard output has closed it."""


class ClosedOutputError(OutputError):
    """Standard output cannot be written."""


class _Output(io.RawIOBase):
    """A raw stream whose `write` raises the errors of this module."""

    def __init__(self, raw: io.RawIOBase, stands_for: object) -> None:
        self._raw, self._kept = raw, stands_for  # kept: collected, it would close the raw stream
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
    """Replace closed streams, and standard output by one with errors of its own. Once in a process."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _closed(number))
    out = sys.stdout
    if not isinstance(out, io.TextIOWrapper) or isinstance(_raw(out), _Output):
        return  # replaced by a test
    out.flush()
    raw = _Output(_raw(out), out)
    buffer = raw if _raw(out) is out.buffer else io.BufferedWriter(raw)
    sys.stdout = io.TextIOWrapper(
        cast(BinaryIO, buffer),
        encoding=out.encoding,
        errors="backslashreplace",  # names of files may be no valid text
        line_buffering=out.line_buffering,
        write_through=out.write_through,
    )


def written() -> bool:
    """Whether anything has been written to standard output."""
    raw = _raw(sys.stdout)
    return isinstance(raw, _Output) and raw.written > 0


def give_up_output() -> None:
    """Discard further output, so that Python does not fail when it flushes at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = None


def _raw(out: Any) -> Any:
    buffer = getattr(out, "buffer", None)
    return getattr(buffer, "raw", buffer)


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
