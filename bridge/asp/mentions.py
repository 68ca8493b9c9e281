"""Which atoms of a predicate the rules of a program are about: for each switch, those in its ground rules.

An atom that a ground rule uses stands for the atoms that it is defined by, down to those of the predicate: a sum is
about the cells that it adds, a rule of connection about all cells that a path may take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import clingo

from bridge.asp import _cffi


class _Rules(clingo.Observer):
    """Keeps definitions and constraints."""

    def __init__(self) -> None:
        self.defined: dict[int, list[Sequence[int]]] = {}
        self.constraints: list[Sequence[int]] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._keep(choice, head, body)

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self._keep(choice, head, [literal for literal, _ in body])

    def _keep(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        atoms = [abs(literal) for literal in body]
        if not head:
            self.constraints.append(atoms)
        for atom in head:
            self.defined.setdefault(atom, []).append(atoms if len(head) == 1 else [*atoms, *head])


def mentions(
    control: clingo.Control, parts: Any, context: Any, name: str, arity: int, switch: str
) -> tuple[dict[int, list[int]], list[list[int]]]:
    """Ground a fresh Control; the symbols of the atoms of a predicate that each switch's rules are about.

    Returns
    -------
    By the symbol of the switch; and for the constraints without a switch those of each, where there are several.
    """
    rules = _Rules()
    control.register_observer(rules, replace=False)
    control.ground(parts, context)
    answers = {literal: symbol for symbol, literal in _cffi.atoms(control, name, arity, True)}
    switches = {literal: symbol for symbol, literal in _cffi.atoms(control, switch, 2, True)}
    about: dict[int, set[int]] = {literal: set() for literal in switches}
    seen: dict[int, set[int]] = {literal: set() for literal in switches}
    others: dict[frozenset[int], None] = {}

    def reach(atoms: Iterable[int], visited: set[int], found: set[int]) -> None:
        waiting = [atom for atom in atoms if atom not in visited]
        visited.update(waiting)
        while waiting:
            atom = waiting.pop()
            if atom in answers:
                found.add(answers[atom])
                continue
            for body in rules.defined.get(atom, ()):
                for one in body:
                    if one not in visited:
                        visited.add(one)
                        waiting.append(one)

    for body in rules.constraints:
        on = [atom for atom in body if atom in switches]
        for literal in on:
            reach((atom for atom in body if atom not in switches), seen[literal], about[literal])
        if not on:
            found: set[int] = set()
            reach(body, set(), found)
            if len(found) > 1:
                others[frozenset(found)] = None
    for head, bodies in rules.defined.items():  # definitions that are in question
        for body in bodies:
            for literal in [atom for atom in body if atom in switches]:
                reach([head, *(atom for atom in body if atom not in switches)], seen[literal], about[literal])
    return {switches[literal]: sorted(found) for literal, found in about.items()}, [sorted(one) for one in others]
