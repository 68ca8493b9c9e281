"""`debug`: which statement of a program is wrong, what should it say, and what proves it?

What is wrong is said by a reference, by tests, or by an atom that should be there, or should not. A search
(`bridge.debugging.search`) looks for the smallest change by which the solver finds what is expected, and the result
names the changed statements; where no change was found, those whose changes come nearest.

The idea is that of mutation-based fault localisation and of counterexample-guided repair; for answer set programs see
DWASP (Dodaro et al., 2015), Ouroboros (Oetsch et al., 2010) and FormHe (Brancas et al., arXiv 2410.20962).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from bridge.asp.edits import Text
from bridge.asp.trials import Case, Score, Trials
from bridge.common.english import plural
from bridge.common.languages import is_path, language_of_path
from bridge.comparison.compare import MOST, generator_of
from bridge.debugging.cases import Expected, expected, instances_given
from bridge.debugging.expectations import cases_of, tests_of
from bridge.debugging.goal_search import GoalCase, GoalSearch, GoalTrials
from bridge.debugging.search import Found, Search, Step, Variant
from bridge.errors import InputError, Place, ProgramError, UnsupportedError, brief
from bridge.limits import Deadline, LimitName, Limits, takes_limits
from bridge.linting.findings import Finding
from bridge.linting.lint import lint
from bridge.outcome import Interrupted
from bridge.problem.asp import AspProblem
from bridge.problem.prolog import PrologProblem

#: Suspects that are named, at most.
SUSPECTS = 3

#: Of `debug`, unless said otherwise.
LIMITS = Limits(seconds=20.0)

#: Seconds for one variant on all cases.
_PATIENCE = 0.5


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of a program by which it does what is expected.

    Attributes
    ----------
    text
        The whole program with it.
    steps
        The statements that it changes.
    proved_by
        What it was checked on, in words.
    diff
        The change as a unified diff, without context.
    """

    text: str
    steps: tuple[Step, ...]
    proved_by: str
    diff: str

    def to_json(self) -> dict[str, Any]:
        changes = [{"line": one.line, "before": one.before, "after": one.after} for one in self.steps]
        return {"text": self.text, "changes": changes, "diff": self.diff, "proved_by": self.proved_by}


