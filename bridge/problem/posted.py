"""The constraints that a goal posts: which of them clash, and the same as a CSP for the imperative engines.

- A constraint of the source is posted as one or more **instances**: `Q0 #\\\\= Q` as `Qs[1] #\\\\= Qs[2]`, ...
- They are **recorded** in a run that posts none of them (`bridge/prolog/lpbridge_posted.pl`), which shows what is
  posted only where the goal then has one answer, and posts the same when they are posted. Otherwise it is refused.

Whether instances can hold together is decided by labelling, where propagation does not see that they cannot.

    >>> goal = "X in 1..3, Y in 1..3, X #> Y, Y #> X"
    >>> with Posted(PrologProblem([":- use_module(library(clpfd)).\\n"], goal)) as posted:
    ...     print([one.text for one in posted.ask(posted.premises).core])
    ['X in 1..3', 'Y in 1..3', 'X#>Y', 'Y#>X']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from bridge.as_json import Json, Key
from bridge.errors import Place, UnsupportedError
from bridge.limits import Deadline
from bridge.problem.clauses import Clause, Goal, Source
from bridge.problem.fragments import QUERY, Writer, bindings, constants, line_of, query_head
from bridge.problem.prolog import GoalOracle, PrologProblem, prepared_session
from bridge.problem.questions import SENTENCE, Reply
from bridge.prolog.terms import quoted

_MODULE = "lpbridge_posted"

#: Inferences for one question: labelling takes many.
INFERENCES = 5_000_000


@dataclass(frozen=True, slots=True)
class PostedConstraint(Json):
    index: int  #: Its place among the instances, from 1.
    place: Place = field(compare=False)  #: The goal in the source.
    source: str = field(compare=False)
    text: str = field(compare=False)  #: The constraint with the names by which the query reaches its variables.
    bindings: tuple[tuple[str, str], ...] = field(compare=False)  #: The values of the source's variables.
    term: Any = field(compare=False, repr=False)  #: The constraint as data; a variable is `Term("$variable", (name,))`.
    predicate: str = field(compare=False)
    sentence: str = field(compare=False, repr=False)
    is_fact: bool = field(compare=False, default=False)  #: Whether it is a constant that the query gives.

    @property
    def name(self) -> str:
        return str(self.place)

    @property
    def kind(self) -> str:
        return "given" if self.is_fact else "constraint"

    def __str__(self) -> str:
        return f"{self.text} ({self.place})"

    def __lt__(self, other: PostedConstraint) -> bool:
        return self.index < other.index

    _json = (
        "name kind *place text=source",
        SENTENCE,
        "instance=text",
        Key("predicate", str | None, lambda self: self.predicate or None),
        Key("bindings", dict[str, str], lambda self: dict(self.bindings)),
    )


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A goal of the source that posts constraints."""

    source: Source
    clause: Clause
    start: int
    end: int
    given: bool = False


