"""Words and tables that the texts of several kinds of results share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bridge.common.english import plural
from bridge.outcome import Outcome

#: The names of limits in sentences.
LIMITS = {
    "seconds": "the time limit",
    "solutions": "the limit on solutions",
    "nodes": "the limit on nodes",
    "memory": "the limit on memory",
    "interrupt": "Ctrl-C",
    "halt": "the program itself",
    "crash": "the death of its process",
}


def counted(number: int, noun: str, complete: bool, stopped: str) -> str:
    """A number of answers; a lower bound where something stopped the count, and nothing where none was found."""
    if complete:
        return plural(number, noun)
    found = f"at least {plural(number, noun)}" if number else f"no {noun} found"
    return f"{found}, stopped by {stopped}"


def end_text(outcome: Outcome[Any]) -> str:
    """The last line of `solve`."""
    found = plural(len(outcome.solutions), "solution") if outcome.solutions or not outcome.complete else "no solution"
    remark = f" ({outcome.remark})" if outcome.remark else ""
    if outcome.complete:
        return f"{found}{remark}; the search is complete"
    return f"{found}{remark}; stopped by {LIMITS[str(outcome.limit)]}, there may be more"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned: the first two to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < 3 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
