"""Fragments of a Prolog program: its text with switches, so that goals can be switched off without loading it again.

- A **premise** is a goal of the source, or a constant that the query gives; with its switch off, the program is
  **generalised**: the goal holds always, the constant is a fresh variable.
- A **point** is a place where `false` can be inserted: with its switch off, what comes after it in the clause is
  invisible, and the program is **specialised** (a failure slice).

The text is changed within its lines, so that each clause stays where it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bridge.as_json import Json, Key
from bridge.errors import Place
from bridge.problem.clauses import Clause, Goal, Part, Source
from bridge.problem.questions import COMMON
from bridge.prolog.terms import quoted

#: `given`: a constant of the query. `argument`: an argument of a goal. `head`: an argument of a clause's head.
#: `clause`: the clause is there at all.
#: `end`: the clause can succeed. `point`: the goal and what comes after it are visible.
PremiseKind = Literal[
    "goal", "constraint", "search", "test", "terminal", "given", "argument", "head", "clause", "point", "end"
]

#: What a program prepared for each of these questions can be asked.
FragmentQuestion = Literal["fails", "loops"]

#: The query is read as the body of this clause.
QUERY = "lpbridge_query"

_MODULE = "lpbridge_fragments"

#: Points that come one after the other, as goals or in the braces of a grammar rule.
_FALSE = re.compile(r"(?:false|\{\s*false\s*\})(?:,\s*(?:false|\{\s*false\s*\}))+")

#: Of a predicate with more clauses the heads are not generalised: it is a table of data.
HEADS = 20


@dataclass(frozen=True, slots=True)
class GoalPremise(Json):
    """A goal, a constant of the query, or a point in a clause."""

    number: int = field(compare=False)  #: The number of its switch.
    kind: PremiseKind
    place: Place = field(compare=False)  #: Where it begins in the source.
    text: str = field(compare=False)  #: As it stands in the source.
    predicate: str = field(compare=False)  #: The predicate of its clause; empty in the query.
    sentence: str = field(compare=False, repr=False)  #: PlDoc's summary of that predicate.
    #: Source and clause by their numbers, and the offsets in the text. Two premises are the same when they have the
    #: same kind and stand at the same place.
    clause: tuple[int, int] = field(repr=False)
    span: tuple[int, int] = field(repr=False)
    variables: tuple[str, ...] = field(compare=False, repr=False, default=())
    called: str = field(compare=False, repr=False, default="")
    head: str = field(compare=False, repr=False, default="")  #: Of an argument of a head, the whole head.

    @property
    def label(self) -> str:
        """What people read: the text, and where it alone says little, what it is a part of."""
        return f"{self.text} in {self.head}" if self.head else self.text

    @property
    def is_fact(self) -> bool:
        """Whether it is given by the query, not stated by the program."""
        return self.kind == "given"

    @property
    def name(self) -> str:
        return f"{self.place}"

    def __str__(self) -> str:
        return f"{self.text} ({self.place})"

    def __lt__(self, other: GoalPremise) -> bool:
        """In the order of the program."""
        return self.number < other.number

    _json = (
        *COMMON,
        Key("head", str | None, lambda self: self.head or None),
        Key("predicate", str | None, lambda self: self.predicate or None),
    )


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program with switches."""

    texts: tuple[str, ...]  #: The text of each source, the query last.
    premises: tuple[GoalPremise, ...]  #: What has a switch, in the order of the program.
    clauses: dict[int, tuple[int, int]]  #: The number of the switch at the entry of each clause, by source and clause.


_COMMENT = re.compile(
    r"""('(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.)*`|0'(?:\\.|''|.))|%[^\n]*|/\*.*?\*/""", re.DOTALL
)


def line_of(text: str) -> str:
    """A text of several lines in one, without its comments."""
    return " ".join(_COMMENT.sub(lambda found: found[1] or " ", text).split())


