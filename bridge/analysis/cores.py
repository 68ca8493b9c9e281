"""Why an instance is impossible: rules and clues that cannot hold together.

- A **core** is a set of premises that cannot hold together; a **MUS** (minimal unsatisfiable subset) one from which
  nothing can be left out.
- A **correction set** is what has to be left out of the premises for the rest to hold together. Every MUS hits every
  correction set, and the other way round (R. Reiter, *A theory of diagnosis from first principles*, 1987).

The one idea: a MUS is found near a single rule when there is one, because people see such a clash; otherwise in the
solver's own core, by leaving out one premise after the other. A smallest one takes a hitting set, and longer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from bridge.asp.hitting import HittingSets
from bridge.errors import LimitError
from bridge.limits import Deadline, Limits
from bridge.problems.oracle import Fact, HasPremises, Oracle, Premise, Reply
from bridge.puzzles.rules import Rule

P = TypeVar("P", bound=Premise)

#: Orders in which a core is made smaller. The 32 rules and clues of one Takuzu become 14 in every third order.
ORDERS = 6

#: With more rules than these, single ones are looked at only when they are in the solver's core.
MOST_RULES = 100


@dataclass(frozen=True, slots=True)
class Clash(HasPremises):
    """Premises that cannot hold together.

    Attributes
    ----------
    premises
        Rules in the puzzle's order, then facts.
    minimal
        Whether it is proved that none can be left out: a MUS. False when a limit came first.
    smallest
        Whether it is proved that no other clash has fewer.
    """

    premises: tuple[Premise, ...]
    minimal: bool
    smallest: bool = False

    def __str__(self) -> str:
        return ", ".join([*(f"clue {fact}" for fact in self.facts), *self.rules])

    def to_json(self) -> dict[str, Any]:
        return {
            "rules": list(self.rules),
            "clues": [[*fact.cell, fact.value] for fact in self.facts],
            "minimal": self.minimal,
            "smallest": self.smallest,
        }


def clash(oracle: Oracle, premises: Iterable[Premise], *, effort: int | None = 0) -> Clash | None:
    """A MUS of some premises, small ones first; None when they can hold together, or a limit came before that is known.

    Parameters
    ----------
    oracle
        Whom to ask. Its deadline ends the work; what is known by then is the answer, not `minimal`.
    premises
        Rules and facts.
    effort
        Questions to spend on one of the fewest premises, and on the proof that it is (A. Ignatiev et al., *Smallest MUS
        extraction with minimal hitting set dualization*, 2015); hundreds to thousands. None for as many as it takes.
    """
    asked = list(dict.fromkeys(premises))
    reply = oracle.ask(asked)
    if reply.satisfiable is not False:
        return None
    rules = [premise for premise in asked if isinstance(premise, str)]
    if len(rules) > MOST_RULES:
        rules = [premise for premise in reply.core if isinstance(premise, str)]
    found = [one for rule in rules if (one := _around(oracle, oracle.rules[rule], asked))]
    best = min(found or _in_the_core(oracle, reply.core), key=_size)
    return best if effort == 0 else smallest(oracle, asked, best, effort)


def disjoint_clashes(oracle: Oracle, premises: Iterable[Premise], number: int) -> list[Clash]:
    """Up to so many MUSes no two of which share a premise, by leaving out what was found."""
    left = list(dict.fromkeys(premises))
    found: list[Clash] = []
    while len(found) < number and (one := clash(oracle, left)):
        found.append(one)
        left = [premise for premise in left if premise not in one.premises]
    return found


def shrink(oracle: Oracle, core: Sequence[Premise]) -> tuple[list[Premise], bool]:
    """What is left of premises that cannot hold together when each that can be left out is, those at the front first.

    Deletion, with the solver's core taken over each time (J. Marques-Silva, *Minimal unsatisfiability: models,
    algorithms and applications*, 2010).

    Returns
    -------
    The rest, and whether every one of it was shown to be needed; False when a limit came first.
    """
    kept, needed = list(core), 0
    while needed < len(kept):
        reply = oracle.ask(kept[:needed] + kept[needed + 1 :])
        if reply.satisfiable is None:
            return kept, False
        if reply.satisfiable:
            needed += 1
        else:  # what was needed for more premises is needed for fewer: it is all in this core
            smaller = set(reply.core)
            rest = [premise for premise in kept[needed:] if premise in smaller]
            # The core is all that came before the premise that was refuted. Next to those that are needed, this one
            # makes the next core short: a Takuzu's step takes 20 questions in place of 100.
            kept = [*kept[:needed], *rest[-1:], *rest[:-1]]
    return kept, True


def ordered(oracle: Oracle, premises: Iterable[Premise]) -> tuple[Premise, ...]:
    """Rules in the puzzle's order, then facts in reading order."""
    place, premises = {name: i for i, name in enumerate(oracle.rules)}, tuple(premises)
    rules = sorted((one for one in premises if isinstance(one, str)), key=place.__getitem__)
    return (*rules, *sorted((one for one in premises if isinstance(one, Fact)), key=lambda one: (one.cell, one.holds)))


