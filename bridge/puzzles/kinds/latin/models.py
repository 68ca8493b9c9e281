"""What the forms of the Latin family for solvers share."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from bridge.puzzles.kinds.latin import Latin, cells_of
from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.models import AspForm, Models
from bridge.puzzles.kinds.rules import Cell, Rule, Value

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP

L = TypeVar("L", bound=Latin)

#: The fastest of clingo's configurations for assumed clues, or close to it: squares of order 30 with 42 % holes take
#: four fifths of the default's time, all of order 5 half.
SOLVER = ("--configuration=frumpy",)

#: For large ones: the empty square of order 50 takes 0.5 s in place of 50 by default, and 16 by the other.
LARGE_SOLVER = ("--configuration=crafty",)


class LatinModels(Models[L], ABC):
    """The forms of a square grid of integers."""

    #: Up to this order, clingo assumes the clues of an instance, and one ground program serves them all. Beyond it the
    #: clues are ground with the rest, which makes the program much smaller.
    assumed: ClassVar[int] = 12
    #: Options of clingo for assumed clues, and for clues that are ground.
    solver: ClassVar[tuple[str, ...]] = SOLVER
    large_solver: ClassVar[tuple[str, ...]] = LARGE_SOLVER

    def constants(self) -> dict[str, int]:
        """The constants of the encoding."""
        return {"n": self.puzzle.size}

    @property
    def extent(self) -> int:
        return self.puzzle.size**2 * len(self.puzzle.values())

    def clue_facts(self) -> str:
        """The clues as facts, a line each."""
        return "".join(f"clue({r}, {c}, {value}).\n" for (r, c), value in self.puzzle.clues().items())

    def clue_atoms(self) -> tuple[tuple[Any, ...], ...]:
        cells, _ = cells_of(self.puzzle.size)  # not `clues`: this is called for every instance of a large batch
        return tuple([(*cells[place], value) for place, value in self.puzzle._places])

    def clue_domains(self) -> dict[Cell, tuple[Value, ...]]:
        """The domains of the cells that are given."""
        cells, _ = cells_of(self.puzzle.size)
        return {cells[place]: (value,) for place, value in self.puzzle._places}

    def structure(self) -> str:
        """The facts beside the clues."""
        return "".join(f"{name}({value}).\n" for name, value in self.puzzle.unusual().items())

    def facts(self) -> str:
        constants = "".join(f"#const {name} = {value}. [override]\n" for name, value in self.constants().items())
        return constants + self.structure() + self.clue_facts()

    def asp(self) -> AspForm:
        constants, structure = self.constants(), self.structure()
        if self.puzzle.size <= self.assumed:
            form = _assumed(self.encoding, tuple(constants.items()), structure, self.solver)
            return form.with_clues(self.clue_atoms())
        facts = structure + self.clue_facts()
        return AspForm(self.encoding, constants, facts, solver=self.large_solver, reusable=not self.puzzle.clues())

    def switchable(self) -> AspForm:
        return AspForm(self.encoding, self.constants(), self.structure(), self.clue_atoms(), switches=())


@lru_cache(maxsize=32)
def latin_csp(size: int) -> CSP:
    """The empty Latin square: the base of all instances of an order, so that its constraints are posted once."""
    return all_different(size, rows_and_columns(size))


def all_different(size: int, rules: Iterable[Rule]) -> CSP:
    """The empty grid with the values 1 to `size` under rules that say that cells differ."""
    from bridge.puzzles.search import CSP, AllDifferent

    values = tuple(range(1, size + 1))
    cells = [(r, c) for r in values for c in values]
    return CSP(dict.fromkeys(cells, values), [AllDifferent(rule.cells, rule.name) for rule in rules])


@lru_cache(maxsize=32)
def _assumed(encoding: str, constants: tuple[tuple[str, int], ...], structure: str, solver: tuple[str, ...]) -> AspForm:
    """The form of an instance without clues, of which clues are assumed."""
    return AspForm(encoding, dict(constants), structure, solver=solver)
