"""The search for a change of a Prolog program by which its goals have the answers that are expected.

As `bridge.debugging.search`, with the changes of `bridge.debugging.goal_edits`: one change, then several, the likeliest
first, each variant run by SWI-Prolog on all goals, with a limit on inferences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from time import perf_counter
from typing import Any, cast

from bridge.asp.text import Change
from bridge.common.closing import Closing
from bridge.common.english import plural
from bridge.debugging.goal_edits import EditableProgram, standing, tokens
from bridge.debugging.search import DATA, Candidate, Found, Search, Step, Variant
from bridge.debugging.trials import Held, Score
from bridge.errors import BridgeError, InputError, LimitError, ProgramError
from bridge.limits import UNTRUSTED, Deadline, Limits
from bridge.problem.clauses import PROLOG, Clause, Reader
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

#: By how much a change comes earlier for each variable that stood once, and does so no longer.
_SETTLED = 0.8

#: By how much changes of a clause come earlier that has such variables as it is.
_FIRST = 0.6

#: With tests: repairs that are looked for, and variants that are tried after the first one, or as many as before it.
_REPAIRS, _MORE = 6, 100

#: How much less a clause is suspected that a failing test calls and does not enter, than the clause that calls it; and
#: one that no test enters.
_CALLED, _NEVER = 0.5, 0.9

#: How much more a clause is suspected that is the last one to be entered by all tests that fail; of others, by order.
_AT_LAST = 0.5

#: With tests, an operator for its contrary costs so much at most: they say of more than one goal whether it is true.
_FLIPPED = 1.2

#: What a goal throws that needs more inferences.
_LIMIT = "lpbridge_inferences"

#: How a goal ends that cannot be read as one.
NOT_A_GOAL = "not a goal"

_TRIAL = "lpbridge_trials:trial(Text, Goals, Most, Inferences, Results)"
_FIRST_TRIAL = "lpbridge_trials:trial(Text, Goals, Most, first(Inferences), Results)"
_SPECTRUM = "_ = Most, lpbridge_trials:spectrum(Text, Goals, Inferences, Results)"


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
        self, text: str, deadline: Deadline, goals: Sequence[str] | None = None, first: bool = False
    ) -> list[Answers]:
        """What each goal comes to in a variant, or each of some; of one that cannot be read, one error for all.

        With `first` those after one that needs too many inferences are not run: they count as this one.

        Raises LimitError when the time is up; ProgramError when it is confined, and refused while it is loaded.
        """
        goals = self.goals if goals is None else goals
        if self._untrusted:
            return self._confined(f"{text}\n{self._others}", goals, deadline)
        self.tried += 1
        try:
            results = self._asked(_FIRST_TRIAL if first else _TRIAL, text, goals, deadline)
        except ProgramError as error:
            return [Answers(f"error: {error.message}", ())] * len(goals)
        if results is None:
            if deadline.expired():
                raise LimitError("the limit on seconds came first")
            return [Answers("limit", ())] * len(goals)
        found = [Answers(str(end), tuple(map(str, answers)), number) for end, answers, number in results]
        return found if len(found) == len(goals) else found + found[-1:] * (len(goals) - len(found))

    def entered(self, text: str, deadline: Deadline) -> list[list[int]]:
        """The lines of the clauses that each goal enters, the last one first; none where that is not known."""
        if self._untrusted:
            return [[] for _ in self.goals]
        return self._asked(_SPECTRUM, text, self.goals, deadline) or [[] for _ in self.goals]

    def _asked(self, question: str, text: str, goals: Sequence[str], deadline: Deadline) -> Any:
        """What a question about a variant has as results; None when a limit came first."""
        if self._session is None:
            self._session = Session(PROLOG / "lpbridge_trials.pl", output="nowhere")
        inferences = max(self.inferences, INFERENCES[1]) if question == _SPECTRUM else self.inferences
        asked = {"Text": f"{text}\n{self._others}", "Goals": goals, "Most": self._most, "Inferences": inferences}
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
                some = self.run(text, deadline, self.goals[: self.first], first=True) if self.first else []
                if some and not any(case.score(one)[0] for case, one in zip(self.cases, some, strict=False)):
                    yield Score(True, False, self.share)
                    continue
                results = some + self.run(text, deadline, self.goals[self.first :])
                results = self._patient(text, results, deadline) if self.first else results
            except LimitError:
                return
            except ProgramError as error:
                results = [Answers(f"error: {error.message}", ())] * len(self.goals)
            yield self.score(results)

    def _patient(self, text: str, found: list[Answers], deadline: Deadline) -> list[Answers]:
        """With more inferences for goals that need them, where all others of a variant are right.

        A few times one that needs still more passes as right: what has the last word says it.
        """
        pairs = list(zip(self.cases, found, strict=True))
        goals = [case.goal for case, one in pairs if one.end == "limit"]
        if not goals or not all(one.end == "limit" or case.score(one)[0] for case, one in pairs):
            return found
        usual, self.inferences = self.inferences, INFERENCES[-1]
        again = iter(self.run(text, deadline, goals))
        self.inferences = usual
        results = [next(again) if one.end == "limit" else one for one in found]
        if self.doubts and sum(one.end == "limit" for one in results) == 1:
            self.doubts -= 1
            right = (Answers("all", ("",) if case.succeeds else ()) for case in self.cases)
            return [meant if one.end == "limit" else one for meant, one in zip(right, results, strict=True)]
        return results

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
        self._tabled = False
        self.spectrum: dict[int, tuple[float, str]] = {}
        self._known = self._forms(reference) if reference is not None else frozenset()
        self._alone = reference is None  # or the program lacks what reads the goals of the reference, an operator

    def run(self) -> Found:
        self._seen = {self.source}
        with self._reader:
            found = super().run()
        found.spectrum, found.statements = self.spectrum, self._statements
        return found

    def again(self) -> Found:
        """Search once more, as other answers are expected now."""
        self._reader = Reader()
        return self.run()

    def _held(self, text: str) -> Held:
        if self._judge is not None:
            return "yes" if self._judge(text) else "no"
        return cast("Held", self.trials.held(text, self.deadline))

    def _enough(self, first: int, tried: int) -> bool:
        return self._judge is not None and (len(self.found.repairs) >= _REPAIRS or tried > first + max(first, _MORE))

    def _base(self) -> tuple[Variant, Score]:
        program = self._program(self.source)  # or an error, with its place
        self._statements = {
            program.source.place(one.start).line or 0: self.source[one.start : one.end] for one in program.clauses
        }
        answers = self.trials.run(self.source, self.deadline)
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
        for clause in program.clauses:
            suspicion = self._suspicion(program, clause)
            if not suspicion:
                continue
            data = 1.0
            if all(one.kind == "fact" for one in program.defined[clause.name, clause.arity]):
                # One that failing tests point out counts as a rule, and so does one that no test can use.
                unused = self.spectrum and (program.source.place(clause.start).line or 0) not in self._entered
                data = 1.0 if unused else DATA if not self.spectrum else DATA - (DATA - 1) * suspicion
            before = standing(text[clause.start : clause.end])
            alone = cache(partial(_alone, before))
            known = _form(text[clause.start : clause.end]) in self._known
            likely = (1.6 if known else 1.0) * (_FIRST if 1 in before.values() else 1.0) * (2.0 - suspicion)
            for change in program.changes(clause):
                more, fewer = alone(change.by, text[change.begin : change.end])
                cost = change.cost if self._judge is None or change.kind != "operator" else min(change.cost, _FLIPPED)
                cost = cost * data + _LONE * more
                rank = cost * likely * _SETTLED**fewer
                if self._known:
                    rank *= self._nearness(program.changed(change, clause)[1])
                yield Candidate(partial(_made, program, clause, change), cost, rank)

        def added(kind: str, clause: Clause, rule: str, cost: float, rank: float, at: int) -> Candidate:
            place = program.source.place(clause.start)
            step = Step(kind, place.line or 1, place.column or 1, "", rule.strip())
            return Candidate(lambda: (text[:at] + rule + text[at:], step), cost, rank)

        for clause, directive, cost in program.tables() if self._tabled else ():
            yield added("table", clause, f"{directive} ", cost, cost, clause.start)
        for kind, clause, rule, cost in program.new_clauses():
            suspicion = self._suspicion(program, clause)
            if suspicion or kind == "definition":
                stop = text.find(".", clause.end) + 1 or len(text)
                rank = cost * self._nearness(rule.removesuffix(".")) * (2.0 - suspicion)
                yield added(kind, clause, f" {rule}", cost, rank, stop)

    def _suspicion(self, program: EditableProgram, clause: Clause) -> float:
        """From 0 to 1; 0 of one that no test that fails calls."""
        line = program.source.place(clause.start).line or 0
        return self.spectrum.get(line, (0.0, ""))[0] if self.spectrum else 1.0

    def _nearness(self, clause: str) -> float:
        """Less than 1 for clauses that the reference has, too."""
        return 0.5 if self._known and _form(clause) in self._known else 1.0


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
    return text, Step(change.kind, place.line or 1, place.column or 1, before, after.strip(), part, at)


def _form(clause: str) -> str:
    """A clause up to space and the names of its variables."""
    names: dict[str, str] = {}
    parts = []
    for token in tokens(clause, 0, len(clause)):
        if token.kind == "variable" and token.text != "_":
            parts.append(names.setdefault(token.text, f"V{len(names)}"))
        else:
            parts.append(token.text)
    return " ".join(parts)
