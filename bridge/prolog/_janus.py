"""The only module that uses janus.

- The module is started once; it carries `lpbridge.pl`.
- janus keeps every distinct goal text for ever and writes into the dictionary of inputs that it is given: goal texts
  here are constants, and each call gets a fresh dictionary.
- Queries must be advanced and closed by the thread that opened them, the last opened first; anything else ends the
  process. `Query` keeps that rule.
- A call from a thread that has no Prolog engine ends the process: `call` and `Query` attach one first.
- A running query is stopped by `thread_signal(Thread, abort)` from another thread: no program can catch that for good.
- What is in a tuple that comes from Prolog is never freed, and what is nested thousands deep ends the process: the
  bridge carries lists, and flat ones where it must (`lpbridge_terms.pl`).
- A term `eval(Call)` that comes from Prolog calls Python. After `untrust` nothing comes through janus (`_line.py`).
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import as_file, files
from types import ModuleType
from typing import Any, NamedTuple

from bridge.errors import BridgeError, InputError, ProgramError, SolverError
from bridge.prolog._line import Library, Texts
from bridge.prolog.locate import current, import_janus

_GOAL = "lpbridge:chunks(_Level, _Id, _Inputs, _Most, _Texts, Chunk)"

#: As many answers as there are.
_ALL = 2**62


class _Here(threading.local):
    """What belongs to one thread."""

    def __init__(self) -> None:
        self.attached = False
        self.number = -1
        self.queries: list[Query] = []  # open, in the order of opening
        self.buffers: list[Buffer] = []  # by level


_here = _Here()
_starting = threading.RLock()
_libraries: list[Library] = []  # one, after `prepare_fork`
_lines: list[Library] = []  # the same, after `untrust`


class Aborted(Exception):
    """The query was stopped from outside, or by its program."""


def janus() -> ModuleType:
    """The janus module, started, with the Prolog side of the bridge loaded.

    Raises MissingSolverError when SWI-Prolog or janus is not there.
    """
    with _starting:  # threads that begin at once: `cache` alone would let each of them start Prolog
        return _started()


@cache
def _started() -> ModuleType:
    module = import_janus()
    _here.attached = True
    _load(module, "lpbridge.pl")
    module.cmd("lpbridge_errors", "hold_halt")
    return module


def _load(module: ModuleType, name: str) -> None:
    with as_file(files("bridge.prolog")) as folder:
        # Without query_once: janus's helpers for it would become those of `user`, where no program could define its own
        # `split_string/4`, `get_dict/3`, ... A module with `$` inherits from `system`.
        module.cmd("$lpbridge", "consult", str(folder / name))


def load(name: str) -> None:
    """Load another of the bridge's own Prolog files."""
    _load(attached(), name)


def prepare_fork() -> None:
    """For a process that is going to be forked, and whose forks have one session each: what they have in common."""
    installation = current()
    _libraries.append(Library(str(installation.libswipl)))
    _libraries[0].set_flag("executable", str(installation.swipl))
    # A blocking call is interrupted (SIGUSR2) when something is to be done: an alarm, a limit, a message.
    _libraries[0].set_flag("signals", True)


def forked() -> None:
    """For a fork of such a process: what is its own."""
    _libraries[0].set_flag("pid", os.getpid())


def untrust() -> None:
    """From here on, in this process, Prolog returns results as text: the program is untrusted."""
    module = attached()
    _lines.append(_libraries[0])
    for name in ("apply_once", "call", "next_solution", "open_query"):  # what returns terms
        setattr(_swipl(), name, _refuse)
    for name in ("apply", "apply_once", "comp", "once", "query", "query_once"):
        setattr(module, name, _refuse)
    module.PrologError.__str__ = module.PrologError.__repr__ = lambda error: "an error of Prolog"


def _refuse(*arguments: Any, **more: Any) -> Any:
    raise SolverError("janus returns nothing from an untrusted program")


