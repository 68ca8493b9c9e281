"""Takuzu as a state space, after report 4: obvious moves first, then the first open cell.

- A **line** is a row or a column as two masks, the positions of its ones and of its zeros; bit 0 is the first cell.
- A **state** is the lines of all rows and those of all columns.
- An **action** is (row, column, value), all but the value from 0.
- An **obvious move** gives a cell the value that its line leaves it: between two equal values the other one, beside a
  pair of equal values the other one, and the other one in all open cells once a value has its full number.
- A **dead end** is a state in which a rule is broken, or a cell is obvious as 0 and as 1.

A state has one action, an obvious move, or two, the values 0 and 1 of the first open cell in reading
order; a dead end has none. So no state is reached in two ways.

tests/puzzles/kinds/test_takuzu_space.py compares the numbers of nodes with the table of report 4. Ours is not larger
in 47 of its 48 entries. The exception is test 3 by `dfs`, where the report happens to guess every cell right (42
expanded for 42 open cells); we try 0 before 1 everywhere, guess wrong once, and expand 44 (but generate 44 for its
49). 1 before 0 is better in that test and worse in tests 4 and 5. Of some thirty orders tried on this table one or
two are as good in all entries; the one tried on 36 other boards (the value of the left neighbour first) had no clear
advantage there, so the plain order stays.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.search import Problem

Line: TypeAlias = tuple[int, int]
State: TypeAlias = tuple[tuple[Line, ...], tuple[Line, ...]]
Action: TypeAlias = tuple[int, int, int]


class Look(NamedTuple):
    """The obvious moves of a line: masks of cells that are obviously 0 or 1, and whether the line breaks a rule."""

    zeros: int
    ones: int
    broken: bool


class Takuzus(Problem[State, Action]):
    """Fill a grid cell by cell. The heuristic is report 4's, the number of rows and columns with open cells.

    It is not admissible: the last open cell closes a row and a column at a cost of 1. Here that loses nothing, since
    every solution has the same cost.
    """

    def __init__(self, grid: Grid, distinct_lines: bool) -> None:
        self._grid = grid
        self._distinct = distinct_lines
        self._width = len(grid[0])
        self._height = len(grid)

    def initial(self) -> State:
        columns = tuple(zip(*self._grid, strict=True))
        return tuple(map(_line, self._grid)), tuple(map(_line, columns))

    def actions(self, state: State) -> list[Action]:
        rows, columns = state
        looks = [look(line, self._width) for line in rows]
        down = [look(line, self._height) for line in columns]
        if any(one.broken for one in looks) or any(one.broken for one in down) or not self._lines_differ(state):
            return []
        move: Action | None = None
        for r, (zeros, ones, _) in enumerate(looks):
            for c, column in enumerate(down):
                zeros |= (column.zeros >> r & 1) << c
                ones |= (column.ones >> r & 1) << c
            if zeros & ones:
                return []
            if move is None and (obvious := zeros | ones):
                c = _first(obvious)
                move = r, c, ones >> c & 1
        if move is not None:
            return [move]
        for r, line in enumerate(rows):
            if unknown := _open(line, self._width):
                return [(r, _first(unknown), value) for value in (0, 1)]
        return []

    def result(self, state: State, action: Action) -> State:
        rows, columns = state
        r, c, value = action
        return _set(rows, r, c, value), _set(columns, c, r, value)

    def is_goal(self, state: State) -> bool:
        rows, columns = state
        return (
            not any(_open(line, self._width) or look(line, self._width).broken for line in rows)
            and not any(look(line, self._height).broken for line in columns)
            and self._lines_differ(state)
        )

    def heuristic(self, state: State) -> float:
        rows, columns = state
        across = sum(_open(line, self._width) != 0 for line in rows)
        return across + sum(_open(line, self._height) != 0 for line in columns)

    def key(self, state: State) -> None:
        """None: no state is reached in two ways."""

    def read(self, state: State) -> Grid:
        """The grid of a state."""
        return tuple(tuple(_value(line, c) for c in range(self._width)) for line in state[0])

    def _lines_differ(self, state: State) -> bool:
        return not self._distinct or (_differ(state[0], self._width) and _differ(state[1], self._height))


class FittingTakuzus(Takuzus):
    """The same with an admissible heuristic: the number of open cells, or infinity where a line cannot be filled.

    Each action fills one cell, so the number is the exact cost wherever there is a solution. A line fits if its open
    cells can be filled so that it is balanced and has no three alike.
    """

    def heuristic(self, state: State) -> float:
        rows, columns = state
        if not all(fits(line, self._width) for line in rows) or not all(fits(line, self._height) for line in columns):
            return inf
        return sum(_open(line, self._width).bit_count() for line in rows)


@lru_cache(maxsize=1 << 16)
def look(line: Line, length: int) -> Look:
    """The obvious moves in a line."""
    ones, zeros = line
    most, unknown = (length + 1) // 2, _open(line, length)
    broken = any(mask & mask << 1 & mask << 2 or mask.bit_count() > most for mask in line)
    to_zero = unknown if ones.bit_count() >= most else unknown & _beside_pairs(ones)
    to_one = unknown if zeros.bit_count() >= most else unknown & _beside_pairs(zeros)
    return Look(to_zero, to_one, broken)


@lru_cache(maxsize=1 << 16)
def fits(line: Line, length: int) -> bool:
    """Whether the open cells of a line can be filled: every way so far is (number of ones, last value, run)."""
    ones, zeros = line
    most = (length + 1) // 2
    ways = {(0, 0, 0)}
    for c in range(length):
        allowed = [value for value, other in ((0, ones), (1, zeros)) if not other >> c & 1]
        ways = {
            (count + value, value, run + 1 if run and value == last else 1)
            for count, last, run in ways
            for value in allowed
            if not (run == 2 and value == last)
        }
    return any(count <= most and length - count <= most for count, _, _ in ways)


def _line(values: tuple[object, ...]) -> Line:
    ones = sum(1 << c for c, value in enumerate(values) if value == 1)
    return ones, sum(1 << c for c, value in enumerate(values) if value == 0)


def _open(line: Line, length: int) -> int:
    return (1 << length) - 1 & ~(line[0] | line[1])


def _value(line: Line, position: int) -> int | None:
    ones, zeros = line
    return 1 if ones >> position & 1 else 0 if zeros >> position & 1 else None


def _beside_pairs(mask: int) -> int:
    """Positions between two of the mask, or beside two of it that are neighbours."""
    return mask << 1 & mask >> 1 | mask << 1 & mask << 2 | mask >> 1 & mask >> 2


def _first(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _set(lines: tuple[Line, ...], line: int, position: int, value: int) -> tuple[Line, ...]:
    ones, zeros = lines[line]
    bit = 1 << position
    changed = (ones | bit, zeros) if value else (ones, zeros | bit)
    return (*lines[:line], changed, *lines[line + 1 :])


def _differ(lines: tuple[Line, ...], length: int) -> bool:
    full = [line for line in lines if not _open(line, length)]
    return len(set(full)) == len(full)
