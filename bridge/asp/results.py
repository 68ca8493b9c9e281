"""Results that are not streams of models: `Solved`, `Core`, `CaseEnd`, `Grounding`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from bridge.as_json import Json, Key, short
from bridge.asp.model import Model
from bridge.asp.types import Assumption
from bridge.limits import LimitName
from bridge.outcome import Statistics
from bridge.public import public

#: Whether some assumptions can hold together; if not, a core; and the limit that came first.
Consistent = tuple[bool | None, list[Assumption], LimitName | None]


@public("bridge.asp")
@dataclass(frozen=True, slots=True)
class Solved:
    """Whether there is an answer set, and why not.

    Attributes
    ----------
    satisfiable
        True, False, or None when a limit came first.
    model
        The first answer set found.
    core
        Assumptions that cannot hold together, as they were given; not always the fewest. Empty where there is no answer
        set whatever is assumed.
    limit
        The limit that came first, if one did.
    statistics
        What it cost.
    """

    satisfiable: bool | None
    model: Model | None = None
    core: tuple[Assumption, ...] = ()
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CaseEnd:
    """How the search of one of several cases ended (`Program.cases`)."""

    complete: bool  #: Whether there are no other answer sets.
    #: The time it took, by phase as in `Statistics`; the first has that of loading and grounding, too.
    seconds: dict[str, float]
    counters: dict[str, int]  #: `conflicts` and `choices`.


class Sizes(TypedDict):
    """Atoms of a predicate in a ground program."""

    atoms: int
    facts: int


@public("bridge.asp")
@dataclass(frozen=True, slots=True)
class Grounding(Json):
    """What grounding a program made, and what it cost.

    Attributes
    ----------
    complete
        False when a limit or Ctrl-C came first; the numbers are those up to then.
    limit
        Which it was.
    seconds
        The time it took.
    rules
        Ground rules by kind: `facts`, `rules`, `choices`, `disjunctions`, `constraints`, `minimize`.
    atoms
        The atoms of each predicate, by `name/arity`, and how many of them are facts.
    heads
        How many ground rules have an atom of the predicate in their head: where it is many, the rules are what
        blows up. Atoms that clingo made for itself stand under `""`.
    """

    complete: bool
    limit: LimitName | None
    seconds: float
    rules: dict[str, int]
    atoms: dict[str, tuple[int, int]]
    heads: dict[str, int]

    __repr__ = short

    _json = (
        "complete limit seconds rules",
        Key(
            "atoms",
            dict[str, Sizes],
            lambda self: {name: Sizes(atoms=n, facts=m) for name, (n, m) in self.atoms.items()},
        ),
        "heads",
    )


@public("bridge.asp")
@dataclass(frozen=True, slots=True)
class Core:
    """Assumptions that cannot hold together.

    Attributes
    ----------
    satisfiable
        Whether all assumptions together can hold; None when a limit came before that is known.
    literals
        The assumptions.
    minimal
        Whether it is proved that none can be left out.
    met
        All assumptions, but for plain facts, that were in a core so far.
    questions
        The number of questions so far.
    facts
        The atoms of literals that are plain facts.
    """

    satisfiable: bool | None
    literals: tuple[Assumption, ...]
    minimal: bool
    met: tuple[Assumption, ...]
    questions: int
    facts: Mapping[int, str]

    __repr__ = short
