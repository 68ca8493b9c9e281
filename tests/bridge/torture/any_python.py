"""A job that runs given Python code in a confined process, to test what the operating system permits."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from bridge.limits import Limits
from bridge.outcome import Progress


def warm() -> None:
    """There is nothing to load."""


def serve(
    call: tuple[Any, ...], limits: Limits, progress: Progress, more: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[tuple[Any, int]]:
    names = {"os": os, "socket": socket, "subprocess": subprocess, "in_thread": in_thread, **more}
    try:
        result = repr(eval(call[1], names))
    except OSError as error:
        result = f"OSError: {error}"
    progress.complete = True
    yield result, 1


def in_thread(function: Callable[[], Any]) -> Any:
    """A new thread is confined as the others are. What it raises is raised here."""
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(function())
        except OSError as error:
            results.append(error)

    thread = threading.Thread(target=run)
    try:
        thread.start()
    except RuntimeError as error:
        raise OSError(str(error)) from None
    thread.join()
    if isinstance(results[0], OSError):
        raise results[0]
    return results[0]
