"""clingo in a worker: the job that `remote.Remote` asks. One program a worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import clingo

from bridge.asp import _cffi
from bridge.asp.local import Local
from bridge.asp.names import Switching
from bridge.asp.packing import CALLS, Sender
from bridge.asp.symbols import atoms
from bridge.limits import Limits
from bridge.outcome import Progress

_programs: list[Local] = []  # none or one
_sender = Sender(atoms)


def warm() -> None:
    """Make clingo do everything once, so that it is all in memory."""
    control = clingo.Control()
    control.add("base", [], "{ a }.")
    control.ground()
    control.solve()
    _cffi.choose()


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open`, or one of `CALLS`."""
    name, *arguments = call
    if name == "open":
        _open(*arguments)
        progress.complete = True
    elif CALLS[name].streams:
        yield from _sender.answers(getattr(_programs[0], name)(*arguments, limits, progress), progress)
    else:
        answer = CALLS[name].pack(getattr(_programs[0], name)(*arguments))
        progress.complete = True
        yield answer, 1


def _open(sources: Any, options: Any, constants: Any, switching: Any, changes: Any) -> None:
    _programs.append(Local(sources, options, constants, Switching(*switching) if switching else None))
    for name, arguments in changes:
        getattr(_programs[0], name)(*arguments)
