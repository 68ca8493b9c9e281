"""Takuzu, or binary puzzle: zeros and ones, balanced in every line, never three alike side by side, no line twice.

A line is a row or a column. One of odd length has one more of one value than of the other. Grids are square or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.kinds.file_puzzle import CheckedPuzzle
from bridge.puzzles.kinds.models import AspForm, ClpForm, Models, StateForm
from bridge.puzzles.kinds.rules import Cell, Check, Checker, Grid, Rule, Value
from bridge.puzzles.kinds.symmetry import Reduction
from bridge.puzzles.kinds.text import Line, read_lines

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP, Constraint

#: Up to 10x10 less than the default's time on average, a third less at 6x6; beyond about the same. Without MOMS scores,
#: which are made anew for every instance, another tenth less at 6x6 and 8x8, and a fifth from 10x10 to 20x20.
SOLVER = ("--configuration=frumpy", "--no-init-moms")


class Takuzu(CheckedPuzzle):
    """One Takuzu. `lines` is `distinct`, or `repeat` where equal rows and equal columns are allowed."""

    @property
    def height(self) -> int:
        return len(self.grid)

    @property
    def width(self) -> int:
        return len(self.grid[0])

    @property
    def lines(self) -> str:
        return self.settings["lines"]

    @property
    def distinct(self) -> bool:
        return self.lines == "distinct"

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        return super().from_text(_without_size(text, place), place, options)

    def rules(self) -> tuple[Rule, ...]:
        return _rules(self.height, self.width, self.distinct)

    def _checker(self) -> Checker:
        return _checker(self.height, self.width)

    def _holds(self, solution: Grid) -> bool:
        if not super()._holds(solution):
            return False
        rows, columns = set(solution), set(zip(*solution, strict=True))
        return not self.distinct or (len(rows) == self.height and len(columns) == self.width)

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        return tuple(zip(*[map(values.get, _cells(self.height, self.width))] * self.width, strict=True))


@lru_cache(maxsize=32)
def _cells(height: int, width: int) -> tuple[Cell, ...]:
    """All cells in reading order."""
    return tuple((r, c) for r in range(1, height + 1) for c in range(1, width + 1))


def balanced(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """Neither value has more than half of the line, rounded up."""
    for value in (0, 1):
        if values.count(value) > (len(values) + 1) // 2:
            return tuple(position for position, one in enumerate(values) if one == value)
    return None


def no_three_alike(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """No three neighbours have the same value; violated by the first three."""
    for start, (one, second, third) in enumerate(zip(values, values[1:], values[2:], strict=False)):
        if one == second == third is not None:
            return start, start + 1, start + 2
    return None


def _halves_differ(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """The first half of the cells, one line, is not the same as the second, another line."""
    half = len(values) // 2
    if None in values or values[:half] != values[half:]:
        return None
    return tuple(range(len(values)))


@lru_cache(maxsize=32)
def _rules(height: int, width: int, distinct: bool) -> tuple[Rule, ...]:
    """For rows, then for columns: `row 3: balance`, `row 3: no three alike`; then `rows 2 and 5 differ`."""
    rows = [tuple((r, c) for c in range(1, width + 1)) for r in range(1, height + 1)]
    lines = {"row": rows, "column": list(zip(*rows, strict=True))}
    of_each: list[tuple[str, Check]] = [("balance", balanced), ("no three alike", no_three_alike)]
    found = [
        Rule(f"{name} {number}: {what}", line, check)
        for name, of_name in lines.items()
        for number, line in enumerate(of_name, 1)
        for what, check in of_each
    ]
    if distinct:
        for name, of_name in lines.items():
            for (i, one), (j, other) in combinations(enumerate(of_name, 1), 2):
                found.append(Rule(f"{name}s {i} and {j} differ", one + other, _halves_differ))
    return tuple(found)


@lru_cache(maxsize=32)
def _checker(height: int, width: int) -> Checker:
    """Checks all rules but those that lines differ, of which there are very many."""
    return Checker(_rules(height, width, distinct=False), height, width, (0, 1))


class TakuzuModels(Models[Takuzu]):
    """The forms of one Takuzu for solvers."""

    encoding = "takuzu/takuzu.lp"

    def facts(self) -> str:
        lines = [f"#const {name} = {value}. [override]" for name, value in self._constants().items()]
        lines += [f"clue({r}, {c}, {value})." for (r, c), value in self.puzzle.clues().items()]
        return "\n".join(lines) + "\n"

    def asp(self) -> AspForm:
        return AspForm(self.encoding, self._constants(), clues=self.clue_atoms(), solver=SOLVER)

    def switchable(self) -> AspForm:
        form = super().switchable()
        return replace(form, constants={**form.constants, "sides": 2})

    def symmetric(self) -> Reduction[Takuzu] | None:
        """For an empty grid: zeros and ones may be exchanged, so the first cell can be assumed to hold a zero."""
        return None if self.puzzle.clues() else Reduction(self.puzzle.with_clues({(1, 1): 0}), 2, _complement)

    def clp(self) -> ClpForm:
        label = "append(Rows, Cells), labeling([ffc], Cells)"
        return ClpForm("takuzu/takuzu.pl", f"takuzu(Rows, {self.puzzle.lines})", label)

    def csp(self) -> CSP:
        from bridge.puzzles.search import CSP

        return CSP(self.domains(), _constraints(self.puzzle))

    def state_space(self, *words: str) -> StateForm:
        """The state space of report 4 with its heuristic; `fit` has a better one, `fc` is the space of the CSP."""
        from bridge.puzzles.kinds.takuzu.space import FittingTakuzus, Takuzus

        if "fc" in words:
            return super().state_space(*words)
        if unknown := [word for word in words if word != "fit"]:
            raise UnsupportedError(f"takuzu has no state space with {unknown[0]!r}", hint="it has +fc and +fit")
        problem = (FittingTakuzus if words else Takuzus)(self.puzzle.grid, self.puzzle.distinct)
        return StateForm(problem, problem.read)

    def _constants(self) -> dict[str, int]:
        return {"rows": self.puzzle.height, "columns": self.puzzle.width, "distinct": int(self.puzzle.distinct)}


def _complement(grid: Grid) -> Iterator[Grid]:
    yield grid
    yield tuple([tuple([1 - value for value in row if isinstance(value, int)]) for row in grid])


def _constraints(puzzle: Takuzu) -> list[Constraint]:
    """The rules as constraints, under the same names."""
    from bridge.puzzles.search import Among, NotEqualVectors, Stretch

    found: list[Constraint] = []
    for rule in puzzle.rules():
        cells, length = rule.cells, len(rule.cells)
        if rule.check is balanced:
            found.append(Among(cells, 1, length // 2, (length + 1) // 2, rule.name))
        elif rule.check is no_three_alike:
            found.append(Stretch(cells, 2, rule.name))
        else:
            found.append(NotEqualVectors(cells[: length // 2], cells[length // 2 :], rule.name))
    return found


_OPEN = frozenset("._*")


def _without_size(text: str, place: Place) -> str:
    """The text without the form of a course: its size in the first line, and `2` for open cells. Places in it stay."""
    kept = read_lines(text, place)
    rows = kept[kept[0].words[0].text == "lines" :]
    if (size := _course_size(rows)) is None:
        return text
    if (found := len(rows) - 1) != size:
        raise InputError(f"{found} rows, but the size is {size}", where=rows[-1].place, hint="is a row missing?")
    for number, row in enumerate(rows[1:], 1):
        if row.length != size:
            message = f"row {number} has {row.length} cells, the size is {size}"
            raise InputError(message, where=row.place, hint="write `.` for an open cell")
    lines = text.splitlines()
    lines[(rows[0].place.line or 1) - 1] = ""
    if not any(token.text in _OPEN for row in rows for token in row.characters):
        for row in rows[1:]:
            number = (row.place.line or 1) - 1
            lines[number] = lines[number].replace("2", ".")
    return "\n".join(lines)


def _course_size(lines: list[Line]) -> int | None:
    """N, if the first line is one, and not a row of digits: a row would be as long as the other rows."""
    if not lines or len(lines[0].words) != 1 or not re.fullmatch("[1-9][0-9]*", text := lines[0].words[0].text):
        return None
    rows, size = lines[1:], int(text[:9])
    if not rows:
        return size if text not in ("0", "1", "2") else None
    if text == "1":  # a column of two cells, unless what follows is the course's open cell
        return 1 if [token.text for row in rows for token in row.words] == ["2"] else None
    is_row = 2 * sum(len(row.characters) == len(text) for row in rows) >= len(rows)
    return None if is_row and not len(rows) == size < 10 else size
