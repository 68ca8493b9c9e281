"""Sudoku without any solver: reading, drawing, rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import InputError, Place
from bridge.puzzles.kinds import parse, parse_all, puzzle_class
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.sudoku import Sudoku
from bridge.puzzles.kinds.sudoku.text import squarest_box

P6 = ".39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87."
BOXES = [(1, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (1, 5), (2, 5), (3, 4), (4, 4), (5, 5)]


@st.composite
def sudokus(draw: st.DrawFn) -> Sudoku:
    box = draw(st.sampled_from(BOXES))
    size = box[0] * box[1]
    value = st.one_of(st.none(), st.integers(1, size))
    row = st.tuples(*[value] * size)
    return Sudoku(draw(st.tuples(*[row] * size)), box)


@given(sudokus())
def test_what_is_drawn_can_be_read(puzzle: Sudoku) -> None:
    assert parse("sudoku", puzzle.draw()) == puzzle


@given(sudokus())
def test_json_carries_everything(puzzle: Sudoku) -> None:
    assert Sudoku.from_json(puzzle.to_json(), Place()) == puzzle


FORMS = {
    "81 characters": P6,
    "zeros": P6.replace(".", "0"),
    "underscores": P6.replace(".", "_"),
    "stars": P6.replace(".", "*"),
    "rows": "\n".join(P6[i : i + 9] for i in range(0, 81, 9)),
    "blanks": "\n".join(" ".join(P6[i : i + 9]) for i in range(0, 81, 9)),
    "groups": "\n".join(" ".join(P6[j : j + 3] for j in range(i, i + 9, 3)) for i in range(0, 81, 9)),
    "bars": "+---+---+---+\n" + "\n".join("|" + "|".join(P6[j : j + 3] for j in range(i, i + 9, 3)) + "|" for i in range(0, 81, 9)) + "\n+---+",
    "comment and windows line ends": "# problem 6\r\n\r\n" + "\r\n".join(P6[i : i + 9] for i in range(0, 81, 9)),
    "byte order mark": "\ufeff" + P6,
    "JSON": '{"grid": [' + ",".join("[" + ",".join("null" if c == "." else c for c in P6[i : i + 9]) + "]" for i in range(0, 81, 9)) + "]}",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_text_form_is_the_same_puzzle(form: str) -> None:
    assert parse("sudoku", FORMS[form]) == parse("sudoku", P6)


def test_many_puzzles_in_a_file() -> None:
    puzzles = parse_all("sudoku", f"# two\n{P6}\n{'.' * 81}\n")
    assert [len(puzzle.clues()) for puzzle in puzzles] == [28, 0]
    with pytest.raises(InputError, match="2 puzzles"):
        parse("sudoku", f"{P6}\n{P6}")
    assert len(parse_all("sudoku", ("." * 16 + "\n") * 3)) == 3
    assert len(parse_all("sudoku", ("." * 16 + "\n") * 16)) == 1, "sixteen lines of sixteen are one grid"


def test_values_above_nine() -> None:
    letters = parse("sudoku", "G" + "." * 255)
    words = parse("sudoku", "16 " + ". " * 15 + "\n" + (". " * 16 + "\n") * 15)
    assert letters == words
    assert letters.clues() == {(1, 1): 16}


def test_the_box() -> None:
    six = "." * 36
    assert parse("sudoku", six).box == (2, 3)
    assert parse("sudoku", f"box 3x2\n{six}").box == (3, 2)
    assert parse("sudoku", six, box="3x2") == parse("sudoku", f"box 3x2\n{six}")
    assert [squarest_box(n) for n in (1, 4, 6, 8, 9, 10, 12, 16, 25, 7)] == [
        (1, 1), (2, 2), (2, 3), (2, 4), (3, 3), (2, 5), (3, 4), (4, 4), (5, 5), (1, 7),
    ]  # fmt: skip


ROW = "....\n"
WRONG = {
    "empty": ("", "empty"),
    "only comments": ("# nothing\n\n", "empty"),
    "too short": (P6[:-1], "80 characters.*1 too few"),
    "too long": (P6 + "..", "83 characters.*2 too many"),
    "ragged": (ROW + "...\n" + ROW + ROW, ":2: row 2 has 3 cells, the others have 4"),
    "a row too few": (("." * 9 + "\n") * 8, "8 rows of 9 cells"),
    "strange character": (ROW + ".?..\n" + ROW + ROW, r":2:2: r2c2: '\?' is neither a value nor an open cell"),
    "out of range": (ROW + "...5\n" + ROW + ROW, r":2:4: r2c4 \(row 2, column 4\) holds 5, but the values of a 4x4 Sudoku are 1 to 4"),
    "letter out of range": (P6[:-1] + "A", r"r9c9 \(row 9, column 9\) holds A \(= 10\)"),
    "binary": ("\x00\x01", "not text"),
    "box that does not fit": ("box 2x3\n" + ROW * 4, "boxes of 2x3 do not fit 4 rows"),
    "box that is none": ("box two\n" + ROW * 4, "'two' is not a box"),
    "box and nothing else": ("box 2x2\n", "no puzzle"),
    "too large": ((". " * 65 + "\n") * 65, "more than the 64"),
    "not JSON": ("{", "not JSON"),
    "JSON of another puzzle": ('{"puzzle": "takuzu", "grid": []}', "this is a takuzu"),
    "JSON without a grid": ('{"puzzle": "sudoku"}', "`grid`"),
    "JSON ragged": ('{"grid": [[1, 2], [1]]}', "row 2 has 1 cells, not 2"),
    "JSON with text": ('{"grid": [["a"]]}', "not an integer"),
    "JSON with true": ('{"grid": [[true]]}', "not an integer"),
    "JSON out of range": ('{"grid": [[5]]}', "holds 5"),
    "JSON box": ('{"box": "2x2", "grid": [[1]]}', "`box`"),
    "JSON list of numbers": ("[1]", "is an object"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_is_refused(name: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(InputError, match=message) as raised:
        parse_all("sudoku", text, file="p.txt")
    assert str(raised.value).startswith("p.txt")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="no puzzle 'sodoku'"):
        puzzle_class("sodoku")
    with pytest.raises(InputError, match="no option 'boxes'"):
        parse("sudoku", P6, boxes="3x3")


def solved(size: int = 4) -> Grid:
    return ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))


def test_the_checker_accepts_a_solution() -> None:
    assert parse("sudoku", "1" + "." * 15).violations(solved()) == []


#: Each rule, and a grid of clues that breaks just this one.
FAILCHECK = {
    "row 2": "....1..1........",
    "column 3": "..2...........2.",
    "box (1,2)": "..3....3........",
    "box (2,1)": "........4....4..",
}


@pytest.mark.parametrize("rule", FAILCHECK)
def test_the_checker_names_the_broken_rule(rule: str) -> None:
    puzzle = parse("sudoku", FAILCHECK[rule])
    (clash,) = puzzle.clashes()
    assert clash.rule == rule
    assert set(clash.cells) == set(puzzle.clues())
    (first, second), value = clash.cells, next(iter(puzzle.clues().values()))
    assert f"r{first[0]}c{first[1]}={value}, r{second[0]}c{second[1]}={value}" in clash.message


def test_the_checker_wants_every_cell_and_every_clue() -> None:
    blank = parse("sudoku", "." * 16)
    open_cell = (*solved()[:3], (4, 3, 2, None))
    assert [v.rule for v in blank.violations(open_cell)] == ["cell"]
    assert [v.rule for v in blank.violations((*solved()[:3], (4, 3, 2, 5)))] == ["cell"]
    assert [v.rule for v in parse("sudoku", "2" + "." * 15).violations(solved())] == ["clue r1c1=2"]


def test_facts_are_the_instance() -> None:
    assert models(parse("sudoku", "1" + "." * 15)).facts() == "#const box_rows = 2. [override]\n#const box_columns = 2. [override]\nclue(1, 1, 1).\n"
    assert models(parse("sudoku", "." * 80 + "9")).facts() == "clue(9, 9, 9).\n"
