"""Imperative search, for any problem: constraint satisfaction by backtracking and inference.

    >>> from operator import lt
    >>> csp = CSP({"x": [1, 2, 3], "y": [1, 2, 3], "z": [1, 2, 3]},
    ...           [AllDifferent("xyz", "all"), Binary("x", "y", lt, "x < y"), Sum("xy", 4, "x + y = 4")])
    >>> search(csp, Strategy.parse("fc+mrv")).collect().solutions
    ({'x': 1, 'y': 3, 'z': 2},)

- `csp`: the problem as a value: variables, domains, neighbours, constraints.
- `constraints`: what can be said: `AllDifferent`, `Binary`, `Agree`, `Sum`, and how to add more.
- `constraints_lines`: more of them, on lines of variables: `Count`, `ShortRuns`, `Differ`.
- `strategy`: how to search, and its name (`mac+mrv+degree`).
- `backtracking`: `search` for solutions, `propagate` without search.
- `inference`, `ordering`: the parts that a strategy switches.
- `keys`: arc consistency for what must agree on a key.
- `matching`: all-different, seen as a whole.
- `network`: masks, arcs and propagators, on which all of it works.
- `statespace`: states, actions and goals; breadth-first, depth-first, greedy and A* by `search_states`.
- `cspspace`: any CSP as a state space, with forward checking or without.
"""

from bridge.search.backtracking import luby, propagate, search
from bridge.search.constraints import Agree, AllDifferent, Binary, Constraint, Sum
from bridge.search.constraints_lines import Count, Differ, ShortRuns
from bridge.search.csp import CSP
from bridge.search.cspspace import Assignments
from bridge.search.network import Network, Propagator
from bridge.search.statespace import ORDERS, Node, Order, Problem, search_states
from bridge.search.strategy import DEFAULT, INFERENCES, VALUE_ORDERS, VARIABLE_ORDERS, Strategy

__all__ = [
    "CSP",
    "DEFAULT",
    "INFERENCES",
    "ORDERS",
    "VALUE_ORDERS",
    "VARIABLE_ORDERS",
    "Agree",
    "AllDifferent",
    "Assignments",
    "Binary",
    "Constraint",
    "Count",
    "Differ",
    "Network",
    "Node",
    "Order",
    "Problem",
    "Propagator",
    "ShortRuns",
    "Strategy",
    "Sum",
    "luby",
    "propagate",
    "search",
    "search_states",
]
