"""The workbench: puzzles, on the public names of the bridge. A puzzle is a problem.

    import bridge

    puzzle = bridge.puzzles.load("sudoku", "problem6.txt")
    bridge.check(puzzle).verdict                  # .solutions .residual .propagated
    bridge.diagnose(puzzle)                       # what clashes, what is open, what to change
    bridge.puzzles.grade(puzzle).level            # the weakest inference that solves it
    bridge.compare("asp", "clpfd", "mac+mrv", instances=puzzle)
    for new in bridge.puzzles.generate("sudoku", 9): ...    # .puzzle .solution .grade .seed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bridge.common import exports as _exports

if TYPE_CHECKING:  # the public names, once
    from bridge.puzzles import formats as formats
    from bridge.puzzles import render as render
    from bridge.puzzles import search as search
    from bridge.puzzles.batching.batch import batch as batch
    from bridge.puzzles.batching.cubes import cubes as cubes
    from bridge.puzzles.engines import engine as engine
    from bridge.puzzles.explain.grade import grade as grade
    from bridge.puzzles.generating.generate import Generated as Generated
    from bridge.puzzles.generating.generate import generate as generate
    from bridge.puzzles.kinds import Puzzle as Puzzle
    from bridge.puzzles.kinds import parse as parse
    from bridge.puzzles.kinds import parse_all as parse_all
    from bridge.puzzles.kinds.about import About as About
    from bridge.puzzles.loading import load as load
    from bridge.puzzles.loading import load_all as load_all
    from bridge.puzzles.search.ladder import Grade as Grade
    from bridge.puzzles.sheets import Sheet as Sheet
    from bridge.puzzles.sheets import handout as handout
    from bridge.puzzles.sheets import sheet as sheet
else:
    __getattr__, __dir__ = _exports(__name__)
