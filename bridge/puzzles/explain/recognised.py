"""What the rules of an instance without a CSP say, recognised by questions to the oracle.

- A rule is **all-different** when no two of its cells can hold the same value.
- The **result** of a rule is what the values of its cells give in every way to keep it: a sum, a product, a difference
  or a quotient.
- What a rule excludes is asked: the values that a cell has in no way to keep it. A **combination** is a rule with one
  that is all-different on some of its cells.

So the cages of a Killer Sudoku or KenKen, the runs of a Kakuro and the lines of a Nonogram need no code of their own,
and neither do those of a kind that somebody adds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import prod
from typing import Any

from bridge.errors import LimitError
from bridge.problem import some
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.rules import Cell, Value
from bridge.puzzles.oracle import Assignment, Fact, Oracle, RuleOrFact
from bridge.puzzles.search import AllDifferent
from bridge.puzzles.search.network import Network
from bridge.puzzles.search.rule_techniques import rule_pattern
from bridge.puzzles.search.techniques import Houses, Pattern

#: Rules on more cells are not asked here: rules on the whole grid, such as that there is one loop.
MOST_CELLS = 30

#: The ways to keep a rule that are looked at to recognise its result.
SAMPLE = 60


def _difference(values: Sequence[int]) -> int | None:
    return abs(values[0] - values[1]) if len(values) == 2 else None


def _quotient(values: Sequence[int]) -> int | None:
    less, greater = min(values), max(values)
    return greater // less if len(values) == 2 and less and not greater % less else None


#: By sign, how a result is computed; None where there is none. That of a sum is tried first.
RESULTS: Mapping[str, Callable[[Sequence[int]], int | None]] = {"+": sum, "*": prod, "-": _difference, "/": _quotient}


@dataclass(frozen=True, slots=True)
class Result:
    """What the values of a rule's cells give: `Result("+", 17)`."""

    sign: str
    number: int

    def of(self, values: Sequence[int]) -> bool:
        return RESULTS[self.sign](values) == self.number


class Recognised:
    """The rules of an instance. In a question about some rules, all other cells have the values of some solution."""

    def __init__(self, oracle: Oracle, solution: Assignment) -> None:
        self.oracle, self._solution = oracle, solution
        self.result: Callable[[str], Result | None] = cache(self._result)

    def all_different(self) -> list[AllDifferent]:
        """The rules that are all-different; of two values, counting says it better."""
        most = len(self.oracle.values)
        rules = [rule for rule in self.oracle.rules.values() if 1 < len(rule.cells) <= most and most > 2]
        return [AllDifferent(rule.cells, rule.name) for rule in rules if self._differ(rule.name, rule.cells)]

    def _differ(self, name: str, cells: Sequence[Cell]) -> bool:
        premises = [name, *self._outside(cells)]
        values = self.oracle.values
        some = self.oracle.solution(premises)
        if some is None or len({some[cell] for cell in cells}) < len(cells):
            return False
        if len(cells) == len(values):  # as many cells as values: they differ if each value has a place in every way
            return not any(
                self.oracle.holds([*premises, *(Fact(cell, value, False) for cell in cells)]) for value in values
            )
        possible = self.possible([name], cells, [])
        return not any(
            self.oracle.holds([*premises, Fact(one, value), Fact(other, value)])
            for one, other in combinations(cells, 2)
            for value in possible[one] & possible[other]
        )

    def possible(self, names: Sequence[str], cells: Sequence[Cell], known: Sequence[Fact]) -> dict[Cell, set[Value]]:
        """The values that the cells of some rules have in some way to keep these and known facts."""
        found = self.oracle.possible([*names, *known, *self._outside(cells)])
        if found is None:
            raise LimitError("the limit on seconds came before the next step was found")
        return found

    def refutes(self, trial: Fact, around: Sequence[str], beyond: str, known: Sequence[Fact]) -> bool:
        """Whether rules, each by itself, exclude so much with a trial that one more cannot be kept."""
        oracle, inside = self.oracle, self.oracle.rules[beyond].cells
        removed: list[RuleOrFact] = []
        for name in around:
            cells = oracle.rules[name].cells
            possible = self.possible([name], cells, [*(fact for fact in known if fact.cell in cells), trial])
            shared = [cell for cell in cells if cell in inside]
            removed += [Fact(cell, v, False) for cell in shared for v in oracle.values if v not in possible[cell]]
        inner = [fact for fact in known if fact.cell in inside]
        return not oracle.holds([beyond, *inner, *removed, *self._outside(inside)])

    def _outside(self, cells: Sequence[Cell]) -> list[RuleOrFact]:
        inside = set(cells)
        return [Fact(cell, value) for cell, value in self._solution.items() if cell not in inside]

    def _result(self, name: str) -> Result | None:
        """The result of a rule: it is one of the numbers in the rule's facts, or there are several ways to get it."""
        cells = self.oracle.rules[name].cells
        if len(cells) < 2 or not all(isinstance(value, int) for value in self.oracle.values):
            return None
        ways: list[Any] = [
            [way[cell] for cell in cells] for way in some(self.oracle, [name, *self._outside(cells)], SAMPLE)
        ]
        numbers, signs = self._stated(name)
        for sign in sorted(RESULTS, key=lambda sign: sign not in signs):
            (number, *others) = {RESULTS[sign](way) for way in ways} or {None}
            several = not numbers and len({*map(frozenset, ways)}) > 1
            if number is not None and not others and (number in numbers or several):
                return Result(sign, number)
        return None

    def _stated(self, name: str) -> tuple[set[int], set[str]]:
        """The numbers and texts in the facts that a rule is given by."""
        puzzle = self.oracle.puzzle
        facts = puzzle.shape.details.given.get(name, ()) if isinstance(puzzle, FilePuzzle) else ()
        numbers = {int(number) for fact in facts for number in re.findall(r"-?\d+", fact)}
        return numbers, {text for fact in facts for text in re.findall(r'"([^"]*)"', fact)}


