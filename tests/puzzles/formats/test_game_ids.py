"""Game IDs and saved games of Simon Tatham's collection: real ones, read and solved; variants, refused; mistakes, placed."""

from __future__ import annotations

import pytest

from bridge import check
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles import formats
from bridge.puzzles.kinds import parse

#: From the collection's own files: icons/solo.sav, icons/unequal.sav, icons/unruly.sav; and the puzzles of the Guardian that
#: the comment at the head of unequal.c quotes (its second one has several solutions).
REAL = [
    ("solo", "3x3:a2e9a5b6a2b3_7a1_4a9_6a2b4_1a7_2b1_7e6_9b2_5a8_1b6a5_9a3_8a7_2b8a6b1a1e4a", "unique"),
    ("unequal", "4de:0D,0,0L,0,0,0,0,0,0D,0U,0R,0,0,0,0,4,", "unique"),
    ("unequal", "5:0,0L,0L,0,0,0R,0,0L,0D,0L,0R,0,2,0D,0,0,0,0,0,0,0U,0,0,0,0U,", "unique"),
    ("unequal", "5:0,0,0,4L,0L,0,2LU,0L,0U,0,0,0U,0,0,0,0,0D,0,3LRUD,0,0R,3,0L,0,0,", "ambiguous"),
    ("unequal", "5:0,0,0,0,0,0,2,0U,3U,0U,0,0,3,0,0,0,3,0D,4,0,0,0L,0R,0,0,", "unique"),
    ("unequal", "5:0D,0L,0,0R,0,0,0D,0,3,0D,0,0R,0,0R,0D,0U,0L,0,1,2,0,0,0U,0,0L,", "unique"),
    ("unruly", "6x6de:faCADAJeBd", "unique"),
]

