"""The front door: problems from files, by what they are.

>>> program("{ a; b } = 1.")
<AspProblem <text>>
>>> goal("p(1). p(2).", "p(X)").query
'p(X)'
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from bridge.common.arguments import named_arguments
from bridge.common.languages import is_path, language_of_path, language_of_text
from bridge.errors import InputError, brief
from bridge.limits import UNTRUSTED
from bridge.public import public

if TYPE_CHECKING:
    from bridge.problem.asp import AspProblem
    from bridge.problem.prolog import PrologProblem


@public("bridge")
@named_arguments
def program(*files: str | PathLike[str], show: str | Iterable[str] | None = None, optimal: bool | None = None,
            untrusted: bool = False, allow_missing_walls: bool = False, **constants: Any) -> AspProblem:
    """A clingo program, and how it is run; `AspProblem` has further options.

    Parameters
    ----------
    files
        Paths, or the text of programs.
    show
        The predicates that an answer set consists of: `"at/2, in/1"`. By default what the program shows.
    optimal
        Whether only the answer sets of least cost count.
    untrusted, allow_missing_walls
        As for `asp.Program`: a program of somebody else is confined.
    constants
        Values for `#const`.

    Raises
    ------
    InputError
        For a Prolog program, which needs a goal.
    """
    if is_prolog(files):
        raise InputError("a Prolog program needs a goal", hint='bridge.goal("rooms.pl", "rooms(X, Y)")')
    from bridge.problem.asp import AspProblem  # here, as below: the other kind is of no use

    return AspProblem(*files, constants=constants, untrusted=untrusted, allow_missing_walls=allow_missing_walls,
                      memory=UNTRUSTED.memory if untrusted else None, show=show, optimal=optimal)


@public("bridge")
@named_arguments
def goal(files: str | PathLike[str] | Iterable[str | PathLike[str]], goal: str, *, untrusted: bool = False,
         allow_missing_walls: bool = False) -> PrologProblem:
    """A Prolog program with a goal.

    Parameters
    ----------
    files
        The path or the text of the program, or a list of these.
    goal
        The query, as at the toplevel.
    untrusted, allow_missing_walls
        As for `prolog.Session`: a program of somebody else is confined.

    Raises
    ------
    InputError
        When there is not a program, or the goal is empty.
    """
    from bridge.problem.prolog import PrologProblem

    if isinstance(files, str | PathLike):
        files = [files]
    if not isinstance(files, Iterable):
        raise InputError(f"{brief(files)} is not a program", hint='goal("rooms.pl", "rooms(X, Y)")')
    return PrologProblem(list(files), goal, untrusted, allow_missing_walls)


def sources_of(of: Any) -> list[str | PathLike[str]]:
    """The files and texts of a clingo program, given as one or several; InputError for anything else."""
    several = [of] if isinstance(of, str | PathLike) else list(of) if isinstance(of, list | tuple) else []
    if not several or not all(isinstance(one, str | PathLike) for one in several):
        raise InputError(f"{brief(of)} is not a clingo program", hint="the path of an .lp file, or bridge.program")
    return several


def is_prolog(of: Any, goal: object = None) -> bool:
    """Whether it is a Prolog program, or a list of goals: by its type, or by the name of its first file.

    Text is what it can only be (`language_of_text`); what can be both is Prolog where there is a goal.
    """
    first = of[0] if isinstance(of, list | tuple) and of else of
    if isinstance(first, str | PathLike):
        source = fspath(first)
        language = language_of_path(source) if is_path(first) else language_of_text(source)
        return language == "prolog" or (bool(goal) and language is None and not is_path(first))
    goals = sys.modules.get("bridge.problem.prolog")  # without it there is none
    return goals is not None and isinstance(first, goals.PrologProblem)
