"""Cubes: disjoint, complete, and their numbers add up to the whole."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from patience import given_time
from shared_data import ROOT

import bridge
from bridge.errors import InputError, SolverError, UnsupportedError
from bridge.limits import Limits
from bridge.puzzles.batching.cubes import count_cubes, cubes
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.rules import Grid

WORDS = str(ROOT / "examples/crossword/hoses.words")
FEW = [
    bridge.puzzles.parse("sudoku", "1...\n..3.\n....\n...."),
    bridge.puzzles.parse("latin-square", ". . . .\n" * 4),
    bridge.puzzles.load("futoshiki", ROOT / "examples/futoshiki/far-apart.txt"),
    bridge.puzzles.load("magic-square", ROOT / "examples/magic_square/report2-order3.txt"),
    bridge.puzzles.load("takuzu", ROOT / "examples/takuzu/six-solutions.txt"),
    bridge.puzzles.load("crossword", ROOT / "examples/crossword/hoses.txt", words=WORDS),
]


def all_of(puzzle: Puzzle) -> list[Grid]:
    return list(bridge.solutions(puzzle))


@pytest.mark.parametrize("puzzle", FEW, ids=lambda puzzle: puzzle.kind)
@pytest.mark.parametrize("number", [1, 2, 7])
def test_cubes_have_the_solutions_of_the_whole_each_once(puzzle: Puzzle, number: int) -> None:
    whole = all_of(puzzle)
    split = cubes(puzzle, number)
    found = [all_of(cube) for cube in split]
    assert sorted(grid for grids in found for grid in grids) == sorted(whole)
    assert len(split) >= min(number, len(whole))
    for cube in split:
        assert cube.clues().items() >= puzzle.clues().items()
    for one, other in combinations(split, 2):  # disjoint by what is said, not only by what is found
        assert any(other.clues().get(cell, value) != value for cell, value in one.clues().items())


def test_an_impossible_one_has_none() -> None:
    assert cubes(bridge.puzzles.parse("sudoku", "11..\n....\n....\n...."), 5) == []
    with pytest.raises(InputError, match="too few"):
        cubes(FEW[0], 0)


@pytest.mark.parametrize("puzzle", [FEW[0], FEW[1], FEW[4]], ids=lambda puzzle: puzzle.kind)
def test_the_sum_is_the_count(puzzle: Puzzle) -> None:
    told: list[int] = []
    counted = count_cubes(puzzle, 6, jobs=1, on_progress=lambda number, seconds: told.append(number))
    whole = bridge.count(puzzle)
    assert (counted.number, counted.complete, counted.limit) == (whole.number, True, None)
    assert counted.symmetry == whole.symmetry
    assert told == sorted(told)
    assert told[-1] == counted.number


def test_an_impossible_one_counts_nothing() -> None:
    counted = count_cubes(bridge.puzzles.parse("sudoku", "11..\n....\n....\n...."), 5, jobs=1)
    assert (counted.number, counted.complete, counted.parts) == (0, True, ())


def test_enough_is_enough() -> None:
    blank = bridge.puzzles.parse("sudoku", "." * 81)
    counted = given_time(
        lambda seconds: count_cubes(blank, 4, jobs=1, limits=Limits(seconds=seconds, solutions=1)), lambda counted: counted.number >= 1
    )
    assert not counted.complete
    assert counted.limit in ("solutions", "seconds")


def test_time_is_that_of_all_cubes() -> None:
    blank = bridge.puzzles.parse("sudoku", "." * 81)
    counted = given_time(lambda seconds: count_cubes(blank, 12, jobs=1, limits=Limits(seconds=seconds)), lambda counted: counted.number > 0)
    assert (counted.complete, counted.limit) == (False, "seconds")


def test_a_cube_that_fails_fails_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "bridge.batching.executors.Workers.take",
        lambda self: (0, b'{"index": 1, "error": {"message": "no"}}\n', 0.1),
    )
    with pytest.raises(SolverError, match="a cube could not be counted: no"):
        count_cubes(FEW[0], 1, jobs=1)


@pytest.mark.slow
def test_on_the_command_line() -> None:
    def count(*words: str) -> subprocess.CompletedProcess[str]:
        file = "examples/takuzu/six-solutions.txt"
        return subprocess.run(
            [sys.executable, "-m", "bridge", "puzzle", "count", "takuzu", file, *words], cwd=ROOT, capture_output=True, text=True
        )

    assert json.loads(count("--cubes", "3", "--jobs", "1", "--json").stdout)["number"] == 6
    assert "--jobs and --scheduler are for --cubes" in count("--jobs", "2").stderr


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["words", "anywhere"])
def test_where_a_clue_says_more_than_a_value_there_are_no_cubes(reading: str, tmp_path: Path) -> None:
    puzzle = Crossword(((None,) * 3,), ("aa",), reading)
    assert bridge.count(puzzle).number == {"words": 0, "anywhere": 2}[reading]
    for ask in (lambda: cubes(puzzle, 2), lambda: count_cubes(puzzle, 2, jobs=1)):
        with pytest.raises(UnsupportedError, match="cannot be split into cubes: a letter that is given need not be"):
            ask()
    (tmp_path / "grid.txt").write_text("...\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("aa\n", encoding="utf-8")
    options = ["-O", "words=words.txt", "-O", f"reading={reading}", "--cubes", "2", "--jobs", "1", "--json"]
    command = [sys.executable, "-m", "bridge", "puzzle", "count", "crossword", "grid.txt", *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2, done.stderr
    assert "cannot be split into cubes" in json.loads(done.stdout)["error"]["message"]


@pytest.mark.parametrize("puzzle", FEW, ids=lambda puzzle: puzzle.kind)
def test_an_instance_that_was_looked_at_goes_to_another_process(puzzle: Puzzle) -> None:
    (solution, *_) = all_of(puzzle)
    assert puzzle.violations(solution) == []
    assert puzzle.rules()
    again = pickle.loads(pickle.dumps(puzzle))
    assert again == puzzle
    assert again.violations(solution) == []
    assert copy.deepcopy(puzzle) == puzzle
