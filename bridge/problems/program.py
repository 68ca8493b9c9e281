"""The oracle of a clingo program: which of its rules and facts can hold together?

- A **premise** is an instance of a rule, or a fact, with its place in the program. Rules are constraints and the bounds
  of choices; with `definitions`, definitions and facts are premises, too.
- Statements marked `always` in a comment are never premises, and neither are the choices themselves.

    >>> oracle = ProgramOracle([("text", "{ a; b }. :- a. :- b. :- not a, not b.")])
    >>> reply = oracle.ask(oracle.premises)
    >>> reply.satisfiable, [premise.text for premise in reply.core]
    (False, [':- a.', ':- b.', ':- not a, not b.'])
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bridge.asp import Program
from bridge.asp.decode import encode
from bridge.asp.model import Model
from bridge.asp.names import SWITCH, Switching, filled, instance_name
from bridge.asp.statements import Kind, Signature, Statement, statements
from bridge.asp.types import Source
from bridge.errors import LimitError, Place
from bridge.limits import UNLIMITED, Deadline, Limits
from bridge.problems.questions import Reply, is_fact

#: The kinds of statements that a single rule is combined with.
_GIVEN = ("fact", "definition")

#: With more rules than these, single ones are tried only when they are in the solver's core.
MOST_RULES = 100


@dataclass(frozen=True, slots=True)
class Premise:
    """A rule, an instance of a named rule, or a fact.

    Attributes
    ----------
    name
        The name that a comment gives it, the fact as clingo writes it, or the place.
    kind
        What kind of statement it is.
    place
        Where the statement begins.
    text
        The statement as it stands in the program.
    sentence
        What a comment says of it; empty if there is none.
    key
        The arguments of its switch.
    """

    name: str
    kind: Kind = field(compare=False)
    place: Place = field(compare=False)
    text: str = field(compare=False)
    sentence: str = field(compare=False, repr=False)
    key: tuple[str, tuple[Any, ...]] = field(repr=False)

    @property
    def is_fact(self) -> bool:
        return self.kind == "fact"

    def __str__(self) -> str:
        return self.name

    def __lt__(self, other: Premise) -> bool:
        """By file, line and name."""
        return self._order < other._order

    @property
    def _order(self) -> tuple[str, int, int, str]:
        return self.place.file or "", self.place.line or 0, self.place.column or 0, self.name

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "text": self.text,
            "sentence": self.sentence or None,
        }


class ProgramOracle:
    """Answers questions about the rules and facts of a program (`bridge.problems.questions`).

    Parameters
    ----------
    sources
        Files and texts.
    definitions
        Whether definitions and facts are premises, too.
    only
        The keys of the statements that are premises (`Statement.key`); empty for all.
    dropped
        The keys of statements that are left out of the program.
    constants, options
        As for `asp.Program`.
    deadline
        The end of all questions.

    Attributes
    ----------
    premises
        All premises, in the order of the program.
    calls
        The number of questions so far.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        definitions: bool = False,
        only: Collection[str] = (),
        dropped: Collection[str] = (),
        constants: dict[str, Any] | None = None,
        options: Sequence[str] = (),
        isolated: bool = True,
        deadline: Deadline | None = None,
        known: Sequence[Statement] | None = None,
    ) -> None:
        self.calls = 0
        self.statements = statements(sources) if known is None else known
        self._deadline = deadline or Deadline(None)
        switching = Switching(tuple(only), definitions=definitions, dropped=tuple(dropped))
        self._program = Program(
            *(source for _, source in sources),
            options=options,
            isolated=isolated,
            switching=switching,
            limits=self.within(UNLIMITED),
            **(constants or {}),
        )
        by_key = {statement.key: statement for statement in reversed(self.statements)}
        literals = self._program.literals(SWITCH, 2)
        found = [(_premise(by_key[key[0]], key), literal) for key, literal in literals.items()]
        order = {statement.key: number for number, statement in enumerate(self.statements)}
        found.sort(key=lambda item: (order[item[0].key[0]], item[0].name))
        self._literal = dict(found)
        self._premise = {literal: premise for premise, literal in found}
        self.premises: tuple[Premise, ...] = tuple(self._literal)

    def ask(self, premises: Iterable[Premise], limits: Limits = UNLIMITED) -> Reply[Premise, Model]:
        """Whether these premises can hold together, with any of the others. If so an answer set, if not a core."""
        self.calls += 1
        if self._deadline.expired():
            return Reply(None, limit="seconds")
        assumed = [self._literal[premise] for premise in premises]
        solved = self._program.solve(assuming=assumed, limits=self.within(limits), refine=False)
        if solved.satisfiable is None:
            return Reply(None, limit=solved.limit)
        if solved.model is None:
            return Reply(False, core=tuple(self._premise[int(literal)] for literal in solved.core))
        return Reply(True, solved.model)

    def some(self, premises: Iterable[Premise], number: int) -> list[Model]:
        """Up to so many answer sets that show different atoms.

        Raises
        ------
        LimitError
            When a limit comes first.
        """
        self.calls += 1
        if self._deadline.expired():
            raise LimitError("the limit on seconds came before the end")
        assumed = [self._literal[premise] for premise in premises]
        limits = self.within(Limits(solutions=number))
        with self._program.models(assuming=assumed, project="show", limits=limits) as found:
            models = list(found)
        if found.limit not in (None, "solutions"):
            raise LimitError(f"the limit on {found.limit} came before the end")
        return models

    def ordered(self, premises: Iterable[Premise]) -> tuple[Premise, ...]:
        """Rules, then facts, each in the order of the program."""
        chosen = set(premises)
        found = [premise for premise in self.premises if premise in chosen]
        return tuple(sorted(found, key=is_fact))

    def near(self, premises: Sequence[Premise], core: Sequence[Premise]) -> Iterator[list[Premise]]:
        """Each constraint and choice with all facts and definitions; of very many only those of the core."""
        rules = [premise for premise in premises if premise.kind not in _GIVEN]
        if len(rules) > MOST_RULES:
            rules = [premise for premise in core if premise.kind not in _GIVEN]
        given = [premise for premise in premises if premise.kind in _GIVEN]
        for rule in rules:
            yield [rule, *given]

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        """Limits that end no later than the oracle's deadline."""
        return self._deadline.within(limits)

    def close(self) -> None:
        """End the process of the program."""
        self._program.close()


def _premise(statement: Statement, key: tuple[str, tuple[Any, ...]]) -> Premise:
    pattern, values = key
    said = statement.name
    named = said is not None and said.use == "named"
    if statement.kind == "fact" and values and not (said and said.terms):
        name = f"{encode(values[0])}."
    elif named:
        name = instance_name(pattern, values)
    else:
        name = f"{statement.place.file}:{statement.place.line}"
    sentence = filled(said, values) if said is not None else ""
    return Premise(name, statement.kind, statement.place, statement.text, sentence, key)


def depends_on(known: Sequence[Statement], wanted: Iterable[Signature]) -> list[Statement]:
    """The statements that define some predicates, and those that these use, and so on."""
    defining: dict[Signature, list[Statement]] = {}
    for statement in known:
        for head in statement.heads:
            defining.setdefault(head, []).append(statement)
    found: dict[int, Statement] = {}
    waiting, seen = list(wanted), set[Signature]()
    while waiting:
        signature = waiting.pop()
        if signature in seen:
            continue
        seen.add(signature)
        for statement in defining.get(signature, ()):
            found[id(statement)] = statement
            waiting += statement.body
    return [statement for statement in known if id(statement) in found]
