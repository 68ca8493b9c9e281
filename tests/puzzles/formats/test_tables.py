"""Sudokus in CSV, comments after a puzzle, and files packed by gzip."""

from __future__ import annotations

import csv
import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from command import called

from bridge.errors import InputError
from bridge.puzzles import batch, formats
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.about import About

QUIZ = "004300209005009001070060043006002087190007400050083000600000105003508690042910300"
ANSWER = "864371259325849761971265843436192587198657432257483916689734125713528694542916378"
PUZZLE = parse("sudoku", QUIZ)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        f"quizzes,solutions\n{QUIZ},{ANSWER}\n",
        f"id,Puzzle,rating\n1,{QUIZ},0.5\n",
        f'"rating","puzzle"\n"easy, they say","{QUIZ}"\n',
        f"\ufeffpuzzle,solution\r\n{QUIZ},{ANSWER}\r\n",
        f"{QUIZ},{ANSWER}\n",
        f"rating;puzzle\n0,5;{QUIZ}\n",
        f"rating\tpuzzle\n0.5\t{QUIZ}\n",
        f"{QUIZ}\t{ANSWER}\n",
    ],
)
def test_the_column_of_puzzles_is_found(text: str, tmp_path: Path) -> None:
    assert formats.decode(text).puzzles == (PUZZLE,)
    path = tmp_path / "puzzles.csv"
    path.write_text(text, encoding="utf-8")
    (found,) = batch("sudoku", "solve", [path])
    assert found["solutions"] == [[[int(value) for value in ANSWER[at : at + 9]] for at in range(0, 81, 9)]]


def test_other_columns_are_left_out_and_named() -> None:
    assert formats.decode(f"id,puzzle,rating\n1,{QUIZ},0.5\n").notes == ("left out: the columns id and rating",)


def test_a_bad_row_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv.gz"
    rows = [f"1,{QUIZ}", f"2,{QUIZ[:-1]}x", "3", f"4,{QUIZ[1:]}", '5,"', f"6,{QUIZ}"]
    path.write_bytes(gzip.compress("\n".join(["id,puzzle", *rows, ""]).encode()))
    first, letter, short, length, quote, last = list(batch("sudoku", "check", [path]))
    assert (first["verdict"], last["verdict"]) == ("unique", "unique")
    assert letter["error"]["where"] == f"{path}:3:83"
    assert short["error"]["message"] == "the puzzle stands in column 2, and this line has 1"
    assert "80 characters" in length["error"]["message"]
    assert "not a row of a table" in quote["error"]["message"]


def test_an_empty_entry_is_an_error_of_its_line() -> None:
    with pytest.raises(InputError, match="no puzzle in column 1") as caught:
        formats.decode("puzzle,level\n................,1\n,2\n", "csv")
    assert caught.value.where is not None
    assert caught.value.where.line == 3


def test_a_table_without_puzzles_says_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("id,text\n1,abc\n", encoding="utf-8")
    with pytest.raises(InputError, match="none of these columns is known to hold puzzles: id and text"):
        formats.load(path)
    with pytest.raises(InputError, match="no column of this table is called puzzle"):
        list(batch("sudoku", "check", [path]))


def test_rows_with_commas_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text("1,2\n", encoding="utf-8")
    (found,) = batch("sudoku", "check", [path])
    assert "error" in found


def test_a_comment_after_a_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"# two\n{QUIZ} # hard\n{QUIZ}\t# 9.2\n", encoding="utf-8")
    assert [found["verdict"] for found in batch("sudoku", "check", [path])] == ["unique", "unique"]
    assert formats.decode(path.read_bytes(), "line").puzzles == (PUZZLE, PUZZLE)


def test_commands_read_packed_files(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv.gz"
    packed = gzip.compress(f"puzzle\n{QUIZ}\n".encode())
    path.write_bytes(packed)
    assert called("puzzle", "check", "sudoku", str(path)).stdout.startswith("unique")
    path.write_bytes(packed[:-9])
    done = called("puzzle", "check", "sudoku", str(path))
    assert done.returncode == 2
    assert "the packed data are damaged" in done.stderr


def test_a_table_is_written() -> None:
    text = formats.encode([PUZZLE, PUZZLE], "csv").text
    assert text.splitlines()[0] == "puzzle"
    assert formats.decode(text).puzzles == (PUZZLE, PUZZLE)


@pytest.mark.parametrize("title", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "'=1", "''-x", "'tis", "Saturday", "a=b"])
def test_a_title_is_never_a_formula_and_comes_back(title: str) -> None:
    puzzle = replace(PUZZLE, about=About(title=title, author=title))
    text = formats.encode([puzzle], "csv").text
    cells = next(csv.reader(text.splitlines()[1:]))
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    (read,) = formats.decode(text).puzzles
    assert (read.about.title, read.about.author) == (title, title)
