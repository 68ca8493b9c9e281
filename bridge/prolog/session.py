"""Sessions with SWI-Prolog: programs loaded, queries run, answers with what constrains them.

    with Session("rooms.pl") as session:
        for answer in session.query("puzzle(X, Y)"):
            answer["X"], answer.residual, str(answer)

A session is a Prolog module of its own, in the one SWI-Prolog that lives in this process.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from itertools import count
from os import PathLike
from pathlib import Path
from time import perf_counter, thread_time
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from bridge.errors import InputError, Place, ProgramError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress, Stream
from bridge.prolog import _janus
from bridge.prolog.terms import Answer, Decoder, Term, encode
from bridge.watchdog import Watch

_numbers = count(1)


class Session:
    """A place to load programs and to ask queries.

    Parameters
    ----------
    sources
        Files (a path, or a string that ends in `.pl` without a line break) and program text (any other string).

    Raises
    ------
    MissingSolverError
        When SWI-Prolog or janus is not there; the hint says how to get it.
    ProgramError
        With file, line and column, at the first error while loading.

    A session belongs to the thread that made it. Its programs are trusted: they run in this process.
    """

    def __init__(self, *sources: str | PathLike[str]) -> None:
        started = perf_counter()
        _janus.attached()
        self._thread = threading.get_ident()
        self._module = f"lpbridge_session_{next(_numbers)}"
        self._names: dict[str, list[str]] = {}
        self._streams: WeakSet[Stream[Answer]] = WeakSet()
        self.warnings: list[str] = []
        for source in sources:
            self._load(source)
        self.seconds = {"load": perf_counter() - started}

    def _load(self, source: str | PathLike[str]) -> None:
        if isinstance(source, str) and ("\n" in source or not source.endswith(".pl")):
            messages = _janus.call("consult_text", self._module, source)
        elif Path(source).is_file():
            messages = _janus.call("load", self._module, str(Path(source).resolve()))
        else:
            raise InputError("no such file", where=Place(str(source)), hint="check the path")
        for kind, file, line, column, text in messages:
            place = Place(self._file(file or source), line or None, column or None)
            if kind == "error":
                bare = text.removeprefix(f"{file}:{line}:{column - 1}: ").replace(f"{self._module}:", "")
                raise ProgramError(bare, where=place)
            self.warnings.append(f"{place}: {text}")

    def query(
        self, goal: str, inputs: Mapping[str, Any] | None = None, *, limits: Limits = UNLIMITED, **more: Any
    ) -> Stream[Answer]:
        """Run a goal; its answers as they are found.

        Parameters
        ----------
        goal
            As typed at the toplevel, without the final dot. Keep it constant and pass data as inputs: a goal text is
            parsed once and remembered.
        inputs, more
            Values for variables of the goal. An input may contain variables: `None`, or `Variable(name)`, by which
            name residual goals will call it.
        limits
            Seconds and solutions are kept.

        Variables of the goal that begin with `_` are not told of. Statistics count `inferences`, and tell CPU time as
        the phase `cpu` beside the wall-clock time of `solve`. A part of the goal under `phase(Name, Part)`, imported
        from `lpbridge`, is told of as a phase of its own.

        Raises
        ------
        ProgramError
            For a syntax error in the goal, or when the program raises an error; with file and line where known.
        InputError
            For an input that the goal has no variable for, or that is no term.
        """
        values = {**(inputs or {}), **more}
        stream = Stream(lambda progress: self._run(goal, values, limits, progress), limits)
        self._streams.add(stream)
        return stream

    def _run(self, goal: str, values: dict[str, Any], limits: Limits, progress: Progress) -> Iterator[Answer]:
        if threading.get_ident() != self._thread:
            raise InputError("a session belongs to the thread that made it", hint="make one in each thread")
        variables = self._variables(goal)
        names = [name for name in variables if not name.startswith("_")]
        for name in values.keys() - set(variables):
            raise InputError(f"the goal `{goal}` has no variable {name!r}", hint="inputs are for its variables")
        carried = [(name, encode(value)) for name, value in values.items()]
        seconds, counters = progress.statistics.seconds, progress.statistics.counters
        seconds.update(self.seconds)
        stop = _janus.Stopper()
        with Watch(stop, limits.seconds) as watch:
            cursor = _janus.Cursor(self._module, goal, carried)
            try:
                while True:
                    started, cpu, before = perf_counter(), thread_time(), _janus.call("inferences")
                    try:
                        with watch.armed():
                            found = cursor.next()
                    finally:
                        if watch.fired:
                            _janus.settle()
                        seconds["cpu"] = seconds.get("cpu", 0.0) + thread_time() - cpu
                        spent = _janus.call("inferences") - before
                        counters["inferences"] = counters.get("inferences", 0) + spent
                        started = progress.statistics.spend("solve", started)
                    if found is None:
                        progress.complete = True
                        return
                    answer = self._answer(names, found)
                    progress.statistics.spend("decode", started)
                    yield answer
                    if watch.expired:
                        progress.limit = "seconds"
                        return
            except _janus.Aborted:
                progress.limit = watch.fired or "interrupt"
            finally:
                cursor.close()
                for name, inferences, spent in _janus.call("phases"):
                    seconds[name] = spent
                    seconds["solve"] -= spent
                    counters[f"{name}_inferences"] = inferences

    def _variables(self, goal: str) -> list[str]:
        if goal not in self._names:
            names = _janus.call("variables", self._module, goal)
            if isinstance(names, tuple):
                text = names[1].removeprefix("Syntax error: ")
                raise ProgramError(f"syntax error in `{goal}`: {text}", hint="write the goal as at the toplevel")
            self._names[goal] = names
        return self._names[goal]

    def _answer(self, names: list[str], found: Any) -> Answer:
        decoder = Decoder()
        if isinstance(found, list):
            return Answer(self._module, dict(zip(names, map(decoder.value, found), strict=True)), [], None)
        if found[0] == "error":
            raise self._error(found)
        values, residuals, text = found
        bindings = dict(zip(names, map(decoder.value, values), strict=True))
        residual: list[Term] = [decoder.goal(term, shown) for term, shown in residuals]
        return Answer(self._module, bindings, residual, text)

    def _error(self, found: tuple[str, str, str, int]) -> ProgramError:
        _, text, file, line = found
        # The module of a session is nobody's name but ours.
        place = Place(self._file(file), line or None) if file else None
        return ProgramError(text.replace(f"{self._module}:", ""), where=place)

    def _file(self, name: str | PathLike[str]) -> str:
        is_text = str(name) == f"<{self._module}>" or "\n" in str(name)
        return "<text>" if is_text else str(name)

    def close(self) -> None:
        """Close the queries that are still open."""
        for stream in list(self._streams):
            stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
