"""Limits of a process: its memory, the number of its processes and files, and its process group (POSIX)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # pragma: no cover (Windows)
    resource = None  # type: ignore[assignment]

_LINUX = sys.platform == "linux"


def end_group() -> None:
    """End this process and all that it started, at once."""
    with suppress(AttributeError, OSError):
        os.killpg(0, signal.SIGKILL)
    os._exit(70)  # pragma: no cover


@cache
def libc() -> Any:
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


def warm() -> None:
    """Load in the fork server what each of its workers needs."""
    if _LINUX:
        libc()


def die_with_parent(parent: int) -> None:
    """Linux: when the fork server dies, so does this process."""
    if _LINUX:
        libc().prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:  # it died before that
        os._exit(70)


class MemoryLimit:
    """Caps the growth of the address space (RLIMIT_AS) beyond what the process has now."""

    def __init__(self) -> None:
        self._base = _size()

    @contextmanager
    def limited(self, memory: int | None) -> Iterator[None]:
        """While this is entered, the address space grows by `memory` bytes at most. (Not kept by macOS.)"""
        if memory is None or resource is None:
            yield
            return
        before, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = self._base + memory
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (before, hard))


def _size() -> int:
    """The size of this process's address space in bytes; 0 where it cannot be had."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def no_processes() -> None:
    """Give up starting processes and threads. (The superuser does not: Linux does not keep this limit for him.)"""
    limit(RLIMIT_NPROC=0)


def limit(**limits: int) -> None:
    for name, most in limits.items():
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most))
