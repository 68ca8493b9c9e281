"""Variants of a clingo program tried on cases, in a process of their own: `bridge.debugging.trial_job`.

>>> with Trials([Case("n(1..2).", show=(("p", 1),), exactly=(("p(1)",), ("p(2)",)))]) as trials:
...     [score.right for score in trials.scores(["{ p(X) : n(X) } = 1.", "{ p(X) : n(X) }."])]
[True, False]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import Any, Literal, NamedTuple

from bridge.asp.reading import Signature
from bridge.common import Closing
from bridge.debugging.spectrum import Seen
from bridge.errors import LimitError
from bridge.isolation import Worker
from bridge.limits import UNTRUSTED, Deadline, Limits
from bridge.outcome import Progress

JOB = "bridge.debugging.trial_job"

#: Variants that are sent at once.
_CHUNK = 64

#: Seconds for the last word on a variant.
_SECONDS = 5.0

#: Or so many times what a trial takes: each question grounds the program anew.
_LONGER = 5

#: After the process has ended, so many variants are sent one by one: its last results may be lost.
_CAREFUL = 32


@dataclass(frozen=True, slots=True)
class Case:
    """An instance, and what is expected of a program on it."""

    facts: str  #: The instance, as text.
    constants: Mapping[str, str] = field(default_factory=dict)  #: Values of `#const`, as text.
    show: tuple[Signature, ...] = ()  #: The predicates that an answer consists of.
    #: The answers, each as its atoms; None where they are not the measure. With `complete=False` they are some of those
    #: of `reference`, the text of a program.
    exactly: tuple[tuple[str, ...], ...] | None = None
    complete: bool = True
    reference: str | None = None
    #: Each a kind and literals, atoms with or without `not`: `some` answer has them all, `none` has them all, `every`
    #: answer has each; or atoms that are a whole answer, which the program `has`, or `lacks`.
    wishes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    number: int | None = None  #: The number of answers; or whether there are any: `sat`, `unsat`, `unique`, `several`.
    verdict: str | None = None
    optimal: bool = False  #: Whether only answers of least cost count.
    cost: tuple[int, ...] | None = None  #: The least cost, a number for each priority; with `optimal`.
    recall: bool = False  #: Whether answers may be too many.
    precision: bool = False  #: Whether answers may be missing, but not all of them.
    name: str = ""  #: What it is called.

    def packed(self) -> dict[str, Any]:
        """As plain data."""
        packed = {field.name: getattr(self, field.name) for field in fields(self)}
        return packed | {"constants": dict(self.constants)}


#: Whether all that is expected holds; `partly`: as far as was looked; `unknown`: a limit came first.
Held = Literal["yes", "partly", "unknown", "no"]


class Score(NamedTuple):
    """How a variant does: whether clingo takes it, and whether each case is as expected.

    The `share` is how much is right, from 0 to 1, over the cases that were looked at; `surplus` and `missing` are
    answers that are too many, and that are missing, by case.
    """

    loaded: bool
    right: bool
    share: float
    surplus: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    passed: tuple[bool, ...] = ()  #: Of the cases that were looked at, whether each is as expected.


REFUSED = Score(False, False, -9.0)


class Cover(NamedTuple):
    """What some constraints would forbid on a case: numbers of those, for each answer (None: it is not there)."""

    usable: frozenset[int]
    good: tuple[frozenset[int] | None, ...]
    bad: tuple[frozenset[int], ...]


class Answers(NamedTuple):
    """The answers of a variant on a case; `how`: all, more (than were asked for), limit, refused (with why)."""

    how: str
    answers: tuple[tuple[str, ...], ...]
    why: str = ""


class Trials(Closing):
    """A process in which variants are tried, with program text (`others`) that belongs to each.

    The smallest of the `cases` comes first: the others are looked at only when it is right. A variant has so many
    `seconds` for all cases.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        others: str = "",
        *,
        untrusted: bool = False,
        allow_missing_walls: bool = False,
        seconds: float = 1.0,
    ) -> None:
        self.cases, self.seconds = tuple(cases), seconds
        self._others, self._walls = others, (untrusted, allow_missing_walls)
        self._memory = UNTRUSTED.memory if untrusted else None
        self._worker = Worker(JOB, output="nowhere", untrusted=untrusted, allow_missing_walls=allow_missing_walls)
        #: Variants that were tried.
        self.tried = 0

    def like(self, cases: Sequence[Case]) -> Trials:
        """Another process, with other cases."""
        untrusted, allow = self._walls
        return Trials(cases, self._others, untrusted=untrusted, allow_missing_walls=allow, seconds=self.seconds)

    def _open(self) -> None:
        if not self._worker.alive:
            self._worker.call(("open", self._others, [case.packed() for case in self.cases]))

    def answers(self, text: str, number: int, most: int, limits: Limits) -> Answers:
        """The answers of a variant on a case."""
        self._open()
        how, found = self._worker.call(("answers", text, number, most), replace(limits, memory=self._memory))
        return Answers(how, (), found) if how == "refused" else Answers(how, tuple(map(tuple, found)))

    def held(self, text: str, deadline: Deadline) -> Held:
        """Whether what is expected holds of a variant on all cases, as it is run (`bridge.debugging.plain`)."""
        try:
            self._open()
            limits = Limits(seconds=max(_SECONDS, _LONGER * self.seconds), memory=self._memory)
            ok, sure = self._worker.call(("held", text), deadline.within(limits))
        except LimitError:
            return "unknown"
        return ("yes" if sure else "partly") if ok else "no"

    def scores(self, texts: Iterable[str], *, full: bool = False, deadline: Deadline | None = None) -> Iterator[Score]:
        """How variants do, in order, until the time is up. One that does not end in its time is refused."""
        deadline, texts = deadline or Deadline(None), iter(texts)
        waiting: list[str] = []
        careful = 0
        while not deadline.expired():
            size = 1 if careful else _CHUNK
            careful = max(careful - 1, 0)
            waiting += islice(texts, max(size - len(waiting), 0))
            if not (chunk := waiting[:size]):
                return
            done = 0
            try:
                self._open()
                left = deadline.within(Limits(seconds=self.seconds * len(chunk) + 1, memory=self._memory))
                for packed in self._worker.ask(("scores", self.seconds, full, chunk), Progress(), left):
                    done += 1
                    self.tried += 1
                    yield _score(packed, len(self.cases))
            except LimitError:
                pass
            del waiting[:done]
            if done < len(chunk):
                if deadline.expired():
                    return
                if size == 1:
                    del waiting[0]
                    yield REFUSED
                else:
                    careful = _CAREFUL

    def cover(self, text: str, bodies: Sequence[str], most: int, deadline: Deadline) -> list[Cover] | None:
        """What some constraints would forbid, on each case; None when the time is up."""
        found: list[Cover] = []
        try:
            self._open()
            call = ("cover", 3 * self.seconds, text, list(bodies), most)
            for usable, good, bad in self._worker.ask(call, Progress(), deadline.within(Limits(memory=self._memory))):
                sets = tuple(None if one is None else frozenset(one) for one in good)
                found.append(Cover(frozenset(usable), sets, tuple(map(frozenset, bad))))
        except LimitError:
            return None
        return found if len(found) == len(self.cases) else None

    def spectrum(
        self, text: str, number: int, priced: Iterable[Signature], deadline: Deadline
    ) -> list[Seen]:
        """What some answers to a case are made of, of a program that is instrumented; none when the time is up."""
        found: list[Seen] = []
        try:
            self._open()
            call = ("spectrum", 3 * self.seconds, text, number, list(priced))
            for surplus, missing, derived, wrong, clash in self._worker.ask(
                call, Progress(), deadline.within(Limits(memory=self._memory))
            ):
                counts = {one: (bad, good) for one, (bad, good) in derived}
                forbid = None if clash is None else tuple(clash)
                found.append(Seen(tuple(surplus), tuple(missing), counts, wrong, forbid))
        except LimitError:
            return []
        return found

    def close(self) -> None:
        """End the process."""
        self._worker.close()


def _score(packed: Sequence[Any], cases: int) -> Score:
    if packed and isinstance(packed[0], int):
        return Score(False, False, float(packed[0]))
    right = len(packed) == cases and all(one[0] for one in packed)
    share = sum(one[1] for one in packed) / cases
    surplus, missing = tuple(one[2] for one in packed), tuple(one[3] for one in packed)
    return Score(True, right, share, surplus, missing, tuple(bool(one[0]) for one in packed))
