"""The kinds of problems, and which functions take which.

A function that does not take a kind of problem says so, and which functions do. Of a puzzle, the modules of the other
kinds are not imported.
"""

from __future__ import annotations

from typing import Literal

from bridge.common.lazy import registered
from bridge.errors import InputError, UnsupportedError, brief

Kind = Literal["puzzle", "program", "goal"]

#: What a kind is called, and the functions that take it; the class is registered by the name of the kind.
_KINDS: dict[Kind, tuple[str, str]] = {
    "puzzle": (
        "a puzzle",
        "check, residual, solutions, count, diagnose, grade, explain, compare, sheet",
    ),
    "program": (
        "a clingo program",
        "check, residual, solutions, count, diagnose, explain, why, why_cost, differ",
    ),
    "goal": ("a Prolog goal", "solutions, diagnose, why_goal, differ"),
}


def expect(problem: object, function: str, *kinds: Kind) -> None:
    """Check that a function takes a problem.

    Raises
    ------
    UnsupportedError
        When it takes problems of other kinds only.
    InputError
        When the problem is none.
    """
    for kind, (name, functions) in _KINDS.items():
        if (known := registered(kind)) is not None and isinstance(problem, known):
            if kind in kinds:
                return
            wanted = " or ".join(_KINDS[one][0] for one in kinds)
            hint = f"for {name} there are {functions}"
            raise UnsupportedError(f"{function} is for {wanted}, not for {name}", hint=hint)
    hint = 'bridge.load("sudoku", "puzzle.txt"), bridge.load("rules.lp"), or bridge.load("rooms.pl", goal="rooms(X)")'
    raise InputError(f"{brief(problem)} is no problem", hint=hint)
