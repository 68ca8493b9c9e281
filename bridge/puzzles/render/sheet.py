"""Pages of paper, as PDF: several pictures, with titles above them and the answers on the last page; and a comparison.

A comparison of engines has the puzzles, a table of what each engine did, charts, and the solutions. The pages are set
by Typst, with the fonts of `bridge.drawing.document`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Literal, get_args

from bridge.drawing import comparison_chart, typeset
from bridge.errors import InputError
from bridge.puzzles.kinds.about import NOTHING, About
from bridge.puzzles.render.views import Picture

Paper = Literal["a4", "us-letter"]
PAPERS: tuple[Paper, ...] = get_args(Paper)

#: The greatest number of pictures side by side.
MOST_COLUMNS = 6

#: A picture with more rows or columns than these is printed larger among the answers.
SMALL = 12


@dataclass(frozen=True, slots=True)
class Entry:
    """One picture on a sheet."""

    picture: Picture
    #: What stands above it.
    title: str
    #: What stands above it on the right, such as the grade.
    note: str = ""
    #: Author, copyright and rules stand above it, the texts of clues below it.
    about: About = NOTHING


def pdf(
    puzzles: Sequence[Entry],
    answers: Sequence[Entry] = (),
    *,
    title: str = "",
    paper: Paper = "a4",
    columns: int = 2,
) -> bytes:
    """Pages with pictures, 1 to 6 side by side, and the answers from a new page on, half as wide."""
    check_paper(paper)
    if not 1 <= columns <= MOST_COLUMNS:
        raise InputError(f"{columns} columns, but 1 to {MOST_COLUMNS} fit")
    boards = [one.picture.board for one in answers]
    data = {
        "title": title,
        "paper": paper,
        "columns": columns,
        # A fourth of a page's width is too little for a large one.
        "answer_columns": columns + 1 if any(max(one.rows, one.columns) > SMALL for one in boards) else columns * 2,
        "puzzles": list(map(plain, puzzles)),
        "answers": list(map(plain, answers)),
    }
    return _typeset("pages", data)


def _typeset(name: str, data: Mapping[str, Any]) -> bytes:
    """A PDF of the data, set by a document beside this module, after the style that all have."""
    folder = Path(__file__).parent
    source = (folder / "style.typ").read_bytes() + (folder / f"{name}.typ").read_bytes()
    return typeset(source, {"data": json.dumps(data)}, format="pdf")


def check_paper(paper: str) -> None:
    """Check that there is a paper of this name."""
    if paper not in PAPERS:
        raise InputError(f"there is no paper {paper!r}", hint=f"one of: {', '.join(PAPERS)}")


def plain(one: Entry) -> dict[str, Any]:
    """An entry as data for Typst."""
    picture = replace(one.picture, numbered=False)
    ways = {way.capitalize(): one.about.of(way) for way in ("across", "down")}
    return {
        "title": one.title,
        "note": one.note,
        "byline": " \N{MIDDLE DOT} ".join(filter(None, (one.about.author, one.about.copyright))),
        "rules": one.about.rules,
        "lists": [{"heading": way, "clues": clues} for way, clues in ways.items() if clues],
        "svg": picture.svg("light", legend=False),
        "words": picture.words(),
    }


#: A longer table is summed up, a line for each engine.
ROWS = 48

#: More puzzles than these are not drawn.
DRAWN = 12

#: The counters that are printed, and what each counts. Charts are drawn of the first two that several engines have.
COUNTERS: Mapping[str, str] = {
    "nodes": "values that the search tried",
    "checks": "tests of values against a constraint",
    "backtracks": "values that the search took back",
    "conflicts": "dead ends from which the solver learnt",
    "choices": "values that the solver guessed",
    "branches": "values that the solver guessed",
    "inferences": "steps of Prolog",
    "generated": "states made",
    "expanded": "states whose successors were made",
}

def handout_pdf(
    comparison: Mapping[str, Any],
    puzzles: Sequence[Entry],
    answers: Sequence[Entry] = (),
    *,
    title: str,
    paper: Paper = "a4",
) -> bytes:
    """A comparison, in the shape that `lpbridge compare --json` prints, with its instances and their solutions."""
    check_paper(paper)
    rows: Sequence[Mapping[str, Any]] = comparison["rows"]
    if not rows:
        raise InputError("there is nothing to print: no engine has run")
    counters = [name for name in COUNTERS if any(name in row["statistics"] for row in rows)]
    summed = len(rows) > ROWS
    head, groups = _sums(comparison, counters) if summed else _table(comparison, counters)
    engines = {name: {row["engine"] for row in rows if name in row["statistics"]} for name in counters}
    shared = [name for name in counters if len(engines[name]) > 1]
    left = len(puzzles) - DRAWN
    data = {
        "title": title,
        "paper": paper,
        "columns": 2 if len(puzzles) == 2 else 3 if len(puzzles) in (1, 3) else 4,
        "puzzles": list(map(plain, puzzles[:DRAWN])),
        "more": f"and {left} more" if left > 0 else "",
        "head": head,
        "groups": groups,
        "notes": _notes(rows, counters, summed),
        "charts": [
            {"title": measure.capitalize(), "svg": chart.render("svg").decode(), "words": chart.words}
            for measure in ("seconds", *shared[:2])
            for chart in [comparison_chart(comparison, measure)]
        ],
        "answers": list(map(plain, answers[:DRAWN])),
    }
    return _typeset("compared", data)


def _table(comparison: Mapping[str, Any], counters: Sequence[str]) -> tuple[list[str], list[dict[str, Any]]]:
    """A line for each engine, below the name of each instance."""
    groups: dict[str, list[list[str]]] = {}
    for row in comparison["rows"]:
        found = row["verdict"] if comparison["puzzle"] else f"{row['solutions']}{'' if row['complete'] else ' or more'}"
        verdict = "cannot run" if row["error"] is not None else found
        counts = [_number(row["statistics"].get(name)) for name in counters]
        line = [row["engine"], verdict, _milliseconds(row["seconds"]["total"]), *counts]
        groups.setdefault(row["instance"], []).append(line)
    head = ["engine", "verdict"] if comparison["puzzle"] else ["program", "answers"]
    return [*head, "ms", *counters], [{"name": name, "rows": lines} for name, lines in groups.items()]


def _sums(comparison: Mapping[str, Any], counters: Sequence[str]) -> tuple[list[str], list[dict[str, Any]]]:
    """A line for each engine: medians over the instances that it finished."""
    lines = []
    for engine in comparison["engines"]:
        own = [row for row in comparison["rows"] if row["engine"] == engine]
        done = [row for row in own if row["error"] is None and row["verdict"] != "unknown"]
        seconds = _milliseconds(median(row["seconds"]["total"] for row in done)) if done else ""
        counts = [[row["statistics"][name] for row in done if name in row["statistics"]] for name in counters]
        medians = [_number(round(median(found))) if found else "" for found in counts]
        lines.append([engine, f"{len(done)} of {len(own)}", seconds, *medians])
    return ["engine", "finished", "ms", *counters], [{"name": "", "rows": lines}]


def _notes(rows: Sequence[Mapping[str, Any]], counters: Sequence[str], summed: bool) -> list[str]:
    """What the columns mean."""
    notes = ["Times and counts are medians over the instances that the engine finished."] if summed else []
    if any(row["verdict"] == "unknown" and row["error"] is None for row in rows):
        notes.append("unknown: a limit ended the search before the verdict; its counts go up to there.")
    notes += [f"{name}: {COUNTERS[name]}" for name in counters]
    times = "ms: milliseconds. They depend on the machine and the language; counts do not."
    return [times, *notes, "Engines of different kinds count different things."]


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.2f}"


def _number(count: float | None) -> str:
    return "" if count is None else f"{count:,}"
