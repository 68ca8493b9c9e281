"""Engines that solve the CSP of a puzzle. They take any other `CSP` of `bridge.puzzles.search`, too."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Progress, Stream
from bridge.puzzles.engines.engine import Engine
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.search import CSP


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
