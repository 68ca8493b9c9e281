"""81 characters, .sdm, .sdk and candidates."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge import check
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles import formats
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.about import About

#: The example of an .sdk file at sudocue.net/fileformats.php.
SDK = """#ARuud
#DA random puzzle created by SudoCue
#CJust start plugging in the numbers
#B03-08-2006
#SSudoCue
#LEasy
#Uhttp://www.sudocue.net/
2..1.5..3
.54...71.
.1.2.3.8.
6.28.73.4
.........
1.53.98.6
.2.7.1.6.
.81...24.
7..4.2..1
"""
LINE = "2..1.5..3.54...71..1.2.3.8.6.28.73.4.........1.53.98.6.2.7.1.6..81...24.7..4.2..1"
PUZZLE = parse("sudoku", LINE)


def test_a_real_sdk() -> None:
    assert formats.sniff(formats.Source(SDK.encode())) == "sdk"
    reading = formats.decode(SDK)
    assert reading.puzzles == (PUZZLE,)
    assert reading.puzzles[0].about == About("A random puzzle created by SudoCue", "Ruud")
    left_out = "the comment, the date, the source, the level and the address"
    assert reading.notes == (f"left out: {left_out}",)
    assert str(check(reading.puzzles[0]).verdict) == "unique"
    rows = "\n".join(SDK.splitlines()[7:]) + "\n"
    assert formats.encode(PUZZLE, "sdk").text == rows
    written = formats.encode(reading.puzzles, "sdk").text
    assert written == f"#ARuud\n#DA random puzzle created by SudoCue\n{rows}"


def test_sections_of_an_sdk() -> None:
    text = "[Puzzle]\n" + "\n".join(SDK.splitlines()[7:]) + "\n[State]\n" + "123456789\n" * 9
    reading = formats.decode(text, "sdk")
    assert reading.puzzles == (PUZZLE,)
    assert reading.notes == ("left out: the section [State]",)


def test_lines(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    formats.dump([PUZZLE, PUZZLE], file)
    assert file.read_text() == (LINE.replace(".", "0") + "\n") * 2
    assert formats.load(file) == [PUZZLE, PUZZLE]
    assert formats.decode(f"{LINE}\n\n# one more\n{LINE}").puzzles == (PUZZLE, PUZZLE)
    assert formats.encode([PUZZLE], "line").text == LINE + "\n"
    assert formats.decode("1...\n".strip() + "." * 12, "line").puzzles[0].clues() == {(1, 1): 1}
    sixteen = "ABCDEFG" + "." * 249
    assert list(formats.decode(sixteen, "line").puzzles[0].clues().values()) == [*range(10, 17)]


def test_options_hold_for_every_format() -> None:
    assert formats.decode("." * 36, "line").puzzles[0].to_json()["box"] == [2, 3]
    with pytest.raises(InputError, match="sudoku has no option 'colour'"):
        formats.decode("." * 36, "line", colour="red")


@pytest.mark.parametrize(
    ("text", "name", "message", "where"),
    [
        (LINE[:-1], "line", "80 characters are not square, but a 9x9 Sudoku has 81: 1 too few", "x:1:1"),
        ("1234", "line", "'3' is not a value of a 2x2", "x:1:3"),
        (f"{LINE}\n{LINE.replace('5', '!', 1)}", "line", "'!' is not a value", "x:2:6"),
        (SDK.replace("2..1.5..3", "2..1.5..x"), "sdk", r"'x' \(= 33\) is not a value", "x:8:9"),
        (SDK.replace("2..1.5..3\n", ""), "sdk", "row 1 has 9 characters, but there are 8 rows", "x:8:1"),
        ("#A me\n", "sdk", "no row", "x"),
        ("1" + "." * 728, "candidates", "r1c2 has no candidate", "x:1:10"),
        ("2" + "." * 728, "candidates", "r1c1: '2' where 1 or `.` is to stand", "x:1:1"),
        ("." * 700, "candidates", "700 characters, but", "x:1:1"),
    ],
)
def test_mistakes_have_their_place(text: str, name: str, message: str, where: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        formats.decode(text, name, file="x")
    assert str(caught.value.where) == where


def test_the_usual_boxes_only() -> None:
    puzzle = parse("sudoku", "box 3x2\n" + "......\n" * 6)
    for name in ("line", "sdm", "sdk", "candidates", "puzzlink"):
        with pytest.raises(UnsupportedError, match="cannot carry boxes of 3x2"):
            formats.encode(puzzle, name)
        written = formats.encode(puzzle, name, lossy=True)
        assert written.notes == (f"the format {name} does not carry boxes of 3x2: left out",)


def cells(*changed: tuple[int, str]) -> str:
    """Candidates of an empty 9x9, but for some cells, counted from 0."""
    held = ["123456789"] * 81
    for at, marks in changed:
        held[at] = marks
    return "".join(held)


def test_candidates() -> None:
    assert formats.sniff(formats.Source(cells().encode())) == "candidates"
    clue = (0, "...4.....")
    assert formats.decode(cells(clue)).puzzles[0].clues() == {(1, 1): 4}
    # What the clue rules out of its row, column and box may be there or not.
    seen = [(at, "123.56789") for at in (1, 8, 9, 72, 20)]
    reading = formats.decode(cells(clue, *seen))
    assert reading.puzzles == formats.decode(cells(clue)).puzzles
    assert reading.notes == ()


def test_candidates_that_no_clue_rules_out() -> None:
    text = cells((0, "...4....."), (40, "123.56789"), (1, "12..56789"))
    with pytest.raises(UnsupportedError, match=r"were taken away, from 2 cells \(r1c2"):
        formats.decode(text)
    reading = formats.decode(text, lossy=True)
    assert reading.puzzles[0].clues() == {(1, 1): 4}
    assert "from 2 cells" in reading.notes[0]
