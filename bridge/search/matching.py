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

from bridge.search.propagator import Propagator


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
        self.scope: tuple[int, ...] = tuple(scope)
        self._last: list[int] = [0 for _ in self.scope]

    def narrow(self, domains: list[int]) -> Sequence[tuple[int, int]] | None:
        # Decided values are tight by themselves; removing them first leaves a smaller problem.
        decided = 0
        union = 0
        scope = self.scope
        places: list[int] = []  # of the undecided variables
        for place in range(len(scope)):
            mask = domains[scope[place]]
            if mask & (mask - 1):
                places.append(place)
                union |= mask
            elif mask & decided:
                return None
            else:
                decided |= mask
        others = ~decided
        # A tight set with a variable outside of it has fewer values than there are variables.
        fewer = len(places)
        tight = False
        left = [0] * fewer
        for i in range(fewer):
            mask = domains[scope[places[i]]] & others
            if not mask:
                return None
            left[i] = mask
            if not tight and mask.bit_count() < fewer:
                tight = True
        if tight:
            last = self._last
            graph = _ValueGraph(left, union.bit_length())
            if not graph.match([last[place] for place in places]):
                return None
            values = graph.values
            for i in range(fewer):
                last[places[i]] = values[i]
            graph.remove_tight()
        changes: list[tuple[int, int]] = []
        for i in range(fewer):
            x = scope[places[i]]
            if left[i] != domains[x]:
                changes.append((x, left[i]))
        return changes


class _ValueGraph:
    """The undecided variables, numbered from 0, with their domains and a matching.

    Attributes
    ----------
    left
        The domain of each variable.
    values
        The value of each variable, as a bit, 0 where there is none yet.
    matched
        All these values.
    owner
        By value, the variable that has it; only entries of matched values mean anything.
    """

    def __init__(self, left: list[int], width: int) -> None:
        self.left: list[int] = left
        self.values: list[int] = [0] * len(left)
        self.matched: int = 0
        self.owner: list[int] = [0] * width

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
