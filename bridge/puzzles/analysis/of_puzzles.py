"""The answers to questions about puzzles; see `bridge.analysis.ask`.

What answers a question is imported when it is asked: a count needs nothing of a diagnosis.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bridge.analysis import answering
from bridge.common import load
from bridge.limits import Deadline, Limits
from bridge.outcome import OnProgress, Stream
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.engines import engine as engine_of
from bridge.puzzles.engines import only_asp
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Grid

if TYPE_CHECKING:
    from bridge.analysis import Step
    from bridge.problem import AspProblem
    from bridge.puzzles.oracle import Oracle, RuleOrFact

#: Questions are put to one of several engines.
HAS_ENGINES = True

_PLACES = {
    "check": "bridge.puzzles.analysis.check:check",
    "residual": "bridge.puzzles.analysis.check:residual",
    "count": "bridge.puzzles.analysis.count:count",
    "diagnose": "bridge.puzzles.analysis.diagnose:diagnose",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return load(_PLACES[name])
    raise AttributeError(name)


def solutions(puzzle: Puzzle, *, engine: str, limits: Limits, on_progress: OnProgress | None) -> Stream[Grid]:
    return engine_of(engine).solutions(puzzle, limits, on_progress)


def explain(puzzle: Puzzle, *, engine: str, limits: Limits, on_progress: OnProgress | None) -> Stream[Step]:
    from bridge.puzzles.explain.explain import explain_puzzle

    only_asp(engine, "explanations")
    return explain_puzzle(puzzle, limits, on_progress)


def why(puzzle: Puzzle, atom: str | None, **options: Any) -> Any:
    program = program_of(puzzle)
    return answering(program, "why")(program, atom, **options)


def program_of(puzzle: Puzzle) -> AspProblem:
    """The clingo program that a puzzle is: its encoding, and its clues as facts."""
    from bridge.problem import AspProblem

    forms = models(puzzle)
    form = forms.asp()
    stated = filter(None, [forms.stated()])
    return AspProblem(form.program or encoding(form.encoding), *stated, constants=dict(form.constants))


@contextmanager
def questions(puzzle: Puzzle, deadline: Deadline, engine: str) -> Iterator[tuple[Oracle, list[RuleOrFact]]]:
    """What answers whether rules and clues can hold together, and all of them."""
    from bridge.puzzles.oracle import Oracle

    only_asp(engine, "questions about rules")
    oracle = Oracle(puzzle, deadline, own=True)
    yield oracle, [*oracle.rules, *oracle.clues]
