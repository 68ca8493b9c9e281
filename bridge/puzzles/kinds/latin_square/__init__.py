"""Latin square: every row and every column holds each value once. Partly filled, it is quasigroup completion.

What people see and type is in its file. Here are its rules once more, and its forms for engines other than clingo.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING

from bridge.puzzles.kinds.latin import LatinModels, all_different, rows_and_columns
from bridge.puzzles.kinds.latin.number_square import NumberSquare
from bridge.puzzles.kinds.models import ClpForm
from bridge.puzzles.kinds.rules import Checker, Rule, Value, distinct
from bridge.puzzles.kinds.symmetry import Reduction, rearranged, renamed

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP


class LatinSquare(NumberSquare):
    """One Latin square, empty or partly filled."""

    @property
    def variant(self) -> str:
        """`plain`, `diagonal` or `reduced`."""
        return self.settings["variant"]

    def rules(self) -> tuple[Rule, ...]:
        return _rules(self.variant, self.size)

    def _checker(self) -> Checker:
        return _checker(self.variant, self.size)


@lru_cache(maxsize=32)
def _rules(variant: str, size: int) -> tuple[Rule, ...]:
    index = range(1, size + 1)
    further: tuple[Rule, ...] = ()
    if variant == "diagonal":
        falling, rising = tuple((i, i) for i in index), tuple((size + 1 - i, i) for i in index)
        further = Rule("diagonal 1", falling, distinct), Rule("diagonal 2", rising, distinct)
    if variant == "reduced":
        row, column = tuple((1, i) for i in index), tuple((i, 1) for i in index)
        further = Rule("row 1 in order", row, _in_order), Rule("column 1 in order", column, _in_order)
    return rows_and_columns(size) + further


@lru_cache(maxsize=32)
def _checker(variant: str, size: int) -> Checker:
    return Checker(_rules(variant, size), size, size, range(1, size + 1))


def _in_order(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """The values are 1, 2, 3, ...; violated by the first that differs."""
    return next(((i,) for i, value in enumerate(values) if value not in (None, i + 1)), None)


class LatinSquareModels(LatinModels[LatinSquare]):
    """The forms of one Latin square for solvers."""

    #: 42 % holes: order 30 in 80 ms in place of 350 by grounding the clues; at order 40 it is 11 s against 4.
    assumed = 30
    encoding = "latin_square/latin_square.lp"

    def symmetric(self) -> Reduction[LatinSquare] | None:
        """For an empty square: columns, and rows but the first, of a reduced square may be put in any order.

        With diagonals only values may be exchanged, so the first row can be assumed to be in order.
        """
        puzzle, n = self.puzzle, self.puzzle.size
        if n == 1 or puzzle.variant == "reduced" or puzzle.clues():
            return None
        if puzzle.variant == "diagonal":
            return Reduction(puzzle.with_clues({(1, c): c for c in range(1, n + 1)}), factorial(n), renamed)
        return Reduction(puzzle.with_setting("variant", "reduced"), factorial(n) * factorial(n - 1), rearranged)

    def clp(self) -> ClpForm:
        puzzle, variant = self.puzzle, self.puzzle.variant
        # Where not one cell in ten is given, propagation finds little, and strong propagation costs more than it finds.
        distinct = "all_different" if 10 * len(puzzle.clues()) < puzzle.size**2 else "all_distinct"
        goals = [f"latin_square(Rows, {distinct})", *([] if variant == "plain" else [f"{variant}(Rows)"])]
        return ClpForm("latin_square/latin_square.pl", ", ".join(goals), "append(Rows, Cells), labeling([ff], Cells)")

    def csp(self) -> CSP:
        given = self.clue_domains()
        if self.puzzle.variant == "reduced":
            for r, c in self.puzzle.cells():
                if 1 in (r, c):
                    given[r, c] = tuple(value for value in given.get((r, c), (r + c - 1,)) if value == r + c - 1)
        return _empty(self.puzzle.variant, self.puzzle.size).narrowed(given)


@lru_cache(maxsize=32)
def _empty(variant: str, size: int) -> CSP:
    return all_different(size, [rule for rule in _rules(variant, size) if rule.check is distinct])
