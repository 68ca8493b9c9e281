"""What is expected of the answers of a program, a class for each sort: how much of it holds?

They ask an `Answering`: `bridge.debugging.trial_job` has one that grounds a variant once, `bridge.debugging.plain` one
that runs the program as it stands, for each question anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, Protocol

import clingo

from bridge.common import regex

Answer = frozenset[clingo.Symbol]
#: Atoms, each with whether it holds.
Literals = Sequence[tuple[clingo.Symbol, bool]]

#: Answers that are looked up one by one, where more are missing among very many.
_LOOKED_UP = 30

#: Answers that are looked up first.
_FEW = 20


#: A statement `#project`; or a string or a comment, in which there is none.
_PROJECT = regex(
    r'"(?:\\.|[^"\\])*"|%\*.*?\*%|%[^\n]*|#project\b(?:"(?:\\.|[^"\\])*"|%[^\n]*|\.\.|[^."%])*\.', re.DOTALL
)


class Answering(Protocol):
    """A program on a case."""

    interrupted: bool  #: Whether the last search was given up.
    lookups: int  #: So many answers are looked up one by one, at most.
    whole: int  #: Of fewer answers than these, all are compared.

    def answers(self, most: int) -> set[Answer]:
        """So many answers at most."""

    def has(self, answer: Answer) -> bool | None:
        """Whether this is an answer; None where that is not known."""

    def some(self, literals: Literals) -> bool | None:
        """Whether an answer has some literals; None where that is not known."""

    def cost(self) -> list[int] | None:
        """The cost of a best answer; None where there is none."""


class Judgement(NamedTuple):
    """Whether an expectation holds, and how much of it; the answers too many and missing; were all looked at?"""

    ok: bool
    share: float
    surplus: int = 0
    missing: int = 0
    sure: bool = True


class Expectation(Protocol):
    """What is expected."""

    def of(self, program: Answering) -> Judgement:
        """How much of it holds."""


@dataclass(frozen=True)
class Exactly:
    """These answers, and no others; `least`: answers may be too many."""

    meant: frozenset[Answer]
    least: bool

    def of(self, program: Answering) -> Judgement:
        most = 2 * len(self.meant) + 30
        now = program.answers(most)
        if program.interrupted:
            return Judgement(False, 0.0)
        surplus, lost = len(now - self.meant), self.meant - now
        missing = len(lost)
        if len(now) >= most:  # not all are known
            missing = sum(not program.has(one) for one in islice(lost, _LOOKED_UP))
        good = len(self.meant) - missing
        if self.least:
            share = good / len(self.meant) if self.meant else 1.0
            return Judgement(missing == 0, share - 0.1 * surplus / (surplus + len(self.meant) + 1), surplus, missing)
        if not (surplus or missing):
            return Judgement(True, 1.0)
        return Judgement(False, 0.999 * (0.5 + good) / (0.5 + len(self.meant) + surplus), surplus, missing)


@dataclass(frozen=True)
class Sampled:
    """The answers of a reference, of which some are at hand; `least`: answers may be too many."""

    some: frozenset[Answer]
    reference: Callable[[], Answering]
    least: bool

    def of(self, program: Answering) -> Judgement:
        reference = self.reference()
        if program.whole and not self.least:
            now, meant = program.answers(program.whole), reference.answers(program.whole)
            if max(len(now), len(meant)) < program.whole:
                return Judgement(now == meant, float(now == meant), len(now - meant), len(meant - now))
        # A few tell of most variants that they are wrong.
        looked = set[Answer]()
        for most in (min(_FEW, program.lookups), program.lookups):
            some = {*islice(self.some, most)} - looked
            missing = sum(not program.has(one) for one in some)
            now = set() if self.least else program.answers(most) - looked
            surplus = sum(one not in self.some and not reference.has(one) for one in now)
            looked |= some | now
            if missing or surplus:
                break
        right = 1.0 - (missing + surplus) / max(len(some) + len(now), 1)
        return Judgement(not (missing or surplus), right, surplus, missing, False)


@dataclass(frozen=True)
class Fewer:
    """No answers but those of the reference, of which some are at hand, and not none."""

    some: frozenset[Answer]
    reference: Callable[[], Answering] | None  #: None where they are all at hand.

    def of(self, program: Answering) -> Judgement:
        most = max(len(self.some) + 30, program.whole)
        now = program.answers(most)
        new = now - self.some
        if self.reference is not None:
            reference = self.reference()
            known = reference.answers(most) if program.whole else set()
            new = {one for one in new - known if len(known) < program.whole or not reference.has(one)}
        ok = bool(now) and not new and not program.interrupted
        share = float(ok) or 0.5 * (len(now) - len(new)) / max(len(now), 1)
        return Judgement(ok, share, len(new), int(not now), len(now) < most)


@dataclass(frozen=True)
class Some:
    """An answer has all of some literals."""

    literals: Literals

    def of(self, program: Answering) -> Judgement:
        ok = program.some(self.literals) is True
        return Judgement(ok, ok, 0, not ok)


@dataclass(frozen=True)
class Never:
    """No answer has all of some literals."""

    literals: Literals

    def of(self, program: Answering) -> Judgement:
        ok = program.some(self.literals) is False
        return Judgement(ok, ok, not ok)


@dataclass(frozen=True)
class Every:
    """There is an answer, and each has each of some literals."""

    literals: Literals

    def of(self, program: Answering) -> Judgement:
        without = (program.some([(symbol, not holds)]) for symbol, holds in self.literals)
        ok = all(one is False for one in without) and program.some([]) is True
        return Judgement(ok, ok, not ok)


@dataclass(frozen=True)
class One:
    """These atoms are an answer, or are none."""

    answer: Answer
    meant: bool

    def of(self, program: Answering) -> Judgement:
        ok = program.has(self.answer) is self.meant
        return Judgement(ok, ok, not ok and not self.meant, not ok and self.meant)


@dataclass(frozen=True)
class Number:
    """So many answers."""

    number: int

    def of(self, program: Answering) -> Judgement:
        found = len(program.answers(self.number + 1))
        if program.interrupted:
            return Judgement(False, 0.0)
        ok = found == self.number
        share = float(ok) or 0.9 * min(found, self.number) / max(found, self.number, 1)
        return Judgement(ok, share, max(found - self.number, 0), max(self.number - found, 0))


@dataclass(frozen=True)
class Verdict:
    """Whether there are answers: `sat`, `unsat`, `unique`, `several`."""

    word: str

    def of(self, program: Answering) -> Judgement:
        found = len(program.answers(2))
        if program.interrupted:
            return Judgement(False, 0.0)
        ok = {"unsat": found == 0, "sat": found > 0, "unique": found == 1, "several": found > 1}[self.word]
        return Judgement(ok, ok, not ok and self.word in ("unsat", "unique") and found > 0, not ok and found == 0)


@dataclass(frozen=True)
class Cost:
    """The cost of a best answer."""

    cost: list[int]

    def of(self, program: Answering) -> Judgement:
        now = program.cost()
        ok, cheaper = now == self.cost, now is not None and now < self.cost
        return Judgement(ok, ok, not ok and cheaper, not ok and not cheaper)


_WISHES: dict[str, Callable[[Literals], Expectation]] = {"some": Some, "none": Never, "every": Every}


class PackedCase:
    """An instance and what is expected of a program on it: `bridge.debugging.trials.Case`, packed.

    A `reference` is made an Answering by `answering`, when it is needed.
    """

    def __init__(self, given: Mapping[str, Any], answering: Callable[[str, PackedCase], Answering]) -> None:
        self.facts: str = given["facts"]
        self.options = [f"-c{name}={value}" for name, value in given["constants"].items()]
        self.show: list[tuple[str, int, bool]] = [
            (n.removeprefix("-"), a, not n.startswith("-")) for n, a in given["show"]
        ]
        self.optimal: bool = given["optimal"]
        self.exactly = None if given["exactly"] is None else frozenset(map(_answer, given["exactly"]))
        self.complete: bool = given["complete"]
        self._reference: str = given["reference"] or ""
        self._answering, self._oracle = answering, None
        self.expectations = list(self._expectations(given))

    _oracle: Answering | None

    def _expectations(self, given: Mapping[str, Any]) -> Iterator[Expectation]:
        if self.exactly is not None and given["precision"]:
            yield Fewer(self.exactly, None if self.complete else self.reference)
            return
        if self.exactly is not None:
            least = given["recall"]
            yield Exactly(self.exactly, least) if self.complete else Sampled(self.exactly, self.reference, least)
            if least:
                return
        for kind, atoms in given["wishes"]:
            literals = list(map(_literal, atoms))
            if kind in ("has", "lacks"):
                yield One(frozenset(symbol for symbol, _ in literals), kind == "has")
            else:
                yield _WISHES[kind](literals)
        if given["number"] is not None:
            yield Number(given["number"])
        elif given["verdict"] is not None:
            yield Verdict(given["verdict"])
        if given["cost"] is not None:
            yield Cost(list(given["cost"]))

    def projected(self, text: str) -> str:
        """A program of which answers that are the same come once: projected to what is shown, and to nothing else."""
        if "#project" in text:
            text = _PROJECT.sub(lambda found: "\n" * found[0].count("\n") if found[0][0] == "#" else found[0], text)
        own = (f"#project {'' if positive else '-'}{name}/{arity}.\n" for name, arity, positive in self.show)
        return f"{text}\n{self.facts}\n{''.join(own)}"

    def reference(self) -> Answering:
        """The program that is right."""
        if self._oracle is None:
            self._oracle = self._answering(self._reference, self)
        return self._oracle

    def belongs(self, answer: Answer) -> bool:
        """Whether an answer is meant."""
        if self.exactly is None or not self.complete:
            return answer in (self.exactly or ()) or self.reference().has(answer) is True
        return answer in self.exactly

    def judged(self, program: Answering) -> Judgement:
        """How much of what is expected holds."""
        parts = [one.of(program) for one in self.expectations]
        share = sum(one.share for one in parts) / len(parts) if parts else 1.0
        surplus, missing = sum(one.surplus for one in parts), sum(one.missing for one in parts)
        return Judgement(all(one.ok for one in parts), share, surplus, missing, all(one.sure for one in parts))


def _answer(atoms: Sequence[str]) -> Answer:
    return frozenset(map(clingo.parse_term, atoms))


def _literal(text: str) -> tuple[clingo.Symbol, bool]:
    return clingo.parse_term(text.removeprefix("not ")), not text.startswith("not ")
