"""Answers as pictures: diagrams and tables, several answers beside each other, with what differs lit.

>>> queens = Table("queen", ("1", "2"), (("1", ("", "x")), ("2", ("x", ""))))
>>> print(Answers("", (Answer("answer 1", (queens,)),)).text())
answer 1
queen  1  2
1         x
2      x
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import ceil, cos, hypot, pi, sin
from typing import Any, Literal

from bridge.drawing.drawable import Drawable
from bridge.drawing.layered import layered
from bridge.drawing.page import AROUND, CAPTION, CODE, Page
from bridge.drawing.shapes import HALF, attribute, label, n, rect, standalone
from bridge.drawing.themes import Mark, Theme, theme_named

Shape = Literal["ellipse", "box", "text"]
_Point = tuple[float, float]

#: The most nodes of a diagram that are drawn, and the most pixels beside each other.
MOST, WIDE = 150, 1000.0
#: No dashes.
_NONE = "none"
#: The size of the font; the height of a line, the room around text, and the gaps between nodes and between columns.
_SIZE, _LINE, _INSIDE, _GAP, _BETWEEN = 12.0, 16.0, 7.0, 14.0, 46.0


@dataclass(frozen=True, slots=True)
class Item:
    """A node of a diagram."""

    lines: tuple[str, ...]
    shape: Shape = "ellipse"
    #: Colours as SVG has them; empty for the theme's.
    fill: str = ""
    colour: str = ""
    ink: str = ""
    dashed: bool = False

    @property
    def size(self) -> _Point:
        wide = max((CODE * _SIZE * len(line) for line in self.lines), default=0.0) + 2 * _INSIDE
        round_by = 1.2 if self.shape == "ellipse" else 1.0
        return max(wide * round_by, 26.0), (max(len(self.lines), 1) * _LINE + _INSIDE) * round_by


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line between two nodes of a diagram."""

    start: str
    end: str
    text: str = ""
    #: Whether it has an arrow at its end.
    directed: bool = True
    colour: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Diagram:
    """Nodes by their names, and lines between them."""

    heading: str
    items: Mapping[str, Item]
    lines: tuple[DrawnLine, ...] = ()

    def text(self) -> Iterator[str]:
        """A node a line, and then a line each."""
        if self.heading:
            yield self.heading
        for name, item in self.items.items():
            yield f"  {', '.join(item.lines) or name}"
        for line in self.lines:
            yield f"  {line.start} {'->' if line.directed else '--'} {line.end}{f'  ({line.text})' * bool(line.text)}"

    def parts(self) -> dict[Any, object]:
        """What is drawn, by what it is: where two answers have not the same there, they differ."""
        return {**self.items, **{(one.start, one.end, one.text): one for one in self.lines}}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with their headings, under those of the columns; a cell may have several lines."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    #: Whether it is a board: its cells are squares.
    board: bool = False

    def text(self) -> Iterator[str]:
        """The table in columns."""
        table = [(self.heading, self.columns), *self.rows]
        split = [[cell.split("\n") for cell in (name, *cells)] for name, cells in table]
        wide = [max(len(line) for cell in column for line in cell) for column in zip(*split, strict=True)]
        for row in split:
            for number in range(max(map(len, row))):
                cells = (cell[number] if number < len(cell) else "" for cell in row)
                yield "  ".join(f"{cell:{width}}" for cell, width in zip(cells, wide, strict=True)).rstrip()

    def parts(self) -> dict[Any, object]:
        """The cells by row and column."""
        return {(name, column): cell for name, row in self.rows for column, cell in zip(self.columns, row, strict=True)}


Panel = Diagram | Table
#: What the panels of several answers have in common that are of one thing.
_Key = tuple[type, str]


def _key(panel: Panel) -> _Key:
    return type(panel), panel.heading


