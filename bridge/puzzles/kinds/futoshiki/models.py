"""The forms of a Futoshiki for solvers."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from operator import gt, lt
from typing import TYPE_CHECKING

from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.futoshiki.rules import written
from bridge.puzzles.kinds.latin.models import LatinModels, latin_csp
from bridge.puzzles.kinds.models import AspForm, ClpForm
from bridge.puzzles.kinds.rules import Cell

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP, Binary

#: With an inequality between any two neighbours, both ways, one ground program serves all instances of an order: those
#: that an instance has are assumed, which is several times faster (`python -m benchmarks rivals --tasks futoshiki`).
_ALL_SIGNS = "less(R, C, R', C') :- index(R), index(C), index(R'), index(C'), |R - R'| + |C - C'| = 1.\n"

#: Their names in the encoding.
_SIGNS = ("r{R}c{C} < r{R'}c{C'}", "r{R'}c{C'} > r{R}c{C}")


class FutoshikiModels(LatinModels[Futoshiki]):
    """The forms of one Futoshiki."""

    encoding = "futoshiki/futoshiki.lp"

    def asp(self) -> AspForm:
        if self.puzzle.size > self.assumed or not self._between_neighbours():
            return super().asp()
        names = tuple([written(*pair) for pair in dict.fromkeys(self.puzzle.less)])
        return AspForm(self.encoding, {"n": self.puzzle.size}, _ALL_SIGNS, self.clue_atoms(), switches=_SIGNS, on=names)

    def switchable(self) -> AspForm:
        return replace(self.asp(), switches=(), on=(), solver=())

    def _between_neighbours(self) -> bool:
        """Whether every inequality is between neighbours: the program ground for a whole order has only these."""
        return all(abs(r - r1) + abs(c - c1) == 1 for (r, c), (r1, c1) in self.puzzle.less)

    def clp(self) -> ClpForm:
        less = [[*smaller, *greater] for smaller, greater in self.puzzle.less]
        label = "append(Rows, Cells), labeling([ff], Cells)"
        return ClpForm("futoshiki/futoshiki.pl", "futoshiki(Rows, Less)", label, {"Less": less})

    def csp(self) -> CSP:
        signs = [_sign(smaller, greater) for smaller, greater in self.puzzle.less]
        return latin_csp(self.puzzle.size).narrowed(self.clue_domains(), signs)

    def structure(self) -> str:
        return "".join(f"less({r}, {c}, {r1}, {c1}).\n" for (r, c), (r1, c1) in self.puzzle.less)


@lru_cache(maxsize=4096)
def _sign(smaller: Cell, greater: Cell) -> Binary:
    from bridge.puzzles.search import Binary

    first, second = sorted((smaller, greater))
    return Binary(first, second, lt if first == smaller else gt, written(smaller, greater))
