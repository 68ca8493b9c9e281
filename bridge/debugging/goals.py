"""`debug` of a Prolog program: goals that have wrong answers, fail, or do not end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from os import PathLike
from typing import Any

from bridge import check
from bridge.common import listed, plural, read_source
from bridge.debugging.asking import Interview, Oracle, Question, divided
from bridge.debugging.goal_edits import Token, tokens
from bridge.debugging.goal_search import LAST, MOST, ORDER, SECONDS, GoalCase, GoalSearch, GoalTrials
from bridge.debugging.plunit import read_suite, without_tests
from bridge.debugging.result import Debugging, Suspect
from bridge.debugging.search import Found, Variant
from bridge.debugging.suites import Judge
from bridge.debugging.suspects import HOW_FAR, NearBy, Shown, confirmed, preferred, result_of
from bridge.debugging.vacuous import meaningful, told_apart
from bridge.errors import InputError, LimitError, Place, ProgramError, UnsupportedError
from bridge.limits import Deadline, Limits
from bridge.linting.findings import Finding
from bridge.linting.prolog import lint_prolog, noticed
from bridge.outcome import Interrupted
from bridge.problem import PrologProblem

#: Checks of the order of clauses: what they find need not be why a goal goes wrong.
_ORDER = ("PL005", "PL006", "PL007")

#: So many clauses one of which is changed by a repair are several: none of them is probably wrong.
_SEVERAL = 3

#: Goals near by that repairs are held against.
_NEAR = 16

#: For the error that a goal raises.
_CHECKED = Limits(seconds=3)


def _goals_of(of: Any) -> tuple[list[str | PathLike[str]], list[str], tuple[bool, bool]]:
    """The sources of a program, its goals, and whether it is `untrusted` and `allow_missing_walls`."""
    several = list(of) if isinstance(of, list | tuple) else [of]
    problems = [one for one in several if isinstance(one, PrologProblem)]
    if not problems:
        return [one for one in several if isinstance(one, str | PathLike)], [], (False, False)
    first = problems[0]
    if len(problems) < len(several) or any(list(one.sources) != list(first.sources) for one in problems):
        raise InputError("these are goals of several programs", hint='[bridge.goal("mine.pl", one), ...], of one file')
    walls = any(one.untrusted for one in problems), all(one.allow_missing_walls for one in problems)
    return list(first.sources), [one.query for one in problems if one.query != "true"], walls


def debug_goals(
    problem: Any,
    against: Any,
    missing: Sequence[str],
    unwanted: Sequence[str],
    oracle: Oracle | None,
    deadline: Deadline,
    on_progress: Callable[[Debugging], object] | None,
    tests: Sequence[str | PathLike[str]] = (),
) -> Debugging:
    """The same of a Prolog program."""
    sources, goals, walls = _goals_of(problem)
    right, more, _ = _goals_of([] if against is None else against)
    goals += [one for one in more if one not in goals]
    if walls[0] and tests:
        raise UnsupportedError("tests of an untrusted program are not run", hint="say what should hold by --missing")
    suite = None
    if tests or not (walls[0] or against or missing or unwanted or oracle or goals):
        suite = read_suite(sources, tests)
    texts = [read_source(source) for source in sources]
    file, whole = texts[0]
    text = whole if suite is None else without_tests(whole)
    others = [one for _, one in texts[1:]] if suite is None else [without_tests(one) for _, one in texts[1:]]
    rest = "\n".join([*others, *([] if suite is None else [suite.others])])
    reference: str | None = None
    asked = [*goals, *missing, *unwanted]
    # A test succeeds or not: its first answer says it.
    scope = (1 if suite and not asked else MOST), (SECONDS if suite is None else LAST)
    with GoalTrials(asked, rest, (), walls, *scope) as trials:
        cases: list[GoalCase] = []
        if against is not None:
            if not right:
                raise InputError("the reference is not a Prolog program", hint="give its file, or bridge.goal")
            reference = "\n".join(read_source(source)[1] for source in right)
            if not goals:
                raise InputError("which goals have different answers?", hint="--goal 'len([a, b], N)', or bridge.goal")
            try:
                found = trials.reference(reference, deadline)
            except ProgramError as error:
                raise InputError(f"the reference cannot be read: {error.message}") from None
            trials.readable(found)
            for goal, answers in zip(goals, found, strict=False):
                if answers.inferences < 0:
                    raise InputError(f"the reference cannot be read: {answers.end}")
                if answers.end.startswith("error: unknown procedure"):
                    hint = "goals are run inside of the program: name its predicates without their module"
                    raise InputError(f"the reference has no answers to {goal}: {answers.end}", hint=hint)
                cases.append(GoalCase(goal, answers))
        cases += [GoalCase(goal, succeeds=True) for goal in missing]
        cases += [GoalCase(goal, succeeds=False) for goal in unwanted]
        if against is None and oracle is None:
            cases += [GoalCase(goal) for goal in goals]
        judge = None if suite is None else Judge(suite, whole, text, trials, deadline)
        if judge is not None and judge.right and not cases:
            return Debugging((), True, None, None, None, judge.by, True, passed=judge.number, cases=judge.number)
        if not (cases or judge) and not (oracle and goals):
            hint = "tests (--tests FILE.plt), a reference and goals (--against REF.pl --goal G), or goals that should\
 succeed (--missing) or not"
            raise InputError("it is not said what is wrong", hint=hint)
        notes: tuple[str, ...] = ()
        if judge is not None:
            judge.expect(cases)
            notes = (judge.note(),)
        else:
            endless = [] if reference else _endless(trials, text, missing, deadline)
            cases += [GoalCase(goal) for goal in endless]
            notes = tuple(f"?- {goal}. has an answer, and does not end after its answers" for goal in endless)
            trials.expect(cases)
        by = judge.by if judge is not None else (
            f"gives the answers of the reference to {plural(len(goals), 'goal')}"
            if reference
            else "ends without an error"
            if goals and not (missing or unwanted or oracle)
            else "does what was asked for"
        )

        near = NearBy()
        interview = None if oracle is None else Interview(oracle, deadline)

        def held(variant: Variant) -> str:
            held_against = by if interview is None else f"fits {plural(len(interview.known), 'reply', 'replies')}"
            return held_against + HOW_FAR[variant.held] + near.of(variant.text)

        def so_far() -> Debugging:
            found = result_of(search.found, text, file, held, (), deadline)
            return found if interview is None else interview.as_replied(found)

        raised: ProgramError | None = None
        if judge is None and reference is None and interview is None:
            ends = zip(cases, trials.run(text, deadline), strict=True)
            raising = (case.goal for case, now in ends if now.end.startswith("error: ") and not case.score(now)[0])
            raised = next((one for goal in raising if (one := _raised(sources, walls, goal, deadline))), None)
            if raised is not None and on_progress is not None:
                on_progress(Debugging((), False, None, None, None, by, False, because=(str(raised),)))

        search = GoalSearch(
            text,
            trials,
            reference=reference,
            deadline=deadline,
            on_repair=None if on_progress is None else lambda _: on_progress(so_far()),
            judge=None if judge is None else judge.passes,
        )
        try:
            repaired = search.run()
            if interview is not None:
                repaired = _interviewed(interview, search, repaired, goals, cases)
            elif reference is not None and repaired.repairs:
                _prefer(near, search, repaired, reference, goals, cases)
            if judge is None and reference is None and interview is None:
                repaired.repairs = meaningful(trials, text, repaired.repairs, [*missing, *unwanted], deadline)
                if search.opened:  # what leaves out a goal, or changes it, also ends without an error
                    repaired.repairs = [one for one in repaired.repairs if one.steps[0].operator == ORDER]
            lines = {one.lines for one in repaired.repairs}
            if reference is None and interview is None and len(lines) >= _SEVERAL:
                repaired.several = len(lines)
                asked_of = [*missing, *unwanted] if suite is None else suite.called()
                near_by = [*asked_of, *near_goals(asked_of)]
                question = told_apart(trials, repaired.repairs[:_SEVERAL], near_by, deadline)
                notes = notes if question is None else (*notes, question)
            if judge is not None:
                repaired = judge.whole(repaired)
        except KeyboardInterrupt:
            raise Interrupted(so_far()) from None
        except ProgramError as error:
            unread = () if error.where else lint_prolog(sources, whole=True, alone=walls[0]).certain
            wrong = [ProgramError(f"syntax error: {one}", where=one.place) for one in unread if one.id == "PL001"]
            if wrong:
                wrong[0].others = tuple(wrong[1:])
                raise wrong[0] from None
            if file is not None:
                where = error.where or Place(file)
                error.where = Place(file, where.line, where.column)
            raise
        if judge is None:
            result = result_of(repaired, text, file, held, _shown_of_goals(repaired, trials), deadline, notes=notes)
        else:
            failed = f"{plural(len(judge.failed), 'test')} of {judge.number} failed"
            result = result_of(repaired, whole, file, held, (), deadline, notes=notes, fault=failed)
            result = replace(result, passed=judge.number - len(judge.failed), cases=judge.number)
        result = result if interview is None else interview.as_replied(result)
    if raised is not None and not result.right:
        suspects = result.suspects if result.repair else _running(raised, result.suspects)
        result = replace(result, because=(str(raised),), suspects=suspects)
    if result.right:
        return result
    asked += [] if suite is None else [one.goal for one in suite.goals]
    here, elsewhere = noticed(sources, asked, alone=walls[0], endless=result.endless is not None)
    alone = reference is None and interview is None and judge is None
    return _by_text(result, here, elsewhere, alone)


def _endless(trials: GoalTrials, text: str, goals: Sequence[str], deadline: Deadline) -> list[str]:
    """Those of some goals that have an answer and do not end: that they succeed is not all that is wrong."""
    trials.expect([GoalCase(goal, succeeds=True) for goal in goals])
    found = trials.run(text, deadline) if goals else []
    # Or gives the same answers again and again.
    again = [one.end == "more" and len({*one.answers}) == 1 for one in found]
    ended = zip(goals, found, again, strict=True)
    return [goal for goal, one, same in ended if one.answers and (one.end == "limit" or same)]


def _by_text(result: Debugging, here: Sequence[Finding], elsewhere: Sequence[Finding], alone: bool) -> Debugging:
    """With what lint finds, first in the clauses that the goals reach; where there is a repair, what may be meant
    only in a clause that is suspected.

    A change that fits the goals that are named may fit these alone: where they `alone` say what is meant, and lint says
    what is wrong with a clause, no change is shown but of the order of goals.
    """

    def named(suspect: Suspect, findings: Sequence[Finding]) -> bool:
        first = suspect.place.line or 0
        last = first + suspect.text.count("\n")
        return any(one.place.file == suspect.place.file and first <= (one.place.line or 0) <= last for one in findings)

    vague = not any(suspect.repair for suspect in result.suspects)
    known = [one for one in here if vague or one.level != "info" or any(named(each, [one]) for each in result.suspects)]
    if alone and any(one.id not in _ORDER for one in known):
        steps = [(one, one.repair.steps[0]) for one in result.suspects if one.repair is not None]
        order = tuple(one for one, step in steps if step.operator == ORDER)
        new = order or tuple(one for one, step in steps if step.kind == "clause" and ":-" in step.after)
        suspects = (replace(one, repair=None) for one in result.suspects if named(one, known))
        # Of a clause that is not there lint says nothing.
        shown = new or tuple(suspects)
        lines = sorted({one.place.line or 0 for one in result.suspects if one.repair is not None})
        if lines and not shown:
            fits = f"a change of line {listed(list(map(str, lines)))} fits what was asked for, too, perhaps that alone"
            result = replace(result, notes=(*result.notes, f"{fits}: more goals would tell"))
        result = replace(result, suspects=shown)
    return replace(result, lint=(*known, *elsewhere))


def _prefer(
    near_by: NearBy, search: GoalSearch, found: Found, reference: str, goals: Sequence[str], cases: Sequence[GoalCase]
) -> None:
    """Put the repairs first that answer goals near by as the reference does; where none does, one is looked for."""
    with search.trials.like(near_goals(goals)) as trials:
        try:
            answers = trials.run(reference, search.deadline)
        except (LimitError, ProgramError):
            return
        near = [
            GoalCase(goal, answer)
            for goal, answer in zip(trials.goals, answers, strict=True)
            if answer.end in ("all", "more")
        ]
        if not near:
            return
        trials.expect(near)

        def shares(some: Sequence[Variant]) -> Iterator[float]:
            for score in trials.scores([one.text for one in some], search.deadline):
                wrong = sum(bool(more or less) for more, less in zip(score.surplus, score.missing, strict=True))
                yield 1.0 if score.right else min(1.0 - wrong / len(near), 0.99)

        def again() -> list[Variant]:
            search.trials.expect([*cases, *near])
            better = search.again().repairs
            search.trials.expect(cases)
            return better

        known = preferred(found, shares, again)
    # Each time in a process of its own: this one has ended.
    words = f", and to {plural(len(near), 'goal')} near by"
    near_by.be(known, words, lambda text: trials.held(text, search.deadline))


def near_goals(goals: Sequence[str]) -> list[str]:
    """Goals that differ a little from those that are given: another number, another constant, a shorter list."""
    texts = [(goal, tokens(goal, 0, len(goal))) for goal in goals]
    names = dict.fromkeys(
        one.text
        for goal, some in texts
        for one in some
        if one.kind == "name" and goal[one.end : one.end + 1] != "(" and one.text not in ("is", "mod", "rem", "div")
    )

    def variants(goal: str, some: Sequence[Token]) -> Iterator[str]:
        for number, one in enumerate(some):
            if one.kind == "number" and one.text.isdecimal():
                for value in (int(one.text) + 1, int(one.text) - 1):
                    if value >= 0:
                        yield f"{goal[: one.start]}{value}{goal[one.end :]}"
            elif one.text in names and one.kind == "name":
                for name in names:
                    if name != one.text:
                        yield f"{goal[: one.start]}{name}{goal[one.end :]}"
            after = some[number + 1 : number + 3]
            if one.text == "[" and [token.text for token in after[1:]] == [","] and after[0].text != "]":
                yield goal[: after[0].start] + goal[after[1].end :].lstrip()
                yield f"{goal[: after[0].start]}{after[0].text}, {goal[after[0].start :]}"

    found = dict.fromkeys(chain.from_iterable(zip_longest(*(variants(*one) for one in texts))))
    return [one for one in found if one is not None and one not in goals][:_NEAR]


def _interviewed(
    interview: Interview, search: GoalSearch, found: Found, goals: Sequence[str], cases: Sequence[GoalCase]
) -> Found:
    """Ask which answers of goals are meant, until what is left of the repairs answers alike."""
    with search.trials.like(goals) as answering:

        def answers(text: str) -> Iterator[Question]:
            try:
                results = answering.run(text, search.deadline)
            except LimitError:
                return
            for goal, now in zip(goals, results, strict=True):
                if not now.answers:
                    yield Question(f"?- {goal}.", None)
                yield from (Question(f"?- {goal}.", (one or "true",)) for one in now.answers)

        def known() -> list[GoalCase]:
            found: list[GoalCase] = []
            for question, meant in interview.known:
                goal = question.instance.removeprefix("?- ").removesuffix(".")
                more = "" if question.answer in (None, ("true",)) else f", {(question.answer or ('true',))[0]}"
                found.append(GoalCase(f"{goal}{more}", succeeds=meant))
            return found

        def again() -> Found:
            search.trials.expect([*cases, *known()])
            return search.again()

        found = divided(found, interview, answers, again)
        search.trials.expect([*cases, *known()])
    return confirmed(found, lambda text: search.trials.held(text, search.deadline))


def _raised(sources: Sequence[Any], walls: tuple[bool, bool], goal: str, deadline: Deadline) -> ProgramError | None:
    """The error that a goal raises, with its place and what to write; None where it raises none in this way."""
    confined = {"untrusted": walls[0], "allow_missing_walls": walls[1]}
    try:
        check(PrologProblem(sources, goal, **confined), limits=deadline.within(_CHECKED), residual="none")
    except ProgramError as error:
        return error
    except (LimitError, UnsupportedError):
        return None
    return None


def _running(error: ProgramError, suspects: Sequence[Suspect]) -> tuple[Suspect, ...]:
    """The suspects that were running when an error was raised; all of them where none was."""
    lines = {int(line) for line in re.findall(r":(\d+)$", "\n".join(error.backtrace), re.MULTILINE)}
    lines |= {error.where.line or 0} if error.where else set()
    spans = [range(one.place.line or 0, (one.place.line or 0) + one.text.count("\n") + 1) for one in suspects]
    return tuple(one for one, span in zip(suspects, spans, strict=True) if lines & {*span}) or tuple(suspects)


def _shown_of_goals(found: Found, trials: GoalTrials) -> Shown:
    """The first goal that goes wrong, an answer to it that is not meant, and one that is missing."""
    for case, now in zip(trials.cases, trials.run(found.base.text, Deadline(None)), strict=True):
        if case.score(now)[0]:
            continue
        goal = f"?- {case.goal}."
        if case.expected is None and case.succeeds is None:
            return goal, ("(it does not end)" if now.end in ("limit", "more") else f"({now.end})",), None
        if case.expected is None:
            return goal, None if case.succeeds else (now.answers[0] or "true",), ("true",) if case.succeeds else None
        surplus = next((one for one in now.answers if one not in case.expected.answers), None)
        lost = next((one for one in case.expected.answers if one not in now.answers), None)
        if surplus is None and now.end != case.expected.end:
            surplus = {"limit": "(it does not end)", "more": "(very many)"}.get(now.end, f"({now.end})")
        if surplus is None and lost is None:  # the same answers, but not as often
            surplus = "(an answer comes more often, or less)"
        return goal, None if surplus is None else (surplus or "true",), None if lost is None else (lost or "true",)
    return ()
