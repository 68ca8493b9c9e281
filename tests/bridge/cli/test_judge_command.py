"""`lpbridge judge`: the verdicts of `bridge.judge`, as text, JSON and lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "family.pl").write_text("parent(ann, bob).\nparent(ann, carl).\n")
    (tmp_path / "right.pl").write_text("child(X, Y) :- parent(Y, X).\n")
    (tmp_path / "half.pl").write_text("child(X, Y) :- parent(Y, X), X == bob.\n")
    (tmp_path / "shell.pl").write_text(":- shell(true).\nchild(bob, _).\nchild(carl, _).\n")
    (tmp_path / "bytes.pl").write_bytes(b"child(X, Y) :- parent(Y, X). % \xff\n")
    (tmp_path / "expected.json").write_text('{"child(X, ann)": ["bob", "carl"]}')
    return tmp_path


NAMES = ("right.pl", "half.pl", "shell.pl", "bytes.pl")


def test_candidates_of_prolog(folder: Path) -> None:
    words = ("judge", "family.pl", *NAMES, "--expected", "expected.json", "-t", "600")
    done = called(*words, folder=folder)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "right.pl: answered", "half.pl: wrong", "shell.pl: refused", "bytes.pl: answered", "4 candidates: 2 answered, 1 wrong, 1 refused",
    ]  # fmt: skip
    assert "  child(X, ann): wrong, 1 of 2" in lines
    found = json.loads(called(*words, "--json", folder=folder).stdout)
    assert found["verdicts"] == {"answered": 2, "wrong": 1, "refused": 1}
    assert [(one["file"], one["right"]) for one in found["candidates"]] == [*zip(NAMES, (2, 1, 0, 2), strict=True)]
    assert found["candidates"] == [json.loads(line) for line in called(*words, "--jsonl", folder=folder).stdout.splitlines()]


def test_goals_without_answers_and_trusted(folder: Path) -> None:
    done = called("judge", "family.pl", "half.pl", "shell.pl", "-g", "child(X, ann)", "-g", "parent(X, bob)", "--trusted", "--jsonl", folder=folder)
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["answered"] * 2
    assert [len(json.loads(line)["goals"]) for line in done.stdout.splitlines()] == [2, 2]


def test_candidates_of_clingo(folder: Path) -> None:
    (folder / "n.lp").write_text("n(1..2).\n#show c/1.\n")
    (folder / "a.lp").write_text("{ c(N) : n(N) } = 1.\n:- c(2).\n")
    (folder / "b.lp").write_text("c(N) :- m(N.\n")
    (folder / "c.lp").write_bytes(b"c(1). % \xff\n")
    (folder / "sets.json").write_text('[["c(2)"]]')
    done = called("judge", "n.lp", "a.lp", "b.lp", "c.lp", "--expected", "sets.json", folder=folder)
    assert done.returncode == 0
    assert "  the program: wrong, 0 of 1\n    missing: c(2)\n    surplus: c(1)\n    c(1)\n" in done.stdout
    assert "b.lp: error\n  the program: error (syntax), 0 of 1\n" in done.stdout
    assert "c.lp: " in done.stdout


def test_scripts(folder: Path) -> None:
    (folder / "expected.txt").write_text("17\n")
    (folder / "script.pl").write_text(":- initialization(main).\nmain :- X is 3*4 + 5, print(X), nl, halt.\n")
    done = called("judge", "family.pl", "script.pl", "--output", "expected.txt", "--json", folder=folder)
    (one,) = json.loads(done.stdout)["candidates"]
    assert (one["verdict"], one["output"], one["right"]) == ("answered", "17\n", 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("family.pl", "right.pl"), "no goal is given"), (("family.pl",), "CANDIDATE"), (("family.pl", "no.pl", "-g", "a"), "cannot be read"),
        (("family.pl", "right.pl", "--expected", "right.pl"), "it is not JSON"), (("family.pl", "right.pl", "--expected", "seven.json"), "neither a JSON object nor a list"),
        (("family.pl", "right.pl", "-g", "a", "--expected", "list.json"), "--goal is for Prolog"), (("family.pl", "right.pl", "--expected", "list.json"), "answer"),
        (("family.pl", "right.pl", "-g", "a", "--trusted", "--allow-missing-walls"), "not for --trusted"), (("family.pl", "right.pl", "-g", "a", "--json", "--jsonl"), "two forms"),
    ],
)  # fmt: skip
def test_wrong_calls(folder: Path, words: tuple[str, ...], said: str) -> None:
    (folder / "seven.json").write_text("7")
    (folder / "list.json").write_text('[["a"]]')
    done = called("judge", *words, folder=folder)
    assert done.returncode == 2
    assert said in done.stderr + done.stdout
