"""A derivation as a picture: boxes, and lines that lead from what holds to what it rests on.

    >>> nodes = (Node("p", "a.lp:2", needs=("q",)), Node("q", "a.lp:1", role="fact"))
    >>> print(Graph("p", nodes).text())
    p
    p  (by a.lp:2)
      q  (fact a.lp:1)

It is read from left to right. Facts, and what is not explained further, stand beside each node that needs them; any
other node stands there once.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Literal

from bridge.drawing.drawable import Drawable
from bridge.drawing.layered import Layered, layered
from bridge.drawing.page import AROUND, CODE, WRITTEN, Note, Page, Sample
from bridge.drawing.shapes import escape, label, n, rect, standalone
from bridge.drawing.themes import Mark, Theme, theme_named

#: How a node holds; `other` where that is not known.
Role = Literal["rule", "fact", "choice", "other"]

#: The most nodes that are drawn, those first that are nearest to what the whole is about.
MOST = 150

#: Sizes of fonts; characters of a line, and lines, in a box; the margin in a box, and the gaps between boxes.
_NAME, _SMALL = 12.0, 10.5
_LONGEST, _LINES = 36, 4
_INSIDE, _GAP, _BETWEEN = 7.0, 10.0, 54.0

_WORDS = {"rule": "by", "fact": "fact", "choice": "chosen", "other": ""}
_MEANINGS: dict[Role, str] = {
    "rule": "a rule",
    "choice": "a free choice",
    "fact": "a fact",
    "other": "not explained further",
}


@dataclass(frozen=True, slots=True)
class Node:
    """Something that holds, and by what."""

    #: An atom, a goal, or a sentence.
    name: str
    #: File and line of the rule, with the values of its variables.
    where: str = ""
    #: How it holds.
    role: Role = "rule"
    #: The nodes that it rests on, by name or key.
    needs: tuple[str, ...] = ()
    #: What must not hold for it, and does not: `not closed(2)`.
    absent: tuple[str, ...] = ()
    #: What `needs` of other nodes calls it, where several have the same name.
    key: str = ""

    @property
    def id(self) -> str:
        """What `needs` of other nodes calls it."""
        return self.key or self.name

    @property
    def by(self) -> str:
        """`by rooms.lp:3 with X = 1`; empty where there is nothing to say."""
        return f"{_WORDS[self.role]} {self.where}".strip() if self.where else ""


@dataclass(frozen=True, slots=True)
class Graph(Drawable):
    """A graph of reasons: each node with the nodes from which it follows."""

    title: str
    #: The first is what is explained. What a node needs, and is not in the graph, is drawn without an explanation.
    nodes: tuple[Node, ...]
    #: A sentence below the drawing.
    caption: str = ""
    #: Lines below it: the text of the rules.
    notes: tuple[Note, ...] = ()

    def words(self) -> str:
        """The graph in words, a node a line."""
        lines = [f"{self.title}." if not self.title.endswith(".") else self.title, self.caption]
        names = {node.id: node.name for node in self.nodes}
        for node in self.nodes:
            needs = [*(names.get(other, other) for other in dict.fromkeys(node.needs)), *node.absent]
            parts = [node.name, node.by, f"needs {', '.join(needs)}" if needs else ""]
            lines.append(f"{', '.join(filter(None, parts))}.")
        lines += [f"{note.heading}: {'; '.join(line.strip() for line in note.lines)}." for note in self.notes]
        return "\n".join(line for line in lines if line)

    def text(self, *, colour: bool = False) -> str:
        """The graph as a tree in characters; what was shown before is not shown again. Without colours."""
        lines = [self.title, *self._tree()]
        lines += [self.caption] if self.caption else []
        for note in self.notes:
            lines += [f"{note.heading}:", *(f"  {line}" for line in note.lines)]
        return "\n".join(lines)

    def _tree(self) -> Iterator[str]:
        by_id = {node.id: node for node in self.nodes}
        shown = set[str]()
        waiting = [(self.nodes[0].id, 0)] if self.nodes else []
        while waiting:
            of, depth = waiting.pop()
            node = by_id.get(of, Node(of, role="other"))
            if of in shown and node.needs:
                yield f"{'  ' * depth}{node.name}  (see above)"
                continue
            shown.add(of)
            reason = ", ".join(part for part in (node.by, *node.absent) if part)
            yield f"{'  ' * depth}{node.name}{f'  ({reason})' if reason else ''}"
            waiting += [(other, depth + 1) for other in reversed(dict.fromkeys(node.needs))]

    def dot(self) -> str:
        """The graph for Graphviz: an arrow leads from each node to those that it rests on."""
        lines = [f"digraph {_quoted(self.title)} {{", "  node [shape=box, fontname=monospace];"]
        for node in self.nodes:
            style = ', style="rounded"' if node.role == "choice" else ""
            name = f"label={_quoted(node.name)}, " if node.key else ""
            lines.append(f"  {_quoted(node.id)} [{name}tooltip={_quoted(node.where)}{style}];")
            lines += [f"  {_quoted(node.id)} -> {_quoted(other)};" for other in dict.fromkeys(node.needs)]
            lines += [f"  {_quoted(node.id)} -> {_quoted(other)} [style=dashed];" for other in node.absent]
        return "\n".join([*lines, "}"])

    def svg(self, theme: str = "light", *, legend: bool = True) -> str:
        """The graph as a standalone SVG document; with `legend`, the meaning of the frames."""
        return _Drawing(self, theme_named(theme)).svg(legend=legend)


class _Box:
    """A node with the lines that are written in it."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.name = _wrapped(node.name)
        self.small = [*_wrapped(node.where), *_wrapped(", ".join(node.absent))]
        sizes = [(_NAME, line) for line in self.name] + [(_SMALL, line) for line in self.small]
        self.width = max(CODE * size * len(line) for size, line in sizes) + 2 * _INSIDE
        self.height = (len(self.name) * _NAME + len(self.small) * _SMALL) * 1.32 + 2 * _INSIDE - 3

    def shapes(self, x: float, y: float, theme: Theme, first: bool) -> Iterator[str]:
        """The box with its left side and its upper side here."""
        tooltip = ", ".join(filter(None, (self.node.name, self.node.by, *self.node.absent)))
        yield f"<g><title>{escape(tooltip)}</title>"
        yield from _frame(x, y, self.width, self.height, self.node.role, theme, first)
        ink, y = theme.ink, y + _INSIDE - 3
        for line in self.name:
            y += _NAME * 1.32
            yield label(x + _INSIDE, y, line, _NAME, ink, anchor="start", code=True, bold=first)
        for line in self.small:
            y += _SMALL * 1.32
            yield label(x + _INSIDE, y, line, _SMALL, ink, anchor="start", code=True, italic=True)
        yield "</g>"


