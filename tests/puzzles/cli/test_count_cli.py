"""`lpbridge count`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from patience import PATIENCE, given_time
from shared_data import ROOT

from bridge.cli import lpbridge
from bridge.puzzles.analysis.count import Part, PuzzleCount
from bridge.puzzles.kinds import parse

TAKUZU = ROOT / "examples" / "takuzu"
COMMAND = [sys.executable, "-c", "from bridge.cli import main; main()"]


def count(*words: str | Path, stdin: str | None = None, code: int = 0) -> str:
    done = CliRunner().invoke(lpbridge, ["puzzle", "count", *map(str, words)], input=stdin)
    assert done.exit_code == code, done.output
    return done.stdout


@pytest.mark.parametrize(
    ("words", "text", "printed"),
    [
        (["latin-square"], "order 6", "812,851,200 solutions (9,408 up to symmetry, times 86,400)\n"),
        (["latin-square"], "order 1", "1 solution\n"),
        (["latin-square"], "1 1\n. .", "no solution\n"),
        (["sudoku"], "." * 16, "288 solutions (12 up to symmetry, times 24)\n"),
        (["sudoku"], "1" + "." * 15, "72 solutions\n"),
        (["sudoku", "-n", "5"], "1" + "." * 15, "at least 5 solutions: the limit on solutions came first\n"),
        (["sudoku", "-e", "mac"], "1" + "." * 15, "72 solutions\n"),
    ],
)
def test_sentences(words: list[str], text: str, printed: str) -> None:
    assert count(*words, "-", stdin=text) == printed


def test_sentences_of_parts_and_bounds() -> None:
    puzzle = parse("sudoku", "." * 16)
    two, three = Part(((4, 1), (4, 3)), 2, True), Part(tuple((1, c) for c in range(1, 11)), 3, True)
    cells = "{r4c1, r4c3} and {r1c1, r1c2, r1c3, r1c4, r1c5, r1c6, r1c7, r1c8, … 10 cells}"
    found = PuzzleCount(6, True, puzzle=puzzle, engine="asp", parts=(two, three))
    assert str(found) == f"6 solutions: 2 × 3, of cells that do not interact: {cells}"
    found = PuzzleCount(12, False, "interrupt", puzzle=puzzle, engine="asp", symmetry=2, parts=(two, three))
    assert str(found) == (
        "at least 12 solutions (6 up to symmetry, times 2): Ctrl-C came first; "
        f"2 × 3, of cells that do not interact: {cells}"
    )
    assert str(PuzzleCount(0, False, "seconds", puzzle=puzzle, engine="asp")) == "no solution found: the time limit came first"


def test_json() -> None:
    found = json.loads(count("takuzu", TAKUZU / "six-solutions.txt", "--json"))
    assert found.keys() == {
        "puzzle", "engine", "number", "complete", "limit", "symmetry", "parts", "statistics", "notes", "version"
    }  # fmt: skip
    assert (found["number"], found["complete"], found["limit"], found["symmetry"]) == (6, True, None, 1)
    assert found["parts"][0].keys() == {"cells", "number", "complete"}


def test_several_puzzles_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text("." * 16 + "\n" + "1234341221434321\n")
    assert count("sudoku", file) == f"{file} 1: 288 solutions (12 up to symmetry, times 24)\n{file} 2: 1 solution\n"
    assert [json.loads(line)["number"] for line in count("sudoku", file, "--jsonl").splitlines()] == [288, 1]
    found = json.loads(count("sudoku", file, "--json"))
    assert [one["number"] for one in found["results"]] == [288, 1]


def test_nothing_found_in_time_is_a_failure() -> None:
    printed = count("magic-square", "-t", "0.05", "-", stdin="order 9", code=1)
    assert printed == "no solution found: the time limit came first\n"


@pytest.mark.skipif(os.name == "nt", reason="SIGINT")
def test_ctrl_c_prints_what_was_counted(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text("." * 16 + "\n" + "." * 81 + "\n")
    words = [*COMMAND, "puzzle", "count", "sudoku", str(file), "--jsonl"]

    def interrupted(seconds: float) -> Any:
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as running:
            assert running.stdout is not None
            assert json.loads(running.stdout.readline())["number"] == 288
            with pytest.raises(subprocess.TimeoutExpired):
                running.wait(seconds)
            running.send_signal(signal.SIGINT)
            found = json.loads(running.stdout.readline())
            assert running.wait(PATIENCE) == 130
        return found

    found = given_time(interrupted, lambda found: found["number"])
    assert (found["complete"], found["limit"]) == (False, "interrupt")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_progress_on_a_terminal_only() -> None:
    import pty

    def counted(seconds: float) -> tuple[str, str]:
        ours, theirs = pty.openpty()
        words = [*COMMAND, "puzzle", "count", "sudoku", "-", "-t", str(seconds)]
        done = subprocess.run(words, input="." * 81, stdout=subprocess.PIPE, stderr=theirs, text=True, cwd=ROOT)
        os.write(theirs, b".")  # so that there is something to read
        os.close(theirs)
        said = os.read(ours, 65536).decode()
        os.close(ours)
        return done.stdout, said

    printed, said = given_time(counted, lambda both: " so far, " in both[1], 1.5)
    assert printed.startswith("at least ")
    assert " a second, " in said
    quiet = subprocess.run([*COMMAND, "puzzle", "count", "sudoku", "-", "-t", "1.5"], input="." * 81, capture_output=True, text=True, cwd=ROOT)
    assert quiet.stderr == ""
