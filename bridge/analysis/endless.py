"""Why a goal does not end: the recursion that it stands in, and changes of the program by which it ends.

    >>> problem = PrologProblem(["down(0).\\ndown(N) :- M is N - 1, down(M).\\n"], "down(3)")
    >>> with problem.oracle("loops") as oracle:
    ...     found = recursion(oracle, oracle.ask(oracle.premises).core)
    >>> print(found.sentence)
    argument 1 of down/1 goes down past 0, which <text>:1:1 is for: 0 matches here, too
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import add
from typing import Any, Literal

from bridge.as_json import Json
from bridge.asp.reading.text import diff_of
from bridge.common.english import listed, plural
from bridge.errors import LimitError, Place, ProgramError
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problem.clauses import Clause, Goal, Source
from bridge.problem.fragments import GoalPremise, line_of
from bridge.problem.prolog import FragmentOracle, PrologProblem, SourcesOfGoal, prepared_session
from bridge.prolog.answer import Answer, identity

#: After so many inferences the stack is looked at; with more of them where it is not deep by then.
_LOOKS = 3_000, 50_000

#: Calls of a recursion in which a term grows that are taken for enough.
_DEEP = 100

#: Seconds, answers and bytes for a program with a change.
_TRIAL = Limits(seconds=0.5, solutions=1000, memory=2**28)

#: Changes that are tried, at most.
_TRIALS = 8

#: Where a goal stands that was running.
_AT = re.compile(r" at .*:(?P<line>\d+)$")

_COMPARISONS = {">", "<", ">=", "=<", "=:=", "=\\=", "==", "\\==", "=", "\\="}

RecursionKind = Literal["same", "constrained", "expression", "grows", "down", "up", "other", "table"]


@dataclass(frozen=True, slots=True)
class Recursion(Json):
    """The recursion in which a goal stands that does not end."""

    kind: RecursionKind  #: What changes from call to call.
    place: Place  #: The clause that most of the calls stand in.
    predicate: str
    argument: int  #: The argument that changes; 0 where none does.
    calls: tuple[str, ...]  #: The first calls, and the last; of a table some of its answers.
    number: int  #: How many calls or answers there are.
    passed: tuple[int, Place] | None  #: A number that the argument has passed, and the clause that is for it.

    @property
    def certain(self) -> bool:
        """Whether a pure program surely goes on for ever."""
        return self.kind == "same" or self.passed is not None or (self.kind == "expression" and self.number >= _DEEP)

    @property
    def likely(self) -> bool:
        """Whether it seems to go on."""
        return self.certain or self.kind in ("constrained", "grows", "table")

    @property
    def sentence(self) -> str:
        which = f"argument {self.argument} of {self.predicate}"
        match self.kind:
            case "same":
                return f"{self.predicate} is called with the same arguments again and again, as {self.calls[-1]}"
            case "constrained":
                return f"{self.predicate} is called again and again, and only constraints on open variables differ"
            case "expression":
                return f"{which} is a term that grows, and not a number: only is/2 and comparisons evaluate"
            case "grows":
                return f"{which} grows from call to call"
            case "down" | "up" if self.passed is not None:
                value, place = self.passed
                return f"{which} goes {self.kind} past {value}, which {place} is for: {value} matches here, too"
            case "down" | "up":
                return f"{which} goes {self.kind} from call to call"
            case "table":
                return f"{which} grows in the answers of its table: each of them is new"
        return f"{self.predicate} calls itself, {self.number:,} calls deep"

    def lines(self) -> Iterator[str]:
        if self.kind != "other":
            yield f"{self.place}: {self.sentence}"
        if self.kind not in ("same", "other"):
            *first, last = self.calls
            yield f"  {', '.join(first)}, ..., {last}"


@dataclass(frozen=True, slots=True)
class Ending(Json):
    """A change of the program by which a goal ends."""

    place: Place  #: The clause that is changed.
    kind: str
    sentence: str
    diff: str  #: The change of the author's text.
    answers: int  #: How many answers the goal then has.
    ends: bool  #: Whether it then ends; otherwise it has its first answer.

    def lines(self) -> Iterator[str]:
        number = plural(self.answers, "answer") if self.answers else "no answer"
        what = f"ends, with {number}" if self.ends else "has a first answer"
        yield f"With this change it {what}: {self.sentence}"
        yield from (f"    {line}" for line in self.diff.split("\n"))


@dataclass(frozen=True, slots=True)
class ChangedText:
    """A text of a source with a change."""

    kind: str
    sentence: str
    clause: Clause
    text: str
    goal: Goal | None = None  #: What is put before another.
    before: Goal | None = None


def recursion(oracle: FragmentOracle, premises: Collection[GoalPremise]) -> Recursion | None:
    """The recursion that a fragment stands in; None where it stands in none, or the program is untrusted."""
    found: list[Any] = []
    for inferences in () if oracle.problem.untrusted else _LOOKS:
        found = oracle.chain(premises, inferences)
        if found:
            break
    if not found:
        return None
    kind, name, arity, line, number, argument, calls, passed = found
    entered = {premise.clause for premise in premises}
    own = [
        (source.place(clause.start), clause, (at, index) in entered)
        for at, source in enumerate(oracle.program.sources)
        for index, clause in enumerate(source.clauses)
        if (clause.name, clause.arity) == (name, arity)
    ]
    if not own:
        return None
    place, found_in, _ = max(own, key=lambda one: (one[0].line == line, one[2], bool(one[1].goals)))
    predicate = _shown(own[0][1])
    if kind in ("down", "up") and not passed and any(goal.name in _COMPARISONS for goal in found_in.goals):
        kind = "other"  # it may be on its way to an end
    heads = [where for where, clause, _ in own if passed and not clause.goals and where.line == passed[1]]
    base = (int(passed[0]), heads[0]) if heads else None
    return Recursion(str(kind), place, predicate, argument, tuple(map(str, calls)), number, base)  # type: ignore[arg-type]


def change_that_ends(problem: PrologProblem, premises: Collection[GoalPremise], found: Recursion | None,
                     answers: Collection[Answer], deadline: Deadline) -> Ending | None:
    """A change of the clauses of a fragment by which the goal ends and keeps the answers that it has had.

    Where there is none, one by which it has a first answer.
    """
    program = problem.read(deadline.within(UNLIMITED))
    entered = {premise.clause for premise in premises}
    had = {identity(one) for one in answers}
    first: Ending | None = None
    tried = 0
    for number, source in enumerate(program.sources[:-1]):
        clauses = [clause for at, clause in enumerate(source.clauses) if (number, at) in entered]
        seen = {premise.span[0] for premise in premises if premise.clause[0] == number}
        for change in _changes(source, clauses, seen, found):
            tried += 1
            if tried > _TRIALS or deadline.expired():
                return first
            after, ends = _answers(problem, program, program.with_text(number, change.text), deadline)
            if (ends and had <= after) or (after and not had and first is None):
                diff = diff_of(source.text, change.text)
                first = Ending(source.place(change.clause.start), change.kind, change.sentence, diff, len(after), ends)
                if ends:
                    return first
    return first


def order_that_answers(problem: PrologProblem, error: ProgramError, deadline: Deadline) -> str | None:
    """Which goals of a clause that was running, in another order, give an answer in place of an error, in words."""
    program = problem.read(deadline.within(UNLIMITED))
    if program.effects:  # what a call does then depends on when it is made
        return None
    running = [*map(_AT.search, error.backtrace)]
    lines = dict.fromkeys(int(found["line"]) for found in running if found is not None)
    tried = 0
    for number, source in enumerate(program.sources[:-1]):
        spans = {one: (source.place(one.start).line or 0, source.place(one.end).line or 0) for one in source.clauses}
        clauses = [one for line in lines for one, (first, last) in spans.items() if first <= line <= last]
        for change in (change for clause in dict.fromkeys(clauses) for change in earlier(source, clause)):
            tried += 1
            if tried > _TRIALS or deadline.expired():
                return None
            after, _ = _answers(problem, program, program.with_text(number, change.text), deadline)
            if after:
                where = source.place(change.clause.start)
                return f"where {change.sentence} in {where.file}:{where.line}, the goal has an answer"
    return None


def _answers(problem: PrologProblem, program: SourcesOfGoal, texts: Sequence[str],
             deadline: Deadline) -> tuple[set[str | bytes], bool]:
    """The answers of the goal to a changed program that differ, as far as they come soon; whether it ends."""
    try:
        with prepared_session(problem, program, texts, deadline.within(UNLIMITED)) as session:
            outcome = session.query(problem.query, limits=deadline.within(_TRIAL)).collect()
    except (ProgramError, LimitError):
        return set(), False
    return {identity(answer) for answer in outcome.solutions}, outcome.complete


def _changes(source: Source, clauses: Collection[Clause], seen: Collection[int],
             found: Recursion | None) -> Iterator[ChangedText]:
    """What may help, by what was found of the recursion; goals that the fragment does not come to are moved, too."""
    own = [clause for clause in clauses if found is not None and _shown(clause) == found.predicate]
    for clause in own:
        if found is not None and found.passed is not None and source.place(clause.start) == found.place:
            yield from _guarded(source, clause, found)
        if found is not None and found.kind == "expression":
            yield from _evaluated(source, clause, found.argument)
    for clause in clauses:
        yield from _labelled_last(source, clause)
        hidden = [goal for goal in clause.goals[max(clause.cuts, 1) :] if goal.start not in seen]
        for change in earlier(source, clause):
            goal, before = change.goal, change.before
            recursive = before and goal and before.predicate == clause.predicate != goal.predicate
            if recursive or (goal in hidden and before not in hidden):
                yield change
    for clause in own:
        if found is not None and (found.kind == "same" or (found.kind == "other" and _again(clause) > 1)):
            yield tabled(source, clause)
            several = {one.predicate: one for one in (clause, *filter(_again, source.clauses))}
            if len(several) > 1:  # the first one may only be in the way of another
                yield tabled(source, *several.values())
            return


def _again(clause: Clause) -> int:
    """How many goals of a clause call its own predicate."""
    more = [2 * (clause.kind == "grammar" and not goal.braces) for goal in clause.goals]
    calls = [(goal.name, goal.arity + pair) for goal, pair in zip(clause.goals, more, strict=True)]
    return calls.count((clause.name, clause.arity))


def _evaluated(source: Source, clause: Clause, argument: int) -> Iterator[ChangedText]:
    """The value of an expression in place of the expression, in the calls of a clause's own predicate."""
    for goal in clause.goals:
        parts = [part for part in goal.parts if part.kind == "argument"]
        if goal.predicate == clause.predicate and len(parts) == goal.arity and clause.kind == "clause":
            part = parts[argument - 1]
            name = next(name for name in ("N1", "N2", "Value", "LpbridgeValue") if name not in clause.variables)
            call = f"{source.text[goal.start : part.start]}{name}{source.text[part.end : goal.end]}"
            computed = f"{name} is {source.of(part)}"
            text = f"{source.text[: goal.start]}{computed}, {call}{source.text[goal.end :]}"
            yield ChangedText("evaluate", f"`{computed}` computes the number that is passed", clause, text)


