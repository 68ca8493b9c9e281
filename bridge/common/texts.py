"""Texts of two kinds in one language: both are equal to a `str` of the same characters, and not to each other.

And the parts of a text in which strings and parentheses belong together.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r'"(?:\\.|[^"\\])*"?|.', re.DOTALL)


def split_outside(text: str, marks: str) -> list[str]:
    """The parts of a text between signs that stand in no parentheses and in no string.

    >>> split_outside('p(1,2), q("a,b")', ",")
    ['p(1,2)', ' q("a,b")']
    """
    parts, depth = [""], 0
    for piece in _PIECE.findall(text):
        depth += (piece == "(") - (piece == ")")
        if depth == 0 and piece in marks:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


class _Text(str):
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and str.__eq__(self, other) and not self._is_apart_from(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _is_apart_from(self, other: str) -> bool:
        """Whether another text is of the other kind, and of the same language."""
        is_other = isinstance(other, _Text) and isinstance(other, Name) != isinstance(self, Name)
        return is_other and type(self).__module__ == type(other).__module__


class Name(_Text):
    """What is written without quotes: a constant of clingo, an atom of Prolog."""

    __slots__ = ()


class Quoted(_Text):
    """What is written with quotes: a string of clingo or of Prolog."""

    __slots__ = ()
