"""A clash as a chain that people read from top to bottom: facts, what follows from them, and what forbids that.

A clash without choices has one answer set without its constraint, and in that the constraint is broken: the steps by
which the broken instance is derived are the chain.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge.analysis.cores import Clash
from bridge.asp.outline import Statement
from bridge.asp.trace import Why
from bridge.asp.trees import definitions_of
from bridge.common.english import bound, listed
from bridge.errors import BridgeError
from bridge.limits import Limits
from bridge.problem.asp import AspProblem
from bridge.problem.asp_oracle import StatementPremise

#: Steps that are shown.
STEPS = 4

_BROKEN = "lpbridge_broken"


def chain(problem: AspProblem, clash: Clash[StatementPremise], limits: Limits) -> tuple[str, ...]:
    """The chain in lines; none of a clash with choices, several constraints, or what is not only rules."""
    rules = [one for premise in clash.rules for one in premise.statements]
    constraints = [one for one in rules if one.kind == "constraint"]
    if len(constraints) != 1 or any(one.kind not in ("definition", "constraint", "fact") for one in rules):
        return ()
    if not all(isinstance(one, StatementPremise) for one in clash.facts) or problem.steps or problem.outline.scripts:
        return ()
    (broken,) = constraints
    derived = [one for one in rules if one is not broken]
    if not derived:
        return ()
    lines = [f"{_BROKEN} :- {_line(broken).partition(':-')[2].strip()}", *map(_line, derived)]
    lines += [f"{str(one).removesuffix('.')}." for one in clash.facts]
    lines += (text for one in problem.parsed() for text in definitions_of(one.nodes))
    given = {"options": problem.options, **problem.constants, **problem.confinement}
    try:
        whole = AspProblem("\n".join(lines), **given)
        with whole.program(limits=limits) as program:
            steps = program.trace(_BROKEN, limits=limits).steps
    except BridgeError:  # it reads what is not in the clash, such as a constant
        return ()
    places = {number: problem.where(one.place) for number, one in enumerate([broken, *derived], 1)}
    return tuple(_lines([one for one in steps if one.kind != "fact"], places)) if len(steps) > 1 else ()


def _line(statement: Statement) -> str:
    """A statement in one line, without comments."""
    return " ".join(line.partition("%")[0].strip() for line in statement.text.split("\n"))


def _lines(steps: list[Why], places: dict[int, str]) -> Iterator[str]:
    *before, last = steps
    if len(before) > STEPS:
        yield f"  ... {len(before) - STEPS} steps before"
    for one in before[-STEPS:]:
        yield f"  {_needs(one)}: so {one.atom} ({places.get(one.place.line or 0, '')})"
    yield f"  but {places[1]} forbids {_needs(last)}{bound(last.bindings, ', with ')}"


def _needs(one: Why) -> str:
    """The atoms of an instance of a rule."""
    return listed([*dict.fromkeys([*one.positive, *one.inside, *(f"not {atom}" for atom in one.negative)])]) or "this"
