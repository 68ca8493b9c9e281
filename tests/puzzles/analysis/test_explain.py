"""Explanations: every step is verified by a program of its own, and its premises are sufficient and minimal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import ROOT
from small import BLANK, parts_of_solutions, with_clues

from benchmarks.explanations import Judge
from bridge.analysis.ask import explain
from bridge.analysis.explain import Step
from bridge.errors import InputError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Interrupted
from bridge.problem.questions import Reply
from bridge.puzzles.explain.explain import leading_to
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.oracle import Assignment, Fact, Oracle, RuleOrFact


def crossword(reading: str, grid: Iterable[str], words: str) -> Puzzle:
    return parse("crossword", json.dumps({"grid": list(grid), "words": words.split(), "reading": reading}))


UNIQUE = {
    "sudoku": parse("sudoku", "...32....4....1."),
    "sudoku, shaving": parse("sudoku", ".2....5..3.21.........6...4.3..5.6.."),
    "futoshiki": parse("futoshiki", "3   .   .   .\n            v\n.   .   .   .\n^   ^\n.   .   . > .\n.   2   .   ."),
    "takuzu": parse("takuzu", "1...\n....\n...0\n.0.0"),
    "latin square": parse("latin-square", ". . . . 3\n3 2 . . .\n. 1 . . 2\n. . . 2 4\n. . 5 . ."),
    "magic square": parse("magic-square", ". . .\n. . .\n. 7 2"),
    "magic square, told in parts": parse("magic-square", json.dumps({"grid": [[None] * 3] * 3, "symmetry": "reduced"})),
    "crossword, slots": crossword("slots", ["ab.", ".#.", "..."], "abc ade cfg egg"),
    "crossword, a letter only": crossword("slots", ["...", "o..", "..."], "cab ore den cod are ben tab old ten"),
    "crossword, words": crossword("words", ["...", "#.#", "#.#"], "abc bde"),
    "crossword, anywhere": crossword("anywhere", ["....", "#.##", "#.##"], "abcd bef"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNIQUE)
def test_every_step_is_verified_and_the_last_completes_the_grid(name: str) -> None:
    judge = Judge(UNIQUE[name])
    with explain(UNIQUE[name]) as stream:
        for step in stream:
            judge.verify(step)
    judge.finished()
    assert (stream.complete, stream.limit) == (True, None)
    assert stream.statistics.counters["questions"] > 0


@pytest.mark.parametrize("name", BLANK)
@settings(max_examples=5)
@given(data=st.data())
def test_told_is_just_what_all_solutions_agree_on(name: str, data: st.DataObject) -> None:
    clues = data.draw(parts_of_solutions(name, 1, 9))
    puzzle, solutions = BLANK[name].with_clues(clues), with_clues(name, clues)
    judge, placed = Judge(puzzle), dict(clues)
    with explain(puzzle) as stream:
        for step in stream:
            judge.verify(step)
            if step.fact.holds:
                placed[step.fact.cell] = step.fact.value
    assert stream.complete
    assert placed == {cell: of for cell, of in solutions[0].items() if all(one[cell] == of for one in solutions)}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("sudoku", "11.............."),
        ("takuzu", "0 0 0 .\n. . . .\n. . . .\n. . . ."),
        ("magic-square", "1 2 3\n. . .\n. . ."),
    ],
)
def test_nothing_explains_what_is_impossible(kind: str, text: str) -> None:
    with pytest.raises(InputError, match="no solution") as error:
        next(explain(parse(kind, text)))
    assert "diagnose" in str(error.value.hint)


@pytest.mark.parametrize("reading", ["words", "anywhere"])
def test_words_that_fit_nowhere_have_no_explanation(reading: str) -> None:
    with pytest.raises(InputError, match="no solution"):
        next(explain(crossword(reading, ["...", "#.#", "#.#"], "abcd")))


def test_a_full_grid_has_no_steps() -> None:
    outcome = explain(parse("sudoku", "1234341221434321")).collect()
    assert (outcome.solutions, outcome.complete) == ((), True)


def test_a_wrong_full_grid_is_impossible() -> None:
    with pytest.raises(InputError, match="no solution"):
        explain(parse("sudoku", "1234341221434322")).collect()


# How it is worded


def test_one_rule_and_one_step_at_a_glance() -> None:
    (step,) = explain(parse("takuzu", "0 1 0 1\n1 0 1 0\n0 0 1 1\n1 1 0 ."))
    assert (step.fact, step.by, step.proved) == (Fact((4, 4), 0), "value", True)
    assert len(step.rules) == 1


def test_rules_come_first_and_facts_in_reading_order() -> None:
    puzzle = UNIQUE["latin square"]
    order = {rule.name: i for i, rule in enumerate(puzzle.rules())}
    for step in explain(puzzle):
        assert step.premises == (*step.rules, *step.facts)
        assert list(step.rules) == sorted(step.rules, key=order.__getitem__)
        assert list(step.facts) == sorted(step.facts, key=lambda fact: (fact.cell, fact.holds, fact.value))


def test_json_says_the_same() -> None:
    step = Step(Fact((1, 2), 3), ("row 1", Fact((1, 1), 2, False)), "place", proved=False)
    fact = {"cell": [1, 1], "value": 2, "holds": False}
    rest = {"rules": ["row 1"], "facts": [fact], "by": "place", "proved": False, "technique": None}
    new = {"cell": [1, 2], "value": 3, "holds": True}
    assert step.to_json() == {**new, **rest, "new": [new]}


# The steps to one cell


@pytest.mark.parametrize("name", ["sudoku", "futoshiki", "latin square", "crossword, slots"])
def test_the_steps_to_a_cell_are_those_it_rests_on(name: str) -> None:
    puzzle = UNIQUE[name]
    cell = [step.fact.cell for step in explain(puzzle)][-1]
    steps = leading_to(explain(puzzle), cell)
    judge = Judge(puzzle)
    for step in steps:
        judge.verify(step)
    assert (steps[-1].fact.cell, steps[-1].fact.holds) == (cell, True)
    used = {fact for step in steps for fact in step.facts}
    assert used.issuperset(step.fact for step in steps[:-1])


def test_the_first_step_rests_on_no_other() -> None:
    first = next(explain(UNIQUE["takuzu"]))
    assert leading_to(explain(UNIQUE["takuzu"]), first.fact.cell) == [first]


@pytest.mark.parametrize("cell", [(1, 4), (3, 3)])
def test_no_steps_lead_to_a_clue_or_an_open_cell(cell: tuple[int, int]) -> None:
    with pytest.raises(InputError, match=f"no step decides r{cell[0]}c{cell[1]}"):
        leading_to(explain(parse("sudoku", "...32...........")), cell)


# What ends it early


def after(monkeypatch: pytest.MonkeyPatch, questions: int, then: Callable[[], Reply[RuleOrFact, Assignment]]) -> None:
    """After so many questions there is another answer."""
    real = Oracle.ask

    def ask(self: Oracle, premises: Iterable[RuleOrFact], limits: Limits = UNLIMITED) -> Reply[RuleOrFact, Assignment]:
        return then() if self.calls >= questions else real(self, premises, limits)

    monkeypatch.setattr(Oracle, "ask", ask)


@pytest.mark.parametrize("name", ["sudoku, shaving", "takuzu", "latin square"])
@pytest.mark.parametrize("questions", [5, 60])
def test_a_limit_keeps_the_steps_found(name: str, questions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        after(patch, questions, lambda: Reply(None, limit="seconds"))
        outcome = explain(UNIQUE[name]).collect()
    assert (outcome.complete, outcome.limit) == (False, "seconds")
    assert outcome.solutions or questions == 5
    judge = Judge(UNIQUE[name])
    for step in outcome.solutions:
        if step.proved:
            judge.verify(step)
    assert all(step.proved for step in outcome.solutions[:-1])


def test_no_time_no_steps() -> None:
    outcome = explain(UNIQUE["takuzu"], limits=Limits(seconds=1e-9)).collect()
    assert (outcome.solutions, outcome.complete, outcome.limit) == ((), False, "seconds")


def test_ctrl_c_keeps_the_steps_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> Reply[RuleOrFact, Assignment]:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("unreachable")

    puzzle = UNIQUE["latin square"]
    with monkeypatch.context() as patch:
        after(patch, 60, interrupt)
        with pytest.raises(Interrupted) as caught:
            explain(puzzle).collect()
    outcome: Any = caught.value.partial
    assert (outcome.complete, outcome.limit) == (False, "interrupt")
    assert outcome.solutions
    judge = Judge(puzzle)
    for step in outcome.solutions:
        judge.verify(step)
    assert explain(puzzle).collect().complete  # the ground program still answers


# The same on every machine

TELL = """
from bridge.puzzles.kinds import parse
from bridge.analysis.ask import explain
for kind, text in {texts!r}:
    print(kind, *explain(parse(kind, text)), sep="\\n")
