"""The solutions of an instance, the answer sets of a program, the answers to a goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, overload

from bridge.errors import LimitError
from bridge.limits import UNLIMITED, Deadline, Limits, takes_limits
from bridge.outcome import OnProgress, Outcome, Progress, Stream
from bridge.problem.kinds import expect
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.engines import only_asp
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Grid

if TYPE_CHECKING:
    from bridge.problem.asp import AspProblem
    from bridge.problem.prolog import PrologProblem
    from bridge.prolog import Answer


@overload
def solutions(
    problem: Puzzle, *, engine: str = ..., limits: Limits = ..., on_progress: OnProgress | None = ...
) -> Stream[Grid]: ...


@overload
def solutions(
    problem: AspProblem, *, engine: str = ..., limits: Limits = ..., on_progress: OnProgress | None = ...
) -> Stream[dict[str, Any]]: ...


@overload
def solutions(
    problem: PrologProblem, *, engine: str = ..., limits: Limits = ..., on_progress: OnProgress | None = ...
) -> Stream[Answer]: ...


@takes_limits("seconds", "solutions", "nodes")
def solutions(
    problem: Puzzle | AspProblem | PrologProblem,
    *,
    engine: str = "asp",
    limits: Limits = UNLIMITED,
    on_progress: OnProgress | None = None,
) -> Stream[Any]:
    """The solutions of an instance in the order found, each checked by the puzzle's own rules.

    Of a clingo program the answer sets as values of variables, those that show the same once: shown atoms are True or
    False; of a choice of exactly one atom for each fact, `at(math)` has what is chosen. Of a Prolog goal the answers.

    Parameters
    ----------
    problem
        The instance, the program, or the goal.
    engine
        Of a puzzle the name of an engine; `lpbridge puzzle engines` lists them.
    limits
        When to stop. `complete` and `limit` of the stream say how it ended. Nodes are only counted for puzzles.
    on_progress
        Called about once a second, while the stream is read, with the number of solutions and the seconds so far.
    """
    expect(problem, "solutions", "puzzle", "program", "goal")
    if isinstance(problem, Puzzle):
        return engine_of(engine).solutions(problem, limits, on_progress)
    only_asp(engine, "questions about programs")
    # Here: a puzzle needs none of it.
    from bridge.problem.asp import AspProblem

    if isinstance(problem, AspProblem):
        return _of_program(problem, limits, on_progress)
    return _of_goal(problem, limits, on_progress)


def _of_program(problem: AspProblem, limits: Limits, on_progress: OnProgress | None) -> Stream[dict[str, Any]]:
    def found(progress: Progress) -> Iterator[dict[str, Any]]:
        try:
            deadline = Deadline(limits.seconds)
            with closing(problem.ended(deadline).plain(deadline)) as oracle:
                yield from map(dict, oracle.solutions(()))
            progress.complete = True
        except LimitError:
            progress.limit = "seconds"

    return Stream(found, limits, on_progress)


def _of_goal(problem: PrologProblem, limits: Limits, on_progress: OnProgress | None) -> Stream[Answer]:
    def found(progress: Progress) -> Iterator[Answer]:
        with problem.session(limits) as session:
            answers = session.query(problem.query, limits=limits)
            with progress.following(answers):
                yield from answers

    return _Answers(found, limits, on_progress)


class _Answers(Stream["Answer"]):
    """Answers to a goal, of which some may be undefined."""

    def outcome(self, solutions: Iterable[Answer]) -> Outcome[Answer]:
        from bridge.prolog.answer import with_undefined

        return with_undefined(super().outcome(solutions))
