"""The text around a board: title and author above it; caption, legend and notes below."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from bridge.drawing.shapes import ID, candidate, label, mark_edge, rect
from bridge.drawing.themes import Mark, Shade, Theme
from bridge.puzzles.render.layout import AROUND, CODE, HALF, RUNNING, WRITTEN, Layout
from bridge.puzzles.render.scene import Note, Scene

MEANINGS = {
    Mark.USED: "used by this step",
    Mark.NEW: "concluded",
    Mark.CLASH: "clashes",
    Mark.OPEN: "differs between solutions",
}

#: Sizes of fonts.
HEADING, BYLINE, CAPTION, LEGEND, NOTE, PROGRAM = 17.0, 12.0, 13.0, 11.0, 11.5, 10.5

#: The gap between notes side by side.
BETWEEN = 16.0

#: Draws a sample at a position: its left side, its middle.
Sample = Callable[[float, float], Iterator[str]]


def below(picture: Scene, theme: Theme, layout: Layout, *, legend: bool) -> tuple[list[str], float, float]:
    """The shapes, the height of the whole picture, and the width of this part."""
    samples = _samples(picture, theme) if legend else []
    if not (picture.caption or picture.board.remark or samples or picture.notes or picture.lists):
        return [], layout.below + AROUND, 0
    wide = max(layout.board_width, WRITTEN)
    page = Page(theme, wide - 2 * AROUND, layout.below + 8)
    text = " ".join(part for part in (picture.caption, picture.board.remark) if part)
    page.paragraph(text, CAPTION, theme.ink)
    page.samples(samples)
    for note in picture.notes:
        page.note(note)
    page.side_by_side(picture.lists)
    return page.shapes, page.y + AROUND, wide


def heading_width(picture: Scene) -> float:
    """The width that title and author need, at most that of other text."""
    sizes = ((picture.heading, HEADING), (picture.byline, BYLINE))
    return min(max(len(text) * RUNNING * size + 2 * AROUND if text else 0 for text, size in sizes), WRITTEN)


def heading(picture: Scene, theme: Theme, width: float) -> tuple[list[str], float]:
    """The shapes of title and author, and their height."""
    page = Page(theme, width - 2 * AROUND, AROUND if picture.heading or picture.byline else 0)
    page.paragraph(picture.heading, HEADING, theme.ink, bold=True)
    page.paragraph(picture.byline, BYLINE, theme.muted)
    return page.shapes, page.y


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
                shown = _unbroken(" " * start + part) if note.code else part.lstrip()
                x = left if part is parts[0] or note.code else left + 10
                self.shapes.append(label(x, self.y, shown, size, self.theme.ink, anchor="start", code=note.code))
        self.y += 3


def _unbroken(text: str) -> str:
    """The text with blanks that SVG keeps."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _samples(picture: Scene, theme: Theme) -> list[tuple[Sample, float, str]]:
    """The entries of the legend: a sample, its width, and its meaning."""
    found: list[tuple[Sample, float, str]] = []
    if picture.givens and (picture.values or picture.marks):
        found.append((_value(theme, picture.sample, given=True), 18, "given"))
    if picture.givens and picture.values:
        found.append((_value(theme, picture.sample, given=False), 18, "solved"))
    shades, mixed = picture.shades, {Shade.EXACT, Shade.PROPAGATED} <= picture.shades
    if Shade.EXACT in shades:
        found.append((_small(theme, picture.sample, Shade.EXACT, mixed), 10, "in some solution"))
    if Shade.PROPAGATED in shades:
        meaning = "in none, but left by propagation" if mixed else "left by propagation"
        found.append((_small(theme, picture.sample, Shade.PROPAGATED, mixed), 10, meaning))
    if Shade.REMOVED in shades:
        found.append((_small(theme, picture.sample, Shade.REMOVED, mixed), 10, "not possible"))
    marks = set(picture.marks.values())
    found += [(_ground(theme, mark), 18, meaning) for mark, meaning in MEANINGS.items() if mark in marks]
    signs = {sign.rule for sign in picture.board.signs}
    outlined = {rule.mark for rule in picture.lit if rule.cells and rule.name not in signs}
    found += [(_outline(theme, mark), 26, "a rule") for mark in MEANINGS if mark in outlined]
    return found


def _value(theme: Theme, value: str, *, given: bool) -> Sample:
    def draw(x: float, y: float) -> Iterator[str]:
        yield rect(x, y - 9, 18, 18, theme.given if given else theme.cell, theme.line, 1)
        colour = theme.ink if given else theme.solved
        yield label(x + 9, y + HALF * 12, value, 12, colour, bold=given)

    return draw


def _small(theme: Theme, value: str, shade: Shade, mixed: bool) -> Sample:
    def draw(x: float, y: float) -> Iterator[str]:
        yield from candidate(x + 5, y, value, 11, shade, theme, mixed=mixed, lit=False)

    return draw


def _ground(theme: Theme, mark: Mark) -> Sample:
    def draw(x: float, y: float) -> Iterator[str]:
        yield rect(x, y - 9, 18, 18, f"url(#{ID}-{mark})")
        yield from mark_edge(x, y - 9, 18, mark, theme.tones[mark].edge)

    return draw


def _outline(theme: Theme, mark: Mark) -> Sample:
    def draw(x: float, y: float) -> Iterator[str]:
        yield rect(x + 1, y - 7, 24, 14, "none", theme.tones[mark].edge, 2, round_by=4)

    return draw
