"""Count the solutions of an instance.

- **Parts** are groups of open cells that are independent: the values in one do not restrict the values in another.
- The number of solutions is the product of the numbers of the parts, times the factor of a symmetry.
- When a limit came first, the number so far is a **lower bound**; so is a product of which one part is a lower bound.

Counting by parts is cheaper: for ten parts with six ways each, 60 solutions are enumerated in place of 6 ** 10.

Why the numbers of parts may be multiplied. Restrict every cell to the values that it has in some solution. Where the
combinations of values that a rule allows are a product over groups of its cells, the rule does not link these groups.
Parts are the connected components of the cells that rules link. So values that each part has in some solution together
satisfy every rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from math import prod
from operator import attrgetter
from time import perf_counter

from bridge.common import LIMITS, Json, Key, plural
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import Count, Interrupted, OnProgress, Statistics
from bridge.puzzles.analysis.check import KIND
from bridge.puzzles.engines import Ability, Engine
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Rule, Value, at, by_solver, cell_name

#: The search for the open cells takes at most so many seconds, or this share of the time limit. It pays off where there
#: are several parts; otherwise the count goes on without it.
LOOKING, SHARE = 2.0, 0.2

#: A rule with more combinations of values than this is taken to link all its open cells (twelve cells of two values).
COMBINATIONS = 1 << 12

#: So is one with more combinations times sets of cells than this (seven cells of two values have half of it).
EFFORT = 1 << 15

#: The number of cells of a part that are named; the JSON has all.
NAMED = 8

Possible = Mapping[Cell, Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Part(Json):
    """A group of open cells that is independent of the others, and in how many ways it can be filled.

    The number is a lower bound unless it is complete.
    """

    cells: tuple[Cell, ...]
    number: int
    complete: bool

    def __str__(self) -> str:
        named = ", ".join(map(cell_name, self.cells[:NAMED]))
        return f"{{{named}{f', … {len(self.cells)} cells' if len(self.cells) > NAMED else ''}}}"

    _json = (Key("cells", list[str], lambda self: list(map(cell_name, self.cells))), "number complete")


@dataclass(frozen=True, slots=True, repr=False)
class PuzzleCount(Count):
    """How many solutions an instance has.

    Attributes
    ----------
    number
        The number of solutions if `complete`, otherwise a lower bound: `symmetry` times the product of the parts.
    parts
        The parts that were counted separately; none when there is no open cell, or no solution. With a symmetry they
        are those of the reduced instance. When the open cells were not found in time, or the engine cannot find them,
        all cells that are not given are one part.
    """

    puzzle: Puzzle = field(kw_only=True)
    engine: str = field(kw_only=True)

    def __str__(self) -> str:
        """The count in a sentence, with its parts and symmetry."""
        text = plural(self.number, "solution") if self.number else "no solution"
        if self.symmetry > 1 and self.number:
            text += f" ({self.number // self.symmetry:,} up to symmetry, times {self.symmetry:,})"
        if not self.complete:
            text = f"at least {text}" if self.number else "no solution found"
            text += f": {LIMITS[str(self.limit)]} came first"
        if len(self.parts) > 1:
            factors = " × ".join(f"{part.number:,}" for part in self.parts)
            cells = " and ".join(map(str, self.parts))
            text += f"{':' if self.complete else ';'} {factors}, of cells that do not interact: {cells}"
        return text

    _json = (*Count._json, KIND, "engine symmetry", Key("parts", tuple[Part, ...], attrgetter("parts")))


def count(
    puzzle: Puzzle, *, engine: str = "asp", limits: Limits = UNLIMITED, on_progress: OnProgress | None = None
) -> PuzzleCount:
    """The number of solutions of an instance, without enumerating all of them where there is another way.

    See `bridge.count`; an empty square is counted up to symmetry.
    """
    symmetric = models(puzzle).symmetric()
    reduced, factor = (symmetric.puzzle, symmetric.factor) if symmetric else (puzzle, 1)
    chosen = engine_of(engine)
    counting = _Counting(reduced, chosen, factor, limits, on_progress)
    interrupted = False
    try:
        counting.run()
    except KeyboardInterrupt:
        interrupted, counting.limit = True, "interrupt"
    counted = PuzzleCount(
        counting.number(),
        counting.complete(),
        None if counting.complete() else counting.limit,
        counting.statistics,
        puzzle=puzzle,
        engine=chosen.name,
        symmetry=factor,
        parts=tuple(part for part in counting.parts if part.cells and (part.number or not part.complete)),
    )
    if interrupted:
        raise Interrupted(counted)
    return counted


@dataclass
class _Counting:
    """The state of one count. Until the parts are known, all cells that are not given are one part."""

    puzzle: Puzzle
    engine: Engine
    factor: int
    limits: Limits
    on_progress: OnProgress | None
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics)

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.limits.seconds)
        self._not_given = tuple(cell for cell in self.puzzle.cells() if cell not in self.puzzle.clues())
        self.parts = [Part(self._not_given, 0, False)]

    def number(self) -> int:
        return self.factor * prod(part.number for part in self.parts)

    def complete(self) -> bool:
        return all(part.complete for part in self.parts)

    def run(self) -> None:
        started, seconds = perf_counter(), self.limits.seconds
        fillings: Mapping[Cell, Value] = {}
        if Ability.EXACT in self.engine.abilities:
            self._look(LOOKING if seconds is None else min(LOOKING, SHARE * seconds))
            if len(self.parts) > 1:
                fillings = self._solution()
        for index, part in enumerate(self.parts):
            if not part.complete:
                self._count(index, fillings, started)

    def _look(self, seconds: float) -> None:
        """Find the parts, and a lower bound for each: every value of a cell occurs in some solution."""
        residual = self.engine.exact(self.puzzle, Limits(seconds=seconds))
        self.statistics.add(residual.statistics)
        possible = residual.possible
        if residual.contradiction:
            self.parts = [Part((), 0, True)]
        elif residual.complete:
            groups = independent(models(self.puzzle).links(), possible)
            self.parts = [Part(cells, max(len(possible[cell]) for cell in cells), False) for cells in groups]
        elif possible:
            self.parts = [Part(self._not_given, max(map(len, possible.values())), False)]

    def _solution(self) -> dict[Cell, Value]:
        """The cells of some solution; none where a limit came first."""
        with self.engine.solutions(self.puzzle, self._within(1)) as stream:
            for grid in stream:
                return {cell: value for cell in self.puzzle.cells() if (value := at(grid, cell)) is not None}
        self.limit = stream.limit
        return {}

    def _within(self, solutions: int | None) -> Limits:
        return self.deadline.within(replace(self.limits, solutions=solutions))

    def _count(self, index: int, fillings: Mapping[Cell, Value], started: float) -> None:
        """Count one part, with the others fixed as they are in one solution."""
        part = self.parts[index]
        others = self.factor * prod(other.number for other in self.parts if other is not part)
        if len(self.parts) > 1 and not fillings:
            return  # no time was left to find the one solution
        own = set(part.cells)
        fixed = {cell: value for cell, value in fillings.items() if cell not in own}
        most = self.limits.solutions
        wanted = None if most is None else max(1, -(-most // max(others, 1)))

        def report(number: int, _: float) -> None:
            if self.on_progress is not None:
                self.on_progress(others * max(number, part.number), perf_counter() - started)

        on_progress = None if self.on_progress is None else report
        try:
            total = self.engine.count(self.puzzle, self._within(wanted), fixed=fixed, on_progress=on_progress)
        except Interrupted as interrupted:
            self._take(index, interrupted.partial)
            raise
        self._take(index, total)

    def _take(self, index: int, total: Count) -> None:
        part = self.parts[index]
        number = total.number if total.complete else max(total.number, part.number)
        self.parts[index] = Part(part.cells, number, total.complete)
        self.limit = self.limit or total.limit
        self.statistics.add(total.statistics)


def independent(rules: Iterable[Rule], possible: Possible) -> list[tuple[Cell, ...]]:
    """The parts of the open cells, in reading order.

    `possible` is the exact residual: each cell's values in all solutions, of which there is one.
    """
    group = {cell: {cell} for cell, values in possible.items() if len(values) > 1}

    def link(cells: Sequence[Cell]) -> None:
        for cell in cells[1:]:
            if group[cell] is not group[cells[0]]:
                merged = group[cells[0]] | group[cell]
                group.update(dict.fromkeys(merged, merged))

    looked_at = [(rule, list(dict.fromkeys(cell for cell in rule.cells if cell in group))) for rule in rules]
    # Those with many combinations first: they link all their cells without a look at the combinations.
    for rule, cells in sorted(looked_at, key=lambda pair: -prod(len(possible[cell]) for cell in pair[1])):
        if len({id(group[cell]) for cell in cells}) > 1:
            for linked in _linked(rule, cells, possible):
                link(linked)
    return sorted({id(cells): tuple(sorted(cells)) for cells in group.values()}.values())


def _linked(rule: Rule, cells: list[Cell], possible: Possible) -> list[list[Cell]]:
    """The groups of a rule's open cells; all cells in one group where finding them would take too long."""
    number = prod(len(possible[cell]) for cell in cells)
    if number > COMBINATIONS or rule.check is by_solver:
        return [cells]
    allowed = _allowed(rule, possible, cells)
    if len(allowed) == number:
        return []
    return [cells] if number << len(cells) > EFFORT else _blocks(cells, allowed)


