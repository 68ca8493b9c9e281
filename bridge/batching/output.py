"""The results file of a batch, one result in each line. A run can be interrupted at any time and resumed.

Only whole lines count. Lines are appended, some at a time in one write. A resumed run cuts off an incomplete line,
reads which instances are done, and appends the others. A packed file (`.gz`) is a sequence of gzip members, one for
each write, as RFC 1952 (2.2) allows: when it is cut anywhere, all whole members are kept.

A write that fails (a full disk, a limit on the size of files) leaves the whole lines before it.

The file `FILE.run` beside the results describes the question that they answer. Resuming with another question, engine
or input would mix two runs, and is refused.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from bridge.common.files import refuse_other_format, unwritable, write_whole
from bridge.errors import InputError, OutputError, Place

#: The compression level: 3 is twice as fast as the default, with files a few percent larger.
LEVEL = 3

#: Bytes read at once.
_PIECE = 1 << 20

_INDEX = re.compile(rb'\{"index": (\d+),')


class Done:
    """The instances that are done: all up to `first`, and a few beyond, which alone take memory."""

    def __init__(self) -> None:
        self.first = 0
        self._beyond: set[int] = set()

    def add(self, index: int) -> None:
        """Add an instance; InputError when it is done already."""
        if index in self:
            raise InputError(f"instance {index} has two results", hint="the file was changed: begin anew")
        self._beyond.add(index)
        while self.first + 1 in self._beyond:
            self.first += 1
            self._beyond.remove(self.first)

    def __contains__(self, index: int) -> bool:
        return 0 < index <= self.first or index in self._beyond

    def __len__(self) -> int:
        return self.first + len(self._beyond)


class Results:
    """The results file of a batch.

    The path `-` is standard output; a file ending in `.gz` is packed. A device or a pipe is treated as standard output.
    `run` is the question that the results answer, as plain data; `same` says for some of its keys whether an earlier
    value is the same. With `resume`, an existing file is gone on with: `done` are the instances that are in it,
    `number` its lines, `size` their bytes, unpacked.

    Raises InputError when there are results and `resume` is false; when they answer another question; when they are
    damaged before their end; when another process is writing them. Raises OutputError when the file cannot be written.
    """

    def __init__(self, path: str, run: Mapping[str, Any], *, same: Mapping[str, Callable[[Any], bool]] | None = None,
                 resume: bool = False) -> None:
        refuse_other_format(path, "lines of JSON (.jsonl, packed .jsonl.gz), or a table (.parquet)")
        self.done = Done()
        self.size = self.number = 0
        self._packed = path.endswith(".gz")
        self._path, self._place, self._beside = path, Place(path), Path(f"{path}.run")
        #: Whether it is a file that can be resumed.
        self.lasting = path != "-" and (os.path.isfile(path) or not os.path.exists(path))
        if not self.lasting and resume:
            what = "standard output" if path == "-" else "a device or pipe"
            raise InputError(f"{what} cannot be resumed", hint="name a file: -o results.jsonl")
        if path == "-":
            self._file: BinaryIO = sys.stdout.buffer
            return
        with self._errors():
            if not self.lasting:
                self._file = open(path, "wb", buffering=0)  # noqa: SIM115
                return
            self._file = open(path, "r+b" if os.path.exists(path) else "x+b", buffering=0)  # noqa: SIM115
        try:
            with self._errors():
                self._lock()
                if self._file.seek(0, os.SEEK_END):
                    if not resume:
                        hint = "--resume, or another file"
                        raise InputError("there are results in it already", where=self._place, hint=hint)
                    self._refuse_other(run, same or {})
                    self._go_on()
            self.note(run)
        except BaseException:
            self._file.close()
            raise

    def note(self, run: Mapping[str, Any]) -> None:
        """Write the question beside the results."""
        if self.lasting:
            write_whole(self._beside, (json.dumps(run, indent=1) + "\n").encode())

    def write(self, lines: bytes) -> None:
        """Append whole lines. When this returns, they survive the end of this process.

        Raises OutputError when the file cannot be written, or was removed. Its earlier content is kept.
        """
        self.size, self.number = self.size + len(lines), self.number + lines.count(b"\n")
        data = memoryview(gzip.compress(lines, LEVEL, mtime=0) if self._packed else lines)
        if not self.lasting:
            with self._errors():
                while data:
                    data = data[self._file.write(data) :]
                self._file.flush()
            return
        start = self._file.tell()
        try:
            with self._errors():
                while data:
                    data = data[self._file.write(data) :]
        except OutputError:
            with suppress(OSError):
                self._file.truncate(start)
            raise
        self._refuse_removed()

    def complete(self) -> None:
        """Called when all results are written."""

    def close(self) -> None:
        """Synchronise with the disk, and close; OutputError when that fails."""
        if self._path == "-":
            return
        with self._errors(), self._file:
            if self.lasting:
                os.fsync(self._file.fileno())
                self._refuse_removed()

    def _refuse_removed(self) -> None:
        if os.fstat(self._file.fileno()).st_nlink == 0:
            raise OutputError("it was removed while it was written", where=self._place, hint="begin anew")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            wrong = unwritable(error, self._path)
            if isinstance(wrong, OutputError) and self.lasting:
                wrong.hint = "the results so far are kept: --resume continues when there is space"
            raise wrong from None

    def _lock(self) -> None:
        """Lock the file, so that two runs do not write it. (Not on systems without such locks.)"""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another batch is writing it", where=self._place, hint="wait, or end that one") from None

    def _refuse_other(self, run: Mapping[str, Any], same: Mapping[str, Callable[[Any], bool]]) -> None:
        try:
            before = json.loads(self._beside.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            missing = "is missing" if isinstance(error, FileNotFoundError) else "cannot be read"
            raise InputError(f"nothing says what these results answer: {self._beside.name} {missing}",
                             where=self._place, hint="begin anew") from None
        now = json.loads(json.dumps(run))
        if not isinstance(before, dict):
            raise InputError("this is not what a batch writes", where=Place(str(self._beside)), hint="begin anew")
        for key in sorted({*before, *now}):
            agrees = same[key](before.get(key)) if key in same else before.get(key) == now.get(key)
            if not agrees:
                raise InputError(
                    f"these are results of another run: {key} was {before.get(key)!r}, and is {now.get(key)!r}",
                    where=self._place,
                    hint="write to another file",
                )

    def _go_on(self) -> None:
        """Read which instances are done, and cut off an incomplete line."""
        self._file.seek(0)
        whole = self._read_members() if self._packed else self._read_plain()
        self._file.truncate(whole)
        self._file.seek(whole)

    def _read_plain(self) -> int:
        whole, rest = 0, b""
        while piece := self._file.read(_PIECE):
            *lines, rest = (rest + piece).split(b"\n")
            whole += self._take(lines)
        return whole

    def _read_members(self) -> int:
        """Member by member: only complete members count, which their checksums prove."""
        whole = at = 0
        unpack, lines, data = zlib.decompressobj(wbits=31), b"", b""
        while data or (data := self._file.read(_PIECE)):
            try:
                lines += unpack.decompress(data)
            except zlib.error as error:  # an interrupted write leaves too few bytes, never wrong ones
                raise InputError(f"damaged at byte {at:,}: {error}", where=self._place, hint="begin anew") from None
            at += len(data) - len(unpack.unused_data)
            data = unpack.unused_data
            if unpack.eof:
                self._take(lines.split(b"\n")[:-1])
                whole, unpack, lines = at, zlib.decompressobj(wbits=31), b""
        return whole

    def _take(self, lines: list[bytes]) -> int:
        """Record whole lines; their length in bytes."""
        for line in lines:
            found = _INDEX.match(line)
            if found is None or not line.endswith(b"}"):
                raise InputError(f"not a line of results: {line[:60]!r}", where=self._place, hint="begin anew")
            self.done.add(int(found[1]))
        size = sum(map(len, lines)) + len(lines)
        self.size, self.number = self.size + size, self.number + len(lines)
        return size
