"""The levels of the ladder that are techniques of human solvers, a pattern at a time.

Each looks for patterns (`bridge.puzzles.search.techniques`, `bridge.puzzles.search.rule_techniques`) in the domains
that all levels share, and is exhausted when there is none that removes anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.inference import Inference
from bridge.puzzles.search.levels import Look, Steps
from bridge.puzzles.search.network import Network
from bridge.puzzles.search.rule_techniques import Rules
from bridge.puzzles.search.techniques import (
    FINDERS,
    Candidates,
    Finder,
    Houses,
    LevelName,
    Pattern,
)


class Patterns(Steps):
    """A level of some techniques: a step is a pattern that removes something."""

    def __init__(self, houses: Houses, finders: Sequence[Finder], look: Look, shared: Inference) -> None:
        self._houses, self._finders, self._look = houses, finders, look
        self._domains, self._trail = shared.domains, shared.trail
        self._exhausted = -1

    def step(self) -> bool:
        if self._exhausted == len(self._trail):
            return True
        self._look()
        grid = Candidates(self._houses, self._domains)
        for pattern in self._found(grid):
            if pattern.removed:
                return self._remove(pattern)
        self._exhausted = len(self._trail)
        return not self._contradiction(grid)

    def _found(self, grid: Candidates) -> Iterator[Pattern]:
        for find in self._finders:
            self._look()
            yield from find(grid)

    def _contradiction(self, grid: Candidates) -> bool:
        return False

    def _remove(self, pattern: Pattern) -> bool:
        for x, gone in pattern.removed:
            self._trail += (x, self._domains[x])
            self._domains[x] &= ~gone
        return all(self._domains[x] for x, _ in pattern.removed)


class HiddenSingles(Patterns):
    """Hidden singles; a value without a place in a full house is a contradiction."""

    def __init__(self, houses: Houses, look: Look, shared: Inference) -> None:
        super().__init__(houses, FINDERS["singles"], look, shared)

    def _contradiction(self, grid: Candidates) -> bool:
        return grid.contradiction()


class TwoRules(Patterns):
    """Locked candidates, and combinations of a rule with others on its variables."""

    def __init__(self, csp: CSP, network: Network, houses: Houses, look: Look, shared: Inference) -> None:
        super().__init__(houses, FINDERS["locked"], look, shared)
        self._rules = Rules(csp, network)

    def _found(self, grid: Candidates) -> Iterator[Pattern]:
        yield from super()._found(grid)
        yield from self._rules.combined(self._domains)


def technique_levels(houses: Houses, look: Look, shared: Inference) -> Iterable[Steps]:
    """Fish, wings and chains."""
    levels: tuple[LevelName, ...] = ("fish", "wings", "chains")
    return (Patterns(houses, FINDERS[level], look, shared) for level in levels)
