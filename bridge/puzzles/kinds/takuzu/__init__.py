"""Takuzu, or binary puzzle: zeros and ones, balanced in every line, never three alike side by side, no line twice.

A line is a row or a column. One of odd length has one more of one value than of the other. Grids are square or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.latin.text import drawn
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.rules import Cell, Checker, Grid, Rule, Value, cell_name
from bridge.puzzles.kinds.takuzu.rules import line_checker, line_rules
from bridge.puzzles.kinds.takuzu.text import LINES, check_shape, checked_lines, read


@dataclass(frozen=True, repr=False)
class Takuzu(Puzzle):
    """One Takuzu. `lines` is `distinct`, or `repeat` where equal rows and equal columns are allowed."""

    grid: Grid
    lines: str = "distinct"

    kind = "takuzu"
    title = "Takuzu"
    options: ClassVar[Mapping[str, Option]] = {
        "lines": Option("`distinct`, or `repeat` to allow equal rows and columns")
    }

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
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        return [cls(*read(text, place, options.get("lines")))]

    @classmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        grid = data.get("grid")
        if not isinstance(grid, list) or not grid or not all(isinstance(row, list) and row for row in grid):
            raise InputError("`grid` is to be a list of rows, each a list of cells", where=place)
        check_shape([len(row) for row in grid], [place.inside("grid", r) for r in range(len(grid))], None)
        for r, row in enumerate(grid, 1):
            for c, value in enumerate(row, 1):
                if value is not None and (type(value) is not int or value not in (0, 1)):
                    hint = "the values are 0 and 1, and null is an open cell"
                    where = place.inside("grid", r - 1, c - 1)
                    raise InputError(f"{cell_name((r, c))} holds {value!r}", where=where, hint=hint)
        chosen = data.get("lines", LINES[0])
        return cls(tuple(map(tuple, grid)), checked_lines(chosen, place))

    def _json_form(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "lines": self.lines, "grid": [list(row) for row in self.grid]}

    def draw(self, grid: Grid | None = None) -> str:
        rows = [" ".join(row) for row in drawn(grid or self.grid)]
        return "\n".join(rows if self.distinct else [f"lines {self.lines}", *rows])

    def values(self) -> tuple[int, ...]:
        return 0, 1

    def rules(self) -> tuple[Rule, ...]:
        return line_rules(self.height, self.width, self.distinct)

    def _checker(self) -> Checker:
        return line_checker(self.height, self.width)

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
