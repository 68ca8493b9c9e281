"""The questions that are put to any problem: each is answered by the module that the problem names.

A problem is a clingo program, a Prolog program with a goal, or what a part adds. `Problem.answers` names a module with
a function for each question, imported when the first one is asked: `bridge.analysis.of_programs`, for example.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, get_args, overload

from bridge.errors import InputError, UnsupportedError, brief
from bridge.limits import UNLIMITED, Limits, takes_limits
from bridge.problem.problem import Problem, S
from bridge.public import public

if TYPE_CHECKING:
    from bridge.analysis.diagnosis import Diagnosis, RuleDiagnosis
    from bridge.analysis.explain import Step
    from bridge.analysis.goal_diagnosis import GoalDiagnosis
    from bridge.analysis.program_diagnosis import ProgramDiagnosis
    from bridge.analysis.why import Reasons
    from bridge.outcome import Count, OnProgress, Stream
    from bridge.problem.asp import AspProblem
    from bridge.problem.prolog import PrologProblem
    from bridge.problem.residual import Residual

#: The default limit of a diagnosis, and of reasons.
LIMITS = Limits(seconds=10)

#: Questions for making a clash smaller, by default.
EFFORT = 500

#: Which residuals `check` computes.
Which = Literal["both", "exact", "propagated", "none"]


def answering(problem: object, question: str) -> Callable[..., Any]:
    """The function that answers a question about a problem; InputError for what is not a problem, UnsupportedError when
    nothing answers this question about it.

    A module that `HAS_ENGINES` is told which; of others the default one stands for the problem's own solver.
    """
    if not isinstance(problem, Problem):
        hint = 'bridge.program("rules.lp"), or bridge.goal("rooms.pl", "rooms(X)")'
        raise InputError(f"{brief(problem)} is not a problem", hint=hint)
    module = import_module(problem.answers)
    found: Callable[..., Any] | None = getattr(module, question, None)
    if found is None:
        raise UnsupportedError(f"{question} is not available for {problem.noun}")
    return found if hasattr(module, "HAS_ENGINES") else partial(_of_one_solver, found)


def _answer(question: str, problem: object, **given: Any) -> Any:
    return answering(problem, question)(problem, **given)


def _of_one_solver(answer: Callable[..., Any], /, *given: Any, engine: str = "asp", propagation: str | None = None,
                   **options: Any) -> Any:
    if engine not in ("asp", "clingo"):
        raise UnsupportedError(f"engine {engine} does not answer questions about programs", hint="asp does")
    if propagation is not None or options.get("residual") == "propagated":
        raise UnsupportedError("this problem has no residual of propagation without search", hint="leave it out")
    return answer(*given, **options)


def refuse_of_programs(*given: object) -> None:
    """Refuse what only clingo programs have, where it is asked for."""
    if any(given):
        raise UnsupportedError("only clingo programs have instances of rules, and variants", hint="leave them out")


def check_which(residual: str) -> None:
    """Refuse what does not say which residuals are to be computed."""
    if residual not in (known := get_args(Which)):
        raise InputError(f"{brief(residual)} is not a residual", hint=f"it is one of {', '.join(known)}")


class OfCheck(TypedDict, total=False):
    """What `check` takes beside a program or goal: by its overloads type checkers know the class of the result."""

    limits: Limits
    on_progress: Callable[[Any], object] | None
    residual: Literal["both", "exact", "none"]


class OfDiagnose(TypedDict, total=False):
    """What `diagnose` takes beside a goal."""

    limits: Limits
    on_progress: Callable[[Any], object] | None
    clashes: int
    effort: int | None
    repairs: int


class OfProgram(OfDiagnose, total=False):
    """What `diagnose` takes beside a program."""

    most_clues: int
    instances: bool
    variants: Sequence[str]


class OfEngines(OfDiagnose, total=False):
    """What `diagnose` takes beside another problem."""

    engine: str
    most_clues: int


@overload
def check(problem: AspProblem, **options: Unpack[OfCheck]) -> ProgramDiagnosis: ...
@overload
def check(problem: PrologProblem, **options: Unpack[OfCheck]) -> GoalDiagnosis: ...
@overload
def check(problem: Problem[S], *, engine: str = "asp", limits: Limits = UNLIMITED,
          on_progress: Callable[[Any], object] | None = None, residual: Which = "both",
          propagation: str | None = None) -> Diagnosis[S]: ...
@public("bridge")
@takes_limits("seconds", "nodes")
def check(problem: Problem[Any], *, engine: str = "asp", limits: Limits = UNLIMITED,
          on_progress: Callable[[Any], object] | None = None, residual: Which = "both",
          propagation: str | None = None) -> Diagnosis[Any]:
    """The verdict on a problem, with its solutions and, if it is ambiguous, what is open.

    Parameters
    ----------
    problem
        A program, a goal, or another problem.
    engine
        The engine that searches, where the problem has several. It also computes the residuals it can.
    limits
        The limits of each of the (up to three) questions put to an engine.
    on_progress
        Called with the result so far: when the verdict is known, and after each residual.
    residual
        Which residuals of an ambiguous problem are computed: they cost many times what the verdict does, the exact one
        and that of clpfd most of it (see docs/scaling.md). Programs and goals have no propagated one.
    propagation
        The engine of the propagated residual, where the problem has one.

    Raises
    ------
    Interrupted
        On Ctrl-C, with the result so far in `partial`.
    InputError
        For another word as `residual`.
    UnsupportedError
        When nothing propagates without search, where that is asked for.
    """
    check_which(residual)
    found: Diagnosis[Any] = _answer("check", **locals())
    return found


@public("bridge")
@takes_limits("seconds", "nodes")
def residual(problem: Problem[Any], *, engine: str = "asp", limits: Limits = UNLIMITED,
             on_progress: Callable[[Residual], object] | None = None) -> Residual:
    """The possible values of each variable: exact where the engine can (`asp`), propagated otherwise (`clpfd`, `mac`).

    Parameters
    ----------
    problem
        A program, whose shown atoms are the variables; a goal; or another problem.
    engine
        The engine that computes it.
    limits
        When to stop. An exact residual that a limit cuts short has values missing; its `complete` is then False.
    on_progress
        Called with the residual as soon as it is known: it is the answer to a single question.

    Raises
    ------
    UnsupportedError
        When the engine can compute neither.
    """
    found: Residual = _answer("residual", problem=problem, engine=engine, limits=limits)
    if on_progress is not None:
        on_progress(found)
    return found


@public("bridge")
@takes_limits("seconds", "solutions", "nodes")
def count(problem: Problem[Any], *, engine: str = "asp", limits: Limits = UNLIMITED,
          on_progress: OnProgress | None = None) -> Count:
    """The number of solutions, without enumerating all of them where there is another way.

    Parameters
    ----------
    problem
        A program, whose answer sets that show the same atoms count once; a goal, whose answers that are equal count
        once; or another problem.
    engine
        The engine that counts: `asp` without building the solutions, and by independent parts; the others by
        enumeration.
    limits
        When to stop. A limit on solutions ends the count when there are at least so many.
    on_progress
        Called about once a second with a lower bound of the number and the seconds so far.

    Raises
    ------
    Interrupted
        On Ctrl-C, with what was counted so far in `partial`.
    """
    found: Count = _answer("count", **locals())
    return found


@public("bridge")
@takes_limits("seconds", "solutions", "nodes")
def solutions(problem: Problem[S], *, engine: str = "asp", limits: Limits = UNLIMITED,
              on_progress: OnProgress | None = None) -> Stream[S]:
    """The solutions of a problem as they are found.

    Parameters
    ----------
    problem
        A program: `asp.Model`s, those that show the same atoms once. A goal: its answers. Or another problem.
    engine
        The engine that searches, where the problem has several.
    limits
        When to stop. `complete` and `limit` of the stream say how it ended. Nodes are those of imperative engines.
    on_progress
        Called about once a second, while the stream is read, with the number of solutions and the seconds so far.
    """
    found: Stream[S] = _answer("solutions", **locals())
    return found


@public("bridge")
@takes_limits("seconds", "solutions")
def explain(problem: Problem[Any], *, engine: str = "asp", limits: Limits = UNLIMITED,
            on_progress: OnProgress | None = None) -> Stream[Step]:
    """The steps that lead from the clues to the solution, in order.

    Of an ambiguous instance, the steps to the cells that have the same value in all solutions. The stream is `complete`
    when nothing is left to explain.

    Parameters
    ----------
    problem
        A program, a goal, or another problem. Of a program, the steps are shown atoms, and the rules are its
        constraints and the bounds of its choices. Of a goal, they are the goals of the proof of its first answer, each
        after those that its clause needs.
    engine
        `asp`: a step is a core of rules and facts, which no other engine has.
    limits
        When to stop. A limit on solutions is one on steps.
    on_progress
        Called about once a second, while the stream is read, with the number of steps and the seconds so far.

    Raises
    ------
    InputError
        In the iteration, when there is no solution: `diagnose` says why.
    UnsupportedError
        For another engine; when the encoding does not name its rules, or the instance is too large for clingo.
    """
    found: Stream[Step] = _answer("explain", **locals())
    return found


@overload
def diagnose(problem: AspProblem, **options: Unpack[OfProgram]) -> ProgramDiagnosis: ...
@overload
def diagnose(  # type: ignore[overload-overlap]
    problem: PrologProblem, **options: Unpack[OfDiagnose]
) -> GoalDiagnosis: ...
@overload
def diagnose(problem: Problem[S], **options: Unpack[OfEngines]) -> RuleDiagnosis[S]: ...
@public("bridge")
@takes_limits("seconds")
def diagnose(problem: Problem[Any], *, engine: str = "asp", limits: Limits = LIMITS,
             on_progress: Callable[[Any], object] | None = None, clashes: int = 1, effort: int | None = EFFORT,
             repairs: int = 100, most_clues: int = 4, instances: bool = False,
             variants: Sequence[str] = ()) -> Diagnosis[Any]:
    """The verdict on a problem, the reasons for it, and what to change.

    Parameters
    ----------
    problem
        A program, a goal, or another problem.
    engine
        The engine that finds the verdict and the solutions, where the problem has several. Clashes, repairs and exact
        residuals come from `asp`.
    limits
        The limit on the whole diagnosis.
    on_progress
        Called with the diagnosis so far whenever a part has been added.
    clashes
        How many disjoint clashes to look for when there is no solution.
    effort
        Questions to spend on making the first clash one of the fewest rules and facts, and for no longer than about a
        second; None for as long as it takes.
    repairs
        How many repairs of the smallest size to look for.
    most_clues
        The largest number of clues, or facts, to add that is tried.
    instances
        Of a program: whether to say which instances of the rules clash.
    variants
        Of a program without answer set: changes to try, the fewest first. `slots=3` is another value of a constant; the
        name or place of a rule leaves it out.

    Raises
    ------
    UnsupportedError
        When the problem's encoding does not name its rules, or the instance is too large for clingo; for `instances`
        and `variants` of what is not a program.
    Interrupted
        On Ctrl-C, with the diagnosis so far in `partial`.
    """
    found: Diagnosis[Any] = _answer("diagnose", **locals())
    return found


@public("bridge")
@takes_limits("seconds")
def why(problem: Problem[Any], atom: str | None = None, *, limits: Limits = LIMITS,
        on_progress: Callable[[Reasons], object] | None = None, holds: bool = True, rather_than: str | None = None,
        given: Sequence[str] = (), cost: bool = False, answer: int = 1) -> Reasons:
    """Why an atom holds, or does not; why the lowest cost is not lower; why an answer to a goal holds.

    Parameters
    ----------
    problem
        A program, a goal, or another problem, of which the clingo program that it is is asked.
    atom
        As clingo writes it: `"at(math,1)"`. Of a goal, the answer is what is asked about.
    limits
        The limit on the whole question.
    on_progress
        Called with the reasons so far, whenever there are more.
    holds
        Whether it is asked why the atom holds, or why it does not.
    rather_than
        Another atom: why this one and not that one, all other choices of an answer set staying as they are.
    given
        Literals that hold in the answer sets that are looked at: `"at(art,2)"`, `"not at(art,2)"`.
    cost
        In place of an atom: why the lowest cost of the program is not lower.
    answer
        Of a goal: the number of the answer.

    Raises
    ------
    InputError
        When the program has no answer set, and rules could give the atom: `diagnose` says why. When no atom is named.
    LimitError
        When the lowest cost is not proved, or the answer not found, within the limits.
    UnsupportedError
        For an untrusted Prolog program.
    Interrupted
        On Ctrl-C, with the reasons so far in `partial`.
    """
    found: Reasons = _answer("why", **locals())
    return found
