"""`.lp` and `.pl`: what is written runs with the encodings, and what people write is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import ROOT

import bridge
from bridge import asp
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles import formats, load
from bridge.puzzles.formats.terms import clauses
from bridge.puzzles.kinds import parse

EXAMPLES = ROOT / "examples"
ENCODINGS = ROOT / "encodings"


@pytest.mark.parametrize(
    ("kind", "name", "options"),
    [
        ("sudoku", "sudoku/report3-problem1", {}),
        ("futoshiki", "futoshiki/report1-5x5", {}),
        ("takuzu", "takuzu/course-test1", {}),
        ("magic-square", "magic_square/duerer", {}),
        ("latin-square", "latin_square/quasigroup4", {}),
        ("crossword", "crossword/report5", {"words": str(EXAMPLES / "crossword" / "report5.words")}),
    ],
)
def test_the_examples_say_the_same_as_facts_and_as_text(kind: str, name: str, options: dict[str, str]) -> None:
    (puzzle,) = formats.load(EXAMPLES / f"{name}.lp", puzzle=kind)
    assert puzzle == load(kind, EXAMPLES / f"{name}.txt", **options)


def test_what_is_written_runs_with_the_encoding() -> None:
    puzzle = load("sudoku", EXAMPLES / "sudoku" / "report3-problem6.txt")
    text = formats.encode(puzzle, "lp").text
    assert text.startswith("% lpbridge: sudoku\nclue(")
    with asp.Program((ENCODINGS / "sudoku" / "sudoku.lp"), text) as program:
        assert len(list(program.models())) == 2


@pytest.mark.parametrize(
    ("facts", "puzzle", "kind"),
    [
        ("#const n = 3. [override]\nclue(1,1,2). less(1,1,1,2).", None, "futoshiki"),
        ("variant(diagonal). #const n=5.", None, "latin-square"),
        ("symmetry(reduced).", None, "magic-square"),
        ("#const rows = 2. #const columns = 6.", None, "takuzu"),
        ("#const box_rows=2. #const box_columns=2. %* a\ncomment *% clue(1, 1, 1).", None, "sudoku"),
        ("clue(1..9, 1, 5).", "sudoku", "sudoku"),
        ('white(1, 1..3). letter("abc", 1, "a"). letter("abc", 2, "b"). letter("abc", 3, "c").', None, "crossword"),
    ],
)
def test_facts_of_anybody(facts: str, puzzle: str | None, kind: str) -> None:
    (read,) = formats.decode(facts, "lp", puzzle).puzzles
    assert read.kind == kind


def test_intervals() -> None:
    assert len(formats.decode("clue(1..9, 1, 5).", "lp", "sudoku").puzzles[0].clues()) == 9


@pytest.mark.parametrize(
    ("facts", "puzzle", "message", "where"),
    [
        ("clue(1, 1, 5).", None, "may be facts of sudoku or latin-square", "x.lp"),
        ("clue(1, 1, 5).\nclue(R, 1, 5) :- r(R).", "sudoku", "only facts are read here", "x.lp:2:15"),
        ("clue(1, 1, 5).\n clue(1, 10, 5).", "sudoku", "is about no cell: there are 9 rows", "x.lp:2:2"),
        ("clue(1, 1, 5).\nclue(1, 1, 6).", "sudoku", "r1c1 has two clues, 5 and 6", "x.lp:2:1"),
        ("clue(1, 1, 5). less(1, 1, 1, 2).", "sudoku", "knows no facts less/4", "x.lp:1:16"),
        ("#const order = 5.\nclue(1, 1, 5).", "latin-square", "has no constant order", "x.lp"),
        ("clue(1, 1, five).", "sudoku", "five is not an integer", "x.lp:1:12"),
        ("clue(1, 1, 5)", "sudoku", "does not end", "x.lp:1:1"),
        ("clue(1, 1, (5; 6)).", "sudoku", "only facts are read here: '\\)' is expected, not ';'", "x.lp:1:14"),
        ("queen(1, 2).", None, "no puzzle here has facts and constants queen/2", "x.lp"),
        ("clue(1..99999999, 1, 5).", "sudoku", "too long", "x.lp:1:6"),
        ("clue(1, 1, 12).", "sudoku", "r1c1", "x.lp"),
        ('e("..").', "crossword", "knows no facts e/1", "x.lp:1:1"),
    ],
)
def test_wrong_facts_have_their_place(facts: str, puzzle: str | None, message: str, where: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        formats.decode(facts, "lp", puzzle, file="x.lp")
    assert str(caught.value.where) == where


def test_a_crossword_keeps_its_size_and_reading() -> None:
    words = str(EXAMPLES / "crossword" / "hoses.words")
    puzzle = parse("crossword", ".#\n.#\n##", words=words, reading="words")
    text = formats.encode(puzzle, "lp").text
    assert text.startswith("% lpbridge: crossword reading=words size=3x2\n")
    assert formats.decode(text).puzzles == (puzzle,)
    apart = parse("crossword", "..#\n..#\n##a", words=words)
    with pytest.raises(UnsupportedError, match=r"letters that stand in no slot \(r3c3\)"):
        formats.encode(apart, "lp")


def test_what_prolog_gets() -> None:
    puzzle = parse("sudoku", "1... ..3. .4.. ...2".replace(" ", ""))
    text = formats.encode([puzzle, puzzle], "pl").text
    fact = "puzzle(sudoku, [\n  [1,_,_,_],\n  [_,_,3,_],\n  [_,4,_,_],\n  [_,_,_,2]\n], [box([2,2])]).\n"
    assert text == f"{fact}\n{fact}"
    assert formats.decode(text).puzzles == (puzzle, puzzle)


def test_prolog_of_anybody(tmp_path: Path) -> None:
    text = """:- module(mine, [puzzle/3]).
