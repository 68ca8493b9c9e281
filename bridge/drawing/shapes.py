"""The few shapes that pictures are made of, as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from xml.sax import saxutils

#: Half the height of a digit, in sizes of its font: how far below the middle of its place its baseline is.
HALF = 0.36

#: Stands for the picture's own name in what refers to its parts.
ID = "lp-picture"


#: What XML cannot have: control characters, and halves of surrogate pairs.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Text as XML has it: no markup, and a replacement character for each that XML cannot have."""
    return saxutils.escape(_NOT_XML.sub("\ufffd", text))


def attribute(text: str) -> str:
    """Text as the value of an attribute."""
    return escape(text).replace('"', "&quot;")


def standalone(wide: float, high: float, title: str, words: str, shapes: Iterable[str], paper: str = "") -> str:
    """A standalone SVG document of shapes, on paper of a colour, with its title and its description in words."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n(wide)} {n(high)}" width="{n(wide)}" '
        f'height="{n(high)}" role="img" aria-labelledby="{ID}-title {ID}-words" '
        "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">"
    )
    said = f'<title id="{ID}-title">{escape(title)}</title>\n<desc id="{ID}-words">{escape(words)}</desc>'
    ground = [f'<rect width="{n(wide)}" height="{n(high)}" fill="{paper}"/>'] if paper else []
    whole = "\n".join([head, said, *ground, *shapes, "</svg>\n"])
    # Several pictures may be in one page, so ids must be unique.
    return whole.replace(ID, f"lp{sha256(whole.encode()).hexdigest()[:8]}")


def n(number: float) -> str:
    """A number as SVG has it, with a tenth of a pixel."""
    return f"{number:.1f}".removesuffix(".0")


def rect(x: float, y: float, width: float, height: float, fill: str, stroke: str | None = None, weight: float = 1, *,
         round_by: float = 0, dashes: str = "") -> str:
    drawn = f'<rect x="{n(x)}" y="{n(y)}" width="{n(width)}" height="{n(height)}" fill="{fill}"'
    if round_by:
        drawn += f' rx="{n(round_by)}"'
    if stroke:
        drawn += f' stroke="{stroke}" stroke-width="{weight}"'
    if dashes:
        drawn += f' stroke-dasharray="{dashes}"'
    return f"{drawn}/>"


def label(x: float, y: float, text: str, size: float, colour: str, *, bold: bool = False, italic: bool = False,
          anchor: str = "middle", code: bool = False) -> str:
    """Text on a baseline."""
    drawn = f'<text x="{n(x)}" y="{n(y)}" font-size="{n(size)}" fill="{colour}"'
    if anchor != "start":
        drawn += f' text-anchor="{anchor}"'
    if bold:
        drawn += ' font-weight="bold"'
    if italic:
        drawn += ' font-style="italic"'
    if code:
        drawn += " font-family=\"Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace\""
    return f"{drawn}>{escape(text)}</text>"
