"""The text of a grade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridge.outcome import Verdict
from bridge.texts.words import LIMITS, table

if TYPE_CHECKING:
    from bridge.puzzles.search.ladder import Grade


def grade_text(found: Grade) -> str:
    """A grade in a sentence, and its levels as a table."""
    from bridge.puzzles.search.ladder import LADDER

    titles = {level.name: level.full_title for level in LADDER}
    reached = titles[found.reached]
    stopped = f"harder than {reached}, the last level that was to be used"
    if found.limit is not None:
        stopped = f"stopped by {LIMITS[found.limit]} at {reached}; nothing weaker suffices"
    sentence = {
        Verdict.UNIQUE: f"grade: {found.difficulty}, {reached}, score {found.score}",
        Verdict.AMBIGUOUS: "ambiguous: there are two solutions or more, so there is no grade",
        Verdict.IMPOSSIBLE: f"impossible: there is no solution, as {reached} finds",
        Verdict.UNKNOWN: f"unknown: {stopped}",
    }[found.verdict]
    if found.level == "search":
        sentence += f", {found.guesses} guesses, {found.depth} deep"
    rows = [("level", "techniques", "weight", "steps", "removed", "placed", "open")]
    for level, row in zip(LADDER, found.to_json()["levels"], strict=True):
        if level.name in found.tallies:
            undecided = "" if row["open"] is None else str(row["open"])
            steps, removed, placed = (str(row[key]) for key in ("steps", "removed", "placed"))
            rows.append((level.name, level.techniques, str(level.weight), steps, removed, placed, undecided))
    return f"{sentence}\n{table(rows)}"
