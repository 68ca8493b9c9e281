"""Z3: integers with Distinct, Booleans with pseudo-Boolean sums; further solutions by forbidding those found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from bridge.puzzles.kinds.rules import Cell, Grid


def numbered(puzzle: Any, limit: int | None) -> list[Grid]:
    """Sudoku, Latin square, Futoshiki, magic square."""
    import z3

    solver = z3.Solver()
    least, *_, greatest = puzzle.values()
    given = puzzle.clues()
    x = {(r, c): z3.Int(f"r{r}c{c}") for r, c in puzzle.cells()}
    for cell, variable in x.items():
        if cell in given:
            solver.add(variable == given[cell])
        else:
            solver.add(least <= variable, variable <= greatest)
    for cells in groups(puzzle):
        solver.add(z3.Distinct([x[cell] for cell in cells]))
    for smaller, greater in inequalities(puzzle):
        solver.add(x[smaller] < x[greater])
    total, lines = sums(puzzle)
    for cells in lines:
        solver.add(z3.Sum([x[cell] for cell in cells]) == total)
    return _solved(solver, x, limit, lambda value: grid(puzzle, lambda cell: value(x[cell]).as_long()))


def takuzu(puzzle: Any, limit: int | None) -> list[Grid]:
    """Booleans."""
    import z3

    solver = z3.Solver()
    x = {(r, c): z3.Bool(f"r{r}c{c}") for r, c in puzzle.cells()}
    for cell, value in puzzle.clues().items():
        solver.add(x[cell] if value else z3.Not(x[cell]))
    for lines in rows_and_columns(puzzle):
        for number, line in enumerate(lines):
            ones = [x[cell] for cell in line]
            least, greatest = halves(len(line))
            solver.add(z3.AtLeast(*ones, least), z3.AtMost(*ones, greatest))
            for three in threes(line):
                solver.add(z3.Or([x[cell] for cell in three]), z3.Or([z3.Not(x[cell]) for cell in three]))
            for other in lines[:number] if puzzle.distinct else []:
                solver.add(z3.Or([z3.Xor(x[cell], x[there]) for cell, there in zip(line, other, strict=True)]))
    return _solved(solver, x, limit, lambda value: grid(puzzle, lambda cell: int(bool(value(x[cell])))))


def crossword(puzzle: Any, limit: int | None) -> list[Grid]:
    """A letter in each cell as an integer; a slot spells one of its words, and no slot what another spells."""
    import z3

    solver = z3.Solver()
    x = {(r, c): z3.Int(f"r{r}c{c}") for r, c in puzzle.cells()}
    slots = tables(puzzle)
    for cells, words in slots:
        spelt = [z3.And([x[cell] == ord(letter) for cell, letter in zip(cells, word, strict=True)]) for word in words]
        solver.add(z3.Or(spelt))
    for group in [] if puzzle.repeat else same_length(puzzle):
        for number, slot in enumerate(group):
            for other in group[:number]:
                pairs = zip(slots[slot][0], slots[other][0], strict=True)
                solver.add(z3.Or([x[cell] != x[there] for cell, there in pairs]))
    return _solved(solver, x, limit, lambda value: grid(puzzle, lambda cell: chr(value(x[cell]).as_long())))


def _solved(
    solver: Any, x: Mapping[Cell, Any], limit: int | None, read: Callable[[Callable[[Any], Any]], Grid]
) -> list[Grid]:
    import z3

    found: list[Grid] = []
    while len(found) != limit and solver.check() == z3.sat:
        model = solver.model()

        def value(variable: Any, model: Any = model) -> Any:
            return model.eval(variable, model_completion=True)

        found.append(read(value))
        solver.add(z3.Or([variable != value(variable) for variable in x.values()]))
    return found


CONTENDERS = {
    "sudoku": numbered,
    "latin-square": numbered,
    "futoshiki": numbered,
    "magic-square": numbered,
    "takuzu": takuzu,
    "crossword": crossword,
}
