"""`lpbridge diagnose`: in words and in JSON."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from command import called
from patience import given_time
from shared_data import ROOT

from bridge.cli import lpbridge
from bridge.puzzles.analysis import diagnose as module

EXAMPLES = ROOT / "examples"


def run(*words: str | Path, code: int = 0, stdin: str | None = None) -> str:
    done = CliRunner().invoke(lpbridge, ["puzzle", "diagnose", *map(str, words)], input=stdin)
    assert done.exit_code == code, done.output
    return done.stdout


def problem(number: int) -> Path:
    return EXAMPLES / "sudoku" / f"report3-problem{number}.txt"


def test_ambiguous() -> None:
    lines = run("sudoku", problem(6)).splitlines()
    assert lines[:6] == [
        "ambiguous: there are 2 solutions",
        "4 open cells, and how many solutions each value has:",
        "  r4c1  3 (1), 6 (1)",
        "  r4c6  3 (1), 6 (1)",
        "  r6c1  3 (1), 6 (1)",
        "  r6c6  3 (1), 6 (1)",
    ]
    assert "r4c1, r4c6, r6c1, r6c6 vary together, in 2 ways: 3 6 6 3 or 6 3 3 6" in lines
    assert "one clue more makes it unique: any one of r4c1, r4c6, r6c1, r6c6, whatever its value" in lines
    assert "rules of the open cells: row 4, row 6, column 1, column 6, box (2,1), box (2,2)" in lines


def test_many_open_cells_are_drawn() -> None:
    text = run("sudoku", problem(5))
    assert text.startswith("ambiguous: there are 8 solutions\n32 open cells of 81, with the values")
    assert "\n   2    8    6 |    1    5    9 |    7    4    3\n" in text
    assert "\n  r6c1=1 or 7\n" not in text
    assert "\n  r6c5=1 or 7\n" in text


@pytest.mark.slow
def test_sets_of_clues() -> None:
    text = run("latin-square", "-", stdin="order 3\n")
    assert "2 clues more make it unique, one of these sets:\n" in text
    assert "\n  and " in text
    assert "no set of up to 1 clue makes it unique" in run("latin-square", "-", "--most-clues", "1", stdin="order 3\n")
    assert "there may be others" in run("latin-square", "-", "--repairs", "2", stdin="order 3\n")


def test_impossible() -> None:
    assert run("sudoku", "-", stdin="5...5....\n" + ".........\n" * 8).splitlines() == [
        "impossible: there is no solution",
        "these cannot hold together: clue r1c1=5, clue r1c5=5, row 1",
        "  (minimal, and no clash is smaller)",
        "take away any one of these:",
        "  r1c1=5   then there are several solutions",
        "  r1c5=5   then there are several solutions",
        "",
    ]


def test_impossible_with_one_remedy() -> None:
    text = run("sudoku", "-", stdin="1234\n3412\n2143\n4322\n")
    assert "take away this:\n  r4c4=2   then there is one solution, with r4c4=1\n" in text


def test_several_clashes() -> None:
    text = run("sudoku", "-", "--clashes", "3", stdin="1.1.\n....\n.2..\n.2..\n")
    assert "\nnor can these: clue " in text
    assert "take away 2 clues, one of these sets:\n" in text


@pytest.mark.slow
def test_no_clue_to_blame() -> None:
    text = run("takuzu", "-", "--smallest", stdin="..\n" * 7)
    assert "these cannot hold together: row" in text
    assert "note: without any clue there is no solution either" in text


def test_unique() -> None:
    lines = run("sudoku", problem(8)).splitlines()
    assert lines[0] == "unique: there is exactly one solution"
    assert lines[1].startswith("grade: very hard, search, score ")
    assert lines[2] == "no clue could go"
    assert lines[3] == "not decided by propagation alone (clpfd): 57 cells"
    assert "1 6 2 | 8 5 7 | 4 9 3" in lines


def test_redundant() -> None:
    text = run("sudoku", "-", stdin="1234\n3412\n2143\n432.\n")
    assert "15 clues could go, each alone: r1c1=1, r1c2=2, " in text
    assert " could go together, and then no other: r1c1=1" in text


def test_crossword() -> None:
    here = EXAMPLES / "crossword"
    assert run("crossword", here / "hoses.txt", "--words", here / "hoses.words").startswith("unique: ")


def test_json() -> None:
    found = json.loads(run("sudoku", problem(6), "--json"))
    assert found["verdict"] == "ambiguous"
    assert found["ambiguity"]["number"] == 2
    assert sorted(found["additions"]["sets"])[0] == [[4, 1, 3]]
    assert found["additions"]["complete"] is True
    assert found["residual"]["open"]["r4c1"] == [3, 6]
    assert (found["removals"], found["grade"], found["limit"]) == (None, None, None)


def test_several_puzzles(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    one, other = ("".join(problem(number).read_text().split()) for number in (6, 1))
    file.write_text(f"{one}\n{other}\n")
    text = run("sudoku", file)
    assert f"{file} 1: ambiguous: " in text
    assert f"{file} 2: unique: " in text
    rows = [json.loads(line) for line in run("sudoku", file, "--jsonl").splitlines()]
    assert [row["verdict"] for row in rows] == ["ambiguous", "unique"]
    assert [row["verdict"] for row in json.loads(run("sudoku", file, "--json"))["results"]] == ["ambiguous", "unique"]


@pytest.mark.slow
def test_a_limit() -> None:
    text = given_time(
        lambda seconds: called("puzzle", "diagnose", "sudoku", "-", "-t", seconds, stdin="." * 81).stdout,
        lambda text: text.startswith("ambiguous: there are "),
    )
    assert "stopped by the time limit: this is what was known by then" in text
    hard = run("latin-square", EXAMPLES / "latin_square" / "order30.txt", "-t", "1e-9", "--json", code=1)
    assert json.loads(hard)["verdict"] == "unknown"
    assert json.loads(hard)["limit"] == "seconds"


def test_ctrl_c_prints_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(module, "additions", interrupted)
    text = run("sudoku", problem(6), code=130)
    assert text.startswith("ambiguous: there are 2 solutions\n")
    assert "stopped by Ctrl-C" in text


def test_wrong_calls() -> None:
    run("sudoku", problem(6), "--clashes", "0", code=2)
    run("spam", problem(6), code=2)
