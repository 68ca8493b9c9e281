"""Kinds without a CSP: what their rules say is recognised, each step is verified, and people read what solvers say."""

from __future__ import annotations

import pytest
from shared_data import ROOT

from benchmarks.explanations import Judge
from bridge.analysis.ask import explain
from bridge.analysis.explain import Step
from bridge.puzzles.cli.reading import read_puzzle
from bridge.puzzles.explain.recognised import Recognised, Result
from bridge.puzzles.explain.techniques import NAMES
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.oracle import Fact, Oracle

#: What must be among the sentences of an instance, and the techniques that all its named steps have.
TOLD = {
    ("kakuro", "kakuro/pzprjs-6x6.txt"): [
        "r3c2 and r4c2 are not 2, 4, 5, 6, 7, 8 or 9: sum combinations: down from r3c2: 4 in two cells is 1+3",
        "r5c6 = 8: last cell of a sum: all other values of down from r4c6 are known",
    ],
    ("killer", "killer/four.lp"): [
        "r1c3, r1c4 and r2c4 are not 1: sum combinations: cage b: 9 in three cells is 2+3+4",
    ],
    ("kenken", "kenken/four.lp"): [
        "r2c1 = 3: last cell of a cage: all other values of cage c are known",
        "r2c3 is not 2: cage combinations: cage d: 3− in two cells is 4−1",
    ],
    ("skyscrapers", "skyscrapers/four.lp"): [
        "r1c3 is not 4: one rule: 2 from the top of 3 allows nothing else",
        "line combinations: nothing else completes 2 from the left of 1 and row 1",
    ],
    ("nonogram", "nonogram/six.lp"): ["overlap: all ways to fill "],
    ("akari", "akari/six.lp"): ["the open cells can only be 1"],
    ("slitherlink", "slitherlink/four.lp"): [
        "above r4c2, left of r4c2, left of r4c3 and below r4c2 = 0: count: number r4c2=0: the open cells can only be 0",
    ],
    ("star-battle", "star_battle/six.lp"): [": contradiction: if "],
    ("variant-sudoku", "variant_sudoku/kropki-4x4.txt"): ["in two cells is "],
}


def load(kind: str, path: str) -> Puzzle:
    return read_puzzle(kind, str(ROOT / "examples" / path))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "path"), TOLD)
def test_every_step_is_verified_and_told_as_solvers_do(kind: str, path: str) -> None:
    puzzle = load(kind, path)
    judge, sentences = Judge(puzzle), []
    with explain(puzzle) as stream:
        for step in stream:
            judge.verify(step)
            assert step.technique is None or step.technique.name in NAMES
            sentences.append(str(step))
    judge.finished()
    for part in TOLD[kind, path]:
        assert any(part in sentence for sentence in sentences), sentences


def recognised(puzzle: Puzzle) -> Recognised:
    oracle = Oracle(puzzle)
    solution = oracle.solution([*oracle.rules, *oracle.clues])
    assert solution is not None
    return Recognised(oracle, solution)


def test_rules_that_are_all_different() -> None:
    """Rows and regions of as many cells as values, runs and cages of fewer; no line of two values, and no clue."""
    found = {one.name for one in recognised(load("killer", "killer/four.lp")).all_different()}
    assert {"row 1", "column 4", "region (2,2)", "cage b"} <= found
    kenken = recognised(load("kenken", "kenken/four.lp"))
    assert {one.name for one in kenken.all_different()} >= {f"row {i}" for i in range(1, 5)}
    in_line = {one.name for one in kenken.all_different() if one.name.startswith("cage")}
    assert "cage f" not in in_line, "cells of a cage in different rows may hold one value"
    assert recognised(load("nonogram", "nonogram/six.lp")).all_different() == []
    assert not {one.name for one in recognised(load("skyscrapers", "skyscrapers/four.lp")).all_different()} & {
        "2 from the bottom of 2"
    }


def test_results() -> None:
    kenken = recognised(load("kenken", "kenken/four.lp"))
    known = {name: kenken.result(name) for name in kenken.oracle.rules}
    assert known["cage d"] == Result("-", 3)
    assert known["row 1"] is None, "each row adds up to 10, but that is not what it says"
    assert known["cage a"] == Result("+", 3)
    skyscrapers = recognised(load("skyscrapers", "skyscrapers/four.lp"))
    assert {skyscrapers.result(name) for name in skyscrapers.oracle.rules} == {None}


def test_several_values_of_one_step() -> None:
    """A step of a line places all its cells; what prints the end of an explanation knows them all."""
    steps: list[Step] = list(explain(load("akari", "akari/six.lp")))
    assert any(len([fact for fact in step.new if fact.holds]) > 1 for step in steps)
    puzzle = steps and load("akari", "akari/six.lp")
    assert isinstance(puzzle, Puzzle)
    placed = [fact.cell for step in steps for fact in step.new if fact.holds]
    assert sorted(placed) == sorted(set(puzzle.cells()) - set(puzzle.clues())), "each cell once"


def test_a_kind_with_a_csp_places_one_value_a_step() -> None:
    puzzle = parse("takuzu", "1 . . .\n. . 0 .\n. 0 . .\n. . 1 1")
    for step in explain(puzzle):
        assert not step.fact.holds or step.new == (Fact(step.fact.cell, step.fact.value),)
