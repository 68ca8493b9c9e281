"""English for messages and reports.

    >>> plural(1, "solution"), plural(12345, "box", "boxes")
    ('1 solution', '12,345 boxes')
"""

from __future__ import annotations


def plural(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun: `1 cell`, `2 cells`. `several` is the plural where it is not formed with an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"
