"""Sudoku of any size: every row, every column and every box holds each value once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.latin import Latin, LatinModels, all_different, rows_and_columns
from bridge.puzzles.kinds.latin.text import read_json_rows
from bridge.puzzles.kinds.models import ClpForm
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.rules import Checker, Grid, Rule, distinct
from bridge.puzzles.kinds.sudoku import text as sudoku_text
from bridge.puzzles.kinds.sudoku.text import Box, SudokuText, fitting, read_box, squarest_box
from bridge.puzzles.kinds.symmetry import Reduction, renamed
from bridge.puzzles.kinds.text import TextForm

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP


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
        return _rules(self.box)

    def _checker(self) -> Checker:
        return _checker(self.box)


@lru_cache(maxsize=32)
def _rules(box: Box) -> tuple[Rule, ...]:
    """Rows, then columns, then boxes from left to right and down: `row 3`, `column 4`, `box (1,2)`."""
    height, width = box
    boxes = []
    for down in range(width):
        for right in range(height):
            cells = tuple(
                (down * height + r, right * width + c) for r in range(1, height + 1) for c in range(1, width + 1)
            )
            boxes.append(Rule(f"box ({down + 1},{right + 1})", cells, distinct))
    return rows_and_columns(height * width) + tuple(boxes)


@lru_cache(maxsize=32)
def _checker(box: Box) -> Checker:
    size = box[0] * box[1]
    return Checker(_rules(box), size, size, range(1, size + 1))


class SudokuModels(LatinModels[Sudoku]):
    """The forms of one Sudoku for solvers."""

    #: Clues that are ground cut the program down: ten 25x25 tests take 2 to 35 s each. With clues assumed, eight of
    #: them did not end within 5 s, and three tried longer not within 12 s.
    assumed = 16
    encoding = "sudoku/sudoku.lp"
    #: A quarter faster than the default on 9x9s, of 17 clues and mixed; about the same on other sizes: MOMS scores are
    #: made anew for every instance, and most are done before they pay.
    solver = ("--heuristic=berkmin", "--no-init-moms")
    large_solver = ("--configuration=crafty", "--sat-prepro=2")

    def constants(self) -> dict[str, int]:
        return {"box_rows": self.puzzle.box[0], "box_columns": self.puzzle.box[1]}

    def facts(self) -> str:
        # The encoding assumes boxes of 3x3.
        return self.clue_facts() if self.puzzle.box == (3, 3) else super().facts()

    def symmetric(self) -> Reduction[Sudoku] | None:
        """For an empty grid: values may be exchanged, so the first row can be assumed to be in order."""
        puzzle = self.puzzle
        if puzzle.size == 1 or puzzle.clues():
            return None
        first = puzzle.with_clues({(1, c): c for c in range(1, puzzle.size + 1)})
        return Reduction(first, factorial(puzzle.size), renamed)

    def clp(self) -> ClpForm:
        height, width = self.puzzle.box
        # One labelling of all cells, so that the smallest domain of the whole grid comes first.
        return ClpForm(
            "sudoku/sudoku.pl",
            "sudoku(Rows, Height-Width)",
            "append(Rows, Cells), labeling([ff], Cells)",
            {"Height": height, "Width": width},
        )

    def csp(self) -> CSP:
        return _empty(self.puzzle.box).narrowed(self.clue_domains())


@lru_cache(maxsize=32)
def _empty(box: Box) -> CSP:
    return all_different(box[0] * box[1], _rules(box))
