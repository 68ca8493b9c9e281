"""Standard streams with errors of their own.

A closed stream is replaced by one that fails on use; otherwise the next file that is opened would get its descriptor.
Standard output raises

- `ReaderGoneError` when the reader of a pipe has closed it;
- `OutputError` for a full disk, a limit, or a closed stream; `output_failed` then holds.

On a terminal, control characters are written as `\\x1b`, so that the text of a program cannot command it; a pipe or a
file gets them as they are. (What a program prints itself, from a script or by `write/1`, does not come through here.)
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

from bridge.common.lazy import regex
from bridge.errors import OutputError

#: Makes the line of a terminal empty, from its first column on.
ERASE = "\r\033[K"

#: Control characters: all but those of lines and tabs.
_CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_STYLE = regex(rf"{re.escape(ERASE)}|\x1b\[[0-9;]*m|([\x00-\x08\x0b-\x1f\x7f-\x9f])")


#: The errors of standard output that were not those of its reader.
_failures: list[OSError] = []


class ReaderGoneError(Exception):
    """The reader of standard output has closed it."""


class _Output(io.BufferedWriter):
    """A buffered stream whose `write` and `flush` raise the errors of this module.

    The raw stream is Python's own: in one of ours, Ctrl-C could come between a write and its return, and what is
    written would be written again.
    """

    def __init__(self, raw: io.RawIOBase, stands_for: object, at_once: bool) -> None:
        super().__init__(raw)
        self._held, self._at_once = stands_for, at_once  # kept: collected, it would close the raw stream
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


class _Errors(io.BufferedWriter):
    """Standard error, which says nothing where it cannot be written: the exit code stays what it is."""

    def __init__(self, raw: io.RawIOBase, stands_for: object) -> None:
        super().__init__(raw)
        self._held = stands_for

    def write(self, data: Any) -> int:
        with suppress(OSError):
            super().write(data)
        return len(data)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


class _Terminal(io.TextIOWrapper):
    """A terminal that shows control characters in place of obeying them."""

    def write(self, text: str, /) -> int:
        super().write(_CONTROL.sub(_escaped, text))
        return len(text)

    def write_styled(self, text: str) -> None:
        super().write(_STYLE.sub(lambda found: found[0] if found[1] is None else _escaped(found), text))


class _TextOnly:
    """A text stream without the bytes below it."""

    def __init__(self, stream: TextIO) -> None:
        self.encoding, self.write, self.flush = stream.encoding, stream.write, stream.flush


def _escaped(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]):02x}"


def write_styled(text: str, stream: TextIO) -> None:
    """Write text of lpbridge itself, with its colours and `ERASE`; other control characters in it are escaped."""
    getattr(stream, "write_styled", stream.write)(text)
    stream.flush()


def output_of_bytes() -> Any:
    """Standard output for a writer of bytes: on a terminal the escaping text stream, None elsewhere."""
    return _TextOnly(sys.stdout) if isinstance(sys.stdout, _Terminal) else None


def _own(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return ReaderGoneError()
    _failures.append(error)
    problem = "is closed" if error.errno == errno.EBADF else f"cannot be written: {error.strerror}"
    return OutputError(f"standard output {problem}")


def output_failed() -> bool:
    """Whether standard output could not be written."""
    return bool(_failures)


def guard() -> None:
    """Replace closed streams, standard output by one with errors of its own, and terminals. Once in a process."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _closed(number))
    error = sys.stderr
    if isinstance(error, io.TextIOWrapper) and not isinstance(error.buffer, _Errors):
        raw = cast(io.RawIOBase, getattr(error.buffer, "raw", error.buffer))
        kind = _Terminal if error.isatty() else io.TextIOWrapper
        sys.stderr = kind(_Errors(raw, error), error.encoding, "backslashreplace", line_buffering=True)
    out = sys.stdout
    if not isinstance(out, io.TextIOWrapper) or isinstance(out.buffer, _Output):
        return  # replaced by a test
    out.flush()
    raw = cast(io.RawIOBase, getattr(out.buffer, "raw", out.buffer))
    sys.stdout = (_Terminal if out.isatty() else io.TextIOWrapper)(
        _Output(raw, out, at_once=out.write_through),
        encoding=out.encoding,
        errors="backslashreplace",  # names of files may be no valid text
        line_buffering=out.line_buffering,
        write_through=out.write_through,
    )


#: Options whose value is a file to be written.
_WRITTEN = ("-o", "--output", "--junit", "--lcov", "--save", "--chart", "--dot", "--plot")


def keep_pipes(words: list[str]) -> list[str]:
    """Words of the command line, with a copy in place of each pipe that is to be read, such as `<(...)`.

    A command reads a file as often as it needs it, and the solver once more. Those of parts that read each once, as it
    comes, get the pipe itself: it may never end.
    """
    import stat

    copies: dict[str, str] = {}
    for number, (before, word) in enumerate(zip(["", *words], words, strict=False)):
        try:
            is_pipe = before not in _WRITTEN and stat.S_ISFIFO(os.stat(word).st_mode)
        except (OSError, ValueError):
            continue
        if not is_pipe:
            continue
        from bridge.common.parts import parts

        if any(tuple(words[: len(one)]) == one for part in parts() for one in part.streaming):
            return words
        if word not in copies and not ("convert" in words and number == len(words) - 1):
            import atexit
            import shutil
            import tempfile

            folder = tempfile.mkdtemp(prefix="lpbridge-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            copies[word] = os.path.join(folder, os.path.basename(word))
            with open(word, "rb") as pipe, open(copies[word], "wb") as copy:
                shutil.copyfileobj(pipe, copy)
    return [copies.get(word, word) for word in words]


def written() -> bool:
    """Whether anything has been written to standard output."""
    out = getattr(sys.stdout, "buffer", None)
    return isinstance(out, _Output) and out.written > 0


def are_one() -> bool:
    """Whether standard output and standard error go to the same place, as with `2>&1`."""
    try:
        return os.path.sameopenfile(1, 2)
    except OSError:
        return False


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
