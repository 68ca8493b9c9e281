"""Report 1: Latin squares and Futoshiki as constraint satisfaction problems, and up to which order.

The report's variables are numbered from 0 in reading order; ours are cells.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from itertools import groupby
from time import perf_counter
from typing import Any, TypeAlias

from bridge.errors import Place
from bridge.limits import Limits
from bridge.puzzles.analysis.count import count
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.reports import Finding, data, lines_of, passages, solved
from bridge.puzzles.reports.originals.backtracking import Cells, backtracking

ABOUT = """The report uses the textbook's backtracking search in Python, without inference, with arc consistency,
and, as it says, with the MRV heuristic. Its test functions do not hand the heuristic on, so that those runs are plain
backtracking. `bridge/puzzles/reports/originals/backtracking.py` follows that search, and prints the very squares and
grids of the report. Two of its habits cost much or show in the result: a given is not looked at before its turn comes,
and values that were taken out of a domain are put back at its end. Our engines `bt` and `mac` assign the givens first
and keep the order of values; their counts are not the report's, and stand in rows of their own. Nodes are values
tried."""

#: The report's three settings and the two together, as engines.
SETTINGS = {"without inference": "bt", "with inference": "mac", "with MRV": "bt+mrv", "with both": "mac+mrv"}

#: Engines for the question up to which order; the orders that are tried, one after the other; and the most nodes.
ENGINES = ("bt", "fc", "mac", "bt+mrv", "fc+mrv", "mac+mrv")
ORDERS = (4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25)
NODES = 20_000

#: The greatest number of solutions of the 10x10 that are enumerated.
MANY = 1_000

#: Which of the report's Latin squares ran with inference, by order.
_WITH_INFERENCE = {4: False, 5: True, 6: False}

Lists: TypeAlias = Mapping[str, list[Any]]


def findings(seconds: float) -> Iterator[Finding]:
    """The formulation, the Latin squares, the Futoshikis, and the question of order."""
    rows = {row["id"]: row for row in data("futoshiki")["futoshiki"]}
    yield from _formulation("order 4", "variables of order 4", "domains of order 4", parse("latin-square", "order 4"))
    yield from _neighbours("order 4", "neighbours of order 4", parse("latin-square", "order 4"))
    givens = parse("latin-square", "....\n..3.\n.2..\n....")
    yield from _formulation("order 4 with givens", "", "domains with givens", givens)
    yield _same_neighbours(givens)
    for latin in data("latin_futoshiki")["latin"]:
        yield from _latin(latin, seconds)
    never_solved = _puzzle(rows["5x5 with givens"])
    what = "Futoshiki 5x5 with givens"
    yield from _formulation(what, "variables of 5x5", "domains of 5x5", never_solved)
    yield from _neighbours(what, "neighbours of 5x5", never_solved)
    for row in rows.values():
        yield from _futoshiki(row, seconds)
    for name in ENGINES:
        yield _orders(name, seconds)


def _named(puzzle: Puzzle) -> tuple[list[str], Lists, Lists]:
    """Variables, domains and neighbours under the report's numbers."""
    csp = models(puzzle).csp()
    number = {variable: str(n) for n, variable in enumerate(csp.variables)}
    domains = {number[x]: list(values) for x, values in csp.domains.items()}
    neighbours = {number[x]: sorted((number[y] for y in others), key=int) for x, others in csp.neighbours.items()}
    return list(number.values()), domains, neighbours


def _formulation(what: str, of_variables: str, of_domains: str, puzzle: Puzzle) -> Iterator[Finding]:
    known = passages(1)
    variables, domains, _ = _named(puzzle)
    if of_variables:
        printed = literal_eval(known[of_variables].text.removeprefix("Variáveis "))
        says = f"['0', '1', … '{printed[-1]}']"
        ours = f"['0', '1', … '{variables[-1]}']"
        yield Finding(f"{what}: variables", says, ours, printed == variables, source=of_variables, method="`csp`")
    printed = literal_eval(known[of_domains].text.removeprefix("Domínios Iniciais "))
    for _, group in groupby(printed, key=printed.__getitem__):
        least, *more = group
        most = more[-1] if more else least
        says, ours = f"'{least}': {printed[least]}", f"'{least}': {domains[least]}"
        name = f"domain of {least}"
        if most != least:
            says += f"…'{most}': {printed[most]}"
            ours += f"…'{most}': {domains[most]}"
            name = f"domains of {least} to {most}"
        among = range(int(least), int(most) + 1)
        same = all(printed[str(n)] == domains[str(n)] for n in among)
        yield Finding(f"{what}: {name}", says, ours, same, source=of_domains, method="`csp`")


