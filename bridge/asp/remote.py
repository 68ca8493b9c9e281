"""clingo in a process of its own: the methods of `Backend`, put to a worker.

When the worker was killed (a grounding that would not stop), the next call starts another one and tells it all that the
first one had been told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, TypeVar

from bridge.asp.backend import Assumption, Mode, Part, Source
from bridge.asp.guard import guard
from bridge.asp.model import Model
from bridge.asp.names import Switching
from bridge.asp.wire import Receiver, unpack
from bridge.errors import BridgeError, InputError, LimitError, UnsupportedError
from bridge.isolation.frames import text, texts
from bridge.isolation.wall import without
from bridge.isolation.worker import Worker
from bridge.limits import UNLIMITED, LimitName, Limits
from bridge.outcome import Progress

JOB = "bridge.asp.job"

T = TypeVar("T")


class Remote:
    """A `Local` in a worker.

    Parameters
    ----------
    sources, options, constants
        As for `Local`.
    limits
        For loading.
    untrusted
        Confine the worker.
    allow_missing_walls
        Run it untrusted even where the machine does not put up an essential wall; `warnings` tells which.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        options: Sequence[str],
        constants: dict[str, str],
        limits: Limits = UNLIMITED,
        untrusted: bool = False,
        switching: Switching | None = None,
        allow_missing_walls: bool = False,
    ) -> None:
        if untrusted:  # its folder is another one
            sources = [(kind, str(Path(source).resolve()) if kind == "file" else source) for kind, source in sources]
        self._untrusted = untrusted
        files = [source for kind, source in sources if kind == "file"]
        self._worker = Worker(JOB, untrusted=untrusted, readable=files, allow_missing_walls=allow_missing_walls)
        self._opening: tuple[Any, ...] = (list(sources), list(options), constants, switching and astuple(switching))
        self._told: list[tuple[str, tuple[Any, ...]]] = []
        self._closed = False
        self._receiver = Receiver()
        try:
            self._open(limits)
        except BaseException:  # who never gets this object cannot close it
            self._worker.close()
            raise

    def _open(self, limits: Limits, progress: Progress | None = None) -> None:
        self._receiver = Receiver()
        self._worker.call(("open", *self._opening, self._told), limits, progress)

    def _ready(self, limits: Limits = UNLIMITED) -> None:
        if self._closed:
            raise InputError("the program is closed", hint="make a new one")
        if self.busy:
            raise InputError("a search of this program is still open", hint="use it up or close it first")
        if not self._worker.alive:
            self._open(limits)

    def _call(self, read: Callable[[Any], T], name: str, *arguments: Any) -> T:
        self._ready()
        answer: T = self._worker.call((name, *arguments), read=read)
        return answer

    def _tell(self, name: str, *arguments: Any) -> None:
        """A call that changes the program: one to be told again."""
        self._call(lambda nothing: None, name, *arguments)
        self._told.append((name, arguments))

    @property
    def busy(self) -> bool:
        return self._worker.asking

    @property
    def warnings(self) -> list[str]:
        missing = self._worker.missing_walls
        return [*([without(missing)] if missing else []), *self._call(texts, "warnings")]

    def add(self, text: str, part: str, parameters: Sequence[str]) -> None:
        if self._untrusted:
            guard([*self._opening[0], ("text", text)], ())
        self._tell("add", text, part, tuple(parameters))

    def ground(self, parts: Sequence[Part]) -> None:
        self._tell("ground", list(parts))

    def assign_external(self, atom: str, value: bool | None) -> None:
        self._tell("assign_external", atom, value)

    def release_external(self, atom: str) -> None:
        self._tell("release_external", atom)

    def literals(self, name: str, arity: int) -> dict[tuple[Any, ...], int]:
        return self._call(_literals, "literals", name, arity)

    def search(
        self, mode: Mode, assuming: Sequence[Assumption], project: bool, limits: Limits, progress: Progress
    ) -> Iterator[Model]:
        call = ("search", mode, tuple(assuming), project)
        try:
            for item in self._ask(call, limits, progress, self._receiver.models):
                if isinstance(item, dict):  # the incremental mode has taken a step
                    progress.statistics.counters.update(item)
                else:
                    yield item
        finally:
            models = [item for item in progress.waiting if not isinstance(item, dict)]
            progress.waiting.clear()
            progress.waiting.extend(models)

    def _ask(
        self,
        call: tuple[Any, ...],
        limits: Limits,
        progress: Progress,
        convert: Callable[[list[Any]], Iterable[Any]] = iter,
    ) -> Iterator[Any]:
        try:
            self._ready(limits)
        except LimitError as error:  # the one before was killed, and this one does not get so far
            progress.limit, progress.remark = "seconds", error.message
            return
        yield from self._worker.ask(call, progress, limits, convert)

    def core(self, refine: bool) -> list[Assumption]:
        return self._call(_assumptions, "core", refine)

    def count(self, assuming: Sequence[Assumption], project: bool, limits: Limits, progress: Progress) -> None:
        progress.statistics.counters["models"] = 0
        for _ in self._ask(("count", tuple(assuming), project), limits, progress):
            pass

    def grounding(self, limits: Limits) -> dict[str, Any]:
        progress = Progress()
        try:
            for found in self._ask(("grounding",), limits, progress, lambda items: map(_grounding, items)):
                return dict(found)
        except KeyboardInterrupt:
            if not progress.waiting:
                raise
            return {**progress.waiting[0], "limit": "interrupt"}
        raise LimitError(
            progress.remark or f"the limit on {progress.limit} came first, and no rule had come out for long",
            hint="clingo tells nothing of a grounding that makes no rules",
        )

    def ground_facts(self, limits: Limits) -> list[str]:
        self._ready(limits)
        return list(self._worker.call(("ground_facts",), limits, read=texts))

    def write_text(self, limits: Limits) -> LimitName | None:
        """Print the ground program on stdout, by clingo's own program; the limit that ended it."""
        sources, options, constants, _ = self._opening
        if self._told or any(kind != "file" for kind, _ in sources):
            raise UnsupportedError("clingo writes the text of files only", hint="save the program first")
        defined = [f"--const={name}={value}" for name, value in constants.items()]
        progress = Progress()
        for _ in self._ask(("text", [path for _, path in sources], [*defined, *options]), limits, progress):
            pass
        return progress.limit

    def close(self) -> None:
        if self.busy:
            raise BridgeError("a search of this program is still open", hint="close the stream of models first")
        self._closed = True
        self._worker.close()


# What a worker answers is looked at: its program may have harmed it.


def _literals(answer: Any) -> dict[tuple[Any, ...], int]:
    return {tuple([unpack(value) for value in values]): int(literal) for values, literal in answer}


def _grounding(found: Any) -> dict[str, Any]:
    numbers = {name: {text(key): int(number) for key, number in found[name].items()} for name in ("rules", "heads")}
    atoms = {text(name): (int(all_), int(facts)) for name, (all_, facts) in found["atoms"].items()}
    limit, complete, seconds = found["limit"], found["complete"], float(found["seconds"])
    if type(complete) is not bool or limit not in (None, "seconds", "interrupt"):
        raise ValueError("no end of a grounding")
    return {"complete": complete, "limit": limit, "seconds": seconds, "atoms": atoms, **numbers}


def _assumptions(answer: Any) -> list[Assumption]:
    if not all(type(item) in (int, str) for item in answer):
        raise ValueError("no assumptions")
    return list(answer)
