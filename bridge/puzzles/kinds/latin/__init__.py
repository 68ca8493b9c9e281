"""The Latin family: square grids of order n with the values 1 to n, none of them twice in a row or a column.

Magic squares have the same shape. Their values are 1 to n ** 2, and no value stands twice at all.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from bridge.puzzles.kinds.models import AspForm, Models
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.rules import Cell, Check, Grid, Rule, Value, distinct

if TYPE_CHECKING:
    from bridge.puzzles.search import CSP

#: The fastest of clingo's configurations for assumed clues, or close to it: squares of order 30 with 42 % holes take
#: four fifths of the default's time, all of order 5 half.
SOLVER = ("--configuration=frumpy",)

#: For large ones: the empty square of order 50 takes 0.5 s in place of 50 by default, and 16 by the other.
LARGE_SOLVER = ("--configuration=crafty",)


class Latin(Puzzle, ABC):
    """A square grid of numbers."""

    @property
    def size(self) -> int:
        return len(self.grid)

    def values(self) -> tuple[Value, ...]:
        return tuple(range(1, self.size + 1))

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        size = self.size
        cells, of_all = cells_of(size)
        flat: Iterable[Value | None]
        try:
            flat = of_all(values)
        except KeyError:  # open cells
            flat = map(values.get, cells)
        return tuple(zip(*[iter(flat)] * size, strict=True))

    def unusual(self) -> dict[str, str]:
        """The settings that do not have their usual value: of these kinds, a fact each."""
        return {}


@lru_cache(maxsize=32)
def cells_of(size: int) -> tuple[tuple[Cell, ...], Callable[[Mapping[Cell, Value]], tuple[Value, ...]]]:
    """All cells in reading order, and a function that returns the values of all of them."""
    cells = tuple((r, c) for r in range(1, size + 1) for c in range(1, size + 1))
    return cells, itemgetter(*cells) if size > 1 else lambda values: (values[1, 1],)


@lru_cache(maxsize=32)
def rows_and_columns(size: int) -> tuple[Rule, ...]:
    """`row 1` to `row n`, then `column 1` to `column n`: no value twice."""
    index = range(1, size + 1)
    rows = [Rule(f"row {r}", tuple((r, c) for c in index), distinct) for r in index]
    return (*rows, *(Rule(f"column {c}", tuple((r, c) for r in index), distinct) for c in index))


def less_than(greatest: int, *, backwards: bool = False) -> Check:
    """The first of two values is less than the second; or backwards, the second less than the first.

    One alone violates it if no value is left for the other.
    """

    def check(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        smaller, greater = reversed(values) if backwards else values
        if isinstance(smaller, int) and isinstance(greater, int):
            return None if smaller < greater else (0, 1)
        if smaller == greatest or greater == 1:
            return (0,) if values[0] is not None else (1,)
        return None

    return check


L = TypeVar("L", bound=Latin)


class LatinModels(Models[L], ABC):
    """The forms of a square grid of integers for solvers."""

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


def all_different(size: int, rules: Iterable[Rule]) -> CSP:
    """The empty grid with the values 1 to `size` under rules that say that cells differ.

    It is the base of all instances of a shape, so that its constraints are posted once.
    """
    from bridge.puzzles.search import CSP, AllDifferent

    values = tuple(range(1, size + 1))
    cells = [(r, c) for r in values for c in values]
    return CSP(dict.fromkeys(cells, values), [AllDifferent(rule.cells, rule.name) for rule in rules])


@lru_cache(maxsize=32)
def _assumed(encoding: str, constants: tuple[tuple[str, int], ...], structure: str, solver: tuple[str, ...]) -> AspForm:
    """The form of an instance without clues, of which clues are assumed."""
    return AspForm(encoding, dict(constants), structure, solver=solver)
