"""`lpbridge puzzle draw`: every flag, every format, wrong calls."""

from __future__ import annotations

import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import called_bytes

SUDOKU = "examples/sudoku/report3-problem{}.txt"


def draw(*words: str | Path, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return called_bytes("puzzle", "draw", *words, stdin=stdin)


def text(*words: str | Path) -> str:
    done = draw(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_the_clues_in_the_terminal_without_escapes() -> None:
    lines = text("sudoku", SUDOKU.format(6)).splitlines()
    assert lines[0] == "Sudoku"
    assert lines[3] == " 1 │ . 3 9 │ . . . │ 1 2 . │"
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize(
    ("problem", "words", "told"),
    [
        (1, ("--solution",), "The only solution."),
        (6, ("--solution",), "One of several solutions."),
        (6, ("--candidates", "exact"), "4 cells are open (exact, asp)."),
        (8, ("--candidates", "propagated"), "57 cells are open after propagation alone (clpfd)."),
        (8, ("--candidates", "both"), "No cell is open (asp); 57 cells are open after propagation alone (clpfd)."),
        (3, ("--conflict",), "cannot hold together. Without any one of them they could."),
        (6, ("--ambiguity",), "Ambiguous: 2 solutions; 4 cells differ between solutions."),
        (1, ("--step", "3"), "Step 3. "),
    ],
)
def test_every_picture(problem: int, words: tuple[str, ...], told: str) -> None:
    assert told in text("sudoku", SUDOKU.format(problem), *words)


@pytest.mark.parametrize(
    ("form", "head"), [("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("txt", b"Sudoku")]
)
def test_every_format(tmp_path: Path, form: str, head: bytes) -> None:
    out = tmp_path / f"picture.{form}"
    done = draw("sudoku", SUDOKU.format(6), "-o", out)
    assert (done.returncode, done.stdout) == (0, b"")
    assert out.read_bytes().startswith(head)
    assert draw("sudoku", SUDOKU.format(6), "-o", "-", "--as", form).stdout == out.read_bytes()


def test_standard_output_is_svg_unless_told() -> None:
    done = draw(
        "takuzu", "-", "-o", "-", "--theme", "dark", "--no-legend", "--solution", stdin=b"1...\n..0.\n....\n.1..\n"
    )
    root = ElementTree.fromstring(done.stdout)
    assert root.get("role") == "img"
    assert b"#16181d" in done.stdout
    assert b"given</text>" not in done.stdout


def test_options_of_the_puzzle() -> None:
    done = draw("sudoku", "-", "--option", "box=3x2", stdin=b"." * 36)
    assert done.stdout.decode().splitlines()[1].split() == list("123456")
    assert done.stdout.decode().splitlines()[6].startswith("   ├─────┼─────┼─────┤")
    words = "examples/crossword/report5.words"
    assert "█" in text("crossword", "examples/crossword/report5.txt", "--words", words)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "words", "told"),
    [
        (6, ("--solution", "--conflict"), "--solution and --conflict are two pictures"),
        (6, ("--conflict",), "there is no conflict to draw: the puzzle is ambiguous; --ambiguity draws that"),
        (8, ("--ambiguity",), "there is no ambiguity to draw: the puzzle is unique; --solution draws that"),
        (3, ("--solution",), "there is no solution to draw; --conflict shows why"),
        (6, ("--step", "1000"), "there is no step 1000"),
        (6, ("-o", "picture.gif"), "does not determine the format; end it in .svg, .png, .pdf, .txt"),
        (6, ("-o", "/nowhere/picture.svg"), "cannot be written"),
    ],
)
def test_wrong_calls(problem: int, words: tuple[str, ...], told: str) -> None:
    done = draw("sudoku", SUDOKU.format(problem), *words)
    assert done.returncode == 2
    assert told in done.stderr.decode()
    assert done.stdout == b""


def test_one_of_several() -> None:
    two = b"1..............2\n3..............4\n"
    second = draw("sudoku", "-", "--number", "2", stdin=two)
    assert second.stdout.decode().splitlines()[3] == " 1 │ 3 . │ . . │"
    several = draw("sudoku", "-", stdin=two)
    assert (several.returncode, b"name it with --number" in several.stderr) == (2, True)
    third = draw("sudoku", "-", "--number", "3", stdin=two)
    assert (third.returncode, b"there is no puzzle 3; there are 2" in third.stderr) == (2, True)


def test_puzzles_in_other_formats() -> None:
    done = draw("sudoku", "-", "-F", "lp", stdin=b"clue(1, 1, 5). clue(9, 9, 7).\n")
    assert done.stdout.decode().splitlines()[3] == " 1 │ 5 . . │ . . . │ . . . │"


def test_a_limit_is_told() -> None:
    done = draw("sudoku", SUDOKU.format(8), "--step", "60", "-t", "0.05")
    assert done.returncode == 1
    assert "the time limit came before step 60" in done.stderr.decode()
