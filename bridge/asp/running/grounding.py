"""The size of the ground program, counted while it comes out of the grounder.

clingo cannot be stopped while it grounds, except by an observer that raises an exception at the next rule: so a blow-up
can be counted while it happens. (Where no rule comes out for long, only the end of the process stops it.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import clingo

from bridge.asp import internals
from bridge.asp.results import Grounding
from bridge.isolation.watchdog import Watch
from bridge.limits import LimitName, Limits

_KINDS = ("facts", "rules", "choices", "disjunctions", "constraints", "minimize")


class _Stop(Exception):
    """The grounding has been stopped."""


class _Counts(clingo.Observer):
    """Counts rules, by kind and by the atoms in their heads."""

    def __init__(self) -> None:
        self.rules = dict.fromkeys(_KINDS, 0)
        self.heads: Counter[int] = Counter()
        self.facts: set[int] = set()
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._count(choice, head, not body)

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self._count(choice, head, False)

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self.rules["minimize"] += len(literals)

    def _count(self, choice: bool, head: Sequence[int], bare: bool) -> None:
        if self.stopped:
            raise _Stop
        if choice:
            kind = "choices"
        elif len(head) == 1:
            kind = "facts" if bare else "rules"
            if bare:
                self.facts.add(head[0])
        else:
            kind = "disjunctions" if head else "constraints"
        self.rules[kind] += 1
        for atom in head:
            self.heads[atom] += 1


def measure(
    control: clingo.Control,
    parts: Sequence[tuple[str, Sequence[clingo.Symbol]]],
    limits: Limits,
    context: Any = None,
) -> Grounding:
    """Ground a fresh Control, which is of no further use.

    A limit or Ctrl-C ends it early, with what was counted up to then. Errors are clingo's own.
    """
    counts = _Counts()
    control.register_observer(counts, replace=False)
    started = perf_counter()
    complete, pressed = False, False
    with Watch(counts.stop, limits.seconds) as watch:
        watch.arm()
        try:
            control.ground(parts, context)
            complete = True
        except _Stop:
            pass
        finally:
            try:
                watch.disarm()
            except KeyboardInterrupt:
                pressed = True
    seconds = perf_counter() - started
    limit: LimitName | None = "interrupt" if pressed else None if complete else "seconds"
    return Grounding(complete, limit, seconds, counts.rules, *_by_signature(control, counts))


def _by_signature(control: clingo.Control, counts: _Counts) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    atoms: dict[str, tuple[int, int]] = {}
    heads: dict[str, int] = {}
    named = 0
    for name, arity, positive in control.symbolic_atoms.signatures:
        number = facts = rules = 0
        for _, literal in internals.atoms(control, name, arity, positive):
            number += 1
            facts += literal in counts.facts
            rules += counts.heads.get(literal, 0)
        signature = f"{'' if positive else '-'}{name}/{arity}"
        if number:
            atoms[signature] = (number, facts)
        if rules:
            heads[signature] = rules
            named += rules
    if unnamed := counts.heads.total() - named:
        heads[""] = unnamed
    return atoms, heads
