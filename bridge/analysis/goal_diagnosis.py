"""The diagnosis of a Prolog goal, and what its answers leave open: as text, as JSON, and by places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import indent
from typing import TYPE_CHECKING

from bridge.analysis.diagnosis import Diagnosis, Lines, Slice, placed
from bridge.analysis.endless import Ending, Recursion
from bridge.as_json import Json, Key, short
from bridge.common.english import bound, end_lines, listed, plural
from bridge.common.warned import WARNINGS
from bridge.errors import Place
from bridge.outcome import Verdict
from bridge.problem.prolog import PrologProblem
from bridge.problem.residual import Residual
from bridge.prolog import Answer, Variable

if TYPE_CHECKING:
    from bridge.analysis.cores import Clash
    from bridge.analysis.repairs import Repairs
    from bridge.problem.fragments import GoalPremise
    from bridge.problem.posted import PostedConstraint

#: Answers, and values of a variable, that are listed.
SHOWN = 12

_VERDICTS = {
    Verdict.UNIQUE: "one answer",
    Verdict.AMBIGUOUS: "several answers, among them these",
    Verdict.IMPOSSIBLE: "no answer",
    Verdict.UNKNOWN: "not known whether it has one answer",
}


@dataclass(frozen=True, slots=True)
class GoalResidual(Residual):
    """What the answers to a goal leave open; the values are text.

    A part of a list or term has the name of its way, `Qs[2]`; `constraints` are the residual goals of the first answer.
    """

    #: For each variable that is open before labelling its domain, as text.
    domains: Mapping[str, str] = field(default_factory=dict)

    __repr__ = short

    _json = (
        *Residual._json,
        Key("exact", dict[str, tuple[str, ...]], lambda self: self.possible),
        "propagated=domains goals=constraints",
    )

    def __str__(self) -> str:
        if self.contradiction:
            return "no answer"
        return "\n".join([*self.lines(), *(f"  {goal}" for goal in self.constraints)])

    def lines(self) -> Iterator[str]:
        """The values of each variable."""
        yield "Values in all answers:" if self.complete else "Values in the answers found:"
        known = [(name, values) for name, values in self.possible.items() if values != ("_",)]
        for name, values in known[:SHOWN]:
            shown = cut(", ".join(values[:SHOWN])) + (f", ... ({len(values)})" if len(values) > SHOWN else "")
            domain = self.domains.get(name)
            yield f"  {name}: {shown}" + (f"  (before labelling {domain})" if domain else "")
        if (more := len(known) - SHOWN) > 0:
            yield f"  ... and {plural(more, 'part')} more of these answers"


@dataclass(frozen=True, slots=True)
class Way(Json):
    """What one of two equal answers has that the other has not: values of variables, or the clause of a goal."""

    what: str  #: Values, `P = c`; or the goal that another clause proves.
    place: Place | None  #: Where the goal with these variables stands, or the clause.
    text: str  #: What stands there.

    def __str__(self) -> str:
        return self.what

    _json = ("what", Key("place", str | None, lambda self: self.place and str(self.place)), "text")


@dataclass(frozen=True, slots=True)
class Repeated(Json):
    """Answers that come more than once."""

    answers: int  #: How many there are, equal ones counted each time.
    different: int  #: How many of them differ.
    answer: Answer  #: The first that comes again, and how many times it comes.
    times: int
    ways: tuple[Way, Way] | None  #: By what two of these differ; None where that does not show.
    swapped: tuple[str, str] | None  #: Two variables whose values also come exchanged in each answer.

    _json = ("answers different", Key("answer", str, lambda self: str(self.answer)), "times ways swapped")

    def lines(self) -> Iterator[str]:
        """How it comes more than once, and what gives each answer once."""
        answer = " ".join(str(self.answer).split()).removesuffix(".")
        how = ""
        if self.ways is not None:
            one, other = self.ways
            if one.place == other.place:
                how = f": `{one.text}` in {one.place} holds with {one} and with {other}"
            else:
                how = f": `{one}` is proved by the clause in {one.place or 'the system'} and by that in {other.place}"
                how += ", which are the same" if one.text == other.text else ""
        yield f"{answer} comes {self.times} times{how}."
        if self.swapped is not None:
            first, second = self.swapped
            yield f"Each answer also comes with {first} and {second} exchanged: `{first} @< {second}` keeps one."
        yield "To have each answer once: once/1 around what only has to hold, or setof/3."


@dataclass(frozen=True, slots=True, repr=False)
class GoalDiagnosis(Diagnosis[Answer]):
    """The diagnosis of a goal: its form as JSON and text.

    Attributes
    ----------
    ends
        Whether the search for all answers ends: True when it did, False when it did not within `inferences`.
    failure, general
        Of a goal that fails: the slice that still does; the same with arguments generalised, if any could be.
    propagation
        Of a goal that fails: whether propagation alone sees the first clash; otherwise it takes labelling.
    loop, inferences
        Of a goal that does not end: the slice that still does not, and the limit within which it was run.
    recursion, ending
        Of a goal that does not end: the recursion that it stands in, and a change by which it ends.
    impure
        Goals of the program that are not pure, with their places.
    repeated
        Answers that come more than once, where all of them were looked at; None without one.
    count
        How many answers differ, where all of them were looked at.
    """

    problem: PrologProblem
    clashes: tuple[Clash[PostedConstraint], ...] | None = None
    removals: Repairs[GoalPremise] | None = None
    residual: GoalResidual | None = None
    ends: bool | None = None
    failure: Slice | None = None
    general: Slice | None = None
    propagation: bool | None = None
    loop: Slice | None = None
    inferences: int | None = None
    recursion: Recursion | None = None
    ending: Ending | None = None
    impure: tuple[tuple[Place, str], ...] | None = None
    repeated: Repeated | None = None
    count: int | None = None

    @property
    def goal(self) -> str:
        """The goal without its final dot."""
        return self.problem.query

    @property
    def left_open(self) -> list[str]:
        """Variables of the goal to which an answer gives no value, and no constraint."""
        values = [item for answer in self.solutions if not answer.residual for item in answer.items()]
        return list(dict.fromkeys(name for name, value in values if isinstance(value, Variable)))

    _json = (
        "goal verdict ends",
        Key("answers", list[str], lambda self: list(map(str, self.solutions))),
        "failure general clashes propagation removals loop inferences recursion ending residual count repeated",
        Key("impure", list[Lines], lambda self: placed(self.impure or ())),
        "limit notes questions",
        WARNINGS,
    )

    def records(self) -> Iterator[tuple[Place, str]]:
        """What editors and CI show: a message for each place that has a part in the result."""
        for clash in self.clashes or ():
            for one in clash.premises:
                values = bound(one.bindings)
                named = "given" if one.is_fact else "cannot hold with the other constraints named"
                yield one.place, f"{named}: {one.text}{values and f' ({values})'}"
        if self.failure is not None:
            yield from ((place, f"no clause matches {call}") for place, call in self.failure.unmatched)
            yield from self.failure.reasons
            for premise in (self.general or self.failure).premises:
                if premise.kind != "argument":
                    yield premise.place, f"part of the reason why the goal fails: {premise.label}"
        if self.loop is not None:
            limit = f"{self.inferences:,} inferences"
            yield from ((place, f"does not end within {limit}: {line}") for place, line in self.loop.lines)
        if self.recursion is not None:
            yield self.recursion.place, self.recursion.sentence

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        limit = f"{self.inferences or 0:,} inferences"
        verdict = _VERDICTS[self.verdict]
        if self.ends is False:
            found = plural(len(self.solutions), "answer")
            verdict = f"{f'{found}, and ' if self.solutions else ''}does not end within {limit}"
        elif self.count is not None and self.verdict is Verdict.AMBIGUOUS:
            verdict = f"{self.count} answers{', among them these' if self.count > len(self.solutions[:SHOWN]) else ''}"
        if self.repeated is not None:
            verdict = f"{plural(self.repeated.answers, 'answer')}, {self.repeated.different} different"
        yield f"{self.goal}: {verdict}"
        for answer in self.solutions[:SHOWN]:
            yield indent(cut(str(answer)), "  ")
        if len(self.solutions) > SHOWN:
            yield f"  and {len(self.solutions) - SHOWN} more"
        if (opened := self.left_open) and self.ends is not False:
            yield f"  Nothing gives {listed(opened)} a value: {'it is' if len(opened) == 1 else 'they are'} left open."
        if self.repeated is not None:
            yield from self.repeated.lines()
        for clash in self.clashes or ():
            yield ""
            number = len(clash.premises)
            several = f"These {number} constraints cannot hold together"
            yield f"{several if number > 1 else 'This constraint cannot hold'}{_proved(clash.minimal)}:"
            yield from _columns((one.place, one.text) for one in clash.premises)
        if self.clashes and self.propagation is False:
            yield "  Propagation alone does not fail, labelling does."
        if self.failure is not None:
            yield from self._failing(self.failure)
        if self.removals is not None and self.removals.sets:
            # Without the whole query there is always an answer.
            sets = [away for away in self.removals.sets if [one.text for one in away] != [self.goal]]
            more = "" if self.removals.complete else ", among others"
            if sets:
                yield ""
                yield f"There is an answer without any one of these{more}:"
            for away in sets:
                yield "  " + "; ".join(f"{premise.label}  {premise.place}" for premise in away)
        why = [line for one in (self.recursion, self.ending) if one is not None for line in one.lines()]
        yield from ["", *why] if why else []
        if self.loop is not None:
            yield ""
            yield f"This fragment already does not end within {limit}{_proved(self.loop.minimal)}:"
            yield from _columns(self.loop.lines)
        if self.residual is not None and self.residual.possible:
            yield ""
            yield from self.residual.lines()
        if self.impure:
            yield ""
            yield "Not pure, and left as they are or tried as they stand:"
            yield from _columns(self.impure)
        yield from end_lines(self.limit, self.notes)

    def _failing(self, failure: Slice) -> Iterator[str]:
        """The goals that fail alone."""
        if failure.unmatched or failure.reasons:
            yield ""
        reasons = [f"{place}: {reason}" for place, reason in failure.reasons]
        yield from reasons[: failure.first]
        for place, call in failure.unmatched:
            yield f"No clause matches {call}, which is called at {place}."
        yield from reasons[failure.first :]
        yield ""
        yield f"The program still fails with these goals alone{_proved(failure.minimal)}:"
        yield from _columns((self.general or failure).lines)


def cut(text: str, longest: int = 400) -> str:
    """A text that is shown; the middle of a long one is left out."""
    return text if len(text) <= longest else f"{text[: longest // 2]} ... {text[-longest // 4 :]}"


def _proved(minimal: bool) -> str:
    return "" if minimal else " (not proved minimal)"


def _columns(rows: Iterable[tuple[Place, str]]) -> Iterator[str]:
    """Places, and what stands there."""
    rows = list(rows)
    width = max((len(str(place)) for place, _ in rows), default=0)
    return (f"  {place!s:{width}}  {line}" for place, line in rows)
