"""Title, author, rules and texts of clues: what keeps them, what does not, and that they change no answer."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator
from shared_data import ROOT

from bridge.errors import InputError
from bridge.puzzles import batch, formats, load, load_all
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.about import About
from bridge.puzzles.kinds.puzzle import published_solution

WORDS = str(ROOT / "examples" / "crossword" / "report5.words")
CROSSWORD = parse("crossword", "....\n.##.\n....\n.##.\n", words=WORDS)
SUDOKU = parse("sudoku", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
VARIANT = parse("variant-sudoku", ". . . .\n" * 4 + "rules: anti-king\n")

TEXTS = About("Ană & <Bo>", "A. Setter", "2026", "No word\nis long.")
CLUES = {"1 across": 'A "pie" & <more> (4)', "1 down": "Sailors", "2 down": "Rate", "3 across": "Star"}


def named(puzzle: Puzzle, about: About) -> Puzzle:
    return cast(Puzzle, replace(cast(Any, puzzle), about=about))


def kept(puzzle: Puzzle, name: str, about: About, **options: str) -> tuple[About, tuple[str, ...]]:
    """What a puzzle with these texts has after it was written and read, and the notes of writing."""
    written = formats.encode(named(puzzle, about), name, lossy=True)
    (again,) = formats.decode(written.data, name, puzzle.kind, **options).puzzles
    assert again == puzzle
    return again.about, written.notes


@pytest.mark.parametrize("name", ["text", "json", "jsonl", "ipuz", "puz"])
def test_a_crossword_keeps_all(name: str) -> None:
    about = replace(TEXTS, clues=CLUES)
    again, notes = kept(CROSSWORD, name, about, words=WORDS)
    assert again == about
    assert not any("title" in note or "clues" in note for note in notes)


@pytest.mark.parametrize("puzzle", [SUDOKU, VARIANT], ids=["sudoku", "variant"])
@pytest.mark.parametrize("name", ["fpuzzles", "sudokupad"])
def test_a_link_keeps_title_author_and_rules(name: str, puzzle: Puzzle) -> None:
    again, notes = kept(puzzle, name, TEXTS)
    assert again == replace(TEXTS, copyright="")
    assert notes == (f"the format {name} does not carry the copyright: left out",)


def test_every_format_keeps_what_it_says_or_has_a_note() -> None:
    for name in formats.names():
        codec = formats.codec(name)
        if "sudoku" not in codec.kinds or name == "sav":
            continue
        about = replace(TEXTS, title="Ană", rules="No word is long.")
        again, notes = kept(SUDOKU, name, about)
        lost = {one for one in ("title", "author", "copyright", "rules") if not getattr(again, one)}
        assert lost == {"title", "author", "copyright", "rules"} - codec.about, name
        for one in ("title", "author", "copyright"):
            assert (f"the format {name} does not carry the {one}: left out" in notes) == (one in lost), name


def test_a_puz_has_letters_of_other_scripts_where_its_grid_allows() -> None:
    assert kept(CROSSWORD, "puz", About("Ană și ☃"), words=WORDS)[0].title == "Ană și ☃"
    accented = parse("crossword", "é...\n.##.\n....\n.##.\n", words=WORDS)
    again, notes = kept(accented, "puz", About("Ană é"), words=WORDS)
    assert again.title == "An? é"
    assert "the format puz does not carry the characters ă of its texts beside letters of its grid: left out" in notes


def test_texts_change_no_puzzle() -> None:
    other = named(SUDOKU, TEXTS)
    assert (other, hash(other), repr(other), str(other)) == (SUDOKU, hash(SUDOKU), repr(SUDOKU), str(SUDOKU))
    assert other.about != SUDOKU.about
    assert other.with_clues({(1, 1): 5}).about == TEXTS
    assert pickle.loads(pickle.dumps(other)).about == TEXTS
    assert pickle.loads(pickle.dumps(named(VARIANT, TEXTS))).about == TEXTS
    assert [result["verdict"] for result in batch("sudoku", "check", [other])] == ["unique"]
    assert "about" not in SUDOKU.to_json()


def test_the_schema_has_them() -> None:
    forms = [named(SUDOKU, TEXTS), named(CROSSWORD, replace(TEXTS, clues=CLUES)), named(VARIANT, TEXTS)]
    for puzzle in forms:
        Draft202012Validator(formats.schema(puzzle.kind)).validate(puzzle.to_json())
        assert parse(puzzle.kind, puzzle.to_json()).about == puzzle.about
    wrong = {**CROSSWORD.to_json(), "about": {"clues": {"1 sideways": "x"}}}
    assert not Draft202012Validator(formats.schema("crossword")).is_valid(wrong)


def test_comments_of_a_text() -> None:
    text = "# Title: Saturday\n#  author :  Me\n# an aside: no\n# rules: one\n1 . # title: no\n. 1\n# rules: two\n"
    assert parse("latin-square", text).about == About("Saturday", "Me", rules="one\ntwo")
    # Where `#` is a token, `%` begins a comment, as `generate` writes it too.
    example = load("akari", ROOT / "examples" / "akari" / "ten.txt")
    assert parse("akari", f"% title: Lamps\n{example.draw()}").about == About("Lamps")


@pytest.mark.parametrize(
    ("kind", "text", "message", "where"),
    [
        ("sudoku", '{"grid": [[1]],\n "about": 3}', "is to be an object, not 3", "f:2:11"),
        ("sudoku", '{"grid": [[1]],\n "about": {"tilte": "x"}}', "no key 'tilte'", "f:2:21"),
        ("sudoku", '{"grid": [[1]],\n "about": {"title": 7}}', "`title` is to be a text, not 7", "f:2:21"),
        ("sudoku", '{"grid": [[1]],\n "about": {"clues": {"1 across": "x"}}}', "no entry '1 across'", "f:2:34"),
        ("crossword", '{"grid": ["..."],"words": ["abc"],\n "about": {"clues": {"2 down": "x"}}}', "'2 down'", "f:2:32"),
        ("crossword", '{"grid": ["..."],"words": ["abc"],\n "about": {"clues": []}}', "object of texts", "f:2:21"),
        ("sudoku", '{"grid": [[1]],\n "about": {"solution": [[1, 2]]}}', "shape of the grid, 1x1", "f:2:24"),
        ("sudoku", '{"grid": [[1]],\n "about": {"solution": [[1.5]]}}', "1.5 is not a value of a cell", "f:2:26"),
        ("sudoku", '{"grid": [[1]],\n "about": {"solution": 7}}', "a list of rows", "f:2:24"),
        ("crossword", "% 9 across: x\n....\n.##.\n....", "no entry '9 across'; it has 4", "f:1"),
    ],
)
def test_wrong_texts(kind: str, text: str, message: str, where: str) -> None:
    options = {"words": WORDS} if kind == "crossword" and not text.startswith("{") else {}
    with pytest.raises(InputError) as caught:
        parse(kind, text, file="f", **options)
    assert message in str(caught.value)
    assert str(caught.value.where) == where


def test_columns_of_a_table(tmp_path: Path) -> None:
    rows = [f'{"." * 81},"One, two",me', f"{'.' * 81},,", f"{'.' * 81},Three"]
    (tmp_path / "t.csv").write_text("\n".join(["puzzle,title,author", *rows]) + "\n")
    reading = formats.read(tmp_path / "t.csv")
    assert [one.about for one in reading.puzzles] == [About("One, two", "me"), About(), About("Three")]
    assert reading.notes == ()
    assert formats.encode(reading.puzzles, "csv").text.splitlines()[:2] == ["puzzle,title,author", rows[0]]
    assert formats.encode(load_all("sudoku", _one_line(tmp_path)), "csv").text.splitlines()[0] == "puzzle"


def _one_line(folder: Path) -> Path:
    (folder / "one.txt").write_text("." * 81 + "\n")
    return folder / "one.txt"


#: It has two solutions, with bit or bat in the first row.
SYMMETRIC = {"grid": ["...", "...", "..."], "words": ["bit", "ice", "ten", "bat", "ace"], "repeat": True}


@pytest.mark.parametrize("name", ["json", "jsonl", "ipuz", "puz"])
def test_a_published_solution_is_kept(name: str) -> None:
    solution = [["b", "i", "t"], ["i", "c", "e"], ["t", "e", "n"]]
    puzzle = parse("crossword", {**SYMMETRIC, "about": {"solution": ["BIT", "ICE", "TEN"]}})
    assert puzzle.to_json()["about"] == {"solution": solution}
    written = formats.encode(puzzle, name, lossy=True)
    assert not any("solution" in note for note in written.notes)
    (again,) = formats.decode(written.data, name, "crossword").puzzles
    assert again.grid == puzzle.grid
    assert again.about.solution == puzzle.about.solution == published_solution(again)
    wrong = named(puzzle, About(solution=(("b", "o", "t"), ("i", "c", "e"), ("t", "e", "n"))))
    assert published_solution(wrong) is None


def test_a_format_without_solutions_says_so() -> None:
    puzzle = parse("crossword", {**SYMMETRIC, "about": {"solution": ["BIT", "ICE", "TEN"]}})
    assert "the format text does not carry the solution: left out" in formats.encode(puzzle, "text", lossy=True).notes


def test_a_placeholder_is_no_solution() -> None:
    locked = json.loads(formats.encode(parse("crossword", SYMMETRIC), "ipuz").text)
    locked["solution"] = [["X", "X", "X"]] * 3
    assert formats.decode(json.dumps(locked)).puzzles[0].about == About()


def test_html_of_ipuz() -> None:
    data = json.loads(formats.encode(named(CROSSWORD, About("a < b & c")), "ipuz").text)
    assert data["title"] == "a &lt; b &amp; c"
    data |= {"title": "<b>Bold</b> &amp; 1 < 2", "intro": "one<br>two"}
    data["clues"]["Across"] = [{"number": 1, "clue": "<i>Pie</i>", "enumeration": "4"}]
    (puzzle,) = formats.decode(json.dumps(data)).puzzles
    assert puzzle.about == About("Bold & 1 < 2", rules="one\ntwo", clues={"1 across": "Pie (4)"})
