"""Inference: propagation after each assignment, and how it is undone.

- A **given** is a variable whose domain has one value from the start. Givens are assigned at the root.
- A variable is **open** until it is assigned; a **wipe-out** is a domain with nothing left.
- The **trail** lists every change of a domain with its previous mask; to backtrack is to restore from its end.

`assign` makes an assignment, propagates it, and returns whether no contradiction was found; `retract` undoes both.

    >>> from bridge.search.network import Network
    >>> network = Network({"x": [1], "y": [1, 2], "z": [1, 2, 3]})
    >>> network.different("x", "y"), network.different("y", "z")
    (None, None)
    >>> mac = MAC(network)
    >>> mac.root(), [network.decode(domain) for domain in mac.domains]
    (True, [(1,), (2,), (1, 3)])
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence

from bridge.search.network import Image, Network


class Inference(ABC):
    """The state of a search: domains, trail, number of checks, and weights of failed constraints.

    Parameters
    ----------
    network
        The problem; it is read, never changed.
    look
        Called during long propagation; it may raise to end the search.

    Attributes
    ----------
    weights
        For each variable the number of its constraints, and one more for each failure of one of them. Failures are not
        undone by backtracking: they are what the search has learnt.
    """

    def __init__(self, network: Network, look: Callable[[], object] = lambda: None) -> None:
        self.network = network
        self.domains = list(network.domains)
        self.trail: list[tuple[int, int]] = []
        self.checks = 0
        self.weights = _degrees(network)
        self._look = look

    @abstractmethod
    def root(self) -> bool:
        """Assign the givens and propagate them; False when there is no solution."""

    @abstractmethod
    def assign(self, x: int, bit: int) -> bool:
        """Assign a value to x and propagate; False on a contradiction. `retract` undoes it in both cases."""

    def exclude(self, x: int, bit: int) -> bool:
        """Remove a value from x, which is open, and propagate; False on a contradiction.

        It is undone when an earlier assignment is retracted.
        """
        self.trail.append((x, self.domains[x]))
        self.domains[x] ^= bit
        return bool(self.domains[x])

    def retract(self, x: int, mark: int) -> None:
        """Undo the assignment of x, made when the trail had length `mark`, and its consequences."""
        trail, domains = self.trail, self.domains
        for y, domain in reversed(trail[mark:]):
            domains[y] = domain
        del trail[mark:]

    def open_at_root(self) -> list[int]:
        """The variables that are open after `root`."""
        return [x for x, domain in enumerate(self.network.domains) if domain & (domain - 1)]

    def still_open(self, variables: Sequence[int], x: int) -> list[int]:
        """The variables, among these, that are open after the assignment of x."""
        return [y for y in variables if y != x]

    def remaining(self, variables: Sequence[int]) -> list[int]:
        """The mask of values that each variable may still have."""
        domains = self.domains
        return [domains[x] for x in variables]

    def _narrow(self, p: int) -> Sequence[int] | None:
        """Run a propagator: the variables that it changed, or None on a wipe-out."""
        self.checks += 1
        propagator = self.network.propagators[p]
        changes = propagator.narrow(self.domains)
        if changes is None:
            self._blame(propagator.scope)
            return None
        changed = []
        for x, kept in changes:
            if not kept:
                self._blame(propagator.scope)
                return None
            self.trail.append((x, self.domains[x]))
            self.domains[x] = kept
            changed.append(x)
        return changed

    def _blame(self, scope: Iterable[int]) -> None:
        """Increase the weights of the variables of a failed constraint."""
        for x in scope:
            self.weights[x] += 1


def _degrees(network: Network) -> list[int]:
    """The number of constraints of each variable, as the search sees them."""
    posted = zip(network.differ, network.arcs, network.watching, strict=True)
    return [len(others) + len(arcs) + len(watching) for others, arcs, watching in posted]


class _Assigning(Inference):
    """What BT and FC share: a variable is assigned when the search says so, and constraints wait for that."""

    #: A propagator runs when at most this many variables of its scope are open.
    patience: int

    def __init__(self, network: Network, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(network, look)
        self._open = (1 << len(network.variables)) - 1  # a mask over variables, as are the scopes
        self._scopes = [sum(1 << x for x in propagator.scope) for propagator in network.propagators]

    def root(self) -> bool:
        if not all(self.domains):
            return False
        givens = 0
        for x, domain in enumerate(self.network.domains):
            if not domain & (domain - 1):
                self._look()
                givens |= 1 << x
                if not self.assign(x, domain):
                    return False
        # Propagators without a given have not run yet: a sum of one variable, or of none.
        return self._propagate([p for p, scope in enumerate(self._scopes) if not scope & givens])

    def retract(self, x: int, mark: int) -> None:
        super().retract(x, mark)
        self._open |= 1 << x

    def _propagate(self, propagators: Sequence[int]) -> bool:
        return all(
            self._narrow(p) is not None
            for p in propagators
            if (self._scopes[p] & self._open).bit_count() <= self.patience
        )


class BT(_Assigning):
    """No inference: a value is checked against the variables assigned before, one pair of values at a time.

    A constraint on more than two variables is checked when its last variable is assigned.
    """

    patience = 0

    def __init__(self, network: Network, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(network, look)
        self.value = [0 for _ in network.variables]  # the bit assigned, 0 when open
        self._into: list[list[tuple[int, Image]]] = [[] for _ in network.variables]
        for x, arcs in enumerate(network.arcs):
            for y, image in arcs:
                self._into[y].append((x, image))

    def assign(self, x: int, bit: int) -> bool:
        self._open &= ~(1 << x)
        self.trail.append((x, self.domains[x]))
        self.domains[x] = self.value[x] = bit
        value, checks = self.value, self.checks
        consistent = True
        for y in self.network.differ[x]:
            if other := value[y]:
                checks += 1
                if other == bit:
                    self._blame((x, y))
                    consistent = False
                    break
        else:
            for y, image in self.network.arcs[x]:
                if other := value[y]:
                    checks += 1
                    if not other & image[bit]:
                        self._blame((x, y))
                        consistent = False
                        break
        self.checks = checks
        return consistent and self._propagate(self.network.watching[x])

    def retract(self, x: int, mark: int) -> None:
        super().retract(x, mark)
        self.value[x] = 0

    def remaining(self, variables: Sequence[int]) -> list[int]:
        """The values that no assigned neighbour forbids, found by looking at every neighbour of every variable.

        That is what MRV without inference costs: one check for each assigned neighbour. Only binary constraints count.
        """
        value, checks = self.value, self.checks
        masks = []
        for x in variables:
            mask = self.domains[x]
            for y in self.network.differ[x]:
                if value[y]:
                    checks += 1
                    mask &= ~value[y]
            for y, image in self._into[x]:
                if value[y]:
                    checks += 1
                    mask &= image[value[y]]
            masks.append(mask)
        self.checks = checks
        return masks


class FC(_Assigning):
    """Forward checking: the open neighbours of an assigned variable keep only the values that it supports.

    A domain reduced to one value is not propagated further until the search assigns it, unlike under MAC. A constraint
    on more than two variables filters its last open one.
    """

    patience = 1

    def assign(self, x: int, bit: int) -> bool:
        self._open &= ~(1 << x)
        domains, trail = self.domains, self.trail
        trail.append((x, domains[x]))
        domains[x] = bit
        # Neighbours assigned before need no test: what they forbid is removed already.
        checks = self.checks
        for y in self.network.differ[x]:
            checks += 1
            domain = domains[y]
            if domain & bit:
                trail.append((y, domain))
                domain ^= bit
                domains[y] = domain
                if not domain:
                    self._blame((x, y))
                    self.checks = checks
                    return False
        for y, image in self.network.arcs[x]:
            checks += 1
            domain = domains[y]
            kept = domain & image[bit]
            if kept != domain:
                trail.append((y, domain))
                domains[y] = kept
                if not kept:
                    self._blame((x, y))
                    self.checks = checks
                    return False
        self.checks = checks
        return self._propagate(self.network.watching[x])


class MAC(Inference):
    """Maintained arc consistency, by AC-3, and every propagator at its fixpoint.

    A variable whose domain is reduced to one value counts as assigned: it is no longer open.
    """

    def __init__(self, network: Network, look: Callable[[], object] = lambda: None) -> None:
        super().__init__(network, look)
        # Whether a variable is to be revised before it has one value; with ≠ alone it is not.
        self._telling = [bool(arcs or watching) for arcs, watching in zip(network.arcs, network.watching, strict=True)]
        self._revised = 0

    def root(self) -> bool:
        if not all(self.domains):
            return False
        everyone = dict.fromkeys(reversed(range(len(self.domains))))
        return self._propagate(everyone, dict.fromkeys(range(len(self.network.propagators))))

    def assign(self, x: int, bit: int) -> bool:
        self.trail.append((x, self.domains[x]))
        self.domains[x] = bit
        return self._propagate({x: None}, {})

    def exclude(self, x: int, bit: int) -> bool:
        return super().exclude(x, bit) and self._propagate({x: None}, {})

    def open_at_root(self) -> list[int]:
        return self.still_open(range(len(self.domains)), -1)

    def still_open(self, variables: Sequence[int], x: int) -> list[int]:
        domains = self.domains
        return [y for y in variables if domains[y] & (domains[y] - 1)]

    def _propagate(self, changed: dict[int, None], woken: dict[int, None]) -> bool:
        """AC-3 from the changed variables; propagators wait until the arcs are consistent, since they cost more.

        Both queues are dictionaries without values: no duplicates, and `popitem` is fast and deterministic. The queue
        holds variables, not arcs: one entry for all arcs from a variable.
        """
        while True:
            if changed:
                if not self._revise(changed, woken):
                    return False
            elif woken:
                self._look()
                narrowed = self._narrow(woken.popitem()[0])
                if narrowed is None:
                    return False
                changed.update(dict.fromkeys(narrowed))
            else:
                return True

    def _revise(self, changed: dict[int, None], woken: dict[int, None]) -> bool:
        """Make the arcs consistent. The hot loop of every search: names are local, counters written back at the end."""
        domains, telling = self.domains, self._telling
        differ, arcs, watching = self.network.differ, self.network.arcs, self.network.watching
        note = self.trail.append
        pop = changed.popitem
        checks, revised = self.checks, self._revised
        alive = True
        while changed and alive:
            x = pop()[0]
            domain = domains[x]
            revised += 1
            if not revised & 255:
                self._look()
            if not domain & (domain - 1):
                others = differ[x]
                checks += len(others)
                for y in others:
                    before = domains[y]
                    if before & domain:
                        note((y, before))
                        domains[y] = kept = before ^ domain
                        if not kept & (kept - 1):
                            if not kept:
                                self._blame((x, y))
                                checks -= len(others) - 1 - others.index(y)  # those not visited
                                alive = False
                                break
                            changed[y] = None
                        elif telling[y]:
                            changed[y] = None
            if alive and telling[x]:
                for y, image in arcs[x]:
                    checks += 1
                    before = domains[y]
                    kept = before & image[domain]
                    if kept != before:
                        note((y, before))
                        domains[y] = kept
                        if not kept:
                            self._blame((x, y))
                            alive = False
                            break
                        changed[y] = None  # y has an arc back
                for p in watching[x]:
                    woken[p] = None
        self.checks, self._revised = checks, revised
        return alive
