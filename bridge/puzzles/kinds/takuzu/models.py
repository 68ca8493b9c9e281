"""The forms of a Takuzu for solvers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from bridge.errors import UnsupportedError
from bridge.puzzles.kinds.models import AspForm, ClpForm, Models, StateForm
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.symmetry import Reduction
from bridge.puzzles.kinds.takuzu import Takuzu
from bridge.puzzles.kinds.takuzu.rules import balanced, no_three_alike

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP, Constraint

#: Up to 10x10 less than the default's time on average, a third less at 6x6; beyond about the same. Without MOMS scores,
#: which are made anew for every instance, another tenth less at 6x6 and 8x8, and a fifth from 10x10 to 20x20.
SOLVER = ("--configuration=frumpy", "--no-init-moms")


class TakuzuModels(Models[Takuzu]):
    """The forms of one Takuzu."""

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
