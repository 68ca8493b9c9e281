"""Second programs for shading puzzles, in plain Python: the rules as the rulebook has them, and a search row by row.

They read the facts of an instance and share nothing with the encodings. `broken` gives the words for the rules that a
full grid breaks; `solutions` the first grids that break none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, product
from typing import Any

Place = tuple[int, int]
Row = tuple[int | None, ...]


class Second:
    """One instance: its size, and its facts as rows of arguments by predicate."""

    def __init__(self, instance: Mapping[str, Any]) -> None:
        self.height, self.width = instance["constants"]["rows"], instance["constants"]["columns"]
        self.constants = instance["constants"]
        self.facts: dict[str, list[list[Any]]] = {}
        for fact in instance["facts"]:
            name, arguments = re.fullmatch(r"(\w+)\((.*)\)", fact).groups()  # type: ignore[union-attr]
            row = [int(one) if one.isdigit() else one for one in arguments.split(",")]
            self.facts.setdefault(name, []).append(row)

    def of(self, name: str) -> list[list[Any]]:
        return self.facts.get(name, [])

    def rows(self, r: int) -> Iterator[Row]:
        """Rows that may be row `r`, counted from 0."""
        return product((0, 1), repeat=self.width)

    def fits(self, grid: list[Row]) -> bool:
        """Whether the first rows of a grid may be those of a solution."""
        raise NotImplementedError

    def broken(self, grid: list[Row]) -> set[str]:
        raise NotImplementedError

    def solutions(self, most: int = 2) -> list[list[Row]]:
        found: list[list[Row]] = []
        rows = [list(self.rows(r)) for r in range(self.height)]

        def extend(grid: list[Row]) -> None:
            if len(found) == most:
                return
            if len(grid) == self.height:
                found.extend([grid] if not self.broken(grid) else [])
                return
            for row in rows[len(grid)]:
                if self.fits([*grid, row]):
                    extend([*grid, row])

        extend([])
        return found


def runs(line: list[int | None]) -> list[int]:
    """The lengths of the blocks of a line."""
    return [len(block) for block in "".join("#" if one else " " for one in line).split()]


def columns(grid: list[Row]) -> list[list[int | None]]:
    return [list(column) for column in zip(*grid, strict=True)]


class Nonogram(Second):
    def __init__(self, instance: Mapping[str, Any]) -> None:
        super().__init__(instance)
        self.told = {
            name: [
                [n for line, _, n in sorted(self.of(name)) if line == number and n > 0]
                for number in range(1, count + 1)
            ]
            for name, count in (("across", self.height), ("down", self.width))
        }

    def rows(self, r: int) -> Iterator[Row]:
        def placed(blocks: list[int], width: int) -> Iterator[Row]:
            if not blocks:
                yield (0,) * width
                return
            for start in range(width - sum(blocks) - len(blocks) + 2):
                head = (0,) * start + (1,) * blocks[0]
                if len(blocks) == 1:
                    yield head + (0,) * (width - len(head))
                else:
                    yield from ((*head, 0, *rest) for rest in placed(blocks[1:], width - len(head) - 1))

        return placed(self.told["across"][r], self.width)

    def fits(self, grid: list[Row]) -> bool:
        for column, told in zip(columns(grid), self.told["down"], strict=True):
            blocks = runs(column)
            done = blocks[:-1] if column[-1] else blocks
            if done != told[: len(done)] or len(blocks) > len(told) or (blocks and blocks[-1] > told[len(blocks) - 1]):
                return False
        return True

    def broken(self, grid: list[Row]) -> set[str]:
        found = {"row" for row, told in zip(grid, self.told["across"], strict=True) if runs(list(row)) != told}
        return found | {"column" for line, told in zip(columns(grid), self.told["down"], strict=True) if runs(line) != told}


class Hitori(Second):
    def __init__(self, instance: Mapping[str, Any]) -> None:
        super().__init__(instance)
        self.number = {(r, c): n for r, c, n in self.of("number")}

    def rows(self, r: int) -> Iterator[Row]:
        return (row for row in super().rows(r) if not self._touching([row]) and not self._twice([row], r))

    def _twice(self, grid: list[Row], above: int = 0) -> set[str]:
        found = set()
        left = [(r, c) for r, row in enumerate(grid, above + 1) for c, value in enumerate(row, 1) if not value]
        seen: set[tuple[str, int, int]] = set()
        for r, c in left:
            if (r, c) not in self.number:
                continue
            for key in (("row", r, self.number[r, c]), ("column", c, self.number[r, c])):
                found |= {key[0]} if key in seen else set()
                seen.add(key)
        return found

    def _touching(self, grid: list[Row]) -> bool:
        lines = [*map(list, grid), *columns(grid)]
        return any(one and other for line in lines for one, other in pairwise(line))

    def fits(self, grid: list[Row]) -> bool:
        return not self._touching(grid) and not self._twice(grid)

    def broken(self, grid: list[Row]) -> set[str]:
        left = {(r, c) for r, row in enumerate(grid) for c, value in enumerate(row) if not value}
        areas = reached(next(iter(left)), left.__contains__) if left else set()
        found = self._twice(grid) | ({"apart"} if self._touching(grid) else set())
        return found | ({"one area"} if areas != left else set())


class StarBattle(Second):
    def __init__(self, instance: Mapping[str, Any]) -> None:
        super().__init__(instance)
        self.stars = self.constants.get("stars", 1)
        self.region = {(r, c): z for r, c, z in self.of("region")}

    def rows(self, r: int) -> Iterator[Row]:
        return (row for row in super().rows(r) if sum(one or 0 for one in row) == self.stars)

    def _touching(self, grid: list[Row]) -> bool:
        stars = {(r, c) for r, row in enumerate(grid) for c, value in enumerate(row) if value}
        return any((r + i, c + j) in stars for r, c in stars for i, j in ((0, 1), (1, -1), (1, 0), (1, 1)))

    def _counts(self, grid: list[Row]) -> dict[Any, int]:
        found = dict.fromkeys(self.region.values(), 0)
        for r, row in enumerate(grid, 1):
            for c, value in enumerate(row, 1):
                found[self.region[r, c]] += value or 0
        return found

    def fits(self, grid: list[Row]) -> bool:
        done = {z for z in self.region.values() if all(r <= len(grid) for (r, _), y in self.region.items() if y == z)}
        for z, count in self._counts(grid).items():
            if count > self.stars or (z in done and count < self.stars):
                return False
        return not self._touching(grid) and all(sum(map(bool, line)) <= self.stars for line in columns(grid))

    def broken(self, grid: list[Row]) -> set[str]:
        found = {"apart"} if self._touching(grid) else set()
        found |= {"row"} if any(sum(map(bool, row)) != self.stars for row in grid) else set()
        found |= {"column"} if any(sum(map(bool, line)) != self.stars for line in columns(grid)) else set()
        return found | ({"region"} if set(self._counts(grid).values()) != {self.stars} else set())


class Akari(Second):
    def __init__(self, instance: Mapping[str, Any]) -> None:
        super().__init__(instance)
        self.number = {(r, c): n for r, c, n in self.of("number")}
        self.walls = {*self.number, *((r, c) for r, c in self.of("wall"))}

    def rows(self, r: int) -> Iterator[Row]:
        choices = [(None,) if (r + 1, c) in self.walls else (0, 1) for c in range(1, self.width + 1)]
        rows: Iterator[Row] = product(*choices)
        return (row for row in rows if not self._seeing([row]))

    def _seeing(self, grid: list[Row]) -> set[str]:
        found = set()
        for name, lines in (("across", grid), ("down", columns(grid))):
            for line in lines:
                parts = "".join("#" if value is None else str(value) for value in line).split("#")
                found |= {name} if any(part.count("1") > 1 for part in parts) else set()
        return found

    def _numbers(self, grid: list[Row]) -> bool:
        """Whether the numbers whose neighbours are all in the grid are right."""
        bulbs = {(r, c) for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1) if value}
        known = len(grid) if len(grid) == self.height else len(grid) - 1
        for (r, c), n in self.number.items():
            if r <= known and sum(place in bulbs for place in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))) != n:
                return False
        return True

    def _dark(self, grid: list[Row]) -> bool:
        """Whether a cell is not lit, and no row that is still open can light it."""
        bulbs = {(r, c) for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1) if value}
        for r, row in enumerate(grid, 1):
            for c, value in enumerate(row, 1):
                if value == 0 and not self._lit((r, c), bulbs, len(grid)):
                    return True
        return False

    def _lit(self, cell: Place, bulbs: set[Place], known: int) -> bool:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            r, c = cell
            while 1 <= r <= self.height and 1 <= c <= self.width and (r, c) not in self.walls:
                if r > known or (r, c) in bulbs:
                    return True
                r, c = r + down, c + right
        return False

    def fits(self, grid: list[Row]) -> bool:
        return not self._seeing(grid) and self._numbers(grid) and not self._dark(grid)

    def broken(self, grid: list[Row]) -> set[str]:
        found = self._seeing(grid) | (set() if self._numbers(grid) else {"number"})
        return found | ({"lit"} if self._dark(grid) else set())


def reached(start: Place, inside: Callable[[Place], bool]) -> set[Place]:
    """The places that hang together with one."""
    found, open_ = {start}, [start]
    while open_:
        r, c = open_.pop()
        for place in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if place not in found and inside(place):
                found.add(place)
                open_.append(place)
    return found


SECOND: dict[str, type[Second]] = {
    "akari": Akari,
    "hitori": Hitori,
    "nonogram": Nonogram,
    "star-battle": StarBattle,
}
