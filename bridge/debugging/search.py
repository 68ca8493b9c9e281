"""The search for a change of a clingo program by which it answers as is expected.

What is expected is a list of cases (`bridge.debugging.trials.Case`): instances with the answers that are right.
Candidates are made by `bridge.debugging.edits` and tried by the solver on all cases, the likeliest first:

1. one change of one statement;
2. other constraints: all constraints are taken out, and of these, their variants, and constraints that programs of
   this sort often have, the cheapest are taken that forbid every wrong answer and no right one (a minimal cover);
3. several changes: from the best variants so far on, the best first (a beam).

What clingo cannot read is first made readable (`reading.mend`). Where a reference is at hand, statements that
it has, too, are suspected last, and candidates that come nearer to it are tried first; nothing of its text is handed
on.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice, product, takewhile, tee
from time import perf_counter
from typing import Any, cast

import clingo
from clingo.ast import AST, ASTType

from bridge.asp import Program
from bridge.asp.reading import (
    Change,
    Context,
    Signature,
    Span,
    Text,
    atoms,
    body_signatures,
    constant_of,
    growing,
    head_signatures,
    is_constraint,
    is_data,
    is_void,
    mended,
    nodes,
    signature_of,
)
from bridge.common import Json
from bridge.debugging import edits, schemas
from bridge.debugging.covers import covers
from bridge.debugging.operators import price
from bridge.debugging.spectrum import instrumented, suspicions
from bridge.debugging.trials import REFUSED, Case, Held, Score, Trials
from bridge.debugging.wishes import Wished
from bridge.errors import BridgeError, ProgramError
from bridge.limits import Deadline, Limits
from bridge.problem import signature as signature_in

#: Variants from which the search goes on, at each number of changes.
BEAM = 10

#: Changes of a repair, at most.
DEPTH = 4

#: How much less facts are suspected than rules: of a predicate that is given by facts alone.
DATA = 2.0

#: How much less a statement is suspected that the reference has, too; how much earlier one is tried that it has alone.
KNOWN, NEARER = 2.5, 0.4

#: Seconds for one variant: so often those of the program itself or of the reference, and the least number of them. Some
#: do not end.
_PATIENCE, _SLOWER, _LEAST = 10, 3, 0.1

#: The share of the time that is left in which changes are made, before the first of them is tried: of a large program
#: not all are.
_MAKING = 0.25

#: The share of the time for what leads to the wrong answers.
_SPECTRUM = 0.2

#: Rules, and constraints, that are new, at most: of hundreds of predicates there are very many.
_NEW = 2_000

#: How far a statement is suspected at least that the reference has not, where it has most of the others.
_OWN = 0.5

#: How much earlier a name is changed wherever it stands.
_EVERYWHERE = 0.8

#: By how much ranks differ at most that are the same.
_SAME = 0.05

#: The share of the time that is left in which others are looked for once there is a repair.
_FURTHER = 0.4

#: What it is worth that no answer is missing any more, or that none is too many.
_ONE_SIDE = 0.3

_FIRES = "lpbridge_fires_"

#: Models that are looked at for wrong answers, on each case.
MODELS = 1_500


@dataclass(frozen=True, slots=True)
class Step(Json):
    """One change."""

    operator: str  #: What sort of change it is: its kind, and what follows after a colon.
    line: int  #: Where the changed statement begins.
    column: int
    before: str  #: The statement, or the line, before and after; empty where it is new, or left out.
    after: str
    part: str = ""  #: The text in `before` that is changed; of a new constraint, what no other statement reads.
    at: int = 0  #: Where in `before` the change begins.

    _json = ("line before after",)

    @property
    def kind(self) -> str:
        return self.operator.partition(":")[0]


@dataclass(frozen=True)
class Variant:
    """A variant of the program."""

    text: str  #: The whole program.
    steps: tuple[Step, ...]  #: How it differs from the author's.
    cost: float  #: How unlikely the steps are, together.
    score: Score  #: How it does on the cases.
    #: Of one that is right: whether that holds of its text as it is run, too.
    held: Held = "yes"

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of the statements that are changed."""
        return tuple(dict.fromkeys(step.line for step in self.steps))


@dataclass
class Found:
    """What a search has found so far."""

    base: Variant  #: The program itself, or what was made of it so that clingo reads it.
    repairs: list[Variant] = field(default_factory=list)  #: Variants that are right on all cases, the likeliest first.
    #: For the line of each statement, by how much one change of it improves what is right.
    gains: dict[int, float] = field(default_factory=dict)
    #: For the line of each statement that tests lead to, how far they make it suspected, and why, in words.
    spectrum: dict[int, tuple[float, str]] = field(default_factory=dict)
    statements: dict[int, str] = field(default_factory=dict)  #: Those of a Prolog program, by their lines.
    complete: bool = False  #: Whether all single changes were tried.
    tried: int = 0
    endless: bool = False  #: Whether the program did not end in its time on an instance.
    several: int = 0  #: The number of statements one of which is changed by a repair, where these are too many to tell.
    unread: tuple[str, ...] = ()  #: Predicates and constants that no rule reads.