class Writer:
    """Collects changes to a text. Of those at one offset, the ones of lower rank come first."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._changes: list[tuple[int, int, int, str]] = []

    def insert(self, offset: int, rank: int, text: str) -> None:
        self._changes.append((offset, rank, offset, text))

    def replace(self, start: int, end: int, text: str) -> None:
        self._changes.append((start, 5, end, text))

    def text(self) -> str:
        old, parts, at = self._source.text, [], 0
        for start, _, end, new in sorted(self._changes, key=lambda change: change[:2]):
            # What is replaced keeps its line breaks: lines after it stay where they are.
            parts += [old[at:start], new, "\n" * old.count("\n", start, end)]
            at = end
        return "".join([*parts, old[at:]])


class Preparation:
    """Puts switches into the sources of a program, of which the last is the query.

    For the question `fails`, a switch around each goal, for `loops` one before it. Goals are named by source and
    offset: the arguments of some get switches, too, and the calls of those that are `recorded` are noted.
    """

    def __init__(self, sources: Sequence[Source], question: FragmentQuestion,
                 arguments: Collection[tuple[int, int]] = (), recorded: Collection[tuple[int, int]] = ()) -> None:
        self._sources = sources
        self._question = question
        self._arguments, self._recorded = arguments, recorded
        self._premises: list[GoalPremise] = []
        self._clauses: dict[int, tuple[int, int]] = {}
        self._count = 0
        clauses = Counter(clause.predicate for source in sources[:-1] for clause in source.clauses)
        self._defined = set(clauses)
        # A program that looks at its clauses, or changes them, must find its facts to be facts.
        effects = any(source.effects for source in sources)
        self._with_heads = set() if effects else {name for name, count in clauses.items() if count <= HEADS}

    def prepared(self) -> Prepared:
        texts = [self._text(number, source) for number, source in enumerate(self._sources)]
        return Prepared(tuple(texts), tuple(self._premises), self._clauses)

    def _text(self, number: int, source: Source) -> str:
        writer = Writer(source)
        for index, clause in enumerate(source.clauses):
            if clause.kind == "other":
                continue
            self._at = number, index
            if self._question == "fails":
                self._switch_goals(writer, source, clause)
            else:
                self._switch_points(writer, source, clause)
        if number == len(self._sources) - 1:
            query_head(writer, source)
        return writer.text()

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _premise(self, kind: PremiseKind, source: Source, clause: Clause, span: tuple[int, int],
                 variables: Iterable[str] = (), called: str = "", head: str = "") -> int:
        number = self._next()
        query = clause.name == QUERY
        self._premises.append(
            GoalPremise(number, kind, source.place(span[0]), line_of(source.text[span[0] : span[1]]),
                        "" if query else clause.predicate, "" if query else source.sentence(clause.predicate), self._at,
                        span, tuple(variables), called, head)
        )
        return number

    # Generalised.

    def _switch_goals(self, writer: Writer, source: Source, clause: Clause) -> None:
        head = self._head(writer, source, clause)
        if clause.body is None:
            if head:
                writer.insert(clause.end, 0, f" :- {', '.join(head)}")
            return
        entry = self._next()
        self._clauses[entry] = self._at
        around(writer, clause, ", ".join([f"{_MODULE}:on({entry})", *head]))
        for goal in clause.goals:
            if goal.kind == "fixed" or goal.inner:
                continue
            span = goal.start, goal.end
            number = self._premise(goal.kind, source, clause, span, goal.variables, goal.predicate)
            if clause.kind == "grammar" and not goal.braces:
                writer.insert(goal.start, 4, f" ( {{ {_MODULE}:on({number}) }} -> (")
                writer.insert(goal.end, 0, f") ; {_MODULE}:any )")
            else:
                parts = self._parts(writer, source, clause, goal) + self._recorder(source, goal, number)
                writer.insert(goal.start, 4, f" ( {_MODULE}:on({number}) -> {parts}(")
                writer.insert(goal.end, 0, ") ; true )")

    def _head(self, writer: Writer, source: Source, clause: Clause) -> list[str]:
        """Give the arguments of a head switches; the goals that unify them.

        Not where a cut comes after them: it would hide more clauses.
        """
        if clause.cuts or clause.predicate not in self._with_heads:
            return []
        whole = line_of(source.text[clause.start : clause.end if clause.body is None else clause.body[0]])
        whole = whole.removesuffix(":-").rstrip()
        return self._unified(writer, source, clause, "head", clause.head, head=whole)

    def _unified(self, writer: Writer, source: Source, clause: Clause, kind: PremiseKind,
                 spans: Iterable[tuple[int, int]], head: str = "") -> list[str]:
        """Replace terms by variables; the goals that unify them, each with a switch."""
        goals = []
        for start, end in spans:
            written = source.text[start:end]
            if "\n" in written or "%" in written:  # a comment may hide what is put after it
                continue
            number = self._premise(kind, source, clause, (start, end), head=head)
            variable = f"Lpbridge_{number}"
            writer.replace(start, end, f" {variable} ")
            goals.append(f"{_MODULE}:given({number}, {variable}, ({written}))")
        return goals

    def _recorder(self, source: Source, goal: Goal, number: int) -> str:
        """What notes a call of a goal, before it is called."""
        text = source.of(goal)
        if (self._at[0], goal.start) not in self._recorded or "%" in text or "/*" in text:
            return ""
        return f"{_MODULE}:calling({number}, ({line_of(text)})), "

    def _parts(self, writer: Writer, source: Source, clause: Clause, goal: Goal) -> str:
        """Give the constants of the query switches, and the arguments that were asked for."""
        if clause.name == QUERY:
            parts = [part for part in constants(source, goal) if goal.predicate in self._defined]
        elif (self._at[0], goal.start) in self._arguments and goal.kind == "goal":
            parts = [part for part in goal.parts if part.kind == "argument"]
        else:
            return ""
        kind: PremiseKind = "given" if clause.name == QUERY else "argument"
        goals = self._unified(writer, source, clause, kind, [(part.start, part.end) for part in parts])
        return "".join(f"{goal}, " for goal in goals)

    # Specialised.

    def _switch_points(self, writer: Writer, source: Source, clause: Clause) -> None:
        span = clause.start, clause.end
        if clause.body is None:
            if clause.kind == "fact":
                number = self._premise("clause", source, clause, span)
                writer.insert(clause.end, 0, f" :- {_MODULE}:on({number})")
            return
        query = clause.name == QUERY  # is asked, and made to fail, by the oracle
        if not clause.cuts and not query:  # without this clause, a cut in it does not hide those after it
            number = self._premise("clause", source, clause, span)
            around(writer, clause, f"{_MODULE}:on({number})")
        for index, goal in enumerate(clause.goals):
            if index < clause.cuts or (index == 0 and goal.start == clause.body[0]):
                continue
            number = self._premise("point", source, clause, (goal.start, goal.end), goal.variables, goal.predicate)
            switch = f"{_MODULE}:on({number})"
            braces = clause.kind == "grammar" and not goal.braces
            writer.insert(goal.start, 4, f" {{ {switch} }}, " if braces else f" {switch}, ")
        if query:
            return
        number = self._premise("end", source, clause, (clause.body[1], clause.body[1]))
        switch = f"{_MODULE}:on({number})"
        writer.insert(clause.body[1], 2, f", {{ {switch} }}" if clause.kind == "grammar" else f", {switch}")


def shown(sources: Sequence[Source], question: FragmentQuestion, prepared: Sequence[GoalPremise],
          kept: Collection[GoalPremise]) -> list[tuple[Place, str]]:
    """The clauses of a fragment, as people read them: `...` for goals left out, `_` for arguments, `false` for points.

    Clauses of which nothing is kept are not shown, but for the query.
    """
    query = len(sources) - 1, 0
    by_clause: dict[tuple[int, int], list[GoalPremise]] = {}
    for premise in prepared:
        by_clause.setdefault(premise.clause, []).append(premise)
    by_clause.setdefault(query, [])
    lines = []
    for at, premises in by_clause.items():
        if at != query and not any(premise in kept for premise in premises):
            continue
        source = sources[at[0]]
        clause = source.clauses[at[1]]
        start = clause.body[0] if clause.name == QUERY and clause.body else clause.start
        left_out = [premise for premise in premises if premise not in kept]
        text = _without(source, (start, clause.end), left_out, question)
        lines.append((source.place(start), text if clause.name == QUERY else f"{text}."))
    return lines


def _without(source: Source, span: tuple[int, int], left_out: Sequence[GoalPremise], question: FragmentQuestion) -> str:
    start, end = span
    parts, at = [], start
    for premise in sorted(left_out, key=lambda premise: (premise.span[0], -premise.span[1])):
        if premise.span[0] < at or premise.kind == "clause":
            continue
        if premise.kind == "end":
            mark = ", false"
        elif question == "loops":
            mark = "false"
        else:
            mark = "_" if premise.kind in ("given", "argument", "head") else "..."
        parts += [source.text[at : premise.span[0]], mark]
        at = premise.span[1]
    text = line_of("".join([*parts, source.text[at:end]]))
    text = re.sub(r"\.\.\.(,\s*\.\.\.)+", "...", text)
    return _FALSE.sub(lambda found: "{ false }" if "{" in found[0] else "false", text)


def around(writer: Writer, clause: Clause, before: str, after: str = "") -> None:
    """Put goals before and after the whole body of a clause."""
    assert clause.body is not None
    if clause.kind == "grammar":
        before, after = f"{{ {before} }}", f"{{ {after} }}" if after else ""
    writer.insert(clause.body[0], 3, f" {before}, (")
    writer.insert(clause.body[1], 1, f"), {after}" if after else ")")


def query_head(writer: Writer, source: Source, more: Iterable[str] = ()) -> None:
    """Give the clause of the query its variables as its argument, with more items of that list."""
    clause = source.clauses[0]
    items = [f"{quoted(name)}={name}" for name in clause.variables if not name.startswith("_")]
    head = f"{QUERY}([{', '.join([*items, *more])}])"
    writer.replace(clause.start, clause.start + len(QUERY), head)


def bindings(names: Iterable[str]) -> str:
    """The list of names and variables, as Prolog text: `['X'=X]`."""
    return "[" + ", ".join(f"{quoted(name)}={name}" for name in names) + "]"


def constants(source: Source, goal: Goal) -> list[Part]:
    """The atomic parts of a goal's arguments."""
    found = [part for part in goal.parts if part.kind == "leaf"]
    # An argument that is atomic has no leaf.
    for part in goal.parts:
        inside = any(part.start <= leaf.start and leaf.end <= part.end for leaf in found)
        text = source.of(part)
        # The text of a constant other than `[]`.
        atomic = text[:1] not in "[({" and "(" not in text
        if part.kind == "argument" and not part.text and not inside and atomic:
            found.append(part)
    return sorted(found, key=lambda part: part.start)
