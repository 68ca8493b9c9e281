"""What the search finds: the same as brute force, whatever the strategy; known numbers of solutions; counters."""

from itertools import pairwise

import pytest
from csp_problems import (
    ALL_STRATEGIES,
    HARD_SUDOKUS,
    australia,
    brute_force,
    csps,
    latin,
    magic,
    queens,
    sudoku,
)
from hypothesis import given, settings

from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.search import CSP, AllDifferent, Binary, Strategy, Sum, search


def count(csp, name):
    outcome = search(csp, Strategy.parse(name)).collect()
    assert outcome.complete
    assert not any(csp.violated(solution) for solution in outcome.solutions)
    return len({tuple(solution.items()) for solution in outcome.solutions})


@settings(max_examples=30)
@given(csps())
def test_every_strategy_finds_what_brute_force_finds(csp):
    expected = brute_force(csp)
    for strategy in ALL_STRATEGIES:
        outcome = search(csp, strategy).collect()
        assert outcome.complete, strategy
        assert outcome.limit is None
        found = list(outcome.solutions)
        if strategy.variable_order == "first" and strategy.value_order == "given":
            assert found == expected, strategy  # in the same order, too
        key = sorted(csp.variables)
        as_tuples = [tuple(solution[variable] for variable in key) for solution in found]
        assert sorted(as_tuples) == sorted(tuple(s[variable] for variable in key) for s in expected), strategy


@settings(max_examples=50)
@given(csps())
def test_more_inference_never_expands_more_nodes(csp):
    nodes = [search(csp, Strategy(inference)).collect().statistics.counters["nodes"] for inference in INFERENCES_UP]
    assert all(stronger <= weaker for stronger, weaker in pairwise(nodes)), nodes


INFERENCES_UP = ("mac", "fc", "bt")


@pytest.mark.parametrize("inference", INFERENCES_UP)
@pytest.mark.parametrize(("n", "squares"), [(1, 1), (2, 2), (3, 12), (4, 576)])
def test_latin_squares(n, squares, inference):
    assert count(latin(n), inference) == squares


@pytest.mark.parametrize("name", ["bt", "bt+mrv", "fc+mrv", "mac", "mac+mrv+degree+lcv"])
@pytest.mark.parametrize(("n", "placements"), [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_queens(n, placements, name):
    assert count(queens(n), name) == placements


@pytest.mark.parametrize("strategy", ALL_STRATEGIES, ids=str)
def test_map_of_australia(strategy):
    assert count(australia(), str(strategy)) == 18


@pytest.mark.parametrize("name", ["bt", "fc+mrv", "mac", "mac+mrv+degree"])
def test_magic_squares(name):
    assert count(magic(3), name) == 8


@pytest.mark.parametrize("name", ["mac+mrv", "mac+mrv+degree", "mac+mrv+degree+lcv", "fc+mrv+degree"])
@pytest.mark.parametrize("puzzle", HARD_SUDOKUS)
def test_hard_sudokus_have_one_solution(puzzle, name):
    outcome = search(sudoku(puzzle), Strategy.parse(name)).collect()
    assert outcome.verdict is Verdict.UNIQUE
    assert "".join(map(str, outcome.solutions[0].values())) == HARD_SUDOKUS[puzzle]


@pytest.mark.parametrize("strategy", ALL_STRATEGIES, ids=str)
def test_givens_that_clash_are_found_at_the_root(strategy):
    csp = latin(9, {"3": 5, "75": 5, "0": 1})  # cells 3 and 75 are in one column
    stream = search(csp, strategy, Limits(seconds=60))
    outcome = stream.collect()
    assert outcome.verdict is Verdict.IMPOSSIBLE
    assert outcome.complete
    assert outcome.statistics.counters["nodes"] == 0


@pytest.mark.parametrize("strategy", ALL_STRATEGIES, ids=str)
def test_the_smallest_problems(strategy):
    assert search(CSP({}), strategy).collect().solutions == ({},)
    assert search(CSP({"x": []}), strategy).collect().verdict is Verdict.IMPOSSIBLE
    assert search(CSP({"x": [7]}), strategy).collect().solutions == ({"x": 7},)
    assert search(CSP({"x": [1, 2]}, [Sum("x", 2, "x = 2")]), strategy).collect().solutions == ({"x": 2},)
    assert search(CSP({"x": [1]}, [Sum("", 1, "0 = 1")]), strategy).collect().verdict is Verdict.IMPOSSIBLE


def test_counters_by_hand():
    # Three variables, all different, two values; worked out on paper from the definitions in backtracking.py.
    csp = CSP(dict.fromkeys("abc", (1, 2)), [AllDifferent("abc", "all")])
    counters = {name: search(csp, Strategy.parse(name)).collect().statistics.counters for name in ("bt", "fc", "mac")}
    assert counters["bt"] == {"nodes": 10, "backtracks": 5, "checks": 10}
    assert counters["fc"] == {"nodes": 4, "backtracks": 3, "checks": 8}
    assert counters["mac"] == {"nodes": 2, "backtracks": 1, "checks": 8}


def test_checks_end_at_the_wipe_out():
    csp = CSP({"a": [1], "b": [1], "c": [1, 2], "d": [1, 2]}, [AllDifferent("abcd", "all")])
    for name in ("bt", "fc", "mac"):
        assert search(csp, Strategy.parse(name)).collect().statistics.counters["checks"] == 1


def test_mrv_under_bt_counts_the_values_that_are_left():
    # After a = 1 only c has a single value left; static domain sizes would take b.
    csp = CSP(
        {"a": [1], "b": [1, 2, 3], "c": [0, 1, 2, 3]},
        [Binary("a", "c", lambda a, c: c == 0, "ac"), AllDifferent("bc", "bc")],
    )
    plain = search(csp, Strategy.parse("bt")).collect().statistics.counters["nodes"]
    mrv = search(csp, Strategy.parse("bt+mrv")).collect().statistics.counters["nodes"]
    assert (plain, mrv) == (3 + 3 * 4, 4 + 3)


def test_lcv_takes_the_value_that_forbids_least():
    csp = CSP(
        {"x": [1, 2, 3], "y": [1, 2], "z": [1, 3]},
        [AllDifferent("xy", "x ≠ y"), Binary("x", "z", lambda x, z: x != z, "x ≠ z")],
    )
    values = list(dict.fromkeys(solution["x"] for solution in search(csp, Strategy.parse("fc+lcv"))))
    assert values == [2, 3, 1]  # 1 forbids two values, 2 and 3 one each: those stay as given


def test_more_variables_than_frames():
    csp = CSP(
        dict.fromkeys(range(1500), (1, 2)),
        [Binary(x, x + 1, lambda a, b: a != b, f"{x}") for x in range(1499)],
    )
    for name in ("bt", "fc", "mac"):
        assert count(csp, name) == 2


def test_searches_are_the_same_each_time():
    for strategy in ALL_STRATEGIES:
        first, second = (search(queens(6), strategy) for _ in range(2))
        assert list(first) == list(second)
        assert first.statistics.counters == second.statistics.counters
