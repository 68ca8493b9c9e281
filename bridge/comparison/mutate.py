"""Mutation testing: which small mistakes in an encoding do its tests not notice?

    >>> found = mutate("{ a; b } = 1. :- a, not b.", ["% no facts\\n"])
    >>> [mutant.change.after for mutant in found.survived]
    [':- not b.', ':- a.']

Each mutant (`bridge.asp.mutants`) is run on the tests, the smallest first, until one of them notices it. A test is an
instance; what is expected stands in its file, or is what a second program answers, or else what the encoding itself
answers. Lines of a test's file say what is expected:

    % expect: unique            one of unique, ambiguous, impossible
    % expect: 12 answers
    % expect: queen(1,2) queen(2,4) queen(3,1) queen(4,3)      an answer; all such lines are all answers
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, cast

from bridge.asp.given import source_of
from bridge.asp.mutants import Mutant, mutants
from bridge.asp.outline import Signature
from bridge.common.english import plural
from bridge.common.short import short
from bridge.comparison.answers import Answer, of_atoms, signatures, written
from bridge.comparison.compare import (
    MOST,
    PROGRAM_LIMITS,
    generator_notes,
    generator_of,
    instances_of,
    missing,
    show_hint,
)
from bridge.comparison.comparison import answer_text, scope_text
from bridge.comparison.contenders import AspContender, Contender, ProgramContender, PrologContender, contender
from bridge.comparison.generator import Generator
from bridge.comparison.instance import Instance, atoms_of_text
from bridge.errors import BridgeError, InputError, Place, ProgramError, UnsupportedError
from bridge.limits import Limits, takes_limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.problem.asp import AspProblem
from bridge.public import public

#: What became of a mutant. `invalid`: it is not a program. `undecided`: a limit came first on some test.
Status = Literal["noticed", "survived", "invalid", "undecided"]

_STATUS: dict[Status, str] = {
    "noticed": "noticed",
    "survived": "not noticed",
    "undecided": "not decided",
    "invalid": "no program",
}

#: A mutant that is stopped by a limit on so many tests is tried on no further ones: its grounding may be endless.
PATIENCE = 3

_EXPECT = re.compile(r"^\s*%+\s*expect:\s*(.*?)\s*$", re.MULTILINE)
_NUMBER = re.compile(r"(\d+)\s+answers?")


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a test expects; None is not asked."""

    verdict: Verdict | None = None
    number: int | None = None
    answers: frozenset[Answer] | None = None

    def broken_by(self, outcome: Outcome[Answer]) -> str | None:
        """How an outcome differs from it, in words; None when it does not, as far as it is known."""
        found = len(outcome.solutions)
        if self.verdict is not None and outcome.verdict not in (self.verdict, Verdict.UNKNOWN):
            return f"{outcome.verdict}, not {self.verdict}"
        if self.number is not None and (found > self.number or (outcome.complete and found < self.number)):
            return f"{plural(found, 'answer')}{'' if outcome.complete else ' or more'}, not {self.number:,}"
        if self.answers is not None:
            if more := set(outcome.solutions) - self.answers:
                return f"an answer that is not expected: {answer_text(min(more, key=answer_text))}"
            if outcome.complete and (less := self.answers - set(outcome.solutions)):
                return f"not found: {answer_text(min(less, key=answer_text))}"
        return None

    def met_by(self, outcome: Outcome[Answer]) -> bool:
        """Whether an outcome is known to be as expected."""
        return self.broken_by(outcome) is None and (
            outcome.complete or (self.number is None and self.answers is None and self.verdict is outcome.verdict)
        )


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant, and what became of it.

    Attributes
    ----------
    change
        The mutant.
    status
        Whether a test noticed it.
    by
        The instance on which it was noticed: of tests from a generator, a smallest one.
    how
        What differs there, in words; why it is invalid or undecided.
    """

    change: Mutant
    status: Status
    by: Instance | None = None
    how: str | None = None

    def to_json(self) -> dict[str, Any]:
        by = None if self.by is None else self.by.to_json()
        return {**self.change.to_json(), "status": self.status, "by": by, "how": self.how}


@public("bridge")
@dataclass(frozen=True, slots=True)
class Mutation:
    """The result of `mutate`.

    Attributes
    ----------
    program
        The name of the encoding.
    against
        The name of the second program, if there is one.
    tests
        The number of instances that each mutant was run on, unless it was noticed before.
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
                    on = "" if one.by is None else f"{one.by.file or str(one.by) or 'no facts'}: "
                    yield f"  {on}{one.how}"
        numbers = [f"{len(some):,} {text}" for status, text in _STATUS.items() if (some := self.of(status))]
        yield f"{plural(len(self.mutants), 'mutant')} on {self.scope}: {', '.join(numbers) or 'none'}"
        yield from (f"note: {note}" for note in self.notes)

    def to_json(self) -> dict[str, Any]:
        return {
            "program": self.program,
            "against": self.against,
            "tests": self.tests,
            "scope": self.scope,
            **{status: len(self.of(status)) for status in ("noticed", "survived", "invalid", "undecided")},
            "mutants": [one.to_json() for one in self.mutants],
            "notes": list(self.notes),
        }


