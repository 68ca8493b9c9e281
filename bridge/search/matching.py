"""Domain consistency of all-different: removes every value that no solution of the constraint has.

- A **matching** gives each variable a value of its own. The values that it gives are **matched**, the others **free**.
- If x takes the value matched to y, y must take another one of its domain: in the value graph, each matched value has
  edges to the other values of its variable's domain.
- A set of matched values is **tight** when its variables can have no others. (The variables are a Hall set: three cells
  that share three candidates.)

J.-C. Régin, *A filtering algorithm for constraints of difference in CSPs*, 1994: a variable can take the value matched
to another one if both are in one strongly connected component of that graph, or if a path leads to a free value. So a
tight value is removed from the domains outside its own component.

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

    The last matching is kept as a start for the next, since most of it stays valid. What is removed does not depend on
    the matching.
    """

    def __init__(self, scope: Iterable[int]) -> None:
        self.scope = tuple(scope)
        self._last: dict[int, int] = {}

    def narrow(self, domains: Sequence[int]) -> Iterable[tuple[int, int]] | None:
        left = _without_decided(self.scope, domains)
        if left is None:
            return None
        # A tight set with a variable outside of it has fewer values than there are variables.
        fewer = len(left)
        if any(mask.bit_count() < fewer for mask in left.values()):
            owner = self._match(left)
            if owner is None:
                return None
            _remove_tight(left, owner)
        return [(x, mask) for x, mask in left.items() if mask != domains[x]]

    def _match(self, left: dict[int, int]) -> dict[int, int] | None:
        """A maximum matching, as the variable of each matched value; None when it leaves out a variable."""
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

    Decided values are tight by themselves; removing them first leaves a smaller problem.
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
    """Match x along an augmenting path; the newly matched value, or 0 when there is none.

    The search goes from x through the variables whose values would change, to one that can have a free value.
    """
    asked: dict[int, tuple[int, int]] = {}  # the variable before each one on the path, and the value between them
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
    """Remove from each domain the tight values outside its own component.

    Components by H. Gabow, *Path-based depth-first search for strong and biconnected components*, 2000, with masks: the
    path holds components under way, each with the union of its variables' domains; an edge back into the path merges
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
