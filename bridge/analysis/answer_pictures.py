"""What an answer set shows, as a picture: graphs, boards, steps side by side.

>>> from bridge.asp import Program
>>> with Program("queen(1,2). queen(2,4). queen(3,1). queen(4,3).") as program:
...     print(drawn([program.first()]).text())
queen  1  2  3  4
1         x
2               x
3      x
4            x
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from os import PathLike
from typing import Any

from bridge.asp.decode import Function, encode
from bridge.asp.model import Model
from bridge.asp.reading.text import texts_of
from bridge.drawing.answers import AnswersDrawing, Diagram, DrawnLine, Item, OneAnswer, Panel, Shape, Table

#: An atom, its name and its arguments.
_Atom = tuple[str, tuple[Any, ...]]

#: The most rows and columns of a board or a table; the most steps of a plan; the most lines of atoms that are listed,
#: and in a node.
_BOARD, _STEPS, _LINES, _SAID = 60, 60, 40, 6

#: Shapes of Graphviz that are drawn as rectangles, or as text alone; others are ellipses.
_BOXES = frozenset({
    "box", "rect", "rectangle", "square", "polygon", "note", "tab", "folder", "component", "record",
    "Mrecord",
})  # fmt: skip
_BARE = frozenset({
    "plaintext", "plain", "none", "underline", "point",
})  # fmt: skip

#: What SVG takes for a colour, and what is also a constant of many programs.
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]+")
_NAMES = frozenset({
    "red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "grey", "gray", "black", "white",
    "cyan", "magenta", "violet", "gold", "lime",
})  # fmt: skip
#: Fills on which dark text cannot be read.
_DARK = frozenset({"black", "blue", "brown", "darkblue", "darkgreen", "darkred", "green", "navy", "purple", "indigo"})


def drawn(models: Sequence[Model], title: str = "") -> AnswersDrawing:
    """Answer sets beside each other; what is drawn how is said in docs/pictures.md."""
    answers = [[(name, row) for name in model for row in model[name]] for model in models]
    numbered = [f"answer {number}" if len(models) > 1 else "" for number in range(1, len(models) + 1)]
    kinds = _Kinds([atom for atoms in answers for atom in atoms], answers)
    return AnswersDrawing(
        title, tuple(OneAnswer(name, tuple(kinds.panels(atoms))) for name, atoms in zip(numbered, answers, strict=True))
    )


def rules_of(sources: Iterable[str | PathLike[str]]) -> str:
    """The statements under `#program picture.`: rules from the atoms of an answer to what is drawn."""
    return "\n".join(
        text for one in texts_of(sources) for part, text in one.keys if part.replace(" ", "") == "#programpicture."
    )


class _Kinds:
    """How the atoms of each predicate are drawn, in all answers alike."""

    def __init__(self, every: list[_Atom], answers: list[list[_Atom]]) -> None:
        styled = any(name == "attr" and len(row) == 4 for name, row in every)
        self.attributes = styled and any(map(_is_drawn, every))
        self.nodes = _nodes(every)
        self.boards, self.plans = set[tuple[str, int]](), set[tuple[str, int]]()
        self.steps: list[int] = []
        for (name, arity), rows in _by_predicate(every):
            if self._is_of_graph(name, rows):
                continue
            ints = [all(type(row[i]) is int for row in rows) for i in range(arity)]
            if arity in (2, 3) and all(ints[:2]) and all(_one_a_place(atoms, name, arity) for atoms in answers):
                spans = [{row[i] for row in rows} for i in (0, 1)]
                if all(max(span) - min(span) < _BOARD for span in spans):
                    self.boards.add((name, arity))
            elif arity > 1 and ints[-1] and not any(ints[:-1]):
                self.plans.add((name, arity))
                self.steps += [row[-1] for row in rows]
        if len({*self.steps}) > _STEPS:
            self.plans.clear()
        self.spans = {
            predicate: [(min(row[i] for row in rows), max(row[i] for row in rows)) for i in (0, 1)]
            for predicate, rows in _by_predicate(every) if predicate in self.boards
        }  # fmt: skip

    def _is_of_graph(self, name: str, rows: Iterable[tuple[Any, ...]]) -> bool:
        if self.attributes:
            return name in ("node", "edge", "attr", "graph")
        return bool(self.nodes) and (
            name in ("node", "edge") or all(0 < len(row) <= 2 and _text(row[0]) in self.nodes for row in rows)
        )

    def panels(self, atoms: list[_Atom]) -> Iterator[Panel]:
        """What is drawn of the atoms of one answer."""
        of_graph, rest = list[_Atom](), list[_Atom]()
        for (name, _), rows in _by_predicate(atoms):
            (of_graph if self._is_of_graph(name, rows) else rest).extend((name, row) for row in rows)
        if self.attributes:
            yield from _with_attributes(of_graph)
            return  # whoever says how to draw it says what
        if self.nodes:
            yield _graph(of_graph, self.nodes)
        plan, others = dict[tuple[str, int], list[str]](), list[str]()
        for predicate, rows in _by_predicate(rest):
            name = predicate[0]
            if predicate in self.boards:
                yield _board(name, rows, *self.spans[predicate])
            elif predicate in self.plans:
                for row in rows:
                    plan.setdefault((name, row[-1]), []).append(", ".join(map(_text, row[:-1])))
            elif predicate[1] == 2 and len(rows) <= _BOARD:
                yield _pairs(name, rows)
            else:
                others += [f"{name}({','.join(map(_text, row))})" if row else name for row in rows]
        if plan:
            yield _plan(plan, range(min(self.steps), max(self.steps) + 1))
        if others:
            more = [f"... and {len(others) - _LINES} more"] if len(others) > _LINES else []
            yield Table("", (), tuple((one, ()) for one in [*others[:_LINES], *more]))


def _by_predicate(atoms: Iterable[_Atom]) -> Iterator[tuple[tuple[str, int], list[tuple[Any, ...]]]]:
    key = lambda atom: (atom[0], len(atom[1]))  # noqa: E731
    for predicate, some in groupby(sorted(atoms, key=key), key):
        yield predicate, [row for _, row in some]


def _text(value: Any) -> str:
    """A term as it is written in a picture: strings without quotes."""
    return str(value) if isinstance(value, str) else encode(value)


def _one_a_place(atoms: Sequence[_Atom], name: str, arity: int) -> bool:
    places = [row[:2] for other, row in atoms if other == name and len(row) == arity]
    return len({*places}) == len(places)


def _board(name: str, rows: Sequence[tuple[Any, ...]], down: tuple[int, int], across: tuple[int, int]) -> Table:
    """`queen(R, C)` or `cell(R, C, V)`: the first argument is the row."""
    at = {row[:2]: _text(row[2]) if len(row) == 3 else "x" for row in rows}
    columns = range(across[0], across[1] + 1)
    lines = [(str(r), tuple(at.get((r, c), "") for c in columns)) for r in range(down[0], down[1] + 1)]
    return Table(name, tuple(map(str, columns)), tuple(lines), board=True)


def _pairs(name: str, rows: Sequence[tuple[Any, ...]]) -> Table:
    """`colour(R, C)`: what is said of each first argument."""
    said: dict[str, list[str]] = {}
    for one, other in sorted(rows, key=lambda row: encode(row[0])):
        said.setdefault(_text(one), []).append(_text(other))
    return Table(name, ("",), tuple((one, ("\n".join(values),)) for one, values in said.items()))


def _plan(plan: dict[tuple[str, int], list[str]], steps: range) -> Table:
    """`occurs(move(a,b), 1)`: what the last argument counts, side by side."""
    names = dict.fromkeys(name for name, _ in plan)
    lines = [(name, tuple("\n".join(plan.get((name, step), [])) for step in steps)) for name in names]
    return Table("step", tuple(map(str, steps)), tuple(lines))


# Graphs of plain facts: nodes, edges, and what other predicates say of them


def _nodes(atoms: Sequence[_Atom]) -> dict[str, None]:
    """The nodes, where the atoms are of a graph: `node(X)` and `edge(X, Y)`."""
    found = [row[:1] for name, row in atoms if name == "node" and len(row) == 1]
    found += [row[:2] for name, row in atoms if name == "edge" and len(row) in (2, 3)]
    return dict.fromkeys(_text(one) for row in found for one in row)


def _graph(atoms: Sequence[_Atom], nodes: dict[str, None]) -> Diagram:
    """Edges as lines, with a weight; other pairs of nodes as lines with their name; the rest is said in the nodes."""
    said: dict[str, list[str]] = {one: [one] for one in nodes}
    fills, lines = dict[str, str](), list[DrawnLine]()
    for name, row in atoms:
        terms = [_text(one) for one in row]
        if name == "node" and len(row) == 1:
            continue
        if len(row) > 1 and terms[1] in nodes:
            text = ",".join(terms[2:]) if name == "edge" else name
            lines.append(DrawnLine(terms[0], terms[1], text, colour="" if name == "edge" else "#c24a00"))
        elif terms[0] in said:
            said[terms[0]].append(",".join(terms[1:]) or name)
            if len(row) == 2 and terms[1] in _NAMES:
                fills[terms[0]] = terms[1]
    named = {(line.start, line.end) for line in lines if line.text}
    lines = [line for line in lines if line.text or (line.start, line.end) not in named]
    pairs = {(line.start, line.end) for line in lines}
    if all((line.end, line.start) in pairs for line in lines):
        lines = [replace(line, directed=False) for line in lines if line.start <= line.end]
    short = {one: text if len(text) <= _SAID else [*text[:_SAID], "..."] for one, text in said.items()}
    items = {one: Item(tuple(text), fill=(fill := fills.get(one, "")), ink=_ink(fill)) for one, text in short.items()}
    return Diagram("", items, tuple(lines))


def _ink(fill: str) -> str:
    """A colour that can be read on another one; the theme's where that is not dark."""
    return "white" if fill in _DARK else ""


