"""Is an instance unique, ambiguous or impossible, and if it is not unique, what is open and why?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bridge.engines import Ability, engine
from bridge.errors import MissingSolverError, UnsupportedError
from bridge.limits import Limits
from bridge.notebook import Pictured
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.puzzles import Puzzle
from bridge.puzzles.residual import Residual
from bridge.puzzles.rules import Cell, Grid, Value, Violation, at

#: The engines that residuals come from, where the one that was asked for does not tell them.
EXACT_ENGINE = "asp"
PROPAGATED_ENGINE = "clpfd"

#: How long an engine that was not asked for may take over a residual when there is no time limit.
BORROWED_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Report(Pictured):
    """What `check` found.

    Attributes
    ----------
    outcome
        The solution, or two that differ, and what the search cost.
    clashes
        Rules that the clues alone break; then the instance is impossible.
    residual
        The exact residual of an ambiguous instance.
    propagated
        What propagation alone leaves open of it.
    notes
        What is worth knowing about the instance as it was read, and what could not be shown, and why.
    """

    puzzle: Puzzle
    engine: str
    outcome: Outcome[Grid]
    clashes: tuple[Violation, ...] = ()
    residual: Residual | None = None
    propagated: Residual | None = None
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return self.outcome.verdict

    @property
    def solutions(self) -> tuple[Grid, ...]:
        return self.outcome.solutions

    def to_json(self) -> dict[str, Any]:
        residual: dict[str, Any] = _nothing_open(self.verdict)
        if self.residual:
            residual = self.residual.to_json()
        if self.propagated:
            residual["propagated"] = self.propagated.to_json()
        return {
            **outcome_json(self.puzzle, self.engine, self.outcome),
            "clashes": [{"rule": clash.rule, "cells": [list(c) for c in clash.cells]} for clash in self.clashes],
            "residual": residual,
            "notes": list(self.notes),
        }


def _nothing_open(verdict: Verdict) -> dict[str, Any]:
    """The residual of an instance that was not asked for one: with one solution, or none, no cell is open."""
    if verdict in (Verdict.UNIQUE, Verdict.IMPOSSIBLE):
        return {"open": {}, "constraints": []}
    return {"open": None, "constraints": None}


def outcome_json(puzzle: Puzzle, engine_name: str, outcome: Outcome[Grid]) -> dict[str, Any]:
    """An outcome in the shape that `solve` and `check` print."""
    return {
        "puzzle": puzzle.kind,
        "engine": engine_name,
        "verdict": str(outcome.verdict),
        "complete": outcome.complete,
        "solutions": [[list(row) for row in grid] for grid in outcome.solutions],
        "residual": _nothing_open(outcome.verdict),
        "statistics": outcome.statistics.to_json(),
        "limit": outcome.limit,
        "remark": outcome.remark,
    }


def check(puzzle: Puzzle, engine_name: str = "asp", *, seconds: float | None = None) -> Report:
    """The verdict on an instance, and what its author needs to know beside it.

    Parameters
    ----------
    puzzle
        The instance.
    engine_name
        Who searches. Residuals come from it too where it can, otherwise from `asp` (exact) and `clpfd` (propagated).
    seconds
        The time limit of each of the (up to three) questions put to an engine.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the report so far in `partial`.
    """
    chosen = engine(engine_name)
    try:
        outcome = chosen.solutions(puzzle, Limits(seconds=seconds, solutions=2)).collect()
    except Interrupted as interrupted:
        raise Interrupted(_report(puzzle, engine_name, interrupted.partial)) from None
    report = _report(puzzle, engine_name, outcome)
    if report.verdict is not Verdict.AMBIGUOUS:
        return report
    try:
        return with_residuals(report, Limits(seconds=seconds))
    except KeyboardInterrupt:
        raise Interrupted(report) from None


def _report(puzzle: Puzzle, engine_name: str, outcome: Outcome[Grid]) -> Report:
    # Clues that are part of a solution, which has been checked, break no rule.
    clashes = () if outcome.solutions else tuple(puzzle.clashes())
    return Report(puzzle, engine_name, outcome, clashes, notes=puzzle.notes())


def residual(puzzle: Puzzle, engine_name: str = EXACT_ENGINE, *, seconds: float | None = None) -> Residual:
    """What is left open: exact where the engine can tell (`asp`), propagated otherwise (`clpfd`, `mac`).

    Raises
    ------
    UnsupportedError
        When the engine tells neither.
    """
    chosen, limits = engine(engine_name), Limits(seconds=seconds)
    return chosen.exact(puzzle, limits) if Ability.EXACT in chosen.abilities else chosen.propagated(puzzle, limits)


def with_residuals(report: Report, limits: Limits) -> Report:
    """A report with what is open, exact and propagated."""
    chosen = engine(report.engine)
    exact = chosen if Ability.EXACT in chosen.abilities else engine(EXACT_ENGINE)
    propagating = chosen if Ability.PROPAGATED in chosen.abilities else engine(PROPAGATED_ENGINE)
    notes = report.notes
    residual = propagated = None
    try:
        propagated = propagating.propagated(report.puzzle, _borrowed(limits, propagating is chosen))
    except (MissingSolverError, UnsupportedError) as error:
        notes = (*notes, f"propagated residual not shown: {error}")
    try:
        residual = exact.exact(report.puzzle, _borrowed(limits, exact is chosen))
        if not residual.complete:
            residual = replace(residual, possible=_with_solutions(report, residual))
    except UnsupportedError as error:
        notes = (*notes, f"exact residual not shown: {error}")
    return Report(
        report.puzzle,
        report.engine,
        report.outcome,
        report.clashes,
        residual,
        propagated,
        notes,
    )


def _with_solutions(report: Report, residual: Residual) -> dict[Cell, tuple[Value, ...]]:
    """The values of a residual that a limit cut short, and those of the solutions in hand."""
    puzzle = report.puzzle
    seen = {cell: {at(grid, cell) for grid in report.solutions} for cell in puzzle.cells()}
    return {
        cell: tuple(v for v in puzzle.values() if v in seen[cell] or v in residual.possible.get(cell, ()))
        for cell in puzzle.cells()
    }


def _borrowed(limits: Limits, own: bool) -> Limits:
    """The limits of a residual: another engine than the one asked for has some even where nobody set any."""
    return limits if own or limits.seconds is not None else Limits(seconds=BORROWED_SECONDS)
