"""The kinds in `examples/kinds`, files as an author outside writes them: their boards, a wrong answer for each rule, new boards."""

from __future__ import annotations

from typing import Any

import pytest
from shared_data import ROOT

import bridge
from bridge.outcome import Verdict
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.registry import add_path

FOLDER = ROOT / "examples" / "kinds"
NAMES = sorted(path.stem for path in FOLDER.glob("*.lp"))

SOLUTIONS = {
    "masyu": "es ew ew ew ew sw\nne ew ew ew sw ns\noff es ew ew nw ns\nes nw es sw es nw\nns off ns ns ne sw\nne ew nw ne ew nw",
    "nurikabe": "0 0 1 0 1 0\n1 1 1 0 1 1\n0 1 0 1 1 0\n1 1 1 1 0 0\n0 1 0 1 1 1\n1 1 1 0 0 1",
    "suguru": "3 4 3 1 3 2\n2 1 2 4 5 1\n4 3 5 3 2 4\n1 2 1 4 1 3\n4 5 3 2 5 4\n3 2 1 4 1 2",
}

#: The kind, the instance, a complete answer, and the rules that it breaks.
WRONG = [
    ("suguru", "regions:\na a b b", "1 1 1 2", {"region a", "apart"}),
    ("suguru", "regions:\na a b b", "1 2 2 1", {"apart"}),
    ("suguru", "1 .\n\nregions:\na a", "2 1", {"clue r1c1=1"}),
    ("nurikabe", "2 . .", "0 1 1", {"island r1c1=2"}),
    ("nurikabe", "2 . 1\n. . .", "0 0 0\n1 1 1", {"island r1c1=2", "island r1c3=1"}),
    ("nurikabe", "1 . .\n. . .", "0 1 0\n1 1 1", {"numbers"}),
    ("nurikabe", "1 . .", "1 0 1", {"island r1c1=1", "numbers", "one sea"}),
    ("nurikabe", "1 . .\n. . .", "0 1 1\n1 1 1", {"no square"}),
    ("masyu", ". .\n. .", "es ew\nne nw", {"sides"}),
    ("masyu", "b .\n. .", "es sw\nne nw", {"pearl r1c1=b"}),
    ("masyu", "w .\n. .", "es sw\nne nw", {"pearl r1c1=w"}),
    ("masyu", ". .\n. .", "off off\noff off", {"one loop"}),
    ("masyu", ". . . .\n. . . .", "es sw es sw\nne nw ne nw", {"one loop"}),
]


def board(name: str) -> Puzzle:
    return bridge.puzzles.load(str(FOLDER / f"{name}.lp"), FOLDER / f"{name}.txt")


def rows(text: str) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(int(one) if one.isdigit() else one for one in line.split()) for line in text.splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_the_board_has_the_known_solution(name: str) -> None:
    found = bridge.check(board(name))
    assert found.verdict is Verdict.UNIQUE
    assert found.solutions == (rows(SOLUTIONS[name]),)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_its_explanation_ends_with_it(name: str) -> None:
    puzzle = board(name)
    placed = {fact.cell: fact.value for step in bridge.explain(puzzle) for fact in step.new if fact.holds}
    assert puzzle.solution({**puzzle.clues(), **placed}) == rows(SOLUTIONS[name])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text", "answer", "rules"), WRONG)
def test_a_wrong_answer_breaks_these_rules(name: str, text: str, answer: str, rules: set[str]) -> None:
    puzzle = parse(add_path(str(FOLDER / f"{name}.lp")), text)
    assert {violation.rule for violation in puzzle.violations(rows(answer))} == rules


def test_a_wrong_number_is_in_the_clash() -> None:
    text = (FOLDER / "nurikabe.txt").read_text(encoding="utf-8").replace("2 . . 2 . 1", "2 2 . 2 . 1")
    found = bridge.diagnose(parse(add_path(str(FOLDER / "nurikabe.lp")), text))
    assert {str(rule) for rule in found.clashes[0].rules} == {"island r1c1=2", "island r1c2=2"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["masyu", "nurikabe"])
def test_new_boards_have_one_solution(name: str) -> None:
    (made,) = bridge.puzzles.generate(add_path(str(FOLDER / f"{name}.lp")), 4, seed=1)
    found = bridge.check(made.puzzle)
    assert found.verdict is Verdict.UNIQUE
    assert found.solutions == (made.solution,)
