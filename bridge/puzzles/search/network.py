"""The compiled form of a problem: variables are indices, sets of values are bit masks.

- A **value** is one bit of the network's value table, a **mask** an int: a set of values. `mask & -mask` is its first
  value, `mask & (mask - 1)` is 0 when there is only one.
- An **arc** x → y restricts the domain of y by that of x.
- The **image** of a mask along an arc is the set of y's values that some value of x in the mask supports.

Every constraint is posted as one of three primitives: two variables are `different`; an `arc` in both directions
between two variables, for any relation (`element`, for equal keys, does not evaluate every pair); a `Propagator` for
anything else.

    >>> from operator import lt
    >>> network = Network({"x": [1, 2, 3], "y": [1, 2, 3]})
    >>> network.arc("x", "y", lt)
    >>> x, y = network.index["x"], network.index["y"]
    >>> (neighbour, image), = network.arcs[x]
    >>> network.decode(image[network.encode([2, 3])])
    (3,)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, count, pairwise
from numbers import Rational
from typing import Any, TypeAlias

from bridge.puzzles.search.propagator import Propagator, nothing

#: Any hashable: a string such as `r1c2`, a tuple. (`Any`, because mappings are invariant in their keys.)
Variable: TypeAlias = Any
#: Any hashable.
Value: TypeAlias = Any

#: How many masks an arc (or a propagator) caches; beyond, it computes the image each time.
MAX_REMEMBERED = 4096

#: A binary digit.
ONE = ord("1")


class Image(dict[int, int]):
    """The image of every mask along an arc: given for single values, computed on first use for others.

    A dictionary, because the same few masks recur all the time, and a hit costs no call.
    """

    def __missing__(self, mask: int) -> int:
        union = 0
        for bit in bits(mask):
            union |= self[bit]
        if len(self) < MAX_REMEMBERED:
            self[mask] = union
        return union


class KeyImage(Image):
    """The image of every mask along an arc where x and y have the same key (a letter that two words share).

    A key is a mask of values on either side, so that the image of any mask is found by a pass over the keys. Nothing
    is cached: masks of thousands of values seldom recur, and each would be as long as a domain.
    """

    def __init__(self, ours: Keys, theirs: Keys) -> None:
        super().__init__()
        self._keys = [(mask, theirs.values[key]) for key, mask in ours.values.items() if key in theirs.values]

    def __missing__(self, mask: int) -> int:
        union = 0
        for having, image in self._keys:
            if mask & having:
                union |= image
        return union


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a variable's values, for a link. A key is a bit, the same in all links.

    `values` has for each key the mask of the values that have it, `of` for each place in the value table the key of the
    value there; 0 where it is none of the variable's.
    """

    values: Mapping[int, int]
    of: Sequence[int]


@dataclass(frozen=True, slots=True)
class Link:
    """Two variables that must have the same key, and the mask of the keys that both can have."""

    x: int
    y: int
    of_x: Keys
    of_y: Keys
    common: int


