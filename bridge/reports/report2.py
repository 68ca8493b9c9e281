"""Report 2: magic squares and Sudoku by state search in Prolog, with and without forward checking.

Our `dfs` and `dfs+fc` are its two successor operators: the next variable in order takes a value of its domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridge.engines import engine
from bridge.limits import Limits
from bridge.outcome import Outcome
from bridge.puzzles import Puzzle, parse
from bridge.puzzles.rules import Grid
from bridge.reports import Finding, data

#: The complete counts that the literature knows, by order.
MAGIC = {3: 8, 4: 7040}


def findings(seconds: float) -> Iterator[Finding]:
    """Squares first, then the Sudoku."""
    told = data("magic_sudoku")
    for order, total in told["magic_sums"].items():
        ours = int(order) * (int(order) ** 2 + 1) // 2
        yield Finding(f"order {order}: magic sum", str(total), str(ours), ours == total)
    for rows in told["magic_printed"]:
        yield _printed(rows)
    for order, known in MAGIC.items():
        yield _all(order, known, seconds)
    for order in (3, 4, 5, 6):
        yield from _first(order, seconds)
    yield from _centre(seconds)
    yield from _sudoku(told["sudoku"], seconds)


def _empty(order: int) -> Puzzle:
    return parse("magic-square", f"order {order}")


def _printed(rows: list[list[int]]) -> Finding:
    grid: Grid = tuple(tuple(row) for row in rows)
    wrong = _empty(len(rows)).violations(grid)
    shown = " / ".join(" ".join(map(str, row)) for row in rows)
    return Finding(f"printed square {shown}", "magic", str(wrong[0]) if wrong else "magic", not wrong)


def _all(order: int, known: int, seconds: float) -> Finding:
    outcome = engine("asp").solutions(_empty(order), Limits(seconds=seconds)).collect()
    count = len(set(outcome.solutions))
    ours = f"{count}, all" if outcome.complete else f"at least {count}"
    note = "" if outcome.complete else f"the time limit of {seconds:g} s came first: `-t` sets it"
    return Finding(f"order {order}: all squares", "some are printed", ours, count == known or None, f"of {known}", note)


def _first(order: int, seconds: float) -> Iterator[Finding]:
    limits = Limits(seconds=seconds, solutions=1)
    for name in ("dfs", "dfs+fc", "mac+mrv", "asp", "clpfd"):
        outcome = engine(name).solutions(_empty(order), limits).collect()
        says = "found" if order <= 4 and name.startswith("dfs") else ""
        holds = bool(outcome.solutions) or None
        yield Finding(f"order {order}: first square by {name}", says, _cost(outcome, seconds), holds)


def _centre(seconds: float) -> Iterator[Finding]:
    says = "the centre of an odd square is always the same: instantiate it first"
    squares = engine("asp").solutions(_empty(3), Limits(seconds=seconds)).collect().solutions
    centres = {grid[1][1] for grid in squares}
    yield Finding("order 3: values of the centre", says, str(sorted(map(str, centres))), centres == {5})
    other = parse("magic-square", "\n".join(_with_centre(5, 12)))
    outcome = engine("asp").solutions(other, Limits(seconds=seconds, solutions=1)).collect()
    ours = "a square with 12 in the centre" if outcome.solutions else "none found in time with 12 in the centre"
    note = "the hint is true of order 3 only: for order 5 the middle value is 13, and other centres do as well"
    yield Finding("order 5: values of the centre", says, ours, False if outcome.solutions else None, note=note)


def _with_centre(order: int, value: int) -> list[str]:
    middle = order // 2
    return [
        " ".join(str(value) if (row, column) == (middle, middle) else "." for column in range(order))
        for row in range(order)
    ]


def _sudoku(told: dict[str, Any], seconds: float) -> Iterator[Finding]:
    cells = {(row + 1, column + 1): value for column, row, value in told["givens_0based"]}
    printed = told["printed_solution"]
    grid: Grid = tuple(tuple(int(value) for value in printed[9 * row : 9 * row + 9]) for row in range(9))
    if any(grid[r - 1][c - 1] != value for (r, c), value in cells.items()):  # the report's coordinates are X, Y
        cells = {(column, row): value for (row, column), value in cells.items()}
    text = "".join(str(cells.get((row, column), ".")) for row in range(1, 10) for column in range(1, 10))
    puzzle = parse("sudoku", text)
    wrong = puzzle.violations(grid)
    yield Finding("Sudoku: the printed grid", "a solution", str(wrong[0]) if wrong else "a solution", not wrong)
    outcome = engine("asp").solutions(puzzle, Limits(seconds=seconds, solutions=10_001)).collect()
    many = len(outcome.solutions) > 10_000
    ours = "more than 10,000" if many else f"at least {len(outcome.solutions)}"
    note = "the report prints one and does not say that there are others"
    yield Finding("Sudoku: solutions", "one is printed", ours, many or None, note=note)
    for name in ("dfs", "dfs+fc", "bt", "fc", "fc+mrv", "mac+mrv"):
        found = engine(name).solutions(puzzle, Limits(seconds=seconds, solutions=1)).collect()
        says = "the printed grid" if name in ("dfs", "dfs+fc") else ""
        same = found.solutions == (grid,)
        ours = ("the printed grid: " if same else "") + _cost(found, seconds)
        note = "" if same or not says else "one of many: which comes first depends on the order of the variables"
        yield Finding(f"Sudoku: first solution by {name}", says, ours, bool(found.solutions) or None, note=note)


def _cost(outcome: Outcome[Grid], seconds: float) -> str:
    counters = outcome.statistics.counters
    names = ("expanded", "nodes", "conflicts", "inferences")
    shown = [f"{counters[name]:,} {name}" for name in names if name in counters]
    how = "found" if outcome.solutions else f"not found ({outcome.limit}, {seconds:g} s)"
    return f"{how}, {shown[0]}" if shown else how
