"""Takuzu, or binary puzzle: zeros and ones, balanced in every line, never three alike side by side, no line twice.

A line is a row or a column. One of odd length has one more of one value than of the other. Grids are square or not.

Text forms, all read without being told which:

- a row a line, `0`, `1`, and `.` for an open cell (`_` and `*` too), with or without blanks between;
- the form of a course: the first line is the size N, then N rows in which `2` is an open cell.

A line `lines repeat` before everything else allows equal rows and equal columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bridge.errors import InputError, Place, UnsupportedError, brief
from bridge.puzzles.puzzle import AspForm, ClpForm, Puzzle, StateForm
from bridge.puzzles.rules import Cell, Checker, Grid, Judge, Rule, Value, cell_name
from bridge.puzzles.symmetry import Reduction
from bridge.puzzles.text import Line, Token, read_lines

if TYPE_CHECKING:
    from bridge.search import CSP, Constraint

#: Larger than any Takuzu that was ever printed; keeps a wrong file from asking for a giant one.
LARGEST = 64

#: Up to 10x10 less than the default's time on average, a third less at 6x6; beyond about the same. Without MOMS scores,
#: which are made anew for every instance, another tenth less at 6x6 and 8x8, and a fifth from 10x10 to 20x20.
SOLVER = ("--configuration=frumpy", "--no-init-moms")

_OPEN = frozenset("._*")
_LINES = ("distinct", "repeat")
_HINT = "the values are 0 and 1, and `.` is an open cell"


@dataclass(frozen=True)
class Takuzu(Puzzle):
    """One Takuzu. `lines` is `distinct`, or `repeat` where equal rows and equal columns are allowed."""

    grid: Grid
    lines: str = "distinct"

    kind = "takuzu"
    title = "Takuzu"
    encoding = "takuzu/takuzu.lp"
    options: ClassVar[Mapping[str, str]] = {"lines": "`distinct`, or `repeat` to allow equal rows and columns"}

    @property
    def height(self) -> int:
        return len(self.grid)

    @property
    def width(self) -> int:
        return len(self.grid[0])

    @property
    def distinct(self) -> bool:
        return self.lines == "distinct"

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, str]) -> list[Self]:
        kept = read_lines(text, place)
        chosen = _LINES[0]
        if [word.text for word in kept[0].words][:1] == ["lines"]:
            chosen = _lines(" ".join(word.text for word in kept[0].words[1:]), kept[0].place)
            kept = kept[1:]
        if "lines" in options:
            chosen = _lines(options["lines"], Place("--option"))
        size = _course_size(kept)
        rows = [line.characters for line in (kept if size is None else kept[1:])]
        if not rows:
            raise InputError("there is no grid", where=place, hint="write the rows of the puzzle")
        _check_shape([len(row) for row in rows], [row[0].place for row in rows], size)
        read = _reader(rows, course=size is not None)
        return [cls(tuple(tuple(read(t, r, c) for c, t in enumerate(row, 1)) for r, row in enumerate(rows, 1)), chosen)]

    @classmethod
    def from_json(cls, data: Mapping[str, Any], place: Place) -> Self:
        grid = data.get("grid")
        if not isinstance(grid, list) or not grid or not all(isinstance(row, list) and row for row in grid):
            raise InputError("`grid` is to be a list of rows, each a list of cells", where=place)
        _check_shape([len(row) for row in grid], [place.inside("grid", r) for r in range(len(grid))], None)
        for r, row in enumerate(grid, 1):
            for c, value in enumerate(row, 1):
                if value is not None and (type(value) is not int or value not in (0, 1)):
                    hint = "the values are 0 and 1, and null is an open cell"
                    where = place.inside("grid", r - 1, c - 1)
                    raise InputError(f"{cell_name((r, c))} holds {value!r}", where=where, hint=hint)
        chosen = data.get("lines", _LINES[0])
        return cls(tuple(map(tuple, grid)), _lines(chosen, place))

    def to_json(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "lines": self.lines, "grid": [list(row) for row in self.grid]}

    def draw(self, grid: Grid | None = None) -> str:
        shown = [["." if value is None else str(value) for value in row] for row in (grid or self.grid)]
        length = max(len(value) for row in shown for value in row)
        rows = [" ".join(value.rjust(length) for value in row) for row in shown]
        return "\n".join(rows if self.distinct else [f"lines {self.lines}", *rows])

    def values(self) -> tuple[int, ...]:
        return 0, 1

    def rules(self) -> tuple[Rule, ...]:
        return _rules(self.height, self.width, self.distinct)

    def checker(self) -> Checker:
        return _checker(self.height, self.width)

    def holds(self, solution: Grid) -> bool:
        if not super().holds(solution):
            return False
        rows, columns = set(solution), set(zip(*solution, strict=True))
        return not self.distinct or (len(rows) == self.height and len(columns) == self.width)

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        return tuple(zip(*[map(values.get, _cells(self.height, self.width))] * self.width, strict=True))

    def facts(self) -> str:
        lines = [f"#const {name} = {value}. [override]" for name, value in self._constants().items()]
        lines += [f"clue({r}, {c}, {value})." for (r, c), value in self.clues().items()]
        return "\n".join(lines) + "\n"

    def asp(self) -> AspForm:
        clues = tuple(
            [(r, c, value) for r, row in enumerate(self.grid, 1) for c, value in enumerate(row, 1) if value is not None]
        )
        return AspForm(self.encoding, self._constants(), clues=clues, solver=SOLVER)

    def switchable(self) -> AspForm:
        form = super().switchable()
        return replace(form, constants={**form.constants, "sides": 2})

    def symmetric(self) -> Reduction[Self] | None:
        """An empty one: zeros may be ones and ones zeros, so the first cell may be taken to hold a zero."""
        return None if self.clues() else Reduction(self.with_clues({(1, 1): 0}), 2, _complement)

    def clp(self) -> ClpForm:
        label = "append(Rows, Cells), labeling([ffc], Cells)"
        return ClpForm("takuzu/takuzu.pl", f"takuzu(Rows, {self.lines})", label)

    def csp(self) -> CSP:
        from bridge.search import CSP

        given = self.clues()
        domains = {cell: (given[cell],) if cell in given else self.values() for cell in self.cells()}
        return CSP(domains, _constraints(self.height, self.width, self.distinct))

    def state_space(self, *words: str) -> StateForm:
        """Report 4's, with its heuristic; `fit` has a better one, and `fc` is the space of the CSP."""
        from bridge.puzzles.takuzu_space import FittingTakuzus, Takuzus

        if "fc" in words:
            return super().state_space(*words)
        if unknown := [word for word in words if word != "fit"]:
            raise UnsupportedError(f"takuzu has no state space with {unknown[0]!r}", hint="it has +fc and +fit")
        problem = (FittingTakuzus if words else Takuzus)(self.grid, self.distinct)
        return StateForm(problem, problem.read)

    def _constants(self) -> dict[str, int]:
        return {"rows": self.height, "columns": self.width, "distinct": int(self.distinct)}


