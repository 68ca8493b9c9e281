"""Techniques of human solvers on all-different constraints: singles, locked candidates, subsets, fish, wings, chains.

- A **candidate** is a value that a variable may still have.
- A **house** is an all-different constraint. It is **full** when it has as many variables as values: then every value
  has a place in it.
- **Peers** are variables with a house in common.
- A **pattern** is an occurrence of a technique: the candidates that it removes, and what they follow from: houses, and
  candidates that are absent.

Only the scopes of the houses matter: rows, columns and boxes of a Sudoku, diagonals, the edges of a graph. Names of
techniques are those of solvers (HoDoKu, SudokuWiki).

    >>> from bridge.puzzles.search import CSP, AllDifferent
    >>> csp = CSP({"a": [1, 2], "b": [1, 2], "c": [1, 2, 3]}, [AllDifferent("abc", "all")])
    >>> network = csp.network()
    >>> houses = Houses.of(csp, network)
    >>> pattern = next(hidden_singles(Candidates(houses, network.domains)))
    >>> pattern.technique, pattern.houses, network.decode(pattern.values)
    ('hidden single', ('all',), (3,))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from operator import and_, or_
from typing import Literal, TypeAlias

from bridge.puzzles.search.constraints import AllDifferent
from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.network import Network, bits
from bridge.puzzles.search.propagator import nothing

#: The levels of the ladder (`bridge.puzzles.search.ladder`), from the weakest to the strongest.
LevelName: TypeAlias = Literal[
    "fc", "ac", "singles", "locked", "gac", "fish", "wings", "chains", "shaving", "search"
]  # fmt: skip

#: The largest subsets and fish that are looked for: quads and jellyfish.
LARGEST = 4

#: Strong links of a wing, and of the longest chain.
WING, CHAIN = 3, 10

#: With more candidates than these, no wings and chains are looked for.
MOST_CANDIDATES = 4000


@dataclass(frozen=True, slots=True)
class House:
    """An all-different constraint: its variables in order and as a mask; and if it is full, the values that occur."""

    name: str
    cells: tuple[int, ...]
    mask: int
    full: int


class Houses:
    """The houses of a problem, which refer to each other by their positions in `all`.

    For each variable, `around` has the positions of its houses, `peers` the mask of its peers; for each house,
    `crossing` has the positions of those that share exactly one variable with it.
    """

    def __init__(self, named: Sequence[tuple[str, Sequence[int]]], domains: Sequence[int]) -> None:
        self.all: list[House] = []
        self.around: list[list[int]] = [[] for _ in domains]
        self.peers = [0 for _ in domains]
        self.values = reduce(or_, domains, 0)
        for name, cells in named:
            mask = sum(1 << x for x in cells)
            values = reduce(or_, (domains[x] for x in cells), 0)
            for x in cells:
                self.around[x].append(len(self.all))
                self.peers[x] |= mask & ~(1 << x)
            full = values if values.bit_count() == len(cells) else 0
            self.all.append(House(name, tuple(cells), mask, full))
        self.crossing = [
            frozenset(i for i, other in enumerate(self.all) if (other.mask & one.mask).bit_count() == 1)
            for one in self.all
        ]

    @classmethod
    def of(cls, csp: CSP, network: Network) -> Houses:
        """The all-different constraints of a problem."""
        named = [
            (one.name, [network.index[variable] for variable in one.scope])
            for one in csp.constraints
            if isinstance(one, AllDifferent)
        ]
        return cls(named, network.domains)

    def names(self, positions: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.all[i].name for i in positions)

    def common(self, x: int, y: int) -> int:
        """The first house of two peers."""
        return next(i for i in self.around[x] if self.all[i].mask >> y & 1)


@dataclass(frozen=True, slots=True)
class Pattern:
    """An occurrence of a technique.

    Attributes
    ----------
    technique
        The name.
    houses, covers
        Names of the constraints that it is seen in; of locked candidates and fish, those that it removes from.
    cells, values
        The variables and the mask of values that it is made of.
    removed
        Variables, each with the mask of candidates that it removes.
    absent
        Variables, each with a mask of values that they do not have: what it follows from, together with `rules`.
    rules
        Names of all constraints that it follows from.
    placed, also
        The variable and value that it places, if it does; and others that it places at the same time.
    chain
        The candidates of a chain in order, as pairs of variable and value: the first or the last of them is true.
    fins
        The candidates that are the fins of a fish.
    """

    technique: str
    houses: tuple[str, ...]
    cells: tuple[int, ...]
    values: int
    removed: tuple[tuple[int, int], ...]
    absent: tuple[tuple[int, int], ...]
    rules: tuple[str, ...]
    covers: tuple[str, ...] = ()
    placed: tuple[int, int] | None = None
    chain: tuple[tuple[int, int], ...] = ()
    fins: tuple[tuple[int, int], ...] = ()
    also: tuple[tuple[int, int], ...] = ()


class Candidates:
    """The candidates of all variables: the mask of each. Peers of a placed variable do not have its value.

    `placed` is the mask of placed variables; by default those with one candidate. `look` is called from time to time
    while patterns are looked for; it may raise to end that.
    """

    def __init__(
        self,
        houses: Houses,
        domains: Sequence[int],
        placed: int | None = None,
        look: Callable[[], object] = nothing,
    ) -> None:
        self.houses, self.domains, self.look = houses, domains, look
        if placed is None:
            placed = sum(1 << x for x, domain in enumerate(domains) if domain & (domain - 1) == 0)
        self.placed = placed

    @cached_property
    def places(self) -> dict[int, int]:
        """The variables that may have each value, as a mask."""
        places = dict.fromkeys(bits(self.houses.values), 0)
        for x, domain in enumerate(self.domains):
            for value in bits(domain):
                places[value] |= 1 << x
        return places

    def contradiction(self) -> bool:
        """Whether a value has no place in a full house."""
        full = (house for house in self.houses.all if house.full)
        return any(house.full & ~reduce(or_, (self.domains[x] for x in house.cells)) for house in full)

    def is_open(self, x: int) -> bool:
        return not self.placed >> x & 1

    def open_in(self, house: House) -> list[int]:
        return [x for x in house.cells if self.is_open(x)]

    def removing(self, value: int, variables: int) -> tuple[tuple[int, int], ...]:
        """The removal of one value from some variables, a mask."""
        return tuple((index(x), value) for x in bits(variables))


def index(bit: int) -> int:
    """The position of a bit."""
    return bit.bit_length() - 1


ChainKind = Literal["X", "XY", "any"]
Finder = Callable[[Candidates], Iterator[Pattern]]


# Singles


def full_houses(grid: Candidates) -> Iterator[Pattern]:
    """The last open variable of a house."""
    for house in grid.houses.all:
        if house.full and len(last := grid.open_in(house)) == 1:
            (x,) = last
            value = grid.domains[x]
            if value and value & (value - 1) == 0:
                absent, name = ((x, house.full & ~value),), (house.name,)
                yield Pattern("full house", name, house.cells, value, (), absent, name, placed=(x, value))


def hidden_singles(grid: Candidates) -> Iterator[Pattern]:
    """The only place for a value in a house."""
    for house in grid.houses.all:
        if house.full:
            once = twice = 0
            for x in house.cells:
                twice |= once & grid.domains[x]
                once |= grid.domains[x]
            for value in bits(once & ~twice):
                x = next(x for x in house.cells if grid.domains[x] & value)
                if grid.is_open(x):
                    others = tuple((y, value) for y in house.cells if y != x)
                    removed = ((x, grid.domains[x] & ~value),) if grid.domains[x] != value else ()
                    name = (house.name,)
                    yield Pattern("hidden single", name, (x,), value, removed, others, name, placed=(x, value))


def naked_singles(grid: Candidates) -> Iterator[Pattern]:
    """The only value left for a variable."""
    for x, value in enumerate(grid.domains):
        if grid.is_open(x) and value and value & (value - 1) == 0:
            absent = ((x, grid.houses.values & ~value),)
            yield Pattern("naked single", (), (x,), value, (), absent, (), placed=(x, value))


# Locked candidates


def locked_candidates(grid: Candidates) -> Iterator[Pattern]:
    """All places for a value in one house are peers of other places: those of another house, most often."""
    houses = grid.houses
    for house in houses.all:
        for value in bits(house.full):
            places = grid.places[value] & house.mask
            if places.bit_count() < 2:
                continue
            cells = tuple(map(index, bits(places)))
            seen = reduce(and_, (houses.peers[x] for x in cells)) & grid.places[value] & ~house.mask
            if not seen:
                continue
            absent = tuple((x, value) for x in house.cells if not places >> x & 1)
            for j in houses.around[cells[0]]:
                target = houses.all[j].mask & seen
                if target and not places & ~houses.all[j].mask:
                    seen &= ~target
                    removed = grid.removing(value, target)
                    base, cover = (house.name,), (houses.all[j].name,)
                    yield Pattern("locked candidates", base, cells, value, removed, absent, base + cover, cover)
            for target in bits(seen):
                covers = houses.names(list(dict.fromkeys(houses.common(x, index(target)) for x in cells)))
                removed, base = grid.removing(value, target), (house.name,)
                yield Pattern("locked candidates", base, cells, value, removed, absent, base + covers, covers)


# Subsets


def naked_subsets(grid: Candidates, size: int) -> Iterator[Pattern]:
    """Some variables of a house with as many candidates in all."""
    for house in grid.houses.all:
        unknown = [x for x in grid.open_in(house) if grid.domains[x].bit_count() > 1]
        if len(unknown) <= size:
            continue
        for cells, values in _unions([(x, grid.domains[x]) for x in unknown], size):
            outside = [x for x in unknown if x not in cells]
            removed = tuple((x, grid.domains[x] & values) for x in outside if grid.domains[x] & values)
            if removed:
                absent = tuple((x, grid.houses.values & ~values) for x in cells)
                name = (house.name,)
                yield Pattern(f"naked {SIZES[size]}", name, cells, values, removed, absent, name)


def hidden_subsets(grid: Candidates, size: int) -> Iterator[Pattern]:
    """Some values with as many places in a house."""
    for house in grid.houses.all:
        if not house.full:
            continue
        unknown = [(value, grid.places[value] & house.mask) for value in bits(house.full)]
        unknown = [(value, places) for value, places in unknown if places.bit_count() > 1]
        if len(unknown) <= size:
            continue
        for some, places in _unions(unknown, size):
            values, cells = reduce(or_, some), tuple(map(index, bits(places)))
            removed = tuple((x, grid.domains[x] & ~values) for x in cells if grid.domains[x] & ~values)
            if removed:
                absent = tuple((x, values) for x in house.cells if not places >> x & 1)
                name = (house.name,)
                yield Pattern(f"hidden {SIZES[size]}", name, cells, values, removed, absent, name)


SIZES = {2: "pair", 3: "triple", 4: "quad"}


def _unions(items: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """So many items whose masks have exactly so many bits in all, and the union."""

    def extended(first: int, chosen: tuple[int, ...], union: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == size:
            if union.bit_count() == size:
                yield chosen, union
            return
        for k in range(first, len(items) - (size - len(chosen)) + 1):
            item, mask = items[k]
            if (union | mask).bit_count() <= size:
                yield from extended(k + 1, (*chosen, item), union | mask)

    yield from extended(0, (), 0)


# Fish


def fish(grid: Candidates, size: int) -> Iterator[Pattern]:
    """A value whose places in some disjoint houses lie in as many houses that cross them, such as rows and columns."""
    houses = grid.houses
    for value in bits(houses.values):
        bases = [
            (i, grid.places[value] & house.mask)
            for i, house in enumerate(houses.all)
            if house.full & value and 2 <= (grid.places[value] & house.mask).bit_count() <= size
        ]
        for chosen, places, covers in _swarms(houses, bases, size):
            inside = reduce(or_, (houses.all[i].mask for i in chosen))
            for covering in _covers(houses, places, covers, size):
                outside = reduce(or_, (houses.all[j].mask for j in covering)) & grid.places[value] & ~inside
                if outside:
                    yield _fish(grid, value, chosen, tuple(sorted(covering)), places, outside)


FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


def _swarms(
    houses: Houses, bases: Sequence[tuple[int, int]], size: int
) -> Iterator[tuple[tuple[int, ...], int, frozenset[int]]]:
    """So many disjoint houses, their places, and the houses that cross them all: only these can cover the places."""

    def extended(
        first: int, chosen: tuple[int, ...], inside: int, places: int, covers: frozenset[int]
    ) -> Iterator[tuple[tuple[int, ...], int, frozenset[int]]]:
        if len(chosen) == size:
            yield chosen, places, covers
            return
        for k in range(first, len(bases)):
            i, more = bases[k]
            left = covers & houses.crossing[i] if chosen else houses.crossing[i]
            if houses.all[i].mask & inside or len(left) < size:
                continue
            yield from extended(k + 1, (*chosen, i), inside | houses.all[i].mask, places | more, left)

    yield from extended(0, (), 0, 0, frozenset())


def _covers(houses: Houses, places: int, covers: frozenset[int], left: int) -> Iterator[tuple[int, ...]]:
    """Up to so many of the houses that cover the places."""
    if not places:
        yield ()
    elif left:
        for j in houses.around[index(places & -places)]:
            if j in covers:
                for others in _covers(houses, places & ~houses.all[j].mask, covers, left - 1):
                    yield (j, *others)


def finned_fish(grid: Candidates, size: int) -> Iterator[Pattern]:
    """A fish with further places in its bases, the fins: it removes what all fins see.

    Either a fin is true, or the fish is one without fins. It is sashimi if a base has only one place beside fins.
    """
    houses = grid.houses
    for value in bits(houses.values):
        grid.look()
        everywhere = grid.places[value]
        bases = [
            (i, everywhere & house.mask)
            for i, house in enumerate(houses.all)
            if house.full & value and (everywhere & house.mask).bit_count() > 1
        ]
        for chosen, places, covers in _swarms(houses, bases, size):
            inside = reduce(or_, (houses.all[i].mask for i in chosen))
            seen: set[tuple[int, ...]] = set()
            for bit in bits(everywhere & ~inside):
                target = index(bit)
                left = places & ~houses.peers[target]
                if left.bit_count() > (size - 1) * size:
                    continue
                for j in houses.around[target]:
                    if j not in covers:
                        continue
                    for others in _covers(houses, left & ~houses.all[j].mask, covers - {j}, size - 1):
                        covering = tuple(sorted((j, *others)))
                        covered = reduce(or_, (houses.all[k].mask for k in covering))
                        fins = places & ~covered
                        if len(covering) == size and fins and covering not in seen:
                            seen.add(covering)
                            yield _fish(grid, value, chosen, covering, places, covered & everywhere & ~inside, fins)


def _fish(
    grid: Candidates,
    value: int,
    chosen: tuple[int, ...],
    covering: tuple[int, ...],
    places: int,
    outside: int,
    fins: int = 0,
) -> Pattern:
    """The pattern of a fish, which removes the value from all places outside of its bases that see all fins."""
    houses = grid.houses
    fin = tuple(map(index, bits(fins)))
    gone = reduce(and_, (houses.peers[x] for x in fin), outside)
    linking = [houses.common(x, index(bit)) for bit in bits(gone) for x in fin]
    base, cover = houses.names(chosen), houses.names(covering)
    absent = tuple((x, value) for i in chosen for x in houses.all[i].cells if not places >> x & 1)
    rules = tuple(dict.fromkeys((*base, *cover, *houses.names(linking))))
    name, cells = FISH[len(chosen)], tuple(map(index, bits(places)))
    if fins:
        sashimi = any((places & houses.all[i].mask & ~fins).bit_count() < 2 for i in chosen)
        name = f"{'sashimi' if sashimi else 'finned'} {name}"
    return Pattern(
        name, base, cells, value, grid.removing(value, gone), absent, rules, cover, fins=tuple((x, value) for x in fin)
    )


# Wings and chains


def xyz_wings(grid: Candidates) -> Iterator[Pattern]:
    """Three variables for three values, of which one sees the other two: the value that all share is in one of them."""
    houses, domains = grid.houses, grid.domains
    pairs = [x for x, domain in enumerate(domains) if domain.bit_count() == 2]
    for pivot, three in enumerate(domains):
        if three.bit_count() != 3:
            continue
        ends = [x for x in pairs if houses.peers[pivot] >> x & 1 and not domains[x] & ~three]
        for k, x in enumerate(ends):
            for y in ends[k + 1 :]:
                value = domains[x] & domains[y]
                if value.bit_count() != 1:
                    continue
                seen = houses.peers[pivot] & houses.peers[x] & houses.peers[y] & grid.places[value]
                if seen:
                    cells = (pivot, x, y)
                    removed = grid.removing(value, seen)
                    linked = [(pivot, x), (pivot, y), *((one, index(z)) for z in bits(seen) for one in cells)]
                    rules = houses.names(list(dict.fromkeys(houses.common(one, other) for one, other in linked)))
                    absent = tuple((one, houses.values & ~domains[one]) for one in cells)
                    yield Pattern("XYZ-wing", (), cells, three, removed, absent, rules)


class _Links:
    """Strong links (one of two candidates is true) and weak links (not both are), candidates being numbered.

    Strong links are between two values of a variable, or the two places for a value in a house; `kind` is `X` for only
    the latter, and links of one value alone, `XY` for only the former, `any` for both.
    """

    def __init__(self, grid: Candidates, kind: ChainKind) -> None:
        self.grid, self.houses = grid, grid.houses
        self.width = self.houses.values.bit_length()
        #: For each candidate those that cannot be true together with it, as a mask over candidates.
        self.weak: dict[int, int] = {}
        #: For each candidate the candidates of which one is true, with the house, or None for those of one variable.
        self.strong: dict[int, dict[int, int | None]] = {}
        shown = [self.shown(x, grid.domains[x]) for x in range(len(grid.domains))]
        for x, domain in enumerate(grid.domains):
            if not grid.is_open(x):
                continue
            for value in bits(domain):
                node = self.node(x, value)
                same = sum(1 << self.node(index(y), value) for y in bits(self.houses.peers[x] & grid.places[value]))
                self.weak[node] = same if kind == "X" else same | shown[x] & ~(1 << node)
            if domain.bit_count() == 2 and kind != "X":
                one, other = bits(domain)
                self._join(self.node(x, one), self.node(x, other), None)
        for i, house in enumerate(self.houses.all if kind != "XY" else ()):
            for value in bits(house.full):
                places = grid.places[value] & house.mask
                if places.bit_count() == 2:
                    a, b = map(index, bits(places))
                    self._join(self.node(a, value), self.node(b, value), i)
        self.linked = sum(1 << node for node in self.strong)

    def node(self, x: int, value: int) -> int:
        return x * self.width + index(value)

    def candidate(self, node: int) -> tuple[int, int]:
        return node // self.width, 1 << node % self.width

    def shown(self, x: int, values: int) -> int:
        """The candidates of a variable, as a mask."""
        return values << x * self.width

    def _join(self, one: int, other: int, by: int | None) -> None:
        self.strong.setdefault(one, {}).setdefault(other, by)
        self.strong.setdefault(other, {}).setdefault(one, by)

    def between(self, one: int, other: int) -> list[int]:
        """The house of a weak link, none for two values of one variable."""
        (x, _), (y, _) = self.candidate(one), self.candidate(other)
        return [] if x == y else [self.houses.common(x, y)]


def chains(grid: Candidates, kind: ChainKind, shortest: int, longest: int) -> Iterator[Pattern]:
    """Alternating chains: strong links joined by weak ones, so that the first or the last candidate is true.

    What cannot be true with either of them is removed. Chains of fewer strong links come first.
    """
    if sum(domain.bit_count() for domain in grid.domains) > MOST_CANDIDATES:
        return
    links = _Links(grid, kind)
    states = [_Spread(links, start) for start in links.strong]
    for length in range(2, longest + 1):
        grid.look()
        for state in states:
            for path, removed in state.grow():
                if length >= shortest:
                    yield _chain(links, path, removed)
        states = [state for state in states if state.front]


class _Spread:
    """What follows if a candidate is false: candidates that are true, found along links in order of length."""

    def __init__(self, links: _Links, start: int) -> None:
        self.links, self.start = links, start
        self.before: dict[int, int] = dict.fromkeys(links.strong[start], start)  # of true ones, along a strong link
        self.cause: dict[int, int] = {}  # of false ones, along a weak link
        self.front = list(self.before)
        self.false = 1 << start
        self.done = 0

    def grow(self) -> list[tuple[list[int], int]]:
        """Chains that are longer by one strong link, and the candidates that each removes, those not seen before."""
        links, found, front = self.links, [], []
        for true in self.front:
            new = links.weak[true] & links.linked & ~self.false
            self.false |= new
            for bit in bits(new):
                false = index(bit)
                self.cause[false] = true
                for then in links.strong[false]:
                    if then == self.start:
                        removed = links.weak[then]
                        self.before.setdefault(then, false)
                    elif then in self.before:
                        continue
                    else:
                        self.before[then] = false
                        front.append(then)
                        removed = links.weak[self.start] & links.weak[then]
                    if removed & ~self.done:
                        self.done |= removed
                        found.append((self._path(then), removed))
        self.front = front
        return found

    def _path(self, end: int) -> list[int]:
        path = [end, self.before[end]]
        while path[-1] != self.start:
            path.append(self.cause[path[-1]])
            path.append(self.before[path[-1]])
        return path[::-1]


def _chain(links: _Links, path: list[int], removed: int) -> Pattern:
    houses, grid = links.houses, links.grid
    candidates = [links.candidate(node) for node in path]
    rules: dict[int, None] = {}
    absent: dict[tuple[int, int], None] = {}
    strong = []
    for one, other in zip(path[::2], path[1::2], strict=True):
        house = links.strong[one][other]
        strong.append(house)
        (x, value), (y, _) = links.candidate(one), links.candidate(other)
        if house is None:
            absent[x, houses.values & ~grid.domains[x]] = None
        else:
            rules[house] = None
            absent.update(((z, value), None) for z in houses.all[house].cells if z not in (x, y))
    for one, other in zip(path[1:-1:2], path[2::2], strict=True):
        rules.update(dict.fromkeys(links.between(one, other)))
    taken: dict[int, int] = {}
    for bit in bits(removed):
        node = index(bit)
        x, value = links.candidate(node)
        taken[x] = taken.get(x, 0) | value
        for end in {path[0], path[-1]}:
            rules.update(dict.fromkeys(links.between(end, node)))
    name = _chain_name(links, path, strong)
    cells = tuple(dict.fromkeys(x for x, _ in candidates))
    values = reduce(or_, (value for _, value in candidates))
    held = houses.names(list(dict.fromkeys(house for house in strong if house is not None)))
    return Pattern(
        name, held, cells, values, tuple(taken.items()), tuple(absent), houses.names(list(rules)),
        chain=tuple(candidates),
    )  # fmt: skip


def _chain_name(links: _Links, path: list[int], strong: Sequence[int | None]) -> str:
    """The name that a chain has by its shape."""
    houses = links.houses
    values = [links.candidate(node)[1] for node in path]
    if len(set(values)) == 1:
        if len(strong) > 2:
            return "X-chain"
        one, other = (house for house in strong if house is not None)
        link = houses.common(links.candidate(path[1])[0], links.candidate(path[2])[0])
        if other in houses.crossing[one]:
            return "two-string kite"
        return "skyscraper" if link in houses.crossing[one] and link in houses.crossing[other] else "turbot fish"
    if all(house is None for house in strong):
        pairs = {frozenset(pair) for pair in zip(values[::2], values[1::2], strict=True)}
        if len(strong) == WING:
            return "XY-wing"
        return "remote pair" if len(pairs) == 1 else "XY-chain"
    ends = [strong[0], *strong[2:]]
    if len(strong) == WING and strong[1] is not None and ends == [None, None] and values[0] == values[-1]:
        return "W-wing"
    return "alternating chain"


#: The techniques of a level, in the order in which people look for them. Levels are those of `search.ladder`.
FINDERS: Mapping[LevelName, tuple[Finder, ...]] = {
    "fc": (full_houses, naked_singles),
    "singles": (hidden_singles,),
    "locked": (locked_candidates,),
    "gac": tuple(
        partial(find, size=size) for size in range(2, LARGEST + 1) for find in (naked_subsets, hidden_subsets)
    ),
    "fish": tuple(partial(fish, size=size) for size in range(2, LARGEST + 1)),
    "wings": (
        partial(chains, kind="X", shortest=2, longest=2),
        partial(chains, kind="XY", shortest=WING, longest=WING),
        xyz_wings,
        partial(chains, kind="any", shortest=WING, longest=WING),
        partial(finned_fish, size=2),
    ),
    "chains": (
        partial(finned_fish, size=3),
        partial(chains, kind="X", shortest=WING, longest=CHAIN),
        partial(chains, kind="XY", shortest=WING + 1, longest=CHAIN),
        partial(chains, kind="any", shortest=WING + 1, longest=CHAIN),
    ),
}
