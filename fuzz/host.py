"""The caller's side of a worker, fed with bytes in place of a process. All that the campaign knows of the protocol."""

from __future__ import annotations

import socket
from typing import Any

from bridge.isolation.frames import frame as framed
from bridge.isolation.process import Process
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Progress


def fed(data: bytes, limits: Limits) -> tuple[list[Any], Progress]:
    """What a question gets when these bytes come back, and then the end of the line.

    Raises
    ------
    BridgeError
        When they say so, or cannot be read.
    """
    ours, theirs = socket.socketpair()
    worker, progress = Worker("no.module"), Progress()
    worker._process = Process(0, ours, lambda pid: 0, lambda pid: 0)
    try:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        return list(worker.ask(("call", "text"), progress, limits)), progress
    finally:
        worker.close()
        theirs.close()
        ours.close()


__all__ = ["fed", "framed"]
