"""Propagation, rule by rule, with a trace: where the steps of an explanation are looked for.

- **Known** facts are the clues, and the values placed and candidates removed by earlier steps.
- The **domain** of a cell is what propagation leaves of it. Each rule by itself removes the values that it excludes,
  until nothing changes (generalised arc consistency of each rule of the encoding). Then pairs of rules with several
  open cells in common are propagated as one.
- The **trace** has for each removed value the rules that removed it, and the time.

Propagation finds at low cost the next cell that can be decided, and the rules involved; so the search for a minimal
explanation begins with few rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from bridge.errors import LimitError
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Assignment, Fact, Oracle, RuleOrFact

#: Pairs of rules that are tried, those of the fewest open cells first, when single rules are exhausted.
PAIRS = 60


class Deduction:
    """Domains that shrink as facts become known and rules are propagated.

    `exact` has the values of each cell in some solution: a lower bound of its domain. In a question about some rules,
    all other cells have the values of `solution`. `removed` has the removed candidates in the order of the steps.
    """

    def __init__(self, oracle: Oracle, solution: Assignment, exact: Mapping[Cell, Iterable[Value]]) -> None:
        self.oracle, self.solution, self.exact = oracle, solution, {cell: set(of) for cell, of in exact.items()}
        self.placed: dict[Cell, Fact] = {}
        self.removed: dict[Fact, None] = {}
        self.domains: dict[Cell, set[Value]] = {cell: set(oracle.domains[cell]) for cell in exact}
        self._clock = 0
        self._trace: dict[Fact, tuple[int, tuple[str, ...]]] = {}
        #: The number of values in the cells of two rules when they were last propagated together.
        self._paired: dict[tuple[str, ...], int] = {}
        self._rules_of: dict[Cell, list[str]] = {cell: [] for cell in exact}
        for name, rule in oracle.rules.items():
            for cell in rule.cells:
                self._rules_of[cell].append(name)
        self._waiting: dict[str, None] = {}
        for fact in oracle.clues:
            self.know(fact)
        self._waiting = dict.fromkeys(oracle.rules)

    @property
    def known(self) -> list[RuleOrFact]:
        """The facts that an explanation may name: removed candidates first, placed values after them."""
        return [*self.removed, *self.placed.values()]

    def about(self, rules: Iterable[str]) -> list[RuleOrFact]:
        """The known facts about the cells of some rules."""
        cells = self._cells(rules)
        return [fact for fact in (*self.removed, *self.placed.values()) if fact.cell in cells]

    def know(self, fact: Fact) -> None:
        """Add a fact: a clue, or the fact of a step."""
        if fact.holds:
            self.placed[fact.cell] = fact
            self._keep(fact.cell, {fact.value})
        else:
            self.removed[fact] = None
            self._keep(fact.cell, self.domains[fact.cell] - {fact.value})

    def decided(self) -> list[Cell]:
        """Cells that propagation has decided and no step has placed."""
        return [cell for cell, values in self.domains.items() if len(values) == 1 and cell not in self.placed]

    def advance(self) -> bool:
        """Propagate the waiting rules until a cell is decided; False when no rule waits and none is decided."""
        while not self.decided():
            if self._waiting:
                # The rules that wait now are one wave: their removals take effect in the next.
                wave, self._waiting = list(self._waiting), {}
                self._clock += 1
                found = [(name, self._look((name,))) for name in wave]
                for name, possible in found:
                    self._leave((name,), possible)
            elif not self._advance_by_two():
                return False
        return True

    def _advance_by_two(self) -> bool:
        """Propagate pairs of rules that share open cells, until a value is removed; False when none is."""
        self._clock += 1
        waiting: list[tuple[int, tuple[str, str], int]] = []
        cells = {name: {cell for cell in rule.cells if self._is_open(cell)} for name, rule in self.oracle.rules.items()}
        for one, other in combinations([name for name in cells if len(cells[name]) > 1], 2):
            if len(cells[one] & cells[other]) > 1:
                together = cells[one] | cells[other]
                left = sum(len(self.domains[cell]) for cell in together)
                if self._paired.get((one, other)) != left:
                    waiting.append((len(together), (one, other), left))
        for _, pair, left in sorted(waiting, key=lambda entry: entry[0])[:PAIRS]:
            self._paired[pair] = left
            self._leave(pair, self._look(pair))
            if self._waiting:
                return True
        return False

    def _leave(self, names: tuple[str, ...], possible: Mapping[Cell, set[Value]]) -> None:
        """Remove the values that rules exclude."""
        for cell in self._cells(names):
            for value in self.domains[cell] - possible.get(cell, self.domains[cell]):
                self._trace[Fact(cell, value, False)] = self._clock, names
            self._keep(cell, self.domains[cell] & possible.get(cell, self.domains[cell]))

    def rules_of(self, cell: Cell) -> list[str]:
        """The rules that a cell is part of."""
        return self._rules_of[cell]

    def behind(self, fact: Fact) -> list[str]:
        """All rules on which a fact depends."""
        wanted, seen = self._removals(fact), set[tuple[int, tuple[str, ...]]]()
        rules: dict[str, None] = {}
        while wanted:
            look = self._trace.get(wanted.pop())
            if look is not None and look not in seen:
                seen.add(look)
                rules |= dict.fromkeys(look[1])
                wanted += self._before(*look)
        return list(rules)

    def last(self, fact: Fact) -> tuple[list[str], dict[Fact, None]]:
        """The rules that led to a fact directly, and the earlier removals in their cells."""
        removals = self._removals(fact)
        looks = dict.fromkeys(self._trace[one] for one in removals if one in self._trace)
        rules = dict.fromkeys(name for _, names in looks for name in names)
        needed = dict.fromkeys(one for look in looks for one in self._before(*look))
        return list(rules), {one: None for one in needed if one not in removals}

    def _removals(self, fact: Fact) -> list[Fact]:
        """A fact as removals: placing a value removes all others."""
        if not fact.holds:
            return [fact]
        return [Fact(fact.cell, value, False) for value in self.oracle.values if value != fact.value]

    def _before(self, when: int, names: tuple[str, ...]) -> list[Fact]:
        """The removals in the cells of some rules before a time."""
        facts = (Fact(cell, v, False) for cell in self._cells(names) for v in self.oracle.values)
        return [fact for fact in facts if fact in self._trace and self._trace[fact][0] < when]

    def open_candidates(self) -> list[Fact]:
        """The candidates that no solution has but propagation has not removed, those of the smallest domains first."""
        cells = sorted(self.domains, key=lambda cell: (len(self.domains[cell]), cell))
        order = self.oracle.values
        return [
            Fact(cell, value, False)
            for cell in cells
            for value in sorted(self.domains[cell] - self.exact[cell], key=order.index)
        ]

    def _keep(self, cell: Cell, values: set[Value]) -> None:
        if values != self.domains[cell]:
            self.domains[cell] = values
            self._waiting |= dict.fromkeys(self._rules_of[cell])

    def _is_open(self, cell: Cell) -> bool:
        return len(self.domains[cell]) > 1

    def _cells(self, names: Iterable[str]) -> dict[Cell, None]:
        """The cells of some rules, each once."""
        return dict.fromkeys(cell for name in names for cell in self.oracle.rules[name].cells)

    def _look(self, names: tuple[str, ...]) -> dict[Cell, set[Value]]:
        """The values that some rules leave in the domains of their cells. All others have the values of a solution."""
        inside = self._cells(names)
        if not any(map(self._is_open, inside)):
            return {}
        premises: list[RuleOrFact] = [*names]
        for cell, values in self.domains.items():
            if cell not in inside:
                premises.append(Fact(cell, self.solution[cell]))
            elif len(values) == 1:
                premises.append(Fact(cell, next(iter(values))))
            else:
                premises += [Fact(cell, value, False) for value in self.oracle.values if value not in values]
        possible = self.oracle.possible(premises)
        if possible is None:
            raise LimitError("the limit on seconds came before the next step was found")
        return possible