class Posted(GoalOracle[PostedConstraint]):
    """The instances that a goal posts, its `premises`, in their order; and an oracle for them
    (`bridge.problem.questions`).

    `propagated` says whether propagation alone fails when all are posted: of a program that is not pure, only those up
    to there are premises then. `waits` says whether goals wait for variables to be bound (`freeze/2`, `when/2`): the
    premises are not all that is posted. A question is undecided, too, when a variable had no finite domain.

    Raises UnsupportedError when what the goal posts cannot be recorded; the message says why.
    """

    def __init__(self, problem: PrologProblem, *, deadline: Deadline | None = None) -> None:
        super().__init__(deadline)
        self.propagated = self.waits = False
        if problem.untrusted:
            raise UnsupportedError("the constraints of an untrusted program are not recorded",
                                   hint="its goals can still be diagnosed")
        self.program = problem.read(self.within())
        self._goals: dict[int, _Recorded] = {}
        self._query_goals: list[str] = []
        texts = [self._text(source) for source in self.program.sources]
        if not self._goals:
            raise UnsupportedError("the program has no constraints of clpfd, clpb, clpq, clpr or dif/2")
        modules = ("lpbridge_posted.pl",)
        self._session = prepared_session(problem, self.program, texts, self.within(), modules)
        try:
            self._count = self._record()
            self.premises = self._instances()
        except BaseException:
            self._session.close()
            raise

    # Prepared.

    def _text(self, source: Source) -> str:
        writer = Writer(source)
        for clause in source.clauses:
            for goal in clause.goals:
                self._prepare(writer, source, clause, goal)
        if source is self.program.sources[-1]:
            query_head(writer, source, self._query_goals)
        return writer.text()

    def _number(self, source: Source, clause: Clause, start: int, end: int, given: bool = False) -> int:
        number = len(self._goals) + 1
        self._goals[number] = _Recorded(source, clause, start, end, given)
        return number

    def _prepare(self, writer: Writer, source: Source, clause: Clause, goal: Goal) -> None:
        if clause.kind == "grammar" and not goal.braces:
            return
        module = f"{quoted(source.module)}:"
        named = bindings(name for name in goal.variables if not name.startswith("_"))
        closures = [part for part in goal.parts if part.kind == "closure" and goal.kind == "goal"]
        for one in [goal] if goal.kind == "constraint" else closures:
            number = self._number(source, clause, one.start, one.end)
            writer.insert(one.start, 4, f" {_MODULE}:post({number}, {named}, {module}(")
            writer.insert(one.end, 0, "))")
        if goal.kind == "search":
            writer.insert(goal.start, 4, f" {_MODULE}:labelled({module}(")
            writer.insert(goal.end, 0, "))")
        elif goal.kind == "goal":
            if not closures and goal.name in ("maplist", "foldl", "call", "include"):
                number = self._number(source, clause, goal.start, goal.end)
                writer.insert(goal.start, 4, f" {_MODULE}:at({number}), ")
            if clause.name == QUERY:
                self._prepare_given(writer, source, clause, goal)

    def _prepare_given(self, writer: Writer, source: Source, clause: Clause, goal: Goal) -> None:
        """Integers in lists of the query are given facts: they become variables, with an equation each."""
        if not (goal.predicate == "=/2" or self.program.defines(goal.predicate)):
            return
        if goal.predicate != "=/2":  # its arguments are named after it
            variable = f"Lpbridge_{len(self._query_goals)}_goal"
            alone = all(goal.name != other.name for other in clause.goals if other is not goal)
            name = goal.name if alone else f"{goal.name}_{len(self._query_goals) + 1}"
            self._query_goals.append(f"goal({quoted(name)})={variable}")
            writer.insert(goal.start, 5, f" {variable} = (")
            writer.insert(goal.end, 0, f"), call({variable})")
        for part in constants(source, goal):
            written = source.of(part)
            if part.kind == "leaf" and "[" in part.path and written.lstrip("-").isdigit():
                number = self._number(source, clause, part.start, part.end, given=True)
                variable = f"Lpbridge_{number}"
                writer.replace(part.start, part.end, f" {variable} ")
                writer.insert(goal.start, 4, f" {_MODULE}:given({number}, {variable}, ({written})), ")

    # Recorded.

    def _record(self) -> int:
        """Record what the goal posts; returns the number of instances to consider."""
        given = any(goal.given for goal in self._goals.values())
        # What a predicate posts and labels itself may be needed to go on: the size of a box, the number of a row.
        labelled = [number for number, goal in self._goals.items() if goal.clause.labels and goal.clause.name != QUERY]
        words: list[str] = []
        for local, free in product(([], labelled) if labelled else ([],), (True, False) if given else (False,)):
            word, number = self._asked(f"record({QUERY}(_), Limit, {str(free).lower()}, {local}, Reply)")
            words.append(word)
            if word not in ("one", "waits"):
                continue
            same, failed = self._asked(f"follows({QUERY}(_), Limit, Reply)")
            words.append(same)
            if same == "same":
                self.propagated, self.waits = failed >= 0, word == "waits"
                # After propagation failed, a program that is not pure might have posted something else.
                stays = failed < 0 or not any(self.program.impure())
                return number if stays else min(failed, number)
        raise UnsupportedError(_WHY_NOT.get(words[-1], words[-1]))

    def _asked(self, goal: str) -> tuple[str, int]:
        limits = self.within()
        outcome = self._session.query(f"{_MODULE}:{goal}", {"Limit": INFERENCES}, limits=limits).collect()
        if not outcome.solutions:
            return "seconds", 0
        word, number = outcome.solutions[0]["Reply"]
        return str(word), number

    def _instances(self) -> tuple[PostedConstraint, ...]:
        answer = self._session.first("lpbridge_posted:instances(Instances)", limits=self.within())
        if answer is None:
            raise UnsupportedError(_WHY_NOT["seconds"])
        found = []
        for index, (number, text, named, term) in enumerate(answer["Instances"], 1):
            goal = self._goals.get(number)
            place, written, predicate, sentence = Place(None), "", "", ""
            if goal is not None:
                query = goal.clause.name == QUERY
                place, predicate = goal.source.place(goal.start), "" if query else goal.clause.predicate
                written = line_of(goal.source.text[goal.start : goal.end])
                sentence = "" if query else goal.source.sentence(predicate)
            pairs = tuple((str(name), str(value)) for name, value in named)
            is_fact = goal is not None and goal.given
            # A name such as `Qs[1]` is not a token to Prolog, which puts no space between it and a word.
            spaced = re.sub(r"\](?=[a-z])", "] ", text)
            found.append(PostedConstraint(index, place, written, spaced, pairs, term, predicate, sentence, is_fact))
        return tuple(found[: self._count])

    # Asked.

    def ask(self, premises: Iterable[PostedConstraint]) -> Reply[PostedConstraint, None]:
        self.calls += 1
        chosen = sorted(premises)
        if self._deadline.expired():
            return Reply(None, limit="seconds")
        if (word := self._held(chosen)) is None:
            return Reply(None, limit="seconds")
        if word == "fails":
            return Reply(False, core=tuple(chosen))
        if word != "succeeds":
            self.undecided += 1
        return Reply(True)

    def is_minimal(self, premises: Sequence[PostedConstraint]) -> bool:
        """Whether without any one of these instances the others have a solution that was found."""
        each = ([other for other in premises if other != one] for one in premises)
        return all(self._held(sorted(rest)) == "succeeds" for rest in each)

    def fails_by_propagation(self, premises: Iterable[PostedConstraint]) -> bool:
        """Whether propagation alone sees that these instances cannot hold together."""
        return self._held(sorted(premises), label=False) == "fails"

    def _held(self, chosen: Sequence[PostedConstraint], label: bool = True) -> str | None:
        inputs = {"Is": [instance.index for instance in chosen], "Limit": INFERENCES}
        goal = f"lpbridge_posted:hold(Is, {str(label).lower()}, Limit, Reply)"
        outcome = self._session.query(goal, inputs, limits=self.within()).collect()
        return str(outcome.solutions[0]["Reply"]) if outcome.solutions else None

    def domains(self) -> dict[str, list[int] | None]:
        """The values of each variable after propagation; None where they are not finite."""
        answer = self._session.first("lpbridge_posted:domains(Domains)", limits=self.within())
        if answer is None:
            raise UnsupportedError(_WHY_NOT["seconds"])
        return {str(name): values if isinstance(values, list) else None for name, values in answer["Domains"]}

    def ordered(self, premises: Iterable[PostedConstraint]) -> tuple[PostedConstraint, ...]:
        """Constraints, then what the query gives, each in the order in which they are posted."""
        return tuple(sorted(set(premises), key=lambda one: (one.is_fact, one.index)))


_WHY_NOT = {
    "none": "without its constraints the goal fails, too",
    "several": "without its constraints the goal has several answers",
    "raises": "without its constraints the goal raises an error",
    "inferences": "without its constraints the goal does not end",
    "seconds": "the limit on seconds came before its constraints were known",
    "differs": "which constraints the goal posts depends on those posted before",
}