def always() -> bool:
    """True."""
    return True


@dataclass(frozen=True)
class Candidate:
    """A variant with one change more, which is made when it is tried. The `rank` says when: the least first.

    One that is not `worth` it comes after all others.
    """

    make: Callable[[], tuple[str, Step]]
    cost: float
    rank: float
    worth: Callable[[], bool] = always

    @classmethod
    def of(cls, text: str, step: Step, cost: float, rank: float) -> Candidate:
        """One that is made already."""
        return cls(lambda: (text, step), cost, rank)

    @cached_property
    def _made(self) -> tuple[str, Step]:
        return self.make()

    @property
    def text(self) -> str:
        """The whole program."""
        return self._made[0]

    @property
    def step(self) -> Step:
        """The change."""
        return self._made[1]


class Search(ABC):
    """The search for repairs of one program: single changes, then changes of the best variants so far (a beam)."""

    #: How much earlier changes of a variant are tried that is right, than of one that is wrong on all cases.
    nearer = 0.0

    def __init__(
        self, source: str, deadline: Deadline | None, on_repair: Callable[[Variant], object] | None = None
    ) -> None:
        self.source, self.deadline = source, deadline or Deadline(None)
        self.trials: Any
        self._on_repair = on_repair
        self._seen: set[str] = set()
        self._endless = self._some = False
        #: For the line of each statement that the faults lead to, how far it is suspected, from 0 to 1, and why.
        self.spectrum: dict[int, tuple[float, str]] = {}

    @abstractmethod
    def _base(self) -> tuple[Variant, Score]:
        """The program as it can be run, and what variants are compared with."""

    @abstractmethod
    def _candidates(self, variant: Variant) -> Iterable[Candidate]:
        """All single changes of a variant."""

    @abstractmethod
    def _held(self, text: str) -> Held:
        """Whether a variant is right on all cases as it is run: the last word, whatever the trials say."""

    def _otherwise(self, base: Variant, level: Sequence[Variant]) -> None:  # noqa: B027  there may be none
        """Look for repairs in another way than by single changes."""

    def _scores(self, texts: Iterable[str]) -> Iterator[Score]:
        scores: Iterator[Score] = self.trials.scores(texts, deadline=self.deadline)
        return scores

    def run(self) -> Found:
        """Search until repairs are found, or the time is up; a ProgramError when the program cannot be read."""
        base, self._start = self._base()
        if base.score.right:
            held = self._held(base.text)
            base = replace(base, held=held, score=base.score._replace(right=held != "no"))
        self.found = found = Found(base, endless=self._endless, spectrum=self.spectrum)
        level = [base]
        if base.score.right:
            found.complete = True
            if base.steps:
                self._add(base)
            return found
        for depth in range(DEPTH):
            if depth and not (level := best_of(level, self._start)):
                break
            level = self._level(level)
            if depth == 0:
                found.complete = not (self._some or self.deadline.expired())
                for one in level:
                    gain = promise(one.score, self._start) - self._start.share
                    for line in one.lines:
                        found.gains[line] = max(found.gains.get(line, -9.0), gain)
            if not found.repairs:
                self._otherwise(base, level)
            if found.repairs or self.deadline.expired():
                break
        found.repairs.sort(key=lambda one: (len(one.steps) > 1, one.cost))
        found.tried = self.trials.tried
        return found

    def _repaired(self, one: Variant) -> bool:
        """Whether a variant that is right by the trials is a repair."""
        held = self._held(one.text)
        if held != "no":
            self._add(replace(one, held=held))
        return held != "no"

    def _add(self, one: Variant) -> None:
        self.found.repairs.append(one)
        if self._on_repair is not None:
            self._on_repair(one)

    def _level(self, variants: Sequence[Variant]) -> list[Variant]:
        """All variants with one change more; those that are right are repairs."""
        candidates = [
            (one.rank + variant.cost - self.nearer * variant.score.share, one, variant)
            for one, variant in self._changes(variants)
        ]
        candidates.sort(key=lambda each: each[0])
        unseen, texts = tee(self._unseen(candidates))
        results: list[Variant] = []
        first: tuple[int, float, Deadline] | None = None
        for (rank, one, variant), score in zip(
            unseen, self._scores(one.text for _, one, _ in texts), strict=False
        ):
            result = Variant(one.text, joined(variant.steps, one.step), variant.cost + one.cost, score)
            results.append(result)
            if score.right and not self._is_void(one.step) and self._repaired(result):
                first = first or (len(results), rank, Deadline(self.deadline.share(_FURTHER)))
            if first is not None and (
                rank > first[1] + self._margin() or first[2].expired() or self._enough(first[0], len(results))
            ):
                break
        return results

    def _changes(self, variants: Iterable[Variant]) -> Iterator[tuple[Candidate, Variant]]:
        """Single changes of variants, as many as can be made in a share of the time, once the first is made."""
        until: Deadline | None = None
        for variant in variants:
            for one in self._candidates(variant):
                yield one, variant
                until = until or Deadline(self.deadline.share(_MAKING))
                if until.expired():
                    self._some = True
                    return

    def _unseen(
        self, candidates: Sequence[tuple[float, Candidate, Variant]]
    ) -> Iterator[tuple[float, Candidate, Variant]]:
        later: list[tuple[float, Candidate, Variant]] = []
        for number, each in enumerate(chain(candidates, later)):
            if number < len(candidates) and not each[1].worth():
                later.append(each)
            elif each[1].text not in self._seen:
                self._seen.add(each[1].text)
                yield each

    def _enough(self, first: int, tried: int) -> bool:
        """Whether a repair, the first of which was found at a number of variants, has been looked for long enough."""
        return False

    def _margin(self) -> float:
        """By how much more unlikely than the first repair others may be that are looked for."""
        return 0.6

    def _is_void(self, step: Step) -> bool:
        """Whether a statement was changed into one that never applies: to leave it out says the same more plainly."""
        return False