@dataclass(frozen=True, slots=True)
class Suspect:
    """A statement that is probably wrong.

    Attributes
    ----------
    place
        Where it begins.
    text
        The statement, as its author wrote it.
    part
        The part of it that the repair changes; empty where something is added, or none is known.
    at
        Where in `text` the part begins.
    sentence
        Why it is suspected.
    repair
        A change by which the program does what is expected; None where none was found.
    """

    place: Place
    text: str
    part: str
    at: int
    sentence: str
    repair: Repair | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "place": {"file": self.place.file, "line": self.place.line, "column": self.place.column},
            "text": self.text,
            "part": self.part,
            "sentence": self.sentence,
            "repair": None if self.repair is None else self.repair.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Debugging:
    """The result of `debug`.

    Attributes
    ----------
    suspects
        The statements that are probably wrong, the likeliest first, at most three.
    right
        Whether the program does what is expected: there is nothing to repair.
    instance
        The smallest instance of those given that shows the fault; None where there is none.
    surplus, missing
        An answer of the program on it that is not meant, and one that is meant and missing.
    proved_by
        What the program was held against.
    complete
        Whether all changes of one statement were tried.
    limit
        The limit that came first.
    tried
        The number of variants that were tried.
    notes
        Remarks.
    lint
        What is certainly wrong in the program by its text alone.
    """

    suspects: tuple[Suspect, ...]
    right: bool
    instance: str | None
    surplus: tuple[str, ...] | None
    missing: tuple[str, ...] | None
    proved_by: str
    complete: bool
    limit: LimitName | None = None
    tried: int = 0
    notes: tuple[str, ...] = ()
    lint: tuple[Finding, ...] = ()

    @property
    def repair(self) -> Repair | None:
        """The likeliest repair."""
        return next((one.repair for one in self.suspects if one.repair is not None), None)

    def to_json(self) -> dict[str, Any]:
        suspects = [{**one.to_json(), "instance": self.instance} for one in self.suspects]
        return {
            "right": self.right,
            "suspects": suspects,
            "instance": self.instance,
            "surplus": None if self.surplus is None else list(self.surplus),
            "missing": None if self.missing is None else list(self.missing),
            "proved_by": self.proved_by,
            "complete": self.complete,
            "limit": self.limit,
            "tried": self.tried,
            "notes": list(self.notes),
            "lint": [one.to_json() for one in self.lint],
        }

    def __str__(self) -> str:
        return self.text()

    def text(self, *, hint: bool = False, verbose: bool = False) -> str:
        """The result as people read it; with `hint` the lines only, without a repair."""
        if self.right:
            return f"nothing is wrong with the program, as far as can be seen: it {self.proved_by}"
        lines = [f"{one.place}: {one.level}: {one.sentence if hint else one} [{one.id}]" for one in self.lint]
        lines += [""] if lines else []
        shown: list[Repair] = []
        for suspect in self.suspects:
            lines += [*_suspect_lines(suspect, hint), ""]
            if suspect.repair is not None and not hint and all(suspect.repair is not one for one in shown):
                shown.append(suspect.repair)
                lines += [f"  a repair: {suspect.repair.proved_by}"]
                lines += [f"    {line}" for line in suspect.repair.diff.split("\n")]
                lines.append("")
            if len(lines) == 0:
                break
        if not self.suspects:
            lines += ["no statement could be named", ""]
        lines += self._difference()
        if not hint and self.repair is None and self.suspects:
            lines.append("no repair of a few small changes was found")
        if self.limit is not None:
            lines.append(f"the limit on {self.limit} came first")
        if verbose:
            lines.append(f"{plural(self.tried, 'variant')} tried")
        lines += [f"note: {note}" for note in self.notes if verbose or not hint]
        return "\n".join(lines).rstrip("\n")

    def _difference(self) -> list[str]:
        if self.instance is None or (self.surplus is None and self.missing is None):
            return []
        found = [f"  on the instance: {self.instance}"]
        if self.surplus is not None:
            found.append(f"  an answer that is not meant: {' '.join(self.surplus) or '(no atom)'}")
        if self.missing is not None:
            found.append(f"  an answer that is missing: {' '.join(self.missing) or '(no atom)'}")
        return [*found, ""]


def _suspect_lines(suspect: Suspect, hint: bool) -> list[str]:
    lines = [f"{suspect.place}: {suspect.sentence}"]
    for number, line in enumerate(suspect.text.split("\n")):
        lines.append(f"    {line}")
        begin = suspect.at - sum(len(one) + 1 for one in suspect.text.split("\n")[:number])
        if suspect.text and 0 <= begin <= len(line) and not hint:
            width = max(min(len(suspect.part.split("\n")[0]), len(line) - begin), 1)
            lines.append(f"    {' ' * begin}^{'~' * (width - 1)}")
    return lines


