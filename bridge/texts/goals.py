"""What a diagnosis of a Prolog goal says: lines for people, and records with a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import TYPE_CHECKING, cast

from bridge.common.english import plural
from bridge.errors import Place
from bridge.outcome import Verdict

if TYPE_CHECKING:
    from bridge.analysis.diagnosis import Slice
    from bridge.analysis.goals import GoalDiagnosis, GoalResidual

#: Answers, and values of a variable, that are listed.
SHOWN = 12


def goal_text(found: GoalDiagnosis) -> str:
    """A diagnosis as people read it."""
    return "\n".join(_lines(found))


def records(found: GoalDiagnosis) -> list[tuple[Place, str]]:
    """What editors and CI show: a message for each place that has a part in the result."""
    result: list[tuple[Place, str]] = []
    if found.clashes:
        for one in found.clashes:
            for instance in one.premises:
                bound = ", ".join(f"{name} = {value}" for name, value in instance.bindings)
                named = "given" if instance.is_fact else "cannot hold with the other constraints named"
                result.append((instance.place, f"{named}: {instance.text}" + (f" ({bound})" if bound else "")))
    if found.failure is not None:
        result += [(place, f"no clause matches {call}") for place, call in found.failure.unmatched]
        result += [
            (premise.place, f"part of the reason why the goal fails: {premise.label}")
            for premise in (found.general or found.failure).premises
            if premise.kind != "argument"
        ]
    if found.loop is not None:
        limit = f"{found.inferences:,} inferences"
        result += [(place, f"does not end within {limit}: {line}") for place, line in found.loop.lines]
    return result


def _lines(found: GoalDiagnosis) -> Iterator[str]:
    yield _verdict(found)
    for answer in found.solutions[:SHOWN]:
        yield indent(str(answer), "  ")
    if len(found.solutions) > SHOWN:
        yield f"  and {len(found.solutions) - SHOWN} more"
    if found.clashes:
        for one in found.clashes:
            yield ""
            yield f"These {plural(len(one.premises), 'constraint')} cannot hold together{_proved(one.minimal)}:"
            yield from _table((str(instance.place), instance.text) for instance in one.premises)
        if found.propagation is False:
            yield "  Propagation alone does not fail, labelling does."
    if found.failure is not None:
        if found.failure.unmatched:
            yield ""
        for place, call in found.failure.unmatched:
            yield f"No clause matches {call}, which is called at {place}."
        yield ""
        yield f"The program still fails with these goals alone{_proved(found.failure.minimal)}:"
        yield from _fragment(found.general or found.failure)
    if found.removals is not None and found.removals.sets:
        # Without the whole query there is always an answer.
        sets = [away for away in found.removals.sets if [one.text for one in away] != [found.goal]]
        more = "" if found.removals.complete else ", among others"
        if sets:
            yield ""
            yield f"There is an answer without any one of these{more}:"
        for away in sets:
            yield "  " + "; ".join(f"{premise.label}  {premise.place}" for premise in away)
    if found.loop is not None:
        yield ""
        yield f"This fragment already does not end within {found.inferences:,} inferences{_proved(found.loop.minimal)}:"
        yield from _fragment(found.loop)
    if found.residual is not None and found.residual.possible:
        yield ""
        yield from _values(cast("GoalResidual", found.residual))
    if found.impure:
        yield ""
        yield "Not pure, and left as they are or tried as they stand:"
        yield from _table((str(place), line) for place, line in found.impure)
    for note in found.notes:
        yield f"Note: {note}."
    if found.limit == "halt":
        yield "The program ended its process with halt/0."
    elif found.limit == "interrupt":
        yield "Interrupted: this is what was found by then."
    elif found.limit is not None:
        yield f"The limit on {found.limit} came before the end."


def _verdict(found: GoalDiagnosis) -> str:
    if found.verdict is Verdict.UNKNOWN and found.ends is False:
        return f"{found.goal}: does not end within {found.inferences:,} inferences"
    words = {
        Verdict.UNIQUE: "one answer",
        Verdict.AMBIGUOUS: "several answers, among them these",
        Verdict.IMPOSSIBLE: "no answer",
        Verdict.UNKNOWN: "not known whether it has one answer",
    }
    return f"{found.goal}: {words[found.verdict]}"


def _proved(minimal: bool) -> str:
    return "" if minimal else " (not proved minimal)"


def residual_text(found: GoalResidual) -> str:
    """What the answers leave open."""
    if found.contradiction:
        return "no answer"
    return "\n".join([*_values(found), *(f"  {goal}" for goal in found.constraints)])


def _values(found: GoalResidual) -> Iterator[str]:
    yield "Values in all answers:" if found.complete else "Values in the answers found:"
    for name, values in found.possible.items():
        listed = ", ".join(values[:SHOWN]) + (f", ... ({len(values)})" if len(values) > SHOWN else "")
        domain = found.domains.get(name)
        yield f"  {name}: {listed}" + (f"  (before labelling {domain})" if domain else "")


def _fragment(one: Slice) -> Iterator[str]:
    return _table((str(place), line) for place, line in one.lines)


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    rows = list(rows)
    width = max((len(place) for place, _ in rows), default=0)
    for place, line in rows:
        yield f"  {place:{width}}  {line}"
