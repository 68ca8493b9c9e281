"""Game IDs of Simon Tatham's collection for kinds that are files, and Solo's variants.

The IDs of `MADE` were made by the collection's own generators (MIT licence), which also accept what is written here.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge import check
from bridge.errors import InputError, UnsupportedError
from bridge.puzzles import formats
from bridge.puzzles.formats.game_ids import divided, divisions, regions_of
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.registry import is_kind
from bridge.puzzles.kinds.text import Place, Token

MADE = [
    ("towers", "skyscrapers", "5:3/1/3/2/3/2/3/2/2/1/2/3/2/1/3/3/2/2/5/1"),
    ("towers", "skyscrapers", "6:/3/2///3///2///2////3/3//4///2//4,o3e1n"),
    ("keen", "kenken", "5:_a_10a_3cba3_a4_,d2m10s1m5a5s2m15s3d2a10a8"),
    ("keen", "kenken", "6:__aa__a3__a3_aa_ca_a_4a_a_6a__aa_,a5s3a8d2m10s1d3m24m48m6s3s1a5d3s3a13"),
    ("loopy", "slitherlink", "7x7t0:g2a30a21b212a3d22a21a2b2c13b3a3a21a"),
    ("loopy", "slitherlink", "10x8t0:3a2a2b223a31c2b1c31c3a2g2a3a2b31112a2a1a2a3a2c3b2a0b3b2b21a"),
    ("lightup", "akari", "7x7:c0l1aBb0e1bBa3l2c"),
    ("lightup", "akari", "10x8:BaBgBbBcBa3bBb2d0f0d1fBd2bBb1a0cBbBg1aB"),
    ("pattern", "nonogram", "10x10:3/3.2/6/9/3.2/4.2/6/3/2.2/3/1.1/2.1.1/7/9/4.5/2.3.1/3.1/3/3/3"),
    ("singles", "hitori", "6x6:635365362156422665464613653243314324"),
    ("singles", "hitori", "10x8:126443258a85596782426455189768268a4683572672685aa85aa879513273aa8522698235254aa6"),
    (
        "solo",
        "variant-sudoku",
        "9j:6e7b5a4c6_3_1_8b7a3c9f8a3a1c8a6a3f2c4a6b3_4_5_9c1a7b8e5,"
        "dea_caaab_abbbab__dagkcb_baa____aabc_ac___cbb___abbaaca_",
    ),
    ("solo", "variant-sudoku", "3x3x:6_3a2b5b2a4_5f5_9_1d3f2b7b6a9b1b3f9d5_7_3f3_9a6b8b6a5_4"),
    ("solo", "variant-sudoku", "6jx:1a3j2c5_4c5j6a3,___b__b_c_c__a__o_b_aa_aa__a"),
    ("solo", "killer", "2x3k:zj,a__a___a____a_a_a_aa_aa_aa_bac_a_a___a__,9a3_8_7a7_9b9c7a8_10_7e5_16a8_9e4a"),
    (
        "solo",
        "variant-sudoku",
        "9jk:zzzc,bbcacaa_aba_baabb_ada_abcbcfgc_d_acabcd__a__a__aa_aadbb,"
        "aaa_aa__a________________aa_______________________a_____a_a_aaaaa_a_b__a_a__aaaaaba__bababaa_aa_aaaa,"
        "8a11a14a15_11a10_10a12_8b13_13a5_6b8_9b12b9_13b18b11d12_9a13_19_17_11a9b5d13b7a5a12b20_14a14a9g",
    ),
]


def needs(kind: str) -> None:
    if not is_kind(kind):
        pytest.skip(f"there is no kind {kind} here")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind", "text"), MADE)
def test_ids_of_the_collection(name: str, kind: str, text: str) -> None:
    needs(kind)
    assert formats.sniff(formats.Source(text.encode())) == name
    (puzzle,) = formats.decode(text).puzzles
    assert puzzle.kind == kind
    assert str(check(puzzle).verdict) == "unique"
    written = formats.encode([puzzle], name)
    assert (written.text.strip(), written.notes) == (text, ())
    game = {"lightup": "Light Up"}.get(name, name.capitalize())
    parameters, _, description = text.partition(":")
    saved = f"SAVEFILE:4:x\nGAME    :4:{game}\nPARAMS  :3:{parameters}\nDESC    :9:{description}\n"
    assert formats.decode(saved, "sav").puzzles == (puzzle,)
    page = f"https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/{name}.html#{text}"
    assert formats.decode(page).puzzles == (puzzle,)


def test_boxes_that_are_not_the_usual_ones_are_regions() -> None:
    text = "3x2xk:zj,a__b__aba_ab__cb_a____aa__b_a____a___a,9a5_11_3a6c8a8_6b10b8_11a6c18a17g"
    (puzzle,) = formats.decode(text).puzzles
    assert sorted(map(sorted, regions_of(puzzle, "region").values()))[0] == [(r, c) for r in (1, 2, 3) for c in (1, 2)]
    assert str(check(puzzle).verdict) == "unique"
    again = formats.encode([puzzle], "solo").text
    assert again.startswith("6jxk:")
    assert formats.encode(formats.decode(again).puzzles, "solo").text == again


def test_a_killer_may_be_asked_for_as_a_variant() -> None:
    text = next(text for _, kind, text in MADE if kind == "killer")
    (puzzle,) = formats.decode(text, puzzle="variant-sudoku").puzzles
    assert puzzle.kind == "variant-sudoku"
    with pytest.raises(InputError, match="this is a killer, not a sudoku"):
        formats.decode(text, puzzle="sudoku")


# Round trips of any instance


def _same(one: Puzzle, other: Puzzle, *zones: str) -> None:
    """The same instance, whatever its regions are called."""

    def plain(puzzle: Puzzle) -> tuple[object, ...]:
        first = {name: {zone: min(cells) for zone, cells in regions_of(puzzle, name).items()} for name in zones}
        of = {"sum": "cage", "result": "cage"}
        assert isinstance(puzzle, FilePuzzle)
        facts = sorted(
            (name, tuple(str(first.get(of.get(name, name), {}).get(one, one)) for one in row))
            for name, row in puzzle.atoms
        )
        return puzzle.kind, puzzle.grid, facts

    assert plain(one) == plain(other)


def made(kind: str, grid: list[list[int | None]] | None, facts: list[str], **constants: int) -> Puzzle:
    data = {"puzzle": kind, "facts": facts, "constants": constants}
    return parse(kind, json.dumps(data if grid is None else {**data, "grid": grid}))


def _there_and_back(name: str, puzzle: Puzzle, *zones: str) -> None:
    written = formats.encode([puzzle], name)
    assert written.notes == ()
    (again,) = formats.decode(written.text, name).puzzles
    _same(again, puzzle, *zones)
    assert formats.encode([again], name).text == written.text
    assert formats.sniff(formats.Source(written.data)) == name


def grids(draw: st.DrawFn, height: int, width: int, values: st.SearchStrategy[int]) -> list[list[int | None]]:
    row = st.lists(st.none() | values, min_size=width, max_size=width)
    return draw(st.lists(row, min_size=height, max_size=height))


@st.composite
def zones_of(draw: st.DrawFn, size: int, least: int = 1) -> list[list[str]]:
    """Connected parts of a square: pieces of a path that goes through its rows to and fro."""
    path = [(r, c if r % 2 == 0 else size - 1 - c) for r in range(size) for c in range(size)]
    rows = [[""] * size for _ in range(size)]
    number = at = 0
    while at < len(path):
        length = draw(st.integers(least, min(size, 6)))
        length = length if len(path) - at - length >= least else len(path) - at
        for r, c in path[at : at + length]:
            rows[r][c] = f"k{number}"
        at, number = at + length, number + 1
    return rows


def zone_facts(name: str, rows: list[list[str]]) -> list[str]:
    return [f"{name}({r},{c},{zone})" for r, row in enumerate(rows, 1) for c, zone in enumerate(row, 1)]


few = settings(max_examples=15, deadline=None)


@given(data=st.data())
@few
def test_towers(data: st.DataObject) -> None:
    size = data.draw(st.integers(3, 9))
    sides = st.sampled_from(["left", "right", "top", "bottom"])
    sees = data.draw(st.dictionaries(st.tuples(sides, st.integers(1, size)), st.integers(1, size)))
    grid = data.draw(st.composite(grids)(size, size, st.integers(1, size)))
    _there_and_back("towers", made("skyscrapers", grid, [f"sees({s},{i},{n})" for (s, i), n in sees.items()]))


@given(data=st.data())
@few
def test_keen(data: st.DataObject) -> None:
    size = data.draw(st.integers(3, 9))
    cages = data.draw(zones_of(size))
    names = [name for row in cages for name in row]
    facts = zone_facts("cage", cages)
    for name in dict.fromkeys(names):
        number, count = data.draw(st.integers(1, 99)), names.count(name)
        sign = data.draw(st.sampled_from("+-*/" if count == 2 else "+*"))
        facts.append(f"result({name},{number})" if count == 1 else f'result({name},{number},"{sign}")')
    blank: list[list[int | None]] = [[None] * size for _ in range(size)]
    _there_and_back("keen", made("kenken", blank, facts), "cage")


@given(data=st.data())
@few
def test_loopy(data: st.DataObject) -> None:
    height, width = data.draw(st.integers(3, 12)), data.draw(st.integers(3, 12))
    numbers = data.draw(st.composite(grids)(height, width, st.integers(0, 4)))
    facts = [f"number({r},{c},{n})" for r, row in enumerate(numbers, 1) for c, n in enumerate(row, 1) if n is not None]
    _there_and_back("loopy", made("slitherlink", None, facts, rows=height, columns=width))


@given(data=st.data())
@few
def test_lightup(data: st.DataObject) -> None:
    needs("akari")
    height, width = data.draw(st.integers(2, 12)), data.draw(st.integers(2, 12))
    walls = data.draw(st.composite(grids)(height, width, st.integers(0, 5)))
    walls[0][0], walls[0][1] = 5, None
    facts = []
    for r, row in enumerate(walls, 1):
        facts += [f"number({r},{c},{n})" if n < 5 else f"wall({r},{c})" for c, n in enumerate(row, 1) if n is not None]
    blank: list[list[int | None]] = [[None] * width for _ in range(height)]
    puzzle = made("akari", blank, facts)
    (again,) = formats.decode(formats.encode([puzzle], "lightup").text, "lightup").puzzles
    _same(again, puzzle)


@given(data=st.data())
@few
def test_pattern(data: st.DataObject) -> None:
    needs("nonogram")
    height, width = data.draw(st.integers(2, 12)), data.draw(st.integers(1, 12))
    shaded = data.draw(
        st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=height, max_size=height)
    )

    def blocks(line: list[bool]) -> list[int]:
        text = "".join("#" if one else " " for one in line)
        return [len(block) for block in text.split()] or [0]

    facts = [f"across({r},{p},{n})" for r, row in enumerate(shaded, 1) for p, n in enumerate(blocks(row), 1)]
    columns = [list(column) for column in zip(*shaded, strict=True)]
    facts += [f"down({c},{p},{n})" for c, column in enumerate(columns, 1) for p, n in enumerate(blocks(column), 1)]
    known = data.draw(st.lists(st.booleans(), min_size=height * width, max_size=height * width))
    cells = iter(known)
    grid = [[int(one) if next(cells) else None for one in row] for row in shaded]
    _there_and_back("pattern", made("nonogram", grid, facts))


@given(data=st.data())
@few
def test_singles(data: st.DataObject) -> None:
    needs("hitori")
    height, width = data.draw(st.integers(2, 12)), data.draw(st.integers(2, 12))
    number = st.integers(1, max(height, width))
    facts = [f"number({r},{c},{data.draw(number)})" for r in range(1, height + 1) for c in range(1, width + 1)]
    blank: list[list[int | None]] = [[None] * width for _ in range(height)]
    puzzle = made("hitori", blank, facts)
    (again,) = formats.decode(formats.encode([puzzle], "singles").text, "singles").puzzles
    _same(again, puzzle)


@given(data=st.data())
@few
def test_solo(data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([4, 6, 8, 9]))
    facts = ["rule(diagonal)"] if (crossed := data.draw(st.booleans())) else []
    jigsaw = data.draw(st.booleans())
    if jigsaw:
        facts += zone_facts("region", [[f"z{r}"] * size for r in range(size)])
    if not (jigsaw or crossed) or data.draw(st.booleans()):
        cages = data.draw(zones_of(size, 2))
        facts += zone_facts("cage", cages)
        names = sorted({name for row in cages for name in row})
        facts += [f"sum({name},{data.draw(st.integers(3, 45))})" for name in names if data.draw(st.booleans())]
    grid = data.draw(st.composite(grids)(size, size, st.integers(1, size)))
    kind = "variant-sudoku" if jigsaw or crossed else "killer"
    _there_and_back("solo", made(kind, grid, facts), "region", "cage")


@pytest.mark.parametrize("special", [25, 26])
def test_long_runs_of_sides(special: int) -> None:
    """Letters of the games stand for at most 26 sides: one part alone, and rows alone."""
    for rows in ([["a"] * 9 for _ in range(9)], [[chr(97 + r)] * 9 for r in range(9)]):
        text = Token(divisions(rows, special), Place())
        assert divided(text, 9, special) == rows


# Mistakes, and what has no place in a game


@pytest.mark.parametrize(
    ("text", "name", "message", "column"),
    [
        ("4:1/2/3", "towers", "3 numbers outside, but a square of 4 has 16", 3),
        ("3:1/x//////////", "towers", "'x' is not a number outside", 5),
        ("3:///////////,5h", "towers", "5 is not a value of size 3", 15),
        ("3:///////////,h", "towers", "8 cells, but the grid has 9", 15),
        ("3:aaaaaaaa,a3", "keen", "more than 12 sides of cells, and there are 12", 3),
        ("3:a!,a3", "keen", "'!' divides no cells", 4),
        ("3:zzzzzz", "keen", "cages are followed by a comma", 3),
        ("3:__11_,a3a4", "keen", "2 results, but there are 9 cages", 9),
        ("3:__12,x", "keen", "'x' is not a result of a cage", 8),
        ("4x4t3:aaaa", "loopy", "a Loopy of type 3 is not a grid of squares", 1),
        ("4x4t0:a", "loopy", "1 cell, but the grid has 16", 7),
        ("2x1:1//1,Aaaa", "pattern", "4 cells, but the grid has 2", 10),
        ("9j:zzzc", "solo", "9j has 1 parts after the grid, not 0", 4),
        ("9:zzzc,ab", "solo", "81 is not read", 1),
        ("3x3x:zzzc,ab", "solo", "3x3x has 0 parts after the grid, not 1", 11),
        ("4j:p,___________________________", "solo", "sides of cells", 6),
        ("2x2k:p,a_a_a_a_aa_aa_aa_a_aa,3", "solo", "sides of cells", 8),
    ],
)
def test_mistakes_have_their_place(text: str, name: str, message: str, column: int) -> None:
    with pytest.raises((InputError, UnsupportedError), match=message) as caught:
        formats.decode(text, name)
    assert caught.value.where is not None
    assert caught.value.where.column == column


def test_a_loopy_of_other_tiles_is_refused_with_the_reason() -> None:
    with pytest.raises(UnsupportedError, match="a Loopy of type 2 is not a grid of squares"):
        formats.decode("10x10t2:a1b2222c3d")


BLANK4 = "....\n....\n....\n....\n"


@pytest.mark.parametrize(
    ("kind", "text", "name", "message"),
    [
        (
            "kenken",
            "1...\n....\n....\n....\n\ncages:\naabb\naabb\nccdd\nccdd\na: 7+\nb: 8+\nc: 9+\nd: 10+",
            "keen",
            "given values",
        ),
        (
            "kenken",
            f"{BLANK4}cages:\naabb\naabb\nccdd\nccd.\na: 7+\nb: 8+\nc: 9+\nd: 10+",
            "keen",
            "each cell is in a cage",
        ),
        ("kenken", f"{BLANK4}cages:\naabb\naabb\nccdd\nccdd\na: 7+\nb: 8+\nc: 9+", "keen", "and d has none"),
        ("kenken", f"{BLANK4}cages:\naabb\naabb\nccda\nccdd\na: 7+\nb: 8+\nc: 9+\nd: 3+", "keen", "those of a do not"),
        ("variant-sudoku", f"{BLANK4}rules: anti-knight diagonal", "solo", "cannot carry the rule anti-knight"),
        ("variant-sudoku", f"{BLANK4}rules: no-regions", "solo", "boxes or regions"),
        ("variant-sudoku", f"{BLANK4}thermo: r1c1 r1c2", "solo", "thermo/4"),
        ("killer", f"{BLANK4}cages:\naabb\naabb\nccdd\nccd.\na: 10", "solo", "each cell is in a cage"),
        ("killer", f"{BLANK4}cages:\naabb\naabb\nccdd\nccde\na: 10", "solo", "no cage of 1 cells"),
        ("slitherlink", "..\n..", "loopy", "no grid of 2 rows and 2 columns"),
    ],
)
def test_what_a_game_does_not_have(kind: str, text: str, name: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        formats.encode([parse(kind, text)], name)
