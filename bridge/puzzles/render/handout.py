"""A comparison of engines on paper, as PDF: the puzzles, a table of what each engine did, charts, and the solutions.

The pages have the style of `bridge.puzzles.render.sheet`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from bridge.drawing import document
from bridge.drawing.plots import comparison_chart
from bridge.errors import InputError
from bridge.puzzles.render.sheet import STYLE, Entry, Paper, check_paper, plain

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

_PAGES = b"""
#heading-line(data.title)
#grid(columns: (1fr,) * data.columns, column-gutter: 8mm, row-gutter: 6mm,
  ..data.puzzles.map(one => block(breakable: false, width: 100%, { head(one); board(one, 60mm) })))
#if data.more != "" { small(data.more) }
#v(4mm, weak: true)
#set text(8.5pt)
#table(
  columns: (1fr,) + (auto,) * (data.head.len() - 1), align: (x, y) => if x < 2 { left } else { right },
  stroke: (x, y) => if y == 0 { (bottom: 0.8pt) } else { (bottom: 0.3pt + luma(75%)) }, inset: (x: 1.6mm, y: 1.3mm),
  table.header(..data.head.map(name => strong(name))),
  ..data.groups.map(group => (
    ..if group.name != "" { (table.cell(colspan: data.head.len(), breakable: false, strong(group.name)),) },
    ..group.rows.flatten())).flatten())
#for line in data.notes { small(line); linebreak() }
#for one in data.charts [
  #block(breakable: false, width: 100%, {
    v(3mm)
    text(10pt, weight: "bold", one.title)
    v(1mm)
    layout(size => {
      let chart(..how) = image(bytes(one.svg), format: "svg", alt: one.words, ..how)
      let most = size.height - 12mm
      if measure(chart(width: size.width)).height > most { chart(height: most) } else { chart(width: size.width) }
    })
  })
]
#if data.answers.len() > 0 {
  pagebreak()
  heading-line("Solutions")
  grid(columns: (1fr,) * 4, column-gutter: 8mm, row-gutter: 6mm,
    ..data.answers.map(one => block(breakable: false, width: 100%, { head(one); board(one, 55mm) })))
}
"""


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
    return document.typeset(STYLE + _PAGES, {"data": json.dumps(data)}, format="pdf")


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
