"""Report 2: magic squares and Sudoku by state search in Prolog, with and without forward checking."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from bridge.common import LIMITS
from bridge.outcome import Outcome
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.reports import Finding, data, lines_of, passages, solved
from bridge.puzzles.reports.originals.successors import Cell, Found, magic_squares, sudokus

ABOUT = """The report searches states in Prolog: a successor operator gives the next variable a value, and a state that
breaks a constraint is dropped. `bridge/puzzles/reports/originals/successors.py` does the same and counts; the first
square of order 4, the Sudoku and every domain that the report prints come out of it. The report gives no counts.
Forward checking does two different things in it. In a magic square all variables share one domain, so that it only
spares trying used values: exactly the same states are kept. In the Sudoku it narrows the domain of each cell. Our `dfs`
and `dfs+fc` check sums and diagonals as soon as they can be wrong; their counts are not the report's."""

#: The number of magic squares by order, rotations and reflections included.
MAGIC = {3: 8, 4: 7040}

#: The most nodes that our searches in Python may have, by order.
NODES = {3: 80_000, 4: 80_000, 5: 20_000, 6: 20_000}

#: The report's two successor operators: without forward checking, and with it.
_SUCCESSORS = {"without": False, "with": True}

#: A cell with its domain and value, as the report prints it. The last one of a line is cut off.
_TERM = re.compile(r"v\(n\((\d),(\d),q\d\),\[([\d,]+)\],(\d)\)")


def findings(seconds: float) -> Iterator[Finding]:
    """Squares first, then the Sudoku."""
    given = data("magic_sudoku")
    for order, total in given["magic_sums"].items():
        ours = int(order) * (int(order) ** 2 + 1) // 2
        what, says = f"order {order}: magic sum", f"Soma is {total}"
        yield Finding(what, says, f"{ours}", ours == total, source=f"sum of order {order}", method="n(n²+1)/2")
    yield from _printed(given["magic_printed"])
    yield from _counts()
    for order, known in MAGIC.items():
        yield _all(order, known, seconds)
    for order in (3, 4, 5, 6):
        yield from _first(order, seconds)
    yield from _centre(seconds)
    yield from _sudoku(given["sudoku"], seconds)


def _empty(order: int) -> Puzzle:
    return parse("magic-square", f"order {order}")


def _printed(squares: list[list[list[int]]]) -> Iterator[Finding]:
    """Each square is magic, and is found by the report's search as its n-th."""
    for number, rows in enumerate(squares, 1):
        grid: Grid = tuple(tuple(row) for row in rows)
        order = len(grid)
        found = islice(magic_squares(order, forward_checking=True), MAGIC[3] if order == 3 else 1)
        places = {one.grid: place for place, one in enumerate(found, 1)}
        wrong = _empty(order).violations(grid)
        says = lines_of(rows)
        place = places.get(grid)
        ours = f"magic, square {place} of the search" if place and not wrong else "not found by the search"
        what, source, right = f"order {order}: printed square {number}", f"square {number}", bool(place and not wrong)
        yield Finding(what, says, ours, right, source=source, method="the report's search")


def _counts() -> Iterator[Finding]:
    for order in (3, 4):
        found = {word: next(magic_squares(order, forward_checking=fc)) for word, fc in _SUCCESSORS.items()}
        same = found["with"].kept == found["without"].kept
        for word, one in found.items():
            note = "forward checking keeps the same states" if word == "with" and same else ""
            yield _cost(f"order {order}: first square, {word} forward checking", one, note)
    for word, fc in _SUCCESSORS.items():
        *_, last = magic_squares(3, forward_checking=fc)
        yield _cost(f"order 3: up to the last square, {word} forward checking", last, "")


def _cost(what: str, found: Found, note: str) -> Finding:
    ours = f"{found.tried:,} values tried, {found.kept:,} states kept"
    return Finding(what, "", ours, True, note=note, method="the report's search")


def _all(order: int, known: int, seconds: float) -> Finding:
    outcome = solved("asp", _empty(order), seconds, None)
    number = len(set(outcome.solutions))
    ours = f"{number:,}, all" if outcome.complete else f"at least {number:,}"
    right = number == known if outcome.complete else None
    note = "" if outcome.complete else f"ended by {LIMITS[str(outcome.limit)]}"
    return Finding(f"order {order}: all squares", "", ours, right, note=note, method="asp")


