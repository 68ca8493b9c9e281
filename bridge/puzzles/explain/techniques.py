"""Steps of an explanation that have a name among solvers: hidden single, locked candidates, X-wing, sandwich.

Patterns are recognised from the constraints of the puzzle's CSP (`bridge.puzzles.search.techniques`,
`bridge.puzzles.search.rule_techniques`), where its variables are the cells and its constraints have the names of rules.
Rules that are not constraint there (the words of a crossword) have no techniques here. Without a CSP, what the rules
say is asked (`bridge.puzzles.explain.recognised`).

- A candidate is **absent** where its cell holds another value, where a rule and a known value exclude it (a 5 in the
  row, a chain of inequalities), or where a step has removed it.
- A step has as premises the rules of its pattern, and rules and facts that imply the absence of the candidates it rests
  on; what is not needed is left out, by the oracle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from math import prod
from operator import gt, lt
from typing import Any

from bridge.common import Json, listed
from bridge.errors import UnsupportedError
from bridge.puzzles.explain.recognised import OracleRules, Recognised, Result
from bridge.puzzles.kinds.models import models
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Assignment, Fact, Oracle, RuleOrFact
from bridge.puzzles.search import CSP, Binary, Constraint, Sum
from bridge.puzzles.search.network import Network, bits
from bridge.puzzles.search.rule_techniques import Rules
from bridge.puzzles.search.techniques import (
    FINDERS,
    Candidates,
    Houses,
    LevelName,
    Pattern,
    index,
)

#: The techniques, and what each of them sees, from easy to hard.
NAMES: Mapping[str, str] = {
    "full house": "the last open cell of a house",
    "hidden single": "the only place for a value in a house",
    "naked single": "the only value left for a cell",
    "pair": "two neighbours that are alike: the cells beside them are not (Takuzu)",
    "sandwich": "a cell between two that are alike (Takuzu)",
    "run": "as many alike as may stand together",
    "count": "a line that has all its zeros, or all its ones",
    "overlap": "cells of a line that are the same in all ways to fill it (Nonogram)",
    "last cell of a sum": "a sum with one open cell",
    "last cell of a cage": "the same of a product, a difference or a quotient (KenKen)",
    "inequality": "a cell that is less than another, or greater",
    "chain of inequalities": "several inequalities, one after the other",
    "sum bounds": "a value that is too small or too large for a sum",
    "one rule": "what any other rule excludes by itself",
    "word pattern": "the only letter that the words for a slot have in a cell",
    "crossing": "the only letter that the words of two crossing slots have in common",
    "unique lines": "two lines that must differ, and can in one place only",
    "contradiction": "a value that rules of its cell exclude, as they would leave another rule no way (Akari)",
    "locked candidates": "all places for a value in one house are in another house, too",
    "locked candidates (pointing)": "all places in a box are in one line",
    "locked candidates (claiming)": "all places in a line are in one box",
    "sum combinations": "all ways to make a sum of different values",
    "cage combinations": "all ways to make a product, a difference or a quotient (KenKen)",
    "line combinations": "all ways to complete a line by several rules",
    "naked pair": "two cells with the same two values",
    "hidden pair": "two values with the same two places",
    "naked triple": "three cells with three values in all",
    "hidden triple": "three values with three places in all",
    "naked quad": "four cells with four values in all",
    "hidden quad": "four values with four places in all",
    "X-wing": "a value in two rows stands in two columns only, or the other way round",
    "swordfish": "the same with three",
    "jellyfish": "the same with four",
    "skyscraper": "two parallel lines with two places each, of which two see each other",
    "two-string kite": "a row and a column with two places each, of which two see each other",
    "turbot fish": "two other houses with two places each, of which two see each other",
    "XY-wing": "a cell with two values and two others that share one with it: the third value is in one of them",
    "XYZ-wing": "the same, and the first cell may have the third value, too",
    "W-wing": "two cells with the same two values, joined by the two places for one of them",
    "finned X-wing": "an X-wing with further places, the fins: what sees these, too, is not the value",
    "sashimi X-wing": "the same, and a line has only one place beside the fins",
    "finned swordfish": "the same with three lines",
    "sashimi swordfish": "the same with three lines, one of which has only one place beside the fins",
    "X-chain": "houses with two places for a value, joined one after the other",
    "remote pair": "cells with the same two values, one after the other",
    "XY-chain": "cells with two values, joined one after the other",
    "alternating chain": "cells with two values and houses with two places, joined one after the other",
}


#: Assignments of more are not gone through to list the ways to get a result.
MOST_LOOKED_AT = 50_000

#: Patterns of a technique of which the one with the fewest premises is taken.
COMPARED = 12


#: The levels whose patterns place a value; that of a rule by itself; and that of two together.
SINGLES: tuple[LevelName, ...] = ("fc", "singles")
_ALONE: LevelName = "ac"
_TOGETHER: LevelName = "locked"

#: Signs of results as they are written, numbers in words, and how many ways to get a result are listed.
SIGNS = {"+": "+", "*": "×", "-": "−", "/": "÷"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MOST_WAYS = 4

#: The techniques that do not say what they see: their facts are listed.
UNSEEN = "one rule", "contradiction"


@dataclass(frozen=True, slots=True)
class Technique(Json):
    """The technique of a step.

    Attributes
    ----------
    name
        As solvers call it: `hidden single`.
    houses
        The rules that it is seen in: `row 4`; of locked candidates and fish first those where the candidates stand,
        then those that lose candidates.
    cells, values
        The cells and candidates that it is made of.
    reason
        Why it holds, in words: `the only place for 5 in row 4`.
    level
        The level of the ladder that finds it.
    """

    name: str
    houses: tuple[str, ...]
    cells: tuple[Cell, ...]
    values: tuple[Value, ...]
    reason: str
    level: LevelName

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"

    def covers(self, premise: Any) -> bool:
        """Whether the reason names a premise, or makes it plain."""
        if not isinstance(premise, Fact):
            return premise in self.houses
        filled = self.name == "hidden single" and premise.holds and premise.value not in self.values
        return filled or (premise.cell in self.cells and self.name not in UNSEEN)

    _json = ("name houses cells candidates=values reason level",)


@dataclass(frozen=True, slots=True)
class Named:
    """A step that has a name: the facts that it gives, and premises that imply them, not minimal yet."""

    technique: Technique
    facts: tuple[Fact, ...]
    premises: tuple[RuleOrFact, ...]


class Techniques:
    """The candidates of a puzzle under explanation, and the next step that has a name."""

    def __init__(self, oracle: Oracle, solution: Assignment) -> None:
        cells, forms = oracle.puzzle.cells(), models(oracle.puzzle)
        recognised, tables, known = None, frozenset[str](), list[Constraint]()
        try:
            own = forms.csp()
        except UnsupportedError:
            recognised = Recognised(oracle, solution)
            known += recognised.all_different()
        else:
            inside = set(cells)
            known += (one for one in own.constraints if one.name in oracle.rules and inside.issuperset(one.scope))
            tables = frozenset(one for one in own.variables if isinstance(one, str) and one in oracle.rules)
        #: The rules whose cells are a variable of the puzzle's CSP, with its words as values: slots.
        self._tables = tables
        csp = CSP(dict.fromkeys(cells, oracle.values), known)
        self._cells, self._network = cells, csp.network()
        network = self._network
        self._houses = Houses.of(csp, network)
        self._rules = OracleRules(recognised, network, self._houses) if recognised else Rules(csp, network)
        self._totals = {one.name: Result("+", one.total) for one in csp.constraints if isinstance(one, Sum)}
        self._recognised, self._look = recognised, oracle.look
        self.name = forms.name
        self._rule_cells = {rule.name: rule.cells for rule in oracle.rules.values()}
        self._less = list(_inequalities(csp.constraints, network))
        self._domains = list(network.domains)
        self._placed: dict[int, int] = {}
        self._removed: set[tuple[int, int]] = set()
        self._bounds: dict[tuple[int, int], tuple[RuleOrFact, ...]] = {}
        for fact in oracle.clues:
            self._enter(fact)
        self._bound()

    def know(self, facts: Iterable[Fact]) -> None:
        """Add facts: those of a step."""
        for fact in facts:
            self._enter(fact)
        self._bound()

    def _enter(self, fact: Fact) -> None:
        x, bit = self._network.index[fact.cell], self._network.encode([fact.value])
        if fact.holds:
            self._placed[x] = bit
            self._domains[x] = bit
            for y in bits(self._houses.peers[x]):
                if index(y) not in self._placed:
                    self._domains[index(y)] &= ~bit
        else:
            self._removed.add((x, bit))
            self._domains[x] &= ~bit

    # Inequalities

    def _bound(self) -> None:
        """Remove what chains of inequalities exclude that begin at a placed cell, or with the least or last value."""
        if not self._less:
            return
        network, top = self._network, len(self._network.values) - 1
        self._bounds = {}
        for rising in (True, False):
            # The least position of a value in each cell, and what implies it; from the top, if not rising.
            least: dict[int, tuple[int, tuple[RuleOrFact, ...]]] = {}
            for x, bit in self._placed.items():
                position = index(bit) if rising else top - index(bit)
                least[x] = position, (Fact(network.variables[x], network.decode(bit)[0]),)
            changed = True
            while changed:
                changed = False
                for smaller, greater, name in self._less:
                    x, y = (smaller, greater) if rising else (greater, smaller)
                    position, why = least.get(x, (0, ()))
                    if y not in self._placed and position + 1 > least.get(y, (0, ()))[0] and position < top:
                        least[y] = position + 1, (*why, name)
                        changed = True
            for x, (position, why) in least.items():
                if x not in self._placed:
                    for i in range(position):
                        self._bounds[x, 1 << (i if rising else top - i)] = why
        for x, bit in self._bounds:
            self._domains[x] &= ~bit

    # The next step

    def of_words(self, fact: Fact, rules: Sequence[str]) -> Technique | None:
        """The technique of a value that the words of one slot, or of two that cross, leave."""
        if not fact.holds or not rules or not self._tables.issuperset(rules) or len(rules) > 2:
            return None
        name, reason, level = "word pattern", f"the words for {rules[0]} leave no other letter", _ALONE
        if len(rules) == 2:
            name, level = "crossing", _TOGETHER
            reason = f"no other letter is in words for {rules[0]} and in words for {rules[1]}"
        return Technique(name, tuple(rules), (fact.cell,), (fact.value,), reason, level)

    @property
    def of_csp(self) -> bool:
        """Whether the rules are known from the puzzle's CSP; if not, they were asked."""
        return self._recognised is None

    def contradiction(self, fact: Fact, rules: Sequence[str], known: Sequence[Fact]) -> Technique | None:
        """The technique of a fact without which rules of its cell, each by itself, leave one more rule no way.

        None where it takes more than that.
        """
        assert self._recognised is not None
        values = self._network.values
        around = [rule for rule in rules if fact.cell in self._rule_cells[rule]]
        beyond = [rule for rule in rules if rule not in around]
        if len(beyond) != 1 or not around or not self._recognised.refutes(fact.negated(), around, beyond[0], known):
            return None
        trial = fact.negated()
        if len(values) == 2:
            trial = Fact(fact.cell, next(value for value in values if (value == fact.value) != fact.holds))
        named = Fact(trial.cell, trial.value, trial.holds, self.name(trial.cell))
        makes = "makes" if len(around) == 1 else "make"
        reason = f"if {named}, {listed(around)} {makes} {beyond[0]} impossible"
        return Technique("contradiction", tuple(rules), (fact.cell,), (fact.value,), reason, _TOGETHER)

    def next(self) -> Named | None:
        """The easiest step that has a name, as far as it is known before its premises are minimal."""
        grid = Candidates(self._houses, self._domains, sum(1 << x for x in self._placed), self._look)
        alone = [self._decided(pattern) for pattern in self._rules.alone(self._domains)]
        placing = [pattern for pattern in alone if pattern.placed]
        found = [self._named(pattern, level) for level in SINGLES for find in FINDERS[level] for pattern in find(grid)]
        if found := found + [self._named(pattern, _ALONE) for pattern in placing]:
            return min(found, key=_ease)
        if alone:
            return min((self._named(pattern, _ALONE) for pattern in alone), key=_ease)
        for level, finders in FINDERS.items():
            if level in SINGLES:
                continue
            if level == _TOGETHER:
                finders = (*finders, lambda grid: map(self._decided, self._rules.combined(grid.domains)))
            for find in finders:
                if several := [self._named(pattern, level) for pattern in islice(find(grid), COMPARED)]:
                    return min(several, key=lambda named: len(named.premises))
        return None

    def _decided(self, pattern: Pattern) -> Pattern:
        """The pattern of a rule, as one that places a value where it leaves only one."""
        left = [(x, self._domains[x] & ~gone) for x, gone in pattern.removed]
        if any(mask & (mask - 1) for _, mask in left):
            return pattern
        absent = dict(pattern.absent)
        absent.update((x, self._network.encode(self._network.values) & ~self._domains[x]) for x, _ in left)
        held = tuple((x, mask) for x, mask in absent.items() if mask)
        also = tuple(left[1:]) if self._recognised else ()  # of a kind with a CSP, a step places one value
        return replace(pattern, absent=held, placed=left[0], also=also)

    def _named(self, pattern: Pattern, level: LevelName) -> Named:
        facts = self._facts(pattern)
        premises = self._premises(pattern)
        return Named(self._technique(pattern, level, facts, premises), facts, premises)

    def _facts(self, pattern: Pattern) -> tuple[Fact, ...]:
        """The values placed, or all candidates that are removed."""
        if pattern.placed is None:
            gone = [(x, bit) for x, mask in pattern.removed for bit in bits(mask)]
            return tuple(sorted(self.fact_of(candidate, holds=False) for candidate in gone))
        return tuple(sorted(map(self.fact_of, (pattern.placed, *pattern.also))))

    # Premises

    def _premises(self, pattern: Pattern) -> tuple[RuleOrFact, ...]:
        """The rules of a pattern, and what implies the absence of the candidates that it rests on: few, by greed."""
        premises: dict[RuleOrFact, None] = dict.fromkeys(pattern.rules)
        missing = {(x, bit) for x, mask in pattern.absent for bit in bits(mask) if not self._domains[x] & bit}
        reasons: dict[tuple[RuleOrFact, ...], set[tuple[int, int]]] = {}
        for item in sorted(missing):
            for reason in self._reasons(*item):
                reasons.setdefault(reason, set()).add(item)
        while missing:
            # How many absent candidates a reason implies, for each premise that is not known.
            best = max(reasons, key=lambda r: len(reasons[r] & missing) / (0.5 + sum(one not in premises for one in r)))
            premises |= dict.fromkeys(best)
            missing -= reasons.pop(best)
        return tuple(premises)

    def _reasons(self, x: int, bit: int) -> Iterator[tuple[RuleOrFact, ...]]:
        """The ways in which the absence of a candidate is implied, each by rules and facts."""
        network = self._network
        if x in self._placed:
            yield (Fact(network.variables[x], network.decode(self._placed[x])[0]),)
        elif (x, bit) in self._bounds:
            yield self._bounds[x, bit]
        for i in self._houses.around[x]:
            house = self._houses.all[i]
            for y in house.cells:
                if y != x and self._placed.get(y) == bit:
                    yield house.name, Fact(network.variables[y], network.decode(bit)[0])
        if (x, bit) in self._removed:
            yield (Fact(network.variables[x], network.decode(bit)[0], False),)

    # Words

    def _technique(
        self, pattern: Pattern, level: LevelName, facts: Sequence[Fact], premises: Sequence[RuleOrFact]
    ) -> Technique:
        network = self._network
        cells = tuple(network.variables[x] for x in pattern.cells)
        values = network.decode(pattern.values)
        name = pattern.technique
        if name == "locked candidates" and len(pattern.covers) == 1:
            lines = self._line(pattern.houses[0]), self._line(pattern.covers[0])
            name += {(True, False): " (claiming)", (False, True): " (pointing)"}.get(lines, "")
        elif name == "naked single" and premises and all(isinstance(one, str) for one in premises):
            name, level = "chain of inequalities" if len(premises) > 1 else "inequality", _ALONE
        houses = tuple(dict.fromkeys((*pattern.houses, *pattern.covers)))
        if name in ("inequality", "chain of inequalities") and not houses:
            houses = tuple(one for one in premises if isinstance(one, str))
        reason = Words(self, pattern, cells, values, facts, premises).reason(name)
        return Technique(name, houses, cells, values, reason, level)

    def _line(self, name: str) -> bool:
        """Whether a house is a row or a column."""
        house = next(house for house in self._houses.all if house.name == name)
        cells = [self._network.variables[x] for x in house.cells]
        return len({row for row, _ in cells}) == 1 or len({column for _, column in cells}) == 1

    def fact_of(self, candidate: tuple[int, int], holds: bool = True) -> Fact:
        x, bit = candidate
        cell = self._network.variables[x]
        return Fact(cell, self._network.decode(bit)[0], holds, self.name(cell))

    def name_of(self, x: int) -> str:
        return self.name(self._network.variables[x])

    def candidates(self, x: int) -> tuple[Value, ...]:
        return self._network.decode(self._domains[x])

    def common(self, x: int, y: int) -> str:
        """The name of the first house of two peers."""
        return self._houses.all[self._houses.common(x, y)].name

    def known_values(self, pattern: Pattern) -> list[tuple[Cell, Value]]:
        """The decided cells of a pattern with their values, in its order."""
        decided = [(x, self._domains[x]) for x in pattern.cells if self._domains[x].bit_count() == 1]
        return [(self._network.variables[x], self._network.decode(mask)[0]) for x, mask in decided]

    def ways(self, rule: str) -> tuple[Result, list[tuple[int, ...]]] | None:
        """What is left of the result of a rule, and the sets of values of its open cells that give it.

        None where it has no result, fewer than two open cells, or too many ways to look at.
        """
        result = self._totals.get(rule) or (self._recognised.result(rule) if self._recognised else None)
        if result is None:
            return None
        network = self._network
        cells = [network.index[cell] for cell in self._rule_cells[rule]]
        domains: list[Any] = [network.decode(self._domains[x]) for x in cells]
        opened = [x for x, values in zip(cells, domains, strict=True) if len(values) > 1]
        if len(opened) < 2 or prod(map(len, domains)) > MOST_LOOKED_AT:
            return None
        apart = [(i, j) for i, j in combinations(range(len(cells)), 2) if self._houses.peers[cells[i]] >> cells[j] & 1]
        found = set()
        for way in product(*domains):
            if result.of(way) and all(way[i] != way[j] for i, j in apart):
                found.add(tuple(sorted(value for x, value in zip(cells, way, strict=True) if x in opened)))
        known = [values[0] for values in domains if len(values) == 1]
        left = result.number
        if known:
            left = left - sum(known) if result.sign == "+" else left // prod(known)
        return (Result(result.sign, left), sorted(found)) if found else None


