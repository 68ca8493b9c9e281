"""Latin square: every row and every column holds each value once. Partly filled, it is quasigroup completion.

Text form: a row a line, with or without blanks between cells (`bridge.puzzles.latin` tells what a cell may be). Before
the rows, or in place of them, lines of settings:

- `order 9`: the number of rows; alone, it is the empty square of that order;
- `variant diagonal`: no value twice on either of the two long diagonals; `variant reduced`: the first row and the
  first column are in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bridge.errors import InputError, Place, brief
from bridge.puzzles.latin import Latin, drawn, read_json_rows, read_square, rows_and_columns, take_settings
from bridge.puzzles.puzzle import AspForm, ClpForm
from bridge.puzzles.rules import Checker, Grid, Rule, Value, distinct
from bridge.puzzles.symmetry import Reduction, rearranged, renamed
from bridge.puzzles.text import read_lines

if TYPE_CHECKING:
    from bridge.search import CSP

VARIANTS = ("plain", "diagonal", "reduced")


@dataclass(frozen=True)
class LatinSquare(Latin):
    """One Latin square, empty or partly filled. `variant` is one of `VARIANTS`."""

    grid: Grid
    variant: str = VARIANTS[0]

    kind = "latin-square"
    title = "Latin square"
    #: 42 % holes: order 30 in 80 ms in place of 350 by grounding the clues; at order 40 it is 11 s against 4.
    assumed = 30
    encoding = "latin_square/latin_square.lp"
    options: ClassVar[Mapping[str, str]] = {
        "variant": "plain; diagonal: both diagonals too; reduced: the first row and column in order"
    }

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, str]) -> list[Self]:
        settings, lines = take_settings(read_lines(text, place), ("order", "variant"))
        variant = VARIANTS[0]
        if "variant" in settings:
            variant = _variant(settings["variant"].text, settings["variant"].place)
        if "variant" in options:
            variant = _variant(options["variant"], Place("--option"))
        return [cls(read_square(lines, settings.get("order"), cls.title, place), variant)]

    @classmethod
    def from_json(cls, data: Mapping[str, Any], place: Place) -> Self:
        return cls(read_json_rows(data, cls.title, place), _variant(data.get("variant", VARIANTS[0]), place))

    def to_json(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "variant": self.variant, "grid": [list(row) for row in self.grid]}

    def draw(self, grid: Grid | None = None) -> str:
        lines = [] if self.variant == "plain" else [f"variant {self.variant}"]
        return "\n".join([*lines, *(" ".join(row) for row in drawn(grid or self.grid))])

    def rules(self) -> tuple[Rule, ...]:
        return rows_and_columns(self.size) + _of_variant(self.variant, self.size)

    def checker(self) -> Checker:
        return _checker(self.variant, self.size)

    def facts(self) -> str:
        return f"#const n = {self.size}. [override]\n" + self._variant_fact() + self.clue_facts()

    def asp(self) -> AspForm:
        return self.latin_form(self.encoding, self._variant_fact())

    def switchable(self) -> AspForm:
        return self.latin_switches(self.encoding, self._variant_fact())

    def symmetric(self) -> Reduction[Self] | None:
        """An empty square: any order of the columns, then of the rows below the first, makes another of a reduced one.

        With diagonals only the names of the values are free: the first row may be taken to be in order.
        """
        n = self.size
        if n == 1 or self.variant == "reduced" or self.clues():
            return None
        if self.variant == "diagonal":
            return Reduction(self.with_clues({(1, c): c for c in range(1, n + 1)}), factorial(n), renamed)
        return Reduction(replace(self, variant="reduced"), factorial(n) * factorial(n - 1), rearranged)

    def clp(self) -> ClpForm:
        # Where not one cell in ten is given, propagation finds little, and strong propagation costs more than it finds.
        distinct = "all_different" if 10 * len(self.clues()) < self.size**2 else "all_distinct"
        goals = [f"latin_square(Rows, {distinct})"] + [f"{self.variant}(Rows)"] * (self.variant != "plain")
        return ClpForm("latin_square/latin_square.pl", ", ".join(goals), "append(Rows, Cells), labeling([ff], Cells)")

    def csp(self) -> CSP:
        from bridge.search import CSP, AllDifferent

        domains = self.domains()
        if self.variant == "reduced":
            for r, c in domains:
                if 1 in (r, c):
                    domains[r, c] = tuple(value for value in domains[r, c] if value == r + c - 1)
        lines = [rule for rule in self.rules() if rule.judge is distinct]
        return CSP(domains, [AllDifferent(rule.cells, rule.name) for rule in lines])

    def _variant_fact(self) -> str:
        return "" if self.variant == "plain" else f"variant({self.variant}).\n"


@lru_cache(maxsize=32)
def _checker(variant: str, size: int) -> Checker:
    return Checker(rows_and_columns(size) + _of_variant(variant, size), size, size, range(1, size + 1))


@lru_cache(maxsize=32)
def _of_variant(variant: str, size: int) -> tuple[Rule, ...]:
    index = range(1, size + 1)
    if variant == "diagonal":
        falling, rising = tuple((i, i) for i in index), tuple((size + 1 - i, i) for i in index)
        return Rule("diagonal 1", falling, distinct), Rule("diagonal 2", rising, distinct)
    if variant == "reduced":
        row, column = tuple((1, i) for i in index), tuple((i, 1) for i in index)
        return Rule("row 1 in order", row, _in_order), Rule("column 1 in order", column, _in_order)
    return ()


def _in_order(values: Sequence[Value | None]) -> tuple[int, ...] | None:
    """1, 2, 3, ...; broken by the first that is another."""
    return next(((i,) for i, value in enumerate(values) if value not in (None, i + 1)), None)


def _variant(text: Any, place: Place) -> str:
    if text not in VARIANTS:
        raise InputError(f"there is no variant {brief(text)}", where=place, hint=f"one of: {', '.join(VARIANTS)}")
    return str(text)
