"""Warnings of solvers as JSON.

>>> as_json(["rooms.lp:3:7-12: info: atom does not occur in any rule head:\\n  p(X)"])[0]["message"]
'atom does not occur in any rule head: p(X)'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypedDict, cast

from bridge.as_json import Key
from bridge.common.lazy import regex

#: A message of clingo, or of SWI-Prolog (`bridge.prolog.Message`).
_MESSAGE = regex(
    r"(?:(?P<file>[^:\n]+)(?::(?P<line>\d+)(?::(?P<column>\d+))?(?:-[\d:]+)?: |: (?=(?:error|warning|info|note): )))?"
    r"(?:(?P<level>error|warning|info|note): )?(?P<message>(?s:.*))"
)


Level = Literal["error", "warning", "info", "note"]


class Warned(TypedDict):
    """A warning of a solver; the place is null where it has none."""

    file: str | None
    line: int | None
    column: int | None
    level: Level
    message: str


def as_json(warnings: Iterable[str]) -> list[Warned]:
    """Each warning with its file, line and column, where it has a place, its level and its message on one line."""
    return [_as_json(one) for one in warnings]


#: The warnings of a result.
WARNINGS = Key("warnings", list[Warned], lambda found: as_json(found.warnings))


def _as_json(warning: str) -> Warned:
    match = _MESSAGE.fullmatch(warning)
    assert match is not None, "anything is a message without a place"
    line, column = (None if match[name] is None else int(match[name]) for name in ("line", "column"))
    level = cast(Level, match["level"] or "warning")
    message = " ".join(match["message"].split())
    return {"file": match["file"], "line": line, "column": column, "level": level, "message": message}
