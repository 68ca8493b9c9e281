"""Namespaces of Linux for the workers of one fork server: other processes, shared memory and networks are not there.

An ordinary user gets them through a user namespace of its own, in which it keeps its number; root needs none. Where the
system does not give them (many containers do not) the other walls stand alone.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from time import sleep

from bridge.isolation.resources import die_with_parent, libc
from bridge.isolation.wall import Wall

_NEW = {"user": 0x10000000, "IPC": 0x08000000, "network": 0x40000000, "PID": 0x20000000}

#: The name of the process that is the first in a PID namespace.
INIT = "lpbridge-init"


def enter() -> list[Wall]:
    """Enter user, IPC and network namespaces of this process's own. It may have one thread only."""
    if os.geteuid() == 0:  # it would lose its right to read others' files, also those that it was given
        walls = [Wall("user namespace", False, "not used: the caller is root")]
    else:
        walls = [_entered("user")]
        if not walls[0].up:
            walls += [Wall(f"{kind} namespace", False, "needs a user namespace") for kind in ("IPC", "network")]
            return walls
    return [*walls, _entered("IPC"), _entered("network")]


def enter_processes() -> Wall:
    """Put the children of this process, from here on, into a PID namespace. It may have one thread only.

    The first of them, which the namespace ends with, does nothing but reap.
    """
    for _ in range(200):  # a thread that was joined takes a moment to be gone
        with suppress(OSError):
            if len(os.listdir("/proc/self/task")) == 1:
                break
        sleep(0.001)
    wall = _entered("PID")
    if wall.up and os.fork() == 0:
        _reap()
    return wall


def _entered(kind: str) -> Wall:
    import ctypes

    name = f"{kind} namespace"
    uid, gid = os.geteuid(), os.getegid()
    if sys.platform != "linux":
        return Wall(name, False, "it is Linux's own")
    if libc().unshare(_NEW[kind]):
        return Wall(name, False, f"the system refuses it: {os.strerror(ctypes.get_errno())}")
    if kind == "user":
        try:
            for file, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
                with open(f"/proc/self/{file}", "w") as table:
                    table.write(text)
        except OSError as error:
            return Wall(name, False, f"the system refuses its table of users: {error.strerror}")
    return Wall(name, True)


def _reap() -> None:
    """The life of a namespace's first process. It never returns."""
    try:
        die_with_parent(0)  # the number of a process outside
        libc().prctl(15, INIT.encode(), 0, 0, 0)  # PR_SET_NAME
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.closerange(0, 1024)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        while True:
            signal.sigwait({signal.SIGCHLD})
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    finally:
        os._exit(1)
