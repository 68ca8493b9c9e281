"""A random solution of an instance.

The instance's CSP, with variables and values in random order, is solved by `bridge.puzzles.search`. So the solution is
a function of the seed. An external solver may search in another order in its next version, or after learning from
earlier questions. (It is faster, too: a Sudoku takes 4 ms, against 200 ms cell by cell with clingo.)

A wrong decision early may cost a very long search: so each search is short, and the next has another order. The lengths
follow Luby, Sinclair and Zuckerman (Optimal speedup of Las Vegas algorithms, 1993): no other sequence without knowledge
of the problem is better by more than a logarithmic factor.

Solutions are not equally likely: where values have scores (words of a crossword), higher ones are tried first. An
instance without a CSP is solved cell by cell with clingo.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge.errors import InputError, LimitError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.kinds.seeded_random import SeededRandom
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact

#: Nodes of the shortest search, in addition to one for each variable.
UNIT = 50

#: The most searches.
TRIES = 30

_TOO_LATE = "the limit on seconds came before a random solution was found"


def random_solution(puzzle: Puzzle, chance: SeededRandom, deadline: Deadline) -> Mapping[Cell, Value] | None:
    """The value of every cell in some solution; None when none was found in `TRIES` searches.

    NoSolutionError when it is proved that there is none.
    """
    from bridge.puzzles.search import CSP, Strategy, luby, search

    forms = models(puzzle)
    try:
        problem, strategy, scores = forms.csp(), Strategy.parse("mac+mrv"), forms.scores()
    except UnsupportedError:
        return _by_cells(puzzle, chance, deadline)
    for number in range(1, TRIES + 1):
        domains = {x: chance.shuffled(problem.domains[x]) for x in chance.shuffled(problem.domains)}
        for x, score in scores.items():
            domains[x].sort(key=lambda value, score=score: -score[value])  # type: ignore[misc]
        if deadline.expired():
            raise LimitError(_TOO_LATE)
        limits = Limits(nodes=len(domains) + UNIT * luby(number), seconds=deadline.remaining())
        with search(CSP(domains, problem.constraints), strategy, limits) as assignments:
            if (found := next(assignments, None)) is not None:
                return forms.read_assignment(found)
        if assignments.complete:
            raise NoSolutionError
        if assignments.limit == "seconds":
            raise LimitError(_TOO_LATE)
    return None


def _by_cells(puzzle: Puzzle, chance: SeededRandom, deadline: Deadline) -> Mapping[Cell, Value]:
    """A solution, cell by cell in random order: of the values in random order, the first that some solution has.

    Each question has one true answer, so here, too, the solution is a function of the seed.
    """
    oracle, forms = Oracle(puzzle, deadline), models(puzzle)
    premises: list[RuleOrFact] = [*oracle.rules, *oracle.clues]
    if not oracle.holds(premises):
        raise NoSolutionError
    if without := [cell for cell in puzzle.cells() if not oracle.domains.get(cell)]:
        message = f"{forms.name(without[0])} of a blank {puzzle.title} can hold nothing"
        raise InputError(message, hint="its program needs facts that a blank instance does not have: `blank(Fact)`")
    found: dict[Cell, Value] = {}
    for cell in chance.shuffled(puzzle.cells()):
        values = sorted(oracle.domains[cell], key=oracle.order)
        for value in chance.shuffled(values):
            if oracle.holds([*premises, Fact(cell, value)]):
                found[cell] = value
                premises.append(Fact(cell, value))
                break
    return found


class NoSolutionError(Exception):
    """The instance has no solution."""
