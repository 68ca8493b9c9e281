"""The answers to questions about clingo programs; see `bridge.analysis.ask`."""

from __future__ import annotations

from bridge.analysis.explain import Step, explain_program
from bridge.errors import UnsupportedError
from bridge.limits import Limits
from bridge.outcome import OnProgress, Stream
from bridge.problem.asp import AspProblem


def only_asp(engine: str) -> None:
    """Refuse an engine other than clingo.

    Raises
    ------
    UnsupportedError
        For another engine.
    """
    if engine not in ("asp", "clingo"):
        raise UnsupportedError(f"engine {engine} does not answer questions about programs", hint="asp does")


def explain(problem: AspProblem, engine: str, limits: Limits, on_progress: OnProgress | None) -> Stream[Step]:
    only_asp(engine)
    return explain_program(problem, limits, on_progress)
