"""All solutions of an instance with known symmetries: one of each set of images is searched for, the others are made.

The reduction of an instance is given by its models (`Models.symmetric`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from bridge.limits import Deadline, Limits
from bridge.outcome import Progress
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid

if TYPE_CHECKING:
    from bridge.puzzles.kinds.symmetry import Reduction

#: As `Engine.search`.
Search = Callable[[Puzzle, Limits, Progress], Iterator[Grid]]


def by_images(puzzle: Puzzle, search: Search, limits: Limits, progress: Progress) -> Iterator[Grid]:
    """What a search finds, or where a reduction is known, the images of what it finds for that."""
    reduced = _reduction(puzzle, limits)
    return search(puzzle, limits, progress) if reduced is None else _all_images(reduced, search, limits, progress)


def _reduction(puzzle: Puzzle, limits: Limits) -> Reduction[Puzzle] | None:
    """The reduction of an instance, if more solutions are requested than one set of images has."""
    most = limits.solutions
    if most is not None and most <= 2:  # for a verdict: no gain
        return None
    found = models(puzzle).symmetric()
    return found if found is not None and (most is None or most > found.factor) else None


def _all_images(reduced: Reduction[Puzzle], search: Search, limits: Limits, progress: Progress) -> Iterator[Grid]:
    """The images of all solutions that the search finds for the reduced instance."""
    progress.statistics.counters["symmetry"] = reduced.factor
    deadline = Deadline(limits.seconds)
    found = search(reduced.puzzle, replace(limits, solutions=None), progress)
    with closing(cast("Generator[Grid, None, None]", found)) as grids:
        for grid in grids:
            for image in reduced.images(grid):
                yield image
                if deadline.expired():  # one solution may have billions of them
                    grids.close()
                    progress.complete, progress.limit = False, "seconds"
                    return
