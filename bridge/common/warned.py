"""Warnings of solvers as JSON.

>>> as_json(["rooms.lp:3:7-12: info: atom does not occur in any rule head:\\n  p(X)"])[0]["message"]
'atom does not occur in any rule head: p(X)'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bridge.common.lazy import regex

#: A message of clingo, or of SWI-Prolog (`bridge.prolog.Message`).
_MESSAGE = regex(
    r"(?:(?P<file>[^:\n]+)(?::(?P<line>\d+)(?::(?P<column>\d+))?(?:-[\d:]+)?: |: (?=(?:error|warning|info|note): )))?"
    r"(?:(?P<level>error|warning|info|note): )?(?P<message>(?s:.*))"
)


def as_json(warnings: Iterable[str]) -> list[dict[str, Any]]:
    """Each warning with its file, line and column, where it has a place, its level and its message on one line."""
    return [_as_json(one) for one in warnings]


def _as_json(warning: str) -> dict[str, Any]:
    match = _MESSAGE.fullmatch(warning)
    assert match is not None, "anything is a message without a place"
    line, column = (None if match[name] is None else int(match[name]) for name in ("line", "column"))
    place = {"file": match["file"], "line": line, "column": column}
    return {**place, "level": match["level"] or "warning", "message": " ".join(match["message"].split())}
