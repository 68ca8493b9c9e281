"""Diagnose an instance: is it unique, ambiguous or impossible, why, and what to change?

All questions are put to one `Oracle`, by names of rules and clues, so the code is the same for every puzzle. The parts
of a diagnosis are computed in the order of their importance, and each is kept when a limit ends a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from bridge.analysis import (
    EFFORT,
    LIMITS,
    After,
    Options,
    Repairs,
    Work,
    additions,
    after,
    ambiguity_of,
    refuse_of_programs,
    removals,
)
from bridge.errors import LimitError, MissingSolverError, UnsupportedError
from bridge.limits import Limits
from bridge.outcome import Interrupted, Verdict
from bridge.problem import some
from bridge.puzzles.analysis.check import PROPAGATED_ENGINE
from bridge.puzzles.analysis.diagnosis import PuzzleDiagnosis
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.engines.engine import holding
from bridge.puzzles.explain.grade import grade
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value, at
from bridge.puzzles.oracle import Fact, Oracle, RuleOrFact


def diagnose(
    puzzle: Puzzle,
    *,
    engine: str = "asp",
    limits: Limits = LIMITS,
    on_progress: Callable[[PuzzleDiagnosis], object] | None = None,
    clashes: int = 1,
    effort: int | None = EFFORT,
    repairs: int = 100,
    most_clues: int = 4,
    instances: bool = False,
    variants: Sequence[str] = (),
) -> PuzzleDiagnosis:
    """The verdict on an instance, the reasons for it, and what to change; see `bridge.diagnose`."""
    refuse_of_programs(instances, variants)
    options = Options(engine_of(engine).name, clashes, effort, repairs, most_clues)
    return _PuzzleWork(puzzle, options, limits, on_progress).done()


#: The parts that are empty, by the verdict.
_NONE: Mapping[Verdict, Mapping[str, Any]] = {
    Verdict.UNIQUE: {"clashes": (), "after": (), "rules": ()},
    Verdict.AMBIGUOUS: {"clashes": (), "after": ()},
    Verdict.IMPOSSIBLE: {"rules": (), "hidden": {}},
}


class _PuzzleWork(Work[PuzzleDiagnosis, RuleOrFact]):
    """The state of a diagnosis of a puzzle."""

    def __init__(
        self, puzzle: Puzzle, options: Options, limits: Limits, on_progress: Callable[[PuzzleDiagnosis], object] | None
    ) -> None:
        super().__init__(PuzzleDiagnosis(puzzle, Verdict.UNKNOWN, notes=puzzle.notes()), limits.seconds, on_progress)
        self.puzzle, self.options = puzzle, options

    @cached_property
    def oracle(self) -> Oracle:
        """Made when it is first used: an instance whose verdict is not found in time is not ground twice."""
        return Oracle(self.puzzle, self.deadline)

    @cached_property
    def premises(self) -> list[RuleOrFact]:
        return [*self.oracle.rules, *self.oracle.clues]

    @property
    def questions(self) -> int:
        return self.oracle.calls if "oracle" in vars(self) else 0

    def parts(self) -> Mapping[Verdict, Sequence[Callable[[], None]]]:
        return {
            Verdict.IMPOSSIBLE: (self._clash, self._removals, self._after, self._clashes),
            Verdict.AMBIGUOUS: (self._residual, self._propagated, self._ambiguity, self._additions),
            Verdict.UNIQUE: (self._propagated, self._grade, self._redundant),
            Verdict.UNKNOWN: (),
        }

    def verdict(self) -> None:
        # By the engine, not the oracle: without switches, hard instances take a fraction of the time.
        try:
            outcome = engine_of(self.options.engine).solutions(self.puzzle, self._left(2)).collect()
        except Interrupted as interrupted:
            self.publish(solutions=interrupted.partial.solutions)
            raise
        found = {"solutions": outcome.solutions, "warnings": models(self.puzzle).warnings()}
        self.publish(verdict=outcome.verdict, **found, **_NONE.get(outcome.verdict, {}))
        if outcome.verdict is Verdict.UNKNOWN:
            raise LimitError("the limit on seconds came before the verdict")

    # Impossible

    def _clash(self) -> None:
        self.publish(clashes=(self.first_clash(self.oracle, self.premises),))

    def _clashes(self) -> None:
        # Last, since it may take long.
        self.publish(clashes=(self.smaller_clash(self.oracle, self.premises, self.options.effort),))
        more = self.other_clashes(self.oracle, self.premises, self.options.clashes - 1)
        self.publish(clashes=(*self.found.clashes, *more))

    def _removals(self) -> None:
        givens: list[RuleOrFact] = [
            *self.oracle.clues,
            *(name for name, rule in self.oracle.rules.items() if rule.given),
        ]
        others = [name for name, rule in self.oracle.rules.items() if not rule.given]
        if not self.oracle.holds(others):
            self.note("without any clue there is no solution either")
            self.publish(removals=Repairs((), len(givens) + 1, True))
        else:
            known = [one.premises for one in self.found.clashes or ()]
            number = self.options.repairs
            self.keep("removals", lambda: removals(self.oracle, givens, others, number, known))

    def _after(self) -> None:
        assert self.found.removals is not None
        found: tuple[After, ...] = ()
        for away in self.found.removals.sets:
            found = (*found, after(self.oracle, self.premises, away))
            self.publish(after=found)
        self.publish(after=found)

    # Ambiguous

    def _residual(self) -> None:
        residual = engine_of("asp").exact(self.puzzle, self._left(None))
        if not residual.complete:
            raise LimitError("the limit on seconds came before the residual was found")
        rules = holding(self.puzzle, residual.open)
        self.publish(residual=replace(residual, constraints=rules), rules=rules)

    def _ambiguity(self) -> None:
        assert self.found.residual is not None
        possible, known = self.found.residual.open, [self._values(grid) for grid in self.found.solutions]
        self.keep("ambiguity", lambda: ambiguity_of(self.oracle, self.premises, possible, known=known))

    def _additions(self) -> None:
        assert self.found.residual is not None
        possible, options = self.found.residual.open, self.options
        self.keep(
            "additions", lambda: additions(self.oracle, self.premises, possible, options.most_clues, options.repairs)
        )
        found = self.found.additions
        assert found is not None
        if models(self.puzzle).clues_select:
            return
        good = tuple(filter(self._unique_with, found.sets))
        if len(good) < len(found.sets):
            self.note("some sets of clues tell the solutions apart, but allow further ones; they are left out")
            self.publish(additions=replace(found, sets=good, complete=False))

    def _unique_with(self, clues: tuple[RuleOrFact, ...]) -> bool:
        added = {fact.cell: fact.value for fact in clues if isinstance(fact, Fact)}
        puzzle = self.puzzle.with_clues({**self.puzzle.clues(), **added})
        outcome = engine_of("asp").solutions(puzzle, self._left(2)).collect()
        if outcome.limit == "seconds":
            raise LimitError("the limit on seconds came before a repair was tried")
        return outcome.verdict is Verdict.UNIQUE

    # Unique

    def _grade(self) -> None:
        limits = self._left(None, of=2)
        self.keep("grade", lambda: grade(self.puzzle, limits=limits))

    def _redundant(self) -> None:
        alone, spare, finished = redundant(self.oracle, list(self.oracle.rules))
        self.publish(redundant=tuple(alone), spare=tuple(spare) if finished else None)
        if not finished:
            raise LimitError("the limit on seconds came before all clues were tried")

    # Both

    def _propagated(self) -> None:
        try:
            propagated = engine_of(PROPAGATED_ENGINE).propagated(self.puzzle, self._left(None, of=4))
        except (MissingSolverError, UnsupportedError) as error:
            self.note(f"propagated residual not shown: {error}")
            return
        if not propagated.complete:
            self.note("propagated residual not shown: it would take more than a quarter of the time")
            return
        exact = self.found.residual.possible if self.found.residual else self._decided()
        hidden = {cell: exact[cell][0] for cell in propagated.open if len(exact[cell]) == 1}
        self.publish(propagated=propagated, hidden=hidden)

    def _decided(self) -> Mapping[Cell, tuple[Value, ...]]:
        """The value of every cell in the only solution."""
        return {cell: (value,) for cell, value in self._values(self.found.solutions[0]).items()}

    def _values(self, grid: Grid) -> dict[Cell, Value]:
        """The value of every cell in a solution."""
        values = {cell: at(grid, cell) for cell in self.puzzle.cells()}
        return {cell: value for cell, value in values.items() if value is not None}

    def _left(self, solutions: int | None, of: int = 1) -> Limits:
        """The time that is left, or a part of it."""
        left = self.deadline.remaining()
        return Limits(seconds=None if left is None else left / of, solutions=solutions)


def redundant(oracle: Oracle, rules: Sequence[str]) -> tuple[list[RuleOrFact], list[RuleOrFact], bool]:
    """The redundant givens of an instance with one solution: those that are redundant alone, and a maximal set of them.

    The latter are removed one after the other, in reading order, until every given is needed. Third, whether all were
    tried: False when a limit came first.
    """
    givens: list[RuleOrFact] = [*oracle.clues, *(name for name in rules if oracle.rules[name].given)]
    alone: list[RuleOrFact] = []
    away: list[RuleOrFact] = []
    everything: list[RuleOrFact] = [*rules, *oracle.clues]
    try:
        alone.extend(given for given in givens if _without(oracle, everything, given))
        for given in alone:
            if _without(oracle, everything, given):
                away.append(given)
                everything.remove(given)
    except LimitError:
        return alone, away, False
    return alone, away, True


def _without(oracle: Oracle, premises: Sequence[RuleOrFact], given: RuleOrFact) -> bool:
    """Whether the solution stays unique without a given."""
    rest = [premise for premise in premises if premise != given]
    if isinstance(given, Fact):  # every other solution has another value there
        return not oracle.holds([*rest, given.negated()])
    return len(some(oracle, rest, 2)) == 1
