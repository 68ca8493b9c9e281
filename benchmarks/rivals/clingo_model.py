"""Plain clingo, and clorm on top of it: a fresh Control for each instance, with lpbridge's encoding files.

The instance is the text that `Models.facts` gives; answers are read as each library's manual does it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid


def _control(puzzle: Any, limit: int | None, make: Any) -> Any:
    control = make([f"--models={limit or 0}"])
    control.load(str(encoding(_file(puzzle.kind))))
    control.add("base", [], models(puzzle).facts())
    control.ground([("base", [])])
    return control


def _file(kind: str) -> str:
    folder = kind.replace("-", "_")
    return f"{folder}/{folder}.lp"


def fresh(puzzle: Any, limit: int | None) -> list[Grid]:
    """Through clingo's own symbols."""
    import clingo

    control = _control(puzzle, limit, clingo.Control)
    letters = puzzle.kind == "crossword"
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            values = {}
            for symbol in model.symbols(shown=True):
                r, c, value = symbol.arguments
                values[r.number, c.number] = value.string if letters else value.number
            found.append(puzzle.solution(values))
    return found


@cache
def _cell(letters: bool) -> Any:
    from clorm import IntegerField, Predicate, StringField

    class Cell(Predicate, name="cell"):
        row = IntegerField
        column = IntegerField
        value = StringField if letters else IntegerField

    return Cell


def through_clorm(puzzle: Any, limit: int | None) -> list[Grid]:
    """Through clorm's predicates."""
    from clorm.clingo import Control

    cell = _cell(puzzle.kind == "crossword")
    control = _control(puzzle, limit, lambda options: Control(options, unifier=[cell]))
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            facts = model.facts(shown=True)
            found.append(puzzle.solution({(fact.row, fact.column): fact.value for fact in facts}))
    return found


_KINDS = ("sudoku", "latin-square", "futoshiki", "magic-square", "takuzu", "crossword")
CONTENDERS = dict.fromkeys(_KINDS, fresh)
CLORM = dict.fromkeys(_KINDS, through_clorm)
