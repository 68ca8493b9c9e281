"""Engines that solve the CSP of a puzzle, and those of lpbridge's own: backtracking, under a strategy.

They take any other `CSP` of `bridge.puzzles.search`, too. The name of a strategy is that of its engine: `bt` is plain
backtracking, `fc` adds forward checking, `mac` maintains arc consistency, and `gac` is MAC with matching for
all-different. `+mrv`, `+degree`, `+wdeg`, `+mrv+degree` and `+mrv+wdeg` order the variables, `+lcv` the values; after
`+wdeg`, `+restarts` adds restarts. Every combination is an engine: `mac+mrv+wdeg+lcv+restarts`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Progress, Stream
from bridge.puzzles.engines.engine import Ability, Engine, holding
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid
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


class CSPEngine(Engine):
    """An engine whose `assignments` are those of a CSP."""

    @abstractmethod
    def assigned(self, csp: CSP, limits: Limits, progress: Progress) -> Iterator[dict[Any, Any]]:
        """What `assignments` streams; statistics and the end go into `progress`."""

    def assignments(self, csp: CSP, limits: Limits = UNLIMITED) -> Stream[dict[Any, Any]]:
        """All solutions of a CSP, each once, as they are found: a value for every variable.

        Raises
        ------
        MissingSolverError
            In the iteration, when the solver is not installed.
        UnsupportedError
            In the iteration, when the solver has no form for a constraint.
        """
        return Stream(lambda progress: self.assigned(csp, limits, progress), limits)

    def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        started, deadline = perf_counter(), Deadline(limits.seconds)
        forms = models(puzzle)
        try:
            csp = forms.engine_csp(limits)
        finally:
            progress.statistics.spend("load", started)
        for assignment in self.assigned(csp, deadline.within(limits), progress):
            yield puzzle.solution(forms.read_assignment(assignment))


class Backtracking(CSPEngine):
    """Depth-first search of a CSP under one strategy. All but `bt` propagate without search, too."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        without = {Ability.EXACT, Ability.PROPAGATED} if strategy.inference == "bt" else {Ability.EXACT}
        self.abilities = frozenset(Ability) - without
        self.name = str(strategy)
        inference, *orders = self.name.split("+")
        self.description = "; ".join([f"backtracking, {_INFERENCES[inference]}", *(_ORDERS[o] for o in orders)])

    def assigned(self, csp: CSP, limits: Limits, progress: Progress) -> Iterator[dict[Any, Any]]:
        return solutions(csp, self._strategy, limits, progress)

    def propagated(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        if Ability.PROPAGATED not in self.abilities:
            raise self._cannot(Ability.PROPAGATED)
        progress, started = Progress(), perf_counter()
        forms = models(puzzle)
        csp = forms.engine_csp(limits)
        started = progress.statistics.spend("load", started)
        domains = propagate(csp, self._strategy.inference)
        progress.statistics.spend("post", started)
        of_cells = {} if domains is None else forms.read_domains(domains)
        possible = {cell: tuple(of_cells[cell]) for cell in puzzle.cells() if cell in of_cells}
        constraints = holding(puzzle, possible)
        return PuzzleResidual("propagated", self.name, possible, constraints, statistics=progress.statistics)
