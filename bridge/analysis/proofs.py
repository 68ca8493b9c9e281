"""Proofs: the clauses and goals by which a Prolog program derives an answer.

    >>> proof = prove(PrologProblem(["nat(0).\\nnat(s(X)) :- nat(X).\\n"], "nat(s(0))"))
    >>> print(proof)
    nat(s(0))  <text>:2
      nat(0)  <text>:1

The program runs as it is, with its cuts and side effects. What happens in negation, `findall/3`, tables and libraries
is not shown: such a goal is a leaf.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from bridge.as_json import Json, Key
from bridge.common.english import how_ended
from bridge.common.parts import Pictured
from bridge.errors import LimitError, Place, ProgramError, UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.problem.clauses import Source
from bridge.problem.fragments import QUERY, Writer, around, line_of, query_head
from bridge.problem.prolog import PrologProblem, prepared_session

_MODULE = "lpbridge_proof"

#: Inferences within which the answer must be found.
INFERENCES = 20_000_000

#: Their branches have notes of their own.
_CONTROL = (";/2", "->/2", "*->/2")

#: How a goal was proved: by a clause; by a fact; from the `table` of its predicate; by a clause of a `dynamic`
#: predicate that was added while the program ran; by Prolog itself or a library. `query` stands for several goals.
Reason = Literal["clause", "fact", "table", "dynamic", "built-in", "query"]


@dataclass(frozen=True, slots=True)
class Proof(Json, Pictured):
    """A goal that was proved."""

    goal: str  #: The goal with the bindings of the answer.
    reason: Reason  #: How it was proved.
    place: Place | None  #: Where the goal stands in the source; None for the whole query.
    clause: Place | None  #: The clause that was used, and its text; None and empty for what is built in.
    text: str
    parts: tuple[Proof, ...]  #: The proofs of the goals in the clause's body.
    crowded: bool = False  #: Whether other clauses begin in the line of the clause.

    def __iter__(self) -> Iterator[tuple[int, Proof]]:
        """All goals of the proof, each with its depth, from the top."""
        waiting = [(0, self)]
        while waiting:
            depth, proof = waiting.pop()
            yield depth, proof
            waiting += [(depth + 1, part) for part in reversed(proof.parts)]

    def __str__(self) -> str:
        return "\n".join(f"{'  ' * depth}{proof.goal}  {proof.where}".rstrip() for depth, proof in self)

    @property
    def where(self) -> str:
        """File and line of the clause, with the column where others begin in it, or the `reason` without a clause.

        Empty for a query of several goals.
        """
        if self.clause is None:
            return "" if self.reason == "query" else self.reason
        if self.crowded:
            return str(self.clause)
        return f"{self.clause.file}:{self.clause.line}"

    _json = (
        "goal reason",
        Key("place", str | None, lambda self: self.place and str(self.place)),
        Key("clause", str | None, lambda self: self.clause and str(self.clause)),
        Key("text", str | None, lambda self: self.text or None),
        "parts",
    )

    def to_json(self) -> dict[str, Any]:
        """The tree; not recursive, since proofs may be deep."""
        done: dict[int, dict[str, Any]] = {}
        for _, proof in reversed(list(self)):
            alone = Json.to_json(replace(proof, parts=()))
            done[id(proof)] = alone | {"parts": [done[id(part)] for part in proof.parts]}
        return done[id(self)]


def prove(problem: PrologProblem, *, number: int = 1, limits: Limits = UNLIMITED) -> Proof | None:
    """The proof of the query's answer with that number; None when it has fewer answers.

    A query of several goals is proved as one goal whose parts they are. Raises LimitError when a limit comes before the
    answer, ProgramError when the program raises an error before it, UnsupportedError for an untrusted program.
    """
    if problem.untrusted:
        hint = "run it in a process that is not confined, if you trust it"
        raise UnsupportedError("the proof of an answer of an untrusted program is not available", hint=hint)
    program = problem.read(limits)
    notes = _Notes(program.sources)
    with prepared_session(problem, program, notes.texts, limits, (f"{_MODULE}.pl",)) as session:
        outcome = session.query(f"{_MODULE}:prove({QUERY}(_), Number, Limit, Reply)",
                                {"Number": number, "Limit": INFERENCES}, limits=limits).collect()
    if not outcome.solutions:
        raise LimitError(how_ended(outcome.limit, "before the answer"))
    word, events, leaves = outcome.solutions[0]["Reply"]
    if word == "inferences":
        raise LimitError(f"there is no answer within {INFERENCES:,} inferences")
    if word == "memory":
        raise LimitError("the limit on memory came before the answer", hint="does the goal end?")
    if word == "raises":
        with problem.session(limits) as session:  # the error with its place
            all(zip(range(number), session.query(problem.query, limits=limits), strict=False))
        raise ProgramError("the program raises an error before the answer", hint="run the goal to see it")
    return None if word == "fails" else notes.proof(events, dict(leaves))


class _Notes:
    """The program's texts with notes in them, and what the notes mean."""

    def __init__(self, sources: tuple[Source, ...]) -> None:
        self._clauses: dict[int, tuple[Place, str, bool]] = {}
        self._predicates: dict[int, str] = {}
        self._goals: dict[int, tuple[Place, str]] = {}
        self._lines = Counter[tuple[str | None, int | None]]()
        self._leaves: dict[str, Reason] = {}
        self._count = 0
        self.texts = tuple(self._text(source, source is sources[-1]) for source in sources)

    def _text(self, source: Source, is_query: bool) -> str:
        writer = Writer(source)
        for clause in source.clauses:
            if clause.kind == "other":
                continue
            self._count += 1
            number = self._count
            self._predicates[number] = clause.predicate
            place = source.place(clause.start)
            self._lines[place.file, place.line] += 1
            self._clauses[number] = place, line_of(source.of(clause)), clause.body is None
            if clause.body is None:
                head = source.of(clause)
                writer.insert(clause.end, 0, f" :- {_MODULE}:enter({number}, {_data(head)}), {_MODULE}:leave({number})")
                continue
            head = source.text[clause.start : clause.body[0]].rstrip()
            head = head.removesuffix("-->" if clause.kind == "grammar" else ":-")
            noted = QUERY if is_query else _data(head)
            around(writer, clause, f"{_MODULE}:enter({number}, {noted})", f"{_MODULE}:leave({number})")
            for goal in clause.goals:
                if goal.predicate == "!/0" or goal.kind == "terminal" or goal.predicate in _CONTROL:
                    continue
                self._count += 1
                more = 2 if clause.kind == "grammar" and not goal.braces else 0
                self._goals[self._count] = source.place(goal.start), f"{goal.name}/{goal.arity + more}"
                before = f"{_MODULE}:called({self._count}, {_data(source.of(goal))})"
                after = f"{_MODULE}:done({self._count})"
                if clause.kind == "grammar" and not goal.braces:
                    before, after = f"{{ {before} }}", f"{{ {after} }}"
                writer.insert(goal.start, 4, f" {before}, (")
                writer.insert(goal.end, 0, f"), {after}")
        if is_query:
            query_head(writer, source)
        return writer.text()

    def proof(self, events: list[list[Any]], leaves: dict[str, Reason]) -> Proof:
        """The proof that events describe; `leaves` are predicates whose clauses leave no events, and why."""
        self._leaves = leaves
        (_, query, _), *rest = events
        root = _Open("", None, clause=query)
        stack = [root]
        for kind, number, text in rest:
            if kind == "called":
                stack.append(_Open(text, *self._goals[number]))
            elif kind == "done":
                self._close(stack)
            elif kind == "entered" and stack[-1].predicate == self._predicates[number]:
                stack[-1].clause, stack[-1].predicate = number, ""
            elif kind == "entered":  # by a library, such as maplist/3
                stack.append(_Open(text, None, clause=number))
            elif stack[-1].place is None and stack[-1] is not root:
                self._close(stack)
        if len(root.parts) == 1:
            return root.parts[0]
        return Proof("the query", "query", None, None, "", tuple(root.parts))

    def _close(self, stack: list[_Open]) -> None:
        done = stack.pop()
        place, text, is_fact = self._clauses[done.clause] if done.clause is not None else (None, "", False)
        reason: Reason = "fact" if is_fact else "clause"
        if place is None:
            reason = self._leaves.get(done.predicate, "built-in")
        crowded = place is not None and self._lines[place.file, place.line] > 1
        stack[-1].parts.append(Proof(done.goal, reason, done.place, place, text, tuple(done.parts), crowded))


@dataclass(slots=True)
class _Open:
    """A goal whose proof is not complete. Without a place it was not called by a clause of the program.

    `predicate` is that of the clause that would prove it; empty when it is known.
    """

    goal: str
    place: Place | None
    predicate: str = ""
    clause: int | None = None
    parts: list[Proof] = field(default_factory=list)


def _data(text: str) -> str:
    """The text of a goal as an argument; a comment in it ends before the parenthesis."""
    return f"({text}\n)" if "%" in text else f"({text})"
