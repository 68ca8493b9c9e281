"""How cells, candidates and signs between cells are drawn, as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from math import hypot

from bridge.drawing import HALF, ID, Mark, Theme, Tone, label, n, rect


class Shade(StrEnum):
    """The kind of a candidate."""

    #: Some solution has it.
    EXACT = "exact"
    #: Propagation leaves it; where exact ones are shown too: no solution has it.
    PROPAGATED = "propagated"
    #: It has been removed: a step concludes that, or rests on it.
    REMOVED = "removed"


def line(
    x: float, y: float, x1: float, y1: float, colour: str, weight: float, *, dashes: str = "", opacity: float = 1
) -> str:
    drawn = f'<line x1="{n(x)}" y1="{n(y)}" x2="{n(x1)}" y2="{n(y1)}" stroke="{colour}" stroke-width="{weight}"'
    if dashes:
        drawn += f' stroke-dasharray="{dashes}"'
    if opacity != 1:
        drawn += f' stroke-opacity="{opacity}"'
    return f'{drawn} stroke-linecap="round"/>'


def circle(x: float, y: float, radius: float, fill: str, stroke: str, weight: float = 1.4) -> str:
    return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(radius)}" fill="{fill}" stroke="{stroke}" stroke-width="{weight}"/>'


def chevron(x: float, y: float, right: float, down: float, colour: str, weight: float, size: float) -> str:
    """`<` around a place, open in a direction."""
    length = hypot(right, down)
    along, across = (right / length, down / length), (-down / length, right / length)
    ends = [
        (
            x + (along[0] * 0.36 + sign * across[0] * 0.62) * size,
            y + (along[1] * 0.36 + sign * across[1] * 0.62) * size,
        )
        for sign in (1, -1)
    ]
    point = f"{n(x - along[0] * size * 0.36)} {n(y - along[1] * size * 0.36)}"
    return (
        f'<path d="M{n(ends[0][0])} {n(ends[0][1])}L{point}L{n(ends[1][0])} {n(ends[1][1])}" fill="none" '
        f'stroke="{colour}" stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def bow(x: float, y: float, x1: float, y1: float, colour: str, weight: float, side: float) -> Iterator[str]:
    """A dashed curve between two cells of a side, with `<` in its middle, open towards the second."""
    length = hypot(x1 - x, y1 - y)
    along = (x1 - x) / length, (y1 - y) / length
    free = side * 0.42  # begins and ends beside what stands in the cells
    x, y, x1, y1 = x + along[0] * free, y + along[1] * free, x1 - along[0] * free, y1 - along[1] * free
    bend = 0.16 * length
    over = (x + x1) / 2 - along[1] * bend, (y + y1) / 2 + along[0] * bend
    path = f"M{n(x)} {n(y)}Q{n(over[0])} {n(over[1])} {n(x1)} {n(y1)}"
    yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{weight}" stroke-dasharray="4 3"/>'
    middle = (x + x1) / 4 + over[0] / 2, (y + y1) / 4 + over[1] / 2
    yield chevron(*middle, *along, colour, weight + 0.6, 10)


def pattern(mark: Mark, tone: Tone) -> str:
    """The ground of marked cells: hatched where rules clash, dotted where solutions differ, plain otherwise."""
    head = f'<pattern id="{ID}-{mark}" width="8" height="8" patternUnits="userSpaceOnUse"'
    ground = f'<rect width="8" height="8" fill="{tone.fill}"/>'
    if mark is Mark.CLASH:  # drawn aslant, since programs leave seams in a pattern that is turned
        stripes = "M-2 2L2-2M-2 10L10-2M6 10L10 6"
        return f'{head}>{ground}<path d="{stripes}" stroke="{tone.pattern}" stroke-width="2.1"/></pattern>'
    if mark is Mark.OPEN:
        dots = "".join(f'<circle cx="{x}" cy="{x}" r="1.1" fill="{tone.pattern}"/>' for x in (2, 6))
        return f"{head}>{ground}{dots}</pattern>"
    return f"{head}>{ground}</pattern>"


def mark_edge(x: float, y: float, side: float, mark: Mark, colour: str) -> Iterator[str]:
    """The line within the edge of a marked cell: thin, double, thick or dashed."""
    if mark is Mark.USED:
        yield rect(x + 1.6, y + 1.6, side - 3.2, side - 3.2, "none", colour, 1.4)
    elif mark is Mark.NEW:
        yield rect(x + 1.8, y + 1.8, side - 3.6, side - 3.6, "none", colour, 1.8)
        yield rect(x + 4.8, y + 4.8, side - 9.6, side - 9.6, "none", colour, 1)
    elif mark is Mark.CLASH:
        yield rect(x + 2, y + 2, side - 4, side - 4, "none", colour, 2.6)
    else:
        yield rect(x + 1.8, y + 1.8, side - 3.6, side - 3.6, "none", colour, 1.6, dashes="3 2.4")


def candidate(
    x: float, y: float, text: str, size: float, shade: Shade, theme: Theme, *, mixed: bool, lit: bool
) -> Iterator[str]:
    """One candidate. Where both kinds are shown, what no solution has is pale and struck through."""
    gone = shade is Shade.REMOVED or (mixed and shade is Shade.PROPAGATED)
    colour = theme.muted if gone and not lit else theme.ink
    yield label(x, y + HALF * size, text, size, colour, bold=mixed and not gone)
    if gone:
        half = size * (0.16 + 0.3 * len(text))
        yield line(x - half, y + size * 0.3, x + half, y - size * 0.3, colour, 1.6 if shade is Shade.REMOVED else 0.9)
