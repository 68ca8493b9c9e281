"""The engine `asp`: clingo, with the structure of a puzzle ground once and each instance's clues as assumptions.

Ground programs are kept by shape, a few of them, so that the second Sudoku of a size costs no grounding.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from types import MappingProxyType
from typing import Any

from bridge.asp import Count, Model, Program
from bridge.asp.decode import encode
from bridge.encodings_folder import encoding
from bridge.engines.engine import TELLING, Ability, Engine, Total, holding, remaining
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import Interrupted, Progress, Statistics
from bridge.puzzles import Puzzle
from bridge.puzzles.puzzle import AspForm
from bridge.puzzles.residual import Residual
from bridge.puzzles.rules import Cell, Grid, Value

#: Ground programs kept in each thread.
KEPT = 8


class Ground:
    """A ground program and the literal of each `cell(R, C, V)`; of a switchable one also those of `on(N)`."""

    def __init__(self, form: AspForm) -> None:
        with encoding(form.encoding) as path:
            constants: dict[str, Any] = dict(form.constants)
            self.program = Program(path, form.structure, options=form.solver, isolated=False, **constants)
        self.program.ground()
        self.literals = self.program.literals("cell", 3)
        self.switches = self.program.literals("on", 1) if form.constants.get("switchable") else {}

    def assumptions(self, form: AspForm) -> list[int | str]:
        return self.of_cells(form.clues)

    def of_cells(self, values: Iterable[tuple[Any, ...]]) -> list[int | str]:
        """Assumptions that cells have values, given as arguments of `cell/3`."""
        # A value that the grounder has ruled out has no literal left; as text it is looked up and found false.
        return [self.literals.get(value) or f"cell({','.join(map(encode, value))})" for value in values]

    def cases(self, decided: Container[Cell]) -> list[list[int]]:
        """For each other cell, in reading order, a literal for each of its values: exactly one of them holds."""
        found: dict[Cell, list[int]] = {}
        for (r, c, _), literal in sorted(self.literals.items(), key=lambda item: item[0][:2]):
            if (r, c) not in decided:
                found.setdefault((r, c), []).append(literal)
        return [literals for literals in found.values() if len(literals) > 1]


class _Kept(threading.local):
    """Ground programs by shape, the least recently used one going first. Of a thread: a Control serves only one."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[Any, ...], Ground] = OrderedDict()

    def take(self, form: AspForm, statistics: Statistics) -> Ground:
        ground = self.kept.pop(form.shape, None)
        if ground is None or ground.program.busy:
            started = perf_counter()
            ground = Ground(form)
            statistics.spend("ground", started)
        if form.reusable:
            self.kept[form.shape] = ground
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return ground


ground_programs = _Kept()


