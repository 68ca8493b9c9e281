"""Answers to a query: bindings and residual goals, decoded when somebody looks, and the stream of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from operator import length_hint
from typing import Any

from bridge.errors import BridgeError, SolverError
from bridge.limits import Limits
from bridge.outcome import Interrupted, Outcome, Progress, Stream
from bridge.prolog.carried import Decoder
from bridge.prolog.terms import Atom, Term

#: Gives the text of an answer without residual goals: a carried value by the name of its variable.
Printer = Callable[[list[tuple[str, Any]]], str]


class Asked:
    """What the answers to one query have in common: the names of its variables, and who prints them."""

    __slots__ = ("names", "print", "single")

    def __init__(self, names: Sequence[str], printer: Printer) -> None:
        self.names = tuple(names)
        self.single = self.names[0] if len(self.names) == 1 else None
        self.print = printer


class Answer(Mapping[str, Any]):
    """An answer to a query: the values of its variables, and what is left to be satisfied.

        >>> answer["X"], [str(goal) for goal in answer.residual]
        (Variable('X', 1..3), ['X in 1..3'])

    Attributes
    ----------
    residual
        The residual goals as terms: constraints that hold in this answer but do not decide it. Empty when the answer
        is definite.

    `str(answer)` is what the toplevel prints, all of it (the toplevel itself abbreviates long lists).
    """

    __slots__ = ("_asked", "_carried", "_decoded")

    def __init__(self, asked: Asked, carried: Any) -> None:
        self._asked = asked
        self._carried = carried  # and `_decoded` is set when it is: streams are faster for every little

    @property
    def residual(self) -> list[Term]:
        return self._decode()[1]

    def _decode(self) -> tuple[dict[str, Any], list[Term], str | None]:
        if not hasattr(self, "_decoded"):
            try:
                self._decoded = self._read()
            except Exception as error:  # it comes from a process that its program may have harmed
                raise SolverError(f"an answer cannot be read: {type(error).__name__} {error}") from error
        return self._decoded

    def _read(self) -> tuple[dict[str, Any], list[Term], str | None]:
        residuals, text = self._carried[3:] if _is_open(self._carried) else ([], None)
        decoder = Decoder()
        bindings = dict(zip(self._asked.names, map(decoder.value, self._values()), strict=True))
        goals = [decoder.goal(goal, shown) for goal, shown in residuals]
        if not isinstance(text, str | None):
            raise ValueError("no text")
        return bindings, goals, text

    def _values(self) -> list[Any]:
        if _is_open(self._carried):
            values: list[Any] = self._carried[2]
            return values
        return self._carried if self._asked.single is None else [self._carried]

    def __getitem__(self, name: str) -> Any:
        # The numbers and atoms of a goal with one variable are most of what is streamed in bulk.
        if name == self._asked.single:
            kind = type(self._carried)
            if kind is int or kind is float:
                return self._carried
            if kind is str:
                return Atom(self._carried)
        return self._decode()[0][name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._asked.names)

    def __len__(self) -> int:
        return len(self._asked.names)

    def __str__(self) -> str:
        bindings, residual, text = self._decode()
        if text is None:  # printed when somebody looks
            text = self._asked.print(list(zip(self._asked.names, self._values(), strict=True)))
            self._decoded = bindings, residual, text
        return text

    def __repr__(self) -> str:
        return f"<Answer {self}>"


def _is_open(carried: Any) -> bool:
    return type(carried) is list and len(carried) == 5 and carried[0] is True and carried[1] == "o"


#: What has arrived together, carried, and what these answers have in common.
Chunks = Generator[tuple[Asked, list[Any]], None, None]


class Answers(Stream[Answer]):
    """The answers to a query as they are found. They arrive some at a time.

    Parameters
    ----------
    produce
        As for any stream, but it yields what has arrived together, keeps the limit on solutions itself, and gives the
        last answers before a KeyboardInterrupt.
    """

    def __init__(self, produce: Callable[[Progress], Chunks], limits: Limits) -> None:
        super().__init__(lambda progress: iter(()), limits)
        self._chunks = produce(self._progress)
        self._chunk: Iterator[Any] = iter(())
        self._asked = Asked((), lambda values: "")
        self._arrived = 0

    # Handing an answer out costs about as much as Prolog takes to find one in bulk, so nothing is counted on the way.

    @property
    def found(self) -> int:
        """How many answers were handed out."""
        return self._arrived - length_hint(self._chunk) - len(self._progress.waiting)

    @found.setter
    def found(self, count: int) -> None:
        """Nothing: a stream begins with 0 of itself."""

    @property
    def complete(self) -> bool:
        """True when there are no more answers."""
        return self._progress.complete and not length_hint(self._chunk) and not self._progress.waiting

    def __iter__(self) -> Iterator[Answer]:  # type: ignore[override]  # a generator is faster than `__next__`
        while True:
            asked = self._asked
            for carried in self._chunk:
                yield Answer(asked, carried)
            if not self._fetch():
                return

    def __next__(self) -> Answer:
        while True:
            for carried in self._chunk:
                return Answer(self._asked, carried)
            if not self._fetch():
                raise StopIteration

    def _fetch(self) -> bool:
        """Wait for more answers. False when there are no more."""
        if self.closed:
            return False
        try:
            self._asked, chunk = next(self._chunks)
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
        carried: list[Any] = []
        try:
            carried.extend(self._chunk)  # no Ctrl-C comes between taking and keeping
            while self._fetch():
                carried.extend(self._chunk)
        except KeyboardInterrupt:
            self.interrupted()
            solutions = [Answer(self._asked, one) for one in carried]
            raise Interrupted(self.outcome([*solutions, *self.leftover()])) from None
        except BridgeError as error:
            error.partial = self.outcome(Answer(self._asked, one) for one in carried)
            raise
        return self.outcome(Answer(self._asked, one) for one in carried)

    def _some(self) -> tuple[list[Answer], BaseException | None]:
        try:
            items = [Answer(self._asked, carried) for carried in self._chunk] if self._fetch() else []
        except Exception as error:
            return [], error
        return items, None

    def close(self) -> None:
        """Stop the search. What had arrived and was not handed out is in `leftover`."""
        self.closed = True
        self._progress.waiting.extend(Answer(self._asked, carried) for carried in self._chunk)
        self._chunks.close()

    def leftover(self) -> list[Answer]:
        return list(self._progress.waiting)
