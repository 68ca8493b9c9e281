"""Processes for workers: started from a fork server, and ended with all they started.

One *fork server* per module has loaded the solver and does nothing but fork: a worker costs milliseconds
(`python -m benchmarks isolation`) and starts from the same clean state each time. A worker of the command `lpbridge` is
a fork of the command. Questions and answers are the matter of `bridge.isolation.worker`.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol
from weakref import WeakSet

from bridge.common import own_process
from bridge.errors import BridgeError, SolverError
from bridge.isolation import environment, frames, resources, sockets, watchdog

if TYPE_CHECKING:
    from socket import socket

#: Where a program's own output goes: where this process's goes, all of it to stderr, or nowhere.
Output = Literal["inherit", "stderr", "nowhere"]

#: The same, or the descriptors that take its standard output and its standard error; None for nowhere.
OutputOrPair = Output | tuple[int, int | None]


class HasDescriptor(Protocol):
    """An open file of the operating system."""

    def fileno(self) -> int:
        """Its descriptor."""


_LENGTH = struct.Struct("!I")

#: The jobs whose workers may be forks of the command: SWI-Prolog needs an environment of its own.
_FORKED = frozenset({"bridge.asp.running.job", "bridge.asp.running.job_grounding", "bridge.profiling.profile_job"})


class Process:
    """A worker's process: our end of the line to it, and how to end it."""

    def __init__(
        self, pid: int, line: socket, finish: Callable[[int], int], discard: Callable[[int], object]
    ) -> None:
        self.pid, self.line, self._finish, self._discard = pid, line, finish, discard

    def discard(self) -> None:
        """Kill it with all that it started, without waiting for its exit code."""
        self._discard(self.pid)
        self.line.close()

    def finish(self) -> int:
        """Kill it, if it lives, with all that it started; its exit code, or the negative number of a signal.

        It has closed its line and is about to end by itself: it gets a moment, for the sake of its exit code.
        """
        status = self._finish(self.pid)
        self.line.close()
        return status


def start(
    module: str,
    header: dict[str, Any],
    caller: dict[str, Any],
    output: OutputOrPair,
    stdin: HasDescriptor | None = None,
    job: Any = None,
) -> Process:
    """A process for a job, which has got its header and waits for the first question.

    The header says whether the job is `untrusted`: its fork server then serves no others. The process begins in the
    state of the `caller` (`environment.of_caller`). Without `stdin` its standard input is empty. A `job` of this
    process is run in a fork of it, without a fork server.

    Raises
    ------
    SolverError
        When none can be started.
    BridgeError
        What the job's `warm` raised.
    """
    ours, theirs = sockets.pair()
    with closing(theirs), open(os.devnull, "r+b") as null:
        nowhere = null.fileno()
        named: dict[str, tuple[int, int | None]] = {"inherit": (1, 2), "stderr": (2, 2), "nowhere": (nowhere, nowhere)}
        standard = named[output] if isinstance(output, str) else output
        wanted = (nowhere if stdin is None else stdin.fileno(), *standard)
        descriptors = [theirs.fileno(), *(nowhere if fd is None or not _is_open(fd) else fd for fd in wanted)]
        _flush()
        untrusted = header["untrusted"]

        def begun(variables: Mapping[str, str]) -> dict[str, Any]:
            return {**header, "caller": environment.between(caller, variables, untrusted)}

        if job is not None:
            return _forked_here(job, begun(os.environ), ours, descriptors)
        if own_process.is_command and module in _FORKED and not untrusted and _has_no_other_threads():
            return _forked_here(import_module(module), begun(os.environ), ours, descriptors, of_command=True)
        for _ in range(2):
            server = _fork_server(module, untrusted, caller["variables"])
            try:
                return Process(server.fork(begun(server.variables), descriptors), ours, server.finish, server.discard)
            except OSError:
                server.close()  # it died: a new one
    raise SolverError("the worker's fork server dies at once", hint="`lpbridge doctor` may know why")


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _flush() -> None:
    """What was printed here comes before what a worker prints."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()


def _has_no_other_threads() -> bool:
    """Whether this process has one thread, and the watchdog's, also of those not of Python. (Only Linux says so.)"""
    try:
        return len(os.listdir("/proc/self/task")) == 1 + watchdog.runs()
    except OSError:
        return False


