"""What every puzzle tells the rooms above: its cells and rules, and its forms for each kind of solver.

A puzzle is an immutable value. To add one, subclass `Puzzle` in a module of its own, put its encodings in a folder
under `encodings/`, and enter it in `bridge/puzzles/__init__.py`. Nothing above changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from bridge.errors import InputError, Place, UnsupportedError
from bridge.notebook import Pictured
from bridge.puzzles.rules import (
    Cell,
    Checker,
    Grid,
    Rule,
    Value,
    Violation,
    at,
    cell_name,
    equal_to,
    places,
    violations,
)
from bridge.puzzles.symmetry import Reduction, orbits

if TYPE_CHECKING:  # loaded when a CSP is made: a look at a puzzle should not cost the search package
    from bridge.puzzles.chance import Chance
    from bridge.search import CSP, Problem


@dataclass(frozen=True, slots=True)
class AspForm:
    """An instance for clingo.

    Attributes
    ----------
    encoding
        The file under `encodings/`.
    constants
        Values of its `#const`s.
    structure
        Facts that belong to the shape, not to the single instance. Encoding, constants and structure are ground once
        and serve every instance that shares them.
    clues
        Arguments of the `cell/3` atoms that hold in this instance; assumed, never ground.
    solver
        Further options of clingo's command line, where measurement found some that suit the puzzle better.
    switches
        The rules of the encoding that are to be assumed, as its comments name them: `row {R}`. All of them when empty;
        None for a program that is loaded as it is.
    on
        Of these rules, by their full names (`row 3`), those that hold in this instance, each once. The others do not.
    reusable
        False when the clues are part of the structure: no other instance will want the ground program.

    An answer is read off the atoms `cell(R, C, V)`.
    """

    encoding: str
    constants: Mapping[str, int] = field(default_factory=dict)
    structure: str = ""
    clues: tuple[tuple[Any, ...], ...] = ()
    solver: tuple[str, ...] = ()
    switches: tuple[str, ...] | None = None
    on: tuple[str, ...] = ()
    reusable: bool = True

    @property
    def shape(self) -> tuple[Any, ...]:
        """What the ground program depends on."""
        return self.encoding, tuple(sorted(self.constants.items())), self.structure, self.solver, self.switches


@dataclass(frozen=True, slots=True)
class ClpForm:
    """An instance for SWI-Prolog's clpfd.

    Attributes
    ----------
    encoding
        The module file under `encodings/`.
    post
        The goal that states the constraints on `Rows`; it searches nothing.
    label
        The goal that searches.
    inputs
        Values for the other variables of `post`. `Rows` is bound to the grid: a given cell is its value's code, an
        open one a variable named after the cell, and what is no cell (a black square) the atom `#`.
    alphabet
        Where values are not integers: the values that the integers 1, 2, ... stand for.
    """

    encoding: str
    post: str
    label: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    alphabet: tuple[Value, ...] = ()

    def code(self, value: Value) -> Any:
        """A value as clpfd knows it: its number in the alphabet, from 1, or itself where there is no alphabet."""
        return self.alphabet.index(value) + 1 if self.alphabet else value

    def value(self, code: int) -> Value:
        """The inverse of `code`."""
        return self.alphabet[code - 1] if self.alphabet else code


@dataclass(frozen=True, slots=True)
class StateForm:
    """An instance for state-space search: the problem, and how the grid of a goal state is read."""

    problem: Problem[Any, Any]
    read: Callable[[Any], Grid]


class Puzzle(Pictured, ABC):
    """One instance of one puzzle. Subclasses are frozen dataclasses with a field `grid`."""

    #: The name on the command line and in JSON.
    kind: ClassVar[str]
    #: What it is called in a sentence.
    title: ClassVar[str]
    #: What can be said of an instance beside its text, each option with a line of help: `box`, `variant`, `words`.
    options: ClassVar[Mapping[str, str]] = {}
    #: What more can be said of a new one (`blanks`), likewise.
    blank_options: ClassVar[Mapping[str, str]] = {}
    #: How a line of its text form begins that means nothing.
    comment: ClassVar[str] = "#"

    grid: Grid

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what has been derived from them is large, and holds functions that cannot be pickled."""
        return {one.name: getattr(self, one.name) for one in fields(cast(Any, self))}

    @classmethod
    def read_options(cls, options: Mapping[str, str]) -> dict[str, Any]:
        """Options as keys of the JSON form; a puzzle overrides it where an option's text is not yet its value.

        Raises
        ------
        InputError
            When an option has no such value.
        """
        return dict(options)

    @classmethod
    @abstractmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, str]) -> list[Self]:
        """The puzzles that a text holds, usually one. The names of the options are known ones.

        Raises
        ------
        InputError
            With line and column, when the text is no puzzle of this kind.
        """

    @classmethod
    def one_a_line(cls, head: str) -> str | None:
        """Whether a text of any length holds a puzzle a line, as far as its first lines tell.

        None when it does not. Otherwise what stands before the puzzles and belongs to each, with its line break:
        nothing, as a rule.
        """
        return None

    @classmethod
    @abstractmethod
    def from_json(cls, data: Mapping[str, Any], place: Place) -> Self:
        """The puzzle in its JSON form; the inverse of `to_json`. Options are keys of the object."""

    @classmethod
    def blanks(
        cls, rows: int, columns: int, options: Mapping[str, str], symmetry: str | None
    ) -> Callable[[Chance], Self]:
        """Instances of a size without clues. Unless a puzzle knows better, always what a text of open cells says.

        Parameters
        ----------
        options
            `options` and `blank_options`; their names are known ones.
        symmetry
            For puzzles with black cells: how these are to lie, None where nobody said.

        Raises
        ------
        InputError
            When there is none of this size.
        """
        text = "\n".join([" ".join("." * columns)] * rows)
        try:
            blank = cls.from_text(text, Place("--size"), options)[0]
        except InputError as error:
            if error.where == Place("--option"):
                raise
            raise InputError(f"there is no {cls.title} of {rows}x{columns}: {error.message}") from None
        return lambda chance: blank

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The JSON form; `{"puzzle": kind, "grid": [[...]], ...}` with null for open cells."""

    @abstractmethod
    def draw(self, grid: Grid | None = None) -> str:
        """The instance, or a grid of its shape, as text that `from_text` reads."""

    @abstractmethod
    def rules(self) -> tuple[Rule, ...]:
        """The rules other than clues, in a fixed order."""

    @property
    @abstractmethod
    def encoding(self) -> str:
        """Its encoding for clingo, a file under `encodings/`. What its rules say stands there, too."""

    @abstractmethod
    def values(self) -> tuple[Value, ...]:
        """The values that a cell can have, in ascending order."""

    @abstractmethod
    def facts(self) -> str:
        """The instance as facts, for `clingo` by hand together with the encoding."""

    @abstractmethod
    def asp(self) -> AspForm:
        """The instance for clingo."""

    def switchable(self) -> AspForm:
        """The instance for clingo with all its rules as switches, and no clue ground.

        A puzzle overrides it when its `asp` makes the program smaller by what the clues, or several rules together,
        leave: here every rule stands for itself.
        """
        return replace(self.asp(), switches=(), on=())

    @abstractmethod
    def clp(self) -> ClpForm:
        """The instance for clpfd."""

    @abstractmethod
    def csp(self) -> CSP:
        """The instance for imperative search; the variables are its cells, unless `read_assignment` says otherwise."""

    def state_space(self, *words: str) -> StateForm:
        """The instance for state-space search: unless a puzzle knows a better one, its `csp`, variable by variable.

        Parameters
        ----------
        words
            What the name of an engine adds: `fc` for forward checking (`dfs+fc`); a puzzle may know others.

        Raises
        ------
        UnsupportedError
            For a word that this puzzle does not know.
        """
        from bridge.search import Assignments

        if unknown := [word for word in words if word != "fc"]:
            raise UnsupportedError(
                f"{self.kind} has no state space with {unknown[0]!r}", hint="`bfs`, `dfs`, `greedy`, `astar` or +fc"
            )
        space = Assignments(self.csp(), forward_checking="fc" in words)
        return StateForm(space, lambda state: self.solution(self.read_assignment(space.read(state))))

    def cells(self) -> list[Cell]:
        """Every cell that takes a value, in reading order."""
        return [(r, c) for r, row in enumerate(self.grid, 1) for c in range(1, len(row) + 1)]

    def clues(self) -> dict[Cell, Value]:
        """The cells that are given, in reading order."""
        return {cell: value for cell in self.cells() if (value := at(self.grid, cell)) is not None}

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

    def everything(self) -> Self:
        """The same instance with every rule that an author may give, those too that exclude each other."""
        return self

    def orbits(self, symmetry: str | None) -> list[tuple[Cell, ...]]:
        """Which cells are given together, or not, when the clues are to have a symmetry.

        Raises
        ------
        InputError
            For a symmetry that the grid cannot have.
        """
        return orbits(self.cells(), symmetry or "none", len(self.grid), len(self.grid[0]))

    def clue_rules(self) -> list[Rule]:
        """A rule for each clue: `clue r4c7=2`."""
        return [Rule(f"clue {cell_name(cell)}={v}", (cell,), equal_to(v)) for cell, v in self.clues().items()]

    @property
    def extent(self) -> int:
        """How large the instance is: the values of all cells, clues or not, to compare instances of one puzzle."""
        return len(self.cells()) * len(self.values())

    @property
    def projected(self) -> bool:
        """True when different answers of a solver may be the same grid; engines then tell each grid once."""
        return False

    @property
    def clues_select(self) -> bool:
        """Whether a clue says no more than that its cell has a value: with it, the solutions are those that have it."""
        return True

    def symmetric(self) -> Reduction[Self] | None:
        """An instance whose solutions stand for all of this one's: they are counted, and enumerated, faster.

        A puzzle overrides it where exchanging values, rows or columns makes solutions of solutions, and its encoding
        can ask for one of each class. None where nothing of the kind is known of this instance.
        """
        return None

    def notes(self) -> tuple[str, ...]:
        """What its author should know about the instance as it was read, beside any verdict."""
        return ()

    def clashes(self) -> list[Violation]:
        """The rules that the clues alone break: with any, the puzzle is impossible, and here is why."""
        return violations(self.rules(), self.grid)

    def checker(self) -> Checker | None:
        """The rules that all instances of its shape share, at once; what it leaves out is asked for in `holds`.

        None where there is nothing of the kind.
        """
        return None

    @cached_property
    def _places(self) -> tuple[tuple[int, Value], ...]:
        return places(self.grid)

    def holds(self, solution: Grid) -> bool:
        """Whether a checker finds every rule kept, many times faster than `violations`; False where there is none."""
        checker = self.checker()
        return checker is not None and checker.hold(solution, self._places)

    def violations(self, solution: Grid) -> list[Violation]:
        """Why a grid is no solution of this instance; empty when it is one.

        This is the independent check that every solution passes before anybody sees it.
        """
        if self.holds(solution):  # as nearly always
            return []
        values = set(self.values())
        wrong = [cell for cell in self.cells() if at(solution, cell) not in values]
        if wrong:
            return [Violation("cell", (cell,), f"{cell_name(cell)} holds {at(solution, cell)}") for cell in wrong]
        return violations(self.rules(), solution) + violations(self.clue_rules(), solution)

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        """The grid that gives each cell its value; cells that are missing stay open, black squares stay black."""
        cells = set(self.cells())
        return tuple(
            tuple(values.get((r, c)) if (r, c) in cells else value for c, value in enumerate(row, 1))
            for r, row in enumerate(self.grid, 1)
        )

    def read_assignment(self, assignment: Mapping[Any, Any]) -> Mapping[Cell, Value]:
        """An assignment of `csp` as values of cells; for puzzles whose variables are not their cells."""
        return assignment

    def read_domains(self, domains: Mapping[Any, Sequence[Any]]) -> Mapping[Cell, Sequence[Value]]:
        """The domains of `csp`'s variables as the values that each cell may have; likewise."""
        return domains
