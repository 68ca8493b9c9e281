"""SWI-Prolog in a worker: the job that `remote.Remote` asks. One session a worker, in the module `user` as in swipl.

Untrusted programs have a job of their own, `job_untrusted`.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from operator import length_hint
from typing import TYPE_CHECKING, Any

from bridge.errors import BridgeError, ProgramError
from bridge.limits import Deadline, Limits
from bridge.outcome import Progress
from bridge.prolog import _janus
from bridge.prolog.calls import CALLS
from bridge.prolog.local import Local

if TYPE_CHECKING:
    from bridge.isolation.job_loop import JobLoop

loops: list[JobLoop] = []  # one
sessions: list[Local] = []  # none or one


def warm(*libraries: str) -> None:
    """Start Prolog, without a thread of its own: a fork takes only one along; with these libraries in memory."""
    _janus.janus().cmd("system", "set_prolog_gc_thread", "false")
    try_out(Local("lpbridge_warm"), ["X = 1", "X is foo", "X = f(_)", "dif(X, a)"])
    _janus.call("warm", list(libraries), module="lpbridge_worker")
    _janus.prepare_fork()


def asked(call: list[Any]) -> Any:
    """The reply of the caller to the call of one of its functions, which Prolog calls."""
    reply = loops[0].ask(call)
    if reply is None:
        raise ProgramError(f"the function {call[1]} failed")
    return reply


def stop_by_alarm() -> None:
    """From here on SIGALRM ends a search, in a process of one thread (`watchdog.alone`)."""
    _janus.call("stop_by_alarm", module="lpbridge_worker")


def try_out(session: Local, goals: Iterable[str]) -> None:
    """Run goals, so that what Prolog loads when it is first needed is there."""
    for goal in goals:
        with suppress(ProgramError):
            for _ in session.run(goal, [], None, True, Limits(), Progress()):
                pass


def connect(loop: JobLoop) -> None:
    loops.append(loop)


def pending() -> list[Any]:
    """The answers found and not sent yet. Called while the main thread is at work."""
    return sessions[0].pending() if sessions else []


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open`, `run`, `judge`, or one of `CALLS`."""
    if call[0] == "open":
        arguments, paths, functions = call[4:]
        _janus.call("begin", arguments, paths, os.getcwd(), module="lpbridge_worker")
        if functions:
            _janus.load("lpbridge_functions.pl")
            _janus.call("define", functions, module="lpbridge_functions")
    return answers(call, limits, progress, lambda strict: Local("user", strict))


