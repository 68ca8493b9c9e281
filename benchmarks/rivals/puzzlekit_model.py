"""puzzlekit: a solver for each puzzle that it knows, on OR-Tools with one worker. It finds one, and proves nothing."""

from __future__ import annotations

from typing import Any

from bridge.puzzles.kinds.rules import Grid


def sudoku(puzzle: Any, limit: int | None) -> list[Grid]:
    """Boxes as high as wide."""
    if puzzle.box[0] != puzzle.box[1]:
        raise NotImplementedError("puzzlekit knows square boxes only")
    from puzzlekit.solvers.sudoku import SudokuSolver

    rows = [["-" if value is None else str(value) for value in row] for row in puzzle.grid]
    return _solved(SudokuSolver(len(rows), len(rows), rows), int)


def takuzu(puzzle: Any, limit: int | None) -> list[Grid]:
    """Under the name Binairo. (It leaves out the rule that lines differ.)"""
    from puzzlekit.solvers.binairo import BinairoSolver

    rows = [["-" if value is None else str(value + 1) for value in row] for row in puzzle.grid]
    return _solved(BinairoSolver(len(rows), len(rows[0]), rows), lambda value: int(value) - 1)


def _solved(solver: Any, read: Any) -> list[Grid]:
    result = solver.solve({"num_workers": 1})
    return [tuple(tuple(map(read, row)) for row in result.sol_grid.matrix)] if result.is_solved else []


CONTENDERS = {"sudoku": sudoku, "takuzu": takuzu}
