"""Sheets: pages of puzzles to be printed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import called

import bridge
from bridge.drawing import document
from bridge.errors import InputError
from bridge.outcome import Verdict
from bridge.puzzles import pictures
from bridge.puzzles.render import sheet as sheets
from bridge.puzzles.render.sheet import Entry, pdf

UNIQUE, AMBIGUOUS, IMPOSSIBLE = (f"examples/sudoku/report3-problem{number}.txt" for number in (7, 6, 3))
TAKUZU = "examples/takuzu/course-test5.txt"


def test_pages_with_answers(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    done = called("puzzle", "sheet", "sudoku", UNIQUE, "takuzu", TAKUZU, "-o", out, "--title", "Saturday", "--paper", "us-letter")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    data = out.read_bytes()
    assert data.startswith(b"%PDF-")
    assert b"/Type/Pages/Count 2" in data
    assert b"[0 0 612 792]" in data  # letter, in points


def test_what_stands_on_a_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(sheets, "typeset", lambda source, inputs, **_: given.update(inputs) or b"")
    puzzles = [bridge.puzzles.load("sudoku", UNIQUE), bridge.puzzles.load("sudoku", AMBIGUOUS), bridge.puzzles.load("sudoku", IMPOSSIBLE)]
    made = bridge.puzzles.sheet(puzzles, title="Three", titles=["a", "b", "c"], columns=3)
    made.pdf()
    data = json.loads(given["data"])
    assert (data["title"], data["paper"], data["columns"]) == ("Three", "a4", 3)
    assert [one["title"] for one in data["puzzles"]] == ["a", "b", "c"]
    grade = bridge.puzzles.grade(puzzles[0])
    assert (made.items[0].level, made.items[0].difficulty) == (grade.level, grade.difficulty)
    assert data["puzzles"][0]["note"] == str(grade.difficulty).capitalize()
    assert [(one["title"], one["note"]) for one in data["answers"]] == [("a", ""), ("b", "not unique")]
    assert [one.problem for one in made.items] == [None, "it has more than one solution", "it has no solution"]
    assert all(one["svg"].startswith("<svg") and one["words"] for one in data["puzzles"])


def test_an_answer_that_is_not_proved_says_so() -> None:
    (item,) = bridge.puzzles.sheet([bridge.puzzles.load("sudoku", UNIQUE)]).items
    doubts = [replace(item, verdict=verdict).doubt for verdict in (Verdict.UNIQUE, Verdict.AMBIGUOUS, Verdict.UNKNOWN)]
    assert doubts == ["", "not unique", "not proved unique"]


CROSSWORD = (
    "% title: Small\n% author: A. Setter\n% rules: Plain words.\n"
    "% 1 across: A pie\n% 1 down: Sailors\n% 2 down: Rate\n% 3 across: Star\n....\n.##.\n....\n.##.\n"
)


def test_a_crossword_has_its_clues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c.txt").write_text(CROSSWORD)
    words = ("--words", "examples/crossword/report5.words")
    done = called("puzzle", "sheet", "crossword", tmp_path / "c.txt", *words, "sudoku", UNIQUE, "-o", tmp_path / "c.pdf")
    assert (done.returncode, done.stderr) == (0, "")
    given: dict[str, Any] = {}
    monkeypatch.setattr(sheets, "typeset", lambda source, inputs, **_: given.update(inputs) or b"")
    bridge.puzzles.sheet([bridge.puzzles.load("crossword", tmp_path / "c.txt", words=words[1])]).pdf()
    data = json.loads(given["data"])
    (one,) = data["puzzles"]
    assert (one["title"], one["byline"], one["rules"], one["note"]) == ("1. Small", "A. Setter", "Plain words.", "")
    assert [part["heading"] for part in one["lists"]] == ["Across", "Down"]
    assert one["lists"][1]["clues"] == [[1, "Sailors"], [2, "Rate"]]
    assert data["answers"][0]["lists"] == []
    assert "Setter" not in one["svg"], "what is set above the picture is not in it"


@pytest.mark.parametrize("fill", [("abc", "def", "ghi"), ("adg", "beh", "cfi")])
def test_the_solution_of_the_file_is_printed(fill: tuple[str, ...], tmp_path: Path) -> None:
    """The transposed fill has the same words: which of both an engine finds first does not matter."""
    form = {"grid": ["..."] * 3, "words": ["abc", "def", "ghi", "adg", "beh", "cfi"]}
    puzzle = bridge.puzzles.parse("crossword", {**form, "about": {"solution": list(fill)}})
    (item,) = bridge.puzzles.sheet([puzzle]).items
    assert (item.solution, item.is_sure) == (tuple(map(tuple, fill)), True)
    assert item.problem == "it has more than one solution; its own is printed"
    found = pictures.of_solution(puzzle)
    assert found is not None
    assert found.caption == "The published solution."
    (tmp_path / "own.json").write_text(json.dumps(puzzle.to_json()))
    done = called("puzzle", "sheet", "crossword", tmp_path / "own.json", "-o", tmp_path / "own.pdf")
    assert done.stderr == "lpbridge: 1. Crossword: it has more than one solution; its own is printed\n"


def test_a_wrong_solution_of_the_file_is_named() -> None:
    puzzle = bridge.puzzles.load("sudoku", UNIQUE)
    rows = [list(row) for row in next(bridge.solutions(puzzle))]
    rows[0][0], rows[0][1] = rows[0][1], rows[0][0]
    wrong = bridge.puzzles.parse("sudoku", {**puzzle.to_json(), "about": {"solution": rows}})
    (item,) = bridge.puzzles.sheet([wrong], grades=False).items
    assert item.solution == next(bridge.solutions(puzzle))
    assert str(item.problem).startswith("its own is wrong (")


@pytest.mark.parametrize(("length", "pages"), [(4, 1), (90, 1), (400, 2)])
def test_clues_stay_on_a_page_where_they_fit(length: int, pages: int) -> None:
    grid = "\n".join(["." * 13, ".#" * 6 + "."] * 6 + ["." * 13])
    puzzle = bridge.puzzles.parse("crossword", {"grid": grid.split("\n"), "words": ["abcdefghijklm"]})
    about = bridge.puzzles.About(clues=dict.fromkeys(sorted(puzzle._entries()), "x " * (length // 2)))
    data = pdf([Entry(bridge.picture(puzzle), "a", about=about)], title="One")  # type: ignore[arg-type]
    assert f"/Type/Pages/Count {pages}".encode() in data


def test_rows_and_columns_have_no_numbers_on_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(sheets, "typeset", lambda source, inputs, **_: given.update(inputs) or b"")
    puzzle = bridge.puzzles.parse("latin-square", ". . .\n. . .\n. . .")
    bridge.puzzles.sheet([puzzle], answers=False).pdf()
    svg = json.loads(given["data"])["puzzles"][0]["svg"]
    assert "<text" in bridge.picture(puzzle).svg()
    assert "<text" not in svg


def test_puzzles_without_one_solution_are_named(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    done = called("puzzle", "sheet", "sudoku", UNIQUE, AMBIGUOUS, "-o", out, "--expect-unique")
    assert done.returncode == 1
    assert done.stderr == "lpbridge: 2. Sudoku: it has more than one solution\n"
    assert not out.exists()
    assert called("puzzle", "sheet", "sudoku", UNIQUE, AMBIGUOUS, "-o", out, "--no-answers", "--no-grades").returncode == 0
    assert out.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["sudoku", "-o", "x.pdf"], "name a file after sudoku"),
        (["sudoku", UNIQUE], "name the file: -o OUT.pdf"),
        (["sudoku", UNIQUE, "-o", "x.svg"], "a sheet is a PDF"),
        (["sudoku", UNIQUE, "-o", "/nowhere/x.pdf"], "is there such a folder?"),
        (["chess", UNIQUE, "-o", "-"], "'chess'"),
    ],
)
def test_wrong_calls(words: list[str], says: str) -> None:
    done = called("puzzle", "sheet", *words)
    assert done.returncode == 2
    assert says in done.stderr


def test_wrong_values() -> None:
    puzzle = bridge.puzzles.load("sudoku", UNIQUE)
    with pytest.raises(InputError, match="2 titles for 1 puzzles"):
        bridge.puzzles.sheet([puzzle], titles=["a", "b"])
    entry = Entry(bridge.picture(puzzle), "a")
    with pytest.raises(InputError, match="there is no paper 'a7'"):
        pdf([entry], paper="a7")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="1 to 6 fit"):
        pdf([entry], columns=7)


@pytest.mark.slow
def test_a_handout_of_a_comparison(tmp_path: Path) -> None:
    out = tmp_path / "h.pdf"
    words = ("puzzle", "compare", "sudoku", UNIQUE, AMBIGUOUS, "-e", "asp,fc,mac+mrv", "--handout", out, "--paper", "us-letter")
    done = called(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the engines do not contradict each other" in done.stdout
    assert b"[0 0 612 792]" in out.read_bytes()


@pytest.mark.slow
def test_what_stands_on_a_handout(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(sheets, "typeset", lambda source, inputs, **_: given.update(inputs) or b"")
    texts = ("1...\n..3.\n.4..\n...2", "1234\n....\n....\n....", "11..\n....\n....\n....")
    puzzles = [bridge.puzzles.parse("sudoku", text) for text in texts]
    found = bridge.compare("asp", "fc", "mac+mrv", instances=puzzles, names=["a", "b", "c"])
    bridge.puzzles.handout(found, puzzles)
    data = json.loads(given["data"])
    assert (data["title"], data["paper"]) == ("Sudoku: asp, fc, mac+mrv", "a4")
    assert [group["name"] for group in data["groups"]] == ["a", "b", "c"]
    first = data["groups"][0]["rows"]
    assert [row[:2] for row in first] == [["asp", "unique"], ["fc", "unique"], ["mac+mrv", "unique"]]
    nodes = data["head"].index("nodes")
    counted = [row.outcome.statistics.counters.get("nodes") for row in found.rows[:3] if row.outcome]
    assert [row[nodes] for row in first] == ["" if count is None else f"{count:,}" for count in counted]
    assert [chart["title"] for chart in data["charts"]] == ["Seconds", "Nodes", "Checks"]
    assert [(one["title"], one["note"]) for one in data["answers"]] == [("a", ""), ("b", "not unique")]
    assert any(note.startswith("nodes: ") for note in data["notes"])
    bridge.puzzles.handout(found, puzzles, answers=False, title="Lesson")
    assert json.loads(given["data"])["answers"] == []
    many = [puzzles[0]] * 20
    bridge.puzzles.handout(bridge.compare("asp", "fc", "mac", instances=many), many)
    data = json.loads(given["data"])
    assert (data["head"][:2], data["groups"][0]["rows"][1][:2]) == (["engine", "finished"], ["fc", "20 of 20"])
    assert (len(data["puzzles"]), data["more"]) == (12, "and 8 more")


@pytest.mark.slow
def test_a_handout_of_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(sheets, "typeset", lambda source, inputs, **_: given.update(inputs) or b"")
    (tmp_path / "a.lp").write_text("{a; b}. #show a/0. #show b/0.")
    (tmp_path / "b.lp").write_text("{a}. {b}. #show a/0. #show b/0.")
    (tmp_path / "i.lp").write_text("p.")
    programs = [str(tmp_path / "a.lp"), str(tmp_path / "b.lp")]
    found = bridge.compare(*programs, instances=[str(tmp_path / "i.lp")], limits=bridge.Limits(seconds=60))
    bridge.puzzles.handout(found)
    data = json.loads(given["data"])
    assert data["head"][:2] == ["program", "answers"]
    assert [row[1] for row in data["groups"][0]["rows"]] == ["4", "4"]


def test_wrong_handouts(tmp_path: Path) -> None:
    for name, says in [("x.svg", "end it in .pdf"), ("none/x.pdf", "is there such a folder?")]:
        done = called("puzzle", "compare", "sudoku", UNIQUE, "-e", "asp", "--handout", tmp_path / name)
        assert done.returncode == 2
        assert says in done.stderr
    puzzle = bridge.puzzles.load("sudoku", UNIQUE)
    with pytest.raises(InputError, match="2 puzzles for 1 instances"):
        bridge.puzzles.handout(bridge.compare("asp", instances=[puzzle]), [puzzle, puzzle])


def test_what_is_not_installed_is_said_before_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(document, "find_spec", lambda name: None)
    for words in (["puzzle", "sheet", "sudoku", UNIQUE, "-o"], ["puzzle", "compare", "sudoku", UNIQUE, "-e", "asp", "--handout"]):
        done = called(*words, tmp_path / "x.pdf")
        assert (done.returncode, done.stdout) == (2, "")
        assert "pip install 'lpbridge[pictures]'" in done.stderr
