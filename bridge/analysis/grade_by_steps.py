"""The grade of an instance without a CSP, by the steps of its explanation.

| level | the steps |
|---|---|
| `fc` | the rules of a cell exclude all its other values |
| `ac` | a rule excludes all other places for a value |
| `gac` | several rules, one after the other |
| `search` | all rules together |

The ladder's levels mean the same in principle (each includes those before it), but they are not measured by the same
inference: compare the grades of one kind of puzzle with each other, not with those of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bridge.analysis.explain import How, Step, explain
from bridge.engines import engine
from bridge.limits import Deadline, Limits
from bridge.outcome import Verdict
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Cell, Value, at
from bridge.search.ladder import LEVELS, Grade, LevelName, Tally

_LEVEL: Mapping[How, LevelName] = {"value": "fc", "place": "ac", "rules": "gac", "search": "search"}


def grade_by_steps(puzzle: Puzzle, top: LevelName, limits: Limits) -> Grade:
    """The grade of an instance: the level of its hardest step.

    Parameters
    ----------
    top
        The last level that may be used; an instance that needs a higher one is `unknown`.
    """
    deadline = Deadline(limits.seconds)
    outcome = engine("asp").solutions(puzzle, Limits(seconds=limits.seconds, solutions=2)).collect()
    if outcome.verdict is not Verdict.UNIQUE:
        return Grade(outcome.verdict, "search", {}, {}, {}, limit=outcome.limit)
    steps: list[Step] = []
    with explain(puzzle, limits=Limits(seconds=deadline.remaining())) as stream:
        for step in stream:
            if LEVELS.index(_LEVEL[step.by]) > LEVELS.index(top):
                return Grade(Verdict.UNKNOWN, top, _tallies(steps), {}, {})
            steps.append(step)
    level = max((_LEVEL[step.by] for step in steps), key=LEVELS.index, default=LEVELS[0])
    if not stream.complete:
        return Grade(Verdict.UNKNOWN, level, _tallies(steps), {}, {}, limit=stream.limit)
    (solution,) = outcome.solutions
    values: dict[Cell, Any] = {cell: at(solution, cell) for cell in puzzle.cells()}
    domains: dict[Any, tuple[Value, ...]] = {cell: (value,) for cell, value in values.items()}
    left = {name: domains for name in LEVELS if LEVELS.index(name) >= LEVELS.index(level)}
    return Grade(Verdict.UNIQUE, level, _tallies(steps), left, domains)


def _tallies(steps: list[Step]) -> dict[LevelName, Tally]:
    numbers, placed = Counter(_LEVEL[step.by] for step in steps), Counter[LevelName]()
    for step in steps:
        placed[_LEVEL[step.by]] += step.fact.holds
    return {name: Tally(numbers[name], numbers[name] - placed[name], placed[name]) for name in LEVELS if numbers[name]}
