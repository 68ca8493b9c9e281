"""The questions of `benchmarks/questions`: the faults are real, and the patterns take what is clear, and only that."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.questions.__main__ import Case, cases, main, mark, screen

pytestmark = pytest.mark.harness
CASES = cases()
each = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def test_there_are_enough_of_both() -> None:
    for language in ("clingo", "Prolog"):
        assert sum(case.language == language and bool(case.source) for case in CASES) >= 20


@each
def test_the_truth_is_taken_and_the_program_is_not(case: Case) -> None:
    program = next(iter(case.files.values())).splitlines()
    file = next(iter(case.files))
    said = " ".join(f"{file}:{line}:1:" for line in case.lines)
    assert case.names(f"{said} {case.truth}"), "the truth is not taken for an answer"
    quoted = " ".join(f"{file}:{line}:1: {program[line - 1]}" for line in case.lines)
    assert not case.names(quoted), "the program alone is taken for an answer"
    assert mark(case, [quoted, f"{said} {case.truth}"]) == "elsewhere"
    assert all(line <= len(program) for line in case.lines)
    assert case.question


#: Of a goal the first six answers, or the error, within so many inferences that a loop is one.
ASK = """
    catch(call_with_inference_limit((findall(G, limit(6, (G = ({goal}), call(G))), L), print(L)), 2000000, R), E,
          (print_message(error, E), print(E))),
    (R == inference_limit_exceeded -> print(R) ; true)
"""

#: clingo itself, with scripts.
CLINGO = "from clingo.script import enable_python as e; e(); import runpy; runpy.run_module('clingo', alter_sys=True, run_name='__main__')"


@each
def test_the_solver_shows_the_fault(case: Case, tmp_path: Path) -> None:
    if not case.solver:
        pytest.skip("clingo does not end")
    for name, text in case.files.items():
        (tmp_path / name).write_text(text)
    if case.language == "clingo":
        command = [sys.executable, "-c", CLINGO, "p.lp", "0"]
    else:
        from bridge.prolog.locate import current

        goal = ASK.format(goal=case.goal)
        command = [str(current().swipl), "-q", "--stack-limit=200m", "-f", "p.pl", "-g", goal, "-t", "halt"]
    run = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert re.search(case.solver, run.stdout + run.stderr, re.MULTILINE), run.stdout + run.stderr


def test_marks() -> None:
    case = Case("a", "kind", "", "", [2, 3], [["lint", "p.lp"]], ["full stop"], ["did you mean"], {"p.lp": ""})
    assert mark(case, ["p.lp:3:1: the full stop is missing"]) == "named"
    assert mark(case, ["lines 1 and 2 have no full stop"]) == "named"
    assert mark(case, ["p.lp:1:1: the full stop is missing", "see line 20"]) == "silent"
    assert mark(case, ["did you mean q?", "line 2: a full stop"]) == "misled"
    assert mark(case, ["nothing", "line 2: a full stop"]) == "elsewhere"
    assert screen("a\nb\n" * 10).split() == ["a", "b"] * 6


def test_a_run_writes_its_section(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    echo = f"{sys.executable} -c \"print('p.lp:2: write two rules')\""
    page = tmp_path / "page.md"
    asked = ["--only", "asp-comma-in-a-head", "--lpbridge", echo, "--save", str(page), "--outputs", str(tmp_path / "kept")]
    assert main([*asked, "--title", "one"]) == 0
    assert main([*asked, "--title", "two"]) == 0
    assert main([*asked, "--title", "one"]) == 0
    assert re.findall("^## (.*)", page.read_text(), re.MULTILINE) == ["two", "one"]
    assert "| **all** | 1 | 1 (100%) | 0 (0%) | 0 (0%) | 0 (0%) |" in page.read_text()
    assert (tmp_path / "kept" / "asp-comma-in-a-head.1.txt").read_text() == "p.lp:2: write two rules"
    assert "asp-comma-in-a-head" in capsys.readouterr().out
