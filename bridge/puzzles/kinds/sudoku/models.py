"""The forms of a Sudoku for solvers."""

from __future__ import annotations

from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING

from bridge.puzzles.kinds.latin.models import LatinModels, all_different
from bridge.puzzles.kinds.models import ClpForm
from bridge.puzzles.kinds.sudoku import Sudoku
from bridge.puzzles.kinds.sudoku.rules import Box, box_rules

if TYPE_CHECKING:
    from bridge.puzzles.kinds.symmetry import Reduction
    from bridge.puzzles.search import CSP


class SudokuModels(LatinModels[Sudoku]):
    """The forms of one Sudoku."""

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
        from bridge.puzzles.kinds.symmetry import Reduction, renamed

        return Reduction(puzzle.with_clues({(1, c): c for c in puzzle.values()}), factorial(puzzle.size), renamed)

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
        return _boxed(self.puzzle.box).narrowed(self.clue_domains())


@lru_cache(maxsize=32)
def _boxed(box: Box) -> CSP:
    """The empty Sudoku, the base of all with these boxes."""
    return all_different(box[0] * box[1], box_rules(box))
