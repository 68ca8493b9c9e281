"""The state-space engines `bfs`, `dfs`, `greedy` and `astar`, on the state space that a puzzle defines.

`+fc` is the space of partial assignments with forward checking; `+fit`, for `greedy` and `astar`, another heuristic,
where a puzzle has one: the open cells, or infinity where some rule cannot be met any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from bridge.errors import InputError
from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.puzzles.engines.engine import Ability, Engine
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.search import ORDERS, Order, search_states

#: The greatest number of nodes in memory: a few hundred megabytes with the states of a Sudoku.
MEMORY = 250_000

_ORDERS = {
    "bfs": "breadth-first search",
    "dfs": "depth-first search",
    "greedy": "greedy best-first search",
    "astar": "A* search",
}
_WORDS = {"fc": "with forward checking", "fit": "by open cells, infinite where a rule cannot be met any more"}


class StateSpace(Engine):
    """Search of a puzzle's state space in one order."""

    abilities = frozenset({Ability.FIND, Ability.ENUMERATE, Ability.PROVE})

    def __init__(self, order: Order, words: tuple[str, ...]) -> None:
        self._order = order
        self._words = words
        self.name = "+".join((order, *words))
        self.description = ", ".join(("state space, " + _ORDERS[order], *(_WORDS[word] for word in words)))

    def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        started = perf_counter()
        form = models(puzzle).state_space(*self._words)
        progress.statistics.spend("load", started)
        goals = search_states(form.problem, self._order, limits, memory=MEMORY)
        with progress.following(goals):
            for node in goals:
                yield form.read(node.state)


def statespace(name: str) -> Engine:
    """The engine of that name.

    Raises
    ------
    InputError
        For an unknown order, or an unknown word after it.
    """
    order, *words = name.split("+")
    usable = {"fc"} if order in ("bfs", "dfs") else {"fc", "fit"}  # the others use no heuristic
    if order not in ORDERS or len(words) > 1 or not usable.issuperset(words):
        raise InputError(f"there is no state-space engine {name!r}", hint=f"one of {', '.join(ORDERS)}, or with +fc")
    return StateSpace(order, tuple(words))
