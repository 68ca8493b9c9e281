"""blacksquare: fills crosswords by backtracking in Rust. Its list is made once, its grid for each instance."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from bridge.puzzles.kinds.rules import Grid


@lru_cache(maxsize=4)
def _list(words: tuple[str, ...]) -> Any:
    from blacksquare import WordList

    return WordList(dict.fromkeys(words, 1.0))


def crossword(puzzle: Any, limit: int | None) -> list[Grid]:
    """The first fill; it does not go on, and does not say whether it gave up or proved that there is none."""
    from blacksquare import BLACK, EMPTY, Crossword

    cells = [
        [BLACK if value == "#" else EMPTY if value is None else value.upper() for value in row] for row in puzzle.grid
    ]
    blank = Crossword(grid=cells, symmetry=None, word_list=_list(puzzle.words))
    filled = blank.fill(timeout=None, show_progress=False, allow_repeats=puzzle.repeat)
    if filled is None:
        return []
    return [puzzle.solution({(r, c): filled[r - 1, c - 1].str.lower() for r, c in puzzle.cells()})]


CONTENDERS = {"crossword": crossword}
