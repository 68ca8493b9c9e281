"""`cp-sat` as an engine: limits, Ctrl-C, threads, forks, the end of Python; every kind of puzzle."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from patience import PATIENCE, ends, given_time, interrupted
from shared_data import ROOT, kept_rows

import bridge
from bridge.comparison.compare import compare
from bridge.errors import MissingSolverError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Verdict
from bridge.puzzles.engines import cpsat, engine, packages
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.search import CSP, AllDifferent
from bridge.puzzles.search.constraints_arithmetic import Relation

EXAMPLES = ROOT / "examples"


def assignments(csp: CSP, limits: Limits = UNLIMITED) -> Any:
    found = engine("cp-sat")
    assert isinstance(found, CSPEngine)
    return found.assignments(csp, limits)


def tseitin(vertices: int = 44) -> CSP:
    """Parities on a random graph that cannot all hold. To prove it by search takes exponential time."""
    chance = random.Random(vertices)
    ends = [vertex for vertex in range(vertices) for _ in range(4)]
    while True:
        chance.shuffle(ends)
        edges = [tuple(sorted(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)]
        if len(set(edges)) == len(edges) and all(a != b for a, b in edges):
            break
    odd = [
        Relation(
            [edge for edge in edges if vertex in edge],
            lambda *values, charge=vertex == 0: sum(values) % 2 == charge,
            f"vertex {vertex}",
        )
        for vertex in range(vertices)
    ]
    return CSP(dict.fromkeys(edges, (0, 1)), odd)


def many() -> CSP:
    return CSP(dict.fromkeys("abcdefghij", range(10)), [AllDifferent("abcdefghij", "all")])


def test_a_time_limit_ends_the_search_for_one_solution() -> None:
    with ends():
        outcome = given_time(
            lambda seconds: assignments(tseitin(), Limits(seconds=seconds)).collect(),
            lambda outcome: outcome.statistics.counters.get("conflicts"),
        )
    assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")


@pytest.mark.slow
def test_a_time_limit_keeps_what_was_found() -> None:
    outcome = given_time(
        lambda seconds: assignments(many(), Limits(seconds=seconds)).collect(),
        lambda outcome: len(outcome.solutions) > 1,
    )
    assert (outcome.complete, outcome.limit) == (False, "seconds")
    assert len(outcome.solutions) == len({tuple(one.values()) for one in outcome.solutions})


def test_a_limit_on_solutions() -> None:
    for most in (1, 2, 7):
        outcome = assignments(many(), Limits(solutions=most)).collect()
        assert (len(outcome.solutions), outcome.complete, outcome.limit) == (most, False, "solutions")
    only = CSP({"x": [1], "y": [1, 2]}, [AllDifferent("xy", "all")])
    outcome = assignments(only, Limits(solutions=2)).collect()
    assert (outcome.solutions, outcome.complete, outcome.limit) == (({"x": 1, "y": 2},), True, None)
    nothing = CSP({"x": [1], "y": [1]}, [AllDifferent("xy", "all")])
    assert assignments(nothing, Limits(solutions=1)).collect().verdict is Verdict.IMPOSSIBLE


def test_posting_keeps_the_time_limit() -> None:
    # The product of the domains is just small enough for a table; the check of a tuple takes its time.
    slow = CSP(dict.fromkeys("abc", range(70)), [Relation("abc", lambda *xs: sum(range(sum(xs))) % 7, "slow")])
    outcome = assignments(slow, Limits(seconds=0.01)).collect()
    assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")


def test_ctrl_c_ends_the_search_for_one_solution() -> None:
    partial = interrupted(lambda: assignments(tseitin()).collect())
    assert (partial.solutions, partial.complete, partial.limit) == ((), False, "interrupt")
    assert not running()
    assert assignments(many(), Limits(solutions=1)).collect().solutions  # the next search is not touched


def test_ctrl_c_keeps_what_was_found() -> None:
    assignments(many(), Limits(solutions=1)).collect()  # what is loaded once
    partial = interrupted(lambda: assignments(many()).collect())
    assert len(partial.solutions) > 1
    assert partial.limit == "interrupt"
    assert not running()


def running() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "lpbridge-cp-sat"]


def test_closing_midway_and_two_searches_side_by_side() -> None:
    one, other = assignments(many()), assignments(many())
    pairs = list(islice(zip(one, other, strict=True), 20))
    assert all(x == y for x, y in pairs)
    one.close()
    assert list(one) == []
    assert (one.complete, one.limit) == (False, None)
    assert next(other) not in [x for x, _ in pairs]
    del other
    assert not running()


def test_threads() -> None:
    found: list[int] = []

    def work() -> None:
        csp = CSP(dict.fromkeys("abcd", range(4)), [AllDifferent("abcd", "all")])
        found.append(len(assignments(csp).collect().solutions))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [24] * 4


def test_a_forked_process_searches_on_its_own() -> None:
    csp = CSP(dict.fromkeys("abcd", range(4)), [AllDifferent("abcd", "all")])
    assert len(assignments(csp).collect().solutions) == 24
    child = os.fork()
    if not child:
        try:
            os._exit(len(assignments(csp).collect().solutions))
        finally:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 24


@pytest.mark.slow
def test_python_ends_in_the_middle_of_a_search() -> None:
    program = (
        "from bridge.puzzles.engines import engine\nfrom bridge.puzzles.search import CSP\n"
        "kept = engine('cp-sat').assignments(CSP(dict.fromkeys('abcdefgh', range(9))))\n"
        "print(len([next(kept), next(kept)]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


def test_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "is_installed", lambda package: package != "ortools")
    cpsat._cp_model.cache_clear()
    with pytest.raises(MissingSolverError, match=r"ortools is not installed; pip install 'lpbridge\[cp\]'"):
        assignments(many()).collect()
    comparison = compare("asp", "cp-sat", instances=[parse("sudoku", "1" + "." * 15)])
    assert [row.error is None for row in comparison.rows] == [True, False]


# Puzzles.

GRID = ((None, None, None), (None, "#", None), (None, None, None))
WORDS = ("ab", "ba", "aa", "bab", "abb")
SMALL: dict[str, Callable[[], Puzzle]] = {
    "sudoku": lambda: parse("sudoku", "12.............."),
    "sudoku 6x6": lambda: parse("sudoku", "123456" + "45612." + "." * 24),
    "latin": lambda: parse("latin-square", "order 4"),
    "latin, diagonal": lambda: parse("latin-square", "order 5", variant="diagonal"),
    "latin, reduced": lambda: parse("latin-square", "order 5", variant="reduced"),
    "futoshiki": lambda: parse("futoshiki", "order 4\nr1c1 < r1c2\nr2c2 > r3c2\nr4c4 > r4c3"),
    "magic": lambda: parse("magic-square", "order 3"),
    "magic, reduced": lambda: parse("magic-square", "order 3", symmetry="reduced"),
    "magic, semi": lambda: parse("magic-square", "order 3", variant="semi"),
    "takuzu": lambda: parse("takuzu", "....\n..1.\n....\n...."),
    "takuzu, impossible": lambda: parse("takuzu", "11.\n.1.\n.1."),
    "crossword": lambda: Crossword(GRID, WORDS),
    "crossword, repeated": lambda: Crossword(GRID, WORDS, repeat=True),
    "crossword, words": lambda: Crossword(GRID, ("bab", "abb"), "words"),
    "crossword, anywhere": lambda: Crossword(GRID, ("ab", "abb"), "anywhere"),
}


@pytest.mark.parametrize("name", SMALL)
def test_all_solutions_of_small_instances(name: str) -> None:
    comparison = compare("asp", "mac+mrv", "cp-sat", instances=[SMALL[name]()], limits=UNLIMITED)
    assert comparison.agree, comparison.disagreements
    assert all(row.outcome is not None and row.outcome.complete for row in comparison.rows)
    assert len({frozenset(row.outcome.solutions) for row in comparison.rows if row.outcome}) == 1
    assert len({len(row.outcome.solutions) for row in comparison.rows if row.outcome}) == 1


def kept() -> Iterator[tuple[str, Puzzle, str | None]]:
    """The instances of `tests/data` that both finish quickly: their names, and their verdicts where they are given."""

    def made(kind: str, **data: Any) -> Puzzle:
        return parse(kind, json.dumps(data))

    for row in kept_rows("sudoku"):
        yield row["id"], made("sudoku", grid=row["grid"], box=row["box"]) if "grid" in row else parse("sudoku", row["text"]), row["verdict"]
    for row in kept_rows("latin_square"):
        if row["n"] < 30:
            yield row["id"], made("latin-square", grid=row["grid"]), row["verdict"]
    for row in kept_rows("futoshiki"):
        grid = [[0] * row["n"] for _ in range(row["n"])]
        for r, c, value in row["givens"]:
            grid[r - 1][c - 1] = value
        yield row["id"], made("futoshiki", grid=grid, less=row["less"]), row["verdict"]
    for row in kept_rows("magic_square"):
        if row["verdict"] != "satisfiable":
            yield row["id"], made("magic-square", grid=row["grid"]), row["verdict"]
    for row in kept_rows("takuzu"):
        yield row["id"], parse("takuzu", "lines distinct\n" + "\n".join(row["grid"])), row["verdict"]
    for row in kept_rows("crossword"):
        for how in row["counts"].keys() - {"anywhere"}:
            more: dict[str, Any] = {"repeat": True} if how == "repeat" else {"reading": how}
            yield row["id"], made("crossword", grid=row["grid"], words=row["words"], **more), None


@pytest.mark.slow
def test_every_kept_instance_of_every_kind() -> None:
    for label, puzzle, verdict in kept():
        outcome = engine("cp-sat").solutions(puzzle, Limits(solutions=2)).collect()
        expected = verdict or str(engine("asp").solutions(puzzle, Limits(solutions=2)).collect().verdict)
        assert str(outcome.verdict) == expected, label


def test_a_check() -> None:
    puzzle = bridge.puzzles.load("futoshiki", EXAMPLES / "futoshiki" / "report1-5x5.txt")
    report = bridge.check(puzzle, engine="cp-sat")
    assert (report.verdict, report.engine) == (Verdict.UNIQUE, "cp-sat")
    assert bridge.count(parse("sudoku", "1" + "." * 15), engine="cp-sat").number == 72
