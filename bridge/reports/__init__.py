"""The five student reports, reproduced: what a report says, thing by thing, what we get, and how they compare.

    >>> chapter = reproduce(3, seconds=10)
    >>> chapter.findings[0].what, chapter.findings[0].holds
    ('problem 1: verdict', True)

A report's own instances and figures are in `data/`, with their sources. Each report is a module that yields findings as
they are made; this one collects them. To a difference belongs a line that says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from typing import Any

from bridge.errors import InputError
from bridge.outcome import Interrupted

TITLES = {
    1: "Latin squares and Futoshiki as constraint satisfaction problems",
    2: "Magic squares and Sudoku by state search in Prolog",
    3: "Sudoku with clpfd",
    4: "Takuzu by state-space search",
    5: "Crosswords by forward checking",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a report says, and what became of it.

    Attributes
    ----------
    what
        The table cell, figure or printed result.
    says
        What the report says, as text; empty where it says nothing and we fill the gap.
    ours
        What we get.
    holds
        True when ours confirms it or is better, False when it does not, None where there is nothing to compare.
    compared
        The ratio or difference, as text: `2.4x faster`, `5 nodes fewer`.
    note
        Why it differs, or what to know; in a line.
    """

    what: str
    says: str
    ours: str
    holds: bool | None = None
    compared: str = ""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("what", "says", "ours", "holds", "compared", "note")}


@dataclass(slots=True)
class Chapter:
    """All findings about one report."""

    number: int
    title: str
    findings: list[Finding] = field(default_factory=list)
    complete: bool = False

    @property
    def differences(self) -> list[Finding]:
        """What does not hold and is not explained: a mistake of ours, or news."""
        return [finding for finding in self.findings if finding.holds is False and not finding.note]

    def to_json(self) -> dict[str, Any]:
        return {
            "report": self.number,
            "title": self.title,
            "complete": self.complete,
            "findings": [finding.to_json() for finding in self.findings],
        }


def reproduce(number: int, *, seconds: float = 10, told: Callable[[Finding], None] = lambda finding: None) -> Chapter:
    """Reproduce a report.

    Parameters
    ----------
    number
        1 to 5.
    seconds
        The time limit of each engine on each instance. Report 1 asks what is solved within a minute: 60 answers that.
    told
        Called with each finding as it is made.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the chapter so far in `partial`.
    """
    if number not in TITLES:
        raise InputError(f"there is no report {number}", hint="1 to 5")
    chapter = Chapter(number, TITLES[number])
    findings: Iterator[Finding] = import_module(f"bridge.reports.report{number}").findings(seconds)
    try:
        for finding in findings:
            chapter.findings.append(finding)
            told(finding)
    except KeyboardInterrupt:
        raise Interrupted(chapter) from None
    chapter.complete = True
    return chapter


def data(name: str) -> Any:
    """A report's own instances and figures: `data/<name>.json`."""
    return json.loads((files("bridge.reports") / "data" / f"{name}.json").read_text(encoding="utf-8"))


def faster(theirs: float, ours: float) -> str:
    """Two times compared, ours against a report's, which were measured on different machines."""
    ratio = theirs / max(ours, 1e-9)
    return f"{ratio:.1f}x faster" if ratio >= 1 else f"{1 / ratio:.1f}x slower"
