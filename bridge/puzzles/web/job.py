"""The job of a worker of the workbench (`bridge.isolation.worker`): answers one question by lines of JSON.

The fork server answers a few questions before the first fork. So every worker starts with clingo, SWI-Prolog and the
ground programs of the usual sizes in memory, and a killed worker is replaced within milliseconds.
"""

from __future__ import annotations

import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from bridge.drawing import start_threads
from bridge.errors import BridgeError, MissingSolverError
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.puzzles.kinds.registry import class_of, kinds
from bridge.puzzles.kinds.trust import alone
from bridge.puzzles.web.limits import object_in
from bridge.puzzles.web.questions import QUESTIONS

#: Parts not yet sent: the worker's listening thread sends them while the search runs.
_told: deque[str] = deque()

#: The greatest delay of a part, in seconds.
patience = 0.003

#: Of usual sizes, puzzles that are impossible at a glance, so that their diagnosis is short: what is kept is the ground
#: programs, with rules as switches and without.
_USUAL: tuple[dict[str, Any], ...] = (
    {"puzzle": "sudoku", "grid": [[1, 1] + [None] * 7] + [[None] * 9] * 8},
    {"puzzle": "futoshiki", "grid": [[1, 1] + [None] * 3] + [[None] * 5] * 4},
    {"puzzle": "takuzu", "grid": [[1, 1, 1] + [None] * 5] + [[None] * 8] * 7},
)


def warm() -> None:
    """Load the solvers and ground the programs that most questions need."""
    with suppress(ImportError):
        import_module("typst")
    alone()
    for kind in kinds():  # a confined process does not read the files of kinds
        with suppress(BridgeError):
            class_of(kind, "puzzle")
    with suppress(MissingSolverError):  # a diagnosis notes it
        from bridge.prolog import job

        job.warm("clpfd")
    for puzzle in _USUAL:
        for name in ("look", "explain"):
            with suppress(BridgeError):
                QUESTIONS[name]({"puzzle": puzzle}, lambda part: None)


def confine() -> list[str]:
    """The paths that the confined process reads besides Python and clingo: encodings and Prolog's libraries."""
    from bridge.puzzles.encodings_folder import encoding

    readable = [os.path.realpath(encoding(""))]
    if "janus_swi" in sys.modules:
        from bridge.prolog.locate import current

        readable.append(str(current().home))
    return readable


def connect(loop: object) -> None:
    """Start the threads that the process may not start later: those of Typst, which makes PNG and PDF."""
    start_threads()


def pending() -> list[str]:
    """The new parts; called while a question is being answered."""
    waiting = []
    while _told:
        waiting.append(_told.popleft())
    return waiting


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one question, given by its name and the JSON that the page sent."""
    name, text = call
    _told.clear()
    try:
        QUESTIONS[name](object_in(text, "a question is an object of JSON"), lambda part: _told.append(_encode(part)))
        progress.complete = True
    except BridgeError as error:
        _told.append(_encode({"part": "error", **error.to_json()["error"]}))
    for line in pending():
        yield line, len(line)


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
