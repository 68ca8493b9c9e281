"""Takuzu: reading, drawing, rules, and the same answers from every kind of engine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from instances import takuzu
from shared_data import ROOT, kept_rows, larger_rows

from bridge.errors import InputError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles import load
from bridge.puzzles.engines import NAMES, engine
from bridge.puzzles.kinds import parse, puzzle_class
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.takuzu import Takuzu

COURSE = Path(__file__).parent.parent.parent / "data" / "takuzu_course"
EXAMPLES = ROOT / "examples" / "takuzu"

#: One engine of each kind.
KINDS_OF_ENGINE = ["asp", "clpfd", "bt", "fc+mrv", "mac+mrv", "dfs", "astar+fit", "dfs+fc"]


def blank(height: int, width: int | None = None, **options: str) -> Takuzu:
    puzzle = parse("takuzu", "\n".join(["." * (width or height)] * height), **options)
    assert isinstance(puzzle, Takuzu)
    return puzzle


@st.composite
def takuzus(draw: st.DrawFn, largest: int = 7, givens: int = 2) -> Takuzu:
    height, width = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    value = st.sampled_from([None] * givens + [0, 1])
    row = st.tuples(*[value] * width)
    return takuzu(draw(st.tuples(*[row] * height)), draw(st.sampled_from(["distinct", "repeat"])))


# Reading and drawing.


@given(takuzus())
def test_what_is_drawn_can_be_read(puzzle: Takuzu) -> None:
    # A full first line that is a number as well is read as one only where the others are not as long.
    assert parse("takuzu", puzzle.draw()) == puzzle


@given(takuzus())
def test_json_carries_everything(puzzle: Takuzu) -> None:
    assert parse("takuzu", puzzle.to_json()) == puzzle


FORMS = {
    "characters": "..01\n10.1\n0.10\n1...",
    "blanks": ". . 0 1\n1 0 . 1\n0 . 1 0\n1 . . .",
    "other open cells": "__01\n10*1\n0_10\n1***",
    "course, tabs": "4\n2\t2\t0\t1\n1\t0\t2\t1\n0\t2\t1\t0\n1\t2\t2\t2\n",
    "course, blanks": "4\n2 2 0 1\n1 0 2 1\n0 2 1 0\n1 2 2 2",
    "course, no blanks": "4\n2201\n1021\n0210\n1222",
    "course, windows line ends": "4\r\n2\t2\t0\t1\r\n1\t0\t2\t1\r\n0\t2\t1\t0\r\n1\t2\t2\t2\r\n",
    "size and points": "4\n..01\n10.1\n0.10\n1...",
    "comment, default said": "# easy\nlines distinct\n..01\n10.1\n0.10\n1...",
    "JSON": '{"grid": [[null, null, 0, 1], [1, 0, null, 1], [0, null, 1, 0], [1, null, null, null]]}',
}


@pytest.mark.parametrize("form", FORMS)
def test_every_text_form_is_the_same_puzzle(form: str) -> None:
    assert parse("takuzu", FORMS[form]) == parse("takuzu", FORMS["characters"])


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("10\n01", ((1, 0), (0, 1))),
        ("01\n10", ((0, 1), (1, 0))),
        ("11\n" + "2" * 11 + ("\n" + "2" * 11) * 10, ((None,) * 11,) * 11),
        ("1\n2", ((None,),)),
        ("0", ((0,),)),
        ("10 01", ((1, 0, 0, 1),)),
    ],
)
def test_a_size_is_told_from_a_row(text: str, grid: Grid) -> None:
    assert parse("takuzu", text).grid == grid


WRONG = {
    "three values": ("..0\n021\n...", r"<text>:2:2: r2c2 holds 2, which is not a value; values are 0, 1"),
    "2 and an open cell": ("3\n2.0\n021\n...", r"<text>:2:1: r1c1 holds 2, which is not a value"),
    "strange symbol": ("..01\n10x1\n0.10\n1...", r"<text>:2:3: r2c3 holds x, which is not a value"),
    "3 in the course's form": ("2\n2\t3\n0\t1", r"<text>:2:3: r1c2 holds 3, which is not a value"),
    "digit of another alphabet": ("٠.\n..", r"<text>:1:1: r1c1 holds '٠', which is not a value"),
    "ragged": ("..01\n10.1\n0.1\n1...", r"<text>:3: row 3 has 3 cells, the others have 4; write `\.`"),
    "not as long as the size": ("4\n2 2 0 1\n1 0 2\n0 2 1 0\n1 2 2 2", r"<text>:3: row 2 has 3 cells, the size is 4"),
    "a row is missing": ("4\n2 2 0 1\n1 0 2 1\n0 2 1 0", r"3 rows, but the size is 4; is a row missing"),
    "a size and nothing": ("4\n", r"0 rows, but the size is 4"),
    "nothing": ("\n# nothing\n", r"the text is empty"),
    "an option and nothing": ("lines repeat\n", r"there are settings but no rows"),
    "too large": (("." * 65 + "\n") * 65, r"there are 65 rows of 65 cells; 64 are the most"),
    "unknown option value": ("lines twice\n..\n..", r"<text>:1:7: there is no lines 'twice'; one of: distinct, repeat"),
    "JSON with 2": ('{"grid": [[0, 2], [null, 1]]}', r"r1c2 holds 2, which is not a value; values are 0, 1"),
    "JSON with true": ('{"grid": [[0, true], [null, 1]]}', r"r1c2 holds True"),
    "JSON with text": ('{"grid": [[0, "1"], [null, 1]]}', r"r1c2 holds '1'"),
    "JSON, ragged": ('{"grid": [[0, 1], [null]]}', r"row 2 has 1 cells"),
    "JSON, no rows": ('{"grid": []}', r"`grid` is to be a list of rows"),
    "JSON, empty rows": ('{"grid": [[], []]}', r"`grid` is to be a list of rows"),
    "JSON, lines": ('{"grid": [[0, 1]], "lines": ["repeat"]}', r"there is no lines"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_input_is_refused(what: str) -> None:
    text, message = WRONG[what]
    with pytest.raises(InputError, match=message):
        parse("takuzu", text)


def test_the_option() -> None:
    assert blank(2, lines="repeat").lines == "repeat"
    assert parse("takuzu", "lines repeat\n..\n..", lines="distinct").lines == "distinct"
    with pytest.raises(InputError, match="there is no lines 'yes'; one of: distinct, repeat"):
        blank(2, lines="yes")
    with pytest.raises(InputError, match="takuzu has no option 'rows'; its options: lines"):
        blank(2, rows="repeat")
    assert "lines" in puzzle_class("takuzu").options


# Rules, each with the smallest grid that breaks it and no other.
# (Whole grids of size 3 with two equal rows have two equal columns as well: so one line is left open.)


def refused(puzzle: Takuzu) -> Iterator[tuple[str, bool]]:
    for name in (*KINDS_OF_ENGINE, "bfs", "greedy"):
        outcome = engine(name).solutions(puzzle, Limits(solutions=1)).collect()
        yield name, outcome.verdict is Verdict.IMPOSSIBLE


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("row 1: balance", ["00", ".."]),
        ("row 2: balance", ["....", "0010"]),
        ("column 1: balance", ["1.", "1."]),
        ("row 1: no three alike", ["000..", ".....", ".....", ".....", "....."]),
        ("row 4: no three alike", ["......"] * 3 + ["..111."] + ["......"] * 2),
        ("column 1: no three alike", ["0....", "0....", "0....", ".....", "....."]),
        ("rows 1 and 3 differ", ["011", "...", "011"]),
        ("columns 1 and 3 differ", ["0.0", "1.1", "1.1"]),
    ],
)
def test_failcheck(rule: str, rows: list[str]) -> None:
    puzzle = parse("takuzu", "lines distinct\n" + "\n".join(rows))
    assert isinstance(puzzle, Takuzu)
    assert [violation.rule for violation in puzzle.clashes()] == [rule]
    assert [name for name, impossible in refused(puzzle) if not impossible] == []
    if "differ" in rule:
        allowed = takuzu(puzzle.grid, "repeat")
        assert allowed.clashes() == []
        assert [name for name, impossible in refused(allowed) if impossible] == []


def test_rules_have_names_of_their_own_that_the_csp_shares() -> None:
    for puzzle in (blank(5), blank(4, 6), blank(3, lines="repeat")):
        names = [rule.name for rule in puzzle.rules()]
        assert len(names) == len(set(names))
        assert names == [constraint.name for constraint in models(puzzle).csp().constraints]
    assert [v.rule for v in blank(2).violations(((0, 1), (0, 1)))] == [
        "column 1: balance", "column 2: balance", "rows 1 and 2 differ",
    ]  # fmt: skip


# Answers.


@pytest.mark.parametrize("name", KINDS_OF_ENGINE)
@pytest.mark.parametrize(("size", "lines", "count"), [
    ((2, 2), "distinct", 2), ((4, 4), "distinct", 72), ((3, 3), "distinct", 84), ((4, 6), "distinct", 96),
    ((6, 4), "distinct", 96), ((2, 4), "distinct", 0), ((1, 1), "distinct", 2), ((3, 3), "repeat", 102),
    ((4, 4), "repeat", 90),
])  # fmt: skip
def test_counts(name: str, size: tuple[int, int], lines: str, count: int) -> None:
    outcome = engine(name).solutions(blank(*size, lines=lines)).collect()
    assert (len(set(outcome.solutions)), len(outcome.solutions), outcome.complete) == (count, count, True)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), [(5, 8460), (6, 4140)])
@pytest.mark.parametrize("name", ["asp", "fc"])
def test_larger_counts(name: str, size: int, count: int) -> None:
    outcome = engine(name).solutions(blank(size)).collect()
    assert (len(set(outcome.solutions)), len(outcome.solutions), outcome.complete) == (count, count, True)


def brute_force(puzzle: Takuzu) -> set[Grid]:
    choices = [(0, 1) if value is None else (value,) for row in puzzle.grid for value in row]
    width = puzzle.width
    grids = (tuple(v[i : i + width] for i in range(0, len(v), width)) for v in product(*choices))
    return {grid for grid in grids if not puzzle.violations(grid)}


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(takuzus(largest=4, givens=3))
def test_engines_agree_with_brute_force(puzzle: Takuzu) -> None:
    if sum(value is None for row in puzzle.grid for value in row) > 12:  # a draw without clues: give it a row
        puzzle = takuzu(((0, 1, 1, 0), *puzzle.grid[1:]), puzzle.lines)
    expected = brute_force(puzzle)
    for name in KINDS_OF_ENGINE:
        outcome = engine(name).solutions(puzzle).collect()
        assert outcome.complete, name
        assert set(outcome.solutions) == expected, name
        assert len(outcome.solutions) == len(expected), name


def rows_of(row: dict[str, Any]) -> str:
    return "lines distinct\n" + "\n".join(row["grid"])


ROWS = {row["id"]: row for row in [*kept_rows("takuzu"), *larger_rows("takuzu/takuzu")]}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_asp_answers_every_row(row: dict[str, Any]) -> None:
    puzzle = parse("takuzu", rows_of(row))
    outcome = engine("asp").solutions(puzzle, Limits(solutions=2)).collect()
    assert outcome.verdict == row["verdict"]
    if row["solution"]:
        assert ["".join(map(str, line)) for line in outcome.solutions[0]] == row["solution"]
    if row["count"] is not None:
        assert len(engine("asp").solutions(puzzle).collect().solutions) == row["count"]
    if type(row["count_without_unique_lines"]) is int:
        freely = parse("takuzu", rows_of(row), lines="repeat")
        assert len(engine("asp").solutions(freely).collect().solutions) == row["count_without_unique_lines"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clpfd", "mac+mrv", "dfs", "astar+fit", "dfs+fc"])
def test_others_are_never_wrong(name: str) -> None:
    answered = 0
    for row in kept_rows("takuzu"):
        limits = Limits(solutions=2, nodes=None if name == "clpfd" else 2000)
        outcome = engine(name).solutions(parse("takuzu", rows_of(row)), limits).collect()
        assert outcome.verdict in (row["verdict"], Verdict.UNKNOWN)
        answered += outcome.verdict is not Verdict.UNKNOWN
    assert answered == len(kept_rows("takuzu")) if name == "clpfd" else answered >= 4


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 14))
@pytest.mark.parametrize("name", ["asp", "clpfd", "mac+mrv", "bt", "dfs+fc"])
def test_the_course_tests(number: int, name: str) -> None:
    puzzle = load("takuzu", COURSE / f"T{number:02}.in")
    official = (COURSE / f"T{number:02}.out").read_text().split()
    outcome = engine(name).solutions(puzzle, Limits(solutions=2)).collect()
    assert outcome.verdict is Verdict.UNIQUE
    assert [str(value) for line in outcome.solutions[0] for value in line] == official


def test_residuals() -> None:
    puzzle = load("takuzu", EXAMPLES / "six-solutions.txt")
    solutions = engine("asp").solutions(puzzle).collect().solutions
    exact = engine("asp").exact(puzzle)
    for (r, c), values in exact.possible.items():
        assert set(values) == {grid[r - 1][c - 1] for grid in solutions}
    for name in ("clpfd", "mac"):
        propagated = engine(name).propagated(puzzle)
        assert propagated.open.keys() >= exact.open.keys()
        assert propagated.constraints


# Examples.


@pytest.mark.parametrize(("file", "verdict"), [
    ("course-test1.txt", "unique"), ("course-test5.txt", "unique"), ("six-solutions.txt", "ambiguous"),
    ("rectangle.txt", "unique"),
])  # fmt: skip
def test_examples(file: str, verdict: str) -> None:
    assert engine("asp").solutions(load("takuzu", EXAMPLES / file), Limits(solutions=2)).collect().verdict == verdict


def test_every_example_is_tested() -> None:
    assert len(list(EXAMPLES.glob("*.txt"))) == 4


def clingo(*files: Path) -> str:
    command = [sys.executable, "-m", "clingo", *map(str, files), "0"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_the_encoding_runs_alone() -> None:
    encoding = ROOT / "encodings" / "takuzu" / "takuzu.lp"
    told = clingo(encoding, EXAMPLES / "course-test1.lp")
    assert "Models       : 1\n" in told
    assert "cell(4,1,1)" in told


def test_facts_are_what_clingo_reads(tmp_path: Path) -> None:
    facts = tmp_path / "facts.lp"
    facts.write_text(models(load("takuzu", EXAMPLES / "six-solutions.txt", lines="repeat")).facts())
    assert "Models       : 18\n" in clingo(ROOT / "encodings" / "takuzu" / "takuzu.lp", facts)


def test_every_listed_engine_takes_a_takuzu() -> None:
    puzzle = load("takuzu", EXAMPLES / "course-test1.txt")
    assert {name: engine(name).solutions(puzzle).collect().verdict for name in NAMES} == dict.fromkeys(NAMES, "unique")


def test_a_constant_of_a_setting_has_one_of_its_values(tmp_path: Path) -> None:
    for value in (0, 6):
        (tmp_path / f"{value}.lp").write_text(f"#const distinct={value}.\n")
    with pytest.raises(InputError, match="distinct = 6 means nothing here"):
        load("takuzu", tmp_path / "6.lp")
    assert load("takuzu", tmp_path / "0.lp").to_json()["lines"] == "repeat"
