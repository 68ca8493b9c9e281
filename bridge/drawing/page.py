"""Text on a page that is drawn: paragraphs, samples of a legend, notes, from the top down.

Fonts are not measured: widths are those of DejaVu Sans, which is wider than others, so that nothing overlaps.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bridge.drawing.shapes import HALF, label
from bridge.drawing.themes import Theme

#: The width of a character, bold, in sizes of its font: digits, capital letters; and of running text, on average.
DIGIT, LETTER, RUNNING, CODE = 0.70, 0.80, 0.56, 0.605

#: The outer margin, and the least width of the text below a drawing.
AROUND, WRITTEN = 12.0, 400.0

#: Sizes of fonts.
HEADING, BYLINE, CAPTION, LEGEND, NOTE, PROGRAM = 17.0, 12.0, 13.0, 11.0, 11.5, 10.5

#: The gap between notes side by side.
BETWEEN = 16.0

#: Draws a sample at a position: its left side, its middle.
Sample = Callable[[float, float], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Note:
    """Lines below the board, under a heading; `code` sets them in a monospaced font."""

    heading: str
    lines: tuple[str, ...]
    code: bool = False


class Page:
    """Text, laid out from the top down."""

    def __init__(self, theme: Theme, width: float, y: float) -> None:
        self.theme, self.width, self.y = theme, width, y
        self.shapes: list[str] = []

    def paragraph(self, text: str, size: float, colour: str, *, bold: bool = False) -> None:
        for part in textwrap.wrap(text, int(self.width / (RUNNING * size))):
            self.y += size * 1.32
            self.shapes.append(label(AROUND, self.y, part, size, colour, bold=bold, anchor="start"))
        self.y += 5 if text else 0

    def samples(self, samples: list[tuple[Sample, float, str]]) -> None:
        """Samples with their meanings, one after the other, in as many lines as they need."""
        x, self.y = AROUND, self.y + (7 if samples else 0)
        for draw, wide, meaning in samples:
            length = wide + 6 + RUNNING * LEGEND * len(meaning)
            if x > AROUND and x + length > AROUND + self.width:
                x, self.y = AROUND, self.y + 22
            self.shapes += draw(x, self.y + 9)
            self.shapes.append(
                label(x + wide + 5, self.y + 9 + HALF * LEGEND, meaning, LEGEND, self.theme.muted, anchor="start")
            )
            x += length + 14
        self.y += 22 if samples else 0

    def side_by_side(self, notes: Sequence[Note]) -> None:
        """Notes in columns of one width."""
        top, lowest = self.y, self.y
        width = (self.width - BETWEEN * (len(notes) - 1)) / max(len(notes), 1)
        for number, note in enumerate(notes):
            self.y = top
            self.note(note, AROUND + number * (width + BETWEEN), width)
            lowest = max(lowest, self.y)
        self.y = lowest

    def note(self, note: Note, left: float = AROUND, width: float | None = None) -> None:
        width = self.width if width is None else width
        self.y += 6 + NOTE
        self.shapes.append(label(left, self.y, note.heading, NOTE, self.theme.ink, bold=True, anchor="start"))
        self.y += 2
        size, each = (PROGRAM, CODE) if note.code else (NOTE, RUNNING)
        for line in note.lines:
            bare = line.lstrip()
            start = len(line) - len(bare)
            hanging = 3 if note.code else 2
            parts = textwrap.wrap(bare, int(width / (each * size)) - start, subsequent_indent=" " * hanging)
            for part in parts:
                self.y += size * 1.36
                # Blanks that SVG keeps.
                shown = (" " * start + part).replace(" ", "\N{NO-BREAK SPACE}") if note.code else part.lstrip()
                x = left if part is parts[0] or note.code else left + 10
                self.shapes.append(label(x, self.y, shown, size, self.theme.ink, anchor="start", code=note.code))
        self.y += 3
