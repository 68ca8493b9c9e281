"""Fork server: a process that has loaded a solver, and forks one worker per job.

It only forks and reaps, so it always answers quickly. It ends, with all its workers, when the process that started it
ends. What a worker does then is in `job_loop`.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import struct
import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bridge.errors import BridgeError
from bridge.isolation import environment, frames, resources, sockets, watchdog
from bridge.isolation.job_loop import print_error, serve

if TYPE_CHECKING:
    from socket import socket

    from bridge.isolation.wall import Wall

_LENGTH = struct.Struct("!I")


def main(name: str, descriptor: int, untrusted: bool) -> None:
    """The main loop of a fork server. It ends when the other end of the control line is closed.

    `name` is that of the job's module, and what its `warm` is called with, all with spaces between. A fork server for
    untrusted jobs has no other workers, and they share its namespaces.
    """
    gc.disable()  # while modules are loaded, there is nothing to collect
    environment.started()
    control = sockets.of(descriptor)
    resources.warm()
    walls: list[Wall] = []
    if untrusted:
        import tempfile

        from bridge.isolation import namespaces, sandbox  # noqa: F401 its workers have it then

        walls += namespaces.enter()
    name, *prepared = name.split()
    job = import_module(name)
    failed = b""
    try:
        job.warm(*prepared)
    except BridgeError as error:  # a solver is missing: an error of each request for a worker
        failed = frames.pack(error.pack())
    if untrusted:
        with suppress(FileNotFoundError):  # no folder can be written to, or no file have a size
            tempfile.gettempdir()  # which the environment says
        environment.clear()
        watchdog.end()  # what has threads may not enter a namespace
        walls.append(namespaces.enter_processes())
    gc.freeze()  # what is there now is never collected, so that workers share its pages
    gc.enable()
    living: set[int] = set()
    dying: set[int] = set()
    with suppress(ConnectionError):  # the caller is gone, maybe while it was waiting for an answer
        while True:
            while dying and not select.select([control], [], [], 0.01)[0]:
                dying -= {pid for pid in dying if os.waitpid(pid, os.WNOHANG)[0]}
            _answer(control, job, walls, failed, living, dying)
    for pid in living | dying:
        resources.reaped(pid, gently=False)
    os._exit(0)


def _answer(
    control: socket, job: ModuleType, walls: list[Wall], failed: bytes, living: set[int], dying: set[int]
) -> None:
    """Take one request: to fork a worker, or to end one.

    Raises
    ------
    ConnectionError
        When the caller has closed its end.
    """
    head, descriptors = _received(control, 5)
    (number,) = _LENGTH.unpack(head[1:])
    if head[:1] == b"D":
        living.discard(number)
        if resources.killed(number):
            dying.add(number)
        return
    if head[:1] == b"W":
        living.discard(number)
        control.sendall(struct.pack("!q", resources.reaped(number, gently=True)))
        return
    header = frames.unpack(_received(control, number)[0])
    if failed:
        for fd in descriptors:
            os.close(fd)
        control.sendall(struct.pack("!q", -len(failed)) + failed)
        return
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        control.close()
        run(job, header, descriptors, 0 if walls and walls[-1].up else parent, walls)
    for fd in descriptors:
        os.close(fd)
    living.add(pid)
    control.sendall(struct.pack("!q", pid))


def _received(control: socket, size: int) -> tuple[bytes, list[int]]:
    from socket import recv_fds  # here: a worker needs none of it

    data, descriptors = b"", []
    while len(data) < size:
        more, some, _, _ = recv_fds(control, size - len(data), 8)
        descriptors += some
        if not more:
            raise ConnectionError
        data += more
    return data, descriptors


def run(
    job: Any,
    header: dict[str, Any],
    descriptors: list[int],
    parent: int | None,
    walls: list[Wall],
    of_command: bool = False,
) -> None:
    """The first steps of a worker, in the child of a fork. It never returns to the code of the parent.

    It dies with its parent. Without `parent` it ends when its line is closed: a thread that forked may end earlier. One
    that is a fork of the command has nothing of what that has open.
    """
    try:
        os.setsid()
        if parent is not None:
            resources.die_with_parent(parent)
        line, *standard = descriptors
        for target, fd in enumerate(standard):
            os.dup2(fd, target)
            os.close(fd)
        if of_command:
            line = os.dup2(line, 3)
            _leave()
        serve(job, header, sockets.of(line), walls)
    except BaseException as error:
        print_error(error)
    finally:
        os._exit(70)


_callers: list[Any] = []  # the streams of the command; if they were collected, they would close the worker's


def _leave() -> None:
    """Close the files of the command, but for the line and the standard ones, and have streams and signals anew."""
    gc.freeze()  # what the command has is never collected here: it may be a file, and its number another one's
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # one that the terminal sent before is the command's
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    _callers.extend([sys.stdin, sys.stdout, sys.stderr])
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    sys.argv[1:] = []
    if not sys.flags.safe_path:
        del sys.path[0]


def _stream(descriptor: int, mode: str) -> Any:
    """A standard stream as Python makes it: the caller's own may escape what it prints."""
    like = sys.__stderr__ if descriptor == 2 else sys.__stdout__
    named = None if like is None else like.encoding, None if like is None else like.errors
    try:
        buffering = 1 if descriptor == 2 else -1
        return open(descriptor, mode, buffering, encoding=named[0], errors=named[1], closefd=False)
    except OSError:  # it is closed
        return open(os.devnull, mode)
