"""Futoshiki: a Latin square with inequalities between cells.

The text form is the drawing (`bridge.puzzles.kinds.futoshiki.text`). The JSON form has the inequalities under `less`:
`[r1, c1, r2, c2]` says that the cell in row r1 and column c1 holds less than the one in row r2 and column c2. The two
need not be neighbours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.futoshiki import text as futoshiki_text
from bridge.puzzles.kinds.futoshiki.rules import Inequality, endless, inequality_rules, latin_checker, written
from bridge.puzzles.kinds.futoshiki.text import inequality, read_drawing
from bridge.puzzles.kinds.latin import Latin
from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.latin.text import drawn, read_json_rows
from bridge.puzzles.kinds.rules import Checker, Grid, Rule, Violation


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
            try:
                found.add(inequality((item[0], item[1]), (item[2], item[3]), len(grid), place))
            except InputError as error:
                error.where = place.inside("less", index)
                raise
        return cls(grid, tuple(sorted(found)))

    def _json_form(self) -> dict[str, Any]:
        less = [[*smaller, *greater] for smaller, greater in self.less]
        return {"puzzle": self.kind, "grid": [list(row) for row in self.grid], "less": less}

    def draw(self, grid: Grid | None = None) -> str:
        return futoshiki_text.draw(drawn(grid or self.grid), self.less)

    def rules(self) -> tuple[Rule, ...]:
        return rows_and_columns(self.size) + inequality_rules(self.size, self.less)

    def _checker(self) -> Checker:
        return latin_checker(self.size)

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
        return super().clashes() + endless(self.size, self.less)

    def without(self, names: Collection[str]) -> Self:
        kept = tuple(pair for pair in self.less if written(*pair) not in names)
        if missing := set(names) - {written(*pair) for pair in self.less}:
            return super().without(missing)
        return replace(self, less=kept)
