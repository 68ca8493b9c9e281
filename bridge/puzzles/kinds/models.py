"""The forms in which an instance is given to solvers. Each kind has its own.

>>> from bridge.puzzles.kinds import parse
>>> form = models(parse("sudoku", "1...............")).asp()
>>> form.encoding, form.clues
('sudoku/sudoku.lp', ((1, 1, 1),))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from bridge.errors import UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.registry import class_of
from bridge.puzzles.kinds.rules import Cell, Grid, Rule, Value, cell_name

if TYPE_CHECKING:  # imported when a CSP is made: importing a puzzle should not import the search package
    from bridge.puzzles.kinds.symmetry import Reduction
    from bridge.puzzles.search import CSP, Problem

P = TypeVar("P", bound=Puzzle)
T = TypeVar("T")


# Not frozen: that takes four times as long to make, which is done for each instance.
@dataclass(slots=True, eq=False, repr=False)
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
        Arguments of the `cell/3` atoms that hold in this instance; assumed, not ground.
    solver
        Further options of clingo's command line, where measurements found some that are faster on this kind.
    switches
        The rules of the encoding that are to be assumed, as its comments name them: `row {R}`. All of them when empty;
        None for a program that is loaded as it is.
    on
        Of these rules, by their full names (`row 3`), those that hold in this instance, each once. The others do not.
    reusable
        False when the clues are part of the structure: no other instance can use the ground program.
    answer
        The predicate of the answer, with three arguments: row, column and value.
    program
        The text of the encoding, where it is not a file under `encodings/`; it is that of a user then, and runs in a
        process of its own. Answers are projected to the answer's predicate.
    """

    encoding: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    structure: str = ""
    clues: tuple[tuple[Any, ...], ...] = ()
    solver: tuple[str, ...] = ()
    switches: tuple[str, ...] | None = None
    on: tuple[str, ...] = ()
    reusable: bool = True
    answer: str = "cell"
    program: str = ""
    _shape: tuple[Any, ...] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def shape(self) -> tuple[Any, ...]:
        """All that the ground program depends on."""
        if self._shape is None:
            constants = tuple(self.constants.items())
            self._shape = self.encoding, self.program, constants, self.structure, self.solver, self.switches
        return self._shape

    def with_clues(self, clues: tuple[tuple[Any, ...], ...]) -> AspForm:
        """The same for another instance of the shape."""
        form = AspForm(  # `replace` and `copy` take five times as long
            self.encoding, self.constants, self.structure, clues, self.solver,
            self.switches, self.on, self.reusable, self.answer, self.program,
        )  # fmt: skip
        form._shape = self.shape
        return form


