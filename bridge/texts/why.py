"""The text of reasons: the result of `why`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bridge.problem.asp import AspProblem
from bridge.texts.parts import warning_lines
from bridge.texts.program_diagnosis import clash_lines
from bridge.texts.words import LIMITS

if TYPE_CHECKING:
    from bridge.analysis.why import Reasons
    from bridge.asp.outline import Why
    from bridge.errors import Place

#: Steps of a derivation that are shown; the JSON has all.
STEPS = 60


def reasons_text(found: Reasons) -> str:
    """Reasons as people read them."""
    return "\n".join(_lines(found))


def _lines(found: Reasons) -> Iterator[str]:
    yield from warning_lines(found)
    yield found.sentence
    assert isinstance(found.problem, AspProblem)
    if found.trace is not None and found.trace.steps and found.rather_than is None:
        yield "derived in an answer set:" if found.status == "some" else "derived:"
        yield from _tree(found.trace.steps, found.problem.where)
    if found.clash is not None and found.clash.premises:
        yield f"{found.heading}:"
        yield from clash_lines(found.clash, found.given)
    if found.trace is not None and found.trace.model is not None and not found.trace.steps:
        yield from _missing(found)
    if found.limit is not None:
        yield f"stopped by {LIMITS[found.limit]}: this is what was known by then"
    yield from (f"note: {note}" for note in found.notes)


def _missing(found: Reasons) -> Iterator[str]:
    trace = found.trace
    assert trace is not None
    assert isinstance(found.problem, AspProblem)
    atom = found.question.removeprefix("not ")
    if not trace.missing:
        yield f"no rule has {atom} in its head"
        return
    forbidden = found.clash is not None and bool(found.clash.premises)
    lines = [one for one in trace.missing if one.lacking or not forbidden]
    if lines:
        where = ", in an answer set without it" if found.status != "no" else ""
        yield f"the rules for it{', in an answer set with what is given' if found.given and not where else where}:"
    for one in lines:
        values = ", ".join(f"{name} = {value}" for name, value in one.bindings)
        head = f"  {found.problem.where(one.place)}{f' with {values}' if values else ''}"
        if one.lacking:
            yield f"{head}: {one.lacking} does not hold"
        elif one.kind in ("choice", "disjunction"):
            yield f"{head}: the {one.kind} is free to make it true"
        else:
            yield f"{head}: its body can hold as far as gringo sees"


def _tree(steps: tuple[Why, ...], where: Callable[[Place], str]) -> Iterator[str]:
    """A derivation as a tree, the atom in question first; an atom that was shown before is not shown again."""
    by_atom = {one.atom: one for one in steps}
    told: set[str] = set()
    waiting = [(steps[-1].atom, 0)]
    lines = 0
    while waiting:
        atom, depth = waiting.pop()
        one = by_atom.get(atom)
        lines += 1
        if lines > STEPS:
            yield f"  ... {len(steps) - len(told)} more; --json has all"
            return
        if one is None or atom in told:
            more = "  (see above)" if one and one.positive else "  (theory atom)" if "&" in atom else ""
            yield f"  {'  ' * depth}{atom}{more}"
            continue
        told.add(atom)
        missing = f", not {', not '.join(one.negative)}" if one.negative else ""
        how = {"fact": "fact", "choice": "chosen", "disjunction": "chosen"}.get(one.kind, "by")
        values = ", ".join(f"{name} = {value}" for name, value in one.bindings)
        by = f"{how} {where(one.place)}{f' with {values}' if values else ''}"
        yield f"  {'  ' * depth}{atom}  ({by}{missing})"
        waiting += [(other, depth + 1) for other in reversed((*one.positive, *one.inside, *one.theory))]
