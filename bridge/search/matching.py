"""All different, seen as a whole: every value that no solution of the one constraint has is removed.

- A **matching** gives each variable a value of its own. The values that it gives are **matched**, the others **free**.
- Passing on: if x takes the value that y has, y must take another one of its domain. So each matched value leads to the
  other values of its variable's domain.
- A set of matched values is **tight** when its variables can have no others: together they need all of them. (The
  variables are a Hall set: three cells that share three candidates.)

The one idea (J.-C. Régin, *A filtering algorithm for constraints of difference in CSPs*, 1994): one matching knows all
others. A variable can have a value that another one has if passing on comes back to it (a strongly connected component)
or ends in a free value; so what must go is a tight value in a domain outside of its own component.

    >>> from bridge.search.network import Network
    >>> network = Network({"x": [1, 2], "y": [1, 2], "z": [1, 2, 3]})
    >>> matching = Matching([0, 1, 2])
    >>> [(network.variables[x], network.decode(kept)) for x, kept in matching.narrow(network.domains)]
    [('z', (3,))]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bridge.search.network import Propagator, bits


class Matching(Propagator):
    """Domain consistency of all-different.

    Parameters
    ----------
    scope
        The indices of the variables, each once.

    The last matching is remembered, as where to begin: most of it holds the next time. Which matching it is makes no
    difference to what is removed.
    """

    def __init__(self, scope: Iterable[int]) -> None:
        self.scope = tuple(scope)
        self._last: dict[int, int] = {}

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]] | None:
        left = _without_decided(self.scope, domains)
        if left is None:
            return None
        # A tight set that somebody is outside of has fewer values than there are variables.
        fewer = len(left)
        if any(mask.bit_count() < fewer for mask in left.values()):
            owner = self._match(left)
            if owner is None:
                return None
            _remove_tight(left, owner)
        return [(x, mask) for x, mask in left.items() if mask != domains[x]]

    def _match(self, left: dict[int, int]) -> dict[int, int] | None:
        """Each variable's value of its own, as the variable of each matched value; None when they are too few."""
        last, owner, unmatched = self._last, {}, []
        for x, mask in left.items():
            bit = last.get(x, 0) & mask
            if bit and bit not in owner:
                owner[bit] = x
            else:
                unmatched.append(x)
        matched = sum(owner)
        for x in unmatched:
            bit = _augment(x, left, owner, matched)
            if not bit:
                return None
            matched |= bit
        for bit, x in owner.items():
            last[x] = bit
        return owner


def _without_decided(scope: Sequence[int], domains: Sequence[int]) -> dict[int, int] | None:
    """The undecided variables, without the values of the decided ones; None when two of those have the same.

    Those are tight by themselves; taking them out first leaves a smaller problem.
    """
    decided = 0
    left = {}
    for x in scope:
        mask = domains[x]
        if mask & (mask - 1):
            left[x] = mask
        elif mask & decided:
            return None
        else:
            decided |= mask
    for x, mask in left.items():
        if mask & decided:
            mask &= ~decided
            if not mask:
                return None
            left[x] = mask
    return left


def _augment(x: int, left: dict[int, int], owner: dict[int, int], matched: int) -> int:
    """Match x too, passing values on where needed; the value that is newly matched, or 0 when there is no way.

    A search from x through the variables that would have to move, for one that can have a value which nobody has.
    """
    asked: dict[int, tuple[int, int]] = {}  # each variable asked to move: who wants its value, and which that is
    seen = 0
    stack = [x]
    while stack:
        y = stack.pop()
        mask = left[y] & ~seen
        free = mask & ~matched
        if free:
            last = bit = free & -free
            while y != x:
                wanting, value = asked[y]
                owner[bit] = y
                y, bit = wanting, value
            owner[bit] = x
            return last
        seen |= mask
        for bit in bits(mask):
            asked[owner[bit]] = y, bit
            stack.append(owner[bit])
    return 0


def _remove_tight(left: dict[int, int], owner: dict[int, int]) -> None:
    """Take out of each domain the tight values that are not of its own component.

    Components by H. Gabow, *Path-based depth-first search for strong and biconnected components*, 2000, with masks: the
    path holds components under way, each with the union of its variables' domains; an edge back into the path melts
    what lies between. A component is finished after all that it leads to, so by then it is known which values outside
    of it are tight: if all are, it is tight itself.
    """
    unfinished = unseen = sum(owner)
    tight = 0
    path: list[tuple[int, int]] = []
    while unseen or path:
        if not path:
            bit = unseen & -unseen
            unseen ^= bit
            path.append((bit, left[owner[bit]]))
        component, union = path.pop()
        onward = union & unfinished & ~component
        if onward:
            bit = onward & -onward
            if bit & unseen:
                unseen ^= bit
                path += (component, union), (bit, left[owner[bit]])
            else:
                while not bit & component:
                    members, reached = path.pop()
                    component |= members
                    union |= reached
                path.append((component, union))
            continue
        unfinished ^= component
        if union & tight:
            for bit in bits(component):
                left[owner[bit]] &= ~tight
        if not union & ~(component | tight):
            tight |= component
