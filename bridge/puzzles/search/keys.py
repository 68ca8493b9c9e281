"""Arc consistency of `Element` constraints: two words that cross, and the letter that they share.

- A **key** is the common result of the constraint; a **link** is its two variables
  (`bridge.puzzles.search.network.Link`).
- The **open keys** of a link are those that both of its variables may still have.

Propagation between the two variables is only about keys. So each link keeps its open keys as a mask behind the domains,
and a revision that finds all of them still supported is done. (This is the hidden variable of F. Rossi, C. Petrie, V.
Dhar, *On the equivalence of constraint satisfaction problems*, 1990.) A mask of thousands of words changes only when a
letter is removed. The fixpoint is that of arc consistency on pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bridge.puzzles.search.inference import MAC
from bridge.puzzles.search.network import Image, KeyImage, Keys, Network, bits
from bridge.puzzles.search.propagator import nothing

#: Up to this many values, keys are looked up value by value; beyond, each open key is tested for a value.
FEW = 8


class Keyed(MAC):
    """MAC for networks with links.

    Beyond the variables, `domains` has a mask of open keys for each link: changed and retracted like the others.
    """

    def __init__(self, network: Network, look: Callable[[], object] = nothing) -> None:
        super().__init__(network, look)
        self._linked: list[list[tuple[int, Keys, int, Keys]]] = [[] for _ in network.variables]
        for number, link in enumerate(network.links, len(self.domains)):
            self._linked[link.x].append((number, link.of_x, link.y, link.of_y))
            self._linked[link.y].append((number, link.of_y, link.x, link.of_x))
        self.domains += [link.common for link in network.links]
        self._arcs: list[list[tuple[int, Image]]] = [
            [(y, image) for y, image in arcs if not isinstance(image, KeyImage)] for arcs in network.arcs
        ]

    def root(self) -> bool:
        if not all(self.domains):
            return False
        self.queue_all()
        self._heard = len(self.trail)  # all propagators wait
        # Values whose key the other variable lacks are under no open key: they are removed first.
        for link in self.network.links:
            for x, keys in ((link.x, link.of_x), (link.y, link.of_y)):
                if not self._keep(x, self.domains[x] & _union(keys.values, link.common)):
                    self._forget()
                    return False
        return self._propagate()

    def _revise(self, only_one: bool) -> bool:
        domains, trail = self.domains, self.trail
        differ, arcs = self.network.differ, self._arcs
        changed, is_changed = self._changed, self._is_changed
        while changed:
            x = self._smallest()
            changed.remove(x)
            is_changed[x] = False
            domain = domains[x]
            self._revised += 1
            if not self._revised & 255:
                self._look()
            if not domain & (domain - 1):
                self.checks += len(differ[x])
                for y in differ[x]:
                    if domains[y] & domain and not self._keep(y, domains[y] ^ domain):
                        self._blame((x, y))
                        return False
            for y, image in arcs[x]:
                self.checks += 1
                if not self._keep(y, domains[y] & image[domain]):
                    self._blame((x, y))
                    return False
            places = [bit.bit_length() - 1 for bit in bits(domain)] if domain.bit_count() <= FEW else []
            for link, keys, y, theirs in self._linked[x]:
                self.checks += 1
                before = domains[link]
                if places:
                    still_open = 0
                    for place in places:
                        still_open |= keys.of[place]
                    still_open &= before
                else:
                    still_open = _still_open(before, domain, keys.values)
                if still_open != before:
                    trail.append(link)
                    trail.append(before)
                    domains[link] = still_open
                    if not self._keep(y, _having(domains[y], theirs.values, still_open, before ^ still_open)):
                        self._blame((x, y))
                        return False
            if only_one:
                break
        return True

    def _smallest(self) -> int:
        """The changed variable with the smallest domain, which prunes most, of equals the first.

        There are a third fewer revisions than last in, first out.
        """
        best, least = -1, 0
        for x in self._changed:
            size = self.domains[x].bit_count()
            if best < 0 or size < least:
                best, least = x, size
        return best

    def _keep(self, x: int, kept: int) -> bool:
        """Restrict x to these values; False when none is left."""
        before = self.domains[x]
        if kept != before:
            self.trail.append(x)
            self.trail.append(before)
            self.domains[x] = kept
            self._change(x)
        return kept != 0


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
        return domain & _union(masks, still_open)
    for key in bits(gone):
        domain &= ~masks[key]
    return domain


def _union(masks: Mapping[int, int], keys: int) -> int:
    union = 0
    for key in bits(keys):
        union |= masks[key]
    return union
