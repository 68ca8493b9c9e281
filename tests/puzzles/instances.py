"""Instances of kinds whose classes are made from their files."""

from __future__ import annotations

from typing import cast

from bridge.puzzles.kinds import parse
from bridge.puzzles.kinds.latin_square import LatinSquare
from bridge.puzzles.kinds.magic_square import MagicSquare
from bridge.puzzles.kinds.rules import Grid
from bridge.puzzles.kinds.takuzu import Takuzu

#: The values of their settings, the usual one first.
VARIANTS = ("plain", "diagonal", "reduced")
SETTINGS = {"variant": ("magic", "semi"), "symmetry": ("all", "reduced", "permuted")}


def latin_square(grid: Grid, variant: str = "plain") -> LatinSquare:
    return cast(LatinSquare, parse("latin-square", {"grid": grid, "variant": variant}))


def magic_square(grid: Grid, variant: str = "magic", symmetry: str = "all") -> MagicSquare:
    return cast(MagicSquare, parse("magic-square", {"grid": grid, "variant": variant, "symmetry": symmetry}))


def takuzu(grid: Grid, lines: str = "distinct") -> Takuzu:
    return cast(Takuzu, parse("takuzu", {"grid": grid, "lines": lines}))
