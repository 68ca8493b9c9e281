"""The answers to questions about puzzles; see `bridge.analysis.ask`.

What answers a question is imported when it is asked: a count needs nothing of a diagnosis.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bridge.analysis import answering
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


def check(puzzle: Puzzle, **options: Any) -> Any:
    from bridge.puzzles.analysis.check import check

    return check(puzzle, **options)


def residual(puzzle: Puzzle, **options: Any) -> Any:
    from bridge.puzzles.analysis.check import residual

    return residual(puzzle, **options)


def count(puzzle: Puzzle, **options: Any) -> Any:
    from bridge.puzzles.analysis.count import count

    return count(puzzle, **options)


def solutions(puzzle: Puzzle, *, engine: str, limits: Limits, on_progress: OnProgress | None) -> Stream[Grid]:
    return engine_of(engine).solutions(puzzle, limits, on_progress)


def explain(puzzle: Puzzle, *, engine: str, limits: Limits, on_progress: OnProgress | None) -> Stream[Step]:
    from bridge.puzzles.explain.explain import explain_puzzle

    only_asp(engine, "explanations")
    return explain_puzzle(puzzle, limits, on_progress)


def diagnose(puzzle: Puzzle, **options: Any) -> Any:
    from bridge.puzzles.analysis.diagnose import diagnose

    return diagnose(puzzle, **options)


def why(puzzle: Puzzle, atom: str | None, **options: Any) -> Any:
    program = program_of(puzzle)
    return answering(program, "why")(program, atom, **options)


def program_of(puzzle: Puzzle) -> AspProblem:
    """The clingo program that a puzzle is: its encoding, and its clues as facts."""
    from bridge.problem import AspProblem

    forms = models(puzzle)
    form = forms.asp()
    facts = "".join(f"{line}\n" for line in forms.facts().splitlines() if not line.startswith("#"))
    return AspProblem(form.program or encoding(form.encoding), *filter(None, [facts]), constants=dict(form.constants))


@contextmanager
def questions(puzzle: Puzzle, deadline: Deadline, engine: str) -> Iterator[tuple[Oracle, list[RuleOrFact]]]:
    """What answers whether rules and clues can hold together, and all of them."""
    from bridge.puzzles.oracle import Oracle

    only_asp(engine, "questions about rules")
    oracle = Oracle(puzzle, deadline, own=True)
    yield oracle, [*oracle.rules, *oracle.clues]
