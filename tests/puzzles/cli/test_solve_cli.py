"""`solve`: what it prints can be read again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called

from bridge.puzzles.kinds import parse

CASES = {
    "sudoku": "12..............",
    "latin-square": "order 3",
    "takuzu": "0 . . .\n. . . .\n. . 1 .\n. . . .",
    "magic-square": "order 3",
    "slitherlink": ". 2\n. .",
    "hitori": "1 1\n1 2",
    "akari": ". .\n. #",
}


@pytest.mark.parametrize("kind", CASES)
def test_solutions_as_puzzles_are_read_again(kind: str) -> None:
    printed = called("puzzle", "solve", kind, "-", "-n", "2", "--as-puzzles", stdin=CASES[kind])
    assert printed.returncode == 0, printed.stderr
    lines = printed.stdout.splitlines()
    assert lines
    checked = called("puzzle", "check", kind, "-", "--json", stdin=lines[0])
    report = json.loads(checked.stdout)
    assert report["verdict"] == "unique"
    puzzle = parse(kind, lines[0])
    assert set(puzzle.clues()) == set(puzzle.cells())
    solved = called("puzzle", "solve", kind, "-", "-n", "2", "--jsonl", stdin=CASES[kind])
    assert len(solved.stdout.splitlines()) == len(lines)
    assert report["solutions"][0] in map(json.loads, solved.stdout.splitlines())


def test_a_crossword_keeps_its_words(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("ab\ncd\nac\nbd\n")
    (tmp_path / "grid.txt").write_text("..\n..\n")
    made = called("puzzle", "solve", "crossword", tmp_path / "grid.txt", "--words", tmp_path / "words.txt", "--as-puzzles")
    assert called("puzzle", "check", "crossword", "-", "--expect", "unique", stdin=made.stdout).returncode == 0


def test_what_is_printed_for_people_is_named() -> None:
    printed = called("puzzle", "solve", "sudoku", "-", stdin=CASES["sudoku"]).stdout
    done = called("puzzle", "check", "sudoku", "-", stdin=printed)
    assert done.returncode == 2
    assert "this is what `solve` prints for people; `lpbridge puzzle solve PUZZLE FILE --as-puzzles`" in done.stderr


@pytest.mark.parametrize("other", ["--json", "--jsonl"])
def test_two_forms_at_once(other: str) -> None:
    done = called("puzzle", "solve", "sudoku", "-", "--as-puzzles", other, stdin=CASES["sudoku"])
    assert done.returncode == 2
    assert "--as-puzzles is a form of its own" in done.stderr


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("sudku", "there is no kind of puzzle 'sudku'; did you mean sudoku?"),
        ("star_battle", "did you mean star-battle?"),
        ("README.md", "'README.md' is a file: name the kind of puzzle before it"),
        ("chess", "'chess' is not one of 'sudoku'"),
    ],
)
def test_a_wrong_kind_of_puzzle(word: str, says: str) -> None:
    done = called("puzzle", "solve", word, "-", stdin="")
    assert done.returncode == 2
    assert says in done.stderr
