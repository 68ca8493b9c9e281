"""The tree of a backtracking search, walked depth first: the loop of `bridge.puzzles.search.backtracking`.

The open choices are kept on a stack (no recursion: a problem may have more variables than Python has frames). The walk
is not a generator: `advance` goes on to the next solution, and what the walk has done so far are its attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bridge.puzzles.search.inference import Inference
from bridge.puzzles.search.network import Value, Variable
from bridge.puzzles.search.ordering import ValueChooser, VariableChooser, variable_chooser
from bridge.puzzles.search.strategy import LEARNING, Strategy


def luby(number: int) -> int:
    """The term of that number, from 1, of the Luby sequence.

    The numbers of failures before restarts are multiples of its terms.

        >>> [luby(number) for number in range(1, 16)]
        [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    power = number.bit_length()
    return 1 << power - 1 if number == (1 << power) - 1 else luby(number - (1 << power - 1) + 1)


class NodesReached(Exception):
    """The search has tried as many nodes as it may."""


class _Choice:
    """A chosen variable, and how to undo its assignment."""

    def __init__(self, variable: int, rest: int, ordered: Iterator[int] | None, variables: list[int], mark: int):
        self.variable: int = variable
        self.rest: int = rest  # without `ordered`, the values not yet tried, to be tried from the lowest bit
        self.ordered: Iterator[int] | None = ordered
        self.variables: list[int] = variables  # those open, this one among them
        self.mark: int = mark  # the length of the trail
        self.tried: int = 0  # in two-way branching, the value tried last

    def next(self) -> int:
        """The next value, as a bit; 0 when all were tried."""
        if self.ordered is not None:
            return next(self.ordered, 0)
        rest = self.rest
        self.rest = rest & (rest - 1)
        return rest & -rest


class Walk:
    """A search of one tree, of a problem that is propagated at the root; `nodes`, `backtracks`, `restarts` count.

    `depth` is the greatest number of assignments in force at once. There are at most so many nodes. `look` is called at
    every 16th; it may raise to end the search. `unit` is the number of failures after which the shortest run restarts.
    """

    def __init__(
        self, inference: Inference, strategy: Strategy, nodes: int | None, look: Callable[[], object], unit: int
    ) -> None:
        self._inference: Inference = inference
        self._strategy: Strategy = strategy
        self._restarting: bool = strategy.restarts
        self._most: int = -1 if nodes is None else nodes
        self._look: Callable[[], object] = look
        self._unit: int = unit
        self._run: int = 0
        self._patience: int = 0
        self._stack: list[_Choice] = []
        self._begun: bool = False
        self.nodes: int = 0
        self.backtracks: int = 0
        self.restarts: int = 0
        self.depth: int = 0

    def advance(self) -> bool:
        """Go on to the next solution, which `solution` then returns; False when there is no other."""
        if not self._begun:
            self._begun = True
            variables = self._inference.open_at_root()
            if not variables:
                return True
            self._follow(self._strategy)
            self._start_run()
            self._stack.append(self._choice(variables))
        elif not self._stack:
            return False
        return self._next_by_halves() if self._learning else self._next_by_values()

    def _follow(self, strategy: Strategy) -> None:
        """Make the orders of the strategy: only now, since many puzzles are solved at the root."""
        inference = self._inference
        self._choose: VariableChooser = variable_chooser(strategy.variable_order, inference)
        self._values: ValueChooser = ValueChooser(strategy.value_order, inference)
        self._as_given: bool = strategy.value_order == "given"
        self._learning: bool = strategy.variable_order in LEARNING

    def solution(self) -> dict[Variable, Value]:
        """The values of all variables, which each have one."""
        network, domains = self._inference.network, self._inference.domains
        values = network.values
        found: dict[Variable, Value] = {}
        for x, variable in enumerate(network.variables):
            found[variable] = values[domains[x].bit_length() - 1]
        return found

    def _next_by_values(self) -> bool:
        """Choose a variable and try all its values in turn (d-way branching)."""
        inference, stack = self._inference, self._stack
        trail = inference.trail
        while stack:
            top = stack[-1]
            x, mark = top.variable, top.mark
            if len(trail) > mark:
                inference.retract(x, mark)  # the value tried before, and all that followed
            while bit := top.next():
                self._count_node()
                if not inference.assign(x, bit):
                    inference.retract(x, mark)
                    continue
                variables = inference.still_open(top.variables, x)
                if not variables:
                    return True
                stack.append(self._choice(variables))
                break
            else:
                stack.pop()
                self.backtracks += 1
        return False

    def _next_by_halves(self) -> bool:
        """Choose a variable and a value; branch on x = v, then on x ≠ v with a new choice (two-way branching).

        A variable whose weight has grown is thus chosen at once, and not after all values of the previous one.

        With restarts, a run ends when its patience does: so many failures without a solution. What was excluded at the
        root stays excluded. After the first solution there is no restart: the part searched before it contains no
        other, so every solution is found once.
        """
        inference, stack = self._inference, self._stack
        trail = inference.trail
        while stack:
            top = stack[-1]
            x, mark = top.variable, top.mark
            if len(trail) > mark:
                inference.retract(x, mark)
            if self._restarting and self._patience <= 0:
                stack.pop()
                if not stack:
                    self.restarts += 1
                    self._start_run()
                    stack.append(self._choice(top.variables))
                continue
            if top.tried:
                self.backtracks += 1
                if not inference.exclude(x, top.tried):
                    stack.pop()
                    continue
                variables = inference.still_open(top.variables, -1)
                if not variables:
                    stack.pop()
                    self._restarting = False
                    return True
                top = self._choice(variables)
                stack[-1] = top
                x = top.variable
            bit = top.next()
            top.tried = bit
            self._count_node()
            if not inference.assign(x, bit):
                self._patience -= 1
                continue
            variables = inference.still_open(top.variables, x)
            if not variables:
                self._restarting = False
                return True
            stack.append(self._choice(variables))
        return False

    def _start_run(self) -> None:
        self._run += 1
        self._patience = self._unit * luby(self._run)

    def _choice(self, variables: list[int]) -> _Choice:
        inference = self._inference
        x = self._choose(variables)
        mark = len(inference.trail)
        if self._learning:
            return _Choice(x, self._values.first(x), None, variables, mark)
        if self._as_given and inference.network.in_order(x):
            return _Choice(x, inference.domains[x], None, variables, mark)
        return _Choice(x, 0, iter(self._values.ordered(x)), variables, mark)

    def _count_node(self) -> None:
        if self.nodes == self._most:
            raise NodesReached
        if not self.nodes & 15:  # reading the clock costs as much as a small node
            self._look()
        self.nodes += 1
        if len(self._stack) > self.depth:
            self.depth = len(self._stack)
