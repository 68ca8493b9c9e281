"""The answers to questions about clingo programs; see `bridge.analysis.ask`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from bridge.analysis.ask import Which
from bridge.analysis.costs import least_only
from bridge.analysis.program_diagnosis import ProgramDiagnosis, ProgramResidual
from bridge.analysis.programs import ProgramWork
from bridge.analysis.work import Options
from bridge.asp.model import Model
from bridge.errors import InputError, LimitError
from bridge.limits import Deadline, Limits
from bridge.outcome import Count, OnProgress, Progress, Stream
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import ProgramOracle, StatementPremise
from bridge.problem.residual import Residual
from bridge.problem.scope import Scope

if TYPE_CHECKING:
    from bridge.analysis.explain import Step
    from bridge.analysis.why import Reasons

def check(problem: AspProblem, *, limits: Limits, on_progress: Callable[[ProgramDiagnosis], object] | None,
          residual: Which) -> ProgramDiagnosis:
    wanted: Any = "verdict" if residual in ("none", "propagated") else "residual"
    return ProgramWork(problem, Options(), limits, on_progress, wanted).done()


def residual(problem: AspProblem, *, limits: Limits) -> Residual:
    deadline = Deadline(limits.seconds)
    try:
        with problem.backend.opened(), closing(_of_least_cost(problem, deadline).backend.plain(deadline)) as oracle:
            possible = oracle.candidates()
    except LimitError:
        possible = None
    if possible is None:
        return ProgramResidual("exact", "asp", {}, complete=False, limit="seconds")
    return ProgramResidual("exact", "asp", possible)


def count(problem: AspProblem, *, limits: Limits, on_progress: OnProgress | None) -> Count:
    counted = least_only(problem, Limits(seconds=limits.seconds))
    with counted.program(limits=Limits(seconds=limits.seconds)) as program:
        return program.count(project="show", limits=problem.backend.limited(limits))


def _of_least_cost(problem: AspProblem, deadline: Deadline) -> AspProblem:
    """The program as it ends; with `optimal`, of its answer sets those of least cost."""
    return least_only(problem.backend.ended(deadline), deadline.within(Limits()))


def solutions(problem: AspProblem, *, limits: Limits, on_progress: OnProgress | None) -> Stream[Model]:

    def found(progress: Progress) -> Iterator[Model]:
        deadline = Deadline(limits.seconds)
        try:
            with _of_least_cost(problem, deadline).program(limits=deadline.within(Limits())) as program:
                models = program.models(project="show", limits=problem.backend.limited(deadline.within(Limits())))
                with progress.following(models):
                    yield from models
        except LimitError as error:
            progress.limit = error.limit

    return Stream(found, limits, on_progress)


def explain(problem: AspProblem, *, limits: Limits, on_progress: OnProgress | None) -> Stream[Step]:
    from bridge.analysis.explain import ProgramExplainer  # here, as below: a diagnosis needs none of it

    def steps(progress: Progress) -> Iterator[Step]:
        try:
            deadline = Deadline(limits.seconds)
            asked = _of_least_cost(problem, deadline) if problem.optimal else problem
            yield from ProgramExplainer(asked, deadline, progress).steps()
            progress.complete = True
        except LimitError as error:
            progress.limit = error.limit

    return Stream(steps, limits, on_progress)


def diagnose(problem: AspProblem, *, limits: Limits, on_progress: Callable[[ProgramDiagnosis], object] | None,
             **options: Any) -> ProgramDiagnosis:
    return ProgramWork(problem, Options(**options), limits, on_progress).done()


def why(problem: AspProblem, atom: str | None, *, cost: bool, answer: int, **options: Any) -> Reasons:
    from bridge.analysis.why import reasons

    if (atom is None) != cost:
        raise InputError("an atom or the cost is what is asked about", hint='why(problem, "at(math,1)") or cost=True')
    return reasons(problem, atom, **options)


@contextmanager
def questions(problem: AspProblem, deadline: Deadline) -> Iterator[tuple[ProgramOracle, list[StatementPremise]]]:
    """What answers whether rules and facts can hold together, and all of them."""
    with problem.backend.opened():
        ended = problem.backend.ended(deadline)
        rules = ended.backend.oracle(deadline)
        with closing(rules), closing(Scope(ended).joint(rules.premises, deadline)) as oracle:
            yield oracle, list(oracle.premises)
