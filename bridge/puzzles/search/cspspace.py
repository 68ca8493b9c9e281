"""A constraint satisfaction problem as a state space, after report 2: the next variable takes a value.

- A **state** is the mask of every variable, and how many of them are assigned.
- An **action** is the next open variable with one of its values, as a bit. Variables come in the problem's order,
  those that are given from the start before all others.

An assignment makes a new state or, where it violates a constraint, none. With forward checking the new state also has
smaller domains for the open variables, and an empty domain makes no state either.

    >>> from bridge.puzzles.search import AllDifferent, CSP, search_states
    >>> space = Assignments(CSP({"x": [1, 2], "y": [1, 2]}, [AllDifferent("xy", "all")]))
    >>> [space.read(node.state) for node in search_states(space, "dfs").collect().solutions]
    [{'x': 1, 'y': 2}, {'x': 2, 'y': 1}]
"""

from __future__ import annotations

from typing import TypeAlias

from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.inference import BT, FC
from bridge.puzzles.search.network import Value, Variable
from bridge.puzzles.search.statespace import Problem

#: The number of variables assigned, and the mask of each. (-1, ()) is where the givens clash.
State: TypeAlias = tuple[int, tuple[int, ...]]
Action: TypeAlias = tuple[int, int]

_CLASH: State = (-1, ())


class Assignments(Problem[State, Action]):
    """The partial assignments of a CSP that break no constraint.

    Without forward checking an assignment is checked against the variables that have a value already, as in `bt`, and
    a constraint on many variables when its last one is assigned. With it, what it forbids is removed from the open
    ones, as in `fc`. The heuristic is the number of open variables: the exact cost wherever there is a solution.
    """

    def __init__(self, csp: CSP, *, forward_checking: bool = False) -> None:
        self._network = network = csp.network()
        self._inference = FC(network) if forward_checking else BT(network)
        self._sequence = sorted(range(len(network.domains)), key=lambda x: network.domains[x].bit_count() > 1)
        # The results of the actions are requested next, so they are kept.
        self._expanded: tuple[State, dict[Action, State]] = _CLASH, {}

    def initial(self) -> State:
        domains = self._network.domains
        given = sum(mask & (mask - 1) == 0 for mask in domains)
        self._inference.enter(domains, range(len(domains)))
        return (given, tuple(self._inference.domains)) if self._inference.root() else _CLASH

    def actions(self, state: State) -> list[Action]:
        count, domains = state
        if not 0 <= count < len(domains):
            return []
        x, inference = self._sequence[count], self._inference
        inference.enter(domains, self._sequence[count:])
        results: dict[Action, State] = {}
        for bit in self._network.given(x, domains[x]):
            if inference.assign(x, bit):
                results[x, bit] = count + 1, tuple(inference.domains)
            inference.retract(x, 0)
        self._expanded = state, results
        return list(results)

    def result(self, state: State, action: Action) -> State:
        expanded, results = self._expanded
        if expanded is not state:
            self.actions(state)
            results = self._expanded[1]
        return results[action]

    def is_goal(self, state: State) -> bool:
        count, domains = state
        return count == len(domains)

    def heuristic(self, state: State) -> float:
        count, domains = state
        return len(domains) - count

    def key(self, state: State) -> None:
        """None: variables come in one order, so no state is reached in two ways."""

    def read(self, state: State) -> dict[Variable, Value]:
        """The assignment of a goal."""
        network = self._network
        return {variable: network.decode(mask)[0] for variable, mask in zip(network.variables, state[1], strict=True)}
