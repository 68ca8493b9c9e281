"""The names of rules: as people write them, from the terms that encodings have for them (`encodings/rules.lp`)."""

from __future__ import annotations

from typing import Any

from bridge.asp.decode import Function
from bridge.puzzles.rules import cell_name


def rule_name(term: Any) -> str:
    """A rule's name as people write it, from the term that the encoding has for it.

    Strings are words, parts of a tuple are joined by blanks, `cell(1, 2)` is r1c2 and `cell(4, 7, 2)` is r4c7=2.

        >>> rule_name(("box", (1, 2))), rule_name((Function("cell", (1, 2)), "<", Function("cell", (1, 3))))
        ('box (1,2)', 'r1c2 < r1c3')
        >>> rule_name(("row", 3, ": balance"))
        'row 3: balance'
    """
    return " ".join(map(_part, term)).replace(" :", ":") if _is_tuple(term) else _part(term)


def _part(term: Any) -> str:
    if isinstance(term, Function) and term.name == "cell":
        r, c, *value = term.arguments
        return cell_name((r, c)) + (f"={value[0]}" if value else "")
    if _is_tuple(term):
        return f"({','.join(map(_part, term))})"
    return str(term)


def _is_tuple(term: Any) -> bool:
    return isinstance(term, tuple) and not isinstance(term, Function)
