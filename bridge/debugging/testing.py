"""`test`: run the tests that stand beside a program, and name the line that makes them fail.

>>> found = test("{ a; b }. %! no\\n%! test one of two: models 2\\n")
>>> [(one.test.name, one.status) for one in found.results], found.results[0].reason
([('one of two', 'failed')], 'there are 3 answers or more, not 2')
"""

# ruff: noqa: PT028 `test` is not a test of pytest

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Literal, cast

from bridge.asp import Model
from bridge.common import WARNINGS, Json, Key, how_ended, is_path, plural, public, short
from bridge.comparison import Answer, answer_text, of_atoms, written
from bridge.debugging.cases import GivenInstance
from bridge.debugging.coverage import Covered, Meter
from bridge.debugging.debug import debug
from bridge.debugging.expectations import ProgramTest, is_file_of_tests, tests_of
from bridge.debugging.plunit import UnitGoal, UnitResult, run_plunit
from bridge.debugging.result import Debugging
from bridge.debugging.suites import clauses_entered
from bridge.errors import InputError, LimitError, ProgramError, UnsupportedError
from bridge.limits import Deadline, Limits, takes_limits
from bridge.outcome import Interrupted
from bridge.problem import AspProblem, PrologProblem, is_prolog, signature, sources_of, warnings_of

#: What became of a test. `undecided`: a limit came first; `skipped`: plunit has it `blocked`.
Status = Literal["passed", "failed", "undecided", "skipped"]

#: Of each test, unless said otherwise.
LIMITS = Limits(seconds=10.0)


@dataclass(frozen=True, slots=True)
class Tested(Json):
    """A test, and what became of it."""

    test: ProgramTest  #: The test.
    status: Status  #: Whether it passed.
    reason: str | None  #: Why not, in words; of one of plunit that passed, that it left a choice point.
    answer: Answer | None  #: An answer that shows it; None where there is none to show.
    seconds: float  #: How long it took.
    warnings: tuple[str, ...] = ()  #: What the solver warns of in the program with the facts of the test.

    _json = (
        "*test status reason",
        Key("answer", str | None, lambda self: None if self.answer is None else answer_text(self.answer)),
        "seconds",
    )


