"""Pictures of puzzles: text, SVG, PNG, PDF.

    from bridge.render import instance, solution, residual, conflict, step, ambiguity

Each returns a `Picture`, a `Scene` with methods that draw it: `.svg()`, `.png()`, `.pdf()`, `.text()`, `.words()`,
`.save(file)`.
"""

from bridge.render.board import Board, Sign, Sum, board
from bridge.render.picture import FORMATS, Picture
from bridge.render.scene import Lit, Note, Scene
from bridge.render.themes import THEMES, Mark, Shade, Theme
from bridge.render.views import ambiguity, conflict, instance, residual, solution, step

__all__ = [
    "FORMATS",
    "THEMES",
    "Board",
    "Lit",
    "Mark",
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
