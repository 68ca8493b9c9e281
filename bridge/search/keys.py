"""Arc consistency of `Element` constraints: two words that cross, and the letter that they share.

- A **key** is the common result of the constraint; a **link** is its two variables (`bridge.search.network.Link`).
- The **open keys** of a link are those that both of its variables may still have.

Propagation between the two variables is only about keys. So each link keeps its open keys as a mask behind the domains,
and a revision that finds all of them still supported is done. (This is the hidden variable of F. Rossi, C. Petrie, V.
Dhar, *On the equivalence of constraint satisfaction problems*, 1990.) A mask of thousands of words changes only when a
letter is removed. The fixpoint is that of arc consistency on pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bridge.search.inference import MAC
from bridge.search.network import KeyImage, Keys, Network, bits

#: Up to this many values, keys are looked up value by value; beyond, each open key is tested for a value.
FEW = 8


class Keyed(MAC):
    """MAC for networks with links.

    Beyond the variables, `domains` has a mask of open keys for each link: changed and retracted like the others.
    """

    def __init__(self, network: Network, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(network, look)
        self._linked: list[list[tuple[int, Keys, int, Mapping[int, int]]]] = [[] for _ in network.variables]
        for number, link in enumerate(network.links, len(self.domains)):
            self._linked[link.x].append((number, link.of_x, link.y, link.of_y.values))
            self._linked[link.y].append((number, link.of_y, link.x, link.of_x.values))
        self.domains += [link.common for link in network.links]
        self._arcs = [[(y, image) for y, image in arcs if not isinstance(image, KeyImage)] for arcs in network.arcs]

    def root(self) -> bool:
        if not all(self.domains):
            return False
        # Values whose key the other variable lacks are under no open key: they are removed first.
        everyone = dict.fromkeys(reversed(range(len(self.network.variables))))
        for link in self.network.links:
            for x, keys in ((link.x, link.of_x), (link.y, link.of_y)):
                kept = _union(keys.values[key] for key in bits(link.common))
                if not self._keep(x, self.domains[x] & kept, everyone):
                    return False
        return self._propagate(everyone, dict.fromkeys(range(len(self.network.propagators))))

    def open_at_root(self) -> list[int]:
        return self.still_open(range(len(self.network.variables)), -1)

    def _revise(self, changed: dict[int, None], woken: dict[int, None]) -> bool:
        domains, note = self.domains, self.trail.append
        differ, arcs, watching = self.network.differ, self._arcs, self.network.watching
        while changed:
            # The smallest domain prunes most: with it first, there are a third fewer revisions than last in, first out.
            x = min(changed, key=lambda x: domains[x].bit_count())
            del changed[x]
            domain = domains[x]
            self._revised += 1
            if not self._revised & 255:
                self._look()
            if not domain & (domain - 1):
                self.checks += len(differ[x])
                for y in differ[x]:
                    if domains[y] & domain and not self._keep(y, domains[y] ^ domain, changed):
                        self._blame((x, y))
                        return False
            for y, image in arcs[x]:
                self.checks += 1
                if not self._keep(y, domains[y] & image[domain], changed):
                    self._blame((x, y))
                    return False
            places = [bit.bit_length() - 1 for bit in bits(domain)] if domain.bit_count() <= FEW else None
            for link, keys, y, theirs in self._linked[x]:
                self.checks += 1
                if places is not None:
                    still_open = domains[link] & _union([keys.of[place] for place in places])
                else:
                    still_open = _still_open(domains[link], domain, keys.values)
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
        """Restrict x to these values; False when none is left."""
        if kept != self.domains[x]:
            self.trail.append((x, self.domains[x]))
            self.domains[x] = kept
            changed[x] = None
        return bool(kept)


def _still_open(keys: int, domain: int, values: Mapping[int, int]) -> int:
    """The keys, among these, that some value of the domain has."""
    left = keys
    while left:
        key = left & -left
        left ^= key
        if not domain & values[key]:
            keys ^= key
    return keys


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