@takes_limits("seconds", "solutions")
def debug(
    problem: AspProblem | PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    against: Any = None,
    instances: Any = None,
    generator: Any = None,
    constants: Mapping[str, Any] | None = None,
    missing: str | Iterable[str] = (),
    unwanted: str | Iterable[str] = (),
    given: str | Iterable[str] = (),
    cases: Sequence[Case] = (),
    tests: Sequence[str | PathLike[str]] = (),
    show: str | Iterable[str] | None = None,
    goal: str | Iterable[str] | None = None,
    optimal: bool | None = None,
    untrusted: bool = False,
    allow_missing_walls: bool = False,
    most: int = MOST,
    limits: Limits = LIMITS,
    on_progress: Callable[[Repair], object] | None = None,
) -> Debugging:
    """Which statement of a program is wrong, and what should it say?

    Parameters
    ----------
    problem
        The program: a file, text of a clingo program, or several, of which the first is in question; or a goal
        (`bridge.goal`).
    against
        A reference, which is right: as a contender of `bridge.compare`. Nothing of its text is in the result.
    instances, generator, constants
        As for `bridge.compare`: files of facts, or a program each answer set of which is an instance.
    missing
        Atoms, with `not` or without, that some answer should have, all of them.
    unwanted
        Atoms that no answer should have, each.
    given
        Atoms of the answer that is meant by `missing` and `unwanted`.
    tests
        Files, or texts, with tests (`bridge.debugging.expectations`), all of which should pass.
    show
        The predicates of an answer: `"at/2"`. By default what the reference shows, or chooses.
    goal
        Of a Prolog program, the goals whose answers are held against those of the reference; `missing` and `unwanted`
        are goals, too, that should succeed, or not. Of a clingo program, the goal of a reference in Prolog.
    optimal
        Whether only answers of least cost count; by default where the reference minimises something.
    untrusted, allow_missing_walls
        As for `asp.Program`: a program of somebody else is confined.
    limits
        Seconds for all of it.
    on_progress
        Called with each repair when it is found.

    Raises
    ------
    InputError
        When it is not said what is wrong.
    Interrupted
        On Ctrl-C, with the result so far in `partial`.
    """
    deadline = Deadline(limits.seconds)
    if is_prolog(problem):
        if untrusted:
            raise UnsupportedError(
                "an untrusted Prolog program is not debugged", hint="without --untrusted, if you trust it"
            )
        goals = _several(goal or ())
        assert not isinstance(problem, AspProblem)
        return _of_goals(problem, goals, against, _several(missing), _several(unwanted), deadline, on_progress)
    assert not isinstance(problem, PrologProblem)
    file, text, others, target = _program(problem, untrusted, allow_missing_walls)
    source = generator_of(generator, constants)
    instances_ = instances_given(instances, constants, source, min(most, 30))
    tests_ = [one for each in tests for one in tests_of(each)]
    if tests or not (against or missing or unwanted or cases):
        tests_ += [one for each in target.sources for one in tests_of(each)]
    cases = [*cases, *cases_of(target, tests_)]
    if tests_ and not (instances or generator):
        instances_ = [one.given for one in tests_]
    wanted = expected(
        target,
        against=against,
        goal=next(iter(_several(goal or ())), None),
        given=instances_,
        missing=_several(missing),
        unwanted=_several(unwanted),
        facts=_several(given),
        cases=cases,
        by=f"passes {'the test' if len(tests_) == 1 else f'the {len(tests_)} tests'}" if tests_ else None,
        show=show,
        optimal=optimal,
        untrusted=untrusted,
        allow_missing_walls=allow_missing_walls,
        deadline=deadline,
    )
    with Trials(
        wanted.cases,
        others,
        untrusted=untrusted,
        allow_missing_walls=allow_missing_walls,
        seconds=_PATIENCE,
    ) as trials:
        search = Search(
            text,
            trials,
            file=file,
            shown=wanted.show,
            given=wanted.given,
            constants=wanted.constants,
            reference=wanted.reference,
            others=others,
            deadline=deadline,
            on_repair=None if on_progress is None else lambda one: on_progress(_repair(one, text, wanted.by)),
        )
        try:
            found = search.run()
            if _prefer(found, wanted, trials, deadline) < 1.0:
                # What fits the instances alone is a guess: a repair that is right near by, too, is looked for.
                with trials.like((*wanted.cases, *wanted.extra)) as wider:
                    better = search.on(wider).run()
                    found.repairs[:0] = [one for one in better.repairs if one not in found.repairs]
        except KeyboardInterrupt:
            raise Interrupted(_result(search.found, text, file, wanted.by, (), deadline, notes=wanted.notes)) from None
        shown = _shown(found, trials)
        result = _result(found, text, file, wanted.by, shown, deadline, notes=wanted.notes)
    certain = () if result.right else lint(target, given=[(name, len(terms)) for name, terms in wanted.given]).certain
    return replace(result, lint=certain)