def _labelled_last(source: Source, clause: Clause) -> Iterator[ChangedText]:
    """Labelling after all constraints of its clause."""
    goals = [one for one in clause.goals if not one.inner]
    for number, goal in enumerate(goals[:-1]):
        later = [one for one in goals[number + 1 :] if one.kind == "constraint"]
        if goal.kind == "search" and later:
            end = later[-1].end
            middle = source.text[goals[number + 1].start : end]
            text = f"{source.text[: goal.start]}{middle}, {source.of(goal)}{source.text[end:]}"
            yield ChangedText("last", f"`{line_of(source.of(goal))}` comes after the constraints", clause, text)


def _shown(clause: Clause) -> str:
    """Name and arity of its predicate, as people write them."""
    return f"{clause.name}//{clause.arity - 2}" if clause.kind == "grammar" else clause.predicate


def _guarded(source: Source, clause: Clause, found: Recursion) -> Iterator[ChangedText]:
    """A comparison first in a clause that takes a number that another is for."""
    assert found.passed is not None
    value, _ = found.passed
    head = source.text[clause.start : clause.body[0] if clause.body else clause.end]
    arguments = re.match(r"\s*\w+\((.*)\)\s*:-\s*\Z", head, re.DOTALL)
    if clause.kind != "clause" or clause.body is None or not clause.goals or arguments is None:
        return
    name = arguments[1].split(",")[found.argument - 1].strip() if "(" not in arguments[1] else ""
    if not re.fullmatch(r"[A-Z]\w*", name):
        return
    guard = f"{name} {'>' if found.kind == 'down' else '<'} {value}"
    start = clause.goals[0].start
    text = f"{source.text[:start]}{guard}, {source.text[start:]}"
    yield ChangedText("guard", f"with `{guard}` the clause is not for {value}", clause, text)


