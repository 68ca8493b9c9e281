"""The choices of a page: the same names and words as on the command line."""

from __future__ import annotations

from typing import Any

from bridge import formats
from bridge.analysis.levels import REACHED
from bridge.engines import NAMES
from bridge.puzzles import KINDS, puzzle_class
from bridge.puzzles.symmetry import SYMMETRIES
from bridge.search.ladder import LADDER
from bridge.web.limits import MOST_BYTES

#: The engines compared by default: one of each kind.
COMPARED = ("asp", "clpfd", "gac+mrv+degree", "mac+mrv+wdeg", "mac+mrv", "fc+mrv", "dfs+fc")


def about(programs: bool) -> dict[str, Any]:
    """Puzzles, levels, symmetries and engines, and whether programs may run."""
    return {
        "puzzles": {kind: {"title": puzzle_class(kind).title, "options": _options(kind)} for kind in KINDS},
        "levels": [
            {"name": one.name, "title": one.title, "techniques": one.techniques, "difficulty": one.difficulty}
            for one in LADDER
        ],
        "reached": _reached(),
        "symmetries": [{"name": name, "title": title} for name, title in SYMMETRIES.items()],
        "formats": [
            {"name": name, "title": formats.codec(name).title, "kinds": formats.codec(name).kinds}
            for name in formats.names()
        ],
        "engines": list(NAMES),
        "compared": list(COMPARED),
        "mostBytes": MOST_BYTES,
        "programs": programs,
    }


def _reached() -> dict[str, dict[str, list[str]]]:
    """By kind and size, such as `9x9`, the levels that are known to be reached."""
    found: dict[str, dict[str, list[str]]] = {}
    for (kind, rows, columns), levels in REACHED.items():
        found.setdefault(kind, {})[f"{rows}x{columns}"] = list(levels)
    return found


def _options(kind: str) -> dict[str, str]:
    return {name: option.help for name, option in puzzle_class(kind).options.items()}
