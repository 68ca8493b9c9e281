"""Clues taken away as long as the solution stays the only one.

- **Givens** are what an author may take away: clues, and the rules that are `given` (inequalities).
- A **piece** is what is taken away at once: a given, or clues that a symmetry makes one.

Two ideas. First: without a piece there is another solution just when one differs from the known one in a cell of that
piece. A rule is about its cells alone, so a solution that is the same there keeps it. That is one question a cell, "can
the rest hold, and this cell be something else?", put to one ground program.

Second: what is needed among many givens is needed among fewer. So one pass leaves nothing to take, and several pieces
go at once just when they go one by one: where a question costs much, many are tried together. (The oracle's cost is by
the cell; that of a grade, or of a search, is by the instance.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bridge.engines import engine
from bridge.errors import LimitError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.outcome import Verdict
from bridge.problems.oracle import Fact, Oracle, Premise
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Cell, Rule, Value, at

#: How many pieces are tried together at most.
TOGETHER = 32

#: Who is asked where the program would be too large for clingo.
SEARCH = "mac+mrv+degree"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some givens: the cells of clues, and rules. `cells` are all that they are about."""

    clues: tuple[Cell, ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(dict.fromkeys([*self.clues, *(cell for rule in self.rules for cell in rule.cells)]))


@dataclass(frozen=True, slots=True)
class Givens:
    """Those that are there: clues with their values, and names of rules."""

    clues: Mapping[Cell, Value]
    rules: frozenset[str]

    def without(self, pieces: Iterable[Piece]) -> Givens:
        clues = {cell for piece in pieces for cell in piece.clues}
        rules = {rule.name for piece in pieces for rule in piece.rules}
        return Givens({c: v for c, v in self.clues.items() if c not in clues}, self.rules - rules)


class Strip(ABC):
    """An instance that is being stripped.

    Parameters
    ----------
    everything
        The instance with every rule that its author may give.
    solution
        The one that is to remain the only one.

    Attributes
    ----------
    givens
        What is there: at first every clue, and every rule that the solution keeps.
    """

    #: Whether it pays to ask about many pieces at once.
    costly = False

    def __init__(self, everything: Puzzle, solution: Mapping[Cell, Value]) -> None:
        self._everything = everything
        self.solution = solution
        grid = everything.solution(solution)
        self._rules = {rule.name: rule for rule in everything.rules() if rule.given}
        holding = [r for r in self._rules.values() if r.check([at(grid, cell) for cell in r.cells]) is None]
        self.givens = Givens(solution, frozenset(rule.name for rule in holding))

    def puzzle(self, givens: Givens | None = None) -> Puzzle:
        """The instance with these givens, or those that are there."""
        kept = givens or self.givens
        return self._everything.without(self._rules.keys() - kept.rules).with_clues(kept.clues)

    def pieces(self, orbits: Iterable[Sequence[Cell]]) -> tuple[list[Piece], list[Piece]]:
        """The pieces that clues make, an orbit each, and those that rules make, one each."""
        rules = [Piece(rules=(rule,)) for rule in self._rules.values() if rule.name in self.givens.rules]
        return [Piece(tuple(orbit)) for orbit in orbits], rules

    def take(self, pieces: Sequence[Piece], least: int, allows: Callable[[Puzzle], bool] | None) -> None:
        """Take away every piece that can go, in this order, of the clues no more than leave so many.

        Parameters
        ----------
        pieces
            Of the givens that are there.
        least
            How many clues are to be left at least.
        allows
            Whether an instance will do; when it says no, it must do so with fewer givens, too.

        Raises
        ------
        LimitError
            When the deadline comes first. What was taken away is gone.
        """
        gallop = allows is not None or self.costly
        done, together = 0, 1
        while done < len(pieces):
            some = pieces[done : done + together]
            left = self.givens.without(some)
            cells = tuple(dict.fromkeys(cell for piece in some for cell in piece.cells))
            enough = len(left.clues) >= least or not any(piece.clues for piece in some)
            if enough and not self.another(left, cells) and (allows is None or allows(self.puzzle(left))):
                self.givens = left
                done += len(some)
                together = min(2 * together, TOGETHER) if gallop else 1
            elif len(some) > 1:
                together = max(1, len(some) // 4)
            else:
                done += 1

    def redundant(self) -> bool:
        """Whether one given can be left out by itself, whatever the symmetry and the grade."""
        clues, rules = self.pieces([(cell,) for cell in self.givens.clues])
        return any(not self.another(self.givens.without([piece]), piece.cells) for piece in [*clues, *rules])

    @abstractmethod
    def another(self, givens: Givens, cells: Iterable[Cell]) -> bool:
        """Whether with these givens there is another solution; if so, one differs in these cells.

        Raises
        ------
        LimitError
            When the deadline comes first.
        """


class StripByOracle(Strip):
    """It is asked of one ground program, the same for all instances of a shape."""

    def __init__(self, everything: Puzzle, solution: Mapping[Cell, Value], deadline: Deadline) -> None:
        self._oracle = Oracle(everything, deadline)
        super().__init__(everything, solution)
        self._always = [name for name, rule in self._oracle.rules.items() if not rule.given]
        self._facts = {cell: Fact(cell, value) for cell, value in solution.items()}
        self._other = {cell: fact.negated() for cell, fact in self._facts.items()}

    def another(self, givens: Givens, cells: Iterable[Cell]) -> bool:
        premises: list[Premise] = [*self._always, *sorted(givens.rules), *(self._facts[cell] for cell in givens.clues)]
        return any(self._oracle.holds((*premises, self._other[cell])) for cell in cells)


class StripBySearch(Strip):
    """It is asked of a search of our own, one instance after the other."""

    costly = True

    def __init__(self, everything: Puzzle, solution: Mapping[Cell, Value], deadline: Deadline) -> None:
        self._deadline = deadline
        super().__init__(everything, solution)

    def another(self, givens: Givens, cells: Iterable[Cell]) -> bool:
        if self._deadline.expired():
            raise LimitError("the limit on seconds came before the answer")
        limits = Limits(solutions=2, seconds=self._deadline.remaining())
        outcome = engine(SEARCH).solutions(self.puzzle(givens), limits).collect()
        if outcome.verdict is Verdict.UNKNOWN:
            raise LimitError(f"the limit on {outcome.limit} came before the answer")
        return outcome.verdict is Verdict.AMBIGUOUS


def strip(everything: Puzzle, solution: Mapping[Cell, Value], deadline: Deadline) -> Strip:
    """The instance with this solution, and everything given: by the oracle where clingo can take it."""
    try:
        return StripByOracle(everything, solution, deadline)
    except UnsupportedError:
        return StripBySearch(everything, solution, deadline)