class OracleRules:
    """What rules exclude from the candidates, by questions; patterns are in the variables and values of a network."""

    def __init__(self, recognised: Recognised, network: Network, houses: Houses) -> None:
        self._recognised, self._network, self._houses = recognised, network, houses
        self._values = network.encode(network.values)
        full = {house.name for house in houses.all if house.full}
        rules = recognised.oracle.rules.values()
        self._scopes = {
            rule.name: tuple(network.index[cell] for cell in rule.cells)
            for rule in rules
            if 0 < len(rule.cells) <= MOST_CELLS and rule.name not in full
        }
        #: What some rules excluded, and the domains of their variables then.
        self._excluded: dict[tuple[str, ...], tuple[tuple[int, ...], list[tuple[int, int]]]] = {}

    def alone(self, domains: Sequence[int]) -> Iterator[Pattern]:
        """What each rule by itself excludes."""
        for name, scope in self._scopes.items():
            if removed := self._removed((name,), scope, domains):
                yield from self._patterns(name, scope, domains, removed)

    def combined(self, domains: Sequence[int]) -> Iterator[Pattern]:
        """What each combination excludes."""
        for name, scope in self._scopes.items():
            opened = {x for x in scope if domains[x] & (domains[x] - 1)}
            for house in self._houses.all:
                together = tuple(dict.fromkeys((*scope, *house.cells)))
                if house.name == name or len(opened.intersection(house.cells)) < 2 or len(together) > MOST_CELLS:
                    continue
                if removed := self._removed((name, house.name), together, domains):
                    result = self._recognised.result(name)
                    technique = "line combinations" if result is None else _COMBINATIONS[result.sign == "+"]
                    names = name, house.name
                    yield rule_pattern(technique, names, scope, together, domains, removed, self._values)

    def _removed(self, names: tuple[str, ...], scope: Sequence[int], domains: Sequence[int]) -> list[tuple[int, int]]:
        now = tuple(domains[x] for x in scope)
        before = self._excluded.get(names)
        if before is not None and before[0] == now:
            return before[1]
        removed: list[tuple[int, int]] = []
        if any(mask & (mask - 1) for mask in now):
            network = self._network
            known: list[Fact] = []
            for x, mask in zip(scope, now, strict=True):
                if mask & (mask - 1) == 0:
                    known.append(Fact(network.variables[x], network.decode(mask)[0]))
                else:
                    absent = network.decode(self._values & ~mask)
                    known += [Fact(network.variables[x], value, False) for value in absent]
            possible = self._recognised.possible(names, [network.variables[x] for x in scope], known)
            for x, mask in zip(scope, now, strict=True):
                if gone := mask & ~network.encode(possible.get(network.variables[x], ())):
                    removed.append((x, gone))
        self._excluded[names] = now, removed
        return removed

    def _patterns(
        self, name: str, scope: Sequence[int], domains: Sequence[int], removed: Sequence[tuple[int, int]]
    ) -> Iterator[Pattern]:
        """All variables that a rule decides, together where its technique sees them together; if none, all removals."""
        decided = [(x, gone) for x, gone in removed if (left := domains[x] & ~gone) & (left - 1) == 0]
        technique = self._technique(name, scope, domains, decided)
        if technique == "one rule" and decided:
            for one in decided:
                yield rule_pattern(technique, [name], scope, scope, domains, [one], self._values)
        else:
            yield rule_pattern(technique, [name], scope, scope, domains, decided or removed, self._values)

    def _technique(
        self, name: str, scope: Sequence[int], domains: Sequence[int], decided: Sequence[tuple[int, int]]
    ) -> str:
        opened = [x for x in scope if domains[x] & (domains[x] - 1)]
        if self._values.bit_count() == 2:
            if len(decided) == len(opened) and len({domains[x] & ~gone for x, gone in decided}) == 1:
                return "count"
            cells = [self._network.variables[x] for x in scope]
            in_line = 1 in (len({row for row, _ in cells}), len({column for _, column in cells}))
            return "overlap" if in_line and self._recognised.oracle.rules[name].given else "one rule"
        result = self._recognised.result(name)
        if result is None:
            return "one rule"
        return (_LAST if len(opened) == 1 else _COMBINATIONS)[result.sign == "+"]


#: By whether the result is a sum.
_COMBINATIONS = {True: "sum combinations", False: "cage combinations"}
_LAST = {True: "last cell of a sum", False: "last cell of a cage"}
