"""What a Prolog goal costs, clause by clause and goal by goal, and the one clause that costs most: the cause.

The counters are those of the virtual machine (`bridge/prolog/lpbridge_profile.pl`): exact, and the same in each run.
Inferences are counted in a second run, without these counters, by which there would be more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from os import fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bridge.common import Json, is_path, plural
from bridge.errors import LimitError, Place, ProgramError, UnsupportedError
from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import Outcome
from bridge.problem import PROLOG, Clause, PrologProblem, Source
from bridge.profiling.cost import LISTED, MULTIPLIES, SELECTS, WIDTH, Cause
from bridge.prolog import Atom, Session

#: Answers of a goal that are looked for.
MOST = 1000

#: Goals that are called less often are not spoken of.
OFTEN = 100

#: The share of the inferences from which on the search of library(clpfd) is the cause.
SEARCH = 0.5

#: A test accepts less than such a share; the calls for what it is given are more than such a share.
ACCEPTS, MOSTLY = 0.1, 0.5

#: What propagators of library(clpfd) stand for.
_PROPAGATORS = {
    "pneq": r"X #\= Y",
    "x_neq_y_plus_z": r"X #\= Y+Z",
    "absdiff_neq": r"abs(X-Y) #\= C",
    "absdiff_geq": "abs(X-Y) #>= C",
    "pplus": "X+Y #= Z",
    "ptimes": "X*Y #= Z",
    "pgeq": "X #>= Y",
    "scalar_product_eq": "a sum with #=",
    "scalar_product_leq": "a sum with #=<",
    "scalar_product_neq": r"a sum with #\=",
    "pdifferent": "all_different",
    "pdistinct": "all_distinct",
    "pexclude": "all_distinct",
    "weak_distinct": "all_distinct",
    "rel_tuple": "tuples_in",
    "pelement": "element",
    "pcircuit": "circuit",
}


@dataclass(frozen=True, slots=True)
class GoalCount(Json):
    """A goal in the body of a clause: how often it was called, and how often it had an answer."""

    place: Place
    text: str
    calls: int
    exits: int
    predicate: str = ""

    _json = ("place text calls exits",)


@dataclass(frozen=True, slots=True)
class ClauseCount(Json):
    """A clause: how often it was entered and left with an answer, and its goals. `module` is where it is loaded."""

    place: Place
    predicate: str
    module: str
    text: str
    enters: int
    exits: int
    goals: tuple[GoalCount, ...]

    @property
    def calls(self) -> int:
        """Of it, and of its goals."""
        return self.enters + sum(one.calls for one in self.goals)

    _json = ("place predicate text enters exits goals",)


@dataclass(frozen=True, slots=True)
class Repeated(Json):
    """Calls, and how many of them differ."""

    calls: int
    different: int


@dataclass(frozen=True, slots=True)
class CallProfile(Json):
    """What a goal costs."""

    goal: str  #: The goal.
    answers: int | None  #: Its answers up to the limit; None where the process ended with them.
    complete: bool  #: Whether these are all, or as many as were looked for.
    #: Its inferences, and those of them in `labeling/2` of library(clpfd), with the propagation there, by their share
    #: while calls were counted. None where a limit came first.
    inferences: int | None
    searched: int | None
    seconds: float  #: How long it took, with the counters.
    clauses: tuple[ClauseCount, ...]  #: The clauses of the program that were entered, the one with most calls first.
    propagators: Mapping[str, int]  #: How often each kind of propagator of library(clpfd) was run, the most first.
    repeated: Repeated | None = None  #: Calls of the predicate of the first clause. None where they are not known.
    limit: LimitName | None = None  #: The limit that came first.

    @property
    def calls(self) -> int:
        """Of all clauses and goals of the program."""
        return sum(one.calls for one in self.clauses)

    def lines(self) -> Iterator[str]:
        """The table of clauses, and of the goals of the first ones."""
        found = "answers not counted" if self.answers is None else plural(self.answers, "answer")
        found += "" if self.complete or self.answers is None else " so far"
        inferences = "" if self.inferences is None else f", {plural(self.inferences, 'inference')}"
        searched = (
            f", {self.searched / self.inferences:.0%} of them in labeling" if self.searched and self.inferences else ""
        )
        yield f"{found} in {self.seconds:.2f} s{inferences}{searched}"
        if self.limit == "memory":
            yield "  the stack was full, since the counters keep each call: these are the calls up to then"
        width = max((len(str(one.place)) for one in self.clauses[:LISTED]), default=0)
        if self.clauses:
            yield f"  {'':{width}}  {'calls':>12} {'answers':>12}"
        for number, clause in enumerate(self.clauses[:LISTED]):
            yield f"  {clause.place!s:{width}}  {clause.enters:>12,} {clause.exits:>12,}  {short_text(clause.text)}"
            for goal in clause.goals if number < 3 else ():
                yield f"  {'':{width}}  {goal.calls:>12,} {goal.exits:>12,}    {short_text(goal.text)}"
        if len(self.clauses) > LISTED:
            yield f"  and {plural(len(self.clauses) - LISTED, 'clause')} more"
        if self.propagators:
            runs = (f"{_PROPAGATORS.get(name, name)} {runs:,}" for name, runs in self.propagators.items())
            yield f"  runs of propagators: {', '.join(islice(runs, 4))}"


def count_calls(problem: PrologProblem, deadline: Deadline, soon: float | None = None) -> CallProfile:
    """Run a goal and count, for so many seconds where `soon` is given.

    Raises UnsupportedError when the program is untrusted; ProgramError when it cannot be read, or the goal raises an
    error.
    """
    if problem.untrusted:
        raise UnsupportedError(
            "an untrusted Prolog program is not profiled", hint="without --untrusted, if you trust it"
        )
    read = problem.read(deadline.within(Limits()))
    with TemporaryDirectory(prefix="lpbridge-") as folder:
        files, sources = _files(problem, read.sources[:-1], Path(folder))
        with Session(*files, PROLOG / "lpbridge_profile.pl", output="nowhere", limits=deadline.within(Limits())) as run:
            began = perf_counter()
            asked = f"lpbridge_profile:counted(user:({problem.query}\n), {MOST}, [labeling/2], LpbridgeNumbers)"
            overflow: ProgramError | None = None
            limit: LimitName | None
            numbers: Sequence[Any] = ()
            try:
                outcome = run.query(asked, limits=deadline.within(Limits(seconds=soon, solutions=1))).collect()
                limit = None if outcome.solutions else outcome.limit
                numbers = outcome.solutions[0]["LpbridgeNumbers"] if outcome.solutions else ()
            except ProgramError as error:
                if "resource_error(stack" not in str(error.term):
                    raise
                overflow, limit = error, "memory"
            seconds = perf_counter() - began
            answers, counted, searched = numbers or (_so_far(run), None, None)
            rows = _asked(run, "lpbridge_profile:clauses(R)")
            counts = sorted(_counts(run, rows, sources), key=lambda one: (-one.calls, str(one.place.file), _order(one)))
            propagators = {str(name): int(runs) for name, runs in _asked(run, "lpbridge_profile:propagators(R)")}
            repeated = _repeated(run, problem.query, counts[0], deadline) if counts and limit is None else None
        inferences = None
        if limit is None or overflow is not None:
            inferences = _inferences(files, problem.query, deadline)
        if overflow is not None and inferences is None:
            raise overflow
    if inferences is not None and counted and searched:
        searched = round(inferences * searched / counted)
    known = inferences, searched, seconds, tuple(counts), propagators, repeated, limit
    return CallProfile(problem.query, answers, limit is None, *known)


def _so_far(run: Session) -> int | None:
    """The answers that a goal had up to a limit."""
    found = _asked(run, "lpbridge_profile:answers(N), R = [N]")
    return int(found[0]) if found else None


def _inferences(files: Sequence[Path], query: str, deadline: Deadline) -> int | None:
    """The inferences of a goal that runs without counters, in a process of its own; None where a limit came first."""
    if deadline.expired():
        return None
    limits = deadline.within(Limits())
    try:
        with Session(*files, PROLOG / "lpbridge_profile.pl", output="nowhere", limits=limits) as run:
            found = _asked(run, f"lpbridge_profile:inferences(user:({query}\n), {MOST}, N), R = [N]", limits=limits)
    except LimitError:
        return None
    return int(found[0]) if found else None


def _repeated(run: Session, query: str, clause: ClauseCount, deadline: Deadline) -> Repeated | None:
    """How often its predicate is called, and with how many different arguments."""
    name, arity = clause.predicate.rsplit("/", 1)
    given = {"N": Atom(name), "A": int(arity), "M": Atom(clause.module)}
    if deadline.expired():
        return None
    found = _asked(run, f"lpbridge_profile:patterns(M, N, A, user:({query}\n), R)", given, deadline.within(Limits()))
    return Repeated(*map(int, found)) if found else None


def _asked(run: Session, goal: str, given: dict[str, Any] | None = None, limits: Limits = UNLIMITED) -> list[Any]:
    """The list R of a goal; empty where the process has ended with the goal that was counted."""
    try:
        outcome: Outcome[Any] = run.query(goal, given or {}, limits=limits).collect()
    except (ProgramError, LimitError):
        return []
    return list(outcome.solutions[0]["R"]) if outcome.solutions else []


def _files(problem: PrologProblem, sources: Sequence[Source], folder: Path) -> tuple[list[Path], dict[str, Source]]:
    """The program as files, texts in a folder of their own, and what was read of each."""
    texts = iter([one for one in sources if one.path is None])
    found = {str(one.path): one for one in sources if one.path is not None}
    files: list[Path] = []
    for number, source in enumerate(problem.sources):
        given = fspath(source)
        if not isinstance(source, str) or is_path(given):
            files.append(Path(given).resolve())
            continue
        path = (folder / f"text{number}.pl").resolve()
        path.write_text(given, encoding="utf-8")
        files.append(path)
        found[str(path)] = next(texts)
    return files, found


def _counts(run: Session, rows: Sequence[Any], sources: dict[str, Source]) -> Iterator[ClauseCount]:
    for path, line, name, arity, nth, module, enters, exits in rows:
        predicate = f"{name}/{arity}"
        source = sources.get(str(path))
        clause = None if source is None else _clause(source, int(line), predicate, int(nth))
        if source is None or clause is None:
            continue
        given = {"F": path, "L": line, "N": Atom(str(name)), "A": arity, "K": nth}
        counted = _asked(run, "lpbridge_profile:goals(F, L, N, A, K, R)", given) if clause.goals else []
        goals = tuple(_goals(source, clause, counted))
        yield ClauseCount(
            source.place(clause.start), predicate, str(module), source.of(clause), int(enters), int(exits), goals
        )


def _order(one: ClauseCount) -> tuple[int, int]:
    return one.place.line or 0, one.place.column or 0


def _clause(source: Source, line: int, predicate: str, nth: int) -> Clause | None:
    """The clause of a predicate that begins in a line, of several the one of a number."""
    there = [one for one in source.clauses if source.place(one.start).line == line]
    own = [one for one in there if one.predicate == predicate]
    if nth < len(own):
        return own[nth]
    return there[0] if len(there) == 1 else None


def _goals(source: Source, clause: Clause, counted: Sequence[Any]) -> Iterator[GoalCount]:
    """The goals of a clause as its author wrote them; by their order, where a clause was expanded."""
    left = list(clause.goals)
    for start, name, arity, calls, exits in counted:
        found = [one for one in left if start == one.start or (start < 0 and one.predicate == f"{name}/{arity}")]
        if found:
            left.remove(found[0])
            place, text = source.place(found[0].start), source.of(found[0])
            yield GoalCount(place, text, int(calls), int(exits), f"{name}/{arity}")


def cause_of_calls(found: CallProfile) -> Cause | None:
    """The clause that costs most, and why; the search of library(clpfd), where that is most of it."""
    if found.inferences and found.searched and found.searched > SEARCH * found.inferences:
        return _search(found, found.searched / found.inferences, found.inferences)
    if not found.clauses or found.clauses[0].calls < OFTEN:
        return None
    if (made := _made_then_tested(found)) is not None:
        return made
    clause = found.clauses[0]
    share = clause.calls / found.calls
    many = _product(clause) or f"it is entered {clause.enters:,} times"
    if (same := found.repeated) is not None and same.calls > OFTEN and same.different < same.calls / 2:
        many = f"`{clause.predicate}` is called {same.calls:,} times, with {same.different:,} different arguments"
    sentence = f"{share:.0%} of the calls in the program; {many}"
    return Cause(clause.place, clause.text, "calls", share, sentence)


def _made_then_tested(found: CallProfile) -> Cause | None:
    """A goal with many answers of which one after it accepts few, where most calls are made for these."""
    best: tuple[int, Cause] | None = None
    for clause in found.clauses:
        for number, goal in enumerate(clause.goals):
            test = next((one for one in clause.goals[number + 1 :] if one.exits < ACCEPTS * one.calls), None)
            many = goal.exits > OFTEN and goal.exits > MULTIPLIES * goal.calls
            if not many or test is None or test.calls != goal.exits:
                continue
            share = _share(found, {goal.predicate, test.predicate})
            if share > MOSTLY and (best is None or test.calls > best[0]):
                made = f"`{short_text(goal.text)}` gives {goal.exits:,} answers, of which"
                kept = f"`{short_text(test.text)}` accepts {test.exits:,}"
                calls = f"{share:.0%} of the calls in the program"
                sentence = f"{made} {kept}: each is complete before it is tested ({calls})"
                best = test.calls, Cause(goal.place, goal.text, "calls", share, sentence)
    return None if best is None else best[1]


def _share(found: CallProfile, predicates: set[str]) -> float:
    """The share of the calls in the program that is in the clauses of predicates, and of those that they call."""
    reached: set[str] = set()
    waiting = list(predicates)
    while waiting:
        if (one := waiting.pop()) not in reached:
            reached.add(one)
            waiting += [goal.predicate for clause in found.clauses if clause.predicate == one for goal in clause.goals]
    return sum(clause.calls for clause in found.clauses if clause.predicate in reached) / found.calls


def _search(found: CallProfile, share: float, inferences: int) -> Cause:
    goals = [one for clause in found.clauses for one in clause.goals if one.text.startswith("label")]
    place, text = (goals[0].place, goals[0].text) if goals else (Place("?- goal"), found.goal)
    runs = sum(found.propagators.values())
    most = ", ".join(_PROPAGATORS.get(name, name) for name in islice(found.propagators, 2))
    sentence = f"the search of this goal is {share:.0%} of {inferences:,} inferences: {runs:,} runs of propagators"
    return Cause(place, text, "search", share, f"{sentence}, most of {most}" if most else sentence)


def _product(clause: ClauseCount) -> str | None:
    """The goal that throws most away, and the one before it that multiplies."""
    tests = [
        (goal.calls - goal.exits, number)
        for number, goal in enumerate(clause.goals)
        if goal.calls > OFTEN and goal.exits < SELECTS * goal.calls
    ]
    fails, number = max(tests, default=(0, 0))
    before = [one for one in clause.goals[:number] if one.exits > OFTEN and one.exits > MULTIPLIES * one.calls]
    if not before:
        return None
    test, goal = clause.goals[number], max(before, key=lambda one: one.exits)
    made = f"`{short_text(goal.text)}` gives {goal.exits:,} answers in {plural(goal.calls, 'call')}"
    return f"{made}, and `{short_text(test.text)}` fails {fails:,} of {test.calls:,} times"


def short_text(text: str, width: int = WIDTH) -> str:
    """Code on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 3]}..."
