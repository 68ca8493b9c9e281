"""Notebook display: puzzles and results show themselves as pictures.

The classes that show themselves derive from `Pictured`. How they are drawn is defined in a package above them, which
`bridge/__init__.py` registers here; it is imported when a notebook shows the first picture.
"""

from __future__ import annotations

from bridge.lazy import load

_drawer = ""


def drawn_by(place: str) -> None:
    """Register the function, `module:name`, that makes a picture (an object with `svg()`) of a `Pictured`."""
    global _drawer
    _drawer = place


class Pictured:
    """Shows itself as SVG in Jupyter."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return str(load(_drawer)(self).svg()) if _drawer else None