def grown(oracle: Oracle, some: Sequence[Premise], others: Iterable[Premise]) -> list[Premise]:
    """Premises that can hold together, with as many others as can be added: a maximal satisfiable subset.

    From all of them, one of each core is dropped until the rest can hold together; then those dropped are tried again.
    A few questions, where adding one by one takes as many as there are premises.

    Raises
    ------
    LimitError
        When a limit comes first.
    """
    fixed, dropped = set(some), []
    together = list(dict.fromkeys([*some, *others]))
    while not (reply := _answered(oracle, together)).satisfiable:
        core = [premise for premise in reply.core if premise not in fixed]
        dropped.append(next((premise for premise in core if isinstance(premise, Fact)), core[0]))
        together.remove(dropped[-1])
    for premise in dropped[:-1]:  # without the last, it was not to be had
        if _answered(oracle, [*together, premise]).satisfiable:
            together.append(premise)
    return together


def proposal(oracle: Oracle, sets: HittingSets[P], most: int, deadline: Deadline | None = None) -> tuple[P, ...] | None:
    """What `sets` proposes with at most so many elements, within the oracle's deadline and another.

    Raises
    ------
    LimitError
        When a deadline comes first.
    """
    left = deadline.remaining() if deadline else None
    return sets.propose(most, oracle.within(Limits(seconds=None if left is None else max(left, 0.001))))


def _answered(oracle: Oracle, premises: Sequence[Premise]) -> Reply:
    reply = oracle.ask(premises)
    if reply.satisfiable is None:
        raise LimitError(f"the limit on {reply.limit} came first")
    return reply


def _size(one: Clash) -> tuple[int, int]:
    return len(one.premises), len(one.rules)


def _around(oracle: Oracle, rule: Rule, premises: Sequence[Premise]) -> Clash | None:
    """A clash of one rule and facts about its cells."""
    cells = set(rule.cells)
    facts = [premise for premise in premises if isinstance(premise, Fact) and premise.cell in cells]
    reply = oracle.ask([rule.name, *facts])
    if reply.satisfiable is not False:
        return None
    left, minimal = shrink(oracle, reply.core)
    return Clash(ordered(oracle, left), minimal)


def _in_the_core(oracle: Oracle, core: Sequence[Premise]) -> list[Clash]:
    """MUSes of a core, in several orders: which gives a small one cannot be known before."""
    core, found, chance = list(_again(oracle, core)), [], Random(1)
    for _ in range(ORDERS):
        left, minimal = shrink(oracle, core)
        found.append(Clash(ordered(oracle, left), minimal))
        if not minimal:
            break
        chance.shuffle(core)
    return found


def _again(oracle: Oracle, core: Sequence[Premise]) -> Sequence[Premise]:
    """The core of a core in another order, as long as it gets smaller: cheaper than leaving out one by one."""
    while True:
        reply = oracle.ask(core[::-1])
        if reply.satisfiable is not False or len(reply.core) >= len(core):
            return core
        core = reply.core


def smallest(
    oracle: Oracle,
    premises: Sequence[Premise],
    best: Clash,
    effort: int | None,
    corrections: Iterable[Collection[Premise]] = (),
    patience: float | None = None,
) -> Clash:
    """A clash of the fewest premises; the one that is known when there is none smaller, or too little time to tell.

    A smallest set that hits every correction set met so far is a clash of the fewest premises, once it is one.

    Parameters
    ----------
    best
        A clash of the premises.
    effort
        Questions to spend; None for as many as it takes.
    corrections
        Correction sets that are known.
    patience
        Seconds, if not as many as the oracle has: to propose a set of many premises may take longer than all questions.
    """
    if not best.minimal:
        return best
    sets: HittingSets[Premise] = HittingSets(premises)
    met: list[Premise] = []
    patient = Deadline(patience)
    for correction in corrections:
        sets.require(correction)
        met += correction
    most = None if effort is None else oracle.calls + effort

    def miss(some: Sequence[Premise]) -> Collection[Premise]:
        """A correction set without any of some premises, which is to be hit from now on."""
        together = set(grown(oracle, some, premises))
        correction = [premise for premise in premises if premise not in together]
        sets.require(correction)
        return correction

    try:
        # Those that have nothing in common each raise the least size by one.
        while _answered(oracle, met).satisfiable:
            met += miss(met)
        while (candidate := proposal(oracle, sets, len(best.premises) - 1, patient)) is not None:
            if most is not None and oracle.calls > most:
                return best
            reply = oracle.ask(candidate)
            if reply.satisfiable is None:
                return best
            if not reply.satisfiable:
                return Clash(ordered(oracle, candidate), True, True)
            miss(candidate)
    except LimitError:
        return best
    return Clash(best.premises, True, True)
