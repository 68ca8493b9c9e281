"""What to change: the fewest clues to take away from an impossible instance, or to add to an ambiguous one.

- The **givens** are what an author has written: the clues, and rules that are `given` (inequalities).
- A **repair** is a set of givens to take away, or of clues to add.

The one idea: both are hitting sets, and the sets to hit come in only as they are missed. To take away: every core of
givens must lose one. To add: any two solutions must be told apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.analysis.cores import ordered, proposal
from bridge.asp.hitting import HittingSets
from bridge.errors import LimitError
from bridge.outcome import Interrupted
from bridge.problems.oracle import Assignment, Fact, Oracle, Premise
from bridge.puzzles.rules import Cell, Value, cell_name

#: Cores met on the way are made smaller only up to so many questions: a smaller one is worth more, but not that much.
WORTH_SHRINKING = 8


@dataclass(frozen=True, slots=True)
class Repairs:
    """Smallest repairs.

    Attributes
    ----------
    sets
        Those found, all of one size.
    size
        No repair has fewer elements: proved, also when none was found.
    complete
        Whether there are no others of that size. False when a limit came first, on time, on size or on number.
    """

    sets: tuple[tuple[Premise, ...], ...]
    size: int
    complete: bool

    def to_json(self) -> dict[str, Any]:
        sets = [
            [premise if isinstance(premise, str) else [*premise.cell, premise.value] for premise in one]
            for one in self.sets
        ]
        return {"size": self.size, "complete": self.complete, "sets": sets}


def removals(
    oracle: Oracle,
    givens: Sequence[Premise],
    others: Sequence[Premise],
    number: int,
    cores: Iterable[Collection[Premise]] = (),
) -> Repairs:
    """The fewest givens without which there is a solution.

    Parameters
    ----------
    oracle
        Whom to ask.
    givens, others
        What can be taken away; and what stays in any case, which must have a solution.
    number
        How many smallest sets to look for.
    cores
        Premises that are known not to hold together.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the repairs so far in `partial`; as in `additions`.
    """
    sets: HittingSets[Premise] = HittingSets(givens)
    for core in cores:
        sets.require(given for given in givens if given in core)
    found: list[tuple[Premise, ...]] = []
    try:
        while True:
            if (candidate := proposal(oracle, sets, sets.size if found else len(givens))) is None:
                return _repairs(found, sets, True)
            if len(found) == number:
                break
            away = set(candidate)
            reply = oracle.ask([*others, *(given for given in givens if given not in away)])
            if reply.satisfiable is None:
                break
            if reply.satisfiable:
                found.append(ordered(oracle, candidate))
                sets.forbid(candidate)
            else:
                sets.require(_few(oracle, reply.core, set(givens), others))
    except LimitError:
        pass
    except KeyboardInterrupt:
        raise Interrupted(_repairs(found, sets, False)) from None
    return _repairs(found, sets, False)


def _repairs(found: Iterable[tuple[Premise, ...]], sets: HittingSets[Any], complete: bool) -> Repairs:
    """What was found, facts in reading order, then rules; `sets` knows the size up to which there is nothing."""

    def place(one: tuple[Premise, ...]) -> list[tuple[Any, ...]]:
        return [(1, part) if isinstance(part, str) else (0, part.cell, part.value) for part in one]

    repairs = tuple(sorted(found, key=place))
    return Repairs(repairs, len(repairs[0]) if repairs else sets.size, complete)


@dataclass(frozen=True, slots=True)
class After:
    """What a removal leads to: whether there is one solution then, and if so what it has where the clues were."""

    unique: bool
    values: Mapping[Cell, Value]

    def to_json(self) -> dict[str, Any]:
        return {"unique": self.unique, "values": {cell_name(cell): value for cell, value in self.values.items()}}


def after(oracle: Oracle, premises: Sequence[Premise], away: Sequence[Premise]) -> After:
    """What is left when some of the premises are taken away, which are to be one of the smallest removals.

    Raises
    ------
    LimitError
        When a limit comes first.
    """
    # No part of a smallest removal may stay: so it makes no difference whether the rest is forbidden, or not asked for.
    solutions = oracle.some([premise for premise in premises if premise not in away], 2)
    unique = len(solutions) == 1
    cells = [premise.cell for premise in away if isinstance(premise, Fact)] if unique else []
    return After(unique, {cell: solutions[0][cell] for cell in cells})


def additions(
    oracle: Oracle,
    premises: Sequence[Premise],
    possible: Mapping[Cell, Iterable[Value]],
    most: int,
    number: int,
) -> Repairs:
    """The fewest clues that make the solution the only one, whichever solution that is.

    A set of clues does when just one solution has them all. If none has them, a core of them is not to be proposed
    again; if two have them, a clue is wanted that not both have.

    Parameters
    ----------
    oracle
        Whom to ask.
    premises
        The rules and clues of the instance, which has several solutions.
    possible
        The values that each open cell has in some solution.
    most
        The largest size to try.
    number
        How many smallest sets to look for.
    """
    elements = [Fact(cell, value) for cell, values in possible.items() for value in values]
    sets: HittingSets[Fact] = HittingSets(elements)
    sets.require(elements)  # there are several solutions
    found: list[tuple[Premise, ...]] = []
    try:
        while True:
            if (candidate := proposal(oracle, sets, sets.size if found else most)) is None:
                return _repairs(found, sets, bool(found))
            if len(found) == number:
                break
            two = oracle.some([*premises, *candidate], 2)
            if not two:
                reply = oracle.ask([*premises, *candidate])
                if reply.satisfiable is None:
                    break
                sets.forbid(fact for fact in candidate if fact in reply.core)
            elif len(two) == 1:
                found.append(ordered(oracle, candidate))
                sets.forbid(candidate)
            else:
                one, other = two[0], _closest(oracle, [*premises, *candidate], *two)
                sets.require(fact for fact in elements if not one[fact.cell] == other[fact.cell] == fact.value)
    except LimitError:
        pass
    except KeyboardInterrupt:
        raise Interrupted(_repairs(found, sets, False)) from None
    return _repairs(found, sets, False)


def _few(oracle: Oracle, core: Iterable[Premise], givens: set[Premise], others: Sequence[Premise]) -> list[Premise]:
    """The givens in a core, fewer where that does not take long: the others are all kept."""
    kept = [premise for premise in core if premise in givens]
    for premise in kept[:WORTH_SHRINKING]:
        if premise not in kept:
            continue
        reply = oracle.ask([*others, *(one for one in kept if one != premise)])
        if reply.satisfiable is None:
            break
        if not reply.satisfiable:
            smaller = set(reply.core)
            kept = [one for one in kept if one in smaller]
    return kept


def _closest(oracle: Oracle, premises: Sequence[Premise], one: Assignment, other: Assignment) -> Assignment:
    """Another solution that agrees with `one` in as many cells as it can, starting from where `other` does.

    The more they agree, the more the clause says that they give rise to.
    """
    different = [cell for cell in one if one[cell] != other[cell]]
    apart = Fact(different[0], one[different[0]], False)
    together = [Fact(cell, one[cell]) for cell in one if one[cell] == other[cell]]
    for cell in different[1:]:
        if other[cell] == one[cell]:
            together.append(Fact(cell, one[cell]))
            continue
        reply = oracle.ask([*premises, *together, Fact(cell, one[cell]), apart])
        if reply.satisfiable is None:
            break
        if reply.satisfiable:
            together.append(Fact(cell, one[cell]))
            other = reply.values
    return other


def redundant(oracle: Oracle, rules: Sequence[str]) -> tuple[list[Premise], list[Premise], bool]:
    """Givens of an instance with one solution that follow from the rest: each alone, and as many as can go together.

    Returns
    -------
    Those redundant alone; those taken away one after the other, in reading order, until every given is needed; and
    whether all were tried: False when a limit came first.
    """
    givens: list[Premise] = [*oracle.clues, *(name for name in rules if oracle.rules[name].given)]
    alone: list[Premise] = []
    away: list[Premise] = []
    everything: list[Premise] = [*rules, *oracle.clues]
    try:
        alone.extend(given for given in givens if _without(oracle, everything, given))
        for given in alone:
            if _without(oracle, everything, given):
                away.append(given)
                everything.remove(given)
    except LimitError:
        return alone, away, False
    return alone, away, True


def _without(oracle: Oracle, premises: Sequence[Premise], given: Premise) -> bool:
    """Whether the solution stays the only one without a given."""
    rest = [premise for premise in premises if premise != given]
    if isinstance(given, Fact):  # every other solution has another value there
        return not oracle.holds([*rest, given.negated()])
    return len(oracle.some(rest, 2)) == 1
