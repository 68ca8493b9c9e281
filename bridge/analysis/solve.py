"""The solutions of an instance."""

from __future__ import annotations

from bridge.engines import engine as engine_of
from bridge.limits import UNLIMITED, Limits, takes_limits
from bridge.outcome import OnProgress, Stream
from bridge.puzzles import Puzzle
from bridge.puzzles.rules import Grid


@takes_limits("seconds", "solutions", "nodes")
def solutions(
    puzzle: Puzzle, *, engine: str = "asp", limits: Limits = UNLIMITED, on_progress: OnProgress | None = None
) -> Stream[Grid]:
    """The solutions of an instance in the order found, each checked by the puzzle's own rules.

    Parameters
    ----------
    puzzle
        The instance.
    engine
        The name of an engine; `lpbridge engines` lists them.
    limits
        When to stop. `complete` and `limit` of the stream say how it ended.
    on_progress
        Called about once a second, while the stream is read, with the number of solutions and the seconds so far.
    """
    return engine_of(engine).solutions(puzzle, limits, on_progress)