class _ForkServer:
    """A fork server of one module, as seen by its client. It has the environment `variables`."""

    def __init__(self, module: str, untrusted: bool, variables: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._workers: set[int] = set()
        self.inherited = environment.inherited(variables)
        self.variables = {**variables, "PYTHONPATH": _python_path(variables)}
        self._control, theirs = sockets.pair()
        with closing(theirs):
            from subprocess import DEVNULL, Popen  # here: the command forks itself, and needs none of it

            code = f"from bridge.isolation.fork_server import main; main({module!r}, {theirs.fileno()}, {untrusted})"
            self._process = Popen(
                [sys.executable, "-P", "-c", code],
                stdin=DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C at a terminal does not reach it
                env={**environment.for_worker(variables, untrusted), "PYTHONPATH": self.variables["PYTHONPATH"]},
            )

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def fork(self, header: dict[str, Any], descriptors: list[int]) -> int:
        from socket import send_fds  # here: a command forks itself, and needs none of it

        data = frames.pack(header)
        with self._lock:
            send_fds(self._control, [b"F" + _LENGTH.pack(len(data)) + data], descriptors)
            pid = self._number()
            if pid > 0:
                self._workers.add(pid)
                return pid
            raise BridgeError.unpack(frames.unpack(self._exactly(-pid)))

    def finish(self, pid: int) -> int:
        return self._end(b"W", pid)

    def discard(self, pid: int) -> None:
        """As `finish`, without waiting for the end."""
        self._end(b"D", pid)

    def _end(self, how: bytes, pid: int) -> int:
        with self._lock:
            try:
                self._control.sendall(how + _LENGTH.pack(pid))
                return self._number() if how == b"W" else 0
            except OSError:  # the fork server is gone, and its workers went with it or are killed now
                resources.killed(pid)
                return -signal.SIGKILL
            finally:
                self._without(pid)

    def retire(self) -> None:
        """End it with the last of its workers."""
        _retired.add(self)
        with self._lock:
            self._without(0)

    def _without(self, pid: int) -> None:
        self._workers.discard(pid)
        if self in _retired and not self._workers:
            self.close()

    def _number(self) -> int:
        number: int = struct.unpack("!q", self._exactly(8))[0]
        return number

    def _exactly(self, size: int) -> bytes:
        reply = b""
        while len(reply) < size:
            more = self._control.recv(size - len(reply))
            if not more:
                raise ConnectionError
            reply += more
        return reply

    def close(self) -> None:
        from subprocess import TimeoutExpired

        self._control.close()
        with suppress(TimeoutExpired):
            self._process.wait(5)


_fork_servers: dict[tuple[str, bool], _ForkServer] = {}
_fork_servers_lock = threading.Lock()
_retired: WeakSet[_ForkServer] = WeakSet()  # whose workers may live

#: Of more fork servers, the one that was not asked for longest is retired.
_MOST = 12


def _fork_server(module: str, untrusted: bool = False, variables: Mapping[str, str] = os.environ) -> _ForkServer:
    with _fork_servers_lock:
        known = _fork_servers.pop((module, untrusted), None)
        if known is not None and known.ended:
            known.close()
        elif known is not None and known.inherited != environment.inherited(variables):
            known.retire()
        elif known is not None:
            _fork_servers[module, untrusted] = known  # at the end: the first was not asked for longest
            return known
        while len(_fork_servers) >= _MOST:
            _fork_servers.pop(next(iter(_fork_servers))).retire()
        known = _fork_servers[module, untrusted] = _ForkServer(module, untrusted, variables)
        return known


def prepare(module: str, untrusted: bool = False) -> None:
    """Start a job's fork server now, in the background, so that it is warm when it is needed."""
    _fork_server(module, untrusted)


def _forked_here(
    job: Any, header: dict[str, Any], ours: socket, descriptors: list[int], of_command: bool = False
) -> Process:
    """A worker that is forked from this process, where its job is."""
    from bridge.isolation import fork_server  # here: a caller with fork servers needs none of it

    if of_command:
        resources.warm()
    own = [os.dup(descriptor) for descriptor in descriptors]
    parent = os.getpid() if of_command else None
    # Ctrl-C while a command forks is the command's: the worker unblocks it when it has left it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT} if of_command else ())
    with warnings.catch_warnings():
        # Python 3.12 warns of threads that hold locks; this child runs the job alone.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        ours.close()
        fork_server.run(job, header, own, parent, [], of_command)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    for descriptor in own:
        os.close(descriptor)
    return Process(pid, ours, partial(resources.reaped, gently=True), partial(resources.reaped, gently=False))


def _python_path(variables: Mapping[str, str]) -> str:
    """The search path of a Python that has this lpbridge."""
    home = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    return os.pathsep.join(filter(None, [home, variables.get("PYTHONPATH")]))


def close_fork_servers() -> None:
    for server in [*_retired, *_fork_servers.values()]:
        server.close()
    _fork_servers.clear()


def forget_fork_servers() -> None:
    """A forked child of this process has no part in its fork servers."""
    global _fork_servers_lock
    _fork_servers_lock = threading.Lock()
    for server in [*_retired, *_fork_servers.values()]:
        server._control.close()
    _retired.clear()
    _fork_servers.clear()
