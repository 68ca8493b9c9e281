"""Solutions of an instance, as they are found."""

from __future__ import annotations

from bridge.engines import engine as engine_of
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Stream
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Grid


def solutions(puzzle: Puzzle, engine: str = "asp", limits: Limits = UNLIMITED) -> Stream[Grid]:
    """The solutions of an instance as they are found, each checked by the puzzle's own rules.

    Parameters
    ----------
    puzzle
        The instance.
    engine
        The name of an engine; `lpbridge engines` lists them.
    limits
        When to stop. The stream tells whether it was complete, and which limit ended it.
    """
    return engine_of(engine).solutions(puzzle, limits)
