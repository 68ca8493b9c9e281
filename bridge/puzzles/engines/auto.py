"""The engine `auto`: the engine measured as fastest for the puzzle and the extent of the instance.

The choices are measured, by `python -m benchmarks.auto`, and kept in `auto.json`: for each puzzle, up to which extent
(`Models.extent`) which engines were fastest, the fastest first; beyond the largest extent measured, those of that one.
The next one is used if one is not installed, or does not support the instance. The outcome's `remark` names the engine
used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType

from bridge.errors import MissingSolverError, UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Count, OnProgress, Progress
from bridge.puzzles.engines.engine import Ability, Engine, by_images
from bridge.puzzles.engines.packages import is_installed
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value

#: For puzzles that were not measured; for the others, where none of the engines that were measured takes the instance.
OTHERWISE = ("asp", "mac+mrv+degree")

#: The engines of the propagated residual, the one that shows most first.
PROPAGATING = ("clpfd", "mac")


@cache
def choices() -> dict[str, list[tuple[int, tuple[str, ...]]]]:
    """For each puzzle, pairs of a greatest extent and its engines, the fastest first."""
    data = json.loads((Path(__file__).parent / "auto.json").read_text(encoding="utf-8"))
    return {kind: [(extent, tuple(names)) for extent, names in steps] for kind, steps in data["choices"].items()}


def pick(puzzle: Puzzle) -> tuple[str, ...]:
    """The names of the engines for an instance, the fastest first."""
    steps = choices().get(puzzle.kind, [])
    extent = models(puzzle).extent
    found = next((names for most, names in steps if extent <= most), steps[-1][1] if steps else ())
    return (*found, *(name for name in OTHERWISE if name not in found))


class Auto(Engine):
    """Delegates to the engine measured as fastest for the instance.

    Where symmetries are known, one solution of each set of images is searched for (`bridge.puzzles.engines.engine`).
    """

    name = "auto"
    description = "the engine that was fastest on instances of that puzzle and size"
    abilities = frozenset(Ability)

    def __init__(self, engine: Callable[[str], Engine]) -> None:
        self._engine = engine

    def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        return by_images(puzzle, self._fastest, limits, progress)

    def _fastest(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        refused = ""
        for name in pick(puzzle):
            chosen = self._engine(name)
            if chosen.package is not None and not is_installed(chosen.package):
                continue
            progress.remark = f"auto took {name}{refused}"
            found = chosen.search(puzzle, limits, progress)
            try:
                first = next(found, None)
            except (MissingSolverError, UnsupportedError) as error:
                refused += f", since {name} cannot: {error.message}"
                continue
            if first is not None:
                yield first
                yield from found
            return
        raise UnsupportedError(f"no engine takes this {puzzle.title}{refused}")

    def count(
        self,
        puzzle: Puzzle,
        limits: Limits = UNLIMITED,
        *,
        fixed: Mapping[Cell, Value] = MappingProxyType({}),
        on_progress: OnProgress | None = None,
    ) -> Count:
        return self._engine("asp").count(puzzle, limits, fixed=fixed, on_progress=on_progress)

    def propagated(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        """By the first engine that has a program for the puzzle: what clpfd leaves, or what `mac` leaves."""
        for name in PROPAGATING:
            with suppress(UnsupportedError):
                return self._engine(name).propagated(puzzle, limits)
        hint = f"`lpbridge puzzle residual -e {PROPAGATING[-1]}` says why"
        raise UnsupportedError(f"no engine that propagates takes this {puzzle.title}", hint=hint)

    def exact(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        return self._engine("asp").exact(puzzle, limits)
