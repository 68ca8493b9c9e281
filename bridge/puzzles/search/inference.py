"""Inference: propagation after each assignment, and how it is undone.

- A **given** is a variable whose domain has one value from the start. Givens are assigned at the root.
- A variable is **open** until it is assigned; a **wipe-out** is a domain with nothing left.
- The **trail** lists every change of a domain: the variable, then its previous mask. To backtrack is to restore from
  its end.

`assign` makes an assignment, propagates it, and returns whether no contradiction was found; `retract` undoes both.

    >>> from bridge.puzzles.search.network import Network
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
from typing import ClassVar

from bridge.puzzles.search.network import Image, Network
from bridge.puzzles.search.propagator import Propagator, nothing


class Inference(ABC):
    """The state of a search: domains, trail, number of checks, and weights of failed constraints.

    `look` is called during long propagation; it may raise to end the search. The network is read, never changed. The
    weight of a variable is the number of its constraints, and one more for each failure of one of them. Failures are
    not undone by backtracking: they are what the search has learnt.
    """

    def __init__(self, network: Network, look: Callable[[], object] = nothing) -> None:
        self.network: Network = network
        self.domains: list[int] = network.domains.copy()
        self.trail: list[int] = []
        self.checks: int = 0
        self.weights: list[int] = [
            len(network.differ[x]) + len(network.arcs[x]) + len(network.watching[x])
            for x in range(len(network.variables))
        ]
        self._look: Callable[[], object] = look
        self._propagators: list[Propagator] = network.propagators

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
        self.trail += (x, self.domains[x])
        self.domains[x] ^= bit
        return self.domains[x] != 0

    def retract(self, x: int, mark: int) -> None:
        """Undo the assignment of x, made when the trail had length `mark`, and its consequences."""
        trail, domains = self.trail, self.domains
        for i in range(len(trail) - 2, mark - 1, -2):
            domains[trail[i]] = trail[i + 1]
        del trail[mark:]

    def share(self, other: Inference) -> None:
        """Use the domains and the trail of another inference from now on."""
        self.domains, self.trail = other.domains, other.trail

    def changes(self, mark: int) -> list[tuple[int, int]]:
        """The changes since the trail had length `mark`: variables with their previous masks, in order."""
        trail = self.trail
        return [(trail[i], trail[i + 1]) for i in range(mark, len(trail), 2)]

    def open_at_root(self) -> list[int]:
        """The variables that are open after `root`."""
        return [x for x, domain in enumerate(self.network.domains) if domain & (domain - 1)]

    def still_open(self, variables: list[int], x: int) -> list[int]:
        """The variables, among these, that are open after the assignment of x."""
        return [y for y in variables if y != x]

    def remaining(self, variables: list[int]) -> list[int]:
        """The mask of values that each variable may still have."""
        domains = self.domains
        return [domains[x] for x in variables]

    def narrow(self, p: int) -> list[int] | None:
        """Run a propagator: the variables that it changed, or None on a wipe-out."""
        self.checks += 1
        propagator = self._propagators[p]
        domains, trail = self.domains, self.trail
        changes = propagator.narrow(domains)
        if changes is None:
            self._blame(propagator.scope)
            return None
        changed: list[int] = []
        for x, kept in changes:
            if not kept:
                self._blame(propagator.scope)
                return None
            trail.append(x)
            trail.append(domains[x])
            domains[x] = kept
            changed.append(x)
        return changed

    def _blame(self, scope: Iterable[int]) -> None:
        """Increase the weights of the variables of a failed constraint."""
        for x in scope:
            self.weights[x] += 1


class _Assigning(Inference):
    """What BT and FC share: a variable is assigned when the search says so, and constraints wait for that.

    A propagator runs when at most so many variables of its scope are open as its `patience` says.
    """

    patience: ClassVar[int] = 0

    def __init__(self, network: Network, look: Callable[[], object] = nothing) -> None:
        super().__init__(network, look)
        self._open: int = _mask(range(len(network.variables)))  # over variables, as are the scopes
        self._scopes: list[int] = [_mask(propagator.scope) for propagator in network.propagators]

    def is_open(self, x: int) -> bool:
        return self._open >> x & 1 == 1

    def all_assigned(self) -> bool:
        return not self._open

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

    def enter(self, domains: Sequence[int], open_ones: Sequence[int]) -> None:
        """Go on from a state that was left: its domains, and the variables that are open in it."""
        self.domains = list(domains)
        self.trail.clear()
        self._open = _mask(open_ones)

    def retract(self, x: int, mark: int) -> None:
        super().retract(x, mark)
        self._open |= 1 << x

    def _propagate(self, propagators: list[int]) -> bool:
        for p in propagators:
            if (self._scopes[p] & self._open).bit_count() <= self.patience and self.narrow(p) is None:
                return False
        return True


def _mask(variables: Iterable[int]) -> int:
    """Variables as a mask."""
    mask = 0
    for x in variables:
        mask |= 1 << x
    return mask


class BT(_Assigning):
    """No inference: a value is checked against the variables assigned before, one pair of values at a time.

    A constraint on more than two variables is checked when its last variable is assigned.
    """

    def __init__(self, network: Network, look: Callable[[], object] = nothing) -> None:
        super().__init__(network, look)
        self.value: list[int] = [0 for _ in network.variables]  # the bit assigned, 0 when open
        self._into: list[list[tuple[int, Image]]] = [[] for _ in network.variables]
        for x, arcs in enumerate(network.arcs):
            for y, image in arcs:
                self._into[y].append((x, image))

    def enter(self, domains: Sequence[int], open_ones: Sequence[int]) -> None:
        super().enter(domains, open_ones)
        self.value = list(domains)
        for x in open_ones:
            self.value[x] = 0

    def assign(self, x: int, bit: int) -> bool:
        self._open &= ~(1 << x)
        self.trail += (x, self.domains[x])
        value, checks = self.value, self.checks
        self.domains[x] = value[x] = bit
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

    def remaining(self, variables: list[int]) -> list[int]:
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
        trail.append(x)
        trail.append(domains[x])
        domains[x] = bit
        # Neighbours assigned before need no test: what they forbid is removed already.
        checks = self.checks
        for y in self.network.differ[x]:
            checks += 1
            domain = domains[y]
            if domain & bit:
                trail.append(y)
                trail.append(domain)
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
                trail.append(y)
                trail.append(domain)
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

    What is left to do are the variables to be revised, on a stack, and the propagators to be run, in a queue: one that
    waits hears of more changes (a stack runs those of a Takuzu twice as often). Each entry is there once, for which a
    list of flags stands beside. A variable stands for all arcs from it; with ≠ alone, it is revised when it has one
    value. Propagators are woken once the arcs are consistent, by the changes that the trail lists since the last time.
    """

    def __init__(self, network: Network, look: Callable[[], object] = nothing) -> None:
        super().__init__(network, look)
        count = len(network.variables)
        # Whether a variable is to be revised before it has one value; with ≠ alone it is not.
        self._telling: list[bool] = [len(arcs) > 0 for arcs in network.arcs]
        self._changed: list[int] = []
        self._is_changed: list[bool] = [False] * count
        self._woken: list[int] = []
        self._is_woken: list[bool] = [False] * len(network.propagators)
        self._heard: int = 0  # the propagators have been woken by so much of the trail
        self._revised: int = 0

    def root(self) -> bool:
        if not all(self.domains):
            return False
        self.queue_all()
        if not self._revise(False):
            self._forget()
            return False
        self._heard = len(self.trail)  # all wait
        return self._propagate()

    def queue_all(self) -> None:
        """Every variable is to be revised, and every propagator to be run, the first one first."""
        for x in range(len(self.network.variables) - 1, -1, -1):
            self._change(x)
        self._woken = list(range(len(self._is_woken)))
        self._is_woken = [True] * len(self._is_woken)

    def assign(self, x: int, bit: int) -> bool:
        self._heard = len(self.trail)
        self.trail.append(x)
        self.trail.append(self.domains[x])
        self.domains[x] = bit
        self._change(x)
        return self._propagate()

    def exclude(self, x: int, bit: int) -> bool:
        self._heard = len(self.trail)
        if not super().exclude(x, bit):
            return False
        self._change(x)
        return self._propagate()

    def open_at_root(self) -> list[int]:
        return [x for x in range(len(self.network.variables)) if self.domains[x] & (self.domains[x] - 1)]

    def still_open(self, variables: list[int], x: int) -> list[int]:
        domains = self.domains
        return [y for y in variables if domains[y] & (domains[y] - 1)]

    def revise(self, x: int) -> list[int] | None:
        """Make the arcs from x consistent, no others: the propagators that watch x, or None on a wipe-out."""
        self._change(x)
        alive = self._revise(True)
        self._forget()
        return self.network.watching[x].copy() if alive else None

    def _change(self, x: int) -> None:
        """A variable is to be revised, if it has arcs that may remove something."""
        domain = self.domains[x]
        if (self._telling[x] or not domain & (domain - 1)) and not self._is_changed[x]:
            self._is_changed[x] = True
            self._changed.append(x)

    def _propagate(self) -> bool:
        """AC-3 from the changed variables; propagators wait until the arcs are consistent, since they cost more."""
        changed, woken = self._changed, self._woken
        while not changed or self._revise(False):
            self._wake(-1)
            if not woken:
                return True
            self._revised += 1
            if not self._revised & 15:
                self._look()
            p = woken.pop(0)
            self._is_woken[p] = False
            narrowed = self.narrow(p)
            if narrowed is None:
                break
            if narrowed:
                for x in narrowed:
                    self._change(x)
                self._wake(p if self._propagators[p].idempotent else -1)
        self._forget()
        return False

    def _wake(self, by: int) -> None:
        """Queue the propagators that the last changes concern, except the one that made them.

        One that depends on the ends of domains alone is not concerned if only values between them were removed.
        """
        trail, domains = self.trail, self.domains
        watching, ends_only = self.network.watching, self.network.ends_only
        woken, is_woken = self._woken, self._is_woken
        count = len(watching)
        for i in range(self._heard, len(trail), 2):
            x = trail[i]
            if x >= count:
                continue
            for p in watching[x]:
                if is_woken[p] or p == by:
                    continue
                if ends_only[p]:
                    before, domain = trail[i + 1], domains[x]
                    if before & -before & domain and before.bit_length() == domain.bit_length():
                        continue
                is_woken[p] = True
                woken.append(p)
        self._heard = len(trail)

    def _forget(self) -> None:
        """After a contradiction, nothing is left to do."""
        while self._changed:
            self._is_changed[self._changed.pop()] = False
        while self._woken:
            self._is_woken[self._woken.pop()] = False

    def _revise(self, only_one: bool) -> bool:
        """Make the arcs consistent, or those from one variable. The hot loop of every search: names are local."""
        domains, trail, telling = self.domains, self.trail, self._telling
        differ, arcs = self.network.differ, self.network.arcs
        changed, is_changed = self._changed, self._is_changed
        checks, revised = self.checks, self._revised
        alive = True
        while changed:
            x = changed.pop()
            is_changed[x] = False
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
                        trail.append(y)
                        trail.append(before)
                        kept = before ^ domain
                        domains[y] = kept
                        if not kept & (kept - 1):
                            if not kept:
                                self._blame((x, y))
                                checks -= len(others) - 1 - others.index(y)  # those not visited
                                alive = False
                                break
                        elif not telling[y]:
                            continue
                        if not is_changed[y]:
                            is_changed[y] = True
                            changed.append(y)
            if alive and telling[x]:
                for y, image in arcs[x]:
                    checks += 1
                    before = domains[y]
                    kept = before & image[domain]
                    if kept != before:
                        trail.append(y)
                        trail.append(before)
                        domains[y] = kept
                        if not kept:
                            self._blame((x, y))
                            alive = False
                            break
                        if not is_changed[y]:  # y has an arc back
                            is_changed[y] = True
                            changed.append(y)
            if only_one or not alive:
                break
        self.checks, self._revised = checks, revised
        return alive