class ProgramSearch(Search):
    """The search for repairs of a clingo program."""

    def __init__(
        self,
        text: str,  # the program
        trials: Trials,  # a process with the cases
        *,
        file: str | None = None,  # its file, for what it includes
        shown: Sequence[Signature] = (),  # the predicates of an answer
        given: Sequence[tuple[str, Sequence[str]]] = (),  # the facts of the instances: name and arguments
        constants: Sequence[str] = (),  # constants that instances set
        reference: str | None = None,  # the text of a program that is right
        others: str = "",  # program text that belongs to the program, and is not changed
        wished: Wished | None = None,  # where nothing is known but atoms that are missing, or unwanted
        deadline: Deadline | None = None,
        on_repair: Callable[[Variant], object] | None = None,
    ) -> None:
        super().__init__(text, deadline, on_repair)
        self.wished = wished
        self.file, self.trials = file, trials
        self.shown, self.given, self.constants = tuple(shown), tuple(given), tuple(constants)
        self.others = _text(others)
        self._forms = _Forms(text, reference)
        self._first = 0.0  # the program itself may take as many seconds at least
        self._least = _LEAST if reference is None else self._time_of(reference)

    def _time_of(self, reference: str) -> float:
        """What a variant may take at least: some times what the reference takes, which is right on all cases."""
        own, self.trials.seconds = self.trials.seconds, self.deadline.share(0.2) or 60.0
        began = perf_counter()
        self._score([reference])
        seconds = perf_counter() - began
        least = _LEAST + _SLOWER * seconds
        self.trials.seconds, self._first = max(own, least), _LEAST + _PATIENCE * seconds
        return least

    def on(self, trials: Trials) -> ProgramSearch:
        """The same search with other cases."""
        found = copy(self)
        found.trials, found._seen, found._on_repair = trials, set(), None
        return found

    def _base(self) -> tuple[Variant, Score]:
        base = self._readable()
        self.spectrum = {} if base.score.right or not base.score.loaded else self._spectrum_of(base)
        # Of variants, cases are looked at until one is wrong; they are compared with the same of the program.
        return base, base.score if base.score.right else next(self._scores([base.text]), base.score)

    def _held(self, text: str) -> Held:
        return cast("Held", self.trials.held(text, self.deadline))

    # The program as clingo reads it

    def _readable(self) -> Variant:
        text = Text(self.source, self.file).data.decode()
        steps: list[Step] = []
        cost = 0.0
        result = mended(text)
        if result is None:
            return Variant(text, (), 0.0, Score(False, False, -99.0))
        changed, mends = result
        lines, now = text.split("\n"), changed.split("\n")
        for line in dict.fromkeys(mend.line for mend in mends):
            column = next(mend.column for mend in mends if mend.line == line)
            steps.append(Step("syntax: made readable", line, 1, lines[line - 1], now[line - 1], "", column - 1))
            cost += price("syntax: made readable")
        own, began = self.trials.seconds, perf_counter()
        self.trials.seconds = max(own, self._first)
        base = Variant(changed, tuple(steps), cost, self._score([changed])[0])
        seconds, self.trials.seconds = perf_counter() - began, own
        if base.score.loaded:
            patience = max(self._least, _LEAST + _PATIENCE * seconds)
            self.trials.seconds = min(max(own, _LEAST + _SLOWER * seconds), patience)
        self._endless = base.score == REFUSED
        return self._loaded(base)

    def _spectrum_of(self, base: Variant) -> dict[int, tuple[float, str]]:
        """For the line of each statement that the answers to the first wrong case lead to, its suspicion, and why."""
        pairs = enumerate(zip(self.trials.cases, base.score.surplus, base.score.missing, strict=False))
        wrong = (number for number, (case, *counts) in pairs if any(counts) and case.exactly is not None)
        if (number := next(wrong, None)) is None or self._endless:
            return {}
        text = Text(base.text)
        statements = [*text.statements, *self.others.statements]
        counted = (body_signatures(one) for one in statements if one.ast_type is ASTType.Minimize)
        until = Deadline(self.deadline.share(_SPECTRUM))
        asked = instrumented(text, self.others), number, frozenset[Signature]().union(*counted)
        answers = self.trials.spectrum(*asked, until)
        known = suspicions(statements, answers, self.trials.cases[number].optimal)
        found: dict[int, tuple[float, str]] = {}
        for at, statement in enumerate(text.statements):
            weight, words = known.get(at, (0.0, "what is wrong may come from this"))
            line = statement.location.begin.line
            if self._forms.related and statement.ast_type in (ASTType.Rule, ASTType.Minimize):
                # Few statements are not those of the reference.
                weight = weight / KNOWN if self._forms.known(statement) else max(weight, _OWN)
            if weight > found.get(line, (0.0, ""))[0]:
                found[line] = weight, words
        return found

    def _loaded(self, base: Variant) -> Variant:
        """The least change of each statement that clingo refuses, such as an unsafe one, by which it is taken."""
        while not base.score.loaded and not self.deadline.expired():
            candidates = sorted((one for one, _ in self._changes([base])), key=lambda one: one.cost)
            if self._endless:
                lines = growing(Text(base.text).statements)
                candidates = [one for one in candidates if one.step.line in lines] or candidates
                # Atoms that bound it first: each other change may take all its time.
                candidates.sort(key=lambda one: (one.step.kind != "guard") + 2 * ("not " in one.step.after))
            best: Variant | None = None
            for one, score in zip(candidates, self._scores([each.text for each in candidates]), strict=False):
                if score.share > base.score.share and (score.loaded or not self._endless):
                    cost = base.cost + one.cost
                    better = best is None or (score.share - 0.2 * one.cost) > (
                        best.score.share - 0.2 * (best.cost - base.cost)
                    )
                    if better:
                        best = Variant(one.text, (*base.steps, one.step), cost, score)
                    if self._endless and (score.right or one.step.kind != "guard"):
                        break
            if best is None:
                return base
            base = best
        return base

    def _score(self, texts: Sequence[str]) -> list[Score]:
        found = list(self.trials.scores(texts, full=True, deadline=self.deadline))
        return found or [Score(False, False, -99.0)] * len(texts)

    def _candidates(self, variant: Variant) -> Iterator[Candidate]:
        try:
            text = Text(variant.text)
            statements = text.statements
        except ProgramError:
            return
        context = self._context(text)
        self._forms.look_at(statements)
        undefined = {*context.undefined(), *context.baseless()}
        rules = {head for one in statements if not is_data(one) for head in head_signatures(one)}
        weights = [(self._weight(one, undefined), self._unsuspected(one), one) for one in statements]
        for weight, unsuspected, statement in sorted(weights, key=lambda each: each[0] * each[1]):
            data = is_data(statement) and not head_signatures(statement) & rules
            for change in edits.changes(statement, text, context):
                after = text.after(change, statement)
                if change.by.encode() == text.data[change.begin : change.end]:
                    continue
                if self.wished is not None and not self.wished.allows(statement, after):
                    continue
                step = _step(text, statement, change.operator, after, change.begin, change.end)
                cost = change.cost * (DATA if data else 1.0)
                near = unsuspected * (1.0 if weight == KNOWN else self._nearness(after))
                yield Candidate(partial(_made, text, statement, change, step), cost, cost * weight * near)
        for one in self._new_statements(text, statements, context, undefined):
            if self.wished is None or self.wished.allows_new(one.step.after):
                yield one
        yield from self._renamings(text, statements, context, undefined)

    def _context(self, text: Text) -> Context:
        return Context.of(text, self.others, given=self.given, constants=self.constants, shown=self.shown)

    def _repaired(self, one: Variant) -> bool:
        return not self._loses_all(one) and super()._repaired(one)

    def _loses_all(self, one: Variant) -> bool:
        """Whether a changed rule never fires, or no other atom of an unwanted one's predicate is left: no repair."""
        if self.wished is None or self.wished.lines is None or not self.wished.unwanted or self.given:
            return False  # the facts of an instance are not in its text
        rules = [rule for step in one.steps for rule in _text(step.after).statements if rule.ast_type is ASTType.Rule]
        rules = [rule for rule in rules if not is_constraint(rule)]
        bodies = [f"{_FIRES}{at} :- {'; '.join(map(str, rule.body))}." for at, rule in enumerate(rules) if rule.body]
        try:
            _, before = self._possible(self.source, ())
            fires, after = self._possible(one.text, bodies)
        except BridgeError:  # it is tried as any other
            return False
        return not fires or bool(before and not before & after)

    def _possible(self, text: str, bodies: Sequence[str]) -> tuple[bool, set[str]]:
        """Whether each body has an instance, and the other atoms of the predicates of unwanted ones."""
        unwanted = self.wished.unwanted if self.wished is not None else ()
        texts = text, self.others.data.decode(), "\n".join(bodies)
        with Program(*texts, limits=Limits(seconds=self.deadline.share(0.2))) as program:
            atoms = {
                f"{name}{tuple(map(str, arguments))}"
                for name, arity in map(signature_in, unwanted) for arguments in program.literals(name, arity)
            }
            fires = all(program.literals(body.partition(" ")[0], 0) for body in bodies)
        gone = {f"{one.name}{tuple(map(str, one.arguments))}" for one in map(clingo.parse_term, unwanted)}
        return fires, atoms - gone

    def _margin(self) -> float:
        # A statement of the reference in place of one that it has not is meant: what is less likely is right by chance.
        meant = any(all(map(self._forms.meant, one.steps)) for one in self.found.repairs)
        return _SAME if meant else super()._margin()

    def _is_void(self, step: Step) -> bool:
        again = step.after.strip() and self.source.count(step.after.strip())  # a rule that is there already
        return bool(step.before and step.after) and (bool(again) or any(map(is_void, _text(step.after).statements)))

    def _weight(self, statement: AST, undefined: set[Signature]) -> float:
        """How little a statement is suspected."""
        nothing = undefined & (body_signatures(statement) | head_signatures(statement))
        if self._forms.known(statement) and not nothing & self._forms.own:
            return KNOWN
        return 0.8 if nothing else 1.0

    def _unsuspected(self, statement: AST) -> float:
        """From 1, of one that the wrong answers lead to, to 2."""
        if not self.spectrum:
            return 1.0
        return 2.0 - self.spectrum.get(statement.location.begin.line, (0.0, ""))[0]

    def _nearness(self, after: str, new: bool = False) -> float:
        """Less than 1 for statements that the reference has, and the program has not; more for other new ones."""
        if after and self._forms.lacking(after):
            return NEARER
        return KNOWN if new and self._forms.related else 1.0

    def _new_statements(
        self, text: Text, statements: Sequence[AST], context: Context, undefined: set[Signature]
    ) -> Iterator[Candidate]:
        """Rules for predicates that nothing defines, and constraints."""
        if not statements:
            return

        def added(place: AST, operator: str, rules: Iterable[tuple[str, float]]) -> Iterator[Candidate]:
            return (_added(text, place, rule, operator, cost, self._nearness(rule, True)) for rule, cost in rules)

        last = ([one for one in statements if one.ast_type is ASTType.Rule] or statements)[-1]
        for signature in undefined:
            users = [one for one in statements if signature in body_signatures(one)] or statements[-1:]
            kind = "base" if signature in context.derived else "definition"
            yield from added(users[0], f"{kind}: a form", schemas.definitions(signature, context))
            if signature in self.shown and signature not in context.derived:
                yield from added(statements[-1], "choice: a form", schemas.choices(signature, context))
        minimised = any(one.ast_type is ASTType.Minimize for one in statements)
        if not minimised and any(case.optimal for case in self.trials.cases):
            yield from added(last, "objective: a form", schemas.objectives(context, self.shown))
        about = {name: one for one in statements for name, _ in head_signatures(one)}
        closures = (("rule: a closure", rule) for rule in schemas.closures(context))
        inertia = (("rule: inertia", rule) for rule in schemas.inertia(context))
        for operator, rule in islice(chain(closures, inertia), _NEW):
            yield from added(about.get(rule[0].partition("(")[0], last), operator, [rule])
        for body, cost, unread in islice(schemas.constraints(context, self.shown), _NEW):
            constraint = f":- {body}."
            yield _added(text, last, constraint, "rule: a constraint", cost, self._nearness(constraint, True), unread)

    def _renamings(
        self, text: Text, statements: Sequence[AST], context: Context, undefined: set[Signature]
    ) -> Iterator[Candidate]:
        """A predicate or a constant renamed wherever it stands."""
        for signature, other in product(undefined - context.derived, context.predicates):
            if other[1] != signature[1] or other == signature:
                continue
            if signature in self.shown and other in context.derived and other not in self.shown:
                yield from _renamed(text, statements, other, signature[0])
            elif other in context.given or other in context.derived:
                yield from _renamed(text, statements, signature, other[0])
        names = [one for one in context.constants if one not in self.constants]
        free = {constant_of(node) for statement in statements for node in nodes(statement)} - {""}
        for name, to in product([*names, *sorted({one for one in free if len(one) <= 2} - set(names))], self.constants):
            if name != to:
                yield from _constant_renamed(text, statements, name, to)

    # Constraints

    def _otherwise(self, base: Variant, level: Sequence[Variant]) -> None:
        """Other constraints: of the program, and of the best variants of its other statements."""
        if base.score.loaded:
            context = self._context(Text(base.text))
            unread = (f"{name}/{arity}" for name, arity in context.unread())
            self.found.unread = (*unread, *context.unused())
        cases = [replace(case, recall=True) for case in self.trials.cases if case.exactly is not None]
        if not cases or self.deadline.expired() or not base.score.loaded:
            return
        starts = [base, *best_of(level, self._start)[:4]]
        with self.trials.like(cases) as trials:
            generators: list[Variant] = []
            for start in starts:
                stripped = _without_constraints(start.text)
                if stripped is None:
                    continue
                scores = list(trials.scores([stripped], full=True, deadline=self.deadline))
                if scores and scores[0].right:
                    generators.append(start)
                elif scores and start is base:
                    generators += self._generators(base, trials)
            tried = set[str]()
            for one in sorted(generators, key=lambda each: each.cost)[:12]:
                key = _without_constraints(one.text) or ""
                if key not in tried and not self.deadline.expired():
                    tried.add(key)
                    self._cover(one, cases)
                    if self.found.repairs:
                        return

    def _generators(self, base: Variant, trials: Trials) -> list[Variant]:
        """Variants of the statements that are not constraints, by which no right answer is missing any more."""
        level = [base]
        for _ in range(2):
            candidates: list[tuple[Candidate, Variant, str]] = []
            for one, variant in self._changes(level):
                if one.step.before.lstrip().startswith(":-") or one.step.after.lstrip().startswith(":-"):
                    continue
                stripped = _without_constraints(one.text)
                if stripped is not None:
                    candidates.append((one, variant, stripped))
            candidates.sort(key=lambda each: each[0].rank + each[1].cost)
            results: list[Variant] = []
            scores = trials.scores([each[2] for each in candidates], deadline=Deadline(self.deadline.share(0.5)))
            for (one, variant, _), score in zip(candidates, scores, strict=False):
                results.append(Variant(one.text, joined(variant.steps, one.step), variant.cost + one.cost, score))
            right = [one for one in results if one.score.right]
            if right:
                return sorted(right, key=lambda one: one.cost - one.score.share)[:12]
            level = sorted(results, key=lambda one: 0.05 * one.cost - one.score.share)[:6]
            if self.deadline.expired():
                break
        return []

    def _cover(self, start: Variant, cases: Sequence[Case]) -> None:
        """The cheapest constraints that forbid all wrong answers and no right one."""
        text = Text(start.text)
        stripped = _without_constraints(start.text)
        if stripped is None or not text.statements:
            return
        context = self._context(text)
        bodies: dict[str, tuple[float, Step | None, AST | None]] = {}
        own = [one for one in text.statements if one.ast_type is ASTType.Rule and is_constraint(one)]
        undefined = set(context.undefined())
        for statement in own:
            bodies.setdefault(_body(text.of(statement)), (0.0, None, statement))
        for statement in own:
            weight = self._weight(statement, undefined)
            for change in edits.changes(statement, text, context):
                _, after = text.changed(change, statement)
                if change.kind in ("variant", "rule") or not after.startswith(":-"):
                    continue
                step = _step(text, statement, change.operator, after, change.begin, change.end)
                cost = change.cost * weight * self._nearness(after)
                bodies.setdefault(_body(after), (cost, step, statement))
        last = ([one for one in text.statements if one.ast_type is ASTType.Rule] or text.statements)[-1]
        until = Deadline(self.deadline.share(_MAKING))
        for body, cost, unread in takewhile(lambda _: not until.expired(), schemas.constraints(context, self.shown)):
            if body not in bodies:
                rule = f":- {body}."
                step = _added(text, last, rule, "rule: a constraint", cost, 1.0, unread).step
                bodies[body] = cost * self._nearness(rule), step, None
        chosen = list(bodies)
        with self.trials.like(cases) as trials:
            found = trials.cover(stripped, chosen, MODELS, self.deadline)
        if found is None or any(kills is None for cover in found for kills in cover.good):
            return
        harmful = {number for cover in found for kills in cover.good if kills is not None for number in kills}
        usable = frozenset.intersection(*(cover.usable for cover in found)) - harmful
        costs = {number: bodies[chosen[number]][0] for number in usable}
        kept = {number for number, cost in costs.items() if cost == 0.0}
        wrong = [kills & usable for cover in found for kills in cover.bad if not kills & kept]
        for numbers in covers(wrong, {number: cost for number, cost in costs.items() if number not in kept}):
            several = [bodies[chosen[number]] for number in sorted({*numbers, *kept})]
            result = self._with_constraints(start, text, own, several)
            if result.text in self._seen:
                continue
            self._seen.add(result.text)
            scores = list(self._scores([result.text]))
            if scores and scores[0].right and self._repaired(replace(result, score=scores[0])):
                return

    def _with_constraints(
        self, start: Variant, text: Text, own: Sequence[AST], chosen: Sequence[tuple[float, Step | None, AST | None]]
    ) -> Variant:
        """The program with chosen constraints in place of its own."""
        kept = {id(statement) for _, step, statement in chosen if step is None and statement is not None}
        replaced: dict[int, list[Step]] = {}
        new: list[Step] = []
        cost = start.cost
        for cost_of, step, statement in chosen:
            cost += cost_of
            if step is not None and statement is not None:
                replaced.setdefault(id(statement), []).append(step)
            elif step is not None:
                new.append(step)
        data, steps = text.data, list(start.steps)
        pieces: list[tuple[int, int, str]] = []
        for statement in own:
            begin, end = text.span(statement)
            if id(statement) in replaced:
                variants = replaced[id(statement)]
                afters = [one.after for one in variants]
                if id(statement) in kept:
                    afters.insert(0, text.of(statement))
                    steps += [replace(one, before="", part="") for one in variants]
                else:
                    steps += variants
                pieces.append((begin, end, " ".join(afters)))
            elif id(statement) not in kept:
                pieces.append((begin, end, ""))
                cost += price("rule: a constraint left out")
                steps.append(_step(text, statement, "rule: a constraint left out", "", begin, end))
        for begin, end, by in sorted(pieces, reverse=True):
            lines = data[begin:end].count(b"\n") - by.count("\n")
            data = data[:begin] + by.encode() + b"\n" * lines + data[end:]
        whole = data.decode()
        for step in new:
            whole = whole.rstrip("\n") + f"\n{step.after}\n"
            steps.append(step)
        return Variant(whole, tuple(steps), cost, start.score)


