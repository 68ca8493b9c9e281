"""The engine `asp`: clingo, with the structure of a puzzle ground once and each instance's clues as assumptions."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from bridge.asp import Model, Program
from bridge.errors import LimitError
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import PROGRESS_SECONDS, Count, Interrupted, OnProgress, Progress, Statistics
from bridge.puzzles.engines.engine import Ability, Engine, by_images, holding
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.ground import NOT_ADDED, ground_programs
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value

if TYPE_CHECKING:
    from bridge.puzzles.engines.residual import PuzzleResidual

class Asp(Engine):
    """Answer sets by clingo, with conflict learning; exact residuals by brave consequences.

    Where symmetries are known, one solution of each set of images is searched for (`bridge.puzzles.engines.engine`).
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


#: With progress reports, models are taken one by one when so many take so many seconds or more.
FEW, SLOW = 1000, 0.1

#: A case gets this share of the time so far before it is cut, and from 0.05 s to `PROGRESS_SECONDS`.
SHARE, SHORTEST = 0.05, 0.05


@dataclass
class Counting:
    """A count with progress reports.

    clingo's statistics can only be read between two calls. So the models are taken one by one where they come slowly.
    Where they come fast, the count is split into many calls: disjoint cases by the value of the first cell, then of the
    next, until a case is counted in a short time. A case that takes longer was counted in vain: later cases at the same
    depth are split without a try, until one of them turns out to be small.

    Attributes
    ----------
    done
        The sum of the finished cases.
    limit
        The limit that ended the count early.
    """

    program: Program
    projected: bool
    cases: list[list[int]]
    deadline: Deadline
    most: int | None
    on_progress: OnProgress | None
    statistics: Statistics
    done: int = 0
    limit: LimitName | None = None

    def __post_init__(self) -> None:
        self._started = self._reported = perf_counter()
        self._too_large: set[int] = set()  # depths

    def run(self, assumed: list[int | str]) -> int:
        """The number of solutions; a lower bound when `limit` is set afterwards."""
        if self.on_progress is None:
            found = self._count(assumed, self._limits(None))
            self.limit = found.limit
            return found.number
        number = self._one_by_one(assumed)
        return self._in_cases(assumed, 0) if number is None else number

    def _one_by_one(self, assumed: list[int | str]) -> int | None:
        """The number of solutions, model by model; None when they come fast."""
        models = self.program.models(assuming=assumed, project=self.projected, limits=self._limits(None))
        try:
            with models:
                for _ in models:
                    if models.found == FEW and perf_counter() - self._started < SLOW:
                        return None
                    self._report(models.found)
        except KeyboardInterrupt:
            models.interrupted()
        finally:
            self.statistics.add(models.statistics, without=NOT_ADDED)
        self.limit = models.limit
        return models.found + len(models.leftover())

    def _in_cases(self, assumed: list[int | str], depth: int) -> int:
        """The number of solutions under assumptions that fix the first `depth` cells of the cases."""
        divisible, least = depth < len(self.cases), 0
        patience = min(max(SHORTEST, SHARE * (perf_counter() - self._started)), PROGRESS_SECONDS)
        if not divisible or depth not in self._too_large:
            found = self._count(assumed, self._limits(patience if divisible else None))
            if found.complete:
                self.done += found.number
                self._report(self.done)
                return found.number
            if found.limit != "seconds" or self.deadline.expired():
                self.limit = found.limit
                return found.number
            least = found.number
            self._too_large.add(depth)
        started, number = perf_counter(), 0
        for literal in self.cases[depth]:
            number += self._in_cases([*assumed, literal], depth + 1)
            if self.limit is not None:
                return max(number, least)
        if perf_counter() - started < patience / 2:
            self._too_large.discard(depth)
        return number

    def _limits(self, seconds: float | None) -> Limits:
        """The rest of all limits, or less."""
        times = [max(time, 0.001) for time in (seconds, self.deadline.remaining()) if time is not None]
        most = None if self.most is None else max(self.most - self.done, 1)
        return Limits(seconds=min(times, default=None), solutions=most)

    def _count(self, assumed: list[int | str], limits: Limits) -> Count:
        try:
            found = self.program.count(assuming=assumed, project=self.projected, limits=limits)
        except Interrupted as interrupted:
            found = interrupted.partial
        self.statistics.add(found.statistics, without=NOT_ADDED)
        return found

    def _report(self, number: int) -> None:
        now = perf_counter()
        if self.on_progress is not None and now - self._reported >= PROGRESS_SECONDS:
            self.on_progress(number, now - self._started)
            self._reported = now
