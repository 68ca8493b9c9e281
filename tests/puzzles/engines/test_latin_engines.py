"""Latin squares and Futoshiki on every kind of engine: counts, report 1, the data sets, failcheck, agreement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from instances import VARIANTS, latin_square
from patience import given_time
from shared_data import ROOT, kept_rows, larger_rows

import bridge
from bridge.comparison.compare import compare
from bridge.errors import Place
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles.engines import IMPERATIVE, engine
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.latin_square import LatinSquare
from bridge.puzzles.kinds.models import models

EXAMPLES = ROOT / "examples"
KINDS = ["asp", "clpfd", "bt", "fc", "mac"]
QUICK = ["asp", "clpfd", "mac+mrv"]

#: Numbers of squares by order (OEIS A002860, A274806, A000315).
COUNTS = {"plain": [1, 2, 12, 576], "diagonal": [1, 0, 0, 48, 960], "reduced": [1, 1, 1, 4, 56]}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_counts(name: str, variant: str) -> None:
    for order, count in enumerate(COUNTS[variant], 1):
        outcome = engine(name).solutions(parse("latin-square", f"order {order}", variant=variant)).collect()
        assert (len(set(outcome.solutions)), outcome.complete) == (count, True)


@pytest.mark.slow
def test_all_squares_of_order_5() -> None:
    assert sum(1 for _ in engine("asp").solutions(parse("latin-square", "order 5"))) == 161280


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_large_empty_square(name: str) -> None:
    assert engine(name).solutions(parse("latin-square", "order 30"), Limits(solutions=1)).collect().solutions


#: The examples, each with its verdict and its number of solutions where all can be listed.
FUTOSHIKI = {
    "report1-5x5": (Verdict.UNIQUE, 1), "report1-5x5-givens": (Verdict.IMPOSSIBLE, 0),
    "report1-6x6": (Verdict.UNIQUE, 1), "report1-7x7": (Verdict.UNIQUE, 1),
    "report1-10x10": (Verdict.AMBIGUOUS, None), "far-apart": (Verdict.AMBIGUOUS, None),
}  # fmt: skip
LATIN = {
    "quasigroup4": (Verdict.AMBIGUOUS, 2), "quasigroup10": (Verdict.IMPOSSIBLE, 0),
    "report1-order4": (Verdict.AMBIGUOUS, 32), "diagonal5": (Verdict.AMBIGUOUS, 8),
    "order30": (Verdict.AMBIGUOUS, None),
}  # fmt: skip


def test_every_example_is_tested() -> None:
    for folder, listed in (("futoshiki", FUTOSHIKI), ("latin_square", LATIN)):
        assert {path.stem for path in (EXAMPLES / folder).glob("*.txt")} == set(listed)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("example", [*FUTOSHIKI, *LATIN])
def test_examples(example: str, name: str) -> None:
    kind = "futoshiki" if example in FUTOSHIKI else "latin-square"
    verdict, count = (FUTOSHIKI | LATIN)[example]
    puzzle = bridge.puzzles.load(kind, EXAMPLES / kind.replace("-", "_") / f"{example}.txt")
    limits = Limits(solutions=2 if count is None else None, nodes=3000 if name == "mac+mrv" else None)
    outcome = engine(name).solutions(puzzle, limits).collect()
    if example == "quasigroup10" and name == "mac+mrv":  # it sees only pairs
        assert (outcome.verdict, outcome.limit) == (Verdict.UNKNOWN, "nodes")
        return
    assert outcome.verdict is verdict
    assert count is None or (len(set(outcome.solutions)), outcome.complete) == (count, True)


#: What report 1 prints.
PRINTED = {
    "report1-5x5": "15342 43215 54123 21534 32451",
    "report1-6x6": "654213 413625 532146 126354 265431 341562",
}


@pytest.mark.parametrize("example", PRINTED)
def test_report_1_prints_our_solution(example: str) -> None:
    report = bridge.check(bridge.puzzles.load("futoshiki", EXAMPLES / "futoshiki" / f"{example}.txt"))
    assert report.solutions == (tuple(tuple(map(int, row)) for row in PRINTED[example].split()),)


@pytest.mark.slow
def test_a_search_without_end_keeps_what_it_found() -> None:
    puzzle = bridge.puzzles.load("futoshiki", EXAMPLES / "futoshiki" / "report1-10x10.txt")
    for name in QUICK:
        outcome = given_time(
            lambda seconds, name=name: engine(name).solutions(puzzle, Limits(seconds=seconds)).collect(),
            lambda outcome: len(outcome.solutions) > 2,
        )
        assert (outcome.complete, outcome.limit) == (False, "seconds")


@pytest.mark.parametrize("name", KINDS)
def test_a_cycle_is_impossible_and_named(name: str) -> None:
    report = bridge.check(parse("futoshiki", "order 4\nr1c1 < r1c2\nr1c2 < r2c2\nr2c2 < r1c1"), engine=name)
    assert report.verdict is Verdict.IMPOSSIBLE
    assert [broken.rule for broken in report.violations] == ["r1c1 < r1c2 < r2c2 < r1c1"]


#: The smallest violation of each rule.
FAILCHECK: list[tuple[str, str]] = [
    ("latin-square", "11\n.."), ("latin-square", "1.\n1."),
    ("latin-square", "variant diagonal\n1...\n.1..\n....\n...."),
    ("latin-square", "variant diagonal\n...1\n..1.\n....\n...."),
    ("latin-square", "variant reduced\n.1\n.."), ("latin-square", "variant reduced\n..\n1."),
    ("futoshiki", "1 1\n. ."), ("futoshiki", "1 .\n1 ."),
    ("futoshiki", "2 < 1\n.   ."), ("futoshiki", "1 > 2\n.   ."),
    ("futoshiki", "2   .\n^\n1   ."), ("futoshiki", "1   .\nv\n2   ."),
    ("futoshiki", "2 .\n. 2\nr1c1 < r2c2"), ("futoshiki", "2 .\n. 2\nr1c1 > r2c2"),
]  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(("kind", "text"), FAILCHECK)
def test_failcheck(name: str, kind: str, text: str) -> None:
    puzzle = parse(kind, text)
    assert puzzle.clashes()
    outcome = engine(name).solutions(puzzle).collect()
    assert (outcome.solutions, outcome.complete) == ((), True)


def futoshiki(row: dict[str, Any]) -> Futoshiki:
    grid = [[0] * row["n"] for _ in range(row["n"])]
    for r, c, value in row["givens"]:
        grid[r - 1][c - 1] = value
    return Futoshiki.from_json({"grid": grid, "less": row["less"]}, Place())


def latin(row: dict[str, Any]) -> LatinSquare:
    return parse("latin-square", {"grid": row["grid"]})


@pytest.mark.slow
def test_kept_futoshiki() -> None:
    for row in kept_rows("futoshiki"):
        puzzle = futoshiki(row)
        assert parse("futoshiki", puzzle.draw()) == puzzle
        for name in QUICK:
            limits = Limits(solutions=2, nodes=1000 if name == "mac+mrv" else None)
            outcome = engine(name).solutions(puzzle, limits).collect()
            if outcome.verdict is Verdict.UNKNOWN and name == "mac+mrv":
                continue
            assert outcome.verdict is Verdict.UNIQUE, (row["id"], name)
            assert outcome.solutions == (tuple(map(tuple, row["solution"])),)


@pytest.mark.slow
@pytest.mark.parametrize("row", kept_rows("latin_square"), ids=lambda row: row["id"])
def test_kept_latin_squares(row: dict[str, Any]) -> None:
    for name in QUICK if len(row["grid"]) < 30 else ["asp", "mac+mrv"]:  # clpfd does not finish those of order 30
        limits = Limits(solutions=2, nodes=1000 if name == "mac+mrv" else None)
        verdict = engine(name).solutions(latin(row), limits).collect().verdict
        assert str(verdict) == row["verdict"] or (verdict is Verdict.UNKNOWN and name == "mac+mrv"), name


LARGER = [futoshiki(row) for row in larger_rows("futoshiki/futoshiki")], larger_rows("latin_square/completion")
if all(LARGER):

    def test_every_futoshiki_of_the_larger_set() -> None:
        for puzzle, row in zip(LARGER[0], larger_rows("futoshiki/futoshiki"), strict=True):
            for name in ("asp", "clpfd"):
                outcome = engine(name).solutions(puzzle, Limits(solutions=2)).collect()
                assert (outcome.verdict, outcome.solutions) == ("unique", (tuple(map(tuple, row["solution"])),))

    def test_every_latin_square_of_the_larger_set() -> None:
        for row in LARGER[1]:
            outcome = engine("asp").solutions(latin(row), Limits(solutions=2, seconds=60)).collect()
            assert str(outcome.verdict) == row["verdict"], row["id"]
            if row["count"] is not None:
                assert sum(1 for _ in engine("asp").solutions(latin(row))) == row["count"]


@st.composite
def small(draw: st.DrawFn) -> Puzzle:
    order = draw(st.integers(1, 4))
    cell = st.tuples(st.integers(1, order), st.integers(1, order))
    cells = draw(st.dictionaries(cell, st.integers(1, order), max_size=order))
    grid = tuple(tuple(cells.get((r, c)) for c in range(1, order + 1)) for r in range(1, order + 1))
    if draw(st.booleans()):
        return latin_square(grid, draw(st.sampled_from(VARIANTS)))
    pairs = draw(st.sets(st.tuples(cell, cell), max_size=2 * order))
    return Futoshiki(grid, tuple(sorted((a, b) for a, b in pairs if a != b)))


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(small())
def test_all_engines_agree_on_random_instances(puzzle: Puzzle) -> None:
    comparison = compare("asp", "clpfd", *IMPERATIVE, instances=[puzzle], limits=Limits())
    assert comparison.agree, comparison.disagreements
    (found,) = {frozenset(row.outcome.solutions) for row in comparison.rows if row.outcome}
    assert all(row.outcome and row.outcome.complete and len(row.outcome.solutions) == len(found) for row in comparison.rows)
    exact = bridge.residual(puzzle)
    for r, c in puzzle.cells():
        assert set(exact.possible.get((r, c), ())) == {grid[r - 1][c - 1] for grid in found}
    if puzzle.clashes():
        assert not found, "what clashes has no solution"


@pytest.mark.parametrize("name", ["clpfd", "mac"])
def test_propagation_keeps_what_occurs(name: str) -> None:
    puzzle = bridge.puzzles.load("futoshiki", EXAMPLES / "futoshiki" / "report1-5x5.txt")
    exact, propagated = bridge.residual(puzzle), engine(name).propagated(puzzle)
    assert all(set(exact.possible[cell]) <= set(propagated.possible[cell]) for cell in puzzle.cells())
    assert propagated.open, "this one needs search"


@pytest.mark.parametrize(
    ("kind", "example"), [("futoshiki", "report1-5x5"), ("latin-square", "quasigroup4"), ("latin-square", "diagonal5")]
)
def test_an_encoding_runs_alone_on_the_facts_of_an_instance(kind: str, example: str, tmp_path: Path) -> None:
    from bridge.asp import Program

    folder = kind.replace("-", "_")
    puzzle = bridge.puzzles.load(kind, EXAMPLES / folder / f"{example}.txt")
    facts = tmp_path / "instance.lp"
    facts.write_text(models(puzzle).facts())
    kept = EXAMPLES / folder / f"{example}.lp"
    for instance in [facts, *([kept] if kept.exists() else [])]:
        with Program(ROOT / "encodings" / folder / f"{folder}.lp", instance) as program:
            grids = [puzzle.solution({(r, c): v for r, c, v in model["cell"]}) for model in program.models()]
        assert len(grids) == len(set(grids)) == (FUTOSHIKI | LATIN)[example][1]
        assert not any(puzzle.violations(grid) for grid in grids)
