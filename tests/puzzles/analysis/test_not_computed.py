"""A limit at any moment: what was not computed is None, and all that is reported is true.

No test here depends on time: the deadline is one that comes after so many looks at it.
"""

from __future__ import annotations

import json
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import KINDS, All, instance

import bridge
from bridge.analysis import work as module
from bridge.analysis.ambiguity import Ambiguity, ambiguity_of
from bridge.analysis.explain import Step
from bridge.cli.shared import counted
from bridge.errors import LimitError
from bridge.limits import LEAST, Deadline, Limits
from bridge.outcome import Count, Outcome, Stream, Verdict
from bridge.puzzles.analysis.check import Report, outcome_json, residuals
from bridge.puzzles.analysis.count import Part, PuzzleCount
from bridge.puzzles.analysis.diagnose import diagnose
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.engines import engine
from bridge.puzzles.engines.asp import Asp
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.explain.explain import leading_to
from bridge.puzzles.kinds import Puzzle, parse
from bridge.puzzles.kinds.crossword import Crossword
from bridge.puzzles.kinds.rules import Grid, at
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact
from bridge.puzzles.render import views
from bridge.puzzles.search.ladder import Grade
from bridge.puzzles.web.diagnosis import send_diagnosis


class After(Deadline):
    """A deadline that comes after so many looks at it."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def expired(self) -> bool:
        self.looks -= 1
        return self.looks < 0

    def remaining(self) -> float | None:
        return LEAST if self.expired() else None


def diagnosed(puzzle: Puzzle, looks: int, monkeypatch: pytest.MonkeyPatch) -> list[PuzzleDiagnosis]:
    """The diagnosis as it grows, with a limit after so many looks."""
    told: list[PuzzleDiagnosis] = []
    with monkeypatch.context() as patched:
        patched.setattr(module, "Deadline", lambda _: After(looks))
        told.append(diagnose(puzzle, on_progress=told.append, most_clues=2, effort=50))
    return told


#: Of one instance in each of these the diagnosis is cut after 0, 1, 2, ... looks; then in larger steps.
LOOKS = [*range(12), *range(12, 80, 11), *range(80, 400, 80)]


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
@settings(max_examples=3)
@given(seed=st.integers(0, 10**9))
def test_at_any_limit_all_that_is_told_is_true(name: str, seed: int) -> None:
    random = Random(seed)
    every = All(instance(name, random, least=random.choice([0, 0, 3])), random, 8_000)
    if every.held or every.cut:
        return
    with pytest.MonkeyPatch.context() as monkeypatch:
        for looks in LOOKS:
            told = diagnosed(every.puzzle, looks, monkeypatch)
            for found in told[-1:]:
                check(every, found)
            if told[-1].limit is None:
                break


def check(every: All, found: PuzzleDiagnosis) -> None:
    """Whether every statement of a diagnosis is true, in Python, JSON and text."""
    puzzle = every.puzzle
    premises: list[RuleOrFact] = [
        *(rule.name for rule in puzzle.rules()),
        *(Fact(c, v) for c, v in puzzle.clues().items()),
    ]
    solutions = every.keeping(premises)
    grids = every.grids(solutions)
    assert found.verdict in (
        Verdict.UNKNOWN,
        (Verdict.IMPOSSIBLE, Verdict.UNIQUE, Verdict.AMBIGUOUS)[min(len(grids), 2)],
    )
    assert set(found.solutions) <= set(grids)
    given_rules = {rule.name for rule in puzzle.rules() if rule.given}
    givens = [one for one in premises if isinstance(one, Fact) or one in given_rules]

    def left(away: Any) -> int:
        return every.keeping([one for one in premises if one not in set(away)])

    # Impossible
    assert found.clashes is None or bool(found.clashes) == (found.verdict is Verdict.IMPOSSIBLE)
    assert not any(every.keeping(clash.premises) for clash in found.clashes or ())
    if (removals := found.removals) is not None:
        assert not any(left(some) for n in range(min(removals.size, 3)) for some in combinations(givens, n))
        assert all(left(one) for one in removals.sets)
        if removals.complete and not removals.sets:
            assert not left(givens)
    # Ambiguous
    if found.residual is not None:
        assert {c: set(of) for c, of in found.residual.possible.items()} == {
            cell: {at(grid, cell) for grid in grids} for cell in puzzle.cells()
        }
    if found.ambiguity is not None:
        check_ambiguity(grids, found.ambiguity)
    if (additions := found.additions) is not None and not isinstance(puzzle, Crossword):
        assert all(every.keeping([*premises, *some]).bit_count() == 1 for some in additions.sets)
    # Unique
    if found.redundant is not None:
        alone = {one for one in givens if left([one]) == solutions}
        assert set(found.redundant) <= alone
        if found.spare is not None:
            assert set(found.redundant) == alone
            assert left(found.spare) == solutions
    if found.hidden:
        assert all(at(grid, cell) == value for cell, value in found.hidden.items() for grid in grids)
    assert (found.hidden is None) >= (found.propagated is None and found.verdict is not Verdict.IMPOSSIBLE)
    check_words(found)


def check_ambiguity(grids: list[Grid], found: Ambiguity) -> None:
    assert 2 <= found.number <= len(grids)
    assert found.number == len(grids) or not found.complete
    for cell, counts in found.counts.items():
        for value, number in counts.items():
            true = sum(at(grid, cell) == value for grid in grids)
            exact = found.cap is None or (found.finished and number < found.cap)
            assert number == true if exact else 1 <= number <= true
    assert found.groups is not None or not found.finished
    for group in found.groups or ():
        assert {tuple(at(grid, cell) for cell in group.cells) for grid in grids} == set(group.ways)
    if found.finished:
        assert found.groups is not None
        apart = [cell for cell in found.counts if not any(cell in group.cells for group in found.groups)]
        for one, other in combinations(apart, 2):
            pairs = {(at(grid, one), at(grid, other)) for grid in grids}
            assert not len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


#: What the text says instead, by the field and the verdict that it belongs to.
MISSING = {
    ("clashes", Verdict.IMPOSSIBLE): "what clashes: not computed",
    ("removals", Verdict.IMPOSSIBLE): "which clues to take away: not computed",
    ("residual", Verdict.AMBIGUOUS): "open cells: not computed",
    ("additions", Verdict.AMBIGUOUS): "which clues to add: not computed",
    ("rules", Verdict.AMBIGUOUS): "rules of the open cells: not computed",
    ("hidden", Verdict.AMBIGUOUS): "what propagation alone decides: not computed",
    ("hidden", Verdict.UNIQUE): "what propagation alone decides: not computed",
    ("grade", Verdict.UNIQUE): "grade: not computed",
    ("redundant", Verdict.UNIQUE): "which clues could go: not computed",
}


def check_words(found: PuzzleDiagnosis) -> None:
    plain, text = json.loads(json.dumps(found.to_json())), str(found)
    for name in ("clashes", "removals", "after", "residual", "ambiguity", "additions", "rules", "redundant", "spare", "grade", "hidden"):  # fmt: skip
        assert (plain[name] is None) == (getattr(found, name) is None), name
    for (name, verdict), sentence in MISSING.items():
        if found.verdict is verdict:
            assert (sentence in text) == (getattr(found, name) is None or _none_found_yet(found, name)), (name, text)
    assert "(0 or more)" not in text
    assert "at least 0" not in text
    if found.verdict is Verdict.AMBIGUOUS and (found.ambiguity is None or found.ambiguity.groups is None):
        assert "which cells vary together: not computed" in text
    if found.verdict is Verdict.UNIQUE and found.spare is None:
        assert "no clue could go" not in text


def _none_found_yet(found: PuzzleDiagnosis, name: str) -> bool:
    if name == "additions":
        assert found.additions is not None
        return not found.additions.sets and found.additions.size < 2
    return name == "redundant" and not found.redundant and found.spare is None


#: Two solutions; the open cells vary together.
TWO = ".39...12.\n...9.7...\n8..4.1..6\n.42...79.\n.........\n.91...54.\n5..1.9..3\n...8.5...\n.14...87."


@pytest.mark.slow
def test_a_lower_bound_starts_with_what_is_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = parse("sudoku", TWO)
    counts = set()
    for looks in range(20):
        found = diagnosed(puzzle, looks, monkeypatch)[-1]
        if found.ambiguity is not None and not found.ambiguity.finished:
            counts.add(found.ambiguity.number)
            assert found.ambiguity.groups is None
            assert found.ambiguity.to_json()["groups"] is None
            text = str(found)
            assert text.startswith("ambiguous: there are at least 2 solutions\n")
            assert "which cells vary together: not computed (the time limit came first)" in text
    assert counts == {2}


@pytest.mark.slow
def test_the_page_is_not_told_of_none_where_nothing_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, cut = parse("sudoku", TWO), 0
    for looks in range(20):
        told: list[dict[str, Any]] = []
        with monkeypatch.context() as patched:
            patched.setattr(module, "Deadline", lambda _, looks=looks: After(looks))
            send_diagnosis(puzzle, told.append, 1)
        parts = {part["part"]: part for part in told}
        if len(parts["verdict"]["solutions"]) == 2 and "ambiguity" in parts and not parts["ambiguity"]["finished"]:
            cut += 1
            assert parts["ambiguity"]["number"] == 2
            assert parts["ambiguity"]["groups"] is None
            assert "additions" not in parts or parts["additions"]["size"] == 1
    assert cut


def test_groups_found_before_a_limit_are_kept() -> None:
    puzzle = parse("takuzu", "....\n....\n....\n....")
    oracle = Oracle(puzzle)
    premises: list[RuleOrFact] = [*oracle.rules]
    possible = dict.fromkeys(puzzle.cells(), (0, 1))
    whole = ambiguity_of(oracle, premises, possible, most=2, cap=1)
    assert whole.finished
    asked = 0

    def limited(*_: Any, **__: Any) -> None:
        nonlocal asked
        asked += 1

    late = Oracle(puzzle)
    late.possible = limited  # type: ignore[method-assign]  # it finds no group proved in time
    found = ambiguity_of(late, premises, possible, most=2, cap=1)
    assert (found.finished, found.groups) == ((False, None) if asked else (True, whole.groups))
    assert found.number >= 2


def test_no_solution_without_any_clue_is_not_a_missing_answer() -> None:
    found = diagnose(parse("takuzu", "1.\n..\n..\n..\n..\n..\n.."))
    assert found.removals is not None
    assert (found.removals.sets, found.removals.complete) == ((), True)
    assert "not computed" not in str(found)


def test_residuals_that_were_not_computed() -> None:
    puzzle = parse("sudoku", "1...............")
    nothing = PuzzleResidual("exact", "asp", {}, complete=False, limit="seconds")
    assert (nothing.known, nothing.to_json()["open"], nothing.to_json()["constraints"]) == (False, None, None)
    assert nothing.sentence() == "open cells: not computed, the time limit came first (exact, asp)"
    assert "not computed" in views.residual(puzzle, nothing).caption
    for verdict, outcome in (
        ("ambiguous", bridge.solutions(puzzle, engine="asp", limits=bridge.Limits(solutions=2)).collect()),
        ("unknown", bridge.solutions(puzzle, engine="asp", limits=bridge.Limits(solutions=1)).collect()),
    ):
        plain = outcome_json(puzzle, "asp", outcome)
        assert (plain["verdict"], plain["residual"]) == (verdict, {"open": None, "constraints": None})
        assert Report.of(puzzle, "asp", outcome).to_json()["residual"]["open"] is None
    assert "open cells: not computed" in str(Report.of(puzzle, "asp", _two(puzzle)))


def _two(puzzle: Puzzle) -> Outcome[Grid]:
    return bridge.solutions(puzzle, engine="asp", limits=bridge.Limits(solutions=2)).collect()


def test_a_residual_that_a_limit_cut_short_has_the_solutions_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = parse("sudoku", "1...............")

    def cut(*_: Any, **__: Any) -> PuzzleResidual:
        return PuzzleResidual("exact", "asp", {}, complete=False, limit="seconds")

    monkeypatch.setattr(Asp, "exact", cut)
    monkeypatch.setattr(type(engine("clpfd")), "propagated", cut)
    *_, report = residuals(Report.of(puzzle, "asp", _two(puzzle)), bridge.Limits(seconds=1))
    one, other = report.solutions
    assert report.residual is not None
    assert report.residual.open
    for cell, values in report.residual.possible.items():
        assert set(values) == {at(one, cell), at(other, cell)}
    assert "no cell is open" not in views.residual(puzzle, report.residual).caption


def test_counts_of_which_nothing_is_known() -> None:
    puzzle = parse("latin-square", "order 3")
    counted = PuzzleCount(0, False, "seconds", puzzle=puzzle, engine="asp", parts=(Part(tuple(puzzle.cells()), 0, False),))
    assert str(counted) == "no solution found: the time limit came first"
    stopped = bridge.count(parse("magic-square", "order 6"), limits=Limits(seconds=0.001))
    assert stopped.complete or stopped.parts
    assert all(part.complete or part.number >= 0 for part in stopped.parts)


def test_steps_that_end_at_a_limit_do_not_say_that_there_is_none() -> None:
    def steps(progress: Any) -> Any:
        progress.limit = "seconds"
        yield from ()

    empty: Stream[Step] = Stream(steps)
    with pytest.raises(LimitError, match="the limit on seconds came before a step decided r1c1"):
        leading_to(empty, (1, 1))


def test_a_grade_that_was_not_found() -> None:
    (made,) = bridge.puzzles.generate("sudoku", 4, seed=1)
    nothing = Grade(Verdict.UNKNOWN, "fc", {}, {}, {}, limit="seconds")
    again = type(made)(made.puzzle, made.solution, made.seed, nothing, made.irredundant, made.attempts, made.proof)
    assert set(again.to_json()["grade"].values()) == {None}
    assert "Grade: not computed." in bridge.picture(again).caption


def test_a_count_that_found_nothing_is_no_lower_bound() -> None:
    assert counted(Count(0, True), "answer set") == "0 answer sets"
    assert counted(Count(2, False, "seconds"), "answer set") == "at least 2 answer sets, stopped by the time limit"
    assert counted(Count(0, False, "seconds"), "answer set") == "no answer set found, stopped by the time limit"
