"""Puzzles from Python values: lists of lists, NumPy arrays, tables, dictionaries."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import bridge
from bridge.errors import InputError
from bridge.puzzles.kinds import KINDS, parse
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.futoshiki import Futoshiki

ROWS = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
TEXT = "1... ..3. .4.. ...2".replace(" ", "")


class Scalar:
    """A NumPy scalar, as far as it matters."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def item(self) -> Any:
        return self._value


class Array:
    """A NumPy array, as far as it matters: its elements are no Python values."""

    def __init__(self, rows: list[list[Any]]) -> None:
        self._rows = rows

    def __iter__(self) -> Any:
        return iter([[Scalar(value) for value in row] for row in self._rows])

    def tolist(self) -> list[list[Any]]:
        return self._rows


class Table:
    """A pandas table, as far as it matters: its iteration gives the names of columns."""

    def __init__(self, rows: list[list[Any]]) -> None:
        self._rows = rows

    def __iter__(self) -> Any:
        return iter("abcd")

    def to_numpy(self) -> Array:
        return Array(self._rows)


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        tuple(map(tuple, ROWS)),
        [[value or None for value in row] for row in ROWS],
        [[value or "." for value in row] for row in ROWS],
        [[str(value) for value in row] for row in ROWS],
        [TEXT[start : start + 4] for start in range(0, 16, 4)],
        [[float(value) if value else float("nan") for value in row] for row in ROWS],
        (iter(row) for row in ROWS),
        Array(ROWS),
        list(Array(ROWS)),
        Table([[float(value) for value in row] for row in ROWS]),
        {"grid": ROWS},
        {"puzzle": "sudoku", "grid": Array(ROWS), "box": [2, 2]},
    ],
)
def test_rows_are_the_text(rows: Any) -> None:
    assert bridge.puzzles.parse("sudoku", rows) == parse("sudoku", TEXT)


def test_rows_of_numpy() -> None:
    import numpy as np

    for array in (np.array(ROWS), np.array(ROWS, dtype=float), np.array(ROWS, dtype=np.uint8), list(np.array(ROWS))):
        assert parse("sudoku", array) == parse("sudoku", TEXT)
    assert parse("takuzu", np.array([[0, 1], [np.nan, 0]])) == parse("takuzu", "01\n.0")


def test_zero_is_a_value_of_takuzu() -> None:
    assert parse("takuzu", [[0, 1], [".", None]]).grid == ((0, 1), (None, None))


def test_options_and_keys() -> None:
    open_rows = [[0] * 6] * 6
    assert parse("sudoku", open_rows, box="3x2").to_json()["box"] == [3, 2]
    assert parse("magic-square", [[0] * 3] * 3, variant="semi").to_json()["variant"] == "semi"
    assert parse("futoshiki", {"grid": [[0, 0]] * 2, "less": [[1, 1, 1, 2]]}) == Futoshiki(
        ((None, None), (None, None)), (((1, 1), (1, 2)),)
    )
    made = parse("crossword", {"grid": ["c.t", ".#."], "words": ["Cat", "cow"]})
    assert made == Crossword((("c", None, "t"), (None, "#", None)), ("cat", "cow"))


@pytest.mark.parametrize("kind", ["sudoku", "latin-square", "futoshiki", "magic-square"])
def test_values_out_of_range(kind: str) -> None:
    with pytest.raises(InputError, match=r"^r2c1( \(row 2, column 1\))? holds 17"):
        parse(kind, [[1, 2, 3, 4], [17, 0, 0, 0], [0] * 4, [0] * 4])


WRONG: dict[str, tuple[str, Any, str]] = {
    "no integer": ("sudoku", [[1, 0], ["x", 0]], "^r2c1: 'x' is not an integer"),
    "a fraction": ("sudoku", [[1, 0], [0, 1.5]], "^r2c2: 1.5 is not an integer"),
    "a truth value": ("sudoku", [[True, 0], [0, 1]], "^r1c1: True is not an integer"),
    "a value of another puzzle": ("takuzu", [[0, 2], [0, 1]], "^r1c2 holds 2"),
    "an array of cells": ("sudoku", [[[1], 0], [0, 0]], r"^row 1, column 1: \[1\] is not the value of a cell"),
    "a short row": ("latin-square", [[1, 2], [1]], "^row 2 has 1 cells, not 2"),
    "one row": ("sudoku", [1, 2, 3], "^row 1 is 1, not a list of cells"),
    "no rows": ("sudoku", [], "is to be a list of rows"),
    "bytes": ("sudoku", b"1...", "^a grid is a list of rows, not b'1...'"),
    "a number": ("sudoku", 4, "^a grid is a list of rows, not 4"),
    "no grid": ("sudoku", {"box": [2, 2]}, "^a grid is a list of rows, not None"),
    "another puzzle": ("sudoku", {"puzzle": "takuzu", "grid": ROWS}, "^this is a takuzu, not a sudoku"),
    "no words": ("crossword", [[0, 0]], "^`words` is to be a list of strings"),
    "letters": ("crossword", {"grid": [["ab", 0]], "words": ["ab"]}, "^r1c1: 'ab' is not a cell"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_content_is_refused_with_row_and_column(wrong: str) -> None:
    kind, rows, message = WRONG[wrong]
    with pytest.raises(InputError, match=message):
        parse(kind, rows)


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_option_is_refused(kind: str) -> None:
    with pytest.raises(InputError, match=f"{kind} has no option 'size'"):
        parse(kind, ROWS, size="4")


def test_numpy_is_not_imported() -> None:
    code = f"import bridge, sys; bridge.puzzles.parse('sudoku', {ROWS}); print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
