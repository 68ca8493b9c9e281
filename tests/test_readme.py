"""The README is true: its Python runs, its commands work, its output is what comes out."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

import pytest
from shared_data import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("code", blocks("python"), ids=lambda code: code.splitlines()[0])
def test_python(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seen: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), seen)
    if "report" in seen:
        # What the comments beside the code say.
        assert eval("str(report.verdict)", seen) == "ambiguous"
        assert eval("repr(report.verdict)", seen) == "<Verdict.AMBIGUOUS: 'ambiguous'>"
        assert eval("report.residual.open", seen) == {(4, 1): (3, 6), (4, 6): (3, 6), (6, 1): (3, 6), (6, 6): (3, 6)}
        assert eval("report.propagated.constraints[:2]", seen) == ("r4c1 in 3\\/6", "all_distinct([r4c1, 4, 2, 7, 8, 5, r6c1, 9, 1])")
        assert eval("comparison.agree", seen) is True
    if "answer" in seen:
        assert eval("repr(answer['X'])", seen) == "Variable('X', 3..4)"
        assert eval("[str(goal) for goal in answer.residual]", seen) == ["X in 3..4", "Y#=<X+ -2", "Y in 1..2"]


def test_console() -> None:
    (block,) = blocks("console")
    typed, *printed = [line for line in block.splitlines() if not line.startswith("$ .")]
    command = [sys.executable, "-c", "from bridge.cli import main; main()", *shlex.split(typed)[2:]]
    out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    lines = iter(out.splitlines())
    for line in printed:
        if line != "...":
            assert line in lines, f"{line!r} is not printed, or not in this order"


def test_programs_run_alone() -> None:
    """`clingo` and `swipl` on the encodings, as the README shows it."""
    from bridge.prolog.locate import current

    block = next(block for block in blocks("sh") if "clingo" in block)
    clingo, swipl = (shlex.split(line) for line in block.splitlines())
    done = subprocess.run([sys.executable, "-m", *clingo], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert "Models       : 1\n" in done.stdout
    done = subprocess.run([current().swipl, *swipl[1:]], capture_output=True, text=True, cwd=ROOT, timeout=60, env={**os.environ})
    assert done.stdout.splitlines()[0] == "[4, 3, 9, 6, 5, 8, 1, 2, 7]."
    assert done.stdout.count("_") == 4


def test_every_command_in_the_table_exists() -> None:
    for command in set(re.findall(r"`lpbridge ([a-z-]+)", README)):
        done = subprocess.run([sys.executable, "-c", "from bridge.cli import main; main()", command, "--help"], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, command


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"make ([a-z]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
