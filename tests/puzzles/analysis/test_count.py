"""Counting: known numbers, parts that do not interact, limits; and every engine finds as many."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from instances import SETTINGS, VARIANTS, latin_square, magic_square, takuzu
from patience import given_time, interrupted
from shared_data import ROOT

import bridge
from bridge.errors import UnsupportedError
from bridge.limits import Limits
from bridge.puzzles.analysis.count import independent
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Rule, distinct
from bridge.puzzles.kinds.sudoku import Sudoku

WORDS = ("AB", "BA", "AA", "ABA", "BAB", "AAB")

#: Kind, text, number of solutions, and how many of them each one that is counted stands for.
KNOWN = [
    *(("latin-square", f"order {n}", number, factor) for n, number, factor in
      [(1, 1, 1), (2, 2, 2), (3, 12, 12), (4, 576, 144), (5, 161_280, 2_880), (6, 812_851_200, 86_400)]),
    ("latin-square", "order 5\nvariant reduced", 56, 1), ("latin-square", "order 4\nvariant diagonal", 48, 24),
    ("latin-square", "order 13\n" + "\n".join(" ".join(str((r + c) % 13 + 1) for c in range(13)) for r in range(13)), 1, 1),
    ("magic-square", "order 1", 1, 1), ("magic-square", "order 2", 0, 8), ("magic-square", "order 3", 8, 8),
    ("magic-square", "order 3\nvariant semi", 72, 72), ("magic-square", "order 3\nsymmetry reduced", 1, 1),
    ("magic-square", "order 4", 7_040, 32),
    ("sudoku", "....\n" * 4, 288, 24), ("takuzu", "....\n" * 4, 72, 2), ("takuzu", "......\n" * 6, 4_140, 2),
    ("futoshiki", "order 3", 12, 1),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "number", "symmetry"), KNOWN, ids=lambda value: str(value)[:24])
def test_known_numbers(kind: str, text: str, number: int, symmetry: int) -> None:
    counted = bridge.count(parse(kind, text))
    assert (counted.number, counted.complete, counted.limit, counted.symmetry) == (number, True, None, symmetry)


@pytest.mark.parametrize("text", ["order 4", "order 3\n1 . .\n. . .\n. . .", "order 4\nvariant diagonal"])
def test_symmetry_changes_no_number(text: str) -> None:
    puzzle = parse("latin-square", text)
    assert bridge.count(puzzle).number == engine("asp").count(puzzle).number


def test_clues_leave_no_symmetry() -> None:
    assert models(parse("latin-square", "1 .\n. .")).symmetric() is None
    assert models(parse("magic-square", ". . .\n. 5 .\n. . .")).symmetric() is None
    assert models(parse("sudoku", "1...\n" + "....\n" * 3)).symmetric() is None
    assert models(parse("takuzu", "1...\n" + "....\n" * 3)).symmetric() is None


def two_rectangles() -> Puzzle:
    """A Latin square with two intercalates that share their rows."""
    return parse("latin-square", "* * * * 5 6\n* * * * 6 5\n3 4 5 6 1 2\n4 3 6 5 2 1\n5 6 1 2 3 4\n6 5 2 1 4 3")


def test_cells_that_share_rows_and_do_not_interact_are_parts() -> None:
    counted = bridge.count(two_rectangles())
    (whole,) = {len(engine("asp").solutions(two_rectangles()).collect().solutions)}
    assert counted.number == whole == prod(part.number for part in counted.parts)
    assert [(part.cells, part.number) for part in counted.parts] == [
        (((1, 1), (1, 2), (2, 1), (2, 2)), 2), (((1, 3), (1, 4), (2, 3), (2, 4)), 2)
    ]  # fmt: skip


def test_a_product_of_parts() -> None:
    counted = bridge.count(parse("takuzu", (ROOT / "examples/takuzu/six-solutions.txt").read_text()))
    assert counted.number == 6
    found = counted.to_json()
    assert found["number"] == prod(part["number"] for part in found["parts"])
    assert (found["puzzle"], found["engine"], found["complete"], found["symmetry"]) == ("takuzu", "asp", True, 1)


def test_no_open_cell_no_part() -> None:
    assert bridge.count(parse("sudoku", "1234341221434321")).parts == ()
    impossible = bridge.count(parse("sudoku", "11.............."))
    assert (impossible.number, impossible.complete, impossible.parts) == (0, True, ())


def test_parts_of_a_rule() -> None:
    a, b, c, d = (1, 1), (1, 2), (1, 3), (1, 4)
    possible = {a: (1, 2), b: (1, 2), c: (3, 4), d: (3, 4)}
    rule = Rule("row", (a, b, c, d), distinct)
    assert independent([rule], possible) == [(a, b), (c, d)]
    assert independent([rule], {**possible, b: (2,), a: (1,)}) == [(c, d)]
    assert independent([rule], {a: (1, 2), b: (3, 4), c: (5,), d: (6,)}) == [(a,), (b,)]
    # Any two of the three say nothing of each other, and all three together do.
    even = Rule("even", (a, b, c), lambda values: (0,) if sum(map(int, values)) % 2 else None)
    assert independent([even], dict.fromkeys((a, b, c), (0, 1))) == [(a, b, c)]


@settings(max_examples=33)
@given(st.data())
def test_parts_multiply(data: st.DataObject) -> None:
    """Whatever the rules are, the parts' fillings in all combinations are the solutions."""
    cells = [(1, c) for c in range(1, 6)]
    rules = []
    for number in range(data.draw(st.integers(1, 3))):
        scope = tuple(sorted(data.draw(st.sets(st.sampled_from(cells), min_size=1, max_size=4))))
        banned = data.draw(st.sets(st.tuples(*[st.integers(0, 1)] * len(scope)), max_size=6))
        rules.append(Rule(str(number), scope, lambda values, banned=banned: (0,) if tuple(values) in banned else None))  # type: ignore[misc]
    solutions = [
        grid for grid in product((0, 1), repeat=5)
        if all(rule.check([grid[c - 1] for _, c in rule.cells]) is None for rule in rules)
    ]  # fmt: skip
    if not solutions:
        return
    possible = {cell: tuple(sorted({grid[cell[1] - 1] for grid in solutions})) for cell in cells}
    parts = independent(rules, possible)
    assert sorted(cell for part in parts for cell in part) == [cell for cell in cells if len(possible[cell]) > 1]
    assert len(solutions) == prod(len({tuple(grid[c - 1] for _, c in part) for grid in solutions}) for part in parts)


