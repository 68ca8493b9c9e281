"""Rewritings that were tried: the same answers, and measured to be smaller or faster.

The proposals for the statements that cost most (`bridge.profiling.rewriting`) are ground, each in place of the author's
statement. One that is not smaller or faster is dropped; of the others the answers have to be the same: by a proof for
every instance (`bridge.comparison.containment`), or else as `bridge.compare` lists them, on the given instances. The
best is taken, and the next is looked for in the program with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from os import PathLike, fspath

from clingo.ast import ASTType

from bridge import compare
from bridge.asp.reading import Text, diff_of, differing, is_constraint, with_own_includes
from bridge.common import Json, is_path, listed, plural, read_source
from bridge.comparison import Instance, Prover
from bridge.errors import BridgeError, Place
from bridge.limits import Deadline, Limits
from bridge.problem import AspProblem
from bridge.profiling.cost import LITTLE, given_of, number, search_of
from bridge.profiling.grounding_profile import SPEED, Profile, SearchProfile, StatementProfile
from bridge.profiling.grounding_profile import profile as ground_profile
from bridge.profiling.rewriting import Proposal, Rewriter

#: Statements that rewritings are looked for, and rewritings of a program one after the other.
STATEMENTS, ROUNDS = 8, 24

#: A rewriting is smaller, or faster, where it has at most this share: of the ground rules of its statement, or of the
#: seconds of all.
SMALLER, FASTER = 0.75, 0.6

#: The search may take so many times as long where the program is smaller: single searches differ by as much.
SLOWER = 2.0

#: With these shares of its ground rules, the other statements come later, and so do other ways to write it.
ENOUGH, PLENTY = 0.5, 0.25

#: The share of all that a statement has to have.
SHARE = 0.05

#: The share of the time for finding out what helps; the rest is for comparing answers.
TRYING = 0.6

#: Answers of an instance that are listed, at most, and seconds for each of the two programs.
ANSWERS, PATIENCE = 20_000, 2.0

#: The share of the time that is left for comparing the answers of one rewriting.
COMPARING = 0.25

#: Shorter times are noise, and so is a smaller gain.
NOISE, GAIN = 0.3, 0.1


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
    proved: bool = False  #: Whether the answers are proved to be the same on every instance.
    on: str | None = None  #: The instance that was measured, where the largest one could not be ground in the time.

    def lines(self) -> Iterator[str]:
        """The rewriting as people read it."""
        yield f"{self.place}: {self.sentence}"
        yield from (f"    {line}" for line in self.diff.split("\n"))
        where = "" if self.on is None else f"on {self.on}: "
        yield f"  {where}{self.before} -> {self.after}"
        if self.proved:
            yield "  the same answers on every instance: proved"
            return
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
    on: str | None = None  #: The instance that it is measured on, where that is not the largest.

    def with_source(self, source: str | PathLike[str], text: str) -> Subject:
        """The same with another text in place of a source."""
        return replace(
            self, problem=_replaced(self.problem, source, text), measured=_replaced(self.measured, source, text)
        )


def _replaced(problem: AspProblem, source: str | PathLike[str], text: str) -> AspProblem:
    return problem.like(*(_as_source(text) if one == source else one for one in problem.sources))


def _as_source(text: str) -> str:
    """A text that is not taken for a path."""
    return text if text.endswith("\n") else f"{text}\n"


def remedies(
    subject: Subject,
    profile: Profile,
    search: SearchProfile | None,
    suspects: Iterable[Place],  # statements that the search spends most on
    deadline: Deadline,
) -> Iterator[Remedy]:
    """Rewritings that help, one after the other; each is of the program with those before it."""
    found = _Found(subject, profile, _cost(profile, search), deadline)
    places = [*(one.place for one in _dearest(profile)), *suspects]
    for _ in range(ROUNDS):
        remedy = found.next(places)
        if remedy is None:
            return
        yield remedy
        places = [one.place for one in _dearest(found.profile)]


def _dearest(profile: Profile) -> list[StatementProfile]:
    """The statements with a share of the seconds, or of the ground rules, that is worth while."""
    statements = [one for one in profile.statements if one.kind == "rule"]
    found: list[StatementProfile] = []
    for size in map(attrgetter, ("expected_seconds", "expected_rules")):
        total = sum(map(size, statements))
        found += [one for one in sorted(statements, key=size, reverse=True) if size(one) > SHARE * total][:STATEMENTS]
    return list(dict.fromkeys(found))


def _cost(profile: Profile, search: SearchProfile | None) -> Cost:
    left_out = any(one.left_out for one in profile.statements)
    seconds, ended = (None, True) if search is None else (search.seconds, search.verdict != "unknown")
    return Cost(profile.expected_rules, left_out, profile.expected_seconds, seconds, ended)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A rewriting of a statement of a source."""

    place: Place  #: The statement.
    measured: Place  #: The same in the profile, where a changed text has no file.
    proposal: Proposal
    source: str | PathLike[str]
    changed: str  #: The whole text with the rewriting.
    key: str  #: What is rewritten how, in whatever text.
    proved: bool  #: Whether the answers are proved to be the same.
    constrains: bool  #: Whether it is one of a constraint.


