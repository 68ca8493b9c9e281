"""Texts of two kinds in one language: both are equal to a `str` of the same characters, and not to each other."""

from __future__ import annotations


class Name(str):
    """What is written without quotes: a constant of clingo, an atom of Prolog."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and str.__eq__(self, other) and not _apart(self, other, Quoted)

    def __ne__(self, other: object) -> bool:
        return not self == other


class Quoted(str):
    """What is written with quotes: a string of clingo or of Prolog."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and str.__eq__(self, other) and not _apart(self, other, Name)

    def __ne__(self, other: object) -> bool:
        return not self == other


def _apart(one: str, other: str, kind: type[str]) -> bool:
    """Whether another text is of that kind, and of the same language."""
    return isinstance(other, kind) and type(one).__module__ == type(other).__module__