#: The head of icons/unruly.sav.
SAVED = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :6:Unruly
PARAMS  :5:6x6de
CPARAMS :5:6x6de
DESC    :10:faCADAJeBd
NSTATES :2:15
STATEPOS:2:15
MOVE    :6:P0,1,2
"""


@pytest.mark.parametrize(("name", "text", "verdict"), REAL)
def test_real_ids(name: str, text: str, verdict: str) -> None:
    assert formats.sniff(formats.Source(text.encode())) == name
    (puzzle,) = formats.decode(text).puzzles
    assert str(check(puzzle).verdict) == verdict
    again = formats.encode(puzzle, name).text
    assert formats.decode(again).puzzles == (puzzle,)
    if not text.startswith(("4de", "6x6de")) and "LU" not in text:  # difficulties and the order of signs are our own
        assert again.strip() == text


def test_solos_numbers_are_of_blocks() -> None:
    """The manual: 2 columns and 3 rows of blocks make blocks of 3 columns and 2 rows."""
    (puzzle,) = formats.decode("2x3:1zh6").puzzles
    assert puzzle.to_json()["box"] == [2, 3]
    assert puzzle.clues() == {(1, 1): 1, (6, 6): 6}


@pytest.mark.parametrize(
    ("parameters", "cells"),
    [("3", 81), ("3x3", 81), ("3x3dt", 81), ("3x3m4du", 81), ("2x2a", 16), ("4x4r4de", 256), ("2x3md2db", 36)],
)
def test_solos_parameters(parameters: str, cells: int) -> None:
    text = f"{parameters}:{'z' * (cells // 26)}{chr(96 + cells % 26) if cells % 26 else ''}"
    (puzzle,) = formats.decode(text, "solo").puzzles
    assert len(puzzle.cells()) == cells
    assert not puzzle.clues()


def test_unruly_without_u_may_repeat_lines() -> None:
    (puzzle,) = formats.decode("6x6de:faCADAJeBd").puzzles
    (other,) = formats.decode("6x6ude:faCADAJeBd").puzzles
    assert (puzzle.to_json()["lines"], other.to_json()["lines"]) == ("repeat", "distinct")
    assert formats.encode(other, "unruly").text == "6x6u:faCADAJeBd\n"
    assert puzzle.clues() == other.clues()
    assert list(puzzle.clues().items())[:3] == [((1, 6), 0), ((2, 1), 0), ((2, 4), 1)]


def test_unequal_as_a_latin_square() -> None:
    text = "4:0,1,0,0,0,0,2,0,0,3,0,0,0,0,0,4,"
    (square,) = formats.decode(text, puzzle="latin-square").puzzles
    assert square == parse("latin-square", ". 1 . .\n. . 2 .\n. 3 . .\n. . . 4")
    assert formats.decode(text).puzzles[0].kind == "futoshiki"
    assert formats.encode(square, "unequal").text.strip() == text
    with pytest.raises(InputError, match="this is a futoshiki, not a latin-square"):
        formats.decode("4:0D,1,0,0,0,0,2,0,0,3,0,0,0,0,0,4,", puzzle="latin-square")


@pytest.mark.parametrize(("name", "text", "verdict"), REAL)
def test_links_to_a_game_in_a_browser(name: str, text: str, verdict: str) -> None:
    page = f"https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/{name}.html#"
    for link in (page + text, page + text.replace(",", "%2C")):
        assert formats.sniff(formats.Source(link.encode())) == name
        assert formats.decode(link).puzzles == formats.decode(text).puzzles
    with pytest.raises(UnsupportedError, match="random seed"):
        formats.decode(f"{page}5%231234")


def test_many_in_a_file() -> None:
    text = "\n".join(["# three", *(text for name, text, _ in REAL if name == "unequal")])
    assert len(formats.decode(text).puzzles) == 5


def test_a_saved_game() -> None:
    assert formats.sniff(formats.Source(SAVED.encode())) == "sav"
    reading = formats.decode(SAVED)
    assert reading.puzzles == formats.decode("6x6de:faCADAJeBd").puzzles
    assert reading.notes == ("left out: the moves of the game",)
    with pytest.raises(UnsupportedError, match="a saved game of Mines"):
        formats.decode(SAVED.replace("Unruly", "Mines"))
    with pytest.raises(InputError, match="without a line DESC"):
        formats.decode(SAVED.replace("DESC ", "DUSC "))
    with pytest.raises(UnsupportedError, match="are read, not written"):
        formats.encode(reading.puzzles, "sav", lossy=True)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("3x3#1234567890", "solo", "random seed"),
        ("5a:0,0", "unequal", "adjacent mode"),
    ],
)
def test_variants_are_refused_by_name(text: str, name: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        formats.decode(text, name)


@pytest.mark.parametrize(
    ("text", "name", "message", "column"),
    [
        ("3x3:a2e9", "solo", "8 cells, but the grid has 81", 5),
        ("2x2:a1e2_7d3b", "solo", "7 is not a value of size 4", 10),
        ("2x2:a1e2_!d3b", "solo", "'!' has no meaning", 10),
        ("0x3:a", "solo", "size 0 is not read", 1),
        ("4:0,9,", "unequal", "9 is not a value of order 4", 5),
        ("2:0,0U,0,0,", "unequal", "r1c2: the sign U points out of the grid", 6),
        ("2:0,0,0", "unequal", "3 cells, but order 2 has 4", 3),
        ("2:0,X,0,0", "unequal", "'X' is not a cell", 5),
        ("6x6:faC", "unruly", "9 cells, but 6x6 has 36", 5),
        ("6x6:fa-C", "unruly", "'-' has no meaning", 7),
        ("hello", "unruly", "not a game ID of Unruly", 1),
    ],
)
def test_mistakes_have_their_place(text: str, name: str, message: str, column: int) -> None:
    with pytest.raises(InputError, match=message) as caught:
        formats.decode(f"\n  {text}\n", name, file="ids.txt")
    assert str(caught.value.where) == f"ids.txt:2:{column + 2}"


@pytest.mark.parametrize(
    ("kind", "text", "name", "message"),
    [
        ("takuzu", ". . .\n. . .\n. . .", "unruly", "no grid of 3 rows and 3 columns"),
        ("futoshiki", ". .\n. .", "unequal", "no order 2"),
        ("futoshiki", ". < . .\n. . .\n. . .\nr1c1 > r1c2", "unequal", "no two signs between the same cells"),
        ("futoshiki", ". . .\n. . .\n. . .\nr1c1 > r3c2", "unequal", "not neighbours"),
        ("latin-square", "variant diagonal\norder 4", "unequal", "cannot carry the variant diagonal"),
        ("sudoku", "box 1x4\n....\n....\n....\n....", "solo", "no boxes of 1x4"),
    ],
)
def test_what_has_no_game_id(kind: str, text: str, name: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        formats.encode(parse(kind, text), name)
