"""What another process prints, copied into a stream of this one."""

from __future__ import annotations

import os
import select
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable
from typing import IO, Any


class Copier:
    """A pipe, and a thread that copies what comes through it into a stream.

    One writes to the descriptor `end`; `error` is what was raised when the stream could not be written. After `most`
    bytes who writes has to wait, until `settle` is called.
    """

    def __init__(self, out: IO[Any], most: int | None = None) -> None:
        self._source, self.end = os.pipe()
        self._out = out
        self._most, self._copied = most, 0
        self._copying = threading.Condition()
        self._thread: threading.Thread | None = None
        self.error: BaseException | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def _copy(self) -> None:
        try:
            write = self._writer()
            more = True
            while more:
                select.select([self._source], [], [])
                with self._copying:
                    if more := bool(data := os.read(self._source, 1 << 16)):
                        write(data)
                        self._copied += len(data)
                    while self._most is not None and self._copied > self._most:
                        self._copying.wait()
        except BaseException as error:  # raised in the thread that waits for this one
            self.error = error
        finally:
            os.close(self._source)  # which ends the other process when it goes on writing
            self._source = -1

    def _writer(self) -> Callable[[bytes], object]:
        """A function that writes bytes, at once."""
        raw = getattr(self._out, "buffer", None)
        if raw is None and hasattr(self._out, "encoding"):  # a text stream without bytes: a notebook's, a test's
            decoder = getincrementaldecoder("utf-8")("replace")
            return lambda data: self._out.write(decoder.decode(data))
        self._out.flush()
        stream = self._out if raw is None else raw

        def write(data: bytes) -> None:
            stream.write(data)
            stream.flush()

        return write

    def settle(self) -> None:
        """Wait until all is copied that has been written so far."""
        while True:
            with self._copying:
                self._copied = 0
                self._copying.notify()
                if self._source == -1 or not select.select([self._source], [], [], 0)[0]:
                    return

    def finish(self) -> None:
        """Wait until all is copied: the other process has ended."""
        if self.end != -1:
            os.close(self.end)
            self.end = -1
        if self._thread is not None:
            with self._copying:
                self._most = None
                self._copying.notify()
            self._thread.join()
        elif self._source != -1:
            os.close(self._source)
            self._source = -1
