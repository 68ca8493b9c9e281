"""From what a search has found to what a person sees: suspects, their reasons, repairs as diffs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

from clingo.ast import ASTType

from bridge.asp.reading import Text, diff_of, is_choice, names_in, with_own_includes
from bridge.common import listed
from bridge.debugging.result import Debugging, Repair, Suspect
from bridge.debugging.search import Found, Step, Variant
from bridge.debugging.trials import Held, Score
from bridge.errors import Place, ProgramError
from bridge.limits import Deadline, LimitName

#: Suspects that are named, at most.
SUSPECTS = 3

#: Repairs that are held against instances, or goals, near by.
WEIGHED = 40

#: What is added to the words of a proof, by how far it went.
HOW_FAR: dict[Held, str] = {
    "yes": "",
    "partly": ", as far as was looked",
    "unknown": ", not checked within the limit",
    "no": "",
}

#: What a repair costs more that is not right on all instances, or goals, near by: at least, and on none of them.
_NEAR_BY = 1.0, 4.0

#: What a variant was held against, in words.
By = Callable[[Variant], str]

#: An instance, an answer too many, and one that is missing; or nothing.
Shown = tuple[str, tuple[str, ...] | None, tuple[str, ...] | None] | tuple[()]


def weight(one: Variant, share: float) -> float:
    """How unlikely a repair is that is right on a share of the instances, or goals, near by.

    A little that is wrong there weighs less than a repair of several statements.
    """
    least, most = _NEAR_BY
    return one.cost + 0.5 * len(one.steps) + (0.0 if share == 1.0 else least + (most - least) * (1.0 - share))


class NearBy:
    """What is known of variants near by, in words: only of those that are right there by the last word, too."""

    def __init__(self) -> None:
        self._right: set[str] = set()

    def be(self, right: Mapping[str, float], words: str, held: Callable[[str], Held]) -> None:
        """Note the shares of variants that are right."""
        self._right = {text for text, share in right.items() if share == 1.0}
        self._words, self._held = words, cache(held)

    def of(self, text: str) -> str:
        """The words of a variant."""
        held = self._held(text) if text in self._right and self._words else "no"
        return self._words + HOW_FAR[held] if held in ("yes", "partly") else ""


def preferred(
    found: Found, shares: Callable[[Sequence[Variant]], Iterable[float]], again: Callable[[], Iterable[Variant]]
) -> dict[str, float]:
    """Put the repairs first that are right near by; where the first one is not, further ones are looked for.

    Of each text, the share that is right.
    """
    known: dict[str, float] = {}

    def sort() -> float:
        some = [one for one in found.repairs[:WEIGHED] if one.text not in known]
        known.update(zip((one.text for one in some), shares(some), strict=False))
        found.repairs.sort(key=lambda one: weight(one, known.get(one.text, 0.0)))
        return known.get(found.repairs[0].text, 1.0)

    if sort() < 1.0:
        # What fits the instances alone is a guess.
        found.repairs[:0] = [one for one in again() if one not in found.repairs]
        sort()
    return known


def confirmed(found: Found, held: Callable[[str], Held]) -> Found:
    """What was found, with the likeliest repairs of which something further holds, too."""
    if found.base.score.right:
        now = held(found.base.text)
        found.base = replace(found.base, held=now, score=found.base.score._replace(right=now != "no"))
    several = [replace(one, held=held(one.text)) for one in found.repairs[:WEIGHED]]
    found.repairs = [one for one in several if one.held != "no"]
    return found


def result_of(
    found: Found,
    text: str,
    file: str | None,
    by: By,
    shown: Shown,
    deadline: Deadline,
    *,
    notes: tuple[str, ...] = (),
    fault: str | None = None,
) -> Debugging:
    """The result of a search: `by` says what a variant was held against, `fault` what is wrong where that is known."""
    right = found.base.score.right and not found.base.steps
    instance, surplus, missing = shown or (None, None, None)
    suspects = () if right else tuple(islice(_suspects(found, text, file, by, fault), SUSPECTS))
    if shown and surplus is not None and found.unread and not found.repairs:
        notes = (*notes, f"no rule reads {listed(found.unread)}: is a constraint missing?")
    limit: LimitName | None = "seconds" if deadline.expired() and not right and not found.repairs else None
    return Debugging(
        suspects, right, instance, surplus, missing, by(found.base), found.complete, limit, found.tried, notes
    )


def _suspects(found: Found, text: str, file: str | None, by: By, fault: str | None) -> Iterator[Suspect]:
    seen: set[int] = set()
    kinds = fault or _fault(found)
    for variant in found.repairs:
        repair = repair_of(variant, text, by)
        for step in variant.steps:
            if step.line not in seen:
                seen.add(step.line)
                yield _suspect(step, text, file, kinds, repair, found.several)
    if not found.repairs:
        for step in found.base.steps:
            if step.line not in seen:
                seen.add(step.line)
                yield _suspect(step, text, file, kinds, None)
    if found.repairs and any(step.before for step in found.repairs[0].steps):
        return
    # Nothing says that a statement is wrong, but that its changes come nearest, or which tests lead to it.
    least = 0.0 if not found.spectrum else 1e-9
    nearest = {line: (gain, 0.0) for line, gain in found.gains.items() if gain >= least}
    nearest |= {line: (nearest.get(line, (0.0,))[0], weight) for line, (weight, _) in found.spectrum.items()}
    for line, (gain, _) in sorted(nearest.items(), key=lambda pair: pair[1], reverse=True):
        statement = "" if line in seen else found.statements.get(line) or _statement(text, file, line)
        if statement:
            seen.add(line)
            why = f"{kinds}: changes of this statement come nearest to it"
            if gain <= 0 and line in found.spectrum:
                why = f"{kinds}: {found.spectrum[line][1]}"
            yield Suspect(Place(file or "<string>", line, 1), statement, "", 0, why + _choice(statement))


def _fault(found: Found) -> str:
    score: Score = found.base.score
    if found.endless:
        return "the program does not end on an instance, or not in time"
    if not score.loaded:
        return "the program cannot be loaded"
    many, few = any(score.surplus), any(score.missing)
    if many and few:
        return "the program has answers that are not meant, and lacks others"
    if not many and not few:  # an answer comes more often, or the program ends in another way
        return "the program does not give the answers that are meant"
    return "the program allows an answer that is not meant" if many else "the program lacks an answer that is meant"


def _choice(statement: str) -> str:
    """Of a choice, for what it is made, and over what."""
    try:
        (rule,) = (one for one in Text(statement).statements if one.ast_type is ASTType.Rule and is_choice(one))
    except (ProgramError, ValueError):
        return ""
    outer = names_in(rule.body)
    inner = names_in(rule.head.elements) - outer
    each = f"for each {listed(sorted(outer))}" if outer else "once"
    return f"; this is a choice {each}{f', over {listed(sorted(inner))}' if inner else ''}"


_SENTENCES = {
    "syntax": "clingo cannot read this",
    "definition": "this needs a predicate that nothing defines",
    "base": "each rule for this predicate needs the predicate itself",
    "dot": "a dot is missing: clingo reads this and what follows as one statement",
    "table": "this does not end where what it follows has a cycle",
    "objective": "answers of least cost are meant, and the program minimises nothing",
}


def _suspect(
    step: Step, text: str, file: str | None, fault: str, repair: Repair | None, several: int = 0
) -> Suspect:
    place = Place(file or "<string>", step.line, step.column)
    if step.before:
        which = f"this may be wrong, or one of {several - 1} others" if several else "this is probably wrong"
        sentence = f"{_SENTENCES.get(step.kind) or fault}: {which}"
        if not step.after and repair is not None:
            sentence = f"{fault}: this should not be here"
        return Suspect(place, step.before, step.part, step.at, sentence, repair)
    statement = _statement(text, file, step.line)
    lacks = "a directive is missing before this" if step.kind == "table" else "a rule is missing beside this"
    if step.part:
        lacks = f"a constraint is missing beside this, and nothing reads {step.part}"
    sentence = f"{_SENTENCES.get(step.kind) or fault}: {lacks}"
    return Suspect(place, statement, "", 0, sentence, repair)


def _statement(text: str, file: str | None, line: int) -> str:
    """The text of the statement that begins on a line."""
    try:
        parsed = Text(text, file)
        for one in parsed.statements:
            if one.location.begin.line == line:
                return parsed.of(one)
    except ProgramError:
        pass
    lines = text.split("\n")
    return lines[line - 1].strip() if line <= len(lines) else ""


def repair_of(variant: Variant, text: str, by: By) -> Repair:
    """A variant as a repair of the text of a program."""
    changed = with_own_includes(variant.text, text)
    return Repair(changed, variant.steps, by(variant), diff_of(text, changed))
