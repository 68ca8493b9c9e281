"""Report 4: thirteen Takuzu tests by four state-space searches; generated and expanded nodes, and time.

What counts as generated and expanded is said in `bridge.search.statespace`; the report does not say what it counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from bridge.analysis.check import check
from bridge.engines import engine
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles import parse
from bridge.puzzles.rules import Grid
from bridge.reports import Finding, data, faster

#: The report's names of the searches, and ours.
SEARCHES = {"BFS": "bfs", "DFS": "dfs", "Greedy": "greedy", "A*": "astar"}

#: Where ours has more nodes than theirs: (test, search), and why.
REASONS = {
    (3, "DFS"): "theirs happens to guess every open cell right on this board, ours guesses 0 first and is wrong once; "
    "of some 30 orders tried none was better both here and on other boards",
}


def findings(seconds: float) -> Iterator[Finding]:
    """The table, test by test, with test 6 filled in."""
    rows = {row["test"]: row for row in data("takuzu_table")["results"]}
    engine("bfs").solutions(parse("takuzu", "01\n10")).collect()  # loads what the first test should not pay for
    for test, instance in sorted(data("takuzu_course_tests").items(), key=lambda item: int(item[0])):
        number = int(test)
        puzzle = parse("takuzu", instance["input"])
        official = tuple(tuple(int(value) for value in line.split()) for line in instance["output"].splitlines())
        found = check(puzzle, seconds=seconds)
        right = found.verdict is Verdict.UNIQUE and found.solutions[0] == official
        ours = "the same, and no other" if right else f"{found.verdict}"
        yield Finding(f"test {number}: solution", "the official one", ours, right)
        for theirs, name in SEARCHES.items():
            yield from _search(number, rows.get(number), theirs, name, puzzle, official, seconds)


def _search(
    test: int, row: dict[str, Any] | None, theirs: str, ours: str, puzzle: Any, official: Grid, seconds: float
) -> Iterator[Finding]:
    started = perf_counter()
    outcome = engine(ours).solutions(puzzle, Limits(seconds=seconds, solutions=1)).collect()
    spent = perf_counter() - started
    what = f"test {test}, {theirs}"
    if outcome.solutions != (official,):
        yield Finding(f"{what}: solution", "found", f"none within {seconds:g} s", False)
        return
    for counter in ("generated", "expanded"):
        count = outcome.statistics.counters[counter]
        if row is None:
            yield Finding(f"{what}: nodes {counter}", "", str(count), None, note="the report's table leaves test 6 out")
            continue
        said = row[counter][theirs]
        more = count > said
        compared = f"{abs(count - said)} {'more' if more else 'fewer'}" if count != said else "the same"
        reason = REASONS.get((test, theirs), "") if more else ""
        yield Finding(f"{what}: nodes {counter}", str(said), str(count), not more, compared, reason)
    if row is None:
        yield Finding(f"{what}: seconds", "", f"{spent:.4f}")
    else:
        said = row["seconds"][theirs]
        note = "another machine" if spent <= said else "another machine; the states here are checked against every rule"
        yield Finding(f"{what}: seconds", str(said), f"{spent:.4f}", spent <= said, faster(said, spent), note)
