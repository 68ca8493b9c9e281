"""The text of a count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridge.common.english import plural
from bridge.puzzles.kinds.rules import cell_name
from bridge.texts.words import LIMITS

if TYPE_CHECKING:
    from bridge.puzzles.analysis.count import Part, PuzzleCount

#: The number of cells of a part that are named; the JSON has all.
NAMED = 8


def count_text(found: PuzzleCount) -> str:
    """A count in a sentence, with its parts and symmetry."""
    text = "no solution" if found.number == 0 else plural(found.number, "solution")
    if found.symmetry > 1 and found.number:
        text += f" ({found.number // found.symmetry:,} up to symmetry, times {found.symmetry:,})"
    if not found.complete:
        text = f"at least {text}" if found.number else "no solution found"
        text += f": {LIMITS[str(found.limit)]} came first"
    if len(found.parts) > 1:
        factors = " × ".join(f"{part.number:,}" for part in found.parts)
        cells = " and ".join(map(_named, found.parts))
        text += f"{':' if found.complete else ';'} {factors}, of cells that do not interact: {cells}"
    return text


def _named(part: Part) -> str:
    named = ", ".join(map(cell_name, part.cells[:NAMED]))
    return f"{{{named}{f', … {len(part.cells)} cells' if len(part.cells) > NAMED else ''}}}"
