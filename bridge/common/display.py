"""How puzzles and results show themselves: as pictures in a notebook, as text where they are printed.

The classes derive from `Pictured` and `Readable`. How they are drawn and told is defined in packages above them, which
`bridge/__init__.py` registers as `picture` and `text`; they are imported when the first one is shown.
"""

from __future__ import annotations

from bridge.common.lazy import registered


class Pictured:
    """Shows itself as SVG in Jupyter."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        draw = registered("picture")
        return None if draw is None else str(draw(self).svg())


class Readable:
    """A result that `str` and `print` show as the command does; `repr` shows its fields."""

    __slots__ = ()

    def __str__(self) -> str:
        text = registered("text")
        return repr(self) if text is None else str(text(self))
