"""Cells of CSV that a spreadsheet does not take for formulas.

A spreadsheet computes a cell that begins with `=`, `+`, `-`, `@`, a tab or a return: the name of a file or a
title could run commands there. Such a text is written with an apostrophe before it, which spreadsheets take as the
mark of a text, and read without it. So is one with apostrophes before such a character: nothing is lost.

>>> guarded("=1+1"), guarded("'=1"), guarded("Saturday"), plain(guarded("=1+1"))
("'=1+1", "''=1", 'Saturday', '=1+1')
"""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def guarded(text: str) -> str:
    """A text as a cell."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def plain(cell: str) -> str:
    """The text of a cell that `guarded` has made; another one is its own text."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA) else cell
