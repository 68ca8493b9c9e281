"""Constraints on lines of variables: how often a value occurs, how long a run may be, that two lines differ.

- A **line** is a sequence of variables, in an order that matters.
- A **run** is a stretch of neighbours with equal values.

    >>> Count("abc", 1, 1, 2, "one or two ones").satisfied((0, 1, 1))
    True
    >>> ShortRuns("abcd", 2, "no three alike").satisfied((0, 1, 1, 1))
    False
    >>> Differ("ab", "cd", "ab and cd differ").satisfied((0, 1, 0, 1))
    False
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from bridge.errors import InputError
from bridge.search.constraints import Constraint
from bridge.search.network import Network, Propagator, Value, Variable


class Count(Constraint):
    """A value occurs at least `least` and at most `most` times."""

    def __init__(self, scope: Iterable[Variable], value: Value, least: int, most: int, name: str) -> None:
        super().__init__(scope, name)
        self.value, self.least, self.most = value, least, most

    def satisfied(self, values: Sequence[Value]) -> bool:
        return self.least <= list(values).count(self.value) <= self.most

    def post(self, network: Network) -> None:
        scope = tuple(network.index[variable] for variable in self.scope)
        bit = network.encode([self.value]) if self.value in network.values else 0
        network.add(_CountPropagator(scope, bit, self.least, self.most))


class _CountPropagator(Propagator):
    """Once the value has its number nobody else has it; once it needs everyone who can, they all have it."""

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


class ShortRuns(Constraint):
    """No run is longer than `longest`, 1 or more.

    Posted as a propagator for each stretch of longest + 1 neighbours, so that a search without inference sees a run
    when it is made and not when the line is full.
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
    """When all but one have the same value, the last one loses it."""

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


class Differ(Constraint):
    """Two lines of the same length differ somewhere.

    No variable is in both: the scope is the first line and then the second.
    """

    def __init__(self, first: Iterable[Variable], second: Iterable[Variable], name: str) -> None:
        one, other = tuple(first), tuple(second)
        super().__init__(one + other, name)
        self._length = len(one)
        if len(other) != self._length:
            raise InputError(f"constraint {name!r} compares lines of {len(one)} and {len(other)} variables")

    def satisfied(self, values: Sequence[Value]) -> bool:
        return tuple(values[: self._length]) != tuple(values[self._length :])

    def post(self, network: Network) -> None:
        network.add(_DifferPropagator(tuple(network.index[variable] for variable in self.scope), self._length))


class _DifferPropagator(Propagator):
    """When the lines can differ in one place only, and one of them has a value there, the other loses it."""

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
