"""Links: puzz.link, f-puzzles and SudokuPad. Real ones, read and solved; variants, refused by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from shared_data import kept_rows

from bridge import check
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles import formats
from bridge.puzzles.formats import lzstring
from bridge.puzzles.formats.lzstring import compress, decompress
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.about import About

#: pzprjs, test/script/sudoku.js (4x4); penpa-edit's test of puzz.link (4x4, 6x6, 9x9); puzzlekit's examples (the last).
PUZZLINK = [
    "4/4/g1k23k3g", "4/4/g2j1h1j3g", "4/4/i1g2j4g3i", "6/6/61j3g2j4g3j5g4j6g5j12", "6/6/g3h2g5j6h1l4h6j3g5g6h",
    "9/9/15i96l17i7g65i42k1g5368h2i7g2p3h5g48g2g9k3h7i6", "9/9/91h8h343m5i1g3k1i3h5i9i8h7i5k7g5i6m787h4h26",
    "9/9/k13m27h476h39h825zg841h29h538h18m96k",
]  # fmt: skip

#: From the README of sudoku-formats: an empty 9x9 but for a 1 in the corner.
FPUZZLES = (
    "N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3vyGCRfALrJCwgTOlyJU0XKVKFsles1c1yrRu2S9R+Yd1nVp/"
    "Vdk7r58WK5A"
)
#: From a test of dclamage/SudokuSolver: a puzzle with killer cages.
KILLER = (
    "N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3PgIm9hk0UM6zR4rssX0QAawgAbLTAwBjAIZo48QiH0wdYf"
    "CABKARgDCDkKjsAmFyDUA3Q1oArqYgiCAUFlZaNmb2zh5ucU4AzImeTgnuXqnuyRk+qP5BIcmpRGqG+gAuEL4wTgD2AHZgVRiGEE1VMXggANLauhgABE"
    "7GcLREQA="
)
ADDRESS = "https://www.f-puzzles.com/?load="
PROBLEM = parse("sudoku", "...57..3.1......2.7...234......8...4..7..4...49....6.5.42...3.....7..9....18.....")


@pytest.mark.parametrize("rest", PUZZLINK)
def test_real_links_of_puzz_link(rest: str) -> None:
    link = f"https://puzz.link/p?sudoku/{rest}"
    assert formats.sniff(formats.Source(link.encode())) == "puzzlink"
    (puzzle,) = formats.decode(link).puzzles
    assert str(check(puzzle).verdict) == "unique"
    assert formats.encode(puzzle, "puzzlink").text.strip() == link
    assert formats.decode(f"http://pzv.jp/p.html?sudoku/{rest}").puzzles == (puzzle,)
    assert formats.decode(f"https://puzz.link/p?sudoku_edit/{rest}").puzzles == (puzzle,)


def test_a_slash_at_the_end_of_a_link_has_no_meaning() -> None:
    for link in ("https://puzz.link/p?lightup/6/6/nekcakbl", f"https://puzz.link/p?sudoku/{PUZZLINK[0]}"):
        assert formats.decode(f"{link}/").puzzles == formats.decode(link).puzzles


@pytest.mark.parametrize(
    ("link", "error", "message", "column"),
    [
        ("https://puzz.link/p?nurikabe/5/5/abc", UnsupportedError, "kind 'nurikabe'", 21),
        ("https://puzz.link/p?sudoku/v:/9/9/abc", UnsupportedError, "variant 'v:'", 1),
        ("https://puzz.link/p?sudoku/9/8/g", InputError, "not square", 21),
        ("https://puzz.link/p?sudoku/4/4/gag", InputError, "10 is not a value of a Sudoku of size 4", 33),
        ("https://puzz.link/p?sudoku/4/4/g!g", InputError, "'!' has no meaning", 33),
        ("https://puzz.link/p?sudoku/4/4/zz", InputError, "'z' is left over", 33),
        ("https://puzz.link/p?sudoku/8/8/g1", UnsupportedError, "size 8, whose boxes", 1),
        ("https://example.org/", InputError, "not a link of puzz.link", 1),
    ],
)
def test_wrong_links_of_puzz_link(link: str, error: type[Exception], message: str, column: int) -> None:
    with pytest.raises(error, match=message) as caught:
        formats.decode(link, "puzzlink")
    assert caught.value.where.column == column  # type: ignore[attr-defined]


def test_lz_string() -> None:
    """Texts as the original packs them: from its documentation, and from tests of sudoku-formats."""
    for text, packed in [("Hello, World!", "BIUwNmD2A0AEDqkBOYAmBCIA"), ('{"x":3}', "N4IgHiBcDMC+Q==="), ("", "Q===")]:
        assert decompress(packed) == text
        assert compress(text) == packed
    for packed in (FPUZZLES, KILLER):
        assert compress(decompress(packed)).rstrip("=") == packed.rstrip("=")
    text = "aățü€☃\U0001f600" * 300
    assert decompress(compress(text)) == text
    for wrong, message in [("", "cut short"), ("N4Ig", "cut short"), ("N4I!", "not base64"), ("////", "lz-string")]:
        with pytest.raises(InputError, match=message):
            decompress(wrong)


def test_a_small_link_does_not_unpack_to_a_giant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lzstring, "LARGEST", 10_000)
    packed = compress("a" * 20_000)
    assert len(packed) < 500
    with pytest.raises(InputError, match="unpacks to more than 10,000"):
        decompress(packed)
    with pytest.raises(InputError, match="131,073 characters are packed: no link of a puzzle is that long"):
        decompress("N" * 131_073)


@pytest.mark.parametrize(
    "form",
    [ADDRESS + "{}", "https://f-puzzles.com/?load={}", "https://sudokupad.app/fpuz{}", "fpuzzles{}", "{}",
     "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{}"],
)  # fmt: skip
def test_real_links_of_f_puzzles(form: str) -> None:
    text = form.format(FPUZZLES)
    assert formats.sniff(formats.Source(text.encode())) == "fpuzzles"
    reading = formats.decode(text)
    assert reading.notes == ()
    assert reading.puzzles[0].clues() == {(1, 1): 1}
    if form.endswith("load={}") and "www" in form:
        assert formats.encode(reading.puzzles, "fpuzzles").text.strip().rstrip("=") == text


@pytest.mark.parametrize("name", ["fpuzzles", "sudokupad"])
@pytest.mark.parametrize(
    "text", ["." * 81, "box 3x2\n" + "......\n" * 6, "." * 16, "box 2x8\n" + (". " * 16 + "\n") * 16]
)
def test_boxes_of_any_shape_go_as_regions(name: str, text: str) -> None:
    puzzle = parse("sudoku", text)
    assert formats.decode(formats.encode(puzzle, name).data, name).puzzles == (puzzle,)


def packed(**more: object) -> str:
    import json

    data = json.loads(decompress(FPUZZLES)) | more
    return ADDRESS + compress(json.dumps(data))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"diagonal+": True, "diagonal-": True}, r"variant X \(a diagonal\) is not"),
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "9"}]}, r"killer \(cages\)"),
        ({"thermometer": [{"lines": [["R1C1", "R1C2"]]}], "antiknight": True}, "variant thermo and anti-knight"),
        ({"line": [{"lines": [["R1C1", "R1C2"]]}]}, "drawn lines"),
        ({"somethingNew": 1}, "variant somethingNew"),
        ({"grid": [[{"region": (r + c) % 4} for c in range(4)] for r in range(4)]}, "variant jigsaw"),
        ({"grid": [[{"given": True, "value": 1, "cage": 3} for _ in range(4)] for _ in range(4)]}, "cage in r1c1"),
    ],
)
def test_variants_of_f_puzzles_are_refused_by_name(more: dict[str, object], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        formats.decode(packed(**more), puzzle="sudoku")


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"line": [{"lines": [["R1C1", "R1C2"]]}]}, UnsupportedError, "drawn lines"),
        ({"somethingNew": 1, "antiknight": True}, UnsupportedError, "variant somethingNew"),
        ({"betweenline": [{"lines": [["R1C1", "R1C2"]]}]}, UnsupportedError, "between lines"),
        ({"arrow": [{"cells": ["R1C1", "R1C2"], "lines": [["R1C1", "R2C1"]]}]}, UnsupportedError, "several cells"),
        ({"negative": ["ratio"], "ratio": [{"cells": ["R1C1", "R1C2"], "value": "3"}]}, UnsupportedError, "of ratio"),
        ({"thermometer": [{"lines": [["R1C1", "R1C10"]]}]}, InputError, "about no cell"),
        ({"thermometer": [{"lines": [["R1C1", "R1Cx"]]}]}, InputError, "'R1Cx' is not a cell"),
        ({"thermometer": 5}, InputError, "not a list of constraints"),
        ({"thermometer": [{}]}, InputError, "without lines"),
        ({"killercage": [{"cells": [], "value": "9"}]}, InputError, "not a list of cells"),
        ({"killercage": [{"cells": ["R1C1"], "value": "nine"}]}, InputError, "'nine' is not a number"),
        ({"difference": [{"cells": ["R1C1"], "value": ""}]}, InputError, "between two cells"),
        ({"difference": [{"cells": ["R1C1", "R3C1"]}]}, InputError, "side by side"),
        ({"xv": [{"cells": ["R1C1", "R2C1"], "value": "L"}]}, InputError, "neither X nor V"),
        ({"littlekillersum": [{"cell": "R0C1", "direction": "D", "value": "9"}]}, InputError, "not a direction"),
        ({"sandwichsum": [{"cell": "R10C1", "value": "9"}]}, InputError, "not outside the grid"),
    ],
)
def test_constraints_of_f_puzzles_that_cannot_be_read(
    more: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        formats.decode(packed(**more))


def test_a_real_killer() -> None:
    with pytest.raises(UnsupportedError, match=r"killer \(cages\)"):
        formats.decode(ADDRESS + KILLER, puzzle="sudoku")
    (puzzle,) = formats.decode(ADDRESS + KILLER).puzzles
    assert puzzle.kind == "killer"
    assert formats.decode(ADDRESS + KILLER, puzzle="variant-sudoku").puzzles[0].facts == puzzle.facts
    assert sum(fact.startswith("sum(") for fact in puzzle.to_json()["facts"]) == 2
    for name in ("fpuzzles", "sudokupad"):
        assert formats.decode(formats.encode(puzzle, name).data, name).puzzles == (puzzle,)


def test_all_constraints_of_f_puzzles_come_back() -> None:
    lines = [{"lines": [["R1C1", "R1C2"], ["R3C3", "R4C4", "R5C5"]]}]
    pair = [{"cells": ["R1C1", "R1C2"], "value": ""}]
    more = {
        "diagonal+": True, "antiknight": True, "antiking": True, "disjointgroups": True, "nonconsecutive": True,
        "negative": ["ratio", "xv"], "thermometer": lines, "renban": lines, "difference": pair, "ratio": pair,
        "xv": [{"cells": ["R5C1", "R5C2"], "value": "x"}, {"cells": ["R5C2", "R5C3"], "value": "V"}],
        "even": [{"cell": "R9C9"}], "odd": [{"cell": "R9C8"}], "extraregion": [{"cells": ["R2C2", "R3C3"]}],
        "killercage": [{"cells": ["R7C1", "R7C2"], "value": "9"}, {"cells": ["R8C1", "R8C2"]}],
        "arrow": [{"cells": ["R1C9"], "lines": [["R1C9", "R2C9", "R3C9"], ["R1C9", "R1C8"]]}],
        "littlekillersum": [{"cell": "R0C1", "direction": "DR", "value": "41"}],
        "sandwichsum": [{"cell": "R0C1", "value": "10"}, {"cell": "R3C0", "value": "0"}],
        "grid": [[{"region": (r + c) % 9} for c in range(9)] for r in range(9)],
    }  # fmt: skip
    (puzzle,) = formats.decode(packed(**more)).puzzles
    facts = puzzle.to_json()["facts"]
    assert {"arrow(1,3,3,9)", "arrow(2,2,1,8)", "cage(8,1,k1)", "cage(2,2,x1)", "cage(7,1,1)", "sum(1,9)"} <= {*facts}
    assert {'rule("diagonal+")', "rule(kropki)", "little(41,1,2,se)", "sandwich(row,3,0)"} <= {*facts}
    assert {"difference(1,1,1,1,2)", "ratio(2,1,1,1,2)", "total(10,5,1,5,2)", "total(5,5,2,5,3)"} <= {*facts}
    assert sum(fact.startswith("region(") for fact in facts) == 81
    for name in ("fpuzzles", "sudokupad"):
        again = formats.decode(formats.encode(puzzle, name).data, name).puzzles[0]
        assert len(again.to_json()["facts"]) == len(facts)
        assert formats.encode(again, name).text == formats.encode(puzzle, name).text


def test_what_a_link_of_f_puzzles_cannot_hold() -> None:
    puzzle = parse("variant-sudoku", ". . . .\n" * 4 + "total: 6 r1c1 r1c2\n")
    with pytest.raises(UnsupportedError, match="the sum 6 of two cells"):
        formats.encode(puzzle, "fpuzzles")
    assert formats.encode(puzzle, "fpuzzles", lossy=True).notes


def test_a_plain_sudoku_as_a_variant() -> None:
    for shape in ("box 3x2\n" + "......\n" * 6, "." * 81):
        link = formats.encode(parse("sudoku", shape), "fpuzzles").text
        (puzzle,) = formats.decode(link, puzzle="variant-sudoku").puzzles
        assert formats.encode(puzzle, "fpuzzles").text == link


def test_kakuros_of_puzz_link() -> None:
    """The link of pzprjs, test/script/kakuro.js."""
    link = "https://puzz.link/p?kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3"
    (puzzle,) = formats.decode(link).puzzles
    assert str(check(puzzle).verdict) == "unique"
    assert formats.encode(puzzle, "puzzlink").text.strip() == link
    for wrong, message in [
        ("48la0.na0lh3l0Bn.0cl.c4a", "cut short"),
        ("48la0.na0lh3l0Bn.0cl.c4a33", "'3' is left over"),
        ("48la0.na0lh3l0Bn.0cl.c4a!", "'!' is not a sum"),
        ("48z", "17 cells, but 5 rows of 5 have 25"),
    ]:
        with pytest.raises(InputError, match=message):
            formats.decode(f"https://puzz.link/p?kakuro/5/5/{wrong}")
    with_clue = puzzle.with_clues({(2, 3): 5})
    with pytest.raises(UnsupportedError, match="given values"):
        formats.encode(with_clue, "puzzlink")
    assert formats.encode(with_clue, "puzzlink", lossy=True).text.strip() == link


def test_what_f_puzzles_says_beside() -> None:
    cells: list[list[dict[str, object]]] = [[{} for _ in range(4)] for _ in range(4)]
    cells[0][0] = {"value": 3, "given": True, "c": "#fff"}
    cells[1][1] = {"value": 2, "centerPencilMarks": [1, 2]}
    reading = formats.decode(packed(grid=cells, negative=[], title="T", ruleset="Normal rules. Cells on a line rise."))
    assert reading.puzzles[0].clues() == {(1, 1): 3}
    assert reading.notes == (
        "left out: colours, pencil marks and values that a player has entered",
        "its rules in words were not looked at: 'Normal rules. Cells on a line rise.'",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ADDRESS + FPUZZLES[:40], "cut short"),
        (ADDRESS + compress("hello, world"), "not JSON"),
        (ADDRESS + compress("[1, 2]"), "it has no grid"),
        ("https://example.org/", "not a link of f-puzzles"),
    ],
)
def test_broken_links_of_f_puzzles(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        formats.decode(f"# a link\n{text}", "fpuzzles", file="links.txt")
    assert str(caught.value.where).startswith("links.txt:2:")


#: As SudokuPad shortens a puzzle: names without quotes, nothing for `{}`, single quotes, `t` for true.
SHORT = (
    "{id:'x1',metadata:{title:'It\\'s \"easy\"',solved:t},ce:[[{v:1},,,],[,,{v:'4'},],[,,,],[,,,{v:3}]],"
    "re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"
    "ca:[{v:'author: me'}]CAGE}"
)


def pad(cage: str = "", form: str = "https://sudokupad.app/scl{}") -> str:
    return form.format(compress(SHORT.replace("CAGE", cage)))


@pytest.mark.parametrize(
    "form", ["https://sudokupad.app/scl{}", "scl{}", "ctc{}", "https://sudokupad.app/?puzzleid=scl{}"]
)
def test_sudokupads_own_links(form: str) -> None:
    text = pad(form=form)
    assert formats.sniff(formats.Source(text.encode())) == "sudokupad"
    reading = formats.decode(text)
    assert reading.puzzles[0].to_json()["box"] == [2, 2]
    assert reading.puzzles[0].clues() == {(1, 1): 1, (2, 3): 4, (4, 4): 3}
    assert reading.puzzles[0].about == About('It\'s "easy"', "me")
    assert reading.notes == ("left out: metadata",)  # that it is solved


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        (",l:[{wp:[[0,0],[1,1]],c:34BBE6,th:2}]", UnsupportedError, "drawn lines"),
        (",a:[{wp:[[0,0],[1,1]]}],o:[{ct:[1,1]}]", UnsupportedError, "drawn arrows and drawings"),
        (",foglight:[[0,0]]", UnsupportedError, "foglight"),
    ],
)
def test_what_sudokupad_draws_is_refused(more: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        formats.decode(pad(more))


def test_sudokupads_cages_and_regions() -> None:
    text = SHORT.replace("CAGE", "")
    cages = "scl" + compress(text.replace("{v:'author: me'}", "{ce:[[0,0],[0,1]],v:3},{ce:[[2,0],[3,0]]}"))
    jigsaw = "scl" + compress(text.replace("[0,1],[1,0]", "[0,2],[1,0]").replace("[[0,2]", "[[0,1]"))
    for link, message in ((cages, "killer"), (jigsaw, "jigsaw")):
        with pytest.raises(UnsupportedError, match=message):
            formats.decode(link, puzzle="sudoku")
    reading = formats.decode(cages)
    assert set(reading.puzzles[0].to_json()["facts"]) == {
        "cage(1,1,1)", "cage(1,2,1)", "sum(1,3)", "cage(3,1,k2)", "cage(4,1,k2)",
    }  # fmt: skip
    assert "read as those of a killer Sudoku" in reading.notes[-1]
    assert "region(1,3,a)" in formats.decode(jigsaw).puzzles[0].to_json()["facts"]
    with pytest.raises(UnsupportedError, match="'SUM' in its corner"):
        formats.decode("scl" + compress(text.replace("{v:'author: me'}", "{ce:[[0,0],[0,1]],v:SUM}")))
    with pytest.raises(UnsupportedError, match="short form of givens"):
        formats.decode("https://sudokupad.app/scf1A2B3C")
    link = formats.encode(PROBLEM, "sudokupad").text
    assert set("+/=") & set(formats.encode(PROBLEM, "fpuzzles").text.partition("load=")[2])
    assert not set("+/=") & set(link.partition("fpuz")[2])  # it is part of a path
    with pytest.raises(UnsupportedError, match="only names a puzzle"):
        formats.decode("https://sudokupad.app/wsj7iunsg6")
    for wrong, message in [
        ("[1", "breaks off"),
        ("[" * 99, "too deeply"),
        ("{'a'}", "a name is expected"),
        ("7", "no cells"),
    ]:
        with pytest.raises(InputError, match=message):
            formats.decode("scl" + compress(wrong + " " * 20))


def test_a_link_through_all_of_them() -> None:
    for name in ("puzzlink", "fpuzzles", "sudokupad", "solo"):
        assert formats.decode(formats.encode(PROBLEM, name).data).puzzles == (PROBLEM,)


#: pzprjs, test/script: the example of each script.
OF_FILES = {
    "akari": "lightup/6/6/nekcakbl",
    "hitori": "hitori/4/4/1114142333214213",
    "nonogram": "nonogram/6/6/12g1111h11112j12g11g21j11g3h",
    "skyscrapers": "skyscrapers/4/4/k13h4j3g",
    "slitherlink": "slither/5/5/cbcbcddad",
    "star-battle": "starbattle/6/6/1/4ilbhgdnmhou",
}


@pytest.mark.parametrize("kind", OF_FILES)
def test_links_of_kinds_that_are_files(kind: str) -> None:
    link = f"https://puzz.link/p?{OF_FILES[kind]}"
    (puzzle,) = formats.decode(link).puzzles
    assert puzzle.kind == kind
    assert str(check(puzzle).verdict) == "unique"
    assert formats.encode(puzzle, "puzzlink").text.strip() == link
    with pytest.raises(InputError, match="this is a link"):
        parse(kind, link)


RIGHT = [row for row in kept_rows("failcheck") if row["code"] is None and row["instance"]["puzzle"] in OF_FILES]
KEPT = [row for kind in ("akari", "hitori", "nonogram", "star_battle") for row in kept_rows(kind)]


@pytest.mark.slow
@pytest.mark.parametrize("row", [*RIGHT, *KEPT], ids=lambda row: str(row["id"]))
def test_links_keep_instances(row: dict[str, Any]) -> None:
    puzzle = parse(row["instance"]["puzzle"], json.dumps(row["instance"]))
    link = formats.encode(puzzle, "puzzlink", lossy=True).text
    (again,) = formats.decode(link).puzzles
    assert formats.encode(again, "puzzlink").text == link
    if puzzle.kind != "star-battle":  # where regions get other names
        assert again == puzzle.with_clues(again.clues())
    assert again.violations(tuple(map(tuple, row["solution"] if "solution" in row else row["answer"]))) == []


@pytest.mark.parametrize(
    ("rest", "message", "column"),
    [
        ("lightup/2/2/f", "'f' has no meaning", 33),
        ("lightup/2/2/z3", "'3' is left over", 34),
        ("lightup/2/2/g33333", "'33' is left over", 37),
        ("slither/2/2/!", "'!' has no meaning", 33),
        ("hitori/2/2/1-1", "'1' has no meaning", 34),
        ("nonogram/2/2/-1", "'1' has no meaning", 35),
        ("starbattle/4/4/x/00000", "the number of stars", 36),
        ("starbattle/4/4/1/00", "the link ends too early", 40),
        ("skyscrapers/2/2/5", "5 of 2 buildings cannot be seen", 1),
    ],
)
def test_wrong_links_of_kinds_that_are_files(rest: str, message: str, column: int) -> None:
    with pytest.raises(InputError, match=message) as caught:
        formats.decode(f"https://puzz.link/p?{rest}")
    assert caught.value.where is not None
    assert caught.value.where.column == column


def test_what_a_link_does_not_carry() -> None:
    for kind, text, message in [
        ("star-battle", "a b\nb a", "regions whose cells hang together"),
        ("star-battle", "a .\na a", "a region for every cell"),
        ("nonogram", ". .\n\nrows: 1, 1", "numbers for every row and column"),
        ("hitori", "a b\nb a", "numbers, not"),
    ]:
        with pytest.raises(UnsupportedError, match=message):
            formats.encode(parse(kind, text), "puzzlink")
    given = parse("akari", ". 1\n. .\n\nclue: r1c1=1")
    assert formats.codec("puzzlink").lost(given) == ["given values"]
