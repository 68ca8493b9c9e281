"""The commands and queries that encodings/README.md and the headers of the encodings give, run by clingo and swipl alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from shared_data import ROOT

from bridge.prolog.locate import find

TEXT = (ROOT / "encodings" / "README.md").read_text(encoding="utf-8")
HEADERS = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "encodings").rglob("*.lp")))
COMMANDS = sorted({*re.findall(r"`clingo ([^`]*)`", TEXT), *re.findall(r"^% +clingo (.*)", HEADERS, re.MULTILINE)})
QUERIES = re.findall(r"^\| `(\w+)`.*`\?- ([^`]*)\.`", TEXT, re.MULTILINE)


def test_each_kind_has_a_command_and_a_query() -> None:
    folders = [path for path in (ROOT / "encodings").iterdir() if path.is_dir()]
    assert {kind for kind, _ in QUERIES} == {path.name for path in folders if (path / f"{path.name}.pl").exists()}
    kinds = {path.name for path in folders if (path / f"{path.name}.lp").exists()}
    assert {command.split("/")[1] for command in COMMANDS} == kinds


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_has_answers(command: str) -> None:
    limited = [*command.removesuffix(" 0").split(), "1", "--outf=2"]
    run = subprocess.run(
        [sys.executable, "-m", "clingo", *limited], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.stderr == ""
    assert json.loads(run.stdout)["Models"]["Number"] >= 1


@pytest.mark.parametrize(("kind", "query"), QUERIES)
def test_the_query_has_an_answer(kind: str, query: str) -> None:
    installation = find()
    assert installation is not None
    module = "sudoku/report3.pl" if kind == "sudoku" else f"{kind}/{kind}.pl"
    command = [str(installation.swipl), "--no-threads", "-g", f"{query}, write(yes)", "-t", "halt", str(ROOT / "encodings" / module)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (run.stdout, run.stderr) == ("yes", "")
