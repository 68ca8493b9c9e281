"""The values that `#external` statements give to their atoms, which clingo does not tell."""

from __future__ import annotations

import clingo


class Values(clingo.Observer):
    """The value of each external atom by its literal, from when it is registered; `None` is open.

    An atom that is declared again has the value of the first statement.
    """

    def __init__(self, control: clingo.Control) -> None:
        self.of: dict[int, bool | None] = {}
        control.register_observer(self)

    def external(self, atom: int, value: clingo.TruthValue) -> None:
        self.of.setdefault(atom, None if value is clingo.TruthValue.Free else value is clingo.TruthValue.True_)
