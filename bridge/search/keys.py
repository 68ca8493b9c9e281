"""Arc consistency where variables agree on keys: two words that cross, and the letter that they share.

- A **key** is what two variables must agree on; a **link** is two variables that must (`bridge.search.network.Link`).
- The **open keys** of a link are those that both of its variables may still have.

The one idea: what one of the two tells the other is only which keys are gone. So each link keeps its open keys, as a
mask behind the domains: a revision asks for those alone, and most often learns that all are still there, and is done.
(It is the hidden variable of F. Rossi, C. Petrie, V. Dhar, *On the equivalence of constraint satisfaction problems*,
1990.) A mask of thousands of words is touched only when a letter has gone. What is left at the end is the same as
without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bridge.search.inference import MAC
from bridge.search.network import KeyImage, Network, bits


class Keyed(MAC):
    """MAC for networks with links.

    Beyond the variables, `domains` has a mask of open keys for each link: changed and retracted like the others.
    """

    def __init__(self, network: Network, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(network, look)
        self._linked: list[list[tuple[int, Mapping[int, int], int, Mapping[int, int]]]] = [
            [] for _ in network.variables
        ]
        for number, link in enumerate(network.links, len(self.domains)):
            self._linked[link.x].append((number, link.of_x, link.y, link.of_y))
            self._linked[link.y].append((number, link.of_y, link.x, link.of_x))
        self.domains += [(1 << len(link.of_x)) - 1 for link in network.links]
        self._arcs = [[(y, image) for y, image in arcs if not isinstance(image, KeyImage)] for arcs in network.arcs]

    def root(self) -> bool:
        if not all(self.domains):
            return False
        # What has a key that the other has not is under no open key: it goes first.
        everyone = dict.fromkeys(reversed(range(len(self.network.variables))))
        for link in self.network.links:
            for x, masks in ((link.x, link.of_x), (link.y, link.of_y)):
                if not self._keep(x, self.domains[x] & _union(masks.values()), everyone):
                    return False
        return self._propagate(everyone, dict.fromkeys(range(len(self.network.propagators))))

    def open_at_root(self) -> list[int]:
        return self.still_open(range(len(self.network.variables)), -1)

    def _revise(self, changed: dict[int, None], woken: dict[int, None]) -> bool:
        domains, note = self.domains, self.trail.append
        differ, arcs, watching = self.network.differ, self._arcs, self.network.watching
        while changed:
            x = changed.popitem()[0]
            domain = domains[x]
            self._revised += 1
            if not self._revised & 255:
                self._look()
            less: list[tuple[int, int]] = []  # variables, and what they may keep
            if not domain & (domain - 1):
                self.checks += len(differ[x])
                less += [(y, domains[y] ^ domain) for y in differ[x] if domains[y] & domain]
            for y, image in arcs[x]:
                self.checks += 1
                less.append((y, domains[y] & image[domain]))
            for y, kept in less:
                if not self._keep(y, kept & domains[y], changed):
                    self._blame((x, y))
                    return False
            for link, keys, y, theirs in self._linked[x]:
                self.checks += 1
                left = still_open = domains[link]
                while left:
                    key = left & -left
                    left ^= key
                    if not domain & keys[key]:
                        still_open ^= key
                if still_open != domains[link]:
                    gone = domains[link] ^ still_open
                    note((link, domains[link]))
                    domains[link] = still_open
                    if not self._keep(y, _having(domains[y], theirs, still_open, gone), changed):
                        self._blame((x, y))
                        return False
            for p in watching[x]:
                woken[p] = None
        return True

    def _keep(self, x: int, kept: int, changed: dict[int, None]) -> bool:
        """Let x keep these of its values; False when there are none."""
        if kept != self.domains[x]:
            self.trail.append((x, self.domains[x]))
            self.domains[x] = kept
            changed[x] = None
        return bool(kept)


def _having(domain: int, masks: Mapping[int, int], still_open: int, gone: int) -> int:
    """The values of a domain that have an open key, by way of the fewer masks: of the open keys, or of those gone."""
    if still_open.bit_count() < gone.bit_count():
        return domain & _union(masks[key] for key in bits(still_open))
    for key in bits(gone):
        domain &= ~masks[key]
    return domain


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
