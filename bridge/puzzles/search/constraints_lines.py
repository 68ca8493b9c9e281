"""Constraints on sequences of variables: `Among`, `Stretch`, `NotEqualVectors`.

- A **stretch** is a maximal run of neighbours with equal values.

    >>> Among("abc", 1, 1, 2, "one or two ones").satisfied((0, 1, 1))
    True
    >>> Stretch("abcd", 2, "no three alike").satisfied((0, 1, 1, 1))
    False
    >>> NotEqualVectors("ab", "cd", "ab and cd differ").satisfied((0, 1, 0, 1))
    False
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from bridge.errors import InputError
from bridge.puzzles.search.constraints import Constraint
from bridge.puzzles.search.network import Network, Value, Variable
from bridge.puzzles.search.propagators import AmongPropagator, NotAllEqualPropagator, NotEqualVectorsPropagator


class Among(Constraint):
    """Among: a value occurs at least `least` and at most `most` times."""

    def __init__(self, scope: Iterable[Variable], value: Value, least: int, most: int, name: str) -> None:
        super().__init__(scope, name)
        self.value, self.least, self.most = value, least, most

    def satisfied(self, values: Sequence[Value]) -> bool:
        return self.least <= list(values).count(self.value) <= self.most

    def post(self, network: Network) -> None:
        scope = tuple(network.index[variable] for variable in self.scope)
        bit = network.encode([self.value]) if self.value in network.values else 0
        network.add(AmongPropagator(scope, bit, self.least, self.most))


class Stretch(Constraint):
    """No stretch is longer than `longest`, 1 or more (the stretch constraint of G. Pesant, with an upper bound only).

    Posted as a propagator for each window of longest + 1 neighbours, so that a search without inference detects a
    violation before all variables are assigned.
    """

    def __init__(self, scope: Iterable[Variable], longest: int, name: str) -> None:
        super().__init__(scope, name)
        self.longest = longest

    def satisfied(self, values: Sequence[Value]) -> bool:
        return all(len(list(run)) <= self.longest for _, run in groupby(values))

    def post(self, network: Network) -> None:
        scope = tuple(network.index[variable] for variable in self.scope)
        for start in range(len(scope) - self.longest):
            network.add(NotAllEqualPropagator(scope[start : start + self.longest + 1]))


class NotEqualVectors(Constraint):
    """Two vectors of the same length differ in at least one place.

    They have no variable in common: the scope is the first vector, then the second.
    """

    def __init__(self, first: Iterable[Variable], second: Iterable[Variable], name: str) -> None:
        one, other = tuple(first), tuple(second)
        super().__init__(one + other, name)
        self._length = len(one)
        if len(other) != self._length:
            raise InputError(f"constraint {name!r} compares vectors of {len(one)} and {len(other)} variables")

    def satisfied(self, values: Sequence[Value]) -> bool:
        return tuple(values[: self._length]) != tuple(values[self._length :])

    def post(self, network: Network) -> None:
        network.add(NotEqualVectorsPropagator(tuple(network.index[variable] for variable in self.scope), self._length))