def _complement(grid: Grid) -> Iterator[Grid]:
    yield grid
    yield tuple([tuple([1 - value for value in row if isinstance(value, int)]) for row in grid])


def balanced(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """Neither value has more than half of the line, rounded up."""
    for value in (0, 1):
        if values.count(value) > (len(values) + 1) // 2:
            return tuple(position for position, one in enumerate(values) if one == value)
    return None


def no_three_alike(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """No three neighbours have the same value; broken by the first three."""
    for start, (one, second, third) in enumerate(zip(values, values[1:], values[2:], strict=False)):
        if one == second == third is not None:
            return start, start + 1, start + 2
    return None


def halves_differ(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """The first half of the cells, one line, is not the same as the second, another line."""
    half = len(values) // 2
    if None in values or values[:half] != values[half:]:
        return None
    return tuple(range(len(values)))


def _all_lines(height: int, width: int) -> dict[str, list[tuple[Cell, ...]]]:
    rows = [tuple((r, c) for c in range(1, width + 1)) for r in range(1, height + 1)]
    return {"row": rows, "column": list(zip(*rows, strict=True))}


@lru_cache(maxsize=32)
def _rules(height: int, width: int, distinct: bool) -> tuple[Rule, ...]:
    """For rows, then for columns: `row 3: balance`, `row 3: no three alike`; then `rows 2 and 5 differ`."""
    of_each: list[tuple[str, Judge]] = [("balance", balanced), ("no three alike", no_three_alike)]
    found = []
    for name, lines in _all_lines(height, width).items():
        for number, line in enumerate(lines, 1):
            found += [Rule(f"{name} {number}: {what}", line, judge) for what, judge in of_each]
    if distinct:
        for name, lines in _all_lines(height, width).items():
            for (i, one), (j, other) in combinations(enumerate(lines, 1), 2):
                found.append(Rule(f"{name}s {i} and {j} differ", one + other, halves_differ))
    return tuple(found)


@lru_cache(maxsize=32)
def _checker(height: int, width: int) -> Checker:
    """Without the rules that lines differ, of which there are very many."""
    return Checker(_rules(height, width, distinct=False), height, width, (0, 1))


@lru_cache(maxsize=32)
def _cells(height: int, width: int) -> tuple[Cell, ...]:
    """All cells in reading order."""
    return tuple((r, c) for r in range(1, height + 1) for c in range(1, width + 1))


def _constraints(height: int, width: int, distinct: bool) -> list[Constraint]:
    """The rules as constraints, under the same names."""
    from bridge.search import Among, NotEqualVectors, Stretch

    found: list[Constraint] = []
    for rule in _rules(height, width, distinct):
        cells, length = rule.cells, len(rule.cells)
        if rule.judge is balanced:
            found.append(Among(cells, 1, length // 2, (length + 1) // 2, rule.name))
        elif rule.judge is no_three_alike:
            found.append(Stretch(cells, 2, rule.name))
        else:
            found.append(NotEqualVectors(cells[: length // 2], cells[length // 2 :], rule.name))
    return found


def _lines(text: Any, place: Place) -> str:
    if text not in _LINES:
        raise InputError(f"lines are {' or '.join(_LINES)}, not {brief(text)}", where=place)
    return str(text)


def _course_size(lines: list[Line]) -> int | None:
    """N, where the first line is one, and not a row of digits: that would be as long as the other rows."""
    if not lines or len(lines[0].words) != 1 or not re.fullmatch("[1-9][0-9]*", text := lines[0].words[0].text):
        return None
    rows, size = lines[1:], int(text[:9])
    if not rows:
        return size if text not in ("0", "1", "2") else None
    if text == "1":  # a column of two cells, unless what follows is the course's open cell
        return 1 if [token.text for row in rows for token in row.words] == ["2"] else None
    is_row = 2 * sum(len(row.characters) == len(text) for row in rows) >= len(rows)
    return None if is_row and not len(rows) == size < 10 else size


def _check_shape(lengths: list[int], places: list[Place], size: int | None) -> None:
    """Every row is as long as the others, and both as N says."""
    usual = size or max(lengths, key=lengths.count)
    for number, (length, place) in enumerate(zip(lengths, places, strict=True), 1):
        if length != usual:
            others = f"the size is {size}" if size else f"the others have {usual}"
            where = replace(place, column=None)
            hint = "write `.` for an open cell"
            raise InputError(f"row {number} has {length} cells, {others}", where=where, hint=hint)
    if size is not None and len(lengths) != size:
        raise InputError(f"{len(lengths)} rows, but the size is {size}", where=places[-1], hint="is a row missing?")
    if max(len(lengths), usual) > LARGEST:
        raise InputError(
            f"{len(lengths)} rows of {usual} cells are more than the {LARGEST} of the largest Takuzu", where=places[0]
        )


def _reader(rows: Sequence[Sequence[Token]], *, course: bool) -> Callable[[Token, int, int], int | None]:
    """How the cells of a text are read: `2` is an open cell in the course's form, unless something else is too."""
    dotted = any(token.text in _OPEN for row in rows for token in row)
    open_cells = _OPEN if dotted or not course else _OPEN | {"2"}

    def read(token: Token, r: int, c: int) -> int | None:
        text = token.text
        if text in open_cells:
            return None
        if text in ("0", "1"):
            return int(text)
        cell = cell_name((r, c))
        if text == "2":
            hint = f"{_HINT}; 2 is one in the course's form only, where the first line is the size"
            raise InputError(f"{cell} holds 2, but a Takuzu has two values, not three", where=token.place, hint=hint)
        raise InputError(f"{cell}: {brief(text)} is neither a value nor an open cell", where=token.place, hint=_HINT)

    return read
