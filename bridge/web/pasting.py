"""Import and export of puzzles in a page, in all formats (`bridge.formats`) and as pictures."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from bridge import formats
from bridge.errors import InputError, MissingSolverError, UnsupportedError
from bridge.formats.codec import Source
from bridge.limits import Limits
from bridge.puzzles import Puzzle
from bridge.web.limits import SECONDS

#: The rest of a collection is left out.
MOST = 50


def bytes_in(data: Mapping[str, Any]) -> bytes:
    """The bytes that a page sent as `text` or, from a file, as `base64`.

    Raises
    ------
    InputError
        If neither is valid.
    """
    if "base64" not in data:
        return str(data.get("text", "")).encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(str(data["base64"]), validate=True)
    except (binascii.Error, ValueError):
        raise InputError("`base64` is to be base64") from None


def puzzles_in(data: bytes, name: str | None, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """The puzzles of a text or a file, in their JSON form.

    Parameters
    ----------
    data, name
        The contents, and the name of the file.
    kind
        The kind of puzzle, if the format does not determine it.
    options
        Options that the text does not contain.

    Raises
    ------
    InputError
        With line and column, when it is no puzzle.
    """
    chosen = formats.sniff(Source(data, name), None)
    if chosen == "text":
        found = formats.decode(data, chosen, kind, file=name, **options)
    else:
        try:  # most formats say which puzzle they hold
            found = formats.decode(data, chosen, file=name, lossy=True)
        except InputError:
            found = formats.decode(data, chosen, kind, file=name, lossy=True, **options)
    puzzles = [puzzle.to_json() for puzzle in found.puzzles[:MOST]]
    return {
        "puzzles": puzzles,
        "of": len(found.puzzles),
        "format": None if chosen == "text" else formats.codec(chosen).title,
        "notes": list(found.notes),
    }


def written(puzzle: Puzzle, name: str) -> dict[str, Any]:
    """A puzzle in a format, as base64, with a file name."""
    codec = formats.codec(name)
    made = formats.encode(puzzle, name, lossy=True)
    suffix = codec.suffixes[0] if codec.suffixes else ".txt"
    return {
        "base64": base64.b64encode(made.data).decode(),
        "file": f"{puzzle.kind}{suffix}",
        "binary": codec.binary,
        "notes": list(made.notes),
    }


def picture(puzzle: Puzzle, *, candidates: bool, theme: str) -> str:
    """The puzzle as SVG, with or without its residual."""
    from bridge.engines import engine
    from bridge.render import instance, residual

    if not candidates:
        return instance(puzzle).svg(theme)
    limits = Limits(seconds=SECONDS["picture"] / 3)
    exact = engine("asp").exact(puzzle, limits)
    try:
        propagated = engine("clpfd").propagated(puzzle, limits)
    except (MissingSolverError, UnsupportedError):
        propagated = None
    return residual(puzzle, exact, propagated).svg(theme)
