"""Landlock (Linux 5.13; `man 7 landlock`): files, and by its version TCP, signals and abstract sockets, taken away."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from bridge.isolation.resources import libc

# The three system calls have the same numbers on every architecture.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
#: All that each version can take away from files; from version 4 on also TCP (bind and connect).
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP = 0b11


def version() -> int:
    """The version that this system has, 0 for none."""
    return max(0, libc().syscall(_CREATE, None, 0, 1)) if sys.platform == "linux" else 0


def restrict(readable: Iterable[str]) -> str | None:
    """Let the calling thread, and those it makes later, read these files and folders and no others, and write none.

    Gives why that cannot be done, or None. The process has given up new privileges before.
    """
    import ctypes

    if sys.platform != "linux":
        return "it is Linux's own"
    number = version()
    if not number:
        return "the kernel has none (it came with Linux 5.13, and can be left out or switched off)"
    call = libc().syscall
    rights = _FILE_RIGHTS[min(number, 5)]
    # struct landlock_ruleset_attr: files, network (from version 4 on), scopes (from 6 on: abstract sockets, signals).
    words = [rights] + ([_TCP] if number >= 4 else []) + ([0b11] if number >= 6 else [])
    attributes = (ctypes.c_uint64 * len(words))(*words)
    rules = call(_CREATE, ctypes.byref(attributes), ctypes.sizeof(attributes), 0)
    if rules < 0:
        return f"the kernel refuses it: {os.strerror(ctypes.get_errno())}"
    for path in readable:
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:  # it is not there, and so is not read
            continue
        allowed = (_EXECUTE | _READ_FILE | _READ_DIR) if os.path.isdir(path) else _READ_FILE
        # struct landlock_path_beneath_attr is packed: 8 bytes of rights, 4 of descriptor.
        rule = allowed.to_bytes(8, sys.byteorder) + fd.to_bytes(4, sys.byteorder)
        call(_ADD, rules, 1, rule, 0)
        os.close(fd)
    failed = call(_RESTRICT, rules, 0)
    why = f"the kernel refuses it: {os.strerror(ctypes.get_errno())}" if failed else None
    os.close(rules)
    return why
