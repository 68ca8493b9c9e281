"""Results as JSON: their attributes, by name."""

from __future__ import annotations

from enum import StrEnum
from typing import Any


def as_json(part: Any) -> Any:
    """A part of a result: a tuple as a list, what has a form of its own in that, and others as they are."""
    if isinstance(part, tuple):
        return list(map(as_json, part))
    if isinstance(part, StrEnum):
        return str(part)
    return part.to_json() if hasattr(part, "to_json") else part


def json_of(held: object, *names: str) -> dict[str, Any]:
    """Some of the attributes of a result."""
    return {name: as_json(getattr(held, name)) for name in names}