@public("bridge")
@takes_limits("seconds", "solutions")
def mutate(
    encoding: str | PathLike[str] | Sequence[str | PathLike[str]],
    tests: Any = None,
    *,
    against: Any = None,
    generator: Any = None,
    constants: Mapping[str, Any] | None = None,
    show: str | Iterable[str] | None = None,
    goal: str | None = None,
    limits: Limits = PROGRAM_LIMITS,
    most: int | None = MOST,
    on_progress: Callable[[Tried], object] | None = None,
) -> Mutation:
    """Leave out or change the rules of an encoding one at a time: which changes do the tests not notice?

    Parameters
    ----------
    encoding
        A file or program text; of a list the first is changed, and the others are loaded with it.
    tests
        Instances: paths of facts, or as for `bridge.compare`.
    against
        A second program, as for `bridge.compare`: what it answers is expected.
    generator, constants
        Instances as for `bridge.compare`, in place of `tests`.
    show
        What an answer consists of: `"cell/3"`. By default what the encoding shows.
    goal
        The goal of a second program in Prolog.
    limits
        Of each run of a mutant.
    most
        The most instances of a generator.
    on_progress
        Called with each mutant when it is known what became of it.

    Raises
    ------
    InputError
        When there are neither tests nor a second program, or the encoding itself does not do what is expected.
    Interrupted
        On Ctrl-C, with the result so far in `partial`.
    """
    several = isinstance(encoding, Sequence) and not isinstance(encoding, str)
    first, *others = sources = list(cast("Sequence[str]", encoding)) if several else [cast(str, encoding)]
    for one in sources:
        source_of(one)  # or an error
    source = generator_of(generator, constants)
    if tests is None and source is None and against is None:
        raise InputError("there is nothing to notice a mutant", hint="give tests, a second program, or a generator")
    if tests is not None and generator is not None:
        raise InputError("tests come from files or from a generator, not from both")
    if source is None:
        cases = sorted(instances_of(tests, constants), key=lambda one: one.size)
        cases = [replace(one, name=one.name or str(number)) for number, one in enumerate(cases, 1)]
        scope = plural(len(cases), "test")
    else:
        cases, scope = _generated(source, most)
    original = AspContender(AspProblem(first, *others))
    tried: list[Tried] = []
    with ExitStack() as stack:
        wanted = None if show is None else signatures(show)
        reference = original if against is None else stack.enter_context(contender(against, goal=goal, show=wanted))
        name = None if against is None else reference.name

        def so_far() -> Mutation:
            return Mutation(original.name, name, len(cases), scope, tuple(tried), generator_notes(source))

        if not cases:
            raise InputError("there is no instance to test with")
        original.prepare(cases[0], limits)
        settled = wanted if wanted is not None else original.shows
        original.show = settled
        if reference is not original:
            _settle(reference, settled, cases, limits)
        try:
            for program in (original, reference):
                program.expect(cases, limits)
            expected = [_expected(reference, original, case, settled, limits) for case in cases]
            for change in mutants(first):
                tried.append(_tried(change, others, settled, list(zip(cases, expected, strict=True)), limits))
                if on_progress is not None:
                    on_progress(tried[-1])
        except KeyboardInterrupt:
            raise Interrupted(so_far()) from None
        return so_far()


def _settle(reference: Contender, show: frozenset[Signature] | None, cases: Sequence[Instance], limits: Limits) -> None:
    """Prepare the second program: it shows what the encoding shows."""
    if not isinstance(reference, ProgramContender):
        raise UnsupportedError(f"the engine {reference.name} solves puzzles", hint="give a second program")
    if isinstance(reference, PrologContender):
        reference.known = frozenset((name, len(row)) for one in cases for name, row in one.facts)
    reference.prepare(cases[0], limits)
    if reference.show is None:
        reference.show = show
    if show is None and reference.shows is not None:
        raise InputError("what is an answer?", hint=show_hint([reference.shows]))


