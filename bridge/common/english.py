"""English for messages and reports.

>>> plural(1, "solution"), plural(12345, "box", "boxes")
('1 solution', '12,345 boxes')
>>> listed(["a", "b", "c"])
'a, b and c'
"""

from __future__ import annotations

from collections.abc import Sequence


def plural(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun: `1 cell`, `2 cells`. `several` is the plural where it is not formed with an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def listed(words: Sequence[str], conjunction: str = "and") -> str:
    """`a, b and c`."""
    *others, last = words or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last
