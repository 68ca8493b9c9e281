"""Pages of paper, as PDF: several pictures, with titles above them and the answers on the last page; and a comparison.

A comparison of engines has the puzzles, a table of what each engine did, charts, and the solutions. The pages are set
by Typst, with the fonts of `bridge.drawing.document`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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

#: The style of pages, and a picture with its title above it.
STYLE = b"""
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title)
#set page(paper: data.paper, margin: (x: 18mm, y: 20mm), footer: context align(center, text(8pt, fill: luma(40%))[
  #counter(page).display("1 / 1", both: true)]))
#set text(font: "DejaVu Sans", size: 10pt)

#set par(leading: 0.5em, spacing: 0.7em)

#let small(words) = text(8pt, fill: luma(30%), words)
#let head(one) = {
  text(weight: "bold", one.title)
  if one.note != "" { h(1fr); box(small(one.note)) }
  parbreak()
  if one.byline != "" { v(-3pt); small(one.byline) }
  if one.rules != "" { v(-2pt); text(8.5pt, one.rules.split("\n").join(linebreak())) }
}
#let heading-line(words) = { text(16pt, weight: "bold", words); v(4mm) }
#let board(one, height, widest: none) = layout(size => {
  let picture(..how) = image(bytes(one.svg), format: "svg", alt: one.words, ..how)
  let width = if widest == none { size.width } else { calc.min(widest, measure(picture()).width) }
  let full = measure(picture(width: width))
  align(center, if full.height > height { picture(height: height) } else { picture(width: width) })
})
#let cell(one, height) = block(breakable: false, width: 100%, { head(one); board(one, height) })
"""

#: Puzzles stand in a grid of blocks: none is broken, and a row moves to the next page as a whole. A picture is as wide
#: as its column, unless it would be higher than half a page, or one row more fits when it is a little smaller. Answers
#: are about half as wide. A crossword with clues takes the whole width: clues stand in columns below it, and go on to
#: the next page only if a page cannot hold them.
_PAGES = b"""
#let clue(pair, font) = grid(columns: (0.65 * font + 1.4em, 1fr), column-gutter: 1.5mm, align: (right, left),
  text(font, weight: "bold", str(pair.at(0))), text(font, pair.at(1)))
#let title(list, font) = text(font + 1pt, weight: "bold", list.heading)

// A list in columns of about one height.
#let clues(list, columns, font) = layout(size => {
  let gap = 0.5 * font
  let width = (size.width - 5mm * (columns - 1)) / columns
  let items = list.clues.map(pair => block(width: width, spacing: gap, breakable: false, clue(pair, font)))
  let heights = items.map(one => measure(one).height + gap)
  let each = heights.sum() / columns
  let parts = ((),) * columns
  let reached = 0pt
  for (one, height) in items.zip(heights) {
    let at = calc.min(columns - 1, int((reached + height / 2) / each))
    parts.at(at).push(one)
    reached += height
  }
  title(list, font)
  v(-1mm)
  grid(columns: (1fr,) * columns, column-gutter: 5mm, ..parts.map(part => part.join()))
})

// The first of these sizes with which it fits on a page is taken; otherwise clues go on in columns of the next page.
#let sizes = ((125mm, 8.5pt), (115mm, 8.5pt), (105mm, 8pt), (95mm, 7.5pt), (85mm, 7pt))
#let crossword(one) = layout(size => {
  let many = calc.max(..one.lists.map(list => list.clues.len())) > 12
  let above(high) = { head(one); board(one, high, widest: high); v(2mm) }
  let whole(high, font) = {
    above(high)
    grid(columns: (1fr,) * one.lists.len(), column-gutter: 7mm,
      ..one.lists.map(list => clues(list, if many and one.lists.len() > 1 { 2 } else { 1 }, font)))
  }
  let fitting = sizes.filter(((high, font)) =>
    measure(block(width: size.width, whole(high, font))).height <= size.height - 16mm)
  if fitting.len() > 0 { block(breakable: false, width: 100%, whole(..fitting.first())) } else {
    above(125mm)
    columns(4, gutter: 5mm, for list in one.lists {
      block(sticky: true, title(list, 7.5pt))
      for pair in list.clues { block(breakable: false, spacing: 3.7pt, clue(pair, 7.5pt)) }
    })
  }
})

#let pages(entries, columns, height) = {
  let waiting = ()
  let shown(some) = layout(size => {
    let (room, beside) = (size.height - 16mm, 15mm)
    let width = (size.width - 10mm * (columns - 1)) / columns
    let rows = room / (calc.min(width, height) + beside)
    let fitting = calc.max(1, if calc.fract(rows) > 0.4 { calc.ceil(rows) } else { calc.floor(rows) })
    let more = some.len() > columns * calc.floor(rows)
    let high = if more { calc.min(height, room / fitting - beside) } else { height }
    grid(columns: (1fr,) * columns, column-gutter: 10mm, row-gutter: 8mm, ..some.map(one => cell(one, high)))
  })
  for one in entries {
    if one.lists.len() == 0 { waiting.push(one) } else {
      if waiting.len() > 0 { shown(waiting); v(8mm); waiting = () }
      crossword(one)
      v(8mm, weak: true)
    }
  }
  if waiting.len() > 0 { shown(waiting) }
}

#if data.title != "" { heading-line(data.title) }
#pages(data.puzzles, data.columns, 115mm)
#if data.answers.len() > 0 {
  pagebreak()
  heading-line("Solutions")
  pages(data.answers, data.answer_columns, 55mm)
}
"""


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
    return typeset(STYLE + _PAGES, {"data": json.dumps(data)}, format="pdf")


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

_COMPARED = b"""
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
    return typeset(STYLE + _COMPARED, {"data": json.dumps(data)}, format="pdf")


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
