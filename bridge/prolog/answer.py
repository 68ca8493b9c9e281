"""Answers to a query: bindings, residual goals and truth, decoded on first use, and the stream of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from operator import length_hint
from typing import Any

from bridge.errors import BridgeError, SolverError
from bridge.isolation.frames import pack
from bridge.limits import Limits
from bridge.outcome import Interrupted, Outcome, Progress, Stream
from bridge.prolog.packing import Decoder
from bridge.prolog.terms import Atom, Term
from bridge.public import public

#: Gives the text of an answer without residual goals: a packed value by the name of its variable.
Printer = Callable[[list[tuple[str, Any]]], str]


@public("bridge.prolog")
class Truth(StrEnum):
    """The truth value of an answer in the well-founded semantics, which tabling with negation (`tnot/1`) follows."""

    TRUE = "true"
    UNDEFINED = "undefined"


class Header:
    """What the answers to one query have in common: the names of its variables, and what prints them."""

    __slots__ = ("names", "print", "single")

    def __init__(self, names: Sequence[str], printer: Printer) -> None:
        self.names = tuple(names)
        self.single = self.names[0] if len(self.names) == 1 else None
        self.print = printer


@public("bridge.prolog")
class Answer(Mapping[str, Any]):
    """An answer to a query: the values of its variables, and what is left to be satisfied.

        >>> answer["X"], [str(goal) for goal in answer.residual]
        (Variable('X', 1..3), ['X in 1..3'])

    Attributes
    ----------
    residual
        The residual goals as terms: constraints that hold in this answer but do not decide it, those in the store of
        CHR among them. Empty when the answer is definite.
    truth
        `true`, or `undefined` where tabled predicates depend on each other through negation.
    delays
        The goals that an undefined answer depends on, as `call_delays/2` gives them. Empty when the answer is true.
    residual_program
        The clauses that leave these goals undefined, as `call_residual_program/2` gives them. Empty when the answer is
        true, and when the Prolog flag `toplevel_list_wfs_residual_program` is false.

    `str(answer)` is what the toplevel prints, all of it (the toplevel itself abbreviates long lists). Two answers are
    equal when their values, residual goals and delays are; an answer without residual goals that is true equals any
    mapping with the same items. Answers can be copied and pickled.
    """

    __slots__ = ("_decoded", "_header", "_packed")

    def __init__(self, header: Header, packed: Any) -> None:
        self._header = header
        self._packed = packed  # `_decoded` is set on first use: creating an answer is most of the cost of a stream

    @property
    def residual(self) -> list[Term]:
        return self._decode().residual

    @property
    def delays(self) -> list[Term]:
        return self._decode().delays

    @property
    def residual_program(self) -> list[Term]:
        return self._decode().program

    @property
    def truth(self) -> Truth:
        return Truth.UNDEFINED if _is_undefined(self._packed) else Truth.TRUE

    def _decode(self) -> _Decoded:
        if not hasattr(self, "_decoded"):
            try:
                self._decoded = self._read()
            except Exception as error:  # it comes from a process that its program may have harmed
                raise SolverError(f"an answer cannot be read: {type(error).__name__} {error}") from error
        return self._decoded

    def _read(self) -> _Decoded:
        residuals, text, delays, program = self._packed[3:] if _is_open(self._packed) else ([], None, [], [])
        decoder = Decoder()
        bindings = dict(zip(self._header.names, map(decoder.value, self._values()), strict=True))
        goals = [decoder.constraint(goal, shown) for goal, shown in residuals]
        delayed, clauses = ([decoder.goal(goal, shown) for goal, shown in part] for part in (delays, program))
        if not isinstance(text, str | None):
            raise ValueError("it is not a text")
        return _Decoded(bindings, goals, delayed, clauses, text)

    def _values(self) -> list[Any]:
        if _is_open(self._packed):
            values: list[Any] = self._packed[2]
            return values
        return self._packed if self._header.single is None else [self._packed]

    def _conditions(self) -> list[Any]:
        """The residual goals, delays and clauses, packed."""
        return [self._packed[3], *self._packed[5:]] if _is_open(self._packed) else [[], [], []]

    def __getitem__(self, name: str) -> Any:
        # The numbers and atoms of a goal with one variable are most of what is streamed in bulk.
        if name == self._header.single:
            kind = type(self._packed)
            if kind is int or kind is float:
                return self._packed
            if kind is str:
                return Atom(self._packed)
        return self._decode().bindings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._header.names)

    def __len__(self) -> int:
        return len(self._header.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return not any(self._conditions()) and super().__eq__(other)
        if self._conditions() != other._conditions():
            return False
        # As they were packed first: what is anonymous in both answers is the same there, and decoded it is not.
        same = self._header.names == other._header.names and self._values() == other._values()
        return same or super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # as of every mapping

    def __str__(self) -> str:
        decoded = self._decode()
        if decoded.text is None:  # printed on first use
            decoded.text = self._header.print(list(zip(self._header.names, self._values(), strict=True)))
        return decoded.text

    def __repr__(self) -> str:
        return f"<Answer {self}>"

    def __copy__(self) -> Answer:
        return Answer(self._header, self._packed)

    def __deepcopy__(self, memo: dict[int, Any]) -> Answer:
        return self.__copy__()  # decoded anew, its values are its own

    def __reduce__(self) -> tuple[Any, ...]:
        # With its text: where it arrives there may be no Prolog.
        return _unpickled, (self._header.names, self._packed, str(self))


def identity(answer: Answer) -> str | bytes:
    """Of an answer that is true: equal answers have equal ones, and no question to Prolog is needed for it."""
    return str(answer) if _is_open(answer._packed) else pack(answer._values())


@dataclass(slots=True)
class _Decoded:
    """What is in an answer."""

    bindings: dict[str, Any]
    residual: list[Term]
    delays: list[Term]
    program: list[Term]
    text: str | None


def _unpickled(names: tuple[str, ...], packed: Any, text: str) -> Answer:
    return Answer(Header(names, lambda values: text), packed)


def _is_open(packed: Any) -> bool:
    return type(packed) is list and len(packed) == 7 and packed[0] is True and packed[1] == "o"


def _is_undefined(packed: Any) -> bool:
    return _is_open(packed) and bool(packed[5])


#: What has arrived together, packed, and what these answers have in common.
Chunks = Generator[tuple[Header, list[Any]], None, None]


def with_undefined(found: Outcome[Answer]) -> Outcome[Answer]:
    """The outcome, with the number of its answers that are undefined."""
    undefined = sum(_is_undefined(answer._packed) for answer in found.solutions)
    return replace(found, undefined=undefined) if undefined else found


class AnswerStream(Stream[Answer]):
    """The answers to a query as they are found. They arrive some at a time.

    `produce` is as for any stream, but it yields what has arrived together, keeps the limit on solutions itself, and
    gives the last answers before a KeyboardInterrupt.
    """

    def __init__(self, produce: Callable[[Progress], Chunks], limits: Limits) -> None:
        super().__init__(lambda progress: iter(()), limits)
        self._items = self._chunks = produce(self._progress)
        self._chunk: Iterator[Any] = iter(())
        self._header = Header((), lambda values: "")
        self._arrived = 0

    # Handing an answer out costs about as much as Prolog takes to find one in bulk, so nothing is counted on the way.

    @property
    def found(self) -> int:
        """How many answers were handed out."""
        return self._arrived - length_hint(self._chunk) - len(self._progress.waiting)

    @found.setter
    def found(self, count: int) -> None:
        """Ignored: `Stream` sets it to 0 at the start."""

    @property
    def complete(self) -> bool:
        """True when there are no more answers."""
        return self._progress.complete and not length_hint(self._chunk) and not self._progress.waiting

    def __iter__(self) -> Iterator[Answer]:  # type: ignore[override]  # a generator is faster than `__next__`
        while True:
            header = self._header
            for packed in self._chunk:
                yield Answer(header, packed)
            if not self._fetch():
                return

    def __next__(self) -> Answer:
        while True:
            for packed in self._chunk:
                return Answer(self._header, packed)
            if not self._fetch():
                raise StopIteration

    def _fetch(self) -> bool:
        """Wait for more answers. False when there are no more."""
        if self.closed:
            return False
        try:
            with self._iterating:
                self._header, chunk = next(self._chunks)
                self._arrived += len(chunk)
                self._chunk = iter(chunk)
                if self._progress.limit == "interrupt":
                    next(self._chunks)
        except StopIteration:
            self.close()
            if not self._progress.complete and self._progress.limit is None:
                self._progress.limit = "solutions"
            return False
        except KeyboardInterrupt:
            self.interrupted()
            raise
        except BaseException:
            self.close()
            raise
        return True

    def collect(self) -> Outcome[Answer]:
        # What arrives is made into answers before more is fetched: the time that it takes is the search's own, and at
        # the limit there is no backlog.
        solutions: list[Answer] = []
        arrived: list[Any] = []
        before = 0
        try:
            while True:
                before = len(solutions)
                arrived.extend(self._chunk)  # no Ctrl-C comes between taking and keeping
                solutions.extend(map(partial(Answer, self._header), arrived))
                arrived.clear()
                if not self._fetch():
                    return self.outcome(solutions)
        except KeyboardInterrupt:
            self.interrupted()
            missing = [Answer(self._header, one) for one in arrived[len(solutions) - before :]]
            raise Interrupted(self.outcome([*solutions, *missing, *self.leftover()])) from None
        except BridgeError as error:
            error.partial = self.outcome(solutions)
            raise

    def outcome(self, solutions: Iterable[Answer]) -> Outcome[Answer]:
        return with_undefined(super().outcome(solutions))

    def _some(self) -> tuple[list[Answer], BaseException | None]:
        try:
            items = [Answer(self._header, packed) for packed in self._chunk] if self._fetch() else []
        except Exception as error:
            return [], error
        return items, None

    def close(self) -> None:
        """Stop the search, from any thread. What had arrived and was not handed out is in `leftover`."""
        self._progress.waiting.extend(Answer(self._header, packed) for packed in self._chunk)
        super().close()

    def leftover(self) -> list[Answer]:
        return list(self._progress.waiting)
