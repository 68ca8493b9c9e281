"""Magic square: the numbers 1 to n², each once; every row, every column and both diagonals have the same sum.

That sum is n(n² + 1)/2: 15, 34, 65, 111 for the orders 3 to 6. Text form: one row per line, numbers between blanks
(the signs of cells: `bridge.puzzles.kinds.latin.text`). Before the rows, or in place of them, lines of settings:

- `order 4`: the number of rows; alone, it is the empty square of that order;
- `variant semi`: semi-magic, the diagonals may have any sum;
- `symmetry reduced`: of the 8 squares that turning and mirroring make of one, only that in which the corner at the
  top left is the least of the four, and that at the top right is less than that at the bottom left;
- `symmetry permuted`: of those squares, too, that a permutation of the rows and the columns makes of each other. It is
  the same for both, and takes rows that are equally far from the middle to such rows, so that diagonals stay what they
  are: 32 squares of order 4 or 5, 192 of order 6. Of semi-magic squares, any permutations: (n!)² · 2 squares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bridge.puzzles.kinds.latin import Latin
from bridge.puzzles.kinds.magic_square.rules import magic_checker, magic_rules, magic_sum
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.rules import Checker, Grid, Rule

#: The values of each option, the default first.
SETTINGS = {"variant": ("magic", "semi"), "symmetry": ("all", "reduced", "permuted")}


@dataclass(frozen=True, repr=False)
class MagicSquare(Latin):
    """One magic square, empty or partly filled. `variant` and `symmetry` are values in `SETTINGS`."""

    grid: Grid
    variant: str = "magic"
    symmetry: str = "all"

    kind = "magic-square"
    title = "magic square"
    power = 2
    settings: ClassVar[Mapping[str, tuple[str, ...]]] = SETTINGS
    options: ClassVar[Mapping[str, Option]] = {
        "variant": Option("magic; semi: the diagonals may have any sum"),
        "symmetry": Option(
            "all; reduced: one of the 8 squares that turning and mirroring make of each other; permuted: one of those"
            " that permutations of rows and columns make of each other, too"
        ),
    }

    @property
    def magic_sum(self) -> int:
        return magic_sum(self.size)

    def rules(self) -> tuple[Rule, ...]:
        return magic_rules(self.size, self.variant == "semi", self.symmetry)

    def _checker(self) -> Checker:
        return magic_checker(self.size, self.variant == "semi", self.symmetry)
