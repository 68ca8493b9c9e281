"""State-space search: from an initial state by actions to goal states.

- A **state** is anything; an **action** leads from one state to another, at a cost.
- A **node** is a state as it was reached: by which action, from which node, at which cost and depth.
- To **expand** a node is to make all its successors; to **generate** a node is to make it as a successor.
- The **frontier** holds the nodes that were made and not yet expanded.

The four searches are one loop with different frontiers. (S. Russell, P. Norvig, *Artificial Intelligence: A Modern
Approach*, 4th edition, chapter 3.)

    >>> class Climb(Problem[int, int]):  # from 1 to 6, by doubling or by one
    ...     def initial(self): return 1
    ...     def actions(self, state): return [state, 1] if state < 6 else []
    ...     def result(self, state, action): return state + action
    ...     def is_goal(self, state): return state == 6
    >>> search_states(Climb(), "bfs").collect().solutions[0].path()
    [1, 1, 3]

What is counted, and when:

- `generated`: a node for each successor made, goals and duplicates included. The initial node is not generated.
- `expanded`: a node whose successors are made, all of them at once. A goal is handed out and not expanded.
- The goal is tested when a node is taken from the frontier; only breadth-first search tests it when the node is
  generated, since no shallower goal can follow.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from time import perf_counter
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast, get_args

from bridge.errors import InputError
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import Progress, Stream
from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.inference import BT, FC
from bridge.puzzles.search.network import Value, Variable

State = TypeVar("State")
Action = TypeVar("Action")

#: `bfs` breadth-first, `dfs` depth-first, `greedy` best-first by the heuristic, `astar` by cost so far plus heuristic.
Order: TypeAlias = Literal["bfs", "dfs", "greedy", "astar"]
ORDERS: tuple[Order, ...] = get_args(Order)


class Problem(ABC, Generic[State, Action]):
    """A state-space problem: initial state, actions and goals. States are immutable: `result` makes new ones."""

    @abstractmethod
    def initial(self) -> State:
        """The state to start from."""

    @abstractmethod
    def actions(self, state: State) -> Iterable[Action]:
        """The actions of a state, in the order in which to try them."""

    @abstractmethod
    def result(self, state: State, action: Action) -> State:
        """The state that an action leads to."""

    @abstractmethod
    def is_goal(self, state: State) -> bool:
        """Whether a state is a goal."""

    def cost(self, state: State, action: Action) -> float:
        """The cost of an action, 0 or more."""
        return 1

    def heuristic(self, state: State) -> float:
        """An estimate of the cost from here to the nearest goal; infinity drops the state, as a dead end.

        A* finds a cheapest goal first if this is admissible: never more than the true cost.
        """
        return 0

    def key(self, state: State) -> Hashable | None:
        """What is equal for two states if and only if they are the same state; the state itself, unless overridden.

        None if no state can be reached in two ways: the search then keeps no table of visited states.
        """
        return state


@dataclass(slots=True, eq=False)
class Node(Generic[State, Action]):
    """A state as it was reached."""

    state: State
    parent: Node[State, Action] | None = None
    action: Action | None = None
    cost: float = 0
    depth: int = 0

    def path(self) -> list[Action]:
        """The actions that lead here from the initial state."""
        actions: list[Action] = []
        node = self
        while node.parent is not None:
            actions.append(cast(Action, node.action))
            node = node.parent
        return actions[::-1]


def search_states(
    problem: Problem[State, Action], order: Order, limits: Limits = UNLIMITED, *, memory: int | None = None
) -> Stream[Node[State, Action]]:
    """All goal states that can be reached, each once, as they are found.

    Parameters
    ----------
    problem
        The problem.
    order
        Which node is expanded next. `greedy` and `astar` take the least estimate; among equals the one nearer to a
        goal by the heuristic, then the deeper, then the one generated first.
    limits
        When to stop; `nodes` are expanded nodes. The clock starts when the first goal is requested.
    memory
        The greatest number of nodes to hold. Depth-first search holds its frontier, its path and the states that it
        has visited; the others may hold all that they have generated.

    Returns
    -------
    A stream of nodes with goal states, `complete` when the whole space was searched. Its statistics count `generated`
    and `expanded` nodes as said above, and have the seconds of `solve`.

    Raises
    ------
    InputError
        At once, for an order that does not exist.
    """
    if order not in ORDERS:
        raise InputError(f"there is no search order {order!r}", hint=f"one of: {', '.join(ORDERS)}")

    def produce(progress: Progress) -> Iterator[Node[State, Action]]:
        statistics = progress.statistics
        walk = _Walk(problem, order, limits, memory)
        goals = walk.goals()
        while True:
            since = perf_counter()
            try:
                goal = next(goals, None)
            finally:  # the consumer's time does not count, after Ctrl-C either
                statistics.spend("solve", since)
                statistics.counters.update(generated=walk.generated, expanded=walk.expanded)
            if goal is None:
                progress.complete, progress.limit = walk.limit is None, walk.limit
                return
            yield goal

    return Stream(produce, limits)


class _Walk(Generic[State, Action]):
    """The state of one search."""

    def __init__(self, problem: Problem[State, Action], order: Order, limits: Limits, memory: int | None) -> None:
        self._problem = problem
        self._frontier: _Frontier[State, Action] = _FRONTIERS[order](problem)
        self._early = order == "bfs"
        self._limits = limits
        self._deadline = Deadline(limits.seconds)
        self._memory = inf if memory is None else memory
        self.limit: LimitName | None = None
        self.generated = 0
        self.expanded = 0

    def goals(self) -> Iterator[Node[State, Action]]:
        """The loop of all four searches; `limit` is what ended it, None when the frontier is empty."""
        problem, frontier, early = self._problem, self._frontier, self._early
        root: Node[State, Action] = Node(problem.initial())
        if early and problem.is_goal(root.state):
            yield root
        else:
            frontier.offer([root])
        while (node := frontier.take()) is not None:
            if not early and problem.is_goal(node.state):
                frontier.forget(node)
                yield node
                continue
            if self._stopped(node):
                return
            waiting = []
            for child in self._expand(node):
                if not early or not problem.is_goal(child.state):
                    waiting.append(child)
                elif frontier.is_new(child):
                    yield child
            frontier.offer(waiting)

    def _expand(self, node: Node[State, Action]) -> list[Node[State, Action]]:
        problem, state, depth = self._problem, node.state, node.depth + 1
        children = [
            Node(problem.result(state, action), node, action, node.cost + problem.cost(state, action), depth)
            for action in problem.actions(state)
        ]
        self.expanded += 1
        self.generated += len(children)
        return children

    def _stopped(self, node: Node[State, Action]) -> bool:
        """Whether a limit forbids to expand this node."""
        if self.expanded == self._limits.nodes:
            self.limit = "nodes"
        elif self._frontier.held(node, self.generated) > self._memory:
            self.limit = "memory"
        elif self._deadline.expired():
            self.limit = "seconds"
        return self.limit is not None


class _Frontier(ABC, Generic[State, Action]):
    """The nodes to expand, and the table of the states reached."""

    def __init__(self, problem: Problem[State, Action]) -> None:
        self.problem = problem
        self.reached: set[Hashable] = set()

    def is_new(self, node: Node[State, Action]) -> bool:
        """Whether a state is new; it is recorded as reached."""
        key = self.problem.key(node.state)
        if key is None:
            return True
        if key in self.reached:
            return False
        self.reached.add(key)
        return True

    @abstractmethod
    def offer(self, nodes: list[Node[State, Action]]) -> None:
        """Add these siblings, except those that are not worth expanding."""

    @abstractmethod
    def take(self) -> Node[State, Action] | None:
        """The next node, None when there are no more."""

    def forget(self, goal: Node[State, Action]) -> None:
        """Record that a goal was returned."""

    def held(self, node: Node[State, Action], generated: int) -> int:
        """How many nodes may be in memory when this one is expanded."""
        return generated


class _Line(_Frontier[State, Action]):
    """The oldest node first, or the newest. States count as reached when they are expanded: depth first, another path
    may reach them sooner."""

    def __init__(self, problem: Problem[State, Action], newest_first: bool) -> None:
        super().__init__(problem)
        self._newest_first = newest_first
        self._line: deque[Node[State, Action]] = deque()

    def offer(self, nodes: list[Node[State, Action]]) -> None:
        self._line.extend(reversed(nodes) if self._newest_first else nodes)

    def take(self) -> Node[State, Action] | None:
        while self._line:
            node = self._line.pop() if self._newest_first else self._line.popleft()
            if self.is_new(node):
                return node
        return None

    def held(self, node: Node[State, Action], generated: int) -> int:
        return len(self._line) + len(self.reached) + node.depth if self._newest_first else generated


class _BestFirst(_Frontier[State, Action]):
    """Least estimate first: greedy by the heuristic alone."""

    def __init__(self, problem: Problem[State, Action]) -> None:
        super().__init__(problem)
        self._heap: list[tuple[float, float, int, int, Node[State, Action]]] = []
        self._offered = 0

    def estimate(self, node: Node[State, Action], heuristic: float) -> float:
        return heuristic

    def offer(self, nodes: list[Node[State, Action]]) -> None:
        for node in nodes:
            if self.is_new(node) and (heuristic := self.problem.heuristic(node.state)) < inf:
                self._offered += 1
                entry = (self.estimate(node, heuristic), heuristic, -node.depth, self._offered, node)
                heapq.heappush(self._heap, entry)

    def take(self) -> Node[State, Action] | None:
        return heapq.heappop(self._heap)[-1] if self._heap else None


class _AStar(_BestFirst[State, Action]):
    """By cost and heuristic. A state that is reached again, but more cheaply, is new: nothing is lost where the
    heuristic is not consistent."""

    def __init__(self, problem: Problem[State, Action]) -> None:
        super().__init__(problem)
        self._cheapest: dict[Hashable, float] = {}

    def estimate(self, node: Node[State, Action], heuristic: float) -> float:
        return node.cost + heuristic

    def is_new(self, node: Node[State, Action]) -> bool:
        key = self.problem.key(node.state)
        if key is None:
            return True
        if node.cost >= self._cheapest.get(key, inf):
            return False
        self._cheapest[key] = node.cost
        return True

    def take(self) -> Node[State, Action] | None:
        while (node := super().take()) is not None:
            key = self.problem.key(node.state)
            if key is None or node.cost <= self._cheapest[key]:
                return node
        return None

    def forget(self, goal: Node[State, Action]) -> None:
        if (key := self.problem.key(goal.state)) is not None:
            self._cheapest[key] = -inf


_FRONTIERS: Mapping[Order, Callable[[Problem[Any, Any]], _Frontier[Any, Any]]] = {
    "bfs": partial(_Line, newest_first=False),
    "dfs": partial(_Line, newest_first=True),
    "greedy": _BestFirst,
    "astar": _AStar,
}


#: The number of variables assigned, and the mask of each. (-1, ()) is where the givens clash.
Assigned: TypeAlias = tuple[int, tuple[int, ...]]
Choice: TypeAlias = tuple[int, int]

_CLASH: Assigned = (-1, ())


class Assignments(Problem[Assigned, Choice]):
    """The partial assignments of a CSP that break no constraint, after report 2: the next variable takes a value.

    An action is the next open variable with one of its values, as a bit. Variables come in the problem's order, those
    that are given from the start before all others. An assignment makes a new state or, where it violates a constraint,
    none. With forward checking the new state also has smaller domains for the open variables, and an empty domain
    makes no state either.

        >>> from bridge.puzzles.search import AllDifferent, CSP, search_states
        >>> space = Assignments(CSP({"x": [1, 2], "y": [1, 2]}, [AllDifferent("xy", "all")]))
        >>> [space.read(node.state) for node in search_states(space, "dfs").collect().solutions]
        [{'x': 1, 'y': 2}, {'x': 2, 'y': 1}]

    Without forward checking an assignment is checked against the variables that have a value already, as in `bt`, and
    a constraint on many variables when its last one is assigned. With it, what it forbids is removed from the open
    ones, as in `fc`. The heuristic is the number of open variables: the exact cost wherever there is a solution.
    """

    def __init__(self, csp: CSP, *, forward_checking: bool = False) -> None:
        self._network = network = csp.network()
        self._inference = FC(network) if forward_checking else BT(network)
        self._sequence = sorted(range(len(network.domains)), key=lambda x: network.domains[x].bit_count() > 1)
        # The results of the actions are requested next, so they are kept.
        self._expanded: tuple[Assigned, dict[Choice, Assigned]] = _CLASH, {}

    def initial(self) -> Assigned:
        domains = self._network.domains
        given = sum(mask & (mask - 1) == 0 for mask in domains)
        self._inference.enter(domains, range(len(domains)))
        return (given, tuple(self._inference.domains)) if self._inference.root() else _CLASH

    def actions(self, state: Assigned) -> list[Choice]:
        count, domains = state
        if not 0 <= count < len(domains):
            return []
        x, inference = self._sequence[count], self._inference
        inference.enter(domains, self._sequence[count:])
        results: dict[Choice, Assigned] = {}
        for bit in self._network.given(x, domains[x]):
            if inference.assign(x, bit):
                results[x, bit] = count + 1, tuple(inference.domains)
            inference.retract(x, 0)
        self._expanded = state, results
        return list(results)

    def result(self, state: Assigned, action: Choice) -> Assigned:
        expanded, results = self._expanded
        if expanded is not state:
            self.actions(state)
            results = self._expanded[1]
        return results[action]

    def is_goal(self, state: Assigned) -> bool:
        count, domains = state
        return count == len(domains)

    def heuristic(self, state: Assigned) -> float:
        count, domains = state
        return len(domains) - count

    def key(self, state: Assigned) -> None:
        """None: variables come in one order, so no state is reached in two ways."""

    def read(self, state: Assigned) -> dict[Variable, Value]:
        """The assignment of a goal."""
        network = self._network
        return {variable: network.decode(mask)[0] for variable, mask in zip(network.variables, state[1], strict=True)}