# Graphs of clingraph's facts: S. Hahn, O. Sabuncu, T. Schaub, T. Stolzmann, *Clingraph: a system for ASP-based
# visualization*, 2024. `node(X, graph)`, `edge((X, Y), graph)`, `attr(node, X, label, "text")`


def _is_drawn(atom: _Atom) -> bool:
    name, row = atom
    pair = bool(row) and isinstance(row[0], tuple) and len(row[0]) == 2 and not isinstance(row[0], Function)
    return len(row) in (1, 2) and (name == "node" or (name == "edge" and pair))


def _with_attributes(atoms: Sequence[_Atom]) -> Iterator[Diagram]:
    above = {_text(row[0]): _text(row[1]) for name, row in atoms if name == "graph" and len(row) == 2}
    attributes: dict[tuple[str, str], dict[str, list[tuple[str, Any]]]] = {}
    for name, row in atoms:
        if name == "attr" and len(row) == 4:
            what, key = row[2] if isinstance(row[2], tuple) and len(row[2]) == 2 else (row[2], "")
            if isinstance(row[2], Function):
                what, key = row[2], ""
            said = attributes.setdefault((_text(row[0]), _text(row[1])), {})
            said.setdefault(_text(what), []).append((_text(key), row[3]))

    def look(kind: str, of: Any, graph: str) -> dict[str, str]:
        every = {**attributes.get((f"{kind}s", graph), {}), **attributes.get((f"graph_{kind}s", graph), {})}
        return {name: _filled(parts) for name, parts in (every | attributes.get((kind, _text(of)), {})).items()}

    def root(graph: str) -> str:
        seen = set[str]()
        while graph in above and graph not in seen:
            seen.add(graph)
            graph = above[graph]
        return graph

    items: dict[str, dict[str, Item]] = {}
    lines: dict[str, list[DrawnLine]] = {}
    for name, row in atoms:
        if not _is_drawn((name, row)):
            continue
        graph = _text(row[1]) if len(row) == 2 else "default"
        if name == "node":
            items.setdefault(root(graph), {})[_text(row[0])] = _item(_text(row[0]), look("node", row[0], graph))
        else:
            (start, end), styled = map(_text, row[0]), look("edge", row[0], graph)
            directed = styled.get("dir", "none") != "none"
            dashed = "dash" in styled.get("style", "") or "dotted" in styled.get("style", "")
            lines.setdefault(root(graph), []).append(
                DrawnLine(start, end, styled.get("label", ""), directed, _colour(styled.get("color", "")), dashed)
            )
    for graph in dict.fromkeys([*items, *lines]):
        nodes = items.get(graph, {})
        for line in lines.get(graph, []):
            for one in (line.start, line.end):
                nodes.setdefault(one, _item(one, look("node", one, graph)))
        heading = _filled(attributes.get(("graph", graph), {}).get("label", [])) or graph
        kept = {one if one.directed else (*sorted((one.start, one.end)), one.text): one for one in lines.get(graph, [])}
        yield Diagram("" if heading == "default" else heading, nodes, tuple(kept.values()))


