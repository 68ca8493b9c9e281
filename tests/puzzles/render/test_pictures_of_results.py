"""What the workbench finds, as pictures; and how notebooks show it."""

from __future__ import annotations

import sys
from itertools import islice

import pytest
from pictures_for_tests import EXAMPLES, report3

import bridge
from bridge.analysis.ask import explain
from bridge.common.parts import Pictured
from bridge.errors import InputError, LimitError, UnsupportedError
from bridge.limits import Limits
from bridge.puzzles.pictures import numbered_step, of_step, picture
from bridge.puzzles.render import Mark, Shade


def test_a_puzzle() -> None:
    assert picture(report3(6)).values == {}


def test_the_report_of_an_ambiguous_puzzle() -> None:
    shown = picture(bridge.check(report3(6)))
    assert set(shown.marks) == set(shown.candidates) == {(4, 1), (4, 6), (6, 1), (6, 6)}
    assert {value for of_cell in shown.candidates.values() for value in of_cell} == {3, 6}
    assert [note.heading for note in shown.notes] == [
        "Constraints left by propagation (clpfd)",
        "Rules of the open cells",
    ]
    assert set(shown.tags) == set(shown.marks)


def test_the_report_of_a_unique_puzzle() -> None:
    shown = picture(bridge.check(report3(8)))
    assert len(shown.values) + len(shown.givens) == 81
    assert shown.caption == "The only solution."


def test_the_report_of_clues_that_clash() -> None:
    one = bridge.puzzles.parse("sudoku", "11..............")
    shown = picture(bridge.check(one))
    assert {rule.name for rule in shown.lit} == {"row 1", "box (1,1)"}
    assert shown.marks == {(1, 1): Mark.CLASH, (1, 2): Mark.CLASH}


def test_the_diagnosis_of_an_ambiguous_puzzle() -> None:
    shown = picture(bridge.diagnose(report3(6)))
    assert shown.caption == "Ambiguous: 2 solutions; 4 cells differ between solutions."
    assert set(shown.tags.values()) == {"A"}
    assert "A: r4c1, r4c6, r6c1 and r6c6 vary together: 3 6 6 3 or 6 3 3 6" in shown.text()


def test_the_diagnosis_of_an_impossible_puzzle() -> None:
    diagnosis = bridge.diagnose(report3(3))
    shown = picture(diagnosis)
    assert tuple(rule.name for rule in shown.lit) == diagnosis.clashes[0].rules
    assert set(shown.marks) == {fact.cell for fact in diagnosis.clashes[0].facts}
    assert all(rule.cells for rule in shown.lit)


def test_a_futoshiki_clash_lights_signs() -> None:
    puzzle = bridge.puzzles.load("futoshiki", EXAMPLES / "futoshiki" / "report1-5x5-givens.txt")
    shown = picture(bridge.diagnose(puzzle))
    assert {rule.name for rule in shown.lit} & {sign.rule for sign in shown.board.signs}
    assert "<circle" in shown.svg()


def test_a_clash_that_is_no_rule_of_the_puzzle_is_lit_by_the_cells_it_names() -> None:
    cycle = bridge.puzzles.parse("futoshiki", ". . .\n. . .\n. . .\nr1c1 < r1c2\nr1c2 < r2c2\nr2c2 < r1c1")
    shown = picture(bridge.check(cycle))
    assert shown.notes[0].lines == ("r1c1 < r1c2 < r2c2 < r1c1",)
    assert set(shown.marks) == {(1, 1), (1, 2), (2, 2)}
    nowhere = bridge.puzzles.parse("crossword", "..\n..", words=str(EXAMPLES / "crossword" / "short.words"))
    assert "no word of 2 letters" in picture(bridge.check(nowhere)).caption


def test_a_generated_puzzle() -> None:
    with bridge.puzzles.generate("takuzu", 6, seed=1) as made:
        shown = picture(next(made))
    assert shown.caption.startswith("Grade: ")


def test_steps_build_on_each_other() -> None:
    puzzle = bridge.puzzles.load("takuzu", EXAMPLES / "takuzu" / "course-test5.txt")
    with explain(puzzle) as stream:
        steps = list(islice(stream, 12))
    for number, new in enumerate(steps, 1):
        shown = of_step(puzzle, steps[: number - 1], new)
        assert shown.marks[new.fact.cell] is Mark.NEW
        assert shown.caption.startswith(f"Step {number}. ")
        assert {fact.cell for fact in new.facts} == {cell for cell, mark in shown.marks.items() if mark is Mark.USED}
    assert numbered_step(puzzle, 12) == of_step(puzzle, steps[:11], steps[11])


@pytest.mark.slow
def test_a_step_that_rests_on_very_much_is_told_briefly() -> None:
    puzzle = report3(8)
    with explain(puzzle) as stream:
        before = []
        for new in stream:
            if not new.fact.holds and len(new.premises) > 15:
                break
            before.append(new)
    shown = of_step(puzzle, before, new)
    assert "that are lit allow nothing else" in shown.caption
    assert shown.candidates[new.fact.cell][new.fact.value] is Shade.REMOVED


def test_steps_that_there_are_not() -> None:
    puzzle = bridge.puzzles.parse("sudoku", "1234341221434321")
    with pytest.raises(InputError, match="there is no step 1; the explanation has 0 steps"):
        numbered_step(puzzle, 1)
    with pytest.raises(LimitError, match="the time limit came before step 50"):
        numbered_step(report3(8), 50, limits=Limits(seconds=0.05))


def test_nothing_else_has_a_picture() -> None:
    with pytest.raises(UnsupportedError, match="no picture of a str"):
        picture("spam")


def test_notebooks_show_puzzles_and_results() -> None:
    puzzle = report3(6)
    for one in (puzzle, bridge.check(puzzle), bridge.diagnose(puzzle)):
        assert isinstance(one, Pictured)
        assert (one._repr_svg_() or "").startswith("<svg ")
    assert bridge.picture(puzzle)._repr_svg_() == puzzle._repr_svg_()


@pytest.mark.slow
def test_notebooks_show_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = bridge.compare("asp", instances=[report3(6)], names=["problem 6"])
    assert "problem 6" in (comparison._repr_svg_() or "")
    assert bridge.compare("asp", instances=[])._repr_svg_() is None
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert comparison._repr_svg_() is None
