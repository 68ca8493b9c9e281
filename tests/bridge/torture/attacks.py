"""A job that tries what a confined process must not be able to do, by system calls: the names of the attacks, and each.

An attack returns what it reached; what the system refuses is an OSError. It is run in a worker, as `torture.attacks`.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

from bridge.limits import Limits
from bridge.outcome import Progress

_libc = ctypes.CDLL(None, use_errno=True)

#: The numbers of the calls on x86-64 and arm64.
_NUMBERS = {
    "prlimit64": (302, 261),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "unshare": (272, 97),
    "setns": (308, 268),
    "add_key": (248, 217),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "setxattr": (188, 5),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "io_uring_setup": (425, 425),
    "clone3": (435, 435),
    "clone": (56, 220),
    "memfd_create": (319, 279),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "personality": (135, 92),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "sethostname": (170, 161),
    "quotactl": (179, 60),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "inotify_init1": (294, 26),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "vmsplice": (278, 75),
    "splice": (275, 76),
    "sendmsg": (46, 211),
    "socketpair": (53, 199),
    "landlock_create_ruleset": (444, 444),
    "seccomp": (317, 277),
    "execveat": (322, 281),
    "setuid": (105, 146),
    "capset": (126, 91),
    "syslog": (103, 116),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "acct": (163, 89),
    "timer_create": (222, 107),
    "mlockall": (151, 230),
    "move_pages": (279, 239),
    "kcmp": (312, 272),
}


def call(name: str, *arguments: Any) -> int:
    """A system call by its name."""
    number = _NUMBERS[name][platform.machine() == "aarch64"]
    ctypes.set_errno(0)
    result: int = _libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def raise_memory() -> Any:
    """Lift the soft limit on memory, to the hard one."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    return call("prlimit64", 0, resource.RLIMIT_AS, struct.pack("qq", hard, hard), None)


def set_limit_of(pid: int) -> int:
    """Give another process one second of processor time: that killed the caller."""
    return call("prlimit64", pid, 0, struct.pack("QQ", 1, 1), None)


def write_to(pid: int) -> int:
    buffer = ctypes.create_string_buffer(8)
    vector = struct.pack("PN", ctypes.addressof(buffer), 8)
    return call("process_vm_writev", pid, vector, 1, struct.pack("PN", 0x400000, 8), 1, 0)


def stack(size: int = 1 << 16) -> int:
    memory = ctypes.create_string_buffer(size)
    _kept.append(memory)
    return ctypes.addressof(memory) + size


_kept: list[Any] = []


