"""Crosswords without any solver: reading grids and lists, drawing, slots, rules, what is known before a search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import kept_rows

from bridge.errors import InputError, Place
from bridge.puzzles import load
from bridge.puzzles.kinds import parse, parse_all, puzzle_class
from bridge.puzzles.kinds.crossword import READINGS, Crossword
from bridge.puzzles.kinds.crossword.runs import slots
from bridge.puzzles.kinds.crossword.words import WordList, normal, read_list
from bridge.puzzles.kinds.rules import Grid


def crossword(rows: list[str] | str, words: list[str] | str, **more: object) -> Crossword:
    """From rows and words, either as one text with blanks between."""
    rows = rows.split() if isinstance(rows, str) else rows
    words = words.split() if isinstance(words, str) else words
    made = parse("crossword", json.dumps({"grid": rows, "words": words, **more}))
    assert isinstance(made, Crossword)
    return made


def filled(rows: str) -> Grid:
    """A solution: `.` is blank."""
    return tuple(tuple(row) for row in rows.split())


@st.composite
def crosswords(draw: st.DrawFn) -> Crossword:
    width = draw(st.integers(2, 5))
    row = st.text("##..ață", min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=1, max_size=5))
    words = draw(st.lists(st.text("ațăb", min_size=2, max_size=5), min_size=1, max_size=6))
    reading = draw(st.sampled_from(READINGS[1:]))
    return crossword(["..", *rows] if width == 2 else rows, words, reading=reading)


@given(puzzle=crosswords())
def test_what_is_drawn_can_be_read(puzzle: Crossword, tmp_path_factory: pytest.TempPathFactory) -> None:
    words = tmp_path_factory.mktemp("words") / "list.txt"
    words.write_text("\n".join(puzzle.words), "utf-8")
    assert parse("crossword", puzzle.draw(), words=str(words), reading=puzzle.reading) == puzzle


@given(puzzle=crosswords())
def test_json_carries_everything(puzzle: Crossword) -> None:
    assert Crossword.from_json(json.loads(json.dumps(puzzle.to_json())), Place()) == puzzle


@pytest.fixture
def words(tmp_path: Path) -> str:
    path = tmp_path / "list.txt"
    path.write_text("TART\nTARS \n\tRata\n# a remark\n\nSTAR\nstar\nx-ray\n", "utf-8")
    return str(path)


FORMS = {
    "points": "....\n.##.\n....\n.##.\n",
    "report 5": "0 0 0 0\n0 # # 0\n0 0 0 0\n0 # # 0\n",
    "underscores and squares": "____\n_■■_\n____\n_██_\n",
    "remarks, blank lines, windows line ends": "% a grid\r\n\r\n....\r\n.##.\r\n....\r\n.##.\r\n",
    "byte order mark": "\ufeff....\n.##.\n....\n.##.",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_text_form_is_the_same_puzzle(form: str, words: str) -> None:
    assert parse("crossword", FORMS[form], words=words) == parse("crossword", FORMS["points"], words=words)


def test_a_grid_and_a_list_from_files(words: str, tmp_path: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("S...\n.##.\n....\n.##.\n", "utf-8")
    puzzle = load("crossword", grid, words=words)
    assert isinstance(puzzle, Crossword)
    assert puzzle.words == ("tart", "tars", "rata", "star")
    assert puzzle.clues() == {(1, 1): "s"}
    assert puzzle.notes() == (
        "1 word stands in the list more than once, and counts once: star",
        "1 entry holds more than letters, and cannot stand in a grid: x-ray",
    )


def test_options_go_with_json_too(words: str) -> None:
    text = json.dumps({"grid": ["...."], "words": ["oooo"]})
    puzzle = parse("crossword", text, words=words, repeat="yes")
    assert isinstance(puzzle, Crossword)
    assert puzzle.repeat
    assert puzzle.words == ("tart", "tars", "rata", "star")


def test_letters_are_unicode_and_have_one_form() -> None:
    # ă as one character and as two; ș with comma and ş with cedilla are two letters.
    found = read_list(["Ăsta ", "a\u0306sta", "ȘI", "şi", "și", "straße", "STRASSE", "naïve"], Place())
    assert found.words == ("ăsta", "și", "şi", "strasse", "naïve")
    assert found.repeated == ("ăsta", "și", "strasse")
    assert normal(" \u0218 ") == "ș"
    puzzle = crossword(["Ș.", "#."], ["ȘI", "ĂN"])
    assert puzzle.clues() == {(1, 1): "ș"}
    assert puzzle.values() == ("i", "n", "ă", "ș")


def test_slots_are_numbered_as_newspapers_do() -> None:
    grid = crossword(["...#.", ".#...", "...#."], ["abc", "ab"]).grid
    assert [(slot.name, slot.cells[0], len(slot)) for slot in slots(grid)] == [
        ("1 across", (1, 1), 3), ("4 across", (2, 3), 3), ("5 across", (3, 1), 3),
        ("1 down", (1, 1), 3), ("2 down", (1, 3), 3), ("3 down", (1, 5), 3),
    ]  # fmt: skip


def test_black_and_lonely_cells_take_no_value() -> None:
    puzzle = crossword([".#a", "#..", "#.."], "ab bc")
    assert puzzle.cells() == [(1, 3), (2, 2), (2, 3), (3, 2), (3, 3)]
    assert puzzle.solution(dict.fromkeys(puzzle.cells(), "a")) == ((None, "#", "a"), ("#", "a", "a"), ("#", "a", "a"))


WRONG = {
    "ragged": ("...\n..\n...", "<text>:2: row 2 has 2 cells, the others have 3"),
    "sign": ("...\n.?.", "<text>:2:2: r2c2: '?' is not a cell of a crossword"),
    "digit": ("...\n.. 7", "<text>:2:4: r2c3: '7' is not a cell of a crossword"),
    "a letter that folds to two": ("..\nß.", "r2c1: 'ß' is not a cell"),
    "gecode's black": ("..\n*.", "`#` is black"),
    "empty": ("\n\n", "there is no puzzle in here"),
    "binary": ("..\0", "this is not text"),
    "no slot": (".#\n#.", "there is no slot: no two white cells stand side by side"),
    "all black": ("##\n##", "there is no slot"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_grids_are_refused(name: str, words: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(InputError) as caught:
        parse_all("crossword", text, words=words)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "a crossword needs a list of words; name its file: --words LIST"),
        ({"words": "nowhere.txt"}, "nowhere.txt: no such file"),
        ({"words": "EMPTY"}, "the list has no word"),
        ({"words": "BINARY"}, "is not UTF-8"),
        ({"words": "LIST", "reading": "letters"}, "there is no reading 'letters'; one of: slots, words, anywhere"),
        ({"words": "LIST", "repeat": "perhaps"}, "`repeat` is yes or no, not 'perhaps'"),
        ({"words": "PLAIN", "repeat": "yes", "reading": "words"}, "`repeat` has no meaning when the reading is words"),
        ({"words": "LIST", "reading": "words"}, "LIST:8: 'x-ray' is to be placed but holds more than letters"),
        ({"words": "LIST", "box": "2x2"}, "crossword has no option 'box'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], message: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n# none\n")
    (tmp_path / "binary").write_bytes(b"ab\n\xff\xfe")
    (tmp_path / "plain").write_text("ab\n")
    names = {"LIST": words, "EMPTY": tmp_path / "empty", "BINARY": tmp_path / "binary", "PLAIN": tmp_path / "plain"}
    given_options = {key: str(names.get(value, value)) for key, value in options.items()}
    with pytest.raises(InputError) as caught:
        parse("crossword", "..", **given_options)
    assert message in str(caught.value).replace(words, "LIST")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"grid": []}, "`grid` is to be a list of rows"),
        ({"grid": ["..", "."]}, "row 2 has 1 cell,"),
        ({"grid": [["ab", None]]}, "r1c1: 'ab' is not a cell"),
        ({"grid": [[5, None]]}, "r1c1: 5 is not a cell"),
        ({"grid": [".."], "words": "list.txt"}, "`words` is to be a list of strings"),
        ({"grid": [".."], "words": [1]}, "`words` is to be a list of strings"),
        ({"grid": [".."], "words": []}, "the list has no word"),
        ({"grid": [".."], "words": ["ab"], "repeat": "yes"}, "`repeat` is to be true or false"),
        ({"grid": [".."], "words": ["ab"], "reading": ["words"]}, "there is no reading"),
    ],
)
def test_wrong_json_is_refused(data: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        parse("crossword", json.dumps({"words": ["ab"], **data}))


def test_what_no_word_serves_is_told_by_slot_and_length() -> None:
    puzzle = crossword(["...", ".##", "z##"], "abc abd cd")
    assert [str(clash) for clash in puzzle.clashes()] == [
        "1 down (from r1c1, 3 cells): no word of 3 letters fits ..z"
    ]
    assert [str(clash) for clash in crossword(["....."], "abc").clashes()] == [
        "1 across (from r1c1, 5 cells): no word of 5 letters"
    ]
    assert [str(clash) for clash in crossword([".."], "abc", reading="words").clashes()] == [
        "word abc (3 letters) fits nowhere"
    ]


def test_too_few_words_of_a_length() -> None:
    puzzle = crossword(["..", ".."], "ab aa ba")
    assert [str(clash) for clash in puzzle.clashes()] == ["4 slots have 2 cells, but only 3 words have 2 letters"]
    assert not crossword(["..", ".."], "ab aa ba", repeat=True).clashes()
    puzzle = crossword(["..#"], "ab ba", reading="words")
    assert [str(clash) for clash in puzzle.clashes()] == ["2 words have 2 letters, but only 1 slots have as many cells"]


def test_words_longer_than_any_slot_are_noted_in_slots() -> None:
    puzzle = crossword([".."], "ab abc abcd")
    assert puzzle.notes() == ("2 words have more letters than any slot has cells: abc, abcd",)
    assert not puzzle.clashes()


# For each rule, the smallest grid that breaks just this rule.
FAILS = [
    ("1 across", crossword([".."], "ab"), "aa"),
    ("1 down", crossword([".", "."], "ab"), "b b"),
    ("no word twice", crossword(["..", ".#"], "aa ab"), "aa a#"),
    ("clue r1c1=a", crossword(["a."], "ab bb"), "bb"),
    ("cell", crossword([".."], "ab"), "a."),
    ("word ab", crossword(["..", "##", ".."], "ab", reading="words"), ".. ## .."),
    ("one place a word", crossword(["..", "##", ".."], "ab", reading="words"), "ab ## b."),
    ("one place a word", crossword(["..", "##", ".."], "ab", reading="words"), "ab ## ab"),
    ("one place a word", crossword(["..."], "ab abc", reading="anywhere"), "abc"),
    ("clue r1c3=a", crossword(["..a"], "ab", reading="anywhere"), "ab."),
]


@pytest.mark.parametrize(("rule", "puzzle", "rows"), FAILS)
def test_the_checker_names_the_rule(rule: str, puzzle: Crossword, rows: str) -> None:
    assert {found.rule for found in puzzle.violations(filled(rows))} == {rule}


def test_the_checker_takes_what_is_right() -> None:
    row = next(row for row in kept_rows("crossword") if row["id"] == "report5-worked-example")
    for reading in READINGS:
        puzzle = crossword(row["grid"], row["words"], reading=reading)
        assert puzzle.violations(filled("tars a##t rata t##r")) == []
    # `ab` stands in two places, and either may be the one; the other slot is left over.
    puzzle = crossword(["ab", "##", "ab"], "ab", reading="words")
    assert puzzle.violations(filled("ab ## ab")) == []
    # Under `anywhere` two words may share cells, but not where they begin.
    assert crossword(["..."], "bc abc", reading="anywhere").violations(filled("abc")) == []


def test_the_options_are_told() -> None:
    assert set(puzzle_class("crossword").options) == {"words", "reading", "repeat", "min_score"}


@pytest.mark.parametrize("grid", [[[]], [""], [[], []]])
def test_a_grid_without_cells(grid: list[Any]) -> None:
    with pytest.raises(InputError, match="one cell or more"):
        parse("crossword", json.dumps({"reading": "anywhere", "grid": grid, "words": ["ab"]}))


def test_scores_of_words() -> None:
    found = read_list(["TART;60", "tars; 25", "rata", "tart;70", "# a;b", "x-ray;50", "a;b"], Place())
    assert found.words == ("tart", "tars", "rata")
    assert found.scores == (70, 25, None)
    assert found.unusable == ("x-ray;50", "a;b")
    assert found.at_least(50).words == ("tart", "rata")
    assert WordList.unpack(found.pack()) == found
    assert read_list(["tart", "tars"], Place()).scores == ()


def test_better_words_are_tried_first_and_bad_ones_left_out(tmp_path: Path) -> None:
    words = tmp_path / "scored.words"
    scores = {"abc": 10, "abd": 90, "cde": 50, "dfe": 50}
    words.write_text("".join(f"{word};{score}\n" for word, score in scores.items()), encoding="utf-8")
    (puzzle,) = parse_all("crossword", "...\n##.\n##.\n", words=str(words))
    assert isinstance(puzzle, Crossword)
    assert puzzle.fitting(puzzle.slots[0])[0] == "abd"
    assert puzzle.fitting(puzzle.slots[0])[-1] == "abc"
    (better,) = parse_all("crossword", "...\n##.\n##.\n", words=str(words), min_score="50")
    assert isinstance(better, Crossword)
    assert better.words == ("abd", "cde", "dfe")
    assert better.notes() == ("1 word has a score below 50, and is left out",)
    again = Crossword.from_json(better.to_json(), Place())
    assert (again, again.scores) == (better, (90, 50, 50))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_score": "x"}, "`min_score` is an integer, not 'x'"),
        ({"min_score": "99"}, "the list has no word: all 2 have a score below 99"),
    ],
)
def test_wrong_scores(options: dict[str, str], message: str, tmp_path: Path) -> None:
    words = tmp_path / "scored.words"
    words.write_text("abc;10\ncba;20\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        parse_all("crossword", "...", words=str(words), **options)
    words.write_text("abc\n", encoding="utf-8")
    with pytest.raises(InputError, match="the list has no scores"):
        parse_all("crossword", "...", words=str(words), min_score="1")
    with pytest.raises(InputError, match="one for each word"):
        Crossword.from_json({"grid": ["..."], "words": ["abc"], "scores": [1, 2]}, Place())
