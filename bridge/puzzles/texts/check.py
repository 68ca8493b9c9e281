"""The texts of `check` and `residual` of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bridge.common.english import plural
from bridge.outcome import Outcome, Verdict
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Grid
from bridge.texts.words import LIMITS

if TYPE_CHECKING:
    from bridge.problem.residual import Residual
    from bridge.puzzles.analysis.check import Report

_SENTENCES = {
    Verdict.UNIQUE: "unique: there is exactly one solution",
    Verdict.AMBIGUOUS: "ambiguous: there are two solutions or more",
    Verdict.IMPOSSIBLE: "impossible: there is no solution",
    Verdict.UNKNOWN: "unknown: a limit came first",
}

#: With more open cells than this, `check` draws a grid of candidates in place of a list.
LISTED = 16

#: A constraint longer than this is printed only in part.
LONGEST = 400


def report_text(report: Report) -> str:
    """A whole report on one instance."""
    parts = [_SENTENCES[report.verdict]]
    if report.outcome.limit not in (None, "solutions"):
        found = plural(len(report.solutions), "solution")
        parts.append(f"stopped by {LIMITS[str(report.outcome.limit)]}: {found} found so far")
    clashing = "the clues" if report.puzzle.clues() else "the facts of the instance"
    parts += [f"{clashing} clash: {clash}" for clash in report.violations]
    for number, grid in enumerate(report.solutions, 1):
        head = f"solution {number}" if len(report.solutions) > 1 else "solution"
        parts.append(f"\n{head}\n{report.puzzle.draw(grid)}")
    shown, beside = (report.residual, report.propagated) if report.residual else (report.propagated, None)
    if report.residual is None and report.verdict is Verdict.AMBIGUOUS:
        parts.append(f"\n{'exact values' if shown else 'open cells'}: not computed")
    if shown:
        parts.append("\n" * (shown is report.residual) + residual_text(shown, beside))
        few = len(shown.open) <= LISTED
        parts.append(open_text(shown, beside) if few else _many(report.puzzle, report.residual, report.propagated))
    parts += [f"note: {note}" for note in report.notes]
    parts.append(_cost(report.outcome, report.engine))
    return "\n".join(parts)


def residual_text(residual: Residual, propagated: Residual | None = None) -> str:
    """The first line about what is open."""
    if not residual.known:
        why = f"{LIMITS[str(residual.limit)]} came first"
        return f"open cells: not computed, {why} ({residual.kind}, {residual.engine})"
    if residual.contradiction:
        return f"nothing is possible: there is no solution ({residual.kind}, {residual.engine})"
    head = f"{plural(len(residual.open), 'open cell')} ({residual.kind}, {residual.engine})"
    if not residual.complete:
        head += f", incomplete: stopped by {LIMITS[str(residual.limit)]}, values may be missing"
    if propagated is not None and not propagated.contradiction:
        hidden = len(propagated.open.keys() - residual.open.keys())
        if hidden:
            head += f"; {hidden} more are not decided by propagation alone ({propagated.engine})"
    return head


def whole_residual_text(residual: Residual) -> str:
    """What is open, and the constraints on it."""
    return "\n".join(filter(None, (residual_text(residual), open_text(residual))))


def open_text(residual: Residual, propagated: Residual | None = None) -> str:
    """The open cells with their values, and the constraints that hold them."""
    lines, name = [], residual.name
    for cell, values in residual.open.items():
        line = f"  {name(cell)}  {_values(values)}"
        if propagated is not None and propagated.possible.get(cell, values) != values:
            line += f"   propagated: {_values(propagated.possible[cell])}"
        lines.append(line)
    if residual.constraints:
        lines.append("rules that hold them:" if residual.kind == "exact" else "constraints that hold them:")
        lines += _wrapped(residual.constraints) if residual.kind == "exact" else _listed(residual.constraints)
    if propagated is not None and propagated.constraints:
        lines.append(f"constraints left by propagation ({propagated.engine}):")
        lines += _listed(propagated.constraints)
    if propagated is not None and not propagated.known:
        lines.append(f"what propagation alone leaves open: not computed ({propagated.engine})")
    return "\n".join(lines)


def _many(puzzle: Puzzle, exact: Residual | None, propagated: Residual | None) -> str:
    """Many open cells: grids of candidates say more than long lists."""
    lines = ["", "possible values, exact:", candidates_text(puzzle, exact)] if exact else []
    if propagated is not None and exact is not None and propagated.possible == exact.possible:
        lines.append(f"propagation alone ({propagated.engine}) finds the same")
    elif propagated is not None and not propagated.known:
        lines += ["", residual_text(propagated)]
    elif propagated is not None:
        lines += ["", f"after propagation alone ({propagated.engine}):", candidates_text(puzzle, propagated)]
    if propagated is not None and propagated.known:
        lines.append(
            f"{len(propagated.constraints)} constraints hold them: `lpbridge puzzle residual -e {propagated.engine}`"
        )
    return "\n".join(lines)


def candidates_text(puzzle: Puzzle, residual: Residual) -> str:
    """The grid with every possible value of each cell."""
    apart = "" if max(map(len, map(str, puzzle.values()))) == 1 else ","
    values = {cell: apart.join(map(str, found)) for cell, found in residual.possible.items()}
    grid: Grid = puzzle.solution(values)
    return puzzle.draw(grid)


def _cost(outcome: Outcome[Grid], engine: str) -> str:
    seconds = ", ".join(f"{phase} {value * 1000:.1f} ms" for phase, value in outcome.statistics.seconds.items())
    counters = ", ".join(f"{name} {value:,}" for name, value in outcome.statistics.counters.items())
    remark = f" ({outcome.remark})" if outcome.remark else ""
    return f"\n{engine}{remark}: {seconds}; {counters}"


def _values(values: Sequence[object]) -> str:
    return "{" + ", ".join(map(str, values)) + "}"


def _listed(constraints: Sequence[str]) -> list[str]:
    # A table of words fills pages; the JSON has it whole.
    return [f"  {text if len(text) <= LONGEST else text[:LONGEST] + ' …'}" for text in constraints]


def _wrapped(names: Sequence[str]) -> list[str]:
    import textwrap

    return textwrap.wrap(", ".join(names), 100, initial_indent="  ", subsequent_indent="  ")