def _text(text: str) -> Text:
    found = Text(text)
    try:
        found.statements  # noqa: B018  read now
    except ProgramError:
        return Text("")
    return found


def _step(text: Text, statement: AST, operator: str, after: str, begin: int, end: int) -> Step:
    first, last = text.span(statement)
    place = text.place(statement)
    before = text.data[first:last].decode()
    part = text.data[max(begin, first) : min(end, last)].decode()
    at = len(text.data[first:begin].decode()) if begin > first else 0
    return Step(operator, place.line or 1, place.column or 1, before, after, part, at)


def _added(
    text: Text, place: AST, rule: str, operator: str, cost: float, nearness: float, unread: str = ""
) -> Candidate:
    """A rule after a statement, on its last line."""
    _, end = text.span(place)
    begin = text.place(place)
    step = Step(operator, begin.line or 1, begin.column or 1, "", rule, unread)
    change = Change("rule", end, end, f" {rule}")
    return Candidate(partial(_made, text, place, change, step), cost, cost * nearness)


def _made(text: Text, statement: AST, change: Change, step: Step) -> tuple[str, Step]:
    """The whole text with a change: only of a candidate that is tried."""
    return text.changed(change, statement)[0], step


def _renamed(text: Text, statements: Sequence[AST], signature: Signature, to: str) -> Iterator[Candidate]:
    several = ((one, atom) for one in statements for atom in atoms(one) if signature_of(atom) == signature)
    places = [(one, text.span(atom.symbol)[0]) for one, atom in several]
    spans = [(one, (begin, begin + len(signature[0].encode()))) for one, begin in places]
    if len(spans) > 1:
        yield _everywhere(text, spans, to, "predicate: everywhere")


