"""Limits of a process: its memory, the number of its processes and files, and its process group (POSIX)."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from time import monotonic, sleep
from typing import Any

_LINUX = sys.platform == "linux"


def end_group() -> None:
    """End this process and all that it started, at once."""
    with suppress(OSError):
        os.killpg(0, signal.SIGKILL)
    os._exit(70)  # pragma: no cover


def reaped(pid: int, gently: bool) -> int:
    """End a worker and its whole process group; how it ended. Gently: it is about to end by itself."""
    with suppress(ChildProcessError):
        patience = monotonic() + (0.25 if gently else 0.0)
        done, status = os.waitpid(pid, os.WNOHANG)
        while not done and monotonic() < patience:
            sleep(0.001)
            done, status = os.waitpid(pid, os.WNOHANG)
        if not done:
            killed(pid)
            done, status = os.waitpid(pid, 0)
        else:  # what it started may live on
            with suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(status)
    return -signal.SIGKILL


def killed(pid: int) -> bool:
    """Kill a worker that has not been waited for, with its group, which it may not have yet; was it there?"""
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return False
    return True


def read_text(path: str) -> str:
    """What a file of the system says. (`pathlib` takes a command milliseconds to load.)"""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


@cache
def libc() -> Any:
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


def warm() -> None:
    """Load in the fork server what each of its workers needs."""
    if _LINUX:
        libc()


def die_with_parent(parent: int) -> None:
    """Linux: when the parent dies, so does this process. A parent outside its PID namespace has the number 0."""
    if _LINUX:
        libc().prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:  # it died before that
        os._exit(70)


def hide() -> None:
    """Linux: from here on no process without the rights of root sees the memory of this one."""
    if _LINUX:
        libc().prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE


def inherited_limits() -> tuple[Any, ...]:
    """What the system holds against this process and those that it starts: limits, priority, processors, user."""
    names = ("AS", "CORE", "CPU", "DATA", "FSIZE", "NOFILE", "NPROC", "STACK")
    limits = [resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in names]
    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    user = os.getuid(), os.geteuid(), os.getgid(), os.getegid(), os.getgroups()
    return limits, os.getpriority(os.PRIO_PROCESS, 0), processors, user


class MemoryLimit:
    """Caps the growth of the address space (RLIMIT_AS) beyond what the process has now."""

    def __init__(self) -> None:
        self._base = size()

    @contextmanager
    def limited(self, memory: int | None) -> Iterator[None]:
        """While this is entered, the address space grows by `memory` bytes at most. (Not kept by macOS.)"""
        if memory is None:
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


def size(pid: int | str = "self") -> int:
    """The size of a process's address space in bytes; 0 where it cannot be had."""
    try:
        return int(read_text(f"/proc/{pid}/statm").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def limit(**limits: int) -> list[str]:
    """Set limits by name (`CORE=0`) for good: both the soft and the hard one. Those that the system refuses."""
    refused = []
    for name, most in limits.items():
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
        except (AttributeError, ValueError, OSError):
            refused.append(f"RLIMIT_{name}")
    return refused


class OtherLimits:
    """Limits of another process, set from outside: it cannot lift them.

    Parameters
    ----------
    pid
        The process. What it uses now is not counted.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._base = size(pid)

    def set(self, memory: int | None, seconds: float | None) -> None:
        """From here on its address space grows by `memory` bytes at most, and it computes for some `seconds`.

        The clock ends a search; processor time is a second limit behind it, three times as large, for three threads.
        """
        infinite = resource.RLIM_INFINITY
        used = _cpu_seconds(self._pid)
        self._set("RLIMIT_AS", infinite if memory is None else self._base + memory)
        self._set("RLIMIT_CPU", infinite if seconds is None else int(used + 3 * (seconds + 2)) + 1)

    def _set(self, name: str, most: int) -> None:
        number = getattr(resource, name)
        with suppress(ProcessLookupError):  # it has ended, which reading its answers shows
            _, hard = resource.prlimit(self._pid, number)
            if hard != resource.RLIM_INFINITY:
                most = hard if most == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(self._pid, number, (most, hard))


#: Can this system set the limits of another process?
CAN_LIMIT_OTHERS = hasattr(resource, "prlimit")


def _cpu_seconds(pid: int) -> float:
    try:  # `man 5 proc_pid_stat`: utime and stime are fields 14 and 15, the command's name is the second
        fields = read_text(f"/proc/{pid}/stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0
