"""Cores: premises that cannot hold together, and why an instance or a program has no solution.

- A **core** is a set of premises that cannot hold together; a **MUS** (minimal unsatisfiable subset) one from which
  nothing can be left out.
- A **correction set** is a set of premises without which the others can hold together. Every MUS hits every correction
  set, and vice versa (R. Reiter, *A theory of diagnosis from first principles*, 1987).

All functions work on any problem that answers `Questions`, such as a clingo program. A MUS is first
looked for near a single rule, because people see such a clash; otherwise in the solver's core, by deletion. A smallest
MUS takes hitting sets, and longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from bridge.as_json import Json
from bridge.asp.hitting import HittingSets
from bridge.asp.running.core import Ask, clashes, shrunk
from bridge.common.english import how_ended
from bridge.errors import LimitError
from bridge.limits import UNLIMITED, Deadline
from bridge.problem.questions import P, Questions, Reply, among, is_fact, singles, without

if TYPE_CHECKING:
    from bridge.problem.asp_oracle import StatementPremise


@dataclass(frozen=True, slots=True)
class Clash(Json, Generic[P]):
    """Premises that cannot hold together."""

    #: Rules, then facts, each in the problem's order.
    premises: tuple[P, ...]
    #: Whether it is proved that none can be left out: a MUS. False when a limit came first.
    minimal: bool
    #: Whether it is proved that no other clash has fewer.
    smallest: bool = False

    @property
    def rules(self) -> tuple[P, ...]:
        return tuple(premise for premise in self.premises if not is_fact(premise))

    @property
    def facts(self) -> tuple[P, ...]:
        return tuple(premise for premise in self.premises if is_fact(premise))

    def __str__(self) -> str:
        return ", ".join(getattr(one, "label", str(one)) for one in (*self.facts, *self.rules))

    def __repr__(self) -> str:
        places = (getattr(one, "where", getattr(one, "place", "")) for one in self.premises)
        texts = (getattr(one, "text", None) or str(one) for one in self.premises)
        named = (f"{place}: {text}" if str(place) else text for place, text in zip(places, texts, strict=True))
        return f"<Clash of {', '.join(named)}>"

    def lines(self: Clash[StatementPremise], given: Sequence[str] = ()) -> Iterator[str]:
        """The rules and facts of a program with their places, a line each; facts of one line together."""
        if not self.premises:
            what = "the statements marked `always`, `#edge`, or a query"
            yield f"  (what is never in question is a contradiction by itself: {what})"
        # Instances of one rule together, if one sentence says them all.
        for rules in _grouped(self.rules, lambda rule: (rule.statements, rule.sentence)):
            first = rules[0]
            for one in first.statements:
                yield f"  {one.place}: {one.text}"
            names = ", ".join(str(rule) for rule in rules if not rule.unnamed)
            bounds = "the bounds of this choice" if first.kind == "choice" else ""
            sentence = ": ".join(part for part in (names or bounds, first.sentence) if part)
            if sentence:
                yield f"      {sentence}"
        stated = [fact for fact in self.facts if hasattr(fact, "place")]
        for facts in _grouped(stated, lambda fact: (fact.place.file, fact.place.line)):
            yield f"  {facts[0].where}: {' '.join(map(str, facts))}"
        atoms = [str(fact) for fact in self.facts if not hasattr(fact, "place")]
        if needed := [atom for atom in atoms if atom in given]:
            yield f"  given: {', '.join(needed)}"
        if chosen := [atom for atom in atoms if atom not in given]:
            yield f"  the other choices: {', '.join(chosen)}"
        yield from self.proof

    @property
    def proof(self) -> tuple[str, ...]:
        """A line that says whether it is minimal, if there is anything to say."""
        if not self.minimal:
            return ("  (not proved to be minimal)",)
        return ("  (minimal, and no clash is smaller)",) if self.smallest else ()

    _json = ("rules facts clues=facts minimal smallest",)


def _grouped(premises: Iterable[P], key: Callable[[P], Hashable]) -> Iterable[list[P]]:
    found: dict[Hashable, list[P]] = {}
    for premise in premises:
        found.setdefault(key(premise), []).append(premise)
    return found.values()


def clash(oracle: Questions[P], premises: Iterable[P], *, effort: int | None = 0) -> Clash[P] | None:
    """A MUS of some premises, small ones first; None when they can hold together, or a limit came before that is known.

    When the deadline of the oracle comes first, the clash found by then is not `minimal`. `effort` is the number of
    questions for a clash of the fewest premises, with a proof (A. Ignatiev et al., *Smallest MUS extraction with
    minimal hitting set dualization*, 2015): hundreds to thousands, or None for as many as it takes.
    """
    asked = list(dict.fromkeys(premises))
    last = deque(better_clashes(oracle, asked), maxlen=1)
    return smallest(oracle, asked, last[0], effort) if last else None


def better_clashes(oracle: Questions[P], premises: Sequence[P]) -> Iterator[Clash[P]]:
    """Clashes of some premises, each better than the one before; the last is a MUS, unless a limit came first."""

    def size(core: Sequence[P]) -> tuple[int, int]:
        return len(core), sum(not is_fact(premise) for premise in core)

    for core, minimal in clashes(premises, _asking(oracle), lambda core: oracle.near(premises, core), size):
        yield Clash(oracle.ordered(core), minimal)


def _asking(oracle: Questions[P], fixed: Collection[P] = ()) -> Ask[P]:
    always = set(fixed)

    def ask(some: Sequence[P]) -> tuple[bool | None, Sequence[P]]:
        reply = oracle.ask([*fixed, *some])
        return reply.satisfiable, [premise for premise in reply.core if premise not in always]

    return ask


def disjoint_clashes(oracle: Questions[P], premises: Iterable[P], number: int) -> list[Clash[P]]:
    """Up to so many MUSes, pairwise disjoint: each is looked for without the premises of those before."""
    left = list(dict.fromkeys(premises))
    found: list[Clash[P]] = []
    while len(found) < number and (one := clash(oracle, left)):
        found.append(one)
        left = without(left, one.premises)
    return found


def shrink(oracle: Questions[P], core: Sequence[P], fixed: Collection[P] = ()) -> tuple[list[P], bool]:
    """A minimal subset of premises that cannot hold together, those at the front tried first; is it proved minimal?

    The `fixed` ones are in every question, and not in the subset.
    """
    return shrunk(core, _asking(oracle, fixed))


def _missed(oracle: Questions[P], some: Sequence[P], others: Sequence[P]) -> list[P]:
    """The others that are not in a maximal satisfiable subset which is grown from `some`.

    From all of them, one of each core is dropped until the rest can hold together; then those dropped are tried again.
    That takes a few questions, where adding one by one takes as many as there are premises.
    """
    fixed, dropped = set(some), []
    together = list(dict.fromkeys([*some, *others]))
    while not (reply := answered(oracle, together)).satisfiable:
        core = [premise for premise in reply.core if premise not in fixed]
        dropped.append(next(filter(is_fact, core), core[0]))
        together = without(together, dropped)
    missed = dropped[-1:]  # with the last one, the others cannot hold together
    for premise in dropped[:-1]:
        if answered(oracle, [*together, premise]).satisfiable:
            together.append(premise)
        else:
            missed.append(premise)
    return among(others, missed)


def correction(oracle: Questions[P], some: Sequence[P], premises: Sequence[P]) -> list[P] | None:
    """A correction set that has none of some premises; None when these cannot hold together. LimitError at a limit."""
    if not answered(oracle, some).satisfiable:
        return None
    return _missed(oracle, some, premises)


def proposal(oracle: Questions[Any], sets: HittingSets[P], most: int | None,
             deadline: Deadline | None = None) -> tuple[P, ...] | None:
    """A smallest hitting set of at most so many elements; LimitError when the oracle's deadline or another is first."""
    return sets.propose(most, oracle.within(deadline.within(UNLIMITED) if deadline else UNLIMITED))


