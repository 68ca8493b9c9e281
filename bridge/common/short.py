"""`short`: what an object with many fields holds, in a line, as its `repr`.

>>> from dataclasses import dataclass
>>> @dataclass
... class Found:
...     verdict: str
...     clashes: tuple[str, ...] = ()
...     limit: str | None = None
...     __repr__ = short
>>> Found("impossible", ("row 1", "row 2"))
<Found verdict: impossible, clashes: 2>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import fields
from typing import Any

#: How many characters of one field are shown.
LONGEST = 40


def short(held: Any) -> str:
    """The fields of a dataclass; of a collection its size. None, false and empty are left out, but for the first."""
    shown = []
    for number, field in enumerate(fields(held)):
        value = getattr(held, field.name)
        if field.repr and not (value is None or value is False or value == "" or (number and _size(value) == 0)):
            shown.append(f"{field.name}: {_value(value)}")
    return f"<{type(held).__name__} {', '.join(shown)}>"


def _size(value: Any) -> int | None:
    return len(value) if isinstance(value, Mapping | Sequence | Set) and not isinstance(value, str) else None


def _value(value: Any) -> str:
    if (size := _size(value)) is not None:
        return str(size)
    text = str(value) if isinstance(value, str | int) else f"{value:.3g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
