"""A whole diagnosis: the parts that belong to the verdict, under limits and Ctrl-C."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest
from instances import takuzu
from patience import PATIENCE, given_time
from shared_data import ROOT

import bridge
from bridge.analysis.repairs import Repairs
from bridge.limits import Limits
from bridge.outcome import Interrupted, Verdict
from bridge.puzzles import load
from bridge.puzzles.analysis import diagnose as module
from bridge.puzzles.analysis.diagnose import diagnose
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.oracle import Fact, Oracle

EXAMPLES = ROOT / "examples"
FOUR = [(4, 1), (4, 6), (6, 1), (6, 6)]


def problem(number: int) -> Puzzle:
    return load("sudoku", EXAMPLES / "sudoku" / f"report3-problem{number}.txt")


def sudoku(text: str) -> Puzzle:
    return parse("sudoku", text.replace(" ", ""))


def test_ambiguous() -> None:
    found = bridge.diagnose(problem(6))
    assert found.verdict is Verdict.AMBIGUOUS
    assert len(found.solutions) == 2
    assert found.residual is not None
    assert found.residual.open == dict.fromkeys(FOUR, (3, 6))
    assert found.ambiguity is not None
    assert (found.ambiguity.number, found.ambiguity.complete) == (2, True)
    assert [group.cells for group in found.ambiguity.groups] == [tuple(FOUR)]
    assert found.additions is not None
    assert set(found.additions.sets) == {(Fact(cell, value),) for cell in FOUR for value in (3, 6)}
    assert found.rules == ("row 4", "row 6", "column 1", "column 6", "box (2,1)", "box (2,2)")
    assert (found.clashes, found.removals, found.grade, found.redundant) == ((), None, None, None)
    assert (found.limit, found.notes) == (None, ())


def test_impossible() -> None:
    changed = problem(1)
    clues = {**changed.clues(), (1, 2): 9}
    found = diagnose(changed.with_clues(clues), clashes=3)
    assert found.verdict is Verdict.IMPOSSIBLE
    assert found.solutions == ()
    first = found.clashes[0]
    assert first.minimal
    assert first.smallest
    assert not set(first.premises) & {premise for one in found.clashes[1:] for premise in one.premises}
    assert found.removals is not None
    assert (Fact((1, 2), 9),) in found.removals.sets
    assert found.removals.complete
    assert len(found.after) == len(found.removals.sets)
    for away, then in zip(found.removals.sets, found.after, strict=True):
        left = {cell: value for cell, value in clues.items() if Fact(cell, value) not in away}
        assert then.unique == (bridge.check(changed.with_clues(left)).verdict is Verdict.UNIQUE)


def test_unique() -> None:
    puzzle = sudoku("1234 34.. 2... ....")
    found = diagnose(puzzle)
    assert found.verdict is bridge.check(puzzle).verdict
    full = sudoku("1234 3412 2143 432.")
    found = diagnose(full)
    assert found.verdict is Verdict.UNIQUE
    assert found.grade is not None
    assert found.grade.level == "fc"
    assert found.redundant == Oracle(full).clues
    assert found.spare is not None
    left = {cell: value for cell, value in full.clues().items() if Fact(cell, value) not in found.spare}
    assert bridge.check(full.with_clues(left)).verdict is Verdict.UNIQUE
    again = diagnose(full.with_clues(left))
    assert (again.redundant, again.spare) == ((), ())


def test_cells_that_propagation_does_not_decide() -> None:
    found = diagnose(problem(8))
    assert found.verdict is Verdict.UNIQUE
    assert found.propagated is not None
    assert set(found.hidden) == set(found.propagated.open)
    assert (
        found.hidden.items()
        <= {(r, c): v for r, row in enumerate(found.solutions[0], 1) for c, v in enumerate(row, 1)}.items()
    )


def test_no_clue_is_to_blame() -> None:
    found = diagnose(takuzu(((None,) * 2,) * 7))  # there are only two rows of a zero and a one
    assert found.verdict is Verdict.IMPOSSIBLE
    assert found.clashes is not None
    assert found.clashes[0].facts == ()
    assert found.removals == Repairs((), 1, True)
    assert found.after == ()
    assert found.notes == ("without any clue there is no solution either",)


def test_an_inequality_is_to_blame() -> None:
    found = diagnose(Futoshiki(((3, None, None),) + ((None,) * 3,) * 2, (((1, 1), (1, 2)),)))
    assert found.removals is not None
    assert set(found.removals.sets) == {(Fact((1, 1), 3),), ("r1c1 < r1c2",)}
    assert json.loads(json.dumps(found.to_json()))["removals"]["size"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["slots", "words", "anywhere"])
def test_crosswords(reading: str) -> None:
    grid = ((None, None, None), (None, "#", None), (None, None, None))
    for words in (("abc", "ade", "cfg", "egh", "xyz"), ("aba", "bab"), ("abc",)):
        for clues in ({}, {(1, 1): "a"}):
            puzzle = Crossword(grid, words, reading).with_clues(clues)
            found = diagnose(puzzle)
            assert found.verdict is bridge.check(puzzle).verdict
            for one in found.additions.sets if found.additions else ():
                added = {fact.cell: fact.value for fact in one if isinstance(fact, Fact)}
                assert bridge.check(puzzle.with_clues({**puzzle.clues(), **added})).verdict is Verdict.UNIQUE


def test_a_letter_that_is_given_may_bring_new_solutions() -> None:
    """A letter need not be part of a word when it is given: repairs that rely on it are left out."""
    puzzle = Crossword(((None, None, "#"), ("#", None, None)), ("ab",), "words")
    found = diagnose(puzzle)
    assert found.verdict is Verdict.AMBIGUOUS
    assert found.additions is not None
    for one in found.additions.sets:
        added = {fact.cell: fact.value for fact in one if isinstance(fact, Fact)}
        assert bridge.check(puzzle.with_clues(added)).verdict is Verdict.UNIQUE
    assert not found.additions.complete
    assert any("left out" in note for note in found.notes)


@pytest.mark.slow
def test_numbers_that_are_wished_for() -> None:
    blank = sudoku("." * 16)
    found = diagnose(blank, most_clues=2, limits=Limits(seconds=PATIENCE))
    assert found.additions is not None
    assert (found.additions.sets, found.additions.size) == ((), 3)
    found = diagnose(problem(6), repairs=3, limits=Limits(seconds=PATIENCE))
    assert found.additions is not None
    assert (len(found.additions.sets), found.additions.complete) == (3, False)


def test_a_limit_keeps_what_was_found() -> None:
    found = diagnose(parse("magic-square", "order 5"), limits=Limits(seconds=0.02))
    assert found.limit == "seconds"
    assert found.verdict in (Verdict.UNKNOWN, Verdict.AMBIGUOUS)
    found = given_time(lambda seconds: diagnose(sudoku("." * 81), limits=Limits(seconds=seconds)), lambda found: found.residual is not None)
    assert found.limit == "seconds"
    assert found.verdict is Verdict.AMBIGUOUS
    assert found.ambiguity is None or not found.ambiguity.complete
    assert json.loads(json.dumps(found.to_json()))["limit"] == "seconds"


@pytest.mark.parametrize("part", ["ambiguity_of", "additions"])
def test_ctrl_c_keeps_what_was_found(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(module, part, interrupted)
    with pytest.raises(Interrupted) as caught:
        diagnose(problem(6))
    found = caught.value.partial
    assert found.limit == "interrupt"
    assert found.verdict is Verdict.AMBIGUOUS
    assert found.residual is not None
    assert (found.ambiguity is None) == (part == "ambiguity_of")
    assert found.additions is None
