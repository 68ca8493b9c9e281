"""Report 1: Latin squares and Futoshiki as constraint satisfaction problems, and up to which order within a minute.

The report's variables are numbered from 0 in reading order; ours are cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bridge.engines import engine
from bridge.errors import MissingSolverError, Place
from bridge.limits import Limits
from bridge.puzzles import Puzzle, parse
from bridge.puzzles.futoshiki import Futoshiki
from bridge.puzzles.rules import Grid
from bridge.reports import Finding, data, faster

#: The report's three settings, and the engines that they are; its "heuristic" runs were plain backtracking.
SETTINGS = {"without inference": "bt", "with inference": "mac", "with a heuristic": "bt+mrv", "both": "mac+mrv"}

#: Engines for the question up to which order; and the orders that are tried, one after the other.
ENGINES = ("bt", "bt+mrv", "fc+mrv", "mac", "mac+mrv", "clpfd", "asp")
ORDERS = (4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 35, 40)

#: Report 1, printed: the neighbours of the first two variables of order 4.
_NEIGHBOURS = {0: [1, 2, 3, 4, 8, 12], 1: [0, 2, 3, 5, 9, 13]}


def findings(seconds: float) -> Iterator[Finding]:
    """The formulation, the Latin squares, the Futoshikis, and the question of order."""
    yield from _formulation()
    for latin in data("latin_futoshiki")["latin"]:
        yield from _latin(latin, seconds)
    for row in data("futoshiki")["futoshiki"]:
        yield from _futoshiki(row, seconds)
    for name in ENGINES:
        yield _orders(name, seconds)


def _formulation() -> Iterator[Finding]:
    csp = parse("latin-square", "order 4").csp()
    number = {variable: i for i, variable in enumerate(csp.variables)}
    yield Finding("order 4: variables", "16", str(len(csp.variables)), len(csp.variables) == 16)
    plain = all(domain == (1, 2, 3, 4) for domain in csp.domains.values())
    yield Finding("order 4: domains", "[1, 2, 3, 4] each", "the same" if plain else str(csp.domains), plain)
    ours = {number[v]: sorted(number[other] for other in csp.neighbours[v]) for v in csp.variables[:2]}
    note = "`lpbridge csp latin-square FILE` prints all of it"
    yield Finding("order 4: neighbours of the first two", str(_NEIGHBOURS), str(ours), ours == _NEIGHBOURS, note=note)
    given = parse("latin-square", "....\n..3.\n.2..\n....").csp().domains
    ours_given = (given[2, 3], given[3, 2])
    yield Finding("order 4 with givens: their domains", "((3,), (2,))", str(ours_given), ours_given == ((3,), (2,)))


def _latin(row: dict[str, Any], seconds: float) -> Iterator[Finding]:
    order = row["n"]
    text = [["."] * order for _ in range(order)]
    for r, c, value in row["givens"]:
        text[r][c] = str(value)
    puzzle = parse("latin-square", "\n".join(map(" ".join, text)))
    name = row["id"].removeprefix("report1-")
    if "printed_solution" in row:
        printed: Grid = tuple(map(tuple, row["printed_solution"]))
        wrong = puzzle.violations(printed)
        yield Finding(f"{name}: the printed square", "a solution", str(wrong[0]) if wrong else "a solution", not wrong)
        for setting, who in SETTINGS.items():
            yield _solved(f"{name}, {setting}", who, puzzle, seconds, printed=printed)
    yield _counted(name, puzzle, row["count"], seconds)


def _futoshiki(row: dict[str, Any], seconds: float) -> Iterator[Finding]:
    puzzle = Futoshiki.from_json({"grid": row["grid"], "less": row["less"]}, Place("report 1"))
    name = f"Futoshiki {row['id']}"
    printed: Grid | None = tuple(map(tuple, row["printed"])) if row["printed"] else None
    if printed:
        wrong = puzzle.violations(printed)
        yield Finding(f"{name}: the printed grid", "a solution", str(wrong[0]) if wrong else "a solution", not wrong)
    for setting, who in SETTINGS.items():
        what = f"{name}, {setting}"
        yield _solved(what, who, puzzle, seconds, printed=printed, theirs=row["seconds"], note=row["note"])
    yield _counted(name, puzzle, row["solutions"], min(seconds, 10))


def _solved(
    what: str,
    who: str,
    puzzle: Puzzle,
    seconds: float,
    printed: Grid | None = None,
    theirs: float | None = None,
    note: str = "",
) -> Finding:
    started = perf_counter()
    outcome = engine(who).solutions(puzzle, Limits(seconds=seconds, solutions=1)).collect()
    spent = perf_counter() - started
    nodes = f"{outcome.statistics.counters['nodes']:,} nodes"
    if outcome.solutions:
        same = " (the printed one)" if outcome.solutions == (printed,) else ""
        ours = f"{who}: found{same}, {nodes}, {spent:.3f} s"
    elif outcome.complete:
        ours = f"{who}: no solution, {nodes}, {spent:.3f} s"
    else:
        ours = f"{who}: nothing within {seconds:g} s, {nodes}"
    says = f"found in {theirs:.3g} s" if theirs else "found" if printed else ""
    compared = faster(theirs, spent) if theirs and outcome.solutions else ""
    return Finding(f"{what}", says, ours, bool(outcome.solutions or outcome.complete) or None, compared, note)


def _counted(name: str, puzzle: Puzzle, known: int | None, seconds: float) -> Finding:
    """All solutions, where they can be enumerated within the time."""
    limits = Limits(seconds=seconds, solutions=1_000_000)
    found = 0
    with engine("asp").solutions(puzzle, limits) as stream:
        for _ in stream:
            found += 1
    ours = f"{found:,}" if stream.complete else f"unknown, at least {found:,}"
    holds = found == known if stream.complete and known is not None else None
    note = "" if stream.complete else f"enumeration was ended by the limit on {stream.limit}"
    return Finding(f"{name}: solutions", "", ours, holds, f"of {known:,}" if known is not None else "", note)


def _orders(name: str, seconds: float) -> Finding:
    """The largest order whose empty Latin square is filled within the time; all smaller ones are, too."""
    best = 0
    for order in ORDERS:
        try:
            puzzle = parse("latin-square", f"order {order}")
            if not engine(name).solutions(puzzle, Limits(seconds=seconds, solutions=1)).collect().solutions:
                break
        except MissingSolverError as error:
            return Finding(f"up to which order, {name}", "", str(error))
        best = order
    more = " or more" if best == ORDERS[-1] else ""
    what = f"up to which order within {seconds:g} s, first Latin square, {name}"
    says = "7, for an easy Futoshiki, within a minute" if name == "bt" else ""
    note = f"the orders tried: {', '.join(map(str, ORDERS))}"
    return Finding(what, says, f"{best}{more}", best >= 7 or None, note=note)