def _allowed(rule: Rule, possible: Possible, cells: Sequence[Cell]) -> list[tuple[Value, ...]]:
    """The combinations of the open cells' possible values that a rule allows."""
    values = {cell: possible[cell][0] for cell in rule.cells}
    allowed = []
    for combination in product(*(possible[cell] for cell in cells)):
        values.update(zip(cells, combination, strict=True))
        if rule.check([values[cell] for cell in rule.cells]) is None:
            allowed.append(combination)
    return allowed


def _blocks(cells: Sequence[Cell], allowed: Sequence[tuple[Value, ...]]) -> list[list[Cell]]:
    """The finest groups of cells such that the allowed combinations are the product over the groups.

    Groups with this property are closed under intersection, so the smallest that has a cell is the finest.
    """
    blocks = []
    rest = list(range(len(cells)))
    while rest:
        first, *others = rest
        for size in range(len(rest)):
            chosen = next((b for b in combinations(others, size) if _apart((first, *b), rest, allowed)), None)
            if chosen is not None:
                blocks.append([cells[place] for place in (first, *chosen)])
                rest = [place for place in others if place not in chosen]
                break
    return blocks


def _apart(block: Sequence[int], places: Sequence[int], allowed: Sequence[tuple[Value, ...]]) -> bool:
    """Whether the allowed values at these places are independent of those at the others."""

    def held(some: Sequence[int]) -> int:
        return len({tuple(combination[place] for place in some) for combination in allowed})

    return held(block) * held([place for place in places if place not in block]) == held(places)
