"""Why an answer to a Prolog goal comes twice: where the proofs of two equal answers part.

    >>> problem = PrologProblem(["son(a, c). son(a, d).\\nhas_parent(X) :- son(X, _P).\\n"], "has_parent(a)")
    >>> print(*two_ways(problem, (1, 2), Limits(seconds=5)), sep="; ")
    _P = c; _P = d
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge.analysis.goal_diagnosis import Way
from bridge.analysis.proofs import Proof, prove
from bridge.errors import Place
from bridge.limits import Limits
from bridge.problem.fragments import line_of
from bridge.problem.prolog import PrologProblem, SourcesOfGoal

#: The variables of a goal as it is written, with the values that they have in the goal as it was proved.
_VALUES = (
    "term_string(Written, Source, [variable_names(_Names)]), term_string(_Proved, Goal), Written = _Proved, "
    "findall([Name, Text], ( member(Name=_Value, _Names), term_string(_Value, Text) ), Pairs)"
)


def two_ways(problem: PrologProblem, numbers: tuple[int, int], limits: Limits) -> tuple[Way, Way] | None:
    """By what the proofs of the answers with these numbers differ first, from the query down.

    None where they are the same as far as proofs show: what is built in, or a library's, gives both.
    """
    proofs = [prove(problem, number=number, limits=limits) for number in numbers]
    if proofs[0] is None or proofs[1] is None:
        return None
    program = problem.read(limits)
    for one, other in _parting(proofs[0], proofs[1]):
        if (one.clause, one.text) != (other.clause, other.text):
            goal = one.goal
            if "_" in goal and one.place is not None:  # a variable that stays open has a name of its own in a proof
                goal = _source(program, one.place) or goal
            return Way(goal, one.clause, one.text), Way(goal, other.clause, other.text)
        for part, another in zip(one.parts, other.parts, strict=False):
            if part.place is None or part.place != another.place or part.goal == another.goal:
                continue
            values = [_values(problem, program, part.place, each.goal, limits) for each in (part, another)]
            names = [name for name in values[0] if values[0][name] != values[1].get(name)]
            if names:
                first, second = (", ".join(f"{name} = {each[name]}" for name in names) for each in values)
                return Way(first, part.place, _source(program, part.place)), Way(second, part.place, "")
    return None


def _parting(one: Proof, other: Proof) -> Iterator[tuple[Proof, Proof]]:
    """The goals that both proofs have in the same places, with the same bindings, from the top."""
    waiting = [(one, other)]
    while waiting:
        pair = waiting.pop(0)
        yield pair
        waiting += [
            (part, another)
            for part, another in zip(pair[0].parts, pair[1].parts, strict=False)
            if part.place == another.place and part.goal == another.goal
        ]


def _source(program: SourcesOfGoal, place: Place) -> str:
    """The goal that stands at a place, as it is written."""
    for source in program.sources:
        for clause in source.clauses if source.name == place.file else ():
            for goal in clause.goals:
                if source.place(goal.start) == place:
                    return line_of(source.of(goal))
    return ""


def _values(problem: PrologProblem, program: SourcesOfGoal, place: Place, goal: str, limits: Limits) -> dict[str, str]:
    """The values of the variables of the goal at a place when it was proved as `goal`."""
    with problem.session(limits) as session:
        found = session.first(_VALUES, {"Source": _source(program, place), "Goal": goal}, limits=limits)
    return {} if found is None else {str(name): str(text) for name, text in found["Pairs"]}
