"""OR-Tools CP-SAT: integers with AllDifferent, linear sums, tables. One worker."""

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
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    least, *_, greatest = puzzle.values()
    given = puzzle.clues()
    x = {
        cell: model.new_constant(given[cell]) if cell in given else model.new_int_var(least, greatest, "")
        for cell in puzzle.cells()
    }
    for cells in groups(puzzle):
        model.add_all_different([x[cell] for cell in cells])
    for smaller, greater in inequalities(puzzle):
        model.add(x[smaller] < x[greater])
    total, lines = sums(puzzle)
    for cells in lines:
        model.add(sum(x[cell] for cell in cells) == total)
    return _solved(model, limit, lambda value: grid(puzzle, lambda cell: value(x[cell])))


def takuzu(puzzle: Any, limit: int | None) -> list[Grid]:
    """Booleans; a line is one number, so that lines that differ are an AllDifferent."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    given = puzzle.clues()
    x = {cell: model.new_constant(given[cell]) if cell in given else model.new_bool_var("") for cell in puzzle.cells()}
    for lines in rows_and_columns(puzzle):
        codes = []
        for line in lines:
            ones = [x[cell] for cell in line]
            model.add_linear_constraint(sum(ones), *halves(len(ones)))
            for three in threes(line):
                model.add_linear_constraint(sum(x[cell] for cell in three), 1, 2)
            codes.append(model.new_int_var(0, 2 ** len(ones) - 1, ""))
            model.add(codes[-1] == sum(2**place * one for place, one in enumerate(ones)))
        if puzzle.distinct:
            model.add_all_different(codes)
    return _solved(model, limit, lambda value: grid(puzzle, lambda cell: value(x[cell])))


def crossword(puzzle: Any, limit: int | None) -> list[Grid]:
    """A letter in each cell, a table for each slot with the number of its word, and these numbers all different."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    letters = [ord(letter) for letter in puzzle.values()]
    domain = cp_model.Domain.from_values(letters)
    x = {cell: model.new_int_var_from_domain(domain, "") for cell in puzzle.cells()}
    number = numbers(puzzle)
    taken = []
    for cells, words in tables(puzzle):
        taken.append(model.new_int_var_from_domain(cp_model.Domain.from_values([number[word] for word in words]), ""))
        rows = [(number[word], *map(ord, word)) for word in words]
        model.add_allowed_assignments([taken[-1], *(x[cell] for cell in cells)], rows)
    if not puzzle.repeat:
        for group in same_length(puzzle):
            model.add_all_different([taken[slot] for slot in group])
    return _solved(model, limit, lambda value: grid(puzzle, lambda cell: chr(value(x[cell]))))


def _solved(model: Any, limit: int | None, read: Callable[[Any], Grid]) -> list[Grid]:
    from ortools.sat.python import cp_model

    class Collected(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.append(read(self.value))
            if len(found) == limit:
                self.stop_search()

    found: list[Grid] = []
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if limit == 1:
        status = solver.solve(model)
        return [read(solver.value)] if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else []
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Collected())
    return found


CONTENDERS = {
    "sudoku": numbered,
    "latin-square": numbered,
    "futoshiki": numbered,
    "magic-square": numbered,
    "takuzu": takuzu,
    "crossword": crossword,
}
