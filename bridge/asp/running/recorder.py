"""The rules of a ground program, written down as the grounder gives them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import clingo

from bridge.asp import internals
from bridge.asp.decode import Atom
from bridge.asp.ground_rules import GroundRules


class _Recorder(clingo.Observer):
    """Writes down what the grounder gives out."""

    def __init__(self) -> None:
        self.found = GroundRules()
        self.externals: dict[int, Any] = {}

    def _other(self, what: str) -> None:
        if what not in self.found.others:
            self.found.others.append(what)

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.found.rules.append((choice, tuple(head), tuple(body)))

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self.found.sums.append((choice, tuple(head), lower_bound, tuple((one, weight) for one, weight in body)))

    def external(self, atom: int, value: clingo.TruthValue) -> None:
        self.externals[atom] = value

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self._other("#minimize")

    def acyc_edge(self, node_u: int, node_v: int, condition: Sequence[int]) -> None:
        self._other("#edge")

    def theory_atom(self, *_: Any) -> None:
        self._other("theory atoms")

    def theory_atom_with_guard(self, *_: Any) -> None:
        self._other("theory atoms")


def recorded(
    control: clingo.Control, parts: Sequence[tuple[str, Sequence[clingo.Symbol]]], context: Any
) -> GroundRules:
    """Ground a fresh Control, which is of no further use; its rules."""
    recorder = _Recorder()
    control.register_observer(recorder, replace=True)
    control.ground(parts, context)
    found = recorder.found
    for atom, value in recorder.externals.items():  # unless it is true or free, a rule has to derive it
        if value is not clingo.TruthValue.False_ and value is not clingo.TruthValue.Release:
            found.rules.append((value is clingo.TruthValue.Free, (atom,), ()))
    return found


def ground_rules(
    control: clingo.Control,
    parts: Sequence[tuple[str, Sequence[clingo.Symbol]]],
    context: Any,
    read: Callable[[int], Atom],
    answer: str,
) -> GroundRules:
    """Ground a fresh Control, which is of no further use; its rules, and the names of its atoms.

    `read` gives the name and arguments of a symbol, by its number. Facts of the predicate `answer` are named, too.
    """
    found = recorded(control, parts, context)
    facts = {head[0] for choice, head, body in found.rules if len(head) == 1 and not choice and not body}
    for name, arity, positive in control.symbolic_atoms.signatures:
        ours = name == answer and positive
        for number, literal in internals.atoms(control, name, arity, positive):
            if ours or literal not in facts:
                found.atoms.append((literal, read(number)))
    return found
