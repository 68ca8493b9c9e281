"""Questions to a problem: can these premises hold together?

- A **premise** is a rule or a fact of a problem.
- A **question** asks whether some premises, and nothing else that can be left out, can hold together.
- A **reply** has an answer in which they hold, or a core.

`Questions` is what an analysis needs of a problem. The `ProgramOracle` of a clingo program satisfies it, and so may a
part's own, so that cores and repairs are found by the same code for all.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from bridge.as_json import Key
from bridge.common.parts import added
from bridge.limits import UNLIMITED, LimitName, Limits

#: What the JSON of a premise has: what it is called and what it is, where it begins, and as its author wrote it.
SENTENCE = Key("sentence", str | None, lambda premise: premise.sentence or None)
COMMON = ("name kind *place text", SENTENCE)

P = TypeVar("P", bound=Hashable)
A = TypeVar("A")
T = TypeVar("T")


class Reply(NamedTuple, Generic[P, A]):
    """Whether some premises can hold together."""

    satisfiable: bool | None  #: True, False, or None when a limit came first.
    answer: A | None = None  #: An answer in which they hold: the values of variables, or an answer set.
    core: tuple[P, ...] = ()  #: Premises that cannot hold together, not necessarily a minimal set.
    limit: LimitName | None = None  #: The limit that came first.


def singles(premises: Iterable[Any]) -> Iterator[Any]:
    """Those premises that are not blocks: very many that a question has as one (`OpenFacts` of a clingo program)."""
    return (one for one in premises if not hasattr(one, "holds_of"))


def without(premises: Iterable[Any], away: Collection[Any]) -> list[Any]:
    """Premises but for some, which may be in blocks of them."""
    gone = away if isinstance(away, (set, frozenset)) else set(away)
    return [one.without(gone) if hasattr(one, "holds_of") else one for one in premises if one not in gone]


def among(premises: Iterable[Any], some: Collection[Any]) -> list[Any]:
    """Those of some premises that are among others, in the order of these."""
    wanted = set(some)
    found: list[Any] = []
    for one in premises:
        if hasattr(one, "holds_of"):
            found += filter(one.holds_of, some)
        elif one in wanted:
            found.append(one)
    return list(dict.fromkeys(found))


class Questions(Protocol[P]):
    """A problem that can be asked about sets of its premises.

    `calls` is the number of questions so far: a measure of effort that is the same on every machine.
    """

    calls: int

    def ask(self, premises: Iterable[P]) -> Reply[P, Any]:
        """Whether these premises can hold together. If so an answer, if not a core."""

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        """Limits that end no later than the deadline of the problem."""

    def ordered(self, premises: Iterable[P]) -> tuple[P, ...]:
        """Premises in the order in which people read them: rules first, then facts."""

    def near(self, premises: Sequence[P], core: Sequence[P]) -> Iterable[Sequence[P]]:
        """Subsets of the premises that may have a small core: a single rule, with the facts that it is about.

        `core` is a core of the premises. Where there are very many rules, only those of the core are considered.
        """


#: The values of variables, such as the shown atoms of a program.
Values = Mapping[Any, Any]


class VariableQuestions(Questions[P], Protocol[P]):
    """A problem that can also be asked about the values of its variables."""

    def fact(self, variable: Any, value: Any, holds: bool = True) -> P:
        """The premise that a variable has a value, or when not `holds`, that it does not."""

    def solution(self, premises: Iterable[P]) -> Values | None:
        """An answer in which the premises hold, if there is one; a LimitError when a limit comes first."""

    def order(self, value: Any) -> Any:
        """A key to sort values by."""

    def possible(self, premises: Iterable[P]) -> Mapping[Any, set[Any]] | None:
        """The values that each variable has in some answer; empty when there is no answer, None at a limit."""

    def solutions(self, premises: Iterable[P], limits: Limits = UNLIMITED) -> Iterator[Values]:
        """Answers as values of the variables, no two the same."""


def some(oracle: VariableQuestions[P], premises: Iterable[P], number: int) -> list[Values]:
    """Up to so many answers in which the premises hold; LimitError when a limit comes first."""
    return list(oracle.solutions(premises, Limits(solutions=number)))


def variable_name(variable: Any) -> str:
    """The name of a variable: itself, where it is text; otherwise what the part says that has such variables."""
    return variable if isinstance(variable, str) else str(next(added("variable_name"))(variable))


def by_name(values: Mapping[Any, T]) -> dict[str, T]:
    """The values of variables by their names."""
    return {variable_name(variable): value for variable, value in values.items()}


def plain_value(value: Any) -> Any:
    """A value as JSON has it: numbers, truth values and None as they are, other terms as text."""
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def is_fact(premise: object) -> bool:
    """Whether a premise is a fact, not a rule."""
    return bool(getattr(premise, "is_fact", False))


def in_order(premises: Iterable[P]) -> list[tuple[bool, Any]]:
    """A key to sort sets of premises by: facts before rules, each in their own order."""
    return [(not is_fact(premise), premise) for premise in premises]
