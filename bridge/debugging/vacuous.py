"""Repairs that do what was asked for and mean nothing, or something else than another: goals near by are asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from bridge.common import listed
from bridge.debugging.goal_edits import atoms
from bridge.debugging.goal_search import INFERENCES, Answers, GoalTrials
from bridge.debugging.search import Variant
from bridge.errors import LimitError
from bridge.limits import Deadline

#: Repairs that are asked, and the variable of an open argument.
_ASKED, _OPEN = 12, "Open"

#: Goals that are asked to tell repairs apart.
_TELLING = 24

#: An answer that leaves that variable open.
_LEFT_OPEN = re.compile(rf"\b{_OPEN} = _?[A-Z]\w*(?:,|$)")

#: The least number of answers that may not all be lost.
_LEAST = 3


def open_forms(goal: str) -> list[str]:
    """A goal with each of its arguments open, one at a time; none where it is not one predication.

    >>> open_forms("sum([1, 2], 3)")
    ['sum(Open, 3)', 'sum([1, 2], Open)']
    """
    found = next(atoms(goal, 0, len(goal)), None)
    if found is None or (found.start, found.end) != (0, len(goal)):
        return []
    return [f"{goal[:begin]}{_OPEN}{goal[end:]}" for begin, end in found.arguments]


def meaningful(
    trials: GoalTrials, base: str, repairs: Sequence[Variant], goals: Sequence[str], deadline: Deadline
) -> list[Variant]:
    """The repairs without those that are vacuous.

    A repair is vacuous when a predicate that was asked for leaves an argument open that the program bound or refused,
    or when all of its several answers are gone. (That it accepts values near by says nothing: so does `X < 10`.)
    """
    opened = [form for goal in goals for form in open_forms(goal.strip())]
    if not opened:
        return list(repairs)
    with trials.like(opened) as asking:
        try:
            before = asking.run(base, deadline)
            some = [(one, asking.run(one.text, deadline)) for one in islice(repairs, _ASKED)]
        except LimitError:
            return list(repairs)
    return [*(one for one, now in some if not any(map(_is_vacuous, before, now))), *repairs[_ASKED:]]


def told_apart(trials: GoalTrials, repairs: Sequence[Variant], goals: Sequence[str], deadline: Deadline) -> str | None:
    """The first goal that repairs answer differently, and how each does, as a question; None where there is none.

    The goals are asked as they are, and with open arguments.
    """
    goals = [*(form for goal in goals for form in open_forms(goal)), *goals][:_TELLING]
    with trials.like(goals) as asking:
        asking.inferences = INFERENCES[0]
        try:
            found = [(one.lines[0], asking.run(one.text, deadline)) for one in repairs]
        except LimitError:
            return None
    for number, goal in enumerate(goals):
        answers = {line: "; ".join(now[number].answers[:2]) or "no answer" for line, now in found}
        if len({*answers.values()}) > 1 and not any(now[number].end.startswith("error") for _, now in found):
            each = (f"{answer} by a change of line {line}" for line, answer in answers.items())
            return f"what is meant? ?- {goal}. has {listed(list(each))}"
    return None


def _is_vacuous(before: Answers, now: Answers) -> bool:
    """Whether an open form of a goal says so, by its answers before and after a repair."""
    if any(map(_LEFT_OPEN.search, now.answers)):
        return not any(map(_LEFT_OPEN.search, before.answers))
    return len(before.answers) >= _LEAST and not now.answers
