"""The imperative engines: backtracking search in Python, under the strategy that the engine's name gives.

`bt` is plain backtracking, `fc` adds forward checking, `mac` maintains arc consistency, and `gac` is MAC with matching
for all-different. `+mrv`, `+degree`, `+wdeg`, `+mrv+degree` and `+mrv+wdeg` order the variables, `+lcv` the values;
after `+wdeg`, `+restarts` adds restarts. Every combination is an engine: `mac+mrv+wdeg+lcv+restarts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.engines.engine import Ability, Engine, holding
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.search import CSP, Strategy, propagate
from bridge.puzzles.search.backtracking import solutions

_INFERENCES = {
    "bt": "no inference: a value is checked against those assigned before",
    "fc": "forward checking",
    "mac": "maintaining arc consistency (AC-3)",
    "gac": "maintaining arc consistency (AC-3), with matching for all-different",
}
_ORDERS = {
    "mrv": "fewest remaining values first",
    "degree": "most constrained first",
    "wdeg": "most often failed first",
    "lcv": "least constraining value first",
    "restarts": "restarts until the first solution",
}


class Backtracking(CSPEngine):
    """Depth-first search of a CSP under one strategy."""

    abilities = frozenset(Ability) - {Ability.EXACT, Ability.PROPAGATED}

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.name = str(strategy)
        inference, *orders = self.name.split("+")
        self.description = "; ".join([f"backtracking, {_INFERENCES[inference]}", *(_ORDERS[o] for o in orders)])

    def assigned(self, csp: CSP, limits: Limits, progress: Progress) -> Iterator[dict[Any, Any]]:
        return solutions(csp, self._strategy, limits, progress)


class Propagating(Backtracking):
    """Backtracking with an inference that also propagates without search."""

    abilities = frozenset(Ability) - {Ability.EXACT}

    def propagated(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        progress = Progress()
        started = perf_counter()
        forms = models(puzzle)
        csp = forms.engine_csp(limits)
        started = progress.statistics.spend("load", started)
        domains = propagate(csp, self._strategy.inference)
        progress.statistics.spend("post", started)
        of_cells = {} if domains is None else forms.read_domains(domains)
        possible = {cell: tuple(of_cells[cell]) for cell in puzzle.cells() if cell in of_cells}
        constraints = holding(puzzle, possible)
        return PuzzleResidual("propagated", self.name, possible, constraints, statistics=progress.statistics)


def imperative(name: str) -> Engine:
    """The engine with a name; InputError lists the words when there is none."""
    strategy = Strategy.parse(name)
    return Backtracking(strategy) if strategy.inference == "bt" else Propagating(strategy)