@dataclass(frozen=True, slots=True)
class OneAnswer:
    """What is drawn of one answer, under a heading."""

    heading: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class AnswersDrawing(Drawable):
    """Answers beside each other. Nodes stand at the same place in each; what not all have is lit."""

    title: str
    answers: tuple[OneAnswer, ...]

    def words(self) -> str:
        """The answers in words."""
        return self.text()

    def text(self, *, colour: bool = False) -> str:
        """Lists of nodes and lines, and tables. Without colours."""
        lines = [self.title] if self.title else []
        for answer in self.answers:
            lines += [answer.heading] if answer.heading else []
            for panel in answer.panels:
                lines += panel.text()
        return "\n".join(lines)

    def svg(self, theme: str = "light", *, legend: bool = True) -> str:
        """The answers as a standalone SVG document; with `legend`, what the light means."""
        return _Drawing(self, theme_named(theme)).svg(legend=legend)


class _Drawing:
    def __init__(self, answers: AnswersDrawing, theme: Theme) -> None:
        self.answers, self.theme = answers, theme
        self.places: dict[_Key, _Layout] = {}
        for key, same in self._by_key().items():
            found = [panel for panel in same if isinstance(panel, Diagram)]
            if found:
                items = {name: item for panel in found for name, item in panel.items.items()}
                size = {name: _largest([p.items[name].size for p in found if name in p.items]) for name in items}
                kept = dict(list(size.items())[:MOST])
                self.places[key] = _Layout(kept, [line for panel in found for line in panel.lines])

    def _by_key(self) -> dict[_Key, list[Panel]]:
        found: dict[_Key, list[Panel]] = {}
        for answer in self.answers.answers:
            for panel in answer.panels:
                found.setdefault(_key(panel), []).append(panel)
        return found

    def _differing(self) -> dict[_Key, set[object]]:
        """The parts that not all answers have alike."""
        number, found = len(self.answers.answers), dict[_Key, set[object]]()
        for of, panels in self._by_key().items():
            every = [panel.parts() for panel in panels] + [{}] * (number - len(panels))
            keys = {key for parts in every for key in parts}
            found[of] = {key for key in keys if len({parts.get(key) for parts in every}) > 1}
        return found

    def svg(self, *, legend: bool) -> str:
        theme, lit = self.theme, self._differing()
        shapes = list[str]()
        x, y, below, right = AROUND, AROUND, AROUND, 0.0
        for answer in self.answers.answers:
            wide = max([self._size(panel)[0] for panel in answer.panels], default=0.0)
            wide = max(wide, 0.7 * _SIZE * len(answer.heading))
            if x > AROUND and x + wide > WIDE:
                x, y = AROUND, below + 2 * _GAP
            high = y + _LINE * bool(answer.heading)
            shapes += [label(x, high - 4, answer.heading, _SIZE, theme.muted, bold=True, anchor="start")]
            for panel in answer.panels:
                drawn = self._diagram(panel, x, high, lit) if isinstance(panel, Diagram) else ()
                shapes += drawn or self._table(panel, x, high, lit)  # type: ignore[arg-type]
                high += self._size(panel)[1] + _GAP
            x, below, right = x + wide + 2 * _GAP, max(below, high), max(right, x + wide)
        page = Page(theme, max(right, 300.0) - AROUND, below)
        hidden = sum(len(panel.items) > MOST for panels in self._by_key().values() for panel in panels
                     if isinstance(panel, Diagram))  # fmt: skip
        page.paragraph(f"Of a diagram the first {MOST} nodes are drawn." if hidden else "", CAPTION, theme.ink)
        if legend and any(lit.values()):
            tone = theme.tones[Mark.OPEN]
            sample = lambda x, y: iter([rect(x, y - 7, 18, 14, tone.fill, tone.edge, 1.6, dashes="4 2")])  # noqa: E731
            page.samples([(sample, 18.0, "differs between the answers")])
        wide, high = ceil(max(right, 300.0) + AROUND), ceil(page.y + AROUND)
        words = self.answers.words()
        return standalone(wide, high, self.answers.title or "answers", words, [*shapes, *page.shapes], theme.paper)

    def _size(self, panel: Panel) -> _Point:
        if isinstance(panel, Diagram):
            layout = self.places[_key(panel)]
            return layout.width, layout.height + _LINE * bool(panel.heading)
        wide, high = self._cells(panel)
        return sum(wide), sum(high)

    def _cells(self, table: Table) -> tuple[list[float], list[float]]:
        """The width of each column and the height of each row, headings first."""
        every = [(table.heading, table.columns), *table.rows]
        split = [[cell.split("\n") for cell in (name, *cells)] for name, cells in every]
        wide = [max(CODE * _SIZE * len(line) for cell in column for line in cell) + 2 * _INSIDE
                for column in zip(*split, strict=True)]  # fmt: skip
        high = [max(map(len, row)) * _LINE + _INSIDE for row in split]
        if table.board:
            side = max(*wide[1:], *high[1:], 26.0)
            wide, high = [wide[0], *(side for _ in wide[1:])], [high[0], *(side for _ in high[1:])]
        return wide, high

    def _table(self, table: Table, x: float, y: float, lit: Mapping[_Key, set[object]]) -> Iterator[str]:
        theme, (wide, high) = self.theme, self._cells(table)
        tone = theme.tones[Mark.OPEN]
        for down, (name, cells) in enumerate([(table.heading, table.columns), *table.rows]):
            left = x
            for across, text in enumerate((name, *cells)):
                inner = down > 0 and across > 0
                if inner:
                    differs = (name, table.columns[across - 1]) in lit[_key(table)]
                    fill = tone.fill if differs else theme.given if text and table.board else theme.cell
                    yield rect(left, y, wide[across], high[down], fill, theme.line)
                    if differs:
                        yield rect(left + 2, y + 2, wide[across] - 4, high[down] - 4, "none", tone.edge, 1.6,
                                   dashes="4 2")  # fmt: skip
                ink = theme.ink if inner else theme.muted
                yield from _written(text.split("\n"), left + wide[across] / 2, y + high[down] / 2, ink)
                left += wide[across]
            y += high[down]

    def _diagram(self, panel: Diagram, x: float, y: float, lit: Mapping[_Key, set[object]]) -> Iterator[str]:
        theme, layout, differs = self.theme, self.places[_key(panel)], lit[_key(panel)]
        tone = theme.tones[Mark.OPEN]
        if panel.heading:
            yield label(x, y + _SIZE, panel.heading, _SIZE, theme.muted, anchor="start")
            y += _LINE
        both = {(one.end, one.start) for one in panel.lines}
        for one in panel.lines:
            if one.start not in layout.place or one.end not in layout.place:
                continue
            new = (one.start, one.end, one.text) in differs
            colour = one.colour or (tone.edge if new else theme.line)
            mutual = one.directed and one.start != one.end and (one.start, one.end) in both
            if mutual and (one.end, one.start) < (one.start, one.end) and not one.text:
                continue  # its arrow stands at the line of the other direction
            way = [(x + px, y + py) for px, py in layout.way(one, panel.items)]
            yield from _line(way, one, colour, theme, 2.2 if new else 1.3, mutual)
        for name, item in panel.items.items():
            if name in layout.place:
                middle = x + layout.place[name][0], y + layout.place[name][1]
                yield from self._item(item, middle, tone.edge if name in differs else "")

    def _item(self, item: Item, middle: _Point, lit: str) -> Iterator[str]:
        theme, (x, y), (wide, high) = self.theme, middle, item.size
        fill = item.fill or (theme.tones[Mark.OPEN].fill if lit else theme.cell)
        line, dashes = item.colour or lit or theme.heavy, "4 2" if item.dashed or lit else ""
        if item.shape == "box":
            yield rect(x - wide / 2, y - high / 2, wide, high, attribute(fill), attribute(line), 2.2 if lit else 1.3,
                       round_by=3, dashes=dashes)  # fmt: skip
        elif item.shape == "ellipse":
            look = f'fill="{attribute(fill)}" stroke="{attribute(line)}" stroke-dasharray="{dashes or _NONE}"'
            yield (
                f'<ellipse cx="{n(x)}" cy="{n(y)}" rx="{n(wide / 2)}" ry="{n(high / 2)}" {look} '
                f'stroke-width="{2.2 if lit else 1.3}"/>'
            )
        yield from _written(item.lines, x, y, attribute(item.ink or ("#1a1a1a" if item.fill else theme.ink)))