class ClpForm(NamedTuple):
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
        open one a variable named after the cell, and a square that is not a cell (black) the atom `#`.
    alphabet
        Where values are not integers: the values that the integers 1, 2, ... stand for.
    """

    encoding: str
    post: str
    label: str
    inputs: Mapping[str, Any] = MappingProxyType({})
    alphabet: tuple[Value, ...] = ()

    def code(self, value: Value) -> Any:
        """The integer for a value in clpfd: its number in the alphabet, from 1, or itself if there is no alphabet."""
        return self.alphabet.index(value) + 1 if self.alphabet else value

    def value(self, code: int) -> Value:
        """The inverse of `code`."""
        return self.alphabet[code - 1] if self.alphabet else code

    def rows(self, puzzle: Puzzle, black: T, opened: Callable[[Cell], T]) -> list[list[T]]:
        """The grid of an instance: codes, and what stands for black squares and for open cells."""
        cells = set(puzzle.cells())

        def term(cell: Cell, value: Value | None) -> T:
            return black if cell not in cells else opened(cell) if value is None else self.code(value)

        return [[term((r, c), value) for c, value in enumerate(row, 1)] for r, row in enumerate(puzzle.grid, 1)]


class StateForm(NamedTuple):
    """An instance for state-space search: the problem, and a function that reads the grid of a goal state."""

    problem: Problem[Any, Any]
    read: Callable[[Any], Grid]


class Models(ABC, Generic[P]):
    """The forms of one instance for solvers, and what engines need for reading their answers."""

    def __init__(self, puzzle: P) -> None:
        self.puzzle = puzzle

    def warnings(self) -> tuple[str, ...]:
        """What clingo warned of in the program of a kind that is a file, while this thread keeps it ground."""
        return ()

    @property
    @abstractmethod
    def encoding(self) -> str:
        """The encoding for clingo, a file under `encodings/` or, with a `program`, of a user.

        Its comments name the rules and say what they mean.
        """

    @property
    def program(self) -> str:
        """The text of the encoding, where it is not a file under `encodings/`."""
        return ""

    @abstractmethod
    def facts(self) -> str:
        """The instance as facts, for `clingo` by hand together with the encoding."""

    def stated(self) -> str:
        """The same without constants."""
        return "".join(f"{line}\n" for line in self.facts().splitlines() if not line.startswith("#"))

    @abstractmethod
    def asp(self) -> AspForm:
        """The instance for clingo."""

    def switchable(self) -> AspForm:
        """The instance for clingo with all its rules as switches, and no clue ground.

        Override it when `asp` makes the program smaller by what the clues, or several rules together, imply: here
        every rule has to be complete by itself.
        """
        return replace(self.asp(), switches=(), on=())

    def clue_atoms(self) -> tuple[tuple[Any, ...], ...]:
        """The clues as arguments of `cell/3`."""
        return tuple([(r, c, value) for (r, c), value in self.puzzle.clues().items()])

    @abstractmethod
    def clp(self) -> ClpForm:
        """The instance for clpfd."""

    @abstractmethod
    def csp(self) -> CSP:
        """The instance for imperative search; the variables are its cells, unless `read_assignment` is overridden."""

    def engine_csp(self, limits: Limits = UNLIMITED) -> CSP:
        """The instance for engines that solve a CSP: by default its `csp`.

        A kind that has none, whose constraints are the rules on its cells, may have one with other variables. The
        limits are for grounding, where it is read from a ground program.
        """
        return self.csp()

    def scores(self) -> Mapping[Any, Mapping[Any, int]]:
        """By variable of the CSP, the score of each value; a solution with high scores is preferred. Usually empty."""
        return {}

    def domains(self) -> dict[Cell, tuple[Any, ...]]:
        """The values of each cell before any rule is applied: a clue has one."""
        given, values = self.puzzle.clues(), self.puzzle.values()
        return {cell: (given[cell],) if cell in given else values for cell in self.puzzle.cells()}

    def state_space(self, *words: str) -> StateForm:
        """The instance for state-space search: by default its `csp`, variable by variable.

        Words are what the name of an engine adds: `fc` for forward checking (`dfs+fc`); a kind may have others.
        """
        from bridge.puzzles.search import Assignments

        if unknown := [word for word in words if word != "fc"]:
            raise UnsupportedError(
                f"{self.puzzle.kind} has no state space with {unknown[0]!r}",
                hint="`bfs`, `dfs`, `greedy`, `astar` or +fc",
            )
        space = Assignments(self.engine_csp(), forward_checking="fc" in words)
        return StateForm(space, lambda state: self.puzzle.solution(self.read_assignment(space.read(state))))

    def read_assignment(self, assignment: Mapping[Any, Any]) -> Mapping[Cell, Value]:
        """An assignment of `csp` as values of cells; for kinds whose variables are not their cells."""
        return assignment

    def read_domains(self, domains: Mapping[Any, Sequence[Any]]) -> Mapping[Cell, Sequence[Value]]:
        """The domains of the variables of `csp` as the values that each cell may have; for the same kinds."""
        return domains

    @property
    def projected(self) -> bool:
        """Whether different answers of a solver may be the same grid; engines then return each grid once."""
        return False

    @property
    def clues_select(self) -> bool:
        """Whether a clue only fixes the value of its cell: then it selects those solutions that have this value."""
        return True

    @property
    def extent(self) -> int:
        """The size of the instance, to compare instances of one kind: the values of all cells, given or open."""
        return len(self.puzzle.cells()) * len(self.puzzle.values())

    @property
    def checked(self) -> bool:
        """Whether something that shares nothing with the encoding for clingo checks answers."""
        return True

    def links(self) -> tuple[Rule, ...]:
        """All rules that link the values of cells, also those that have no name of their own."""
        return self.puzzle.rules()

    def name(self, cell: Cell) -> str:
        """What a cell is called."""
        return cell_name(cell)

    def symmetric(self) -> Reduction[P] | None:
        """An instance whose solutions stand for all of this one's, so that they are counted and enumerated faster.

        Override it where exchanging values, rows or columns maps solutions to solutions, and the encoding can ask for
        one of each class. None where no such symmetry of the instance is known.
        """
        return None


def models(puzzle: P) -> Models[P]:
    """The forms of an instance for solvers."""
    made: Models[P] = class_of(puzzle.kind, "models")(puzzle)
    return made
