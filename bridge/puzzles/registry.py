"""The kinds of puzzles, and where the classes of each are. A module is imported when one of its classes is asked for.

To add a kind, add an entry at the end of `_KINDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from bridge.errors import InputError, brief
from bridge.lazy import load


@dataclass(frozen=True, slots=True)
class _Kind:
    """The classes of a kind, each a place as `bridge.lazy` has it, relative to `bridge.puzzles`.

    Attributes
    ----------
    puzzle
        The instance, a subclass of `bridge.puzzles.puzzle.Puzzle`.
    models
        Its forms for solvers, a subclass of `bridge.puzzles.models.Models`.
    authoring
        How new instances are made, a subclass of `bridge.puzzles.authoring.Authoring`, or that class itself.
    """

    puzzle: str
    models: str
    authoring: str = "authoring:Authoring"


#: By the name on the command line and in JSON.
_KINDS = {
    "sudoku": _Kind("sudoku:Sudoku", "sudoku.models:SudokuModels"),
    "latin-square": _Kind("latin_square:LatinSquare", "latin_square.models:LatinSquareModels"),
    "futoshiki": _Kind(
        "futoshiki:Futoshiki", "futoshiki.models:FutoshikiModels", "futoshiki.authoring:FutoshikiAuthoring"
    ),
    "magic-square": _Kind("magic_square:MagicSquare", "magic_square.models:MagicSquareModels"),
    "crossword": _Kind(
        "crossword:Crossword", "crossword.models:CrosswordModels", "crossword.authoring:CrosswordAuthoring"
    ),
    "takuzu": _Kind("takuzu:Takuzu", "takuzu.models:TakuzuModels"),
}

#: The names of the kinds.
KINDS = tuple(_KINDS)


def class_of(kind: str, role: str) -> type[Any]:
    """A class of a kind: its `puzzle`, `models` or `authoring`.

    Raises
    ------
    InputError
        When there is no such kind. The message lists the kinds.
    """
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InputError(f"there is no puzzle {brief(kind)}", hint=f"one of: {', '.join(KINDS)}")
    return _loaded(kind, role)


@cache
def _loaded(kind: str, role: str) -> type[Any]:
    found: type[Any] = load(f"bridge.puzzles.{getattr(_KINDS[kind], role)}")
    return found
