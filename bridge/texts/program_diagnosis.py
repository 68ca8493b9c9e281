"""The text of `check`, `residual` and `diagnose` of an answer set program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from bridge.common.english import plural
from bridge.outcome import Verdict
from bridge.texts.parts import (
    SHOWN,
    count_text,
    end_lines,
    not_computed,
    proof_lines,
    removal_lines,
    shown_lines,
    verdict_text,
    warning_lines,
)
from bridge.texts.words import LIMITS

if TYPE_CHECKING:
    from bridge.analysis.cores import Clash
    from bridge.analysis.program_diagnosis import ProgramDiagnosis
    from bridge.problem.asp_oracle import Premise
    from bridge.problem.residual import Residual


def program_text(found: ProgramDiagnosis) -> str:
    """What `check`, `diagnose` or `residual` found, in words, the most important first."""
    parts = _CHECK if found.asked == "check" else _DIAGNOSIS
    lines = (line for part in parts[found.verdict] for line in part(found))
    return "\n".join([*warning_lines(found), verdict_line(found), *lines, *end_lines(found)])


def open_text(found: ProgramDiagnosis) -> str:
    """What is open, and what is the same in all answer sets."""
    return "\n".join([*warning_lines(found), *_open(found)])


def residual_text(found: Residual) -> str:
    """What the answer sets leave open."""
    if not found.known:
        return f"what is open: not computed ({LIMITS[str(found.limit)]} came first)"
    if not found.open:
        return f"nothing is open: there is {'no' if found.contradiction else 'one'} answer set"
    lines = [f"  {name}: {', '.join(map(_term, values))}" for name, values in list(found.open.items())[: 4 * SHOWN]]
    return "\n".join(["open:", *lines, *_ends_of_open(found)])


def verdict_line(found: ProgramDiagnosis) -> str:
    """The verdict in a sentence."""
    cost = "" if found.cost is None else f" (cost {', '.join(map(str, found.cost))})"
    return f"{verdict_text(found, _noun(found))}{cost}"


def _noun(found: ProgramDiagnosis) -> str:
    return "answer set" if found.cost is None else "optimal answer set"


def _solutions(found: ProgramDiagnosis) -> Iterator[str]:
    for number, model in enumerate(found.solutions, 1):
        yield f"{_noun(found)} {number}" if len(found.solutions) > 1 else _noun(found)
        yield f"  {model}" if str(model) else "  (without an atom that is shown)"


def _clashes(found: ProgramDiagnosis) -> Iterator[str]:
    if found.clashes is None:
        yield from not_computed(found, "what clashes")
        return
    for number, clash in enumerate(found.clashes):
        yield "nor can these:" if number else "these cannot hold together:"
        yield from clash_lines(clash)


def clash_lines(clash: Clash[Premise], given: Sequence[str] = ()) -> Iterator[str]:
    """The rules and facts of a clash with their places, a line each; facts of one line together."""
    if not clash.premises:
        yield "  (what is never in question is a contradiction by itself: the statements marked `always`, or a query)"
    for rules in _by_statement(clash.rules):
        first = rules[0]
        for one in first.statements:
            yield f"  {one.place}: {one.text}"
        names = ", ".join(str(rule) for rule in rules if not _is_place(rule))
        bounds = "the bounds of this choice" if first.kind == "choice" else ""
        said = ": ".join(part for part in (names or bounds, first.sentence) if part)
        if said:
            yield f"      {said}"
    for facts in _by_line([fact for fact in clash.facts if hasattr(fact, "place")]):
        yield f"  {facts[0].where}: {' '.join(map(str, facts))}"
    atoms = [str(fact) for fact in clash.facts if not hasattr(fact, "place")]
    if needed := [atom for atom in atoms if atom in given]:
        yield f"  given: {', '.join(needed)}"
    if chosen := [atom for atom in atoms if atom not in given]:
        yield f"  the other choices: {', '.join(chosen)}"
    yield from proof_lines(clash)


def _by_statement(rules: Sequence[Premise]) -> list[list[Premise]]:
    """Instances of one rule together, if one sentence says them all."""
    found: dict[tuple[Any, ...], list[Premise]] = {}
    for rule in rules:
        found.setdefault((rule.statements, rule.sentence), []).append(rule)
    return list(found.values())


def _by_line(facts: Sequence[Premise]) -> list[list[Premise]]:
    found: dict[tuple[str | None, int | None], list[Premise]] = {}
    for fact in facts:
        found.setdefault((fact.place.file, fact.place.line), []).append(fact)
    return list(found.values())


def _is_place(rule: Premise) -> bool:
    return rule.name == rule.where


def _instances(found: ProgramDiagnosis) -> Iterator[str]:
    if found.instances is None:
        return
    yield "the instances that clash:"
    for rule in found.instances.rules:
        values = ", ".join(f"{name} = {value}" for name, value in rule.bindings)
        yield f"  {rule.where}{f': {values}' if values else ''}"


def _variants(found: ProgramDiagnosis) -> Iterator[str]:
    if found.variants is None:
        return
    if not found.variants:
        yield "none of the changes to try gives an answer set"
    for one in found.variants:
        how_many = "exactly one answer set" if one.verdict is Verdict.UNIQUE else "several answer sets"
        yield f"{_changed(one.changes)} there {'is' if one.verdict is Verdict.UNIQUE else 'are'} {how_many}"


def _changed(changes: Sequence[str]) -> str:
    text = " and ".join(changes)
    return text if text.startswith("without ") else f"with {text}"


def _removals(found: ProgramDiagnosis) -> Iterator[str]:
    repairs = found.removals
    if repairs is None:
        yield from not_computed(found, "what to take away")
        return
    if not repairs.sets and repairs.complete:
        yield "nothing in question can help"
        return

    def line(number: int, one: Sequence[Premise]) -> str:
        unique = found.after is not None and number < len(found.after) and found.after[number].unique
        return f"{', '.join(map(_told, one))}{'   then there is one answer set' if unique else ''}"

    yield from removal_lines(repairs, ("rule or fact", "rules or facts"), line)


def _told(premise: Premise) -> str:
    """A rule or fact in a line: its name, and where it stands."""
    if _is_place(premise):
        text = premise.text if len(premise.text) <= 60 else f"{premise.text[:57]}..."
        return f"{premise.where}: {text}"
    return f"{premise}  ({premise.where})"


def _fixed(found: ProgramDiagnosis) -> Iterator[str]:
    if found.fixed:
        lines = sorted({found.problem.where(one.place) for one in found.fixed})
        some = ", ".join(lines[:SHOWN]) + (f" and {len(lines) - SHOWN} more" if len(lines) > SHOWN else "")
        yield f"not put in question, since gringo needs them to ground the program: {some}"


def _open(found: ProgramDiagnosis) -> Iterator[str]:
    if found.verdict in (Verdict.UNIQUE, Verdict.IMPOSSIBLE):
        yield f"nothing is open: there is {'one' if found.solutions else 'no'} {_noun(found)}"
        return
    opened = found.open
    if opened is None:
        yield from not_computed(found, "what is open")
        return
    counts = found.ambiguity.counts if found.ambiguity else {}
    yield "open:"
    for name, values in list(opened.items())[: 4 * SHOWN]:
        yield f"  {name}: {', '.join(_value(found, value, counts.get(name, {})) for value in values)}"
    assert found.residual is not None
    yield from _ends_of_open(found.residual, _noun(found))


def _ends_of_open(found: Residual, noun: str = "answer set") -> Iterator[str]:
    """How many more are open, and what is not."""
    if len(found.open) > 4 * SHOWN:
        yield f"  and {len(found.open) - 4 * SHOWN} more"
    if backbone := found.backbone:
        told = [name if value is True else f"{name} = {_term(value)}" for name, value in backbone.items()]
        more = f" and {len(told) - 4 * SHOWN} more" if len(told) > 4 * SHOWN else ""
        yield f"the same in all {noun}s: {', '.join(told[: 4 * SHOWN])}{more}"


def _value(found: ProgramDiagnosis, value: Any, counts: Any) -> str:
    told = _term(value)
    if value not in counts or found.ambiguity is None:
        return told
    return f"{told} ({count_text(counts[value], found.ambiguity)})"


def _term(value: Any) -> str:
    from bridge.analysis.program_diagnosis import value_text

    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value_text(value))


def _groups(found: ProgramDiagnosis) -> Iterator[str]:
    if found.ambiguity is None or found.ambiguity.groups is None:
        yield from not_computed(found, "what varies together")
        return
    for group in found.ambiguity.groups[:SHOWN]:
        names = ", ".join(group.cells)
        ways = "; ".join(" ".join(map(_term, row)) for row in group.ways[:SHOWN])
        yield f"{names} vary together, in {len(group.ways)} ways: {ways}{'; ...' if len(group.ways) > SHOWN else ''}"


def _additions(found: ProgramDiagnosis) -> Iterator[str]:
    repairs = found.additions
    if repairs is None:
        yield from not_computed(found, "which facts to add")
    elif not repairs.sets:
        yield f"no set of up to {plural(repairs.size - 1, 'fact')} leaves exactly one {_noun(found)}"
    else:
        make = "one fact more leaves" if repairs.size == 1 else f"{repairs.size} facts more leave"
        yield f"{make} exactly one {_noun(found)}, one of these{' sets' if repairs.size > 1 else ''}:"
        yield from shown_lines([", ".join(map(str, one)) for one in repairs.sets], repairs.complete)


def _see_diagnose(found: ProgramDiagnosis) -> Iterator[str]:
    yield "`lpbridge diagnose` says why"


_Parts: TypeAlias = "dict[Verdict, tuple[Callable[[ProgramDiagnosis], Iterator[str]], ...]]"

#: What follows the verdict, by what was asked.
_DIAGNOSIS: _Parts = {
    Verdict.IMPOSSIBLE: (_clashes, _instances, _variants, _removals, _fixed),
    Verdict.AMBIGUOUS: (_open, _groups, _additions),
    Verdict.UNIQUE: (_solutions,),
    Verdict.UNKNOWN: (_solutions,),
}
_CHECK: _Parts = {
    Verdict.IMPOSSIBLE: (_solutions, _see_diagnose),
    Verdict.AMBIGUOUS: (_solutions, _open),
    Verdict.UNIQUE: (_solutions,),
    Verdict.UNKNOWN: (_solutions,),
}
