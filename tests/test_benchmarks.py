"""The benchmark code measures what it says: right ratios, answers compared, tasks that run."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest
from shared_data import ROOT

from benchmarks import batch, executor
from benchmarks.__main__ import TASKS
from benchmarks.measure import contest, shown

pytestmark = pytest.mark.harness


def test_ratios_are_to_the_rival() -> None:
    def slow(instance: int) -> int:
        time.sleep(0.02)
        return instance

    def quick(instance: int) -> int:
        time.sleep(0.002)
        return instance

    figures = {figure.name: figure for figure in contest({"slow": slow, "quick": quick}, [1, 2], "slow", rounds=2)}
    assert figures["slow"].ratio == 1
    assert figures["quick"].ratio > 2
    assert figures["quick"].median <= figures["quick"].worst
    assert "| quick |" in shown("title", list(figures.values()), "slow")


def test_a_wrong_answer_ends_the_contest() -> None:
    with pytest.raises(AssertionError, match="disagrees"):
        contest({"right": lambda i: i, "wrong": lambda i: i + 1}, [1], "right", rounds=1)


def test_every_task_has_a_line_of_help() -> None:
    assert all(task.__doc__ for task in TASKS.values())


def test_the_command() -> None:
    run = subprocess.run([sys.executable, "-m", "benchmarks", "decode"], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert run.returncode == 0, run.stderr
    assert "| lpbridge |" in run.stdout
    assert subprocess.run([sys.executable, "-m", "benchmarks", "spam"], capture_output=True, cwd=ROOT).returncode == 2


def test_a_batch_is_measured_and_its_answers_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "result.md"
    batch.main(["--lines", "30", "--jobs", "1,2", "--save", str(file)])
    assert [line.split(" | ")[0] for line in file.read_text().splitlines()[-2:]] == ["| 1", "| 2"]
    batch.main(["--ambiguous", "--lines", "5", "--rounds", "1", "--save", str(file)])
    rows = [line.split(" | ")[0] for line in file.read_text().splitlines() if line.startswith("| ")]
    assert rows[1:] == ["| unique", *(f"| ambiguous, {words}" for words in batch.ASKED)]
    made = list(islice(batch.sudokus(), 200))
    assert len(set(made)) == 200
    assert {sum(character != "." for character in text) for text in made} == {17}
    monkeypatch.setattr(batch, "sudokus", lambda: iter(["1" + "." * 80]))
    with pytest.raises(RuntimeError, match="0 of them unique"):
        batch.main(["--lines", "1", "--jobs", "1"])


def test_programs_of_machine_made_sets(capsys: pytest.CaptureFixture[str]) -> None:
    assert executor.main(["--programs", "55", "--block", "55"]) == 0
    printed = capsys.readouterr().out
    assert "| sums | confined | answered" in printed
    assert printed.count("refused") <= 1, "a hostile one"
    assert "0 values are not the expected ones" in printed
