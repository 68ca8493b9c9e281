"""Report 1: backtracking search of the textbook's Python code, which the report imports.

- A **variable** is a cell, numbered from 0 in reading order; variables are taken in that order.
- A value is **tried** when it is compared with the assigned neighbours, and **assigned** when none of them conflicts.

Three things set this search apart from `bt` and `mac`, and explain the figures of the report:

- A given is a domain of one value. It is not looked at before its turn comes, so that a clash with a given in a later
  row is found only there.
- With inference, AC-3 starts with the arcs into the variable just assigned, and takes the last arc of its list first.
- When a value is withdrawn, the values that it had removed are put back at the end of their domains. The order of
  values changes in the course of the search, and with it the solution that comes first.

(S. Russell, P. Norvig, *Artificial Intelligence: A Modern Approach*, figures 6.3 and 6.5.)

    >>> square = Cells.empty(4)
    >>> backtracking(square).grid
    ((1, 2, 3, 4), (2, 1, 4, 3), (3, 4, 1, 2), (4, 3, 2, 1))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bridge.puzzles.kinds.rules import Grid

#: A value that was removed from the domain of a variable.
Removal: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cells:
    """A Latin square or Futoshiki as the report's CSP."""

    #: The number of rows.
    order: int
    #: The values of each variable, in the order in which they are tried at first.
    domains: tuple[tuple[int, ...], ...]
    #: The variables of the same row or column, in ascending order.
    neighbours: tuple[tuple[int, ...], ...]
    #: Pairs of variables whose first has the greater value.
    greater: frozenset[tuple[int, int]]

    @classmethod
    def empty(cls, order: int) -> Cells:
        """A Latin square without givens."""
        return cls.of(((None,) * order,) * order)

    @classmethod
    def of(cls, grid: Iterable[Iterable[object]], greater: Iterable[tuple[int, int]] = ()) -> Cells:
        """The problem of a grid with givens, None for an open cell."""
        rows = tuple(map(tuple, grid))
        order = len(rows)
        values = tuple(range(1, order + 1))
        domains = tuple(values if value is None else (int(str(value)),) for row in rows for value in row)
        neighbours = tuple(
            tuple(y for y in range(order * order) if y != x and (y // order == x // order or y % order == x % order))
            for x in range(order * order)
        )
        return cls(order, domains, neighbours, frozenset(greater))

    def allows(self, x: int, a: int, y: int, b: int) -> bool:
        """Whether neighbours may have these values."""
        return a != b and not ((x, y) in self.greater and a < b) and not ((y, x) in self.greater and b < a)


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found, and its counts."""

    #: The first solution; None when there is none, or when the limit came first.
    grid: Grid | None
    #: False when the limit came first.
    complete: bool
    #: As said above; values that are tried again count again.
    tried: int
    assigned: int


def backtracking(cells: Cells, *, inference: bool = False, limit: int = 10_000_000) -> Search:
    """The first solution by backtracking, with arc consistency after each assignment if `inference`.

    At most `limit` values are tried.
    """
    domains = [list(values) for values in cells.domains]
    count, order = len(domains), cells.order
    earlier = [[y for y in near if y < x] for x, near in enumerate(cells.neighbours)]
    assignment: list[int] = []  # variables are taken in order, so that the next one is the length of this
    waiting: list[Iterator[int]] = [iter(domains[0])]
    removed: list[list[Removal]] = []
    tried = assigned = 0
    while waiting:
        x = len(waiting) - 1
        if len(removed) > x:  # the value assigned last did not lead to a solution
            assignment.pop()
            _restore(domains, removed.pop())
        for value in waiting[-1]:
            if tried == limit:
                return Search(None, False, tried, assigned)
            tried += 1
            if any(not cells.allows(x, value, y, assignment[y]) for y in earlier[x]):
                continue
            assigned += 1
            removals = [(x, other) for other in domains[x] if other != value]
            domains[x] = [value]
            if inference and not _arc_consistent(cells, domains, x, removals):
                _restore(domains, removals)
                continue
            assignment.append(value)
            removed.append(removals)
            if x + 1 == count:
                grid = tuple(tuple(assignment[row * order : (row + 1) * order]) for row in range(order))
                return Search(grid, True, tried, assigned)
            waiting.append(iter(domains[x + 1]))
            break
        else:
            waiting.pop()
    return Search(None, True, tried, assigned)


def _restore(domains: list[list[int]], removals: list[Removal]) -> None:
    for x, value in removals:
        domains[x].append(value)


def _arc_consistent(cells: Cells, domains: list[list[int]], assigned: int, removals: list[Removal]) -> bool:
    """AC-3 from the arcs into one variable; False as soon as a domain is empty."""
    allows = cells.allows
    arcs = [(x, assigned) for x in cells.neighbours[assigned]]
    while arcs:
        x, y = arcs.pop()
        without = [a for a in domains[x] if not any(allows(x, a, y, b) for b in domains[y])]
        if not without:
            continue
        for a in without:
            domains[x].remove(a)
            removals.append((x, a))
        if not domains[x]:
            return False
        arcs += [(z, x) for z in cells.neighbours[x]]
    return True
