"""`lpbridge report`: the five reports are reproduced, and what differs is explained."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shared_data import ROOT

from bridge.errors import InputError
from bridge.reports import Chapter, Finding, reproduce

COMMAND = [sys.executable, "-c", "from bridge.cli import main; main()", "report"]


def by_name(chapter: Chapter) -> dict[str, Finding]:
    found = {finding.what: finding for finding in chapter.findings}
    assert len(found) == len(chapter.findings), "each finding has a name of its own"
    return found


@pytest.fixture(scope="module", params=[(1, 0.4), (2, 0.4), (3, 10), (4, 20), (5, 20)], ids=lambda p: f"report {p[0]}")
def chapter(request: Any) -> Chapter:
    number, seconds = request.param
    return reproduce(number, seconds=seconds)


def test_every_difference_is_explained(chapter: Chapter) -> None:
    assert chapter.complete
    assert chapter.differences == []
    assert len(chapter.findings) > 15
    by_name(chapter)


def test_report_3_residual_and_verdicts() -> None:
    found = by_name(reproduce(3))
    assert found["problem 6: residual goals, as a set"].holds
    assert all(finding.holds for name, finding in found.items() if "verdict" in name or "solutions" in name)


def test_report_4_has_no_more_nodes_than_theirs_but_once() -> None:
    found = by_name(reproduce(4, seconds=60))
    more = [name for name, finding in found.items() if "nodes" in name and finding.holds is False]
    assert more == ["test 3, DFS: nodes expanded"]
    assert all(found[f"test {n}: solution"].holds for n in range(1, 14))
    assert found["test 6, BFS: nodes generated"].says == ""


def test_report_5_has_17_tests() -> None:
    found = by_name(reproduce(5, seconds=60))
    tests = [f for name, f in found.items() if name.startswith(("most constrained", "places of", "can all"))]
    assert len(tests) == 17
    assert all(finding.holds for finding in tests)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "reports.md"
    run = subprocess.run([*COMMAND, "3", "--json", "--save", str(file)], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert run.returncode == 0, run.stderr
    (report,) = json.loads(run.stdout)["reports"]
    assert (report["report"], report["complete"]) == (3, True)
    assert {"what", "says", "ours", "holds", "compared", "note"} == report["findings"][0].keys()
    text = file.read_text()
    assert "| ✓ | problem 6: residual goals, as a set |" in text
    assert "Made by `lpbridge report" in text
    plain = subprocess.run([*COMMAND, "3"], capture_output=True, text=True, cwd=ROOT, timeout=300).stdout
    assert "✓ problem 8: verdict: report: unique; ours: unique" in plain


def test_there_are_five() -> None:
    with pytest.raises(InputError, match="no report 6"):
        reproduce(6)
    assert subprocess.run([*COMMAND, "6"], capture_output=True, cwd=ROOT).returncode == 2
