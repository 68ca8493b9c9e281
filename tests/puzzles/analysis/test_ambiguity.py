"""What is open: counts of each value, cells that vary together, exact or honestly bounded."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small import BLANK, asked, parts_of_solutions, with_clues

from bridge.analysis.ambiguity import Ambiguity, Group, ambiguity_of
from bridge.limits import Deadline
from bridge.outcome import Interrupted
from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Assignment, Oracle

Counts = dict[Cell, dict[Value, int]]


def counted(solutions: Sequence[Assignment]) -> Counts:
    """The naive twin: of each open cell, how many solutions have each value."""
    found: Counts = {}
    for cell in sorted(solutions[0]):
        values = [one[cell] for one in solutions]
        if len(set(values)) > 1:
            found[cell] = {value: values.count(value) for value in sorted(set(values), key=str)}
    return found


def together(solutions: Sequence[Assignment], one: Cell, other: Cell) -> bool:
    """Whether the value of either tells that of the other."""
    pairs = {(s[one], s[other]) for s in solutions}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def grouped(solutions: Sequence[Assignment], cells: Sequence[Cell]) -> set[frozenset[Cell]]:
    classes = {frozenset(c for c in cells if together(solutions, cell, c)) for cell in cells}
    return {group for group in classes if len(group) > 1}


# With more clues the Futoshiki has one solution as a rule.
@pytest.mark.slow
@pytest.mark.parametrize(("name", "clues"), [("sudoku", 8), ("latin", 8), ("takuzu", 8), ("futoshiki", 3)])
def test_counts_and_groups(name: str, clues: int) -> None:
    @settings(max_examples=12)
    @given(parts_of_solutions(name, 1, clues), st.sampled_from([2, 5, 1000]), st.sampled_from([1, 3, 20]))
    def check(given: dict[Cell, Value], most: int, cap: int) -> None:
        solutions = with_clues(name, given)
        assume(len(solutions) > 1)
        _, oracle, premises = asked(name, given)
        exact = counted(solutions)
        found = ambiguity_of(oracle, premises, {cell: list(of) for cell, of in exact.items()}, most=most, cap=cap)
        assert found.finished
        assert found.complete == (len(solutions) < most)
        if found.complete:
            assert found.number == len(solutions)
            assert found.cap is None
            assert found.counts == exact
        else:
            assert most <= found.number <= len(solutions)
            assert found.cap == cap
            for cell, of in exact.items():
                for value, number in of.items():
                    seen = found.counts[cell][value]
                    assert seen == number if number < cap else cap <= seen <= number
        assert {frozenset(group.cells) for group in found.groups} == grouped(solutions, list(exact))
        for group in found.groups:
            ways = {tuple(one[cell] for cell in group.cells) for one in solutions}
            assert set(group.ways) == ways
            assert len(group.ways) == len(ways)

    check()


def test_problem_6_of_report_3() -> None:
    rows = (
        ".39...12.",
        "...9.7...",
        "8..4.1..6",
        ".42...79.",
        ".........",
        ".91...54.",
        "5..1.9..3",
        "...8.5...",
        ".14...87.",
    )
    oracle = Oracle(parse("sudoku", "".join(rows)))
    cells = ((4, 1), (4, 6), (6, 1), (6, 6))
    found = ambiguity_of(oracle, [*oracle.rules, *oracle.clues], dict.fromkeys(cells, (3, 6)))
    assert found == Ambiguity(
        2, True, {cell: {3: 1, 6: 1} for cell in cells}, None, (Group(cells, ((3, 6, 6, 3), (6, 3, 3, 6))),), True
    )
    assert found.to_json()["groups"] == [
        {"cells": ["r4c1", "r4c6", "r6c1", "r6c6"], "ways": [[3, 6, 6, 3], [6, 3, 3, 6]]}
    ]
    assert found.to_json()["counts"]["r4c1"] == [[3, 1], [6, 1]]


def test_the_cost_grows_with_candidates_not_with_solutions() -> None:
    blank = BLANK["sudoku"]
    oracle = Oracle(blank)
    candidates = {cell: blank.values() for cell in blank.cells()}
    found = ambiguity_of(oracle, list(oracle.rules), candidates, most=10, cap=3)
    assert found.number <= 10 + 3 * 64
    assert oracle.calls <= 1 + 64
    assert all(count >= 3 for of in found.counts.values() for count in of.values())


def hard() -> tuple[Oracle, Mapping[Cell, Sequence[Value]]]:
    puzzle = parse("magic-square", "order 5")
    return Oracle(puzzle, Deadline(0.2)), {cell: puzzle.values() for cell in puzzle.cells()}


def test_a_deadline_leaves_lower_bounds() -> None:
    oracle, candidates = hard()
    found = ambiguity_of(oracle, list(oracle.rules), candidates)
    assert not found.finished
    assert not found.complete
    assert sum(found.counts[1, 1].values()) == found.number


def test_ctrl_c_keeps_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    blank = BLANK["takuzu"]  # among two solutions some cells are alike, and that is asked
    oracle = Oracle(blank)
    possible = Oracle.possible

    def interrupt(self: Oracle, *words: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return possible(self, *words)

    monkeypatch.setattr(Oracle, "possible", interrupt)  # asked of groups, where not all solutions are at hand
    candidates = {cell: blank.values() for cell in blank.cells()}
    with pytest.raises(Interrupted) as caught:
        ambiguity_of(oracle, list(oracle.rules), candidates, most=2, cap=1)
    assert isinstance(caught.value.partial, Ambiguity)
    assert caught.value.partial.number >= 1
    assert not caught.value.partial.finished


def test_pairs_that_only_seem_to_vary_together() -> None:
    """With few solutions at hand many cells look alike; the solver tells that they are not."""
    blank = BLANK["latin"]
    oracle = Oracle(blank)
    candidates = {cell: blank.values() for cell in blank.cells()}
    found = ambiguity_of(oracle, list(oracle.rules), candidates, most=2, cap=1)
    solutions = with_clues("latin", {})
    for group in found.groups:
        assert all(together(solutions, a, b) for a, b in combinations(group.cells, 2))
