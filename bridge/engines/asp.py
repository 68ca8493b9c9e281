"""The engine `asp`: clingo, with the structure of a puzzle ground once and each instance's clues as assumptions.

Ground programs are kept by shape, a few of them, so that the second Sudoku of a size costs no grounding.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bridge.asp import Model, Program
from bridge.asp.decode import encode
from bridge.encodings_folder import encoding
from bridge.engines.engine import Ability, Engine, holding, remaining
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Progress, Statistics
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
        # A clue that the grounder has ruled out has no literal left; as text it is looked up and found false.
        return [self.literals.get(clue) or f"cell({','.join(map(encode, clue))})" for clue in form.clues]


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
            _told(progress, models.statistics)
            progress.complete, progress.limit = models.complete, models.limit

    def exact(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> Residual:
        progress, started = Progress(), perf_counter()
        form = puzzle.asp()
        ground = ground_programs.take(form, progress.statistics)
        outcome = ground.program.brave(assuming=ground.assumptions(form), limits=remaining(limits, started))
        _told(progress, outcome.statistics)
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


def _possible(puzzle: Puzzle, models: tuple[Model, ...]) -> dict[Cell, tuple[Value, ...]]:
    """Brave consequences by cell. What is in only one is in every solution: each cell has a value in each."""
    if not models:
        return {}
    found: dict[Cell, set[Value]] = {cell: set() for cell in puzzle.cells()}
    for r, c, value in models[-1]["cell"]:
        found[r, c].add(value)
    return {cell: tuple(value for value in puzzle.values() if value in found[cell]) for cell in found}


def _told(progress: Progress, statistics: Statistics) -> None:
    # Loading and grounding of a kept program was paid by an earlier instance.
    phases = {phase: seconds for phase, seconds in statistics.seconds.items() if phase not in ("load", "ground")}
    for phase, seconds in phases.items():
        progress.statistics.seconds[phase] = progress.statistics.seconds.get(phase, 0.0) + seconds
    progress.statistics.counters.update(statistics.counters)
