"""What the page says of a diagnosis that a limit cut short: never that there is none of what was not looked for."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from shared_data import ROOT

import bridge
from bridge.analysis import work as module
from bridge.limits import LEAST, Deadline
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.web.diagnosis import send_diagnosis
from web.web_pages import AMBIGUOUS, EASY, IMPOSSIBLE, NODE


class After(Deadline):
    """A deadline that comes after so many looks at it."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def expired(self) -> bool:
        self.looks -= 1
        return self.looks < 0

    def remaining(self) -> float | None:
        return LEAST if self.expired() else None


def parts_of(puzzle: Puzzle, looks: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The parts that the page receives when a limit comes after so many looks."""
    told: list[dict[str, Any]] = []
    with monkeypatch.context() as patched:
        patched.setattr(module, "Deadline", lambda _: After(looks))
        send_diagnosis(puzzle, told.append, 1)
    return {part["part"]: part for part in told}


def said(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page says of each."""
    command = [NODE, str(Path(__file__).with_name("page_words.mjs")), str(ROOT / "bridge" / "puzzles" / "web" / "static")]
    done = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.mark.parametrize("data", [AMBIGUOUS, EASY, IMPOSSIBLE], ids=["ambiguous", "easy", "impossible"])
def test_what_was_not_computed_is_not_told_as_none(data: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = bridge.puzzles.parse("sudoku", json.dumps(data))
    found = [parts_of(puzzle, looks, monkeypatch) for looks in [*range(30), 10**9]]
    cases = [{"puzzle": data, "looking": False, "found": parts} for parts in found]
    missing = set()
    for parts, words in zip(found, said(cases), strict=True):
        headline, text = words["verdict"][0], "\n".join(words["why"])
        assert "At least 0" not in headline
        assert "At least 1 " not in headline
        kind = parts["verdict"]["verdict"]
        expected = {
            "ambiguous": {
                "Which cells vary together: not computed.": (parts.get("ambiguity") or {}).get("groups") is None,
                "Which clues to add: not computed.": parts.get("additions", {"size": 0, "sets": ()})["size"] < 2
                and not parts.get("additions", {"sets": ()})["sets"],
            },
            "impossible": {
                "What clashes: not computed.": "clashes" not in parts,
                "Which clues to take away: not computed.": "removals" not in parts,
            },
            "unique": {
                "The grade: not computed.": "grade" not in parts,
                "Which clues could go: not computed.": not parts.get("redundant", {"premises": ()})["premises"]
                and "spare" not in parts,
            },
        }.get(kind, {})
        for sentence, is_missing in expected.items():
            assert (sentence in text) == is_missing, (sentence, text)
            missing |= {sentence} if is_missing else set()
        if kind == "ambiguous" and "No two cells are bound to each other" in text:
            assert parts["ambiguity"]["finished"]
        if "Every clue is needed" in text:
            assert "spare" in parts
    assert len(missing) == 2
    assert "not computed" not in "\n".join(said(cases[-1:])[0]["why"])


def test_looking_is_not_the_end() -> None:
    verdict = {"part": "verdict", "verdict": "ambiguous", "solutions": [], "seconds": 0}
    (words,) = said([{"puzzle": AMBIGUOUS, "looking": True, "found": {"verdict": verdict}}])
    assert "Which cells vary together: looking …" in words["why"]
    assert not any("not computed" in one for one in words["why"])


def test_groups_that_may_not_be_all() -> None:
    group = {"cells": ["r1c1", "r1c2"], "ways": [[1, 2], [2, 1]]}
    ambiguity = {"part": "ambiguity", "number": 2, "complete": False, "groups": [group], "finished": False}
    verdict = {"part": "verdict", "verdict": "ambiguous", "solutions": [], "seconds": 0}
    found = {"verdict": verdict, "ambiguity": ambiguity}
    (words,) = said([{"puzzle": AMBIGUOUS, "looking": False, "found": found}])
    assert words["verdict"][0] == "At least 2 solutions"
    assert "There may be more groups." in words["why"]
