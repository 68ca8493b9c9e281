"""How new Futoshikis are made: with inequalities between neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bridge.puzzles.kinds.authoring import Authoring
from bridge.puzzles.kinds.futoshiki import Futoshiki
from bridge.puzzles.kinds.rules import Cell, Value


class FutoshikiAuthoring(Authoring[Futoshiki]):
    """Makes Futoshikis."""

    def with_all_optional_rules(self, puzzle: Futoshiki, solution: Mapping[Cell, Value], seed: int) -> Futoshiki:
        """With both inequalities between any two neighbours."""
        beside = [((r, c), (r + down, c + 1 - down)) for r, c in puzzle.cells() for down in (0, 1)]
        inside = [pair for pair in beside if max(pair[1]) <= puzzle.size]
        return replace(puzzle, less=tuple(sorted({*puzzle.less, *inside, *((y, x) for x, y in inside)})))
