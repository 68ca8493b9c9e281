"""Steps of an explanation in English sentences.

The sentences of rules are the comments of the puzzle's encoding (`bridge.puzzles.names`).
"""

from __future__ import annotations

from typing import Any

from bridge.common.english import listed
from bridge.puzzles.explain.explain import Step
from bridge.puzzles.explain.techniques import Technique
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import cell_name
from bridge.puzzles.names import sentence
from bridge.puzzles.oracle import Fact

#: By how the step was found.
ENDS = {
    "value": ("leaves no other value", "leave no other value"),
    "place": ("leaves no other place for it", "leave no other place for it"),
    "rules": ("leaves nothing else", "leave nothing else"),
    "search": ("allows nothing else", "together allow nothing else"),
}
UNPROVED = " (perhaps not all of these are needed: the time limit came first)"

#: The techniques that do not say what they see: their facts are listed.
UNSEEN = "one rule", "contradiction"

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
        others = [str(one) for one in step.premises if not _is_said(one, step.technique)]
        by = f", by {listed(others)}" if others and few else ""
        return f"{conclusion(step)}: {step.technique}{by}{unproved}"
    one, several = ENDS[step.by if len(step.new) == 1 else "rules"]
    end = one if len(step.premises) == 1 else several
    proof = "" if few else f"a proof from {len(step.premises)} premises, not an insight: "
    premises = listed(list(map(str, step.premises)) or ["what a cell can hold"])
    return f"{conclusion(step)}: {proof}{premises} {end}{unproved}"


def conclusion(step: Step) -> str:
    """What a step finds: `r2c5 = 7`, `r2c5 and r2c6 are not 7`."""
    if not isinstance(step.fact, Fact):
        return str(step.fact)
    of_value: dict[tuple[Any, bool], list[str]] = {}
    for fact in step.new:
        of_value.setdefault((fact.value, fact.holds), []).append(fact.name or cell_name(fact.cell))
    of_cells: dict[tuple[tuple[str, ...], bool], list[Any]] = {}
    for (value, holds), cells in of_value.items():
        of_cells.setdefault((tuple(cells), holds), []).append(value)
    return "; ".join(_concluded(list(cells), holds, values) for (cells, holds), values in of_cells.items())


def _concluded(cells: list[str], holds: bool, values: list[Any]) -> str:
    """That all these cells hold a value, or have none of some values."""
    if holds:
        return f"{listed(cells)} = {values[0]}"
    return f"{listed(cells)} {'is' if len(cells) == 1 else 'are'} not {listed(list(map(str, values)), 'or')}"


def _is_said(premise: Any, technique: Technique) -> bool:
    """Whether the reason of a technique says a premise, or makes it plain."""
    if not isinstance(premise, Fact):
        return premise in technique.houses
    filled = technique.name == "hidden single" and premise.holds and premise.value not in technique.values
    return filled or (premise.cell in technique.cells and technique.name not in UNSEEN)


def rule_sentences(puzzle: Puzzle, names: list[str]) -> list[str]:
    """The sentences of rules, grouped by sentence: `row 1, row 2: each value at most once`."""
    by_text: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_text.setdefault(sentence(puzzle, name), []).append(name)
    return [f"{', '.join(of)}: {text}" for text, of in by_text.items()]