def answered(oracle: Questions[P], premises: Sequence[P]) -> Reply[P, Any]:
    """The reply to a question; LimitError when a limit comes first."""
    reply = oracle.ask(premises)
    if reply.satisfiable is None:
        raise LimitError(how_ended(reply.limit))
    return reply


def smallest(oracle: Questions[P], premises: Sequence[P], best: Clash[P], effort: int | None,
             corrections: Iterable[Collection[P]] = (), patience: float | None = None) -> Clash[P]:
    """A clash of the fewest premises; the `best` that is known when there is no smaller one, or a limit comes first.

    A smallest hitting set of the correction sets found so far, at first those that are known (`corrections`), is a
    smallest clash as soon as it is a clash. After `effort` questions no other set is looked at, None for as many as it
    takes; `patience` is the most seconds, if fewer than the oracle has: a hitting set may take longer than all
    questions.
    """
    if not best.minimal or effort == 0:
        return best
    sets: HittingSets[P] = HittingSets(singles(premises))
    met: list[P] = []
    patient = Deadline(patience)
    for correction in corrections:
        sets.require(correction)
        met += correction
    most = None if effort is None else oracle.calls + effort

    def together(some: Sequence[P]) -> bool | None:
        """Whether some premises can hold together; LimitError when there were enough questions."""
        if most is not None and oracle.calls >= most:
            raise LimitError("enough questions")
        return answered(oracle, some).satisfiable

    def miss(some: Sequence[P]) -> Collection[P]:
        """A correction set that some premises do not hit; it is required from now on."""
        correction = _missed(oracle, some, premises)
        sets.require(correction)
        return correction

    try:
        # Disjoint correction sets: each raises the least size by one.
        while together(met):
            met += miss(met)
        while (candidate := proposal(oracle, sets, len(best.premises) - 1, patient)) is not None:
            if not together(candidate):
                return Clash(oracle.ordered(candidate), True, True)
            miss(candidate)
    except LimitError:
        return best
    return Clash(best.premises, True, True)