class _Layout:
    """Where the nodes of a diagram stand, and the lines go: in columns without circles, otherwise apart."""

    def __init__(self, sizes: Mapping[str, _Point], lines: Sequence[DrawnLine]) -> None:
        names = {name: number for number, name in enumerate(sizes)}
        edges = list(dict.fromkeys(
            (names[one.start], names[one.end]) for one in lines
            if one.start in names and one.end in names and one.start != one.end
        ))  # fmt: skip
        self._ways: dict[tuple[str, str], list[_Point]] = {}
        each = list(sizes.values())
        if edges and all(one.directed for one in lines) and _acyclic(edges):
            at = layered([high for _, high in each], edges, _GAP, _GAP)
            wide = [max((each[i][0] for i in range(len(each)) if at.column[i] == column), default=0.0)
                    for column in range(max(at.column) + 1)]  # fmt: skip
            middles, left = list[float](), 0.0
            for one in wide:
                middles.append(left + one / 2)
                left += one + _BETWEEN
            points = [(middles[at.column[i]], at.middle[i]) for i in range(len(each))]
            keys = list(names)
            for (start, end), ways in zip(edges, at.ways, strict=True):
                columns = range(at.column[start] + 1, at.column[end])
                self._ways[keys[start], keys[end]] = [(middles[c], way) for c, way in zip(columns, ways, strict=True)]
        else:
            points = _apart(len(each), edges, 34 + max((wide + high for wide, high in each), default=0.0) / 2)
            wider = min(3.0, max((_overlap(*points[i], *each[i], *points[j], *each[j])
                                  for i in range(len(each)) for j in range(i)), default=1.0))  # fmt: skip
            points = [(x * wider, y * wider) for x, y in points]
        lefts = [x - wide / 2 for (x, _), (wide, _) in zip(points, each, strict=True)]
        tops = [y - high / 2 for (_, y), (_, high) in zip(points, each, strict=True)]
        # Room above for the loop of a node that has one.
        loops = 18.0 if any(one.start == one.end for one in lines) else 0.0
        dx, dy = -min(lefts, default=0.0) + 2, -min(tops, default=0.0) + 2 + loops
        self.place = {name: (x + dx, y + dy) for name, (x, y) in zip(names, points, strict=True)}
        self._ways = {key: [(x + dx, y + dy) for x, y in way] for key, way in self._ways.items()}
        self.width = max((x + wide / 2 for (x, _), (wide, _) in zip(self.place.values(), each, strict=True)),
                         default=0.0) + 2  # fmt: skip
        self.height = max((y + high / 2 for (_, y), (_, high) in zip(self.place.values(), each, strict=True)),
                          default=0.0) + 2  # fmt: skip

    def way(self, line: DrawnLine, items: Mapping[str, Item]) -> list[_Point]:
        """The points of a line, from the rim of its start to that of its end."""
        start, end = self.place[line.start], self.place[line.end]
        if line.start == line.end:
            wide, high = items[line.start].size
            top = start[1] - high / 2
            return [(start[0] - wide / 6, top + 2), (start[0] - 12, top - 16), (start[0] + 12, top - 16),
                    (start[0] + wide / 6, top + 2)]  # fmt: skip
        between = self._ways.get((line.start, line.end), [])
        way = [start, *between, end]
        return [_rim(start, way[1], items[line.start]), *between, _rim(end, way[-2], items[line.end])]


