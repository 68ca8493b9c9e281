"""Steps of an explanation in English sentences.

The sentences of rules are the comments of the puzzle's encoding (`bridge.problems.names`).
"""

from __future__ import annotations

from bridge.analysis.explain import Step
from bridge.problems.names import sentence
from bridge.problems.oracle import Fact
from bridge.puzzles import Puzzle

#: By how the step was found.
ENDS = {
    "value": ("leaves no other value", "leave no other value"),
    "place": ("leaves no other place for it", "leave no other place for it"),
    "rules": ("leaves nothing else", "leave nothing else"),
    "search": ("allows nothing else", "together allow nothing else"),
}
HOLDS, HOLDS_NOT = "{cell} = {value}", "{cell} is not {value}"
AND, UNPROVED = " and ", " (perhaps not all of these are needed: the time limit came first)"


def step_sentence(step: Step) -> str:
    """`r2c5 = 7: row 2, box (1,2) and r3c4=7 leave no other place for it`."""
    if isinstance(step.fact, Fact):
        cell, _, value = str(step.fact).partition("=" if step.fact.holds else "≠")
        new = (HOLDS if step.fact.holds else HOLDS_NOT).format(cell=cell, value=value)
    else:
        new = str(step.fact)
    one, several = ENDS[step.by]
    end = one if len(step.premises) == 1 else several
    return f"{new}: {listed(list(map(str, step.premises)))} {end}{'' if step.proved else UNPROVED}"


def listed(words: list[str]) -> str:
    """`a, b and c`."""
    *others, last = words or ["what a cell can hold"]
    return f"{', '.join(others)}{AND}{last}" if others else last


def rule_sentences(puzzle: Puzzle, names: list[str]) -> list[str]:
    """The sentences of rules, grouped by sentence: `row 1, row 2: each value at most once`."""
    by_text: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_text.setdefault(sentence(puzzle, name), []).append(name)
    return [f"{', '.join(of)}: {text}" for text, of in by_text.items()]
