"""What a worker has from its caller: folder, environment variables, mask of new files, the path of Python's modules.

A worker is a fork of a server that was started earlier. `of_caller` is what the caller has at the moment, and `enter`
makes it the worker's; what a process can have from its start alone is `inherited`, and servers differ in it.

A process for untrusted jobs has the variables that a solver needs to start, then almost none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from bridge.common import own_process
from bridge.isolation.resources import inherited_limits, libc, read_text

#: What it takes to start Python, clingo and SWI-Prolog, and to find them where the caller does.
NEEDED = {
    *("PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"),
    *("SWI_HOME_DIR", "XDG_DATA_HOME"),
}
#: How the names of our own variables begin, which are needed, too.
OURS = "LPBRIDGE_"

#: What a program needs to print text and times as its user reads them.
_KEPT = {"LANG", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_NUMERIC", "LC_TIME", "TZ"}

#: SWI-Prolog 9.2.9 reads answers of tables after it has freed them (well-founded negation). `swipl` brings an allocator
#: along that leaves their contents alone; glibc's overwrites them where it caches by thread, and SWI-Prolog aborts.
_TUNABLES, _UNCACHED = "GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"


#: How the names of variables begin that Python, SWI-Prolog or the C library read when they start, and not again.
_AT_START = (
    *("LANG", "LC_", "TZ", "TMP", "TEMP", "HOME", "XDG_", "TERM", "EMACS", "INSIDE_EMACS"),
    *("SWI", "LPBRIDGE_", "PYTHON", "LD_", "DYLD_", "MALLOC_", "GLIBC_"),
)


def of_caller() -> dict[str, Any]:
    """What `enter` takes: the state of this process."""
    # A command's own folder, the first, is nothing that its programs import from.
    path = sys.path[own_process.is_command and not sys.flags.safe_path :]
    return {
        "folder": _folder(),
        "mask": _mask(),
        "path": [entry for entry in path if isinstance(entry, str)],
        "variables": os.environ.copy(),
    }


def inherited(variables: Mapping[str, str]) -> tuple[Any, ...]:
    """What a process has from the one that starts it, and cannot be given later: where they differ, a new one starts.

    `variables` are the caller's.
    """
    read = {name: value for name, value in variables.items() if name.startswith(_AT_START) and name != "PYTHONPATH"}
    return read, inherited_limits()


def between(caller: dict[str, Any], variables: Mapping[str, str], untrusted: bool) -> dict[str, Any]:
    """What a process with these variables lacks of a caller's state. An untrusted one gets the folder alone."""
    if untrusted:
        return {"folder": caller["folder"]}
    wanted = caller["variables"]
    changed: dict[str, str | None] = {name: value for name, value in wanted.items() if variables.get(name) != value}
    changed.update((name, None) for name in variables if name not in wanted)
    return {**caller, "variables": changed}


def enter(caller: Mapping[str, Any]) -> None:
    """Make the state of a caller that of this process: what `between` gives."""
    try:
        os.chdir(caller["folder"])
    except OSError:
        os.chdir("/")  # it is gone
    if "path" in caller:
        os.umask(caller["mask"])
        sys.path[:] = caller["path"]
        for name, value in caller["variables"].items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "/"  # it was deleted


def _mask() -> int:
    with suppress(OSError, IndexError, ValueError):
        return int(read_text("/proc/self/status").partition("\nUmask:")[2].split(maxsplit=1)[0], 8)
    mask = os.umask(0o077)  # it can be read in no other way; what another thread makes meanwhile is private
    os.umask(mask)
    return mask


def for_worker(variables: Mapping[str, str], untrusted: bool) -> dict[str, str]:
    """The environment that a worker or its fork server is started with; `started` is to be called there."""
    given = minimal(variables) if untrusted else dict(variables)
    given[_TUNABLES] = ":".join(filter(None, [given.get(_TUNABLES), _UNCACHED]))
    return given


def started() -> None:
    """Take back what `for_worker` has added: it has done its work, and programs see the caller's environment."""
    before = os.environ.pop(_TUNABLES, "").removesuffix(_UNCACHED).removesuffix(":")
    if before:
        os.environ[_TUNABLES] = before


def minimal(variables: Mapping[str, str]) -> dict[str, str]:
    """Of a caller's environment, what a process for untrusted jobs is started with."""
    return {name: value for name, value in variables.items() if name in NEEDED | _KEPT or name.startswith(OURS)}


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