def _overlap(x: float, y: float, wide: float, high: float, u: float, v: float, width: float, height: float) -> float:
    """By what the distances have to be multiplied, so that two nodes do not overlap; at least 1."""
    across, down = ((wide + width) / 2 + 8) / (abs(x - u) or 1e-9), ((high + height) / 2 + 8) / (abs(y - v) or 1e-9)
    return max(1.0, min(across, down))


def _acyclic(edges: Sequence[tuple[int, int]]) -> bool:
    order = TopologicalSorter[int]()
    for start, end in edges:
        order.add(end, start)
    try:
        order.prepare()
    except CycleError:
        return False
    return True


def _apart(number: int, edges: Sequence[tuple[int, int]], length: float) -> list[_Point]:
    """Points whose distances are those in the graph, as well as they can be: stress majorization.

    E. R. Gansner, Y. Koren, S. North, *Graph drawing by stress majorization*, 2004.
    """
    near: list[set[int]] = [set() for _ in range(number)]
    for start, end in edges:
        near[start].add(end)
        near[end].add(start)
    far = max(2.0, number**0.5)  # between parts that are not connected
    distance = [[far] * number for _ in range(number)]
    for start in range(number):
        seen, waiting = {start: 0}, deque([start])
        while waiting:
            one = waiting.popleft()
            for other in near[one] - seen.keys():
                seen[other] = seen[one] + 1
                waiting.append(other)
        for other, steps in seen.items():
            distance[start][other] = float(steps)
    # First on a circle, each beside one that it is connected with.
    order: dict[int, None] = {}
    for first in range(number):
        stack = [first]
        while stack:
            if (one := stack.pop()) not in order:
                order[one] = None
                stack += sorted(near[one] - order.keys(), reverse=True)
    points = [(0.0, 0.0)] * number
    for place, one in enumerate(order):
        angle, radius = 2 * pi * place / number, max(1.0, number / 6)
        points[one] = radius * cos(angle), radius * sin(angle)
    for _ in range(60):
        for i in range(number):
            (xi, yi), x, y, weights = points[i], 0.0, 0.0, 0.0
            for j in range(number):
                if i != j:
                    wanted, (xj, yj) = distance[i][j], points[j]
                    weight, apart = wanted**-2, hypot(xi - xj, yi - yj) or 1e-9
                    x += weight * (xj + wanted * (xi - xj) / apart)
                    y += weight * (yj + wanted * (yi - yj) / apart)
                    weights += weight
            if weights:
                points[i] = x / weights, y / weights
    return [(x * length, y * length) for x, y in points]


