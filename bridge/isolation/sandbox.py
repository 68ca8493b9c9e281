"""The operating system's sandbox for untrusted jobs: Landlock (kernel 5.13; `man 7 landlock`), seccomp, and limits.

No privilege is needed, and what is given up is given up for good.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from bridge.isolation.resources import libc, limit

_LINUX = sys.platform == "linux"


def confine(readable: Iterable[str], keep: Sequence[int]) -> None:
    """Give up, for good: other open files, the folder, writing, and where there is Landlock, reading anything but
    `readable` and the solvers' own files, running programs, and connecting to anything. To be called while there is one
    thread; those that it makes later are confined, too.
    """
    _empty_folder()
    _close_others({0, 1, 2, *keep})
    if _LINUX:
        libc().prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS, without which nobody may restrict himself
        _landlock([*_libraries(), *readable])
        _seccomp()
    limit(RLIMIT_CORE=0, RLIMIT_FSIZE=0, RLIMIT_NOFILE=64)


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
        opened = list(range(256))
    # Objects of ours may still hold a descriptor; closed by them later, it must not be another file's by then.
    with open(os.devnull, "r+b") as null:
        for fd in opened:
            if fd not in keep and fd != null.fileno():
                with suppress(OSError):
                    os.fstat(fd)
                    os.dup2(null.fileno(), fd, inheritable=False)


def _libraries() -> list[str]:
    """What any solver may read while it works: Python's own libraries, and the system's."""
    found = [sys.prefix, sys.base_prefix, str(Path(__file__).parent.parent), "/dev/null", "/dev/urandom", "/usr/lib"]
    found += ["/usr/share/zoneinfo", "/etc/localtime", "/proc/self"]
    return [path for path in found if os.path.exists(path)]


# The three system calls of Landlock have the same numbers on every architecture.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
#: All that each version of Landlock can take away from files; and from version 4 on, TCP (bind and connect).
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP = 0b11


def landlock_version() -> int:
    """The version of Landlock that this system has, 0 for none."""
    return max(0, libc().syscall(_CREATE, None, 0, 1)) if _LINUX else 0


def _landlock(readable: Iterable[str]) -> None:
    import ctypes

    version = landlock_version()
    if not version:
        return
    call = libc().syscall
    rights = _FILE_RIGHTS[min(version, 5)]
    # struct landlock_ruleset_attr: files, network (from version 4 on), scopes (from 6 on: abstract sockets, signals).
    words = [rights] + ([_TCP] if version >= 4 else []) + ([0b11] if version >= 6 else [])
    attributes = (ctypes.c_uint64 * len(words))(*words)
    rules = call(_CREATE, ctypes.byref(attributes), ctypes.sizeof(attributes), 0)
    if rules < 0:
        return
    for path in readable:
        with suppress(OSError):
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined, unused-ignore]
            allowed = (_EXECUTE | _READ_FILE | _READ_DIR) if os.path.isdir(path) else _READ_FILE
            # struct landlock_path_beneath_attr is packed: 8 bytes of rights, 4 of descriptor.
            rule = allowed.to_bytes(8, sys.byteorder) + fd.to_bytes(4, sys.byteorder)
            call(_ADD, rules, 1, rule, 0)
            os.close(fd)
    call(_RESTRICT, rules, 0)
    os.close(rules)


#: By architecture (its number for seccomp): the system calls that are refused, then `clone` and `clone3`. Refused are
#: socket, execve, execveat, ptrace, process_vm_readv, process_vm_writev, io_uring_setup, pidfd_getfd, and where there
#: are such calls, fork and vfork.
_CALLS = {
    "x86_64": (0xC000003E, (41, 59, 322, 101, 310, 311, 425, 438, 57, 58), 56, 435),
    "aarch64": (0xC00000B7, (198, 221, 281, 117, 270, 271, 425, 438), 220, 435),
}
_LOAD, _EQUAL, _AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS


def _seccomp() -> None:
    """Refuse sockets of every kind, other programs and other processes; new threads are allowed.

    The filter reads the call's number at 0, its architecture at 4, and the lower half of its first argument at 16.
    """
    import ctypes

    if os.uname().machine not in _CALLS:
        return
    architecture, refused, clone, clone3 = _CALLS[os.uname().machine]
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, 0)]
    for test, number in ((_AT_LEAST, 0x40000000), *((_EQUAL, number) for number in refused)):
        steps += [(test, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]  # the first: x86_64's second set of numbers
    steps += [(_EQUAL, 0, 1, clone3), (_RETURN, 0, 0, _UNKNOWN)]  # then clone is tried, which can be looked into
    steps += [(_EQUAL, 0, 3, clone), (_LOAD, 0, 0, 16), (_HAS_BITS, 1, 0, 0x10000), (_RETURN, 0, 0, _REFUSE)]
    steps += [(_RETURN, 0, 0, _ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = struct.pack("@HP", len(steps), ctypes.addressof(code))  # struct sock_fprog
    libc().prctl(22, 2, program, 0, 0)  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
