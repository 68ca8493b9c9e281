"""The grade of an instance: the weakest inference that solves it without search.

The levels are those of `bridge.puzzles.search.ladder`, the same for every puzzle. An instance without a CSP is graded
by the steps of its explanation (`bridge.puzzles.explain.grade_by_steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bridge.errors import InputError, LimitError, SolverError, UnsupportedError
from bridge.limits import UNLIMITED, Limits, takes_limits
from bridge.outcome import Verdict
from bridge.public import public
from bridge.puzzles.explain.grade_by_steps import grade_by_steps
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.puzzle import expect_puzzle
from bridge.puzzles.kinds.rules import Cell, Grid, Value
from bridge.puzzles.search.ladder import Domains, Grade, climb, levels_of


@public("bridge")
@takes_limits("seconds", "nodes")
def grade(
    puzzle: Puzzle,
    *,
    top: str = "search",
    limits: Limits = UNLIMITED,
    on_progress: Callable[[Grade], object] | None = None,
) -> Grade:
    """The grade of an instance.

    No engine is asked: the levels are inferences of `bridge.puzzles.search`.

    Parameters
    ----------
    puzzle
        The instance. The variables of the grade are those of its `csp`: cells, or in a crossword slots.
    top
        The last level to use, or a difficulty such as `easy`; an instance that it does not solve is `unknown`.
    limits
        When to stop. `limit` of the grade names the limit that came first, and the grade has what is known by then.
    on_progress
        Called with the grade so far, about once a second.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the grade so far in `partial`.
    SolverError
        When a solution breaks a rule of the puzzle: the ladder or the puzzle's CSP is wrong.
    """
    expect_puzzle(puzzle, "grade")
    forms = models(puzzle)

    def read(assignment: Mapping[Any, Any]) -> Grid:
        solution = puzzle.solution(forms.read_assignment(assignment))
        if wrong := puzzle.violations(solution):
            raise SolverError(f"the ladder gave a wrong solution: {wrong[0]}", hint="please report it")
        return solution

    try:
        problem = forms.csp()
    except UnsupportedError:
        return grade_by_steps(puzzle, top, limits)
    return climb(problem, top=top, limits=limits, read=read, on_progress=on_progress)


@takes_limits("seconds")
def possible_at(puzzle: Puzzle, level: str, *, limits: Limits = UNLIMITED) -> dict[Cell, tuple[Value, ...]]:
    """The possible values of each cell when a level is exhausted, in ascending order; empty for a contradiction.

    Compared with an exact residual it shows which cells have only one value but are not decided by this inference.
    """
    expect_puzzle(puzzle, "possible_at")
    models(puzzle).csp()
    level = levels_of(level)[-1]
    if level == "search":
        raise InputError("what search leaves open is the exact residual", hint="ask for that: `residual`")
    found = grade(puzzle, top=level, limits=limits)
    if found.verdict is Verdict.IMPOSSIBLE:
        return {}
    if found.limit is not None:
        raise LimitError(f"the limit on {found.limit} came before {level} was exhausted", hint="give it more time")
    return read_possible(puzzle, found.left[level])


def read_possible(puzzle: Puzzle, domains: Domains) -> dict[Cell, tuple[Value, ...]]:
    """Domains of the puzzle's CSP, none of them empty, as the values that each cell may have, in ascending order."""
    of_cells = models(puzzle).read_domains(domains)
    return {cell: tuple(of_cells[cell]) for cell in puzzle.cells() if cell in of_cells}
