"""Sheets: pages of puzzles to be printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import called

import bridge
from bridge.errors import InputError
from bridge.render import document
from bridge.render.sheet import Entry, pdf

UNIQUE, AMBIGUOUS, IMPOSSIBLE = (f"examples/sudoku/report3-problem{number}.txt" for number in (7, 6, 3))
TAKUZU = "examples/takuzu/course-test5.txt"


def test_pages_with_answers(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    done = called("sheet", "sudoku", UNIQUE, "takuzu", TAKUZU, "-o", out, "--title", "Saturday", "--paper", "us-letter")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    data = out.read_bytes()
    assert data.startswith(b"%PDF-")
    assert b"/Type/Pages/Count 2" in data
    assert b"[0 0 612 792]" in data  # letter, in points


def test_what_stands_on_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(document, "typeset", lambda source, inputs, **_: given.update(inputs) or b"")
    puzzles = [bridge.load("sudoku", UNIQUE), bridge.load("sudoku", AMBIGUOUS), bridge.load("sudoku", IMPOSSIBLE)]
    made = bridge.sheet(puzzles, title="Three", titles=["a", "b", "c"], columns=3)
    made.pdf()
    data = json.loads(given["data"])
    assert (data["title"], data["paper"], data["columns"]) == ("Three", "a4", 3)
    assert [one["title"] for one in data["puzzles"]] == ["a", "b", "c"]
    assert data["puzzles"][0]["note"] == made.items[0].level == bridge.grade(puzzles[0]).level
    assert [(one["title"], one["note"]) for one in data["answers"]] == [("a", ""), ("b", "not unique")]
    assert [one.problem for one in made.items] == [None, "it has more than one solution", "it has no solution"]
    assert all(one["svg"].startswith("<svg") and one["words"] for one in data["puzzles"])


def test_puzzles_without_one_solution_are_named(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    done = called("sheet", "sudoku", UNIQUE, AMBIGUOUS, "-o", out, "--expect-unique")
    assert done.returncode == 1
    assert done.stderr == "lpbridge: 2. Sudoku: it has more than one solution\n"
    assert not out.exists()
    assert called("sheet", "sudoku", UNIQUE, AMBIGUOUS, "-o", out, "--no-answers", "--no-grades").returncode == 0
    assert out.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["sudoku", "-o", "x.pdf"], "name a file after sudoku"),
        (["sudoku", UNIQUE], "name the file: -o OUT.pdf"),
        (["sudoku", UNIQUE, "-o", "x.svg"], "a sheet is a PDF"),
        (["sudoku", UNIQUE, "-o", "/nowhere/x.pdf"], "is there such a folder?"),
        (["chess", UNIQUE, "-o", "-"], "'chess' is not one of"),
    ],
)
def test_wrong_calls(words: list[str], says: str) -> None:
    done = called("sheet", *words)
    assert done.returncode == 2
    assert says in done.stderr


def test_wrong_values() -> None:
    puzzle = bridge.load("sudoku", UNIQUE)
    with pytest.raises(InputError, match="2 titles for 1 puzzles"):
        bridge.sheet([puzzle], titles=["a", "b"])
    entry = Entry(bridge.picture(puzzle), "a")
    with pytest.raises(InputError, match="there is no paper 'a7'"):
        pdf([entry], paper="a7")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="1 to 6 fit"):
        pdf([entry], columns=7)