def attached() -> ModuleType:
    """janus, with an engine for the calling thread."""
    module = janus()
    if not _here.attached:
        module.attach_engine()
        _here.attached = True
    return module


def call(predicate: str, *inputs: Any, module: str = "lpbridge", hooks: bool = False) -> Any:
    """Call a deterministic predicate of the bridge: inputs first, one output last, which is returned.

    Raises Aborted when a stop reached it; SolverError when it raised a Prolog error; user code's own errors come back
    as data and never get here, except where `hooks` of the program run in it: then ProgramError.
    """
    interface = attached()
    if _lines:
        return _call_for_text(interface, module, predicate, list(inputs))
    with _translating(hooks):
        return interface.apply_once(module, predicate, *inputs)


def _call_for_text(interface: ModuleType, module: str, predicate: str, inputs: list[Any]) -> Any:
    try:
        interface.cmd("lpbridge_line", "put", module, predicate, inputs)
    except interface.PrologError:  # its text is not asked for: that would come through janus
        raise Aborted from None
    texts = Texts(_lines[0], "result")
    try:
        succeeded, result = texts.next()
    except InterruptedError:
        raise Aborted from None
    except (TypeError, ValueError):
        raise SolverError("SWI-Prolog: the result is not in the bridge's form") from None
    finally:
        texts.close()
    if not succeeded:
        raise _error(str(result))
    return result


def _translated(error: Exception) -> Exception:
    for _ in range(10):  # janus asks Prolog for the text, where another stop may come: a blocked goal collects them
        try:
            text = str(error)
            break
        except Exception:
            text = "an error that cannot be printed"
    if "Aborted" in text or "aborted" in text or "unwind(abort)" in text:
        return Aborted()
    return _error(text)


def _error(text: str) -> BridgeError:
    """An error in a call of the bridge's own: it is the program's where that hooks into unification, or undoes."""
    if "lpbridge_untrusted:" in text or re.search(r"\$(run_)?undo'/1", text):
        return _of_program(text)
    return SolverError(f"SWI-Prolog: {text}")


def _of_program(text: str) -> ProgramError:
    return ProgramError(f"the program breaks what the bridge asks of it: {text}")


@contextmanager
def _translating(hooks: bool = True) -> Iterator[None]:
    """An error of Prolog in here is the program's where `hooks` of it run: what is undone comes after its answers."""
    try:
        yield
    except janus().PrologError as error:
        found = _translated(error)
        if hooks and isinstance(found, SolverError):
            found = _of_program(found.message.removeprefix("SWI-Prolog: "))
        raise found from None


def forget(identity: int) -> None:
    """Free a goal that `variables` has parsed. Not after `untrust`, whose process ends with its session."""
    if not _lines:
        with _translating():
            attached().cmd("lpbridge", "forget", identity)


def settle() -> None:
    """After a stop: let those that came late hit this call and not the next query.

    There may be many: they are sent again every half second, and a garbage collection can take longer than that.
    """
    for _ in range(1000):
        try:
            call("thread_number")
        except Aborted:
            continue
        return


def thread_number() -> int:
    """Prolog's number of the calling thread."""
    if _here.number < 0:
        _here.number = call("thread_number")
    return _here.number


def stop(number: int) -> None:
    """Stop whatever Prolog runs in the thread of that number. From any thread."""
    interface = attached()
    with suppress(interface.PrologError):
        interface.cmd("lpbridge", "stop", number)


@cache
def _swipl() -> Any:
    return janus()._swipl


class Buffer:
    """The place in Prolog where the answers of one query at a time wait to be fetched, and what was fetched of it."""

    def __init__(self, level: int) -> None:
        self.level = level
        self._lock = threading.Lock()
        self._serial = self._taken = 0

    def take(self, serial: int, answers: list[Any]) -> list[Any]:
        """The new answers of the chunk of this number. Each is returned once, to the first caller."""
        with self._lock:
            if serial > self._serial:
                self._serial, self._taken = serial, 0
            elif serial < self._serial:
                return []
            new = answers[self._taken :] if self._taken else answers
            self._taken = max(self._taken, len(answers))
            return new


