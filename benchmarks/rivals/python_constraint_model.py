"""python-constraint2: its default solver, its AllDifferent and sum constraints, functions for the rest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from benchmarks.rivals.shapes import (
    grid,
    groups,
    halves,
    inequalities,
    rows_and_columns,
    same_length,
    sums,
    tables,
    threes,
)
from bridge.puzzles.kinds.rules import Grid


def numbered(puzzle: Any, limit: int | None) -> list[Grid]:
    """Sudoku, Latin square, Futoshiki, magic square."""
    from constraint import AllDifferentConstraint, ExactSumConstraint, Problem

    problem = Problem()
    given, values = puzzle.clues(), list(puzzle.values())
    for cell in puzzle.cells():
        problem.addVariable(cell, [given[cell]] if cell in given else values)
    for cells in groups(puzzle):
        problem.addConstraint(AllDifferentConstraint(), cells)
    for smaller, greater in inequalities(puzzle):
        problem.addConstraint(lambda less, more: less < more, [smaller, greater])
    total, lines = sums(puzzle)
    for cells in lines:
        problem.addConstraint(ExactSumConstraint(total), cells)
    return _solved(problem, limit, lambda values: grid(puzzle, values.__getitem__))


def takuzu(puzzle: Any, limit: int | None) -> list[Grid]:
    """Zeros and ones; that lines differ is a function of both."""
    from constraint import MaxSumConstraint, MinSumConstraint, Problem

    problem = Problem()
    given = puzzle.clues()
    for cell in puzzle.cells():
        problem.addVariable(cell, [given[cell]] if cell in given else [0, 1])
    for lines in rows_and_columns(puzzle):
        for number, line in enumerate(lines):
            least, greatest = halves(len(line))
            problem.addConstraint(MinSumConstraint(least), line)
            problem.addConstraint(MaxSumConstraint(greatest), line)
            for three in threes(line):
                problem.addConstraint(MinSumConstraint(1), three)
                problem.addConstraint(MaxSumConstraint(2), three)
            for other in lines[:number] if puzzle.distinct else []:
                problem.addConstraint(_differ, [*line, *other])
    return _solved(problem, limit, lambda values: grid(puzzle, values.__getitem__))


def crossword(puzzle: Any, limit: int | None) -> list[Grid]:
    """A word for each slot, and a function for each crossing."""
    from constraint import AllDifferentConstraint, Problem

    problem = Problem()
    slots = tables(puzzle)
    where: dict[Any, tuple[int, int]] = {}
    for slot, (cells, words) in enumerate(slots):
        problem.addVariable(slot, words)
        for place, cell in enumerate(cells):
            if cell in where:
                other, there = where[cell]
                problem.addConstraint(lambda a, b, i=there, j=place: a[i] == b[j], [other, slot])
            where[cell] = slot, place
    if not puzzle.repeat:
        for group in same_length(puzzle):
            problem.addConstraint(AllDifferentConstraint(), group)

    def read(values: Any) -> Grid:
        return grid(puzzle, lambda cell: values[where[cell][0]][where[cell][1]])

    return _solved(problem, limit, read)


def _differ(*values: int) -> bool:
    half = len(values) // 2
    return values[:half] != values[half:]


def _solved(problem: Any, limit: int | None, read: Callable[[Any], Grid]) -> list[Grid]:
    return [read(values) for values in islice(problem.getSolutionIter(), limit)]


CONTENDERS = {
    "sudoku": numbered,
    "latin-square": numbered,
    "futoshiki": numbered,
    "magic-square": numbered,
    "takuzu": takuzu,
    "crossword": crossword,
}
