"""The operating system's walls around the worker of an untrusted job, put up before it reads a line of the program.

No privilege is needed, and nothing that is given up comes back. Each step returns the `Wall`s that stand afterwards;
the caller decides whether that is enough. `python -m bridge doctor` shows them for this machine.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from bridge.isolation import landlock, seccomp
from bridge.isolation.resources import libc, limit
from bridge.isolation.wall import Wall

_LINUX = sys.platform == "linux"

#: CAP_DAC_READ_SEARCH: root can still read the files that it was given, whatever their owner.
_READ_ANY = 1 << 2


def confine(readable: Iterable[str], keep: Sequence[int], in_folder: bool = False) -> list[Wall]:
    """The first step, while there is one thread: give up all other open files, the working folder, privileges, the
    files but `readable` and the solvers' own, and most of each resource.

    With `in_folder` the working folder stays: a job that opens files by relative names needs it. Of what is in it, the
    process can open what is `readable`.
    """
    if not in_folder:
        _empty_folder()
    _close_others({0, 1, 2, *keep})
    capabilities = _drop_capabilities()
    if _LINUX:
        libc().prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS, which the other steps need
    why = landlock.restrict([*_libraries(), *readable])
    files = Wall("Landlock", why is None, why or f"version {landlock.version()}")
    refused = limit(CORE=0, FSIZE=0, NOFILE=64, MEMLOCK=0, MSGQUEUE=0)
    limits = Wall("resource limits", not refused, f"the system refuses {', '.join(refused)}" if refused else "")
    return [files, limits, capabilities]


def seal() -> list[Wall]:
    """The second step, when there are all threads that there will be: give up processes, threads and system calls."""
    limit(NPROC=0)  # not kept for root; seccomp is
    why = seccomp.install()
    return [Wall("seccomp", why is None, why or "")]


def _empty_folder() -> None:
    """Work in a folder that is removed already: it is empty, and nothing can be made in it."""
    folder = mkdtemp(prefix="lpbridge-")
    os.chdir(folder)
    with suppress(OSError):
        os.rmdir(folder)


def _close_others(keep: set[int]) -> None:
    try:
        opened = [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:
        opened = list(range(os.sysconf("SC_OPEN_MAX")))
    # Python objects may still hold a descriptor; when they close it later, it must not be that of another file.
    with open(os.devnull, "r+b") as null:
        for fd in opened:
            if fd not in keep:
                with suppress(OSError):
                    os.fstat(fd)
                    os.dup2(null.fileno(), fd, inheritable=False)


def _drop_capabilities() -> Wall:
    """Give up the rights of root, and those that came with a user namespace."""
    name = "no capabilities"
    if not _LINUX:
        return Wall(name, False, "they are Linux's own")
    retained = _READ_ANY if os.geteuid() == 0 else 0
    header = struct.pack("=Ii", 0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    with suppress(AttributeError):
        for rights in (retained, 0):  # a container's root may not even have that one
            if libc().capset(header, struct.pack("=6I", rights, rights, 0, 0, 0, 0)) == 0:
                return Wall(name, True, "but to read any file: the caller is root" if rights else "")
    return Wall(name, False, "the system refuses to drop them")


def _libraries() -> list[str]:
    """What any solver may read while it works: Python's own libraries, and the system's."""
    found = [sys.prefix, sys.base_prefix, str(Path(__file__).parent.parent), "/dev/null", "/dev/urandom", "/usr/lib"]
    found += ["/usr/share/zoneinfo", "/etc/localtime", "/proc/self"]
    return [path for path in found if os.path.exists(path)]
