"""The pages are true: their Python runs, page by page, and gives what the comments say; their commands print that."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest
from shared_data import ROOT

AUTHORS = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")


def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seen: dict[str, object] = {"__name__": "page"}
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE), 1):
        exec(compile(code, f"docs/programs.md, block {number}", "exec", dont_inherit=True), seen)
    assert eval("sorted(nodes)", seen) == [(1,), (2,), (5,)]
    assert eval("outcome.complete, outcome.limit, outcome.rung", seen) == (False, "seconds", "stop")
    assert eval("found", seen) > 100  # type: ignore[operator]
    assert eval("squares", seen) == 4
    assert eval("str(answer['X'].domain)", seen) == "3..4"


def test_commands_and_options_exist() -> None:
    from bridge.cli.ground import ground
    from bridge.cli.run import run

    known = {option for command in (run, ground) for parameter in command.params for option in parameter.opts}
    for option in set(re.findall(r"(?<![\w-])--?[a-z]+", "\n".join(re.findall(r"^lpbridge.*$", PAGE, re.MULTILINE)))):
        assert option in known, option


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def lpbridge(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "bridge", *words], capture_output=True, text=True, cwd=ROOT, timeout=100)


@pytest.mark.parametrize("block", blocks(AUTHORS, "console"), ids=lambda block: block.splitlines()[0])
def test_what_authors_are_shown_is_printed(block: str) -> None:
    typed, *shown = block.splitlines()
    lines = iter(lpbridge(*shlex.split(typed)[2:]).stdout.splitlines())
    for line in shown:
        assert line == "..." or line in lines, f"{line!r} is not printed, or not in this order"


@pytest.mark.parametrize("typed", [line for block in blocks(AUTHORS, "sh") for line in block.splitlines()])
def test_what_authors_are_told_to_type_works(typed: str) -> None:
    done = lpbridge(*shlex.split(typed)[1:])
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_python_for_authors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    seen: dict[str, object] = {"__name__": "page"}
    for number, code in enumerate(blocks(AUTHORS, "python"), 1):
        exec(compile(code, f"docs/authors.md, block {number}", "exec", dont_inherit=True), seen)
    assert eval("str(found.verdict)", seen) == "ambiguous"
    assert eval("group.cells, group.ways", seen) == (((4, 1), (4, 6), (6, 1), (6, 6)), ((3, 6, 6, 3), (6, 3, 3, 6)))
    assert eval("len(found.additions.sets), {len(one) for one in found.additions.sets}", seen) == (8, {1})
    assert eval("bridge.grade(unique).level", seen) in ("fc", "ac", "gac", "shaving", "search")
    assert eval("{step.fact.cell for step in steps if step.fact.holds}", seen) == eval("set(unique.cells()) - set(unique.clues())", seen)
    assert eval("bridge.count(puzzle).number", seen) == 2
    assert eval("new.puzzle.size if hasattr(new.puzzle, 'size') else len(new.puzzle.grid)", seen) == 6
    assert eval("reply.satisfiable", seen) is False


def test_every_option_that_authors_are_told_of_exists() -> None:
    from bridge.cli.diagnose import diagnose
    from bridge.cli.explain import explain
    from bridge.cli.generate import generate

    commands = (diagnose, explain, generate)
    known = {option for command in commands for parameter in command.params for option in parameter.opts} | {"--help"}
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", AUTHORS)):
        assert option in known, option
