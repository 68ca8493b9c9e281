"""pychoco: Choco's integers, AllDifferent with its default (the strongest) propagation, tables, its default search."""

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

#: Choco's integers end a little above two thousand millions.
WIDEST = 30


def numbered(puzzle: Any, limit: int | None) -> list[Grid]:
    """Sudoku, Latin square, Futoshiki, magic square."""
    from pychoco.model import Model

    model = Model()
    least, *_, greatest = puzzle.values()
    given = puzzle.clues()
    x = {cell: model.intvar(given[cell]) if cell in given else model.intvar(least, greatest) for cell in puzzle.cells()}
    for cells in groups(puzzle):
        model.all_different([x[cell] for cell in cells]).post()
    for smaller, greater in inequalities(puzzle):
        model.arithm(x[smaller], "<", x[greater]).post()
    total, lines = sums(puzzle)
    for cells in lines:
        model.sum([x[cell] for cell in cells], "=", total).post()
    return _solved(model, limit, lambda value: grid(puzzle, lambda cell: value(x[cell])))


def takuzu(puzzle: Any, limit: int | None) -> list[Grid]:
    """Zeros and ones; a line is one number, so that lines that differ are an AllDifferent."""
    from pychoco.model import Model

    model = Model()
    given = puzzle.clues()
    x = {cell: model.intvar(given[cell]) if cell in given else model.intvar(0, 1) for cell in puzzle.cells()}
    for lines in rows_and_columns(puzzle):
        codes = []
        for line in lines:
            ones = [x[cell] for cell in line]
            if len(line) > WIDEST:
                raise OverflowError(f"a line of {len(line)} cells is not an integer of Choco's")
            least, greatest = halves(len(ones))
            model.sum(ones, ">=", least).post()
            model.sum(ones, "<=", greatest).post()
            for three in threes(line):
                model.sum([x[cell] for cell in three], ">=", 1).post()
                model.sum([x[cell] for cell in three], "<=", 2).post()
            codes.append(model.intvar(0, 2 ** len(ones) - 1, bounded_domain=True))
            model.scalar(ones, [2**place for place in range(len(ones))], "=", codes[-1]).post()
        if puzzle.distinct:
            model.all_different(codes, "BC").post()
    model.get_solver().set_dom_over_w_deg_search(*x.values())
    return _solved(model, limit, lambda value: grid(puzzle, lambda cell: value(x[cell])))


def crossword(puzzle: Any, limit: int | None) -> list[Grid]:
    """A letter in each cell, a table for each slot with the number of its word, and these numbers all different."""
    from pychoco.model import Model

    model = Model()
    letters = [ord(letter) for letter in puzzle.values()]
    x = {cell: model.intvar(letters) for cell in puzzle.cells()}
    number = numbers(puzzle)
    taken = []
    for cells, words in tables(puzzle):
        taken.append(model.intvar([number[word] for word in words]))
        model.table(
            [taken[-1], *(x[cell] for cell in cells)], [[number[word], *map(ord, word)] for word in words]
        ).post()
    if not puzzle.repeat:
        for group in same_length(puzzle):
            model.all_different([taken[slot] for slot in group], "BC").post()
    return _solved(model, limit, lambda value: grid(puzzle, lambda cell: chr(value(x[cell]))))


def _solved(model: Any, limit: int | None, read: Callable[[Any], Grid]) -> list[Grid]:
    solver = model.get_solver()
    found: list[Grid] = []
    while len(found) != limit and solver.solve():
        found.append(read(lambda variable: variable.get_value()))
    return found


CONTENDERS = {
    "sudoku": numbered,
    "latin-square": numbered,
    "futoshiki": numbered,
    "magic-square": numbered,
    "takuzu": takuzu,
    "crossword": crossword,
}
