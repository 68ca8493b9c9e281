"""How values show themselves in notebooks: as a picture, drawn by a room above them.

A puzzle does not know how it is drawn, nor a diagnosis. Both are `Pictured`, and ask whoever has been named here;
`bridge/__init__.py`, which knows every room, names it. It is loaded when a notebook shows the first of them.
"""

from __future__ import annotations

from importlib import import_module

_drawer = ""


def drawn_by(place: str) -> None:
    """Name the function, `module:name`, that makes a picture of what is `Pictured`: something with `svg()`."""
    global _drawer
    _drawer = place


class Pictured:
    """Shows itself as SVG in Jupyter and its like."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        if not _drawer:
            return None
        module, _, name = _drawer.partition(":")
        return str(getattr(import_module(module), name)(self).svg())
