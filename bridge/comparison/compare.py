"""Compare engines and programs on the same instances: do they agree, what does each cost, and where do they differ?

    >>> from bridge.problem.asp import AspProblem
    >>> found = compare(AspProblem("{ a; b } = 1."), AspProblem("{ a; b }."))
    >>> found.difference.has, found.difference.lacks, found.difference.text
    ('<text 2>', '<text 1>', 'the empty answer')

Whatever is compared is a contender (`bridge.comparison.contenders`); a result of one on one instance is a row. A
difference is an answer to an instance that one contender has and another has not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice, permutations
from operator import methodcaller
from os import PathLike
from time import perf_counter
from typing import Any

from bridge.asp.given import unknown_constant
from bridge.asp.reading.outline import Signature, signatures
from bridge.asp.reading.text import texts_of
from bridge.common.closing import Closing
from bridge.common.english import plural
from bridge.comparison.answers import text, written
from bridge.comparison.comparison import GENERATED, ROWS, Comparison, Difference, Row
from bridge.comparison.containment import same_programs
from bridge.comparison.contenders import AspContender, Contender, PrologContender, Reason, contender, renamed
from bridge.comparison.generator import Generator
from bridge.comparison.instance import Instance, instance_of
from bridge.comparison.predicates import compared_by, derived, missing_instance, sentence
from bridge.errors import BridgeError, InputError, LimitError, MissingSolverError, ProgramError, UnsupportedError, brief
from bridge.limits import Deadline, Limits, takes_limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.public import public

#: Answers of an incomplete contender that are looked for in another one.
TRIED = 20

#: The default: all answers, or a thousand of them, within ten seconds, unless the instances have another one.
LIMITS = Instance.limits

#: After those whose times are shown one by one, instances may be solved together: so many at a time, as far as the
#: generator finds them in so many seconds.
BATCH, BATCH_SECONDS = 256, 0.05


@public("bridge")
@takes_limits("seconds", "solutions", "nodes")
def compare(*contenders: Any, instances: Any = None, names: Sequence[str] | None = None,
            show: str | Iterable[str] | None = None, limits: Limits = LIMITS, deadline: float | None = None,
            on_progress: Callable[[Row], object] | None = None) -> Comparison:
    """Put the same question to each contender: have they the same answers, what does each cost, where do they differ?

    Where they differ, the `difference` on a smallest instance is in the result, with an answer that one has and the
    other has not, and the reason; `scope` says on which instances they were compared. Instances that are given are all
    compared. Those of a generator are tried in the order of their size, up to the first on which contenders differ.

    Each engine first solves the first instance once, unmeasured, so that loading and grounding what is shared by
    instances is not charged to the first row. The phases `load`, `ground` and `post` of the instance itself are in its
    row.

    Parameters
    ----------
    contenders
        Paths of programs, `module:function`, functions, problems (`bridge.program`, with `optimal` its answers are
        those of least cost; `bridge.goal`), names of engines; without any, those that the instances name. A function is
        called with the instance and yields answers, in a process of its own.
    instances
        A `Generator`; or one or a list of these: paths of facts, facts as text, `Instance`s, problems of a part.
        Without instances the programs are compared as they are.
    names
        The names of the instances; by default numbers from 1, or those of their files.
    show
        What an answer consists of: `"cell/3"`. By default what a clingo program shows, and the variables of a goal.
    limits
        The limits of each contender on each instance. By default 10 seconds and 1000 answers, or what is usual for the
        instances: `Instance.limits`.
    deadline
        Seconds for all instances together.
    on_progress
        Called with each row as soon as it is known.

    Raises
    ------
    InputError
        When the generator has no answer set.
    Interrupted
        On Ctrl-C, with the comparison so far in `partial`.
    """
    source = instances if isinstance(instances, Generator) else None
    if source is not None and names is not None:
        raise InputError("the instances of a generator have names of their own")
    given = [] if source is not None else instances_of(instances)
    usual = given[0].contenders if given else ()
    if not (contenders or usual):
        raise InputError("there is nothing to compare", hint='compare("one.lp", "other.lp")')
    bare = source is None and not any(one.facts or one.kind for one in given)
    with _Comparing(contenders or usual, limits, on_progress, show, bare) as comparing:
        clock = Deadline(deadline)
        if source is None:
            if names is not None:
                if isinstance(names, str) or len(names) != len(given):
                    raise InputError(f"{brief(names)} are not the names of {plural(len(given), 'instance')}")
                given = [replace(one, name=name) for one, name in zip(given, names, strict=True)]
            given = [replace(one, name=one.name or str(number)) for number, one in enumerate(given, 1)]
            if given:
                facts = frozenset((name, len(row)) for one in given for name, row in one.facts)
                comparing.prepare(given[0], facts)
            return comparing.run(given, None, clock)
        found = source.instances(clock.within(Limits()))
        first = next(found, None)
        if first is None:
            if source.exhausted:
                raise InputError(f"the generator {source.title} has no answer set", hint="`diagnose` says why")
            raise LimitError("the time limit came before the first instance was generated")
        comparing.prepare(first, source.signatures, source)
        return comparing.run(chain([first], found), source.most, clock, source)


def instances_of(of: Any) -> list[Instance]:
    if of is None:
        return [Instance(name="as it is")]
    if isinstance(of, str | PathLike | Mapping) or not isinstance(of, Iterable):
        of = [of]
    return [instance_of(one) for one in of]


def show_hint(shows: Iterable[frozenset[Signature] | None]) -> str:
    """How to say what an answer is, with a predicate that a program shows."""
    named = sorted(signature for shown in shows for signature in shown or ())
    name, arity = named[0] if named else ("cell", 3)
    return f"say it: --show {name}/{arity}, or show='{name}/{arity}'"


def settled(programs: Sequence[AspContender]) -> frozenset[Signature] | None:
    """What an answer of clingo programs consists of that show the same: that, or what they have in common.

    None where that is everything.
    """
    for one in programs:
        if one.shows is not None or _beyond_outline(one):
            return one.shows
    outlines = [one.problem.outline for one in programs]
    by = compared_by(outlines) if outlines else frozenset()
    return by if by < frozenset().union(*map(derived, outlines)) else None


def _beyond_outline(one: AspContender) -> bool:
    """Whether a program shows more than the atoms of its rules and facts."""
    outline = one.problem.outline
    return outline.terms or outline.scripts or bool(one.problem.theory)


def generator_notes(generator: Generator | None) -> tuple[str, ...]:
    """What clingo warns of in the generator, one line each."""
    warned = [] if generator is None else generator.warnings
    return tuple(f"the generator {generator.title}: {' '.join(one.split())}" for one in warned if generator is not None)


class _Comparing(Closing):
    """A comparison at work: its contenders, and the rows so far. With `bare`, there are no facts."""

    def __init__(self, given: Iterable[Any], limits: Limits, on_progress: Callable[[Row], object] | None,
                 show: str | Iterable[str] | None, bare: bool) -> None:
        self._stack = ExitStack()
        self._limits, self._on_progress, self._bare = limits, on_progress, bare
        self._show = None if show is None else signatures(show)
        self.rows: list[Row] = []
        self.contenders: list[Contender] = []
        self._kind = ""
        self._prepared = False
        try:
            for one in given:
                made = self._stack.enter_context(contender(one, show=self._show))
                if not (made.only and made.name in self._names):
                    self.contenders.append(made)
            self._tell_apart()
        except BaseException:
            self._stack.close()
            raise

    @property
    def _names(self) -> list[str]:
        return [one.name for one in self.contenders]

    def _tell_apart(self) -> None:
        """Give contenders of one name numbers."""
        for name in {name for name in self._names if self._names.count(name) > 1}:
            for number, one in enumerate([one for one in self.contenders if one.name == name], 1):
                one.name = f"<text {number}>" if name == "<text>" else f"{name} ({number})"

    def close(self) -> None:
        self._stack.close()

    def prepare(self, first: Instance, facts: frozenset[Signature], generator: Generator | None = None) -> None:
        """Load all contenders, and settle what an answer consists of; `facts` are the predicates of the instances."""
        self._prepared = True
        self._kind = first.kind
        if self._limits is LIMITS:  # nothing else was said
            self._limits = first.limits
        for one in self.contenders:
            with suppress(MissingSolverError):  # its rows say so
                one.prepare(first, self._limits)
        if not first.kind:
            self._check_constants(first, generator)
        show = self._show if first.kind or self._show is not None else self._settled(first)
        for one in self.contenders:
            one.settle(show, facts)

    def _check_constants(self, first: Instance, generator: Generator | None) -> None:
        """Refuse a constant that none of the programs has."""
        for name in first.constants:
            if not any(map(methodcaller("has_constant", name), filter(None, [*self.contenders, generator]))):
                known = {each for one in self._of_clingo for each in one.problem.outline.constants}
                raise unknown_constant(name, sorted(known))

    def _settled(self, first: Instance) -> frozenset[Signature] | None:
        """What an answer consists of where it was not given: what the clingo programs show, if that is the same.

        None where that is all that they show.
        """
        programs = self._of_clingo
        shows = {one.shows for one in programs}
        outlines = {(one.problem.outline.shown, one.problem.outline.terms) for one in programs}
        if len(outlines) > 1 or (shows == {None} and not all(one.is_clingo for one in self.contenders)):
            more = {True: " and terms", False: ""}
            said = [f"{_predicates(one.problem.outline.shown)}{more[one.problem.outline.terms]}" for one in programs]
            told = "; ".join(f"{one.name} shows {what}" for one, what in zip(programs, said, strict=True))
            raise InputError(f"what is an answer? {told}", hint=self._renaming(first, programs) or show_hint(shows))
        return settled(programs)

    @property
    def _sentence(self) -> str | None:
        """By what answers are compared, in words; None where that is no predicate."""
        programs = self._of_clingo
        if self._kind or not (self._prepared and programs):
            return None
        known = frozenset[Signature]().union(*(derived(one.problem.outline) for one in programs))
        by = programs[0].show or programs[0].shows
        if by is not None:
            return sentence(by, known - by)
        every = not any(map(_beyond_outline, programs))
        return sentence(known) if every else "answers are compared by all that the programs show"

    def _renaming(self, first: Instance, programs: Sequence[AspContender]) -> str | None:
        """The predicate that one program shows, and that is likely another one's under a different name."""
        limits = Limits(seconds=self._limits.seconds)
        for one, other in permutations(programs, 2):
            for of in sorted(one.shows or ()):
                if (meant := renamed(first, one, other, of, limits)) is not None:
                    names = _predicates(frozenset([of])), _predicates(frozenset([meant]))
                    return f"{names[0]} of {one.name} is likely {names[1]} of {other.name}: they have the same atoms"
        return None

    def run(self, instances: Iterable[Instance], most: int | None, clock: Deadline,
            generator: Generator | None = None) -> Comparison:
        """Compare on all instances, or those of a generator until the first difference."""
        seen = _Seen(generator)
        try:
            for instance, finished in self._ahead(iter(instances), generator, most):
                seen.reach(finished)
                if (most is not None and len(seen.done) >= most) or clock.expired():
                    seen.stopped = True
                    break
                rows = list(self._rows(instance))
                seen.add(instance, rows, self._lack(instance, rows))
                if seen.disagreements and generator is not None:
                    seen.stopped = True
                    break
            found = self._so_far(seen)
            if seen.first is None:
                return replace(found, proved=not seen.disagreements and self._proved())
            return replace(found, difference=self._difference(*seen.first, seen))
        except KeyboardInterrupt:
            seen.stopped = True
            raise Interrupted(self._so_far(seen)) from None

    def _so_far(self, seen: _Seen) -> Comparison:
        return Comparison(self._kind, tuple(one.name for one in seen.done), tuple(self._names), tuple(self.rows),
                          tuple(seen.disagreements), undecided=tuple(seen.undecided),
                          notes=(*self._notes(), *generator_notes(seen.generator)), compared_by=self._sentence,
                          warnings=tuple(dict.fromkeys(warning for one in self.contenders for warning in one.warnings)),
                          **seen.end)

    def _rows(self, instance: Instance) -> Iterator[Row]:
        for one in self.contenders:
            self.rows.append(self._row(one, instance))
            if self._on_progress is not None:
                self._on_progress(self.rows[-1])
            yield self.rows[-1]

    def _proved(self) -> bool:
        """Whether the contenders are two clingo programs that are proved to have the same answers."""
        if len(self.contenders) != 2 or len(self._of_clingo) != 2 or self._kind:
            return False
        if len({repr((one.problem.options, one.problem.constants)) for one in self._of_clingo}) > 1:
            return False
        programs, shows = self._of_clingo, {one.show or one.shows for one in self._of_clingo}
        one, other = (texts_of(each.problem.sources) for each in programs)
        (shown,) = shows if len(shows) == 1 else (None,)
        try:
            return same_programs(one, other, lambda predicate: shown is not None and predicate not in shown)
        except ProgramError:
            return False

    def _ahead(self, instances: Iterator[Instance], generator: Generator | None,
               most: int | None) -> Iterator[tuple[Instance, str | None]]:
        """The instances, each with what the generator had finished before it; contenders may solve several together."""
        alone = ROWS if generator is None else GENERATED
        done, size = 0, 1
        while True:
            if done >= alone:
                size = min(2 * size if size > 1 else alone, BATCH)
            batch: list[tuple[Instance, str | None]] = []
            due = perf_counter() + BATCH_SECONDS
            # Of one more than the most it is only known that there is one.
            for instance in islice(instances, size if most is None else max(min(size, most - done), 1)):
                batch.append((instance, None if generator is None else generator.finished))
                if perf_counter() > due:
                    break
            if not batch:
                return
            if len(batch) > 1:
                for one in self.contenders:
                    one.expect([instance for instance, _ in batch], self._limits)
            yield from batch
            done += len(batch)

    @property
    def _of_clingo(self) -> list[AspContender]:
        return [one for one in self.contenders if isinstance(one, AspContender)]

    def _notes(self) -> Iterator[str]:
        programs = self._of_clingo
        if self._bare and len(programs) == len(self.contenders):
            yield from filter(None, [missing_instance(*(one.problem for one in programs))])
        repeats = [one.name for one in self.contenders if isinstance(one, PrologContender) and one.repeats]
        if repeats:
            yield f"{' and '.join(repeats)}: an answer that comes more than once is compared once"
        costly = [one for one in programs if self._prepared and one.problem.outline.costs and not one.problem.optimal]
        if costly:
            names = " and ".join(one.name for one in costly)
            yield f"all answer sets of {names} are compared, whatever they cost; `optimal` changes that"

    def _row(self, one: Contender, instance: Instance) -> Row:
        limits, started = self._limits, perf_counter()
        try:
            outcome = one.answers(instance, limits).collect()
        except (MissingSolverError, UnsupportedError) as error:
            return Row(instance.name, one.name, None, 0.0, str(error))
        except Interrupted:
            raise KeyboardInterrupt from None
        except BridgeError as error:
            if one.only:  # a wrong solution, an unknown limit: no matter of this instance
                raise
            partial = error.partial if isinstance(error.partial, Outcome) and error.partial.solutions else None
            return Row(instance.name, one.name, partial, perf_counter() - started, str(error))
        error_text = outcome.remark if outcome.limit in ("halt", "crash") else None
        seconds = sum(outcome.statistics.seconds.values()) if one.together else perf_counter() - started
        return Row(instance.name, one.name, outcome, seconds, error_text)

    def _lack(self, instance: Instance, rows: Sequence[Row]) -> Lack | None:
        """An answer that one contender has and another one has not, of the first pair that differs."""
        known = [(one, row.outcome) for one, row in zip(self.contenders, rows, strict=True) if row.outcome is not None]
        lacks = (missing(instance, one, other, self._limits) for one, other in combinations(known, 2))
        return next(filter(None, lacks), None)

    def _difference(self, instance: Instance, lack: Lack, seen: _Seen) -> Difference:
        has, lacks, answer = lack
        smaller = sum(one.size < instance.size for one in seen.done if one.name in {*seen.undecided})
        try:
            reason = lacks.why_not(instance, answer, Limits(seconds=self._limits.seconds))
        except BridgeError as error:
            reason = Reason(note=f"the reason was not found: {error.message}")
        if reason.atom is not None and not reason.missing:
            limits = Limits(seconds=self._limits.seconds)
            atoms = instance.atoms(answer)
            for of in sorted({(name, len(row)) for name, row in atoms if written((name, row)) == reason.atom}):
                other = renamed(instance, has, lacks, of, limits)
                reason = replace(reason, renamed=None if other is None else _predicates(frozenset([other])))
        return Difference(instance, has.name, lacks.name, answer, reason, smaller)


