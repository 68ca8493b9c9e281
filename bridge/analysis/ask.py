"""The questions that are put to any problem: each is answered by the module that the problem names.

A problem is a clingo program, a Prolog program with a goal, or a puzzle. `Problem.answers` names a module with a
function for each question, imported when the first one is asked: `bridge.analysis.of_programs`, for example.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bridge.analysis.explain import Step
from bridge.errors import InputError, UnsupportedError, brief
from bridge.limits import UNLIMITED, Limits, takes_limits
from bridge.outcome import OnProgress, Stream
from bridge.problem.problem import Problem


def answering(problem: object, question: str) -> Any:
    """The function that answers a question about a problem.

    Raises
    ------
    InputError
        When the problem is not one.
    UnsupportedError
        When nothing answers this question about it.
    """
    if not isinstance(problem, Problem):
        hint = 'bridge.load("rules.lp"), bridge.load("rooms.pl", goal="rooms(X)"), or bridge.load("sudoku", "a.txt")'
        raise InputError(f"{brief(problem)} is not a problem", hint=hint)
    found = getattr(import_module(problem.answers), question, None)
    if found is None:
        raise UnsupportedError(f"{question} is not available for {problem.noun}")
    return found


@takes_limits("seconds", "solutions")
def explain(
    problem: Problem, *, engine: str = "asp", limits: Limits = UNLIMITED, on_progress: OnProgress | None = None
) -> Stream[Step]:
    """The steps that lead from the clues to the solution, in order.

    Of an ambiguous instance, the steps to the cells that have the same value in all solutions. The stream is `complete`
    when nothing is left to explain.

    Parameters
    ----------
    problem
        A puzzle, or a program. Of a program, the steps are shown atoms, and the rules are its constraints and the
        bounds of its choices.
    engine
        `asp`: a step is a core of rules and facts, which no other engine has.
    limits
        When to stop. A limit on solutions is one on steps.
    on_progress
        Called about once a second, while the stream is read, with the number of steps and the seconds so far.

    Raises
    ------
    InputError
        In the iteration, when there is no solution: `diagnose` says why.
    UnsupportedError
        For another engine; when the encoding does not name its rules, or the instance is too large for clingo.
    """
    found = answering(problem, "explain")(problem, engine, limits, on_progress)
    assert isinstance(found, Stream)
    return found
