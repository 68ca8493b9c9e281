"""Rules, clues and facts in the form that a page shows: a text, its cells, and its sentence.

>>> from bridge.puzzles.kinds import parse
>>> Mentions(parse("latin-square", "1 .\\n. .")).one("row 1")
{'text': 'row 1', 'cells': [(1, 1), (1, 2)], 'says': 'every value stands there once', 'given': False}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.names import sentence
from bridge.puzzles.oracle import Fact, RuleOrFact

#: A part of an answer, as plain data, and the function that sends one.
Part = dict[str, Any]
Send = Callable[[Part], None]


class Mentions:
    """The mentions of one puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._rules = {rule.name: rule for rule in puzzle.rules()}

    def one(self, premise: RuleOrFact) -> Part:
        if isinstance(premise, Fact):
            return {"text": str(premise), "cells": [premise.cell], "value": premise.value, "holds": premise.holds}
        rule = self._rules[premise]
        return {
            "text": premise,
            "cells": list(rule.cells),
            "says": sentence(self._puzzle, premise),
            "given": rule.given,
        }

    def all(self, premises: Iterable[RuleOrFact]) -> list[Part]:
        return [self.one(premise) for premise in premises]
