"""SWI-Prolog in a process of its own: a `Local` in a worker.

When the worker was killed, the next call starts another one, which loads the programs anew. What the program had
remembered (`assert/1`) is gone then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bridge.errors import InputError, LimitError
from bridge.isolation.process import HasDescriptor, OutputOrPair
from bridge.isolation.wall import without
from bridge.isolation.worker import Worker
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.prolog.calls import CALLS, LOADED, ended
from bridge.prolog.functions import Functions
from bridge.prolog.message import Message

JOB = "bridge.prolog.job"
UNTRUSTED_JOB = "bridge.prolog.job_untrusted"

#: Libraries that take long to load: a program that names one begins where it is in memory. (An untrusted one has all.)
_SLOW = frozenset({"chr", "clpb", "clpfd", "clpq", "clpr", "simplex"})
#: Libraries of many programs, which each candidate that is judged would load again, or autoload. None changes how what
#: does not import it is compiled.
_COMMON = frozenset({
    "aggregate", "apply", "assoc", "dcg/basics", "dcg/high_order", "error", "gensym", "lists", "option", "ordsets",
    "pairs", "random", "readutil", "solution_sequences", "strings", "ugraphs",
})  # fmt: skip
_LOADS = re.compile(r"library\(\s*(\w+)\s*\)")


def slow_libraries(*texts: str) -> frozenset[str]:
    """Those of the slow libraries that programs load."""
    return _SLOW.intersection(name for text in texts for name in _LOADS.findall(text))


#: So many facts are sent at once.
ROWS = 10_000


class Remote:
    """Stands for a `Local` in a worker: the methods that `CALLS` lists are called there."""

    def __init__(
        self,
        sources: Sequence[tuple[str, bool]],
        limits: Limits,  # for loading; and for reading a goal, which the program's own goal expansion takes part in
        strict: bool,  # refuse the program at the first error while it is loaded
        untrusted: bool = False,  # confine the worker, and let programs and goals do only what is known to be safe
        output: OutputOrPair = "inherit",  # where what the program prints goes: to descriptors in UTF-8
        # run it untrusted even where the machine does not put up an essential wall; `warnings` tells which
        allow_missing_walls: bool = False,
        argv: Sequence[str] = (),  # the arguments of the program (flag `argv`), and folders by alias
        search_paths: Sequence[list[str]] = (),
        stdin: HasDescriptor | None = None,  # an open file that is the program's standard input; None for an empty one
        functions: Functions | None = None,  # predicates of the caller's
        # `judge` is asked, of programs that load these of the slow libraries; None where it is not
        judging: frozenset[str] | None = None,
    ) -> None:
        if untrusted:  # its working directory is another one
            sources = [(source if is_text else str(Path(source).resolve()), is_text) for source, is_text in sources]
        files = [source for source, is_text in sources if not is_text]
        if untrusted:
            job = UNTRUSTED_JOB
        else:  # a library may change how programs are compiled: only those that load it get it
            preloaded = slow_libraries(*(_text(*source) for source in sources)) | (judging or frozenset())
            job = " ".join([JOB, *sorted(preloaded if judging is None else preloaded | _COMMON)])
        self._worker = Worker(
            job,
            output=output,
            stdin=stdin,
            untrusted=untrusted,
            readable=files,
            allow_missing_walls=allow_missing_walls,
            functions=None if functions is None else functions.reply,
            forks=judging is not None,
        )
        self._functions = functions
        self._allow_missing_walls = allow_missing_walls
        self._untrusted = untrusted
        self._printer: Worker | None = None
        self._operators = ""
        predicates = [] if functions is None else functions.predicates
        taken = not isinstance(output, str)
        self._opening = ("open", list(sources), strict, taken, list(argv), list(search_paths), predicates)
        self._limits = limits
        self._changes: list[tuple[Any, ...]] = []  # calls that changed the program, for another process
        self._closed = False
        self.seconds: dict[str, float] = {}
        self.warnings: list[Message] = []
        self.halted: int | None = None
        try:
            self._open(limits)
        except BaseException:  # the caller gets no object to close
            self._worker.close()
            raise

    def _open(self, limits: Limits) -> None:
        progress = Progress()
        self.warnings, self._operators, self.halted = self._worker.call(self._opening, limits, progress, _opened)
        if missing := self._worker.missing_walls:
            self.warnings = [Message(without(missing)), *self.warnings]
        self.seconds = dict(progress.statistics.seconds)
        for name, *arguments in self._changes:
            if self.halted is None:
                answer = self._worker.call((name, *arguments), limits, read=CALLS[name])
                if name == "consult":
                    _, self._operators, self.halted = answer
        if self.halted is not None:
            self._worker.close()

    def consult(self, sources: list[Any]) -> tuple[list[Any], str, int | None]:
        """Load further programs; what `Local.consult` gives."""
        loaded: tuple[list[Any], str, int | None] = self._call("consult", sources)
        _, self._operators, self.halted = loaded
        self._changes.append(("consult", sources))
        if self.halted is not None:
            self._worker.close()
        return loaded

    def add_facts(self, name: str, arities: list[int], rows: list[Any]) -> None:
        """Add facts of a dynamic predicate, of packed values."""
        for start in range(0, len(rows) or 1, ROWS):
            change = "add_facts", name, arities, rows[start : start + ROWS]
            self._call(*change)
            self._changes.append(change)

    @property
    def alive(self) -> bool:
        """False when the process has ended: the next call starts another one."""
        return self._worker.alive

    def _ready(self, limits: Limits) -> None:
        if self._closed:
            raise InputError("the session is closed", hint="make a new one")
        if self.halted is not None:
            raise ended(self.halted)
        if not self._worker.alive:
            self._open(limits)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in CALLS:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        return partial(self._call, name)

    def _call(self, name: str, *arguments: Any) -> Any:
        self._ready(self._limits)
        return self._worker.call((name, *arguments), self._limits, read=CALLS[name])

    def run(
        self, goal: str, inputs: list[Any], most: int | None, texts: bool, limits: Limits, progress: Progress
    ) -> Iterator[list[Any]]:
        try:
            self._ready(limits)
        except LimitError as error:  # the worker was killed, and loading the programs anew takes too long
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
            if self._functions is not None and not self._worker.asking:
                self._functions.close()

    def judge(self, texts: list[str], goals: list[tuple[str, int]], limits: Limits) -> Generator[Any, None, None]:
        """Programs, each in a fork of the process, with limits of its own: what `job._judge` says.

        That may be of fewer: then the process ended with the next one.
        """
        self._ready(self._limits)
        yield from self._worker.ask(("judge", texts, goals, limits.seconds, limits.memory), Progress())

    def text(self, values: list[tuple[str, Any]]) -> str:
        if not self._worker.asking and not self._closed:
            return str(self._call("text", values))
        # The worker is at its answers, or gone: another one, which has the program's operators alone, prints this one.
        if self._printer is None or not self._printer.alive:
            job = UNTRUSTED_JOB if self._untrusted else JOB
            self._printer = Worker(
                job, output="nowhere", untrusted=self._untrusted, allow_missing_walls=self._allow_missing_walls
            )
            self._printer.call(("open", [(self._operators, True)], True, False, [], [], []))
        return str(self._printer.call(("text", values), read=CALLS["text"]))

    def close(self) -> None:
        self._closed = True
        self._worker.close()
        if self._printer is not None:
            self._printer.close()


def _opened(answer: Any) -> tuple[list[Message], str, int | None]:
    messages, operators, halted = LOADED.read(answer)
    return [Message.unpacked(message) for message in messages], operators, halted


def _chunk(items: Any) -> list[list[Any]]:
    if type(items) is not list:
        raise ValueError("these are not answers")
    return [items]


def _text(source: str, is_text: bool) -> str:
    """The text of a source; empty where it cannot be read, which is an error of loading it."""
    try:
        return source if is_text else Path(source).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
