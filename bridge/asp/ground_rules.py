"""The rules of a ground program, as plain data.

Atoms are numbers from 1, and a negative number is the negation of an atom, as in clingo's aspif format. A body is a
conjunction of literals, or a sum: the weights of its literals that hold add up to at least a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bridge.asp.decode import Atom

#: A rule: whether it is a choice, its head, and the literals of its body.
Rule = tuple[bool, tuple[int, ...], tuple[int, ...]]

#: The same with a sum for a body: the bound, and pairs of a literal and its weight.
SumRule = tuple[bool, tuple[int, ...], int, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class GroundRules:
    """A ground program."""

    #: Its rules, by the form of their bodies. Facts have an empty body, integrity constraints an empty head.
    rules: list[Rule] = field(default_factory=list)
    sums: list[SumRule] = field(default_factory=list)
    #: The atoms that have a name: their numbers, names and arguments. Facts may share a number.
    atoms: list[tuple[int, Atom]] = field(default_factory=list)
    #: What it has beside rules and facts, in words: `#minimize`, theory atoms, ...
    others: list[str] = field(default_factory=list)
