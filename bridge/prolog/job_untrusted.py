"""SWI-Prolog in a worker, for untrusted programs: the job that `remote.Remote` asks for them.

Two walls stand before the first program is read, and the operating system's third one is put up by the worker:

- `first_wall`: goals and directives are looked at before they run (`lpbridge_sandbox.pl`).
- `second_wall`: what matters is taken out of Prolog, with the way to Python (`lpbridge_denied.pl`, `_line.py`).

The session is in a module of its own: in `user` its clauses could be hooks that the system calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bridge.errors import ProgramError
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.prolog import _janus, job
from bridge.prolog.job import connect, pending
from bridge.prolog.local import GOALS, Local

__all__ = ["confine", "connect", "pending", "serve", "warm"]

MODULE = "lpbridge_untrusted"

#: Whatever Prolog loads when it is first needed has to be there before the second wall: a library or an index.
_FIRST_NEEDS = ":- use_module(library(lists)).\n:- table p/0.\np :- tnot(p).\nq(X) :- nth1(X, [a, b], _).\n"
_FIRST_GOALS = (
    "p", "q(X)", "dif(X, Y), freeze(X, true)", "X is foo + 1, true", "X = f(X)", "predsort([_, _, _]>>true, [b, a], X)",
    "with_output_to(string(X), print(a))",
)  # fmt: skip

#: A goal whose check has the clauses of the first wall indexed.
_LOOKED_AT = "member(X, [1]), X is 1, \\+ fail, forall(X = 1, format('~w', [X])), findall(Y, Y = X, L), assertz(p(L))"


def warm() -> None:
    """Start Prolog, and put up the walls."""
    load()
    first_wall()
    Untrusted(True).names(_LOOKED_AT)
    second_wall()


def load() -> None:
    """Load what programs may need: after the second wall nothing can be loaded."""
    job.warm()
    for name in ("lpbridge_sandbox.pl", "lpbridge_denied.pl", "lpbridge_line.pl"):
        _janus.load(name)
    _janus.call("libraries", module="lpbridge_sandbox")
    session = Local("lpbridge_first_needs")
    session.load(_FIRST_NEEDS, True)
    job.try_out(session, _FIRST_GOALS)
    job.stop_by_alarm()


def first_wall() -> None:
    """From here on programs are checked when they are loaded, and goals before they run."""
    _janus.call("prepare", module="lpbridge_sandbox")
    Untrusted.looks = True


def second_wall() -> None:
    """From here on nothing in Prolog reaches files, processes, the environment, foreign code or Python."""
    _janus.call("deny", module="lpbridge_denied")
    _janus.untrust()


def confine() -> list[str]:
    """What has to be read when the process can open no other files: nothing, all of Prolog is there."""
    return []


class Untrusted(Local):
    """A session of an untrusted program."""

    looks = False

    def __init__(self, strict: bool) -> None:
        super().__init__(MODULE, strict)
        self._safe: set[int] = set()  # goals, by their numbers

    def load(self, source: str, is_text: bool, may_halt: bool = False) -> list[list[Any]]:
        self._safe.clear()
        return super().load(source, is_text, may_halt)

    def _goal(self, goal: str) -> tuple[int, list[str]]:
        """The goal, checked. Every goal comes through here before it is run, in each process anew."""
        found = super()._goal(goal)  # a syntax error has its place
        if self.looks and found[0] not in self._safe:
            if said := _janus.call("safe", found[0], module="lpbridge_sandbox"):
                reason, term = said
                hint = "an untrusted program cannot do that"
                raise ProgramError(f"the goal is not safe to run: {reason}", hint=hint, term=term)
            if len(self._safe) >= GOALS:
                self._safe.clear()
            self._safe.add(found[0])
        return found


def serve(call: tuple[Any, ...], limits: Limits, progress: Progress) -> Iterator[tuple[Any, int]]:
    """Answer one call: `open`, `run`, or one of `CALLS`."""
    if call[0] == "open":
        for source, is_text in call[1]:
            if not is_text:
                _give(Path(source))
    try:
        yield from job.answers(call, limits, progress, Untrusted)
    except _janus.Aborted:
        raise ProgramError(f"the program aborted what the bridge asked ({call[0]})") from None


#: How files are encoded, by Prolog's names.
_ENCODINGS = {"utf8": "utf-8", "ascii": "ascii", "iso_latin_1": "latin-1", "octet": "latin-1"}
_ENCODING = re.compile(rb"(?:\s|%[^\n]*\n)*(:-\s*encoding\(\s*(\w+)\s*\)\s*\.)")


def _give(path: Path) -> None:
    """Let Prolog read a file, which it cannot open."""
    try:
        data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        encoding = "utf-8"
        if (declared := _ENCODING.match(data)) and declared[2].decode() in _ENCODINGS:
            encoding = _ENCODINGS[declared[2].decode()]
            start, end = declared.span(1)  # it is text by then, whose encoding cannot be set
            data = data[:start] + b" " * (end - start) + data[end:]
        text = data.decode(encoding)
    except (OSError, UnicodeDecodeError):
        return  # loading it says why
    _janus.call("give", str(path.resolve()), text, module="lpbridge_denied")
