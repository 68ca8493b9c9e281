"""Arithmetic constraints, clauses and relations of any kind.

>>> less = Linear({"x": 2, "y": -1}, "<=", 3, "2*x - y =< 3")
>>> less.satisfied((2, 1)), less.satisfied((3, 1))
(True, False)
>>> some = Clause({"x": [1], "y": [2, 3]}, "x = 1 or y > 1")
>>> some.satisfied((2, 3)), some.satisfied((2, 1))
(True, False)
>>> two = WeightedSum({"x": {1: 1, 2: 4}, "y": {1: 3}}, 4, None, "4 or more")
>>> two.satisfied((1, 1)), two.satisfied((1, 2))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import eq, le, ne
from typing import Literal

from bridge.puzzles.search.constraints import Constraint, numeric_scope
from bridge.puzzles.search.network import MAX_REMEMBERED, Network, Value, Variable, bits
from bridge.puzzles.search.propagator import Propagator

#: How the sum stands to the bound.
Comparison = Literal["=", "<=", "!="]

_COMPARE: Mapping[Comparison, Callable[[int, int], bool]] = {"=": eq, "<=": le, "!=": ne}


class Clause(Constraint):
    """At least one variable has one of its values here: `options`, for each variable of the scope.

    Propagation is that of a unit clause: when one variable is left that may, it must.
    """

    def __init__(self, options: Mapping[Variable, Collection[Value]], name: str) -> None:
        super().__init__(options, name)
        self.options = tuple(frozenset(values) for values in options.values())

    def satisfied(self, values: Sequence[Value]) -> bool:
        return any(value in options for value, options in zip(values, self.options, strict=True))

    def post(self, network: Network) -> None:
        network.add(_SomeOption(network, self))


class WeightedSum(Constraint):
    """The weights of the values add up to at least `least` and at most `most`; None is no bound.

    `weights` are, for each variable of the scope, that of each value, a whole number; of others it is 0. Propagation is
    bounds consistency on the weights.
    """

    def __init__(
        self, weights: Mapping[Variable, Mapping[Value, int]], least: int | None, most: int | None, name: str
    ) -> None:
        super().__init__(weights, name)
        self.weights = tuple(dict(of_values) for of_values in weights.values())
        self.least, self.most = least, most

    def satisfied(self, values: Sequence[Value]) -> bool:
        total = sum(weights.get(value, 0) for value, weights in zip(values, self.weights, strict=True))
        return (self.least is None or self.least <= total) and (self.most is None or total <= self.most)

    def post(self, network: Network) -> None:
        network.add(_Weights(network, self))


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


class _SomeOption(Propagator):
    """Leaves the last variable that may have one of its options no other value."""

    def __init__(self, network: Network, constraint: Clause) -> None:
        self.scope = tuple(network.index[variable] for variable in constraint.scope)
        known = set(network.values)
        masks = [network.encode(options & known) for options in constraint.options]
        self._watched = list(zip(self.scope, masks, strict=True))

    def narrow(self, domains: list[int]) -> Iterable[tuple[int, int]] | None:
        last = None
        for x, mask in self._watched:
            if domains[x] & mask:
                if last is not None:
                    return ()
                last = x, mask
        if last is None:
            return None
        x, mask = last
        return ((x, domains[x] & mask),) if domains[x] & ~mask else ()


class _Ends(dict[int, tuple[int, int]]):
    """The least and the greatest weight among the values of a mask, computed on first use."""

    def __init__(self, of_bits: Mapping[int, int]) -> None:
        super().__init__()
        self.of_bits = of_bits

    def __missing__(self, mask: int) -> tuple[int, int]:
        weights = [self.of_bits.get(bit, 0) for bit in bits(mask)]
        ends = min(weights), max(weights)
        if len(self) < MAX_REMEMBERED:
            self[mask] = ends
        return ends


class _Weights(Propagator):
    """Removes values whose weights the least and greatest weights of the others do not allow."""

    def __init__(self, network: Network, constraint: WeightedSum) -> None:
        self.scope = tuple(network.index[variable] for variable in constraint.scope)
        known = set(network.values)
        self._ends = [
            _Ends({network.encode([value]): weight for value, weight in weights.items() if value in known})
            for weights in constraint.weights
        ]
        self._least, self._most = constraint.least, constraint.most

    def narrow(self, domains: list[int]) -> Iterable[tuple[int, int]] | None:
        spans = [ends[domains[x]] for x, ends in zip(self.scope, self._ends, strict=True)]
        lowest, highest, widest = 0, 0, 0
        for low, high in spans:
            lowest += low
            highest += high
            widest = max(widest, high - low)
        # How far a weight may be above its least, and under its greatest.
        above = widest if self._most is None else self._most - lowest
        under = widest if self._least is None else highest - self._least
        if above < 0 or under < 0:
            return None
        if widest <= above and widest <= under:
            return ()
        changes = []
        for x, ends, (low, high) in zip(self.scope, self._ends, spans, strict=True):
            if high - low > above or high - low > under:
                of_bits, kept = ends.of_bits, 0
                for bit in bits(domains[x]):
                    if high - under <= of_bits.get(bit, 0) <= low + above:
                        kept |= bit
                if not kept:
                    return None
                if kept != domains[x]:
                    changes.append((x, kept))
        return changes


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
