"""The sentences of a puzzle's rules: the comments of its encoding (`bridge.puzzles.names`)."""

from __future__ import annotations

from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.names import sentence


def rule_sentences(puzzle: Puzzle, names: list[str]) -> list[str]:
    """The sentences of rules, grouped by sentence: `row 1, row 2: each value at most once`."""
    by_text: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_text.setdefault(sentence(puzzle, name), []).append(name)
    return [f"{', '.join(of)}: {text}" for text, of in by_text.items()]