def _item(name: str, look: dict[str, str]) -> Item:
    wanted = look.get("shape", "ellipse")
    shape: Shape = "box" if wanted in _BOXES else "text" if wanted in _BARE else "ellipse"
    style, colour = look.get("style", ""), _colour(look.get("color", ""))
    fill = _colour(look.get("fillcolor", "")) or (colour if "filled" in style else "")
    lines = tuple(re.sub(r"\\[nlr]", "\n", look.get("label", name)).splitlines()) or ("",)
    ink = _colour(look.get("fontcolor", "")) or _ink(fill)
    return Item(lines, shape, fill, colour, ink, "dash" in style or "dotted" in style)


def _filled(parts: Sequence[tuple[str, Any]]) -> str:
    """The value of an attribute: a template with its `{{ variables }}`, or all that is said, one after the other."""
    plain = [_text(value) for key, value in parts if not key]
    named = {key: _text(value) for key, value in parts if key}
    if any("{{" in one for one in plain):
        return re.sub(r"\{\{\s*(\w+)\s*\}\}", lambda found: named.get(found[1], ""), "".join(plain))
    return "".join([*plain, *named.values()])


def _colour(text: str) -> str:
    """A colour that SVG knows; Graphviz numbers shades of it (`red3`)."""
    bare = re.sub(r"\d+$", "", text) if not text.startswith("#") else text
    return bare if _COLOUR.fullmatch(bare) else ""