def fork_by(name: str) -> int:
    """A child that ends at once, if there is one."""
    if name == "clone3":
        pid = call("clone3", struct.pack("8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64)
    else:
        pid = call("clone", int(signal.SIGCHLD), 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid


def new_thread() -> str:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(1))
    try:
        thread.start()
    except RuntimeError as error:
        raise OSError(str(error)) from None
    thread.join()
    return f"a thread: {found}"


def connected_fcntl(pid: int) -> str:
    """Have the kernel send a signal to another process when something can be read."""
    import fcntl

    fcntl.fcntl(0, fcntl.F_SETOWN, pid)
    return "is its owner's"


def _read(path: str, mode: str = "r", size: int = -1) -> Any:
    with open(path, mode) as file:
        return file.read(size)


def _write(path: str) -> int:
    with open(path, "w") as file:
        return file.write("x")


ATTACKS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "prlimit64 on the caller": lambda given: set_limit_of(given["caller"]),
    "prlimit64 on the fork server": lambda given: set_limit_of(os.getppid() or given["fork_server"]),
    "raising RLIMIT_AS": lambda given: raise_memory(),
    "SysV shared memory": lambda given: call("shmget", 0x1234, 4096, 0o1666),
    "SysV message queue": lambda given: call("msgget", 0x1234, 0o1666),
    "SysV semaphores": lambda given: call("semget", 0x1234, 1, 0o1666),
    "POSIX message queue": lambda given: call("mq_open", b"torture", os.O_CREAT | os.O_RDWR, 0o600, None),
    "unshare": lambda given: call("unshare", 0x10000000),
    "unshare of the network": lambda given: call("unshare", 0x40000000),
    "setns": lambda given: call("setns", 0, 0),
    "add_key": lambda given: call("add_key", b"user", b"torture", b"x", 1, -3),
    "keyctl": lambda given: call("keyctl", 0, -3, 1),
    "userfaultfd": lambda given: call("userfaultfd", 1),
    "bpf": lambda given: call("bpf", 0, struct.pack("IIII", 2, 4, 4, 1) + bytes(100), 72),
    "perf_event_open": lambda given: call("perf_event_open", struct.pack("II", 1, 112) + bytes(112), 0, -1, -1, 0),
    "setxattr": lambda given: call("setxattr", given["file"].encode(), b"user.torture", b"x", 1, 0),
    "chmod": lambda given: os.chmod(given["file"], 0o777),
    "chown": lambda given: os.chown(given["file"], os.getuid(), os.getgid()),
    "utime": lambda given: os.utime(given["file"], (0, 0)),
    "mount": lambda given: call("mount", b"none", b"/proc", b"tmpfs", 0, None),
    "umount": lambda given: call("umount2", b"/proc", 2),
    "pivot_root": lambda given: call("pivot_root", b"/", b"/"),
    "chroot": lambda given: call("chroot", b"/proc/self"),
    "sched_setaffinity on the caller": lambda given: call("sched_setaffinity", given["caller"], 8, struct.pack("Q", 1)),
    "sched_setscheduler": lambda given: call("sched_setscheduler", given["caller"], 3, struct.pack("i", 0)),
    "nice of the caller": lambda given: call("setpriority", 0, given["caller"], 19),
    "ioprio of the caller": lambda given: call("ioprio_set", 1, given["caller"], 3 << 13),
    "ptrace": lambda given: call("ptrace", 16, given["caller"], 0, 0),
    "ptrace of itself": lambda given: call("ptrace", 0, 0, 0, 0),
    "process_vm_writev": lambda given: write_to(given["caller"]),
    "pidfd_open": lambda given: call("pidfd_open", given["caller"], 0),
    "kill the caller": lambda given: os.kill(given["caller"], 0),
    "kill the fork server": lambda given: os.kill(given["fork_server"], 0),
    "kill everything": lambda given: os.kill(-1, 0),
    "kill the first process": lambda given: os.kill(1, 0),
    "tkill": lambda given: call("tkill", given["caller"], 0),
    "sigqueue": lambda given: call("rt_sigqueueinfo", given["caller"], 0, bytes(128)),
    "a signal by fcntl": lambda given: connected_fcntl(given["caller"]),
    "environment of the caller": lambda given: _read(f"/proc/{given['caller']}/environ", "rb"),
    "environment of the fork server": lambda given: _read(f"/proc/{given['fork_server']}/environ", "rb"),
    "memory of the caller": lambda given: _read(f"/proc/{given['caller']}/mem", "rb", size=1),
    "a list of processes": lambda given: os.listdir("/proc"),
    "reading a file": lambda given: _read(given["file"]),
    "reading /etc/passwd": lambda given: _read("/etc/passwd"),
    "writing a file": lambda given: _write(given["file"]),
    "making a folder": lambda given: os.mkdir(given["file"] + ".d"),
    "truncating a file": lambda given: os.truncate(given["file"], 0),
    "a TCP socket": lambda given: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "a UDP socket": lambda given: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM),
    "a UNIX socket": lambda given: socket.socket(socket.AF_UNIX),
    "a netlink socket": lambda given: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "a socketpair": lambda given: socket.socketpair(),
    "passing descriptors": lambda given: call("sendmsg", 0, None, 0),
    "fork": lambda given: os.fork() or os._exit(0),
    "clone": lambda given: fork_by("clone"),
    "clone3": lambda given: fork_by("clone3"),
    "a thread": lambda given: new_thread(),
    "exec": lambda given: os.execv("/bin/true", ["true"]),
    "memfd_create": lambda given: call("memfd_create", b"torture", 0),
    "execveat": lambda given: call("execveat", 0, b"/bin/true", None, None, 0),
    "io_uring": lambda given: call("io_uring_setup", 1, bytes(120)),
    "personality": lambda given: call("personality", 0x0040000),
    "the clock": lambda given: call("clock_settime", 0, struct.pack("QQ", 1, 1)),
    "the host's name": lambda given: call("sethostname", b"x", 1),
    "open_by_handle_at": lambda given: call("open_by_handle_at", -100, bytes(16), 0),
    "inotify": lambda given: call("inotify_init1", 0),
    "fanotify": lambda given: call("fanotify_init", 0, 0),
    "the kernel's log": lambda given: call("syslog", 3, ctypes.create_string_buffer(100), 100),
    "another filter": lambda given: call("seccomp", 1, 0, None),
    "setuid": lambda given: os.setuid(os.getuid()),
    "capset": lambda given: call("capset", struct.pack("=Ii", 0x20080522, 0), bytes(24)),
    "mlockall": lambda given: call("mlockall", 1),
    "kcmp": lambda given: call("kcmp", os.getpid(), given["caller"], 0, 0, 0),
    "x32 numbers": lambda given: _x32(),
}


def _x32() -> int:
    """x86-64's second set of numbers: 39 is getpid, which is allowed under its first number."""
    ctypes.set_errno(0)
    result: int = _libc.syscall(0x40000000 | 41, 1, 1, 0)
    if result < 0:
        raise OSError(ctypes.get_errno(), "x32")
    return result


def warm() -> None:
    """There is nothing to load."""


def serve(request: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    kind, what, given = request
    try:
        if kind == "attack":
            reached = repr(ATTACKS[what](given))[:200]
        else:
            reached = repr(eval(what, {"os": os, "resource": resource, **globals()}))
        yield f"reached: {reached}", 1
    except OSError as error:
        yield f"refused: {error.errno} {error}", 1
    progress.complete = True