class _Drawing:
    def __init__(self, graph: Graph, theme: Theme) -> None:
        self.graph, self.theme = graph, theme
        self.boxes: list[_Box] = []
        self.edges: list[tuple[int, int]] = []
        self.left_out = 0
        self._choose()

    def _choose(self) -> None:
        """Boxes and edges, breadth first, as many as are drawn."""
        by_id = {node.id: node for node in self.graph.nodes}
        number: dict[str, int] = {}
        waiting: list[tuple[str, int | None]] = [(self.graph.nodes[0].id, None)] if self.graph.nodes else []
        for of, above in waiting:  # it grows
            node = by_id.get(of, Node(of, role="other"))
            here = number.get(of)
            if here is None:
                if len(self.boxes) >= MOST:
                    self.left_out += 1
                    continue
                here = len(self.boxes)
                self.boxes.append(_Box(node))
                if node.role in ("rule", "choice"):
                    number[of] = here
                waiting += [(other, here) for other in dict.fromkeys(node.needs)]
            if above is not None:
                self.edges.append((above, here))

    def svg(self, *, legend: bool) -> str:
        placed = layered([box.height for box in self.boxes], self.edges, _GAP, _GAP)
        lefts, high = self._lefts(placed), 0.0
        shapes = list(self._lines(placed, lefts))
        for number, box in enumerate(self.boxes):
            x, middle = lefts[placed.column[number]], placed.middle[number] + AROUND
            shapes += box.shapes(x, middle - box.height / 2, self.theme, number == 0)
            high = max(high, middle + box.height / 2)
        drawn = max((lefts[placed.column[i]] + box.width for i, box in enumerate(self.boxes)), default=0.0) + AROUND
        wide = max(drawn, WRITTEN)
        page = Page(self.theme, min(wide, 2 * WRITTEN) - 2 * AROUND, high + 8)
        caption = self.graph.caption
        if self.left_out:
            caption = f"{caption} {self.left_out} further places are not drawn.".strip()
        page.paragraph(caption, 13.0, self.theme.ink)
        if legend:
            page.samples(self._samples())
        for note in self.graph.notes:
            page.note(note)
        words, every = self.graph.words(), [*shapes, *page.shapes]
        return standalone(ceil(wide), ceil(page.y + AROUND), self.graph.title, words, every, self.theme.paper)

    def _lefts(self, placed: Layered) -> list[float]:
        """Where each column begins."""
        wide = [0.0] * (max(placed.column, default=-1) + 1)
        for number, box in enumerate(self.boxes):
            wide[placed.column[number]] = max(wide[placed.column[number]], box.width)
        lefts, x = list[float](), AROUND
        for width in wide:
            lefts.append(x)
            x += width + _BETWEEN
        self._widths = wide
        return lefts

    def _lines(self, placed: Layered, lefts: list[float]) -> Iterator[str]:
        """A line for each edge, and a point where lines come to what rests on them."""
        colour = self.theme.line
        for number, (start, end) in enumerate(self.edges):
            column, box = placed.column[start], self.boxes[start]
            x, y = lefts[column] + box.width + 7, placed.middle[start] + AROUND
            path = f"M{n(x)} {n(y)}"
            if box.width < self._widths[column]:
                x = lefts[column] + self._widths[column]
                path += f"H{n(x)}"
            for passed, middle in enumerate(placed.ways[number], column + 1):
                path += _bend(x, y, lefts[passed], middle + AROUND)
                x, y = lefts[passed] + self._widths[passed], middle + AROUND
                path += f"H{n(x)}"
            path += _bend(x, y, lefts[placed.column[end]], placed.middle[end] + AROUND)
            yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.3"/>'
        for start in dict.fromkeys(start for start, _ in self.edges):
            x, y = lefts[placed.column[start]] + self.boxes[start].width + 1, placed.middle[start] + AROUND
            yield f'<path d="M{n(x)} {n(y)}l8 -4.5v9z" fill="{self.theme.muted}"/>'

    def _samples(self) -> list[tuple[Sample, float, str]]:
        roles = {box.node.role for box in self.boxes[1:]}
        first = (self._sample("rule", first=True), 26.0, "what is explained")
        return [first, *((self._sample(role), 26.0, _MEANINGS[role]) for role in _MEANINGS if role in roles)]

    def _sample(self, role: Role, *, first: bool = False) -> Sample:
        return lambda x, y: _frame(x, y - 7, 26, 14, role, self.theme, first)


