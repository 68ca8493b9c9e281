"""A layered drawing of a directed graph without circles, from left to right.

Each node stands in the column after the last of those that lead to it. Edges that pass columns have a place in each of
them. Nodes of a column are ordered by the mean place of their neighbours, and then moved towards it as far as those
beside them allow. K. Sugiyama, S. Tagawa, M. Toda, *Methods for visual understanding of hierarchical system
structures*, 1981.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

N = TypeVar("N", bound=Hashable)

#: How often the columns are ordered, and their nodes moved.
SWEEPS = 6

#: A node by its number; or the number of an edge and a column that it passes.
_Item = int | tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layered:
    """Where nodes stand and edges pass."""

    #: The column of each node, from 0.
    column: tuple[int, ...]
    #: The vertical middle of each node.
    middle: tuple[float, ...]
    #: For each edge the vertical middle of its place in each column that it passes.
    ways: tuple[tuple[float, ...], ...]


def layered(heights: Sequence[float], edges: Sequence[tuple[int, int]], gap: float, passing: float) -> Layered:
    """Lay out a graph: nodes by their heights, edges from left to right by the numbers of the nodes, without a circle.

    `gap` is the least distance between nodes of a column, `passing` the height of the place of an edge that passes one.
    """
    column = _columns(len(heights), edges)
    columns: list[list[_Item]] = [[] for _ in range(max(column, default=-1) + 1)]
    for node, of in enumerate(column):
        columns[of].append(node)
    links: dict[_Item, list[_Item]] = {node: [] for node in range(len(heights))}
    back: dict[_Item, list[_Item]] = {node: [] for node in range(len(heights))}
    for number, (start, end) in enumerate(edges):
        chain: list[_Item] = [start, *((number, of) for of in range(column[start] + 1, column[end])), end]
        for one, other in pairwise(chain):
            links.setdefault(one, []).append(other)
            back.setdefault(other, []).append(one)
        for of in range(column[start] + 1, column[end]):
            columns[of].append((number, of))
    _order(columns, links, back)
    height: dict[_Item, float] = {item: passing for some in columns for item in some}
    height.update(enumerate(heights))
    middle = _places(columns, links, back, height, gap)
    ways = tuple(
        tuple(middle[number, of] for of in range(column[start] + 1, column[end]))
        for number, (start, end) in enumerate(edges)
    )
    return Layered(tuple(column), tuple(middle[node] for node in range(len(heights))), ways)


def _columns(number: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    column, waiting = [0] * number, [0] * number
    after: list[list[int]] = [[] for _ in range(number)]
    for start, end in edges:
        after[start].append(end)
        waiting[end] += 1
    ready = [node for node in range(number) if not waiting[node]]
    while ready:
        node = ready.pop()
        for other in after[node]:
            column[other] = max(column[other], column[node] + 1)
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return column


def _order(columns: list[list[_Item]], links: Mapping[_Item, list[_Item]], back: Mapping[_Item, list[_Item]]) -> None:
    for sweep in range(SWEEPS):
        forwards = sweep % 2 == 0
        near, each = (back, columns[1:]) if forwards else (links, columns[-2::-1])
        for some in each:
            place = {item: number for other in columns for number, item in enumerate(other)}
            wanted = {item: _mean([place[one] for one in near.get(item, ())], place[item]) for item in some}
            some.sort(key=wanted.__getitem__)


def _places(columns: list[list[_Item]], links: Mapping[_Item, list[_Item]], back: Mapping[_Item, list[_Item]],
            height: Mapping[_Item, float], gap: float) -> dict[_Item, float]:
    middle: dict[_Item, float] = {}
    for some in columns:
        middle.update(_apart(some, [0.0] * len(some), height, gap))
    for sweep in range(SWEEPS + 1):
        near, each = (links, columns[::-1]) if sweep % 2 == 0 else (back, columns)
        for some in each:
            wanted = [_mean([middle[one] for one in near.get(item, ())], middle[item]) for item in some]
            middle.update(_apart(some, wanted, height, gap))
    top = min((middle[item] - height[item] / 2 for item in middle), default=0.0)
    return {item: at - top for item, at in middle.items()}


def _apart(items: Sequence[_Item], wanted: Sequence[float], height: Mapping[_Item, float],
           gap: float) -> dict[_Item, float]:
    """The middles nearest to those wanted, in this order and without overlap: isotonic regression."""
    offsets, offset = list[float](), 0.0
    for number, item in enumerate(items):
        if number:
            offset += (height[items[number - 1]] + height[item]) / 2 + gap
        offsets.append(offset)
    blocks: list[tuple[float, int]] = []  # the mean of what is wanted, and of how many
    for want, offset in zip(wanted, offsets, strict=True):
        mean, number = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, number = (before * many + mean * number) / (many + number), many + number
        blocks.append((mean, number))
    means = [mean for mean, number in blocks for _ in range(number)]
    return {item: mean + offset for item, mean, offset in zip(items, means, offsets, strict=True)}


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise
