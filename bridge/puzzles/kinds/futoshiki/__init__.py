"""Futoshiki: a Latin square with inequalities between cells.

The text form is the drawing (`bridge.puzzles.kinds.futoshiki.text`). The JSON form has the inequalities under `less`:
`[r1, c1, r2, c2]` says that the cell in row r1 and column c1 holds less than the one in row r2 and column c2. The two
need not be neighbours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from operator import gt, lt
from typing import TYPE_CHECKING, Any, Self

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.authoring import Authoring
from bridge.puzzles.kinds.futoshiki import text as futoshiki_text
from bridge.puzzles.kinds.futoshiki.text import Inequality, inequality, read_drawing, written
from bridge.puzzles.kinds.latin import Latin, LatinModels, all_different, less_than, rows_and_columns
from bridge.puzzles.kinds.latin.text import drawn, read_json_rows
from bridge.puzzles.kinds.models import AspForm, ClpForm
from bridge.puzzles.kinds.rules import Cell, Checker, Grid, Rule, Value, Violation, cell_name

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP, Binary

#: With an inequality between any two neighbours, both ways, one ground program serves all instances of an order: those
#: that an instance has are assumed, which is several times faster (`python -m benchmarks rivals --tasks futoshiki`).
_ALL_SIGNS = "less(R, C, R', C') :- index(R), index(C), index(R'), index(C'), |R - R'| + |C - C'| = 1.\n"

#: Their names in the encoding.
_SIGNS = ("r{R}c{C} < r{R'}c{C'}", "r{R'}c{C'} > r{R}c{C}")


@dataclass(frozen=True, repr=False)
class Futoshiki(Latin):
    """One Futoshiki. `less` are its inequalities: pairs of cells, sorted, the first of a pair less than the second."""

    grid: Grid
    less: tuple[Inequality, ...] = ()

    kind = "futoshiki"
    title = "Futoshiki"

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        grid, less = read_drawing(text, cls.title, place)
        return [cls(grid, tuple(sorted(set(less))))]

    @classmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        grid, less = read_json_rows(data, cls.title, place), data.get("less", [])
        if not isinstance(less, list):
            raise InputError("`less` is to be a list of inequalities", where=place, hint="each is [r1, c1, r2, c2]")
        found = set()
        for index, item in enumerate(less):
            if not (isinstance(item, list) and len(item) == 4 and all(type(number) is int for number in item)):
                hint, where = "write [r1, c1, r2, c2]: four integers", place.inside("less", index)
                raise InputError(f"`less` holds {item!r}, which is not an inequality", where=where, hint=hint)
            found.add(inequality((item[0], item[1]), (item[2], item[3]), len(grid), place.inside("less", index)))
        return cls(grid, tuple(sorted(found)))

    def _json_form(self) -> dict[str, Any]:
        less = [[*smaller, *greater] for smaller, greater in self.less]
        return {"puzzle": self.kind, "grid": [list(row) for row in self.grid], "less": less}

    def draw(self, grid: Grid | None = None) -> str:
        return futoshiki_text.draw(drawn(grid or self.grid), self.less)

    def rules(self) -> tuple[Rule, ...]:
        return rows_and_columns(self.size) + _inequality_rules(self.size, self.less)

    def _checker(self) -> Checker:
        return _checker(self.size)

    def _holds(self, solution: Grid) -> bool:
        if not super()._holds(solution):
            return False
        rows: Any = solution  # of numbers, as the checker has seen
        for (r, c), (r1, c1) in self.less:  # noqa: SIM110  a generator would take twice the time
            if rows[r - 1][c - 1] >= rows[r1 - 1][c1 - 1]:
                return False
        return True

    def clashes(self) -> list[Violation]:
        """The rules that the clues break, and the inequalities that no values satisfy."""
        return super().clashes() + _endless(self.size, self.less)

    def without(self, names: Collection[str]) -> Self:
        kept = tuple(pair for pair in self.less if written(*pair) not in names)
        if missing := set(names) - {written(*pair) for pair in self.less}:
            return super().without(missing)
        return replace(self, less=kept)


@lru_cache(maxsize=32)
def _checker(size: int) -> Checker:
    return Checker(rows_and_columns(size), size, size, range(1, size + 1))


@lru_cache(maxsize=32)
def _inequality_rules(size: int, less: tuple[Inequality, ...]) -> tuple[Rule, ...]:
    """A rule for each inequality, `r1c2 > r1c3`, its cells in reading order."""
    rising, falling = less_than(size), less_than(size, backwards=True)
    return tuple(
        Rule(written(smaller, greater), (min(smaller, greater), max(smaller, greater)), check, given=True)
        for smaller, greater in less
        for check in [rising if smaller < greater else falling]
    )


def _endless(size: int, less: Iterable[Inequality]) -> list[Violation]:
    """A cycle of inequalities, or a chain of more cells than there are values. At most one is returned."""
    smaller_than: dict[Cell, set[Cell]] = {}
    for smaller, greater in less:
        smaller_than.setdefault(greater, set()).add(smaller)
    try:
        ascending = tuple(TopologicalSorter(smaller_than).static_order())
    except CycleError as error:
        cycle = error.args[1][:-1]
        start = cycle.index(min(cycle))
        cycle = [*cycle[start:], *cycle[:start]]
        name = " < ".join(map(cell_name, [*cycle, cycle[0]]))
        return [Violation(name, tuple(cycle), f"the inequalities go round in a cycle: {name}")]
    chain: dict[Cell, list[Cell]] = {}  # the longest that ends in a cell
    for cell in ascending:
        chain[cell] = [*max((chain[other] for other in sorted(smaller_than.get(cell, ()))), key=len, default=[]), cell]
        if len(chain[cell]) > size:
            name = " < ".join(map(cell_name, chain[cell]))
            message = f"a chain of {len(chain[cell])} cells, but only {size} values: {name}"
            return [Violation(name, tuple(chain[cell]), message)]
    return []


class FutoshikiModels(LatinModels[Futoshiki]):
    """The forms of one Futoshiki for solvers."""

    encoding = "futoshiki/futoshiki.lp"

    def asp(self) -> AspForm:
        less = self.puzzle.less
        # The program ground for a whole order has only inequalities between neighbours.
        between_neighbours = all(abs(r - r1) + abs(c - c1) == 1 for (r, c), (r1, c1) in less)
        if self.puzzle.size > self.assumed or not between_neighbours:
            return super().asp()
        names = tuple([written(*pair) for pair in dict.fromkeys(less)])
        return AspForm(self.encoding, {"n": self.puzzle.size}, _ALL_SIGNS, self.clue_atoms(), switches=_SIGNS, on=names)

    def switchable(self) -> AspForm:
        return replace(self.asp(), switches=(), on=(), solver=())

    def clp(self) -> ClpForm:
        less = [[*smaller, *greater] for smaller, greater in self.puzzle.less]
        label = "append(Rows, Cells), labeling([ff], Cells)"
        return ClpForm("futoshiki/futoshiki.pl", "futoshiki(Rows, Less)", label, {"Less": less})

    def csp(self) -> CSP:
        signs = [_sign(smaller, greater) for smaller, greater in self.puzzle.less]
        return _empty(self.puzzle.size).narrowed(self.clue_domains(), signs)

    def structure(self) -> str:
        return "".join(f"less({r}, {c}, {r1}, {c1}).\n" for (r, c), (r1, c1) in self.puzzle.less)


@lru_cache(maxsize=32)
def _empty(size: int) -> CSP:
    return all_different(size, rows_and_columns(size))


@lru_cache(maxsize=4096)
def _sign(smaller: Cell, greater: Cell) -> Binary:
    from bridge.puzzles.search import Binary

    first, second = sorted((smaller, greater))
    return Binary(first, second, lt if first == smaller else gt, written(smaller, greater))


class FutoshikiAuthoring(Authoring[Futoshiki]):
    """Makes Futoshikis, with inequalities between neighbours."""

    def with_all_optional_rules(self, puzzle: Futoshiki, solution: Mapping[Cell, Value], seed: int) -> Futoshiki:
        """With both inequalities between any two neighbours."""
        beside = [((r, c), (r + down, c + 1 - down)) for r, c in puzzle.cells() for down in (0, 1)]
        inside = [pair for pair in beside if max(pair[1]) <= puzzle.size]
        return replace(puzzle, less=tuple(sorted({*puzzle.less, *inside, *((y, x) for x, y in inside)})))
