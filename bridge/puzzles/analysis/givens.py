"""The givens of a puzzle that are redundant."""

from __future__ import annotations

from collections.abc import Sequence

from bridge.errors import LimitError
from bridge.problem.questions import some
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact


def redundant(oracle: Oracle, rules: Sequence[str]) -> tuple[list[RuleOrFact], list[RuleOrFact], bool]:
    """The redundant givens of an instance with one solution: those that are redundant alone, and a maximal set of them.

    The latter are removed one after the other, in reading order, until every given is needed. Third, whether all were
    tried: False when a limit came first.
    """
    givens: list[RuleOrFact] = [*oracle.clues, *(name for name in rules if oracle.rules[name].given)]
    alone: list[RuleOrFact] = []
    away: list[RuleOrFact] = []
    everything: list[RuleOrFact] = [*rules, *oracle.clues]
    try:
        alone.extend(given for given in givens if _without(oracle, everything, given))
        for given in alone:
            if _without(oracle, everything, given):
                away.append(given)
                everything.remove(given)
    except LimitError:
        return alone, away, False
    return alone, away, True


def _without(oracle: Oracle, premises: Sequence[RuleOrFact], given: RuleOrFact) -> bool:
    """Whether the solution stays unique without a given."""
    rest = [premise for premise in premises if premise != given]
    if isinstance(given, Fact):  # every other solution has another value there
        return not oracle.holds([*rest, given.negated()])
    return len(some(oracle, rest, 2)) == 1