#: The contender that has an answer, the one that lacks it, and the answer.
Lack = tuple[Contender, Contender, Any]


@dataclass
class _Seen:
    """What is known of the instances so far."""

    generator: Generator | None
    done: list[Instance] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    first: tuple[Instance, Lack] | None = None  #: A smallest one on which contenders differ.
    stopped: bool = False  #: Whether there may be others.
    finished: str | None = None  #: The last size of which all instances were seen,
    within: int = 0  #: and how many instances there are up to it.

    def reach(self, finished: str | None) -> None:
        """Note what the generator had finished before the next instance."""
        if finished != self.finished:
            self.finished, self.within = finished, len(self.done)

    def add(self, instance: Instance, rows: Sequence[Row], lack: Lack | None) -> None:
        self.done.append(instance)
        if (said := _contradiction(instance.name, rows)) is not None:
            self.disagreements.append(said)
        elif lack is not None:
            has, lacks, _ = lack
            self.disagreements.append(f"{instance.name}: {has.name} has an answer that {lacks.name} does not have")
        elif not all(row.complete for row in rows):
            self.undecided.append(instance.name)
        if lack is not None and (self.first is None or instance.size < self.first[0].size):
            self.first = instance, lack

    @property
    def end(self) -> dict[str, Any]:
        """How far a generator came."""
        if self.generator is None:
            return {}
        beyond = len(self.done) - self.within
        if self.stopped:
            return {"finished": self.finished, "beyond": beyond, "exhausted": False}
        # All instances that there were have been compared.
        finished = self.generator.finished
        exhausted = self.generator.exhausted
        return {"finished": finished, "beyond": beyond if finished == self.finished else 0, "exhausted": exhausted}


