"""The search for a change of a Prolog program by which its goals have the answers that are expected.

As `bridge.debugging.search`, with the changes of `bridge.debugging.goal_edits`: one change, then several, the likeliest
first, each variant run by SWI-Prolog on all goals, with a limit on inferences.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from time import perf_counter
from typing import Any, cast

from bridge.asp.reading import Change
from bridge.common import Closing, plural
from bridge.debugging.goal_edits import TOKEN, EditableProgram, lone, standing, tokens
from bridge.debugging.search import DATA, Candidate, Found, Search, Step, Variant, always
from bridge.debugging.trials import Held, Score
from bridge.errors import BridgeError, InputError, LimitError, ProgramError
from bridge.limits import UNTRUSTED, Deadline, Limits
from bridge.problem import PROLOG, Clause, Reader
from bridge.prolog import Session

#: Answers to a goal that are compared.
MOST = 50

#: Inferences for one goal: the least number with which the reference ends. Its variants get twice as many.
INFERENCES = (30_000, 300_000, 3_000_000)

#: Seconds for one variant: what counts is the limit on inferences, but not all that takes time makes some.
SECONDS = 2.0

#: The least number of seconds for one variant, and how often those of the reference.
_LEAST, _PATIENCE = 0.5, 30

#: Seconds for a variant in a process of its own.
LAST = 10.0

#: How much less likely a change is for each variable that it leaves standing once.
_LONE = 0.7

#: By how much a change comes earlier by which fewer variables of a clause stand once, and by which none does any more.
_FEWER, _SETTLED = 0.6, 0.4

#: How much likelier another order of goals is, which means the same, where it is only known that a variable is open.
ORDER, _REORDERED = "swap: goals", 0.3

#: With tests: repairs that are looked for, and variants that are tried after the first one, or a quarter of those
#: before it.
_REPAIRS, _MORE = 6, 50

#: How much less a clause is suspected that a failing test calls and does not enter, than the clause that calls it; and
#: one that no test enters.
_CALLED, _NEVER = 0.5, 0.9

#: How much more a clause is suspected that is the last one to be entered by all tests that fail; of others, by order.
_AT_LAST = 0.5

#: How much more a clause is suspected that has variables that stand once.
_ONCE = 2.0

#: With tests, an operator for its contrary costs so much at most: they say of more than one goal whether it is true.
_FLIPPED = 1.2

#: A variant is run on no more goals when so many of them have needed more inferences than they had.
_LIMITS = 2

#: After so many variants those that need more inferences get them, in this part of the time.
_AGAIN, _PART = 50, 0.2

#: How many more inferences a test has that notes the clauses it enters.
_ENTERING = 3

#: What a goal throws that needs more inferences.
_LIMIT = "lpbridge_inferences"

#: How a goal ends that cannot be read as one.
NOT_A_GOAL = "not a goal"

_TRIAL = "lpbridge_trials:trial(Text, Goals, Most, Inferences, Results)"
_FIRST_TRIAL = "lpbridge_trials:trial(Text, Goals, Most, first(Inferences), Results)"
_SPECTRUM = "_ = Most, lpbridge_trials:spectrum(Text, Goals, Inferences, Results)"
_EFFECTS = "_ = Most, lpbridge_trials:effects(Text, Goals, Inferences, Names, Added, Results)"

_PREPARED = "lpbridge_trials:prepare(Text, Goals)"

#: What marks a place in a text, with the variables there.
REACHED = "lpbridge_trials:reached"


@dataclass(frozen=True, slots=True)
class Answers:
    """What a goal came to: its answers, and `all`, `more`, `limit`, `NOT_A_GOAL` or an error.

    -1 inferences: nothing was loaded.
    """

    end: str
    answers: tuple[str, ...]
    inferences: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class GoalCase:
    """A goal and what is expected: its answers, or only whether it succeeds, or that it ends."""

    goal: str
    expected: Answers | None = None
    succeeds: bool | None = None  #: None: that it ends, whatever its answers are.

    def score(self, found: Answers) -> tuple[bool, float, int, int]:
        """Whether all is right, the share that is, the answers too many, and those that are missing."""
        if self.expected is None and self.succeeds is None:
            ok = found.end == "all"
            return ok, float(ok), 0, 0
        if self.expected is None:
            ok = bool(found.answers) == self.succeeds and (self.succeeds or found.end == "all")
            return ok, float(ok), int(not ok and not self.succeeds), int(not ok and bool(self.succeeds))
        meant, now = set(self.expected.answers), set(found.answers)
        surplus, missing = len(now - meant), len(meant - now)
        same = sorted(found.answers) == sorted(self.expected.answers)  # each as often
        ends = found.end == self.expected.end
        if same and ends:
            return True, 1.0, 0, 0
        share = (0.5 + len(meant & now)) / (0.5 + len(meant | now))
        return False, share * (0.9 if ends else 0.6), surplus, missing


class GoalTrials(Closing):
    """Variants of a Prolog program are run on goals: all in one process, or, confined, each in one of its own.

    `walls` are `untrusted` and `allow_missing_walls` of a `Session`. A variant has so many `seconds`; `most` answers
    of a goal are looked for.
    """

    def __init__(
        self,
        goals: Sequence[str],
        others: str = "",
        cases: Sequence[GoalCase] = (),
        walls: tuple[bool, bool] = (False, False),
        most: int = MOST,
        seconds: float | None = SECONDS,
    ) -> None:
        self.goals, self.cases, self._others = list(goals), tuple(cases), others
        self._walls = self._untrusted, self._allow = walls
        self._most, self._limits = most, Limits(seconds=seconds, memory=UNTRUSTED.memory if self._untrusted else None)
        self._session: Session | None = None
        self.tried = 0
        self.inferences = INFERENCES[1]
        #: A variant that puts none of so many of the first cases right is run on no others: its share is this one.
        self.first, self.share = 0, 0.0
        #: So many variants may need more inferences for one case than there are.
        self.doubts = 0
        #: Inferences with which those first cases are run at first, and those that variants get next which need more.
        self.quick, self.slow = INFERENCES[1], dict[str, int]()

    def expect(self, cases: Sequence[GoalCase]) -> None:
        """Run these goals from now on."""
        self.cases, self.goals, self.first = tuple(cases), [case.goal for case in cases], 0

    def like(self, goals: Sequence[str]) -> GoalTrials:
        """Another process, for other goals, of which nothing is expected."""
        found = GoalTrials(goals, self._others, walls=self._walls)
        found.inferences = self.inferences
        return found

    def held(self, text: str, deadline: Deadline) -> Held:
        """Whether what is expected holds of a variant in a process in which no other one has run."""
        with self.like(self.goals) as fresh:
            fresh.expect(self.cases)
            fresh._limits = replace(self._limits, seconds=LAST)
            try:
                found = fresh.run(text, deadline)
            except LimitError:
                return "unknown"
            except ProgramError:
                return "no"
        if not self.score(found).right:
            return "unknown" if deadline.expired() else "no"
        ends = {case.expected.end for case in self.cases if case.expected is not None}
        return "partly" if ends & {"more", "limit"} else "yes"

    def run(
        self, text: str, deadline: Deadline, goals: Sequence[str] | None = None, most: int = 0, first: bool = False
    ) -> list[Answers]:
        """What each goal comes to in a variant, or each of some; of one that cannot be read, one error for all.

        `most` are inferences for each goal, where these are not `self.inferences`. With `first` those after one that
        needs more are not run: they count as this one.

        Raises LimitError when the time is up; ProgramError when it is confined, and refused while it is loaded.
        """
        goals = self.goals if goals is None else goals
        if self._untrusted:
            return self._confined(f"{text}\n{self._others}", goals, deadline)
        self.tried += 1
        try:
            given = {"Inferences": most or self.inferences}
            results = self._asked(_FIRST_TRIAL if first else _TRIAL, text, goals, deadline, **given)
        except ProgramError as error:
            return [Answers(f"error: {error.message}", ())] * len(goals)
        if results is None:
            if deadline.expired():
                raise LimitError("the limit on seconds came first")
            return [Answers("limit", ())] * len(goals)
        found = [Answers(str(end), tuple(map(str, answers)), number) for end, answers, number in results]
        whole = first and all(one.inferences >= 0 for one in found)
        return found if whole else found + found[-1:] * (len(goals) - len(found))

    def entered(self, text: str, deadline: Deadline) -> list[list[int]]:
        """The lines of the clauses that each goal enters, the last one first; none where that is not known."""
        if self._untrusted:
            return [[] for _ in self.goals]
        given = {"Inferences": _ENTERING * self.quick}
        return self._asked(_SPECTRUM, text, self.goals, deadline, **given) or [[] for _ in self.goals]

    def effects(self, text: str, names: Sequence[str], added: Sequence[str], deadline: Deadline) -> list[str]:
        """What goals would do at the place that a variant marks by `REACHED`, while the first cases are run.

        Each is `nothing`, `failure` or `something`; there is none where that is not known.
        """
        if self._untrusted:
            return []
        given = {"Names": names, "Added": added, "Inferences": self.quick}
        found = self._asked(_EFFECTS, text, self.goals[: self.first] or self.goals, deadline, **given)
        return [str(one) for one in found or ()]

    def _asked(self, question: str, text: str, goals: Sequence[str], deadline: Deadline, **given: Any) -> Any:
        """What a question about a variant has as results; None when a limit came first."""
        whole = f"{text}\n{self._others}"
        if self._session is None:
            # A text that names the library: the session then starts with it.
            named = ["% library(clpfd)\n"] if "library(clpfd)" in whole else []
            self._session = Session(PROLOG / "lpbridge_trials.pl", *named, output="nowhere")
            known = {"Text": whole, "Goals": goals}
            self._session.query(_PREPARED, known, limits=deadline.within(Limits(seconds=SECONDS))).collect()
        asked = {"Text": whole, "Goals": goals, "Most": self._most, **given}
        outcome = self._session.query(question, asked, limits=deadline.within(self._limits)).collect()
        if not outcome.solutions:
            self.close()
            return None
        return outcome.solutions[0]["Results"]

    def _confined(self, text: str, goals: Sequence[str], deadline: Deadline) -> list[Answers]:
        self.tried += 1
        if deadline.expired():
            raise LimitError("the limit on seconds came first")
        limits = deadline.within(self._limits)
        try:
            session = Session(
                text, untrusted=True, allow_missing_walls=self._allow, strict=True, limits=limits, output="nowhere"
            )
        except LimitError:
            return [Answers("limit", ())] * len(goals)
        with session:
            return [self._answers(session, goal, deadline) for goal in goals]

    def _answers(self, session: Session, goal: str, deadline: Deadline) -> Answers:
        """The same as `lpbridge_trials:trial/5` of one goal, by goals that an untrusted program may call."""
        try:
            session._backend.names(goal)
        except ProgramError:
            return Answers(NOT_A_GOAL, ())
        limited = f"call_with_inference_limit(({goal}\n), {self.inferences}, _End)"
        stream = session.query(
            f"{limited}, ( _End == inference_limit_exceeded -> throw({_LIMIT}) ; true )",
            limits=deadline.within(replace(self._limits, solutions=self._most + 1)),
        )
        answers: list[str] = []
        try:
            with stream:
                answers.extend(str(one).removesuffix(".") for one in stream)
        except ProgramError as error:
            return Answers("limit" if _LIMIT in error.message else f"error: {error.message}", tuple(answers))
        end = "more" if len(answers) > self._most else "all" if stream.complete else "limit"
        return Answers(end, tuple(answers[: self._most]))

    def readable(self, found: Sequence[Answers]) -> None:
        """Refuse goals of which `run` found that they are none.

        Raises InputError.
        """
        for goal, answers in zip(self.goals, found, strict=True):
            if answers.end == NOT_A_GOAL:
                raise InputError(f"`{goal}` is not a goal", hint="write it as in len([a, b], N), as at the toplevel")

    def reference(self, text: str, deadline: Deadline) -> list[Answers]:
        """What each goal comes to in a program that is right; its variants get as many inferences as that needs.

        Raises LimitError when the time is up.
        """
        found = self.run(text, deadline)  # the first time a process begins
        for self.inferences in INFERENCES:
            began = perf_counter()
            found = self.run(text, deadline)
            if all(one.end != "limit" for one in found):
                break
        self.inferences *= 2
        self.paced(perf_counter() - began)
        return found

    def paced(self, seconds: float) -> None:
        """Give variants so many times the seconds that the program takes.

        Leaving many calls one after the other makes no inferences, and takes time that is quadratic in their number.
        """
        self._limits = replace(self._limits, seconds=min(SECONDS, max(_LEAST, _PATIENCE * seconds)))

    def scores(self, texts: Iterable[str], deadline: Deadline) -> Iterator[Score]:
        """How variants do, until the time is up."""
        for text in texts:
            if deadline.expired():
                return
            try:
                results = self._by_steps(text, deadline) if self.first else self.run(text, deadline)
            except LimitError:
                return
            except ProgramError as error:
                results = [Answers(f"error: {error.message}", ())] * len(self.goals)
            yield self.score(results) if results else Score(True, False, self.share)

    def _by_steps(self, text: str, deadline: Deadline) -> list[Answers]:
        """What the goals come to in a variant; nothing where it puts none of the first cases right.

        They have few inferences. Where several need more, the variant is `slow`; where one does and all others are
        right, it gets more. A few times one that needs still more passes as right: what has the last word says it.
        """
        most, number = self.slow.pop(text, self.quick), len(self.goals)
        found: list[Answers] = []
        limits: list[int] = []
        while len(found) < number and len(limits) < _LIMITS:
            until = self.first if len(found) < self.first else number
            found += self.run(text, deadline, self.goals[len(found) : until], most, True)
            limits = [at for at, one in enumerate(found) if one.end == "limit"]
            right = [case.score(one)[0] for case, one in zip(self.cases, found, strict=False)]
            none = not any(right) and (bool(limits) or len(found) == self.first)
            if none or len(limits) >= _LIMITS:
                more = next((one for one in (self.inferences, INFERENCES[-1]) if one > most), 0)
                if limits and more and found[-1].inferences:
                    self.slow[text] = more
                return [] if none else found + found[-1:] * (number - len(found))
        if limits and sum(right) == number - 1:
            (at,) = limits
            (again,) = self.run(text, deadline, [self.goals[at]], INFERENCES[-1])
            if again.end == "limit" and again.inferences and self.doubts:
                self.doubts -= 1
                again = Answers("all", ("",) if self.cases[at].succeeds else ())
            found[at] = again
        return found

    def score(self, found: Sequence[Answers]) -> Score:
        """How goals do."""
        parts = [case.score(one) for case, one in zip(self.cases, found, strict=True)]
        share = sum(part[1] for part in parts) / len(parts) if parts else 1.0
        right = all(part[0] for part in parts)
        return Score(True, right, share, tuple(part[2] for part in parts), tuple(part[3] for part in parts))

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


class GoalSearch(Search):
    """The search for repairs of a Prolog program: clauses that the `reference` has, too, are suspected last."""

    nearer = 3.0

    def __init__(
        self,
        text: str,
        trials: GoalTrials,
        *,
        reference: str | None = None,
        deadline: Deadline,
        on_repair: Callable[[Variant], object] | None = None,
        judge: Callable[[str], bool] | None = None,  # has the last word on what is right
    ) -> None:
        super().__init__(text, deadline, on_repair)
        self.trials, self._judge = trials, judge
        self._reader = Reader()
        self._tabled = self.opened = False
        self._known = self._forms(reference) if reference is not None else frozenset()
        self._alone = reference is None  # or the program lacks what reads the goals of the reference, an operator

    def run(self) -> Found:
        self._seen = {self.source}
        with self._reader:
            found = super().run()
        found.statements = self._statements
        return found

    def again(self) -> Found:
        """Search once more, as other answers are expected now."""
        self._reader = Reader()
        return self.run()

    def _held(self, text: str) -> Held:
        if self._judge is not None:
            return "yes" if self._judge(text) else "no"
        return cast("Held", self.trials.held(text, self.deadline))

    def _unseen(
        self, candidates: Sequence[tuple[float, Candidate, Variant]]
    ) -> Iterator[tuple[float, Candidate, Variant]]:
        began, spent = perf_counter(), 0.0
        slow: deque[tuple[float, Candidate, Variant]] = deque()  # these come again, with more inferences

        def tried(each: tuple[float, Candidate, Variant]) -> Iterator[tuple[float, Candidate, Variant]]:
            yield each
            if each[1].text in self.trials.slow:  # by now it has been tried
                slow.append(each)

        for number, each in enumerate(super()._unseen(candidates), 1):
            yield from tried(each)
            now = perf_counter()
            while number % _AGAIN == 0 and slow and spent < _PART * (now - began):
                yield from tried(slow.popleft())
                spent, now = spent + perf_counter() - now, perf_counter()
        while slow:
            yield from tried(slow.popleft())

    def _enough(self, first: int, tried: int) -> bool:
        several = len(self.found.repairs) >= _REPAIRS
        return self._judge is not None and (several or tried > first + max(first // 4, _MORE))

    def _base(self) -> tuple[Variant, Score]:
        program = self._program(self.source)  # or an error, with its place
        self._statements = {
            program.source.place(one.start).line or 0: self.source[one.start : one.end] for one in program.clauses
        }
        answers = self.trials.run(self.source, self.deadline, most=self.trials.quick if self._judge else 0)
        if self._alone:
            self.trials.readable(answers)
        base = Variant(self.source, (), 0.0, self.trials.score(answers))
        if self._judge is not None:
            right = [case.score(one)[0] for case, one in zip(self.trials.cases, answers, strict=True)]
            entered = self.trials.entered(self.source, self.deadline)
            self._entered = {line for lines in entered for line in lines}
            self.spectrum = self._spectrum(program, entered, right)
        ends = {one.end for one in answers}
        # Very many answers are no sign that the program does not end where some of them are wrong.
        known = any(base.score.surplus) or any(base.score.missing)
        self._endless = "limit" in ends or ("more" in ends and not known)
        self._tabled = bool(ends & {"limit", "more"})
        asked = [one for one in self.trials.cases if one.expected is None and one.succeeds is None]
        self.opened = len(asked) == len(answers) and any(one.startswith("error: instantiation") for one in ends)
        return base, base.score

    def _spectrum(
        self, program: EditableProgram, entered: Sequence[Sequence[int]], right: Sequence[bool]
    ) -> dict[int, tuple[float, str]]:
        """For the line of each clause that the tests that fail enter, or call, how far it is suspected, and why.

        From 0 to 1: the measure of Ochiai, with more for where they stop.
        """
        failing = [lines for lines, ok in zip(entered, right, strict=True) if not ok]
        lines = {one: program.source.place(one.start).line or 0 for one in program.clauses}
        weights: dict[int, float] = {}
        words: dict[int, str] = {}
        names: dict[str, float] = {}
        for goal, ok in zip(self.trials.goals, right, strict=True):
            names |= {} if ok else dict.fromkeys((one.text for one in tokens(goal, 0, len(goal))), 1.0)
        for one, line in lines.items():
            wrong, every = sum(line in each for each in failing), sum(line in each for each in entered)
            if wrong:
                last = sum(1 - each.index(line) / len(each) for each in failing if line in each)
                weights[line] = wrong / math.sqrt(len(failing) * every) * (1 + _AT_LAST * last / len(failing))
                weights[line] *= _ONCE if lone(program.text[one.start : one.end]) else 1
                words[line] = (
                    f"{wrong} of {plural(len(failing), 'failing test')} and {every - wrong} of"
                    f" {len(right) - len(failing)} passing ones run this clause"
                )
                for token in tokens(program.text, one.start, one.end):
                    names[token.text] = max(names.get(token.text, 0.0), weights[line])
        for one, line in lines.items():
            if line not in weights and one.name in names:
                never = not any(line in each for each in entered)
                weights[line] = (_NEVER if never else _CALLED) * names[one.name]
                words[line] = "failing tests call this predicate, and do not run this clause"
        most = max(weights.values(), default=1.0)
        return {line: (weight / most, words[line]) for line, weight in weights.items()}

    def _program(self, text: str) -> EditableProgram:
        source = self._reader.read("<text>", text, limits=self.deadline.within(Limits()))
        return EditableProgram(source, self.trials.goals)

    def _forms(self, text: str) -> frozenset[str]:
        try:
            program = self._program(text)
        except BridgeError:
            return frozenset()
        return frozenset(_form(program.text[one.start : one.end]) for one in program.clauses)

    def _candidates(self, variant: Variant) -> Iterator[Candidate]:
        try:
            program = self._program(variant.text)
        except BridgeError:
            return
        text = program.text
        gaps: dict[int, _Gap] = {}
        # The likeliest first: there may be no time to make all changes.
        suspected = [(self._suspicion(program, one), one) for one in program.clauses]
        for suspicion, clause in sorted((one for one in suspected if one[0]), key=lambda each: -each[0]):
            gaps |= {gap.at: gap for gap in self._gaps(program, clause)}
            data = 1.0
            if all(one.kind == "fact" for one in program.defined[clause.name, clause.arity]):
                # One that failing tests point out counts as a rule, and so does one that no test can use.
                unused = self.spectrum and (program.source.place(clause.start).line or 0) not in self._entered
                data = 1.0 if unused else DATA if not self.spectrum else DATA - (DATA - 1) * suspicion
            before = standing(text[clause.start : clause.end])
            alone = cache(partial(_alone, before))
            known = _form(text[clause.start : clause.end]) in self._known
            likely = (1.6 if known else 1.0) * (2.0 - suspicion)
            once = sum(number == 1 for number in before.values())
            for change in program.changes(clause):
                more, fewer = alone(change.by, text[change.begin : change.end])
                cost = change.cost if self._judge is None or change.kind != "operator" else min(change.cost, _FLIPPED)
                cost *= _REORDERED if self.opened and change.operator == ORDER else 1.0
                cost = cost * data + _LONE * more
                rank = cost * likely * (1.0 if fewer <= more else _SETTLED if fewer == once + more else _FEWER)
                if self._known:
                    rank *= self._nearness(program.changed(change, clause)[1])
                gap = gaps.get(change.begin) if change.begin == change.end else None
                worth = always if gap is None else partial(gap.worth, gap.goal(change.by))
                yield Candidate(partial(_made, program, clause, change), cost, rank, worth)

        def added(clause: Clause, change: Change, rank: float) -> Candidate:
            place = program.source.place(clause.start)
            step = Step(change.operator, place.line or 1, place.column or 1, "", change.by.strip())
            return Candidate(lambda: (text[: change.begin] + change.by + text[change.end :], step), change.cost, rank)

        for clause, change in program.tables() if self._tabled else ():
            yield added(clause, change, change.cost)
        for clause, change in program.new_clauses():
            suspicion = self._suspicion(program, clause)
            if suspicion or change.kind == "definition":
                near = self._nearness(change.by.strip().removesuffix("."))
                yield added(clause, change, change.cost * near * (2.0 - suspicion))

    def _gaps(self, program: EditableProgram, clause: Clause) -> Iterator[_Gap]:
        """The places of a clause where a goal may be added."""
        text, names = program.text, [name for name in clause.variables if name != "_"]
        marker = f"{REACHED}([{', '.join(names)}])"
        if clause.kind == "grammar":
            marker = f"{{ {marker} }}"
        for at, (before, after) in program.gaps(clause).items():
            marked = f"{text[:at]}{before}{marker}{after}{text[at:]}"
            ask = partial(self.trials.effects, marked, names, deadline=self.deadline)
            yield _Gap(at, before, after, lone(text[clause.start : clause.end]), clause.kind == "grammar", ask)

    def _suspicion(self, program: EditableProgram, clause: Clause) -> float:
        """From 0 to 1; 0 of one that no test that fails calls."""
        line = program.source.place(clause.start).line or 0
        return self.spectrum.get(line, (0.0, ""))[0] if self.spectrum else 1.0

    def _nearness(self, clause: str) -> float:
        """Less than 1 for clauses that the reference has, too."""
        return 0.5 if self._known and _form(clause) in self._known else 1.0


@dataclass
class _Gap:
    """A place in a clause where a goal may be added, and what goals would do there."""

    at: int
    before: str  #: What stands before an added goal, and after it.
    after: str
    alone: set[str]  #: The variables that stand once in the clause.
    grammar: bool  #: What nonterminals would do is not known, but whether the place is reached.
    ask: Callable[[Sequence[str]], Sequence[str]]
    goals: dict[str, None] = field(default_factory=dict)

    def goal(self, by: str) -> str:
        """The goal of a change by which a text stands here."""
        goal = by.removeprefix(self.before).removesuffix(self.after)
        self.goals[goal] = None
        return goal

    @cached_property
    def _effects(self) -> dict[str, str]:
        return dict(zip(self.goals, self.ask(["fail"] if self.grammar else list(self.goals)), strict=False))

    def worth(self, goal: str) -> bool:
        """Whether a goal changes anything; and one with variables that stand once binds any."""
        if self.grammar or goal == "!":
            return "nothing" not in self._effects.values() or not self.grammar
        effect = self._effects.get(goal, "something")
        return effect == "something" or (effect == "failure" and not self.alone & standing(goal).keys())


def _alone(before: Counter[str], by: str, part: str) -> tuple[int, int]:
    """How many variables stand once that did not before, when a part of a clause is changed, and how many no longer."""
    more, less = standing(by), standing(part)
    if not (more or less):
        return 0, 0
    after = {name: before[name] + more[name] - less[name] for name in {*more, *less}}
    return (
        sum(number == 1 and before[name] != 1 for name, number in after.items()),
        sum(number != 1 and before[name] == 1 for name, number in after.items()),
    )


def _made(program: EditableProgram, clause: Clause, change: Change) -> tuple[str, Step]:
    """The program with a change, and the change as a step."""
    text, after = program.changed(change, clause)
    place = program.source.place(clause.start)
    before = program.text[clause.start : clause.end]
    part = program.text[change.begin : min(change.end, clause.end)]
    at = change.begin - clause.start
    return text, Step(change.operator, place.line or 1, place.column or 1, before, after.strip(), part, at)


def _form(clause: str) -> str:
    """A clause up to space and the names of its variables."""
    names: dict[str, str] = {}
    parts = []
    for one in TOKEN.finditer(clause):  # of each candidate: `tokens` would make objects of them
        kind, text = one.lastgroup, one[0]
        if kind == "variable" and text != "_":
            parts.append(names.setdefault(text, f"V{len(names)}"))
        elif kind not in ("space", "comment"):
            parts.append(text)
    return " ".join(parts)
