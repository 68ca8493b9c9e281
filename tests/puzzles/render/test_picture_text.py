"""Pictures as characters, and in words."""

from __future__ import annotations

import re

import pytest
from pictures_for_tests import EVERY, NAMES, puzzle, report3

from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.rules import cell_name
from bridge.puzzles.render import Mark, Picture, Shade, conflict, instance, residual, step


def test_a_sudoku() -> None:
    one = parse("sudoku", "12.. .... .... ..43".replace(" ", ""))
    assert instance(one).text() == "\n".join(
        [
            "Sudoku",
            "     1 2   3 4",
            "   ┌─────┬─────┐",
            " 1 │ 1 2 │ . . │",
            " 2 │ . . │ . . │",
            "   ├─────┼─────┤",
            " 3 │ . . │ . . │",
            " 4 │ . . │ 4 3 │",
            "   └─────┴─────┘",
        ]
    )


def test_a_futoshiki() -> None:
    assert instance(puzzle("futoshiki")).text() == "\n".join(
        [
            "Futoshiki",
            "     1   2   3",
            "   ┌───────────┐",
            " 1 │ 1 < .   . │",
            "   │     ∨     │",
            " 2 │ .   .   . │",
            "   │           │",
            " 3 │ .   .   . │",
            "   └───────────┘",
            "     r1c1 < r3c3",
        ]
    )


def test_a_magic_square() -> None:
    lines = instance(puzzle("magic-square")).text().splitlines()
    assert lines[3] == " 1 │ 2 . . │"
    assert lines[-1] == "Rows, columns and diagonals add up to 15."


def test_a_crossword() -> None:
    lines = instance(puzzle("crossword")).text().splitlines()
    assert lines[3:6] == [" 1 │ c . t │", " 2 │ . █ . │", " 3 │ . . n │"]


def test_marks_have_characters_of_their_own() -> None:
    one = parse("sudoku", "12.. .... .... ..43".replace(" ", ""))
    text = step(one, {(1, 3): 4}, ((1, 4), 3, True), ["row 1"], [((1, 1), 1, True)], "So it is.").text()
    assert " 1 │ (1)  2  │  ·4 *3* │" in text.splitlines()
    assert "(4) used by this step" in text
    assert "row 1: every value stands there once" in text
    removal = step(one, {}, ((1, 4), 3, False), ["row 1"], []).text()
    assert "*≠3*" in removal
    clash = conflict(one, ["row 1"], [(1, 1)]).text()
    assert "!1!" in clash


def test_both_kinds_of_candidates() -> None:
    one = parse("sudoku", "." * 16)
    exact = PuzzleResidual("exact", "asp", {(1, 1): (1, 2), (1, 2): (3,)})
    propagated = PuzzleResidual("propagated", "clpfd", {(1, 1): (1, 2, 4), (1, 2): (3, 4)})
    text = residual(one, exact, propagated).text()
    assert "{12+4}" in text
    assert "3+4" in text
    assert "1 cell is open (exact, asp); 2 cells are open after propagation alone (clpfd)." in text


@pytest.mark.parametrize(("kind", "name", "picture"), EVERY, ids=NAMES)
def test_rows_are_of_one_length_and_colour_changes_no_character(kind: str, name: str, picture: Picture) -> None:
    plain = picture.text()
    bars = [line.rstrip(" 0123456789!") for line in plain.splitlines() if line[3:4] in set("│┌├└")]
    assert len({len(line) for line in bars}) == 1
    assert re.sub("\x1b\\[[0-9]*m", "", picture.text(colour=True)) == plain


@pytest.mark.parametrize(("kind", "name", "picture"), EVERY, ids=NAMES)
def test_words_tell_what_is_lit(kind: str, name: str, picture: Picture) -> None:
    words = picture.words()
    for cell in picture.marks:
        assert cell_name(cell) in words
    for rule in picture.lit:
        assert rule.name in words
    assert picture.caption in words
    assert words.count("\nRow ") == picture.board.rows


def test_constraints_are_lettered_and_cells_refer_to_them() -> None:
    one = report3(6)
    possible = {(4, 1): (3, 6), (4, 6): (3, 6), (6, 1): (3, 6)}
    constraints = ("r4c1 in 3\\/6", "all_distinct([r4c1, r6c1])", "all_distinct([4, r4c1, r4c6])")
    picture = residual(one, None, PuzzleResidual("propagated", "clpfd", possible, constraints))
    assert picture.tags == {(4, 1): "ab", (4, 6): "b", (6, 1): "a"}
    assert picture.notes[0].lines[1] == "a  all_distinct([r4c1, r6c1])"
    assert picture.marks == {}


def test_of_very_many_constraints_some_are_told() -> None:
    possible = {(1, 2): (3, 6), (1, 3): (3, 6)}
    constraints = tuple(f"r1c2+r1c3#={n}" for n in range(40))
    picture = residual(report3(1), None, PuzzleResidual("propagated", "clpfd", possible, constraints))
    assert picture.tags == {}
    assert picture.notes[0].lines[-1] == "… and 32 more"


def test_no_solution_and_limits_are_said() -> None:
    one = report3(1)
    nothing = residual(one, PuzzleResidual("exact", "asp", {}))
    assert nothing.caption == "Nothing is possible: there is no solution (asp)."
    partly = residual(one, PuzzleResidual("exact", "asp", {(1, 1): (1, 2)}, complete=False, limit="seconds"))
    assert "a limit came first" in partly.caption
    assert partly.marks == {(1, 1): Mark.OPEN}


def test_a_residual_that_was_cut_short_decides_nothing() -> None:
    one = parse("sudoku", "." * 16)
    partly = PuzzleResidual("exact", "asp", {(1, 1): (1, 2), (1, 2): (3,)}, complete=False, limit="seconds")
    alone = residual(one, partly)
    assert alone.values == {}
    assert set(alone.candidates) == {(1, 1), (1, 2)}
    both = residual(one, partly, PuzzleResidual("propagated", "clpfd", {(1, 1): (1, 2, 4), (1, 2): (3, 4), (1, 3): (1,)}))
    assert both.values == {(1, 3): 1}
    assert set(both.candidates[1, 2]) == {3, 4}
    assert both.shades == {Shade.PROPAGATED}, "nothing is struck through: it may be in a solution not found yet"
    assert both.marks == {(1, 1): Mark.OPEN}
