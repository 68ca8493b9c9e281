"""Numbers of things in words.

>>> many(1, "cell"), many(1234, "solution"), many(0, "entry", "entries")
('1 cell', '1,234 solutions', '0 entries')
"""

from __future__ import annotations


def many(number: int, one: str, several: str | None = None) -> str:
    """A number and what it counts, in the plural unless it is 1; the plural ends in s unless it is given."""
    return f"{number:,} {plural(number, one, several)}"


def plural(number: int, one: str, several: str | None = None) -> str:
    """What a number counts, in the plural unless it is 1."""
    return one if number == 1 else several or f"{one}s"
