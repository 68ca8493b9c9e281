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
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from numbers import Rational
from typing import Any

from bridge.errors import InputError
from bridge.puzzles.search.matching import Matching
from bridge.puzzles.search.network import Network, Value, Variable
from bridge.puzzles.search.propagators import SumPropagator


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
        network.all_different(self.scope)

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


def check_numbers(constraint: Constraint, domains: Iterable[Iterable[Value]]) -> None:
    """Check that the variables of a constraint that adds values have numbers only; InputError if not."""
    for variable, values in zip(constraint.scope, domains, strict=True):
        for value in values:
            if not isinstance(value, Rational):
                raise InputError(
                    f"constraint {constraint.name!r} adds values, but {variable!r} may be {value!r}",
                    hint="use whole numbers or fractions",
                )


def numeric_scope(constraint: Constraint, network: Network) -> tuple[int, ...]:
    """The scope of a constraint that adds values, as indices; InputError where a value may be no number."""
    scope = tuple(network.index[variable] for variable in constraint.scope)
    check_numbers(constraint, (network.decode(network.domains[x]) for x in scope))
    return scope


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
        scope = numeric_scope(self, network)
        try:
            total = Fraction(self.total)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"constraint {self.name!r} adds up to {self.total!r}, which is not a number") from None
        # As whole numbers: times the least common denominator.
        numbers = network.numbers()
        scale = lcm(total.denominator, *(number.denominator for number in numbers))
        scaled = [number.numerator * (scale // number.denominator) for number in numbers]
        network.add(SumPropagator(scope, scaled, int(total * scale)))
