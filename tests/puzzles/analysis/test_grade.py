"""Grades of known instances of the six puzzles, what their levels leave, and the command."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from shared_data import ROOT, kept_rows

import bridge
from bridge.cli import lpbridge
from bridge.errors import InputError, Place
from bridge.outcome import Interrupted, Verdict
from bridge.puzzles import load
from bridge.puzzles.explain.grade import grade
from bridge.puzzles.explain.techniques import Technique
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.sudoku import Sudoku
from bridge.puzzles.search.ladder import LEVELS
from bridge.puzzles.search.techniques import LevelName

EXAMPLES = ROOT / "examples"


def sudoku(row: dict[str, Any]) -> Puzzle:
    if "text" in row:
        return parse("sudoku", row["text"])
    return Sudoku(tuple(tuple(v or None for v in r) for r in row["grid"]), tuple(row["box"]))


def futoshiki(row: dict[str, Any]) -> Puzzle:
    grid = [[0] * row["n"] for _ in range(row["n"])]
    for r, c, value in row["givens"]:
        grid[r - 1][c - 1] = value
    return Futoshiki.from_json({"grid": grid, "less": row["less"]}, Place())


def takuzu(row: dict[str, Any]) -> Puzzle:
    cells = {".": None, "0": 0, "1": 1}
    return parse("takuzu", {"grid": [[cells[mark] for mark in line] for line in row["grid"]]})


#: Instances of every puzzle that are small enough to know all about in a moment.
READERS = {
    "sudoku": sudoku,
    "futoshiki": futoshiki,
    "takuzu": takuzu,
    "latin_square": lambda row: parse("latin-square", {"grid": row["grid"]}),
    "magic_square": lambda row: parse("magic-square", {"grid": row["grid"]}),
    "crossword": lambda row: parse("crossword", json.dumps({"grid": row["grid"], "words": row["words"]})),
}  # fmt: skip


def size(row: dict[str, Any]) -> int:
    return int(row.get("n", 0)) or len(row.get("grid", "9 cells a side"))


def kept(name: str, most: int) -> list[tuple[dict[str, Any], Puzzle]]:
    return [(row, READERS[name](row)) for row in kept_rows(name) if size(row) <= most]


INSTANCES = {
    "sudoku": kept("sudoku", 16), "futoshiki": kept("futoshiki", 8), "takuzu": kept("takuzu", 10),
    "latin_square": kept("latin_square", 10), "magic_square": kept("magic_square", 3), "crossword": kept("crossword", 12),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_the_verdict_and_the_solution_are_the_known_ones(name: str) -> None:
    graded = 0
    for row, puzzle in INSTANCES[name]:
        found = grade(puzzle)
        expected = row.get("verdict")
        if name == "crossword":
            count = row["counts"]["slots"]
            expected = ["impossible", "unique"][count] if count in (0, 1) else "ambiguous"
        assert str(found.verdict) == expected, row["id"]
        assert (found.level is not None) == (expected == "unique")
        if found.level is not None:
            graded += 1
            values = models(puzzle).read_domains(found.domains)
            assert all(len(found) == 1 for found in values.values())
            assert not puzzle.violations(puzzle.solution({cell: one for cell, (one,) in values.items()}))
    assert graded or name == "latin_square", "there is no unique one among the kept squares"


def test_latin_squares_have_grades() -> None:
    assert grade(parse("latin-square", "1 2 3 .\n2 3 . 1\n3 . 1 2\n. 1 2 .")).level == "fc"
    assert grade(parse("latin-square", ". . 5 . .\n. . . . 4\n. . 3 4 .\n2 3 . . 1\n. 5 . . .")).level == "singles"
    assert grade(parse("latin-square", ". . 5 . .\n. . . . 4\n. . 3 4 .\n2 3 . . .\n. . . . .")).level is None


def possible_at(puzzle: Puzzle, level: LevelName) -> dict[Any, tuple[Any, ...]]:
    """The values of each cell when a level is exhausted; none for a contradiction."""
    found = grade(puzzle, top=level)
    if found.verdict is Verdict.IMPOSSIBLE:
        return {}
    of_cells = models(puzzle).read_domains(found.left[level])
    return {cell: tuple(of_cells[cell]) for cell in puzzle.cells() if cell in of_cells}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_each_level_leaves_less_and_keeps_every_solution(name: str) -> None:
    for row, puzzle in INSTANCES[name][:6]:
        exact = bridge.residual(puzzle).possible
        before: dict[Any, set[Any]] = {}
        for level in LEVELS[:-1]:
            possible = possible_at(puzzle, level)
            if not possible:
                assert not exact, row["id"]
                break
            assert list(possible) == [cell for cell in puzzle.cells() if cell in possible]
            for cell, values in possible.items():
                assert set(values) <= before.get(cell, set(values))
                assert not exact or set(exact[cell]) <= set(values)
                before[cell] = set(values)


#: Ordinary, with 17 clues, and hardest known (Norvig's list; the last is report 3's problem 8).
KNOWN = {
    "norvig-easy50-5": "fc", "norvig-easy50-40": "fc", "norvig-easy50-9": "singles", "norvig-easy50-7": "fish",
    "royle17-99": "singles", "royle17-93": "locked", "norvig-hardest-4": "locked", "norvig-hardest-11": "shaving",
}  # fmt: skip


def test_grades_of_known_sudokus() -> None:
    rows = {row["id"]: row for row in kept_rows("sudoku")}
    assert {name: grade(sudoku(rows[name])).level for name in KNOWN} == KNOWN
    hardest = grade(load("sudoku", EXAMPLES / "sudoku" / "report3-problem8.txt"))
    assert hardest.level == "search"
    assert hardest.guesses >= hardest.depth > 1


def test_a_hidden_single_is_not_arc_consistency() -> None:
    # Rows 2 and 3 and columns 2 and 3 leave one place for 1 in the first box; the cell alone could be anything.
    hidden = parse(
        "sudoku", "." * 9 + "...1....." + "......1.." + "." * 9 + ".1......." + "." * 9 + "..1......" + "." * 18
    )
    assert len(possible_at(hidden, "ac")[1, 1]) == 9
    assert possible_at(hidden, "singles")[1, 1] == (1,)
    assert possible_at(hidden, "gac")[1, 1] == (1,)


def test_decided_in_truth_but_not_by_propagation() -> None:
    puzzle = load("sudoku", EXAMPLES / "sudoku" / "report3-problem8.txt")
    exact = bridge.residual(puzzle).possible
    assert all(len(values) == 1 for values in exact.values())
    undecided = {cell for cell, values in possible_at(puzzle, "gac").items() if len(values) > 1}
    assert undecided
    assert grade(puzzle).level == "search"


def test_a_crossword_has_slots_for_variables() -> None:
    puzzle = INSTANCES["crossword"][0][1]
    found = grade(puzzle)
    assert not set(found.domains) & set(puzzle.cells())
    assert possible_at(puzzle, "ac").keys() == set(puzzle.cells())


def test_a_clash_has_no_grade() -> None:
    clash = parse("latin-square", "1 1\n. .")
    assert (grade(clash).verdict, grade(clash).reached) == (Verdict.IMPOSSIBLE, "fc")


def run(*words: str) -> Any:
    return CliRunner().invoke(lpbridge, ["puzzle", "grade", *words])


def problem(number: int) -> str:
    return str(EXAMPLES / "sudoku" / f"report3-problem{number}.txt")


def test_the_command() -> None:
    done = run("sudoku", problem(1))
    assert done.exit_code == 0
    first, *lines = done.stdout.splitlines()
    assert first.startswith("grade: easy, hidden singles (singles), score ")
    assert [line.split()[0] for line in lines if line] == ["level", "fc", "ac", "singles"]
    assert lines[3].split()[-1] == "0"
    assert run("sudoku", problem(8)).stdout.startswith("grade: very hard, search, score ")
    assert run("sudoku", problem(6)).stdout.startswith("ambiguous: ")
    done = run("futoshiki", str(EXAMPLES / "futoshiki" / "report1-5x5-givens.txt"))
    assert (done.exit_code, done.stdout.split(":")[0]) == (0, "impossible")


def test_the_command_in_json() -> None:
    told = json.loads(run("sudoku", problem(1), "--json").stdout)
    assert (told["puzzle"], told["verdict"], told["level"], told["guesses"]) == ("sudoku", "unique", "singles", 0)
    assert told["difficulty"] == "easy"
    (line,) = run("sudoku", problem(6), "--jsonl").stdout.splitlines()
    told = json.loads(line)
    assert (told["verdict"], told["level"], told["score"]) == ("ambiguous", None, None)


def test_several_puzzles_and_a_limit(tmp_path: Any) -> None:
    file = tmp_path / "two.json"
    easy, blank = {"grid": [[1, None], [None, None]]}, {"grid": [[None, None], [None, None]]}
    file.write_text(json.dumps([easy, blank]))
    told = json.loads(run("latin-square", str(file), "--json").stdout)
    assert [one["verdict"] for one in told["results"]] == ["unique", "ambiguous"]
    assert [line.split(": ")[1] for line in run("latin-square", str(file)).stdout.splitlines() if ": " in line] == [
        "grade", "ambiguous",
    ]  # fmt: skip
    done = run("latin-square", str(EXAMPLES / "latin_square" / "order30.txt"), "-t", "1e-9")
    assert done.exit_code == 1
    assert done.stdout.startswith("unknown: stopped by the time limit at naked singles (fc)")


def test_ctrl_c_keeps_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    partial = grade(parse("latin-square", "order 3"), top="ac")

    def interrupted(*_: Any, **__: Any) -> None:
        raise Interrupted(partial)

    monkeypatch.setattr("bridge.puzzles.explain.grade.grade", interrupted)
    done = run("latin-square", str(EXAMPLES / "latin_square" / "quasigroup4.txt"), "--json")
    assert done.exit_code == 130
    assert json.loads(done.stdout)["reached"] == "ac"


@pytest.mark.parametrize(("top", "expected"), [("easy", "unique"), ("hidden singles", "unique"), ("fc", "unknown")])
def test_the_last_level_to_use(top: str, expected: str) -> None:
    told = json.loads(run("sudoku", problem(1), "--top", top, "--json").stdout)
    assert told["verdict"] == expected


def test_a_wrong_level_is_a_wrong_call() -> None:
    done = run("sudoku", problem(1), "--top", "brutal")
    assert isinstance(done.exception, InputError)
    assert "there is no level 'brutal'" in str(done.exception)


def test_above_the_top_is_unknown_and_said() -> None:
    done = run("sudoku", problem(8), "--top", "hard")
    assert done.exit_code == 0
    assert done.stdout.startswith("unknown: harder than chains, the last level that was to be used")


@pytest.mark.slow
def test_no_step_of_an_explanation_is_above_the_grade() -> None:
    """A chain of three strong links is a wing, whatever its name."""
    rows = ".2.67..9.", ".1...953.", "...8.5...", "9.6..1..8", "..4..7..6", ".8....9..", "3........", "......64.", ".62..8..."
    puzzle = parse("sudoku", "\n".join(rows))
    techniques = [step.technique for step in bridge.explain(puzzle) if isinstance(step.technique, Technique)]
    assert "alternating chain" in {technique.name for technique in techniques}
    assert max((technique.level for technique in techniques), key=LEVELS.index) == grade(puzzle).level == "wings"
