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
from bridge.search.constraints import Constraint
from bridge.search.network import Network, Propagator, Value, Variable


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
        network.add(_AmongPropagator(scope, bit, self.least, self.most))


class _AmongPropagator(Propagator):
    """Removes the value once it occurs `most` times, and assigns it where all that can take it are needed."""

    def __init__(self, scope: tuple[int, ...], bit: int, least: int, most: int) -> None:
        self.scope = scope
        self._bit, self._least, self._most = bit, least, most

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]] | None:
        bit = self._bit
        having = 0
        undecided = []
        for x in self.scope:
            domain = domains[x]
            if domain == bit:
                having += 1
            elif domain & bit:
                undecided.append(x)
        if having > self._most or having + len(undecided) < self._least:
            return None
        if having == self._most:
            return [(x, domains[x] & ~bit) for x in undecided]
        if having + len(undecided) == self._least:
            return [(x, bit) for x in undecided]
        return ()


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
            network.add(_NotAllEqual(scope[start : start + self.longest + 1]))


class _NotAllEqual(Propagator):
    """When all variables but one have the same value, removes it from the last one."""

    def __init__(self, scope: tuple[int, ...]) -> None:
        self.scope = scope

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]] | None:
        common, last = 0, None
        for x in self.scope:
            domain = domains[x]
            if domain & (domain - 1):
                if last is not None:
                    return ()
                last = x
            elif not common:
                common = domain
            elif domain != common:
                return ()
        if last is None:
            return None
        kept = domains[last] & ~common
        return () if kept == domains[last] else [(last, kept)]


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
        network.add(_NotEqualVectorsPropagator(tuple(network.index[variable] for variable in self.scope), self._length))


class _NotEqualVectorsPropagator(Propagator):
    """When only one place is left to differ and one vector has a value there, removes it from the other."""

    def __init__(self, scope: tuple[int, ...], length: int) -> None:
        self.scope = scope
        self._pairs = tuple(zip(scope[:length], scope[length:], strict=True))

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]] | None:
        place: tuple[int, int] | None = None
        for x, y in self._pairs:
            one, other = domains[x], domains[y]
            if one == other and not one & (one - 1):
                continue  # equal here
            if place is not None or not one & other:
                return ()
            place = x, y
        if place is None:
            return None
        x, y = place
        one, other = domains[x], domains[y]
        if not one & (one - 1):
            return [(y, other & ~one)]
        if not other & (other - 1):
            return [(x, one & ~other)]
        return ()
