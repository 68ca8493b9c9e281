"""A job run in a process of its own, whose program cannot harm this one.

A job is a module with two functions: `warm(...)` loads its solver, and `serve(call, progress)` answers one call, an
iterator of plain data. Its process is started by `bridge.isolation.process`. A job may also call functions of this
process (`functions`), while one of its calls is being answered.

What a worker finds streams back in batches, as plain data (`frames`). What cannot be read ends the worker, and is an
error of its question; the caller goes on. A reader that is slow makes the worker wait. Limits are enforced in three
steps: the worker stops its own solver; a program that will not stop is asked again; and when it still runs, or sends,
`GRACE` seconds after its time, its process is killed, with all that it started. What had arrived by then is kept.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet

from bridge.common import interrupts
from bridge.common.english import how_ended
from bridge.common.log import log
from bridge.errors import BridgeError, InputError, LimitError, SolverError, UnsupportedError
from bridge.isolation import cancellation, environment, frames
from bridge.isolation.cancellation import GRACE
from bridge.isolation.plain import form_of
from bridge.isolation.process import (
    HasDescriptor,
    OutputOrPair,
    Process,
    close_fork_servers,
    forget_fork_servers,
    start,
)
from bridge.isolation.resources import CAN_LIMIT_OTHERS, OtherLimits
from bridge.limits import UNLIMITED, LimitName, Limits, StopMethod
from bridge.outcome import Progress

if TYPE_CHECKING:
    from socket import socket

    from bridge.isolation.wall import Wall

DOCTOR = "`lpbridge doctor` shows this machine's walls"


class Worker:
    """One job's process, started when it is first asked something.

    Parameters
    ----------
    module
        The job, as a module's name; after it what its `warm` is called with, with spaces between.
    output
        Where the program's own output goes: that of an untrusted one to descriptors that are given here, or nowhere.
    stdin
        An open file that is the program's standard input; None for an empty one. An untrusted program has none.
    untrusted
        Confine the process (see SECURITY.md): the folder is empty, nothing can be written, started or connected to.
    readable
        The files that an untrusted process may read.
    allow_missing_walls
        Run an untrusted job where this machine does not put up an essential wall. `missing_walls` has these.
    functions
        Replies to the job's own questions, plain data to plain data; a FrameError is for data that no job sends. What
        else it raises, `ask` raises, too. It is given a function that it tells now and then how many bytes its reply
        has: that ends it where a limit of the question does. Without `functions` a job may ask nothing.
    job
        An object of this process with the functions of a job, in place of the module: the process is forked from this
        one. Not for untrusted jobs.
    forks
        The untrusted job may fork, and each fork is sealed in its place: what it reads itself is the caller's.
    """

    def __init__(
        self,
        module: str,
        *,
        output: OutputOrPair = "inherit",
        stdin: HasDescriptor | None = None,
        untrusted: bool = False,
        readable: Sequence[str] = (),
        allow_missing_walls: bool = False,
        functions: Callable[[Any, Callable[[int], None]], Any] | None = None,
        job: Any = None,
        forks: bool = False,
    ) -> None:
        self._module, self._job = module, job
        self._functions = functions
        self._untrusted, self._allow_missing_walls = untrusted, allow_missing_walls
        self.walls: tuple[Wall, ...] = ()  # around the process that was started last
        files = [os.path.realpath(file) for file in readable]
        self._header = {"untrusted": untrusted, "readable": files, "forks": forks}
        #: The state that this process had when the worker was first started: one that replaces it begins there, too.
        self._caller: dict[str, Any] | None = None
        if untrusted:  # what it may read does not change with the caller's folder
            self._caller = environment.of_caller()
        self._output: OutputOrPair = "nowhere" if untrusted and isinstance(output, str) else output
        self._stdin = None if untrusted else stdin
        self._process: Process | None = None
        self._lock = threading.Lock()
        self._reading = threading.RLock()  # held while a thread puts a question or waits for an answer
        self._most = frames.MOST_UNTRUSTED if untrusted else frames.MOST
        self._buffer = frames.Buffer(self._most)
        self._limits_of_process: OtherLimits | None = None
        self._questions: list[_Question] = []  # open, each put while the ones before it were
        self._number = 0
        self._replying = False  # one of `functions` is at work
        _workers.add(self)

    @property
    def alive(self) -> bool:
        """False before the first question, and after the process was killed or died: it has forgotten everything."""
        return self._process is not None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def asking(self) -> bool:
        return bool(self._questions)

    @property
    def missing_walls(self) -> tuple[Wall, ...]:
        """The essential walls that an untrusted job runs without."""
        return tuple(wall for wall in self.walls if wall.essential and not wall.up)

    def start(self) -> None:
        """Start the process, if it does not run.

        Raises
        ------
        UnsupportedError
            When the job is untrusted, and an essential wall cannot be put up.
        """
        if self._process is None:
            self._buffer = frames.Buffer(self._most)
            self._caller = self._caller or environment.of_caller()
            self._process = start(self._module, self._header, self._caller, self._output, self._stdin, self._job)
            log("debug", "process %d started: %s", self._process.pid, self._module)
            if self._untrusted:
                try:
                    self._walled()
                except BaseException:
                    self._kill()
                    raise

    def _walled(self) -> None:
        """Wait until the process has put up its walls; it has read nothing of the program."""
        from bridge.isolation.wall import Wall, without  # here: workers without walls need none of it

        content = self._frame(None)
        if not isinstance(content, bytes):
            _, how, _ = self._died(UNLIMITED)
            raise SolverError(f"an untrusted program's process did not start: {how}", hint=DOCTOR)
        _, _, walls = frames.unpack(content)
        self.walls = tuple(Wall(*wall) for wall in walls)
        if self.missing_walls and not self._allow_missing_walls:
            raise UnsupportedError(
                f"an untrusted program is not run: {without(self.missing_walls)}",
                hint=f"{DOCTOR}; to run it all the same: --allow-missing-walls, or allow_missing_walls=True in Python",
            )
        if CAN_LIMIT_OTHERS and self._process is not None:
            self._limits_of_process = OtherLimits(self._process.pid)

    def ask(
        self,
        call: tuple[Any, ...],
        progress: Progress,
        limits: Limits = UNLIMITED,
        convert: Callable[[list[Any]], Iterable[Any]] = iter,
    ) -> Generator[Any, None, None]:
        """Put a call to the job and yield what it answers, as it comes.

        Parameters
        ----------
        call
            A name and arguments: plain data.
        progress
            Gets how it ends: what the worker wrote into its own, and how the process ended.
        limits
            Seconds count from here. The stream that reads keeps `solutions`; the worker knows it too and finds no more.
        convert
            Makes solutions of a batch of answers.

        Raises
        ------
        BridgeError
            What the job raised.
        Exception
            What one of `functions` raised.
        """
        begun = monotonic()
        token = cancellation.CURRENT.get()
        if token is not None:
            token.check()
        if self._replying:
            hint = "make a session or program of its own for it"
            raise InputError("a function that a program calls cannot ask the same program", hint=hint)
        with self._alone():
            self.start()
            self._number += 1
            due = None if limits.seconds is None else begun + limits.seconds + GRACE
            question = _Question(self._number, call, progress, limits, convert, due)
            self._questions.append(question)
            self._limit_process()
            left = None if limits.seconds is None else max(limits.seconds - (monotonic() - begun), 0.001)
            numbers = (left, limits.solutions, limits.nodes, limits.memory)
            self._send(("ask", question.number, call, numbers))
        progress.stop = lambda: self._stop(question)
        if progress.stopping:  # by another thread, while the question was put
            self._stop(question)
        try:
            with token.running(lambda: self._stop(question), self._end) if token is not None else nullcontext():
                yield from self._answers(question)
            if token is not None:
                token.check()
        finally:
            progress.stop = None
            if question in self._questions:
                self._questions.remove(question)
                self._limit_process()

    def _limit_process(self) -> None:
        """Set the limits of an untrusted process, which may not do so itself: the narrowest of its open questions."""
        if self._limits_of_process is not None and self._process is not None:
            limits = [question.limits for question in self._questions if not question.over]
            memory = min((each.memory for each in limits if each.memory is not None), default=None)
            seconds = min((each.seconds for each in limits if each.seconds is not None), default=None)
            self._limits_of_process.set(memory, seconds)

    def call(
        self,
        call: tuple[Any, ...],
        limits: Limits = UNLIMITED,
        progress: Progress | None = None,
        read: Callable[[Any], Any] = lambda answer: answer,
    ) -> Any:
        """Put a call to the job that has one answer, and give it; None when it has none.

        Parameters
        ----------
        read
            Makes something of the answer. When it raises, the answer is not what the job should send: the worker is
            killed.

        Raises
        ------
        LimitError
            When a limit came first, or the process ended.
        """
        progress = progress or Progress()
        answers = list(self.ask(call, progress, limits, lambda items: map(read, items)))
        if not progress.complete:
            reason = progress.remark or how_ended(progress.limit)
            error = LimitError(f"{call[0]}: {reason}", hint="give it more, or look at what its directives do")
            error.limit = progress.limit or "seconds"
            raise error
        return answers[0] if answers else None

    def _answers(self, question: _Question) -> Iterator[Any]:
        waiting = question.progress.waiting
        try:
            while not question.over:
                with self._alone():
                    self._check(question)
                    self._receive(question, question.due)
                while waiting:
                    yield waiting.popleft()
        except KeyboardInterrupt:
            self._stopped(question)
            raise
        finally:
            if not question.over:
                self._stopped(question)
                question.progress.limit = None  # the reader had enough: no limit
            if waiting:
                question.progress.complete = False  # for the reader there are more
        if question.error is not None:
            raise question.error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """For what one thread at a time may do: the answers to all questions come by one line.

        Raises
        ------
        InputError
            While another thread does it.
        """
        if not self._reading.acquire(blocking=False):
            raise InputError(
                "another thread waits for an answer of the same program", hint="a program or session for each thread"
            )
        try:
            yield
        finally:
            self._reading.release()

    def _check(self, question: _Question) -> None:
        last = self._questions[-1]
        if last is not question and not last.over:
            raise BridgeError(
                f"the answers of {question} cannot go on before those of {last}, a later question, are closed",
                hint="use up or close the inner one first",
            )

    def _receive(self, question: _Question, due: float | None) -> None:
        """Wait for one frame, for this question or an earlier one, and take it in."""
        begun = monotonic()
        try:
            content = self._frame(due)
            if isinstance(content, bytes):
                self._understand(content)
            elif content == "gone":
                limit, remark, exit_code = self._died(question.limits)
                self._lost(limit, remark, exit_code=exit_code)
            else:
                self._lost("seconds", "its process was killed, since it did not stop in time", "kill")
        except frames.FrameError as error:
            self._distrust(str(error))
            return
        # What goes on sending after its time is not waited for either; a reader's own time does not count.
        if due is not None and not question.over and monotonic() > due:
            question.overtime += monotonic() - max(begun, due)
            if question.overtime > GRACE:
                self._lost("seconds", "its process was killed, since it did not stop in time", "kill")

    def _understand(self, content: bytes) -> None:
        match frames.unpack(content):
            case (str(kind), int(number), *data):
                for question in self._questions:
                    if question.number == number:
                        try:
                            self._take(question, kind, data)
                        except BridgeError:
                            raise
                        except Exception as error:  # the process may send anything
                            raise frames.FrameError(f"{kind}: {type(error).__name__} {error}") from error
            case _:
                raise frames.FrameError("no message")

    def _take(self, question: _Question, kind: str, data: list[Any]) -> None:
        progress = question.progress
        if kind == "items":
            progress.waiting.extend(question.convert(data[0]))
            return
        if kind == "call":
            self._reply(question, *data)
            return
        if kind not in ("done", "error"):
            raise ValueError("it is not a kind of message")
        _read(progress, data[0])
        if kind == "error":
            question.error = question.raised or BridgeError.unpack(data[1])
        question.over = True
        if question.stopped and not progress.complete:
            progress.limit = "interrupt"
        if missing := self.missing_walls:
            from bridge.isolation.wall import without

            progress.remark = "; ".join(filter(None, [progress.remark, without(missing)]))
        if progress.limit in ("halt", "memory"):
            self._kill()  # what is left of it is not to be trusted
            question.over = False
            self._lost(progress.limit, progress.remark, progress.rung, progress.exit_code)

    def _reply(self, question: _Question, number: int, call: Any) -> None:
        if self._functions is None:
            raise ValueError("no question was expected")
        reply, self._replying = None, True
        try:
            reply = self._functions(call, question.check)
        except frames.FrameError:
            raise
        except _Over as over:
            self._lost(over.limit, f"a function that the program calls was ended by the limit on {over.limit}", "kill")
            return
        except Exception as error:  # for the reader; the job gets no reply, and ends
            question.error = question.raised = error
        finally:
            self._replying = False
        self._send(("reply", question.number, number, reply))

    def _distrust(self, why: str) -> None:
        """The process has sent what cannot be read: end it, and with it the answers to all questions."""
        open_ = [question for question in self._questions if not question.over]
        self._lost("crash", "its process was killed, since what it sent could not be read", "kill")
        for question in open_:
            hint = "the program may have caused that; the next question gets a new process"
            question.error = SolverError(f"the answers of its process cannot be read: {why}", hint=hint)

    def _lost(
        self,
        limit: LimitName | None,
        remark: str | None,
        rung: StopMethod | None = None,
        exit_code: int | None = None,
    ) -> None:
        """The process is gone, and with it the answers to all questions."""
        if self._process is not None and limit is not None:
            log("info", "process %d is ended at the limit on %s: %s", self._process.pid, limit, self._module)
        self._kill()
        for question in self._questions:
            if not question.over:
                question.over = True
                progress = question.progress
                progress.complete, progress.limit, progress.remark, progress.rung = False, limit, remark, rung
                progress.exit_code = exit_code

    def _frame(self, due: float | None) -> bytes | Literal["overdue", "gone"]:
        """The content of one frame; or that it is overdue, or the worker gone."""
        waited = monotonic() + GRACE
        while (content := self._buffer.next()) is None:
            process = self._process
            if process is None:
                return "gone"
            timeout = None if due is None else max(due, waited) - monotonic()
            with interrupts.awaited():
                if (timeout is not None and timeout <= 0) or not _readable(process.line, timeout):
                    return "overdue"
            try:
                more = process.line.recv(1 << 18)
            except OSError:
                return "gone"
            if not more:
                return "gone"
            self._buffer.add(more)
        return content

    def _stopped(self, question: _Question) -> None:
        """Stop the search under way, keep what still comes, and kill the process if the search does not stop."""
        self._stop(question)
        if not self._reading.acquire(blocking=False):
            question.over = True  # another thread reads, and its own question was put later
            return
        try:
            if self._questions[-1] is not question:
                question.over = True  # it waits behind a later one, and its reader is gone
                return
            due = monotonic() + GRACE
            while not question.over:
                self._receive(question, due)
        except KeyboardInterrupt:
            self._lost("interrupt", "its process was killed", "kill")
        finally:
            self._reading.release()
        if question.progress.limit == "seconds":
            question.progress.limit = "interrupt"

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.discard()

    def _died(self, limits: Limits) -> tuple[LimitName, str, int | None]:
        process, self._process = self._process, None
        status = process.finish() if process is not None else -signal.SIGKILL
        if process is not None:
            log("info", "process %d ended with %d: %s", process.pid, status, self._module)
        if status >= 0:
            return "halt", f"the program ended its process, with exit code {status}", status
        name = _signal_name(-status)
        if limits.memory is not None and -status == signal.SIGABRT:  # how C++ ends when memory cannot be allocated
            return "memory", f"its process died of {name} at its memory limit", None
        return "crash", f"its process died of {name}", None

    def _send(self, message: tuple[Any, ...]) -> None:
        process, data = self._process, frames.frame(message)
        if process is not None:
            with suppress(OSError), self._lock:  # when it died, the next read shows how
                process.line.sendall(data)

    def _end(self) -> None:
        """Kill the process, from any thread; what reads it starts a new one for the next question."""
        if (process := self._process) is not None:
            with suppress(OSError, AttributeError):  # the latter where there are no groups
                os.killpg(process.pid, signal.SIGKILL)

    def _stop(self, question: _Question) -> None:
        """Ask the worker to stop what it does for a question. From any thread."""
        question.stopped = True
        self._send(("stop", question.number))

    def close(self) -> None:
        """End the process and all that it started. It can be asked again: a new one starts then."""
        self._lost(None, "the worker was closed")

    def __del__(self) -> None:
        try:  # noqa: SIM105  at the end of Python, `suppress` may be gone already
            self.close()
        except Exception:
            pass


class _Over(Exception):
    """A limit of a question came while a function of this process replied to its job."""

    def __init__(self, limit: LimitName) -> None:
        self.limit: LimitName = limit


@dataclass(eq=False, slots=True)
class _Question:
    """A question that is open, and what is known of its end."""

    number: int
    call: tuple[Any, ...]
    progress: Progress
    limits: Limits
    convert: Callable[[list[Any]], Iterable[Any]]
    due: float | None
    over: bool = False
    stopped: bool = False
    overtime: float = 0.0  #: Seconds spent reading its answers after its time.
    error: Exception | None = None
    raised: Exception | None = None  #: By a function that the job called.

    def check(self, size: int) -> None:
        """Raise `_Over` where a function that replies to the job has to end, its reply having so many bytes."""
        if self.stopped:
            raise _Over("interrupt")
        if self.due is not None and monotonic() > self.due - GRACE:
            raise _Over("seconds")
        if size > (frames.MOST if self.limits.memory is None else self.limits.memory):
            raise _Over("memory")

    def __str__(self) -> str:
        return " ".join(["a", str(self.call[0]), *[f"`{word}`" for word in self.call[1:2] if isinstance(word, str)]])


_workers: WeakSet[Worker] = WeakSet()


#: The most milliseconds that `poll` takes.
_LONGEST = 2**31 - 1


def _readable(line: socket, timeout: float | None) -> bool:
    """Wait until something can be read. (A timeout of the socket's own would be the sender's, too.)"""
    poll = select.poll()  # `select` refuses descriptors from 1024 on
    poll.register(line, select.POLLIN)
    return bool(poll.poll(None if timeout is None else min(ceil(timeout * 1000), _LONGEST)))


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


#: How a question has ended: complete, limit, rung, remark, exit code, seconds and counters.
_Numbers = dict[str, int | float]
ENDING = form_of(tuple[bool, LimitName | None, StopMethod | None, str | None, int | None, _Numbers, _Numbers])


def _read(progress: Progress, sent: Any) -> None:
    """Take over what a worker has sent about its end, which may be anything."""
    complete, limit, rung, remark, exit_code, seconds, counters = ENDING.read(sent)
    progress.complete, progress.limit, progress.rung, progress.remark = complete, limit, rung, remark
    progress.exit_code = exit_code
    progress.statistics.seconds.update(seconds)
    progress.statistics.counters.update(counters)


@atexit.register
def close_all() -> None:
    """End every worker and fork server of this process."""
    for worker in list(_workers):
        worker.close()
    close_fork_servers()


def _forget() -> None:
    """A forked child of this process has no part in its workers."""
    for worker in list(_workers):
        worker._lock, worker._reading = threading.Lock(), threading.RLock()  # which a thread of the parent may hold
        if worker._process is not None:
            worker._process.line.close()
            worker._process = None
    forget_fork_servers()


os.register_at_fork(after_in_child=_forget)
