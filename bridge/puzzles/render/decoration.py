"""What kinds from files draw on a board: shaded cells, circles, lines, cages, dots, texts inside and outside.

`under` is below the lines of the grid, `over` above them; `listed` says the same in words, for text.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from bridge.drawing import HALF, Theme, label, n, rect
from bridge.puzzles.kinds.rules import Cell, cell_names, neighbours
from bridge.puzzles.render.board import Board, Path, Scene
from bridge.puzzles.render.layout import OUTSIDE, Layout, width
from bridge.puzzles.render.marks import circle, line

#: How far inside a cell the line around a cage is.
INSET = 3.6

#: The width of thermometers and lines, as a share of the side of a cell.
BROAD, NARROW = 0.3, 0.14


def fill(colour: str, theme: Theme) -> str:
    """A colour of a declaration in a theme."""
    return {"black": theme.black if theme.name == "light" else "#8b929c", "white": theme.cell}.get(colour, theme.shade)


def under(picture: Scene, theme: Theme, layout: Layout) -> Iterator[str]:
    """Filled cells, lines, thermometers, arrows, circles."""
    board, side = picture.board, layout.side
    for cell, colour in board.shaded.items():
        yield rect(layout.x(cell[1]), layout.y(cell[0]), side, side, fill(colour, theme))
    for cells in board.diagonals:
        yield line(*layout.middle(cells[0]), *layout.middle(cells[-1]), theme.line, 1.2, dashes="1 3")
    for cell in picture.cells():
        value = picture.value(cell)
        if value is not None and value in board.paint:
            x, y = layout.x(cell[1]), layout.y(cell[0])
            free = 0.0 if board.paint[value] == "black" else side * 0.28
            yield rect(
                x + free, y + free, side - 2 * free, side - 2 * free, fill(board.paint[value], theme), round_by=free / 3
            )
    for path in board.paths:
        yield from _path(path, theme, layout)
    for cell, colour in board.circles.items():
        yield circle(*layout.middle(cell), side * 0.4, fill(colour, theme), theme.line, 1.6)


def _path(path: Path, theme: Theme, layout: Layout) -> Iterator[str]:
    places = [layout.middle(cell) for cell in path.cells]
    side, colour = layout.side, theme.shade
    broad = side * (BROAD if path.form == "thermometer" else NARROW)
    if path.form == "arrow":
        broad, colour = 2.0, theme.line
        if len(places) > 1:  # it begins at the edge of the circle
            (x, y), (x1, y1) = places[:2]
            length = hypot(x1 - x, y1 - y) or 1.0
            places[0] = x + (x1 - x) / length * side * 0.4, y + (y1 - y) / length * side * 0.4
    drawn = "L".join(f"{n(x)} {n(y)}" for x, y in places)
    yield (
        f'<path d="M{drawn}" fill="none" stroke="{colour}" stroke-width="{n(broad)}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )
    if path.form == "thermometer":
        yield f'<circle cx="{n(places[0][0])}" cy="{n(places[0][1])}" r="{n(side * 0.36)}" fill="{colour}"/>'
    if path.form == "arrow":
        yield circle(*layout.middle(path.cells[0]), side * 0.4, "none", colour, 1.6)
        if len(places) > 1:
            yield from _head(places[-2], places[-1], colour, side * 0.16)


def _head(before: tuple[float, float], end: tuple[float, float], colour: str, size: float) -> Iterator[str]:
    """The head of an arrow: two strokes back from its end."""
    length = hypot(end[0] - before[0], end[1] - before[1]) or 1.0
    right, down = (end[0] - before[0]) / length, (end[1] - before[1]) / length
    for turn in (1, -1):
        x, y = end[0] - size * (right - turn * down), end[1] - size * (down + turn * right)
        yield line(*end, x, y, colour, 2)


def over(picture: Scene, theme: Theme, layout: Layout) -> Iterator[str]:
    """Cages, dots, texts, divided cells."""
    board, side = picture.board, layout.side
    for cage in board.cages:
        yield from _cage(cage, theme, layout)
    for one, other, colour, text in board.dots:
        (x, y), (x1, y1) = layout.middle(one), layout.middle(other)
        x, y, size = (x + x1) / 2, (y + y1) / 2, side * 0.24
        yield circle(x, y, side * (0.16 if text else 0.12), fill(colour, theme), theme.ink, 1.6)
        if text:
            ink = theme.paper if colour == "black" and theme.name == "light" else theme.ink
            yield label(x, y + HALF * size, text, min(size, size * 1.2 / width(text)), ink)
    for cell, (below, above) in board.divided.items():
        x, y, size = layout.x(cell[1]), layout.y(cell[0]), side * 0.32
        yield rect(x, y, side, side, theme.shade, theme.heavy, 1)
        yield line(x, y, x + side, y + side, theme.heavy, 1)
        yield label(x + side * 0.29, y + side * 0.73 + HALF * size, below, size, theme.ink)
        yield label(x + side * 0.71, y + side * 0.27 + HALF * size, above, size, theme.ink)
    for cell, text in board.corners.items():
        x, y = layout.x(cell[1]), layout.y(cell[0])
        wide = width(text) * 10
        yield rect(x + 2.6, y + 2.4, wide + 1, 10.4, theme.cell)
        yield label(x + 3, y + 11.5, text, 10, theme.ink, anchor="start")
    for cell, text in board.texts.items():
        x, y = layout.middle(cell)
        size = min(0.5 * side, (side - 8) / max(width(text), 0.1))
        value = picture.value(cell)
        painted = board.paint.get(value) if value is not None else None
        dark = "black" in (board.shaded.get(cell), painted)
        yield label(x, y + HALF * size, text, size, theme.paper if dark else theme.ink)


def _cage(cells: tuple[Cell, ...], theme: Theme, layout: Layout) -> Iterator[str]:
    """A dashed line just inside the cells of a cage, along its edge."""
    inside, side = set(cells), layout.side
    parts = []
    for cell in cells:
        x, y = layout.x(cell[1]), layout.y(cell[0])
        above, right, below, left = (other in inside for other in neighbours(cell))
        x0, x1 = x + (0 if left else INSET), x + side - (0 if right else INSET)
        y0, y1 = y + (0 if above else INSET), y + side - (0 if below else INSET)
        if not above:
            parts.append((x0, y + INSET, x1, y + INSET))
        if not below:
            parts.append((x0, y + side - INSET, x1, y + side - INSET))
        if not left:
            parts.append((x + INSET, y0, x + INSET, y1))
        if not right:
            parts.append((x + side - INSET, y0, x + side - INSET, y1))
        # Where the edge turns inwards, the lines of its neighbours meet in this cell.
        for down, along, both in (
            (-1, -1, above and left),
            (-1, 1, above and right),
            (1, -1, below and left),
            (1, 1, below and right),
        ):
            if both and (cell[0] + down, cell[1] + along) not in inside:
                at_x = x + INSET if along < 0 else x + side - INSET
                at_y = y + INSET if down < 0 else y + side - INSET
                parts.append((x if along < 0 else x + side, at_y, at_x, at_y))
                parts.append((at_x, y if down < 0 else y + side, at_x, at_y))
    drawn = "".join(f"M{n(a)} {n(b)}L{n(c)} {n(d)}" for a, b, c, d in parts)
    yield f'<path d="{drawn}" fill="none" stroke="{theme.muted}" stroke-width="1.1" stroke-dasharray="4 2.6"/>'


def outside(board: Board, theme: Theme, layout: Layout) -> Iterator[str]:
    """Texts outside the grid."""
    for one in board.outside:
        place = 2 * one.index if board.lattice else one.index
        if one.side in ("left", "right"):
            y = layout.middle((place, 1))[1]
            x = layout.left - 8 if one.side == "left" else layout.right + 8
            texts = one.texts[::-1] if one.side == "left" else one.texts
            for text in texts:
                wide = width(text) * OUTSIDE
                x += -wide / 2 if one.side == "left" else wide / 2
                yield label(x, y + HALF * OUTSIDE, text, OUTSIDE, theme.ink)
                x += -wide / 2 - 6 if one.side == "left" else wide / 2 + 6
            continue
        x = layout.middle((1, place))[0]
        texts = one.texts[::-1] if one.side == "top" else one.texts
        for number, text in enumerate(texts):
            step = number * OUTSIDE * 1.15
            y = layout.top - 8 - step if one.side == "top" else layout.bottom + OUTSIDE + 4 + step
            yield label(x, y, text, OUTSIDE, theme.ink)


def listed(board: Board) -> list[str]:
    """The decoration in words, a line each: what a board of characters does not show."""
    found = []
    for cage in board.cages:
        text = next((board.corners[cell] for cell in cage if cell in board.corners), "")
        found.append(f"cage{f' {text}' if text else ''}: {cell_names(cage)}")
    in_cages = {cell for cage in board.cages for cell in cage}
    found += [f"{cell_names([cell])}: {text}" for cell, text in board.corners.items() if cell not in in_cages]
    found += [f"{path.form}: {cell_names(path.cells)}" for path in board.paths]
    for first, second, colour, text in board.dots:
        found.append(f"{colour} dot{f' {text}' if text else ''}: {cell_names([first, second])}")
    for cell, (below, above) in board.divided.items():
        sides = [f"{text} {where}" for text, where in ((below, "below"), (above, "on its right")) if text]
        found.append(f"{cell_names([cell])}: {' and '.join(sides)}")
    by_colour: dict[str, list[Cell]] = {}
    for what, cells in (("shaded", board.shaded), ("circle", board.circles)):
        for cell, colour in cells.items():
            by_colour.setdefault(f"{colour} {what}" if what == "circle" else f"shaded {colour}", []).append(cell)
    found += [f"{what}: {cell_names(cells)}" for what, cells in by_colour.items()]
    for one in board.outside:
        line_ = "row" if one.side in ("left", "right") else "column"
        found.append(f"{one.side} of {line_} {one.index}: {' '.join(one.texts)}")
    return found