@st.composite
def small(draw: st.DrawFn) -> Puzzle:
    kind = draw(st.sampled_from(["sudoku", "latin-square", "futoshiki", "magic-square", "takuzu", "crossword"]))
    size = {"sudoku": 4, "takuzu": 4, "magic-square": 3, "crossword": 3}.get(kind) or draw(st.integers(1, 4))
    values = {"takuzu": [0, 1], "magic-square": list(range(1, 10)), "crossword": ["A", "B"]}.get(
        kind, list(range(1, size + 1))
    )
    cell = st.tuples(st.integers(1, size), st.integers(1, size))
    # Of a solution, most of the time: random clues alone are impossible, and say little.
    clues = draw(st.dictionaries(cell, st.sampled_from(values), max_size=4))
    grid = tuple(tuple(clues.get((r, c)) for c in range(1, size + 1)) for r in range(1, size + 1))
    if kind == "crossword":
        black = draw(st.sets(cell, max_size=3))
        drawn = tuple(
            tuple("#" if (r, c) in black else value for c, value in enumerate(row, 1)) for r, row in enumerate(grid, 1)
        )
        reading = draw(st.sampled_from(["slots", "words", "anywhere"]))
        puzzle = Crossword(
            drawn, WORDS if reading == "slots" else WORDS[:2], reading, draw(st.booleans()) and reading == "slots"
        )
        return puzzle if puzzle.slots else Sudoku((tuple([None] * 4),) * 4, 2, 2)
    if kind == "futoshiki":
        pairs = draw(st.sets(st.tuples(cell, cell), max_size=size))
        return Futoshiki(grid, tuple(sorted((a, b) for a, b in pairs if a != b)))
    if kind == "sudoku" and size == 4:
        return parse("sudoku", "\n".join("".join(str(v or ".") for v in row) for row in grid))
    if kind == "magic-square":
        return magic_square(grid, *(draw(st.sampled_from(values)) for values in SETTINGS.values()))
    if kind == "takuzu":
        return takuzu(tuple(tuple(value if value in (0, 1) else None for value in row) for row in grid))
    return latin_square(grid, draw(st.sampled_from(VARIANTS)))


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(small())
def test_as_many_as_another_engine_finds(puzzle: Puzzle) -> None:
    found = engine("mac+mrv").solutions(puzzle).collect()
    counted = bridge.count(puzzle)
    assert (counted.number, counted.complete) == (len(found.solutions), True)
    assert bridge.count(puzzle, engine="mac+mrv").number == counted.number
    if counted.parts:
        assert counted.number == counted.symmetry * prod(part.number for part in counted.parts)


