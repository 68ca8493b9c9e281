"""Residual: the variables that the solutions of a problem leave open, with their possible values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from bridge.as_json import Json, Key, Keys, short
from bridge.limits import LimitName
from bridge.outcome import Statistics
from bridge.problem.questions import by_name, variable_name
from bridge.public import public


@public("bridge")
@dataclass(frozen=True, slots=True)
class Residual(Json, ABC):
    """What the solutions of a problem leave open: atoms of a program, variables of a goal, or what a part's have.

    Attributes
    ----------
    kind
        `propagated`: what constraint propagation leaves open, without any search. `exact`: the values that occur in
        some solution.
    engine
        The name of the engine.
    possible
        Each variable's values, in ascending order; one value for a decided one. Empty when there is no solution. Atoms
        of a program have the values True and False; values of a goal's variables are text.
    constraints
        What still constrains the open variables: residual goals (Prolog), or the names of rules.
    names
        What people call variables, where they have other names than by themselves.
    complete
        False when a limit came first; an exact residual then misses values.
    """

    kind: Literal["propagated", "exact"]
    engine: str
    possible: Mapping[Any, tuple[Any, ...]]
    constraints: tuple[str, ...] = ()
    complete: bool = True
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics, compare=False, repr=False)
    names: Mapping[Any, str] = field(default_factory=dict, compare=False, repr=False)

    __repr__ = short

    @property
    def open(self) -> dict[Any, tuple[Any, ...]]:
        """The variables with more than one possible value."""
        return {one: values for one, values in self.possible.items() if len(values) > 1}

    @property
    def backbone(self) -> dict[Any, Any]:
        """The variables that have the same value in all solutions; of atoms those that are true."""
        alone = {one: values[0] for one, values in self.possible.items() if len(values) == 1}
        return {one: value for one, value in alone.items() if value is not False}

    def name(self, variable: Any) -> str:
        """What people call a variable."""
        return self.names.get(variable) or variable_name(variable)

    @property
    def known(self) -> bool:
        """False when a limit came before anything was known."""
        return self.complete or bool(self.possible)

    @property
    def contradiction(self) -> bool:
        """True when no values are left: there is no solution, and that is proved."""
        return self.complete and not self.possible

    @abstractmethod
    def __str__(self) -> str:
        """What is open, as commands print it."""

    _json: ClassVar[Keys] = (
        "kind engine",
        Key("open", dict[str, tuple[Any, ...]] | None, lambda self: by_name(self.open) if self.known else None),
        Key("constraints", tuple[str, ...] | None, lambda self: self.constraints if self.known else None),
        "contradiction complete limit",
    )
