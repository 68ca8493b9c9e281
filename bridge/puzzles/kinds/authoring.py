"""How new instances of a kind are made, for `bridge.puzzles.generate`.

>>> blank = authoring("sudoku").blanks(4, 4, {}, None)(SeededRandom(1))
>>> blank.clues()
{}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from bridge.errors import InputError, Place
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.registry import class_of
from bridge.puzzles.kinds.rules import Cell, Grid, Value
from bridge.puzzles.kinds.seeded_random import SeededRandom
from bridge.puzzles.kinds.symmetry import orbits

P = TypeVar("P", bound=Puzzle)


#: So many rows or columns are the most that a new instance may have; each kind has a bound of its own below it.
MOST = 256


class Authoring(Generic[P]):
    """Makes instances of one kind. Sufficient for kinds without black cells and without optional rules."""

    #: Options of new instances, beside those of all instances.
    options: ClassVar[Mapping[str, Option]] = {}

    #: What to do where no blank instance of a size has a solution.
    unsolved: ClassVar[str] = "try another size"

    def __init__(self, cls: type[P]) -> None:
        self.cls = cls

    def blanks(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], P]:
        """Returns a function that makes instances of a size without clues. Here it always makes the same one.

        Options are values, as `read_options` returns them. The symmetry is that of black cells, None for the usual one.
        """
        if max(rows, columns) > MOST:  # no kind has them, and reading a million cells takes seconds
            raise InputError(f"there is no {self.cls.title} of {rows}x{columns}: {MOST} rows and columns are the most")
        text = "\n".join([" ".join("." * columns)] * rows)
        try:
            blank = self.cls.from_text(text, Place("--size"), options)[0]
        except InputError as error:
            if error.where == Place("--option"):
                raise
            raise InputError(f"there is no {self.cls.title} of {rows}x{columns}: {error.message}") from None
        return lambda random: blank

    def grids(
        self, rows: int, columns: int, options: Mapping[str, Any], symmetry: str | None
    ) -> Callable[[SeededRandom], Grid]:
        """Returns a function that makes empty grids of a kind with black cells; InputError for another kind."""
        raise InputError(f"empty grids are made of crosswords only, not of a {self.cls.title}")

    def orbits(self, puzzle: P, symmetry: str | None) -> list[tuple[Cell, ...]]:
        """The sets of cells that are given together, or left open together, when the clues have a symmetry."""
        return orbits(puzzle.cells(), symmetry or "none", len(puzzle.grid), len(puzzle.grid[0]))

    @property
    def gives_cells(self) -> bool:
        """Whether the clues of a new instance are cells of its solution, unless their number is requested."""
        return True

    def with_all_optional_rules(self, puzzle: P, solution: Mapping[Cell, Value], seed: int) -> P:
        """The same instance with every rule that an author may add, even those that the solution breaks.

        What of it is random is a function of the seed.
        """
        return puzzle

    def fixed_rules(self, puzzle: P, solution: Mapping[Cell, Value], seed: int) -> frozenset[str]:
        """The names of the given rules, with all optional ones, that are not to be removed. Here there are none."""
        return frozenset()


def authoring(kind: str) -> Authoring[Puzzle]:
    """The `Authoring` of a kind."""
    made: Authoring[Puzzle] = class_of(kind, "authoring")(class_of(kind, "puzzle"))
    return made