def _rim(middle: _Point, towards: _Point, item: Item) -> _Point:
    """Where a line from the middle of a node leaves it."""
    (x, y), (wide, high) = middle, item.size
    dx, dy = towards[0] - x, towards[1] - y
    if not dx and not dy:
        return middle
    if item.shape == "ellipse":
        share = 1 / hypot(dx / (wide / 2), dy / (high / 2))
    else:
        share = min(wide / 2 / abs(dx) if dx else 1e9, high / 2 / abs(dy) if dy else 1e9)
    return x + dx * share, y + dy * share


def _line(way: list[_Point], line: DrawnLine, colour: str, theme: Theme, weight: float, mutual: bool) -> Iterator[str]:
    points = " ".join(f"{n(x)},{n(y)}" for x, y in way)
    dashes = ' stroke-dasharray="4 2"' if line.dashed else ""
    yield f'<polyline points="{points}" fill="none" stroke="{attribute(colour)}" stroke-width="{weight}"{dashes}/>'
    if line.directed:
        yield _arrow(way[-2], way[-1], colour)
    if mutual:
        yield _arrow(way[1], way[0], colour)
    if line.text:
        (x, y), (u, v) = way[(len(way) - 1) // 2], way[(len(way) - 1) // 2 + 1]
        middle, wide = ((x + u) / 2, (y + v) / 2), CODE * 10.5 * len(line.text) + 4
        yield rect(middle[0] - wide / 2, middle[1] - 7, wide, 14, theme.paper)
        yield label(middle[0], middle[1] + HALF * 10.5, line.text, 10.5, theme.muted, code=True)


def _arrow(before: _Point, tip: _Point, colour: str) -> str:
    far = hypot(tip[0] - before[0], tip[1] - before[1]) or 1.0
    dx, dy = (tip[0] - before[0]) / far, (tip[1] - before[1]) / far
    left = tip[0] - 8 * dx - 3.5 * dy, tip[1] - 8 * dy + 3.5 * dx
    right = tip[0] - 8 * dx + 3.5 * dy, tip[1] - 8 * dy - 3.5 * dx
    points = " ".join(f"{n(x)},{n(y)}" for x, y in (tip, left, right))
    return f'<polygon points="{points}" fill="{attribute(colour)}"/>'


def _written(lines: Sequence[str], x: float, y: float, ink: str) -> Iterator[str]:
    """Lines of text around a middle."""
    y -= (len(lines) - 1) * _LINE / 2
    for line in lines:
        if line:
            yield label(x, y + HALF * _SIZE, line, _SIZE, ink, code=True)
        y += _LINE


def _largest(sizes: Sequence[_Point]) -> _Point:
    return max(wide for wide, _ in sizes), max(high for _, high in sizes)
