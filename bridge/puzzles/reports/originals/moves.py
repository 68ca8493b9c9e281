"""Report 4: Takuzu as a state space with the report's successors, searched in its four orders.

- A state with an **obvious move** has one successor. Looked for in this order: an open cell between two equal values;
  an open cell beside two equal values; an open cell of a row, then of a column, in which a value has its full number.
- A state without one has two successors for **every** open cell, in reading order, 0 before 1. So the same state is
  reached in many ways, and no search remembers where it has been.
- A state that breaks a rule has no successor.

The searches: breadth-first takes the oldest state, depth-first the newest, so that it tries the last open cell and the
value 1 first. Greedy search and A* take the least estimate, the oldest of equals; the heuristic is the number of rows
and columns with open cells. All of them test for the goal when a state is taken.

`generated` counts successors, `expanded` the states whose successors were asked for. With these definitions all 96
counts in the table of the report come out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Literal, TypeAlias, get_args

from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.takuzu.space import Action, State, Takuzus, look

Order: TypeAlias = Literal["BFS", "DFS", "Greedy", "A*"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True)
class Searched:
    """The goal that was found first, None when the limit came first; and the counts."""

    grid: Grid | None
    generated: int
    expanded: int


def searched(grid: Grid, order: Order, *, limit: int) -> Searched:
    """Search a board in one of the four orders; at most `limit` states are expanded."""
    space = Moves(grid, distinct_lines=True)
    push, pop = _frontier(order, space)
    push(space.initial(), 0)
    generated = expanded = 0
    while (taken := pop()) is not None:
        state, depth = taken
        if space.is_goal(state):
            return Searched(space.read(state), generated, expanded)
        if expanded == limit:
            break
        expanded += 1
        for action in space.actions(state):
            generated += 1
            push(space.result(state, action), depth + 1)
    return Searched(None, generated, expanded)


def _frontier(
    order: Order, space: Moves
) -> tuple[Callable[[State, int], object], Callable[[], tuple[State, int] | None]]:
    """Two functions: one takes in a state and its depth, the other hands out the next, or None."""
    if order in ("BFS", "DFS"):
        line: deque[tuple[State, int]] = deque()
        take = line.popleft if order == "BFS" else line.pop
        return lambda state, depth: line.append((state, depth)), lambda: take() if line else None
    heap: list[tuple[float, int, State, int]] = []
    number = count()
    weight = 1 if order == "A*" else 0

    def push(state: State, depth: int) -> None:
        heappush(heap, (space.heuristic(state) + weight * depth, next(number), state, depth))

    return push, lambda: heappop(heap)[2:] if heap else None


class Moves(Takuzus):
    """The report's successors. States, goal and heuristic are those of the engines."""

    def actions(self, state: State) -> list[Action]:
        if self._broken(state):
            return []
        if move := self._between(state) or self._beside(state) or self._full(state):
            return [move]
        rows, _ = state
        return [
            (r, c, value)
            for r, (ones, zeros) in enumerate(rows)
            for c in range(self._width)
            if not (ones | zeros) >> c & 1
            for value in (0, 1)
        ]

    def _broken(self, state: State) -> bool:
        rows, columns = state
        return (
            any(look(line, self._width).broken for line in rows)
            or any(look(line, self._height).broken for line in columns)
            or not self._lines_differ(state)
        )

    def _between(self, state: State) -> Action | None:
        rows, _ = state
        for r, (ones, zeros) in enumerate(rows):
            unknown = self._everything & ~(ones | zeros)
            up, down = rows[r - 1] if r else (0, 0), rows[r + 1] if r + 1 < len(rows) else (0, 0)
            upright = [unknown & up[i] & down[i] for i in (0, 1)]
            level = [unknown & mask << 1 & mask >> 1 for mask in (ones, zeros)]
            if anywhere := upright[0] | upright[1] | level[0] | level[1]:
                bit = anywhere & -anywhere
                neighbours = upright if (upright[0] | upright[1]) & bit else level
                return r, bit.bit_length() - 1, 0 if neighbours[0] & bit else 1
        return None

    def _beside(self, state: State) -> Action | None:
        """Cell by cell: beyond the value above it or below it, then left or right of it."""
        rows, _ = state
        for r, row in enumerate(rows):
            unknown = self._everything & ~(row[0] | row[1])
            up, down = rows[r - 1] if r else None, rows[r + 1] if r + 1 < len(rows) else None
            above = self._everything & ~(up[0] | up[1]) if up else 0
            below = self._everything & ~(down[0] | down[1]) if down else 0
            found: list[tuple[int, int, int, int, int]] = []  # cells, and what is set: down, right, value
            for i, mask in enumerate(row):
                found += [
                    (mask & above & (down[i] if down else 0), 0, -1, 0, i),
                    (mask & below & (up[i] if up else 0), 1, 1, 0, i),
                    (mask & unknown << 1 & mask >> 1, 2, 0, -1, i),
                    (mask & unknown >> 1 & mask << 1, 3, 0, 1, i),
                ]
            if anywhere := [one for one in found if one[0]]:
                first = min(anywhere, key=lambda one: (one[0] & -one[0], one[1]))
                cells, _, lower, right, value = first
                return r + lower, (cells & -cells).bit_length() - 1 + right, value
        return None

    def _full(self, state: State) -> Action | None:
        rows, columns = state
        for lines, length in ((rows, self._width), (columns, self._height)):
            most, everything = (length + 1) // 2, (1 << length) - 1
            for number, (ones, zeros) in enumerate(lines):
                unknown = everything & ~(ones | zeros)
                if unknown and (ones.bit_count() == most or zeros.bit_count() == most):
                    place = (unknown & -unknown).bit_length() - 1
                    value = 0 if ones.bit_count() == most else 1
                    return (number, place, value) if lines is rows else (place, number, value)
        return None

    @property
    def _everything(self) -> int:
        return (1 << self._width) - 1
