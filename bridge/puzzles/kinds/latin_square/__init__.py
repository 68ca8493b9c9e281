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
from typing import Any, ClassVar, Self

from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.latin import Latin
from bridge.puzzles.kinds.latin.rules import rows_and_columns
from bridge.puzzles.kinds.latin.text import drawn, read_json_rows, read_square, take_settings
from bridge.puzzles.kinds.latin_square.rules import variant_checker, variant_rules
from bridge.puzzles.kinds.options import Option
from bridge.puzzles.kinds.rules import Checker, Grid, Rule
from bridge.puzzles.kinds.text import read_lines

VARIANTS = ("plain", "diagonal", "reduced")


@dataclass(frozen=True, repr=False)
class LatinSquare(Latin):
    """One Latin square, empty or partly filled. `variant` is one of `VARIANTS`."""

    grid: Grid
    variant: str = VARIANTS[0]

    kind = "latin-square"
    title = "Latin square"
    options: ClassVar[Mapping[str, Option]] = {
        "variant": Option("plain; diagonal: both diagonals too; reduced: the first row and column in order")
    }

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        settings, lines = take_settings(read_lines(text, place), ("order", "variant"))
        variant = VARIANTS[0]
        if "variant" in settings:
            variant = _variant(settings["variant"].text, settings["variant"].place)
        if "variant" in options:
            variant = _variant(options["variant"], Place("--option"))
        return [cls(read_square(lines, settings.get("order"), cls.title, place), variant)]

    @classmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        return cls(read_json_rows(data, cls.title, place), _variant(data.get("variant", VARIANTS[0]), place))

    def _json_form(self) -> dict[str, Any]:
        return {"puzzle": self.kind, "variant": self.variant, "grid": [list(row) for row in self.grid]}

    def draw(self, grid: Grid | None = None) -> str:
        lines = [] if self.variant == "plain" else [f"variant {self.variant}"]
        return "\n".join([*lines, *(" ".join(row) for row in drawn(grid or self.grid))])

    def rules(self) -> tuple[Rule, ...]:
        return rows_and_columns(self.size) + variant_rules(self.variant, self.size)

    def _checker(self) -> Checker:
        return variant_checker(self.variant, self.size)


def _variant(text: Any, place: Place) -> str:
    if text not in VARIANTS:
        raise InputError(f"there is no variant {brief(text)}", where=place, hint=f"one of: {', '.join(VARIANTS)}")
    return str(text)