class Chunk(NamedTuple):
    """Answers that have crossed together, and what they cost.

    `found` is how many the query has found for it: `pending` may have fetched some of them before.
    """

    status: str
    inferences: int
    phases: list[Any]
    answers: list[Any]
    found: int
    error: list[Any] | None = None


class Query:
    """A query under way: `next()` fetches the next chunk of its answers."""

    def __init__(self, text: str, identity: int, inputs: list[Any], most: int | None, texts: bool) -> None:
        attached()
        _close_stale()
        self.text = text
        self.thread = threading.get_ident()
        self.number = thread_number()
        level = _here.queries[-1].buffer.level + 1 if _here.queries else 0
        while len(_here.buffers) <= level:
            _here.buffers.append(Buffer(len(_here.buffers)))
        self.buffer: Buffer = _here.buffers[level]
        self._arguments = (level, identity, inputs, _ALL if most is None else most, texts)
        self._most = most
        self._state: list[int] | Texts | None = None
        self._stale = False

    def next(self) -> Chunk:
        """The next chunk; not to be called after one whose status is not `more`.

        Raises Aborted when it was stopped; `recover` has the answers up to then.
        """
        if self._most == 1:
            # One answer, and nothing stays open: this way costs least.
            return self._chunk(call("chunks", *self._arguments, hooks=True))
        if self._state is None:
            self._state = self._open()
            _here.queries.append(self)
        self._check()
        if isinstance(self._state, Texts):
            try:
                return self._chunk(self._state.next())
            except InterruptedError:
                raise Aborted from None
        with _translating():
            found = _swipl().next_solution(self._state)
        return self._chunk(found["Chunk"])

    def _open(self) -> list[int] | Texts:
        if _lines:
            try:
                attached().cmd("lpbridge_line", "ask", list(self._arguments))
            except janus().PrologError:
                raise Aborted from None
            return Texts(_lines[0], "chunk")
        names = ("_Level", "_Id", "_Inputs", "_Most", "_Texts")
        state: list[int] = _swipl().open_query(_GOAL, dict(zip(names, self._arguments, strict=True)))
        return state

    def _close(self) -> None:
        if isinstance(self._state, Texts):
            self._state.close()
        else:
            with _translating():
                _swipl().close_query(self._state)

    def _chunk(self, found: Any) -> Chunk:
        serial, status, inferences, phases, answers, error = found
        return Chunk(status, inferences, phases, self.buffer.take(serial, answers), len(answers), error)

    def recover(self) -> Chunk:
        """After a stop: the answers that were waiting."""
        return self._waiting(call("waiting", self.buffer.level))

    def pending(self) -> list[Any]:
        """The answers that wait at this moment while another thread runs the query. From any thread."""
        waiting = call("pending", self.number, self.buffer.level)
        return self._waiting(waiting).answers if waiting else []

    def _waiting(self, waiting: Any) -> Chunk:
        serial, inferences, phases, answers = waiting
        return Chunk("stopped", inferences, phases, self.buffer.take(serial, answers), len(answers))

    def _check(self) -> None:
        if threading.get_ident() != self.thread:
            raise InputError("these answers belong to the thread that began to read them", hint="query in each thread")
        _close_stale()
        top = _here.queries[-1]
        if top is not self:
            raise BridgeError(
                f"the answers of `{self.text}` cannot go on before those of `{top.text}`, a later query, are closed",
                hint="use up or close the inner query first",
            )

    def close(self) -> None:
        """Close the query now, or as soon as the later ones of this thread are closed. From any thread."""
        self._stale = True
        if threading.get_ident() == self.thread:
            _close_stale()


def _close_stale() -> None:
    queries = _here.queries
    while queries and queries[-1]._stale:
        queries.pop()._close()
