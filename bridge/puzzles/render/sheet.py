"""Several pictures on pages of paper, as PDF: titles above them, the answers on the last page.

The pages are set by Typst, with the fonts of `bridge.drawing.document`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from bridge.drawing import document
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
  heading-line(data.answers_title)
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
    answers_title: str = "Solutions",
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
        "answers_title": answers_title,
        "paper": paper,
        "columns": columns,
        # A fourth of a page's width is too little for a large one.
        "answer_columns": columns + 1 if any(max(one.rows, one.columns) > SMALL for one in boards) else columns * 2,
        "puzzles": list(map(plain, puzzles)),
        "answers": list(map(plain, answers)),
    }
    return document.typeset(STYLE + _PAGES, {"data": json.dumps(data)}, format="pdf")


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
