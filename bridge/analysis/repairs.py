"""Repairs: the fewest premises to remove from an impossible problem, or clues to add to an ambiguous instance.

- The **givens** are the premises that may be removed: clues, and rules that are `given` (inequalities); or facts and
  rules of a program.
- A **repair** is a set of givens to remove (a smallest correction set), or of clues to add.

Both are smallest hitting sets, computed by the implicit hitting set scheme (`bridge.asp.hitting`). A removal hits every
core of givens. An addition distinguishes any two solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from bridge.analysis.cores import answered, proposal
from bridge.as_json import Json, Key
from bridge.asp.hitting import HittingSets
from bridge.common.english import plural
from bridge.errors import LimitError
from bridge.outcome import Interrupted
from bridge.problem.questions import (
    P,
    Questions,
    Values,
    VariableQuestions,
    among,
    by_name,
    in_order,
    singles,
    some,
    without,
)

#: The number of repairs that are shown; the JSON has all.
SHOWN = 10

#: The most questions to shrink a core on the way: a smaller core is better, but shrinking costs questions, too.
WORTH_SHRINKING = 8


@dataclass(frozen=True, slots=True)
class Repairs(Json, Generic[P]):
    sets: tuple[tuple[P, ...], ...]  #: The repairs found, all of one size.
    size: int  #: A proved lower bound on the size of a repair, also when none was found.
    #: Whether there are no others of that size. False when a limit came first, on time, on size or on number.
    complete: bool

    def __str__(self) -> str:
        """The sets, one in a line: they do not say by themselves whether they take away or add."""
        if not self.sets:
            return "none" if self.complete else f"at least {self.size}; which was not found within the limits"
        others = "" if self.complete else ", perhaps there are others"
        sets = (", ".join(map(str, one)) for one in self.sets)
        return "\n".join([f"{plural(len(self.sets), 'set')} of {self.size}{others}:", *(f"  {one}" for one in sets)])

    def removal_lines(self, noun: tuple[str, str], line: Callable[[int, Sequence[P]], str]) -> Iterator[str]:
        """What to take away: `noun` is one or several of it, `line` the text of a set, by its number and premises."""
        if not self.sets:
            yield f"at least {plural(self.size, *noun)} must go; which ones was not found in time"
            return
        which = "any one of these" if self.size == 1 else f"{self.size} {noun[1]}, one of these sets"
        if len(self.sets) == 1:
            which = "this" if self.size == 1 else "these"
        yield f"take away {which}:"
        yield from self.shown_lines([line(number, one) for number, one in enumerate(self.sets)])

    def shown_lines(self, lines: Sequence[str]) -> Iterator[str]:
        """The first lines about its sets, the number of the others, and whether there may be more."""
        yield from (f"  {line}" for line in lines[:SHOWN])
        if len(lines) > SHOWN:
            yield f"  and {len(lines) - SHOWN} more"
        if not self.complete:
            yield "there may be others"

    _json = ("size complete sets",)


def removals(oracle: Questions[P], givens: Sequence[P], others: Sequence[P], number: int,
             cores: Iterable[Collection[P]] = ()) -> Repairs[P]:
    """The fewest givens without which there is a solution of the others, up to a number of such sets.

    The `cores` are known ones. On Ctrl-C, the repairs so far are in `partial` of Interrupted; as in `additions`.
    """
    sets: HittingSets[P] = HittingSets(singles(givens))
    for core in cores:
        sets.require(among(givens, core))

    def removes(candidate: Sequence[P]) -> bool:
        reply = answered(oracle, [*others, *without(givens, candidate)])
        if not reply.satisfiable:
            sets.require(_few(oracle, among(givens, reply.core), others))
        return bool(reply.satisfiable)

    return _smallest(oracle, sets, None, number, removes)


def _smallest(oracle: Questions[P], sets: HittingSets[P], most: int | None, number: int,
              repairs: Callable[[Sequence[P]], bool]) -> Repairs[P]:
    """The smallest hitting sets that are repairs; `repairs` says whether one is, and otherwise tells `sets` why not."""
    found: list[tuple[P, ...]] = []
    try:
        while (candidate := proposal(oracle, sets, sets.size if found else most)) is not None:
            if len(found) == number:
                return _repairs(found, sets, False)
            if repairs(candidate):
                found.append(oracle.ordered(candidate))
                sets.forbid(candidate)
        return _repairs(found, sets, most is None or bool(found))
    except LimitError:
        return _repairs(found, sets, False)
    except KeyboardInterrupt:
        raise Interrupted(_repairs(found, sets, False)) from None


def _repairs(found: Iterable[tuple[P, ...]], sets: HittingSets[Any], complete: bool) -> Repairs[P]:
    """The repairs found, in order; without any, `sets` has the lower bound on their size."""
    repairs = tuple(sorted(found, key=in_order))
    return Repairs(repairs, len(repairs[0]) if repairs else sets.size, complete)


@dataclass(frozen=True, slots=True)
class After(Json):
    """The result of a removal: whether the solution is then unique, and if so its values in the cells of the clues."""

    unique: bool
    values: Mapping[Any, Any]

    _json = ("unique", Key("values", dict[str, Any], lambda self: by_name(self.values)))


def after(oracle: VariableQuestions[P], premises: Sequence[P], away: Sequence[P]) -> After:
    """The result of one of the smallest removals; LimitError when a limit comes first."""
    # No part of a smallest removal can hold with the rest: so it makes no difference that it is not forbidden.
    solutions = some(oracle, without(premises, away), 2)
    unique = len(solutions) == 1
    # A clue is a fact about a variable.
    variables = [premise.variable for premise in away if hasattr(premise, "variable")] if unique else []
    return After(unique, {one: solutions[0][one] for one in variables})


def additions(oracle: VariableQuestions[P], premises: Sequence[P], possible: Mapping[Any, Iterable[Any]], most: int,
              number: int) -> Repairs[P]:
    """The fewest facts that make the solution unique, whichever solution that is.

    A set of facts, the values of variables, is an addition if exactly one solution has them all. If none has them, a
    core of them is forbidden; if two have them, a fact is required that not both have. `possible` are the values that
    each open variable has in some solution of the premises, `most` is the largest size to try, and `number` how many
    smallest sets to look for.
    """
    meaning = {oracle.fact(one, value): (one, value) for one, values in possible.items() for value in values}
    elements = list(meaning)
    sets: HittingSets[P] = HittingSets(elements)
    sets.require(elements)  # there are several solutions

    def adds(candidate: Sequence[P]) -> bool:
        two = some(oracle, [*premises, *candidate], 2)
        if not two:
            core = answered(oracle, [*premises, *candidate]).core
            sets.forbid(fact for fact in candidate if fact in core)
        elif len(two) == 2:
            one, other = two[0], _closest(oracle, [*premises, *candidate], list(possible), *two)
            sets.require(
                fact for fact, (variable, value) in meaning.items() if not one[variable] == other[variable] == value
            )
        return len(two) == 1

    return _smallest(oracle, sets, most, number, adds)


def _few(oracle: Questions[P], kept: list[P], others: Sequence[P]) -> list[P]:
    """The givens of a core, shrunk a little."""
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


def _closest(oracle: VariableQuestions[P], premises: Sequence[P], variables: Sequence[Any], one: Values,
             other: Values) -> Values:
    """Another solution that agrees with `one` in a maximal set of variables, among them those in which `other` does.

    The more they agree, the stronger is the clause that they give rise to.
    """

    def same(variable: Any) -> P:
        return oracle.fact(variable, one[variable])

    different = [variable for variable in variables if one[variable] != other[variable]]
    if not different:
        return other  # they differ in terms that are shown, which are not variables
    apart = oracle.fact(different[0], one[different[0]], False)
    together = [same(variable) for variable in variables if one[variable] == other[variable]]
    for variable in different[1:]:
        if other[variable] == one[variable]:
            together.append(same(variable))
            continue
        with_it = [*premises, *together, same(variable), apart]
        try:
            found = oracle.solution(with_it)
        except LimitError:
            break
        if found is not None:
            together.append(same(variable))
            other = found
    return other