class _Found:
    """A program with the rewritings that were found so far."""

    def __init__(self, subject: Subject, profile: Profile, cost: Cost, deadline: Deadline) -> None:
        self.profile = profile
        self._subject, self._cost, self._deadline = subject, cost, deadline
        # Of each source its file, and its text as the author has it, with paths from there.
        self._written = {fspath(one): read_source(one) for one in subject.problem.sources}
        self._seen = set[str]()  # texts that were tried, and rewritings that did not help
        self._texts: dict[str, Text] = {}

    def next(self, places: Sequence[Place]) -> Remedy | None:
        """The rewriting that helps most, of the statements at some places."""
        while not self._deadline.expired():
            tried = self._tried(places)
            if not tried:
                return None
            for _, one in sorted(tried, key=lambda each: self._share(each[0])):
                if self._deadline.expired():
                    return None
                if (remedy := self._taken(one)) is not None:
                    return remedy
        return None

    def _share(self, cost: Cost) -> float:
        """What is left, of ground rules and of seconds."""
        rules = min(1.0, cost.rules / max(self._cost.rules, 1.0))
        return rules * min(1.0, max(cost.grounding, LITTLE) / max(self._cost.grounding, LITTLE))

    def _tried(self, places: Sequence[Place]) -> list[tuple[Cost, _Candidate]]:
        """The rewritings that make the grounding smaller or faster, or may help the search, and what they cost."""
        own = {one.place: one for one in self.profile.statements}
        until = Deadline(self._deadline.share(TRYING))
        bare: tuple[float, float] | None = None
        tried: list[tuple[Cost, _Candidate]] = []
        for one in self._in_order(places):
            if until.expired():
                break
            if one.changed in self._seen or one.key in self._seen:
                continue
            statement = own.get(one.measured)
            if any(self._left(cost, own.get(other.measured)) <= (PLENTY if other.place == one.place else ENOUGH)
                   for cost, other in tried):  # fmt: skip
                if one.place != tried[0][1].place:  # it helps enough; statements that cost less come next
                    break
                continue
            self._seen.add(one.changed)
            if one.constrains and statement is not None:  # what else is excluded makes no difference
                if bare is None and (bare := self._ground(self._bare(None), until)) is None:
                    break
                cost = self._with(self._ground(self._bare(one), until), bare, statement)
            else:
                cost = self._with(self._ground(self._subject.with_source(one.source, one.changed), until))
            if cost is None or not (self._helps(cost, statement) or self._searches):
                self._seen.add(one.key)
            else:
                tried.append((cost, one))
        return tried

    def _in_order(self, places: Sequence[Place]) -> Iterator[_Candidate]:
        """The rewritings: those that are proved first; and there are many ways to split a body, which come later."""
        left: list[_Candidate] = []
        for _, group in groupby(_candidates(self._subject, places, self._text), lambda one: one.place):
            candidates = sorted(group, key=lambda one: one.proposal.kind == "split")
            yield from (one for one in candidates if one.proved)
            left += [one for one in candidates if not one.proved]
        yield from left

    def _text(self, source: str | PathLike[str]) -> Text:
        """A source; each is read once."""
        if fspath(source) not in self._texts:
            self._texts[fspath(source)] = Text(read_source(source)[1], self._written[fspath(source)][0])
        return self._texts[fspath(source)]

    def _bare(self, one: _Candidate | None) -> Subject:
        """The program without constraints, but for those of a rewriting."""
        subject = self._subject
        for source in subject.problem.sources:
            text, kept = self._text(source), list[str]()
            if one is not None and one.source == source:
                after = Text(one.changed, text.file)
                text, kept = after, [str(each) for each in differing(after, text)]
            constraints = [each for each in text.statements if each.ast_type is ASTType.Rule and is_constraint(each)]
            left_out = [text.span(each) for each in constraints if str(each) not in kept]
            if left_out or kept:
                subject = subject.with_source(source, text.without(left_out))
        return subject

    def _ground(self, subject: Subject, until: Deadline) -> tuple[float, float] | None:
        """Ground rules and seconds of a program; None where it does not end in time."""
        profile = self._profiled(subject, until)
        return None if profile is None else (profile.expected_rules, profile.expected_seconds)

    def _profiled(self, subject: Subject, until: Deadline) -> Profile | None:
        problem, cost = subject.measured, self._cost
        longest = 2 * (min(cost.grounding, 4.0) if cost.estimated else cost.grounding) + 2
        seconds = min(until.remaining() or 10.0, longest)
        within = Limits(seconds=seconds, memory=problem.memory)
        try:
            found = ground_profile(*problem.sources, most=SPEED * min(1.0, seconds), limits=within, **given_of(problem))
        except BridgeError:
            return None
        unknown = {one.text for one in found.statements if one.is_unknown}
        known = unknown <= {one.text for one in self.profile.statements if one.is_unknown}
        return found if found.limit is None and known else None

    def _with(
        self,
        found: tuple[float, float] | None,
        bare: tuple[float, float] = (0.0, 0.0),
        statement: StatementProfile | None = None,
    ) -> Cost | None:
        """The cost of the whole, where a part of it was ground, in place of a statement."""
        if found is None:
            return None
        rules, seconds = found[0] - bare[0], max(found[1] - bare[1], 0.0)
        if statement is not None:
            rules += self._cost.rules - statement.expected_rules
            seconds += max(self._cost.grounding - statement.expected_seconds, 0.0)
        return replace(self._cost, rules=rules, grounding=seconds)

    def _rules_left(self, cost: Cost, statement: StatementProfile | None) -> float:
        """The share that is left of the ground rules of a statement, or of all, where it has few of them."""
        before, own = self._cost.rules, 0.0 if statement is None else statement.expected_rules
        whole = own if own >= SHARE * before else before
        return 1 - (before - cost.rules) / max(whole, 1.0)

    def _left(self, cost: Cost, statement: StatementProfile | None) -> float:
        """The same, or the share that is left of all seconds, whichever is less."""
        before, rules = self._cost.grounding, self._rules_left(cost, statement)
        return min(rules, cost.grounding / before) if before > GAIN else rules

    def _helps(self, cost: Cost, statement: StatementProfile | None) -> bool:
        """Whether it is smaller or faster than before."""
        before = self._cost.grounding
        return self._rules_left(cost, statement) <= SMALLER or cost.grounding <= min(FASTER * before, before - GAIN)

    @property
    def _searches(self) -> bool:
        """Whether most of the time goes into a search that ended, so that another one can be compared with it."""
        before = self._cost
        return before.ended and before.search is not None and before.search > max(NOISE, before.grounding)

    def _taken(self, one: _Candidate) -> Remedy | None:
        """The program becomes the one with a rewriting, where this helps and the answers are the same."""
        subject, source = self._subject, one.source
        changed = subject.with_source(source, one.changed)
        profile = self._profiled(changed, self._deadline)
        if profile is None:
            return None
        statement = next((each for each in self.profile.statements if each.place == one.measured), None)
        cost = replace(_cost(profile, None), search=self._cost.search, ended=self._cost.ended)
        if self._searches:
            searched = self._searched(changed, cost, FASTER if not self._helps(cost, statement) else SLOWER)
            if searched is None:
                return None
            cost = searched
        elif not self._helps(cost, statement):
            return None
        names = tuple(each.name for each in subject.checks)
        same = names if one.proved else self._same_on(changed)
        if not same and not one.proved:
            return None
        file, written = self._written[fspath(source)]
        text = with_own_includes(one.changed, written)
        remedy = Remedy(
            one.place,
            one.proposal.kind,
            one.proposal.sentence,
            diff_of(written, text),
            text,
            self._cost,
            cost,
            same,
            tuple(name for name in names if name not in same),
            one.proved,
            subject.on,
        )
        self._written[_as_source(one.changed)] = file, text
        self._subject, self._cost, self.profile = changed, cost, profile
        return remedy

    def _same_on(self, changed: Subject) -> tuple[str, ...]:
        """The instances to which all answers are the same; none where those to one of them are not."""
        programs = self._subject.problem, changed.problem
        until, same = Deadline(self._deadline.share(COMPARING)), list[str]()
        for instance in self._subject.checks:
            if until.expired():
                break
            try:
                found = compare(*programs, instances=[instance], limits=Limits(seconds=PATIENCE, solutions=ANSWERS))
            except BridgeError:
                return ()
            if found.equivalent is False:
                return ()
            if found.equivalent:
                same.append(instance.name)
            elif same:  # larger ones are not decided, either
                break
        return tuple(same)

    def _searched(self, subject: Subject, cost: Cost, most: float) -> Cost | None:
        """The cost with that of a search, where the whole takes at most a share of the time before."""
        before = self._cost
        try:
            search = search_of(subject.measured, min(self._deadline.remaining() or 60.0, most * before.seconds + 1))
        except BridgeError:
            return None
        if search is None or search.verdict == "unknown":
            return None
        cost = replace(cost, search=search.seconds)
        return cost if cost.seconds <= most * before.seconds else None


def _candidates(
    subject: Subject, places: Iterable[Place], read: Callable[[str | PathLike[str]], Text]
) -> Iterator[_Candidate]:
    """The rewritings of the statements at some places."""
    texts = [(source, read(source)) for source in subject.problem.sources]
    beside = [[other for _, other in texts if other is not text] for _, text in texts]
    provers = [Prover(text, others) for (_, text), others in zip(texts, beside, strict=True)]
    for place in dict.fromkeys(places):
        for (source, text), others, prover in zip(texts, beside, provers, strict=True):
            # Places of a text have no name of a file.
            if not (place.file == fspath(source) if is_path(source) else not is_path(place.file or "<")):
                continue
            rewriter = Rewriter(text, others)
            for statement in text.statements:
                begin = statement.location.begin
                for one in rewriter.of(statement) if (begin.line, begin.column) == (place.line, place.column) else ():
                    changed = one.applied(text)
                    proved = prover.same_on_every_instance(Text(changed, text.file))
                    if proved or not one.depends:
                        key = f"{text.of(statement)}\0{one.kind}\0{one.sentence}"
                        constrains = one.kind != "domain" and is_constraint(statement)
                        own = text.place(statement)
                        yield _Candidate(own, place, one, source, changed, key, proved, constrains)
