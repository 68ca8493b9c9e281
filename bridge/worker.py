"""A job run in a process of its own: nothing that its program does can harm this one.

    worker = Worker("bridge.prolog.served")
    for answer in worker.ask("query", goal, limits=Limits(seconds=2), progress=progress): ...
    worker.close()

A job is a module with two functions: `warm()` loads its solver, and `serve(call, progress)` answers one call, an
iterator of plain data. One *template* process per module is warm and does nothing but fork: a worker costs
milliseconds (`python -m benchmarks isolation`) and starts from the same clean state each time. Where there is no fork,
a worker is spawned and warms itself.

What a worker finds streams back in batches (`marshal`: plain data only, so that nothing is run by being received). A
reader that is slow makes the worker wait. Limits are kept in rungs: the worker stops its own solver; a program that
will not stop is asked again; and when it still runs `GRACE` seconds after its time, its process is killed, with all
that it started. What had arrived by then is kept.
"""

from __future__ import annotations

import atexit
import marshal
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Literal
from weakref import WeakSet

from bridge.errors import BridgeError, InputError, LimitError, SolverError
from bridge.limits import UNLIMITED, LimitName, Limits
from bridge.outcome import Progress

#: Seconds that a worker has to stop by itself, before it is killed.
GRACE = 0.75

#: Where a program's own output goes: where this process's goes, all of it to stderr, or nowhere.
Output = Literal["inherit", "stderr", "nowhere"]

_LENGTH = struct.Struct("!I")

#: Does this system have fork? Otherwise each worker is spawned. (Tests set it.)
fork = hasattr(os, "fork")


