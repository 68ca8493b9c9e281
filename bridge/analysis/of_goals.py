"""The answers to questions about Prolog goals; see `bridge.analysis.ask`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from bridge.analysis.ask import Which, refuse_of_programs
from bridge.analysis.explain import Step
from bridge.analysis.goal_diagnosis import GoalDiagnosis
from bridge.analysis.goals import GoalWork
from bridge.analysis.proofs import Proof, prove
from bridge.analysis.why import Reasons
from bridge.analysis.work import Options
from bridge.as_json import Json
from bridge.common.english import listed
from bridge.errors import InputError, LimitError
from bridge.limits import Deadline, Limits
from bridge.outcome import Count, Interrupted, OnProgress, Outcome, Progress, Stream, Verdict
from bridge.problem.fragments import GoalPremise
from bridge.problem.prolog import FragmentOracle, PrologProblem
from bridge.problem.residual import Residual
from bridge.prolog.answer import Answer, Truth, identity, with_undefined


def check(problem: PrologProblem, *, limits: Limits, on_progress: Callable[[GoalDiagnosis], object] | None,
          residual: Which) -> GoalDiagnosis:
    verdict_only = residual in ("none", "propagated")
    work = GoalWork(problem, Options(), limits, on_progress, asked="check")
    return work.done("verdict" if verdict_only else "residual")


def residual(problem: PrologProblem, *, limits: Limits) -> Residual:
    work = GoalWork(problem, Options(), limits, None, asked="check")
    done = work.done("residual")
    if done.verdict is Verdict.IMPOSSIBLE:
        return replace(work.residual, complete=True)
    return work.residual if work.residual.complete else replace(work.residual, limit=done.limit)


def count(problem: PrologProblem, *, limits: Limits, on_progress: OnProgress | None) -> Count:
    """Answers that are equal count once, and undefined ones do not; so each that differs is held in memory."""
    seen: set[str | bytes] = set()

    def found(progress: Progress) -> Iterator[Answer]:
        for answer in _answers(problem, replace(limits, solutions=None), progress):
            if answer.truth is Truth.TRUE and (one := identity(answer)) not in seen:
                seen.add(one)
                yield answer

    stream = Stream(found, limits, on_progress)
    opened = interrupted = False
    try:
        for answer in stream:
            opened = opened or bool(answer.residual)
    except KeyboardInterrupt:
        interrupted = True
    notes = ("answers leave constraints open: each may stand for several solutions",) if opened else ()
    limit = "interrupt" if interrupted else stream.limit
    counted = Count(len(seen), stream.complete, limit, stream.statistics, notes)
    if interrupted:
        raise Interrupted(counted)
    return counted


def solutions(problem: PrologProblem, *, limits: Limits, on_progress: OnProgress | None) -> Stream[Answer]:
    return _Answers(lambda progress: _answers(problem, limits, progress), limits, on_progress)


def _answers(problem: PrologProblem, limits: Limits, progress: Progress) -> Iterator[Answer]:
    with problem.session(limits) as session:
        answers = session.query(problem.query, limits=limits)
        with progress.following(answers):
            yield from answers


class _Answers(Stream[Answer]):
    """Answers to a goal, of which some may be undefined."""

    def outcome(self, solutions: Iterable[Answer]) -> Outcome[Answer]:
        return with_undefined(super().outcome(solutions))


def diagnose(problem: PrologProblem, *, limits: Limits, on_progress: Callable[[GoalDiagnosis], object] | None,
             **options: Any) -> GoalDiagnosis:
    refuse_of_programs(options["instances"], options["variants"])
    return GoalWork(problem, Options(**options), limits, on_progress).done()


# The proof


@dataclass(frozen=True, slots=True, order=True)
class Proved:
    goal: str

    is_fact: ClassVar[bool] = True

    def to_json(self) -> dict[str, Any]:
        return {"goal": self.goal}

    step_json = to_json

    def __str__(self) -> str:
        return self.goal


@dataclass(frozen=True, slots=True, order=True)
class Clause(Json):
    """A clause that a goal was proved by."""

    where: str
    text: str

    def __str__(self) -> str:
        return self.where


@dataclass(frozen=True, slots=True)
class ProofStep(Step):
    """A goal, with the clause and the goals before it that prove it."""

    def __str__(self) -> str:
        return f"{self.fact}: by {listed(list(map(str, self.premises)))}"


def explain(problem: PrologProblem, *, limits: Limits, on_progress: OnProgress | None) -> Stream[Step]:

    def steps(progress: Progress) -> Iterator[Step]:
        try:
            proof = prove(problem, limits=Limits(seconds=limits.seconds))
        except LimitError as error:
            progress.limit = error.limit
            return
        if proof is None:
            raise InputError("there is no answer to explain", hint="`diagnose` says why")
        for one in _bottom_up(proof):
            clause = (Clause(one.where, one.text),) if one.reason != "query" else ()
            yield ProofStep(Proved(one.goal), (*clause, *(Proved(part.goal) for part in one.parts)), "rules")
        progress.complete = True

    return Stream(steps, limits, on_progress)


def _bottom_up(proof: Proof) -> Iterator[Proof]:
    """The goals of a proof that clauses prove, each once, after those that it needs."""
    found: dict[str, Proof] = {}
    waiting = [(proof, False)]
    while waiting:
        one, done = waiting.pop()
        if done:
            found.setdefault(one.goal, one)
        else:
            waiting += [(one, True), *((part, False) for part in reversed(one.parts))]
    return iter(found.values())


@dataclass(frozen=True, slots=True, repr=False)
class GoalReasons(Reasons):
    """Why an answer to a goal holds: its proof."""

    @property
    def sentence(self) -> str:
        return f"{self.question}: {'proved' if self.proof is not None else 'no answer; `diagnose` says why'}"

    def __str__(self) -> str:
        return "the goal has no answer: `lpbridge diagnose` says why" if self.proof is None else str(self.proof)

    _json = (*Reasons._json, "goal=question proof")


def why(problem: PrologProblem, atom: str | None, *, limits: Limits, on_progress: Callable[[Reasons], object] | None,
        holds: bool, rather_than: str | None, given: tuple[str, ...], cost: bool, answer: int) -> GoalReasons:
    if atom is not None or rather_than is not None or given or cost or not holds:
        raise InputError("of a goal it is asked why an answer holds", hint="why(problem), or answer=2 for the second")
    proof = prove(problem, number=answer, limits=limits)
    found = GoalReasons(problem, problem.query, "no" if proof is None else "some", proof=proof)
    if on_progress is not None:
        on_progress(found)
    return found


@contextmanager
def questions(problem: PrologProblem, deadline: Deadline) -> Iterator[tuple[FragmentOracle, list[GoalPremise]]]:
    """What answers whether the program fails with some of its goals alone, and all of them."""
    with problem.oracle("fails", deadline=deadline) as oracle:
        yield oracle, list(oracle.premises)
