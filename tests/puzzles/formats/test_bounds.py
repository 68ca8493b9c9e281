"""Short texts that stand for very much, and texts that would take time with the square of their length."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from bridge.errors import BridgeError, InputError
from bridge.puzzles import formats
from bridge.puzzles.formats.lzstring import compress
from bridge.puzzles.kinds import parse_all

#: Seconds of the processor, which other jobs on the machine do not take: far more than any of these needs.
PATIENCE = 20.0

DIGITS = "9" * 5000  # Python makes no integer of so many
LINKS = {"fpuzzles": "https://www.f-puzzles.com/?load=", "sudokupad": "https://sudokupad.app/scl"}


def refused(data: str, format: str | None, puzzle: str | None = None) -> BridgeError:
    started = process_time()
    with pytest.raises(BridgeError) as raised:
        formats.decode(data, format, puzzle, file="bomb")
    assert process_time() - started < PATIENCE
    assert len(str(raised.value)) < 500
    return raised.value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("white(1..2236,1..2236).", "bomb:1:1", r"white\(1\.\.2236, 1\.\.2236\) stands for 4,999,696 facts: .* 65,536"),
        ("a(1).\nclue(1..70,1..70,1..70).", "bomb:2:1", "stands for 343,000 facts"),
        ("clue(1..4,1..4,1..4).\n" * 1100, "bomb:1025:1", "intervals may stand for 65,536"),
        ("clue(1..99999999,1,1).", "bomb:1:6", "1..99999999 is too long: 65,536"),
        ("clue(-99999999999999999..1,1,1).", "bomb:1:6", "too long"),
        ("white(1,1).\nwhite(2236,2236).", "bomb:2:1", "2,236 rows and 2,236 columns.*65,536 cells"),
        ("% lpbridge: crossword size=9999x9999\nwhite(1,1).", "bomb", "9,999 rows and 9,999 columns"),
        (f"clue({DIGITS},1,1).", "bomb:1:6", "too large a number"),
        (f"clue(1..{DIGITS},1,1).", "bomb:1:9", "too large a number"),
        ("a.\n" + "%*\n" * 200_000, "bomb:2:1", "comment that does not end"),
        ("clue(1" + "-1" * 5000 + ",1,1).", "bomb:1:133", "nested too deeply"),
        ("clue(1" + "..1" * 5000 + ",1,1).", "bomb:1:196", "nested too deeply"),
        ("clue(" + "f(" * 5000 + "1" + ")" * 5000 + ",1,1).", "bomb:1:134", "nested too deeply"),
    ],
)
def test_facts(text: str, place: str, message: str) -> None:
    error = refused(text, "lp", "crossword" if "white" in text else "sudoku")
    assert str(error.where) == place
    with pytest.raises(BridgeError, match=message):
        raise error


def test_facts_that_are_within_bounds() -> None:
    text = "white(1..40,1..40). " + " ".join(
        f'letter("{word}",{p},"{c}").' for word in ("ab", "ba") for p, c in enumerate(word, 1)
    )
    (puzzle,) = formats.decode(text, "lp").puzzles
    assert (len(puzzle.grid), len(puzzle.grid[0])) == (40, 40)
    (puzzle,) = formats.decode("%* a %\n*% #const n = 3. clue(1..3,1,1..1).", "lp", "magic-square").puzzles
    assert [row[0] for row in puzzle.grid] == [1, 1, 1]
    assert formats.decode("\n" * 300_000 + "#const n = 2.\nclue(1,1,1).", "lp", "latin-square").puzzles


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.\n" + "/*\n" * 200_000 + "puzzle(sudoku,[[_]],[]).", "comment that does not end"),
        ("puzzle(sudoku,[[1" + "-1" * 5000 + "]],[]).", "nested too deeply"),
        ("puzzle(sudoku," + "[" * 5000 + "1" + "]" * 5000 + ",[]).", "nested too deeply"),
        (f"puzzle(sudoku,[[{DIGITS}]],[]).", "too large a number"),
    ],
)
def test_prolog_facts(text: str, message: str) -> None:
    with pytest.raises(BridgeError, match=message):
        raise refused(text, "pl")


@pytest.mark.parametrize("format", ["json", "jsonl", "ipuz"])
def test_json(format: str) -> None:
    head = '{"kind":["http://ipuz.org/crossword#1"],"puzzle":' if format == "ipuz" else '{"puzzle":"sudoku","grid":'
    assert "integer of thousands of digits" in str(refused(f"{head}[[{DIGITS}]]}}", format))
    assert "nested too deeply" in str(refused(head + "[" * 200_000, format))
    for value in ("NaN", "Infinity", "-1e999", "[" * 500 + "]" * 500, '"' + "x" * 100_000 + '"', "9" * 4000):
        refused(f"{head}[[{value}]]}}", format)


def test_json_of_a_puzzle_that_is_said() -> None:
    with pytest.raises(InputError, match="thousands of digits"):
        parse_all("sudoku", f'{{"grid": [[{DIGITS}]]}}')
    with pytest.raises(InputError, match="nested too deeply"):
        parse_all("sudoku", "[" * 200_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "head", "body", "message"),
    [
        ("solo", "3x3:", "z", "26,000,000 cells, but the grid has 81"),
        ("unequal", "5:", "z", "cell of an Unequal|26000000 cells"),
        ("unruly", "8x8:", "z", "24999999 cells, but 8x8 has 64"),
        ("puzzlink", "https://puzz.link/p?sudoku/9/9/", "z", "is left over"),
    ],
)
def test_runs_of_cells(format: str, head: str, body: str, message: str) -> None:
    # The cells are counted, not made: this took gigabytes.
    with pytest.raises(InputError, match=message):
        raise refused(head + body * 1_000_000, format)
    with pytest.raises(InputError, match="no puzzle is that long"):
        raise refused(head + body * 1_100_000, format)
    game = {"solo": "Solo", "unequal": "Unequal", "unruly": "Unruly"}.get(format)
    if game:
        saved = f"SAVEFILE:4:Game\nGAME    :4:{game}\nPARAMS  :3:{head[:-1]}\nDESC    :9:{body * 1_100_000}\n"
        assert "too long for any puzzle" in str(refused(saved, "sav"))


@pytest.mark.slow
def test_a_text_of_no_kind_that_could_be_any() -> None:
    grid = ". " * 100 + "\n"
    assert "text of no puzzle" in str(refused(grid * 100, "text"))  # of the length of a grid: it is tried
    with pytest.raises(InputError, match="more than 65,536 characters, which may be any puzzle"):
        raise refused(".\n" * 50_000, "text")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["0", " ", ".", ".\n", "1 ", "[", '{"a":', ",", ";", '"', "(", "clue(1,2,3). ", "p(", "f(1,", "% a\n", "a", "9x9:a", "|", ":- a.\n",
     "é", "<a>", "\\", "-", "[Puzzle]\n", "\u2028"],
)  # fmt: skip
def test_hostile_text_of_no_format(text: str) -> None:
    refused(text * (100_000 // len(text)), None)


def test_a_bomb_of_gzip(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", 1) as file:
        for _ in range(65):
            file.write(bytes(1 << 20))
    with pytest.raises(InputError, match="more than"):
        formats.read(path)


def test_numbers_in_game_ids() -> None:
    refused(f"3x3:{DIGITS}", "solo")
    refused(f"{DIGITS}x3:a", "solo")
    refused(f"5:{DIGITS},", "unequal")
    refused(f"{DIGITS}x8:z", "unruly")


@pytest.mark.slow
@pytest.mark.parametrize("format", ["fpuzzles", "sudokupad"])
def test_links_that_unpack_to_very_much(format: str) -> None:
    def packed(data: Any) -> str:
        return LINKS[format] + compress(data if isinstance(data, str) else json.dumps(data, separators=(",", ":")))

    rows: Any = [[{}] * 300] * 300
    assert "unpacks to more" in str(refused(packed("a" * (1 << 20) + "a"), format))
    refused(packed({"size": 300, "grid": rows, "cells": rows, "regions": [[[0, 0]]]}), format)
    refused(packed("{cells:" + "[" * 50_000), format)
    refused(packed('{"grid":' + "[" * 50_000), format)
    refused(packed(f'{{"grid":[[{{"value":{DIGITS},"given":true}}]]}}'), format)


@pytest.mark.parametrize("key", ["cages", "regions"])
@pytest.mark.parametrize("value", ["5", "'text'", "{a:1}", "[5]", "[[5]]", "[[[0]]]", "[[[[],[]]]]", "[[['a',1.5]]]"])
def test_links_of_sudokupad_with_other_things_in_them(key: str, value: str) -> None:
    for cells in ("[[]]", "[[{}]]", "[[{value:5}]]"):
        formats_of_it = f"{{cells:{cells},{key}:{value}}}"
        refused(LINKS["sudokupad"] + compress(formats_of_it), "sudokupad")


def test_crosswords_of_ipuz() -> None:
    data: dict[str, Any] = {
        "kind": ["http://ipuz.org/crossword#1"],
        "puzzle": [[0] * 300] * 300,
        "solution": [["A"] * 300] * 300,
    }
    assert "300 rows and 300 columns" in str(refused(json.dumps(data), "ipuz"))
    refused("ipuz({}) " + " " * 200_000 + "x", "ipuz")
    refused("ipuz(" * 100_000, "ipuz")


def test_text_that_may_be_any_puzzle() -> None:
    for text in (". " * 600_000, ". . .\n" * 200_000):
        assert "may be any puzzle" in str(refused(text, "text"))
    refused(DIGITS, "text")
    for kind in formats.codec("text").kinds:
        refused(f"{DIGITS}\n1 2\n", "text", kind)
        refused(f"box {DIGITS}x9\n1 2\n", "text", kind)
        refused(f"order {DIGITS}\n1 2\n", "text", kind)
    refused(f"{DIGITS}\n0 1", "course")
