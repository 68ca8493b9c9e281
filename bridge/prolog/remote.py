"""SWI-Prolog in a process of its own: the methods of `Backend`, put to a worker.

When the worker was killed, the next call starts another one, which loads the programs anew. What the program had
remembered (`assert/1`) is gone then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bridge.errors import InputError, LimitError
from bridge.isolation.frames import text, texts
from bridge.isolation.process import Output
from bridge.isolation.wall import without
from bridge.isolation.worker import Worker
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress

JOB = "bridge.prolog.job"
UNTRUSTED_JOB = "bridge.prolog.job_untrusted"

T = TypeVar("T")


class Remote:
    """A `Local` in a worker.

    Parameters
    ----------
    limits
        For loading; and for reading a goal, which the program's own goal expansion takes part in.
    untrusted
        Confine the worker, and let programs and goals do only what is known to be safe.
    output
        Where what the program prints goes.
    allow_missing_walls
        Run it untrusted even where the machine does not put up an essential wall; `warnings` tells which.
    """

    def __init__(
        self,
        sources: Sequence[tuple[str, bool]],
        limits: Limits,
        untrusted: bool = False,
        output: Output = "inherit",
        allow_missing_walls: bool = False,
    ) -> None:
        if untrusted:  # its folder is another one
            sources = [(source if is_text else str(Path(source).resolve()), is_text) for source, is_text in sources]
        files = [source for source, is_text in sources if not is_text]
        if untrusted:
            job = UNTRUSTED_JOB
        else:  # nobody else gets that library, which changes how programs are compiled
            job = f"{JOB}_clpfd" if any("library(clpfd)" in _text(*source) for source in sources) else JOB
        self._worker = Worker(
            job, output=output, untrusted=untrusted, readable=files, allow_missing_walls=allow_missing_walls
        )
        self._allow_missing_walls = allow_missing_walls
        self._untrusted = untrusted
        self._printer: Worker | None = None
        self._operators = ""
        self._opening = ("open", list(sources))
        self._loading = limits
        self._closed = False
        self.seconds: dict[str, float] = {}
        self.warnings: list[str] = []
        try:
            self._open(limits)
        except BaseException:  # who never gets this object cannot close it
            self._worker.close()
            raise

    def _open(self, limits: Limits) -> None:
        progress = Progress()
        self.warnings, self._operators = self._worker.call(self._opening, limits, progress, _opened)
        if missing := self._worker.missing_walls:
            self.warnings = [without(missing), *self.warnings]
        self.seconds = dict(progress.statistics.seconds)

    def _ready(self, limits: Limits = UNLIMITED) -> None:
        if self._closed:
            raise InputError("the session is closed", hint="make a new one")
        if not self._worker.alive:
            self._open(limits)

    def _call(self, read: Callable[[Any], T], name: str, *arguments: Any) -> T:
        self._ready(self._loading)
        answer: T = self._worker.call((name, *arguments), self._loading, read=read)
        return answer

    def load(self, source: str, is_text: bool) -> list[str]:
        found = self._call(texts, "load", source, is_text)
        self._opening[1].append((source, is_text))
        return found

    def names(self, goal: str) -> list[str]:
        return self._call(texts, "names", goal)

    def run(
        self, goal: str, inputs: list[Any], most: int | None, texts: bool, limits: Limits, progress: Progress
    ) -> Iterator[list[Any]]:
        try:
            self._ready(limits)
        except LimitError as error:  # the one before was killed, and this one does not get so far
            progress.limit, progress.remark = "seconds", error.message
            return
        chunks = self._worker.ask(("run", goal, inputs, most, texts), progress, limits, _chunk)
        try:
            yield from chunks
        except KeyboardInterrupt:
            last = [answer for chunk in progress.waiting for answer in chunk]
            progress.waiting.clear()
            progress.limit = "interrupt"
            if last:
                yield last
            raise
        finally:
            chunks.close()
            progress.waiting.clear()

    def first(self, goal: str, inputs: list[Any], limits: Limits) -> list[Any]:
        answers: list[Any] = []
        for chunk in self.run(goal, inputs, 1, False, limits, Progress()):
            answers += chunk
        return answers

    def text(self, values: list[tuple[str, Any]]) -> str:
        if not self._worker.asking and not self._closed:
            return self._call(text, "text", values)
        # The worker is at its answers, or gone: one that knows nothing but the program's operators prints this one.
        if self._printer is None:
            job = UNTRUSTED_JOB if self._untrusted else JOB
            self._printer = Worker(
                job, output="nowhere", untrusted=self._untrusted, allow_missing_walls=self._allow_missing_walls
            )
            self._printer.call(("open", [(self._operators, True)]))
        return str(self._printer.call(("text", values), read=text))

    def exports(self) -> list[tuple[str, int]]:
        return self._call(_exports, "exports")

    def main(self) -> str | None:
        return self._call(lambda goal: None if goal is None else text(goal), "main")

    def close(self) -> None:
        self._closed = True
        self._worker.close()
        if self._printer is not None:
            self._printer.close()


# What a worker answers is looked at: its program may have harmed it.


def _opened(answer: Any) -> tuple[list[str], str]:
    warnings, operators = answer
    return texts(warnings), text(operators)


def _chunk(items: Any) -> list[list[Any]]:
    if type(items) is not list:
        raise ValueError("no answers")
    return [items]


def _exports(answer: Any) -> list[tuple[str, int]]:
    return [(text(name), int(arity)) for name, arity in answer]


def _text(source: str, is_text: bool) -> str:
    """The text of a source; whoever loads it says what is wrong with it."""
    try:
        return source if is_text else Path(source).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
