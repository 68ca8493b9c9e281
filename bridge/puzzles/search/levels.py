"""The levels of the ladder, one step at a time.

- A **step** is the smallest unit of a level: an assignment, a revision, the run of a propagator, a refutation.
- The **trail** lists every change of a domain. All levels share the domains and the trail, where each finds the changes
  since its last step.

The levels use the inference of the searches, `FC` and `MAC`, one step at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence

from bridge.puzzles.search.inference import FC, MAC, Inference
from bridge.puzzles.search.network import Network, bits
from bridge.puzzles.search.techniques import Candidates, Finder, Houses

Look = Callable[[], object]


class Steps(ABC):
    """A level: `step` once changes something, or is done with nothing to change; False when there is no solution."""

    @abstractmethod
    def step(self) -> bool: ...


class Assigning(Steps):
    """Forward checking: assigns a variable with one value left and removes what it forbids from its neighbours.

    The first step assigns the givens.
    """

    def __init__(self, network: Network, look: Look) -> None:
        self.inference = FC(network, look)
        self._look = look
        self._heard = -1

    def step(self) -> bool:
        inference = self.inference
        domains, trail = inference.domains, inference.trail
        if self._heard < 0:
            self._heard = 0
            return inference.root()
        while self._heard < len(trail):
            x = trail[self._heard]
            self._heard += 2
            domain = domains[x]
            if inference.is_open(x) and not domain & (domain - 1):
                self._look()
                mark = len(trail) + 2  # the assignment itself is on the trail
                if not inference.assign(x, domain):
                    return False
                if len(trail) > mark:
                    return True
        return True

    @property
    def all_assigned(self) -> bool:
        return self.inference.all_assigned()


class Arcs(Steps):
    """Arc consistency: revises a variable or, once all are revised, runs a propagator."""

    def __init__(self, network: Network, look: Look, shared: Inference) -> None:
        self._inference = MAC(network, look)
        self._inference.share(shared)
        self._look = look
        self._heard = 0
        self._changed = dict.fromkeys(range(len(network.variables)))
        self._woken = dict.fromkeys(range(len(network.propagators)))

    def step(self) -> bool:
        self._look()
        inference = self._inference
        mark = len(inference.trail)
        self._changed.update((x, None) for x, _ in inference.changes(self._heard))
        self._heard = mark
        while self._changed and len(inference.trail) == mark:
            woken = inference.revise(self._changed.popitem()[0])
            if woken is None:
                return False
            self._woken.update(dict.fromkeys(woken))
        while self._woken and len(inference.trail) == mark:
            self._look()
            if inference.narrow(self._woken.popitem()[0]) is None:
                return False
        return True


class Matchings(Steps):
    """All-different by matching: runs one of the propagators that `strengthen` has added to a network.

    Shaving and search use its `inference`, which has all propagators, for their assignments. A step does not propagate
    to the rest.
    """

    def __init__(self, network: Network, look: Look, shared: Inference) -> None:
        self.inference = MAC(network, look)
        self.inference.share(shared)
        self._watching = network.watching
        self._look = look
        self._heard = 0
        self._added = len(shared.network.propagators)
        self._woken = dict.fromkeys(range(self._added, len(network.propagators)))

    def step(self) -> bool:
        self._look()
        inference = self.inference
        mark = len(inference.trail)
        for x, _ in inference.changes(self._heard):
            self._woken.update((p, None) for p in self._watching[x] if p >= self._added)
        self._heard = mark
        while self._woken and len(inference.trail) == mark:
            if inference.narrow(self._woken.popitem()[0]) is None:
                return False
        return True


class Shaving(Steps):
    """Singleton consistency: tries a value with all weaker inference, and removes it if that wipes out a domain.

    (R. Debruyne, C. Bessière, *Some practicable filtering techniques for the constraint satisfaction problem*, 1997.)
    Values that cannot fail are not tried: those of a known solution, never; those implied by another successful trial,
    not until a domain changes.
    """

    def __init__(self, below: MAC) -> None:
        self._below = below
        self._heard = -1
        self._stood: list[int] = []
        self._true = [0 for _ in below.domains]
        self._round: deque[tuple[int, int]] | None = None

    def spare(self, solution: list[int]) -> None:
        """Exempt the values of a solution, a mask for every variable, from trials."""
        self._true = [known | bit for known, bit in zip(self._true, solution, strict=True)]

    def step(self) -> bool:
        domains, trail = self._below.domains, self._below.trail
        if self._round is None:
            open_ones = sorted(self._below.open_at_root(), key=lambda x: domains[x].bit_count())
            self._round = deque((x, bit) for x in open_ones for bit in bits(domains[x]))
        if self._heard != len(trail):
            self._stood = self._true.copy()
        for _ in range(len(self._round)):
            x, bit = self._round[0]
            self._round.rotate(-1)  # the next round continues where this one ends
            if domains[x] & bit and domains[x] != bit and not bit & self._stood[x] and not self._stands(x, bit):
                trail += (x, domains[x])
                domains[x] ^= bit
                break
        self._heard = len(trail)
        return True

    def _stands(self, x: int, bit: int) -> bool:
        below = self._below
        domains, trail = below.domains, below.trail
        mark = len(trail)
        try:
            if not below.assign(x, bit):
                return False
            for y, _ in below.changes(mark):
                if not domains[y] & (domains[y] - 1):
                    self._stood[y] |= domains[y]
            return True
        finally:
            below.retract(x, mark)


class Patterns(Steps):
    """Techniques of human solvers (`bridge.puzzles.search.techniques`): a step is a pattern that removes something.

    With `places`, a value without a place in a full house is a contradiction.
    """

    def __init__(
        self, houses: Houses, finders: Sequence[Finder], look: Look, shared: Inference, places: bool = False
    ) -> None:
        self._houses, self._finders, self._look, self._places = houses, finders, look, places
        self._domains, self._trail = shared.domains, shared.trail
        self._exhausted = -1

    def step(self) -> bool:
        if self._exhausted == len(self._trail):
            return True
        self._look()
        grid = Candidates(self._houses, self._domains, look=self._look)
        for find in self._finders:
            self._look()
            if (pattern := next((pattern for pattern in find(grid) if pattern.removed), None)) is not None:
                for x, gone in pattern.removed:
                    self._trail += (x, self._domains[x])
                    self._domains[x] &= ~gone
                return all(self._domains[x] for x, _ in pattern.removed)
        self._exhausted = len(self._trail)
        return not (self._places and grid.contradiction())
