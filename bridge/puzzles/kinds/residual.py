"""Residual: the open cells of an instance with their possible values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bridge.common.display import Readable
from bridge.limits import LimitName
from bridge.outcome import Statistics
from bridge.puzzles.kinds.rules import Cell, Value, cell_name


@dataclass(frozen=True, slots=True)
class Residual(Readable):
    """The open cells of an instance with their possible values.

    Attributes
    ----------
    kind
        `propagated`: what constraint propagation leaves open, without any search. `exact`: the values that occur in
        some solution.
    engine
        The name of the engine.
    possible
        Each cell's values, in ascending order; one value for a decided cell. Empty when there is no solution.
    constraints
        What still constrains the open cells: residual goals that name the cells (clpfd), or the names of rules.
    names
        What people call cells, where it is not `r4c7`.
    complete
        False when a limit came first; an exact residual then misses values.
    """

    kind: Literal["propagated", "exact"]
    engine: str
    possible: Mapping[Cell, tuple[Value, ...]]
    constraints: tuple[str, ...] = ()
    complete: bool = True
    limit: LimitName | None = None
    statistics: Statistics = field(default_factory=Statistics, compare=False, repr=False)
    names: Mapping[Cell, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def open(self) -> dict[Cell, tuple[Value, ...]]:
        """The cells with more than one possible value."""
        return {cell: values for cell, values in self.possible.items() if len(values) > 1}

    def name(self, cell: Cell) -> str:
        """What people call a cell."""
        return self.names.get(cell) or cell_name(cell)

    @property
    def known(self) -> bool:
        """False when a limit came before anything was known."""
        return self.complete or bool(self.possible)

    @property
    def contradiction(self) -> bool:
        """True when no values are left: there is no solution, and that is proved."""
        return self.complete and not self.possible

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "engine": self.engine,
            "open": {cell_name(cell): list(values) for cell, values in self.open.items()} if self.known else None,
            "constraints": list(self.constraints) if self.known else None,
            "contradiction": self.contradiction,
            "complete": self.complete,
            "limit": self.limit,
        }
