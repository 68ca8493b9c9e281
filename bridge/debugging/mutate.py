"""Mutation testing: which small mistakes in an encoding do its tests not notice?

    >>> found = mutate("{ a; b } = 1. :- a, not b.", ["% no facts\\n"])
    >>> [mutant.change.after for mutant in found.survived]
    [':- not b.', ':- a.']

Each mutant (`bridge.debugging.mutants`) is run on the tests until one of them notices it: first those of
`bridge.debugging.expectations` (`%! test one lesson: unique`), then instances, the smallest first. On an instance the
answers of a second program are expected, or else those of the encoding itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import Any, Literal, cast, get_args

from bridge.asp.reading import Signature, Text, source_of, texts_of
from bridge.common import Json, Key, how_ended, is_path, plural, public, short
from bridge.comparison import (
    LIMITS,
    AspContender,
    Contender,
    Generator,
    Instance,
    Prover,
    answer_text,
    contender,
    generator_notes,
    instances_of,
    missing,
    scope_text,
    settled,
    show_hint,
    signatures,
)
from bridge.debugging.expectations import ProgramTest, tests_of
from bridge.debugging.goal_mutants import SuiteOfMutants
from bridge.debugging.goal_mutants import mutants as mutants_of_clauses
from bridge.debugging.mutants import Mutant, mutants
from bridge.debugging.plunit import read_suite
from bridge.debugging.testing import of_plunit, run_test
from bridge.errors import BridgeError, InputError, ProgramError, UnsupportedError
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted, Outcome
from bridge.problem import AspProblem, is_prolog

#: What became of a mutant. `equivalent`: it is proved to have the same answers on every instance, so that no test can
#: notice it. `invalid`: it is not a program. `undecided`: a limit came first on some test.
Status = Literal["noticed", "survived", "equivalent", "invalid", "undecided"]

_STATUS: dict[Status, str] = {
    "noticed": "noticed",
    "survived": "not noticed",
    "undecided": "not decided",
    "equivalent": "the same program",
    "invalid": "no program",
}

#: A mutant that is stopped by a limit on so many tests is tried on no further ones: its grounding may be endless.
PATIENCE = 3


@dataclass(frozen=True, slots=True)
class Tried(Json):
    """A mutant, and what became of it."""

    change: Mutant  #: The mutant.
    status: Status  #: Whether a test noticed it.
    #: The test or instance on which it was noticed: of instances from a generator, a smallest one.
    by: ProgramTest | Instance | None = None
    how: str | None = None  #: What differs there, in words; why it is invalid or undecided.

    _json = ("*change status by how",)


def _name(by: ProgramTest | Instance) -> str:
    return f"{by.place}: {by.name}" if isinstance(by, ProgramTest) else by.file or str(by) or "no facts"


def _number(status: Status, found: Mutation) -> int:
    return len(found.of(status))


@public("bridge")
@dataclass(frozen=True, slots=True)
class Mutation(Json):
    """The result of `mutate`.

    Attributes
    ----------
    program
        The name of the encoding.
    against
        The name of the second program, if there is one.
    tests
        The number of tests and instances that each mutant was run on, unless it was noticed before.
    scope
        Which instances these are, in words.
    mutants
        The mutants, in the order of the encoding.
    notes
        What clingo warns of in the generator.
    """

    program: str
    against: str | None
    tests: int
    scope: str
    mutants: tuple[Tried, ...]
    notes: tuple[str, ...] = ()

    __repr__ = short

    def of(self, status: Status) -> tuple[Tried, ...]:
        """The mutants with a status."""
        return tuple(one for one in self.mutants if one.status == status)

    @property
    def survived(self) -> tuple[Tried, ...]:
        """Those that no test noticed."""
        return self.of("survived")

    def __str__(self) -> str:
        return self.text()

    def text(self, *, every: bool = False) -> str:
        """The mutants that were not noticed, or all, and their numbers."""
        return "\n".join(self._lines(every))

    def _lines(self, every: bool) -> Iterator[str]:
        for one in self.mutants:
            if every or one.status in ("survived", "undecided"):
                yield f"{_STATUS[one.status]}: {one.change.diff}"
                if one.how is not None:
                    on = "" if one.by is None else f"{_name(one.by)}: "
                    yield f"  {on}{one.how}"
        numbers = [f"{len(some):,} {text}" for status, text in _STATUS.items() if (some := self.of(status))]
        yield f"{plural(len(self.mutants), 'mutant')} on {self.scope}: {', '.join(numbers) or 'none'}"
        yield from (f"note: {note}" for note in self.notes)

    _json = (
        "program against tests scope",
        *(Key(name, int, partial(_number, name)) for name in get_args(Status)),
        "mutants notes",
    )


@public("bridge")
@takes_limits("seconds", "solutions")
def mutate(
    encoding: str | PathLike[str] | Sequence[str | PathLike[str]],
    tests: Any = None,
    *,
    against: Any = None,
    show: str | Iterable[str] | None = None,
    limits: Limits = LIMITS,
    on_progress: Callable[[Tried], object] | None = None,
) -> Mutation:
    """Leave out or change the rules of an encoding one at a time: which changes do the tests not notice?

    Parameters
    ----------
    encoding
        A file or program text; of a list the first is changed, and the others are loaded with it. Of a Prolog program,
        its tests are those of plunit in its files, in the `.plt` files beside them, and in `tests`.
    tests
        Paths of tests, or instances as for `bridge.compare`: facts, `Instance`s, or a `Generator`. The tests in the
        encoding itself count, too.
    against
        A second program, as for `bridge.compare`: what it answers is expected.
    show
        What an answer consists of: `"cell/3"`. By default what the encoding shows.
    limits
        Of each run of a mutant.
    on_progress
        Called with each mutant when it is known what became of it.

    Raises
    ------
    InputError
        When there are neither tests nor a second program, or the encoding itself does not do what is expected.
    Interrupted
        On Ctrl-C, with the result so far in `partial`.
    """
    if is_prolog(encoding):
        if against is not None or show is not None or isinstance(tests, Generator):
            raise UnsupportedError("mutants of a Prolog program are run on its tests", hint="give a .plt")
        return _of_plunit(encoding, tests, limits, on_progress)
    several = isinstance(encoding, Sequence) and not isinstance(encoding, str)
    first, *others = sources = list(cast("Sequence[str]", encoding)) if several else [cast(str, encoding)]
    for one in sources:
        source_of(one)  # or an error
    source = tests if isinstance(tests, Generator) else None
    own, instances = _tests(first, None if source is not None else tests)
    if not (own or instances) and source is None and against is None:
        raise InputError("there is nothing to notice a mutant", hint="give tests, a second program, or a generator")
    cases: list[Instance] = []
    if source is not None:
        cases, scope = _generated(source)
        scope = f"{plural(len(own), 'test')} and {scope}" if own else scope
    else:
        if instances or not own or against is not None:
            cases = sorted(instances_of(instances), key=lambda one: one.size)
            cases = [replace(one, name=one.name or str(number)) for number, one in enumerate(cases, 1)]
        scope = plural(len(own) + len(cases), "test")
    original = AspContender(AspProblem(first, *others))
    tried: list[Tried] = []
    with ExitStack() as stack:
        wanted = None if show is None else signatures(show)
        reference = original if against is None else stack.enter_context(contender(against, show=wanted))
        name = None if against is None else reference.name

        def so_far() -> Mutation:
            number = len(own) + len(cases)
            return Mutation(original.name, name, number, scope, tuple(tried), generator_notes(source))

        if not (own or cases):
            raise InputError("there is no instance to test with")
        shown = wanted
        if cases:
            original.prepare(cases[0], limits)
            if reference is not original:
                if reference.only:
                    hint = "give a second program"
                    raise UnsupportedError(f"{reference.name} answers {reference.only} and nothing else", hint=hint)
                reference.prepare(cases[0], limits)
            shown = wanted if wanted is not None else _settled(original, reference)
            for program in (original, reference):
                program.settle(shown, frozenset((name, len(row)) for one in cases for name, row in one.facts))
        try:
            for each in own:
                if (broken := run_test(original.problem, each, limits)).status == "failed":
                    message = f"the encoding itself fails the test {each.name}: {broken.reason}"
                    raise InputError(message, where=each.place)
            for program in (original, reference):
                program.expect(cases, limits)
            expected = [_expected(reference, original, case, limits) for case in cases]
            texts = texts_of(sources)
            prover = Prover(texts[0], texts[1:])
            for change in mutants(first):
                with AspContender(AspProblem(change.text, *others), shown, "the mutant") as mutant:
                    result = _tested(mutant, change, own, limits)
                    if result is None or result.status == "undecided":
                        result = _run(mutant, change, list(zip(cases, expected, strict=True)), limits, result)
                if result.status in ("survived", "undecided") and _is_equivalent(prover, change, texts[0]):
                    result = Tried(change, "equivalent")
                tried.append(result)
                if on_progress is not None:
                    on_progress(tried[-1])
        except KeyboardInterrupt:
            raise Interrupted(so_far()) from None
        return so_far()


def _of_plunit(
    encoding: Any, tests: Any, limits: Limits, on_progress: Callable[[Tried], object] | None
) -> Mutation:
    """The same of a Prolog program, on its tests of plunit."""
    sources = [encoding] if isinstance(encoding, str | PathLike) else list(encoding)
    suite = read_suite(sources, [tests] if isinstance(tests, str | PathLike) else list(tests or ()))
    if suite is None:
        raise InputError("there is nothing to notice a mutant", hint="give tests of plunit, in a .plt")
    judge = SuiteOfMutants(sources, suite, limits)
    if (broken := next((one for one in judge.results if one.status != "passed"), None)) is not None:
        raise InputError(f"the program itself fails the test {broken.name}: {broken.reason}", where=broken.place)
    name, tried = str(sources[0]) if is_path(sources[0]) else "the program", list[Tried]()

    def so_far() -> Mutation:
        number = len(judge.results)
        return Mutation(name, None, number, plural(number, "test"), tuple(tried))

    try:
        for mutant, by, how in judge.noticed(mutants_of_clauses(sources[0])):
            status: Status = "noticed" if by is not None else "survived" if how is None else "invalid"
            tried.append(Tried(mutant, status, None if by is None else of_plunit(by), how))
            if on_progress is not None:
                on_progress(tried[-1])
    except KeyboardInterrupt:
        raise Interrupted(so_far()) from None
    return so_far()


def _settled(original: AspContender, reference: Contender) -> frozenset[Signature] | None:
    """What an answer consists of: what the encoding shows, or what both programs are compared by."""
    if original.shows is None and reference.shows is not None:
        raise InputError("what is an answer?", hint=show_hint([reference.shows]))
    both = [original, reference] if isinstance(reference, AspContender) else [original]
    return settled(both)


def _generated(source: Generator) -> tuple[list[Instance], str]:
    """The instances of a generator, and which they are, in words."""
    cases: list[Instance] = []
    finished, within = source.finished, 0
    for case in source.instances():
        if source.finished != finished:
            finished, within = source.finished, len(cases)
        if len(cases) == source.most:
            return cases, scope_text(len(cases), finished, len(cases) - within, False)
        cases.append(case)
    return cases, scope_text(len(cases), source.finished, 0, source.exhausted)


#: A mutant that so many tests have not noticed is run on the others together: most are noticed by the first ones.
ALONE = 10


def _tests(first: str | PathLike[str], tests: Any) -> tuple[list[ProgramTest], Any]:
    """The tests of an encoding and those of files, and the rest of `tests`: instances; None where that is none."""
    several = list(tests) if isinstance(tests, list | tuple) else [tests] * (tests is not None)
    own, rest = tests_of(first), []
    for one in several:
        found = tests_of(one) if isinstance(one, str | PathLike) else []
        own += found
        rest += [] if found else [one]
    return own, (None if not rest else tests if len(rest) == len(several) else rest)


def _expected(
    reference: Contender, original: AspContender, case: Instance, limits: Limits
) -> tuple[Contender, Outcome[Any]]:
    """The answers that are expected on an instance; those of the encoding itself are held against them first."""
    answers = reference.answers(case, limits).collect()
    if reference is not original:
        outcome = original.answers(case, limits).collect()
        if (lack := missing(case, (original, outcome), (reference, answers), limits)) is not None:
            has, lacks, answer = lack
            description = f"{has.name} has an answer that {lacks.name} has not: {answer_text(answer)}"
            raise InputError(f"the two programs differ on {case}: {description}", hint="`lpbridge compare` says why")
    return reference, answers


def _tested(mutant: AspContender, change: Mutant, tests: Sequence[ProgramTest], limits: Limits) -> Tried | None:
    """Run a mutant on tests until one notices it, or it is invalid; None when all passed."""
    undecided: Tried | None = None
    with mutant.problem.backend.opened():
        for one in tests:
            own = one if not one.sources else replace(one, sources=(change.text,))  # what sees its own file alone
            try:
                result = run_test(mutant.problem, own, limits)
            except BridgeError as error:
                if isinstance(error, ProgramError) and _is_no_program(mutant):
                    return Tried(change, "invalid", None, error.message)
                undecided = Tried(change, "undecided", None, str(error))
                continue
            if result.status == "failed":
                return Tried(change, "noticed", one, result.reason)
            if result.status == "undecided":
                undecided = Tried(change, "undecided", None, f"{result.reason} on {one.name}")
    return undecided


def _run(
    mutant: AspContender,
    change: Mutant,
    cases: Sequence[tuple[Instance, tuple[Contender, Outcome[Any]]]],
    limits: Limits,
    before: Tried | None,
) -> Tried:
    """Run a mutant on instances until one notices it; `before` is what tests left open."""
    undecided = None if before is None else before.how
    failed = stopped = 0
    for number, (case, (reference, answers)) in enumerate(cases):
        if stopped == PATIENCE:
            break
        if number == ALONE:
            mutant.expect([one for one, _ in cases[number:]], limits)
        try:
            outcome = mutant.answers(case, limits).collect()
        except ProgramError as error:
            failed, undecided = failed + 1, str(error)
            if failed == 1 and case is cases[0][0] and _is_no_program(mutant):
                return Tried(change, "invalid", None, error.message)
            continue
        except BridgeError as error:
            undecided = str(error)
            continue
        if (lack := missing(case, (mutant, outcome), (reference, answers), limits)) is not None:
            has, _, answer = lack
            which = "an answer more" if has is mutant else "an answer less"
            return Tried(change, "noticed", case, f"{which}: {answer_text(answer)}")
        if not (outcome.complete and answers.complete):
            stopped += 1
            undecided = how_ended(outcome.limit or answers.limit, f"on {case.name}")
    if cases and failed == len(cases):
        return Tried(change, "invalid", None, undecided)
    return Tried(change, "survived" if undecided is None else "undecided", None, undecided)


def _is_equivalent(prover: Prover, change: Mutant, text: Text) -> bool:
    """Whether a mutant is proved to have the same answers on every instance."""
    try:
        return prover.same_on_every_instance(Text(change.text, text.file), hidden=lambda _: False)
    except ProgramError:
        return False


def _is_no_program(mutant: AspContender) -> bool:
    """Whether the mutant alone, without an instance, is refused, too: a variable is unsafe."""
    try:
        with mutant.problem.program() as program:
            program.ground()
    except ProgramError:
        return True
    return False
