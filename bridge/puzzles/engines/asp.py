"""The engine `asp`: clingo, with the structure of a puzzle ground once and each instance's clues as assumptions."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from bridge.asp import Model
from bridge.errors import LimitError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.outcome import Count, Interrupted, OnProgress, Progress, Statistics
from bridge.puzzles.engines.engine import Ability, Engine, holding
from bridge.puzzles.engines.images import by_images
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.ground import NOT_ADDED, ground_programs
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value

if TYPE_CHECKING:
    from bridge.puzzles.engines.residual import PuzzleResidual


class Asp(Engine):
    """Answer sets by clingo, with conflict learning; exact residuals by brave consequences.

    Where symmetries are known, one solution of each set of images is searched for (`bridge.puzzles.engines.images`).
    """

    name = "asp"
    description = "clingo: answer set programming, conflict-driven"
    abilities = frozenset(Ability) - {Ability.PROPAGATED}
    package = "clingo"

    def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        return by_images(puzzle, self._models, limits, progress)

    def _models(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Generator[Grid, None, None]:
        deadline, statistics, ended = Deadline(limits.seconds), progress.statistics, Progress()
        form = models(puzzle).asp()
        ground = ground_programs.take(form, statistics, limits)
        found = ground.program.search(ground.assumptions(form), deadline.within(limits), ended, ground.project)
        try:
            for model in found:
                started = perf_counter()
                grid = ground.grid(model, puzzle)
                statistics.spend("decode", started)
                yield grid
        except KeyboardInterrupt:
            arrived = [ground.grid(model, puzzle) for model in ended.waiting]
            progress.waiting.extend(grid for grid in arrived if not puzzle.violations(grid))
            raise
        finally:
            cast("Generator[Model, None, None]", found).close()
            statistics.add(ended.statistics, without=NOT_ADDED)
            progress.complete, progress.limit = ended.complete, ended.limit

    def count(
        self,
        puzzle: Puzzle,
        limits: Limits = UNLIMITED,
        *,
        fixed: Mapping[Cell, Value] = MappingProxyType({}),
        on_progress: OnProgress | None = None,
    ) -> Count:
        """See `Engine.count`. Without progress reports clingo counts in one call, with them in cases (`Counting`)."""
        from bridge.puzzles.engines.counting import Counting

        deadline, statistics = Deadline(limits.seconds), Statistics()
        forms = models(puzzle)
        form = forms.asp()
        try:
            ground = ground_programs.take(form, statistics, limits)
        except LimitError:
            return Count(0, False, "seconds", statistics)
        values = [(r, c, value) for (r, c), value in fixed.items()]
        assumed = [*ground.assumptions(form), *ground.of_cells(values)]
        cases = ground.cases({*fixed, *puzzle.clues()}) if on_progress is not None else []
        most = limits.solutions
        counting = Counting(ground.program, forms.projected, cases, deadline, most, on_progress, statistics)
        try:
            number = counting.run(assumed)
        except KeyboardInterrupt:  # between two calls
            number, counting.limit = counting.done, "interrupt"
        total = Count(number, counting.limit is None, counting.limit, statistics)
        if counting.limit == "interrupt":
            raise Interrupted(total)
        return total

    def exact(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        from bridge.puzzles.engines.residual import PuzzleResidual

        deadline, statistics = Deadline(limits.seconds), Statistics()
        form = models(puzzle).asp()
        try:
            ground = ground_programs.take(form, statistics, limits)
        except LimitError:
            return PuzzleResidual("exact", self.name, {}, (), False, "seconds", statistics)
        outcome = ground.program.brave(assuming=ground.assumptions(form), limits=deadline.within(limits))
        statistics.add(outcome.statistics, without=NOT_ADDED)
        possible = ground.possible(outcome.solutions[-1], puzzle) if outcome.solutions else {}
        held_by, complete, limit = holding(puzzle, possible), outcome.complete, outcome.limit
        return PuzzleResidual("exact", self.name, possible, held_by, complete, limit, statistics)