def test_a_limit_keeps_a_lower_bound() -> None:
    whole = bridge.count(parse("takuzu", "......\n" * 6), limits=Limits(solutions=100))
    assert (whole.number, whole.complete, whole.limit) == (100, False, "solutions")
    symmetric = bridge.count(parse("latin-square", "order 5"), limits=Limits(solutions=5_000))
    assert (symmetric.number, symmetric.complete) == (4 * 2_880, False), "two were counted, but a cell has four values"
    large = parse("latin-square", "order 8")
    late = given_time(lambda seconds: bridge.count(large, limits=Limits(seconds=seconds)), lambda late: late.number > 0)
    assert (late.complete, late.limit) == (False, "seconds")
    other = bridge.count(parse("takuzu", "......\n" * 6), engine="mac+mrv", limits=Limits(solutions=10))
    assert (other.number, other.complete, other.limit) == (10, False, "solutions")


def test_a_product_is_a_lower_bound_when_a_part_is_one() -> None:
    counted = bridge.count(two_rectangles(), limits=Limits(solutions=1))
    assert not counted.complete
    assert counted.number == 4, "each value of an open cell is in some solution: two ways at least"


@pytest.mark.slow
@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("name", ["asp", "mac+mrv"])
def test_ctrl_c_keeps_a_lower_bound(name: str, watched: bool) -> None:
    puzzle = parse("sudoku", "." * 81)
    told = (lambda number, seconds: None) if watched else None
    counted = given_time(
        lambda seconds: interrupted(lambda: bridge.count(puzzle, engine=name, on_progress=told), seconds),
        lambda counted: counted.number > 0,
    )
    assert (counted.complete, counted.limit) == (False, "interrupt")


@pytest.mark.parametrize("text", ["order 5", "order 5\n1 2 3 4 5" + "\n. . . . ." * 4])
def test_watched_in_cases(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Split into cases of any size, the number is the same, and reported numbers only grow."""
    monkeypatch.setattr("bridge.puzzles.engines.asp.FEW", 10)
    monkeypatch.setattr("bridge.puzzles.engines.asp.PROGRESS_SECONDS", 0.002)
    told: list[int] = []
    counted = bridge.count(parse("latin-square", text), on_progress=lambda number, seconds: told.append(number))
    assert counted.number == {"order 5": 161_280}.get(text, 1_344)
    assert told == sorted(told)
    assert not told or told[-1] <= counted.number


def test_watched_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.puzzles.engines.asp.PROGRESS_SECONDS", 0.0)
    told: list[int] = []
    counted = bridge.count(parse("takuzu", "....\n" * 4), on_progress=lambda number, seconds: told.append(number))
    assert (counted.number, told) == (72, [4, *range(4, 73, 2)])  # in pairs of complements


def test_only_an_engine_with_exact_residuals_counts_around_fixed_cells() -> None:
    puzzle = parse("sudoku", "....\n" * 4)
    assert engine("asp").count(puzzle, fixed={(1, 1): 1}).number == 72
    assert engine("asp").count(puzzle, fixed={(1, 1): 1, (1, 2): 1}).number == 0
    with pytest.raises(UnsupportedError):
        engine("mac").count(puzzle, fixed={(1, 1): 1})
