"""janus, and what has to be known about it. Nothing else in lpbridge touches it.

- The module is started once; it carries `lpbridge.pl`.
- janus keeps every distinct goal text for ever and writes into the dictionary of inputs that it is given: goal texts
  here are constants, and each call gets a fresh dictionary.
- Queries must be advanced and closed by the thread that opened them, the last opened first; anything else ends the
  process. `Cursor` keeps that rule.
- A call from a thread that has no Prolog engine ends the process: `call` and `Cursor` attach one first.
- A running query is stopped by `thread_signal(Thread, abort)` from another thread: no program can catch that for good.
"""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import as_file, files
from types import ModuleType
from typing import Any

from bridge.errors import BridgeError, InputError, SolverError
from bridge.prolog.locate import import_janus

_GOAL = "lpbridge:answer(_Module, _Text, _Inputs, Answer)"


_here = threading.local()


class Aborted(Exception):
    """The query was stopped from outside."""


@cache
def janus() -> ModuleType:
    """The janus module, started, with the Prolog side of the bridge loaded.

    Raises
    ------
    MissingSolverError
        When SWI-Prolog or janus is not there.
    """
    module = import_janus()
    _here.attached = True
    with as_file(files("bridge.prolog") / "lpbridge.pl") as path:
        module.query_once("load_files(_File, [silent(true)])", {"_File": str(path)})
    return module


def attached() -> ModuleType:
    """janus, with an engine for the calling thread."""
    module = janus()
    if not hasattr(_here, "attached"):
        module.attach_engine()
        _here.attached = True
    return module


def call(predicate: str, *inputs: Any) -> Any:
    """Call a deterministic predicate of `lpbridge.pl`: inputs first, one output last, which is returned.

    Raises
    ------
    Aborted
        When a stop reached it.
    SolverError
        When it raised a Prolog error; user code's own errors come back as answers and never get here.
    """
    module = attached()
    try:
        return module.apply_once("lpbridge", predicate, *inputs)
    except module.PrologError as error:
        raise _translated(error) from None


def _translated(error: Exception) -> Exception:
    text = str(error)
    return Aborted() if "Aborted" in text or "aborted" in text else SolverError(f"SWI-Prolog: {text}")


def settle() -> None:
    """After a stop: let those that came late hit this call and not the next query.

    There may be many: they are sent again every half second, and a garbage collection can take longer than that.
    """
    for _ in range(1000):
        try:
            call("inferences")
        except Aborted:
            continue
        return


@cache
def _swipl() -> Any:
    return janus()._swipl


class Stopper:
    """Stops whatever Prolog runs in the thread that made this, from any other thread."""

    def __init__(self) -> None:
        self._thread = call("thread_number")

    def __call__(self) -> None:
        attached().query_once("lpbridge:stop(_Thread)", {"_Thread": self._thread})


_open: list[Cursor] = []  # of all threads; each thread sees its own in the order of opening


class Cursor:
    """A query under way: `next()` gives an answer as it crossed over, or None after the last."""

    def __init__(self, module: str, text: str, inputs: list[Any]) -> None:
        attached()
        self._thread = threading.get_ident()
        self._text = text
        _close_stale(self._thread)
        self._state = _swipl().open_query(_GOAL, {"_Module": module, "_Text": text, "_Inputs": inputs})
        self._stale = False
        _open.append(self)

    def next(self) -> Any:
        self._check_thread()
        _close_stale(self._thread)
        top = next(cursor for cursor in reversed(_open) if cursor._thread == self._thread)
        if top is not self:
            raise BridgeError(
                f"the answers of `{self._text}` cannot go on before those of `{top._text}`, a later query, are closed",
                hint="use up or close the inner query first",
            )
        try:
            answer = _swipl().next_solution(self._state)
        except janus().PrologError as error:
            raise _translated(error) from None
        return None if answer is False or answer["truth"] is False else answer["Answer"]

    def close(self) -> None:
        """Close the query now, or as soon as the later ones of this thread are closed."""
        self._stale = True
        if threading.get_ident() == self._thread:
            _close_stale(self._thread)

    def _check_thread(self) -> None:
        if threading.get_ident() != self._thread:
            raise InputError("a query belongs to the thread that opened it", hint="make a session in each thread")


def _close_stale(thread: int) -> None:
    for cursor in [cursor for cursor in reversed(_open) if cursor._thread == thread]:
        if not cursor._stale:
            return
        _swipl().close_query(cursor._state)
        _open.remove(cursor)