class Network:
    """A constraint network with masks.

    Parameters
    ----------
    domains
        Each variable's values, in the order in which a search is to try them.
    look
        Called from time to time during long work; it may raise to end it.

    Attributes
    ----------
    variables, index
        The variables, and each one's index.
    domains
        Each variable's initial mask.
    differ
        For each variable those that must differ from it. Kept apart from other arcs, because ≠ needs no image: only a
        variable with one value removes anything.
    arcs
        For each variable x the pairs (y, image) of its arcs x → y.
    links
        The pairs of arcs for equal keys, with the keys.
    propagators, watching, ends_only
        All propagators; for each variable those that watch it (as positions); and `Propagator.ends_only` of each.
    adjacent
        For each variable the set of its neighbours, as a mask over variables (bit y for variable y).
    """

    def __init__(self, domains: Mapping[Variable, Sequence[Value]], look: Callable[[], object] = nothing) -> None:
        self.variables: tuple[Variable, ...] = tuple(domains)
        self.index: dict[Variable, int] = {variable: x for x, variable in enumerate(self.variables)}
        different = {id(values): values for values in domains.values()}  # most often few, or one
        self.values: tuple[Value, ...] = _table(different.values())
        self._bit: dict[Value, int] = {value: 1 << i for i, value in enumerate(self.values)}
        masks = {known: self.encode(values) for known, values in different.items()}
        orders = {known: self._order(values) for known, values in different.items()}
        self.domains: list[int] = [masks[id(values)] for values in domains.values()]
        self._given: list[tuple[int, ...] | None] = [orders[id(values)] for values in domains.values()]
        self.differ: list[list[int]] = [[] for _ in self.variables]
        self.arcs: list[list[tuple[int, Image]]] = [[] for _ in self.variables]
        self.links: list[Link] = []
        self.propagators: list[Propagator] = []
        self.ends_only: list[bool] = []
        self.watching: list[list[int]] = [[] for _ in self.variables]
        self.adjacent: list[int] = [0 for _ in self.variables]
        self._unequal: list[int] = [0 for _ in self.variables]  # `differ` as masks over variables
        # Whether another network has the same lists: all; those of a variable; its arcs.
        self._all_shared: bool = False
        self._shared: list[bool] = [False for _ in self.variables]
        self._shared_arcs: list[bool] = [False for _ in self.variables]
        self._images: dict[tuple[int, int, int], tuple[Callable[[Value, Value], object], Image, Image]] = {}
        self._keys: dict[tuple[int, int], tuple[Callable[[Value], object], Keys]] = {}
        self._key_bits: dict[object, int] = {}
        self._look: Callable[[], object] = look

    def copy(self, look: Callable[[], object] | None = None) -> Network:
        """A copy to post more on; what is posted on one does not affect the other.

        All lists but the domains are shared until one of the two is posted on, and those of a variable until they
        change.
        """
        twin = Network({}, self._look if look is None else look)
        twin.variables, twin.index, twin.values = self.variables, self.index, self.values
        twin._bit, twin._given = self._bit, self._given
        twin.domains = self.domains.copy()
        twin.differ, twin.arcs, twin.links = self.differ, self.arcs, self.links
        twin.propagators, twin.ends_only, twin.watching = self.propagators, self.ends_only, self.watching
        twin.adjacent, twin._unequal = self.adjacent, self._unequal
        twin._images = self._images  # a cache
        twin._keys, twin._key_bits = self._keys, self._key_bits
        self._all_shared = twin._all_shared = True
        return twin

    # What constraints post.

    def different(self, x: Variable, y: Variable) -> None:
        """Post x ≠ y; posting it twice (a cell in the same row and box) is harmless."""
        self.all_different((x, y))

    def all_different(self, scope: Iterable[Variable]) -> None:
        """Post x ≠ y for every two variables."""
        self._own_all()
        everyone = [self.index[variable] for variable in scope]
        together = 0
        for x in everyone:
            together |= 1 << x
        for x in everyone:
            known = self._unequal[x]
            others = together & ~known & ~(1 << x)
            if not others:
                continue
            self._own(x)
            of_x = self.differ[x]
            if others | 1 << x == together:
                of_x += [y for y in everyone if y != x]
            else:
                of_x += [y for y in everyone if others >> y & 1]
            self._unequal[x] = known | others
            self.adjacent[x] |= others
        self._look()

    def restrict(self, x: Variable, values: Iterable[Value]) -> None:
        """Keep only these values of the domain of x."""
        self.restrict_all({x: values})

    def restrict_all(self, kept: Mapping[Variable, Iterable[Value]]) -> None:
        """Keep only these values of the domains of some variables; other values are passed over."""
        bit, domains = self._bit, self.domains
        for variable, values in kept.items():
            known = [value for value in values if value in bit]
            domains[self.index[variable]] &= bit[known[0]] if len(known) == 1 else self.encode(known)

    def arc(self, x: Variable, y: Variable, relation: Callable[[Value, Value], object]) -> None:
        """Post relation(value of x, value of y). It is evaluated once for every pair of values."""
        self._own_all()
        i, j = self.index[x], self.index[y]
        # Many arcs share a relation and both domains (the signs of a Futoshiki). The relation's id stands for it,
        # hashable or not; kept beside the images, it lives as long as its id is a key.
        key = (id(relation), self.domains[i], self.domains[j])
        images = self._images.get(key)
        if images is None:
            images = (relation, *self._compile(relation, self.domains[i], self.domains[j]))
            self._images[key] = images
        self._own_arcs(i)
        self._own_arcs(j)
        self.arcs[i].append((j, images[1]))
        self.arcs[j].append((i, images[2]))
        self.adjacent[i] |= 1 << j
        self.adjacent[j] |= 1 << i

    def element(
        self, x: Variable, y: Variable, left: Callable[[Value], object], right: Callable[[Value], object]
    ) -> None:
        """Post left(value of x) = right(value of y). Each is called once for every value, not for every pair."""
        self._own_all()
        i, j = self.index[x], self.index[y]
        ours, theirs = self._by_key(i, left), self._by_key(j, right)
        self._own_arcs(i)
        self._own_arcs(j)
        self.arcs[i].append((j, KeyImage(ours, theirs)))
        self.arcs[j].append((i, KeyImage(theirs, ours)))
        self.links.append(Link(i, j, ours, theirs, sum(ours.values.keys() & theirs.values.keys())))
        self._join((i, j))
        self._look()

    def add(self, propagator: Propagator) -> None:
        """Post any other constraint."""
        self._own_all()
        for x in propagator.scope:
            self._own(x)
            self.watching[x].append(len(self.propagators))
        self.propagators.append(propagator)
        self.ends_only.append(propagator.ends_only)
        self._join(propagator.scope)
        self._look()

    # Between masks and values.

    def encode(self, values: Iterable[Value]) -> int:
        return _mask((self._bit[value].bit_length() - 1 for value in values), len(self.values))

    def decode(self, mask: int) -> tuple[Value, ...]:
        """The values of a mask, in the order of the value table."""
        values = self.values
        found: list[Value] = []
        while mask:
            bit = mask & -mask
            mask ^= bit
            found.append(values[bit.bit_length() - 1])
        return tuple(found)

    def numbers(self) -> list[Any]:
        """The numbers among the values: those at the beginning of the table."""
        return [value for value in self.values if _is_number(value)]

    def in_order(self, x: int) -> bool:
        """Whether the domain of x was given in the order of the value table."""
        return self._given[x] is None

    def given(self, x: int, mask: int) -> Iterator[int]:
        """The bits of a mask in the order in which x's domain was given."""
        order = self._given[x]
        return bits(mask) if order is None else (1 << i for i in order if mask >> i & 1)

    def given_values(self, x: int, mask: int) -> tuple[Value, ...]:
        """The values of a mask in the same order."""
        order = self._given[x]
        return self.decode(mask) if order is None else tuple([self.values[i] for i in order if mask >> i & 1])

    def _order(self, values: Sequence[Value]) -> tuple[int, ...] | None:
        order = tuple(self._bit[value].bit_length() - 1 for value in values)
        return None if all(i < j for i, j in pairwise(order)) else order  # None: as the table

    def _own_all(self) -> None:
        """Copy what is shared before the first change; the lists of each variable only once they change."""
        if self._all_shared:
            self._all_shared = False
            self.differ, self.arcs, self.links = self.differ.copy(), self.arcs.copy(), self.links.copy()
            self.propagators, self.ends_only = self.propagators.copy(), self.ends_only.copy()
            self.watching = self.watching.copy()
            self.adjacent, self._unequal = self.adjacent.copy(), self._unequal.copy()
            self._keys, self._key_bits = self._keys.copy(), self._key_bits.copy()
            self._shared = [True] * len(self.variables)
            self._shared_arcs = [True] * len(self.variables)

    def _own(self, x: int) -> None:
        """Copy the lists of x but its arcs before they change, if another network has them, too."""
        if self._shared[x]:
            self._shared[x] = False
            self.differ[x] = self.differ[x].copy()
            self.watching[x] = self.watching[x].copy()

    def _own_arcs(self, x: int) -> None:
        """The same for its arcs."""
        if self._shared_arcs[x]:
            self._shared_arcs[x] = False
            self.arcs[x] = self.arcs[x].copy()

    def _join(self, scope: Sequence[int]) -> None:
        everyone = 0
        for x in scope:
            everyone |= 1 << x
        for x in scope:
            self.adjacent[x] |= everyone & ~(1 << x)

    def _by_key(self, x: int, key: Callable[[Value], object]) -> Keys:
        """The keys of x's initial values; shared by all variables of the same domain."""
        known = id(key), self.domains[x]
        if known not in self._keys:
            having, of = defaultdict[object, list[int]](list), [0] * len(self.values)
            for i in compress(count(), map(int, reversed(f"{self.domains[x]:b}"))):
                having[key(self.values[i])].append(i)
            values = {}
            for its, places in having.items():
                bit = self._key_bits.setdefault(its, 1 << len(self._key_bits))
                values[bit] = _mask(places, len(of))
                for i in places:
                    of[i] = bit
            self._keys[known] = key, Keys(values, of)  # the key lives as long as its id stands for it
        return self._keys[known][1]

    def _compile(self, relation: Callable[[Value, Value], object], left: int, right: int) -> tuple[Image, Image]:
        forth = Image(dict.fromkeys(bits(left), 0))
        back = Image(dict.fromkeys(bits(right), 0))
        rights = list(zip(bits(right), self.decode(right), strict=True))
        for bit, value in zip(bits(left), self.decode(left), strict=True):
            self._look()
            for other_bit, other in rights:
                if relation(value, other):
                    forth[bit] |= other_bit
                    back[other_bit] |= bit
        return forth, back


def _mask(places: Iterable[int], length: int) -> int:
    """The mask with a bit at each place: made of text, for a new number a bit is slow with thousands."""
    digits = bytearray(b"0") * length
    for place in places:
        digits[~place] = ONE
    return int(digits or b"0", 2)


def bits(mask: int) -> Iterator[int]:
    """The single-value masks of a mask, from the lowest."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _table(domains: Iterable[Sequence[Value]]) -> tuple[Value, ...]:
    """All values once: numbers in ascending order, then the others, sorted if they can be.

    So a domain that is given in order needs no order of its own, and the first and last bit of a mask of numbers are
    its least and its greatest.
    """
    values = dict.fromkeys(value for domain in domains for value in domain)
    numbers = sorted([value for value in values if _is_number(value)])
    others = [value for value in values if not _is_number(value)]
    try:
        others.sort()
    except TypeError:
        others = [value for value in values if not _is_number(value)]
    return (*numbers, *others)


def _is_number(value: Value) -> bool:
    return type(value) is int or isinstance(value, Rational)
