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

from collections.abc import Iterable
from typing import TypeAlias

from bridge.puzzles.search.csp import CSP
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
        self._forward = forward_checking
        self._patience = 1 if forward_checking else 0
        domains = network.domains
        self._sequence = sorted(range(len(domains)), key=lambda x: domains[x] & (domains[x] - 1) != 0)
        self._place = {x: place for place, x in enumerate(self._sequence)}
        # The results of the actions are requested next, so they are kept.
        self._expanded: tuple[State, dict[Action, State]] = _CLASH, {}

    def initial(self) -> State:
        domains = tuple(self._network.domains)
        if not all(domains):
            return _CLASH
        state: State = (0, domains)
        for x in self._sequence:
            if domains[x] & (domains[x] - 1):
                break
            after = self._assigned(state, x, domains[x])
            if after is None:
                return _CLASH
            state = after
        # Propagators without a given have not run yet: a sum of one variable, or of none.
        count, domains = state
        masks, givens = list(domains), set(self._sequence[:count])
        woken = [p for p, propagator in enumerate(self._network.propagators) if givens.isdisjoint(propagator.scope)]
        return (count, tuple(masks)) if self._narrow(woken, count, masks) else _CLASH

    def actions(self, state: State) -> list[Action]:
        count, domains = state
        if not 0 <= count < len(domains):
            return []
        x = self._sequence[count]
        bits = self._network.given(x, domains[x])
        tried = {(x, bit): self._assigned(state, x, bit) for bit in bits}
        self._expanded = state, {action: after for action, after in tried.items() if after is not None}
        return list(self._expanded[1])

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

    def _assigned(self, state: State, x: int, bit: int) -> State | None:
        count, before = state
        domains = list(before)
        domains[x] = bit
        network, place, forward = self._network, self._place, self._forward
        for y in network.differ[x]:
            if (forward or place[y] < count) and domains[y] & bit:
                domains[y] &= ~bit
                if not domains[y]:
                    return None
        for y, image in network.arcs[x]:
            if forward or place[y] < count:
                domains[y] &= image[bit]
                if not domains[y]:
                    return None
        if not self._narrow(network.watching[x], count + 1, domains):
            return None
        return count + 1, tuple(domains)

    def _narrow(self, propagators: Iterable[int], count: int, domains: list[int]) -> bool:
        """Run the propagators that have few enough open variables after the first `count`; False on a wipe-out."""
        for p in propagators:
            propagator = self._network.propagators[p]
            if sum(self._place[y] >= count for y in propagator.scope) <= self._patience:
                changes = propagator.narrow(domains)
                if changes is None:
                    return False
                for y, kept in changes:
                    if not kept:
                        return False
                    domains[y] = kept
        return True