class Words:
    """The reason of a technique in words."""

    def __init__(
        self,
        state: Techniques,
        pattern: Pattern,
        cells: Sequence[Cell],
        values: Sequence[Value],
        facts: Sequence[Fact],
        premises: Sequence[RuleOrFact],
    ) -> None:
        self._state, self._pattern, self._facts, self._premises = state, pattern, facts, premises
        self._name = state.name_of
        self._cells, self._values = listed(list(map(state.name, cells))), listed([str(value) for value in values])
        self._inside, self._beyond = listed(list(pattern.houses)), listed(list(pattern.covers))

    def reason(self, name: str) -> str:
        base = name.partition(" (")[0]
        kind = base.split()[0] if base.split()[0] in ("naked", "hidden") and base.split()[1] != "single" else base
        inside, cells, values = self._inside, self._cells, self._values
        known = self._state.known_values(self._pattern)
        match kind:
            case "full house":
                return f"the last open cell of {inside}"
            case "hidden single":
                return f"the only place for {values} in {inside}"
            case "naked single":
                return f"the only value left for {cells}"
            case "inequality" if self._pattern.houses:
                return inside
            case "inequality" | "chain of inequalities":
                return listed([one for one in self._premises if isinstance(one, str)])
            case "locked candidates":
                return f"in {inside}, {values} stands only in {self._beyond or cells}"
            case "naked":
                return f"{cells} hold {values} in {inside}"
            case "hidden":
                return f"in {inside}, {values} stand only in {cells}"
            case "X-wing" | "swordfish" | "jellyfish":
                return f"in {inside}, {values} stands only in {self._beyond}"
            case _ if self._pattern.fins:
                fins = [self._name(x) for x, _ in self._pattern.fins]
                named = f"the fin{'s' if fins[1:] else ''} {listed(fins)}"
                return f"in {inside}, {values} stands only in {self._beyond}, but for {named}"
            case "XYZ-wing":
                pivot, *ends = self._pattern.cells
                return f"{self._wings(pivot, ends)}: one of them is {self._facts[0].value}"
            case "XY-wing":
                end, pivot, other = self._pattern.chain[0][0], self._pattern.chain[2][0], self._pattern.chain[4][0]
                return f"{self._wings(pivot, (end, other))}: one of the wings is {self._facts[0].value}"
            case "W-wing":
                return self._w_wing()
            case "pair" | "sandwich" | "run":
                alike = [cell for cell, _ in known]
                where = "on both sides" if kind == "sandwich" else "beside it"
                return f"{listed(list(map(self._state.name, alike)))} {where} are {known[0][1]} ({inside})"
            case "count":
                return f"{inside}: the open cells can only be {self._facts[0].value}"
            case "unique lines":
                return f"{self._pattern.houses[0]}, and nowhere else"
            case "overlap":
                return f"all ways to fill {inside} agree"
            case "last cell of a sum" | "last cell of a cage":
                return f"all other values of {inside} are known"
            case "sum bounds":
                fits = "nothing else fits into" if self._facts[0].holds else "too small or too large for"
                return f"{fits} {inside}"
            case "sum combinations" | "cage combinations" if ways := self._ways():
                return ways
            case "sum combinations" | "cage combinations" | "line combinations":
                return f"nothing else completes {inside}"
            case _ if self._pattern.chain:
                return self._chain()
        return f"{inside} allows nothing else"

    def _ways(self) -> str | None:
        """The ways to get the result of the first rule that has one: `cage a: 4 in two cells is 1+3`."""
        found = next(filter(None, map(self._state.ways, self._pattern.houses)), None)
        if found is None:
            return None
        result, several = found
        number = f"{result.number}{'' if result.sign == '+' else SIGNS[result.sign]}"
        cells = NUMBERS[len(several[0])] if len(several[0]) < len(NUMBERS) else str(len(several[0]))
        if len(several) > MOST_WAYS:
            if self._facts[0].holds:
                return f"{self._inside}: no other way to make {number} in {cells} cells"
            them = "it" if len(self._facts) == 1 else "them"
            return f"{self._inside}: no way to make {number} in {cells} cells has {them}"
        falling = result.sign in "-/"
        texts = [SIGNS[result.sign].join(map(str, sorted(way, reverse=falling))) for way in several]
        return f"{self._inside}: {number} in {cells} cells is {listed(texts, 'or')}"

    def _chain(self) -> str:
        first, last = (self._state.fact_of(self._pattern.chain[i]) for i in (0, -1))
        if first == last:
            return f"if {first.negated()}, then {first} after all"
        if len(self._pattern.chain) == 4 and len(self._pattern.houses) == 2:
            return self._two_houses()
        between = [
            str(self._state.fact_of(candidate, holds=bool(i % 2))) for i, candidate in enumerate(self._pattern.chain)
        ]
        return f"{first} or {last}: if {', '.join(between)}"

    def _holding(self, x: int) -> str:
        """`r1c2 (3 or 8)`."""
        return f"{self._name(x)} ({listed(list(map(str, self._state.candidates(x))), 'or')})"

    def _wings(self, pivot: int, wings: Sequence[int]) -> str:
        return f"pivot {self._holding(pivot)}, wings {listed(list(map(self._holding, wings)))}"

    def _w_wing(self) -> str:
        one, (x, _), (y, _), other = (self._pattern.chain[i] for i in (0, 2, 3, 5))
        linking = self._state.fact_of(self._pattern.chain[2]).value
        pair = f"{self._name(one[0])} and {self._name(other[0])} ({self._values.replace(' and ', ' or ')})"
        where = f"{linking} stands in {self._inside} only in {self._name(x)} and {self._name(y)}"
        return f"{pair}, and {where}: one of the two is {self._state.fact_of(one).value}"

    def _two_houses(self) -> str:
        """Two houses with two places each for a value: `5 stands in row 1 only in r1c5 and r1c1, ...`."""
        one, near, nearby, other = (self._name(x) for x, _ in self._pattern.chain)
        first, second = self._pattern.houses
        link = self._state.common(self._pattern.chain[1][0], self._pattern.chain[2][0])
        places = f"{self._values} stands in {first} only in {one} and {near}, in {second} only in {nearby} and {other}"
        return f"{places}; as {near} and {nearby} share {link}, it is in {one} or {other}"


def _ease(named: Named) -> tuple[bool, int, int, Any]:
    """By the number of premises, then of cells; the last cell of a house first."""
    return named.technique.name != "full house", len(named.premises), len(named.technique.cells), named.facts


def _inequalities(constraints: Iterable[Constraint], network: Network) -> Iterator[tuple[int, int, str]]:
    """The cells of each inequality, the smaller one first, and its name."""
    for one in constraints:
        if isinstance(one, Binary) and one.relation in (lt, gt):
            x, y = (network.index[cell] for cell in one.scope)
            yield (x, y, one.name) if one.relation is lt else (y, x, one.name)
