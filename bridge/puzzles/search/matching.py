"""Domain consistency of all-different: removes every value that no solution of the constraint has.

- A **matching** gives each variable a value of its own. The values that it gives are **matched**, the others **free**.
- If x takes the value matched to y, y must take another one of its domain: in the value graph, each matched value has
  edges to the other values of its variable's domain.
- A set of matched values is **tight** when its variables can have no others. (The variables are a Hall set: three cells
  that share three candidates.)

J.-C. Régin, *A filtering algorithm for constraints of difference in CSPs*, 1994: a variable can take the value matched
to another one if both are in one strongly connected component of that graph, or if a path leads to a free value. So a
tight value is removed from the domains outside its own component.

    >>> from bridge.puzzles.search.network import Network
    >>> network = Network({"x": [1, 2], "y": [1, 2], "z": [1, 2, 3]})
    >>> matching = Matching([0, 1, 2])
    >>> [(network.variables[x], network.decode(kept)) for x, kept in matching.narrow(network.domains)]
    [('z', (3,))]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bridge.puzzles.search.propagator import Propagator


class Matching(Propagator):
    """Domain consistency of all-different, on the indices of variables.

    The last matching is kept as a start for the next, since most of it stays valid. What is removed does not depend on
    the matching.
    """

    idempotent = True

    def __init__(self, scope: Iterable[int]) -> None:
        self.scope: tuple[int, ...] = tuple(scope)
        self._last: list[int] = [0 for _ in self.scope]

    def narrow(self, domains: list[int]) -> Sequence[tuple[int, int]] | None:
        scope = self.scope
        decided = 0
        places: list[int] = []  # in the scope, of the variables that are undecided
        masks: list[int] = []
        for place in range(len(scope)):
            mask = domains[scope[place]]
            if mask & (mask - 1):
                places.append(place)
                masks.append(mask)
            elif mask & decided:
                return None
            else:
                decided |= mask
        if not places:
            return ()
        if not self._narrow(places, masks, decided):
            return None
        changes: list[tuple[int, int]] = []
        for i in range(len(places)):
            x, mask = scope[places[i]], masks[i]
            if mask != domains[x]:
                changes.append((x, mask))
        return changes

    def _narrow(self, places: list[int], masks: list[int], decided: int) -> bool:
        """Remove from masks what they cannot have beside the values decided; False when nothing is left of one.

        Single values first, which are most of what there is to find, and leave a smaller graph, or none.
        """
        size = len(masks)
        while True:
            before = decided
            undecided = union = several = 0  # variables; values of some of them, and of more than one
            common = -1  # values of all of them
            for i in range(size):
                mask = masks[i]
                if mask & decided:
                    if not mask & (mask - 1):
                        continue  # decided here
                    mask &= ~decided
                    masks[i] = mask
                    if not mask & (mask - 1):
                        if not mask:
                            return False
                        decided |= mask
                        continue
                undecided += 1
                several |= union & mask
                union |= mask
                common &= mask
            if decided != before:
                continue
            number = union.bit_count()
            if number < undecided:
                return False
            if common == union:  # no variable has fewer than the others
                return True
            single = union & ~several
            if not single or number > undecided:
                break
            # Each value is needed: a variable that alone can have one has it.
            for i in range(size):
                mask = masks[i]
                if mask & single:
                    mask &= single
                    if mask & (mask - 1):
                        return False
                    masks[i] = mask
                    decided |= mask
        if undecided < 3:
            return True
        if undecided < size:
            among = [i for i in range(size) if masks[i] & (masks[i] - 1)]
            left = [masks[i] for i in among]
            if not self._remove_tight([places[i] for i in among], left, union, number):
                return False
            for i in range(undecided):
                masks[among[i]] = left[i]
            return True
        return self._remove_tight(places, masks, union, number)

    def _remove_tight(self, places: list[int], masks: list[int], union: int, number: int) -> bool:
        """Remove tight values from the masks of other variables; False when there is no matching."""
        if not _may_be_tight(masks, union, number):
            return True
        last = self._last
        graph = _ValueGraph(masks, union.bit_length())
        if not graph.match([last[place] for place in places]):
            return False
        graph.remove_tight()
        for i in range(len(places)):
            last[places[i]] = graph.values[i]
        return True


def _may_be_tight(masks: list[int], union: int, number: int) -> bool:
    """Whether there may be a tight set with a variable outside of it, of masks that share each value.

    It has fewer values than there are variables. With as many values as variables, the other values are tight for those
    that have no others: so sets of one value and of all but one need no look, and up to five variables sets of two.
    """
    fewer = len(masks)
    if number > fewer:
        return any(mask.bit_count() < fewer for mask in masks)
    if fewer > 5:
        return any(mask != union for mask in masks)
    if fewer < 4:
        return False
    one = two = three = 0  # values that so many variables have, or more
    for mask in masks:
        three |= two & mask
        two |= one & mask
        one |= mask
    two &= ~three
    for i in range(1, fewer):
        mask = masks[i]
        rest = mask & (mask - 1)
        has_two = not rest & (rest - 1)
        for j in range(i):
            other = masks[j]
            if has_two and mask == other:
                return True
            shared = mask & other & two
            if shared & (shared - 1):
                return True
    return False


class _ValueGraph:
    """The undecided variables, numbered from 0, with their domains and a matching."""

    def __init__(self, left: list[int], width: int) -> None:
        self.left: list[int] = left
        self.values: list[int] = [0] * len(left)  # a bit each, 0 where there is none yet
        self.matched: int = 0  # all these values
        self.owner: list[int] = [0] * width  # by value, the variable that has it, for matched values

    def match(self, last: list[int]) -> bool:
        """Find a maximum matching from an earlier one; False when it leaves out a variable."""
        left, values, owner = self.left, self.values, self.owner
        matched = 0
        for x in range(len(left)):
            bit = last[x] & left[x]
            if bit and not bit & matched:
                matched |= bit
                values[x] = bit
                owner[bit.bit_length() - 1] = x
        self.matched = matched
        return all(values[x] or self._augment(x) for x in range(len(left)))

    def _augment(self, x: int) -> bool:
        """Match x along an augmenting path, if there is one.

        The search goes from x through the variables whose values would change, to one that can have a free value.
        """
        left, values, owner = self.left, self.values, self.owner
        free = left[x] & ~self.matched
        if free:
            self._give(x, free & -free)
            return True
        before = [0] * len(left)  # the variable that wants the value of each one on the way
        seen = 0
        stack = [x]
        while stack:
            y = stack.pop()
            mask = left[y] & ~seen
            free = mask & ~self.matched
            if free:
                bit = free & -free
                while y != x:
                    released = values[y]
                    self._give(y, bit)
                    y, bit = before[y], released
                self._give(x, bit)
                return True
            seen |= mask
            while mask:
                bit = mask & -mask
                mask ^= bit
                z = owner[bit.bit_length() - 1]
                before[z] = y
                stack.append(z)
        return False

    def _give(self, x: int, bit: int) -> None:
        self.values[x] = bit
        self.matched |= bit
        self.owner[bit.bit_length() - 1] = x

    def remove_tight(self) -> None:
        """Remove from each domain the tight values outside its own component.

        Components by H. Gabow, *Path-based depth-first search for strong and biconnected components*, 2000, with masks:
        the path holds components under way, each with the union of its variables' domains; an edge back into the path
        merges what lies between. A component is finished after all that it leads to, so by then it is known which
        values outside of it are tight: if all are, it is tight itself.
        """
        left, owner = self.left, self.owner
        unfinished = unseen = self.matched
        tight = 0
        # The path, of this length; it is never longer than there are values.
        length = 0
        components = [0] * len(left)
        unions = [0] * len(left)
        component = union = 0
        while unseen or component:
            if not component:
                bit = unseen & -unseen
                unseen ^= bit
                component, union = bit, left[owner[bit.bit_length() - 1]]
            onward = union & unfinished & ~component
            if onward:
                bit = onward & -onward
                if bit & unseen:
                    unseen ^= bit
                    components[length] = component
                    unions[length] = union
                    length += 1
                    component, union = bit, left[owner[bit.bit_length() - 1]]
                else:
                    while not bit & component:
                        length -= 1
                        component |= components[length]
                        union |= unions[length]
                continue
            unfinished ^= component
            if union & tight:
                members = component
                while members:
                    bit = members & -members
                    members ^= bit
                    left[owner[bit.bit_length() - 1]] &= ~tight
            if not union & ~(component | tight):
                tight |= component
            component = 0
            if length:
                length -= 1
                component, union = components[length], unions[length]
