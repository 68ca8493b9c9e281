"""Magic square: the numbers 1 to n², each once; every row, every column and both diagonals have the same sum.

That sum is n(n² + 1)/2: 15, 34, 65, 111 for the orders 3 to 6. Text form: a row a line, numbers between blanks
(`bridge.puzzles.latin` tells what a cell may be). Before the rows, or in place of them, lines of settings:

- `order 4`: the number of rows; alone, it is the empty square of that order;
- `variant semi`: semi-magic, the diagonals may have any sum;
- `symmetry reduced`: of the 8 squares that turning and mirroring make of one, only that in which the corner at the
  top left is the least of the four, and that at the top right is less than that at the bottom left. (A semi-magic
  square has more symmetries, exchanges of rows and of columns; these count as different.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import lt
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bridge.errors import InputError, Place
from bridge.puzzles.latin import Latin, drawn, read_json_rows, read_square, take_settings
from bridge.puzzles.puzzle import AspForm, ClpForm
from bridge.puzzles.rules import Cell, Checker, Grid, Judge, Rule, Value, cell_name, distinct
from bridge.puzzles.symmetry import Reduction, turned
from bridge.puzzles.text import read_lines

if TYPE_CHECKING:
    from bridge.search import CSP

#: The values of each option, the default first.
SETTINGS = {"variant": ("magic", "semi"), "symmetry": ("all", "reduced")}

#: Up to this order clues are assumed, and one ground program serves all instances; beyond, each is ground by itself.
ASSUMED = 5


@dataclass(frozen=True)
class MagicSquare(Latin):
    """One magic square, empty or partly filled. `variant` and `symmetry` are values in `SETTINGS`."""

    grid: Grid
    variant: str = "magic"
    symmetry: str = "all"

    kind = "magic-square"
    title = "magic square"
    encoding = "magic_square/magic_square.lp"
    options: ClassVar[Mapping[str, str]] = {
        "variant": "magic; semi: the diagonals may have any sum",
        "symmetry": "all; reduced: one of the 8 squares that turning and mirroring make of each other",
    }

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, str]) -> list[Self]:
        settings, lines = take_settings(read_lines(text, place), ("order", *SETTINGS))
        said = {name: _setting(name, settings[name].text, settings[name].place) for name in SETTINGS.keys() & settings}
        said |= {name: _setting(name, value, Place("--option")) for name, value in options.items()}
        return [cls(read_square(lines, settings.get("order"), cls.title, place, power=2), **said)]

    @classmethod
    def from_json(cls, data: Mapping[str, Any], place: Place) -> Self:
        said = {name: _setting(name, data[name], place) for name in SETTINGS if name in data}
        return cls(read_json_rows(data, cls.title, place, power=2), **said)

    def to_json(self) -> dict[str, Any]:
        rows = [list(row) for row in self.grid]
        return {"puzzle": self.kind, "variant": self.variant, "symmetry": self.symmetry, "grid": rows}

    def draw(self, grid: Grid | None = None) -> str:
        said = {"variant": self.variant, "symmetry": self.symmetry}
        lines = [f"{name} {value}" for name, value in said.items() if value != SETTINGS[name][0]]
        return "\n".join([*lines, *(" ".join(row) for row in drawn(grid or self.grid))])

    @property
    def magic_sum(self) -> int:
        return magic_sum(self.size)

    def values(self) -> tuple[int, ...]:
        return tuple(range(1, self.size**2 + 1))

    def rules(self) -> tuple[Rule, ...]:
        return _rules(self.size, self.variant == "semi", self.symmetry == "reduced")

    def checker(self) -> Checker:
        return _checker(self.size, self.variant == "semi", self.symmetry == "reduced")

    def facts(self) -> str:
        return f"#const n = {self.size}. [override]\n" + self._structure() + self.clue_facts()

    def asp(self) -> AspForm:
        encoding, constants = self.encoding, {"n": self.size}
        # All of order 4: 4 s in place of 9 by default; 23 partial squares of order 9 (CSPLib 19): 38 in place of 60.
        solver = ("--configuration=crafty",)
        if self.size <= ASSUMED:
            return AspForm(encoding, constants, self._structure(), self.clue_atoms(), solver)
        facts = self._structure() + self.clue_facts()
        return AspForm(encoding, constants, facts, solver=solver, reusable=not self.clues())

    def switchable(self) -> AspForm:
        return self.latin_switches(self.encoding, self._structure())

    def _structure(self) -> str:
        said = {"variant": self.variant, "symmetry": self.symmetry}
        return "".join(f"{name}({value}).\n" for name, value in said.items() if value != SETTINGS[name][0])

    def symmetric(self) -> Reduction[Self] | None:
        """An empty square: turned and mirrored, a reduced one makes 8 that differ, for no value stands twice."""
        if self.size == 1 or self.symmetry == "reduced" or self.clues():
            return None
        return Reduction(replace(self, symmetry="reduced"), 8, turned)

    def clp(self) -> ClpForm:
        post = "semi_magic_square(Rows)" if self.variant == "semi" else "magic_square(Rows)"
        if self.symmetry == "reduced":
            post += ", reduced(Rows)"
        # The diagonals first: they meet every row and every column.
        label = "diagonals_first(Rows, Cells), labeling([ff], Cells)"
        return ClpForm("magic_square/magic_square.pl", post, label)

    def csp(self) -> CSP:
        from bridge.search import CSP, AllDifferent, Binary, Constraint, Sum

        constraints: list[Constraint] = [AllDifferent(tuple(self.cells()), "all different")]
        sums = magic_lines(self.size, self.variant == "semi") | implied(self.size, self.variant == "semi")
        constraints += [Sum(cells, self.magic_sum, name) for name, cells in sums.items()]
        if self.symmetry == "reduced":
            constraints += [Binary(x, y, lt, _less_name(x, y)) for x, y in ordered_corners(self.size)]
        return CSP(self.domains(), constraints)


def magic_sum(order: int) -> int:
    """What every line adds up to: a row's share of 1 + 2 + ... + n²."""
    return order * (order**2 + 1) // 2


