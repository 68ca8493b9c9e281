"""Magic square: reading, drawing, rules, and the same answers from every kind of engine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import SETTINGS, magic_square
from shared_data import ROOT, kept_rows, larger_rows

from bridge.errors import InputError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles import load
from bridge.puzzles.analysis.count import count as count_solutions
from bridge.puzzles.engines import NAMES, engine
from bridge.puzzles.kinds import parse, puzzle_class
from bridge.puzzles.kinds.magic_square import MagicSquare, magic_sum, ordered_cells
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid, Value, at
from bridge.puzzles.kinds.symmetry import diagonals_kept, permuted

EXAMPLES = ROOT / "examples" / "magic_square"
ENCODING = ROOT / "encodings" / "magic_square" / "magic_square.lp"

#: One engine of each kind.
KINDS_OF_ENGINE = ["asp", "clpfd", "bt", "fc+mrv", "mac+mrv", "dfs+fc"]

LO_SHU = ((2, 7, 6), (9, 5, 1), (4, 3, 8))


def square(text: str, **options: str) -> MagicSquare:
    puzzle = parse("magic-square", text, **options)
    assert isinstance(puzzle, MagicSquare)
    return puzzle


def count(name: str, puzzle: MagicSquare) -> int:
    outcome = engine(name).solutions(puzzle).collect()
    assert outcome.complete
    assert len(set(outcome.solutions)) == len(outcome.solutions)
    return len(outcome.solutions)


@st.composite
def squares(draw: st.DrawFn, largest: int = 7) -> MagicSquare:
    order = draw(st.integers(1, largest))
    value = st.one_of(st.none(), st.integers(1, order**2))
    row = st.tuples(*[value] * order)
    said = {name: draw(st.sampled_from(values)) for name, values in SETTINGS.items()}
    return magic_square(draw(st.tuples(*[row] * order)), **said)


# Reading and drawing.


@given(squares())
def test_what_is_drawn_can_be_read(puzzle: MagicSquare) -> None:
    assert parse("magic-square", puzzle.draw()) == puzzle


@given(squares())
def test_json_carries_everything(puzzle: MagicSquare) -> None:
    assert parse("magic-square", json.loads(json.dumps(puzzle.to_json()))) == puzzle


FORMS = {
    "blanks": ". . 14 .\n2 . . .\n. . . .\n. 9 . 16",
    "other open cells": "_ 0 14 *\n2 _ 0 .\n. . . .\n. 9 . 16",
    "aligned": " .  . 14  .\n 2  .  .  .\n .  .  .  .\n .  9  . 16",
    "bars": ". . | 14 .\n2 . | . .\n----+----\n. . | . .\n. 9 | . 16",
    "letters": "..E.\n2...\n....\n.9.g",
    "order": "order 4\n. . 14 .\n2 . . .\n. . . .\n. 9 . 16",
    "defaults said": "# two lines\nvariant magic\nsymmetry all\n. . 14 .\n2 . . .\n. . . .\n. 9 . 16",
    "JSON": '{"grid": [[null, 0, 14, null], [2, 0, 0, 0], [0, 0, 0, 0], [0, 9, 0, 16]]}',
}


@pytest.mark.parametrize("form", FORMS)
def test_every_text_form_is_the_same_puzzle(form: str) -> None:
    assert square(FORMS[form]) == square(FORMS["blanks"])


def test_an_order_alone_is_the_empty_square() -> None:
    assert square("order 2\nvariant semi") == magic_square(((None, None), (None, None)), "semi")
    assert square("order 1\nsymmetry reduced") == magic_square(((None,),), "magic", "reduced")


def test_columns_are_aligned() -> None:
    assert square("16 . . .\n. . . 2\n. . . .\n. . . .").draw() == "16  .  .  .\n .  .  .  2\n .  .  .  .\n .  .  .  ."
    assert square("order 3", variant="semi").draw(LO_SHU) == "variant semi\n2 7 6\n9 5 1\n4 3 8"


WRONG = {
    "out of range": ("1 2 3\n4 . .\n. . 10", r"<text>:3:5: r3c3 holds 10, which is not a value"),
    "no value": ("1 2 3\n4 ? .\n. . .", r"<text>:2:3: r2c2 holds '\?', which is not a value"),
    "negative": ("1 2 3\n4 -5 .\n. . .", r"r2c2 holds -5, which is not a value; values are 1, 2, 3"),
    "ragged": ("1 2 3\n4 . .\n. .", r"<text>:3: row 3 has 2 cells, the others have 3"),
    "no square": ("1 2 3\n4 5 .", r"2 rows of 3 cells are not square"),
    "another order": ("order 4\n1 2 3\n4 5 .\n. . .", r"<text>:1:7: 3 rows, but the order is 4"),
    "no order": ("order four", r"<text>:1:7: 'four' is not an order"),
    "order 0": ("order 0", r"'0' is not an order"),
    "too large": ("order 23", r"<text>: there are 23 rows; 22 are the most"),
    "order twice": ("order 3\norder 3", r"<text>:2:1: a second line `order`"),
    "settings only": ("variant semi", r"there are settings but no rows"),
    "no such variant": ("variant pan\norder 4", r"<text>:1:9: there is no variant 'pan'; one of: magic, semi"),
    "no such symmetry": (
        "symmetry none\norder 4",
        r"<text>:1:10: there is no symmetry 'none'; one of: all, reduced, permuted",
    ),
    "nothing": ("", r"the text is empty"),
    "JSON: no rows": ('{"grid": []}', r"`grid` is to be a list of rows"),
    "JSON: ragged": ('{"grid": [[1, 2], [3]]}', r"row 2 has 1 cells, not 2"),
    "JSON: out of range": ('{"grid": [[1, 5], [3, 4]]}', r"r1c2 holds 5, which is not a value"),
    "JSON: no integer": ('{"grid": [[1, "5"], [3, 4]]}', r"r1c2 holds '5', which is not a value"),
    "JSON: too large": (json.dumps({"grid": [[None] * 23] * 23}), r"there are 23 rows; 22 are the most"),
    "JSON: variant": ('{"grid": [[1]], "variant": 1}', r"there is no variant 1"),
    "JSON: unhashable": ('{"grid": [[1]], "symmetry": ["all"]}', r"there is no symmetry \['all'\]"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_input_is_refused(what: str) -> None:
    text, message = WRONG[what]
    with pytest.raises(InputError, match=message):
        parse("magic-square", text, file="<text>")


def test_the_options() -> None:
    assert square("order 3", variant="semi", symmetry="reduced") == square("order 3\nvariant semi\nsymmetry reduced")
    assert square("order 3\nvariant semi", variant="magic").to_json()["variant"] == "magic"
    assert square('{"grid": [[null]]}', symmetry="reduced").symmetry == "reduced"
    with pytest.raises(InputError, match="there is no variant 'half'"):
        square("order 3", variant="half")
    with pytest.raises(InputError, match="magic-square has no option 'sum'; its options: variant, symmetry"):
        square("order 3", sum="15")
    assert puzzle_class("magic-square").options.keys() == SETTINGS.keys()


# Rules, each with the smallest square that breaks it and no other.


def refused(puzzle: MagicSquare) -> Iterator[tuple[str, bool]]:
    for name in KINDS_OF_ENGINE:
        outcome = engine(name).solutions(puzzle, Limits(solutions=1)).collect()
        yield name, outcome.verdict is Verdict.IMPOSSIBLE


FAILS = [
    ("all different", "magic", "all", "5 . .\n. . 5\n. . ."),
    ("all different", "semi", "all", ". 5 .\n. . .\n5 . ."),
    ("sum of row 1", "magic", "all", "9 8 .\n. . .\n. . ."),
    ("sum of row 2", "semi", "all", ". . .\n1 . 3\n. . ."),
    ("sum of row 3", "magic", "all", ". . .\n. . .\n2 1 ."),
    ("sum of column 1", "magic", "all", "9 . .\n. . .\n7 . ."),
    ("sum of column 3", "semi", "all", ". . 1\n. . .\n. . 4"),
    ("sum of diagonal 1", "magic", "all", "1 . .\n. 2 .\n. . ."),
    ("sum of diagonal 2", "magic", "all", ". . 9\n. 8 .\n. . ."),
    ("r1c1 < r1c3", "magic", "reduced", "4 . 2\n. . .\n. . ."),
    ("r1c3 < r3c1", "semi", "reduced", ". . 4\n. . .\n2 . ."),
    ("r1c1 < r3c3", "magic", "reduced", "8 . .\n. . .\n. . 2"),
    ("r1c1 < r1c3", "magic", "reduced", ". . 1\n. . .\n. . ."),
    ("r1c3 < r3c1", "semi", "reduced", ". . 9\n. . .\n. . ."),
]


@pytest.mark.parametrize(("rule", "variant", "symmetry", "rows"), FAILS)
def test_failcheck(rule: str, variant: str, symmetry: str, rows: str) -> None:
    puzzle = square(rows, variant=variant, symmetry=symmetry)
    assert [violation.rule for violation in puzzle.clashes()] == [rule]
    assert [name for name, impossible in refused(puzzle) if not impossible] == []


def test_a_whole_line_with_the_wrong_sum() -> None:
    (clash,) = square("1 2 11 16\n. . . .\n. . . .\n. . . .").clashes()
    assert str(clash) == "sum of row 1 is broken by r1c1=1, r1c2=2, r1c3=11, r1c4=16"


def test_a_sum_that_can_still_be_reached_is_not_broken() -> None:
    # With open cells as large, or as small, as can be; that they differ too is another rule.
    for row in ("9 5 .", "9 . 5", "1 5 .", "5 9 .", ". . .", "4 . ."):
        assert square(f"{row}\n. . .\n. . .").clashes() == []


def test_what_the_options_leave_out() -> None:
    semi = square("1 . .\n. 2 .\n. . .", variant="semi")
    assert semi.clashes() == []
    assert [name for name, impossible in refused(semi) if impossible] == []
    turned = square("4 9 2\n3 5 7\n8 1 6")
    assert [name for name, impossible in refused(turned) if impossible] == []


def test_rules_have_names_of_their_own_that_the_csp_shares() -> None:
    for order in range(1, 6):
        for variant in SETTINGS["variant"]:
            for symmetry in SETTINGS["symmetry"]:
                puzzle = square(f"order {order}", variant=variant, symmetry=symmetry)
                names = [rule.name for rule in puzzle.rules()]
                assert len(names) == len(set(names))
                implied = [name for name in ("sum of corners", "sum of middle") if (order, variant) == (4, "magic")]
                constraints = {constraint.name for constraint in models(puzzle).csp().constraints}
                assert constraints == set(names) | set(implied)
                sums = 2 * order + 2 * (variant == "magic")
                assert len(names) - 1 - sums == len(ordered_cells(order, variant == "semi", symmetry))
                assert (len(names) == 1 + sums) == (symmetry == "all" or order == 1)


def test_magic_sums() -> None:
    assert [magic_sum(order) for order in (1, 2, 3, 4, 5, 6, 9)] == [1, 5, 15, 34, 65, 111, 369]
    assert square("order 9").magic_sum == 369


def images(grid: Grid) -> set[Grid]:
    """The 8 squares that turning and mirroring make of one."""
    found = set()
    for _ in range(4):
        grid = tuple(zip(*grid[::-1], strict=True))
        found |= {grid, tuple(row[::-1] for row in grid)}
    return found


@given(st.integers(2, 5).flatmap(lambda n: st.tuples(st.just(n), st.permutations(range(1, n * n + 1)))))
def test_one_of_eight_images_has_its_corners_in_order(numbers: tuple[int, list[int]]) -> None:
    order, values = numbers
    grid = tuple(tuple(values[r * order : (r + 1) * order]) for r in range(order))

    def in_order(image: Grid) -> bool:
        # Where a value was in the permutation is an order as good as any.
        return all(
            values.index(at(image, x)) < values.index(at(image, y)) for x, y in ordered_cells(order, False, "reduced")
        )

    assert len(images(grid)) == 8
    assert sum(in_order(image) for image in images(grid)) == 1


@given(st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), st.permutations(range(1, n * n + 1)))), st.booleans())
def test_one_of_all_permuted_images_is_in_order(numbers: tuple[int, list[int]], semi: bool) -> None:
    order, values = numbers
    order, values = (3, list(range(1, 10))) if semi and order > 4 else (order, values)
    grid = tuple(tuple(values[r * order : (r + 1) * order]) for r in range(order))
    found = list(permuted(grid) if semi else diagonals_kept(grid))
    number = 2 * factorial(order) ** 2 if semi else {2: 8, 3: 8, 4: 32, 5: 32, 6: 192}[order]
    assert len(found) == len(set(found)) == number
    lines = {frozenset(line) for line in (grid if semi else [diagonal(grid), diagonal(grid[::-1])])}
    columns = {frozenset(line) for line in zip(*grid, strict=True)} if semi else lines
    for image in found:
        of_image = {frozenset(line) for line in (image if semi else [diagonal(image), diagonal(image[::-1])])}
        assert of_image in (lines, columns)
    pairs = ordered_cells(order, semi, "permuted")
    assert sum(all(at(image, x) < at(image, y) for x, y in pairs) for image in found) == 1


def diagonal(grid: Grid) -> list[Value | None]:
    return [row[i] for i, row in enumerate(grid)]


# Answers.


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS_OF_ENGINE)
@pytest.mark.parametrize(("order", "variant", "symmetry", "expected"), [
    (1, "magic", "all", 1), (1, "semi", "reduced", 1), (2, "magic", "all", 0), (2, "semi", "all", 0),
    (3, "magic", "all", 8), (3, "magic", "reduced", 1), (3, "semi", "all", 72), (3, "semi", "reduced", 9),
    (1, "semi", "permuted", 1), (2, "magic", "permuted", 0), (3, "magic", "permuted", 1), (3, "semi", "permuted", 1),
])  # fmt: skip
def test_counts(name: str, order: int, variant: str, symmetry: str, expected: int) -> None:
    assert count(name, square(f"order {order}", variant=variant, symmetry=symmetry)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clpfd", "mac+mrv"])
def test_all_of_order_4_up_to_symmetry(name: str) -> None:
    assert count(name, square("order 4\nsymmetry reduced")) == 880
    assert count(name, square("order 4\nsymmetry permuted")) == 220


@pytest.mark.parametrize(("symmetry", "number", "factor"), [("all", 549504, 1152), ("reduced", 68688, 144)])
def test_semi_magic_squares_of_order_4(symmetry: str, number: int, factor: int) -> None:
    """W. Trump, *How many magic squares are there?*: 68,688 of order 4 up to turning and mirroring."""
    counted = count_solutions(square(f"order 4\nsymmetry {symmetry}\nvariant semi"))
    assert (counted.number, counted.symmetry, counted.complete) == (number, factor, True)


@pytest.mark.slow
def test_all_of_order_4() -> None:
    every = engine("asp").solutions(square("order 4")).collect()
    reduced = engine("asp").solutions(square("order 4\nsymmetry reduced")).collect()
    assert (len(every.solutions), every.complete) == (7040, True)
    assert (len(reduced.solutions), reduced.complete) == (880, True)
    assert {image for grid in reduced.solutions for image in images(grid)} == set(every.solutions)


def test_all_of_order_3_are_images_of_one() -> None:
    assert set(engine("asp").solutions(square("order 3")).collect().solutions) == images(LO_SHU)


def test_the_centre_is_forced_in_order_3_only() -> None:
    for name in KINDS_OF_ENGINE:
        assert {grid[1][1] for grid in engine(name).solutions(square("order 3")).collect().solutions} == {5}
    empty = [["."] * 5 for _ in range(5)]
    for centre in (1, 12, 13, 25):
        empty[2][2] = str(centre)
        puzzle = square("\n".join(map(" ".join, empty)))
        (grid,) = engine("asp").solutions(puzzle, Limits(solutions=1)).collect().solutions
        assert (grid[2][2], puzzle.violations(grid)) == (centre, [])


@pytest.mark.parametrize(("name", "order"), [
    ("asp", 5), ("asp", 6), ("asp", 7), ("clpfd", 5), ("mac+mrv", 5), ("fc+mrv", 4), ("bt", 3),
])  # fmt: skip
def test_a_first_square(name: str, order: int) -> None:
    (grid,) = engine(name).solutions(square(f"order {order}"), Limits(solutions=1)).collect().solutions
    assert {sum(v for v in row if isinstance(v, int)) for row in grid} == {magic_sum(order)}


SEMI_MAGIC = [
    grid
    for values in permutations(range(1, 10))
    if sum(values[:3]) == sum(values[3:6]) == 15 and sum(values[::3]) == sum(values[1::3]) == 15
    for grid in [(values[:3], values[3:6], values[6:])]
]


@pytest.mark.slow
@settings(max_examples=15)
@given(squares(largest=3).filter(lambda p: p.size == 3), st.sampled_from(SEMI_MAGIC), st.data())
def test_engines_agree_with_brute_force(puzzle: MagicSquare, hidden: Grid, data: st.DataObject) -> None:
    # Random clues hardly ever have a solution: some of them come from one, and at times one of them is changed.
    keep = data.draw(st.sets(st.sampled_from(puzzle.cells()), max_size=6))
    grid = [[at(hidden, (r, c)) if (r, c) in keep else None for c in (1, 2, 3)] for r in (1, 2, 3)]
    if data.draw(st.integers(0, 4)) == 0:
        grid[0] = list(puzzle.grid[0])
    puzzle = magic_square(tuple(map(tuple, grid)), puzzle.settings["variant"], puzzle.symmetry)
    expected = {grid for grid in SEMI_MAGIC if not puzzle.violations(grid)}
    for name in KINDS_OF_ENGINE:
        outcome = engine(name).solutions(puzzle).collect()
        assert outcome.complete, name
        assert set(outcome.solutions) == expected, name
        assert len(outcome.solutions) == len(expected), name


def grid_of(row: dict[str, Any]) -> MagicSquare:
    return square(json.dumps({"grid": row["grid"]}))


ROWS = {row["id"]: row for row in [*kept_rows("magic_square"), *larger_rows("magic_square/partial")]}


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_asp_answers_every_row(row: dict[str, Any]) -> None:
    puzzle = grid_of(row)
    if row["verdict"] == "satisfiable":
        assert engine("asp").solutions(puzzle, Limits(solutions=1)).collect().solutions
        assert puzzle.violations(tuple(map(tuple, row["witness"]))) == []
        return
    outcome = engine("asp").solutions(puzzle, Limits(solutions=2)).collect()
    assert outcome.verdict == row["verdict"]
    if row["solution"]:
        assert [list(line) for line in outcome.solutions[0]] == row["solution"]
    if row["count"] < 1000:
        assert count("asp", puzzle) == row["count"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clpfd", "mac+mrv", "fc+mrv"])
def test_others_are_never_wrong(name: str) -> None:
    answered = 0
    rows = kept_rows("magic_square")
    for row in rows:
        if name == "clpfd" and row["verdict"] == "satisfiable":
            continue  # of order 9: more than clpfd finishes
        limits = Limits(solutions=2, nodes=None if name == "clpfd" else 2000)
        outcome = engine(name).solutions(grid_of(row), limits).collect()
        if row["verdict"] == "satisfiable":
            assert outcome.verdict is not Verdict.IMPOSSIBLE
        else:
            assert outcome.verdict == row["verdict"] or (outcome.limit == "nodes" and name == "fc+mrv")
            answered += outcome.verdict is not Verdict.UNKNOWN
    assert answered >= 25


def test_residuals() -> None:
    puzzle = load("magic-square", EXAMPLES / "report2-first-row.txt")
    solutions = engine("asp").solutions(puzzle).collect().solutions
    assert len(solutions) == 11
    exact = engine("asp").exact(puzzle)
    for (r, c), values in exact.possible.items():
        assert set(values) == {grid[r - 1][c - 1] for grid in solutions}
    for name in ("clpfd", "mac"):
        propagated = engine(name).propagated(puzzle)
        for cell, values in exact.possible.items():
            assert set(values) <= set(propagated.possible[cell])
        assert propagated.constraints


# Examples.


@pytest.mark.parametrize(("file", "solutions"), [
    ("duerer.txt", 1), ("report2-order3.txt", 8), ("report2-first-row.txt", 11), ("semi-magic3.txt", 9),
])  # fmt: skip
def test_examples(file: str, solutions: int) -> None:
    puzzle = load("magic-square", EXAMPLES / file)
    assert isinstance(puzzle, MagicSquare)
    assert count("asp", puzzle) == solutions


def test_every_example_is_tested() -> None:
    assert load("magic-square", EXAMPLES / "order4.txt") == square("order 4")
    assert len(list(EXAMPLES.glob("*.txt"))) == 5


def clingo(*arguments: str | Path) -> str:
    command = [sys.executable, "-m", "clingo", *map(str, arguments), "0"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_the_encoding_runs_alone() -> None:
    told = clingo(ENCODING, EXAMPLES / "duerer.lp")
    assert "Models       : 1\n" in told
    assert "cell(1,1,16)" in told
    assert "Models       : 8\n" in clingo(ENCODING, "-c", "n=3")


@pytest.mark.parametrize("file", ["report2-first-row.txt", "semi-magic3.txt", "duerer.txt"])
def test_facts_are_what_clingo_reads(file: str, tmp_path: Path) -> None:
    facts, puzzle = tmp_path / "facts.lp", load("magic-square", EXAMPLES / file)
    facts.write_text(models(puzzle).facts(), encoding="utf-8")
    found = engine("asp").solutions(puzzle).collect().solutions
    assert f"Models       : {len(found)}\n" in clingo(ENCODING, facts)


def test_every_listed_engine_takes_a_magic_square() -> None:
    puzzle = square("2 7 .\n. 5 .\n. . 8")
    names = [name for name in NAMES if not name.endswith("+fit")]
    assert {name: engine(name).solutions(puzzle).collect().verdict for name in names} == dict.fromkeys(names, "unique")
    with pytest.raises(UnsupportedError, match="magic-square has no state space with 'fit'"):
        engine("astar+fit").solutions(puzzle).collect()
