"""`lpbridge puzzle generate`: what it prints can be read back, and says what it is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from patience import PATIENCE
from shared_data import ROOT
from test_cli import COMMAND, run, run_json

from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.registry import kinds
from bridge.puzzles.loading import load_all

#: Kinds whose files do not say how an instance is made, and one that takes a list of words.
NOT_GENERATED = ("crossword", "hitori", "kakuro", "variant-sudoku", "zebra")


@pytest.mark.parametrize(("kind", "size"), [("sudoku", "4"), ("futoshiki", "4"), ("takuzu", "4x6")])
def test_the_text_can_be_checked(kind: str, size: str) -> None:
    done = run("puzzle", "generate", kind, "--size", size, "--seed", "8")
    assert (done.returncode, done.stderr) == (0, "")
    first, second, *_ = done.stdout.splitlines()
    assert first.startswith("# seed 8, grade ")
    assert first.endswith(", irredundant")
    assert second == "# one solution: proved by asp, mac+mrv+degree, ladder"
    assert run("puzzle", "generate", kind, "--size", size, "--seed", "8").stdout == done.stdout
    assert run("puzzle", "check", kind, "-", stdin=done.stdout).stdout.startswith("unique")


@pytest.mark.parametrize("kind", [kind for kind in kinds() if kind not in NOT_GENERATED])
def test_each_command_reads_what_is_written(kind: str, tmp_path: Path) -> None:
    """Several puzzles as text, of each kind that is generated without a word list; as JSON, of a class and of a file."""
    size = {"magic-square": "3", "skyscrapers": "3", "star-battle": "5"}.get(kind, "4")
    call = ["puzzle", "generate", kind, "--size", size, "--seed", "3", "-n", "2"]
    found = []
    forms = {"text": [], "json": ["--json"], "jsonl": ["--jsonl"]} if kind in ("sudoku", "akari") else {"text": []}
    for name, option in forms.items():
        done = run(*call, *option)
        assert done.returncode == 0, done.stderr
        (tmp_path / name).write_text(done.stdout)
        found.append(load_all(kind, tmp_path / name))
        batch = run("puzzle", "batch", "check", kind, tmp_path / name, "--jobs", 1)
        assert [json.loads(line)["verdict"] for line in batch.stdout.splitlines()] == ["unique", "unique"]
        assert run("puzzle", "count", kind, tmp_path / name).stdout.count(": 1 solution") == 2
    assert len(found[0]) == 2
    assert all(one == found[1] for one in found[2:])
    # A text numbers cages anew, in the order of its lines.
    assert found[0] == [parse(kind, one.draw()) for one in found[-1]]


def test_two_puzzles_are_not_read_as_one() -> None:
    board = "# . . . .\n. . . 1 0\n. 1 . 0 .\n# 0 . . .\n. . . . 1\n"
    done = run("puzzle", "check", "akari", "-", stdin=f"{board}\n{board}")
    assert done.returncode == 2
    assert "is this one puzzle of 10 lines, or 2 puzzles?" in done.stderr
    assert run("puzzle", "count", "akari", "-", stdin=f"% puzzle 1\n{board}\n% puzzle 2\n{board}").returncode == 0


def test_empty_crosswords(tmp_path: Path) -> None:
    done = run("puzzle", "generate", "crossword", "--size", "7x9", "--empty", "--seed", "5", "-n", "2", "--symmetry", "rotate")
    assert (done.returncode, done.stderr) == (0, "")
    for number, part in enumerate(done.stdout.strip().split("\n\n"), 1):
        first, seed, *rows = part.split("\n")
        assert first == f"% puzzle {number}"
        assert seed.startswith("% seed ")
        assert [len(row) for row in rows] == [9] * 7
        assert {*"".join(rows)} == {"#", "."}
        assert "".join(rows) == "".join(rows)[::-1]
    (tmp_path / "w").write_text("abc\n")
    grid = done.stdout.split("\n\n")[0]
    assert "no word of" in run("puzzle", "check", "crossword", "-", "--words", tmp_path / "w", stdin=grid).stdout
    (first,) = [run_json("puzzle", "generate", "crossword", "--size", "7x9", "--empty", "--seed", "5", "--json")]
    assert (first["puzzle"], first["seed"], len(first["grid"])) == ("crossword", 5, 7)
    for words, says in [
        (["sudoku", "--size", "9", "--empty"], "empty grids are made of crosswords only"),
        (["crossword", "--size", "9", "--empty", "--clues", "3"], "--clues is about the letters given"),
        (["crossword", "--size", "9", "--empty", "--black", "2"], "`black` is a share"),
    ]:
        wrong = run("puzzle", "generate", *words)
        assert wrong.returncode == 2
        assert says in wrong.stderr


def test_better_words_come_first(tmp_path: Path) -> None:
    """All rows and columns of a 3x3 grid: the good words fill it, and so do the bad ones."""
    good, bad = ["bit", "ice", "ten"], ["bat", "ape", "ten", "tap", "act", "pet"]
    (tmp_path / "list").write_text("".join(f"{word};{90 if word in good else 5}\n" for word in {*good, *bad}))
    call = ["puzzle", "generate", "crossword", "--size", "3", "--black", "0", "-O", "repeat=yes", "--words", tmp_path / "list"]
    for seed in range(4):
        made = run_json(*call, "--seed", str(seed), "--json")
        assert ["".join(row) for row in made["solution"]] == good


def test_a_crossword_with_its_list(tmp_path: Path) -> None:
    # Squares of three words across and three down: each letter of the list begins some word.
    words = tmp_path / "list.txt"
    words.write_text("bit\nice\nten\nbat\nape\nten\ntap\nact\npet\n")
    call = (
        "puzzle", "generate",
        "crossword",
        "--size",
        "3",
        "--words",
        words,
        "--black",
        "0",
        "-O",
        "repeat=yes",
        "--seed",
        "1",
    )
    done = run(*call)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("% seed 1, grade ")
    checked = run("puzzle", "check", "crossword", "-", "--words", words, "-O", "repeat=yes", stdin=done.stdout)
    assert checked.stdout.startswith("unique")
    made = run_json(*call, "--json")
    (solved,) = run_json("puzzle", "solve", "crossword", "-", "-n", "0", "--json", stdin=json.dumps(made), code=0)["solutions"]
    assert solved == made["solution"]


def test_json() -> None:
    made = run_json("puzzle", "generate", "latin-square", "--size", "4", "-O", "variant=diagonal", "--seed", "2", "--json")
    assert (made["puzzle"], made["variant"], made["seed"], made["attempts"]) == ("latin-square", "diagonal", 2, 1)
    assert made["proof"] == {"asp": "unique", "mac+mrv+degree": "unique", "ladder": "unique"}
    assert made["clues"] == sum(value is not None for row in made["grid"] for value in row)
    assert set(made["grade"]) == {"level", "score", "guesses", "depth"}
    several = run_json("puzzle", "generate", "takuzu", "--size", "4", "-n", "3", "--seed", "2", "--json")
    lines = run("puzzle", "generate", "takuzu", "--size", "4", "-n", "3", "--seed", "2", "--jsonl").stdout.splitlines()
    assert [{**one, "version": 1} for one in several["results"]] == [json.loads(line) for line in lines]
    assert several.keys() == {"puzzle", "results", "version"}
    assert len(lines) == 3


def test_what_is_requested() -> None:
    made = run_json(
        "puzzle", "generate", "sudoku", "--size", "6", "--grade", "fc", "--symmetry", "rotate", "--seed", "1", "--json"
    )
    given = {(r, c) for r, row in enumerate(made["grid"]) for c, value in enumerate(row) if value is not None}
    assert given == {(5 - r, 5 - c) for r, c in given}
    assert made["grade"]["level"] == "fc"
    assert run_json("puzzle", "generate", "sudoku", "--size", "4", "--clues", "8", "--json")["clues"] == 8


def test_a_wish_that_is_not_met() -> None:
    call = ("puzzle", "generate", "sudoku", "--size", "4", "--clues", "2", "--attempts", "3", "--seed", "1")
    done = run(*call)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("lpbridge: 0 of 1 puzzles made, no more attempts; 3 candidates were given up: ")
    told = run_json(*call, "--json", code=1)
    assert told["results"] == []
    assert told["remark"].startswith("3 candidates were given up")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["magic-square", "--size", "2"], "no magic square of 2x2 has a solution"),
        (["sudoku", "--size", "big"], "'big' is not a size; write it as in 9 or 6x8"),
        (["sudoku", "--size", "4x6"], "there is no Sudoku of 4x6"),
        (["crossword", "--size", "4"], "a crossword needs a list of words"),
        (["sudoku"], "Missing option '--size'"),
    ],
)
def test_what_cannot_be(words: list[str], message: str) -> None:
    done = run("puzzle", "generate", *words)
    assert done.returncode == 2
    assert message in done.stderr


def test_interrupted_keeps_what_was_made() -> None:
    words = ["puzzle", "generate", "sudoku", "--size", "9", "-n", "100000", "--jsonl"]
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=dict(os.environ)
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    for line in [first, *rest.splitlines()]:
        assert json.loads(line)["puzzle"] == "sudoku"


@pytest.mark.parametrize("kind", ["sudoku", "latin-square", "takuzu", "futoshiki", "magic-square"])
def test_a_size_beyond_all_is_refused_before_a_text_of_it_is_read(kind: str) -> None:
    made = run("puzzle", "generate", kind, "--size", "999")
    assert made.returncode == 2
    assert "of 999x999: 256 rows and columns are the most" in made.stderr
    made = run("puzzle", "generate", kind, "--size", "65")
    assert made.returncode == 2
    assert "65 rows" in made.stderr  # the kind's own bound


def test_other_commands_read_what_json_prints() -> None:
    made = run("puzzle", "generate", "sudoku", "--size", "4", "-n", "2", "--seed", "3", "--json").stdout
    assert run("puzzle", "check", "sudoku", "-", stdin=made).stdout.count("unique: ") == 2
    assert run("puzzle", "convert", "-", "-", "--to", "line", stdin=made).stdout.count("\n") == 2
