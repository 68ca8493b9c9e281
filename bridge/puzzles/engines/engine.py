"""The interface of engines: an engine solves a puzzle by a solver and returns checked solutions.

To add one, subclass `Engine` in its own module and register it in `bridge/puzzles/engines/__init__.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, cast

from bridge.errors import LimitError, SolverError, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, Limits, as_limits
from bridge.outcome import Count, Interrupted, OnProgress, Progress, Stream
from bridge.puzzles.engines.packages import version_of
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value

if TYPE_CHECKING:
    from bridge.puzzles.engines.residual import PuzzleResidual
    from bridge.puzzles.kinds.symmetry import Reduction

class Ability(StrEnum):
    """An ability of an engine."""

    FIND = "find"
    ENUMERATE = "enumerate"
    PROVE = "prove"
    PROPAGATED = "propagated"
    EXACT = "exact"


#: Each ability in words.
MEANINGS = {
    Ability.FIND: "finds a solution",
    Ability.ENUMERATE: "enumerates all solutions",
    Ability.PROVE: "proves that there is no other",
    Ability.PROPAGATED: "shows what propagation alone leaves open",
    Ability.EXACT: "shows which values occur in some solution",
}


class Engine(ABC):
    """A way to solve puzzles, with a name."""

    #: `asp`, `clpfd`, `mac+mrv`.
    name: str
    #: In half a sentence, for lists.
    description: str
    abilities: frozenset[Ability]
    #: The Python package of its solver; None where the engine needs none.
    package: ClassVar[str | None] = None

    def solver(self) -> str | None:
        """The solver with its version (`clingo 5.8.3`), without loading it; None where the engine is lpbridge's own.

        Raises
        ------
        MissingSolverError
            If it is not installed. The hint says how to install it.
        """
        return None if self.package is None else f"{self.package} {version_of(self.package)}"

    @abstractmethod
    def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Iterator[Grid]:
        """Yield solutions as they are found; record in `progress` how the search ended.

        A LimitError ends the search like a limit on seconds that `progress` records.
        """

    def solutions(
        self, puzzle: Puzzle, limits: Limits = UNLIMITED, on_progress: OnProgress | None = None
    ) -> Stream[Grid]:
        """The solutions of an instance as they are found, each checked by the puzzle's own rules.

        Raises
        ------
        SolverError
            In the iteration, when a solution breaks a rule: the encoding or the engine is wrong.
        UnsupportedError
            For a limit on memory: engines run in this process.
        """
        if as_limits(limits).memory is not None:
            raise UnsupportedError(
                "engines run in this process, where memory is not limited", hint="limit the process, or seconds"
            )

        # The stream applies the limit on solutions, since a search may yield a grid twice.
        forms = models(puzzle)
        projected = forms.projected
        checking = self.name != "asp" or forms.checked
        searched = replace(limits, solutions=None) if projected else limits

        def checked(progress: Progress) -> Iterator[Grid]:
            seen: set[Grid] = set()
            try:
                for grid in self.search(puzzle, searched, progress):
                    if projected:
                        if grid in seen:
                            continue
                        seen.add(grid)
                    if checking and (wrong := puzzle.violations(grid)):
                        hint = "its program or the checker is wrong" if forms.program else "please report it"
                        raise SolverError(f"engine {self.name} gave a wrong solution: {wrong[0]}", hint=hint)
                    yield grid
            except LimitError:
                progress.complete, progress.limit = False, "seconds"

        return Stream(checked, limits, on_progress)

    def count(
        self,
        puzzle: Puzzle,
        limits: Limits = UNLIMITED,
        *,
        fixed: Mapping[Cell, Value] = MappingProxyType({}),
        on_progress: OnProgress | None = None,
    ) -> Count:
        """The number of solutions of an instance; by default, by enumeration.

        Parameters
        ----------
        fixed
            Values of cells that a solution must have to count. For engines with the ability `exact`.
        on_progress
            Called about once a second with the number so far and the seconds so far.

        Raises
        ------
        Interrupted
            On Ctrl-C, with the total so far in `partial`.
        UnsupportedError
            For `fixed`, if the engine lacks that ability.
        """
        if fixed:
            raise self._cannot(Ability.EXACT)
        with self.solutions(puzzle, limits, on_progress) as stream:
            try:
                for _ in stream:
                    pass
            except KeyboardInterrupt:
                stream.interrupted()
                raise Interrupted(Count(stream.found, False, "interrupt", stream.statistics)) from None
        return Count(stream.found, stream.complete, stream.limit, stream.statistics)

    def propagated(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        """The residual after propagation, without search."""
        raise self._cannot(Ability.PROPAGATED)

    def exact(self, puzzle: Puzzle, limits: Limits = UNLIMITED) -> PuzzleResidual:
        """The values of each cell that occur in some solution."""
        raise self._cannot(Ability.EXACT)

    def _cannot(self, ability: Ability) -> UnsupportedError:
        return UnsupportedError(
            f"engine {self.name} does not have the ability '{ability}': it never {MEANINGS[ability]}",
            hint="`lpbridge puzzle engines` lists those that have it",
        )


def holding(puzzle: Puzzle, possible: Mapping[Cell, Sequence[Value]]) -> tuple[str, ...]:
    """The names of the rules that open cells are part of, in the puzzle's order."""
    open_cells = {cell for cell, values in possible.items() if len(values) > 1}
    return tuple(rule.name for rule in puzzle.rules() if not open_cells.isdisjoint(rule.cells))


#: As `Engine.search`.
Search = Callable[[Puzzle, Limits, Progress], Iterator[Grid]]


def by_images(puzzle: Puzzle, search: Search, limits: Limits, progress: Progress) -> Iterator[Grid]:
    """What a search finds. Where a symmetry is known (`Models.symmetric`), it looks for one of each set of images."""
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
