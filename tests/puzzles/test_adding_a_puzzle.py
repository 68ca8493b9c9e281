"""`docs/adding-a-puzzle.md` is true: its files, in an empty folder, do what the page says.

What the page shows is typed beside an installed lpbridge; what else its files do is asked within the test's process.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import called
from shared_data import ROOT

PAGE = (ROOT / "docs" / "adding-a-puzzle.md").read_text(encoding="utf-8")

#: The blocks that have the name of a file before them.
FILES = dict(re.findall(r"^\*\*`([^`]+)`\*\*\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))

LPBRIDGE = [sys.executable, "-c", "from bridge.cli import main; main()"]

#: For each command.
SECONDS = 300

SOLUTION = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """lpbridge as a wheel installs it: the encodings inside the package."""
    home = tmp_path_factory.mktemp("installed")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bridge", home / "bridge", ignore=ignore)
    shutil.copytree(ROOT / "encodings", home / "bridge" / "encodings", ignore=ignore)
    return home


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a newcomer has after following the page."""
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Any:
    def of(*words: str, code: int = 0) -> str:
        done = called(*words, folder=folder)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    return of


def test_the_page_has_every_file() -> None:
    assert list(FILES) == ["board.txt", "kenken.lp", "checker.lp"]
    whole = (ROOT / "encodings" / "kenken" / "kenken.lp").read_text(encoding="utf-8")
    assert FILES["kenken.lp"] == whole.partition("\n% The cages of a new puzzle")[0]
    assert FILES["board.txt"] == (ROOT / "encodings" / "kenken" / "kenken.txt").read_text(encoding="utf-8")
    assert len(FILES["kenken.lp"].splitlines()) <= 70


def test_what_the_console_shows(installed: Path, folder: Path) -> None:
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    sessions = [
        session.splitlines() for block in blocks for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    ]
    assert len(sessions) > 6
    for typed, *printed in sessions:
        done = subprocess.run(
            [*LPBRIDGE, *shlex.split(typed)[1:]], cwd=folder, env={**os.environ, "PYTHONPATH": str(installed)},
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        lines = iter(done.stdout.splitlines())
        for line in printed:
            if line != "...":
                assert line in lines, f"{typed}: {line!r} is not printed, or not in this order"
    assert "3+" in (folder / "board.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("solve kenken.lp board.txt", "3 4 1 2"), ("grade kenken.lp board.txt", "one rule at a time"),
        ("residual kenken.lp board.txt", "0 open cells"), ("csp kenken.lp board.txt", "r1c1"),
        ("compare kenken.lp board.txt", "clpfd did not run"), ("kinds --puzzles .", "kenken"),
        ("check --puzzles . kenken board.txt", "unique"), ("draw kenken.lp board.txt", "cage 12*: r3c2, r4c1 and r4c2"),
        ("convert --puzzle kenken.lp board.txt - --to lp", 'result(a,3,"+").'),
    ],
)  # fmt: skip
def test_the_other_commands_know_it(run: Any, words: str, told: str) -> None:
    assert told in run("puzzle", *words.split())


def test_all_forms_are_one_instance(run: Any, folder: Path) -> None:
    for form in ("json", "jsonl", "lp", "text"):
        run("puzzle", "convert", "--puzzle", "kenken.lp", "board.txt", f"again.{form}", "--to", form)
        found = json.loads(run("puzzle", "check", "./kenken.lp", f"again.{form}", "--json"))
        assert found["solutions"] == [SOLUTION]
    assert (folder / "again.text").read_text("utf-8").split() == FILES["board.txt"].split()


@pytest.mark.parametrize(
    ("wrong", "instead", "told"),
    [
        ("a: 3+", "a: 3%", "board.txt:12:4: cage a has the sign %"),
        ("a: 3+", "z: 3+", "board.txt:12:4: cage z has no cells"),
        ("a: 3+", "a: three", "board.txt:12:4: here a number is wanted, not 'three'"),
        ("2 . . .", "5 . . .", "board.txt:3:1: r3c1 holds 5, which is not a value; values are 1, 2, 3, 4"),
        ("f f g g", "f f g", "board.txt:10: row 4 has 3 cells, the others have 4"),
        ("cages:", "cage:", "board.txt:6:6: here a number is wanted, and the line ends"),
    ],
)
def test_a_wrong_board_is_refused_at_its_place(run: Any, folder: Path, wrong: str, instead: str, told: str) -> None:
    (folder / "board.txt").write_text(FILES["board.txt"].replace(wrong, instead, 1), encoding="utf-8")
    assert told in run("puzzle", "check", "kenken.lp", "board.txt", code=2)


def test_the_checker_sees_a_wrong_program(run: Any, folder: Path) -> None:
    rule = ":- index(C), index(V), not { cell(R, C, V) : index(R) } = 1.\n"
    program = FILES["kenken.lp"]
    assert rule in program
    board = FILES["board.txt"].replace("2 . . .", ". . . .")
    (folder / "board.txt").write_text(board, encoding="utf-8")
    (folder / "kenken.lp").write_text(program.replace(rule, ""), encoding="utf-8")
    assert "column" not in run("puzzle", "check", "kenken.lp", "board.txt")
    told = run("puzzle", "check", "kenken.lp", "board.txt", "--checker", "checker.lp", code=2)
    assert "gave a wrong solution" in told


def test_a_skeleton_runs_as_it_is(tmp_path: Path) -> None:
    done = called("puzzle", "new-kind", "my-towers", folder=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "next: lpbridge puzzle check my-towers.lp my-towers.txt")
    checked = called("puzzle", "check", "my-towers.lp", "my-towers.txt", folder=tmp_path)
    assert checked.stdout.startswith("unique: there is exactly one solution")
    again = called("puzzle", "new-kind", "my-towers", folder=tmp_path)
    assert (again.returncode, again.stdout) == (2, "")
    assert "my-towers.lp: this file is there already" in again.stderr
