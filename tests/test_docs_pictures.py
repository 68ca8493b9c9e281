"""`docs/pictures.md` is true: its Python runs, its commands print what is shown, its options exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest
from shared_data import ROOT

PAGE = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def lpbridge(typed: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bridge", *shlex.split(typed)[1:]]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=100)


def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seen: dict[str, object] = {"__name__": "page"}
    for number, code in enumerate(blocks("python"), 1):
        exec(compile(code, f"docs/pictures.md, block {number}", "exec", dont_inherit=True), seen)
    assert eval("picture.caption", seen) == "Ambiguous: 2 solutions; 4 cells differ between solutions."
    assert eval("str(mine.marks[4, 2])", seen) == "clash"
    assert eval("third.caption", seen).startswith("Step 3. ")  # type: ignore[attr-defined]
    assert " 1 │ . . │ . . │" in eval("drawn", seen)  # type: ignore[operator]
    assert eval("chart.title", seen) == "sudoku: asp, clpfd, mac+mrv"


@pytest.mark.parametrize("typed", [line for block in blocks("sh") for line in block.splitlines()])
def test_what_is_to_be_typed_works(typed: str) -> None:
    done = lpbridge(typed)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_what_is_shown_is_printed() -> None:
    (block,) = blocks("console")
    typed, *shown = block.splitlines()
    lines = iter(lpbridge(typed[2:]).stdout.splitlines())
    for line in shown:
        assert line == "..." or line in lines, f"{line!r} is not printed, or not in this order"


def test_every_option_exists() -> None:
    from bridge.cli.compare import compare
    from bridge.cli.draw import draw

    known = {option for command in (draw, compare) for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE)) <= known
