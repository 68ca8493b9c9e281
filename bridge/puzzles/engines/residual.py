"""What the solutions of a puzzle leave open."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from bridge.common import LIMITS, plural, short
from bridge.problem import Residual

#: A constraint longer than this is printed only in part.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class PuzzleResidual(Residual):
    """What the solutions of a puzzle leave open, or what propagation does."""

    __repr__ = short

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.sentence(), self.listing())))

    def sentence(self, propagated: PuzzleResidual | None = None) -> str:
        """How many cells are open, and how many more after propagation alone."""
        if not self.known:
            why = f"{LIMITS[str(self.limit)]} came first"
            return f"open cells: not computed, {why} ({self.kind}, {self.engine})"
        if self.contradiction:
            return f"nothing is possible: there is no solution ({self.kind}, {self.engine})"
        head = f"{plural(len(self.open), 'open cell')} ({self.kind}, {self.engine})"
        if not self.complete:
            head += f", incomplete: stopped by {LIMITS[str(self.limit)]}, values may be missing"
        if propagated is not None and not propagated.contradiction:
            hidden = len(propagated.open.keys() - self.open.keys())
            if hidden:
                head += f"; {hidden} more are not decided by propagation alone ({propagated.engine})"
        return head

    def listing(self, propagated: PuzzleResidual | None = None) -> str:
        """The open cells with their values, and the constraints that hold them."""
        lines = []
        for cell, values in self.open.items():
            line = f"  {self.name(cell)}  {_values(values)}"
            if propagated is not None and propagated.possible.get(cell, values) != values:
                line += f"   propagated: {_values(propagated.possible[cell])}"
            lines.append(line)
        if self.constraints and self.kind == "exact":
            rules = textwrap.wrap(", ".join(self.constraints), 100, initial_indent="  ", subsequent_indent="  ")
            lines += ["rules that hold them:", *rules]
        elif self.constraints:
            lines += ["constraints that hold them:", *_listed(self.constraints)]
        if propagated is not None and propagated.constraints:
            lines.append(f"constraints left by propagation ({propagated.engine}):")
            lines += _listed(propagated.constraints)
        if propagated is not None and not propagated.known:
            lines.append(f"what propagation alone leaves open: not computed ({propagated.engine})")
        return "\n".join(lines)


def _values(values: Sequence[object]) -> str:
    return f"{{{', '.join(map(str, values))}}}"


def _listed(constraints: Sequence[str]) -> list[str]:
    # A table of words fills pages; the JSON has it whole.
    return [f"  {text if len(text) <= LONGEST else text[:LONGEST] + ' …'}" for text in constraints]
