"""`profile`: why is a program slow or large, and what to change?

    found = profile("encoding.lp", instances=["small.lp", "large.lp"])
    print(found.cause.place, found.cause.sentence)
    profile(bridge.goal("queens.pl", "queens(8, Qs)")).remedies

Grounding is counted by statement (`bridge.profiling.by_rule`), and what would take too long is estimated and left out.
The search is counted by clasp, and which constraints take part in its conflicts by its lemmas
(`bridge.profiling.by_conflict`). Of a Prolog goal, calls are counted by clause and goal (`bridge.profiling.calls`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.analysis import Ending, Recursion, endless_goal
from bridge.asp import encode
from bridge.common import Json, is_path, public, read_source, short
from bridge.comparison import Instance, constant_value, variable_of
from bridge.errors import InputError, UnsupportedError
from bridge.limits import Deadline, LimitName, Limits, takes_limits
from bridge.outcome import Interrupted
from bridge.problem import AspProblem, PrologProblem, is_prolog, sources_of
from bridge.profiling.by_rule import only_facts
from bridge.profiling.calls import CallProfile, cause_of_calls, count_calls, short_text
from bridge.profiling.cost import (
    LITTLE,
    WIDTH,
    Cause,
    cause_of_grounding,
    cause_of_search,
    given_of,
    grounding_lines,
    join_lines,
    search_lines,
    search_of,
)
from bridge.profiling.family import Family, family
from bridge.profiling.goal_remedies import goal_remedies
from bridge.profiling.grounding_profile import (
    SPEED,
    Profile,
    SearchProfile,
)
from bridge.profiling.grounding_profile import profile as ground_profile
from bridge.profiling.remedies import Remedy, Subject, remedies

if TYPE_CHECKING:
    from bridge.analysis import GoalDiagnosis
    from bridge.drawing import Chart

_CONSTANT = re.compile(r"^\s*#const\s+(\w+)\s*=\s*(\d+)\s*\.", re.MULTILINE)

#: Of `profile`, unless said otherwise.
LIMITS = Limits(seconds=20.0)

#: Instances with more facts are not compared.
LARGEST = 50_000

#: Smaller instances of one that is given: so many facts of each predicate; values of constants.
FEW, SMALL = (3, 8, 16), (2, 4, 6)

#: The shares of the time that is left for grounding, search, rewritings and the instances, at most.
_GROUNDING, _SEARCH, _CHANGES, _FAMILY = 0.4, 0.2, 0.6, 0.9

#: Seconds in which most goals end; of those that do not, it is looked for why.
_SOON = 1.0

#: Seconds, at least, for changes of a goal's program, and how often the seconds of the goal.
_TRIALS, _PATIENCE = 6.0, 10


@public("bridge")
@dataclass(frozen=True, slots=True)
class Profiling(Json):
    """The result of `profile`.

    Attributes
    ----------
    cause
        The statement that costs most; None where nothing costs anything.
    instance
        The instance that was looked at: the largest of those given.
    grounding
        Ground rules, atoms and seconds of each statement, with estimates; None of a Prolog goal.
    search
        What the search for the first answer set, or the best one, cost, and the constraints in the lemmas of another
        search with a switch for each. None where the program was not ground.
    remedies
        Rewritings that help, each of the program with those before it: the same answers, and measured to be smaller or
        faster.
    calls
        Of a Prolog goal: calls and answers of each clause and goal, and inferences.
    recursion, ending
        Of a goal that does not end: the recursion that it stands in, and a change by which it ends.
    family
        How cost grows over the instances, where there are several.
    limit
        The limit that came first.
    notes
        Remarks.
    """

    cause: Cause | None
    instance: str | None
    grounding: Profile | None
    search: SearchProfile | None = None
    remedies: tuple[Remedy, ...] = ()
    calls: CallProfile | None = None
    family: Family | None = None
    limit: LimitName | None = None
    notes: tuple[str, ...] = ()
    recursion: Recursion | None = None
    ending: Ending | None = None

    __repr__ = short

    @property
    def seconds(self) -> float:
        """Of grounding and search, with what was left out as it is estimated; of a goal, with counters."""
        if self.grounding is None:
            return 0.0 if self.calls is None else self.calls.seconds
        return self.grounding.expected_seconds + (0.0 if self.search is None else self.search.seconds)

    def fixed(self) -> dict[str, str]:
        """The text of each file with all rewritings; files without one are left out."""
        return {file: one.text for one in self.remedies if (file := one.place.file) and not file.startswith("<")}

    _json = ("cause instance grounding search calls recursion ending remedies family limit notes",)

    def chart(self, measure: str = "seconds") -> Chart:
        """A chart of how `seconds`, `rules` or `conflicts` grow over the instances (extra `pictures`).

        Raises
        ------
        InputError
            When there is only one instance, or nothing to draw.
        UnsupportedError
            When the extra `pictures` is not installed.
        """
        from bridge.drawing import growth_chart

        if self.family is None:
            raise InputError("there is nothing to draw", hint="give several instances: -i, or -c n=4..12")
        return growth_chart(self.family.to_json(), measure)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.cause is not None:
            yield f"{self.cause.place}: {self.cause.sentence}"
            yield f"    {short_text(self.cause.text, 2 * WIDTH) if self.calls is not None else self.cause.text}"
            yield ""
        if self.ending is not None:
            yield from self.ending.lines()
            yield ""
        for number, remedy in enumerate(self.remedies, 1):
            yield f"change {number}: " + "\n".join(remedy.lines())
            yield ""
        if len(self.remedies) > 1:
            yield f"all changes: {self.remedies[0].before} -> {self.remedies[-1].after}"
            yield ""
        if self.instance is not None:
            yield f"on {self.instance}:"
        if self.calls is not None:
            yield from self.calls.lines()
        if self.grounding is not None:
            yield from grounding_lines(self.grounding)
            shown = self.grounding.statements[:1] if self.cause is None or self.cause.phase == "grounding" else ()
            for statement in shown:
                if lines := list(join_lines(statement)):
                    yield from ("", *lines)
        if self.search is not None:
            yield ""
            yield from search_lines(self.search)
        if self.family is not None:
            yield ""
            yield from self.family.lines()
        for note in self.notes:
            yield f"note: {note}"
        if self.grounding is not None and self.grounding.complete and self.seconds < LITTLE:
            yield f"note: all of it takes {self.seconds:.2f} s here; a larger instance shows more"


@dataclass(frozen=True, slots=True)
class Measured:
    """An instance of a program, to be profiled."""

    name: str | None  #: What it is called.
    size: float  #: The number of its facts, or the value of the constant that makes it.
    problem: AspProblem  #: The program with it.
    alone: AspProblem  #: The program without it.
    instance: Callable[[], Instance]  #: Reads the instance alone.


@public("bridge")
@takes_limits("seconds")
def profile(
    problem: AspProblem | PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    instances: Sequence[str | PathLike[str]] = (),
    constants: Mapping[str, Any] | None = None,
    against: AspProblem | PrologProblem | str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    search: bool = True,
    measure: bool = False,
    changes: bool = True,
    limits: Limits = LIMITS,
    on_progress: Callable[[Profiling], object] | None = None,
) -> Profiling:
    """Why is a program slow or large?

    Parameters
    ----------
    problem
        The program: a file, text, or several; or a goal (`bridge.goal`).
    instances
        Files of facts, each an instance.
    constants
        Values of constants, of a goal values of variables; a `range` or a list of several makes an instance of each.
    against
        Another program, which is measured on the same instances.
    search
        Whether the program is solved, too, for the first answer set or the best one.
    measure
        Whether statements that are estimated to take too long are ground all the same, until the limit.
    changes
        Whether rewritings of the statements that cost most are tried. Each is compared on the instances, and on smaller
        ones that are made of them where there is only one.
    limits
        Seconds for all of it.
    on_progress
        Called with the profile so far.

    Raises
    ------
    InputError
        When a file cannot be read.
    ProgramError
        When the program cannot be parsed or ground.
    UnsupportedError
        When it has a theory, or is incremental.
    Interrupted
        On Ctrl-C, with the profile so far in `partial`.
    """
    deadline = Deadline(limits.seconds)
    if isinstance(problem, PrologProblem):
        return _of_goal(problem, instances, constants, against, changes, deadline, on_progress)
    if is_prolog(problem) or isinstance(against, PrologProblem):
        raise InputError("a Prolog program is profiled with a goal", hint='bridge.goal("queens.pl", "queens(8, Qs)")')
    every = family_of(program_of(problem), instances, constants)
    others = [] if against is None else family_of(program_of(against), instances, constants)
    most = every[-1]
    share = deadline.share(_GROUNDING / 2 if len(every) > 1 else _GROUNDING)
    bound = float("inf") if measure or share is None else SPEED * share
    kept = _Kept(on_progress)

    def take(so_far: Profile) -> None:
        kept.take(Profiling(cause_of_grounding(so_far), most.name, so_far, limit=so_far.limit))

    with kept.until_interrupted():
        within = Limits(seconds=share if search else deadline.remaining(), memory=most.problem.memory)
        ground = ground_profile(
            *most.problem.sources, most=bound, limits=within, on_progress=take, **given_of(most.problem)
        )
        take(ground)
        if search and ground.complete:
            kept.found = _searched(kept.found, ground, most.problem, deadline)
        found = kept.found
        if changes:
            until = Deadline(deadline.share(_CHANGES) if len(every) > 1 or others else deadline.remaining())
            measured = most
            if ground.limit is not None:
                ground, measured = _smaller(every, bound, until) or (ground, most)
            on = measured.name if measured is not most else None
            subject = Subject(every[0].alone, measured.problem, tuple(_checks(every)), on)
            suspects = [one.place for one in (found.search.constraints[:2] if found.search else ())]
            for remedy in remedies(subject, ground, found.search, suspects, until):
                kept.take(replace(kept.found, remedies=(*kept.found.remedies, remedy)))
        if len(every) > 1 or others:
            titles = _titles(every, others)
            programs = {
                title: [(one.name or "as it is", one.size, partial(_cost, one.problem)) for one in some]
                for title, some in zip(titles, (every, others), strict=False)
                if some
            }
            kept.found = replace(kept.found, family=family(programs, Deadline(deadline.share(_FAMILY))))
    return kept.found


class _Kept:
    """The profile so far."""

    found: Profiling

    def __init__(self, on_progress: Callable[[Profiling], object] | None) -> None:
        self._on_progress = on_progress

    def take(self, found: Profiling) -> None:
        self.found = found
        if self._on_progress is not None:
            self._on_progress(found)

    @contextmanager
    def until_interrupted(self) -> Iterator[None]:
        """On Ctrl-C, raise Interrupted with the profile, if there is one."""
        try:
            yield
        except KeyboardInterrupt:
            if not hasattr(self, "found"):
                raise
            raise Interrupted(replace(self.found, limit="interrupt")) from None


def _smaller(every: Sequence[Measured], bound: float, deadline: Deadline) -> tuple[Profile, Measured] | None:
    """The largest instance that can be ground in a part of the time, where the largest of all cannot."""
    for one in reversed(every[:-1]):
        within = Limits(seconds=deadline.share(_GROUNDING / 2), memory=one.problem.memory)
        found = ground_profile(*one.problem.sources, most=bound, limits=within, **given_of(one.problem))
        if found.limit is None:
            return found, one
    return None


def _of_goal(
    problem: PrologProblem,
    instances: Sequence[str | PathLike[str]],
    constants: Mapping[str, Any] | None,
    against: Any,
    changes: bool,
    deadline: Deadline,
    on_progress: Callable[[Profiling], object] | None,
) -> Profiling:
    """The same of a goal: of the one with the largest values, whose changes are compared with all values."""
    if instances:
        raise InputError("a goal has no instances", hint="give facts as a file of the program, or values: N=4..8")
    every = _with_values(problem, constants)
    kept = _Kept(on_progress)
    with kept.until_interrupted():
        counted, why = _counted(every[-1][2], deadline)
        cause = _recursion(counted, why) or cause_of_calls(counted)
        found = Profiling(cause, counted.goal, None, calls=counted, limit=counted.limit)
        if why is not None:
            reason = "not all calls were counted" if counted.limit == "memory" else "the goal did not end"
            notes = () if why.ending or not changes else (f"no change was found: {reason}",)
            found = replace(found, recursion=why.recursion, ending=why.ending if changes else None, notes=notes)
        kept.take(found)
        if changes and counted.limit is None:
            left = deadline.share(_CHANGES) if len(every) > 1 else deadline.remaining()
            until = Deadline(None if left is None else min(left, max(_TRIALS, _PATIENCE * counted.seconds)))
            for remedy in goal_remedies([one for _, _, one in every], counted, until):
                kept.take(replace(kept.found, remedies=(*kept.found.remedies, remedy)))
        if len(every) > 1 or against is not None:
            programs = {problem.title: every}
            if against is not None:
                several = [against] if isinstance(against, str | PathLike) else against
                other = against if isinstance(against, PrologProblem) else PrologProblem(several, problem.goal)
                name = other.title if other.title != problem.title else f"{other.title} (2)"
                programs[name] = _with_values(other, constants)
            measured = {
                name: [(value, size, partial(_cost_of_goal, one)) for value, size, one in some]
                for name, some in programs.items()
            }
            kept.found = replace(kept.found, family=family(measured, Deadline(deadline.share(_FAMILY))))
    return kept.found


def _counted(problem: PrologProblem, deadline: Deadline) -> tuple[CallProfile, GoalDiagnosis | None]:
    """The calls of a goal; of one that does not end soon why, and calls of a longer time where that says little."""
    counted = count_calls(problem, Deadline(deadline.share(_GROUNDING)), soon=_SOON)
    if counted.limit is None:
        return counted, None
    why = endless_goal(problem, Limits(seconds=deadline.share(_GROUNDING)))
    if why.ending is None and (why.recursion is None or not why.recursion.certain):
        counted = count_calls(problem, Deadline(deadline.share(_GROUNDING)))
    return counted, None if counted.limit is None else why


def _recursion(counted: CallProfile, why: GoalDiagnosis | None) -> Cause | None:
    """The recursion in which a goal stands that does not end, as the cause."""
    found = None if why is None else why.recursion
    if found is None or not found.likely:
        return None
    texts = {one.place: one for one in counted.clauses}
    clause = texts.get(found.place)
    share = 1.0 if clause is None or not counted.calls else clause.calls / counted.calls
    return Cause(found.place, found.predicate if clause is None else clause.text, "calls", share, found.sentence)


def _with_values(problem: PrologProblem, constants: Mapping[str, Any] | None) -> list[tuple[str, float, PrologProblem]]:
    """A goal with each of several values of a variable, the smallest first: what it is called, its size, the goal."""
    values = {variable_of(name): value for name, value in (constants or {}).items()}
    if values and (lack := next((one for one in values if one not in problem.variables()), None)):
        raise InputError(f"the goal has no variable {lack}", hint=f"{problem.query}")
    several = [name for name, value in values.items() if isinstance(value, range | list | tuple)]
    if len(several) > 1:
        raise InputError("only one variable has several values")
    fixed = "".join(f"{name} = {encode(value)}, " for name, value in values.items() if name not in several)
    if not several:
        return [("as it is", 0.0, replace(problem, goal=f"{fixed}{problem.query}"))]
    name = several[0]
    return [
        (f"{name}={value}", float(value), replace(problem, goal=f"{fixed}{name} = {value}, {problem.query}"))
        for value in sorted(values[name])
    ]


def _cost_of_goal(problem: PrologProblem, seconds: float | None) -> tuple[str, dict[str, float]]:
    found = count_calls(problem, Deadline(seconds))
    values = {"seconds": found.seconds}
    if found.inferences is None:
        return "unknown", values
    return "sat" if found.answers else "unsat", {**values, "inferences": float(found.inferences)}


def _titles(every: Sequence[Measured], others: Sequence[Measured]) -> list[str]:
    """What the programs are called: each by its files without those of the instances."""
    files = [
        [Path(fspath(one)).name for one in some[0].alone.sources if is_path(one)] for some in (every, others) if some
    ]
    names = [" ".join(some) or "<text>" for some in files]
    return [f"{name} ({number})" for number, name in enumerate(names, 1)] if len({*names}) < len(names) else names


def _cost(problem: AspProblem, seconds: float | None) -> tuple[str, dict[str, float]] | None:
    if (found := search_of(problem, seconds)) is None:
        return None
    numbers = {measure: float(found.numbers[measure]) for measure in ("rules", "conflicts")}
    return found.verdict, {"seconds": found.grounding + found.seconds, **numbers}


def _searched(found: Profiling, grounding: Profile, problem: AspProblem, deadline: Deadline) -> Profiling:
    """The profile with that of the search."""
    plain = search_of(problem, deadline.share(_SEARCH))
    if plain is None:
        return replace(found, limit="seconds", notes=(*found.notes, "the search did not begin within the limit"))
    found = replace(found, search=plain, limit="seconds" if plain.verdict == "unknown" else found.limit)
    if not plain.numbers["conflicts"]:
        return found
    if problem.confinement["untrusted"]:
        return replace(found, notes=(*found.notes, "conflicts by constraint are not counted for an untrusted program"))
    switched = search_of(problem, deadline.share(_SEARCH), lemmas=True)
    if switched is None:
        return found
    search = replace(plain, lemmas=switched.lemmas, constraints=switched.constraints)
    cause = cause_of_search(search) if plain.seconds > grounding.expected_seconds else None
    return replace(found, search=search, cause=cause or found.cause)


def program_of(of: AspProblem | str | PathLike[str] | Sequence[str | PathLike[str]]) -> AspProblem:
    of = of if isinstance(of, AspProblem) else AspProblem(*sources_of(of))
    if of.theory is not None:
        raise UnsupportedError("a program with a theory is not profiled", hint="`lpbridge run --json` has statistics")
    if of.steps is not None or of.dropped or of.query:
        raise UnsupportedError("a program is profiled as it is: without steps, and with all its rules")
    return of


def family_of(
    problem: AspProblem, instances: Sequence[str | PathLike[str]], constants: Mapping[str, Any] | None
) -> list[Measured]:
    """The program on each of its instances, the smallest first; by itself where there are none.

    Raises InputError when an instance cannot be read, or there are files and several values of a constant.
    """
    values = dict(constants or {})
    several = [name for name, value in values.items() if isinstance(value, range | list | tuple)]
    if len(several) > 1 or (several and instances):
        raise InputError("the instances come from files or from the values of one constant, not from both")
    fixed = {name: value for name, value in values.items() if name not in several}
    for name, value in fixed.items():
        problem = problem.with_constant(name, encode(value))
    bare, fixed = _without_constants(problem)
    if several:
        name = several[0]
        if not values[name]:
            raise InputError(f"there is no value of {name}")
        return [
            Measured(
                f"{name}={value}",
                float(value),
                problem.with_constant(name, encode(value)),
                bare,
                partial(Instance, (), {**fixed, name: value}, f"{name}={value}", size=value),
            )
            for value in sorted(values[name])
        ]
    found = []
    files = [Path(fspath(one)) for one in instances]
    if not files:
        files = [path for path in (Path(one) for one in problem.sources[1:] if is_path(one)) if _is_facts(path)]
        alone = bare.like(*(one for one in problem.sources if not is_path(one) or Path(fspath(one)) not in files))
        return [Measured(None, 0.0, problem, alone, partial(_together, files, fixed))]
    for path in files:
        with bare.like(path).program(limits=LIMITS) as program:
            size = program.grounding(limits=LIMITS).rules["facts"]
        found.append(
            Measured(
                path.name, float(size), problem.with_instance(path, constants={}), bare, partial(Instance.read, path)
            )
        )
    return sorted(found, key=lambda one: one.size)


def _without_constants(problem: AspProblem) -> tuple[AspProblem, dict[str, Any]]:
    """The program without values of constants, and these."""
    options = [one for one in problem.options if not one.startswith("--const=")]
    given = [one.removeprefix("--const=").split("=", 1) for one in problem.options if one not in options]
    found = {name: constant_value(value) for name, value in given}
    bare = AspProblem(*problem.sources, options=options, memory=problem.memory, **problem.confinement)
    return bare, {**problem.constants, **found}


def _is_facts(path: Path) -> bool:
    return only_facts(read_source(path)[1]) is not None


def _together(files: Sequence[Path], constants: Mapping[str, Any]) -> Instance:
    """Several files of facts, and constants, as one instance."""
    facts = tuple(fact for path in files for fact in Instance.read(path).facts)
    names = [*(path.name for path in files), *(f"{name}={encode(value)}" for name, value in constants.items())]
    return Instance(facts, constants, " ".join(names) or "the program as it is")


def _checks(every: Sequence[Measured]) -> Iterator[Instance]:
    """The instances on which rewritings are compared, the smallest first; those of a single one are made smaller."""
    given = [one.instance() for one in every if one.size <= LARGEST]
    _, fixed = _without_constants(every[0].problem)
    given = [
        replace(one, name=measured.name or one.name, constants={**fixed, **one.constants})
        for one, measured in zip(given, every, strict=False)
    ]
    if len(given) != 1 or len(every) > 1:
        yield from given
        return
    (whole,) = given
    number = {name: len(whole[name]) for name in whole}
    most = max(number.values(), default=0)
    for few in FEW:
        if few < most:
            rows = {name: whole[name][:few] for name in whole}
            facts = tuple((name, row) for name in rows for row in rows[name])
            yield Instance(facts, {}, f"the first {few} facts of each predicate")
    for name, value in _numbers(every[0].problem).items():
        for less in (one for one in SMALL if one < value):
            yield replace(whole, constants={**whole.constants, name: less}, name=f"{name}={less}")
    yield whole


def _numbers(problem: AspProblem) -> dict[str, int]:
    """The constants of a program that are numbers."""
    found: dict[str, str] = {}
    for source in problem.sources:
        text = read_source(source)[1]
        found |= dict(_CONSTANT.findall(text))
    found |= {name: encode(value) for name, value in _without_constants(problem)[1].items()}
    return {name: int(value) for name, value in found.items() if value.isdecimal()}
