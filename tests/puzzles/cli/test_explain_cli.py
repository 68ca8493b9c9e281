"""`lpbridge explain`: what is printed, the shapes of its JSON, wrong input, limits."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from command import called
from shared_data import ROOT

from bridge.analysis.explain import Step
from bridge.puzzles import load
from bridge.puzzles.kinds import parse
from bridge.puzzles.names import rule_sentences, sentence
from bridge.puzzles.oracle import Fact

TAKUZU = "examples/takuzu/course-test5.txt"


def lpbridge(*words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return called("puzzle", "explain", *words, stdin=stdin)


def test_all_steps_and_the_solution() -> None:
    done = lpbridge("takuzu", TAKUZU)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "  1. r1c1 = 0: pair: r1c2 and r1c3 beside it are 1 (row 1: no three alike)" in lines
    puzzle = load("takuzu", ROOT / TAKUZU)
    grid = parse("takuzu", "\n".join(lines[-10:]))
    assert not puzzle.violations(grid.grid)


@pytest.mark.slow
def test_json_has_every_step_with_its_sentence() -> None:
    found: dict[str, Any] = json.loads(lpbridge("takuzu", TAKUZU, "--json").stdout)
    assert (found["puzzle"], found["complete"], found["limit"]) == ("takuzu", True, None)
    first = found["steps"][0]
    assert first == {
        "cell": [1, 1], "value": 0, "holds": True, "rules": ["row 1: no three alike"],
        "facts": [{"cell": [1, 2], "value": 1, "holds": True}, {"cell": [1, 3], "value": 1, "holds": True}],
        "by": "value", "proved": True,
        "technique": {
            "name": "pair", "houses": ["row 1: no three alike"], "cells": [[1, 1], [1, 2], [1, 3]], "candidates": [1],
            "reason": "r1c2 and r1c3 beside it are 1 (row 1: no three alike)", "level": first["technique"]["level"],
        },
        "new": [{"cell": [1, 1], "value": 0, "holds": True}],
        "sentence": "r1c1 = 0: pair: r1c2 and r1c3 beside it are 1 (row 1: no three alike)",
    }  # fmt: skip
    one, lines = (lpbridge("sudoku", "-", form, stdin="1234341221......").stdout for form in ("--json", "--jsonl"))
    assert [json.loads(line) for line in lines.splitlines()] == json.loads(one)["steps"]
    assert len(lines.splitlines()) >= 6


def test_only_the_next_step() -> None:
    done = lpbridge("takuzu", TAKUZU, "--next")
    assert done.stdout.count(". r") == 1
    assert "  row 1: no three alike: no three neighbours are the same" in done.stdout.splitlines()


def test_one_cell() -> None:
    found = json.loads(lpbridge("takuzu", TAKUZU, "--cell", "r7c10", "--json").stdout)
    *before, last = found["steps"]
    assert last["cell"] == [7, 10]
    known = {(*cell, value) for cell, value in load("takuzu", ROOT / TAKUZU).clues().items()}
    needed = {(*fact["cell"], fact["value"]) for step in found["steps"] for fact in step["facts"]}
    assert needed <= known | {(*step["cell"], step["value"]) for step in before}
    assert {(*step["cell"], step["value"]) for step in before} <= needed, "a step that nothing rests on"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--cell", "spam"), "'spam' is not a cell"),
        (("--cell", "r11c1"), "r11c1 is not a cell of this Takuzu"),
        (("--cell", "r1c2"), "r1c2 is a clue"),
    ],
)
def test_wrong_cells(words: tuple[str, ...], told: str) -> None:
    done = lpbridge("takuzu", TAKUZU, *words)
    assert done.returncode == 2
    assert told in done.stderr


def test_an_impossible_puzzle_points_to_diagnose() -> None:
    done = lpbridge("sudoku", "examples/sudoku/report3-problem3.txt")
    assert done.returncode == 2
    assert "diagnose" in done.stderr


def test_an_ambiguous_puzzle_is_explained_as_far_as_solutions_agree() -> None:
    text = "variant reduced\n1...\n....\n....\n...."
    done = lpbridge("latin-square", "-", stdin=text)
    assert done.returncode == 0
    assert "differ between solutions" in done.stdout
    open_cell = lpbridge("latin-square", "-", "--cell", "r4c4", stdin=text)
    assert open_cell.returncode == 2
    assert "no step decides r4c4" in open_cell.stderr


def test_a_limit_is_told() -> None:
    done = lpbridge("sudoku", "examples/sudoku/report3-problem8.txt", "-t", "0.4")
    assert "stopped by the time limit" in done.stdout
    assert done.returncode == (0 if "  1. " in done.stdout else 1)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("sudoku", "................"),
        ("latin-square", "variant diagonal\norder 4"),
        ("latin-square", "variant reduced\norder 4"),
        ("futoshiki", ". < .\n^   v\n. > ."),
        ("magic-square", "symmetry reduced\norder 3"),
        ("takuzu", "....\n" * 4),
    ],
)
def test_every_rule_is_said_in_a_sentence(kind: str, text: str) -> None:
    puzzle = parse(kind, text)
    for rule in puzzle.rules():
        assert sentence(puzzle, rule.name) != rule.name
        assert "\\" not in sentence(puzzle, rule.name)


@pytest.mark.parametrize("reading", ["slots", "words", "anywhere"])
def test_every_rule_of_a_crossword(reading: str) -> None:
    folder = ROOT / "examples" / "crossword"
    puzzle = load("crossword", folder / "report5.txt", words=str(folder / "report5.words"), reading=reading)
    assert all(sentence(puzzle, rule.name) != rule.name for rule in puzzle.rules())


def test_sentences() -> None:
    step = Step(Fact((2, 5), 7), ("row 2", Fact((3, 4), 7)), "place")
    assert str(step) == "r2c5 = 7: row 2 and r3c4=7 leave no other place for it"
    alone = Step(Fact((2, 5), 7, False), ("row 2",), "search", proved=False)
    assert str(alone).startswith("r2c5 is not 7: row 2 allows nothing else (perhaps not all")
    puzzle = parse("sudoku", "................")
    assert rule_sentences(puzzle, ["row 2", "row 1", "row 2"]) == ["row 2, row 1: every value stands there once"]
