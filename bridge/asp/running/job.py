"""clingo in a worker: the job that `remote.Remote` asks. The programs of a worker have numbers."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import clingo

from bridge.asp.functions import Check
from bridge.asp.model import Model
from bridge.asp.running.local import Local
from bridge.asp.running.packing import CALLS, Opening, Sender, pack
from bridge.asp.symbols import atoms
from bridge.common.lazy import load
from bridge.errors import LimitError, ProgramError
from bridge.isolation.job_loop import JobLoop
from bridge.limits import Limits
from bridge.outcome import Progress

if TYPE_CHECKING:
    from bridge.asp.reading.parsed import Reader
    from bridge.asp.reading.scripts import Scripts

#: Files are opened, and named in places and messages, as they were given: by names relative to the caller's folder.
in_folder = True

#: What a program can be asked whose answer sets clingo prints itself; before anything else it is loaded once more.
_WITH_APPLICATION = frozenset({"printed", "warnings", "has_main", "unknown_constants", "add"})

_programs: dict[int, Local] = {}
_sender = Sender(atoms)
_loop: list[JobLoop] = []  # one


def connect(loop: JobLoop) -> None:
    """The line to the caller, by which functions are called, and the models of a script's `main` are sent."""
    _loop.append(loop)


def pending() -> list[Any]:
    """The answers that clingo has printed, while it searches for the next one."""
    applications = [one.application for one in list(_programs.values()) if one.application is not None]
    return [answer for one in applications for answer in one.take()]


def warm() -> None:
    """Make clingo do everything once, and load what some programs need, so that it is all in memory."""
    from bridge.asp.reading import statements  # noqa: F401

    control = clingo.Control()
    control.add("base", [], "{ a }.")
    control.ground()
    control.solve()


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call to a program: one of `CALLS`, perhaps after `open`; or one of `_UNLOADED`."""
    name, number, *arguments = call
    if name == "open":
        closed, opening, changes, (name, *arguments) = arguments
        for old in closed:
            _programs.pop(old).close()
        _open(number, changes, Opening(*opening))
    if name not in _UNLOADED and name not in _WITH_APPLICATION:
        _programs[number].leave_application()
    if name in _UNLOADED:
        yield _unloaded(name, *arguments), 1
        progress.complete = True
    elif name == "main":
        _sender.begin()
        (models,) = arguments
        try:
            _programs[number].main(models, limits, progress, _send)
        finally:
            sys.stdout.flush()
            _unsettled.clear()
    elif CALLS[name].streams:
        program = _programs[number]
        progress.bounded = lambda lower: _loop[0].send(("lower", [*lower]), 1)
        found = getattr(program, name)(*arguments, limits, progress)
        yield from _sender.answers(found, CALLS[name].pack, program.warnings)
    else:
        answer = CALLS[name].pack(getattr(_programs[number], name)(*arguments))
        progress.complete = True
        yield answer, 1


def _open(number: int, changes: Any, opening: Opening) -> None:
    switched = None
    if opening.switching:
        from bridge.asp.reading.names import Switching

        switched = Switching(*opening.switching)
    reader = partial(_reader, tuple(opening.options), opening.untrusted)
    call = _call if opening.calls else None
    scripts = None if opening.untrusted else _enabled
    # An untrusted worker has all its threads; elsewhere pipes are others.
    printing = opening.printing and not (opening.untrusted or opening.calls)
    sources, options = opening.sources, opening.options
    program = Local(sources, options, switched, opening.theory, call, scripts, reader, printing=printing)
    _programs[number] = program
    for name, arguments in changes:
        getattr(program, name)(*arguments)


@cache
def _enabled() -> Scripts:
    """What runs scripts: Python in programs is enabled here alone, and when a program may have some."""
    from bridge.asp.reading.scripts import Scripts

    return Scripts(_settle)


@cache
def _reader(options: tuple[str, ...], untrusted: bool) -> Reader:
    """What reads the programs with some options, once for all of them."""
    from bridge.asp.reading.parsed import Reader

    return Reader(options, not untrusted)


#: What is asked of a program that is read, and not loaded: where the function is.
_UNLOADED = {
    "read": "bridge.asp.reading.statements:outline",
    "demanded": "bridge.asp.reading.demand:demanded",
    "tied": "bridge.asp.reading.demand:tied",
}


def _unloaded(name: str, sources: Any, options: Any, untrusted: bool, *arguments: Any) -> Any:
    found = load(_UNLOADED[name])(_reader(tuple(options), untrusted).read(sources), *arguments)
    return CALLS["outline"].pack(found) if name == "read" else found


def _call(name: str, arguments: list[Any], check: Check) -> list[str] | None:
    """Have the caller call one of its functions; it keeps the limits."""
    reply = _loop[0].ask((name, [pack(argument) for argument in arguments]))
    if reply is None:  # it raised an exception, which the caller has
        raise ProgramError(f"the function {name} failed")
    return None if reply is False else reply


_unsettled: list[bool] = []  # True when models of `main` were sent since the script last printed


def _send(model: Model) -> None:
    _unsettled[:] = [True]
    for answer, weight in _sender.model(model):
        _loop[0].send(answer, weight)


def _settle() -> None:
    """Wait until the caller has read the models, before the script prints: their order is that of a terminal."""
    if _unsettled and threading.current_thread() is threading.main_thread():
        _unsettled.clear()
        with suppress(LimitError):  # the caller reads no more
            _loop[0].ask(None)
