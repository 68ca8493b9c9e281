"""The text around a board: title and author above it; caption, legend and notes below."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bridge.drawing.page import AROUND, BYLINE, CAPTION, HEADING, RUNNING, WRITTEN, Page, Sample
from bridge.drawing.shapes import HALF, ID, label, rect
from bridge.drawing.themes import Mark, Theme
from bridge.puzzles.render.layout import Layout
from bridge.puzzles.render.marks import Shade, candidate, mark_edge
from bridge.puzzles.render.scene import Scene

MEANINGS = {
    Mark.USED: "used by this step",
    Mark.NEW: "concluded",
    Mark.CLASH: "clashes",
    Mark.OPEN: "differs between solutions",
}


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


def _samples(picture: Scene, theme: Theme) -> list[tuple[Sample, float, str]]:
    """The entries of the legend: a sample, its width, and its meaning."""
    found: list[tuple[Sample, float, str]] = []
    if picture.givens and (picture.values or picture.marks):
        found.append((partial(_value, theme, picture.sample, True), 18, "given"))
    if picture.givens and picture.values:
        found.append((partial(_value, theme, picture.sample, False), 18, "solved"))
    shades, mixed = picture.shades, {Shade.EXACT, Shade.PROPAGATED} <= picture.shades
    if Shade.EXACT in shades:
        found.append((partial(_small, theme, picture.sample, Shade.EXACT, mixed), 10, "in some solution"))
    if Shade.PROPAGATED in shades:
        meaning = "in none, but left by propagation" if mixed else "left by propagation"
        found.append((partial(_small, theme, picture.sample, Shade.PROPAGATED, mixed), 10, meaning))
    if Shade.REMOVED in shades:
        found.append((partial(_small, theme, picture.sample, Shade.REMOVED, mixed), 10, "not possible"))
    marks = set(picture.marks.values())
    found += [(partial(_ground, theme, mark), 18, meaning) for mark, meaning in MEANINGS.items() if mark in marks]
    signs = {sign.rule for sign in picture.board.signs}
    outlined = {rule.mark for rule in picture.lit if rule.cells and rule.name not in signs}
    found += [(partial(_outline, theme, mark), 26, "a rule") for mark in MEANINGS if mark in outlined]
    return found


def _value(theme: Theme, value: str, given: bool, x: float, y: float) -> Iterator[str]:
    yield rect(x, y - 9, 18, 18, theme.given if given else theme.cell, theme.line, 1)
    yield label(x + 9, y + HALF * 12, value, 12, theme.ink if given else theme.solved, bold=given)


def _small(theme: Theme, value: str, shade: Shade, mixed: bool, x: float, y: float) -> Iterator[str]:
    yield from candidate(x + 5, y, value, 11, shade, theme, mixed=mixed, lit=False)


def _ground(theme: Theme, mark: Mark, x: float, y: float) -> Iterator[str]:
    yield rect(x, y - 9, 18, 18, f"url(#{ID}-{mark})")
    yield from mark_edge(x, y - 9, 18, mark, theme.tones[mark].edge)


def _outline(theme: Theme, mark: Mark, x: float, y: float) -> Iterator[str]:
    yield rect(x + 1, y - 7, 24, 14, "none", theme.tones[mark].edge, 2, round_by=4)
