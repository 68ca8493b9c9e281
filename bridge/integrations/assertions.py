"""Assertions about logic programs, for tests in Python: one that fails says why.

>>> assert_models("{ a; b } = 1.", 2)
>>> assert_models("{ a; b } = 1.", [["a"], ["b"]])
>>> assert_unsat("a. :- a.")
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from os import PathLike
from typing import Any

import bridge
from bridge.common.english import how_ended
from bridge.common.languages import is_path
from bridge.limits import Limits

#: Of each question, unless another is given.
LIMITS = Limits(seconds=10.0)


def _problem(problem: Any) -> Any:
    return bridge.program(problem) if isinstance(problem, str | PathLike) else problem


def _answer(atoms: Any) -> frozenset[str]:
    return frozenset(str(atoms).split() if isinstance(atoms, str) else map(str, atoms))


def assert_models(problem: Any, expected: int | Iterable[Iterable[str]] | None = None, *,
                  limits: Limits = LIMITS) -> None:
    """Fail unless a program has these answers.

    Parameters
    ----------
    problem
        A problem, or the path or the text of a clingo program.
    expected
        How many answers there are; or the answers themselves, each as the atoms that are shown; or None: at least one.
    limits
        A limit that comes first is a failure, too.

    Raises
    ------
    AssertionError
        With answers that are too many or missing; where there is none at all, with the rules and facts that clash.
    """
    __tracebackhide__ = True
    asked = _problem(problem)
    wanted = None if expected is None or isinstance(expected, int) else [_answer(one) for one in expected]
    number = expected if isinstance(expected, int) else None if wanted is None else len(set(wanted))
    outcome = bridge.solutions(asked, limits=replace(limits, solutions=1 if number is None else number + 1)).collect()
    found = [_answer(one) for one in outcome.solutions]
    if outcome.limit not in (None, "solutions"):
        raise AssertionError(how_ended(outcome.limit, f"after {len(found)} answers"))
    if not found and (number is None or number > 0):
        raise AssertionError(f"there is no answer\n\n{bridge.diagnose(asked, limits=limits)}")
    lines = []
    if number is not None and len(found) != number:
        more = len(found) > number
        lines.append(f"there are {f'more than {number}' if more else len(found)} answers, not {number}")
    if wanted is not None:
        lines += [f"not expected: {' '.join(sorted(one)) or '(no atom)'}" for one in found if one not in wanted]
        lines += [f"missing: {' '.join(sorted(one)) or '(no atom)'}" for one in wanted if one not in found]
    elif lines:
        lines += [f"  {' '.join(sorted(one)) or '(no atom)'}" for one in found[:5]]
    if lines:
        raise AssertionError("\n".join(lines))


def assert_unsat(problem: Any, *, limits: Limits = LIMITS) -> None:
    """Fail unless a program has no answer.

    Raises
    ------
    AssertionError
        With an answer, or because a limit came first.
    """
    __tracebackhide__ = True
    outcome = bridge.solutions(_problem(problem), limits=replace(limits, solutions=1)).collect()
    if outcome.solutions:
        raise AssertionError(f"there is an answer: {' '.join(sorted(_answer(outcome.solutions[0]))) or '(no atom)'}")
    if not outcome.complete:
        raise AssertionError(how_ended(outcome.limit))


def assert_equivalent(one: Any, other: Any, **given: Any) -> None:
    """Fail unless two programs have the same answers on the same instances: see `bridge.compare`.

    Raises
    ------
    AssertionError
        With a smallest instance on which they differ, and why; or because nothing was decided.
    """
    __tracebackhide__ = True
    programs = [_problem(of) if isinstance(of, str) and not is_path(of) else of for of in (one, other)]
    found = bridge.compare(*programs, **given)
    if found.disagreements or not found.equivalent:
        raise AssertionError(str(found))
