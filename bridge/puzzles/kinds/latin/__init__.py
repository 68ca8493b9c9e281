"""The Latin family: square grids of order n with the values 1 to n, none of them twice in a row or a column.

Magic squares have the same shape and text form. Their values are 1 to n ** 2, and no value stands twice at all.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, ClassVar, Self

from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.latin.text import drawn, read_json_rows, read_square, take_settings
from bridge.puzzles.kinds.puzzle import Puzzle
from bridge.puzzles.kinds.rules import Cell, Grid, Value
from bridge.puzzles.kinds.text import read_lines


class Latin(Puzzle, ABC):
    """A square grid with the values from 1 to its order ** `power`.

    The forms here are those of a kind whose other fields are settings: lines before the grid, and keys in JSON.
    """

    power: ClassVar[int] = 1
    #: The values of each setting, the default first.
    settings: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @classmethod
    def from_text(cls, text: str, place: Place, options: Mapping[str, Any]) -> list[Self]:
        tokens, lines = take_settings(read_lines(text, place), ("order", *cls.settings))
        order = tokens.pop("order", None)
        settled: dict[str, Any] = {name: cls._setting(name, token.text, token.place) for name, token in tokens.items()}
        settled |= {name: cls._setting(name, value, Place("--option")) for name, value in options.items()}
        return [cls(read_square(lines, order, cls.title, place, cls.power), **settled)]

    @classmethod
    def _of_json_form(cls, data: Mapping[str, Any], place: Place) -> Self:
        settled: dict[str, Any] = {name: cls._setting(name, data[name], place) for name in cls.settings if name in data}
        return cls(read_json_rows(data, cls.title, place, cls.power), **settled)

    def _json_form(self) -> dict[str, Any]:
        settled = {name: getattr(self, name) for name in self.settings}
        return {"puzzle": self.kind, **settled, "grid": [list(row) for row in self.grid]}

    def draw(self, grid: Grid | None = None) -> str:
        lines = [f"{name} {value}" for name, value in self.unusual().items()]
        return "\n".join([*lines, *(" ".join(row) for row in drawn(grid or self.grid))])

    def unusual(self) -> dict[str, str]:
        """The settings that do not have their default."""
        values = {name: getattr(self, name) for name in self.settings}
        return {name: value for name, value in values.items() if value != self.settings[name][0]}

    @classmethod
    def _setting(cls, name: str, value: Any, place: Place) -> str:
        if value not in cls.settings[name]:
            hint = f"one of: {', '.join(cls.settings[name])}"
            raise InputError(f"there is no {name} {brief(value)}", where=place, hint=hint)
        return str(value)

    @property
    def size(self) -> int:
        return len(self.grid)

    def values(self) -> tuple[int, ...]:
        return tuple(range(1, self.size**self.power + 1))

    def solution(self, values: Mapping[Cell, Value]) -> Grid:
        size = self.size
        cells, of_all = cells_of(size)
        flat: Iterable[Value | None]
        try:
            flat = of_all(values)
        except KeyError:  # open cells
            flat = map(values.get, cells)
        return tuple(zip(*[iter(flat)] * size, strict=True))


@lru_cache(maxsize=32)
def cells_of(size: int) -> tuple[tuple[Cell, ...], Callable[[Mapping[Cell, Value]], tuple[Value, ...]]]:
    """All cells in reading order, and a function that returns the values of all of them."""
    cells = tuple((r, c) for r in range(1, size + 1) for c in range(1, size + 1))
    return cells, itemgetter(*cells) if size > 1 else lambda values: (values[1, 1],)
