"""Interchangeable values: exchanged wherever they stand, they leave the ground program as it is.

Two values of a sort (columns that rules join, `bridge.asp.context.Context`) are exchanged in these columns
of all atoms. Where that maps the rules of the ground program onto each other, it maps answer sets to answer sets, too.
The rules are looked at, and not the text: `X < Y` in a constraint on pairs is no obstacle, a constant in a rule is.

Being interchangeable is transitive, so each value is tried with one of each class. An atom without a name, as gringo
makes them for aggregates, is known by the rules that define it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

import clingo

from bridge.asp import _cffi
from bridge.asp.messages import Messages
from bridge.asp.types import Source
from bridge.limits import Limits

#: Ground rules of a program that is looked at.
RULES = 200_000

#: A predicate, its number of arguments, one of them (from 0), and its sort.
Column = tuple[str, int, int, int]


def interchangeable(
    sources: Sequence[Source], options: Sequence[str], columns: Sequence[Column], limits: Limits
) -> list[tuple[int, list[str]]] | None:
    """Classes of at least two values that are interchangeable: their sort, and the values.

    None of a program with more than `RULES` ground rules, and of one with what is not a rule (theories, edges).
    """
    ground, messages = _Ground(), Messages()
    try:
        control = messages.control(options)
        control.register_observer(ground)
        for kind, source in sources:
            messages.load(control, kind, source, ("base", ()))
        with _cffi.logging():
            control.ground([("base", [])])
    except RuntimeError as error:
        raise messages.error(str(error)) from None
    if len(ground.rules) > RULES or ground.other:
        return None
    end = perf_counter() + (limits.seconds or 10.0) / 2
    return list(_Classes(control, ground, columns).found(end))


class _Ground(clingo.Observer):
    """The rules of a ground program: a kind, heads, and a body of weighted literals."""

    def __init__(self) -> None:
        self.rules: list[tuple[Any, tuple[int, ...], tuple[tuple[int, int], ...]]] = []
        self.other = False

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules.append((("choice" if choice else "rule"), tuple(head), tuple((one, 1) for one in body)))

    def weight_rule(self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]) -> None:
        self.rules.append((("choice" if choice else "rule", lower_bound), tuple(head), tuple(body)))

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        self.rules.append((("minimize", priority), (), tuple(literals)))

    def external(self, atom: int, value: clingo.TruthValue) -> None:
        self.rules.append((("external", str(value)), (atom,), ()))

    def acyc_edge(self, node_u: int, node_v: int, condition: Sequence[int]) -> None:
        self.other = True

    def theory_atom(self, atom_id_or_zero: int, term_id: int, elements: Sequence[int]) -> None:
        self.other = True


class _Classes:
    def __init__(self, control: clingo.Control, ground: _Ground, columns: Sequence[Column]) -> None:
        self._rules = ground.rules
        self._sorts = {(name, arity, at): sort for name, arity, at, sort in columns}
        self._named: dict[int, clingo.Symbol] = {}
        self._facts: set[clingo.Symbol] = set()
        self._atoms: set[clingo.Symbol] = set()
        for atom in control.symbolic_atoms:
            if atom.is_fact:
                self._facts.add(atom.symbol)
            else:
                self._atoms.add(atom.symbol)
                self._named[atom.literal] = atom.symbol
        self._defined: dict[int, list[int]] = {}
        used: dict[int, list[int]] = {}
        for number, (_, head, body) in enumerate(self._rules):
            for one in head:
                if one not in self._named:
                    self._defined.setdefault(one, []).append(number)
            for one in {*head, *(abs(literal) for literal, _ in body)}:
                used.setdefault(one, []).append(number)
        self._used = used
        #: Of each sort, the atoms that have a value.
        self._having: dict[int, dict[clingo.Symbol, list[clingo.Symbol]]] = {}
        for symbol in [*self._facts, *self._atoms]:
            for sort, values in self._values(symbol).items():
                for value in values:
                    self._having.setdefault(sort, {}).setdefault(value, []).append(symbol)
        self._literal = {symbol: literal for literal, symbol in self._named.items()}

    def _values(self, symbol: clingo.Symbol) -> Mapping[int, set[clingo.Symbol]]:
        found: dict[int, set[clingo.Symbol]] = {}
        for at, value in enumerate(symbol.arguments):
            if (sort := self._sorts.get((symbol.name, len(symbol.arguments), at))) is not None:
                found.setdefault(sort, set()).add(value)
        return found

    def _is_of(self, symbol: clingo.Symbol, at: int, sort: int) -> bool:
        return self._sorts.get((symbol.name, len(symbol.arguments), at)) == sort

    def found(self, end: float) -> Iterator[tuple[int, list[str]]]:
        """The classes, as far as there is time."""
        for sort, having in sorted(self._having.items()):
            alike: dict[Any, list[list[clingo.Symbol]]] = {}
            for value in sorted(having):
                if perf_counter() > end:
                    break
                classes = alike.setdefault(self._look(sort, value), [])
                for one in classes:
                    if self._exchanged(sort, one[0], value):
                        one.append(value)
                        break
                else:
                    classes.append([value])
            for one in (one for classes in alike.values() for one in classes if len(one) > 1):
                yield sort, [str(value) for value in one]

    def _look(self, sort: int, value: clingo.Symbol) -> Any:
        """In which columns a value stands, and how often: the same of interchangeable ones."""
        found = Counter[Any]()
        for symbol in self._having[sort][value]:
            places = tuple(
                at for at, one in enumerate(symbol.arguments) if one == value and self._is_of(symbol, at, sort)
            )
            uses = 0 if symbol in self._facts else len(self._used.get(self._literal[symbol], ()))
            found[symbol.name, symbol.positive, len(symbol.arguments), places, symbol in self._facts, uses] += 1
        return frozenset(found.items())

    def _exchanged(self, sort: int, one: clingo.Symbol, other: clingo.Symbol) -> bool:
        """Whether the ground program stays as it is."""
        swap = {one: other, other: one}
        images: dict[int, clingo.Symbol] = {}
        for symbol in {*self._having[sort][one], *self._having[sort][other]}:
            arguments = [
                swap.get(value, value) if self._is_of(symbol, at, sort) else value
                for at, value in enumerate(symbol.arguments)
            ]
            image = clingo.Function(symbol.name, arguments, symbol.positive)
            if image not in (self._facts if symbol in self._facts else self._atoms):
                return False
            if symbol not in self._facts:
                images[self._literal[symbol]] = image
        rules, waiting = set[int](), [*images]
        seen = set(waiting)
        while waiting:  # a rule with an atom that has no name changes the rules with that atom
            for number in self._used.get(waiting.pop(), ()):
                rules.add(number)
                for atom in self._rules[number][1]:
                    if atom in self._defined and atom not in seen:
                        seen.add(atom)
                        waiting.append(atom)
        before, after = _Keys(self, {}), _Keys(self, images)
        return Counter(map(before.rule, rules)) == Counter(map(after.rule, rules))


class _Keys:
    """What rules are, with other atoms in place of some."""

    def __init__(self, of: _Classes, images: Mapping[int, clingo.Symbol]) -> None:
        self._of, self._images = of, images
        self._known: dict[int, int] = {}

    def _atom(self, atom: int) -> Any:
        if atom in self._of._named:
            return self._images.get(atom) or self._of._named[atom]
        if atom not in self._known:
            self._known[atom] = 0  # of atoms that define each other
            rules = Counter(self.rule(number) for number in self._of._defined.get(atom, ()))
            self._known[atom] = hash(frozenset(rules.items()))
        return self._known[atom]

    def rule(self, number: int) -> int:
        """A rule as a number, the same for the same rule."""
        kind, head, body = self._of._rules[number]
        heads = frozenset(map(self._atom, head))
        weighted = Counter((self._atom(abs(literal)), literal > 0, weight) for literal, weight in body)
        return hash((kind, heads, frozenset(weighted.items())))
