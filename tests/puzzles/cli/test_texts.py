"""Results in Python as text: `str` gives what the command prints."""

from __future__ import annotations

import re
from dataclasses import is_dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from command import called
from patience import PATIENCE
from shared_data import ROOT

import bridge
from bridge.analysis.diagnosis import Diagnosis
from bridge.analysis.goal_diagnosis import GoalResidual
from bridge.limits import Limits
from bridge.problem.residual import Residual

TIMETABLE = "examples/why/timetable.lp", "examples/why/monday.lp"
SUDOKU = "examples/sudoku/report3-problem6.txt"
ROOMS = "examples/why/rooms.pl"

#: Numbers of a table or a line with times, and the spaces that align them.
_MEASURED = re.compile(r"[\d.,]+| +")


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def printed(*words: object, code: int = 0) -> str:
    done = called(*words)
    assert done.returncode == code, done.stderr
    return done.stdout.rstrip("\n")


def measured(text: str) -> str:
    """A text without its figures: times depend on the machine."""
    return _MEASURED.sub(" ", text)


@pytest.mark.slow
@pytest.mark.parametrize("slots", [3, 4])
def test_programs(slots: int) -> None:
    problem = bridge.program(*TIMETABLE, slots=slots)
    for function, only in ((bridge.diagnose, []), (partial(bridge.check, residual="none"), ["--only", "verdict"])):
        found = str(function(problem, limits=Limits(seconds=PATIENCE)))
        assert found == printed("diagnose", *only, *TIMETABLE, "-c", f"slots={slots}", "-t", str(PATIENCE))


def test_check_and_diagnose_of_a_program_say_what_each_was_asked() -> None:
    problem = bridge.program(*TIMETABLE)
    assert str(bridge.check(problem)).splitlines()[1:] == ["`lpbridge diagnose` says why"]
    verdict_only = bridge.check(problem, residual="none")
    assert "not computed" not in str(verdict_only)
    assert "take away any one of these:" in str(bridge.diagnose(problem)).splitlines()


@pytest.mark.parametrize("atom", ["at(art,1)", "at(art,3)"])
def test_reasons(atom: str) -> None:
    problem = bridge.program(*TIMETABLE, slots=4)
    found = str(bridge.why(problem, atom))
    assert found == printed("why", *TIMETABLE, atom, "-c", "slots=4")
    assert "examples/why/timetable.lp" in found


def test_goals() -> None:
    found = bridge.diagnose(bridge.goal(ROOMS, "meetings(Starts)"))
    assert str(found) == printed("diagnose", ROOMS, "--goal", "meetings(Starts)")


def test_puzzles() -> None:
    puzzle = bridge.puzzles.load("sudoku", SUDOKU)
    for command in ("diagnose", "count", "grade"):
        assert str((getattr(bridge, command, None) or getattr(bridge.puzzles, command))(puzzle)) == printed("puzzle", command, "sudoku", SUDOKU)
    report = str(bridge.check(puzzle))
    assert measured(report) == measured(printed("puzzle", "check", "sudoku", SUDOKU))
    assert report.startswith("ambiguous: there are two solutions or more\n\nsolution 1\n")


@pytest.mark.parametrize("engine", ["asp", "mac"])
def test_residuals(engine: str) -> None:
    found = bridge.residual(bridge.puzzles.load("sudoku", SUDOKU), engine=engine)
    assert str(found) == printed("puzzle", "residual", "sudoku", SUDOKU, "-e", engine)


def test_residuals_have_the_names_of_cells(tmp_path: Path) -> None:
    (tmp_path / "loop.txt").write_text(". 2\n. .\n")
    found = str(bridge.residual(bridge.puzzles.load("slitherlink", tmp_path / "loop.txt")))
    assert found == printed("puzzle", "residual", "slitherlink", tmp_path / "loop.txt")
    assert "left of r1c2" in found


def test_the_residual_of_a_program() -> None:
    found = bridge.residual(bridge.program(*TIMETABLE, slots=4))
    assert str(found) == printed("diagnose", "--only", "open", *TIMETABLE, "-c", "slots=4")
    assert str(found) != str(bridge.check(bridge.program(*TIMETABLE, slots=4)))


