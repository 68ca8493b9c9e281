"""Cubes: one hard instance split into many.

A **cube** is the instance with more clues. Cubes are disjoint, because any two differ in the value of some cell, and
complete, because every possible value of a cell is in one of them: each solution of the instance is a solution of
exactly one cube. So cubes can be solved anywhere, and their numbers of solutions added. (Where a clue says more than
that its cell has a value there are no cubes: `Models.clues_select`.)

The method is cube and conquer (Heule, Kullmann, Wieringa, Biere: "Cube and Conquer: Guiding CDCL SAT Solvers by
Lookaheads", HVC 2011), with the most constrained cell in place of a lookahead: the largest cube is split at its open
cell with the fewest values, until there are enough.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count as numbers
from math import log
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

from bridge.batching import answered, executor_for
from bridge.common import how_ended, public
from bridge.errors import InputError, LimitError, SolverError, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits, takes_limits
from bridge.outcome import PROGRESS_SECONDS, Interrupted, OnProgress, Statistics
from bridge.puzzles.analysis.check import residual
from bridge.puzzles.analysis.count import Part, PuzzleCount
from bridge.puzzles.batching.batch import make_job
from bridge.puzzles.batching.jobs import puzzle_item
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.puzzle import expect_puzzle
from bridge.puzzles.kinds.rules import Cell, Value

if TYPE_CHECKING:
    from distributed import Client

Possible = Mapping[Cell, Sequence[Value]]


@public("bridge.puzzles")
@takes_limits("seconds")
def cubes(
    puzzle: Puzzle, number: int, *, limits: Limits = UNLIMITED, on_progress: OnProgress | None = None
) -> list[Puzzle]:
    """An instance split into instances with more clues, which share its solutions: each has some, no two the same.

    The possible values come from arc consistency (`bridge.puzzles.search`); of a puzzle without a CSP, such as one that
    a file declares, they are those of clingo's exact residual.

    Parameters
    ----------
    puzzle
        The instance.
    number
        The least number of cubes. There are fewer when every cell of every cube is decided, or a limit came first; and
        none when the possible values show that there is no solution.
    limits
        When to stop splitting. The cubes at hand then are complete, too.
    on_progress
        Called about once a second with the number of cubes and the seconds so far.

    Raises
    ------
    InputError
        For a number below 1.
    UnsupportedError
        When a clue says more than that its cell has a value, as in a crossword whose words are placed.
    """
    expect_puzzle(puzzle, "cubes")
    if number < 1:
        raise InputError(f"{number} cubes are too few", hint="1 or more")
    if not models(puzzle).clues_select:
        raise UnsupportedError(
            f"this {puzzle.title} cannot be split into cubes: a letter that is given need not be part of a word, "
            "so the cubes would have solutions that the whole does not have",
            hint="count it without cubes",
        )
    started = reported = perf_counter()
    deadline = Deadline(limits.seconds)
    order = numbers()  # equal cubes in the order in which they were made
    heap: list[tuple[float, int, Puzzle, Possible]] = []
    decided: list[Puzzle] = []

    def consistent(cube: Puzzle) -> Possible:
        try:
            models(cube).csp()
        except UnsupportedError:
            found = residual(cube, limits=deadline.within(UNLIMITED))
            if not found.complete:
                message = how_ended(found.limit, "before the possible values were known")
                raise LimitError(message) from None
            return found.possible
        return engine_of("mac").propagated(cube).possible

    def add(cube: Puzzle, possible: Possible) -> None:
        if not possible:  # a contradiction: it has no solution
            return
        size = sum(log(len(values)) for values in possible.values())
        if size:
            heappush(heap, (-size, next(order), cube, possible))
        else:
            decided.append(cube)

    try:
        add(puzzle, consistent(puzzle))
    except LimitError:
        return [puzzle]
    while heap and len(heap) + len(decided) < number and not deadline.expired():
        entry = heappop(heap)
        _, _, cube, possible = entry
        cell = min((cell for cell in possible if len(possible[cell]) > 1), key=lambda cell: len(possible[cell]))
        parts = [cube.with_clues({**cube.clues(), cell: value}) for value in possible[cell]]
        try:
            for part, left in [(part, consistent(part)) for part in parts]:
                add(part, left)
        except LimitError:
            heappush(heap, entry)  # unsplit
            break
        if on_progress is not None and (now := perf_counter()) - reported >= PROGRESS_SECONDS:
            reported = now
            on_progress(len(heap) + len(decided), now - started)
    return decided + [cube for _, _, cube, _ in sorted(heap, key=lambda entry: entry[1])]


@takes_limits("seconds", "solutions", "nodes")
def count_cubes(
    puzzle: Puzzle,
    number: int,
    *,
    engine: str = "asp",
    limits: Limits = UNLIMITED,
    on_progress: OnProgress | None = None,
    jobs: int | None = None,
    scheduler: str | Client | None = None,
) -> PuzzleCount:
    """The number of solutions of an instance as the sum over its cubes: `count` with several cores or a cluster.

    An empty square is counted up to symmetry, as by `count`. The number of cubes is several times that of cores, since
    some are larger than others. The limit on seconds is that on all cubes together; `on_progress` is called after each
    with a lower bound and the seconds so far. `jobs` and `scheduler` are as for `batch`. A cube that could not be
    counted is an error: the sum would be wrong. On Ctrl-C, what was counted so far is in `partial` of Interrupted.
    """
    started, until = perf_counter(), None if limits.seconds is None else time() + limits.seconds
    symmetric = models(puzzle).symmetric()
    reduced, factor = (symmetric.puzzle, symmetric.factor) if symmetric else (puzzle, 1)
    split = cubes(reduced, number, limits=Limits(seconds=limits.seconds))
    job = make_job(puzzle.kind, "count", engine=engine, limits=Limits(nodes=limits.nodes), until=until)
    given = [puzzle_item(index, puzzle.kind, cube) for index, cube in enumerate(split, 1)]
    total, most = _Sum(puzzle, reduced, job.engine, factor, len(given)), limits.solutions
    try:
        with executor_for(job, jobs, scheduler) as executor:
            for lines, _ in answered(iter(given), executor, ordered=False):
                for line in lines.splitlines():
                    total.add(json.loads(line))
                if on_progress is not None:
                    on_progress(total.number(), perf_counter() - started)
                if most is not None and total.number() >= most:
                    total.limit = "solutions" if total.missing else total.limit
                    break
    except KeyboardInterrupt:
        total.limit = "interrupt"
        raise Interrupted(total.counted()) from None
    return total.counted()


@dataclass
class _Sum:
    """The cubes counted so far: how many are `missing` (not counted completely), and the sum with lower bounds."""

    puzzle: Puzzle
    reduced: Puzzle
    engine: str
    factor: int
    missing: int
    found: int = 0
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics)

    def number(self) -> int:
        return self.factor * self.found

    def add(self, result: Mapping[str, Any]) -> None:
        """Add the result of a cube."""
        if "error" in result:
            error = result["error"]
            raise SolverError(f"a cube could not be counted: {error['message']}", hint=error.get("hint"))
        self.found += result["number"]
        if result["complete"]:
            self.missing -= 1
        else:
            self.limit = self.limit or result["limit"]
        self.statistics.add(result["statistics"])

    def counted(self) -> PuzzleCount:
        """The result, as of `count`, with all cells as one part: cubes do not show the parts."""
        complete = self.missing == 0
        given = self.reduced.clues()
        cells = tuple(cell for cell in self.reduced.cells() if cell not in given)
        parts = (Part(cells, self.found, complete),) if cells and (self.found or not complete) else ()
        more: dict[str, Any] = {"engine": self.engine, "symmetry": self.factor, "parts": parts}
        limit = None if complete else self.limit
        return PuzzleCount(self.number(), complete, limit, self.statistics, puzzle=self.puzzle, **more)
