"""A job that writes any bytes onto its line: what a program does that has taken its process over."""

from __future__ import annotations

import gc
import os
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

from bridge.isolation import frames
from bridge.isolation.job_loop import JobLoop
from bridge.limits import Limits
from bridge.outcome import Progress


def warm() -> None:
    """There is nothing to load."""


def _line() -> socket.socket:
    (loop,) = [each for each in gc.get_objects() if isinstance(each, JobLoop)]
    line: socket.socket = loop._line
    return line


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    kind, *arguments = call
    if kind == "bytes":  # as they are
        _line().sendall(arguments[0])
        time.sleep(60)
    elif kind == "content":  # with a length before them
        _line().sendall(struct.pack("!I", len(arguments[0])) + arguments[0])
        time.sleep(60)
    elif kind == "leave":  # and end
        _line().sendall(arguments[0])
        os._exit(0)
    elif kind == "flood":  # answers without an end, whatever is asked
        data = frames.frame(["items", arguments[0], [1] * 100])
        while True:
            _line().sendall(data)
    elif kind == "value":  # an answer, of any kind
        progress.complete = True
        yield arguments[0], 1
    elif kind == "endless":
        for number in range(10**9):
            yield number, 1
            time.sleep(0.001)
    elif kind == "large":
        progress.complete = True
        yield 1, 1
        yield bytes(arguments[0]), 1
    else:
        progress.complete = True
        yield "sound", 1