def _of_goals(
    problem: PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    goals: Sequence[str],
    against: Any,
    missing: Sequence[str],
    unwanted: Sequence[str],
    deadline: Deadline,
    on_progress: Callable[[Repair], object] | None,
) -> Debugging:
    """The same of a Prolog program."""
    if isinstance(problem, PrologProblem):
        goals = [*goals, problem.goal]
        problem = problem.sources
    sources = [problem] if isinstance(problem, str | PathLike) else list(problem)
    texts = [_read(source) for source in sources]
    file, text = texts[0]
    rest = "\n".join(one for _, one in texts[1:])
    reference: str | None = None
    with GoalTrials([*goals, *missing, *unwanted], rest) as trials:
        cases: list[GoalCase] = []
        if against is not None:
            several = against if isinstance(against, list | tuple) else [against]
            reference = "\n".join(_read(source)[1] for source in several)
            if not goals:
                raise InputError("which goals have different answers?", hint="--goal 'len([a, b], N)', once for each")
            for goal, answers in zip(goals, trials.reference(reference, deadline), strict=False):
                if answers.end.startswith("error: syntax"):
                    raise InputError(f"the reference cannot be read: {answers.end}")
                cases.append(GoalCase(goal, answers))
        elif goals:
            raise InputError(
                "it is not said what is wrong", hint="a reference (--against REF.pl), or --missing, --unwanted"
            )
        cases += [GoalCase(goal, succeeds=True) for goal in missing]
        cases += [GoalCase(goal, succeeds=False) for goal in unwanted]
        if not cases:
            hint = "a reference and goals (--against REF.pl --goal G), or goals that should succeed (--missing) or not"
            raise InputError("it is not said what is wrong", hint=hint)
        trials.cases = tuple(cases)
        by = (
            f"gives the answers of the reference to {plural(len(goals), 'goal')}"
            if reference
            else "does what was asked for"
        )
        search = GoalSearch(
            text,
            trials,
            reference=reference,
            deadline=deadline,
            on_repair=None if on_progress is None else lambda one: on_progress(_repair(one, text, by)),
        )
        try:
            found = search.run()
        except KeyboardInterrupt:
            raise Interrupted(_result(search.found, text, file, by, (), deadline)) from None
        except ProgramError as error:
            if file is not None:
                where = error.where or Place(file)
                error.where = Place(file, where.line, where.column)
            raise
        return _result(found, text, file, by, _shown_of_goals(found, trials), deadline)


def _shown_of_goals(found: Found, trials: GoalTrials) -> _Shown:
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


def is_prolog(of: Any) -> bool:
    """Whether it is a Prolog program: by its type, or by the name of its first file."""
    first = of[0] if isinstance(of, list | tuple) and of else of
    if isinstance(first, str | PathLike) and is_path(fspath(first)):
        return language_of_path(fspath(first)) == "prolog"
    return isinstance(of, PrologProblem)


def _several(of: str | Iterable[str]) -> list[str]:
    return [of] if isinstance(of, str) else list(of)


def _program(
    of: AspProblem | str | PathLike[str] | Sequence[str | PathLike[str]], untrusted: bool, allow: bool
) -> tuple[str | None, str, str, AspProblem]:
    """The file and the text in question, the text of the others, and the whole as a problem."""
    if isinstance(of, AspProblem):
        target = of
    else:
        several = [of] if isinstance(of, str | PathLike) else list(of) if isinstance(of, list | tuple) else []
        if not several or not all(isinstance(one, str | PathLike) for one in several):
            raise InputError(f"{brief(of)} is not a clingo program", hint="the path of an .lp file, or bridge.program")
        target = AspProblem(*several, untrusted=untrusted, allow_missing_walls=allow)
    if not target.sources:
        raise InputError("there is no program")
    texts = [_read(source) for source in target.sources]
    file, text = texts[0]
    return file, text, "\n".join(Text(one, name).data.decode() for name, one in texts[1:]), target


def _read(source: str | PathLike[str]) -> tuple[str | None, str]:
    given = fspath(source)
    if not (isinstance(source, PathLike) or is_path(given)):
        return None, given
    try:
        return given, Path(given).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=Place(given), hint="check the path") from None
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8", where=Place(given), hint="is this a program?") from None


def _prefer(found: Found, wanted: Expected, trials: Trials, deadline: Deadline) -> float:
    """Repairs that are right on instances near by, too, come first: the share that is right of the first, or 1."""
    if not found.repairs or not wanted.extra:
        return 1.0
    some = found.repairs[:40]
    with trials.like(wanted.extra) as near:
        scores = near.scores([one.text for one in some], full=True, deadline=deadline)
        shares = {one.text: round(score.share, 4) for one, score in zip(some, scores, strict=False)}
    found.repairs.sort(key=lambda one: (-shares.get(one.text, 0.0), one.cost))
    return shares.get(found.repairs[0].text, 1.0)


#: An instance, an answer too many, and one that is missing; or nothing.
_Shown = tuple[str, tuple[str, ...] | None, tuple[str, ...] | None] | tuple[()]


