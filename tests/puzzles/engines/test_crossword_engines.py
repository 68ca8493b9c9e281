"""Crosswords on every kind of engine: known fills, what breaks one rule, random instances, report 5's tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import LARGER, ROOT, kept_rows, larger_rows

import bridge
from bridge import Limits, Verdict
from bridge.errors import UnsupportedError
from bridge.puzzles.kinds.crossword import READINGS, Crossword
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid

IMPERATIVE = ["bt", "fc+mrv", "mac+mrv", "mac+mrv+degree+lcv"]
ENGINES = ["asp", "clpfd", *IMPERATIVE]


def crossword(rows: Iterable[str], words: Iterable[str], **more: Any) -> Crossword:
    made = bridge.puzzles.parse("crossword", json.dumps({"grid": list(rows), "words": list(words), **more}))
    assert isinstance(made, Crossword)
    return made


def engines_for(puzzle: Crossword) -> list[str]:
    return [name for name in ENGINES if (name, puzzle.reading) != ("clpfd", "anywhere")]


def fills(puzzle: Crossword, engine: str) -> list[Grid]:
    outcome = bridge.solutions(puzzle, engine=engine).collect()
    assert outcome.complete
    return list(outcome.solutions)


def slow(row: dict[str, Any], how: str, engine: str) -> bool:
    """Seconds, where clingo takes 0.3; one of them is enough."""
    return how == "anywhere" and engine in IMPERATIVE and (row["id"], engine) != ("report5-exemplu1", "mac+mrv")


KEPT = [
    (row, how, engine)
    for row in kept_rows("crossword")
    for how in row["counts"]
    for engine in ["asp", "clpfd", "fc+mrv", "mac+mrv"]
    if not slow(row, how, engine)
]


@pytest.mark.slow
@pytest.mark.parametrize(("row", "how", "engine"), KEPT, ids=[f"{row['id']}-{how}-{name}" for row, how, name in KEPT])
def test_known_fills(row: dict[str, Any], how: str, engine: str) -> None:
    more: dict[str, Any] = {"repeat": True} if how == "repeat" else {"reading": how}
    puzzle = crossword(row["grid"], row["words"], **more)
    if engine not in engines_for(puzzle):
        with pytest.raises(UnsupportedError, match="clpfd does not know the reading `anywhere`"):
            fills(puzzle, engine)
        return
    found = fills(puzzle, engine)
    assert len(found) == len(set(found)) == row["counts"][how]
    if row["solution"] and found:
        assert tuple(tuple(line.lower()) for line in row["solution"]) in found


# Each rule's smallest violation: a full grid that breaks just this rule is refused by every engine.
REFUSED = [
    crossword(["aa"], ["ab"]),
    crossword(["b", "b"], ["ab"]),
    crossword(["aa", "a#"], ["aa"]),
    crossword(["aa"], ["ab"], reading="words"),
    crossword(["abc", "#.#"], ["abc", "ab"], reading="words"),
    crossword(["abc"], ["bd"], reading="anywhere"),
    crossword(["abc"], ["ab", "abc"], reading="anywhere"),  # both would begin in r1c1
]


@pytest.mark.parametrize("puzzle", REFUSED, ids=range(len(REFUSED)))
def test_every_engine_refuses_it(puzzle: Crossword) -> None:
    for engine in engines_for(puzzle):
        assert fills(puzzle, engine) == [], engine


@pytest.mark.parametrize("letter", ["a", "z"])
def test_a_letter_that_no_word_fits(letter: str) -> None:
    """Seven words fit 1 down: its bound has auxiliary atoms, and one of them was taken for the letter."""
    words = ["aadd", "bb", "bcb", "bcd", "caa", "cbbb", "cbc", "cbd", "cc", "cd", "cda", "dac"]
    puzzle = crossword([f"{letter}.", "#.", "#."], words)
    for engine in ENGINES:
        assert bridge.count(puzzle, engine=engine).number == 0, engine
        assert fills(puzzle, engine) == [], engine


def test_a_letter_in_no_slot_means_nothing() -> None:
    for engine in ENGINES:
        assert len(fills(crossword([".a", "##", "#z"], ["aa", "ba"]), engine)) == 2, engine


def test_a_word_may_repeat_where_that_is_allowed() -> None:
    for engine in ENGINES:
        assert len(fills(crossword(["aa", "a#"], ["aa"], repeat=True), engine)) == 1


def brute_force(puzzle: Crossword) -> set[Grid]:
    """Every grid that the checker takes."""
    given_letters, cells = puzzle.clues(), puzzle.cells()
    choices = [[given_letters[cell]] if cell in given_letters else puzzle.values() for cell in cells]
    grids = (puzzle.solution(dict(zip(cells, values, strict=True))) for values in product(*choices))
    return {grid for grid in grids if not puzzle.violations(grid)}


@st.composite
def small(draw: st.DrawFn) -> Crossword:
    """Small instances, by a seed: the simplest ones of hypothesis need no search."""
    random = Random(draw(st.integers(0, 10**9)))
    height, width = random.choice([(1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
    grid = [[random.choice("......#a" if random.random() < 0.6 else "...") for _ in range(width)] for _ in range(height)]
    grid[0][:2] = [cell if cell != "#" else "." for cell in grid[0][:2]]
    words = {"".join(random.choices("ab", k=random.choice([2, 2, 3, 3, 4]))) for _ in range(random.randint(1, 7))}
    reading = random.choice(READINGS)
    if reading != "slots":
        words = set(sorted(words)[:3])
    repeat = reading == "slots" and random.random() < 0.4
    return crossword(["".join(row) for row in grid], sorted(words), reading=reading, repeat=repeat)


@pytest.mark.slow
@settings(max_examples=16)
@given(puzzle=small())
def test_engines_agree_with_the_checker(puzzle: Crossword) -> None:
    expected = brute_force(puzzle)
    for engine in engines_for(puzzle):
        found = fills(puzzle, engine)
        assert len(found) == len(set(found)), engine
        assert set(found) == expected, engine
    assert not (puzzle.clashes() and expected)


@pytest.mark.slow
@settings(max_examples=10)
@given(puzzle=small())
def test_residuals_hold_all_fills(puzzle: Crossword) -> None:
    occurring: dict[tuple[int, int], set[Any]] = {}
    for grid in brute_force(puzzle):
        for r, c in puzzle.cells():
            occurring.setdefault((r, c), set()).add(grid[r - 1][c - 1])
    exact = bridge.residual(puzzle, engine="asp").possible
    assert {cell: set(values) for cell, values in exact.items()} == occurring
    propagating = ["mac", "fc"] + (["clpfd"] if "clpfd" in engines_for(puzzle) else [])
    for engine in propagating:
        possible = bridge.residual(puzzle, engine=engine).possible
        for cell, values in occurring.items():
            assert values <= set(possible[cell]), (engine, cell)


def test_two_placings_that_look_the_same_are_one_fill() -> None:
    puzzle = crossword(["ab", "##", "ab"], ["ab"], reading="words")
    for engine in ENGINES:
        outcome = bridge.solutions(puzzle, engine=engine, limits=Limits(solutions=2)).collect()
        assert outcome.verdict is Verdict.UNIQUE, engine


def test_nothing_to_place_is_one_blank_fill() -> None:
    for reading in ("words", "anywhere"):
        puzzle = crossword(["a..", ".#."], [], reading=reading)
        for engine in engines_for(puzzle):
            assert fills(puzzle, engine) == [(("a", ".", "."), (".", "#", "."))], engine


def test_a_list_that_cannot_serve_a_slot_is_impossible_at_once() -> None:
    puzzle = crossword(["...", ".##", "z##"], ["abc", "abd", "cd"])
    for engine in ENGINES:
        report = bridge.check(puzzle, engine=engine)
        assert report.verdict is Verdict.IMPOSSIBLE
        assert [broken.rule for broken in report.violations] == ["1 down"]


def test_notes_are_in_the_report() -> None:
    report = bridge.check(crossword(["..."], ["abc", "ABC ", "abcd"]))
    assert report.verdict is Verdict.UNIQUE
    assert report.to_json()["notes"] == [
        "1 word stands in the list more than once, and counts once: abc",
        "1 word has more letters than any slot has cells: abcd",
    ]


# The 17 tests of report 5, with the right answers.
TESTS = {function: [row for row in kept_rows("crossword_report5") if row["function"] == function] for function in (
    "cea_mai_constransa_variabila", "update", "forward_checking",
)}  # fmt: skip


def test_there_are_17_tests() -> None:
    assert sum(map(len, TESTS.values())) == 17


@pytest.mark.parametrize("row", TESTS["cea_mai_constransa_variabila"], ids=lambda row: row["test"])
def test_report_5_the_most_constrained_variable(row: dict[str, Any]) -> None:
    from bridge.puzzles.search.inference import FC
    from bridge.puzzles.search.network import Network
    from bridge.puzzles.search.ordering import variable_chooser

    # The report counts entries: a place that is listed twice counts twice.
    domains = {word: list(enumerate(map(tuple, places))) for word, places in row["input"].items()}
    network = Network(domains)
    choose = variable_chooser("mrv", FC(network))
    if row["answer"].startswith("error"):
        with pytest.raises(ValueError, match="empty"):
            choose([])
    else:
        assert network.variables[choose(list(range(len(domains))))] == row["answer"]


@pytest.mark.parametrize("row", TESTS["update"], ids=lambda row: row["test"])
def test_report_5_the_number_of_places(row: dict[str, Any]) -> None:
    puzzle = crossword(row["input"]["grid"], row["input"]["words"], reading="anywhere")
    assert {word: len(puzzle.places(word)) for word in puzzle.words} == row["answer"]


@pytest.mark.parametrize("row", TESTS["forward_checking"], ids=lambda row: row["test"])
def test_report_5_can_all_words_be_placed(row: dict[str, Any]) -> None:
    answer = row["answer"]
    if row["test"] == "test5_grid_precompletat":
        assert "the answer is True" in row["note"]  # ours folds case
        answer = True
    puzzle = crossword(row["input"]["grid"], row["input"]["words"], reading="anywhere")
    for engine in ("asp", "fc+mrv", "mac+mrv"):
        assert bool(bridge.solutions(puzzle, engine=engine, limits=Limits(solutions=1)).collect().solutions) is answer, engine


EXAMPLES = ROOT / "examples" / "crossword"


@pytest.mark.parametrize("grid", sorted(EXAMPLES.glob("*.txt")), ids=lambda path: path.stem)
def test_examples(grid: Any) -> None:
    reading = "words" if "-example" in grid.stem else "slots"
    puzzle = bridge.puzzles.load("crossword", grid, words=str(grid.with_suffix(".words")), reading=reading)
    verdict = Verdict.IMPOSSIBLE if grid.stem == "report5-example3" else Verdict.UNIQUE
    assert bridge.check(puzzle).verdict is verdict


def test_the_facts_run_alone() -> None:
    from bridge.asp import Program

    def count(encoding: str, project: bool = False, **constants: Any) -> int:
        with Program(ROOT / "encodings/crossword" / encoding, EXAMPLES / "report5.lp", **constants) as one:
            return len(one.models(project=project).collect().solutions)

    assert count("crossword.lp") == 1
    assert count("crossword.lp", repeat=1) == 2
    assert count("placing.lp", project=True) == 1
    puzzle = bridge.puzzles.load("crossword", EXAMPLES / "report5.txt", words=str(EXAMPLES / "report5.words"))
    assert models(puzzle).facts() in (EXAMPLES / "report5.lp").read_text("utf-8")


@pytest.mark.parametrize("reading", READINGS)
def test_facts_with_letters_given_say_the_same(reading: str) -> None:
    from bridge.asp import Program

    puzzle = crossword(["ă..", ".#.", "..."], ["ăba", "aba", "ăbă", "ăaa", "bă"], reading=reading)
    encoding = "crossword.lp" if reading == "slots" else "placing.lp"
    with Program(ROOT / "encodings/crossword" / encoding, models(puzzle).facts()) as program:
        found = {frozenset(model["cell"]) for model in program.models(project=True)}
    expected = {
        frozenset((r, c, grid[r - 1][c - 1]) for r, c in puzzle.cells()) for grid in fills(puzzle, "mac+mrv")
    }
    assert found == expected


# Larger sets, if present.


if LARGER:

    def test_more_classic_fills() -> None:
        for row in json.loads((LARGER / "crossword" / "classic_small.json").read_text("utf-8")):
            for repeat, count in ((False, row["count_distinct"]), (True, row["count_reuse"])):
                puzzle = crossword(row["grid"], row["words"], repeat=repeat)
                for engine in ENGINES:
                    found = fills(puzzle, engine)
                    assert len(found) == count
                    assert tuple(tuple(line.lower()) for line in row["solution"]) in found


#: What the list of 40,000 words fills quickly, and what it cannot fill at all.
FILLED = ["gecode-grid-0", "gecode-grid-2", "gecode-grid-14", "gecode-grid-37", "gecode-grid-38", "gecode-grid-51", "gecode-grid-52", "gecode-grid-55", "gecode-grid-57", "gecode-grid-59", "gecode-grid-60", "gecode-grid-61", "gecode-grid-62", "gecode-grid-70", "ingrid-test_find_fill_for_empty_7x7_template"]
IMPOSSIBLE = ["gecode-grid-29", "ingrid-test_abort_fill_attempt"]
GRIDS = [row for row in larger_rows("crossword/grids") if row["id"] in FILLED + IMPOSSIBLE]


if GRIDS:

    @pytest.mark.parametrize("row", GRIDS, ids=lambda row: row["id"])
    def test_a_list_of_40000_words(row: dict[str, Any]) -> None:
        words = (LARGER / "crossword" / "american-small.txt").read_text("utf-8").split()
        puzzle = crossword(row["grid"], words)
        outcome = bridge.solutions(puzzle, engine="mac+mrv", limits=Limits(seconds=60, solutions=1)).collect()
        if row["id"] in IMPOSSIBLE:
            assert outcome.verdict is Verdict.IMPOSSIBLE
        else:
            assert len(outcome.solutions) == 1


@pytest.mark.slow
def test_too_large_for_a_declarative_engine() -> None:
    random = Random(5)
    words = {"".join(random.choices("abcdefgh", k=5)) for _ in range(7000)}
    puzzle = crossword(["....." for _ in range(5)], sorted(words))
    with pytest.raises(UnsupportedError, match=r"10 slots with \d+,\d+ letters of words that fit are too much for clpfd"):
        fills(puzzle, "clpfd")
    report = bridge.check(puzzle, engine="mac+mrv", limits=Limits(seconds=1))
    assert report.verdict in (Verdict.AMBIGUOUS, Verdict.UNKNOWN)