def _frame(x: float, y: float, width: float, height: float, role: Role, theme: Theme, first: bool) -> Iterator[str]:
    """The frame of a node: round for a rule, dashed for a choice, filled for a fact, bold for the first."""
    if first:
        tone = theme.tones[Mark.NEW]
        yield rect(x, y, width, height, tone.fill, tone.edge, 2.4, round_by=6)
    elif role == "choice":
        tone = theme.tones[Mark.OPEN]
        yield rect(x, y, width, height, tone.fill, tone.edge, 1.6, round_by=6, dashes="5 3")
    elif role == "fact":
        yield rect(x, y, width, height, theme.given, theme.line, 1)
    elif role == "other":
        yield rect(x, y, width, height, theme.paper, theme.muted, 1, dashes="1.5 2.5")
    else:
        yield rect(x, y, width, height, theme.cell, theme.tones[Mark.USED].edge, 1.4, round_by=6)


def _bend(x: float, y: float, x1: float, y1: float) -> str:
    half = (x1 - x) / 2
    return f"C{n(x + half)} {n(y)} {n(x1 - half)} {n(y1)} {n(x1)} {n(y1)}"


def _wrapped(text: str) -> list[str]:
    lines = textwrap.wrap(text, _LONGEST)
    return lines if len(lines) <= _LINES else [*lines[: _LINES - 1], f"{lines[_LINES - 1][: _LONGEST - 4]} ..."]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