def _result(
    found: Found,
    text: str,
    file: str | None,
    by: str,
    shown: _Shown,
    deadline: Deadline,
    *,
    notes: tuple[str, ...] = (),
) -> Debugging:
    right = found.base.score.right and not found.base.steps
    instance, surplus, missing = shown or (None, None, None)
    suspects = () if right else tuple(_suspects(found, text, file, by))[:SUSPECTS]
    limit: LimitName | None = "seconds" if deadline.expired() and not right and not found.repairs else None
    return Debugging(suspects, right, instance, surplus, missing, by, found.complete, limit, found.tried, notes)


def _shown(found: Found, trials: Trials) -> _Shown:
    """The smallest instance on which the program is wrong, an answer too many there, and one that is missing."""
    score: Score = found.base.score
    if score.right or not score.loaded:
        return ()
    for number, case in enumerate(trials.cases[: len(score.surplus)]):
        if not (score.surplus[number] or score.missing[number]):
            continue
        instance = " ".join(case.facts.split())
        instance = " ".join([*(f"{name} = {value}." for name, value in case.constants.items()), instance]).strip()
        if case.exactly is None:
            return instance or "(no facts)", None, None
        own = trials.answers(found.base.text, number, 2 * len(case.exactly) + 30, Limits(seconds=5))
        answers, meant = set(own.answers), set(case.exactly)
        surplus = min(answers - meant, key=_short, default=None) if case.complete else None
        lost = min(meant - answers, key=_short, default=None) if own.how == "all" else None
        return instance or "(no facts)", surplus, lost
    return ()


def _short(answer: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    return len(answer), answer


def _suspects(found: Found, text: str, file: str | None, by: str) -> Iterator[Suspect]:
    seen: set[int] = set()
    kinds = _fault(found)
    for variant in found.repairs:
        repair = _repair(variant, text, by)
        for step in variant.steps:
            if step.line not in seen:
                seen.add(step.line)
                yield _suspect(step, text, file, kinds, repair)
    if not found.repairs:
        for step in found.base.steps:
            if step.line not in seen:
                seen.add(step.line)
                yield _suspect(step, text, file, kinds, None)
    if found.repairs and any(step.before for step in found.repairs[0].steps):
        return
    # Nothing says that a statement is wrong, but that its changes come nearest.
    for line, gain in sorted(found.gains.items(), key=lambda pair: -pair[1]):
        statement = _statement(text, file, line) if line not in seen and gain >= 0 else ""
        if statement:
            seen.add(line)
            sentence = f"{kinds}: changes of this statement come nearest to it"
            yield Suspect(Place(file or "<string>", line, 1), statement, "", 0, sentence)


def _fault(found: Found) -> str:
    score = found.base.score
    if not score.loaded:
        return "clingo refuses the program"
    many, few = any(score.surplus), any(score.missing)
    if many and few:
        return "the program has answers that are not meant, and lacks others"
    return "the program allows an answer that is not meant" if many else "the program lacks an answer that is meant"


_SENTENCES = {
    "syntax": "clingo cannot read this",
    "definition": "this needs a predicate that nothing defines",
}


def _suspect(step: Step, text: str, file: str | None, fault: str, repair: Repair | None) -> Suspect:
    place = Place(file or "<string>", step.line, step.column)
    if step.before:
        sentence = f"{_SENTENCES.get(step.kind) or fault}: this is probably wrong"
        if not step.after and repair is not None:
            sentence = f"{fault}: this should not be here"
        return Suspect(place, step.before, step.part, step.at, sentence, repair)
    statement = _statement(text, file, step.line)
    sentence = f"{_SENTENCES.get(step.kind) or fault}: a rule is missing beside this"
    return Suspect(place, statement, "", 0, sentence, repair)


def _statement(text: str, file: str | None, line: int) -> str:
    """The text of the statement that begins on a line."""
    try:
        parsed = Text(text, file)
        for one in parsed.statements:
            if one.location.begin.line == line:
                return parsed.of(one)
    except ProgramError:
        pass
    lines = text.split("\n")
    return lines[line - 1].strip() if line <= len(lines) else ""


def _repair(variant: Variant, text: str, by: str) -> Repair:
    # What is included is named as the author named it.
    own, changed = text.split("\n"), variant.text.split("\n")
    changed = [
        own[number] if line.lstrip().startswith("#include") and number < len(own) else line
        for number, line in enumerate(changed)
    ]
    diff = [
        line
        for line in difflib.unified_diff(own, changed, n=0, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    return Repair("\n".join(changed), variant.steps, by, "\n".join(diff))