def answers(
    call: tuple[Any, ...], limits: Limits, progress: Progress, make: Callable[[bool], Local]
) -> Iterator[tuple[Any, int]]:
    """As `serve`, in a session that `make` makes, strict or not."""
    name, *arguments = call
    if limits.memory is not None:
        _janus.call("limit_memory", limits.memory // 2, module="lpbridge_worker")
    if name == "open":
        _janus.forked()
        yield _open(make, progress, *arguments), 1
    elif name == "run":
        goal, inputs, most, texts = arguments
        yield from _run(goal, inputs, most, texts, limits, progress)
    elif name == "judge":
        yield from _judge(progress, *arguments)
    elif name in CALLS:
        answer = getattr(sessions[0], name)(*arguments)
        progress.complete = True
        yield answer, 1
    else:
        raise ValueError(f"no call: {name}")


def _open(
    make: Callable[[bool], Local],
    progress: Progress,
    sources: list[Any],
    strict: bool = True,
    taken: bool = False,
    *start: Any,
) -> tuple[Any, ...]:
    session = make(strict)
    if taken:
        _janus.call("begin_output", module="lpbridge_worker")
    sessions.append(session)
    progress.statistics.seconds = session.seconds
    loaded = session.consult(sources)
    progress.complete = True
    return loaded


def _run(
    goal: str, inputs: list[Any], most: int | None, texts: bool, limits: Limits, progress: Progress
) -> Iterator[tuple[Any, int]]:
    try:
        for chunk in sessions[0].run(goal, inputs, most, texts, limits, progress):
            if isinstance(chunk[0], list):  # of several variables, or large: weighed one by one
                for answer in chunk:
                    yield answer, 1 + length_hint(answer) + sum(map(length_hint, answer))
            else:
                yield chunk, 0
    except ProgramError as error:
        if limits.memory is None or not _is_of_memory(error.message):
            raise
        # Prolog's message goes on with its stacks, and how to enlarge them.
        remark = error.message.partition(" Stack sizes")[0]
        progress.limit, progress.rung, progress.remark = "memory", "stop", remark


def _judge(
    progress: Progress, texts: list[str], goals: list[tuple[str, int]], seconds: float | None, memory: int | None
) -> Iterator[tuple[Any, int]]:
    """First the variables of each goal, as they are read without a program; None where they cannot be.

    Then each of these programs in a fork of its own: what `_tried` gives, packed, or how the fork ended without it; and
    what it printed.
    """
    if type(sessions[0]) is Local:  # otherwise it was done before the walls went up
        stop_by_alarm()
    _janus.call("remember", sessions[0].module, module="lpbridge_worker")
    _janus.call("begin_output", module="lpbridge_worker")
    if memory is not None:
        _janus.call("limit_memory", memory // 2, module="lpbridge_worker")
    gc.freeze()
    limits = Limits(seconds=seconds, memory=memory)
    yield _names(goals), 1
    works = [partial(_tried, text, goals, limits) for text in texts]
    with closing(loops[0].forks(works, limits)) as forks:
        for fork in forks:
            yield [fork.result, fork.printed], 1 + fork.size
    progress.complete = True


def _names(goals: list[tuple[str, int]]) -> list[list[str] | None]:
    session, found = Local("lpbridge_names"), list[list[str] | None]()
    for goal, _ in goals:
        try:
            found.append(Local.names(session, goal))
        except ProgramError:
            found.append(None)
    return found


def _tried(text: str, goals: list[tuple[str, int]], limits: Limits) -> list[Any]:
    """A program that is loaded to those that are there: the error of that, if one came, and what each goal gives.

    That is the goal, its variables, so many answers at most, whether these are all, the limit that came first, and an
    error. Without goals it is the program's main goal, if it has one. The goals are asked of what is there, as swipl
    does, after an error and after halt(0); of a program that ended otherwise there is None.
    """
    deadline = Deadline(limits.seconds)
    session = sessions[0]
    _janus.forked()
    unread = None
    try:
        session.load(text, True, may_halt=True)
    except BridgeError as error:
        unread = error.pack()
    try:
        if session.halted:
            raise session.halt_error(session.halted)
        if changed := _janus.call("changed", session.module, module="lpbridge_worker"):
            raise ProgramError(f"it changes what the background defines: {', '.join(changed)}", term="redefined")
    except BridgeError as error:
        return [unread or error.pack(), None]
    if not goals and session.halted is None and (main := session.main()) is not None:
        goals = [(main, 1)]
    results: list[Any] = []
    for goal, most in goals:
        if session.halted is not None:  # with 0
            session.halted = None
            _janus.call("begin_output", module="lpbridge_worker")
        names: list[str] = []
        answers: list[Any] = []
        failed, progress = None, Progress()
        try:
            names = session.names(goal)
            for chunk in session.run(goal, [], most, True, Limits(seconds=deadline.remaining()), progress):
                answers += chunk
            if session.halted:
                raise session.halt_error(session.halted)
        except _janus.Aborted:  # while the goal was read
            failed = ProgramError("the program aborted what the bridge asked of it").pack()
        except ProgramError as error:
            failed = error.pack()
            if _is_of_memory(error.message):
                failed, progress.limit = None, "memory"
        results.append([goal, names, answers, progress.complete, progress.limit, failed])
    return [unread, results]


def _is_of_memory(message: str) -> bool:
    known = ("Stack limit", "Not enough resources", "annot allocate")
    return any(words in message for words in known)