def _neighbours(what: str, source: str, puzzle: Puzzle) -> Iterator[Finding]:
    """A list for each variable; in the text that we have the report's line is cut off."""
    printed, order = _lists(source), len(puzzle.grid)
    for name, others in _named(puzzle)[2].items():
        ours = f"'{name}': {others}"
        says = f"'{name}': {printed[name]}" if name in printed else ""
        n = int(name)
        line = [m for m in range(order * order) if m != n and (m // order == n // order or m % order == n % order)]
        same = others == (printed[name] if says else list(map(str, line)))
        note = "" if says else "cut off in the text of the report; compared with row and column"
        where = source if says else ""
        yield Finding(f"{what}: neighbours of {name}", says, ours, same, note=note, source=where, method="`csp`")


def _lists(source: str) -> dict[str, list[str]]:
    """The complete lists that a passage has."""
    found = re.findall(r"'(\d+)': (\['\d+'(?:, '\d+')*\])", passages(1)[source].text)
    return {name: literal_eval(text) for name, text in found}


def _same_neighbours(puzzle: Puzzle) -> Finding:
    source = "neighbours with givens"
    printed, ours = _lists(source), _named(puzzle)[2]
    unchanged = ours == _named(parse("latin-square", "order 4"))[2]
    same = unchanged and all(ours[name] == others for name, others in printed.items())
    shown = f"'0': {ours['0']}…'10': {ours['10']}, all as without givens" if unchanged else "other lists"
    says = f"'0': {printed['0']}…'10': {printed['10']}"
    return Finding("order 4 with givens: neighbours", says, shown, same, source=source, method="`csp`")


def _latin(row: dict[str, Any], seconds: float) -> Iterator[Finding]:
    order = row["n"]
    text = [["."] * order for _ in range(order)]
    for r, c, value in row["givens"]:
        text[r][c] = str(value)
    puzzle = parse("latin-square", "\n".join(map(" ".join, text)))
    name = row["id"].removeprefix("report1-")
    if "printed_solution" in row:
        source = f"square of order {order}"
        yield _first_square(name, order, source, tuple(map(tuple, row["printed_solution"])), puzzle)
        for setting, by in SETTINGS.items():
            yield _solved(f"{name}, {setting}", by, puzzle, seconds)
    else:
        note = "the report prints its domains and does not solve it"
        yield _first(f"{name}, by the report's search", Cells.of(puzzle.grid), puzzle, note=note)
    yield _counted(name, puzzle, row["count"], seconds)


def _first_square(name: str, order: int, source: str, printed: Grid, puzzle: Puzzle) -> Finding:
    with_inference = _WITH_INFERENCE[order]
    result = backtracking(Cells.empty(order), inference=with_inference)
    note = f"{result.tried:,} values tried, {result.assigned:,} assigned"
    if order == 6:
        note += "; called a run with a heuristic, but the search gets none: plain backtracking gives this square"
    says, ours = lines_of(printed), lines_of(result.grid or ())
    right = ours == says and not puzzle.violations(printed)
    method = f"the report's search, {'arc consistency' if with_inference else 'no inference'}"
    return Finding(f"{name}: the printed square", says, ours, right, note=note, source=source, method=method)


def _first(what: str, cells: Cells, puzzle: Puzzle, *, note: str = "") -> Finding:
    """A run of the report's search that the report does not show."""
    result = backtracking(cells)
    solvable = not result.complete or bool(engine("asp").solutions(puzzle, Limits(solutions=1)).collect().solutions)
    right = (result.grid is not None) is solvable
    found = "found" if result.grid else "no solution" if result.complete else "limit reached"
    if result.grid and puzzle.violations(result.grid):
        right, found = False, "a wrong solution"
    shown = f"{found}, {result.tried:,} values tried, {result.assigned:,} assigned"
    return Finding(what, "", shown, right, note=note, method="the report's search")


def _puzzle(row: dict[str, Any]) -> Futoshiki:
    return Futoshiki.from_json({"grid": row["grid"], "less": row["less"]}, Place("report 1"))


def _cells(puzzle: Futoshiki, without: tuple[tuple[int, int], ...] = ()) -> Cells:
    """The report's form of a Futoshiki; `without` are inequalities to leave out, by its numbers."""
    order = len(puzzle.grid)

    def number(cell: tuple[int, int]) -> int:
        return (cell[0] - 1) * order + cell[1] - 1

    pairs = ((number(more), number(less)) for less, more in puzzle.less)
    return Cells.of(puzzle.grid, (pair for pair in pairs if pair not in without))


def _futoshiki(row: dict[str, Any], seconds: float) -> Iterator[Finding]:
    puzzle = _puzzle(row)
    name = f"Futoshiki {row['id']}"
    if row["printed"]:
        yield from _printed(name, row, puzzle)
    elif row["id"] == "7x7":
        yield from _seven(name, row, puzzle)
    else:
        yield _first(f"{name}, by the report's search", _cells(puzzle), puzzle, note=row["note"])
    for setting, by in SETTINGS.items():
        yield _solved(f"{name}, {setting}", by, puzzle, seconds)
    yield _counted(name, puzzle, row["solutions"], seconds)


def _printed(name: str, row: dict[str, Any], puzzle: Futoshiki) -> Iterator[Finding]:
    """A grid that the report prints, with the inequalities drawn, and its seconds."""
    with_inference = row["id"] == "6x6"
    started = perf_counter()
    result = backtracking(_cells(puzzle), inference=with_inference)
    spent = perf_counter() - started
    lines = passages(1)[name].text.splitlines()
    drawn = [line for line in lines[:-1] if any(char.isdigit() for char in line)]
    says = "\n".join(" ".join(line.split()) for line in drawn)
    values = tuple(tuple(int(char) for char in line if char.isdigit()) for line in drawn)
    right = result.grid == values and not puzzle.violations(values)
    ours = lines_of(result.grid or ())
    note = f"{result.tried:,} values tried, {result.assigned:,} assigned; the report draws the inequalities between"
    method = f"the report's search, {'arc consistency' if with_inference else 'no inference'}"
    yield Finding(f"{name}: the printed grid", says, ours, right, note=note, source=name, method=method)
    says = lines[-1].removeprefix("Demorou ")
    yield Finding(f"{name}: seconds", says, f"{spent:.3f}s", None, note="another machine", source=name, method=method)


def _seven(name: str, row: dict[str, Any], puzzle: Futoshiki) -> Iterator[Finding]:
    """The 7x7 as the report ran it: an inequality is written with a blank, and does nothing."""
    started = perf_counter()
    result = backtracking(_cells(puzzle, without=((35, 36),)))
    spent = perf_counter() - started
    right = result.grid is not None and not puzzle.violations(result.grid)
    note = "called a run with a heuristic, but the search gets none; `'35': [' 36']` names no variable and does nothing"
    ours = f"n=7, {result.tried:,} values tried, {result.assigned:,} assigned"
    how = {"source": "up to which order", "method": "the report's search, no inference"}
    yield Finding(f"{name}: solved", "n=7", ours, right, note=note, **how)
    yield Finding(f"{name}: seconds", "29s", f"{spent:.1f}s", None, note="another machine", **how)
    again = backtracking(_cells(puzzle))
    what = f"{name}: the inequality with a stray blank"
    says, shown = "'35': [' 36']", f"the same solution with it as without, {again.tried:,} values tried"
    note = "our reader refuses such input; here the inequality counts"
    same = result.grid == again.grid
    yield Finding(what, says, shown, same, note=note, source="stray blank", method=how["method"])


def _solved(what: str, by: str, puzzle: Puzzle, seconds: float) -> Finding:
    outcome = solved(by, puzzle, seconds)
    nodes = f"{outcome.statistics.counters['nodes']:,} nodes"
    if outcome.solutions:
        ours = f"found, {nodes}"
    elif outcome.complete:
        ours = f"no solution, {nodes}"
    else:
        ours = f"nothing within {seconds:g} s, {nodes}"
    right = bool(outcome.solutions or outcome.complete) or None
    return Finding(what, "", ours, right, method=by)


def _counted(name: str, puzzle: Puzzle, known: int | None, seconds: float) -> Finding:
    """All solutions, where there are not too many."""
    what = f"{name}: solutions"
    if known is None:
        outcome = solved("asp", puzzle, seconds, MANY + 1)
        number, complete = len(outcome.solutions), outcome.complete
        ours = f"{number:,}" if complete else f"more than {number - 1:,}"
        return Finding(what, "", ours, (complete or number > MANY) or None, method="asp")
    counted = count(puzzle, limits=Limits(seconds=seconds))
    ours = f"{counted.number:,}" if counted.complete else f"at least {counted.number:,}"
    note = f"by symmetry: each of those counted stands for {counted.symmetry:,}" if counted.symmetry > 1 else ""
    right = counted.number == known if counted.complete else None
    return Finding(what, "", ours, right, note=note, method="`count`")


def _orders(name: str, seconds: float) -> Finding:
    """The largest order whose empty Latin square is filled with so many nodes; all smaller ones are, too."""
    best = 0
    for order in ORDERS:
        outcome = solved(name, parse("latin-square", f"order {order}"), seconds, nodes=NODES)
        if not outcome.solutions:
            break
        best = order
    else:
        outcome = None
    more = " or more" if outcome is None else ""
    what = f"up to which order with {NODES:,} nodes, first Latin square, {name}"
    slow = outcome is not None and outcome.limit == "seconds"
    note = f"the orders tried: {', '.join(map(str, ORDERS))}"
    note += f"; order {order} was ended by the limit of {seconds:g} s" if slow else ""
    return Finding(what, "", f"{best}{more}", None if slow else best >= 7, note=note, method=name)
