"""The engine `auto`: its table is sound, it says what it took, and goes on where an engine cannot."""

from __future__ import annotations

import subprocess
import sys

import pytest
from shared_data import ROOT

import bridge
from bridge.errors import UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Verdict
from bridge.puzzles import load
from bridge.puzzles.engines import auto, engine
from bridge.puzzles.kinds import KINDS, parse


def test_the_table_names_engines_by_growing_extents() -> None:
    table = auto.choices()
    assert set(table) == set(KINDS)
    for steps in table.values():
        extents = [extent for extent, _ in steps]
        assert extents == sorted(set(extents))
        for _, names in steps:
            assert names
            assert all(engine(name).name == name for name in names)


def test_it_says_what_it_took() -> None:
    puzzle = load("sudoku", ROOT / "examples" / "sudoku" / "report3-problem1.txt")
    outcome = engine("auto").solutions(puzzle, Limits(solutions=2)).collect()
    assert outcome.verdict is Verdict.UNIQUE
    assert outcome.remark == f"auto took {auto.pick(puzzle)[0]}"
    assert engine("auto").exact(puzzle).open == {}
    assert engine("auto").count(puzzle).number == 1


def test_the_next_one_is_taken_where_one_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load("crossword", ROOT / "examples" / "crossword" / "hoses.txt", words=str(ROOT / "examples" / "crossword" / "hoses.words"))
    monkeypatch.setattr(auto, "choices", lambda: {"crossword": [(10**9, ("astar+fit", "clpfd"))]})
    outcome = engine("auto").solutions(puzzle, Limits(solutions=2)).collect()
    assert outcome.verdict is Verdict.UNIQUE
    assert outcome.remark is not None
    assert outcome.remark.startswith("auto took clpfd, since astar+fit cannot: ")


def test_beyond_the_table_there_is_still_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = parse("takuzu", "....\n" * 4)
    assert auto.pick(puzzle)[0] == auto.choices()["takuzu"][0][1][0]
    large = parse("takuzu", ("." * 40 + "\n") * 40)
    assert auto.pick(large)[0] == auto.choices()["takuzu"][-1][1][0]
    monkeypatch.setattr(auto, "choices", dict)
    assert auto.pick(puzzle) == auto.OTHERWISE


def test_no_solution() -> None:
    outcome = engine("auto").solutions(parse("takuzu", "11.\n.1.\n.1."), Limits(solutions=2)).collect()
    assert (outcome.verdict, outcome.complete) == (Verdict.IMPOSSIBLE, True)


def test_an_easy_puzzle_starts_no_optional_solver() -> None:
    puzzle = ROOT / "examples" / "sudoku" / "report3-problem1.txt"
    program = (
        "import sys, bridge\nfrom bridge.limits import Limits\n"
        f"puzzle = bridge.puzzles.load('sudoku', {str(puzzle)!r})\n"
        "bridge.solutions(puzzle, engine='auto', limits=Limits(solutions=2)).collect()\n"
        "print(sorted({'ortools', 'pandas', 'numpy'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_an_engine_that_is_not_installed_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = parse("takuzu", "....\n" * 4)
    monkeypatch.setattr(auto, "choices", lambda: {"takuzu": [(10**9, ("cp-sat", "mac+mrv"))]})
    first = Limits(solutions=1)
    assert engine("auto").solutions(puzzle, first).collect().remark == "auto took cp-sat"
    monkeypatch.setattr(auto, "is_installed", lambda package: False)
    assert engine("auto").solutions(puzzle, first).collect().remark == "auto took mac+mrv"


def test_what_propagation_leaves_is_told_of_kinds_that_are_files() -> None:
    """clpfd has no program for them; `mac` takes those whose program is tight."""
    kakuro = parse("kakuro", "# 4\\ 6\\\n\\6 . .\n\\4 . .\n")
    found = engine("auto").propagated(kakuro)
    assert found.engine == "mac"
    assert found.possible == engine("mac").propagated(kakuro).possible
    note = "no engine that propagates takes this Hitori"
    hitori = parse("hitori", "2 2\n1 2\n")
    with pytest.raises(UnsupportedError, match=note):
        engine("auto").propagated(hitori)
    assert any(note in one for one in bridge.diagnose(hitori).notes)
