"""The answers to questions about puzzles; see `bridge.analysis.ask`."""

from __future__ import annotations

from bridge.analysis.explain import Step
from bridge.limits import Limits
from bridge.outcome import OnProgress, Stream
from bridge.puzzles.engines import only_asp
from bridge.puzzles.explain.explain import explain_puzzle
from bridge.puzzles.kinds import Puzzle


def explain(puzzle: Puzzle, engine: str, limits: Limits, on_progress: OnProgress | None) -> Stream[Step]:
    only_asp(engine, "explanations")
    return explain_puzzle(puzzle, limits, on_progress)
