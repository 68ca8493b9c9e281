"""Techniques of human solvers on sums, counts, stretches and inequalities.

- A **rule** is a constraint that is not all-different. By itself it removes what its propagation removes: `pair` and
  `sandwich` (no three alike), `count`, `unique lines`, `last cell of a sum`, `sum bounds`, `inequality`.
- A **combination** is a rule with all others on its variables: what no assignment of these variables that keeps all of
  them has is removed. A sum of different values, a line with as many zeros as ones and no three alike.

    >>> from bridge.puzzles.search import CSP, Sum
    >>> csp = CSP({"a": [1, 2, 3], "b": [1, 2, 3]}, [Sum("ab", 6, "total")])
    >>> rules = Rules(csp, csp.network())
    >>> pattern = next(rules.alone(csp.network().domains))
    >>> pattern.technique, pattern.rules
    ('sum bounds', ('total',))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import prod
from operator import gt, lt, or_

from bridge.puzzles.search.backtracking import search
from bridge.puzzles.search.constraints import AllDifferent, Binary, Constraint, Sum
from bridge.puzzles.search.constraints_lines import Among, NotEqualVectors, Stretch
from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.network import Image, Network
from bridge.puzzles.search.propagator import Propagator
from bridge.puzzles.search.strategy import Strategy
from bridge.puzzles.search.techniques import Pattern

#: Combinations of more assignments than these are not looked at.
MOST_WAYS = 5000

#: How an assignment of a combination is looked for.
STRATEGY = Strategy("mac", "mrv")


@dataclass(frozen=True, slots=True)
class _Posted:
    """A constraint and what it posts to a network, in the network's variables and values."""

    constraint: Constraint
    propagators: tuple[Propagator, ...]
    arcs: tuple[tuple[int, int, Image], ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """A rule with others: constraints on some variables."""

    scope: tuple[int, ...]
    constraints: tuple[Constraint, ...]
    differing: tuple[tuple[int, int], ...]  # the places in which vectors may differ


class Rules:
    """The rules of a problem; patterns are in the variables and values of its network."""

    def __init__(self, csp: CSP, network: Network) -> None:
        self.network = network
        self.values = network.encode(network.values)
        self._csp = csp
        self._rules = [one for one in csp.constraints if not isinstance(one, AllDifferent)]
        self.groups = list(self._grouped(csp))
        #: The domains of a combination when it was last exhausted.
        self._exhausted: dict[int, tuple[int, ...]] = {}

    @cached_property
    def _posted(self) -> tuple[_Posted, ...]:
        """The rules with what each adds to a network."""
        network, posted = Network(dict(self._csp.domains)), []
        for one in self._rules:
            before, scope = len(network.propagators), [network.index[variable] for variable in one.scope]
            arcs = {x: len(network.arcs[x]) for x in scope}
            one.post(network)
            added = [(x, y, image) for x in scope for y, image in network.arcs[x][arcs[x] :]]
            posted.append(_Posted(one, tuple(network.propagators[before:]), tuple(added)))
        return tuple(posted)

    def _grouped(self, csp: CSP) -> Iterator[_Group]:
        """Each rule on three variables or more, and each all-different with rules inside, with what holds there."""
        index = self.network.index
        seen: set[frozenset[int]] = set()
        houses = [one for one in csp.constraints if isinstance(one, AllDifferent)]
        for first in (*self._rules, *houses):
            scope, inside = tuple(index[variable] for variable in first.scope), set(first.scope)
            rules = [other for other in self._rules if other is not first and inside.issuperset(other.scope)]
            if len(inside) < 3 or frozenset(scope) in seen or (first in houses and not rules):
                continue
            seen.add(frozenset(scope))
            together = [first, *rules]
            together += (
                AllDifferent(shared, house.name)
                for house in houses
                if house is not first and len(shared := [v for v in house.scope if v in inside]) > 1
            )
            if len(together) > 1:
                half = len(scope) // 2
                vectors = isinstance(first, NotEqualVectors)
                pairs = tuple(zip(scope[:half], scope[half:], strict=True)) if vectors else ()
                yield _Group(scope, tuple(together), pairs)

    def alone(self, domains: Sequence[int]) -> Iterator[Pattern]:
        """What each rule by itself removes."""
        for posted in self._posted:
            found = [(one.scope, one.narrow(list(domains)) or ()) for one in posted.propagators]
            found += [((x, y), [(y, domains[y] & image[domains[x]])]) for x, y, image in posted.arcs]
            for scope, left in found:
                if removed := [(x, domains[x] & ~mask) for x, mask in left if domains[x] & ~mask]:
                    name = self._name(posted.constraint, scope, domains, removed)
                    yield rule_pattern(name, [posted.constraint.name], scope, scope, domains, removed, self.values)

    def combined(self, domains: Sequence[int]) -> Iterator[Pattern]:
        """What each combination removes."""
        for number, group in enumerate(self.groups):
            now = tuple(domains[x] for x in group.scope)
            if self._exhausted.get(number) == now or all(mask & (mask - 1) == 0 for mask in now):
                continue
            if prod(mask.bit_count() for mask in now) > MOST_WAYS:
                continue
            if group.differing and any(not domains[x] & domains[y] for x, y in group.differing):
                continue  # the vectors differ already: their lines are looked at by themselves
            if removed := self._unsupported(group, domains):
                name = "unique lines" if group.differing else "line combinations"
                if any(isinstance(one, Sum) for one in group.constraints):
                    name = "sum combinations"
                names = [one.name for one in group.constraints]
                yield rule_pattern(name, names, group.scope, group.scope, domains, removed, self.values)
            else:
                self._exhausted[number] = now

    def _unsupported(self, group: _Group, domains: Sequence[int]) -> list[tuple[int, int]]:
        """The candidates that no assignment of the variables has that keeps all constraints of a group."""
        network = self.network
        left = {x: domains[x] for x in group.scope}
        given = {network.variables[x]: network.decode(domains[x]) for x in group.scope}
        removed = []
        for x in group.scope:
            gone = 0
            while trial := left[x] & -left[x]:
                narrowed = {**given, network.variables[x]: network.decode(trial)}
                found = search(CSP(narrowed, group.constraints), STRATEGY).first()
                left[x] &= ~trial
                if found is None:
                    gone |= trial
                    continue
                for y in group.scope:
                    left[y] &= ~network.encode([found[network.variables[y]]])
            if gone:
                removed.append((x, gone))
        return removed

    def _name(
        self, constraint: Constraint, scope: Sequence[int], domains: Sequence[int], removed: Sequence[tuple[int, int]]
    ) -> str:
        if isinstance(constraint, Stretch):
            if constraint.longest > 2 or len(removed) > 1:
                return "run"
            return "sandwich" if removed[0][0] == scope[1] else "pair"
        if isinstance(constraint, Among):
            return "count"
        if isinstance(constraint, NotEqualVectors):
            return "unique lines"
        if isinstance(constraint, Sum):
            return "last cell of a sum" if sum(domains[x].bit_count() > 1 for x in scope) == 1 else "sum bounds"
        if isinstance(constraint, Binary) and constraint.relation in (lt, gt):
            return "inequality"
        return "one rule"


def rule_pattern(
    technique: str,
    names: Iterable[str],
    cells: Sequence[int],
    scope: Sequence[int],
    domains: Sequence[int],
    removed: Sequence[tuple[int, int]],
    values: int,
) -> Pattern:
    """The pattern of rules on a scope that is seen in some cells; it rests on all candidates that are absent there.

    `values` are all values, as a mask.
    """
    rules = tuple(dict.fromkeys(names))
    absent = tuple((x, values & ~domains[x]) for x in scope if values & ~domains[x])
    decided = reduce(or_, (domains[x] for x in cells if domains[x] & (domains[x] - 1) == 0), 0)
    return Pattern(technique, rules, tuple(cells), decided, tuple(removed), absent, rules)
