"""Several pictures on pages of paper, as PDF: titles above them, the answers on the last page.

The pages are set by Typst, with the fonts of `bridge.render.document`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from bridge.errors import InputError
from bridge.render import document
from bridge.render.picture import Picture

Paper = Literal["a4", "us-letter"]
PAPERS: tuple[Paper, ...] = get_args(Paper)

#: The greatest number of pictures side by side.
MOST_COLUMNS = 6

#: A grid of blocks: none is broken, and a row moves to the next page as a whole. A picture is as wide as its column,
#: unless it would be higher than half a page. Answers are half as wide.
_PAGES = b"""
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title)
#set page(paper: data.paper, margin: (x: 18mm, y: 20mm), footer: context align(center, text(8pt, fill: luma(40%))[
  #counter(page).display("1 / 1", both: true)]))
#set text(font: "DejaVu Sans", size: 10pt)

#let cell(one, height) = block(breakable: false, width: 100%, {
  text(weight: "bold", one.title)
  if one.note != "" { h(1fr); text(8pt, fill: luma(30%), one.note) }
  v(2pt)
  layout(size => {
    let picture(..how) = image(bytes(one.svg), format: "svg", alt: one.words, ..how)
    let full = measure(picture(width: size.width))
    align(center, if full.height > height { picture(height: height) } else { picture(width: size.width) })
  })
})
#let pages(entries, columns, height) = grid(
  columns: (1fr,) * columns, column-gutter: 10mm, row-gutter: 8mm, ..entries.map(one => cell(one, height)))

#let heading-line(words) = { text(16pt, weight: "bold", words); v(4mm) }
#if data.title != "" { heading-line(data.title) }
#pages(data.puzzles, data.columns, 115mm)
#if data.answers.len() > 0 {
  pagebreak()
  heading-line(data.answers_title)
  pages(data.answers, data.columns * 2, 55mm)
}
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One picture on a sheet: its title above it, and on the right a note such as the grade."""

    picture: Picture
    title: str
    note: str = ""


def pdf(
    puzzles: Sequence[Entry],
    answers: Sequence[Entry] = (),
    *,
    title: str = "",
    answers_title: str = "Solutions",
    paper: Paper = "a4",
    columns: int = 2,
) -> bytes:
    """Pages with pictures, and the answers from a new page on.

    Parameters
    ----------
    columns
        How many pictures stand side by side, 1 to 6; answers are half as wide.

    Raises
    ------
    InputError
        For another paper, or another number of columns.
    UnsupportedError
        When the extra `pictures` is not installed.
    """
    if paper not in PAPERS:
        raise InputError(f"there is no paper {paper!r}", hint=f"one of: {', '.join(PAPERS)}")
    if not 1 <= columns <= MOST_COLUMNS:
        raise InputError(f"{columns} columns, but 1 to {MOST_COLUMNS} fit")
    data = {
        "title": title,
        "answers_title": answers_title,
        "paper": paper,
        "columns": columns,
        "puzzles": list(map(_entry, puzzles)),
        "answers": list(map(_entry, answers)),
    }
    return document.typeset(_PAGES, {"data": json.dumps(data)}, format="pdf")


def _entry(one: Entry) -> dict[str, str]:
    svg = one.picture.svg("light", legend=False)
    return {"title": one.title, "note": one.note, "svg": svg, "words": one.picture.words()}
