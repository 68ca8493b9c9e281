"""What a command imports: only what it uses, because imports are most of the time of a short command."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SUDOKU = Path(__file__).parents[3] / "examples" / "sudoku" / "report3-problem1.txt"

#: Modules of the standard library and of other packages that take long, and that `check` and `solve` can do without.
HEAVY = {
    "asyncio", "concurrent.futures", "csv", "difflib", "email", "http", "importlib.metadata", "janus_swi", "json",
    "logging", "msgpack", "multiprocessing", "pathlib", "pydoc", "random", "socket", "ssl", "subprocess", "tempfile", "tomllib",
    "unicodedata", "unittest", "urllib", "xml", "zipfile",
}  # fmt: skip

#: Packages and modules of lpbridge that belong to other questions, engines and commands.
OTHERS = {
    "bridge.puzzles.analysis.diagnose", "bridge.puzzles.explain.explain", "bridge.asp.reading.names", "bridge.asp.reading.parsed",
    "bridge.profiling.grounding_profile", "bridge.asp.running.remote", "bridge.asp.results", "bridge.asp.running.text_output", "bridge.asp.typed",
    "bridge.batching", "bridge.puzzles.batching", "bridge.puzzles.cli.listings", "bridge.cli.run", "bridge.puzzles.engines.clpfd",
    "bridge.puzzles.engines.csp", "bridge.puzzles.formats", "bridge.isolation.process",
    "bridge.prolog", "bridge.puzzles.kinds.authoring", "bridge.puzzles.kinds.kind", "bridge.puzzles.kinds.kind_source",
    "bridge.problem.residual", "bridge.puzzles.render", "bridge.puzzles.search", "bridge.puzzles.web",
}  # fmt: skip

CODE = """
import sys
from contextlib import suppress
from bridge.cli import lpbridge
with suppress(SystemExit):
    lpbridge.main(sys.argv[1:], standalone_mode=False)
print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
"""


def modules_of(*words: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", CODE, *words], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert "solution" in run.stdout
    return set(run.stderr.split())


def test_the_modules_exist() -> None:
    assert not [name for name in OTHERS if find_spec(name) is None]


@pytest.mark.parametrize("command", ["check", "solve"])
def test_a_verdict_imports_nothing_that_it_does_not_use(command: str) -> None:
    imported = modules_of("puzzle", command, "sudoku", str(SUDOKU))
    assert "bridge.puzzles.engines.asp" in imported
    assert not imported & (HEAVY | OTHERS)


@pytest.mark.slow
def test_an_engine_imports_no_other() -> None:
    imported = modules_of("puzzle", "check", "--engine", "mac", "sudoku", str(SUDOKU))
    assert "bridge.puzzles.search" in imported
    assert not imported & {"clingo", "bridge.asp.running.local", "bridge.puzzles.engines.asp", "bridge.puzzles.engines.clpfd"}


@pytest.mark.slow
@pytest.mark.parametrize("before", ["atexit.register(print, 'ended')", "sys.setprofile(lambda *event: None)", "pass"])
def test_the_end_leaves_out_what_nobody_waits_for(before: str) -> None:
    """What is registered for the exit is called, and the process is left at once, but under a profiler."""
    code = f"""
import atexit, os, sys
leave = os._exit
os._exit = lambda code: (os.write(2, b"left at once\\n"), leave(code))
{before}
from bridge.__main__ import main
main()
"""
    words = [sys.executable, "-c", code, "puzzle", "check", "sudoku"]
    done = subprocess.run([*words, str(SUDOKU)], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0
    assert done.stdout.startswith("unique")
    assert done.stdout.endswith("ended\n") == ("ended" in before)
    assert ("left at once" in done.stderr) == ("setprofile" not in before)
    done = subprocess.run([*words, "/nowhere"], capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "lpbridge: /nowhere: no such file; check the path")
