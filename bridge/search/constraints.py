"""Constraints: a name, a scope, a definition, and the propagation that they post to a network.

- A **scope** is the tuple of variables of a constraint, each once.
- `satisfied` defines the constraint, on a value for each variable of the scope; `post` adds its propagation.

    >>> from operator import lt
    >>> less = Binary("x", "y", lt, "x < y")
    >>> less.satisfied((1, 2)), less.satisfied((2, 2))
    (True, False)

A new constraint (a table, a stronger all-different) is a subclass of `Constraint`. If `Network.different` and
`Network.arc` cannot express it, its `post` adds a `Propagator`, as that of `Sum` does. The search does not change.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from numbers import Rational
from typing import Any

from bridge.errors import InputError
from bridge.search.matching import Matching
from bridge.search.network import MAX_REMEMBERED, Network, Propagator, Value, Variable


class Constraint(ABC):
    """A named constraint.

    Parameters
    ----------
    scope
        The variables, each once.
    name
        The name in messages: `row 3`, `r1c2 > r1c3`. It is unique in a problem.
    """

    def __init__(self, scope: Iterable[Variable], name: str) -> None:
        self.scope = tuple(scope)
        self.name = name
        if len(set(self.scope)) < len(self.scope):
            twice = next(variable for variable in self.scope if self.scope.count(variable) > 1)
            raise InputError(f"constraint {name!r} has variable {twice!r} twice in its scope", hint="name it once")

    @abstractmethod
    def satisfied(self, values: Sequence[Value]) -> bool:
        """Whether the constraint allows these values, one for each variable of the scope, in its order."""

    @abstractmethod
    def post(self, network: Network) -> None:
        """Add arcs and propagators that are equivalent to `satisfied` to the network."""

    def strengthen(self, network: Network) -> None:  # noqa: B027  most have nothing to add
        """Add stronger, more expensive propagation to that of `post`. The default adds none."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} on {len(self.scope)} variables>"


class AllDifferent(Constraint):
    """No two variables have the same value.

    Posted as its pairwise decomposition, x ≠ y for every two variables. Arc consistency on that does not detect that
    three variables share two values; `strengthen` adds a propagator that does.
    """

    def satisfied(self, values: Sequence[Value]) -> bool:
        return len(set(values)) == len(values)

    def post(self, network: Network) -> None:
        for x, y in combinations(self.scope, 2):
            network.different(x, y)

    def strengthen(self, network: Network) -> None:
        if len(self.scope) > 2:  # for two, ≠ is the whole constraint
            network.add(Matching(network.index[variable] for variable in self.scope))


class Binary(Constraint):
    """A relation between two variables, as a predicate of their values.

    The predicate is evaluated once for every pair of values, before the search; it has to be deterministic.
    """

    def __init__(self, x: Variable, y: Variable, relation: Callable[[Any, Any], object], name: str) -> None:
        super().__init__((x, y), name)
        self.relation = relation

    def satisfied(self, values: Sequence[Value]) -> bool:
        x, y = values
        return bool(self.relation(x, y))

    def post(self, network: Network) -> None:
        x, y = self.scope
        network.arc(x, y, self.relation)


class Element(Constraint):
    """Two element constraints with a common result: of_x[x] = of_y[y], where the tables are functions.

    For domains of thousands of values with few results (**keys**), such as the words of two crossing slots and the
    letter that they share: each function is called once for a value, while `Binary` would be evaluated for every pair.
    Variables with the same domain and the same function share their table.
    """

    def __init__(
        self, x: Variable, y: Variable, of_x: Callable[[Any], object], of_y: Callable[[Any], object], name: str
    ) -> None:
        super().__init__((x, y), name)
        self.of_x, self.of_y = of_x, of_y

    def satisfied(self, values: Sequence[Value]) -> bool:
        x, y = values
        return self.of_x(x) == self.of_y(y)

    def post(self, network: Network) -> None:
        x, y = self.scope
        network.element(x, y, self.of_x, self.of_y)


class Sum(Constraint):
    """The values, whole numbers or fractions, add up to `total`.

    Propagation is bounds consistency: it uses the least and the greatest value of each domain.
    """

    def __init__(self, scope: Iterable[Variable], total: Any, name: str) -> None:
        super().__init__(scope, name)
        self.total = total

    def satisfied(self, values: Sequence[Value]) -> bool:
        return bool(sum(values) == self.total)

    def post(self, network: Network) -> None:
        scope = tuple(network.index[variable] for variable in self.scope)
        for variable, x in zip(self.scope, scope, strict=True):
            for value in network.decode(network.domains[x]):
                if not isinstance(value, Rational):
                    raise InputError(
                        f"constraint {self.name!r} adds values, but {variable!r} may be {value!r}",
                        hint="use whole numbers or fractions",
                    )
        network.add(_SumPropagator(network, scope, self.total))


class _Extremes(dict[int, tuple[Any, Any]]):
    """The least and the greatest value of each mask, cached: the same masks recur all the time."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._network = network

    def __missing__(self, mask: int) -> tuple[Any, Any]:
        values = self._network.decode(mask)
        extremes = min(values), max(values)
        if len(self) < MAX_REMEMBERED:
            self[mask] = extremes
        return extremes


class _SumPropagator(Propagator):
    """Removes values so small or so large that the others cannot complete the sum."""

    def __init__(self, network: Network, scope: tuple[int, ...], total: Any) -> None:
        self.scope = scope
        self._total = total
        self._extremes = _Extremes(network)
        domain = network.decode(_union(network.domains[x] for x in scope))
        self._sorted = sorted(domain)
        # _below[i] holds the i least values, so that cutting a domain is a bisection and a mask.
        self._below = [network.encode(self._sorted[:i]) for i in range(len(domain) + 1)]

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]] | None:
        extremes = self._extremes
        bounds = [extremes[domains[x]] for x in self.scope]
        above = self._total - sum(least for least, _ in bounds)  # how far above its least a value may be
        under = sum(greatest for _, greatest in bounds) - self._total  # how far under its greatest
        if above < 0 or under < 0:
            return None
        changes = []
        for x, (least, greatest) in zip(self.scope, bounds, strict=True):
            if greatest - least > above or greatest - least > under:
                most = bisect_right(self._sorted, least + above)
                fewest = bisect_left(self._sorted, greatest - under)
                kept = domains[x] & self._below[most] & ~self._below[fewest]
                if not kept:
                    return None
                changes.append((x, kept))
        return changes


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
