"""Arithmetic constraints: linear ones with bounds propagation, and relations of any kind.

>>> less = Linear({"x": 2, "y": -1}, "<=", 3, "2*x - y =< 3")
>>> less.satisfied((2, 1)), less.satisfied((3, 1))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import eq, le, ne
from typing import Literal

from bridge.puzzles.search.constraints import Constraint, numeric_scope
from bridge.puzzles.search.constraints_weighted import WeightedSum
from bridge.puzzles.search.network import Network, Value, Variable, bits
from bridge.puzzles.search.propagator import Propagator

#: How the sum stands to the bound.
Comparison = Literal["=", "<=", "!="]

_COMPARE: Mapping[Comparison, Callable[[int, int], bool]] = {"=": eq, "<=": le, "!=": ne}


class Linear(Constraint):
    """The values, each times its coefficient, add up to the bound, to at most the bound, or to something else.

    Propagation is bounds consistency; for `!=`, the last variable's value is removed. Two variables are an arc.
    """

    def __init__(self, coefficients: Mapping[Variable, int], comparison: Comparison, bound: int, name: str) -> None:
        super().__init__(coefficients, name)
        self.coefficients = tuple(coefficients.values())
        self.comparison: Comparison = comparison
        self.bound = bound

    def satisfied(self, values: Sequence[Value]) -> bool:
        total = sum(factor * value for factor, value in zip(self.coefficients, values, strict=True))
        return _COMPARE[self.comparison](total, self.bound)

    def post(self, network: Network) -> None:
        scope = numeric_scope(self, network)
        if len(self.scope) == 2:
            network.arc(self.scope[0], self.scope[1], lambda x, y: self.satisfied((x, y)))
        elif self.comparison == "!=":
            network.add(_LastOne(network, self))
        else:
            weights = {
                variable: {value: factor * value for value in network.decode(network.domains[x])}
                for variable, x, factor in zip(self.scope, scope, self.coefficients, strict=True)
            }
            least = self.bound if self.comparison == "=" else None
            WeightedSum(weights, least, self.bound, self.name).post(network)


class Relation(Constraint):
    """Any relation, as a function of the values of the scope.

    Propagation waits until all variables but one have a value; two variables are an arc.
    """

    def __init__(self, scope: Iterable[Variable], relation: Callable[..., object], name: str) -> None:
        super().__init__(scope, name)
        self.relation = relation

    def satisfied(self, values: Sequence[Value]) -> bool:
        return bool(self.relation(*values))

    def post(self, network: Network) -> None:
        if len(self.scope) == 2:
            network.arc(self.scope[0], self.scope[1], self.relation)
        else:
            network.add(_LastOne(network, self))


class _LastOne(Propagator):
    """Checks the values of the last variable that has several, when all others have one."""

    def __init__(self, network: Network, constraint: Constraint) -> None:
        self.scope = tuple(network.index[variable] for variable in constraint.scope)
        self._network = network
        self._satisfied = constraint.satisfied

    def narrow(self, domains: list[int]) -> Iterable[tuple[int, int]] | None:
        values: list[Value] = []
        last = None
        for place, x in enumerate(self.scope):
            mask = domains[x]
            if mask & (mask - 1):
                if last is not None:
                    return ()
                last = place
                values.append(None)
            elif not mask:
                return None
            else:
                values.append(self._network.decode(mask)[0])
        if last is None:
            return () if self._satisfied(values) else None
        mask, kept = domains[self.scope[last]], 0
        for bit in bits(mask):
            values[last] = self._network.decode(bit)[0]
            if self._satisfied(values):
                kept |= bit
        if not kept:
            return None
        return () if kept == mask else ((self.scope[last], kept),)
