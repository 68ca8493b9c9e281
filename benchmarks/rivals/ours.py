"""lpbridge in the same table: its engines, and its bridge to clingo without the puzzles' checks."""

from __future__ import annotations

from functools import cache
from typing import Any

from benchmarks.rivals.shapes import Contender
from bridge.limits import Limits
from bridge.puzzles.kinds.rules import Grid

KINDS = ("sudoku", "latin-square", "futoshiki", "magic-square", "takuzu", "crossword")


def by_engine(name: str) -> Contender:
    """`Engine.solutions`: each solution is checked by the puzzle's rules, in the time that is measured."""

    def solve(puzzle: Any, limit: int | None) -> list[Grid]:
        from bridge.puzzles.engines import engine

        return list(engine(name).solutions(puzzle, Limits(solutions=limit)))

    return solve


@cache
def _program(kind: str, size: int) -> Any:
    from bridge.asp import Program
    from bridge.puzzles.encodings_folder import encoding

    folder = kind.replace("-", "_")
    return Program(encoding(f"{folder}/{folder}.lp"), n=size, isolated=False)


def by_program(puzzle: Any, limit: int | None) -> list[Grid]:
    """`bridge.asp.Program`, for empty squares: atoms as tuples of Python, put into rows."""
    if puzzle.clues():
        raise NotImplementedError("for empty squares only")
    size = puzzle.size
    grids: list[Grid] = []
    for model in _program(puzzle.kind, size).models(limits=Limits(solutions=limit)):
        rows = [[0] * size for _ in range(size)]
        for r, c, value in model["cell"]:
            rows[r - 1][c - 1] = value
        grids.append(tuple(map(tuple, rows)))
    return grids


PROGRAM = dict.fromkeys(("latin-square", "magic-square"), by_program)