class Worker:
    """One job's process, started when it is first asked something.

    Parameters
    ----------
    module
        The job, as a module's name.
    output
        Where the program's own output goes.
    untrusted
        Confine the process (see SECURITY.md): the folder is empty, nothing can be written, started or connected to.
    readable
        The files that an untrusted process may read.
    """

    def __init__(
        self, module: str, *, output: Output = "inherit", untrusted: bool = False, readable: Sequence[str] = ()
    ) -> None:
        self._module = module
        self._header = {"untrusted": untrusted, "readable": [str(Path(file).resolve()) for file in readable]}
        self._output: Output = "nowhere" if untrusted else output
        self._process: _Process | None = None
        self._lock = threading.Lock()
        self._buffer = bytearray()
        self._asking = self._stopped_by_us = False

    @property
    def alive(self) -> bool:
        """False before the first question, and after the process was killed or died: it has forgotten everything."""
        return self._process is not None

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return self._process.pid if self._process else None

    @property
    def asking(self) -> bool:
        """True while a question is open: there is one at a time."""
        return self._asking

    def start(self) -> None:
        """Start the process, if it does not run."""
        if self._process is None:
            self._buffer.clear()
            self._process = _start(self._module, {**self._header, "folder": _folder()}, self._output)
            _workers.add(self)

    def ask(
        self,
        call: tuple[Any, ...],
        progress: Progress,
        limits: Limits = UNLIMITED,
        convert: Callable[[list[Any]], Iterable[Any]] = iter,
    ) -> Iterator[Any]:
        """Put a call to the job and yield what it answers, as it comes.

        Parameters
        ----------
        call
            A name and arguments: plain data.
        progress
            Told how it ends: what the worker wrote into its own, and what became of the process.
        limits
            Seconds count from here. The stream that reads keeps `solutions`; the worker knows it too and finds no more.
        convert
            Makes solutions of a batch of answers.

        Raises
        ------
        BridgeError
            What the job raised.
        """
        if self._asking:
            raise InputError("an earlier question is still open", hint="use its answers up or close them first")
        self._asking, self._stopped_by_us = True, False
        begun = monotonic()
        try:
            self.start()
            left = None if limits.seconds is None else max(limits.seconds - (monotonic() - begun), 0.001)
            self._send(("ask", call, (left, limits.solutions, limits.nodes, limits.memory)))
            progress.stop = self.stop
            due = None if limits.seconds is None else begun + limits.seconds + GRACE
            yield from self._answers(progress, due, limits, convert)
        finally:
            progress.stop = None
            self._asking = False

    def call(self, call: tuple[Any, ...], limits: Limits = UNLIMITED, progress: Progress | None = None) -> Any:
        """Put a call to the job that has one answer, and give it; None when it has none.

        Raises
        ------
        LimitError
            When a limit came first, or the process ended.
        """
        progress = progress or Progress()
        answers = list(self.ask(call, progress, limits))
        if not progress.complete:
            said = progress.remark or f"the limit on {progress.limit} came first"
            raise LimitError(f"{call[0]}: {said}", hint="give it more, or look at what its directives do")
        return answers[0] if answers else None

    def _answers(
        self, progress: Progress, due: float | None, limits: Limits, convert: Callable[[list[Any]], Iterable[Any]]
    ) -> Iterator[Any]:
        waiting, over = progress.waiting, False
        try:
            while not over:
                over = self._receive(progress, due, limits, convert)
                while waiting:
                    yield waiting.popleft()
        except KeyboardInterrupt:
            over = over or self._stopped(progress, limits, convert)
            raise
        except BridgeError:
            over = True
            raise
        finally:
            if not over:
                self._stopped(progress, limits, convert)
                progress.limit = None  # the reader had enough: no limit
            if waiting:
                progress.complete = False  # for the reader there are more

    def _receive(
        self, progress: Progress, due: float | None, limits: Limits, convert: Callable[[list[Any]], Iterable[Any]]
    ) -> bool:
        """Wait for one frame and take it in; True when it was the last."""
        frame = self._frame(due)
        if frame is None:
            self._over(progress, *self._killed("seconds", "its process was killed, since it did not stop in time"))
            return True
        if not frame:
            self._over(progress, *self._died(limits))
            return True
        kind, *data = marshal.loads(frame)
        if kind == "items":
            progress.waiting.extend(convert(data[0]))
            return False
        _read(progress, data[0])
        if self._stopped_by_us and not progress.complete:
            progress.limit = "interrupt"
        if kind == "error":
            # What came before the error is handed out before it.
            raise BridgeError.unpack(data[1])
        if progress.limit in ("halt", "memory"):
            self._killed(None, None)  # what is left of it is not to be trusted
        return True

    def _frame(self, due: float | None) -> bytes | None:
        """One frame; None when it is overdue, empty when the worker is gone."""
        waited = monotonic() + GRACE
        buffer, need = self._buffer, 4
        while len(buffer) < need or need == 4:
            if len(buffer) >= 4:
                need = 4 + _LENGTH.unpack_from(buffer)[0]
                if len(buffer) >= need:
                    break
            process = self._process
            if process is None:
                return b""
            timeout = None if due is None else max(due, waited) - monotonic()
            if timeout is not None and timeout <= 0:
                return None
            process.socket.settimeout(timeout)
            try:
                more = process.socket.recv(1 << 18)
            except TimeoutError:
                return None
            except OSError:
                return b""
            if not more:
                return b""
            buffer += more
        frame = bytes(memoryview(buffer)[4:need])
        del buffer[:need]
        return frame

    def _stopped(
        self, progress: Progress, limits: Limits, convert: Callable[[list[Any]], Iterable[Any]]
    ) -> bool:
        """Stop the search under way, keep what still comes, and end the process if it does not obey."""
        self.stop()
        due = monotonic() + GRACE
        try:
            while not self._receive(progress, due, limits, convert):
                pass
        except BridgeError:
            pass  # it ended, if not well: nobody waits for it any more
        except KeyboardInterrupt:
            self._over(progress, *self._killed("interrupt", "its process was killed"))
        return True

    def _over(self, progress: Progress, limit: LimitName | None, remark: str | None) -> None:
        progress.complete = False
        progress.limit, progress.remark = limit, remark
        if limit in ("seconds", "interrupt"):
            progress.rung = "kill"

    def _killed(self, limit: LimitName | None, remark: str | None) -> tuple[LimitName | None, str | None]:
        process, self._process = self._process, None
        if process is not None:
            process.finish()
        return limit, remark

    def _died(self, limits: Limits) -> tuple[LimitName, str]:
        process, self._process = self._process, None
        status = process.finish(gently=True) if process is not None else -signal.SIGKILL
        if status >= 0:
            return "halt", f"the program ended its process, with exit code {status}"
        name = _signal_name(-status)
        if limits.memory is not None and -status in (signal.SIGABRT, signal.SIGSEGV, getattr(signal, "SIGBUS", 0)):
            return "memory", f"its process died of {name} at its memory limit"
        return "crash", f"its process died of {name}"

    def _send(self, message: tuple[Any, ...]) -> None:
        process, data = self._process, marshal.dumps(message)
        assert process is not None
        try:
            with self._lock:
                process.socket.settimeout(None)
                process.socket.sendall(_LENGTH.pack(len(data)) + data)
        except OSError:
            pass  # it died; whoever reads next is told how

    def stop(self) -> None:
        """Ask the worker to stop what it does. From any thread."""
        process, self._stopped_by_us = self._process, True
        if process is not None:
            with suppress(OSError), self._lock:
                process.socket.sendall(_LENGTH.pack(len(_STOP)) + _STOP)

    def close(self) -> None:
        """End the process and all that it started. It can be asked again: a new one starts then."""
        self._killed(None, None)
        _workers.discard(self)

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()


_STOP = marshal.dumps(("stop",))

_workers: WeakSet[Worker] = WeakSet()


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "/"  # it was deleted


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _read(progress: Progress, told: dict[str, Any]) -> None:
    progress.complete, progress.limit, progress.rung = told["complete"], told["limit"], told["rung"]
    progress.remark = told["remark"]
    for phase, seconds in told["seconds"].items():
        progress.statistics.seconds[phase] = seconds
    progress.statistics.counters.update(told["counters"])


