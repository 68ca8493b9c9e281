"""The decoration of a board alone, as SVG: what a page lays over a grid of its own."""

from __future__ import annotations

from bridge.drawing.shapes import n
from bridge.drawing.themes import Theme
from bridge.puzzles.render.decoration import outside, over, under
from bridge.puzzles.render.lattice import lattice
from bridge.puzzles.render.layout import Layout
from bridge.puzzles.render.picture import Picture
from bridge.puzzles.render.svg import boxes


def overlay(picture: Picture, theme: Theme) -> tuple[str, list[float]]:
    """The decoration of a picture's board, without values, to lay over a grid of square cells.

    Beside the document: left, top, width and height, in sides of a cell, from the upper left corner of the first cell.
    """
    bare = Picture(picture.title, picture.board, picture.alphabet)
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
