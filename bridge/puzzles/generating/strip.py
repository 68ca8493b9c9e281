"""Remove clues as long as the solution stays unique.

- **Givens** are what can be removed: clues, and the rules that are `given` (inequalities).
- A **piece** is removed at once: a given, or clues that a symmetry relates.

Without a piece there is another solution exactly if some solution differs from the known one in a cell of that piece: a
rule depends on its cells alone, so a solution that agrees there satisfies it. That is one question for each cell, "can
the rest hold, with another value in this cell?", put to one ground program.

A given that is needed among many is needed among fewer. So one pass suffices, and several pieces can be removed
together exactly if they can be removed one by one: where a question is expensive, many are tried together. (The cost of
the oracle is by cell; that of a grade, or of a search, is by instance.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bridge.common import how_ended
from bridge.errors import LimitError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.outcome import Verdict
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Cell, Rule, Value, at, by_solver
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact

#: The most pieces that are tried together.
TOGETHER = 32

#: The engine for instances that are too large for clingo.
SEARCH = "mac+mrv+degree"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some givens: the cells of clues, and rules. `cells` are those of both."""

    clues: tuple[Cell, ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(dict.fromkeys([*self.clues, *(cell for rule in self.rules for cell in rule.cells)]))


@dataclass(frozen=True, slots=True)
class Givens:
    """The givens of an instance: clues with their values, and names of rules."""

    clues: Mapping[Cell, Value]
    rules: frozenset[str]

    def without(self, pieces: Iterable[Piece]) -> Givens:
        clues = {cell for piece in pieces for cell in piece.clues}
        rules = {rule.name for piece in pieces for rule in piece.rules}
        return Givens({c: v for c, v in self.clues.items() if c not in clues}, self.rules - rules)


class Strip:
    """An instance from which givens are removed so that its solution stays unique.

    At first, the `givens` are every clue, and every rule that the solution satisfies, of all optional ones. Questions
    are put to one ground program, the same for all instances of a shape; where that is too large for clingo, each
    instance is searched.
    """

    def __init__(self, everything: Puzzle, solution: Mapping[Cell, Value], deadline: Deadline) -> None:
        self._everything, self.solution, self._deadline = everything, solution, deadline
        try:
            self._oracle: Oracle | None = Oracle(everything, deadline)
        except UnsupportedError:
            self._oracle = None
        grid = everything.solution(solution)
        self._rules = {rule.name: rule for rule in everything.rules() if rule.given}
        holding = [r for r in self._rules.values() if r.check([at(grid, cell) for cell in r.cells]) is None]
        if any(rule.check is by_solver for rule in holding):
            broken = {violation.rule for violation in everything.violations(grid)}
            holding = [rule for rule in holding if rule.name not in broken]
        self.givens = Givens(solution, frozenset(rule.name for rule in holding))
        self._always = [rule.name for rule in everything.rules() if not rule.given]
        self._facts = {cell: Fact(cell, value) for cell, value in solution.items()}
        self._other = {cell: fact.negated() for cell, fact in self._facts.items()}

    def puzzle(self, givens: Givens | None = None) -> Puzzle:
        """The instance with these givens, or the current ones."""
        kept = givens or self.givens
        return self._everything.without(self._rules.keys() - kept.rules).with_clues(kept.clues)

    def pieces(self, orbits: Iterable[Sequence[Cell]]) -> tuple[list[Piece], list[Piece]]:
        """The pieces of clues, one for each orbit, and those of rules, one for each rule."""
        rules = [Piece(rules=(rule,)) for rule in self._rules.values() if rule.name in self.givens.rules]
        return [Piece(tuple(orbit)) for orbit in orbits], rules

    def take(self, pieces: Sequence[Piece], least: int, allows: Callable[[Puzzle], bool] | None) -> None:
        """Remove every redundant piece, in this order, and leave at least so many clues.

        `allows` says whether an instance is accepted; if not, it must not be accepted with fewer givens either. When
        the deadline comes first, the pieces removed by then stay removed.
        """
        gallop = allows is not None or self._oracle is None  # a search is costly: many pieces at once
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
        """Whether some given is redundant alone, regardless of symmetry and grade."""
        clues, rules = self.pieces([(cell,) for cell in self.givens.clues])
        return any(not self.another(self.givens.without([piece]), piece.cells) for piece in [*clues, *rules])

    def another(self, givens: Givens, cells: Iterable[Cell]) -> bool:
        """Whether there is another solution with these givens; if so, one differs in these cells."""
        if (oracle := self._oracle) is not None:
            facts = (self._facts[cell] for cell in givens.clues)
            premises: list[RuleOrFact] = [*self._always, *sorted(givens.rules), *facts]
            return any(oracle.holds((*premises, self._other[cell])) for cell in cells)
        if self._deadline.expired():
            raise LimitError("the limit on seconds came before the answer")
        limits = Limits(solutions=2, seconds=self._deadline.remaining())
        outcome = engine(SEARCH).solutions(self.puzzle(givens), limits).collect()
        if outcome.verdict is Verdict.UNKNOWN:
            raise LimitError(how_ended(outcome.limit, "before the answer"))
        return outcome.verdict is Verdict.AMBIGUOUS
