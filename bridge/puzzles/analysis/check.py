"""Check an instance: is it unique, ambiguous or impossible? If ambiguous, which cells are open?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from bridge.common.display import Pictured, Readable
from bridge.errors import InputError, MissingSolverError, UnsupportedError, brief
from bridge.limits import UNLIMITED, Limits, takes_limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.problem.kinds import expect
from bridge.puzzles.engines import Ability, Engine, only_asp
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value, Violation, at, cell_name

if TYPE_CHECKING:
    from bridge.analysis.program_diagnosis import ProgramDiagnosis
    from bridge.problem.asp import AspProblem
    from bridge.puzzles.kinds.residual import Residual

#: Which residuals `check` computes.
Which = Literal["both", "exact", "propagated", "none"]

#: The engines that compute residuals where the chosen engine cannot.
EXACT_ENGINE = "asp"
PROPAGATED_ENGINE = "auto"

#: The time limit of such an engine when there is none on the check.
BORROWED_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Report(Pictured, Readable):
    """The result of `check`.

    Attributes
    ----------
    engine
        The name of the engine that searched.
    outcome
        The solution, or two that differ, and the cost of the search.
    clashes
        Rules that the clues alone violate; then the instance is impossible.
    residual
        The exact residual of an ambiguous instance.
    propagated
        The residual of propagation without search.
    notes
        Remarks on the instance as it was read, and on what could not be computed.
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
    """The residual of an instance of which none was computed: with one solution, or none, no cell is open."""
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


@overload
def check(
    problem: Puzzle,
    *,
    engine: str = ...,
    limits: Limits = ...,
    residual: Which = ...,
    propagation: str | None = ...,
    on_progress: Callable[[Report], object] | None = ...,
) -> Report: ...


@overload
def check(
    problem: AspProblem,
    *,
    engine: str = ...,
    limits: Limits = ...,
    residual: Which = ...,
    propagation: str | None = ...,
    optimal: bool = ...,
    on_progress: Callable[[ProgramDiagnosis], object] | None = ...,
) -> ProgramDiagnosis: ...


@takes_limits("seconds", "nodes")
def check(
    problem: Puzzle | AspProblem,
    *,
    engine: str = "asp",
    limits: Limits = UNLIMITED,
    residual: Which = "both",
    propagation: str | None = None,
    optimal: bool = False,
    on_progress: Callable[[Any], object] | None = None,
) -> Report | ProgramDiagnosis:
    """The verdict on an instance, with its solutions and, if it is ambiguous, its residuals.

    Parameters
    ----------
    problem
        The instance; or a program, of which the residual is what its shown atoms leave open.
    engine
        The engine that searches. It also computes the residuals it can; the others come from `asp` (exact) and `clpfd`,
        or `mac` where that has no program for the puzzle (propagated).
    limits
        The limits of each of the (up to three) questions put to an engine.
    residual
        Which residuals of an ambiguous instance are computed: they cost many times what the verdict does, the exact one
        and that of clpfd most of it (see docs/scaling.md). A program has no propagated one.
    propagation
        The engine of the propagated residual of a puzzle: `mac` and `gac` are faster than `clpfd`, and name rules in
        place of clpfd's constraints.
    optimal
        Of a program: whether only its answer sets of least cost count, not all.
    on_progress
        Called with the report so far: when the verdict is known, and after each residual.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the report so far in `partial`.
    InputError
        For another word as `residual`.
    UnsupportedError
        When the engine of `propagation` does not propagate without search.
    """
    expect(problem, "check", "puzzle", "program")
    check_which(residual)
    if not isinstance(problem, Puzzle):
        from bridge.analysis.program_diagnosis import check_program

        only_asp(engine, "questions about programs")
        if propagation is not None or residual == "propagated":
            wrong = "propagation" if propagation is not None else "residual"
            raise UnsupportedError("a program has no propagated residual", hint=f"leave `{wrong}` out")
        only = residual == "none"
        return check_program(problem, limits=limits, verdict_only=only, optimal=optimal, on_progress=on_progress)
    if optimal:
        raise UnsupportedError("answer sets of least cost are of clingo programs", hint="leave optimal out")
    puzzle = problem
    chosen = engine_of(engine)
    propagating = None if propagation is None else propagating_engine(chosen, propagation)
    try:
        outcome = chosen.solutions(puzzle, replace(limits, solutions=2)).collect()
    except Interrupted as interrupted:
        raise Interrupted(_report(puzzle, chosen.name, interrupted.partial)) from None
    report = _report(puzzle, chosen.name, outcome)
    try:
        if on_progress is not None:
            on_progress(report)
        if report.verdict is Verdict.AMBIGUOUS:
            for more in residuals(report, limits, propagating, residual):
                report = more
                if on_progress is not None:
                    on_progress(report)
    except KeyboardInterrupt:
        raise Interrupted(report) from None
    return report


def _report(puzzle: Puzzle, engine_name: str, outcome: Outcome[Grid]) -> Report:
    # Clues that are part of a checked solution violate no rule. Those of a kind that is a file are looked for by
    # clingo, which takes as long as the verdict.
    asked = not outcome.solutions and not (outcome.verdict is Verdict.UNKNOWN and models(puzzle).program)
    clashes = tuple(puzzle.clashes()) if asked else ()
    return Report(puzzle, engine_name, outcome, clashes, notes=puzzle.notes())