class _Process:
    """A worker's process as seen from here: its end of the line, and how to be rid of it."""

    def __init__(self, pid: int, line: socket.socket, reap: Callable[[int, bool], int]) -> None:
        self.pid, self.socket, self._reap = pid, line, reap

    def finish(self, gently: bool = False) -> int:
        """Kill it, if it lives, with all that it started; its exit code, or the negative number of a signal.

        Gently: it has closed its line and so is about to end by itself; let it, so that it says how.
        """
        status = self._reap(self.pid, gently)
        self.socket.close()
        return status


def _start(module: str, header: dict[str, Any], output: Output) -> _Process:
    ours, theirs = socket.socketpair()
    with theirs, open(os.devnull, "r+b") as null:
        standard = {"inherit": (1, 2), "stderr": (2, 2), "nowhere": (null.fileno(), null.fileno())}[output]
        descriptors = [theirs.fileno(), *(fd if _is_open(fd) else null.fileno() for fd in standard)]
        _flush()
        if not fork:
            return _spawned(module, header, ours, theirs, descriptors)
        for _ in range(2):
            template = _template(module)
            try:
                return _Process(template.fork(header, descriptors), ours, template.finish)
            except OSError:
                template.close()  # it died: a new one
    raise SolverError("the worker's template process dies at once", hint="`lpbridge doctor` may know why")


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


class _Template:
    """The warm process of one module, which forks a worker when it is told to."""

    def __init__(self, module: str) -> None:
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = _python(f"from bridge.template import main; main({module!r}, {theirs.fileno()})", [theirs])

    def fork(self, header: dict[str, Any], descriptors: list[int]) -> int:
        data = marshal.dumps(header)
        with self._lock:
            socket.send_fds(self._control, [b"F" + _LENGTH.pack(len(data)) + data], descriptors)
            return self._number()

    def finish(self, pid: int, gently: bool) -> int:
        with self._lock:
            try:
                self._control.sendall((b"W" if gently else b"K") + _LENGTH.pack(pid))
                return self._number()
            except OSError:  # the template is gone, and its workers went with it or are killed now
                for kill in (os.killpg, os.kill):
                    with suppress(OSError):
                        kill(pid, signal.SIGKILL)
                return -signal.SIGKILL

    def _number(self) -> int:
        reply = b""
        while len(reply) < 8:
            more = self._control.recv(8 - len(reply))
            if not more:
                raise ConnectionError
            reply += more
        number: int = struct.unpack("!q", reply)[0]
        return number

    def close(self) -> None:
        self._control.close()
        if self._process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
        self._process.poll()


_templates: dict[str, _Template] = {}
_templates_lock = threading.Lock()


def _template(module: str) -> _Template:
    with _templates_lock:
        known = _templates.get(module)
        if known is None or known._process.poll() is not None:
            if known is not None:
                known.close()
            known = _templates[module] = _Template(module)
        return known


def prepare(module: str) -> None:
    """Start a job's template now, in the background, so that it is warm when it is needed."""
    if fork:
        _template(module)


def _spawned(
    module: str, header: dict[str, Any], ours: socket.socket, theirs: socket.socket, descriptors: list[int]
) -> _Process:
    """A worker of its own making, without a template."""
    if sys.platform == "win32":  # pragma: no cover (written from the documentation of socket.share, and not tried)
        process = _python(f"from bridge.template import shared; shared({module!r}, {header!r})", [], subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(theirs.share(process.pid))
        process.stdin.close()
    else:
        code = f"from bridge.template import alone; alone({module!r}, {header!r}, {theirs.fileno()})"
        process = _python(code, [theirs], output=descriptors[1:])

    def reap(pid: int, gently: bool) -> int:
        if gently:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.25)
        with suppress(OSError, AttributeError):
            os.killpg(pid, signal.SIGKILL)
        process.kill()
        return process.wait()

    return _Process(process.pid, ours, reap)


def _python(
    code: str, sockets: list[socket.socket], stdin: int = subprocess.DEVNULL, output: list[int] | None = None
) -> subprocess.Popen[bytes]:
    """A Python with this lpbridge in it, in a session of its own: Ctrl-C at a terminal is not for it."""
    home = str(Path(__file__).parent.parent)
    path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=stdin,
        stdout=output[0] if output else None,
        stderr=output[1] if output else None,
        pass_fds=[one.fileno() for one in sockets],
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )


@atexit.register
def close_all() -> None:
    """End every worker and template of this process."""
    for worker in list(_workers):
        worker.close()
    while _templates:
        _templates.popitem()[1].close()


def _forget() -> None:
    """A forked child of this process has no part in its workers."""
    global _templates_lock
    _templates_lock = threading.Lock()
    for worker in list(_workers):
        if worker._process is not None:
            worker._process.socket.close()
            worker._process = None
    for template in _templates.values():
        template._control.close()
    _templates.clear()
    _workers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
