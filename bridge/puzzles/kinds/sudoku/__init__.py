"""Sudoku of any size: every row, every column and every box holds each value once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.latin import Latin
from bridge.puzzles.kinds.latin.text import read_json_rows
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.rules import Checker, Grid, Rule
from bridge.puzzles.kinds.sudoku import text as sudoku_text
from bridge.puzzles.kinds.sudoku.rules import Box, box_checker, box_rules
from bridge.puzzles.kinds.sudoku.text import SudokuText, fitting, read_box, squarest_box
from bridge.puzzles.kinds.text import TextForm


@dataclass(frozen=True, repr=False)
class Sudoku(Latin):
    """One Sudoku. `box` is the number of rows and columns of a box; the size is their product."""

    grid: Grid
    box: Box

    kind = "sudoku"
    title = "Sudoku"
    options: ClassVar[Mapping[str, Option]] = {"box": Option("rows and columns of a box, such as 2x3", read_box)}
    text_form: ClassVar[TextForm] = SudokuText()

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        return [cls(grid, box) for grid, box in sudoku_text.read(text, place, cls.title, options.get("box"))]

    @classmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        grid = read_json_rows(data, cls.title, place)
        size = len(grid)
        box = data.get("box") or squarest_box(size)
        if not (isinstance(box, list | tuple) and len(box) == 2 and all(type(n) is int for n in box)):
            raise InputError(f"`box` is to be [rows, columns], not {box!r}", where=place)
        return cls(grid, fitting((box[0], box[1]), size, place))

    def _json_form(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "box": list(self.box), "grid": [list(row) for row in self.grid]}

    def draw(self, grid: Grid | None = None) -> str:
        return sudoku_text.draw(grid or self.grid, self.box)

    def rules(self) -> tuple[Rule, ...]:
        return box_rules(self.box)

    def _checker(self) -> Checker:
        return box_checker(self.box)
