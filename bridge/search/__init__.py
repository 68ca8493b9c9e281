"""Imperative search, for any problem: constraint satisfaction by backtracking and inference.

    >>> from operator import lt
    >>> csp = CSP({"x": [1, 2, 3], "y": [1, 2, 3], "z": [1, 2, 3]},
    ...           [AllDifferent("xyz", "all"), Binary("x", "y", lt, "x < y"), Sum("xy", 4, "x + y = 4")])
    >>> search(csp, Strategy.parse("fc+mrv")).collect().solutions
    ({'x': 1, 'y': 3, 'z': 2},)

- `csp`: the problem as a value: variables, domains, neighbours, constraints.
- `constraints`: what can be said: `AllDifferent`, `Binary`, `Sum`, and how to add more.
- `strategy`: how to search, and its name (`mac+mrv+degree`).
- `backtracking`: `search` for solutions, `propagate` without search.
- `inference`, `ordering`: the parts that a strategy switches.
- `network`: masks, arcs and propagators, on which all of it works.
"""

from bridge.search.backtracking import propagate, search
from bridge.search.constraints import AllDifferent, Binary, Constraint, Sum
from bridge.search.csp import CSP
from bridge.search.network import Network, Propagator
from bridge.search.strategy import DEFAULT, INFERENCES, VALUE_ORDERS, VARIABLE_ORDERS, Strategy

__all__ = [
    "CSP",
    "DEFAULT",
    "INFERENCES",
    "VALUE_ORDERS",
    "VARIABLE_ORDERS",
    "AllDifferent",
    "Binary",
    "Constraint",
    "Network",
    "Propagator",
    "Strategy",
    "Sum",
    "propagate",
    "search",
]
