"""A picture as a standalone SVG file, with a title and a description in words.

Only plain shapes and text, which every viewer shows alike: no scripts, no styles, no fonts of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import ceil

from bridge.drawing import (
    AROUND,
    BYLINE,
    CAPTION,
    HALF,
    HEADING,
    ID,
    RUNNING,
    WRITTEN,
    Mark,
    Page,
    Sample,
    Theme,
    label,
    n,
    rect,
    standalone,
)
from bridge.puzzles.kinds.rules import Cell, components, neighbours
from bridge.puzzles.render.board import Lit, Scene
from bridge.puzzles.render.decoration import outside, over, under
from bridge.puzzles.render.layout import NAME, Layout, corners, is_rectangle
from bridge.puzzles.render.marks import Shade, bow, candidate, chevron, circle, line, mark_edge, pattern
from bridge.puzzles.render.terminal import described, summary

#: The outlines of highlighted rules: adjacent ones differ in dashes and position.
DASHES = ("", "8 3", "2.5 2.5")


def svg(picture: Scene, theme: Theme, *, legend: bool = True) -> str:
    """The picture as SVG; the legend, below the board, explains colours, patterns and sizes."""
    layout = Layout(picture)
    drawn = _Drawing(picture, theme, layout)
    board = [part for draw in drawn.layers() for part in draw]
    written, height, wide = below(picture, theme, layout, legend=legend)
    wide = ceil(max(wide, layout.board_width, heading_width(picture)))
    shift = (wide - layout.board_width) / 2
    title, top = heading(picture, theme, wide)
    height = ceil(height + top)
    shapes = [
        "<defs>",
        *(pattern(mark, tone) for mark, tone in theme.tones.items()),
        "</defs>",
        f'<rect width="{n(wide)}" height="{n(height)}" fill="{theme.paper}"/>',
        *title,
        f'<g transform="translate({n(shift)} {n(top)})">' if shift or top else "<g>",
        *board,
        "</g>",
        *([f'<g transform="translate(0 {n(top)})">', *written, "</g>"] if top else written),
    ]
    return standalone(wide, height, summary(picture), described(picture), shapes)


class _Drawing:
    """A board on its way: each method yields shapes, from the ground up."""

    def __init__(self, picture: Scene, theme: Theme, layout: Layout) -> None:
        self.picture, self.theme, self.layout = picture, theme, layout
        self.board = picture.board

    def layers(self) -> Iterator[Iterator[str]]:
        if self.board.lattice:
            yield lattice(self.picture, self.theme, self.layout, named=self.picture.numbered)
            yield outside(self.board, self.theme, self.layout)
            return
        yield self._grounds()
        yield under(self.picture, self.theme, self.layout)
        yield self._frames() if self.board.spaced else self._lines()
        yield over(self.picture, self.theme, self.layout)
        yield self._edges()
        yield self._outlines()
        yield self._signs()
        yield self._values()
        yield self._candidates()
        yield self._corners()
        yield outside(self.board, self.theme, self.layout)
        yield self._coordinates()

    def _grounds(self) -> Iterator[str]:
        side = self.layout.side
        for cell in [*self.picture.cells(), *sorted(self.board.black)]:
            x, y = self.layout.x(cell[1]), self.layout.y(cell[0])
            if cell in self.board.black:
                yield rect(x, y, side, side, self.theme.black)
            elif mark := self.picture.marks.get(cell):
                yield rect(x, y, side, side, f"url(#{ID}-{mark})")
            elif cell in self.picture.givens:
                yield rect(x, y, side, side, self.theme.given)
            elif self.theme.cell != self.theme.paper:
                yield rect(x, y, side, side, self.theme.cell)

    def _frames(self) -> Iterator[str]:
        """A square for each cell of a spaced board."""
        side = self.layout.side
        for r, c in self.picture.cells():
            x, y = self.layout.x(c), self.layout.y(r)
            yield rect(x, y, side, side, "none", self.theme.heavy, 1.6, round_by=2)

    def _lines(self) -> Iterator[str]:
        """Thin lines between cells, heavy ones between boxes and around everything."""
        region = {cell: number for number, cells in enumerate(self.board.boxes) for cell in cells}
        thin, heavy = [], []
        for cell in self.picture.cells():
            for side, other in enumerate(neighbours(cell)):
                outside = not (0 < other[0] <= self.board.rows and 0 < other[1] <= self.board.columns)
                if outside or region.get(cell) != region.get(other, region.get(cell)):
                    heavy.append(edge_of(self.layout, cell, side))
                elif other > cell or other in self.board.black:
                    thin.append(edge_of(self.layout, cell, side))
        yield from _path(dict.fromkeys(thin), self.theme.line, 1)
        yield from _path(dict.fromkeys(heavy), self.theme.heavy, 2.4)
        if self.board.black:
            x, y = self.layout.left, self.layout.top
            yield rect(x, y, self.layout.right - x, self.layout.bottom - y, "none", self.theme.heavy, 2.4)

    def _edges(self) -> Iterator[str]:
        """The edges of marked cells; each mark has its own weight."""
        side = self.layout.side
        for cell, mark in self.picture.marks.items():
            x, y, edge = self.layout.x(cell[1]), self.layout.y(cell[0]), self.theme.tones[mark].edge
            yield from mark_edge(x, y, side, mark, edge)

    def _outlines(self) -> Iterator[str]:
        signs = {sign.rule for sign in self.board.signs}
        outlined = [rule for rule in self.picture.lit if rule.cells and rule.name not in signs]
        for number, rule in enumerate(outlined):
            yield from self._outline(rule, number)

    def _outline(self, rule: Lit, number: int) -> Iterator[str]:
        colour, dashes = self.theme.tones[rule.mark].edge, DASHES[number % 3]
        inset = 3.2 + 2.6 * (number % 3)
        groups = components(rule.cells)
        if len(groups) > 2 and all(len(group) == 1 for group in groups):  # a diagonal
            first, last = self.layout.middle(rule.cells[0]), self.layout.middle(rule.cells[-1])
            yield line(*first, *last, colour, 9, opacity=0.3)
            yield line(*first, *last, colour, 1.6, dashes=dashes)
            return
        for group in groups:
            if is_rectangle(group):
                (top, left), (bottom, right) = corners(group)
                x, y = self.layout.x(left) + inset, self.layout.y(top) + inset
                wide = self.layout.x(right) + self.layout.side - inset - x
                high = self.layout.y(bottom) + self.layout.side - inset - y
                yield rect(x, y, wide, high, "none", colour, 2, round_by=5, dashes=dashes)
            else:
                inside = set(group)
                edges = {
                    edge_of(self.layout, cell, side): None
                    for cell in group
                    for side, other in enumerate(neighbours(cell))
                    if other not in inside
                }
                yield from _path(edges, colour, 3)

    def _signs(self) -> Iterator[str]:
        """Wedges that point to the smaller cell; between distant cells, in the middle of a curve."""
        lit = {rule.name: rule.mark for rule in self.picture.lit}
        for sign in self.board.signs:
            mark = lit.get(sign.rule)
            colour = self.theme.tones[mark].edge if mark else self.theme.ink
            x, y = self.layout.middle(sign.smaller)
            x1, y1 = self.layout.middle(sign.greater)
            if not sign.beside:
                how = (colour, 2.2) if mark else (self.theme.muted, 1.2)
                yield from bow(x, y, x1, y1, *how, self.layout.side)
                continue
            if mark:
                yield circle((x + x1) / 2, (y + y1) / 2, 8.6, self.theme.tones[mark].fill, colour)
            yield chevron((x + x1) / 2, (y + y1) / 2, x1 - x, y1 - y, colour, 2.6 if mark else 1.9, 8.4)

    def _values(self) -> Iterator[str]:
        size = self.layout.value_size
        for cell in self.picture.cells():
            value = self.picture.value(cell)
            if value is None or value in self.board.paint:
                continue
            x, y = self.layout.middle(cell)
            given, mark = cell in self.picture.givens, self.picture.marks.get(cell)
            colour = self.theme.ink if given or mark else self.theme.solved
            bold = given or mark is Mark.NEW
            drop = 3 if self.board.numbers or self.board.corners else 0
            yield label(x, y + drop + HALF * size, self.picture.shown(value), size, colour, bold=bold)

    def _candidates(self) -> Iterator[str]:
        size, mixed = self.layout.candidate_size, {Shade.EXACT, Shade.PROPAGATED} <= self.picture.shades
        for cell, of_cell in self.picture.candidates.items():
            if self.picture.value(cell) is not None:
                continue
            mark = self.picture.marks.get(cell)
            for value, x, y in self.layout.candidate_places(cell, list(of_cell)):
                shown = self.picture.shown(value)
                yield from candidate(x, y, shown, size, of_cell[value], self.theme, mixed=mixed, lit=mark is not None)

    def _corners(self) -> Iterator[str]:
        side = self.layout.side
        for cell, number in self.board.numbers.items():
            x, y = self.layout.x(cell[1]), self.layout.y(cell[0])
            yield label(x + 4, y + 11.5, number, 9.5, self._quiet(cell), anchor="start")
        for cell, tag in self.picture.tags.items():
            x, y = self.layout.x(cell[1]), self.layout.y(cell[0])
            yield label(x + side - 4.5, y + side - 4.5, tag, 9, self._quiet(cell), anchor="end", italic=True)

    def _quiet(self, cell: Cell) -> str:
        return self.theme.ink if cell in self.picture.marks else self.theme.muted

    def _coordinates(self) -> Iterator[str]:
        for r in range(1, self.board.rows + 1):
            y = self.layout.middle((r, 1))[1]
            x, name = self.layout.left - self.layout.outside("left"), self.board.headings.get(("row", r))
            if name is not None:
                yield label(x - 6, y + HALF * NAME, name, NAME, self.theme.ink, anchor="end")
            elif self.picture.numbered:
                yield label(x - 12, y + HALF * 9.5, str(r), 9.5, self.theme.muted)
        for c in range(1, self.board.columns + 1):
            x = self.layout.middle((1, c))[0]
            name = self.board.headings.get(("column", c))
            size, colour = (9.5, self.theme.muted) if name is None else (NAME, self.theme.ink)
            if name is not None or self.picture.numbered:
                yield label(x, AROUND + 9, str(c) if name is None else name, size, colour)


Edge = tuple[float, float, float, float]


def edge_of(layout: Layout, cell: Cell, side: int) -> Edge:
    """The upper, right, lower or left edge of a cell."""
    x, y, length = layout.x(cell[1]), layout.y(cell[0]), layout.side
    upper, lower = (x, y, x + length, y), (x, y + length, x + length, y + length)
    right, left = (x + length, y, x + length, y + length), (x, y, x, y + length)
    return (upper, right, lower, left)[side]


def _path(edges: dict[Edge, None], colour: str, weight: float) -> Iterator[str]:
    if edges:
        path = "".join(f"M{n(x)} {n(y)}L{n(x1)} {n(y1)}" for x, y, x1, y1 in edges)
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{weight}" stroke-linecap="square"/>'


def boxes(picture: Scene, theme: Theme, layout: Layout) -> Iterator[str]:
    """The heavy lines between regions."""
    region = {cell: number for number, cells in enumerate(picture.board.boxes) for cell in cells}
    heavy = [
        edge_of(layout, cell, side)
        for cell in picture.cells()
        for side, other in enumerate(neighbours(cell))
        if other in region and region.get(cell) != region[other]
    ]
    yield from _path(dict.fromkeys(heavy), theme.heavy, 2.4)


MEANINGS = {
    Mark.USED: "used by this step",
    Mark.NEW: "concluded",
    Mark.CLASH: "clashes",
    Mark.OPEN: "differs between solutions",
}


def below(picture: Scene, theme: Theme, layout: Layout, *, legend: bool) -> tuple[list[str], float, float]:
    """The shapes, the height of the whole picture, and the width of this part."""
    samples = _samples(picture, theme) if legend else []
    if not (picture.caption or picture.board.remark or samples or picture.notes or picture.lists):
        return [], layout.below + AROUND, 0
    wide = max(layout.board_width, WRITTEN)
    page = Page(theme, wide - 2 * AROUND, layout.below + 8)
    text = " ".join(part for part in (picture.caption, picture.board.remark) if part)
    page.paragraph(text, CAPTION, theme.ink)
    page.samples(samples)
    for note in picture.notes:
        page.note(note)
    page.side_by_side(picture.lists)
    return page.shapes, page.y + AROUND, wide


def heading_width(picture: Scene) -> float:
    """The width that title and author need, at most that of other text."""
    sizes = ((picture.heading, HEADING), (picture.byline, BYLINE))
    return min(max(len(text) * RUNNING * size + 2 * AROUND if text else 0 for text, size in sizes), WRITTEN)


def heading(picture: Scene, theme: Theme, width: float) -> tuple[list[str], float]:
    """The shapes of title and author, and their height."""
    page = Page(theme, width - 2 * AROUND, AROUND if picture.heading or picture.byline else 0)
    page.paragraph(picture.heading, HEADING, theme.ink, bold=True)
    page.paragraph(picture.byline, BYLINE, theme.muted)
    return page.shapes, page.y


def _samples(picture: Scene, theme: Theme) -> list[tuple[Sample, float, str]]:
    """The entries of the legend: a sample, its width, and its meaning."""
    found: list[tuple[Sample, float, str]] = []
    if picture.givens and (picture.values or picture.marks):
        found.append((partial(_value, theme, picture.sample, True), 18, "given"))
    if picture.givens and picture.values:
        found.append((partial(_value, theme, picture.sample, False), 18, "solved"))
    shades, mixed = picture.shades, {Shade.EXACT, Shade.PROPAGATED} <= picture.shades
    if Shade.EXACT in shades:
        found.append((partial(_small, theme, picture.sample, Shade.EXACT, mixed), 10, "in some solution"))
    if Shade.PROPAGATED in shades:
        meaning = "in none, but left by propagation" if mixed else "left by propagation"
        found.append((partial(_small, theme, picture.sample, Shade.PROPAGATED, mixed), 10, meaning))
    if Shade.REMOVED in shades:
        found.append((partial(_small, theme, picture.sample, Shade.REMOVED, mixed), 10, "not possible"))
    marks = set(picture.marks.values())
    found += [(partial(_ground, theme, mark), 18, meaning) for mark, meaning in MEANINGS.items() if mark in marks]
    signs = {sign.rule for sign in picture.board.signs}
    outlined = {rule.mark for rule in picture.lit if rule.cells and rule.name not in signs}
    found += [(partial(_outline, theme, mark), 26, "a rule") for mark in MEANINGS if mark in outlined]
    return found


def _value(theme: Theme, value: str, given: bool, x: float, y: float) -> Iterator[str]:
    yield rect(x, y - 9, 18, 18, theme.given if given else theme.cell, theme.line, 1)
    yield label(x + 9, y + HALF * 12, value, 12, theme.ink if given else theme.solved, bold=given)


def _small(theme: Theme, value: str, shade: Shade, mixed: bool, x: float, y: float) -> Iterator[str]:
    yield from candidate(x + 5, y, value, 11, shade, theme, mixed=mixed, lit=False)


def _ground(theme: Theme, mark: Mark, x: float, y: float) -> Iterator[str]:
    yield rect(x, y - 9, 18, 18, f"url(#{ID}-{mark})")
    yield from mark_edge(x, y - 9, 18, mark, theme.tones[mark].edge)


def _outline(theme: Theme, mark: Mark, x: float, y: float) -> Iterator[str]:
    yield rect(x + 1, y - 7, 24, 14, "none", theme.tones[mark].edge, 2, round_by=4)


def overlay(picture: Scene, theme: Theme) -> tuple[str, list[float]]:
    """The decoration of a picture's board, without values, to lay over a grid of square cells.

    Beside the document: left, top, width and height, in sides of a cell, from the upper left corner of the first cell.
    """
    bare = Scene(picture.title, picture.board, picture.alphabet)
    layout, board = Layout(bare), bare.board
    side = layout.side / 2 if board.lattice else layout.side
    shift = side / 2 if board.lattice else 0
    x, y = layout.left - shift, layout.top - shift
    before, above = layout.outside("left"), layout.outside("top")
    wide = before + board.columns * side + layout.outside("right")
    high = above + board.rows * side + layout.outside("bottom")
    if board.lattice:
        shapes = list(lattice(bare, theme, layout, named=False))
    else:
        ground = list(under(bare, theme, layout))
        shapes = [f'<g opacity="0.5">{"".join(ground)}</g>', *boxes(bare, theme, layout), *over(bare, theme, layout)]
    shapes += outside(board, theme, layout)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{n(x - before)} {n(y - above)} {n(wide)} {n(high)}" '
        "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">" + "".join(shapes) + "</svg>"
    )
    return svg, [-before / side, -above / side, wide / side, high / side]


#: The value of an edge that is a line; another one is a cross, or its glyph.
LINE = 1


def ends(cell: Cell) -> tuple[Cell, Cell]:
    """The corners at the ends of an edge."""
    r, c = cell
    return ((r, c - 1), (r, c + 1)) if r % 2 else ((r - 1, c), (r + 1, c))


def lattice(picture: Scene, theme: Theme, layout: Layout, *, named: bool = True) -> Iterator[str]:
    """The board, with marks and values, and with the numbers of rows and columns."""
    board = picture.board
    lit: dict[Cell, Mark] = {}
    for rule in picture.lit:
        lit.update(dict.fromkeys(rule.cells, rule.mark))
    edges = [cell for cell in picture.cells() if (cell[0] + cell[1]) % 2]
    for cell in edges:
        (x, y), (x1, y1) = map(layout.middle, ends(cell))
        mark = picture.marks.get(cell)
        if mark or cell in lit:
            tone = theme.tones[mark or lit[cell]]
            yield line(x, y, x1, y1, tone.edge, 9 if mark else 5, opacity=0.45 if mark else 0.25)
        yield line(x, y, x1, y1, theme.line, 1, dashes="1 4")
    for cell in edges:
        value = picture.value(cell)
        if value is None:
            continue
        (x, y), (x1, y1) = map(layout.middle, ends(cell))
        colour = theme.ink if cell in picture.givens else theme.solved
        if value == LINE:
            yield line(x, y, x1, y1, colour, 3.6)
        else:
            (x, y), free = layout.middle(cell), 3.4
            text = board.glyphs.get(value) if value != 0 else None
            if text is not None:
                yield label(x, y + HALF * 11, text, 11, colour)
            elif picture.marks or cell in picture.givens:
                yield line(x - free, y - free, x + free, y + free, colour, 1.2)
                yield line(x - free, y + free, x + free, y - free, colour, 1.2)
    for cell, text in board.texts.items():
        x, y = layout.middle(cell)
        size = 0.5 * layout.side
        yield label(x, y + HALF * size, text, size, theme.ink)
    for r in range(1, board.rows + 1, 2):
        for c in range(1, board.columns + 1, 2):
            yield circle(*layout.middle((r, c)), 1.6, theme.ink, theme.ink)
    if not named:
        return
    for r in range(2, board.rows, 2):
        yield label(layout.left - 12, layout.y(r) + HALF * 9.5, str(r // 2), 9.5, theme.muted)
    for c in range(2, board.columns, 2):
        yield label(layout.x(c), layout.top - 9, str(c // 2), 9.5, theme.muted)
