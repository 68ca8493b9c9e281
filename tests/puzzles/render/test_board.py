"""What each puzzle's board has beside its values."""

from __future__ import annotations

from pictures_for_tests import EXAMPLES, puzzle, report3

from bridge.puzzles import load
from bridge.puzzles.kinds import parse
from bridge.puzzles.render import instance, step


def test_sudoku_has_boxes_of_any_shape() -> None:
    assert len(instance(report3(6)).board.boxes) == 9
    wide = parse("sudoku", "." * 36)
    assert instance(wide).board.boxes[0] == ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3))
    high = parse("sudoku", "." * 36, box="3x2")
    assert instance(high).board.boxes[0] == ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2))


def test_futoshiki_has_signs_also_between_cells_that_are_far_apart() -> None:
    board = instance(puzzle("futoshiki")).board
    assert board.spaced
    assert {(sign.rule, sign.beside) for sign in board.signs} == {
        ("r1c1 < r1c2", True),
        ("r1c2 > r2c2", True),
        ("r1c1 < r3c3", False),
    }


def test_magic_square_says_its_sum() -> None:
    assert instance(puzzle("magic-square")).board.remark == "Rows, columns and diagonals add up to 15."
    semi = load("magic-square", EXAMPLES / "magic_square" / "semi-magic3.txt")
    assert "Rows and columns add up to 15; diagonals may have any sum." in instance(semi).words()


def test_crossword_is_numbered_as_newspapers_do() -> None:
    board = instance(puzzle("crossword")).board
    assert board.black == {(2, 2)}
    assert board.numbers == {(1, 1): "1", (1, 3): "2", (3, 1): "3"}


def test_latin_square_with_diagonals() -> None:
    assert len(instance(puzzle("latin-square")).board.diagonals) == 2
    reduced = parse("latin-square", "variant reduced\norder 3")
    assert "in order" in instance(reduced).board.remark


def test_a_puzzle_of_which_nothing_is_said_has_a_plain_board() -> None:
    board = instance(puzzle("takuzu")).board
    assert (board.rows, board.columns, board.boxes, board.signs) == (4, 4, (), ())


def test_a_picture_whose_values_are_not_written_is_drawn() -> None:
    hitori = load("hitori", EXAMPLES / "hitori" / "four.lp")  # its values are drawn as black cells, or not at all
    cell = hitori.cells()[0]
    assert step(hitori, {cell: hitori.values()[0]}, (cell, hitori.values()[0], True), [], []).svg().endswith("</svg>\n")
