"""The line of progress, and what is kept and said when a search is stopped."""

from __future__ import annotations

import io
from contextlib import redirect_stderr
from typing import Any

import pytest
from command import interrupted_after_a_while

from bridge import outcome
from bridge.analysis.ask import explain
from bridge.cli.shared import ProgressLine, of_steps
from bridge.puzzles.generating.generate import generate
from bridge.puzzles.kinds import parse


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_is_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    with redirect_stderr(Terminal()) as terminal:
        line = ProgressLine()
        line.show("one")
        line.show("x" * 30)
        line.clear()
    assert terminal.getvalue() == f"\r\033[Kone\r\033[K{'x' * 19}\r\033[K"


def test_nothing_is_shown_where_it_is_not_wanted() -> None:
    with redirect_stderr(Terminal()) as terminal:
        ProgressLine(wanted=False).show("one")
        assert of_steps(ProgressLine(wanted=False)) is None
    assert terminal.getvalue() == ""


def test_no_terminal_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressLine().show("one")
    assert capsys.readouterr().err == ""


def test_generate_reports_candidates_while_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "PROGRESS_SECONDS", 0.0)
    said: list[Any] = []
    stream = generate("sudoku", 4, clues=3, attempts=3, seed=1, on_progress=lambda *_: said.append(stream.remark))
    assert stream.collect().solutions == ()
    assert len(said) > 3, "within a candidate, too"
    assert str(said[-1]).startswith("2 candidates were given up: ")
    assert generate("sudoku", 4, seed=1).collect().remark is None


def test_explain_reports_the_step_that_it_looks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "PROGRESS_SECONDS", 0.0)
    with redirect_stderr(Terminal()) as terminal:
        list(explain(parse("latin-square", "1 .\n. ."), on_progress=of_steps(ProgressLine())))
    assert "looking for step 1" in terminal.getvalue()


@pytest.mark.slow
def test_generate_says_what_stopped_it() -> None:
    generating = ("generate", "star-battle", "--size", "10", "--clues", "0", "--seed", "3", "--json")
    done = interrupted_after_a_while("puzzle", *generating)
    assert done.returncode == 130
    assert "0 of 1 puzzles made, stopped by Ctrl-C" in done.stderr