def _generated(source: Generator, most: int | None) -> tuple[list[Instance], str]:
    """The instances of a generator, and which they are, in words."""
    cases: list[Instance] = []
    finished, within = source.finished, 0
    for case in source.instances():
        if source.finished != finished:
            finished, within = source.finished, len(cases)
        if len(cases) == most:
            return cases, scope_text(len(cases), finished, len(cases) - within, False)
        cases.append(case)
    return cases, scope_text(len(cases), source.finished, 0, source.exhausted)


#: A mutant that so many tests have not noticed is run on the others together: most are noticed by the first ones.
ALONE = 10

#: What a mutant is held against on a test: what the test says, or the answers of a contender.
_Expected = Expectation | tuple[Contender, Outcome[Any]]


def _expected(
    reference: Contender,
    original: AspContender,
    case: Instance,
    show: frozenset[Signature] | None,
    limits: Limits,
) -> _Expected:
    """What a test expects; the encoding itself is held against it first."""
    expected = (
        expectation(Path(case.file).read_text(encoding="utf-8"), show, case.file) if case.file is not None else None
    )
    if expected is None and reference is original:
        return original, original.answers(case, limits).collect()
    outcome = original.answers(case, limits).collect()
    if expected is not None:
        if (wrong := expected.broken_by(outcome)) is not None:
            raise InputError(f"the encoding itself fails the test {case.name}: {wrong}", where=Place(case.file))
        return expected
    answers = reference.answers(case, limits).collect()
    if (lack := missing(case, (original, outcome), (reference, answers), limits)) is not None:
        has, lacks, answer = lack
        description = f"{has.name} has an answer that {lacks.name} has not: {answer_text(answer)}"
        raise InputError(f"the two programs differ on {case}: {description}", hint="`lpbridge compare` says why")
    return reference, answers


def expectation(text: str, show: frozenset[Signature] | None = None, file: str | None = None) -> Expectation | None:
    """What the comments of a test say that is expected; None when they say nothing.

    Raises
    ------
    InputError
        When one cannot be read.
    """
    found: Expectation | None = None
    for line in _EXPECT.finditer(text):
        said, found = line[1], found or Expectation()
        if said in ("unique", "ambiguous", "impossible"):
            found = replace(found, verdict=Verdict(said))
        elif (number := _NUMBER.fullmatch(said)) is not None:
            found = replace(found, number=int(number[1]))
        else:
            try:
                atoms = of_atoms(atoms_of_text(said))
                strange = [atom for atom in atoms if show is not None and (atom[0], len(atom[1])) not in show]
                if strange:
                    raise InputError(f"{written(strange[0])} is not an atom of an answer")
            except BridgeError as error:
                hint = "unique, ambiguous, impossible, 12 answers, or the atoms of an answer"
                place = Place(file, text.count("\n", 0, line.start(1)) + 1)
                raise InputError(f"`{said}` is not an expectation: {error.message}", where=place, hint=hint) from None
            found = replace(found, answers=(found.answers or frozenset()) | {atoms})
    return found


def _tried(
    change: Mutant,
    others: Sequence[str | PathLike[str]],
    show: frozenset[Signature] | None,
    cases: Sequence[tuple[Instance, _Expected]],
    limits: Limits,
) -> Tried:
    """Run a mutant on the tests until one of them notices it."""
    with AspContender(AspProblem(change.text, *others), show, "the mutant") as mutant:
        return _run(mutant, change, cases, limits)


def _run(mutant: AspContender, change: Mutant, cases: Sequence[tuple[Instance, _Expected]], limits: Limits) -> Tried:
    undecided: str | None = None
    failed = stopped = 0
    for number, (case, expected) in enumerate(cases):
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
        if isinstance(expected, Expectation):
            if (wrong := expected.broken_by(outcome)) is not None:
                return Tried(change, "noticed", case, wrong)
            if not expected.met_by(outcome):
                stopped += 1
                undecided = f"the limit on {outcome.limit} came first on {case.name}"
            continue
        reference, answers = expected
        if (lack := missing(case, (mutant, outcome), (reference, answers), limits)) is not None:
            has, _, answer = lack
            which = "an answer more" if has is mutant else "an answer less"
            return Tried(change, "noticed", case, f"{which}: {answer_text(answer)}")
        if not (outcome.complete and answers.complete):
            stopped += 1
            undecided = f"the limit on {outcome.limit or answers.limit} came first on {case.name}"
    if failed == len(cases):
        return Tried(change, "invalid", None, undecided)
    return Tried(change, "survived" if undecided is None else "undecided", None, undecided)


def _is_no_program(mutant: AspContender) -> bool:
    """Whether the mutant alone, without an instance, is refused, too: a variable is unsafe."""
    try:
        with mutant.problem.program() as program:
            program.ground()
    except ProgramError:
        return True
    return False