#: A contender and what it answered.
Answered = tuple[Contender, Outcome[Any]]


def missing(instance: Instance, one: Answered, other: Answered, limits: Limits) -> Lack | None:
    """An answer that one of two contenders has and the other has not, the smallest such; None where none is known.

    Where both were stopped by a limit, the first answers of one are looked for in the other, if it can be asked.
    """
    for (has, part), (lacks, whole) in ((one, other), (other, one)):
        if whole.complete and (more := set(part.solutions) - set(whole.solutions)):
            return has, lacks, min(more, key=_least)
    if one[1].complete or other[1].complete:
        return None
    for (has, part), (lacks, found) in ((one, other), (other, one)):
        for answer in sorted(set(part.solutions) - set(found.solutions), key=_least)[:TRIED]:
            known = lacks.has(instance, answer, limits)
            if known is False:
                return has, lacks, answer
            if known is None:  # it cannot be asked
                break
    return None


def _least(answer: Any) -> Any:
    return (len(answer), text(answer)) if isinstance(answer, frozenset) else (0, str(answer))


def _predicates(shows: frozenset[Signature] | None) -> str:
    return "everything" if shows is None else ", ".join(f"{name}/{arity}" for name, arity in sorted(shows)) or "nothing"


def _contradiction(instance: str, rows: Sequence[Row]) -> str | None:
    """A contradiction between two contenders. One stopped by a limit contradicts only by the solutions it found."""
    known = [(row, row.outcome) for row in rows if row.outcome is not None]
    for (one, a), (other, b) in combinations(known, 2):
        if Verdict.UNKNOWN not in (a.verdict, b.verdict) and a.verdict != b.verdict:
            return f"{instance}: {one.engine} says {a.verdict}, {other.engine} says {b.verdict}"
        # A complete set of solutions contains those of every other contender.
        for whole, part, x, y in ((a, b, one, other), (b, a, other, one)):
            if whole.complete and not set(part.solutions) <= set(whole.solutions):
                return f"{instance}: {y.engine} has a solution that {x.engine}, complete, does not have"
    return None
