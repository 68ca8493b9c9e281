"""One hard instance as many: cubes.

A **cube** is the instance with more clues. Cubes are disjoint, because two of them differ in what some cell holds, and
complete, because every value that a cell can have is in one of them: the solutions of the instance are those of the
cubes, each once. So they may be solved anywhere, and their numbers added. (Where a clue says more than that its cell
has a value there are no cubes: `Models.clues_select`.)

The one idea is cube and conquer (Heule, Kullmann, Wieringa, Biere: "Cube and Conquer: Guiding CDCL SAT Solvers by
Lookaheads", HVC 2011), with the most constrained cell in place of a lookahead: the cube with the most room left is
split at its open cell of the fewest values, until there are enough.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count as numbers
from math import log
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

from bridge.analysis.count import Counted, Part
from bridge.analysis.grade import possible_at
from bridge.batches.batch import answered, crew_for, make_job
from bridge.batches.jobs import Item
from bridge.errors import InputError, SolverError, UnsupportedError
from bridge.limits import LimitName
from bridge.outcome import Interrupted, Statistics
from bridge.puzzles import Puzzle
from bridge.puzzles.models import models
from bridge.puzzles.rules import Cell, Value

if TYPE_CHECKING:
    from distributed import Client

Possible = Mapping[Cell, Sequence[Value]]


def cubes(puzzle: Puzzle, number: int) -> list[Puzzle]:
    """An instance split into others that have its solutions, each of them once.

    Parameters
    ----------
    puzzle
        The instance.
    number
        How many cubes at least; there are fewer only when every cell of every cube is decided, and none when arc
        consistency finds that there is no solution.

    Raises
    ------
    InputError
        For a number below 1.
    UnsupportedError
        When a clue says more than that its cell has a value, as in a crossword whose words are placed.
    """
    if number < 1:
        raise InputError(f"{number} cubes are too few", hint="1 or more")
    if not models(puzzle).clues_select:
        raise UnsupportedError(
            f"this {puzzle.title} cannot be split into cubes: a letter that is given need not be part of a word, "
            "so the cubes would have solutions that the whole does not have",
            hint="count it without cubes",
        )
    order = numbers()  # equal cubes in the order in which they were made
    heap: list[tuple[float, int, Puzzle, Possible]] = []
    decided: list[Puzzle] = []

    def add(cube: Puzzle) -> None:
        possible = possible_at(cube, "ac")
        if not possible:  # a contradiction: it has no solution
            return
        room = sum(log(len(values)) for values in possible.values())
        if room:
            heappush(heap, (-room, next(order), cube, possible))
        else:
            decided.append(cube)

    add(puzzle)
    while heap and len(heap) + len(decided) < number:
        _, _, cube, possible = heappop(heap)
        cell = min((cell for cell in possible if len(possible[cell]) > 1), key=lambda cell: len(possible[cell]))
        for value in possible[cell]:
            add(cube.with_clues({**cube.clues(), cell: value}))
    return decided + [cube for _, _, cube, _ in sorted(heap, key=lambda entry: entry[1])]


def count_cubes(
    puzzle: Puzzle,
    number: int,
    engine: str = "asp",
    *,
    jobs: int | None = None,
    scheduler: str | Client | None = None,
    seconds: float | None = None,
    most: int | None = None,
    on_progress: Callable[[int, float], object] | None = None,
) -> Counted:
    """How many solutions an instance has, as the sum over its cubes: `bridge.count` with several cores or a cluster.

    Parameters
    ----------
    puzzle
        The instance. An empty square is counted up to symmetry, like `count` does.
    number
        How many cubes; several times the cores, for some will be larger than others.
    engine, seconds, most
        As for `count`. The seconds are those of all cubes together.
    jobs, scheduler
        As for `batch`.
    on_progress
        Called after each cube with a lower bound, so far, and the seconds so far.

    Raises
    ------
    Interrupted
        On Ctrl-C, with what was counted so far in `partial`.
    SolverError
        When a cube could not be counted: the sum would be wrong.
    UnsupportedError
        As `cubes`.
    """
    started, until = perf_counter(), None if seconds is None else time() + seconds
    symmetric = models(puzzle).symmetric()
    reduced, factor = (symmetric.puzzle, symmetric.factor) if symmetric else (puzzle, 1)
    split = cubes(reduced, number)
    job = make_job(puzzle.kind, "count", engine=engine, until=until)
    given: list[Item] = [(index, None, None, "puzzle", cube) for index, cube in enumerate(split, 1)]
    total = _Sum(puzzle, reduced, engine, factor, len(given))
    try:
        with crew_for(job, jobs, scheduler) as crew:
            for lines, _ in answered(iter(given), crew, ordered=False):
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
    """The cubes counted so far.

    Attributes
    ----------
    missing
        So many cubes are not counted to their end.
    found
        The sum of the others, and of what was found of those until a limit came.
    """

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
        """One more cube, as its result says."""
        if "error" in result:
            error = result["error"]
            raise SolverError(f"a cube could not be counted: {error['message']}", hint=error.get("hint"))
        self.found += result["number"]
        if result["complete"]:
            self.missing -= 1
        else:
            self.limit = self.limit or result["limit"]
        self.statistics.add(Statistics(**result["statistics"]))

    def counted(self) -> Counted:
        """The same as a count; its cells are one part, for cubes tell nothing of parts."""
        complete = self.missing == 0
        given = self.reduced.clues()
        cells = tuple(cell for cell in self.reduced.cells() if cell not in given)
        parts = (Part(cells, self.found, complete),) if cells and (self.found or not complete) else ()
        limit = None if complete else self.limit
        return Counted(self.puzzle, self.engine, self.number(), complete, limit, self.factor, parts, self.statistics)
