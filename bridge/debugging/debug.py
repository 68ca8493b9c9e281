"""`debug`: which statement of a program is wrong, what should it say, and what proves it?

What is wrong is said by a reference, by tests, or by an atom that should be there, or should not. A search
(`bridge.debugging.search`) looks for the smallest change by which the solver finds what is expected, and the result
names the changed statements; where no change was found, those whose changes come nearest.

The idea is that of mutation-based fault localisation and of counterexample-guided repair; for answer set programs see
DWASP (Dodaro et al., 2015), Ouroboros (Oetsch et al., 2010) and FormHe (Brancas et al., arXiv 2410.20962).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import compress
from os import PathLike
from typing import Any

from bridge import compare
from bridge.common import Closing, listed, plural, public, read_source, regex
from bridge.comparison import Comparison, Generator, Instance, missing_instance, written
from bridge.debugging.asking import Interview, Oracle, Question, divided
from bridge.debugging.cases import (
    Asked,
    Expected,
    expected_of_reference,
    expected_of_wishes,
    given_of,
    instances_given,
    joined_text,
    reference_of,
    refuse_steps,
    shared_constants,
    values_of,
    with_constants,
)
from bridge.debugging.expectations import cases_of, tests_of
from bridge.debugging.goals import debug_goals
from bridge.debugging.operators import TWINS
from bridge.debugging.result import Debugging
from bridge.debugging.search import Found, ProgramSearch, Variant
from bridge.debugging.suspects import HOW_FAR, NearBy, Shown, confirmed, preferred, result_of
from bridge.debugging.trials import REFUSED, Answers, Case, Score, Trials
from bridge.debugging.wishes import Wished, wished_for
from bridge.errors import BridgeError, InputError, LimitError, UnsupportedError
from bridge.limits import Deadline, Limits, takes_limits
from bridge.linting.lint import certain, lint
from bridge.outcome import Interrupted
from bridge.problem import AspProblem, PrologProblem, is_prolog, sources_of, warnings_of

#: Of `debug`, unless said otherwise.
LIMITS = Limits(seconds=20.0)

#: Seconds for one variant on all cases.
_PATIENCE = 0.5

#: Answers of a variant on an instance, of which the questions are made.
_ANSWERS = 60

_SCRIPT = regex(r"(?m)^[ \t]*#script\b")


@public("bridge")
@takes_limits("seconds", "solutions")
def debug(
    problem: AspProblem | PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str] | PrologProblem],
    *,
    against: Any = None,
    instances: Any = None,
    missing: str | Iterable[str] = (),
    unwanted: str | Iterable[str] = (),
    given: str | Iterable[str] = (),
    facts: bool = False,
    tests: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    oracle: Oracle | None = None,
    limits: Limits = LIMITS,
    on_progress: Callable[[Debugging], object] | None = None,
) -> Debugging:
    """Which statement of a program is wrong, and what should it say?

    Parameters
    ----------
    problem
        The program: a file, text of a clingo program, or several, of which the first is in question. Or
        `bridge.program`, which says more: the constants, which a reference gets, too; what an answer consists of
        (`show`), by default what the reference shows, or chooses; whether only answers of least cost count
        (`optimal`), by default where the reference minimises something; whether it is confined. Of a Prolog program, a
        goal with wrong answers (`bridge.goal`), or a list of goals of one program: without a reference and an oracle,
        each should end, without an error.
    against
        A reference, which is right: as a contender of `bridge.compare`. Nothing of its text is in the result. Of a
        Prolog program a file, several, or goals, as for `problem`.
    instances
        Of a clingo program, as for `bridge.compare`: files of facts, or a `Generator`. The search begins with the first
        30 of a generator. With a clingo reference, a repair is then held against it on all others that there are time
        for; where they differ, the search goes on with that instance.
    missing
        Atoms, with `not` or without, that some answer should have, all of them; of a Prolog program, goals that should
        succeed, and end.
    unwanted
        Atoms that no answer should have, each; or goals that should fail.
    given
        Atoms of the answer that is meant by `missing` and `unwanted`, of a clingo program.
    facts
        Of `missing` and `unwanted`, whether facts and `#const` of the program are in question, as its rules are.
    tests
        Files, or texts, with tests (`bridge.debugging.expectations`), all of which should pass. Of a Prolog program,
        tests of plunit; where nothing else is said, those in the program and in the `.plt` file beside it.
    oracle
        Somebody who knows which answers are meant: a function that is called with a `Question` and replies True,
        False, or None where that is not known. The time that it takes is not counted.
    limits
        Seconds for all of it.
    on_progress
        Called with the result so far: with each repair that is found, and before repairs are looked for, where the
        cause of an atom of `missing` or `unwanted` is known (`because`).

    Raises
    ------
    InputError
        When it is not said what is wrong.
    Interrupted
        On Ctrl-C, with the result so far in `partial`.
    """
    if oracle is not None and against is not None:
        raise InputError("a reference knows which answers are meant: nobody is asked", hint="give one of them")
    deadline = Deadline(limits.seconds)
    texts = _several(tests)
    if is_prolog(problem):
        if given or facts or instances is not None:
            raise InputError("instances, `given` and `facts` are of clingo programs", hint="say it in the goals")
        wishes = _several(missing), _several(unwanted)
        return debug_goals(problem, against, *wishes, oracle, deadline, on_progress, texts)
    target = _program(problem)
    source = instances if isinstance(instances, Generator) else None
    reference = None if against is None else reference_of(against)
    shared = shared_constants(target, reference)
    instances_ = instances_given(instances, shared)
    tests_ = [one for each in texts for one in tests_of(each)]
    if texts or not (against or missing or unwanted or oracle):
        tests_ += [one for each in target.sources for one in tests_of(each)]
    tests_ = [replace(one, given=with_constants(one.given, shared)) for one in tests_]
    cases = cases_of(target, tests_)
    if tests_ and not instances:
        instances_ = [one.given for one in tests_]
    if instances is None and not (cases or oracle or missing or unwanted or given):
        _refuse_without_instance(target, reference)
    by = f"passes {'the test' if len(tests_) == 1 else f'the {len(tests_)} tests'}" if tests_ else None
    asked = Asked(_several(missing), _several(unwanted), _several(given))
    if reference is None:
        wanted = expected_of_wishes(target, instances_, asked, cases, deadline, by=by, oracle=oracle is not None)
    else:
        wanted = expected_of_reference(target, instances_, asked, cases, deadline, reference)
    known: Wished | None = None
    if against is None and asked.wishes and not (cases or oracle):
        here = target.with_instance(instances_[0].facts, constants=instances_[0].constants) if instances_ else target
        limits = deadline.within(Limits(seconds=_PATIENCE * 4))
        known = wished_for(here, asked.missing, asked.unwanted, asked.given, limits, bool(target.optimal))
        remarks = [one for one in certain(here, rules=known.rules) if one.level == "info"] if known.rules else []
        known = replace(known, facts=facts)
        known = replace(known, because=(*known.because, *(f"{one.place}: {one.sentence}" for one in remarks)))
    with _Debugging(target, wanted, deadline, on_progress, known) as debugging:
        try:
            if on_progress is not None and known is not None and known.because:
                on_progress(debugging.result(()))
            debugging.search()
            debugging.refute()
            if oracle is not None:
                debugging.interview(Interview(oracle, deadline))
            debugging.prefer()
            if source is not None and wanted.reference is not None:
                debugging.prove(source)
        except KeyboardInterrupt:
            raise Interrupted(debugging.result(())) from None
        result = debugging.result(debugging.shown())
    if result.right and known is not None:
        result = replace(result, proved_by=_kept(target, wanted.cases, asked, deadline))
    if result.right and against is None and asked.wishes and not target.optimal and target.outline.costs:
        result = replace(result, proved_by=f"{result.proved_by}; its costs were not looked at (--optimal does)")
    if result.right and against is not None:
        result = replace(result, proved_by=f"{result.proved_by}; {wanted.compared}")
    facts_given, left = [(name, len(terms)) for name, terms in wanted.given], deadline.remaining()
    within = Limits(seconds=None if left is None else max(left, _PATIENCE * 2))
    sure = () if result.right else lint(target, given=facts_given, limits=within).certain
    return replace(result, lint=sure, warnings=_warnings(target, wanted.cases, deadline))


class _Debugging(Closing):
    """The search for repairs of a clingo program, and what they are held against."""

    def __init__(
        self,
        target: AspProblem,
        wanted: Expected,
        deadline: Deadline,
        on_progress: Callable[[Debugging], object] | None,
        known: Wished | None = None,
    ) -> None:
        self._stack = ExitStack()
        self._target, self._wanted, self._deadline = target, wanted, deadline
        self._file, self._text = read_source(target.sources[0])
        self._others = joined_text(target.sources[1:])
        #: What is expected, with what became known since.
        self._cases = wanted.cases
        self._held_against: Callable[[], str] = lambda: wanted.by
        self._near = NearBy()
        self._proved: dict[str, str] = {}
        self._interview: Interview | None = None
        self._marks: dict[str, Any] = {}
        self._because = () if known is None else known.because
        self._trials = self._stack.enter_context(
            Trials(self._cases, self._others, **target.confinement, seconds=_PATIENCE)
        )
        if wanted.smaller and self._is_wrong(wanted.smaller) and self._is_wrong(self._cases):
            self._trials = self._like((*wanted.smaller, *self._cases))
        self._search = ProgramSearch(
            self._text,
            self._trials,
            file=self._file,
            shown=wanted.results or wanted.show,
            given=wanted.given,
            constants=wanted.constants,
            reference=wanted.reference,
            others=self._others,
            wished=known,
            deadline=deadline,
            on_repair=None if on_progress is None else lambda _: on_progress(self.result(())),
        )

    def close(self) -> None:
        self._stack.close()

    def _held(self, variant: Variant) -> str:
        """What is known of a variant, in words."""
        held = self._held_against() + HOW_FAR[variant.held] + self._near.of(variant.text)
        return self._proved.get(variant.text) or held

    def _like(self, cases: Sequence[Case]) -> Trials:
        return self._stack.enter_context(self._trials.like(cases))

    def _is_wrong(self, cases: Sequence[Case]) -> bool:
        with self._trials.like(cases) as trials:
            trials.seconds = self._deadline.share(0.1) or 60.0
            score = next(trials.scores([self._text], full=True, deadline=self._deadline), REFUSED)
        return score.loaded and not score.right

    def search(self) -> None:
        """See what the program does on each case, and look for repairs."""
        self._found = self._search.run()
        self._marks = self._marked()

    def _marked(self) -> dict[str, Any]:
        """On how many cases the program does what is expected; or why clingo refuses it, or where it does not end."""
        base = self._found.base
        score = base.score
        if base.steps:
            score = next(self._trials.scores([self._text], full=True, deadline=self._deadline), REFUSED)
        marks: dict[str, Any] = {"cases": len(self._cases)}
        if score.loaded:
            return marks | {"passed": sum(score.passed)}
        for number, case in enumerate(self._cases):
            try:
                limits = self._deadline.within(Limits(seconds=_PATIENCE * 2))
                answers = self._trials.answers(self._text, number, 1, limits)
            except LimitError:
                answers = Answers("limit", ())
            if answers.how == "refused":
                try:
                    _warned(self._target, case, Deadline(None))
                except BridgeError as error:
                    return marks | {"refused": str(error)}
                return marks | {"refused": answers.why}
            if answers.how == "limit":
                return marks | {"endless": case.name or instance_text(case)}
        return marks

    def _again(self, *cases: Case) -> Found:
        """Search once more, with further cases."""
        return self._search.on(self._like([*self._trials.cases, *cases])).run()

    def refute(self) -> None:
        """Where the program is wrong by answers that were not looked at, find one of them, and search with it."""
        if self._found.base.held == "yes" or self._wanted.reference is None:
            return
        for bare in self._wanted.cases:
            # Its facts are part of both programs: an instance may have choices and constraints of its own.
            compared = self._compared(self._found.base, Instance(constants=values_of(bare.constants)), bare.facts)
            if compared is not None and compared.difference is not None:
                break
        else:
            return
        gap = compared.difference
        kind = "lacks" if gap.has == compared.engines[0] else "has"
        case = replace(bare, exactly=None, wishes=((kind, tuple(sorted(map(written, gap.answer)))),))
        self._cases = (*self._cases, case)
        self._trials = self._like(self._cases)
        self._found = self._search.on(self._trials).run()
        self._marks = self._marked()

    def prefer(self) -> None:
        """Repairs that are right on instances near by come first; where there is none, one is looked for."""
        extra, wished = self._wanted.extra, self._search.wished
        about = None if wished is None else wished.lines
        if about is not None:
            gains = {line: gain for line, gain in self._found.gains.items() if line in about}
            self._found.gains = gains or self._found.gains
            if not extra:
                self._found.repairs.clear()
        if not self._found.repairs or not extra:
            return

        def shares(some: Sequence[Variant]) -> Iterator[float]:
            scores = near.scores([one.text for one in some], full=True, deadline=self._deadline)
            for one, score in zip(some, scores, strict=False):
                # Other atoms go, too, that are derived as the unwanted one is: from one atom alone.
                twins = about is not None and one.steps[-1].operator == TWINS
                yield 1.0 if twins else _share_right(score, len(extra))

        if wished is not None and (wished.missing or wished.derived):
            self._found.repairs[:] = self._fewest(self._found.repairs)
        near = self._like(extra)
        known = preferred(self._found, shares, lambda: self._again(*extra).repairs)
        if about is not None:
            # An unwanted atom is gone by nearly every change; one that changes other answers, too, is no repair.
            self._found.repairs[:] = [one for one in self._found.repairs if known.get(one.text) == 1.0]
            if wished is not None and wished.derived:
                # A constraint that is new forbids the occasion; one of what nothing reads so far says more.
                says = [all(step.before + step.part for step in one.steps) for one in self._found.repairs]
                self._found.repairs[:] = compress(self._found.repairs, says)
        self._near.be(known, self._wanted.near, lambda text: near.held(text, self._deadline))

    def _fewest(self, repairs: Sequence[Variant]) -> list[Variant]:
        """Those repairs by which the atoms come or go that were asked about, and the fewest others.

        A rule without its conditions derives a missing one, too, and all else; nearly any change does away with one.
        """
        cases = [replace(case, show=self._wanted.show, wishes=()) for case in self._cases]
        with self._trials.like(cases) as trials:

            def atoms(text: str) -> set[tuple[int, str]] | None:
                """The atoms of the first answers, with the number of the case."""
                limits = self._deadline.within(Limits(seconds=_PATIENCE))
                try:
                    several = [trials.answers(text, number, _ANSWERS, limits).answers for number in range(len(cases))]
                except LimitError:
                    return None
                return {(number, atom) for number, some in enumerate(several) for answer in some for atom in answer}

            before = atoms(self._text)
            after = {one.text: atoms(one.text) for one in repairs}
        sizes = {text: len(found ^ before) for text, found in after.items() if found is not None and before is not None}
        least = min(sizes.values(), default=0)
        return [one for one in repairs if sizes.get(one.text, 0) == least or one.steps[-1].operator == TWINS]

    def prove(self, generator: Generator) -> None:
        """Hold the first repair, or what seems right, against the reference on the generator's instances, in time.

        An instance on which they differ is a case from then on (counterexample-guided; Solar-Lezama 2006).
        """
        found, counterexamples = self._found, list[Case]()
        while (found.repairs or found.base.score.right) and not self._deadline.expired():
            first = found.repairs[0] if found.repairs else found.base
            compared = self._compared(first, generator)
            if compared is None or compared.equivalent:
                if compared is not None:
                    self._proved[first.text] = f"gives the answers of the reference on {compared.scope}"
                return
            if compared.difference is None:
                return
            case = self._wanted.answered(self._target, given_of(compared.difference.instance), self._deadline)
            if case is None or case in counterexamples:
                return
            counterexamples.append(case)
            if first is found.base:
                self._cases = (*self._cases, case)
                self._trials = self._like(self._cases)
                self._found = found = self._search.on(self._trials).run()
                continue
            with self._trials.like([case]) as trials:
                scores = trials.scores([one.text for one in found.repairs], full=True, deadline=self._deadline)
                wrong = {one.text for one, score in zip(found.repairs, scores, strict=False) if not score.right}
            found.repairs[:] = [one for one in found.repairs if one.text not in wrong]
            found.repairs = found.repairs or self._again(*counterexamples).repairs

    def _compared(self, variant: Variant, instances: Instance | Generator, facts: str = "") -> Comparison | None:
        """A variant and the reference on facts, or on those of a generator; None when the time is up first."""
        wanted, left = self._wanted, self._deadline.remaining()
        show = [f"{name}/{arity}" for name, arity in wanted.show]
        target = self._target
        like: dict[str, Any] = {"constants": target.constants, "optimal": wanted.optimal, **target.confinement}
        try:
            return compare(
                AspProblem(variant.text, self._others, facts, **like),
                AspProblem(wanted.reference or "", facts, **like),
                instances=instances,
                show=show,
                deadline=left,
                limits=Limits(seconds=_PATIENCE * 4, solutions=1000),
            )
        except BridgeError:
            return None

    def interview(self, interview: Interview) -> None:
        """Ask which answers are meant, until what is left of the repairs answers alike."""
        bare = [replace(case, wishes=()) for case in self._wanted.asked]
        answering = self._like(bare)
        labels = [instance_text(case) for case in bare]

        def answers(text: str) -> Iterator[Question]:
            for number, label in enumerate(labels):
                try:
                    found = answering.answers(text, number, _ANSWERS, self._deadline.within(Limits(seconds=2)))
                except BridgeError:
                    continue
                if found.how == "all" and not found.answers:
                    yield Question(label, None)
                yield from (Question(label, one) for one in sorted(found.answers, key=_short))

        def known() -> list[Case]:
            """What is known, as cases."""
            found: list[Case] = []
            for case, label in zip(bare, labels, strict=True):
                replies = {one.answer: meant for one, meant in interview.known if one.instance == label}
                wishes = [("has" if meant else "lacks", one) for one, meant in replies.items() if one is not None]
                verdict = {True: "sat", False: "unsat"}.get(replies[None]) if None in replies else None
                if replies:
                    found.append(replace(case, wishes=tuple(wishes), verdict=verdict))
            return found

        self._interview = interview
        self._held_against = lambda: f"fits {plural(len(interview.known), 'reply', 'replies')}"
        found = divided(self._found, interview, answers, lambda: self._again(*known()))
        self._trials = trials = self._like([*self._cases, *known()])
        self._found = confirmed(found, lambda text: trials.held(text, self._deadline))

    def shown(self) -> Shown:
        """What shows the fault."""
        return _shown(self._found, self._trials)

    def result(self, shown: Shown) -> Debugging:
        """What was found so far."""
        found = getattr(self, "_found", None) or getattr(self._search, "found", None)
        if found is None:  # the search has not begun
            return Debugging((), False, None, None, None, self._wanted.by, False, because=self._because)
        notes = self._wanted.notes
        result = result_of(found, self._text, self._file, self._held, shown, self._deadline, notes=notes)
        result = result if self._interview is None else self._interview.as_replied(result)
        return replace(result, because=() if result.right else self._because, **self._marks)


def _warnings(target: AspProblem, cases: Sequence[Case], deadline: Deadline) -> tuple[str, ...]:
    """What clingo warns of on every instance, as far as there is time; nothing where it refuses the program."""
    found: dict[str, None] | None = None
    for case in cases:
        if found == {} or deadline.expired():
            break
        try:
            here = _warned(target, case, deadline)
        except BridgeError:
            break
        found = {one: None for one in here if found is None or one in found}
    return tuple(found or ())


def _warned(target: AspProblem, case: Case, deadline: Deadline) -> tuple[str, ...]:
    """What clingo warns of on an instance; an error, with the place in its file, where it refuses the program."""
    within, problem = Limits(seconds=_PATIENCE * 4), target.with_instance(case.facts, constants=case.constants)
    with problem.program(limits=deadline.within(within)) as program:
        program.models(limits=deadline.within(replace(within, solutions=1))).collect()
        return warnings_of(program)


def _kept(target: AspProblem, cases: Sequence[Case], asked: Asked, deadline: Deadline) -> str:
    """What a program does that has the atoms that are asked for, and not the others.

    Raises InputError where it has no answer at all, and so none with an atom that is unwanted.
    """
    none = listed(asked.unwanted, "or") + (f", given {listed(asked.given)}" if asked.given else "")
    if asked.missing:
        some = f"has an answer with {listed([*asked.given, *asked.missing])}"
        return f"{some}, and none with {none}" if asked.unwanted else some
    for case in cases:
        limits = deadline.within(Limits(seconds=_PATIENCE))
        with target.with_instance(case.facts, constants=case.constants).program(limits=limits) as program:
            if program.solve(assuming=asked.given, limits=limits).satisfiable is not False:
                return f"has no answer with {none}"
    hint = "`lpbridge diagnose` says why; what should hold is said by --missing ATOM"
    some = f" with {listed(asked.given)}" if asked.given else ""
    raise InputError(f"the program has no answer{some}, and so none with {listed(asked.unwanted, 'or')}", hint=hint)


def _share_right(score: Score, cases: int) -> float:
    """The share of the cases on which all is right."""
    if score.right or not score.loaded:
        return float(score.right)
    return sum(not (more or less) for more, less in zip(score.surplus, score.missing, strict=True)) / cases


def _several(of: Any) -> list[Any]:
    return [of] if isinstance(of, str | PathLike) else list(of)


def _program(of: object) -> AspProblem:
    """The program in question, its first source, with those that it is loaded with."""
    target = of if isinstance(of, AspProblem) else AspProblem(*sources_of(of))
    if not target.sources:
        raise InputError("there is no program")
    refuse_steps(target)
    if _SCRIPT.search(joined_text(target.sources)):
        hint = "leave the script out, and write what its functions give as facts"
        raise UnsupportedError(
            "`debug` runs no scripts: a program with `#script` cannot be changed and tried", hint=hint
        )
    return target


def _refuse_without_instance(target: AspProblem, reference: Any) -> None:
    """Refuse an encoding and a reference that use the same predicates, with no fact of any: all is right of nothing.

    Raises InputError when an instance is missing.
    """
    known = [reference] if isinstance(reference, AspProblem) else []
    if (lacking := missing_instance(target, *known)) is not None:
        raise InputError(lacking, hint="its facts: -i FILE; or --generator FILE")


def _shown(found: Found, trials: Trials) -> Shown:
    """The smallest instance on which the program is wrong, an answer too many there, and one that is missing."""
    score: Score = found.base.score
    if score.right or not score.loaded:
        return ()
    for number, case in enumerate(trials.cases[: len(score.surplus)]):
        if not (score.surplus[number] or score.missing[number]):
            continue
        instance = instance_text(case)
        wishes = dict(reversed(case.wishes))
        if case.exactly is None:
            return instance, wishes.get("lacks"), wishes.get("has")
        own = trials.answers(found.base.text, number, 2 * len(case.exactly) + 30, Limits(seconds=5))
        answers, meant = set(own.answers), set(case.exactly)
        surplus = min(answers - meant, key=_short, default=None) if case.complete else None
        lost = min(meant - answers, key=_short, default=None) if own.how == "all" else None
        return instance, surplus, lost
    return ()


def instance_text(case: Case) -> str:
    """The constants and facts of a case, in a line."""
    constants = [f"{name} = {value}." for name, value in case.constants.items()]
    return " ".join([*constants, *case.facts.split()]) or "(no facts)"


def _short(answer: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    return len(answer), answer
