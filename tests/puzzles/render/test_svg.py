"""SVG: well-formed, complete, readable, the same each time, and told in words."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from pictures_for_tests import EVERY, NAMES, puzzle, report3

from bridge.errors import InputError
from bridge.puzzles.engines.residual import PuzzleResidual
from bridge.puzzles.kinds import KINDS, parse
from bridge.puzzles.kinds.rules import components
from bridge.puzzles.render import THEMES, Mark, Picture, conflict, instance, residual
from bridge.puzzles.render.layout import is_rectangle

SPACE = "{http://www.w3.org/2000/svg}"


def texts(picture: Picture, theme: str = "light") -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(picture.svg(theme)).iter(f"{SPACE}text"))


def width(text: ElementTree.Element) -> float:
    """Of DejaVu Sans, nearly."""
    each = 0.602 if "Mono" in text.get("font-family", "") else 0.7 if text.get("font-weight") else 0.58
    return each * float(text.get("font-size", "0")) * len(text.text or "")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("kind", "name", "picture"), EVERY, ids=NAMES)
def test_well_formed_and_described(kind: str, name: str, picture: Picture, theme: str) -> None:
    svg = picture.svg(theme)
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    labels = (root.get("aria-labelledby") or "").split()
    told = {
        element.get("id"): element.text or "" for element in root if element.tag in (f"{SPACE}title", f"{SPACE}desc")
    }
    assert list(told) == labels
    assert told[labels[0]].startswith(picture.title)
    assert told[labels[1]] == picture.words()
    assert "href" not in svg
    assert "<style" not in svg
    assert "<script" not in svg
    assert svg == picture.svg(theme), "the same picture, the same bytes"
    assert not re.search(r"\b(?:nan|inf|None)\b", svg)


@pytest.mark.parametrize(("kind", "name", "picture"), EVERY, ids=NAMES)
def test_what_is_referred_to_is_there_and_its_names_are_its_own(kind: str, name: str, picture: Picture) -> None:
    light, dark = picture.svg("light"), picture.svg("dark")
    for svg in (light, dark):
        assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(re.findall(r' id="([^"]+)"', svg))
    assert not set(re.findall(r' id="([^"]+)"', light)) & set(re.findall(r' id="([^"]+)"', dark))


@pytest.mark.parametrize(("kind", "name", "picture"), EVERY, ids=NAMES)
def test_all_writing_is_inside(kind: str, name: str, picture: Picture) -> None:
    root = ElementTree.fromstring(picture.svg())
    wide, high = float(root.get("width", "0")), float(root.get("height", "0"))
    for group in root.iter():
        shift = float((group.get("transform") or "translate(0 0)")[10:].split()[0])
        for text in group.findall(f"{SPACE}text"):
            x, y, length = float(text.get("x", "")) + shift, float(text.get("y", "")), width(text)
            start = x - {"middle": length / 2, "end": length}.get(text.get("text-anchor", ""), 0)
            assert start >= -0.5, text.text
            assert start + length <= wide + 0.5, text.text
            assert 0 < y < high, text.text


@pytest.mark.parametrize("kind", KINDS)
def test_candidates_do_not_touch(kind: str) -> None:
    one = puzzle(kind)
    possible = dict.fromkeys(one.cells(), one.values())
    picture = residual(one, None, PuzzleResidual("propagated", "clpfd", possible, ("r1c2#<r2c1",)))
    lines: dict[float, list[ElementTree.Element]] = {}
    for text in texts(picture):
        if text.get("text-anchor") == "middle" and float(text.get("y", "")) > 35:
            lines.setdefault(float(text.get("y", "")), []).append(text)
    for line in lines.values():
        for left, right in pairwise(sorted(line, key=lambda text: float(text.get("x", "")))):
            apart = float(right.get("x", "")) - float(left.get("x", ""))
            assert apart >= (width(left) + width(right)) / 2 - 0.5, (left.text, right.text)


def test_every_value_is_shown_givens_apart() -> None:
    picture = instance(report3(6))
    bold = [text.text for text in texts(picture) if text.get("font-weight") == "bold"]
    assert len(bold) == len(picture.givens) == 28
    assert sorted(map(str, picture.givens.values())) == sorted(map(str, bold))


def test_exact_and_propagated_are_told_apart_without_colour() -> None:
    one = parse("sudoku", "." * 16)
    cell = (1, 1)
    picture = residual(
        one, PuzzleResidual("exact", "asp", {cell: (1, 2)}), PuzzleResidual("propagated", "clpfd", {cell: (1, 2, 3, 4)})
    )
    weights = {text.text: text.get("font-weight") for text in texts(picture)[:4]}
    assert weights == {"1": "bold", "2": "bold", "3": None, "4": None}
    assert "r1" not in picture.caption
    assert "row 1: 1 or 2 (propagation leaves 3, 4 too)" not in picture.words()
    assert "open, 1 or 2 (propagation leaves 3, 4 too)" in picture.words()


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_contrast_is_enough_to_read(name: str) -> None:
    """WCAG 2: 4.5 for text, 3 for lines that mean something."""
    theme = THEMES[name]
    for ground in (
        theme.paper,
        theme.cell,
        theme.given,
        *(c for tone in theme.tones.values() for c in (tone.fill, tone.pattern)),
    ):
        assert contrast(theme.ink, ground) >= 4.5, ground
    for colour in (theme.muted, theme.solved):
        assert contrast(colour, theme.paper) >= 4.5, colour
        assert contrast(colour, theme.cell) >= 4.5, colour
    for mark in Mark:
        assert contrast(theme.tones[mark].edge, theme.paper) >= 3, mark


def test_marks_differ_in_more_than_colour() -> None:
    one = parse("sudoku", "1" + "." * 15)
    from bridge.puzzles.render.marks import mark_edge

    edges = {tuple(re.sub("#[0-9a-f]+", "", shape) for shape in mark_edge(0, 0, 40, mark, "#000000")) for mark in Mark}
    assert len(edges) == len(Mark)
    assert "url(#" in conflict(one, ["row 1"], [(1, 1)]).svg()


def test_no_such_theme() -> None:
    with pytest.raises(InputError, match="no theme 'sepia'"):
        instance(report3(6)).svg("sepia")


def test_cells_in_groups() -> None:
    assert components([(1, 1), (1, 2), (3, 3)]) == [[(1, 1), (1, 2)], [(3, 3)]]
    assert is_rectangle([(1, 1), (1, 2), (2, 1), (2, 2)])
    assert not is_rectangle([(1, 1), (1, 2), (2, 1)])


@pytest.mark.parametrize("title", ["</title><script>alert(1)</script>", "a\x07b\x00\x1b[8m\ufffe", "]]>&amp;\"'", "\ud800"])
def test_a_title_of_any_characters(title: str) -> None:
    picture = replace(instance(puzzle("sudoku")), title=title)
    root = ElementTree.fromstring(picture.svg("light"))
    assert not list(root.iter(f"{SPACE}script"))
    (heading,) = root.findall(f"{SPACE}title")
    assert re.sub("[^ -~]", "?", title) in re.sub("[^ -~]", "?", heading.text or "")