def _first(order: int, seconds: float) -> Iterator[Finding]:
    for name in ("dfs", "dfs+fc", "mac+mrv", "asp", "clpfd"):
        if order == 6 and name == "clpfd":
            continue  # minutes, and no limit on nodes
        nodes = None if name in ("asp", "clpfd") else NODES[order]
        outcome = solved(name, _empty(order), seconds, nodes=nodes)
        yield _found(f"order {order}: first square by {name}", outcome, name)


def _found(what: str, outcome: Outcome[Grid], name: str, first: str = "") -> Finding:
    counters = outcome.statistics.counters
    known = ("expanded", "nodes", "conflicts", "inferences")
    shown = next((f", {counters[word]:,} {word}" for word in known if word in counters), "")
    how = "found" if outcome.solutions else f"not found, ended by {LIMITS[str(outcome.limit)]}"
    note = "conflicts and inferences vary with the version of the solver" if name in ("asp", "clpfd") else ""
    return Finding(what, "", f"{how}{shown}", bool(outcome.solutions) or None, note=note or first, method=name)


def _centre(seconds: float) -> Iterator[Finding]:
    centres = {str(grid[1][1]) for grid in solved("asp", _empty(3), seconds, None).solutions}
    what, says, source = "order 3: values of the centre", "esse valor seria 5", "centre of order 3"
    yield Finding(what, says, ", ".join(sorted(centres)), centres == {"5"}, source=source, method="asp")
    other = parse("magic-square", ". . . . .\n. . . . .\n. . 12 . .\n. . . . .\n. . . . .")
    outcome = solved("asp", other, seconds)
    right = bool(outcome.solutions) and not other.violations(outcome.solutions[0])
    ours = "a square with 12 in the centre" if right else "none found in time with 12 in the centre"
    note = "true of order 3 only: in order 5 the centre may be 13, the middle value, and may be another one"
    says = "esse valor seja o mesmo para todas as soluções"
    what = "order 5: values of the centre"
    yield Finding(what, says, ours, False if right else None, note=note, source="centre", method="asp")


def _sudoku(given: dict[str, Any], seconds: float) -> Iterator[Finding]:
    givens: dict[Cell, int] = {(x, y): value for x, y, value in given["givens_0based"]}
    found = {word: next(sudokus(givens, forward_checking=fc)) for word, fc in _SUCCESSORS.items()}
    text = "".join(str(givens.get((x, y), ".")) for x in range(9) for y in range(9))
    puzzle = parse("sudoku", text)
    for word, source in (("without", "Sudoku, backtracking"), ("with", "Sudoku, forward checking")):
        one = found[word]
        says = lines_of(line.split() for line in passages(2)[source].text.splitlines())
        ours = lines_of(one.grid)
        right = ours == says and not puzzle.violations(one.grid)
        what = f"Sudoku: the printed grid, {word} forward checking"
        note = "the first solution of the search; the four givens come from a public copy of the program"
        yield Finding(what, says, ours, right, note=note, source=source, method="the report's search")
        yield _cost(f"Sudoku: first solution, {word} forward checking", one, "")
    for word, source in (("without", "terms, backtracking"), ("with", "terms, forward checking")):
        yield from _terms(word, source, found[word])
    outcome = solved("asp", puzzle, seconds, 10_001)
    many = len(outcome.solutions) > 10_000
    ours = "more than 10,000" if many else f"at least {len(outcome.solutions):,}"
    yield Finding("Sudoku: solutions", "", ours, many or None, note="the report prints one", method="asp")
    for name in ("dfs", "dfs+fc", "bt", "fc", "fc+mrv", "mac+mrv"):
        note = "rows first, and the givens count from the start: another solution comes first"
        yield _found(f"Sudoku: first solution by {name}", solved(name, puzzle, seconds), name, note)


def _terms(word: str, source: str, found: Found) -> Iterator[Finding]:
    """The domain and value of each cell that the report's text still has."""
    text = passages(2)[source].text
    for x, y, domain, value in _TERM.findall(text):
        what = f"Sudoku: cell ({x},{y}), {word} forward checking"
        says = f"[{domain}],{value}"
        cell = int(x), int(y)
        if cell not in found.domains:
            ours, note = "no cell", "there is no such cell: the columns are 0 to 8"
        else:
            ours = f"[{','.join(map(str, found.domains[cell]))}],{found.grid[cell[0]][cell[1]]}"
            note = "" if ours == says else "the report contradicts its own grid here, which has our value"
        yield Finding(what, says, ours, ours == says, note=note, source=source, method="the report's search")