def magic_lines(order: int, semi: bool) -> dict[str, tuple[Cell, ...]]:
    """The lines that have the magic sum, by name: rows, columns, diagonals (the first begins at the top left)."""
    index = range(1, order + 1)
    found = {f"sum of row {r}": tuple((r, c) for c in index) for r in index}
    found |= {f"sum of column {c}": tuple((r, c) for r in index) for c in index}
    if not semi:
        found["sum of diagonal 1"] = tuple((i, i) for i in index)
        found["sum of diagonal 2"] = tuple((i, order + 1 - i) for i in index)
    return found


def implied(order: int, semi: bool) -> dict[str, tuple[Cell, ...]]:
    """What has the magic sum too, though nobody asks for it: in order 4, the corners and the middle.

    Both diagonals and the outer rows, less the inner columns, leave the corners twice: so these are half of 4 - 2 sums.
    The diagonals less the corners leave the middle.
    """
    if order != 4 or semi:
        return {}
    return {
        "sum of corners": ((1, 1), (1, 4), (4, 1), (4, 4)),
        "sum of middle": ((2, 2), (2, 3), (3, 2), (3, 3)),
    }


def ordered_corners(order: int) -> tuple[tuple[Cell, Cell], ...]:
    """Pairs of corners of which the first is less: one of the 8 images of a square has them so."""
    if order == 1:
        return ()
    return ((1, 1), (1, order)), ((1, order), (order, 1)), ((1, 1), (order, order))


@lru_cache(maxsize=32)
def _rules(order: int, semi: bool, reduced: bool) -> tuple[Rule, ...]:
    """`all different`, then `sum of row 1`, `sum of column 1`, `sum of diagonal 1`, then `r1c1 < r1c4`."""
    everywhere = tuple((r, c) for r in range(1, order + 1) for c in range(1, order + 1))
    adds_up = _adding_up_to(magic_sum(order), order**2)
    less = _less(order**2)
    return (
        Rule("all different", everywhere, distinct),
        *(Rule(name, cells, adds_up) for name, cells in magic_lines(order, semi).items()),
        *(Rule(_less_name(x, y), (x, y), less) for x, y in (ordered_corners(order) if reduced else ())),
    )


@lru_cache(maxsize=32)
def _checker(order: int, semi: bool, reduced: bool) -> Checker:
    return Checker(_rules(order, semi, reduced), order, order, range(1, order**2 + 1))


def _adding_up_to(total: int, greatest: int) -> Judge:
    """The values, from 1 to the greatest, add up to the total; broken by all given when they cannot any more.

    Only the sum is judged: that open cells hold different values is another rule.
    """

    def judge(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        given = [position for position, value in enumerate(values) if value is not None]
        missing = total - sum(value for value in values if isinstance(value, int))
        unknown = len(values) - len(given)
        return None if unknown <= missing <= unknown * greatest else tuple(given)

    return judge


def _less(greatest: int) -> Judge:
    """The first of two values is less; one alone breaks that when nothing is below, or above, it."""

    def judge(values: Sequence[Value | None]) -> tuple[int, ...] | None:
        first, second = values
        if isinstance(first, int) and isinstance(second, int):
            return None if first < second else (0, 1)
        if first == greatest:
            return (0,)
        return (1,) if second == 1 else None

    return judge


def _less_name(x: Cell, y: Cell) -> str:
    return f"{cell_name(x)} < {cell_name(y)}"


def _setting(name: str, value: Any, place: Place) -> str:
    if value not in SETTINGS[name]:
        raise InputError(f"there is no {name} {value!r}", where=place, hint=f"one of: {', '.join(SETTINGS[name])}")
    return str(value)
