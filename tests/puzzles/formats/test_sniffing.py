"""Which format is it? By the name, by how it looks, or a question back."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.errors import InputError, UnsupportedError
from bridge.puzzles import formats
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.registry import is_kind

LINE = "...57..3.1......2.7...234......8...4..7..4...49....6.5.42...3.....7..9....18....."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LINE, "line"),
        ("# a comment\n\n" + LINE, "line"),
        ("5 3 . .\n", "text"),
        ('{"puzzle": "takuzu", "grid": [[0, null]]}', "json"),
        ('[{"puzzle": "takuzu",\n "grid": [[0, null]]}]', "json"),
        ('{"grid": [[0]]}\n{"grid": [[1]]}\n', "jsonl"),
        ('{"version": "http://ipuz.org/v2", "kind": []}', "ipuz"),
        ("4\n0 2 2 1\n2 2 2 2\n2 2 2 2\n2 2 2 2\n", "course"),
        ("clue(1, 2, 3).\n", "lp"),
        ("% lpbridge: takuzu\n#const rows = 4. [override]\n", "lp"),
        ("puzzle(sudoku, [[_]], []).", "pl"),
        ("2x2:p", "solo"),
        ("6x6:" + "a" * 37, "unruly"),
        ("4:a0,", "unequal"),
        ("", "text"),
        ("\0\1\2", "text"),
    ],
)
def test_how_it_looks(text: str, name: str) -> None:
    assert formats.sniff(formats.Source(text.encode())) == name
    assert formats.sniff(formats.Source(b"\xef\xbb\xbf" + text.encode())) == name


def test_the_name_comes_first() -> None:
    assert formats.sniff(formats.Source(LINE.encode(), "many.sdm")) == "sdm"
    assert formats.sniff(formats.Source(LINE.encode(), "many.SDM")) == "sdm"
    assert formats.sniff(formats.Source(LINE.encode(), "many.txt")) == "line"
    for suffix, name in formats.SUFFIXES.items():
        assert suffix in formats.codec(name).suffixes
    told = {suffix for name in formats.names() for suffix in formats.codec(name).suffixes}
    assert told == formats.SUFFIXES.keys()


def test_what_looks_like_several_is_asked_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(formats.codec("solo")), "sniff", lambda self, source: True)
    with pytest.raises(InputError, match=r"x: this looks like line and like solo; say which format it is"):
        formats.sniff(formats.Source(LINE.encode(), "x"))


def test_which_puzzle_a_text_is() -> None:
    assert formats.decode("lines repeat\n....\n....\n", "text").puzzles[0].kind == "takuzu"
    assert formats.decode(". < .\n. .\n", "text").puzzles[0].kind == "futoshiki"
    with pytest.raises(InputError, match="this may be a sudoku or a latin-square or a futoshiki or a magic-square"):
        formats.decode("1 2 3 4\n. . . .\n. . . .\n. . . .", "text")
    with pytest.raises(InputError, match="the text of no puzzle here"):
        formats.decode("hello world", "text")
    with pytest.raises(InputError, match="this is JSON"):
        formats.decode("{}", "text")
    assert formats.decode(LINE).puzzles == formats.decode(LINE, "text").puzzles == (parse("sudoku", LINE),)


def test_wrong_calls(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no format 'xls'; one of: text, json"):
        formats.decode("", "xls")
    with pytest.raises(InputError, match="no such file"):
        formats.load(tmp_path / "nothing.sdk")
    with pytest.raises(InputError, match=r"the name does not determine the format; name it \(--to\)"):
        formats.dump(parse("sudoku", LINE), tmp_path / "x.docx")
    with pytest.raises(InputError, match="No such file or directory"):
        formats.dump(parse("sudoku", LINE), tmp_path / "nowhere" / "x.sdk")
    with pytest.raises(InputError, match="no puzzle to be written"):
        formats.encode([], "json")
    with pytest.raises(InputError, match="looks like the format solo, which has no takuzu"):
        formats.decode("2x2:p", puzzle="takuzu")
    with pytest.raises(InputError, match="not UTF-8"):
        formats.decode("\ud800", "line")
    with pytest.raises(InputError, match="not UTF-8"):
        formats.decode(b"\xff\xfe", "line")


def test_json_says_what_is_wrong() -> None:
    with pytest.raises(InputError, match=r"x\.json:2:1: not JSON"):
        formats.decode('{"grid":\n', "json", file="x.json")
    with pytest.raises(InputError, match=r"x\.jsonl:2:3: not JSON"):
        formats.decode('{"puzzle": "takuzu", "grid": [[0]]}\n {a}', "jsonl", file="x.jsonl")
    with pytest.raises(InputError, match="`puzzle` is missing"):
        formats.decode('{"grid": [[1]]}')
    with pytest.raises(UnsupportedError, match="a puzzle 'chess' is not supported"):
        formats.decode('{"puzzle": "chess", "grid": [[1]]}')
    with pytest.raises(InputError, match="this is a takuzu, not a sudoku"):
        formats.decode('{"puzzle": "takuzu", "grid": [[1]]}', puzzle="sudoku")
    assert formats.decode('{"grid": [[1]]}', puzzle="takuzu").puzzles[0].kind == "takuzu"
    with pytest.raises(InputError, match="nested too deeply"):
        formats.decode("[" * 100_000 + '"grid"', "json")


def test_the_table() -> None:
    for name in formats.names():
        codec = formats.codec(name)
        assert codec.name == name
        assert codec.title
        assert codec.carries.endswith(".")
        assert all(map(is_kind, codec.kinds))
