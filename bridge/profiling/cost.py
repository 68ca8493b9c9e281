"""What grounding and search cost, and the one statement that costs most: the cause.

A statement that was ground has the seconds that it took; one that was left out has those that it probably would take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from bridge.common import Json, plural, regex
from bridge.errors import Place
from bridge.limits import Limits
from bridge.problem import AspProblem
from bridge.profiling.grounding_profile import JoinStep, Profile, SearchProfile, StatementProfile, search_profile

#: Ground rules for each atom from which on that is said.
REPEATED = 10

#: A step of a join multiplies, or selects, where it has so many matches, or so few.
MULTIPLIES, SELECTS = 1.5, 0.7

#: Seconds in which a program is not slow; the number of ground rules tells more.
LITTLE = 0.1

#: With a smaller share of the lemmas, a constraint is not what a search is slow by.
FEW = 0.25

#: Fewer bindings are not spoken of.
MANY = 1_000

#: Statements that are listed.
LISTED = 12

#: An aggregate whose value a variable gets.
_ASSIGNED = regex(r"=\s*(#(?:sum\+?|count))\s*\{|(#(?:sum\+?|count))\s*\{[^}]*\}\s*=\s*[A-Z]")

#: Characters of a statement in a table.
WIDTH = 60


@dataclass(frozen=True, slots=True)
class Cause(Json):
    """The statement that costs most."""

    place: Place  #: Where it begins, and the statement.
    text: str
    phase: str  #: `grounding` or `search`.
    share: float  #: The share of it that this statement has, from 0 to 1.
    sentence: str  #: Why.
    estimated: bool = False  #: Whether the share is an estimate.


def given_of(problem: AspProblem) -> dict[str, Any]:
    """What functions of `bridge.asp` take beside the sources."""
    return {"options": problem.options, **problem.confinement, **problem.constants}


def search_of(problem: AspProblem, seconds: float | None, lemmas: bool = False) -> SearchProfile | None:
    """What the search of a program costs; None where a limit came first."""
    within = Limits(seconds=seconds, memory=problem.memory)
    return search_profile(*problem.sources, lemmas=lemmas, limits=within, **given_of(problem))


def multiplier(steps: Sequence[JoinStep]) -> tuple[JoinStep, float] | None:
    """The step after which a join is large: of those that multiply, the one with most bindings; and those before it."""
    before, found = 1.0, None
    for number, step in enumerate(steps):
        if number and step.matches >= MULTIPLIES and (found is None or step.bindings > found[0].bindings):
            found = step, before
        before = step.bindings
    return found


def cause_of_grounding(found: Profile) -> Cause | None:
    """The statement that grounding spends most on."""
    statements = [one for one in found.statements if one.kind != "facts"]
    total = sum(one.expected_seconds for one in statements)
    if not statements or not total:
        return None
    size = attrgetter("expected_seconds" if total > LITTLE else "expected_rules")
    most = max(statements, key=size)
    estimate, share = most.estimate, most.expected_seconds / total
    if most.is_endless:
        sentence = f"a recursion with no end in sight: stopped after {plural(most.rules or 0, 'ground rule')}"
    elif estimate is not None and most.left_out:
        rules = f"{number(estimate.instances)} ground rules"
        sentence = f"about {number(estimate.bindings)} bindings, {rules}: too many (estimated)"
    else:
        few = most.rules is not None and 0 < most.atoms * REPEATED <= most.rules
        atoms = f" for {plural(most.atoms, 'atom')}" if few else ""
        rules = "" if most.rules is None else f"{plural(most.rules, 'ground rule')}{atoms}, "
        end = "" if found.limit is None else ", which did not end"
        sentence = f"{rules}{most.seconds:.2g} s: {share:.0%} of the grounding{end}"
    if most.expected_rules >= MANY and (of := _ASSIGNED.search(most.text)) is not None:
        sentence += f"; there is an instance for each value that {of[1] or of[2]} may have: where a bound is enough, "
        sentence += "bound the aggregate itself, as in `:- #sum { ... } > 9.`, and minimize the weights themselves"
    if estimate is not None and (large := multiplier(estimate.steps)) is not None and large[0].bindings >= MANY:
        step, before = large
        sentence += f"; `{step.literal}` has {number(step.matches)} matches for each of {number(before)} bindings"
        tests = [one for one in estimate.steps[estimate.steps.index(step) :] if 0 < one.matches < SELECTS]
        if (test := min(tests, key=lambda one: one.matches, default=None)) is not None:
            sentence += f", and `{test.literal}`, which comes later, leaves {percent(test.matches)}"
    return Cause(most.place, most.text, "grounding", share, sentence, most.left_out)


def cause_of_search(found: SearchProfile) -> Cause | None:
    """The constraint that most lemmas were derived with; None where it has a part in few of them."""
    if not found.lemmas or not found.constraints or not found.constraints[0].lemmas:
        return None
    most = found.constraints[0]
    share = most.lemmas / found.lemmas
    if share < FEW:
        return None
    sentence = f"in {share:.0%} of {plural(found.lemmas, 'lemma')} that the search learned (approximate)"
    return Cause(most.place, most.text, "search", share, sentence, True)


def number(value: float) -> str:
    """A number with two digits that count: `41,000`, `1.6e9`."""
    if value < 100:
        return f"{value:.2g}"
    rounded = float(f"{value:.1e}")
    return f"{rounded:,.0f}" if rounded < 1e6 else f"{rounded:.1e}".replace("e+0", "e").replace("e+", "e")


def percent(share: float) -> str:
    return f"{share:.2g}" if share < 0.001 else f"{share:.2%}" if share < 0.01 else f"{share:.0%}"


# As text


def grounding_lines(found: Profile) -> Iterator[str]:
    """What grounding cost in all, and the table of the statements."""
    head = f"{plural(found.rules, 'ground rule')} in {found.seconds:.2f} s"
    left_out = sum(one.left_out for one in found.statements)
    if left_out:
        why = "since that would take too long, or since it needs what is not ground: ~ is an estimate"
        head += f"; {plural(left_out, 'statement')} not ground, {why}"
    elif not found.complete:
        head += f", up to the limit ({found.limit})"
    yield f"grounding: {head}"
    shown = found.statements[:LISTED]
    width = max((len(str(one.place)) for one in shown), default=0)
    yield f"  {'':{width}}  {'ground rules':>12}  {'atoms':>11}  {'seconds':>8}"
    for one in shown:
        if one.is_endless:
            cells = [f"{one.rules or 0:,}+", f"{one.atoms:,}+", f"{one.seconds:.2f}+"]
        elif one.is_unknown:
            cells = ["not ground", "", ""]
        elif one.left_out and one.estimate is not None:
            cells = [f"~{number(one.estimate.instances)}", "", f"~{number(one.estimate.seconds)}"]
        else:
            cells = ["" if one.rules is None else f"{one.rules:,}", f"{one.atoms:,}", f"{one.seconds:.2f}"]
        yield f"  {one.place!s:{width}}  {cells[0]:>12}  {cells[1]:>11}  {cells[2]:>8}  {_cut(one.text)}"
    if (more := len(found.statements) - len(shown)) > 0:
        yield f"  ... and {more} smaller ones"


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[:WIDTH]}..."


def join_lines(statement: StatementProfile) -> Iterator[str]:
    """The join of a statement."""
    estimate = statement.estimate
    if estimate is None or len(estimate.steps) < 2:
        return
    yield f"the join of {statement.place}, in the order of gringo (estimated):"
    yield f"  {'matches':>9}  {'bindings':>9}"
    for step in estimate.steps:
        yield f"  {number(step.matches):>9}  {number(step.bindings):>9}  {step.literal}"


def search_lines(found: SearchProfile) -> Iterator[str]:
    """The numbers of the search."""
    numbers = found.numbers
    verdicts = {"sat": "an answer set", "unsat": "no answer set", "unknown": "no end within the limit"}
    yield (
        f"search: {verdicts[found.verdict]} in {found.seconds:.2f} s; {plural(numbers['choices'], 'choice')}, "
        f"{plural(numbers['conflicts'], 'conflict')}, {plural(numbers['restarts'], 'restart')}"
    )
    yield (
        f"  {numbers['variables']:,} variables ({numbers['eliminated']:,} eliminated, {numbers['equal']:,} "
        f"equivalences), {numbers['constraints'] + numbers['binary'] + numbers['ternary']:,} constraints"
    )
    if found.costs:
        bound = f"; it is at least {' '.join(map(str, found.lower))}" if found.lower else ""
        proved = ", which is the least" if found.verdict == "sat" else bound
        yield f"  best cost {' '.join(map(str, found.costs))}{proved}"
    if not found.lemmas:
        return
    yield f"  constraints in {plural(found.lemmas, 'lemma')} (approximate: searched again with a switch for each):"
    width = max(len(str(one.place)) for one in found.constraints[:LISTED])
    for one in found.constraints[:LISTED]:
        yield f"  {one.lemmas / found.lemmas:>7.0%}  {one.place!s:{width}}  {_cut(one.text)}"
