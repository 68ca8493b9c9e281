"""A random solution of an instance.

The one idea: the puzzle's own problem, its variables and the values of each in random order, given to a search of our
own. So the solution is told by the seed alone; a solver from outside might begin elsewhere in its next version, or
after what it has learnt from earlier questions. (It is faster, too: a Sudoku takes 4 ms. Drawn cell by cell, with
clingo to say which values are possible, it takes 200.)

A search that took a wrong turn early may not come back: so each is short, and the next begins in another order. How
short follows Luby, Sinclair and Zuckerman (Optimal speedup of Las Vegas algorithms, 1993): no other sequence that knows
nothing of the problem is better by more than a logarithm.

Not all solutions are equally likely.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge.errors import LimitError
from bridge.limits import Deadline, Limits
from bridge.puzzles import Puzzle
from bridge.puzzles.models import models
from bridge.puzzles.rules import Cell, Value
from bridge.puzzles.seeded_random import SeededRandom

#: Nodes of the shortest search beyond one for each variable.
UNIT = 50

#: Searches before the instance is given up.
TRIES = 30

_TOO_LATE = "the limit on seconds came before a random solution was found"


def random_solution(puzzle: Puzzle, chance: SeededRandom, deadline: Deadline) -> Mapping[Cell, Value] | None:
    """The value of every cell in some solution; None when none was found in `TRIES` searches.

    Raises
    ------
    NoSolutionError
        When there is none, and that is proved.
    LimitError
        When the deadline comes first.
    """
    from bridge.search import CSP, Strategy, luby, search

    forms = models(puzzle)
    problem, strategy = forms.csp(), Strategy.parse("mac+mrv")
    for number in range(1, TRIES + 1):
        domains = {x: chance.shuffled(problem.domains[x]) for x in chance.shuffled(problem.domains)}
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


class NoSolutionError(Exception):
    """The instance has no solution."""
