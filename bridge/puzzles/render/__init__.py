"""Pictures of puzzles and of derivations: text, SVG, PNG, PDF.

    from bridge.puzzles.render import instance, solution, residual, conflict, step, ambiguity

Each returns a `Picture`, a `Scene` with methods that draw it: `.svg()`, `.png()`, `.pdf()`, `.text()`, `.words()`,
`.save(file)`. A `Graph` has the same methods.
"""

from bridge.common import export
from bridge.drawing import FORMATS, THEMES, Drawable, Graph, Mark, Node, Note, Theme
from bridge.puzzles.render.board import Board, Lit, Scene, Sign, board
from bridge.puzzles.render.marks import Shade
from bridge.puzzles.render.views import Picture, ambiguity, conflict, instance, residual, solution, step

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
    "Theme",
    "ambiguity",
    "board",
    "conflict",
    "instance",
    "residual",
    "solution",
    "step",
]

export(__name__)
