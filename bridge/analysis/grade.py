"""How hard is an instance: the weakest inference that solves it without search.

The levels are those of `bridge.search.ladder`, the same for every puzzle: nothing here knows which it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridge.errors import InputError, LimitError, SolverError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles import Puzzle
from bridge.puzzles.models import models
from bridge.puzzles.rules import Cell, Grid, Value
from bridge.search.ladder import Domains, Grade, LevelName, climb


def grade(puzzle: Puzzle, *, top: LevelName = "search", seconds: float | None = None) -> Grade:
    """The grade of an instance.

    Parameters
    ----------
    puzzle
        The instance. The variables of the grade are those of its `csp`: cells, or in a crossword slots.
    top
        The last level to use; what it does not solve is `unknown`.
    seconds
        The time limit; when it comes first the grade says so, and what is known until then.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the grade so far in `partial`.
    SolverError
        When a solution breaks a rule of the puzzle: the ladder or the puzzle's CSP is wrong.
    """

    forms = models(puzzle)

    def read(assignment: Mapping[Any, Any]) -> Grid:
        solution = puzzle.solution(forms.read_assignment(assignment))
        if wrong := puzzle.violations(solution):
            raise SolverError(f"the ladder gave a wrong solution: {wrong[0]}", hint="please report it")
        return solution

    return climb(forms.csp(), top=top, limits=Limits(seconds=seconds), read=read)


def possible_at(puzzle: Puzzle, level: LevelName, *, seconds: float | None = None) -> dict[Cell, tuple[Value, ...]]:
    """What each cell may still be when a level is exhausted, in ascending order; empty when it finds a contradiction.

    Beside an exact residual it shows which cells are decided in truth but not by this inference.

    Raises
    ------
    InputError
        For `search`, which leaves what is true: that is the exact residual.
    LimitError
        When the time limit comes first.
    """
    if level == "search":
        raise InputError("search leaves nothing open but what is open in truth", hint="ask for the exact residual")
    found = grade(puzzle, top=level, seconds=seconds)
    if found.verdict is Verdict.IMPOSSIBLE:
        return {}
    if found.limit is not None:
        raise LimitError(f"the limit on {found.limit} came before {level} was exhausted", hint="give it more time")
    return read_possible(puzzle, found.left[level])


def read_possible(puzzle: Puzzle, domains: Domains) -> dict[Cell, tuple[Value, ...]]:
    """Domains of the puzzle's CSP, none of them empty, as the values that each cell may have, in ascending order."""
    of_cells = models(puzzle).read_domains(domains)
    return {cell: tuple(of_cells[cell]) for cell in puzzle.cells() if cell in of_cells}
