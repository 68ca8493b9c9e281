"""`debug` of a Prolog program: goals that have wrong answers, fail, or do not end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from bridge.common.english import plural
from bridge.debugging.asking import Interview, Oracle, Question, divided
from bridge.debugging.cases import read_source
from bridge.debugging.goal_search import GoalCase, GoalSearch, GoalTrials
from bridge.debugging.result import Debugging, Repair
from bridge.debugging.search import Found, Variant
from bridge.debugging.suspects import Shown, repair_of, result_of
from bridge.errors import InputError, LimitError, Place, ProgramError
from bridge.limits import Deadline
from bridge.linting.prolog import lint_prolog
from bridge.outcome import Interrupted
from bridge.problem.prolog import PrologProblem


def debug_goals(
    problem: PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    goals: Sequence[str],
    against: Any,
    missing: Sequence[str],
    unwanted: Sequence[str],
    oracle: Oracle | None,
    deadline: Deadline,
    on_progress: Callable[[Repair], object] | None,
    walls: tuple[bool, bool] = (False, False),
) -> Debugging:
    """The same of a Prolog program; `walls` are `untrusted` and `allow_missing_walls`."""
    if isinstance(problem, PrologProblem):
        walls = walls[0] or problem.untrusted, walls[1] or problem.allow_missing_walls
        goals = [*goals, problem.goal]
        problem = problem.sources
    sources = [problem] if isinstance(problem, str | PathLike) else list(problem)
    texts = [read_source(source) for source in sources]
    file, text = texts[0]
    rest = "\n".join(one for _, one in texts[1:])
    reference: str | None = None
    with GoalTrials([*goals, *missing, *unwanted], rest, walls=walls) as trials:
        cases: list[GoalCase] = []
        if against is not None:
            several = against if isinstance(against, list | tuple) else [against]
            reference = "\n".join(read_source(source)[1] for source in several)
            if not goals:
                raise InputError("which goals have different answers?", hint="--goal 'len([a, b], N)', once for each")
            try:
                found = trials.reference(reference, deadline)
            except ProgramError as error:
                raise InputError(f"the reference cannot be read: {error.message}") from None
            for goal, answers in zip(goals, found, strict=False):
                if answers.end.startswith("error: syntax"):
                    raise InputError(f"the reference cannot be read: {answers.end}")
                cases.append(GoalCase(goal, answers))
        elif goals and oracle is None:
            raise InputError(
                "it is not said what is wrong", hint="a reference (--against REF.pl), or --missing, --unwanted"
            )
        cases += [GoalCase(goal, succeeds=True) for goal in missing]
        cases += [GoalCase(goal, succeeds=False) for goal in unwanted]
        if not cases and not (oracle and goals):
            hint = "a reference and goals (--against REF.pl --goal G), or goals that should succeed (--missing) or not"
            raise InputError("it is not said what is wrong", hint=hint)
        trials.expect(cases)
        by = (
            f"gives the answers of the reference to {plural(len(goals), 'goal')}"
            if reference
            else "does what was asked for"
        )

        interview = None if oracle is None else Interview(oracle, deadline)

        def held(variant: Variant) -> str:
            return by if interview is None else f"fits {plural(len(interview.known), 'reply', 'replies')}"

        search = GoalSearch(
            text,
            trials,
            reference=reference,
            deadline=deadline,
            on_repair=None if on_progress is None else lambda one: on_progress(repair_of(one, text, held)),
        )
        try:
            repaired = search.run()
            if interview is not None:
                repaired = _interviewed(interview, search, repaired, goals, cases)
        except KeyboardInterrupt:
            raise Interrupted(result_of(search.found, text, file, held, (), deadline)) from None
        except ProgramError as error:
            noticed = () if error.where else lint_prolog(sources, whole=True, alone=walls[0]).certain
            wrong = [ProgramError(f"syntax error: {one}", where=one.place) for one in noticed if one.id == "PL001"]
            if wrong:
                wrong[0].others = tuple(wrong[1:])
                raise wrong[0] from None
            if file is not None:
                where = error.where or Place(file)
                error.where = Place(file, where.line, where.column)
            raise
        result = result_of(repaired, text, file, held, _shown_of_goals(repaired, trials), deadline)
    certain = () if result.right else lint_prolog(sources, whole=True, alone=walls[0]).certain
    return replace(result, lint=certain)


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
                yield from (Question(f"?- {goal}.", (one,)) for one in now.answers)

        def known() -> list[GoalCase]:
            found: list[GoalCase] = []
            for question, meant in interview.known:
                goal = question.instance.removeprefix("?- ").removesuffix(".")
                more = "" if question.answer in (None, ("true",)) else f", {(question.answer or ('true',))[0]}"
                found.append(GoalCase(f"{goal}{more}", succeeds=meant))
            return found

        def again() -> list[Variant]:
            search.trials.expect([*cases, *known()])
            return search.again().repairs

        def behaviour(variant: Variant) -> frozenset[Question]:
            return frozenset(answers(variant.text))

        if found.base.score.right:
            interview.ask_about(answers(found.base.text))
            if interview.wrong:
                search.trials.expect([*cases, *known()])
                found = search.again()
        if not found.base.score.right:
            found.repairs = divided(found.repairs, interview, found.base, behaviour, again)
            search.trials.expect([*cases, *known()])
    return found


def _shown_of_goals(found: Found, trials: GoalTrials) -> Shown:
    """The first goal that goes wrong, an answer to it that is not meant, and one that is missing."""
    for case, now in zip(trials.cases, trials.run(found.base.text, Deadline(None)), strict=True):
        if case.score(now)[0]:
            continue
        goal = f"?- {case.goal}."
        if case.expected is None:
            return goal, None if case.succeeds else now.answers[:1], ("true",) if case.succeeds else None
        surplus = next((one for one in now.answers if one not in case.expected.answers), None)
        lost = next((one for one in case.expected.answers if one not in now.answers), None)
        if surplus is None and now.end != case.expected.end:
            surplus = {"limit": "(it does not end)", "more": "(very many)"}.get(now.end, f"({now.end})")
        if surplus is None and lost is None:  # the same answers, but not as often
            surplus = "(an answer comes more often, or less)"
        return goal, None if surplus is None else (surplus or "true",), None if lost is None else (lost or "true",)
    return ()
