"""How many solutions has an instance?

- **Parts** are groups of open cells that do not interact: what one holds says nothing of what another may hold.
- The number of solutions is the product of what the parts have each, and of the factor of a symmetry.
- A **lower bound** is the number so far, when a limit came first; of a product when any of its parts is one.

The one idea: a solution is a choice for each part, so ten parts with six choices each need 60 solutions, not 6 ** 10.

Why parts may be multiplied. Let every cell have only the values that it has in some solution. A rule whose combinations
of these values are all combinations of what some groups of its cells hold says nothing across the groups. Cells in one
group of a rule are linked, and parts are what is linked, directly or by others. Then whatever each part holds in some
solution, together it keeps every rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import prod
from time import perf_counter
from typing import Any

from bridge.engines import Ability, Engine, engine
from bridge.engines.engine import Total
from bridge.limits import Deadline, LimitName, Limits
from bridge.outcome import Interrupted, Statistics
from bridge.puzzles import Puzzle
from bridge.puzzles.models import models
from bridge.puzzles.rules import Cell, Rule, Value, at, cell_name

#: So many seconds, or this share of the time limit, may go into finding out which cells are open. They pay where parts
#: do not interact; otherwise the count goes on as if nobody had asked.
LOOKING, SHARE = 2.0, 0.2

#: A rule with more combinations of values than this links all its open cells: twelve cells of two values have as many.
COMBINATIONS = 1 << 12

#: So does one with more combinations, for each set of its cells, than this: seven cells of two values have half of it.
EFFORT = 1 << 15

Possible = Mapping[Cell, Sequence[Value]]
Told = Callable[[int, float], object]


@dataclass(frozen=True, slots=True)
class Part:
    """Open cells that do not interact with the others, and in how many ways they can be filled.

    Attributes
    ----------
    cells
        In reading order.
    number
        All ways when `complete`, otherwise there are at least as many.
    """

    cells: tuple[Cell, ...]
    number: int
    complete: bool

    def to_json(self) -> dict[str, Any]:
        return {"cells": [cell_name(cell) for cell in self.cells], "number": self.number, "complete": self.complete}


@dataclass(frozen=True, slots=True)
class Counted:
    """How many solutions an instance has.

    Attributes
    ----------
    number
        All of them when `complete`, otherwise there are at least as many: `symmetry` times the product of the parts.
    complete
        False when a limit came first.
    limit
        Which it was.
    symmetry
        How many solutions each of those counted stands for; 1 where no symmetry was used.
    parts
        The groups of cells that were counted apart; none when there is no open cell, or no solution. Under a symmetry
        they are those of the instance that it leaves. Where it was not found out in time which cells are open, or the
        engine does not tell, all cells that are not given are one.
    """

    puzzle: Puzzle
    engine: str
    number: int
    complete: bool
    limit: LimitName | None = None
    symmetry: int = 1
    parts: tuple[Part, ...] = ()
    statistics: Statistics = field(default_factory=Statistics, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "puzzle": self.puzzle.kind,
            "engine": self.engine,
            "number": self.number,
            "complete": self.complete,
            "limit": self.limit,
            "symmetry": self.symmetry,
            "parts": [part.to_json() for part in self.parts],
            "statistics": self.statistics.to_json(),
        }


def count(
    puzzle: Puzzle,
    engine_name: str = "asp",
    *,
    seconds: float | None = None,
    most: int | None = None,
    on_progress: Told | None = None,
) -> Counted:
    """How many solutions an instance has, without going through all of them where there is another way.

    Parameters
    ----------
    puzzle
        The instance. An empty square is counted up to symmetry.
    engine_name
        Who counts: `asp` at clingo's own speed, and in parts that do not interact; every other one by finding all.
    seconds
        The time limit.
    most
        Stop when there are at least so many.
    on_progress
        Called about once a second with a lower bound, so far, and the seconds so far.

    Raises
    ------
    Interrupted
        On Ctrl-C, with what was counted so far in `partial`.
    """
    symmetric = models(puzzle).symmetric()
    reduced, factor = (symmetric.puzzle, symmetric.factor) if symmetric else (puzzle, 1)
    counting = _Counting(reduced, engine(engine_name), factor, Deadline(seconds), most, on_progress)
    interrupted = False
    try:
        counting.run(seconds)
    except KeyboardInterrupt:
        interrupted, counting.limit = True, "interrupt"
    counted = Counted(
        puzzle,
        engine_name,
        counting.number(),
        counting.complete(),
        None if counting.complete() else counting.limit,
        factor,
        tuple(part for part in counting.parts if part.cells and (part.number or not part.complete)),
        counting.statistics,
    )
    if interrupted:
        raise Interrupted(counted)
    return counted


@dataclass
class _Counting:
    """One count under way. Until it is known which parts there are, all cells that are not given are one."""

    puzzle: Puzzle
    engine: Engine
    factor: int
    deadline: Deadline
    most: int | None
    told: Told | None
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics)

    def __post_init__(self) -> None:
        self._not_given = tuple(cell for cell in self.puzzle.cells() if cell not in self.puzzle.clues())
        self.parts = [Part(self._not_given, 0, False)]

    def number(self) -> int:
        return self.factor * prod(part.number for part in self.parts)

    def complete(self) -> bool:
        return all(part.complete for part in self.parts)

    def run(self, seconds: float | None) -> None:
        started = perf_counter()
        fillings: Mapping[Cell, Value] = {}
        if Ability.EXACT in self.engine.abilities:
            self._look(LOOKING if seconds is None else min(LOOKING, SHARE * seconds))
            if len(self.parts) > 1:
                fillings = self._solution()
        for index, part in enumerate(self.parts):
            if not part.complete:
                self._count(index, fillings, started)

    def _look(self, seconds: float) -> None:
        """Find the parts, and how many fillings each has at least: every value of a cell is in some solution."""
        residual = self.engine.exact(self.puzzle, Limits(seconds=seconds))
        self.statistics.add(residual.statistics)
        possible = residual.possible
        if residual.contradiction:
            self.parts = [Part((), 0, True)]
        elif residual.complete:
            groups = independent(self.puzzle.rules(), possible)
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
        left = self.deadline.remaining()
        return Limits(seconds=None if left is None else max(left, 0.001), solutions=solutions)

    def _count(self, index: int, fillings: Mapping[Cell, Value], started: float) -> None:
        """Count one part, while the others stay as they are in one solution."""
        part = self.parts[index]
        others = self.factor * prod(other.number for other in self.parts if other is not part)
        if len(self.parts) > 1 and not fillings:
            return  # no time was left to find the one solution
        own = set(part.cells)
        fixed = {cell: value for cell, value in fillings.items() if cell not in own}
        most = None if self.most is None else max(1, -(-self.most // max(others, 1)))

        def told(number: int, _: float) -> None:
            if self.told is not None:
                self.told(others * max(number, part.number), perf_counter() - started)

        watched = None if self.told is None else told
        try:
            total = self.engine.count(self.puzzle, self._within(most), fixed=fixed, told=watched)
        except Interrupted as interrupted:
            self._take(index, interrupted.partial)
            raise
        self._take(index, total)

    def _take(self, index: int, total: Total) -> None:
        part = self.parts[index]
        number = total.number if total.complete else max(total.number, part.number)
        self.parts[index] = Part(part.cells, number, total.complete)
        self.limit = self.limit or total.limit
        self.statistics.add(total.statistics)


def independent(rules: Iterable[Rule], possible: Possible) -> list[tuple[Cell, ...]]:
    """The open cells in groups that do not interact, in reading order.

    Parameters
    ----------
    rules
        All rules of an instance.
    possible
        The exact residual: each cell's values in all solutions, of which there is one.
    """
    group = {cell: {cell} for cell, values in possible.items() if len(values) > 1}

    def link(cells: Sequence[Cell]) -> None:
        for cell in cells[1:]:
            if group[cell] is not group[cells[0]]:
                merged = group[cells[0]] | group[cell]
                group.update(dict.fromkeys(merged, merged))

    looked_at = [(rule, list(dict.fromkeys(cell for cell in rule.cells if cell in group))) for rule in rules]
    # Those with many combinations first: they link without being looked at, and what is linked needs no second look.
    for rule, cells in sorted(looked_at, key=lambda pair: -prod(len(possible[cell]) for cell in pair[1])):
        if len({id(group[cell]) for cell in cells}) > 1:
            for linked in _linked(rule, cells, possible):
                link(linked)
    return sorted({id(cells): tuple(sorted(cells)) for cells in group.values()}.values())


def _linked(rule: Rule, cells: list[Cell], possible: Possible) -> list[list[Cell]]:
    """The groups of a rule's open cells; all in one where finding out would take too long."""
    number = prod(len(possible[cell]) for cell in cells)
    if number > COMBINATIONS:
        return [cells]
    allowed = _allowed(rule, possible, cells)
    if len(allowed) == number:
        return []
    return [cells] if number << len(cells) > EFFORT else _blocks(cells, allowed)


def _allowed(rule: Rule, possible: Possible, cells: Sequence[Cell]) -> list[tuple[Value, ...]]:
    """What a rule lets open cells hold together, of the values that each has."""
    values = {cell: possible[cell][0] for cell in rule.cells}
    allowed = []
    for combination in product(*(possible[cell] for cell in cells)):
        values.update(zip(cells, combination, strict=True))
        if rule.check([values[cell] for cell in rule.cells]) is None:
            allowed.append(combination)
    return allowed


def _blocks(cells: Sequence[Cell], allowed: Sequence[tuple[Value, ...]]) -> list[list[Cell]]:
    """The finest groups of cells such that all combinations allowed are those of what each group holds.

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
    """Whether what these places hold says nothing of what the others hold."""

    def held(some: Sequence[int]) -> int:
        return len({tuple(combination[place] for place in some) for combination in allowed})

    return held(block) * held([place for place in places if place not in block]) == held(places)
