"""Boards of edges: corners as dots, edges as lines, cells with their texts."""

from __future__ import annotations

from collections.abc import Iterator

from bridge.drawing.shapes import HALF, label
from bridge.drawing.themes import Mark, Theme
from bridge.puzzles.kinds.rules import Cell
from bridge.puzzles.render.board import Scene
from bridge.puzzles.render.layout import Layout
from bridge.puzzles.render.marks import circle, line

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
