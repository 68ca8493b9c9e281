"""Pictures of puzzles and of derivations: text, SVG, PNG, PDF.

    from bridge.render import instance, solution, residual, conflict, step, ambiguity

Each returns a `Picture`, a `Scene` with methods that draw it: `.svg()`, `.png()`, `.pdf()`, `.text()`, `.words()`,
`.save(file)`. A `Graph` has the same methods.
"""

from bridge.render.board import Board, Sign, Sum, board
from bridge.render.drawable import FORMATS, Drawable
from bridge.render.graph import Graph, Node
from bridge.render.picture import Picture
from bridge.render.scene import Lit, Note, Scene
from bridge.render.themes import THEMES, Mark, Shade, Theme
from bridge.render.views import ambiguity, conflict, instance, residual, solution, step

__all__ = [
    "FORMATS",
    "THEMES",
    "Board",
    "Drawable",
    "Graph",
    "Lit",
    "Mark",
    "Node",
    "Note",
    "Picture",
    "Scene",
    "Shade",
    "Sign",
    "Sum",
    "Theme",
    "ambiguity",
    "board",
    "conflict",
    "instance",
    "residual",
    "solution",
    "step",
]
