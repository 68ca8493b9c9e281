"""The example that is one page: what it prints is what stands at its end."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from shared_data import ROOT

TIMETABLE = ROOT / "examples" / "timetable.py"


def told(file: Path) -> list[str]:
    """The lines that a file says it prints."""
    return [line.removeprefix("#     ") for line in file.read_text(encoding="utf-8").partition("\n# It prints:\n#\n")[2].splitlines()]


def test_the_timetable_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(TIMETABLE), run_name="__main__")
    assert capsys.readouterr().out.splitlines() == told(TIMETABLE)
    assert len(told(TIMETABLE)) > 10


def test_it_stands_alone_on_the_public_names() -> None:
    """`tests/test_api.py` has its types checked."""
    code = TIMETABLE.read_text(encoding="utf-8").partition("\n# It prints:")[0]
    assert len(code.splitlines()) < 80
    assert [line for line in code.splitlines() if "import" in line and "bridge" in line] == ["from bridge import asp, prolog"]
