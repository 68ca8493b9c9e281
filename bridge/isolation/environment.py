"""Environment variables of processes for untrusted jobs: those that a solver needs to start, then almost none."""

from __future__ import annotations

import os
import sys

from bridge.isolation.resources import libc, read_text

#: What it takes to start Python, clingo and SWI-Prolog, and to find them, and kinds of puzzles, where the caller does.
NEEDED = {
    *("PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"),
    *("SWI_HOME_DIR", "LPBRIDGE_SWIPL", "LPBRIDGE_HOME", "LPBRIDGE_PUZZLES", "XDG_DATA_HOME"),
}
#: What a program needs to print text and times as its user reads them.
_KEPT = {"LANG", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_NUMERIC", "LC_TIME", "TZ"}

#: SWI-Prolog 9.2.9 reads answers of tables after it has freed them (well-founded negation). `swipl` brings an allocator
#: along that leaves their contents alone; glibc's overwrites them where it caches by thread, and SWI-Prolog aborts.
_TUNABLES, _UNCACHED = "GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"


def for_worker(untrusted: bool) -> dict[str, str]:
    """The environment that a worker or its fork server is started with; `started` is to be called there."""
    given = minimal() if untrusted else dict(os.environ)
    given[_TUNABLES] = ":".join(filter(None, [given.get(_TUNABLES), _UNCACHED]))
    return given


def started() -> None:
    """Take back what `for_worker` has added: it has done its work, and programs see the caller's environment."""
    before = os.environ.pop(_TUNABLES, "").removesuffix(_UNCACHED).removesuffix(":")
    if before:
        os.environ[_TUNABLES] = before


def minimal() -> dict[str, str]:
    """The environment that a process for untrusted jobs is started with."""
    return {name: value for name, value in os.environ.items() if name in NEEDED | _KEPT}


def clear() -> None:
    """Remove what is no longer needed, also from the block of memory that `/proc/self/environ` shows."""
    remaining = {name: value for name, value in os.environ.items() if name in _KEPT}
    os.environ.clear()
    if sys.platform == "linux":
        import ctypes

        try:  # `man 5 proc_pid_stat`: env_start and env_end are fields 50 and 51, the command's name is the second
            fields = read_text("/proc/self/stat").rpartition(")")[2].split()
            start, end = int(fields[47]), int(fields[48])
        except (OSError, ValueError, IndexError):
            start = end = 0
        if start and end > start:
            libc().clearenv()
            ctypes.memset(start, 0, end - start)
    os.environ.update(remaining)
