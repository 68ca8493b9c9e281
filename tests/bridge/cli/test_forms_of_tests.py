"""`lpbridge test` in the forms of other runners."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import called

PROGRAM = """len([], 0).
len([_|Xs], N) :- len(Xs, M), N is M + 2.
:- begin_tests(len).
test(empty, N == 0) :- len([], N).
test(two, N == 2) :- len([a, b], N).
test(later, blocked(slow)) :- fail.
:- end_tests(len).
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "len.pl").write_text(PROGRAM)
    (tmp_path / "bad.pl").write_text("p(1")
    return tmp_path


def test_tap(folder: Path) -> None:
    done = called("test", "len.pl", "--format", "tap", folder=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "TAP version 14",
        "1..3",
        "ok 1 - len:empty",
        "not ok 2 - len:two",
        "  ---",
        '  message: "wrong answer for N (compared using ==) Expected: 2 Got: 4"',
        '  at: {"file": "len.pl", "line": 5}',
        "  ...",
        "ok 3 - len:later # SKIP slow",
    ]


def test_exercism(folder: Path) -> None:
    done = called("test", "len.pl", "--format", "exercism", folder=folder)
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert (data["version"], data["status"]) == (2, "fail")
    assert [(one["name"], one["status"]) for one in data["tests"]] == [("len:empty", "pass"), ("len:two", "fail")]
    assert "Expected: 2" in data["tests"][1]["message"]
    done = called("test", "bad.pl", "--format", "exercism", folder=folder)
    data = json.loads(done.stdout)
    assert (done.returncode, data["status"], "tests" in data) == (0, "error", False)
    assert "yntax error" in data["message"]


def test_one_form_at_a_time(folder: Path) -> None:
    done = called("test", "len.pl", "--format", "tap", "--json", folder=folder)
    assert done.returncode == 2
    assert "give one of them" in done.stderr
