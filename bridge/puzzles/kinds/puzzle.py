"""The base class of all puzzles: an instance with its cells, values, clues and rules.

A puzzle is an immutable value. Its forms for solvers are in `bridge.puzzles.kinds.models`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self, cast

from bridge.common import Pictured, public
from bridge.errors import InputError, Place, UnsupportedError, brief
from bridge.problem import Problem
from bridge.puzzles.kinds.about import NOTHING, About, check_entries, read_about
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.rules import (
    Cell,
    Checker,
    Grid,
    Rule,
    Value,
    Violation,
    at,
    cell_name,
    clue_rules,
    places,
    violations,
)
from bridge.puzzles.kinds.text import TextForm


def expect_puzzle(problem: object, function: str) -> None:
    """Check that what a function takes is a puzzle."""
    if isinstance(problem, Puzzle):
        return
    hint = 'bridge.puzzles.load("sudoku", "puzzle.txt") reads one'
    if isinstance(problem, Problem):
        raise UnsupportedError(f"{function} is for a puzzle, not for {problem.noun}", hint=hint)
    raise InputError(f"{brief(problem)} is not a puzzle", hint=hint)


@public("bridge.puzzles")
@dataclass(frozen=True, repr=False)
class Puzzle(Pictured, Problem[Grid], ABC):
    """One instance of a kind of puzzle. Subclasses are frozen dataclasses whose first field is `grid`.

    A subclass defines the JSON form by `_json_form` and `_of_json_form`. It may define two methods that make
    `violations` faster, `_checker` and `_holds`.

    Attributes
    ----------
    about
        Title, author, rules in words and texts of clues. Puzzles that differ only in these are equal.
    """

    noun = "a puzzle"
    answers = "bridge.puzzles.analysis.of_puzzles"
    #: The name on the command line and in JSON.
    kind: ClassVar[str]
    #: The name in a sentence.
    title: ClassVar[str]
    #: Settings beside the text: `box`, `variant`, `words`.
    options: ClassVar[Mapping[str, Option]] = {}
    #: How its text is divided into lines.
    text_form: ClassVar[TextForm] = TextForm()

    grid: Grid
    about: About = field(default=NOTHING, compare=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.about.clues:
            check_entries(self.about, self._entries(), self.title, Place())
        if self.about.solution:
            self._published(self.about.solution, Place())

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: cached values are large, and hold functions that cannot be pickled."""
        return {one.name: getattr(self, one.name) for one in fields(cast(Any, self))}

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        clues = len(self.clues())
        size = f"{len(self.grid)}x{len(self.grid[0])}"
        return f"<{type(self).__name__} {size}, {clues} {'clue' if clues == 1 else 'clues'}>"

    @classmethod
    @abstractmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        """The puzzles that a text holds, usually one.

        Parameters
        ----------
        text
            Not JSON.
        place
            Where the text begins, for error messages.
        options
            Values, as `read_options` returns them.

        Raises
        ------
        InputError
            With line and column, when the text is not a puzzle of this kind.
        """

    @classmethod
    def from_json(cls, data: Mapping[str, Any], place: Place) -> Self:
        """The puzzle of a JSON form; the inverse of `to_json`. Options are keys of the object."""
        if "about" not in data:
            return cls._of_json_form(data, place)
        made = cls._of_json_form({key: value for key, value in data.items() if key != "about"}, place)
        about = read_about(data["about"], place)
        check_entries(about, made._entries(), cls.title, place)
        if about.solution:
            about = replace(about, solution=made._published(about.solution, place.inside("about", "solution")))
        return cast(Self, replace(cast(Any, made), about=about))

    def to_json(self) -> dict[str, Any]:
        """The JSON form; `{"puzzle": kind, "grid": [[...]], ...}` with null for open cells."""
        return {**self._json_form(), "about": self.about.to_json()} if self.about else self._json_form()

    @classmethod
    @abstractmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        """The puzzle of a JSON form without `about`."""

    @abstractmethod
    def _json_form(self) -> dict[str, Any]:
        """The JSON form without `about`."""

    def _published(self, solution: Grid, place: Place) -> Grid:
        """A solution that a file carries, checked to have the shape of the grid."""
        shapes = [tuple(map(len, grid)) for grid in (solution, self.grid)]
        if shapes[0] != shapes[1]:
            size = f"{len(self.grid)}x{len(self.grid[0])}"
            raise InputError(f"the solution does not have the shape of the grid, {size}", where=place)
        return solution

    def _entries(self) -> frozenset[str]:
        """The names of entries that may have a clue in words."""
        return frozenset()

    @abstractmethod
    def draw(self, grid: Grid | None = None) -> str:
        """The instance, or a grid of its shape, as text that `from_text` reads."""

    @abstractmethod
    def rules(self) -> tuple[Rule, ...]:
        """The rules other than clues, in a fixed order."""

    @abstractmethod
    def values(self) -> tuple[Value, ...]:
        """The values that a cell can have, in ascending order."""

    def cells(self) -> list[Cell]:
        """Every cell that takes a value, in reading order. Override it, and `clues`, where there are other squares."""
        return [(r, c) for r, row in enumerate(self.grid, 1) for c in range(1, len(row) + 1)]

    def clues(self) -> dict[Cell, Value]:
        """The cells that are given, in reading order."""
        return {
            (r, c): value for r, row in enumerate(self.grid, 1) for c, value in enumerate(row, 1) if value is not None
        }

    def with_clues(self, clues: Mapping[Cell, Value]) -> Self:
        """The same instance with other clues."""
        return cast(Self, replace(cast(Any, self), grid=self.solution(clues)))

    def without(self, names: Collection[str]) -> Self:
        """The same instance without some of its rules, all of them `given`.

        Raises
        ------
        UnsupportedError
            For a rule that every instance of the puzzle has.
        """
        if not names:
            return self
        raise UnsupportedError(f"every {self.title} has the rule {min(names)!r}", hint="take clues away instead")

    def notes(self) -> tuple[str, ...]:
        """Remarks on the instance as it was read, for its author."""
        return ()

    def clashes(self) -> list[Violation]:
        """The rules that the clues alone break. If there is one, the puzzle has no solution."""
        return violations(self.rules(), self.grid)

    def _checker(self) -> Checker | None:
        """Checks the rules that all instances of the shape share; `_holds` checks the others. None if there is none."""
        return None

    @property
    def _places(self) -> tuple[tuple[int, Value], ...]:
        """The values of the grid with their positions in reading order, from 0."""
        known: tuple[tuple[int, Value], ...] | None = self.__dict__.get("_known_places")
        if known is None:  # not a cached property: its lock costs as much as the places
            known = self.__dict__["_known_places"] = places(self.grid)
        return known

    def _holds(self, solution: Grid) -> bool:
        """True if a checker proves that the grid is a solution, which is much faster. False proves nothing."""
        checker = self._checker()
        return checker is not None and checker.hold(solution, self._places)

    def violations(self, solution: Grid) -> list[Violation]:
        """Why a grid is not a solution of this instance; empty when it is one.

        Of a grid with open cells, the rules that the others break, and then the open cells.
        Every solution of every engine has to pass this check, which is independent of the encodings.
        """
        if self._holds(solution):  # as nearly always
            return []
        values = set(self.values())
        wrong = [cell for cell in self.cells() if at(solution, cell) not in {None, *values}]
        if wrong:
            return [Violation("cell", (cell,), f"{cell_name(cell)} holds {at(solution, cell)}") for cell in wrong]
        found = violations(self.rules(), solution) + violations(clue_rules(self.clues()), solution)
        left = [cell for cell in self.cells() if at(solution, cell) is None]
        return found + [Violation("cell", (cell,), f"{cell_name(cell)} is open") for cell in left]

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        """The grid that gives each cell its value; missing cells are open, black squares stay black."""
        cells = set(self.cells())
        return tuple(
            tuple(values.get((r, c)) if (r, c) in cells else value for c, value in enumerate(row, 1))
            for r, row in enumerate(self.grid, 1)
        )


def published_solution(puzzle: Puzzle) -> Grid | None:
    """The solution that a puzzle was published with, if it carries one that passes the checker."""
    own = puzzle.about.solution
    return own if own and not puzzle.violations(own) else None