class Asp(Engine):
    """clingo's answer sets; learns from conflicts, and tells exact residuals by brave consequences."""

    name = "asp"
    description = "clingo: answer set programming, conflict-driven"
    abilities = frozenset(Ability) - {Ability.PROPAGATED}

    def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        started = perf_counter()
        form = puzzle.asp()
        ground = ground_programs.take(form, progress.statistics)
        models = ground.program.models(assuming=ground.assumptions(form), limits=remaining(limits, started))
        try:
            with models:
                for model in models:
                    started = perf_counter()
                    grid = puzzle.solution({(r, c): value for r, c, value in model["cell"]})
                    progress.statistics.spend("decode", started)
                    yield grid
        finally:
            _add(progress.statistics, models.statistics)
            progress.complete, progress.limit = models.complete, models.limit

    def count(
        self,
        puzzle: Puzzle,
        limits: Limits = UNLIMITED,
        *,
        fixed: Mapping[Cell, Value] = MappingProxyType({}),
        told: Callable[[int, float], object] | None = None,
    ) -> Total:
        """See `Engine.count`. clingo counts by itself; where somebody is told, in cases (see `_Counting`)."""
        deadline, statistics = Deadline(limits.seconds), Statistics()
        form = puzzle.asp()
        ground = ground_programs.take(form, statistics)
        values = [(r, c, value) for (r, c), value in fixed.items()]
        assumed = [*ground.assumptions(form), *ground.of_cells(values)]
        cases = ground.cases({*fixed, *puzzle.clues()}) if told is not None else []
        counting = _Counting(ground.program, puzzle.projected, cases, deadline, limits.solutions, statistics, told)
        try:
            number = counting.below(assumed, 0, 1)
        except KeyboardInterrupt:
            raise Interrupted(Total(counting.done, False, "interrupt", statistics)) from None
        total = Total(number, counting.limit is None, counting.limit, statistics)
        if counting.limit == "interrupt":
            raise Interrupted(total)
        return total

    def exact(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> Residual:
        progress, started = Progress(), perf_counter()
        form = puzzle.asp()
        ground = ground_programs.take(form, progress.statistics)
        outcome = ground.program.brave(assuming=ground.assumptions(form), limits=remaining(limits, started))
        _add(progress.statistics, outcome.statistics)
        possible = _possible(puzzle, outcome.solutions)
        open_cells = {cell for cell, values in possible.items() if len(values) > 1}
        return Residual(
            "exact",
            self.name,
            possible,
            holding(puzzle, open_cells),
            outcome.complete,
            outcome.limit,
            progress.statistics,
        )


#: A count that somebody watches begins with about so many cases: few enough to cost nothing, enough to be told apart.
CASES = 32


@dataclass
class _Counting:
    """One count, cut into cases where somebody is told how it comes along.

    While clingo counts nothing can be asked of it: its statistics may be read only between two calls, and a callback
    for every model would cost more than some models do. So a watched count is made of many calls: the cell that comes
    first has one value or another, which are disjoint cases, the next cell likewise, until a case is done within
    `TELLING` seconds. A case that is not has been counted in vain. Therefore the cases next to it at the same depth
    are cut without a try, until one that was cut shows that it need not have been.

    Attributes
    ----------
    done
        The sum of the cases that are done.
    limit
        What ended the count before it was complete.
    """

    program: Program
    projected: bool
    cases: list[list[int]]
    deadline: Deadline
    most: int | None
    statistics: Statistics
    told: Callable[[int, float], object] | None
    done: int = 0
    limit: LimitName | None = None

    def __post_init__(self) -> None:
        self._started = self._said = perf_counter()
        self._too_large: set[int] = set()  # depths

    def below(self, assumed: list[int | str], depth: int, siblings: int) -> int:
        """The number of solutions under assumptions that fix the first `depth` cells of the cases.

        `siblings` is how many cases there would be if all were as this one. When `limit` has been set, it is a lower
        bound.
        """
        divisible = depth < len(self.cases)
        least = 0
        if not divisible or (siblings >= CASES and depth not in self._too_large):
            found = self._ask(assumed, TELLING if divisible else None)
            if found.complete:
                self._tell(found.number)
                return found.number
            least, self.limit = found.number, self._ended(found.limit)
            if self.limit is not None:
                return least
            self._too_large.add(depth)
        started, number = perf_counter(), 0
        for literal in self.cases[depth]:
            number += self.below([*assumed, literal], depth + 1, siblings * len(self.cases[depth]))
            if self.limit is not None:
                return max(number, least)
        if perf_counter() - started < TELLING / 2:
            self._too_large.discard(depth)
        return number

    def _ask(self, assumed: list[int | str], seconds: float | None) -> Count:
        left = self.deadline.remaining()
        times = [max(time, 0.001) for time in (seconds, left) if time is not None]
        most = None if self.most is None else max(self.most - self.done, 1)
        limits = Limits(seconds=min(times, default=None), solutions=most)
        try:
            found = self.program.count(assuming=assumed, project=self.projected, limits=limits)
        except Interrupted as interrupted:
            found = interrupted.partial
        _add(self.statistics, found.statistics)
        return found

    def _ended(self, limit: LimitName | None) -> LimitName | None:
        """What ended the whole count, when a limit has ended a case; None when it was only that of a case."""
        return None if limit == "seconds" and not self.deadline.expired() else limit

    def _tell(self, number: int) -> None:
        self.done += number
        now = perf_counter()
        if self.told is not None and now - self._said >= TELLING:
            self.told(self.done, now - self._started)
            self._said = now


def _possible(puzzle: Puzzle, models: tuple[Model, ...]) -> dict[Cell, tuple[Value, ...]]:
    """Brave consequences by cell. What is in only one is in every solution: each cell has a value in each."""
    if not models:
        return {}
    found: dict[Cell, set[Value]] = {cell: set() for cell in puzzle.cells()}
    for r, c, value in models[-1]["cell"]:
        found[r, c].add(value)
    return {cell: tuple(value for value in puzzle.values() if value in found[cell]) for cell in found}


def _add(whole: Statistics, part: Statistics) -> None:
    for phase, seconds in part.seconds.items():
        # Loading and grounding of a kept program was paid by an earlier instance.
        if phase not in ("load", "ground"):
            whole.seconds[phase] = whole.seconds.get(phase, 0.0) + seconds
    for name, number in part.counters.items():
        if name != "models":  # those of a case that was given up would count twice
            whole.counters[name] = whole.counters.get(name, 0) + number
