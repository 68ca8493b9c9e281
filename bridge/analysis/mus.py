"""Minimal unsatisfiable sets and correction sets of any problem: `mus`, `smallest_mus`, `muses`, `mcs`.

- A **MUS** (minimal unsatisfiable subset) is a set of rules and facts that cannot hold together, and from which nothing
  can be left out.
- A **MCS** (minimal correction set) is a set without which the others can hold together, and no part of which is one.

    >>> import bridge
    >>> problem = bridge.AspProblem("{ a; b }. :- a. :- not a. :- b, a. :- not b.")
    >>> [[one.text for one in clash.rules] for clash in muses(problem)]
    [[':- a.', ':- not a.'], [':- not a.', ':- b, a.', ':- not b.']]

`muses` goes through all of them, the smallest first, by duality with correction sets: a smallest set that hits all
known correction sets is a MUS as soon as it cannot hold together (A. Ignatiev, A. Previti, M. Liffiton,
J. Marques-Silva, *Smallest MUS extraction with minimal hitting set dualization*, 2015; the enumeration has the purpose
of MARCO: M. Liffiton et al., *Fast, flexible MUS enumeration*, 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bridge.analysis.ask import LIMITS, answering
from bridge.analysis.cores import Clash, answered, correction, proposal, shrink
from bridge.analysis.repairs import Repairs, removals
from bridge.asp.hitting import HittingSets
from bridge.common.english import how_ended
from bridge.errors import LimitError
from bridge.limits import Deadline, Limits, takes_limits
from bridge.outcome import OnProgress, Progress, Stream
from bridge.problem.problem import Problem
from bridge.problem.questions import P, Questions
from bridge.public import public


@public("bridge")
@takes_limits("seconds")
def mus(problem: Problem[Any], *, engine: str = "asp", limits: Limits = LIMITS, on_progress: OnProgress | None = None,
        spare: Sequence[str] = ()) -> Clash[Any] | None:
    """A MUS of a problem, by deletion; None when all can hold together.

    Parameters
    ----------
    problem
        A program, a Prolog program and a goal, or another problem.
    spare
        Rules and facts, by their names, that are to be blamed last: they are left out first where others do as well.

    Raises
    ------
    LimitError
        When the limit comes before one is known. Where it comes before it is proved to be minimal, `minimal` is False.
    """
    with _asking(problem, engine, limits) as (oracle, premises):
        return one_mus(oracle, premises, lambda premise: str(premise) in spare)


@public("bridge")
@takes_limits("seconds")
def smallest_mus(problem: Problem[Any], *, engine: str = "asp", limits: Limits = LIMITS,
                 on_progress: OnProgress | None = None) -> Clash[Any] | None:
    """A MUS of the fewest rules and facts, with a proof; None when all can hold together.

    Raises
    ------
    LimitError
        When the limit comes first.
    """
    with muses(problem, engine=engine, limits=limits, on_progress=on_progress) as found:
        first = next(found, None)
    if first is None and not found.complete:
        raise LimitError(how_ended(found.limit, "before a smallest set was found"))
    return first


@public("bridge")
@takes_limits("seconds", "solutions")
def muses(problem: Problem[Any], *, engine: str = "asp", limits: Limits = LIMITS,
          on_progress: OnProgress | None = None) -> Stream[Clash[Any]]:
    """All MUSes of a problem, as they are found, the smallest first; none when all can hold together."""

    def found(progress: Progress) -> Iterator[Clash[Any]]:
        try:
            with _asking(problem, engine, limits) as (oracle, premises):
                for one in all_muses(oracle, premises):
                    yield one
                    progress.report()
            progress.complete = True
        except LimitError as error:
            progress.limit = error.limit

    return Stream(found, limits, on_progress)


@public("bridge")
@takes_limits("seconds", "solutions")
def mcs(problem: Problem[Any], *, engine: str = "asp", limits: Limits = LIMITS,
        on_progress: OnProgress | None = None) -> Repairs[Any]:
    """The smallest MCSes of a problem: the fewest rules and facts to take away, up to the limit on solutions.

    The only one is empty when all can hold together.
    """
    with _asking(problem, engine, limits) as (oracle, premises):
        return removals(oracle, premises, [], limits.solutions or 100)


def _asking(problem: Problem[Any], engine: str, limits: Limits) -> Any:
    """What answers whether premises can hold together, and all of them, while the context is open."""
    return answering(problem, "questions")(problem, Deadline(limits.seconds), engine=engine)


def one_mus(oracle: Questions[P], premises: Sequence[P], spared: Callable[[P], bool]) -> Clash[P] | None:
    """A MUS of some premises, by deletion, those that are spared first.

    Raises LimitError when a limit comes before it is known whether they can hold together.
    """
    if answered(oracle, premises).satisfiable:
        return None
    together = list(premises)
    for premise in filter(spared, premises):  # not in the order that `shrink` finds fast
        rest = [one for one in together if one != premise]
        reply = oracle.ask(rest)
        if reply.satisfiable is None:
            return Clash(oracle.ordered(together), False)
        if not reply.satisfiable:
            together = rest
    left, minimal = shrink(oracle, together)
    return Clash(oracle.ordered(left), minimal)


def all_muses(oracle: Questions[P], premises: Sequence[P]) -> Iterator[Clash[P]]:
    """All MUSes of some premises, the smallest first; LimitError when a limit comes first."""
    sets: HittingSets[P] = HittingSets(premises)
    first = True
    while (candidate := proposal(oracle, sets, len(premises))) is not None:
        missed = correction(oracle, candidate, premises)
        if missed is None:
            yield Clash(oracle.ordered(candidate), True, first)
            first = False
            sets.forbid(candidate)
        elif not missed:
            return  # all of them can hold together
        else:
            sets.require(missed)
