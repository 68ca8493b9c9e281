"""Imperative search, for any problem: constraint satisfaction by backtracking and inference.

    >>> from operator import lt
    >>> csp = CSP({"x": [1, 2, 3], "y": [1, 2, 3], "z": [1, 2, 3]},
    ...           [AllDifferent("xyz", "all"), Binary("x", "y", lt, "x < y"), Sum("xy", 4, "x + y = 4")])
    >>> search(csp, Strategy.parse("fc+mrv")).collect().solutions
    ({'x': 1, 'y': 3, 'z': 2},)

- `csp`: the problem as a value: variables, domains, neighbours, constraints.
- `constraints`: the constraints `AllDifferent`, `Binary`, `Element`, `Sum`, and the base class of others.
- `constraints_lines`: constraints on sequences of variables: `Among`, `Stretch`, `NotEqualVectors`.
- `constraints_arithmetic`: sums of products and of weights, clauses, any relation: `Linear`, `WeightedSum`, `Clause`,
  `Relation`.
- `strategy`: a search strategy as a value with a name (`mac+mrv+degree`).
- `backtracking`: `search` for solutions, `propagate` without search.
- `inference`, `ordering`: propagation, and the variable and value orders that a strategy names.
- `keys`: arc consistency for `Element` constraints.
- `matching`: domain consistency of all-different.
- `network`: the compiled problem: masks, arcs and propagators.
- `statespace`: states, actions and goals; `search_states` searches breadth-first, depth-first, greedily or by A*.
  `Assignments` is a CSP as a state space, with or without forward checking.
- `walk`: the tree of a backtracking search; `propagators`: those of the constraints above.
- `compiled`: whether the modules that do most of the work are loaded as Python or as compiled by mypyc; `FORM` says it.
"""
# ruff: noqa: E402  the form is chosen before the modules are loaded

from pathlib import Path

from bridge.puzzles.search import compiled

#: Whether the search is compiled, and if not, why.
FORM = compiled.choose(Path(__file__).parent)
if FORM.compiled:
    __path__.insert(0, str(Path(__file__).parent / compiled.FOLDER))

from bridge.common import export
from bridge.puzzles.search.backtracking import luby, propagate, search
from bridge.puzzles.search.constraints import AllDifferent, Binary, Constraint, Element, Sum
from bridge.puzzles.search.constraints_lines import Among, NotEqualVectors, Stretch
from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.network import Network
from bridge.puzzles.search.propagator import Propagator
from bridge.puzzles.search.statespace import ORDERS, Assignments, Node, Order, Problem, search_states
from bridge.puzzles.search.strategy import DEFAULT, INFERENCES, VALUE_ORDERS, VARIABLE_ORDERS, Strategy

__all__ = [
    "CSP",
    "DEFAULT",
    "FORM",
    "INFERENCES",
    "ORDERS",
    "VALUE_ORDERS",
    "VARIABLE_ORDERS",
    "AllDifferent",
    "Among",
    "Assignments",
    "Binary",
    "Constraint",
    "Element",
    "Network",
    "Node",
    "NotEqualVectors",
    "Order",
    "Problem",
    "Propagator",
    "Strategy",
    "Stretch",
    "Sum",
    "luby",
    "propagate",
    "search",
    "search_states",
]

export(__name__)
