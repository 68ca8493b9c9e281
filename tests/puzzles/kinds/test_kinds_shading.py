"""Akari, Hitori, Nonogram, Star Battle: known answers, a second program, a wrong answer for each rule, all commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from second_programs import SECOND
from shared_data import ROOT, kept_rows

import bridge
from bridge.errors import InputError, UnsupportedError
from bridge.outcome import Verdict
from bridge.puzzles import render
from bridge.puzzles.kinds import Puzzle, parse, puzzle_class
from bridge.puzzles.kinds.rules import Grid

INSTANCES = [row for kind in SECOND for row in kept_rows(kind.replace("-", "_"))]


def instance(row: dict[str, Any]) -> Puzzle:
    return parse(row["instance"]["puzzle"], json.dumps(row["instance"]))


def frozen(rows: list[list[Any]]) -> Grid:
    return tuple(map(tuple, rows))


@pytest.mark.parametrize("row", INSTANCES, ids=lambda row: str(row["id"]))
def test_the_only_solution_is_the_known_one(row: dict[str, Any]) -> None:
    found = bridge.check(instance(row))
    assert found.verdict is Verdict.UNIQUE
    assert found.solutions == (frozen(row["solution"]),)


@pytest.mark.slow
@pytest.mark.parametrize("row", INSTANCES, ids=lambda row: str(row["id"]))
def test_the_second_program_finds_the_same(row: dict[str, Any]) -> None:
    second = SECOND[row["instance"]["puzzle"]](row["instance"])
    assert [list(map(list, grid)) for grid in second.solutions()] == [row["solution"]]


def test_each_kind_has_five_instances() -> None:
    for kind in SECOND:
        assert len(kept_rows(kind.replace("-", "_"))) >= 5


#: Wrong answers: the kind, the instance, the answer, and the only rule that it breaks.
WRONG = [
    ("akari", ". . .", "101", "across"),
    ("akari", ".\n.\n.", "1\n0\n1", "down"),
    ("akari", ". .\n. .", "10\n00", "lit"),
    ("akari", ". 2 .", "1#0", "lit number"),
    ("akari", ". 1 .", "1#1", "number"),
    ("akari", "0 #\n. .", "##\n10", "number"),
    ("hitori", "1 1\n2 3", "00\n00", "row"),
    ("hitori", "1 2\n1 3", "00\n00", "column"),
    ("hitori", "1 2 3\n2 3 1\n3 1 2", "110\n000\n000", "apart"),
    ("hitori", "1 2 3\n2 3 1\n3 1 2", "100\n100\n000", "apart"),
    ("hitori", "1 2 3\n2 3 1\n3 1 2", "010\n100\n000", "one area"),
    ("hitori", "1 2 3\n2 3 1\n3 1 2", "000\n001\n010", "one area"),
    ("nonogram", "rows: 2, 1\ncolumns: 1, 1", "10\n01", "row"),
    ("nonogram", "rows: 1, 1\ncolumns: 2, 0", "10\n01", "column"),
    ("nonogram", "rows: 1 2\ncolumns: 1, 1, 0, 1", "1101", "row"),
    ("star-battle", "abcde\nabcde\nabcde\nabcde\nabcde", "10100\n00000\n00001\n01000\n00010", "row"),
    ("star-battle", "aaaaa\nbbbbb\nccccc\nddddd\neeeee", "10000\n00010\n10000\n00001\n00100", "column"),
    ("star-battle", "aaaa\naaaa\nccdd\nccdd", "0100\n0001\n1000\n0010", "region"),
    ("star-battle", "aaaa\nbbbb\ncccc\ndddd", "1000\n0100\n0001\n0010", "apart"),
    ("star-battle", "aaaa\nbbbb\ncccc\ndddd", "0001\n0010\n1000\n0100", "apart"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "text", "answer", "rules"), WRONG)
def test_a_wrong_answer_is_refused_by_the_rules_it_breaks(kind: str, text: str, answer: str, rules: str) -> None:
    puzzle = parse(kind, text)
    grid = frozen([[None if one == "#" else int(one) for one in row] for row in answer.splitlines()])
    words = rules if rules == "one area" else "|".join(rules.split())
    found = [violation.rule for violation in puzzle.violations(grid)]
    assert found
    assert all(re.match(rf"({words})\b", name) for name in found), found
    data = {"facts": [], **puzzle.to_json()}
    second = SECOND[kind](data).broken([*map(tuple, grid)])
    assert second == ({"one area"} if rules == "one area" else set(rules.split()))


@pytest.mark.slow
def test_every_rule_has_a_wrong_answer() -> None:
    for kind in SECOND:
        covered = {word for one, _, _, rules in WRONG if one == kind for word in [rules, *rules.split()]}
        for row in kept_rows(kind.replace("-", "_")):
            for rule in instance(row).rules():
                assert any(rule.name.startswith(word) for word in covered), rule.name


def example(kind: str) -> tuple[Path, Puzzle]:
    path = ROOT / "encodings" / kind.replace("-", "_") / f"{kind.replace('-', '_')}.txt"
    return path, bridge.puzzles.load(kind, path)


@pytest.mark.parametrize("kind", SECOND)
def test_examples_of_each_size_have_one_solution(kind: str) -> None:
    files = sorted((ROOT / "examples" / kind.replace("-", "_")).glob("*.txt"))
    assert len(files) >= 2
    for file in [*files, example(kind)[0]]:
        puzzle = bridge.puzzles.load(kind, file)
        assert bridge.check(puzzle).verdict is Verdict.UNIQUE
        assert parse(kind, puzzle.draw()) == puzzle
        assert parse(kind, json.dumps(puzzle.to_json())) == puzzle


@pytest.mark.parametrize("kind", SECOND)
def test_an_explanation_ends_with_the_solution(kind: str) -> None:
    row = kept_rows(kind.replace("-", "_"))[0]
    puzzle, solution = instance(row), frozen(row["solution"])
    placed = {fact.cell: fact.value for step in bridge.explain(puzzle) for fact in step.new if fact.holds}
    assert puzzle.solution(placed) == solution


@pytest.mark.parametrize(
    ("kind", "text", "core"),
    [
        ("akari", ". . 1\n2 . .\n# 0 .", {"number r2c1=2", "number r3c2=0"}),
        ("nonogram", "rows: 2, 1\ncolumns: 0, 2", {"row 1", "column 1"}),
        ("hitori", "1 1 1 1\n2 3 4 5\n3 2 5 4\n4 5 2 3", {"row 1", "apart"}),
        ("star-battle", "aabb\naabb\naabb\ncccd", {"row 4", "region c", "region d"}),
    ],
)
def test_a_diagnosis_names_what_clashes(kind: str, text: str, core: set[str]) -> None:
    found = bridge.diagnose(parse(kind, text))
    assert found.verdict is Verdict.IMPOSSIBLE
    assert core in [{str(premise) for premise in clash.premises} for clash in found.clashes]


def test_a_number_taken_away_leaves_its_wall() -> None:
    puzzle = parse("akari", ". 3\n. .")
    less = puzzle.without(["number r1c2=3"])
    assert less.draw() == ". #\n. ."
    assert less.cells() == puzzle.cells()


def test_a_row_taken_away_leaves_the_size() -> None:
    puzzle = parse("nonogram", "rows: 1, 1, 1\ncolumns: 1, 1, 1")
    less = puzzle.without(["row 3"])
    assert len(less.cells()) == 9
    assert bridge.count(puzzle).number == 6
    assert bridge.count(less).number == 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["akari", "nonogram", "star-battle"])
def test_what_is_generated_has_one_solution_for_the_second_program(kind: str) -> None:
    (made,) = bridge.puzzles.generate(kind, 4, seed=11)
    again = next(iter(bridge.puzzles.generate(kind, 4, seed=11)))
    assert made.puzzle == again.puzzle
    clues = made.puzzle.clues()
    data = made.puzzle.with_clues({}).to_json()
    second = SECOND[kind](data)
    every = second.solutions(10_000)
    fitting = [grid for grid in every if all(grid[r - 1][c - 1] == value for (r, c), value in clues.items())]
    assert [frozen([*map(list, grid)]) for grid in fitting] == [made.solution]


def test_a_hitori_is_not_generated() -> None:
    with pytest.raises(UnsupportedError, match=r"does not say how the number of a new Hitori is made"):
        bridge.puzzles.generate("hitori", 5, seed=1)


@pytest.mark.parametrize("kind", SECOND)
def test_a_picture_shows_the_instance_and_the_solution(kind: str) -> None:
    _, puzzle = example(kind)
    (solution,) = bridge.check(puzzle).solutions
    svg = render.instance(puzzle).svg()
    for _, arguments in puzzle.shape.details.drawn:  # type: ignore[attr-defined]
        text = str(arguments[-1])
        if text.isdigit():
            assert f">{text}</text>" in svg
    assert solution
    assert puzzle.draw(solution).count("\n") == len(solution) - 1


@pytest.mark.parametrize(
    ("kind", "text", "line", "column", "message"),
    [
        ("akari", ". 5\n. .", 1, 3, "a wall has four cells beside it, not 5"),
        ("akari", "# #\n# #", None, None, "there is no white cell"),
        ("akari", ". x\n. .", 1, 3, "has no meaning here"),
        ("nonogram", "rows: 2 2, 1\ncolumns: 1, 1", 1, 7, "the blocks of row 1 need 5 cells, and it has 2"),
        ("nonogram", "rows: 1 0, 1\ncolumns: 1, 1", 1, 9, "0 stands alone"),
        ("nonogram", "rows: 1, -1\ncolumns: 1, 1", 1, 10, "negative"),
        ("hitori", "1 2\n3", 2, None, "row 2 has 1 cell"),
        ("hitori", ". .\n. .", None, None, "there are no numbers"),
        ("star-battle", "a b\nc d\n\nstars: x y", 4, 1, "not a list of facts"),
    ],
)
def test_wrong_text_is_refused_with_its_place(
    kind: str, text: str, line: int | None, column: int | None, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse(kind, text)
    assert caught.value.where is not None
    assert (caught.value.where.line, caught.value.where.column) == (line, column)


def test_titles() -> None:
    assert [puzzle_class(kind).title for kind in SECOND] == ["Akari", "Hitori", "Nonogram", "Star Battle"]
