"""The propagators of the constraints on many variables: sums, numbers of occurrences, lines.

Each is posted by the constraint of `bridge.puzzles.search.constraints` or `bridge.puzzles.search.constraints_lines`
that defines it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from bridge.puzzles.search.network import MAX_REMEMBERED
from bridge.puzzles.search.propagator import Propagator


class _AtMost(dict[int, int]):
    """The mask of the values that are at most so great, computed on first use."""

    def __init__(self, numbers: list[int]) -> None:
        super().__init__()
        self._numbers: list[int] = numbers

    def __missing__(self, bound: int) -> int:
        mask = (1 << bisect_right(self._numbers, bound)) - 1
        if len(self) < MAX_REMEMBERED:
            self[bound] = mask
        return mask


class SumPropagator(Propagator):
    """Removes values so small or so large that the others cannot complete the sum.

    `numbers` are the values that the first bits of a mask stand for, in ascending order; the variables have no others.
    """

    ends_only = True

    def __init__(self, scope: tuple[int, ...], numbers: list[int], total: int) -> None:
        self.scope: tuple[int, ...] = scope
        self._numbers: list[int] = numbers
        self._total: int = total
        self._at_most: _AtMost = _AtMost(numbers)

    def narrow(self, domains: list[int]) -> Sequence[tuple[int, int]] | None:
        numbers = self._numbers
        lowest = highest = widest = 0
        for x in self.scope:
            domain = domains[x]
            greatest = numbers[domain.bit_length() - 1]
            highest += greatest
            if domain & (domain - 1):
                least = numbers[(domain & -domain).bit_length() - 1]
                lowest += least
                if greatest - least > widest:
                    widest = greatest - least
            else:
                lowest += greatest
        above = self._total - lowest  # how far above its least a value may be
        under = highest - self._total  # how far under its greatest
        if above < 0 or under < 0:
            return None
        if widest <= above and widest <= under:
            return ()
        changes: list[tuple[int, int]] = []
        for x in self.scope:
            domain = domains[x]
            if domain & (domain - 1):
                least = numbers[(domain & -domain).bit_length() - 1]
                greatest = numbers[domain.bit_length() - 1]
                if greatest - least > above or greatest - least > under:
                    kept = domain & self._at_most[least + above] & ~self._at_most[greatest - under - 1]
                    if not kept:
                        return None
                    changes.append((x, kept))
        return changes


class AmongPropagator(Propagator):
    """Removes the value once it occurs `most` times, and assigns it where all that can take it are needed."""

    def __init__(self, scope: tuple[int, ...], bit: int, least: int, most: int) -> None:
        self.scope: tuple[int, ...] = scope
        self._bit: int = bit
        self._least: int = least
        self._most: int = most

    def narrow(self, domains: list[int]) -> Sequence[tuple[int, int]] | None:
        bit = self._bit
        having = 0
        undecided: list[int] = []
        for x in self.scope:
            domain = domains[x]
            if domain == bit:
                having += 1
            elif domain & bit:
                undecided.append(x)
        if having > self._most or having + len(undecided) < self._least:
            return None
        if having == self._most:
            return [(x, domains[x] & ~bit) for x in undecided]
        if having + len(undecided) == self._least:
            return [(x, bit) for x in undecided]
        return ()


class NotAllEqualPropagator(Propagator):
    """When all variables but one have the same value, removes it from the last one."""

    def __init__(self, scope: tuple[int, ...]) -> None:
        self.scope: tuple[int, ...] = scope

    def narrow(self, domains: list[int]) -> Sequence[tuple[int, int]] | None:
        common, last = 0, -1
        for x in self.scope:
            domain = domains[x]
            if domain & (domain - 1):
                if last >= 0:
                    return ()
                last = x
            elif not common:
                common = domain
            elif domain != common:
                return ()
        if last < 0:
            return None
        kept = domains[last] & ~common
        return () if kept == domains[last] else [(last, kept)]


class NotEqualVectorsPropagator(Propagator):
    """When only one place is left to differ and one vector has a value there, removes it from the other.

    The scope is the first vector, then the second.
    """

    def __init__(self, scope: tuple[int, ...], length: int) -> None:
        self.scope: tuple[int, ...] = scope
        self._length: int = length

    def narrow(self, domains: list[int]) -> Sequence[tuple[int, int]] | None:
        scope, length = self.scope, self._length
        place = -1
        for i in range(length):
            one, other = domains[scope[i]], domains[scope[i + length]]
            if one == other and not one & (one - 1):
                continue  # equal here
            if place >= 0 or not one & other:
                return ()
            place = i
        if place < 0:
            return None
        x, y = scope[place], scope[place + length]
        one, other = domains[x], domains[y]
        if not one & (one - 1):
            return [(y, other & ~one)]
        if not other & (other - 1):
            return [(x, one & ~other)]
        return ()
