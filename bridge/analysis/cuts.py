"""Answers that a failing goal has when a cut is left out.

    >>> problem = PrologProblem(["p(1).\\np(2).\\nq(X) :- p(X), !, X > 1.\\n"], "q(X)")
    >>> [place, why], = hidden_by_cuts(problem, problem.read(), [(0, 2)], Deadline(None))
    >>> print(place, why)
    <text>:3:15 without this cut there is an answer, X = 2: the cut keeps the first solution of `p(X)`
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bridge.errors import LimitError, Place, ProgramError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem.fragments import line_of
from bridge.problem.prolog import PrologProblem, SourcesOfGoal, prepared_session

#: Cuts that are tried, at most, and what the program without one of them may take.
_TRIALS = 6
_TRIAL = Limits(seconds=0.5, memory=2**28)


def hidden_by_cuts(problem: PrologProblem, program: SourcesOfGoal, entered: Collection[tuple[int, int]],
                   deadline: Deadline) -> Iterator[tuple[Place, str]]:
    """The cuts of the clauses that a goal enters, given by source and number, without which it does not fail."""
    cuts = [
        (number, source, clause, goal)
        for number, source in enumerate(program.sources[:-1])
        for index, clause in enumerate(source.clauses)
        if (number, index) in entered
        for goal in clause.goals
        if goal.name == "!" and goal.arity == 0
    ]
    for number, source, clause, goal in cuts[:_TRIALS]:
        text = f"{source.text[: goal.start]}true{source.text[goal.end :]}"
        without = program.with_text(number, text)
        try:
            with prepared_session(problem, program, without, deadline.within(UNLIMITED)) as session:
                answer = session.first(problem.query, limits=deadline.within(_TRIAL))
        except (ProgramError, LimitError):
            continue
        if answer is None:
            continue
        before = [one for one in clause.goals if one.end <= goal.start and one.name != "!"]
        if before:
            first, last = before[0], before[-1]
            keeps = f"keeps the first solution of `{line_of(source.text[first.start : last.end])}`"
        else:
            keeps = "leaves out the clauses after it"
        values = " ".join(str(answer).split()).rstrip(".")
        shown = f", {values}" if answer else ""
        yield source.place(goal.start), f"without this cut there is an answer{shown}: the cut {keeps}"
