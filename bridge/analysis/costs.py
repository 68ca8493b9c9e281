"""The cost of answer sets as rules: by these a question is about a cost, as it is about atoms."""

from __future__ import annotations

from dataclasses import replace

from bridge.asp.model import Model
from bridge.common.english import listed
from bridge.errors import LimitError, UnsupportedError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import warnings_of
from bridge.problem.scope import Scope


def least(problem: AspProblem, limits: Limits) -> tuple[Model | None, tuple[str, ...]]:
    """An answer set of least cost, None when there is no answer set; and what clingo warns of.

    Raises LimitError when a limit comes before the proof.
    """
    with problem.program(limits=limits) as program:
        outcome = program.optimal(limits=replace(limits, solutions=1))
        warnings = warnings_of(program)
    best = outcome.solutions[-1] if outcome.solutions else None
    if best is None and outcome.complete:
        return None, warnings
    if best is None or not best.proved:
        raise LimitError("the limit on seconds came before the lowest cost was proved")
    return best, warnings


def least_only(problem: AspProblem, limits: Limits) -> AspProblem:
    """The problem itself; where only its answer sets of least cost count (`optimal`), with what forbids all others.

    Raises LimitError when a limit comes before the proof, UnsupportedError where the costs are not those of a program
    that is ground once.
    """
    if not problem.optimal:
        return problem
    refuse_costs(problem)
    best = least(problem, limits)[0] if problem.outline.costs else None
    return problem if best is None else no_better(problem, best)


def refuse_costs(problem: AspProblem) -> None:
    """Raise UnsupportedError for costs that rules cannot bound."""
    if problem.theory is not None:
        raise UnsupportedError("what a theory minimises is not diagnosed", hint="`run --optimal` is for it")
    if problem.steps is not None:
        raise UnsupportedError("the costs of an incremental program are not diagnosed", hint="leave --optimal out")


def order(problem: AspProblem) -> str | None:
    """Which costs count first, where they have several priorities that are numbers: the larger number counts first."""
    lines: dict[int, dict[str, None]] = {}
    for priority, place in (one for parsed in problem.backend.parsed() for one in parsed.priorities()):
        if not priority.lstrip("-").isdigit():
            return None
        lines.setdefault(int(priority), {})[problem.backend.where(place)] = None
    levels = [f"@{number} ({listed(list(lines[number]))})" for number in sorted(lines, reverse=True)]
    several = f"the larger priority counts first: {', then '.join(levels)}"
    return several if len(levels) > 1 else None


def no_better(problem: AspProblem, best: Model) -> AspProblem:
    """The problem with those of its answer sets only that cost no more than one of least cost."""
    lines = [*_tuples(problem), *Scope(problem).shown_lines]
    for number, value in zip(best.priorities, best.cost, strict=True):
        lines.append(f":- {_total(number)} > {value}.")
    return problem.with_query("\n".join([problem.query, *lines]))


def better(problem: AspProblem, best: Model) -> str:
    """Statements by which an answer set costs less than this one."""
    lines = [*_tuples(problem), ":- not __better."]
    equal = ""
    for number, value in zip(best.priorities, best.cost, strict=True):
        lines.append(f"__better :- {equal}{_total(number)} < {value}.")
        equal += f"{_total(number)} = {value}, "
    return "\n".join(lines)


def _tuples(problem: AspProblem) -> list[str]:
    """Rules whose atoms are the tuples that count."""
    costs = problem.outline.costs
    return [f"__cost({level}, {terms}){f' :- {body}' if body else ''}." for level, terms, body in costs]


def _total(level: int) -> str:
    return f"#sum {{ W, T : __cost({level}, W, T) }}"
