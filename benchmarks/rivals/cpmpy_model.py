"""CPMpy on OR-Tools: its own expressions, AllDifferent and Table; one worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.rivals.shapes import (
    grid,
    groups,
    halves,
    inequalities,
    numbers,
    rows_and_columns,
    same_length,
    sums,
    tables,
    threes,
)
from bridge.puzzles.kinds.rules import Grid


def numbered(puzzle: Any, limit: int | None) -> list[Grid]:
    """Sudoku, Latin square, Futoshiki, magic square."""
    import cpmpy

    least, *_, greatest = puzzle.values()
    x = {cell: cpmpy.intvar(least, greatest) for cell in puzzle.cells()}
    model = cpmpy.Model([x[cell] == value for cell, value in puzzle.clues().items()])
    for cells in groups(puzzle):
        model += cpmpy.AllDifferent([x[cell] for cell in cells])
    for smaller, greater in inequalities(puzzle):
        model += x[smaller] < x[greater]
    total, lines = sums(puzzle)
    for cells in lines:
        model += cpmpy.sum([x[cell] for cell in cells]) == total
    return _solved(model, limit, lambda: grid(puzzle, lambda cell: int(x[cell].value())))


def takuzu(puzzle: Any, limit: int | None) -> list[Grid]:
    """Booleans; a line is one number, so that lines that differ are an AllDifferent."""
    import cpmpy

    x = {cell: cpmpy.boolvar() for cell in puzzle.cells()}
    model = cpmpy.Model([x[cell] == value for cell, value in puzzle.clues().items()])
    for lines in rows_and_columns(puzzle):
        for line in lines:
            least, greatest = halves(len(line))
            ones = cpmpy.sum([x[cell] for cell in line])
            model += [least <= ones, ones <= greatest]
            for three in threes(line):
                some = cpmpy.sum([x[cell] for cell in three])
                model += [some >= 1, some <= 2]
        if puzzle.distinct:
            model += cpmpy.AllDifferent(
                [cpmpy.sum([2**place * x[cell] for place, cell in enumerate(line)]) for line in lines]
            )
    return _solved(model, limit, lambda: grid(puzzle, lambda cell: int(x[cell].value())))


def crossword(puzzle: Any, limit: int | None) -> list[Grid]:
    """A letter in each cell, a table for each slot with the number of its word, and these numbers all different."""
    import cpmpy

    letters = [ord(letter) for letter in puzzle.values()]
    x = {cell: cpmpy.intvar(min(letters), max(letters)) for cell in puzzle.cells()}
    number = numbers(puzzle)
    model = cpmpy.Model()
    taken = []
    for cells, words in tables(puzzle):
        taken.append(cpmpy.intvar(0, len(number)))
        rows = [[number[word], *map(ord, word)] for word in words]
        model += cpmpy.Table([taken[-1], *(x[cell] for cell in cells)], rows)
    if not puzzle.repeat:
        for group in same_length(puzzle):
            model += cpmpy.AllDifferent([taken[slot] for slot in group])
    return _solved(model, limit, lambda: grid(puzzle, lambda cell: chr(int(x[cell].value()))))


def _solved(model: Any, limit: int | None, read: Callable[[], Grid]) -> list[Grid]:
    if limit == 1:
        return [read()] if model.solve(solver="ortools", num_workers=1) else []
    found: list[Grid] = []
    model.solveAll(solver="ortools", display=lambda: found.append(read()), solution_limit=limit, num_workers=1)
    return found


CONTENDERS = {
    "sudoku": numbered,
    "latin-square": numbered,
    "futoshiki": numbered,
    "magic-square": numbered,
    "takuzu": takuzu,
    "crossword": crossword,
}
