"""Rewritings that were tried: the same answers, and measured to be smaller or faster.

The proposals for the statements that cost most (`bridge.profiling.rewriting`) are ground, each in place of the author's
statement. One that is not smaller or faster is dropped; of the others `bridge.compare` has to find the same answers.
The best is taken, and the next is looked for in the program with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path

from bridge.as_json import Json
from bridge.asp import profile as ground_profile
from bridge.asp.edits import Change, Text, diff_of, with_own_includes
from bridge.asp.profiling import Profile, SearchProfile, StatementProfile, search_profile
from bridge.common.english import listed, plural
from bridge.common.files import read_source
from bridge.common.languages import is_path
from bridge.comparison.compare import compare
from bridge.comparison.instance import Instance
from bridge.errors import BridgeError, Place
from bridge.limits import Deadline, Limits
from bridge.problem.asp import AspProblem
from bridge.profiling.cost import SPEED, grounding_seconds, number, rules_of, seconds_of
from bridge.profiling.equality import questions
from bridge.profiling.lemmas import Learned
from bridge.profiling.rewriting import Proposal, Rewriter

#: Statements that rewritings are looked for, and rewritings of a program one after the other.
STATEMENTS, ROUNDS = 4, 8

#: A rewriting is smaller, or faster, where it has at most this share: of the ground rules of its statement, or of the
#: seconds of all.
SMALLER, FASTER = 0.75, 0.6

#: With these shares of its ground rules, the other statements come later, and so do other ways to write it.
ENOUGH, PLENTY = 0.5, 0.1

#: The share of all that a statement has to have.
SHARE = 0.05

#: The share of the time for finding out what helps; the rest is for comparing answers.
TRYING = 0.6

#: Shorter times are noise.
NOISE = 0.3

#: Answers of an instance that are compared, at most, and seconds for each of the two programs.
ANSWERS, PATIENCE = 20_000, 2.0

#: Seconds for a question to the solver whether the answers of an instance are the same.
ASKING = 20.0


@dataclass(frozen=True, slots=True)
class Cost(Json):
    """What a program costs on an instance."""

    rules: float  #: Its ground rules; those that were not ground are estimated.
    estimated: bool  #: Whether some were.
    grounding: float  #: Seconds; of the search None where it was not measured.
    search: float | None = None
    ended: bool = True  #: Whether the search ended within its limit.

    @property
    def seconds(self) -> float:
        return self.grounding + (self.search or 0.0)

    _json = ("rules estimated grounding_seconds=grounding search_seconds=search",)

    def __str__(self) -> str:
        about = "about " if self.estimated else ""
        rules = number(self.rules) if self.estimated else f"{self.rules:,.0f}"
        return f"{about}{rules} ground rules, {number(self.seconds) if self.estimated else f'{self.seconds:.2f}'} s"


@dataclass(frozen=True, slots=True)
class Inferences(Json):
    """What goals of a Prolog program cost together."""

    number: int

    _json = ("inferences=number",)

    def __str__(self) -> str:
        return plural(self.number, "inference")


@dataclass(frozen=True, slots=True)
class Remedy(Json):
    """A rewriting by which the answers are the same, and the program is smaller or faster."""

    place: Place  #: The statement that it is about.
    kind: str  #: What is done.
    sentence: str
    diff: str  #: The change of the author's text; of a second rewriting, of the text with the first.
    text: str  #: The whole text with it.
    before: Cost | Inferences  #: What the program costs.
    after: Cost | Inferences
    same_on: tuple[str, ...]  #: The instances on which all answers were found to be the same.
    undecided: tuple[str, ...] = ()  #: Those on which a limit came first; nothing was found there that differs.

    def lines(self) -> Iterator[str]:
        """The rewriting as people read it."""
        yield f"{self.place}: {self.sentence}"
        yield from (f"    {line}" for line in self.diff.split("\n"))
        yield f"  {self.before} -> {self.after}"
        left = f"; not decided on {listed(self.undecided)}" if self.undecided else ""
        yield f"  the same answers on {_few(self.same_on)}{left}"


def _few(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= 4 else f"{plural(len(names), 'instance')}: {names[0]} to {names[-1]}"


@dataclass(frozen=True, slots=True)
class Subject:
    """A program whose statements may be rewritten."""

    problem: AspProblem  #: The program, without instance.
    measured: AspProblem  #: The program on the instance that it is measured on.
    checks: tuple[Instance, ...]  #: The instances on which the answers are compared, the smallest first.

    def with_source(self, source: str | PathLike[str], text: str) -> Subject:
        """The same with another text in place of a source."""
        return replace(
            self, problem=_replaced(self.problem, source, text), measured=_replaced(self.measured, source, text)
        )


def _replaced(problem: AspProblem, source: str | PathLike[str], text: str) -> AspProblem:
    sources = [f"{text}\n" if one == source else one for one in problem.sources]
    return problem.like(*sources)


def remedies(
    subject: Subject,
    profile: Profile,
    search: SearchProfile | None,
    suspects: Iterable[Place],  # statements that the search spends most on
    deadline: Deadline,
    learned: Sequence[Learned] = (),  # constraints that the program implies
    on_found: Callable[[Remedy], object] = lambda _: None,
) -> Iterator[Remedy]:
    """Rewritings that help, one after the other; each is of the program with those before it."""
    before = _cost(profile, search)
    names: dict[str, str | None] = {}
    for source in subject.problem.sources:
        names[fspath(source)] = fspath(source) if is_path(source) else None
    seen = set[str]()
    places = [*(one.place for one in _dearest(profile)), *suspects]
    for _ in range(ROUNDS):
        own = {one.place: rules_of(one) for one in profile.statements}
        found = _best(subject, places, own, before, names, seen, deadline, learned)
        if found is None:
            return
        remedy, source, profile = found
        yield remedy
        on_found(remedy)
        new = f"{remedy.text}\n"
        assert isinstance(remedy.after, Cost)
        subject, before = subject.with_source(source, remedy.text), remedy.after
        names[new] = names[fspath(source)]
        places = [one.place for one in _dearest(profile)]


def _dearest(profile: Profile) -> list[StatementProfile]:
    """The statements with a share of the seconds, or of the ground rules, that is worth while."""
    statements = [one for one in profile.statements if one.kind == "rule"]
    found: list[StatementProfile] = []
    for size in (seconds_of, rules_of):
        total = sum(map(size, statements))
        found += [one for one in sorted(statements, key=size, reverse=True) if size(one) > SHARE * total][:STATEMENTS]
    return list(dict.fromkeys(found))


def _cost(profile: Profile, search: SearchProfile | None) -> Cost:
    left_out = any(one.estimate is not None and one.estimate.left_out for one in profile.statements)
    seconds, ended = (None, True) if search is None else (search.seconds, search.verdict != "unknown")
    return Cost(sum(map(rules_of, profile.statements)), left_out, grounding_seconds(profile), seconds, ended)


def _best(
    subject: Subject,
    places: Iterable[Place],
    own: Mapping[Place, float],  # the ground rules of statements
    before: Cost,
    names: dict[str, str | None],
    seen: set[str],
    deadline: Deadline,
    learned: Sequence[Learned],
) -> tuple[Remedy, str | PathLike[str], Profile] | None:
    """The rewriting that helps most, of the statements at some places; its source, and what it was measured to cost."""
    while not deadline.expired():
        tried: list[tuple[Cost, Proposal, Text, Place, str | PathLike[str], Profile]] = []
        until = Deadline(deadline.share(TRYING))
        # There are many ways to split a body: what is sure to be small comes first, of all statements.
        proposals = sorted(_proposals(subject, places, names, learned), key=lambda one: one[1].kind == "split")
        for place, proposal, text, source in proposals:
            changed = proposal.applied(text)
            if changed in seen or until.expired():
                continue
            if any(one[3] != place and _left(one[0], before, own.get(one[3])) <= ENOUGH for one in tried):
                break  # it helps enough; statements that cost less come next
            if any(one[3] == place and _left(one[0], before, own.get(place)) <= PLENTY for one in tried):
                continue
            seen.add(changed)
            found = _measured(subject.with_source(source, changed).measured, before, own.get(place), until)
            if found is not None:
                tried.append((found[0], proposal, text, place, source, found[1]))
        if not tried:
            return None
        tried.sort(key=lambda one: (one[0].rules if one[0].rules < before.rules else before.rules, one[0].seconds))
        for cost, proposal, text, place, source, profile in tried:
            if deadline.expired():
                return None
            written = text.data.decode() if names[fspath(source)] is None else read_source(source)[1]
            changed = with_own_includes(proposal.applied(text), written)
            after = Text(proposal.applied(text), text.file)
            others = [Text(read_source(one)[1], names[fspath(one)]) for one in subject.problem.sources if one != source]
            asked = [[subject.with_source(source, one) for one in some] for some in questions(text, after, others)]
            same = _same(subject, subject.with_source(source, after.data.decode()), asked, deadline)
            if same is None:
                continue
            diff = diff_of(written, changed)
            return Remedy(place, proposal.kind, proposal.sentence, diff, changed, before, cost, *same), source, profile
    return None


def _left(cost: Cost, before: Cost, own: float | None) -> float:
    """The share that is left of the ground rules of a statement, or of all seconds, whichever is less."""
    gone = before.rules - cost.rules
    rules = 1 - gone / own if own is not None and own >= SHARE * before.rules else cost.rules / before.rules
    return min(rules, cost.seconds / before.seconds) if before.grounding > NOISE else rules


def _proposals(
    subject: Subject, places: Iterable[Place], names: dict[str, str | None], learned: Sequence[Learned]
) -> Iterator[tuple[Place, Proposal, Text, str | PathLike[str]]]:
    texts = [(source, Text(read_source(source)[1], names[fspath(source)])) for source in subject.problem.sources]
    for source, text in texts[:1]:
        for proposal in (_added(form, text) for form in learned):
            yield text.place(text.statements[-1]), proposal, text, source
    for place in places:
        for source, text in texts:
            others = [other for _, other in texts if other is not text]
            # Places of a text have no name of a file.
            if not (place.file == fspath(source) if is_path(source) else not is_path(place.file or "<")):
                continue
            for statement in text.statements:
                begin = statement.location.begin
                if (begin.line, begin.column) == (place.line, place.column):
                    for proposal in Rewriter(text, others).of(statement):
                        yield text.place(statement), proposal, text, source


def _added(form: Learned, text: Text) -> Proposal:
    """A constraint that the program implies, at its end."""
    sentence = (
        f"the search learned this {form.lemmas} times for single atoms; on this instance the program implies all of it"
    )
    end = len(text.data.rstrip())
    return Proposal("implied", sentence, (Change("rewriting", end, end, f"\n{form.constraint}"),))


def _measured(problem: AspProblem, before: Cost, own: float | None, deadline: Deadline) -> tuple[Cost, Profile] | None:
    """What a program costs, where it is smaller or faster than before; `own` are the rules of the changed statement."""
    longest = 2 * (min(before.grounding, 4.0) if before.estimated else before.grounding) + 2
    seconds = min(deadline.remaining() or 10.0, longest)
    given = {"options": problem.options, **problem.confinement, **problem.constants}
    within = Limits(seconds=seconds, memory=problem.memory)
    try:
        profile = ground_profile(*problem.sources, most=SPEED * min(1.0, seconds), limits=within, **given)
        if profile.limit is not None:
            return None
        cost = _cost(profile, None)
        whole = own if own is not None and own >= SHARE * before.rules else before.rules
        smaller = cost.rules <= before.rules - (1 - SMALLER) * whole
        faster = before.grounding > NOISE and cost.grounding <= FASTER * before.grounding
        searching = before.search is not None and before.search > max(NOISE, before.grounding)
        if not (smaller or faster or searching):
            return None
        if searching and smaller and not before.ended:  # that was given up: nothing is known of the search
            return replace(cost, search=before.search, ended=False), profile
        if profile.complete and searching and before.search is not None:
            longest = 2 * before.search + 1 if before.ended else before.search
            most = Limits(seconds=min(deadline.remaining() or 60.0, longest), memory=problem.memory)
            search = search_profile(*problem.sources, limits=most, **given)
            if search is None or search.verdict == "unknown":
                return None
            cost = replace(cost, search=search.seconds)
            if cost.seconds > (before.seconds if smaller else FASTER * before.seconds):
                return None
    except BridgeError:
        return None
    return cost, profile


def _same(
    one: Subject, other: Subject, asked: Sequence[Sequence[Subject]], deadline: Deadline
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The instances on which the answers are the same, and those that were not decided; None where some differ.

    The solver is `asked` for a difference, and where it does not know, the answers are compared.
    """
    outline, show = one.problem.outline, None
    if outline.shown is None and not outline.terms:  # new predicates are no part of an answer
        shown = outline.given.union(*(statement.heads for statement in outline.statements))
        facts = {(name, len(row)) for instance in one.checks for name, row in instance.facts}
        show = ",".join(f"{name}/{arity}" for name, arity in sorted(shown | facts)) or None
    same: list[str] = []
    undecided: list[str] = []
    for instance in one.checks:
        if deadline.expired() or (undecided and same):  # larger ones are not decided, either
            undecided.append(instance.name)
            continue
        left = deadline.remaining()
        share = 16 if same else 3  # where smaller instances agree, time is better spent on the next rewriting
        differs = _differs(asked, instance, ASKING if left is None else min(ASKING, max(left / share, 0.3)))
        if differs:
            return None
        if differs is False:
            same.append(instance.name)
            continue
        left = deadline.remaining()
        limits = Limits(seconds=PATIENCE if left is None else min(PATIENCE, max(left / 8, 0.3)), solutions=ANSWERS)
        try:
            found = compare(one.problem, other.problem, instances=[instance], limits=limits, show=show)
        except BridgeError:
            return None
        if found.disagreements:
            return None
        (same if found.equivalent else undecided).append(instance.name)
    return (tuple(same), tuple(undecided)) if same else None


def _differs(asked: Sequence[Sequence[Subject]], instance: Instance, seconds: float) -> bool | None:
    """Whether the answers of an instance differ, as the solver says; None where it does not know."""
    differs = None
    for some in asked:
        verdicts = []
        for one in some:
            verdicts.append(_verdict(one, instance, seconds))
            if verdicts[-1] != "unsat":
                break
        else:
            return False
        # What is found without the other constraints, or of a body, need not be a difference.
        differs = True if len(asked) > 1 and some is asked[-1] and verdicts[-1] == "sat" else None
    return differs


def _verdict(subject: Subject, instance: Instance, seconds: float) -> str:
    """Whether a program has an answer set on an instance: `sat`, `unsat` or `unknown`."""
    source = Path(instance.file) if instance.file is not None else instance.text
    more = [source] if instance.file is not None or source else []
    problem = subject.problem.with_instance(*more, constants=instance.program_constants)
    given = {
        "options": [*problem.options, "--opt-mode=ignore", "--heuristic=Domain"],
        **problem.confinement,
        **problem.constants,
    }
    try:
        found = search_profile(*problem.sources, limits=Limits(seconds=seconds, memory=problem.memory), **given)
    except BridgeError:
        return "unknown"
    return "unknown" if found is None else found.verdict
