"""Which atoms of a predicate the rules of a program are about: for each switch, those in its ground rules.

An atom that a ground rule uses stands for the atoms that it is defined by, down to those of the predicate: a sum is
about the cells that it adds, a rule of connection about all cells that a path may take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import clingo

from bridge.asp import internals
from bridge.asp.running.recorder import recorded


def mentions(
    control: clingo.Control, parts: Any, context: Any, name: str, arity: int, switch: str
) -> tuple[dict[int, list[int]], list[list[int]]]:
    """Ground a fresh Control; the atoms of a predicate that each switch's rules are about, all as their symbols.

    And for the constraints without a switch those of each, where there are several.
    """
    ground = recorded(control, parts, context)
    defined: dict[int, list[Sequence[int]]] = {}
    constraints: list[Sequence[int]] = []
    sums = ((head, [literal for literal, _ in body]) for _, head, _, body in ground.sums)
    for head, body in chain(((head, body) for _, head, body in ground.rules), sums):
        atoms = [abs(literal) for literal in body]
        if not head:
            constraints.append(atoms)
        for atom in head:
            defined.setdefault(atom, []).append(atoms if len(head) == 1 else [*atoms, *head])
    answers = {literal: symbol for symbol, literal in internals.atoms(control, name, arity, True)}
    switches = {literal: symbol for symbol, literal in internals.atoms(control, switch, 2, True)}
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
            for body in defined.get(atom, ()):
                for one in body:
                    if one not in visited:
                        visited.add(one)
                        waiting.append(one)

    for body in constraints:
        on = [atom for atom in body if atom in switches]
        for literal in on:
            reach((atom for atom in body if atom not in switches), seen[literal], about[literal])
        if not on:
            found: set[int] = set()
            reach(body, set(), found)
            if len(found) > 1:
                others[frozenset(found)] = None
    for atom, bodies in defined.items():  # definitions that are in question
        for body in bodies:
            for literal in switches.keys() & body:
                reach([atom, *(one for one in body if one not in switches)], seen[literal], about[literal])
    return {switches[literal]: sorted(found) for literal, found in about.items()}, [sorted(one) for one in others]
