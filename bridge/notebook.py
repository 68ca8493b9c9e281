"""Notebook display: puzzles and results show themselves as pictures.

The classes that show themselves derive from `Pictured`. How they are drawn is defined in a package above them, which
`bridge/__init__.py` registers as `picture`; it is imported when a notebook shows the first picture.
"""

from __future__ import annotations

from bridge.lazy import registered


class Pictured:
    """Shows itself as SVG in Jupyter."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        draw = registered("picture")
        return None if draw is None else str(draw(self).svg())
