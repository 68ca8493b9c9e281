"""Check an instance: is it unique, ambiguous or impossible? If ambiguous, which cells are open?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bridge.analysis import Diagnosis, Which
from bridge.common import LIMITS, Key, Pictured, plural
from bridge.common import as_json as warnings_json
from bridge.errors import MissingSolverError, UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.puzzles.engines import Ability, Engine
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Grid, Value, Violation, at, cell_name

if TYPE_CHECKING:
    from bridge.puzzles.engines.residual import PuzzleResidual

#: The engines that compute residuals where the chosen engine cannot.
EXACT_ENGINE = "asp"
PROPAGATED_ENGINE = "auto"

#: With more open cells than this, a grid of candidates is drawn in place of a list.
LISTED = 16

#: The time limit of such an engine when there is none on the check.
BORROWED_SECONDS = 10.0


#: What the result is about.
KIND = Key("puzzle", str, lambda found: found.puzzle.kind)


@dataclass(frozen=True, slots=True, repr=False)
class Report(Diagnosis[Grid], Pictured):
    """The result of `check` of a puzzle.

    Attributes
    ----------
    outcome
        The solution, or two that differ, and the cost of the search.
    engine
        The name of the engine that searched.
    violations
        Rules that the clues alone violate; then the instance is impossible.
    """

    problem: Puzzle
    residual: PuzzleResidual | None = None
    propagated: PuzzleResidual | None = None
    outcome: Outcome[Grid] = field(kw_only=True)
    engine: str = field(kw_only=True)
    violations: tuple[Violation, ...] = ()

    @classmethod
    def of(cls, puzzle: Puzzle, engine: str, outcome: Outcome[Grid], **parts: Any) -> Report:
        """The report on what an engine found."""
        found = outcome.verdict, outcome.solutions
        return cls(puzzle, *found, asked="check", limit=outcome.limit, outcome=outcome, engine=engine, **parts)

    @property
    def puzzle(self) -> Puzzle:
        return self.problem

    def __str__(self) -> str:
        unknown = self.verdict is Verdict.UNKNOWN
        parts = [" ".join(one.split()) for one in self.warnings]
        parts.append("unknown: a limit came first" if unknown else self._sentence("solution"))
        if self.outcome.limit not in (None, "solutions"):
            found = plural(len(self.solutions), "solution")
            parts.append(f"stopped by {LIMITS[str(self.outcome.limit)]}: {found} found so far")
        clashing = "the clues" if self.puzzle.clues() else "the facts of the instance"
        parts += [f"{clashing} clash: {clash}" for clash in self.violations]
        for number, grid in enumerate(self.solutions, 1):
            head = f"solution {number}" if len(self.solutions) > 1 else "solution"
            parts.append(f"\n{head}\n{self.puzzle.draw(grid)}")
        shown, beside = (self.residual, self.propagated) if self.residual else (self.propagated, None)
        if self.residual is None and self.verdict is Verdict.AMBIGUOUS:
            parts.append(f"\n{'exact values' if shown else 'open cells'}: not computed")
        if shown:
            parts.append("\n" * (shown is self.residual) + shown.sentence(beside))
            parts.append(shown.listing(beside) if len(shown.open) <= LISTED else self._grids())
        parts += [f"note: {note}" for note in self.notes]
        return "\n".join([*parts, self._cost()])

    def _grids(self) -> str:
        """Many open cells: grids of candidates say more than long lists."""
        exact, propagated = self.residual, self.propagated
        lines = ["", "possible values, exact:", candidates_text(self.puzzle, exact)] if exact else []
        if propagated is not None and exact is not None and propagated.possible == exact.possible:
            lines.append(f"propagation alone ({propagated.engine}) finds the same")
        elif propagated is not None and not propagated.known:
            lines += ["", propagated.sentence()]
        elif propagated is not None:
            grid = candidates_text(self.puzzle, propagated)
            lines += ["", f"after propagation alone ({propagated.engine}):", grid]
        if propagated is not None and propagated.known:
            number, command = len(propagated.constraints), f"lpbridge puzzle residual -e {propagated.engine}"
            lines.append(f"{number} constraints hold them: `{command}`")
        return "\n".join(lines)

    def _cost(self) -> str:
        statistics = self.outcome.statistics
        seconds = ", ".join(f"{phase} {value * 1000:.1f} ms" for phase, value in statistics.seconds.items())
        counters = ", ".join(f"{name} {value:,}" for name, value in statistics.counters.items())
        remark = f" ({self.outcome.remark})" if self.outcome.remark else ""
        return f"\n{self.engine}{remark}: {seconds}; {counters}"

    def to_json(self) -> dict[str, Any]:
        residual: dict[str, Any] = _nothing_open(self.verdict)
        if self.residual:
            residual = self.residual.to_json()
        if self.propagated:
            residual["propagated"] = self.propagated.to_json()
        return {
            **outcome_json(self.puzzle, self.engine, self.outcome),
            "clashes": [{"rule": clash.rule, "cells": [list(c) for c in clash.cells]} for clash in self.violations],
            "residual": residual,
            "notes": list(self.notes),
            "warnings": warnings_json(self.warnings),
        }


def candidates_text(puzzle: Puzzle, residual: PuzzleResidual) -> str:
    """The grid with every possible value of each cell."""
    apart = "" if max(map(len, map(str, puzzle.values()))) == 1 else ","
    values = {cell: apart.join(map(str, found)) for cell, found in residual.possible.items()}
    return puzzle.draw(puzzle.solution(values))


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


def check(
    puzzle: Puzzle,
    *,
    engine: str = "asp",
    limits: Limits = UNLIMITED,
    residual: Which = "both",
    propagation: str | None = None,
    on_progress: Callable[[Any], object] | None = None,
) -> Report:
    """The verdict on an instance, with its solutions and, if it is ambiguous, its residuals; see `bridge.check`."""
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
    violations = tuple(puzzle.clashes()) if asked else ()
    more = {"notes": puzzle.notes(), "warnings": models(puzzle).warnings()}
    return Report.of(puzzle, engine_name, outcome, violations=violations, **more)


def residual(puzzle: Puzzle, *, engine: str = EXACT_ENGINE, limits: Limits = UNLIMITED) -> PuzzleResidual:
    """The possible values of each cell; see `bridge.residual`."""
    chosen = engine_of(engine)
    found = chosen.exact(puzzle, limits) if Ability.EXACT in chosen.abilities else chosen.propagated(puzzle, limits)
    return _with_names(puzzle, found)


def propagating_engine(chosen: Engine, propagation: str | None = None) -> Engine:
    """The engine of the propagated residual: that of the name, or the chosen one where it can."""
    if propagation is None:
        return chosen if Ability.PROPAGATED in chosen.abilities else engine_of(PROPAGATED_ENGINE)
    found = engine_of(propagation)
    if Ability.PROPAGATED not in found.abilities:
        raise UnsupportedError(
            f"engine {found.name} does not propagate without search", hint="`clpfd`, `mac` and `gac` do"
        )
    return found


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


def _with_names(puzzle: Puzzle, residual: PuzzleResidual) -> PuzzleResidual:
    """The residual with the names of cells that are not called by row and column."""
    name = models(puzzle).name
    names = {cell: said for cell in residual.possible if (said := name(cell)) != cell_name(cell)}
    return replace(residual, names=names) if names else residual


def _with_solutions(report: Report, residual: PuzzleResidual) -> dict[Cell, tuple[Value, ...]]:
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
