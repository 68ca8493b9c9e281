"""Latin square: every row and every column holds each value once. Partly filled, it is quasigroup completion.

Text form: one row per line, with or without blanks between cells (their signs: `bridge.puzzles.kinds.latin.text`).
Before the rows, or in place of them, lines of settings:

- `order 9`: the number of rows; alone, it is the empty square of that order;
- `variant diagonal`: no value twice on either of the two long diagonals; `variant reduced`: the first row and the
  first column are in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bridge.puzzles.kinds.latin import Latin
from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.latin_square.rules import variant_checker, variant_rules
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.rules import Checker, Grid, Rule

VARIANTS = ("plain", "diagonal", "reduced")


@dataclass(frozen=True, repr=False)
class LatinSquare(Latin):
    """One Latin square, empty or partly filled. `variant` is one of `VARIANTS`."""

    grid: Grid
    variant: str = VARIANTS[0]

    kind = "latin-square"
    title = "Latin square"
    settings: ClassVar[Mapping[str, tuple[str, ...]]] = {"variant": VARIANTS}
    options: ClassVar[Mapping[str, Option]] = {
        "variant": Option("plain; diagonal: both diagonals too; reduced: the first row and column in order")
    }

    def rules(self) -> tuple[Rule, ...]:
        return rows_and_columns(self.size) + variant_rules(self.variant, self.size)

    def _checker(self) -> Checker:
        return variant_checker(self.variant, self.size)