"""


@pytest.mark.slow
def test_steps_do_not_depend_on_hash_seeds() -> None:
    names = ("futoshiki", "latin square", "takuzu", "crossword, slots", "crossword, words")
    program = TELL.format(texts=[(UNIQUE[name].kind, json.dumps(UNIQUE[name].to_json())) for name in names])
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert told[0].count("\n") > 40


@pytest.mark.slow
def test_steps_do_not_depend_on_what_was_asked_before() -> None:
    puzzle = parse("magic-square", ". . 11 14\n. . . .\n. 9 . 7\n. . . .")
    first = [(step.fact, step.premises) for step in explain(puzzle)]
    assert [(step.fact, step.premises) for step in explain(puzzle)] == first


@pytest.mark.slow
def test_a_step_names_known_facts_only_where_others_rest_on_them() -> None:
    """Techniques remove candidates before a step needs the removals; by then, cells of theirs may have values."""
    for line in (ROOT / "tests/data/kakuro.jsonl").read_text(encoding="utf-8").splitlines()[:4]:
        puzzle = parse("kakuro", json.loads(line)["text"])
        steps = list(explain(puzzle))
        used = {fact for step in steps for fact in step.facts}
        placed = set(puzzle.clues())
        for step in steps:
            known = [fact for fact in step.new if fact.cell in placed]
            assert set(known) <= used, step
            placed |= {fact.cell for fact in step.new if fact.holds}
