"""The five student reports, reproduced: what a document says, what comes out here, and by which algorithm.

    >>> chapter = reproduce(3, limits=Limits(seconds=10))
    >>> chapter.findings[0].what, chapter.findings[0].holds
    ('problem 1: verdict', True)

- A **finding** is one figure, printed result or claim of a document beside the same thing done here.
- A **passage** is a short piece of a document, word for word, in `data/quotes.json`. What a finding quotes from the
  document is in a passage, and the tests look up each passage in the documents.
- The **originals** are the algorithms of the documents (`bridge.puzzles.reports.originals`). A figure of a document is
  compared with a figure of the same algorithm; figures of the engines stand in findings of their own.

A document's instances and figures are in `data/`, with their sources. Each report is a module that yields findings as
they are made; this one collects them. A difference has a note that explains it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from bridge.common import Json
from bridge.errors import InputError
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted, Outcome
from bridge.puzzles.engines import engine
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import Grid

TITLES = {
    1: "Latin squares and Futoshiki as constraint satisfaction problems",
    2: "Magic squares and Sudoku by state search in Prolog",
    3: "Sudoku with clpfd",
    4: "Takuzu by state-space search",
    5: "Crosswords by forward checking",
}

Mark: TypeAlias = Literal["agrees", "differs", "checked", "information"]

#: What each mark means, with its sign. The command prints this, and the page has it as its legend.
MARKS: dict[Mark, tuple[str, str]] = {
    "agrees": ("✓", "the document says it, and the same comes out here"),
    "differs": ("✗", "the document says it, and something else comes out here; the note says why"),
    "checked": ("+", "the document does not say it: a result of ours, checked by the rules or by a known answer"),
    "information": ("·", "not compared: seconds, figures of another version, or a limit came first"),
}


@dataclass(frozen=True, slots=True)
class Passage(Json):
    """A piece of a document, word for word."""

    #: A name of ours.
    name: str
    #: What the document has there, with its line breaks.
    text: str
    #: What it is, in our words.
    means: str

    def has(self, says: str) -> bool:
        """Whether the passage has this text: each line of it, up to white space, and both sides of a `…`.

        A number or word counts as a whole: `0,03` is not in `10,034`.
        """
        text = " ".join(self.text.split())
        for piece in (" ".join(piece.split()) for line in says.splitlines() for piece in line.split("…")):
            begins = r"(?<![\w,.])" if piece[:1].isalnum() else ""
            ends = r"(?![\w])(?![,.]\d)" if piece[-1:].isalnum() else ""
            if not re.search(f"{begins}{re.escape(piece)}{ends}", text):
                return False
        return True


@dataclass(frozen=True, slots=True)
class Finding(Json):
    """One thing that a document says, or leaves open, and what comes out here."""

    #: The table cell, figure, printed result or claim.
    what: str
    #: What the document has, word for word; empty where it says nothing.
    says: str
    #: What comes out here.
    ours: str
    #: True when ours is the same, or, where the document says nothing, when it is right. False when it is not. None
    #: where there is nothing to compare.
    holds: bool | None = None
    #: A ratio or difference, as text; only between figures of the same algorithm.
    compared: str = ""
    #: Why it differs, or what to know; in a line.
    note: str = ""
    #: The name of the passage that has `says`; empty where the document says nothing.
    source: str = ""
    #: The algorithm or engine by which ours was computed.
    method: str = ""

    @property
    def mark(self) -> Mark:
        """What `holds` means for this finding."""
        if self.holds is None:
            return "information"
        if not self.holds:
            return "differs"
        return "agrees" if self.says else "checked"

    _json = ("what says ours holds compared note source method mark",)


@dataclass(slots=True)
class Chapter(Json):
    """All findings about one report."""

    number: int
    title: str
    #: How the report proceeds and what is compared with it, in a paragraph.
    about: str = ""
    findings: list[Finding] = field(default_factory=list)
    complete: bool = False

    @property
    def differences(self) -> list[Finding]:
        """What does not hold and has no explanation: a mistake of ours, or news."""
        return [finding for finding in self.findings if finding.holds is False and not finding.note]

    @property
    def passages(self) -> list[Passage]:
        """The passages that the findings refer to, in order."""
        known = passages(self.number)
        return [known[name] for name in dict.fromkeys(finding.source for finding in self.findings) if name]

    _json = ("report=number title about complete findings passages",)


#: The default limit of each engine on each instance.
LIMITS = Limits(seconds=10)


@takes_limits("seconds")
def reproduce(
    number: int, *, limits: Limits = LIMITS, on_progress: Callable[[Finding], object] | None = None
) -> Chapter:
    """Reproduce a report, 1 to 5.

    The limit is that of each engine on each instance, 10 s if it has none; searches that would take hours are limited
    by nodes. On Ctrl-C, the chapter so far is in `partial` of Interrupted.
    """
    if number not in TITLES:
        raise InputError(f"there is no report {number}", hint="1 to 5")
    module = import_module(f"bridge.puzzles.reports.report{number}")
    chapter = Chapter(number, TITLES[number], module.ABOUT)
    findings: Iterator[Finding] = module.findings(limits.seconds or LIMITS.seconds)
    try:
        for finding in findings:
            chapter.findings.append(finding)
            if on_progress is not None:
                on_progress(finding)
    except KeyboardInterrupt:
        raise Interrupted(chapter) from None
    chapter.complete = True
    return chapter


def data(name: str) -> Any:
    """A report's own instances and figures: `data/<name>.json`."""
    return json.loads((files("bridge.puzzles.reports") / "data" / f"{name}.json").read_text(encoding="utf-8"))


@cache
def passages(number: int) -> dict[str, Passage]:
    """The passages of a report, by name."""
    return {name: Passage(name, row["text"], row["means"]) for name, row in data("quotes")[str(number)].items()}


def lines_of(rows: Iterable[Iterable[object]]) -> str:
    """A grid as text."""
    return "\n".join(" ".join(map(str, row)) for row in rows)


def solved(by: str, puzzle: Puzzle, seconds: float, most: int | None = 1, nodes: int | None = None) -> Outcome[Grid]:
    """What an engine finds within some limits."""
    return engine(by).solutions(puzzle, Limits(seconds=seconds, solutions=most, nodes=nodes)).collect()
