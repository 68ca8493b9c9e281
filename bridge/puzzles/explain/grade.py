"""The grade of an instance: the weakest inference that solves it without search.

The levels are those of `bridge.puzzles.search.ladder`, the same for every puzzle. An instance without a CSP is graded
by the steps of its explanation:

| level | the steps |
|---|---|
| `fc` | the rules of a cell exclude all its other values |
| `ac` | a rule excludes all other places for a value |
| `gac` | several rules, one after the other |
| `search` | all rules together |

A step that has the name of a technique counts for the technique's level.

The ladder's levels mean the same in principle (each includes those before it), but they are not measured by the same
inference: compare the grades of one kind of puzzle with each other, not with those of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from bridge.analysis import How, Step
from bridge.common import public
from bridge.errors import SolverError, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, Limits, takes_limits
from bridge.outcome import Verdict
from bridge.puzzles.engines import engine
from bridge.puzzles.explain.explain import explain_puzzle
from bridge.puzzles.explain.techniques import Technique
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.puzzle import expect_puzzle
from bridge.puzzles.kinds.rules import Cell, Grid, Value, at
from bridge.puzzles.search.ladder import LEVELS, Grade, Tally, climb, levels_of
from bridge.puzzles.search.techniques import LevelName

_LEVEL: Mapping[How, LevelName] = {"value": "fc", "place": "ac", "rules": "gac", "search": "search"}

#: The levels that a grade by steps can have.
LEVELS_BY_STEPS = tuple(name for name in LEVELS if name != "shaving")


@public("bridge.puzzles")
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
        return _by_steps(puzzle, top, limits)
    return climb(problem, top=top, limits=limits, read=read, on_progress=on_progress)


def _by_steps(puzzle: Puzzle, top: str, limits: Limits) -> Grade:
    """The grade of an instance: the level of its hardest step. One that needs a level above `top` is `unknown`."""
    last = levels_of(top)[-1]
    deadline = Deadline(limits.seconds)
    outcome = engine("asp").solutions(puzzle, Limits(seconds=limits.seconds, solutions=2)).collect()
    if outcome.verdict is not Verdict.UNIQUE:
        limit = outcome.limit if outcome.verdict is Verdict.UNKNOWN else None
        return Grade(outcome.verdict, "search", {}, {}, {}, limit=limit)
    steps: list[Step] = []
    within, searching = Limits(seconds=deadline.remaining()), last == LEVELS[-1]
    with explain_puzzle(puzzle, within, minimal=False, searching=searching) as stream:
        for step in stream:
            if LEVELS.index(_level(step)) > LEVELS.index(last):
                return Grade(Verdict.UNKNOWN, last, _tallies(steps), {}, {})
            steps.append(step)
    if not stream.complete and stream.limit is None:
        return Grade(Verdict.UNKNOWN, last, _tallies(steps), {}, {})
    level = max(map(_level, steps), key=LEVELS.index, default=LEVELS[0])
    if not stream.complete:
        return Grade(Verdict.UNKNOWN, level, _tallies(steps), {}, {}, limit=stream.limit)
    (solution,) = outcome.solutions
    values: dict[Cell, Any] = {cell: at(solution, cell) for cell in puzzle.cells()}
    domains: dict[Any, tuple[Value, ...]] = {cell: (value,) for cell, value in values.items()}
    left = {name: domains for name in LEVELS if LEVELS.index(name) >= LEVELS.index(level)}
    return Grade(Verdict.UNIQUE, level, _tallies(steps), left, domains)


def _tallies(steps: list[Step]) -> dict[LevelName, Tally]:
    numbers, placed, removed = Counter(map(_level, steps)), Counter[LevelName](), Counter[LevelName]()
    for step in steps:
        for fact in step.new:
            (placed if fact.holds else removed)[_level(step)] += 1
    return {name: Tally(numbers[name], removed[name], placed[name]) for name in LEVELS if numbers[name]}


def _level(step: Step) -> LevelName:
    return step.technique.level if isinstance(step.technique, Technique) else _LEVEL[step.by]