/* two
   puzzles */
puzzle(sudoku, [[1,_,_,_],[_,_,A,_],['2',_,_,_],[_,_,_,4]], [box(2-2)]).
puzzle(latin_square, [[1,_],[_,_]]).
solve(Rows) :- puzzle(sudoku, Rows, _), X = 0'a, label(X).
"""
    file = tmp_path / "mine.pl"
    file.write_text(text.replace("'2'", "2"))
    reading = formats.read(file)
    assert [puzzle.kind for puzzle in reading.puzzles] == ["sudoku", "latin-square"]
    assert reading.puzzles[0].clues() == {(1, 1): 1, (3, 1): 2, (4, 4): 4}
    assert reading.notes == ("left out: 2 clauses that are not facts puzzle/3",)


def test_the_problems_of_report_3() -> None:
    text = (ENCODINGS / "sudoku" / "report3.pl").read_text()
    with pytest.raises(InputError, match=r"report3\.pl:33:1: r2c8 .* holds 10"):  # the report's own mistake
        formats.load(ENCODINGS / "sudoku" / "report3.pl", puzzle="sudoku")
    puzzles = formats.decode(text.replace("10,", "_,"), "pl", "sudoku").puzzles
    assert puzzles[5] == load("sudoku", EXAMPLES / "sudoku" / "report3-problem6.txt")
    with pytest.raises(InputError, match="this may be a sudoku or latin-square"):
        formats.load(ENCODINGS / "sudoku" / "report3.pl")


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        ("puzzle(chess, [[_]], []).", "a puzzle 'chess'", "x.pl:1:8"),
        ("puzzle(sudoku, [[1,_],[_,_]], [box]).", "box is not an option", "x.pl:1:32"),
        ("puzzle(sudoku, [1,2], []).", "1 is not a list", "x.pl:1:17"),
        ("puzzle(sudoku, [[1,\n 2+3]], []).", "'\\+'|\\+", "x.pl:2:3"),
        ("puzzle(takuzu, [[f(1)]], []).", r"f\(1\) is not a value", "x.pl:1:18"),
        ("hello.", "no puzzle in this program", "x.pl"),
        (f"puzzle(takuzu, {'[' * 99}.", "nested too deeply", "x.pl:1:80"),
    ],
)
def test_wrong_terms_have_their_place(text: str, message: str, where: str) -> None:
    with pytest.raises((InputError, UnsupportedError), match=message) as caught:
        formats.decode(text, "pl", file="x.pl")
    assert str(caught.value.where) == where


def test_terms() -> None:
    text = "a('It''s', \"b\\\"c\", -3, X, [1|2]).\n  b(1-2, []). % end\nc."
    found = list(clauses(text, Place("t"), "prolog"))
    assert [str(clause.term) for clause in found] == ["None", "b(1-2, [])", "c"]
    assert found[1].term is not None
    assert [str(arg.place) for arg in found[1].term.args] == ["t:2:5", "t:2:10"]
    (fact,) = clauses("a('It''s', \"b\\\"c\", -3, X).", Place(), "prolog")
    assert fact.term is not None
    assert [arg.name for arg in fact.term.args] == ["It's", 'b"c', "-3", "X"]


#: A kind whose size is that of its text alone.
SIZELESS = """\
{ cell(R, C, (0;1)) } = 1 :- number(R, C, _).
:- number(R, C, N), not cell(R, C, N).
#show cell/3.
#program workbench.
title("lights").
value(0..1).
rows(number(row, column, number)).
"""


def test_facts_of_a_kind_without_a_size_have_it_in_the_first_line(tmp_path: Path) -> None:
    kind, file = tmp_path / "lights.lp", tmp_path / "x.txt"
    kind.write_text(SIZELESS)
    file.write_text("1 . 0\n. 1 .\n")
    puzzle = bridge.puzzles.load(str(kind), file)
    written = formats.encode(puzzle, "lp").text
    assert written.splitlines()[0] == "% lpbridge: lights size=2x3"
    assert formats.decode(written, "lp", puzzle.kind).puzzles == (puzzle,)
    without = written.split("\n", 1)[1]
    with pytest.raises(InputError, match=r"nothing says how large the instance is; .* size=4x4"):
        formats.decode(without, "lp", puzzle.kind)
    with pytest.raises(InputError, match="1 to 256 are possible"):
        formats.decode(written.replace("2x3", "9999x9999"), "lp", puzzle.kind)
    kenken = bridge.puzzles.load("kenken", ROOT / "examples" / "kenken" / "four.lp")
    assert formats.encode(kenken, "lp").text.splitlines()[0] == "% lpbridge: kenken"
