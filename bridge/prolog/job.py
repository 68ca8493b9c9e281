"""SWI-Prolog in a worker: the job that `remote.Remote` asks. One session a worker, in the module `user` as in swipl.

An untrusted one is in a module of its own: in `user` its clauses could be hooks that the system calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import length_hint
from typing import Any

from bridge.errors import ProgramError
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.prolog import _janus
from bridge.prolog.local import Local

_sessions: list[Local] = []  # none or one
_untrusted: list[bool] = []  # is it?
_safe: set[str] = set()  # goals of an untrusted one


def warm() -> None:
    """Start Prolog, and let it have no thread but ours: a fork takes only one along."""
    _janus.janus().query_once("set_prolog_gc_thread(false)")
    Local("lpbridge_warm").first("X = 1", [], Limits())


def confine() -> list[str]:
    """The last preparations before the process can open no more files; what it has to read all the same."""
    return [str(_call("confine"))]


def _call(predicate: str, *inputs: Any) -> Any:
    return _janus.call(predicate, *inputs, module="lpbridge_worker")


def pending() -> list[Any]:
    """The answers that wait behind the next. Called while the main thread is at work."""
    return _sessions[0].pending() if _sessions else []


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open`, or a method of `Local` by its name."""
    name, *arguments = call
    if limits.memory is not None:
        _call("limit_memory", limits.memory // 2)
    if name == "open":
        sources, untrusted = arguments
        module = "lpbridge_untrusted" if untrusted else "user"
        session = Local(module)
        _sessions.append(session)
        _untrusted.append(untrusted)
        progress.statistics.seconds = session.seconds
        warnings: list[str] = []
        for source, is_text in sources:
            warnings += session.load(source, is_text)
        progress.complete = True
        yield (warnings, _call("operators", module)), 1
    elif name == "run":
        goal, inputs, most, texts = arguments
        if _untrusted[0]:
            _check_safe(goal)
        yield from _run(goal, inputs, most, texts, limits, progress)
    else:
        if name == "names" and _untrusted[0]:
            _check_safe(arguments[0])
        answer = getattr(_sessions[0], name)(*arguments)
        progress.complete = True
        yield answer, 1


def _check_safe(goal: str) -> None:
    """Every goal comes through here before it is run; also one that only a worker before this one has looked at."""
    if goal in _safe:
        return
    identity, _ = _sessions[0]._goal(goal)  # a syntax error is told of with its place
    if said := _call("safe", identity):
        raise ProgramError(f"the goal is not safe to run: {said}", hint="an untrusted program cannot do that")
    _safe.add(goal)


def _run(
    goal: str, inputs: list[Any], most: int | None, texts: bool, limits: Limits, progress: Progress
) -> Iterator[tuple[Any, int]]:
    try:
        for chunk in _sessions[0].run(goal, inputs, most, texts, limits, progress):
            if isinstance(chunk[0], list):  # of several variables, or large: weighed one by one
                for answer in chunk:
                    yield answer, 1 + length_hint(answer)
            else:
                yield chunk, 0
    except ProgramError as error:
        if limits.memory is None or not _is_of_memory(error.message):
            raise
        # Prolog goes on to tell of its stacks, and how to enlarge them.
        remark = error.message.partition(" Stack sizes")[0]
        progress.limit, progress.rung, progress.remark = "memory", "stop", remark


def _is_of_memory(message: str) -> bool:
    known = ("Stack limit", "Not enough resources", "annot allocate")
    return any(words in message for words in known)
