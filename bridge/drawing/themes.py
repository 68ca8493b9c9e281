"""Colours: a light theme for paper and a dark one for screens.

The hues are those of M. Okabe and K. Ito (*Color Universal Design*, 2008), which people with any colour vision tell
apart. No meaning is in a colour alone: highlights differ in pattern and weight, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bridge.errors import InputError


class Mark(StrEnum):
    """The role of a highlighted cell, value or rule."""

    #: A step rests on it.
    USED = "used"
    #: A step concludes it.
    NEW = "new"
    #: It cannot hold together with the others of this mark.
    CLASH = "clash"
    #: It differs between solutions.
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Tone:
    """The look of a mark: the background of a cell, its pattern, and the outline of cells and rules."""

    fill: str
    pattern: str
    edge: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture."""

    name: str
    #: The background, the text on it, and the text in margins.
    paper: str
    ink: str
    muted: str
    cell: str
    #: Lines between cells, and around boxes and boards.
    line: str
    heavy: str
    #: The background of given cells, and the colour of the values of others.
    given: str
    solved: str
    #: Black squares; shaded cells, and the lines under values.
    black: str
    shade: str
    tones: Mapping[Mark, Tone]


LIGHT = Theme(
    "light", "#ffffff", "#1a1a1a", "#5f6368", "#ffffff", "#a3a7ac", "#1a1a1a", "#efefec", "#005a91", "#1a1a1a",
    "#d4d6d9",
    {
        Mark.USED: Tone("#d9edfa", "#d9edfa", "#0072b2"),
        Mark.NEW: Tone("#c8eddf", "#c8eddf", "#00704f"),
        Mark.CLASH: Tone("#fdeae0", "#f6c3a6", "#c24a00"),
        Mark.OPEN: Tone("#fdf6d3", "#f3d98a", "#8f6200"),
    },
)  # fmt: skip

DARK = Theme(
    "dark", "#16181d", "#f2f2f0", "#a9afb8", "#1f232a", "#5a616c", "#d5d8dd", "#343a45", "#8fd0f7", "#000000",
    "#4a515d",
    {
        Mark.USED: Tone("#143a52", "#143a52", "#56b4e9"),
        Mark.NEW: Tone("#0b4936", "#0b4936", "#2fd0a1"),
        Mark.CLASH: Tone("#44200f", "#6b3519", "#ff9350"),
        Mark.OPEN: Tone("#3d330e", "#62511a", "#f0c342"),
    },
)  # fmt: skip

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (LIGHT, DARK)}


def theme_named(name: str) -> Theme:
    """A theme by its name; InputError, which lists the names there are, without one."""
    if name not in THEMES:
        raise InputError(f"there is no theme {name!r}", hint=f"one of: {', '.join(THEMES)}")
    return THEMES[name]
