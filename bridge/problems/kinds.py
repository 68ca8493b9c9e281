"""The kinds of problems, and which functions take which.

A function that does not take a kind of problem says so, and which functions do.
"""

from __future__ import annotations

from bridge.errors import InputError, UnsupportedError, brief
from bridge.problems.goal import PrologProblem
from bridge.problems.program import AspProblem
from bridge.puzzles import Puzzle

Problem = Puzzle | AspProblem | PrologProblem

#: What a kind is called, and the functions that take it.
_KINDS: dict[type, tuple[str, str]] = {
    Puzzle: ("a puzzle", "check, residual, solutions, count, diagnose, grade, explain, compare, sheet"),
    AspProblem: ("a clingo program", "check, residual, solutions, count, diagnose, explain, why, why_cost, differ"),
    PrologProblem: ("a Prolog goal", "solutions, diagnose, why_goal, differ"),
}


def expect(problem: object, function: str, *kinds: type) -> None:
    """Check that a function takes a problem.

    Raises
    ------
    UnsupportedError
        When it takes problems of other kinds only.
    InputError
        When the problem is none.
    """
    if isinstance(problem, kinds):
        return
    for kind, (name, functions) in _KINDS.items():
        if isinstance(problem, kind):
            wanted = " or ".join(_KINDS[one][0] for one in kinds)
            hint = f"for {name} there are {functions}"
            raise UnsupportedError(f"{function} is for {wanted}, not for {name}", hint=hint)
    hint = 'bridge.load("sudoku", "puzzle.txt"), bridge.load("rules.lp"), or bridge.load("rooms.pl", goal="rooms(X)")'
    raise InputError(f"{brief(problem)} is no problem", hint=hint)
