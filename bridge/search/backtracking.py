"""Depth-first backtracking search for the solutions of a CSP, one at a time.

- A **node** is an assignment tried: one value for one open variable.
- A **backtrack** is a return from a variable all of whose values have been tried.
- A **check** is one test of one constraint. Under `bt`: a pair of assigned variables compared. Under `fc` and `mac`:
  an arc x → y along which y's domain is revised, whatever its size, since a mask is all values at once; an
  `AllDifferent` has an arc for every pair. Under all: one run of a propagator.

Search and inference are separate components. This module keeps the open choices on a stack (no recursion: a problem may
have more variables than Python has frames); the inference propagates each assignment and reports whether it failed.

    >>> from bridge.search import AllDifferent, CSP
    >>> triangle = CSP({c: ["red", "green", "blue"] for c in "abc"}, [AllDifferent("abc", "neighbours")])
    >>> stream = search(triangle)
    >>> next(stream)
    {'a': 'red', 'b': 'green', 'c': 'blue'}
    >>> len(stream.collect().solutions), stream.complete
    (5, True)

Under every inference a domain of one value is a given: it is assigned at the root and counts as no node. If givens
clash, the search is complete at the root, without a node.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from math import inf
from time import perf_counter

from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import Progress, Stream
from bridge.search.csp import CSP
from bridge.search.inference import BT, FC, MAC, Inference
from bridge.search.keys import Keyed
from bridge.search.network import Value, Variable
from bridge.search.ordering import value_chooser, variable_chooser
from bridge.search.strategy import DEFAULT, LEARNING, InferenceName, Strategy

#: The number of failures after which the shortest run restarts.
UNIT = 100


def search(csp: CSP, strategy: Strategy = DEFAULT, limits: Limits = UNLIMITED) -> Stream[dict[Variable, Value]]:
    """All solutions of a problem, each once, as they are found.

    Parameters
    ----------
    csp
        The problem. It is not changed, and several searches may run on it at the same time.
    strategy
        The search strategy. It determines the time and the order of the solutions, not the solutions.
    limits
        When to stop. The clock starts when the first solution is requested.

    Returns
    -------
    A stream of solutions, each a value for every variable. Its statistics count `nodes`, `backtracks` and `checks`,
    and have the seconds of `post` (the constraints, and inference at the root) and `solve`.
    """

    def produce(progress: Progress) -> Iterator[dict[Variable, Value]]:
        statistics = progress.statistics
        walk = _Walk(csp, strategy, limits)
        with closing(walk.solutions()) as solutions:
            phase = "post"
            while True:
                since = perf_counter()
                try:
                    if phase == "post":
                        walk.post()
                        since, phase = statistics.spend("post", since), "solve"
                    solution = next(solutions, None)
                except _LimitReached as reached:
                    progress.limit = reached.limit
                    return
                finally:
                    # The consumer's time does not count, after Ctrl-C either.
                    statistics.spend(phase, since)
                    statistics.counters.update(walk.counters())
                if solution is None:
                    progress.complete = True
                    return
                yield solution

    return Stream(produce, limits)


def propagate(csp: CSP, inference: InferenceName = "mac") -> dict[Variable, tuple[Value, ...]] | None:
    """The domains after inference at the root, without search; values keep the order given.

    Under `mac` that is the arc-consistent closure, under `fc` what the givens leave open, under `bt` the domains as
    they are. None if there is no solution: a domain was wiped out, or two givens clash.

        >>> from operator import lt
        >>> from bridge.search import Binary
        >>> propagate(CSP({"x": [3, 2, 1], "y": [1, 2, 3]}, [Binary("x", "y", lt, "x < y")]))
        {'x': (2, 1), 'y': (2, 3)}
    """
    state = _posted(csp, Strategy(inference).inference, lambda: None)
    if not state.root():
        return None
    network = state.network
    return {
        variable: tuple(value for bit in network.given(x, state.domains[x]) for value in network.decode(bit))
        for x, variable in enumerate(network.variables)
    }


def _posted(csp: CSP, inference: InferenceName, look: Callable[[], object]) -> Inference:
    """The problem with its constraints stated, and nothing inferred yet."""
    network = csp.network(look)
    if inference == "gac":
        network = csp.strengthened(network)
    if inference in ("mac", "gac"):
        return Keyed(network, look) if network.links else MAC(network, look)
    return (BT if inference == "bt" else FC)(network, look)


class _LimitReached(Exception):
    """Raised to leave the search when a limit is reached."""

    def __init__(self, limit: LimitName) -> None:
        super().__init__(limit)
        self.limit = limit


def luby(number: int) -> int:
    """The term of that number, from 1, of 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ...

    >>> [luby(number) for number in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    power = number.bit_length()
    return 1 << power - 1 if number == (1 << power) - 1 else luby(number - (1 << power - 1) + 1)


@dataclass(slots=True)
class _Choice:
    """A chosen variable, and how to undo its assignment."""

    variable: int
    values: Iterator[int]  # bits, those not yet tried
    variables: list[int]  # those open, this one among them
    mark: int  # the length of the trail
    tried: int = 0  # the last of them, where there are to be other choices beside it


class _Walk:
    """The state of one search; nothing is shared, so it can stop anywhere."""

    def __init__(self, csp: CSP, strategy: Strategy, limits: Limits) -> None:
        self._csp = csp
        self._strategy = strategy
        self._limits = limits
        self._deadline = Deadline(limits.seconds)
        self._inference: Inference | None = None
        self._possible = True
        self.nodes = 0
        self.backtracks = 0
        self.restarts = 0

    def counters(self) -> dict[str, int]:
        checks = 0 if self._inference is None else self._inference.checks
        counters = {"nodes": self.nodes, "backtracks": self.backtracks, "checks": checks}
        return {**counters, "restarts": self.restarts} if self._strategy.restarts else counters

    def look(self) -> None:
        """Check the clock."""
        if self._deadline.expired():
            raise _LimitReached("seconds")

    def post(self) -> None:
        """State the constraints and infer from the givens."""
        self._inference = _posted(self._csp, self._strategy.inference, self.look)
        self._possible = self._inference.root()

    def solutions(self) -> Generator[dict[Variable, Value], None, None]:
        """Traverse the tree of assignments depth first; with restarts, repeatedly until the first solution."""
        inference = self._inference
        if inference is None or not self._possible:
            return
        variables = inference.open_at_root()
        if not variables:
            yield self._solution(inference)
        elif self._strategy.variable_order not in LEARNING:
            yield from self._values(inference, variables)
        else:
            run = 1
            while variables:
                patience = UNIT * luby(run) if self._strategy.restarts else inf
                variables = yield from self._halves(inference, variables, patience)
                run += 1
                self.restarts += bool(variables)

    def _values(self, inference: Inference, variables: list[int]) -> Generator[dict[Variable, Value], None, None]:
        """Choose a variable and try all its values in turn (d-way branching)."""
        choice = self._chooser(inference)
        trail, assign, retract, still_open = inference.trail, inference.assign, inference.retract, inference.still_open
        stack = [choice(variables)]
        while stack:
            top = stack[-1]
            x, mark = top.variable, top.mark
            if len(trail) > mark:
                retract(x, mark)  # the value tried before, and all that followed
            for bit in top.values:
                self._count_node()
                if not assign(x, bit):
                    retract(x, mark)
                    continue
                variables = still_open(top.variables, x)
                if variables:
                    stack.append(choice(variables))
                else:
                    yield self._solution(inference)
                break
            else:
                stack.pop()
                self.backtracks += 1

    def _halves(
        self, inference: Inference, variables: list[int], patience: float
    ) -> Generator[dict[Variable, Value], None, list[int]]:
        """Choose a variable and a value; branch on x = v, then on x ≠ v with a new choice (two-way branching).

        A variable whose weight has grown is thus chosen at once, and not after all values of the previous one.

        Parameters
        ----------
        patience
            The number of failures without a solution after which the run ends. After the first solution there is no
            restart: the part searched before it contains no other, so every solution is found once.

        Returns
        -------
        The variables open at the end: none when the whole tree was searched. Values excluded at its root stay excluded.
        """
        choice = self._chooser(inference)
        trail, assign, retract, still_open = inference.trail, inference.assign, inference.retract, inference.still_open
        stack = [choice(variables)]
        while stack:
            top = stack[-1]
            x, mark = top.variable, top.mark
            if len(trail) > mark:
                retract(x, mark)
            if patience <= 0:
                if len(stack) == 1:
                    return top.variables
                stack.pop()
                continue
            if top.tried:
                self.backtracks += 1
                if not inference.exclude(x, top.tried):
                    stack.pop()
                    continue
                variables = still_open(top.variables, -1)
                if not variables:
                    patience = inf
                    yield self._solution(inference)
                    stack.pop()
                    continue
                stack[-1] = top = choice(variables)
                x = top.variable
            top.tried = bit = next(top.values)
            self._count_node()
            if not assign(x, bit):
                patience -= 1
                continue
            variables = still_open(top.variables, x)
            if variables:
                stack.append(choice(variables))
            else:
                patience = inf
                yield self._solution(inference)
        return []

    def _chooser(self, inference: Inference) -> Callable[[list[int]], _Choice]:
        choose = variable_chooser(self._strategy.variable_order, inference)
        order = value_chooser(self._strategy.value_order, inference)
        trail = inference.trail

        def choice(variables: list[int]) -> _Choice:
            x = choose(variables)
            return _Choice(x, order(x), variables, len(trail))

        return choice

    def _count_node(self) -> None:
        if self.nodes == self._limits.nodes:
            raise _LimitReached("nodes")
        if not self.nodes & 15:  # reading the clock costs as much as a small node
            self.look()
        self.nodes += 1

    @staticmethod
    def _solution(inference: Inference) -> dict[Variable, Value]:
        network, values = inference.network, inference.network.values
        return {
            variable: values[bit.bit_length() - 1]
            for variable, bit in zip(network.variables, inference.domains, strict=False)  # after them, keys
        }
