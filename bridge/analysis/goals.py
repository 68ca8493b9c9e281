"""Diagnose a Prolog program and a goal: has it one answer, several or none, why, and does it end?

    >>> problem = PrologProblem(["child(ann, bob). child(bob, cid).\\nolder(X, Y) :- child(Y, X).\\n"], "older(ann, X)")
    >>> print(GoalWork(problem, Options(), Limits(seconds=10), None).done().verdict)
    impossible

- A **slice** is a smallest fragment of the program that still fails, or still does not end.
- A **clash** is a minimal set of posted constraints that cannot hold together.

Both come from `bridge.analysis.cores`, put to an oracle of `bridge.problem`. A fragment is run: what is found is
what was observed within the limits, and a diagnosis says where that is less than a proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from time import monotonic
from typing import Any, Literal

from bridge.analysis.cores import clash, disjoint_clashes, shrink, smallest
from bridge.analysis.cuts import hidden_by_cuts
from bridge.analysis.diagnosis import Asked, Slice
from bridge.analysis.endless import change_that_ends, order_that_answers, recursion
from bridge.analysis.goal_diagnosis import GoalDiagnosis, GoalResidual, Repeated, Way
from bridge.analysis.repairs import removals
from bridge.analysis.ways import two_ways
from bridge.analysis.work import Options, Published
from bridge.common.english import plural
from bridge.errors import LimitError, Place, ProgramError, UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.outcome import Interrupted, Outcome, Verdict
from bridge.problem.clauses import PROLOG
from bridge.problem.fragments import GoalPremise, line_of, shown
from bridge.problem.posted import Posted
from bridge.problem.prolog import FragmentOracle, PrologProblem
from bridge.prolog import Answer, Atom, Session, Term, Variable
from bridge.prolog.answer import identity
from bridge.prolog.terms import parts_of, text_of

#: Answers that are looked at for the exact residual.
ANSWERS = 1000

#: Answers that are looked at for two that differ.
DUPLICATES = 100

#: What a goal is given at first: most end by then, and of others the recursion may show that they never will.
_SHORT = Limits(seconds=0.4, memory=2**27)

#: Of a goal that has the same answers again and again, at most such a share of them differ.
_OFTEN = 0.1

#: A fragment may take so many times the inferences of the goal as it is.
FACTOR = 10

#: Bytes for the goal as it is: a recursion without end fills them first.
MEMORY = 2**29


def endless_goal(problem: PrologProblem, limits: Limits) -> GoalDiagnosis:
    """Why a goal does not end that was seen not to: its first answers, the fragment, the recursion, and a change.

    Raises ProgramError as a diagnosis.
    """
    work = GoalWork(problem, Options(), limits, None)
    return work.after(work.endless)


#: The most calls without a matching clause that are shown: with more of them, no single one is the reason.
FEW = 3

#: Which calls no clause of their predicate matches, and why calls fail.
_REASONS = "use_module(Module, []), lpbridge_failing:reasons(Calls, Heads, Effects, Numbers, Reasons)"

#: What each run has of its own in a message: names of variables and streams; and the caller that is on the stack.
_NAMED = re.compile(r"\b_[G\d]\w*|\(0x[\da-f]+\)|^\S+/\d+: ")

#: Labels the variables of an answer, which have finite domains.
_LABEL = "clpfd:label(_Lpbridge)"

#: How SWI-Prolog says that a recursion has no end, or too deep a one.
_OVERFLOW = "Stack limit"


class GoalWork(Published[GoalDiagnosis]):
    """The state of a diagnosis; ProgramError, with what is known in `partial`, where the goal raises an error."""

    def __init__(self, problem: PrologProblem, options: Options, limits: Limits,
                 on_progress: Callable[[GoalDiagnosis], object] | None, asked: Asked = "diagnose") -> None:
        super().__init__(GoalDiagnosis(problem, asked=asked, impure=()), limits.seconds, on_progress)
        self.problem, self.options, self.seconds = problem, options, limits.seconds
        self._dropped: list[GoalPremise] = []
        self._goal = problem.query
        self._different: tuple[Answer, ...] = ()  # answers that differ, of a goal with several
        self._spent = 0  # inferences of the goal as it is
        self._times = 0  # answers that were looked at, equal ones too

    def done(self, wanted: Literal["all", "verdict", "residual"] = "all") -> GoalDiagnosis:
        try:
            return self.after(lambda: self._parts(wanted))
        except ProgramError as error:
            error = self._with_frames(error)
            if error.term is not None and str(error.term).startswith("error(instantiation_error"):
                order = order_that_answers(self.problem, error, self.deadline)
                error.hint = "; ".join(one for one in (error.hint, order) if one)
            error.partial = self.found
            raise error from None

    def _with_frames(self, error: ProgramError) -> ProgramError:
        """The error of the goal when no clause leaves the stack early: it names the clause that raised it."""
        if self.problem.untrusted or error.term is None or error.message.startswith(_OVERFLOW):
            return error
        goal = f"set_prolog_flag(last_call_optimisation, false), {self._goal}"
        try:
            with self.problem.session(self._left(1)) as session:
                session.query(goal, limits=replace(self._left(0.3), memory=MEMORY)).collect()
        except ProgramError as again:
            if _NAMED.sub("", again.message) == _NAMED.sub("", error.message):
                return again
        return error

    def endless(self) -> None:
        self.program = self.problem.read(self.deadline.within(UNLIMITED))
        with self.problem.session(self._left(1)) as session:
            self.publish(solutions=self._answers(session, self.problem.query, _SHORT).solutions)
        self._loop()

    def _parts(self, wanted: Literal["all", "verdict", "residual"]) -> None:
        if wanted == "all":
            self.program = self.problem.read(self.deadline.within(UNLIMITED))
            self.found = replace(self.found, warnings=self.program.warnings)
        self._verdict(wanted)
        if wanted != "all":
            if wanted == "residual" and self.found.solutions:
                self._values(self._left(0.3))
        elif self.found.verdict is Verdict.IMPOSSIBLE:
            self._impossible()
        elif self.found.verdict is Verdict.UNIQUE:
            if self._times > 1 and self.found.ends:
                self._repeated(self.found.solutions * self._times)
        elif self.found.verdict is Verdict.AMBIGUOUS:
            if not self._values(_SHORT):
                self._loop()
                if not self._surely:
                    self._values(self._left(0.1 if self._likely else 0.3))
                if self.found.ends is False:
                    self.publish(solutions=self._different)
            elif self.found.ends is None:
                self._values(self._left(0.3))
            if not self.residual.domains and self.found.ends is not False:
                self._propagated()
        elif self.found.ends is not True and self.found.loop is None:
            self._loop()
        if self.deadline.expired():
            self.publish(limit="seconds")

    def _left(self, share: float) -> Limits:
        """A share of the time that the diagnosis has in all, or what is left of it."""
        part = UNLIMITED if self.seconds is None else Limits(seconds=self.seconds * share)
        return self.deadline.within(part)

    # The verdict.

    def _verdict(self, wanted: str) -> None:
        """Run the goal for a short time; if that is not enough, and it does not surely go on for ever, for longer."""
        with self.problem.session(self._left(1)) as session:
            outcome = self._answers(session, self.problem.query, _SHORT)
        if outcome.limit in ("seconds", "memory") and len(outcome.solutions) < 2:
            self.publish(solutions=outcome.solutions)
            if wanted == "all":
                self._loop()
            if not self._surely:  # again from the start: what was stopped may have changed the program
                longer = self._left(0.1 if self._likely else 0.3)
                with self.problem.session(self._left(1)) as session:
                    outcome = self._answers(session, self.problem.query, longer)
                if outcome.complete:
                    self.publish(notes=())  # of a fragment that did not end by then
        if any(answer.residual for answer in outcome.solutions):
            with self.problem.session(self._left(1)) as session:
                outcome = self._labelled(session, outcome)
        verdict = outcome.verdict
        if verdict is Verdict.UNIQUE and outcome.solutions[0].residual:
            verdict = Verdict.UNKNOWN
            self.note("the answer leaves constraints open that could not be labelled")
        if outcome.undefined:
            number = plural(outcome.undefined, "answer is", "answers are")
            self.note(f"{number} undefined: neither true nor false in the well-founded semantics")
        if outcome.limit not in (None, "solutions", "seconds") and not self._surely:
            self.publish(limit=outcome.limit)
        if outcome.complete:
            self._ended()
        self.publish(solutions=outcome.solutions, verdict=verdict)

    def _ended(self) -> None:
        self.publish(ends=True, loop=None, inferences=None, recursion=None, ending=None)

    @property
    def _surely(self) -> bool:
        """Whether the recursion shows that the goal never ends."""
        found = self.found.recursion
        return found is not None and found.certain

    @property
    def _likely(self) -> bool:
        """Whether it seems that the goal does not end, and less time will do."""
        found = self.found.recursion
        return found is not None and found.likely

    def _answers(self, session: Session, goal: str, limits: Limits) -> Outcome[Answer]:
        """Answers that differ: up to two that are true, and undefined ones that come before the second."""
        within = replace(self.deadline.within(limits), solutions=DUPLICATES, memory=limits.memory or MEMORY)
        stream = session.query(goal, limits=within)
        found: list[Answer] = []
        self._times = 0
        try:
            for answer in stream:
                self._times += 1
                if answer not in found:
                    found.append(answer)
                if sum(one.truth == "true" for one in found) == 2:
                    break
        except KeyboardInterrupt:
            stream.interrupted()
            self.publish(solutions=tuple(found))
            raise
        except ProgramError as error:
            if not error.message.startswith(_OVERFLOW):
                raise
            return Outcome(tuple(found), False, "memory")
        self._spent = stream.statistics.counters.get("inferences", 0)
        return stream.outcome(found)

    def _labelled(self, session: Session, plain: Outcome[Answer]) -> Outcome[Answer]:
        """The answers with all variables labelled, where each has a finite domain, or is a Boolean of library(clpb)."""
        names = ", ".join(plain.solutions[0])
        boolean = any(isinstance(goal, Term) and goal.name == "sat" for goal in plain.solutions[0].residual)
        label = "apply:include(attvar, _Lpbridge, _Labelled), clpb:labeling(_Labelled)" if boolean else _LABEL
        goal = f"{self.problem.query}, term_variables([{names}], _Lpbridge), {label}"
        try:
            outcome = self._answers(session, goal, self._left(0.3))
        except ProgramError:  # no library(clpfd), or a variable without a finite domain
            return plain
        if any(answer.residual for answer in outcome.solutions):
            return plain
        self._goal = goal
        first = plain.solutions[0]
        constraints = tuple(map(str, first.residual))
        write = f"labeling([{names}])" if boolean else f"term_variables([{names}], Vs), label(Vs)"
        self.note(
            f"the program leaves constraints open, {_few(constraints)}; for the verdict its variables were labelled, "
            f"as with `{write}` after the goal{_meaning(constraints) if boolean else ''}"
        )
        self.publish(residual=replace(self.residual, constraints=constraints, domains=_domains(first.items())))
        return outcome

    # It fails.

    def _impossible(self) -> None:
        inferences = max(self.problem.inferences, FACTOR * self._spent)
        with self.problem.oracle("fails", inferences=inferences, deadline=self.deadline) as oracle:
            self._failure(oracle)
            self._posted()
            if self.found.failure is not None:
                self._reasons(oracle, self.found.failure)
                self._cuts(oracle)
                self._removals(oracle)
        if (failure := self.found.failure) is not None:
            self._general(failure)

    def _failure(self, oracle: FragmentOracle) -> None:
        reply = oracle.ask(oracle.premises)
        if reply.satisfiable is not False:
            self.note("no failure slice: the program with switches did not fail within the limit")
            return
        self._impurities(oracle)
        core = list(reply.core)
        tests = [premise for premise in core if premise.kind == "test"]
        others = [premise for premise in core if premise.kind != "test"]
        kept, minimal = shrink(oracle, tests, others)
        # What a test looks at was bound by the goals before it: these stay.
        fixed = [*kept, *(premise for premise in others if _feeds(premise, kept))]
        rest = [premise for premise in others if premise not in fixed]
        left, proved = shrink(oracle, rest, fixed)
        minimal = minimal and proved
        if minimal:
            left, minimal = _checked(oracle, left, fixed)
        premises = oracle.ordered([*fixed, *left])
        lines = shown(self.program.sources, "fails", oracle.premises, set(premises))
        self._dropped = [premise for premise in oracle.premises if premise not in premises]
        self.publish(failure=Slice(premises, minimal, tuple(lines), oracle.ordered(kept)), questions=oracle.calls)
        if oracle.undecided:
            limit = f"the limit is {oracle.inferences:,} inferences"
            self.note(f"{plural(oracle.undecided, 'smaller fragment')} did not end ({limit}): counted as not failing")
        if kept:
            self.note("the failure slice has goals that are not pure; they ran as they are, so it is not a proof")

    def _reasons(self, oracle: FragmentOracle, failure: Slice) -> None:
        """The calls of the slice that no clause matches, and why calls fail by the rules of the language."""
        goals = [premise for premise in failure.premises if premise.kind in ("goal", "test")]
        if self.problem.untrusted or not goals:
            return
        # As the source has them: heads and the constants of the query are left as they are.
        given = [premise for premise in oracle.premises if premise.kind in ("head", "given")]
        limit = oracle.inferences
        with self.problem.oracle("fails", recorded=goals, inferences=limit, deadline=self.deadline) as recording:
            calls = recording.calls_of({*failure.premises, *given})
        if not calls:
            return
        clauses = [
            (source, one) for source in self.program.sources for one in source.clauses if one.kind in ("clause", "fact")
        ]
        texts = [source.text[one.start : one.body[0] if one.body else one.end] for source, one in clauses]
        given_texts = {
            "Module": str(PROLOG / "lpbridge_failing.pl"),
            "Calls": [[goal.number, text, goal.text] for goal, text in calls],
            "Heads": [text.rstrip().removesuffix(":-") for text in texts],
            "Effects": Atom("true" if self.program.effects else "false"),
        }
        with self.problem.session(self._left(1)) as session:
            answer = session.first(_REASONS, given_texts, limits=self._left(1))
        if answer is None:
            return
        unmatched = [(calls[number - 1][0].place, calls[number - 1][1]) for number in answer["Numbers"]]
        first, reasons = list[tuple[Place, str]](), list[tuple[Place, str]]()
        for sort, at, text in answer["Reasons"]:
            if sort != "head":
                goal = calls[at - 1][0]
                (first if sort == "else" else reasons).append((goal.place, f"`{goal.text}` fails: {text}"))
            else:
                source, one = clauses[at - 1]
                reasons.append((source.place(one.start), str(text)))
        few = len(unmatched) <= FEW and len(first) + len(reasons) <= FEW
        if few:
            reasons = [*first, *reasons]
            failure = replace(failure, unmatched=tuple(unmatched), reasons=tuple(reasons), first=len(first))
            self.publish(failure=failure, questions=self.found.questions + recording.calls)

    def _cuts(self, oracle: FragmentOracle) -> None:
        """The cuts without which there is an answer."""
        failure = self.found.failure
        if failure is None or self.problem.untrusted or self.program.effects:
            return
        entered = oracle.entered(oracle.premises)
        found = tuple(hidden_by_cuts(self.problem, self.program, entered, self.deadline))
        first = len(found) + failure.first
        self.publish(failure=replace(failure, reasons=(*found, *failure.reasons), first=first))

    def _impurities(self, oracle: FragmentOracle) -> None:
        """The goals that are not pure in the clauses that the program enters."""
        entered = set(oracle.entered(oracle.premises))
        found = [
            (source.place(goal.start), line_of(source.of(goal)))
            for at, source, goal in self.program.impure()
            if at in entered
        ]
        self.publish(impure=tuple(found))

    def _general(self, failure: Slice) -> None:
        """Generalise the arguments of the goals that are left."""
        goals = [premise for premise in failure.premises if premise.kind == "goal"]
        if self.found.impure or not goals or self.deadline.expired():
            return
        with self.problem.oracle("fails", arguments=goals, off=self._dropped, deadline=self.deadline) as oracle:
            reply = oracle.ask(oracle.premises)
            if reply.satisfiable is not False:
                return
            fixed = [premise for premise in reply.core if premise.kind != "argument"]
            arguments = [premise for premise in reply.core if premise.kind == "argument"]
            left, minimal = shrink(oracle, arguments, fixed)
            if len(left) == sum(premise.kind == "argument" for premise in oracle.premises):
                return
            premises = oracle.ordered([*fixed, *left])
            lines = shown(self.program.sources, "fails", [*oracle.premises, *self._dropped], set(premises))
            self.publish(general=Slice(premises, minimal, tuple(lines)), questions=self.found.questions + oracle.calls)

    def _posted(self) -> None:
        clauses = [clause for source in self.program.sources for clause in source.clauses]
        if not any(goal.kind == "constraint" for clause in clauses for goal in clause.goals):
            return
        try:
            with Posted(self.problem, deadline=self.deadline) as posted:
                first = clash(posted, posted.premises)
                if first is None:
                    if posted.waits or posted.undecided:
                        self.note(
                            "no clash of posted constraints was found: some goals wait, or labelling did not decide"
                        )
                    return
                self.publish(clashes=(first,))
                first = smallest(posted, posted.premises, first, self.options.effort, patience=1.0)
                if first.minimal and not posted.is_minimal(first.premises):
                    first = replace(first, minimal=False, smallest=False)
                    self.note("whether the clash is minimal is not proved: labelling did not decide some sets")
                self.publish(clashes=(first,), propagation=posted.fails_by_propagation(first.premises))
                left = [premise for premise in posted.premises if premise not in first.premises]
                if self.options.clashes > 1:
                    self.publish(clashes=(first, *disjoint_clashes(posted, left, self.options.clashes - 1)))
                self.publish(questions=self.found.questions + posted.calls)
        except UnsupportedError as error:
            self.note(f"no clash of posted constraints: {error.message}")

    def _removals(self, oracle: FragmentOracle) -> None:
        assert self.found.failure is not None
        if self.found.failure.kept or not self.found.failure.minimal:
            return
        before = oracle.calls
        try:
            found = removals(oracle, oracle.premises, [], self.options.repairs, [self.found.failure.premises])
        except Interrupted as interrupted:
            self.publish(removals=interrupted.partial)
            raise
        good = []
        for away in found.sets:
            ending, _ = oracle.run([premise for premise in oracle.premises if premise not in away])
            if ending == "succeeds":
                good.append(away)
        if len(good) < len(found.sets):
            found = replace(found, sets=tuple(good), complete=False)
        self.publish(removals=found, questions=self.found.questions + oracle.calls - before)

    # It has several answers.

    def _values(self, limits: Limits) -> bool:
        """The values of the variables in all answers; whether it did not come to stop giving answers that differ."""
        different: dict[str | bytes, Answer] = {}
        began = last = monotonic()
        with self.problem.session(self._left(1)) as session:
            stream = session.query(self._goal, limits=replace(self.deadline.within(limits), solutions=ANSWERS))
            answers = []
            for answer in stream:
                answers.append(answer)
                if different.setdefault(identity(answer), answer) is answer:
                    last = monotonic()
            outcome = stream.outcome(answers)
        columns = [(name, [answer[name] for answer in outcome.solutions]) for name in next(iter(outcome.solutions), ())]
        exact = {path: tuple(dict.fromkeys(map(text_of, values))) for path, values in _parts(columns)}
        open_ones = any(answer.residual for answer in outcome.solutions)
        complete = outcome.complete and not open_ones
        self.publish(residual=replace(self.residual, possible=exact, complete=complete))
        if outcome.complete:
            self._ended()
            if complete:
                self.publish(count=len({identity(answer) for answer in outcome.solutions if answer.truth == "true"}))
            if self.found.asked == "diagnose":
                self._repeated(outcome.solutions)
        elif different:
            self._different = tuple(different.values())
        if outcome.limit == "solutions":
            return len(different) > len(answers) * _OFTEN
        return outcome.complete or last - began > (monotonic() - began) / 2

    def _repeated(self, answers: Sequence[Answer]) -> None:
        """How many answers come more than once, and by what two equal ones differ."""
        first: dict[str | bytes, int] = {}
        again: tuple[int, int] | None = None
        for number, answer in enumerate(answers, 1):
            earlier = first.setdefault(identity(answer), number)
            if earlier != number and again is None:
                again = earlier, number
        if again is None:
            return
        one = answers[again[0] - 1]
        times = sum(identity(answer) == identity(one) for answer in answers)
        ways: tuple[Way, Way] | None = None
        if self._goal == self.problem.query and not self.problem.untrusted:
            with suppress(ProgramError, LimitError):
                ways = two_ways(self.problem, again, self._left(0.3))
        swapped = _swapped([answer for answer in answers if answer.truth == "true"])
        self.publish(repeated=Repeated(len(answers), len(first), one, times, ways, swapped))

    @property
    def residual(self) -> GoalResidual:
        """What is known to be open so far."""
        return self.found.residual or GoalResidual("exact", "prolog", {}, complete=False)

    def _propagated(self) -> None:
        with self.problem.oracle("fails", deadline=self.deadline) as oracle:
            labels = [premise for premise in oracle.premises if premise.kind == "search"]
            if labels:
                domains = _domains(oracle.first_without(labels))
                self.publish(residual=replace(self.residual, domains=domains))

    # It does not end.

    def _loop(self) -> None:
        limit = self.problem.inferences
        for _ in range(3):
            with self.problem.oracle("loops", inferences=limit, deadline=self.deadline) as oracle:
                reply = oracle.ask(oracle.premises)
                if reply.satisfiable is not False:
                    if reply.satisfiable:
                        self.note(f"the goal ends within {limit:,} inferences, but a limit came first")
                    return
                self.publish(ends=False, inferences=limit)
                if not self.program.effects:  # what a call does then depends on when it is made
                    self.publish(recursion=recursion(oracle, reply.core))
                left, minimal = list(reply.core), False
                if self.found.recursion is None or self.found.recursion.kind != "table":  # each question takes long
                    left, minimal = shrink(oracle, reply.core)
                premises = tuple(sorted(left))
                lines = shown(self.program.sources, "loops", oracle.premises, set(premises))
                self.publish(loop=Slice(premises, minimal, tuple(lines)), questions=self.found.questions + oracle.calls)
                if not self.program.effects:
                    if (one := recursion(oracle, premises)) is not None and (one.likely or not self._likely):
                        self.publish(recursion=one)
                    given = self.problem, premises, self.found.recursion, self.found.solutions, self.deadline
                    self.publish(ending=change_that_ends(*given))
                if self._likely:
                    return
                # With more time, it may end after all.
                ending, _ = oracle.run(premises, inferences=10 * limit)
                if ending not in ("fails", "succeeds"):
                    return
            limit *= 10
        self.note("a fragment that does not end within the limit may end with more inferences")


def _checked(oracle: FragmentOracle, premises: Sequence[GoalPremise],
             fixed: Sequence[GoalPremise]) -> tuple[list[GoalPremise], bool]:
    """Leave out one after the other again, with the fixed ones in every question: one may have become needless.

    That is so of a program that is not pure, and of one of which a fragment did not end: without others, it may fail.
    Undecided are then the fragments of the last round.
    """
    kept = list(premises)
    while True:
        oracle.undecided = 0
        for premise in kept:
            reply = oracle.ask([*fixed, *(other for other in kept if other != premise)])
            if reply.satisfiable is None:
                return kept, False
            if reply.satisfiable is False:
                kept = [other for other in kept if other in reply.core]
                break
        else:
            return kept, True


def _feeds(premise: GoalPremise, tests: Collection[GoalPremise]) -> bool:
    """Whether a goal comes before a test in the same clause and has a variable in common with it."""
    return any(
        premise.clause == test.clause
        and premise.span[0] < test.span[0]
        and not set(premise.variables).isdisjoint(test.variables)
        for test in tests
    )


def _swapped(answers: Sequence[Answer]) -> tuple[str, str] | None:
    """Two variables whose values may be exchanged in each answer, and always differ."""
    names = list(answers[0])
    for one, other in combinations(names, 2):
        rows = {tuple(str(answer[name]) for name in names) for answer in answers}
        at, to = names.index(one), names.index(other)
        turned = {(*row[:at], row[to], *row[at + 1 : to], row[at], *row[to + 1 :]) for row in rows}
        if turned == rows and all(row[at] != row[to] for row in rows):
            return one, other
    return None


def _few(constraints: Sequence[str]) -> str:
    """The first constraints of an answer, in code spans."""
    shown = [f"`{each}`" for each in constraints[:2]]
    more = len(constraints) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


#: The operators of library(clpb).
_BOOLEAN = {
    "=\\=": "the two differ",
    "=:=": "the two are equal",
    "*": "and",
    "+": "or",
    "#": "exclusive or",
    "~": "not",
}


def _meaning(constraints: Sequence[str]) -> str:
    """What the operators mean that are in constraints of library(clpb)."""
    text = " ".join(each for each in constraints if each.startswith("sat("))
    means = [f"`{operator}` means {meaning}" for operator, meaning in _BOOLEAN.items() if operator in text]
    return f". In sat/1 {', '.join(means)}" if means else ""


def _domains(values: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """The domains of the variables that are open in some values."""
    return {
        path: str(part.domain)
        for path, [part] in _parts((name, [value]) for name, value in values)
        if isinstance(part, Variable) and part.domain is not None
    }


def _parts(columns: Iterable[tuple[str, list[Any]]]) -> Iterator[tuple[str, list[Any]]]:
    """The parts of values, each with the way to it: lists and terms are taken apart where all there are alike."""
    waiting = list(columns)[::-1]
    while waiting:
        path, values = waiting.pop()
        shapes = {(type(one), getattr(one, "name", None), len(parts_of(one))) for one in values}
        if len(shapes) == 1 and isinstance(values[0], list | Term):
            way = "{}[{}]" if isinstance(values[0], list) else "{}.{}"
            inner = enumerate(zip(*map(parts_of, values), strict=True), 1)
            waiting += reversed([(way.format(path, number), list(each)) for number, each in inner])
        else:
            yield path, values
