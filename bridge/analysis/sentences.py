"""Steps of an explanation in English sentences.

The sentences of rules are the comments of the puzzle's encoding (`bridge.problems.names`).
"""

from __future__ import annotations

from typing import Any

from bridge.analysis.explain import Step
from bridge.english import listed
from bridge.problems.names import sentence
from bridge.problems.oracle import Fact
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Cell, cell_name, cell_names

#: By how the step was found.
ENDS = {
    "value": ("leaves no other value", "leave no other value"),
    "place": ("leaves no other place for it", "leave no other place for it"),
    "rules": ("leaves nothing else", "leave nothing else"),
    "search": ("allows nothing else", "together allow nothing else"),
}
UNPROVED = " (perhaps not all of these are needed: the time limit came first)"

#: A step without a name, and of more premises than these, is said to be a proof.
MOST_PREMISES = 12


def step_sentence(step: Step) -> str:
    """What a step finds, and why.

    With a technique `r4c7 = 5: hidden single: the only place for 5 in row 4, by row 2 and r2c1=5`; without one
    `r2c5 = 7: row 2, box (1,2) and r3c4=7 leave no other place for it`. More than a dozen premises are not listed where
    a technique says what to look at; without a technique they are called a proof.
    """
    unproved = "" if step.proved else UNPROVED
    few = len(step.premises) <= MOST_PREMISES
    if step.technique is not None:
        others = [str(one) for one in step.premises if one not in step.technique.houses]
        by = f", by {listed(others)}" if others and few else ""
        return f"{conclusion(step)}: {step.technique}{by}{unproved}"
    one, several = ENDS[step.by]
    end = one if len(step.premises) == 1 else several
    proof = "" if few else f"a proof from {len(step.premises)} premises, not an insight: "
    premises = listed(list(map(str, step.premises)) or ["what a cell can hold"])
    return f"{conclusion(step)}: {proof}{premises} {end}{unproved}"


def conclusion(step: Step) -> str:
    """What a step finds: `r2c5 = 7`, `r2c5 and r2c6 are not 7`."""
    if not isinstance(step.fact, Fact):
        return str(step.fact)
    cells: dict[tuple[Any, bool], list[Cell]] = {}
    for fact in step.new:
        cells.setdefault((fact.value, fact.holds), []).append(fact.cell)
    return "; ".join(_same(of, value, holds) for (value, holds), of in cells.items())


def _same(cells: list[Cell], value: Any, holds: bool) -> str:
    """That all these cells hold a value, or do not."""
    if holds:
        return f"{' = '.join(map(cell_name, cells))} = {value}"
    return f"{cell_names(cells)} {'is' if len(cells) == 1 else 'are'} not {value}"


def rule_sentences(puzzle: Puzzle, names: list[str]) -> list[str]:
    """The sentences of rules, grouped by sentence: `row 1, row 2: each value at most once`."""
    by_text: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_text.setdefault(sentence(puzzle, name), []).append(name)
    return [f"{', '.join(of)}: {text}" for text, of in by_text.items()]
