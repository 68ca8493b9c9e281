"""Propagation rule by rule: it keeps every solution, finds what one or two rules imply, and records which."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small import BLANK, parts_of_solutions, with_clues

from bridge.errors import LimitError
from bridge.puzzles.explain.deduction import Deduction
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact


def deduction_of(puzzle: Puzzle) -> Deduction:
    oracle = Oracle(puzzle)
    premises: list[RuleOrFact] = [*oracle.rules, *oracle.clues]
    exact = oracle.possible(premises)
    assert exact is not None
    answer = oracle.ask(premises).answer
    assert answer is not None
    return Deduction(oracle, answer, exact)


def exhausted(deduction: Deduction) -> Mapping[Cell, set[Value]]:
    """The domains when every cell that is decided has been taken in, too."""
    while deduction.advance():
        for cell in deduction.decided():
            deduction.know(Fact(cell, min(deduction.domains[cell])))
    return deduction.domains


@pytest.mark.parametrize("name", BLANK)
@settings(max_examples=8)
@given(data=st.data())
def test_no_solution_is_lost(name: str, data: st.DataObject) -> None:
    clues = data.draw(parts_of_solutions(name, 1, 9))
    domains = exhausted(deduction_of(BLANK[name].with_clues(clues)))
    for solution in with_clues(name, clues):
        assert all(value in domains[cell] for cell, value in solution.items())


def test_a_rule_by_itself_sees_pairs() -> None:
    """Two cells of a row that share two values leave them to no other."""
    deduction = deduction_of(parse("latin-square", ". . . .\n3 . . .\n4 . . .\n. 3 4 ."))
    domains = exhausted(deduction)
    assert domains[1, 1] | domains[4, 1] == {1, 2}
    assert domains[4, 4] == {1, 2}


#: Of four cells one is 0: at either end it would leave three ones in a row.
BY_TWO = "0 . . . . 0\n" + ". . . . . .\n" * 5


def test_two_rules_see_what_neither_sees_alone() -> None:
    deduction = deduction_of(parse("takuzu", BY_TWO))
    both = ["row 1: balance", "row 1: no three alike"]
    assert deduction.advance()
    assert {(1, 2), (1, 5)} <= set(deduction.decided())
    fact = Fact((1, 2), 1)
    assert deduction.domains[fact.cell] == {1}
    assert sorted(deduction.behind(fact)) == sorted(deduction.last(fact)[0]) == both
    others = [premise for premise in deduction.about(both) if premise != fact]
    assert not deduction.oracle.holds([*both, *others, fact.negated()])
    for rule in both:
        assert deduction.oracle.holds([rule, *others, fact.negated()])


def test_behind_is_all_and_last_is_the_end_of_it() -> None:
    """r1c1 by its column, which needs to know r2c1, which its row leaves one value."""
    deduction = deduction_of(parse("latin-square", ". . . .\n. 1 2 3\n2 . . .\n3 . . ."))
    while (1, 1) not in deduction.decided():
        deduction.advance()
        for cell in deduction.decided():
            if cell != (1, 1):
                deduction.know(Fact(cell, min(deduction.domains[cell])))
    fact = Fact((1, 1), 1)
    assert set(deduction.behind(fact)) >= {"column 1", "row 2"}
    rules, needed = deduction.last(fact)
    assert rules == ["column 1"]
    assert Fact((2, 1), 1, False) in needed
    assert not any(one.cell == (1, 1) for one in needed)
    assert not deduction.oracle.holds([*deduction.behind(fact), *deduction.known, fact.negated()])


def test_what_is_told_is_known() -> None:
    deduction = deduction_of(parse("latin-square", "1 . .\n. . .\n. . ."))
    gone = Fact((2, 2), 3, False)
    assert deduction.known == [Fact((1, 1), 1)]
    deduction.know(gone)
    assert deduction.known == [gone, Fact((1, 1), 1)]
    assert deduction.domains[2, 2] == {1, 2}
    assert deduction.about(["row 2"]) == [gone]
    assert deduction.about(["row 1", "row 2"]) == [gone, Fact((1, 1), 1)]
    deduction.know(Fact((2, 2), 2))
    assert (deduction.domains[2, 2], deduction.placed[2, 2]) == ({2}, Fact((2, 2), 2))
    assert deduction.decided() == []


def test_nothing_is_decided_where_nothing_is_known() -> None:
    deduction = deduction_of(BLANK["latin"])
    assert not deduction.advance()
    assert not deduction.advance()
    assert all(len(values) == 3 for values in deduction.domains.values())
    assert deduction.open_candidates() == []


def test_open_candidates_are_those_that_no_solution_has() -> None:
    """Each line by itself, and any two, allow more than all together do."""
    puzzle = parse("sudoku", ".2....\n5..3.2\n1.....\n....6.\n..4.3.\n.5.6..")
    deduction = deduction_of(puzzle)
    exhausted(deduction)
    candidates = deduction.open_candidates()
    assert candidates
    rules = list(deduction.oracle.rules)
    for fact in candidates:
        assert fact.value in deduction.domains[fact.cell]
        assert not deduction.oracle.holds([*rules, *deduction.oracle.clues, fact.negated()])
    sizes = [len(deduction.domains[fact.cell]) for fact in candidates]
    assert sizes == sorted(sizes)


def test_a_limit_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    deduction = deduction_of(parse("latin-square", "1 . .\n. . .\n. . ."))
    monkeypatch.setattr(Oracle, "possible", lambda self, premises: None)
    with pytest.raises(LimitError, match="seconds"):
        deduction.advance()
