"""How results show themselves as pictures in a notebook.

How they are drawn is defined in packages above them, which `bridge/__init__.py` registers as `picture`; these are
imported when the first one is shown.
"""

from __future__ import annotations

from bridge.common.lazy import registered


class Pictured:
    """Shows itself as SVG in Jupyter."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(registered("picture")(self).svg())
