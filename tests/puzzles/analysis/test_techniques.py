"""Steps that have a name: the names people give to known examples, every step verified, the easiest first."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from command import called
from shared_data import ROOT, kept_rows

from benchmarks.explanations import Judge
from bridge.analysis.ask import explain
from bridge.analysis.explain import MOST_PREMISES, Step
from bridge.puzzles import load
from bridge.puzzles.explain.techniques import NAMES
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.oracle import Fact

#: SudokuWiki's example of an X-wing.
X_WING = "1.....569492.561.8.561.924...964.8.1.64.1....218.356.4.4.5...169.5.614.2621.....5"

PAGE = (ROOT / "docs" / "techniques.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "examples" / "techniques").glob("*.txt"))


@cache
def steps_of(name: str) -> list[Step]:
    """The steps of the explanation of a sample, each verified."""
    return steps_of_puzzle(samples()[name])


def steps_of_puzzle(puzzle: Puzzle) -> list[Step]:
    judge, steps = Judge(puzzle), []
    with explain(puzzle) as stream:
        for step in stream:
            judge.verify(step)
            steps.append(step)
    judge.finished()
    assert stream.complete
    return steps


def test_an_x_wing_is_one_step() -> None:
    step = next(explain(parse("sudoku", X_WING)))
    assert step.technique is not None
    assert (step.technique.name, step.technique.values) == ("X-wing", (7,))
    assert step.technique.houses == ("row 2", "row 6", "column 4", "column 8")
    removed = [(1, 4), (5, 4), (8, 4), (8, 8), (9, 4), (9, 8)]
    assert step.new == tuple(Fact(cell, 7, False) for cell in removed)
    assert str(step) == (
        "r1c4, r5c4, r8c4, r8c8, r9c4 and r9c8 are not 7: X-wing: in row 2 and row 6, 7 stands only in column 4 and column 8"
    )
    told = step.to_json()
    assert (told["cell"], told["value"], told["holds"]) == ([1, 4], 7, False)
    assert [one["cell"] for one in told["new"]] == [list(cell) for cell in removed]
    assert told["technique"]["candidates"] == [7]


def samples() -> dict[str, Puzzle]:
    """Public instances of each kind."""
    rows = {row["id"]: row for row in kept_rows("sudoku")}
    folder = ROOT / "examples"
    return {
        "sudoku, singles": parse("sudoku", rows["norvig-easy50-9"]["text"]),
        "sudoku, locked": parse("sudoku", rows["royle17-93"]["text"]),
        "sudoku, X-wing": parse("sudoku", X_WING),
        "futoshiki": load("futoshiki", folder / "futoshiki" / "report1-5x5.txt"),
        "takuzu": load("takuzu", folder / "takuzu" / "course-test5.txt"),
        "latin, diagonals": parse("latin-square", "variant diagonal\n1 . . . .\n. . . . .\n2 . . . .\n5 1 4 . .\n. . . . ."),
        "magic square": parse("magic-square", ". . .\n. . .\n. 7 2"),
    }


@pytest.mark.parametrize("name", samples())
def test_every_step_is_verified_and_every_name_is_known(name: str) -> None:
    named = [step.technique for step in steps_of(name) if step.technique]
    assert named
    assert {technique.name for technique in named} <= NAMES.keys()
    assert all(technique.reason for technique in named)


def test_the_easiest_step_comes_first() -> None:
    """A hidden single with few premises before a naked single with many."""
    steps = [step for step in steps_of("sudoku, X-wing") if step.fact.holds]
    rows = steps_of("sudoku, singles")
    assert rows[0].technique is not None
    assert rows[0].technique.name in ("full house", "hidden single")
    assert len(rows[0].premises) <= 8
    assert all(step.technique for step in steps)


def test_singles_need_no_proof() -> None:
    assert all(step.technique is not None for step in steps_of("sudoku, singles"))


def test_a_proof_is_called_a_proof() -> None:
    facts = tuple(Fact((1, c), c) for c in range(1, 10))
    step = Step(Fact((5, 5), 1), ("row 1", "row 2", "row 3", "row 4", *facts), "search")
    assert len(step.premises) > MOST_PREMISES
    assert str(step).startswith("r5c5 = 1: a proof from 13 premises, not an insight: row 1, ")


def test_removals_that_no_step_rests_on_are_not_told() -> None:
    steps = steps_of("sudoku, X-wing")
    needed = {fact for step in steps for fact in step.facts}
    removals = [step for step in steps if not step.fact.holds]
    assert removals
    assert all(needed.intersection(step.new) for step in removals)


def test_a_kind_with_all_different_rules_has_the_names_of_sudoku() -> None:
    """The names come from the constraints: a Latin square has X-wings and naked pairs, too."""
    puzzle = parse("latin-square", ". . . . 3\n3 2 . . .\n. 1 . . 2\n. . . 2 4\n. . 5 . .")
    names = {step.technique.name for step in steps_of_puzzle(puzzle) if step.technique}
    assert names & {"hidden single", "naked single"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_is_as_the_page_shows_it(path: Path) -> None:
    comment = path.read_text(encoding="utf-8").splitlines()[0]
    kind, technique = comment.lstrip("#% ").split(": ")
    judge = Judge(load(kind, path))
    for step in explain(judge.puzzle):
        judge.verify(step)
        if step.technique and step.technique.name == technique:
            break
    assert f"| {technique} | {NAMES[technique]} | {step} |" in PAGE


def test_the_page_has_every_technique() -> None:
    assert all(f"| {name} | {what} | " in PAGE for name, what in NAMES.items())


def test_only_steps_by_a_technique() -> None:
    done = called("puzzle", "explain", "sudoku", "-", "--technique", "x-wing", "--jsonl", stdin=X_WING)
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["technique"]["name"] == "X-wing"
    none = called("puzzle", "explain", "sudoku", "-", "--technique", "jellyfish", stdin=X_WING)
    assert none.returncode == 0
    assert none.stdout.startswith("no step is by jellyfish")
    wrong = called("puzzle", "explain", "sudoku", "-", "--technique", "magic", stdin=X_WING)
    assert wrong.returncode == 2
    assert "there is no technique 'magic'" in wrong.stderr


def test_a_crossing_has_its_name() -> None:
    folder = ROOT / "examples" / "crossword"
    puzzle = load("crossword", folder / "report5.txt", words=str(folder / "report5.words"))
    names = {step.technique.name for step in explain(puzzle) if step.technique}
    assert {"crossing", "word pattern"} <= names
