"""Crosswords as .puz and ipuz: what is read of them, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import puz
import pytest
from any_puzzle import puzzles
from hypothesis import assume, given, settings
from shared_data import ROOT

from bridge import check
from bridge.errors import BridgeError, InputError, UnsupportedError
from bridge.puzzles import formats
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.about import About

WORDS = str(ROOT / "examples" / "crossword" / "report5.words")
TEXT = "....\n.##.\n....\n.##.\n"
EXAMPLE = parse("crossword", TEXT, words=WORDS)


def file_of(solution: str, fill: str | None = None, **more: Any) -> bytes:
    """A .puz file of a solution, its rows between blanks."""
    rows = solution.split()
    file = puz.Puzzle()
    file.height, file.width = len(rows), len(rows[0])
    file.solution = "".join(rows)
    file.fill = "".join((fill or "".join("." if mark == "." else "-" for mark in file.solution)).split())
    across, down = puz.get_grid_numbering(file.fill, file.width, file.height)
    file.clues = [f"Clue {number}" for number in range(len(across) + len(down))]
    for name, value in more.items():
        setattr(file, name, value)
    return bytes(file.tobytes())


def test_a_puz_with_its_solution() -> None:
    data = file_of("TART A..A RATA S..R", title="Monday", author="me")
    assert formats.sniff(formats.Source(data)) == "puz"
    reading = formats.decode(data)
    (puzzle,) = reading.puzzles
    assert puzzle.to_json()["words"] == ["tart", "rata", "tars", "taar"]
    assert puzzle.grid == EXAMPLE.grid
    assert reading.notes == ()
    clues = {"1 across": "Clue 0", "1 down": "Clue 1", "2 down": "Clue 2", "3 across": "Clue 3"}
    solution = tuple(map(tuple, ("tart", "a##a", "rata", "s##r")))
    assert puzzle.about == About("Monday", "me", clues=clues, solution=solution)
    assert str(check(puzzle).verdict) == "unique"


def test_a_puz_with_a_list_of_words() -> None:
    data = file_of("XXXX X..X XXXX X..X", solution_state=puz.SolutionState.NotProvided)
    with pytest.raises(InputError, match="the file has no solution; name a list") as caught:
        formats.decode(data, file="x.puz")
    assert str(caught.value.where) == "x.puz"
    assert formats.decode(data, words=WORDS).puzzles == (EXAMPLE,)


def test_a_solution_of_one_letter_is_none() -> None:
    """What has no solution to give is often written with X everywhere."""
    with pytest.raises(InputError, match="the file has no solution"):
        formats.decode(file_of("XXXX X..X XXXX X..X"))


def test_a_solution_that_has_a_word_twice() -> None:
    """As the first crossword ever, of 1913, has DOVE; what is checked is then another thing than a list of words."""
    data = file_of("TART A..A RATA T..T")
    reading = formats.decode(data)
    assert reading.notes[0] == "words may stand twice: the file's solution has TART twice"
    assert reading.puzzles[0].to_json()["repeat"] is True
    assert str(check(reading.puzzles[0]).verdict) in ("unique", "ambiguous")
    assert formats.decode(data, repeat="no").puzzles[0].to_json()["repeat"] is False
    full = formats.decode(file_of("TART A..A RATA T..T", "TART A..A RATA T..T")).puzzles
    assert formats.decode(formats.encode(full, "puz").data).puzzles == full


def test_letters_that_are_filled_in_are_given() -> None:
    reading = formats.decode(file_of("TART A..A RATA S..R", "T--- -..- --T- -..-"))
    assert reading.puzzles[0].clues() == {(1, 1): "t", (3, 3): "t"}
    assert "the 2 letters that are filled in are taken as given" in reading.notes


def test_what_a_puz_cannot_be_here() -> None:
    locked = puz.load(file_of("TART A..A RATA S..R"))
    locked.lock_solution(7844)
    with pytest.raises(InputError, match="its solution is locked; name a list"):
        formats.decode(locked.tobytes())
    assert formats.decode(locked.tobytes(), words=WORDS).puzzles == (EXAMPLE,)
    with pytest.raises(UnsupportedError, match="diagramless"):
        formats.decode(file_of("TART A..A RATA S..R", puzzletype=puz.PuzzleType.Diagramless))
    rebus = puz.load(file_of("TART A..A RATA S..R"))
    rebus.rebus().add_rebus_squares(0, "TEA")
    with pytest.raises(UnsupportedError, match="rebus"):
        formats.decode(rebus.tobytes())
    rebus = puz.load(file_of("TART A..A RATA S..R"))
    rebus.extensions[b"GRBS"] = bytes(16)  # the table that says that there is none, as some files have it
    assert formats.decode(rebus.tobytes(), words=WORDS).puzzles == (EXAMPLE,)


@pytest.mark.parametrize("cut", [0, 1, 30, 60])
def test_a_broken_puz(cut: int) -> None:
    data = file_of("TART A..A RATA S..R")
    with pytest.raises(InputError, match=r"no \.puz file"):
        formats.decode(data[:cut] if cut else b"ACROSS", "puz")
    with pytest.raises(InputError, match="checksum does not match"):
        formats.decode(data.replace(b"TART", b"TARS"), "puz")


def test_what_is_written_as_puz(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="cannot carry the list of words"):
        formats.encode(EXAMPLE, "puz")
    written = formats.dump(EXAMPLE, tmp_path / "x.puz", lossy=True)
    assert written.notes == ("the format puz does not carry the list of words: left out",)
    assert formats.load(tmp_path / "x.puz", words=WORDS) == [EXAMPLE]
    file = puz.read(str(tmp_path / "x.puz"))
    assert (file.width, file.height, len(file.clues)) == (4, 4, 4)
    assert file.solution_state == puz.SolutionState.NotProvided
    full = formats.decode(file_of("TART A..A RATA S..R", "TART A..A RATA S..R")).puzzles
    assert formats.decode(formats.encode(full, "puz").data).puzzles == full  # its letters say what its words are
    with pytest.raises(UnsupportedError, match="r1c1 holds 'ș'"):
        formats.encode(parse("crossword", TEXT.replace(".", "ș", 1), words=WORDS), "puz", lossy=True)


@given(puzzle=puzzles("crossword"))
@settings(max_examples=30)
def test_grids_and_letters_go_through_puz(tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle) -> None:
    words = tmp_path_factory.mktemp("words") / "list"
    form = puzzle.to_json()
    words.write_text("\n".join(form["words"]), encoding="utf-8")
    try:
        data = formats.encode(puzzle, "puz", lossy=True).data
    except UnsupportedError:  # letters beyond Latin-1
        assume(False)
        raise
    said = {"words": str(words), "reading": form["reading"], "repeat": "yes" if form["repeat"] else "no"}
    assert formats.decode(data, **said).puzzles == (puzzle,)


@given(puzzle=puzzles("crossword"))
@settings(max_examples=30)
def test_grids_and_letters_go_through_text(tmp_path_factory: pytest.TempPathFactory, puzzle: Puzzle) -> None:
    words = tmp_path_factory.mktemp("words") / "list"
    form = puzzle.to_json()
    words.write_text("\n".join(form["words"]), encoding="utf-8")
    said = {"words": str(words), "reading": form["reading"], "repeat": "yes" if form["repeat"] else "no"}
    text = formats.encode(puzzle, "text", lossy=True).data
    assert formats.decode(text, "text", "crossword", **said).puzzles == (puzzle,)


#: The shape of the specification's first example, with letters of Romanian.
IPUZ = {
    "version": "http://ipuz.org/v1",
    "kind": ["http://ipuz.org/crossword#1"],
    "dimensions": {"width": 3, "height": 3},
    "title": "Exemplu",
    "puzzle": [[{"cell": 1, "style": {"shapebg": "circle"}}, 2, "#"], [3, {"cell": 0, "value": "Ț"}, 4], [None, 5, 0]],
    "solution": [["Ș", "I", "#"], ["A", "Ț", "A"], [None, {"value": "E"}, "R"]],
    "clues": {"Across": [[1, "Și"], {"number": 3, "clue": "Fir"}, [5, ""], [7, "none"]], "Down": [[1, "sa"]]},
}


def test_an_ipuz() -> None:
    reading = formats.decode(json.dumps(IPUZ))
    (puzzle,) = reading.puzzles
    assert puzzle.draw() == "..#\n.ț.\n#.."
    assert puzzle.to_json()["words"] == ["și", "ața", "er", "șa", "ițe", "ar"]
    assert reading.notes == (
        "left out: styles, that cells are missing: they are black here and clues of no entry (7 across)",
    )
    clues = {"1 across": "Și", "3 across": "Fir", "1 down": "sa"}
    assert puzzle.about == About("Exemplu", clues=clues, solution=(("ș", "i", "#"), ("a", "ț", "a"), ("#", "e", "r")))
    assert formats.decode(f"ipuz({json.dumps(IPUZ)})").puzzles == (puzzle,)
    again = formats.encode(puzzle, "ipuz")
    assert formats.decode(again.data).puzzles == (puzzle,)
    assert json.loads(again.text)["puzzle"][1] == [3, {"cell": 0, "value": "ț"}, 4]


def without(*names: str, **more: Any) -> str:
    return json.dumps({key: value for key, value in IPUZ.items() if key not in names} | more)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (without("solution"), InputError, "has no solution; name a list"),
        (without(kind=["http://ipuz.org/fill#1"]), UnsupportedError, "kind http://ipuz.org/fill"),
        (without("kind"), InputError, "`kind` is missing"),
        (without("puzzle"), InputError, "`puzzle` is to be"),
        (without(solution=[["SI", "I", "#"]]), UnsupportedError, r"rebus \('SI' in r1c1\)"),
        (without(puzzle=[[{"cell": 1, "style": {"barred": "T"}}, 0]]), UnsupportedError, "barred"),
        (without(puzzle=[[1, 0], [0]]), InputError, "not equally long"),
        (without(puzzle=[[1, {"cell": 0, "value": 7}]]), InputError, "r1c2 holds 7"),
        ('{"version": "http://ipuz.org/v2",\n  "kind": x}', InputError, "not JSON"),
    ],
)
def test_what_an_ipuz_cannot_be_here(text: str, error: type[BridgeError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        formats.decode(text, file="x.ipuz")
    assert caught.value.where
    assert caught.value.where.file == "x.ipuz"
    if message == "not JSON":
        assert str(caught.value.where) == "x.ipuz:2:11"


#: An example as the specification has it.
SUDOKU = {
    "version": "http://ipuz.org/v1",
    "kind": ["http://ipuz.org/sudoku#1"],
    "charset": "123456789",
    "boxes": True,
    "puzzle": [
        [0, 1, 2, 0, 0, 7, 0, 0, 0], [8, 0, 0, 9, 0, 0, 0, 0, 6], [5, 0, 0, 0, 4, 0, 2, 0, 0],
        [0, 4, 0, 0, 0, 1, 0, 0, 0], [0, 7, 5, 0, 0, 0, 6, 2, 0], [0, 0, 0, 6, 0, 0, 0, 8, 0],
        [0, 0, 6, 0, 3, 0, 0, 0, 7], [1, 0, 0, 0, 0, 9, 0, 0, 5], [0, 0, 0, 1, 0, 0, 3, 4, 0],
    ],
}  # fmt: skip


def test_a_sudoku_as_ipuz() -> None:
    (puzzle,) = formats.decode(json.dumps(SUDOKU)).puzzles
    assert puzzle.kind == "sudoku"
    assert str(check(puzzle).verdict) == "unique"
    assert json.loads(formats.encode(puzzle, "ipuz").text)["puzzle"] == SUDOKU["puzzle"]


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"boxes": False}, "latin-square"),
        ({"kind": ["http://ipuz.org/sudoku/latinsquare#1"]}, "latin-square"),
        ({"kind": ["http://ipuz.org/sudoku/diagonallatinsquare#1"]}, "latin-square"),
    ],
)
def test_latin_squares_as_ipuz(more: dict[str, Any], kind: str) -> None:
    (puzzle,) = formats.decode(json.dumps(SUDOKU | more)).puzzles
    assert puzzle.kind == kind
    assert (puzzle.to_json()["variant"] == "diagonal") is ("diagonal" in str(more))


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"kind": ["http://ipuz.org/sudoku/killersudoku#1"]}, UnsupportedError, "killersudoku"),
        ({"kind": ["http://ipuz.org/sudoku/jigsawsudoku#1"]}, UnsupportedError, "jigsawsudoku"),
        ({"cages": [{"cells": [[0, 0]], "value": 3}]}, UnsupportedError, "cages"),
        ({"zones": [{"rect": [0, 0, 2, 2]}]}, UnsupportedError, "zones"),
        ({"puzzle": [[0, None], [0, 0]]}, UnsupportedError, "r1c2 is missing"),
        ({"puzzle": [["x"]]}, InputError, "r1c1: 'x' is none of"),
    ],
)
def test_variants_of_ipuz_sudokus(more: dict[str, Any], error: type[BridgeError], message: str) -> None:
    with pytest.raises(error, match=message):
        formats.decode(json.dumps(SUDOKU | more))


@pytest.mark.parametrize("format", ["puz", "ipuz"])
def test_a_full_grid_becomes_a_puzzle_with_its_solution(format: str) -> None:
    full = parse("crossword", "TART\nA##A\nRATA\nS##R\n", words=WORDS)
    data = formats.encode(full, format, open_cells=True).data
    if format == "puz":
        file = puz.load(data)
        assert (file.fill, file.solution) == ("-----..------..-", "TARTA..ARATAS..R")
    else:
        assert json.loads(data)["solution"][1] == ["a", "#", "#", "a"]
    (back,) = formats.decode(data, format).puzzles
    assert back.clues() == {}
    assert back.to_json()["words"] == ["tart", "rata", "tars", "taar"]


def test_only_a_full_crossword_has_a_solution_to_write() -> None:
    with pytest.raises(InputError, match="cells have no letter, so its solution is not known"):
        formats.encode(EXAMPLE, "puz", open_cells=True)
    with pytest.raises(UnsupportedError, match="the format json has no solution beside the open cells"):
        formats.encode(EXAMPLE, "json", open_cells=True)