def _constant_renamed(text: Text, statements: Sequence[AST], name: str, to: str) -> Iterator[Candidate]:
    several = (one for one in statements if one.ast_type is not ASTType.Definition or one.name != name)
    spans = [(one, text.span(node)) for one in several for node in nodes(one) if constant_of(node) == name]
    if spans:
        yield _everywhere(text, spans, to, "term: a constant everywhere")


def _everywhere(text: Text, places: Sequence[tuple[AST, Span]], to: str, operator: str) -> Candidate:
    """Names in statements replaced, each at its place."""
    spans = sorted({span for _, span in places})

    def replaced(begin: int, end: int) -> str:
        parts, at = list[bytes](), begin
        for first, last in spans:
            if begin <= first < end:
                parts += [text.data[at:first], to.encode()]
                at = last
        return b"".join([*parts, text.data[at:end]]).decode()

    begin, end = text.span(places[0][0])
    first = next(span for span in spans if begin <= span[0] < end)
    step = _step(text, places[0][0], operator, replaced(begin, end), *first)
    cost = price(operator)
    return Candidate.of(replaced(0, len(text.data)), step, cost, cost * _EVERYWHERE)


def joined(steps: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """Steps with one more; of two of the same statement, one from the first text to the last."""
    for number, one in enumerate(steps):
        if one.line == step.line and one.after and one.after == step.before and one.kind != "syntax":
            joined = replace(step, before=one.before, part=one.part, at=one.at)
            return (*steps[:number], joined, *steps[number + 1 :])
    return (*steps, step)


def promise(score: Score, base: Score) -> float:
    """How near a variant comes to what is expected: more than its share where it puts one side right.

    As it does that lacks no answer any more, though it has too many; or has none too many, and lacks no more.
    """
    at = min(len(score.missing), len(base.missing))
    before, now = (sum(base.surplus[:at]), sum(base.missing[:at])), (sum(score.surplus[:at]), sum(score.missing[:at]))
    better = (before[1] > 0 and now[1] == 0) or (before[0] > 0 and now[0] == 0 and now[1] <= before[1])
    return score.share + (_ONE_SIDE if better else 0.0)


def best_of(level: Iterable[Variant], base: Score) -> list[Variant]:
    """The variants from which a further change may do it, the best first, and few of one statement."""
    found: list[Variant] = []
    shares: dict[tuple[int, ...], int] = {}
    for one in sorted(level, key=lambda each: 0.02 * each.cost - promise(each.score, base)):
        if promise(one.score, base) <= base.share or not one.score.loaded:
            break
        if shares.get(one.lines, 0) < 3:
            shares[one.lines] = shares.get(one.lines, 0) + 1
            found.append(one)
        if len(found) == BEAM:
            break
    return found


def _without_constraints(text: str) -> str | None:
    try:
        program = Text(text)
        statements = program.statements
    except ProgramError:
        return None
    data = program.data
    for statement in sorted(statements, key=lambda one: program.span(one)[0], reverse=True):
        if statement.ast_type is ASTType.Rule and is_constraint(statement):
            begin, end = program.span(statement)
            data = data[:begin] + data[end:]
    return data.decode()


def _body(constraint: str) -> str:
    return constraint.strip().removeprefix(":-").strip().removesuffix(".").strip()


# The form of a statement


class _Forms:
    """Which statements of a program a reference has, too, up to the names of variables and the order of bodies.

    Predicates that only one of the two has may be called otherwise in the other: their names do not count.
    """

    def __init__(self, text: str, reference: str | None) -> None:
        own, other = _text(text), _text(reference or "")
        #: Predicates that may mean the same: only one of the two has them.
        self.own = _predicates(own) ^ _predicates(other)
        self._own_names = {name for name, _ in self.own}
        self._reference = Counter(map(self._form, other.statements)) if reference else Counter[str]()
        self.look_at(own.statements)

    def look_at(self, statements: Iterable[AST]) -> None:
        """The statements of the variant in question: what the reference has and they have not is lacking.

        It is `related` where it has most of them.
        """
        self._here = Counter(map(self._form, statements)) if self._reference else Counter[str]()
        self._left = self._reference - self._here
        self._names = {self._words(form) for form in self._left}
        self.related = (self._here & self._reference).total() > self._here.total() / 2

    def known(self, statement: AST) -> bool:
        """Whether the reference has a statement, as often as the variant has it."""
        if not self._reference:
            return False
        form = self._form(statement)
        return self._here[form] <= self._reference[form]

    def meant(self, step: Step) -> bool:
        """Whether a statement that the reference has not becomes one that is lacking."""
        before, after = _text(step.before).statements, _text(step.after).statements
        alone = len(before) == len(after) == 1
        return alone and self.lacking(step.after) and not self._reference[self._form(before[0])]

    def lacking(self, text: str) -> bool:
        """Whether statements are among those that are lacking."""
        if not self._left:
            return False
        # Of one statement the names alone nearly always say that it is none of them.
        if ". " not in text and self._words(text) not in self._names:
            return False
        forms = {self._form(one) for one in _text(text).statements}
        return any(one in self._left for one in forms) and all(one in self._reference for one in forms)

    def _words(self, text: str) -> tuple[str, ...]:
        """The names in a text, in order; those of own predicates count as one, whatever they stand for there."""
        return tuple(sorted("own" if name in self._own_names else name for name in _CONSTANT.findall(text)))

    def _form(self, statement: AST) -> str:
        if statement.ast_type not in (ASTType.Rule, ASTType.Minimize):
            return str(statement)
        names: dict[str, str] = {}
        used = head_signatures(statement) | body_signatures(statement)
        own = {name.removeprefix("-") for name, _ in used & self.own} - {name for name, _ in used - self.own}

        def alike(found: re.Match[str]) -> str:
            """A word where it does not matter which variable it is, and which of the own names."""
            return "_" if not found[0][0].islower() else "own" if found[0] in own else found[0]

        def named(found: re.Match[str]) -> str:
            word = alike(found)
            return word if word != "_" or found[0] == "_" else names.setdefault(found[0], f"V{len(names)}")

        literals = sorted(map(str, statement.body), key=lambda one: _NAME.sub(alike, one))
        counted = statement.ast_type is ASTType.Minimize
        head = f"{statement.weight}@{statement.priority} {[*map(str, statement.terms)]}" if counted else statement.head
        return _NAME.sub(named, f"{head} :- {'; '.join(literals)}")


_NAME = re.compile(r"\b[A-Za-z_][A-Za-z0-9_']*")
_CONSTANT = re.compile(r"\b(?!false\b)[a-z][A-Za-z0-9_']*")  # clingo writes `#false` before a constraint


def _predicates(text: Text) -> set[Signature]:
    return {one for each in text.statements for one in head_signatures(each) | body_signatures(each)}