@public("bridge")
@dataclass(frozen=True, slots=True)
class Testing(Json):
    """The result of `test`.

    Attributes
    ----------
    results
        The tests, in order.
    debugging
        Which line of the program is probably wrong, where a test failed and that was looked for.
    coverage
        What the tests use of the program, a statement or a clause each; None where that was not looked for.
    """

    results: tuple[Tested, ...]
    debugging: Debugging | None = None
    coverage: tuple[Covered, ...] | None = None

    __repr__ = short

    def of(self, status: Status) -> tuple[Tested, ...]:
        """The tests with a status."""
        return tuple(one for one in self.results if one.status == status)

    @property
    def passed(self) -> tuple[Tested, ...]:
        """The tests that passed."""
        return self.of("passed")

    @property
    def failed(self) -> tuple[Tested, ...]:
        """The tests that failed."""
        return self.of("failed")

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the solver warns of in every test: the facts of one alone may be few."""
        first, *others = [one.warnings for one in self.results] or [()]
        return tuple(one for one in first if all(one in each for each in others))

    _json = (
        Key("passed", int, lambda self: len(self.passed)),
        Key("failed", int, lambda self: len(self.failed)),
        Key("undecided", int, lambda self: len(self.of("undecided"))),
        Key("skipped", int, lambda self: len(self.of("skipped"))),
        "tests=results debug=debugging coverage",
        WARNINGS,
    )

    def __str__(self) -> str:
        lines = [result_text(one) for one in self.results]
        for suspect in self.debugging.suspects[:1] if self.debugging is not None else ():
            lines += ["", f"{suspect.place}: {suspect.sentence}", f"    {suspect.text}"]
            if suspect.repair is not None:
                lines += [f"  a repair: {suspect.repair.proved_by}"]
                lines += [f"    {line}" for line in suspect.repair.diff.split("\n")]
        if self.coverage is not None:
            lines += ["", *(one.text for one in self.coverage if not one.tests)]
            literals = [literal for one in self.coverage if one.tests for literal in one.literals]
            lines += [str(literal) for literal in literals if not literal.tests]
            used = sum(bool(one.tests) for one in self.coverage)
            mattered = sum(bool(literal.tests) for literal in literals)
            kind = "clause" if any(one.kind == "clause" for one in self.coverage) else "rule"
            words = f"coverage: {used} of {plural(len(self.coverage), kind)}"
            lines.append(f"{words}, {mattered} of {plural(len(literals), 'literal')} of these" if literals else words)
        of_plunit = not any(one.test.expected for one in self.results)
        lines += ["", *self.warnings] if of_plunit and self.warnings else []
        statuses: tuple[Status, ...] = ("passed", "failed", "undecided", "skipped")
        counts = [f"{len(self.of(status))} {status}" for status in statuses if self.of(status)]
        return "\n".join([*lines, "", ", ".join(counts)])


def result_text(one: Tested) -> str:
    """A test as a line, with the reason why it did not pass below."""
    lines = [f"{one.status:9} {one.test.place}  {one.test.name}"]
    if one.reason is not None:
        expected = f"expected {one.test.expected}: " if one.test.expected else ""
        lines.append(f"    {expected}{one.reason}")
    if one.answer is not None:
        lines.append(f"    {answer_text(one.answer)}")
    return "\n".join(lines)


@public("bridge")
@takes_limits("seconds")
def test(
    problem: AspProblem | PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    tests: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    *,
    name: str | None = None,
    name_lines: float | None = None,
    coverage: bool = False,
    limits: Limits = LIMITS,
    on_progress: Callable[[Tested], object] | None = None,
) -> Testing:
    """Run the tests that stand beside a program.

    Parameters
    ----------
    problem
        The program: a file, text, or several. Those that hold only tests are not part of it. Of a Prolog program, the
        tests are the blocks of plunit in its files and in the `.plt` files beside them.
    tests
        Further files, or texts, with tests.
    name
        Only tests with this text in their name.
    name_lines
        Seconds for finding the line that is probably wrong, where a test fails; None: it is not looked for.
    coverage
        Whether to find out what of the program the tests use.
    limits
        Of each test.
    on_progress
        Called with each test when it has run.

    Raises
    ------
    InputError
        With file and line, when a test cannot be read.
    Interrupted
        On Ctrl-C, with the results so far in `partial`.
    """
    if is_prolog(problem):
        return _of_plunit(problem, tests, name, name_lines, coverage, limits, on_progress)
    program, found = _program(problem, tests)
    found = [one for one in found if name is None or name in one.name]
    results: list[Tested] = []
    debugging: Debugging | None = None
    meter = Meter(program) if coverage else None
    try:
        with program.backend.opened():
            for one in found:
                results.append(run_test(program, one, limits))
                if on_progress is not None:
                    on_progress(results[-1])
                if meter is not None and one.sources is None:
                    meter.run(one, limits)
        if name_lines is not None and program.sources != ("",) and any(one.status == "failed" for one in results):
            debugging = _debugged(program, _outside(program, found), name_lines)
    except KeyboardInterrupt:
        raise Interrupted(Testing(tuple(results))) from None
    return Testing(tuple(results), debugging, None if meter is None else meter.covered)


test.__test__ = False  # type: ignore[attr-defined]  # for pytest


def _of_plunit(
    problem: Any,
    tests: Any,
    name: str | None,
    name_lines: float | None,
    coverage: bool,
    limits: Limits,
    on_progress: Callable[[Tested], object] | None,
) -> Testing:
    """The same of a Prolog program, whose tests are those of plunit."""
    sources = problem.sources if isinstance(problem, PrologProblem) else problem
    more = [[one] if isinstance(one, str | PathLike) else list(one) for one in (sources, tests)]
    results: list[Tested] = []
    units = run_plunit([*more[0], *more[1]], limits)
    if not units:
        raise InputError("there is no test", hint="write some between begin_tests(rooms) and end_tests(rooms)")
    for one in units:
        if name is None or name in one.name:
            status = cast("Status", one.status)
            results.append(Tested(of_plunit(one), status, one.reason, None, one.seconds, one.warnings))
            if on_progress is not None:
                on_progress(results[-1])
    program = [one for one in more[0] if not (is_path(one) and fspath(one).endswith(".plt"))]
    suites = [one for one in [*more[0], *more[1]] if one not in program]
    debugging = None
    if name_lines is not None and any(one.status == "failed" for one in results):
        debugging = _debugged(program, suites, name_lines)
    return Testing(tuple(results), debugging, clauses_entered(program, suites, name) if coverage else None)


def of_plunit(one: UnitResult | UnitGoal) -> ProgramTest:
    """A test of plunit as one of a program."""
    return ProgramTest(one.name, one.place, GivenInstance("", {}, (), one.name), "")


def _program(problem: Any, tests: Any) -> tuple[AspProblem, list[ProgramTest]]:
    """The program without its files of tests, and the tests."""
    more = [tests] if isinstance(tests, str | PathLike) else list(tests)
    sources = list(problem.sources) if isinstance(problem, AspProblem) else sources_of(problem)
    own = [one for one in sources if not is_file_of_tests(one)]
    found = [one for source in [*sources, *more] for one in tests_of(source)]
    if not own and not all(map(_is_about_facts, found)):
        raise InputError("there are only tests", hint="name the program that they are for, too")
    if not found:
        raise InputError("there is no test", hint="write one as %! test NAME: unsat")
    if isinstance(problem, AspProblem) and own:
        return problem, found
    return AspProblem(*(own or ("",))), found


def _is_about_facts(test: ProgramTest) -> bool:
    """Whether a test names atoms, all of predicates of its facts: it is about these, and not about a program."""
    wished = [one.removeprefix("not ") for _, literals in test.wishes for one in literals]
    named = {*map(signature, wished), *(signature(written(atom)) for one in test.answers or () for atom in one)}
    return bool(named) and named <= {(name, len(arguments)) for name, arguments in test.given.atoms}


def _outside(program: AspProblem, found: Sequence[ProgramTest]) -> list[str]:
    """The files of tests that are not files of the program."""
    own = {fspath(one) for one in program.sources}
    return list(dict.fromkeys(file for one in found if (file := one.place.file) is not None and file not in own))


def _debugged(program: Any, tests: Sequence[str | PathLike[str]], seconds: float) -> Debugging | None:
    """Which line is probably wrong; None where that is not known."""
    try:
        result = debug(program, tests=tests, limits=Limits(seconds=seconds))
    except (UnsupportedError, ProgramError, LimitError, InputError):
        return None
    return None if result.right else result


def run_test(program: AspProblem, test: ProgramTest, limits: Limits) -> Tested:
    """Run one test of a clingo program."""
    began = time.monotonic()
    warned: dict[str, None] = {}
    try:
        reason, answer = _broken(_instance(program, test), test, Deadline(limits.seconds), warned)
        status: Status = "passed" if reason is None else "failed"
    except LimitError as error:
        status, reason, answer = "undecided", error.message, None
    except ProgramError as error:
        if error.where is None or error.where.file in (None, "<string>"):
            error.where = test.place
        raise
    return Tested(test, status, reason, answer, time.monotonic() - began, tuple(warned))


def _instance(program: AspProblem, test: ProgramTest) -> AspProblem:
    """The program on the facts of a test."""
    base = program if test.sources is None else AspProblem(*(test.sources or ("",)))
    instance = base.with_instance(*([test.given.facts] if test.given.facts.strip() else []), constants={})
    for name, value in test.given.constants.items():
        if not instance.backend.has_constant(name):
            raise InputError(f"the program has no constant {name}", where=test.place, hint="is it misspelt?")
        instance = instance.with_constant(name, value)
    return instance


def _broken(
    problem: AspProblem, test: ProgramTest, deadline: Deadline, warned: dict[str, None]
) -> tuple[str | None, Answer | None]:
    """How a program differs from what a test expects, and an answer that shows it; what clingo warns of is added."""
    cost: tuple[int, ...] | None = None
    if test.cost is not None or test.optimal:
        with problem.program(limits=deadline.within(Limits())) as loaded:
            outcome = loaded.optimal(limits=deadline.within(Limits()))
            warned.update(dict.fromkeys(warnings_of(loaded)))
        best = next((one for one in outcome.solutions if one.proved), None)
        if best is None and not outcome.complete:
            raise LimitError(how_ended(outcome.limit))
        if best is None:
            return ("there is no answer", None) if test.cost is not None or test.verdict != "unsat" else (None, None)
        cost = tuple(best.cost or ())
        if test.cost is not None and cost != test.cost:
            return f"the least cost is {' '.join(map(str, cost)) or 'not there: nothing is minimised'}", _answer(best)
        cost = cost if test.optimal else None
    questions = _Asked(problem, deadline, cost, warned)
    if (found := _counted(questions, test)) is not None:
        return found
    for kind, literals in test.wishes:
        if (broken := _wish(questions, kind, literals)) is not None:
            return broken
    return None, None


@dataclass(frozen=True)
class _Asked:
    """The answers of a program, or those of a cost; none costs less."""

    problem: AspProblem
    deadline: Deadline
    cost: tuple[int, ...] | None
    warned: dict[str, None]

    def answers(self, most: int, literals: Sequence[str] = ()) -> tuple[list[Answer], bool]:
        """Answers with some literals, each once, and whether these are all.

        Those with the literals cost least where the least cost with them is that of all.
        """
        query = " ".join(f":- {_not(one)}." for one in literals)
        problem = self.problem.with_query(f"{self.problem.query}\n{query}") if query else self.problem
        limits = self.deadline.within(Limits(solutions=None if self.cost else most))
        with problem.program(limits=self.deadline.within(Limits())) as loaded:
            if not self.cost:
                outcome = loaded.models(project="show", limits=limits).collect()
                self.warned.update(dict.fromkeys(warnings_of(loaded)))
                return list(map(_answer, outcome.solutions)), outcome.complete
            outcome = loaded.optimal(limits=limits)
        best = [one for one in outcome.solutions if one.proved]
        if not (best or outcome.complete):
            raise LimitError(how_ended(outcome.limit))
        found = dict.fromkeys(_answer(one) for one in best if tuple(one.cost or ()) == self.cost)
        return list(found)[:most], outcome.complete

    def first(self, literals: Sequence[str]) -> Answer | None:
        """An answer with some literals."""
        found, complete = self.answers(1, literals)
        if not (found or complete):
            raise LimitError("a limit came first")
        return found[0] if found else None


def _counted(questions: _Asked, test: ProgramTest) -> tuple[str, Answer | None] | None:
    """How number and answers differ; None when they do not."""
    few = {"sat": 1, "unsat": 1, "unique": 2, "several": 2, None: 0}[test.verdict]
    most = max(few, 0 if test.number is None else test.number + 1, 0 if test.answers is None else len(test.answers) + 1)
    if most == 0:
        return None
    answers, complete = questions.answers(most)
    number, first = len(answers), next(iter(answers), None)
    if test.answers is not None:
        for one in answers:
            if one not in test.answers:
                return "an answer is not expected", one
    wrong: tuple[str, Answer | None] | None = None
    if test.verdict == "unsat" and number:
        wrong = "there is an answer", first
    elif test.verdict == "unique" and number > 1:
        wrong = "there is a second answer", answers[1]
    elif test.number is not None and number > test.number:
        wrong = f"there are {plural(number, 'answer')} or more, not {test.number}", answers[-1]
    if wrong is not None:
        return wrong
    if number < most and not complete:
        raise LimitError("a limit came first")
    if test.verdict in ("sat", "unique", "several") and number == 0:
        return "there is no answer", None
    if test.verdict == "several" and number == 1:
        return "there is only one answer", first
    if test.number is not None and number < test.number:
        return f"there are {plural(number, 'answer')}, not {test.number}", first
    if test.answers is not None and (lost := test.answers - {*answers}):
        return "an answer is missing", min(lost, key=answer_text)
    return None


def _wish(questions: _Asked, kind: str, literals: Sequence[str]) -> tuple[str, Answer | None] | None:
    """How the atoms of answers differ from `every`, `some`, `none` of them; None when they do not."""
    if kind == "every":
        if (one := questions.first([])) is None:
            return "there is no answer", None
        for literal in literals:
            if (one := questions.first([_not(literal)])) is not None:
                return f"not in every answer: {literal}", one
        return None
    one = questions.first(literals)
    if kind == "none" and one is not None:
        return "an answer has it", one
    return ("no answer has it", None) if kind == "some" and one is None else None


def _not(literal: str) -> str:
    return literal.removeprefix("not ") if literal.startswith("not ") else f"not {literal}"


def _answer(model: Model) -> Answer:
    return of_atoms((name, row) for name in model for row in model[name])
