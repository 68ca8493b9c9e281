"""The forms of a Latin square for solvers."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING

from bridge.puzzles.kinds.latin.models import LatinModels, all_different
from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.latin_square import LatinSquare
from bridge.puzzles.kinds.latin_square.rules import variant_rules
from bridge.puzzles.kinds.models import ClpForm
from bridge.puzzles.kinds.rules import distinct
from bridge.puzzles.kinds.symmetry import Reduction, rearranged, renamed

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP


class LatinSquareModels(LatinModels[LatinSquare]):
    """The forms of one Latin square."""

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
        return Reduction(replace(puzzle, variant="reduced"), factorial(n) * factorial(n - 1), rearranged)

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
        return _square(self.puzzle.variant, self.puzzle.size).narrowed(given)


@lru_cache(maxsize=32)
def _square(variant: str, size: int) -> CSP:
    """The empty square, the base of all of a variant and an order."""
    rules = rows_and_columns(size) + variant_rules(variant, size)
    return all_different(size, [rule for rule in rules if rule.check is distinct])
