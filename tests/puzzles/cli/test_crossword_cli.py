"""`--words` on the command line, and what the commands print of crosswords."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_cli import run, run_json

EXAMPLES = Path("examples") / "crossword"
GRID, WORDS = EXAMPLES / "report5.txt", EXAMPLES / "report5.words"
FILL = [list(row) for row in ("tars", "a##t", "rata", "t##r")]


@pytest.mark.parametrize("engine", ["asp", "clpfd", "mac+mrv"])
def test_check(engine: str) -> None:
    report = run_json("puzzle", "check", "crossword", GRID, "--words", WORDS, "-e", engine, "--json")
    assert (report["puzzle"], report["verdict"], report["solutions"]) == ("crossword", "unique", [FILL])


def test_words_by_option_is_the_same() -> None:
    assert run_json("puzzle", "solve", "crossword", GRID, "-O", f"words={WORDS}", "--json")["solutions"] == [FILL]


def test_a_word_twice() -> None:
    done = run("puzzle", "check", "crossword", GRID, "--words", WORDS, "-O", "repeat")
    assert done.stdout.startswith("ambiguous")
    assert "  r4c1  {s, t}" in done.stdout.splitlines()


def test_the_other_reading() -> None:
    example = EXAMPLES / "report5-example1.txt"
    done = run("puzzle", "solve", "crossword", example, "--words", example.with_suffix(".words"), "-O", "reading=words")
    assert done.stdout.startswith("solution 1\n#b#l#f####\nmatura####\n")


def test_residual_and_compare() -> None:
    left = run_json("puzzle", "residual", "crossword", GRID, "--words", WORDS, "-O", "repeat=yes", "--json")
    assert left["open"] == {"r4c1": ["s", "t"]}
    table = run_json("puzzle", "compare", "crossword", GRID, "--words", WORDS, "-e", "asp,clpfd,fc+mrv,mac+mrv", "--json")
    assert table["agree"]
    assert {row["verdict"] for row in table["rows"]} == {"unique"}


def test_an_engine_that_cannot_is_told_and_the_others_go_on() -> None:
    table = run_json(
        "puzzle", "compare", "crossword", GRID, "--words", WORDS, "-O", "reading=anywhere", "-e", "clpfd,asp", "--json"
    )
    assert [(row["engine"], row["verdict"]) for row in table["rows"]] == [("clpfd", "unknown"), ("asp", "unique")]
    assert "clpfd does not know" in table["rows"][0]["error"]


def test_notes_are_printed(tmp_path: Path) -> None:
    words = tmp_path / "list.txt"
    words.write_text("tart\nTART\ntars\nrata\nstar\n")
    done = run("puzzle", "check", "crossword", GRID, "--words", words)
    assert "note: 1 word stands in the list more than once, and counts once: tart" in done.stdout.splitlines()


def test_what_cannot_be_filled_says_which_slot(tmp_path: Path) -> None:
    words = tmp_path / "list.txt"
    words.write_text("cat\n")
    done = run("puzzle", "check", "crossword", GRID, "--words", words)
    assert done.stdout.startswith("impossible: there is no solution\n")
    assert "1 across (from r1c1, 4 cells): no word of 4 letters" in done.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["crossword", GRID], "a crossword needs a list of words; name its file: --words LIST"),
        (["crossword", GRID, "--words", "nowhere"], "nowhere: no such file; check the path"),
        (["crossword", GRID, "--words", WORDS, "-O", "reading=x"], "there is no reading 'x'"),
        (["sudoku", "examples/sudoku/report3-problem1.txt", "--words", WORDS], "sudoku has no option 'words'"),
    ],
)
def test_wrong_calls(line: list[str | Path], message: str) -> None:
    done = run("puzzle", "check", *line)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
