"""Streams a diagnosis to a page: each new part as soon as it is found.

Rules, clues and facts are mentioned in the form that a page shows: a text, its cells, and its sentence.

>>> from bridge.puzzles.kinds import parse
>>> Mentions(parse("latin-square", "1 .\\n. .")).one("row 1")
{'text': 'row 1', 'cells': [(1, 1), (1, 2)], 'says': 'every value stands there once', 'given': False}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from bridge.errors import UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.problem import Residual
from bridge.puzzles.analysis.diagnose import diagnose
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import at, cell_name
from bridge.puzzles.names import sentence
from bridge.puzzles.oracle import Fact, RuleOrFact
from bridge.puzzles.search.ladder import LADDER

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


#: The greatest number of repairs shown.
MOST_REPAIRS = 40

#: The greatest size of sets of clues to add.
MOST_CLUES = 3


def send_diagnosis(puzzle: Puzzle, send: Send, seconds: float) -> None:
    """Send the parts of a `PuzzleDiagnosis` as they are found, the verdict first; of too large a puzzle, only that."""
    sender = _Sender(puzzle, send)
    most: dict[str, Any] = {"repairs": MOST_REPAIRS, "most_clues": MOST_CLUES}
    try:
        sender.news(diagnose(puzzle, limits=Limits(seconds=seconds), on_progress=sender.news, **most))
    except UnsupportedError as error:
        outcome = engine("auto").solutions(puzzle, Limits(seconds=seconds, solutions=2)).collect()
        solutions: Any = outcome.solutions
        notes = (*puzzle.notes(), f"no diagnosis, {error}")
        known = {"verdict": outcome.verdict, "solutions": solutions, "notes": notes, "limit": outcome.limit}
        sender.news(replace(sender.found, **known))
    sender.verdict()
    send({"part": "notes", "notes": list(sender.found.notes), "limit": sender.found.limit})


class _Sender:
    def __init__(self, puzzle: Puzzle, send: Send) -> None:
        self.found = PuzzleDiagnosis(puzzle, Verdict.UNKNOWN)
        self._mentions, self._send, self._started = Mentions(puzzle), send, perf_counter()
        self._judged = False

    def news(self, found: PuzzleDiagnosis) -> None:
        """Send the parts that are new in the diagnosis."""
        before, self.found = self.found, found
        if found.verdict is not Verdict.UNKNOWN:
            self.verdict()
        for name, part in _PARTS.items():
            value = getattr(found, name)
            if value is not None and value != getattr(before, name) and (value or name not in _SAYING_SOMETHING):
                self._send({"part": name, **part(self._mentions, value)})

    def verdict(self) -> None:
        """Send the verdict, once.

        Solutions come in the order of their values, as the ways of a group do: so the first of both is the same.
        """
        if self._judged:
            return
        self._judged = True
        found = self.found
        order, cells = found.puzzle.values().index, found.puzzle.cells()
        solutions = sorted(found.solutions, key=lambda grid: [order(at(grid, cell)) for cell in cells])
        self._send(
            {
                "part": "verdict",
                "verdict": str(found.verdict),
                "solutions": [[list(row) for row in grid] for grid in solutions],
                "seconds": round(perf_counter() - self._started, 4),
            }
        )


def _residual(mentions: Mentions, residual: Residual) -> Part:
    return {"possible": {cell_name(cell): list(values) for cell, values in residual.possible.items()}}


def _repairs(mentions: Mentions, repairs: Any) -> Part:
    sets = [mentions.all(one) for one in repairs.sets]
    return {"size": repairs.size, "complete": repairs.complete, "sets": sets}


def _clash(mentions: Mentions, clash: Any) -> Part:
    return {"premises": mentions.all(clash.premises), "minimal": clash.minimal, "smallest": clash.smallest}


def _grade(mentions: Mentions, grade: Any) -> Part:
    part = {name: getattr(grade, name) for name in ("level", "difficulty", "reached", "score", "guesses")}
    part["title"] = next(level.full_title for level in LADDER if level.name == grade.reached)
    ladder = [{"name": one.name, "title": one.title, "difficulty": one.difficulty} for one in LADDER]
    return {**part, "ladder": ladder}


def _premises(mentions: Mentions, premises: Any) -> Part:
    return {"premises": mentions.all(premises)}


#: Parts that are sent only if they are not empty.
_SAYING_SOMETHING = frozenset({"clashes", "after", "rules"})

#: By the field of a diagnosis, in the order in which they are sent.
_PARTS: Mapping[str, Callable[[Mentions, Any], Part]] = {
    "clashes": lambda mentions, clashes: {"clashes": [_clash(mentions, one) for one in clashes]},
    "removals": _repairs,
    "after": lambda mentions, after: {"after": [one.to_json() for one in after]},
    "residual": _residual,
    "propagated": _residual,
    "ambiguity": lambda mentions, ambiguity: ambiguity.to_json(),
    "additions": _repairs,
    "rules": _premises,
    "redundant": _premises,
    "spare": _premises,
    "grade": _grade,
}