def test_repairs() -> None:
    found = bridge.diagnose(bridge.program(*TIMETABLE)).removals
    assert found is not None
    lines = str(found).splitlines()
    assert lines[0] == f"{len(found.sets)} sets of {found.size}:"
    assert lines[1:] == [f"  {', '.join(map(str, one))}" for one in found.sets]
    assert "Repairs(" not in str(found)
    assert str(replace(found, sets=(), complete=False)) == "at least 1; which was not found within the limits"
    assert str(replace(found, sets=())) == "none"


def test_the_residual_of_a_goal() -> None:
    found = bridge.diagnose(bridge.goal(ROOMS, "meetings(Starts)")).residual
    assert found is None or str(found).startswith("Values in ")
    one = GoalResidual("exact", "prolog", {"X": ("1", "2")}, ("X#\\=3",), domains={"X": "1..2"})
    assert str(one) == "Values in all answers:\n  X: 1, 2  (before labelling 1..2)\n  X#\\=3"


def test_steps() -> None:
    with bridge.explain(bridge.puzzles.load("sudoku", SUDOKU)) as steps:
        first = next(steps)
    assert printed("puzzle", "explain", "sudoku", SUDOKU, "--next").splitlines()[0] == f"  1. {first}"


def test_generated_puzzles() -> None:
    with bridge.puzzles.generate("takuzu", 6, seed=1) as made:
        assert str(next(made)) == printed("puzzle", "generate", "takuzu", "--size", "6", "--seed", "1")


def test_comparisons() -> None:
    found = bridge.compare("asp", "mac", instances=[bridge.puzzles.load("sudoku", SUDOKU)], names=["report3-problem6"])
    assert measured(str(found)) == measured(printed("puzzle", "compare", "sudoku", SUDOKU, "-e", "asp,mac"))
    assert "the engines do not contradict each other" in str(found)


@pytest.mark.slow
def test_differences_and_mutants(tmp_path: Path) -> None:
    one, other = tmp_path / "one.lp", tmp_path / "other.lp"
    for file, least in ((one, 0), (other, 1)):
        file.write_text(f"{least} {{ p(1..n) }}.\n#const n = 1.\n#show p/1.\n", encoding="utf-8")
    found = bridge.compare(str(one), str(other), instances=bridge.Generator(n=range(1, 3)))
    assert found.difference is not None
    text = printed("compare", one, other, "-c", "n=1..2", code=1)
    assert measured(str(found)) == measured(text)
    assert text.startswith(str(found.difference))
    (tmp_path / "tests.lp").write_text("p(3).\n", encoding="utf-8")
    found = bridge.mutate(other, [tmp_path / "tests.lp"])
    assert str(found) == printed("mutate", other, tmp_path / "tests.lp")


def test_a_result_that_a_limit_cut_short() -> None:
    found = bridge.diagnose(bridge.puzzles.load("sudoku", SUDOKU), limits=Limits(seconds=1e-9))
    assert str(found).splitlines()[-1] == "stopped by the time limit: this is what was known by then"


#: Parts of results, which these show in their own words.
PARTS = {"About", "Repair", "Statistics", "Suspect"}


def test_every_result_has_a_text_and_keeps_its_repr() -> None:
    public = {name: getattr(package, name) for package in (bridge, bridge.puzzles) for name in package.__all__}
    results = {name: cls for name, cls in public.items() if is_dataclass(cls) and hasattr(cls, "to_json")}
    assert {name for name, cls in results.items() if cls.__str__ is object.__str__} == PARTS
    found = bridge.count(bridge.puzzles.load("sudoku", SUDOKU))
    assert repr(found).startswith("PuzzleCount(number=")
    assert str(found) == "2 solutions"


def test_a_kind_of_diagnosis_or_residual_needs_a_text() -> None:
    for cls in (Diagnosis, Residual):
        with pytest.raises(TypeError, match="abstract"):
            type("Half", (cls,), {"__slots__": ()})(*map(str, range(3)))
