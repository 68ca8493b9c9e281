"""The grade of an instance without a CSP, by the steps of its explanation.

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
from collections.abc import Mapping
from typing import Any

from bridge.analysis.explain import How, Step
from bridge.limits import Deadline, Limits
from bridge.outcome import Verdict
from bridge.puzzles.engines import engine
from bridge.puzzles.explain.explain import steps_to_grade
from bridge.puzzles.explain.techniques import Technique
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Cell, Value, at
from bridge.puzzles.search.ladder import LEVELS, Grade, Tally, levels_of
from bridge.puzzles.search.techniques import LevelName

_LEVEL: Mapping[How, LevelName] = {"value": "fc", "place": "ac", "rules": "gac", "search": "search"}

#: The levels that a grade by steps can have.
LEVELS_BY_STEPS = tuple(name for name in LEVELS if name != "shaving")


def grade_by_steps(puzzle: Puzzle, top: str, limits: Limits) -> Grade:
    """The grade of an instance: the level of its hardest step. One that needs a level above `top` is `unknown`."""
    last = levels_of(top)[-1]
    deadline = Deadline(limits.seconds)
    outcome = engine("asp").solutions(puzzle, Limits(seconds=limits.seconds, solutions=2)).collect()
    if outcome.verdict is not Verdict.UNIQUE:
        limit = outcome.limit if outcome.verdict is Verdict.UNKNOWN else None
        return Grade(outcome.verdict, "search", {}, {}, {}, limit=limit)
    steps: list[Step] = []
    with steps_to_grade(puzzle, Limits(seconds=deadline.remaining()), searching=last == LEVELS[-1]) as stream:
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