@overload
def residual(
    problem: Puzzle,
    *,
    engine: str = ...,
    limits: Limits = ...,
    on_progress: Callable[[Residual], object] | None = ...,
) -> Residual: ...


@overload
def residual(
    problem: AspProblem,
    *,
    engine: str = ...,
    limits: Limits = ...,
    on_progress: Callable[[ProgramDiagnosis], object] | None = ...,
) -> ProgramDiagnosis: ...


@takes_limits("seconds", "nodes")
def residual(
    problem: Puzzle | AspProblem,
    *,
    engine: str = EXACT_ENGINE,
    limits: Limits = UNLIMITED,
    on_progress: Callable[[Any], object] | None = None,
) -> Residual | ProgramDiagnosis:
    """The possible values of each cell: exact where the engine can (`asp`), propagated otherwise (`clpfd`, `mac`).

    Parameters
    ----------
    problem
        The instance; or a program, of which `possible`, `open` and `backbone` of the result say it.
    engine
        The engine that computes it.
    limits
        When to stop. An exact residual that a limit cuts short has values missing; its `complete` is then False.
    on_progress
        Called with the residual as soon as it is known: it is the answer to a single question.

    Raises
    ------
    UnsupportedError
        When the engine can compute neither.
    """
    expect(problem, "residual", "puzzle", "program")
    if not isinstance(problem, Puzzle):
        from bridge.analysis.program_diagnosis import check_program  # here, as in `check`

        only_asp(engine, "questions about programs")
        return replace(check_program(problem, limits=limits, on_progress=on_progress), asked="residual")
    puzzle, chosen = problem, engine_of(engine)
    found = chosen.exact(puzzle, limits) if Ability.EXACT in chosen.abilities else chosen.propagated(puzzle, limits)
    found = _with_names(puzzle, found)
    if on_progress is not None:
        on_progress(found)
    return found


def propagating_engine(chosen: Engine, propagation: str | None = None) -> Engine:
    """The engine of the propagated residual: that of the name, or the chosen one where it can.

    Raises
    ------
    InputError
        For a name that is no engine's.
    UnsupportedError
        For an engine that does not propagate without search.
    """
    if propagation is None:
        return chosen if Ability.PROPAGATED in chosen.abilities else engine_of(PROPAGATED_ENGINE)
    found = engine_of(propagation)
    if Ability.PROPAGATED not in found.abilities:
        raise UnsupportedError(
            f"engine {found.name} does not propagate without search", hint="`clpfd`, `mac` and `gac` do"
        )
    return found


def check_which(residual: str) -> None:
    """Refuse what does not say which residuals are to be computed."""
    if residual not in (known := get_args(Which)):
        raise InputError(f"{brief(residual)} is no residual", hint=f"it is one of {', '.join(known)}")


def residuals(
    report: Report, limits: Limits, propagating: Engine | None = None, which: Which = "both"
) -> Iterator[Report]:
    """The report with the propagated residual, then with the exact one, too."""
    chosen = engine_of(report.engine)
    if which in ("both", "propagated"):
        propagating = propagating or propagating_engine(chosen)
        try:
            propagated = propagating.propagated(report.puzzle, _borrowed(limits, propagating is chosen))
            report = replace(report, propagated=_with_names(report.puzzle, propagated))
        except (MissingSolverError, UnsupportedError) as error:
            report = replace(report, notes=(*report.notes, f"propagated residual not shown: {error}"))
        yield report
    if which in ("both", "exact"):
        exact = chosen if Ability.EXACT in chosen.abilities else engine_of(EXACT_ENGINE)
        try:
            residual = exact.exact(report.puzzle, _borrowed(limits, exact is chosen))
            if not residual.complete:
                residual = replace(residual, possible=_with_solutions(report, residual))
            report = replace(report, residual=_with_names(report.puzzle, residual))
        except UnsupportedError as error:
            report = replace(report, notes=(*report.notes, f"exact residual not shown: {error}"))
        yield report


def _with_names(puzzle: Puzzle, residual: Residual) -> Residual:
    """The residual with the names of cells that are not called by row and column."""
    name = models(puzzle).name
    names = {cell: said for cell in residual.possible if (said := name(cell)) != cell_name(cell)}
    return replace(residual, names=names) if names else residual


def _with_solutions(report: Report, residual: Residual) -> dict[Cell, tuple[Value, ...]]:
    """The values of an incomplete residual, together with those of the solutions found."""
    puzzle = report.puzzle
    seen = {cell: {at(grid, cell) for grid in report.solutions} for cell in puzzle.cells()}
    return {
        cell: tuple(v for v in puzzle.values() if v in seen[cell] or v in residual.possible.get(cell, ()))
        for cell in puzzle.cells()
    }


def _borrowed(limits: Limits, own: bool) -> Limits:
    """The limits of a residual: an engine other than the chosen one always has a time limit."""
    return limits if own or limits.seconds is not None else Limits(seconds=BORROWED_SECONDS)
