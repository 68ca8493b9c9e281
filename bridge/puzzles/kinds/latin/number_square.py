"""Square grids of numbers of kinds that are files. Apart from the others, which are read without what files need."""

from __future__ import annotations

from bridge.puzzles.kinds.file_puzzle import CheckedPuzzle
from bridge.puzzles.kinds.latin import Latin


class NumberSquare(Latin, CheckedPuzzle):
    """One square of a kind that is a file."""

    values = CheckedPuzzle.values
    unusual = CheckedPuzzle.unusual
