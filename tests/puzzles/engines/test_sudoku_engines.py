"""Sudoku on every kind of engine: the report's verdicts, agreement, failcheck, residuals, limits."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from patience import given_time
from shared_data import ROOT, kept_rows, larger_rows

import bridge
from bridge.asp.running.local import Local
from bridge.comparison.compare import _contradiction, compare
from bridge.comparison.comparison import Row
from bridge.errors import DisagreementError, InputError, SolverError, UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Interrupted, Progress, Verdict
from bridge.puzzles.engines import IMPERATIVE, NAMES, Ability, engine
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.sudoku import Sudoku

EXAMPLES = ROOT / "examples" / "sudoku"

#: Engines that finish every 9x9 here within a second or two; `bt` and plain `fc` may need hours for some.
QUICK = ["asp", "clpfd", "fc+mrv", "mac+mrv", "mac+mrv+degree"]

#: Report 3's problems, as its author or we verified them: verdict, and the number of solutions where it is small.
REPORT3 = {
    1: (Verdict.UNIQUE, 1), 3: (Verdict.IMPOSSIBLE, 0), 4: (Verdict.AMBIGUOUS, None), 5: (Verdict.AMBIGUOUS, 8),
    6: (Verdict.AMBIGUOUS, 2), 7: (Verdict.UNIQUE, 1), 8: (Verdict.UNIQUE, 1),
}  # fmt: skip


def problem(number: int) -> Puzzle:
    return bridge.puzzles.load("sudoku", EXAMPLES / f"report3-problem{number}.txt")


@pytest.mark.slow
@pytest.mark.parametrize("number", REPORT3)
@pytest.mark.parametrize("name", QUICK)
def test_report_3(number: int, name: str) -> None:
    verdict, count = REPORT3[number]
    puzzle = problem(number)
    assert engine(name).solutions(puzzle, Limits(solutions=2)).collect().verdict is verdict
    if count is not None:
        outcome = engine(name).solutions(puzzle).collect()
        assert (len(set(outcome.solutions)), outcome.complete) == (count, True)


@pytest.mark.parametrize("name", [name for name in IMPERATIVE if name not in QUICK])
def test_report_3_within_limits(name: str) -> None:
    for number, (verdict, _) in REPORT3.items():
        found = engine(name).solutions(problem(number), Limits(nodes=5000, solutions=2)).collect()
        assert found.verdict in (verdict, Verdict.UNKNOWN)
        assert found.limit == "nodes" if found.verdict is Verdict.UNKNOWN else True


def test_problem_2_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match=r"problem2.txt:2:15: r2c8 \(row 2, column 8\) holds 10.* 1 to 9"):
        problem(2)


def test_problem_6_leaves_open_what_the_report_shows() -> None:
    """Four domains 3\\/6, and the six all_distinct goals that still hold open cells."""
    report = bridge.check(problem(6))
    four = {(4, 1): (3, 6), (4, 6): (3, 6), (6, 1): (3, 6), (6, 6): (3, 6)}
    assert report.residual is not None
    assert report.propagated is not None
    assert report.residual.open == report.propagated.open == four
    assert report.residual.constraints == ("row 4", "row 6", "column 1", "column 6", "box (2,1)", "box (2,2)")
    assert sorted(report.propagated.constraints) == sorted(
        [
            "r4c1 in 3\\/6",
            "all_distinct([r4c1, 4, 2, 7, 8, 5, r6c1, 9, 1])",
            "all_distinct([4, 1, 8, r4c1, 7, r6c1, 5, 2, 9])",
            "all_distinct([r4c1, 4, 2, 5, 1, r4c6, 7, 9, 8])",
            "r4c6 in 3\\/6",
            "all_distinct([5, 1, r4c6, 2, 9, 4, 7, 8, r6c6])",
            "all_distinct([8, 7, 1, r4c6, 4, r6c6, 9, 5, 2])",
            "r6c1 in 3\\/6",
            "all_distinct([r6c1, 9, 1, 7, 8, r6c6, 5, 4, 2])",
            "r6c6 in 3\\/6",
        ]
    )


def test_the_empty_grid_is_told_in_full() -> None:
    report = bridge.check(problem(4))
    assert report.verdict is Verdict.AMBIGUOUS
    assert report.residual is not None
    assert report.residual.open == {(r, c): tuple(range(1, 10)) for r in range(1, 10) for c in range(1, 10)}
    assert report.residual.complete


def test_exact_is_within_propagated_and_equals_the_solutions() -> None:
    puzzle = problem(5)
    solutions = engine("asp").solutions(puzzle).collect().solutions
    occurring = {cell: tuple(sorted({grid[cell[0] - 1][cell[1] - 1] for grid in solutions})) for cell in puzzle.cells()}
    assert bridge.residual(puzzle).possible == occurring
    for name in ("clpfd", "mac+mrv", "fc"):
        propagated = engine(name).propagated(puzzle)
        assert all(set(occurring[cell]) <= set(propagated.possible[cell]) for cell in puzzle.cells())
    # What all_distinct sees, arc consistency on pairs cannot see more of.
    clpfd, mac = engine("clpfd").propagated(puzzle), engine("mac").propagated(puzzle)
    assert all(set(clpfd.possible[cell]) <= set(mac.possible[cell]) for cell in puzzle.cells())


@pytest.mark.parametrize("name", ["asp", "clpfd", "mac"])
def test_the_residual_of_an_impossible_instance_is_a_contradiction(name: str) -> None:
    residual = bridge.residual(parse("sudoku", "11" + "." * 14), engine=name)
    assert residual.contradiction
    assert residual.open == {}


def test_an_engine_says_what_it_cannot() -> None:
    with pytest.raises(UnsupportedError, match="engine bt does not have the ability"):
        bridge.residual(problem(6), engine="bt")
    with pytest.raises(UnsupportedError, match="exact"):
        engine("clpfd").exact(problem(6))
    for name in NAMES:
        assert {Ability.FIND, Ability.ENUMERATE, Ability.PROVE} <= engine(name).abilities


@pytest.mark.parametrize("name", ["", "spam", "mac+", "mac+spam", "lcv", "asp+mrv", "mac+mrv+mrv"])
def test_an_unknown_engine_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="there is no engine"):
        engine(name)


def instance(row: dict[str, Any]) -> Sudoku:
    if "grid" in row:
        return Sudoku(tuple(tuple(v or None for v in r) for r in row["grid"]), tuple(row.get("box", (3, 3))))
    return parse("sudoku", row.get("text", row.get("puzzle")))  # type: ignore[return-value]


def solution(row: dict[str, Any]) -> Grid:
    known = row["solution"]
    if isinstance(known, list):
        return tuple(map(tuple, known))
    return tuple(tuple(int(c) for c in known[i : i + 9]) for i in range(0, 81, 9))


KEPT = kept_rows("sudoku")


@pytest.mark.slow
@pytest.mark.parametrize("row", KEPT, ids=lambda row: row["id"])
def test_kept_instances_by_asp(row: dict[str, Any]) -> None:
    outcome = engine("asp").solutions(instance(row), Limits(solutions=2)).collect()
    assert outcome.verdict is Verdict.UNIQUE
    assert outcome.solutions == (solution(row),)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clpfd", "mac+mrv+degree", "fc+mrv"])
def test_kept_instances_by_the_others_are_never_wrong(name: str) -> None:
    """Of clpfd, which takes ten times as long, every third."""
    finished, rows = 0, KEPT[:: 3 if name == "clpfd" else 1]
    for row in rows:
        limits = Limits(solutions=2, nodes=None if name == "clpfd" else 1000)
        outcome = engine(name).solutions(instance(row), limits).collect()
        assert outcome.verdict in (Verdict.UNIQUE, Verdict.UNKNOWN)
        assert set(outcome.solutions) <= {solution(row)}
        finished += outcome.verdict is Verdict.UNIQUE
    assert finished == len(rows) if name == "clpfd" else finished >= 20


LARGER = larger_rows("sudoku/9x9") + larger_rows("sudoku/other_sizes") + larger_rows("sudoku/sudopedia")
if LARGER:

    def test_every_row_of_the_larger_sets_by_asp() -> None:
        for row in LARGER:
            # The hardest of size 25 take minutes; they may be left open here, but not be answered wrong.
            outcome = engine("asp").solutions(instance(row), Limits(solutions=2, seconds=5)).collect()
            assert str(outcome.verdict) == row["verdict"] or (outcome.limit == "seconds" and row["n"] == 25), row["id"]
            if outcome.verdict is Verdict.UNIQUE and row.get("solution"):
                assert outcome.solutions == (solution(row),)


@st.composite
def small(draw: st.DrawFn) -> Sudoku:
    box = draw(st.sampled_from([(2, 2), (1, 3), (2, 3)]))
    size = box[0] * box[1]
    cells = draw(st.dictionaries(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), st.integers(1, size), max_size=size * 2))
    return Sudoku(tuple(tuple(cells.get((r, c)) for c in range(size)) for r in range(size)), box)


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(small())
def test_all_engines_agree_on_random_grids(puzzle: Sudoku) -> None:
    comparison = compare("asp", "clpfd", *IMPERATIVE, instances=[puzzle], limits=Limits(seconds=10, solutions=60))
    assert comparison.agree, comparison.disagreements
    whole = [row.outcome for row in comparison.rows if row.outcome and row.outcome.complete]
    assert len({frozenset(outcome.solutions) for outcome in whole}) <= 1
    exact = bridge.residual(puzzle)
    if whole:
        for cell in puzzle.cells():
            values = {grid[cell[0] - 1][cell[1] - 1] for grid in whole[0].solutions}
            assert set(exact.possible.get(cell, ())) == values
        assert bool(puzzle.clashes()) <= (not whole[0].solutions), "clues that clash have no solution"


@pytest.mark.parametrize("name", ["asp", "clpfd", "bt", "fc", "mac"])
@pytest.mark.parametrize("text", ["....1..1........", "..2...........2.", "..3....3........", "........4....4.."])
def test_failcheck(name: str, text: str) -> None:
    """The smallest violation of each rule is refused by every engine."""
    outcome = engine(name).solutions(parse("sudoku", text)).collect()
    assert (outcome.solutions, outcome.complete) == ((), True)


@pytest.mark.parametrize("name", ["asp", "clpfd", "bt", "fc", "mac"])
def test_all_grids_of_size_4(name: str) -> None:
    outcome = engine(name).solutions(parse("sudoku", "." * 16)).collect()
    assert (len(set(outcome.solutions)), outcome.complete) == (288, True)


def test_a_wrong_solution_never_gets_out() -> None:
    class Liar(type(engine("bt"))):  # type: ignore[misc]
        def search(self, puzzle: Puzzle, limits: Limits, progress: Progress) -> Any:
            yield tuple(tuple(1 for _ in row) for row in puzzle.grid)

    liar = Liar(engine("bt")._strategy)  # type: ignore[attr-defined]
    with pytest.raises(SolverError, match="wrong solution: row 1 is broken by r1c1=1, r1c2=1"):
        next(liar.solutions(parse("sudoku", "." * 16), UNLIMITED))


def test_engines_that_disagree_are_an_error() -> None:
    puzzle = problem(6)
    both = engine("asp").solutions(puzzle).collect()
    one = bridge.Outcome(both.solutions[:1], True)
    none = bridge.Outcome((), True)
    some = bridge.Outcome(both.solutions[:1], False, "seconds")
    assert _contradiction("p", [Row("p", "a", both, 0), Row("p", "b", one, 0)]) == "p: a says ambiguous, b says unique"
    assert _contradiction("p", [Row("p", "a", none, 0), Row("p", "b", some, 0)]) == "p: b has a solution that a, complete, does not have"
    assert _contradiction("p", [Row("p", "a", both, 0), Row("p", "b", some, 0), Row("p", "c", None, 0, "missing")]) is None
    comparison = bridge.Comparison("sudoku", ("p",), ("a", "b"), (), ("p: a says unique, b says impossible",))
    with pytest.raises(DisagreementError, match="a says unique"):
        comparison.require_agreement()


def test_the_second_instance_of_a_shape_is_not_ground_again() -> None:
    engine("asp").solutions(problem(1)).collect()
    statistics = engine("asp").solutions(problem(7)).collect().statistics
    assert "ground" not in statistics.seconds


def test_two_searches_of_one_shape_at_a_time() -> None:
    first = engine("asp").solutions(problem(4))
    second = engine("asp").solutions(problem(4))
    grids = {next(first), next(second), next(first), next(second)}
    assert len(grids) >= 2
    first.close()
    second.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["asp", "clpfd", "mac+mrv"])
def test_a_time_limit_keeps_what_was_found(name: str) -> None:
    engine(name).solutions(problem(4), Limits(solutions=1)).collect()  # to begin with, it is loaded
    outcome = given_time(
        lambda seconds: engine(name).solutions(problem(4), Limits(seconds=seconds)).collect(),
        lambda outcome: len(outcome.solutions) > 2,
    )
    assert (outcome.complete, outcome.limit) == (False, "seconds")


def test_an_encoding_runs_alone_on_the_facts_of_an_instance(tmp_path: Path) -> None:
    """`clingo sudoku.lp instance.lp` finds what the engine finds; other sizes too."""
    from bridge.asp import Program

    for text in (json.dumps(problem(6).to_json()), "box 3x2\n1" + "." * 34 + "2"):
        puzzle = parse("sudoku", text)
        facts = tmp_path / "instance.lp"
        facts.write_text(models(puzzle).facts())
        with Program(ROOT / "encodings" / "sudoku" / "sudoku.lp", facts) as program:
            found = {frozenset(model["cell"]) for model in program.models(limits=Limits(solutions=30))}
        for cells in found:
            grid = puzzle.solution({(r, c): v for r, c, v in cells})
            assert puzzle.violations(grid) == []
        assert len(found) == min(30, len(engine("asp").solutions(puzzle, Limits(solutions=30)).collect().solutions))


def test_a_limit_on_memory_is_refused_not_ignored() -> None:
    puzzle = parse("sudoku", "." * 81)
    for name in ("asp", "clpfd", "mac+mrv", "dfs"):
        with pytest.raises(UnsupportedError, match="memory"):
            engine(name).solutions(puzzle, Limits(memory=10**9))


def test_a_solution_that_came_with_ctrl_c_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """clingo has returned with a model when Ctrl-C is heard."""
    real = Local._reading

    def pressing(*args: Any) -> Any:
        search, read = real(*args)

        def press() -> Any:
            found = read()
            signal.raise_signal(signal.SIGINT)
            return found

        return search, press

    monkeypatch.setattr(Local, "_reading", pressing)
    with pytest.raises(Interrupted) as raised:
        engine("asp").solutions(problem(1)).collect()
    (grid,) = raised.value.partial.solutions
    assert not problem(1).violations(grid)
    assert raised.value.partial.limit == "interrupt"