def tabled(source: Source, *clauses: Clause) -> ChangedText:
    """The predicates of some clauses keep their answers in a table."""
    predicates = {clause.predicate for clause in clauses}
    first = next(one for one in source.clauses if one.predicate in predicates)
    names = list(map(_shown, clauses))
    text = f"{source.text[: first.start]}:- table {', '.join(names)}.\n{source.text[first.start :]}"
    keeps = "keeps its answers" if len(names) == 1 else "keep their answers"
    return ChangedText("table", f"{listed(names)} {keeps}, each once", first, text)


_COMMA = re.compile(r"\s*,\s*")


def earlier(source: Source, clause: Clause) -> Iterator[ChangedText]:
    """A goal of a clause before one of those that come before it."""
    goals = [one for one in clause.goals if not one.inner and not one.braces]
    between = [source.text[one.end : other.start] for one, other in pairwise(goals)]
    if len(goals) != len(clause.goals) or clause.kind != "clause" or not all(map(_COMMA.fullmatch, between)):
        return
    texts = [source.of(one) for one in goals]
    for number, goal in enumerate(goals):
        if goal.kind == "fixed" or goal.kind == "search":
            continue
        for at in range(number - 1, -1, -1):
            if goals[at].kind == "fixed":
                break
            order = [*texts[:at], texts[number], *texts[at:number], *texts[number + 1 :]]
            body = "".join(map(add, order, [*between, ""]))
            text = f"{source.text[: goals[0].start]}{body}{source.text[goals[-1].end :]}"
            sentence = f"`{line_of(texts[number])}` comes before `{line_of(texts[at])}`"
            yield ChangedText("earlier", sentence, clause, text, goal, goals[at])
