"""The Prolog programs' own tests: every `.plt` file beside a module, run by plunit in a SWI-Prolog of its own."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bridge.prolog.locate import HINT, find

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(path for folder in ("bridge", "encodings") for path in (ROOT / folder).rglob("*.plt"))

# The goal says at its very end how many tests passed: a program that halts before has not passed, and a file in which
# no test passes has tested nothing. --on-error and --on-warning make a singleton variable, or a test that leaves a
# choice point, as bad as a failure.
GOAL = (
    "use_module(library(plunit)), run_tests(all, [summary(S)]), get_dict(passed, S, N), format('~npassed: ~d~n', [N])"
)
OPTIONS = ["--on-error=halt", "--on-warning=halt", "-q"]


def run_plunit(file: Path) -> tuple[bool, str]:
    """Whether all tests of a file pass, and what was printed."""
    installation = find()
    if installation is None:
        pytest.fail(f"there is no SWI-Prolog to run this with; {HINT}")
    command = [str(installation.swipl), *OPTIONS, "-g", f"({GOAL} -> halt ; halt(1))", "-t", "halt(1)", str(file)]
    done = subprocess.run(
        command, cwd=file.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False
    )
    told = re.search(r"^passed: ([1-9]\d*)$", done.stdout, re.MULTILINE)
    return done.returncode == 0 and told is not None, done.stdout + done.stderr


def test_there_are_prolog_tests() -> None:
    assert FILES


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_prolog(file: Path) -> None:
    passed, output = run_plunit(file)
    assert passed, output or "it ended before its tests did"


# The runner itself: what must not pass, does not.

PASSING = "test(a) :- true.\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "passes"),
    [
        (PASSING, True),
        ("", False),
        ("test(a) :- fail.\n", False),
        ("test(a) :- unknown_predicate(1).\n", False),
        ("test(a) :- member(_, [1, 2]).\n", False),
        ("test(a, [blocked(later)]) :- true.\n", False),
        (PASSING + "half(.\n", False),
        (PASSING + "single(X) :- true.\n", False),
        (":- use_module(nowhere).\n" + PASSING, False),
        (":- initialization(halt).\n" + "test(a) :- fail.\n", False),
    ],
    ids=["pass", "none", "fails", "unknown", "choice point", "blocked", "syntax", "singleton", "no module", "halt"],
)
def test_runner(tmp_path: Path, body: str, passes: bool) -> None:
    file = tmp_path / "unit.plt"
    file.write_text(f":- begin_tests(unit).\n{body}:- end_tests(unit).\n", "utf-8")
    assert run_plunit(file)[0] is passes
