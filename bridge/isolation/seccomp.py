"""A list of the system calls that an untrusted job may make, put up by seccomp; all others fail with EPERM.

On the list is what a solver needs that computes, reads files and answers on a socket that is open already. Not on it
is whatever reaches beyond the process: new processes and threads, sockets, signals to others, limits and scheduling,
shared memory and message queues, keys, mounts, namespaces, owners, modes and times of files, and what only the kernel's
own debuggers need. Some calls are allowed with certain arguments only (`_checked`).
"""

from __future__ import annotations

import errno
import os
import struct
import sys

from bridge.isolation.resources import libc

#: The calls that are allowed with any arguments. Their numbers on x86-64 and on arm64; None
#: where there is no such call.
_ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "futex": (202, 98), "clock_gettime": (228, 113), "read": (0, 63), "recvfrom": (45, 207), "select": (23, None),
    "pselect6": (270, 72), "poll": (7, None), "ppoll": (271, 73), "getrusage": (98, 165), "rt_sigprocmask": (14, 135),
    "rt_sigaction": (13, 134), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136), "sigaltstack": (131, 132),
    "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216), "madvise": (28, 233),
    "brk": (12, 214), "open": (2, None), "openat": (257, 56), "close": (3, 57), "write": (1, 64), "readv": (19, 65),
    "writev": (20, 66), "pread64": (17, 67), "lseek": (8, 62), "stat": (4, None), "lstat": (6, None),
    "fstat": (5, 80), "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78), "getdents64": (217, 61),
    "getcwd": (79, 17), "fadvise64": (221, 223), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "getsockname": (51, 204), "getpeername": (52, 205), "getsockopt": (55, 209), "gettimeofday": (96, 169),
    "time": (201, None), "times": (100, 153), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101), "setitimer": (38, 103), "restart_syscall": (219, 128), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "getcpu": (309, 168), "sysinfo": (99, 179), "uname": (63, 160),
    "getrandom": (318, 278), "getrlimit": (97, 163), "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178),
    "getpgrp": (111, None), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "membarrier": (324, 283), "set_robust_list": (273, 99), "rseq": (334, 293), "exit": (60, 93),
    "exit_group": (231, 94),
}  # fmt: skip

#: The calls whose arguments are checked, or that fail with an error of their own.
_CHECKED = {
    "sendto": (44, 206), "fcntl": (72, 25), "ioctl": (16, 29), "kill": (62, 129), "tgkill": (234, 131),
    "prlimit64": (302, 261), "prctl": (157, 167), "clone3": (435, 435),
}  # fmt: skip

#: By machine: its number in the kernel (AUDIT_ARCH_*), the column of the tables, and the number of `seccomp` itself.
_MACHINES = {"x86_64": (0xC000003E, 0, 317), "aarch64": (0xC00000B7, 1, 277)}

#: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. F_SETOWN would send signals to others.
_FCNTL = (0, 1, 2, 3, 4, 1030)
#: FIONBIO, FIONREAD, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ.
_IOCTL = (0x5421, 0x541B, 0x5451, 0x5450, 0x5401, 0x5413)
#: PR_SET_NAME, PR_GET_NAME.
_PRCTL = (15, 16)

_LOAD, _JUMP, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x06
_ALLOW, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS

Step = tuple[int, int, int, int]


def _argument(index: int, high: bool = False) -> Step:
    """Load half of an argument; both machines are little-endian."""
    return (_LOAD, 0, 0, 16 + 8 * index + 4 * high)


def _one_of(index: int, values: tuple[int, ...]) -> list[Step]:
    """Allow the call when the lower half of an argument is one of these; then refuse it."""
    steps = [_argument(index)]
    for value in values:
        steps += [(_EQUAL, 0, 1, value & 0xFFFFFFFF), (_RETURN, 0, 0, _ALLOW)]
    return [*steps, (_RETURN, 0, 0, _REFUSE)]


def _null(index: int) -> list[Step]:
    """Allow the call when a pointer is NULL; then refuse it."""
    return [
        _argument(index),
        (_EQUAL, 0, 3, 0),
        _argument(index, high=True),
        (_EQUAL, 0, 1, 0),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]


def _checked(own: int) -> dict[str, list[Step]]:
    """What is done about each call of `_CHECKED`, in the process of this number."""
    return {
        "sendto": _null(4),  # on a connected socket, to no address
        "fcntl": _one_of(1, _FCNTL),
        "ioctl": _one_of(1, _IOCTL),
        "kill": _one_of(0, (0, own)),  # 0 is its own process group, in which it is alone
        "tgkill": _one_of(0, (own,)),
        # Of itself, and no new limit: the test of the process jumps over the refusal to that of the pointer.
        "prlimit64": [_argument(0), (_EQUAL, 2, 0, 0), (_EQUAL, 1, 0, own), (_RETURN, 0, 0, _REFUSE), *_null(2)],
        "prctl": _one_of(0, _PRCTL),
        "clone3": [(_RETURN, 0, 0, _UNKNOWN)],  # libc then tries clone, which is refused
    }


def program(machine: str, own: int) -> list[Step]:
    """The filter of a process, as steps of classic BPF. It reads the call's number at 0, and its architecture at 4.

    It looks a number up by halves: when a filter is put up, the kernel runs it on every number there is.
    """
    architecture, column, _ = _MACHINES[machine]
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, 0)]
    steps += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _REFUSE)]  # x86-64's second set of numbers
    cases = [(numbers[column], [(_RETURN, 0, 0, _ALLOW)]) for numbers in _ALLOWED.values()]
    cases += [(_CHECKED[name][column], answer) for name, answer in _checked(own).items()]
    return steps + _looked_up(sorted((number, answer) for number, answer in cases if number is not None))


def _looked_up(cases: list[tuple[int, list[Step]]]) -> list[Step]:
    """Do what is done about the call of the number that is loaded; refuse what is not among these."""
    if len(cases) == 1:
        ((number, answer),) = cases
        return [(_EQUAL, 0, len(answer), number), *answer, (_RETURN, 0, 0, _REFUSE)]
    half = len(cases) // 2
    lower = _looked_up(cases[:half])
    return [(_AT_LEAST, 0, 1, cases[half][0]), (_JUMP, 0, 0, len(lower)), *lower, *_looked_up(cases[half:])]


def install() -> str | None:
    """Put the filter up for all threads of this process, for good; why it cannot be, or None.

    The process has given up new privileges before (`PR_SET_NO_NEW_PRIVS`).
    """
    if sys.platform != "linux":
        return "it is Linux's own"
    import ctypes

    machine = os.uname().machine
    if machine not in _MACHINES or sys.maxsize < 2**32:
        return f"there is no list of system calls for {machine}"
    steps = b"".join(struct.pack("=HBBI", *step) for step in program(machine, os.getpid()))
    buffer = ctypes.create_string_buffer(steps)
    filter_ = struct.pack("@HP", len(steps) // 8, ctypes.addressof(buffer))  # struct sock_fprog
    _, _, call = _MACHINES[machine]
    result = libc().syscall(call, 1, 1, filter_)  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC
    if result:
        return f"the kernel refuses it: {os.strerror(ctypes.get_errno()) if result < 0 else 'a thread has another'}"
    return None
