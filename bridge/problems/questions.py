"""Questions to a problem: can these premises hold together?

- A **premise** is a rule or a fact of a problem.
- A **question** asks whether some premises, and nothing else that can be left out, can hold together.
- A **reply** has an answer in which they hold, or a core.

`Questions` is what an analysis needs of a problem. The `Oracle` of a puzzle and the `ProgramOracle` of a clingo program
both satisfy it, so that cores and repairs are found by the same code for both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from bridge.limits import UNLIMITED, LimitName, Limits

P = TypeVar("P", bound=Hashable)
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Reply(Generic[P, A]):
    """Whether some premises can hold together.

    Attributes
    ----------
    satisfiable
        True, False, or None when a limit came first.
    answer
        An answer in which they hold: the values of a puzzle's cells, or an answer set.
    core
        Premises that cannot hold together, not necessarily a minimal set.
    limit
        The limit that came first.
    """

    satisfiable: bool | None
    answer: A | None = None
    core: tuple[P, ...] = ()
    limit: LimitName | None = None


class Questions(Protocol[P]):
    """A problem that can be asked about sets of its premises.

    Attributes
    ----------
    calls
        The number of questions so far: a measure of effort that is the same on every machine.
    """

    calls: int

    def ask(self, premises: Iterable[P], limits: Limits = UNLIMITED) -> Reply[P, Any]:
        """Whether these premises can hold together. If so an answer, if not a core."""

    def some(self, premises: Iterable[P], number: int) -> Sequence[Any]:
        """Up to so many answers in which the premises hold.

        Raises
        ------
        LimitError
            When a limit comes first.
        """

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        """Limits that end no later than the deadline of the problem."""

    def ordered(self, premises: Iterable[P]) -> tuple[P, ...]:
        """Premises in the order in which people read them: rules first, then facts."""

    def near(self, premises: Sequence[P], core: Sequence[P]) -> Iterable[Sequence[P]]:
        """Subsets of the premises that may have a small core: a single rule, with the facts that it is about.

        `core` is a core of the premises. Where there are very many rules, only those of the core are considered.
        """


def is_fact(premise: object) -> bool:
    """Whether a premise is a fact, not a rule."""
    return bool(getattr(premise, "is_fact", False))


def in_order(premises: Iterable[P]) -> list[tuple[bool, Any]]:
    """A key to sort sets of premises by: facts before rules, each in their own order."""
    return [(not is_fact(premise), premise) for premise in premises]


def premise_json(premise: object) -> Any:
    """A premise in JSON: a name, or the premise's own form."""
    return premise if isinstance(premise, str) else premise.to_json()  # type: ignore[attr-defined]
