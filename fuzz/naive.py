"""Puzzles by brute force: named rules, each a plain function of some cells, and a search that only leaves out what a
rule already refuses.

Nothing here, nor in the modules that state the rules, comes from `bridge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fuzz.campaign import Skipped

Cell = tuple[int, int]
Value = int | str
Values = Sequence[Value | None]
Assignment = dict[Cell, Value]

#: Nodes of one search, beyond which a case is skipped.
MOST_NODES = 30_000


@dataclass(frozen=True)
class Rule:
    """A named constraint.

    Attributes
    ----------
    may
        Of the values of its cells, None where open. With none open: whether the rule holds. Otherwise False only if no
        completion satisfies it.
    given
        Whether it belongs to the instance and can be taken away, as a clue can.
    """

    name: str
    cells: tuple[Cell, ...]
    may: Callable[[Values], bool]
    given: bool = False


@dataclass(frozen=True, order=True)
class Fact:
    """A cell holds a value or, when not `holds`, does not."""

    cell: Cell
    value: Value
    holds: bool = True


class Naive:
    """An instance.

    Parameters
    ----------
    cells
        All cells that take a value, in reading order.
    values
        What a cell may hold, ascending.
    rules
        All rules but the clues. Called with the clues that are in force, since a rule may depend on which cells are
        given.
    clues
        The given cells.
    domains
        What each cell may hold, where that is not the same for all.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        values: Sequence[Value],
        rules: Callable[[Mapping[Cell, Value]], Sequence[Rule]],
        clues: Mapping[Cell, Value],
        domains: Mapping[Cell, Sequence[Value]] | None = None,
    ) -> None:
        self.cells, self.values, self.clues = tuple(cells), tuple(values), dict(clues)
        self.domains = domains or dict.fromkeys(self.cells, self.values)
        self._rules_with = rules
        #: Nodes of one search, beyond which a case is skipped.
        self.most_nodes = MOST_NODES
        self.rules = {rule.name: rule for rule in rules(self.clues)}

    def solutions(
        self,
        clues: Mapping[Cell, Value] | None = None,
        rules: Iterable[str] | None = None,
        most: int | None = None,
    ) -> list[Assignment]:
        """All solutions, or up to so many, with other clues or only some of the rules.

        Raises
        ------
        Skipped
            When the search is too long.
        """
        given = self.clues if clues is None else clues
        of_all = {rule.name: rule for rule in self._rules_with(given)}
        chosen = [of_all[name] for name in (of_all if rules is None else rules)]
        domains = {
            cell: tuple(value for value in values if given.get(cell, value) == value)
            for cell, values in self.domains.items()
        }
        found: list[Assignment] = []
        for solution in assignments(self.cells, domains, chosen, self.most_nodes):
            if len(found) == most:
                break
            found.append(solution)
        return found

    def possible(self, rules: Iterable[str], facts: Iterable[Fact]) -> bool:
        """Whether some rules and facts can hold together. Facts that are clues of the instance count as given."""
        facts = list(facts)
        given = {fact.cell: fact.value for fact in facts if fact.holds and self.clues.get(fact.cell) == fact.value}
        of_all = {rule.name: rule for rule in self._rules_with(given)}
        chosen = [of_all[name] for name in rules]
        domains = dict(self.domains)
        for fact in facts:
            kept = [value for value in domains[fact.cell] if (value == fact.value) == fact.holds]
            domains[fact.cell] = tuple(kept)
        touched = {cell for rule in chosen for cell in rule.cells} | {fact.cell for fact in facts}
        cells = [cell for cell in self.cells if cell in touched]
        return next(assignments(cells, domains, chosen, self.most_nodes), None) is not None

    def broken(self, solution: Assignment) -> set[str]:
        """The rules that a full assignment breaks."""
        return {name for name, rule in self.rules.items() if not rule.may([solution[cell] for cell in rule.cells])}


def assignments(
    cells: Sequence[Cell], domains: Mapping[Cell, Sequence[Value]], rules: Sequence[Rule], most_nodes: int = MOST_NODES
) -> Iterator[Assignment]:
    """Every assignment of values from the domains that satisfies the rules, each once.

    Raises
    ------
    Skipped
        In the iteration, after so many nodes.
    """
    rules_of: dict[Cell, list[Rule]] = {cell: [] for cell in cells}
    for rule in rules:
        for cell in rule.cells:
            rules_of[cell].append(rule)
    held: dict[Cell, Value | None] = dict.fromkeys(cells)
    nodes = 0

    def allows(rule: Rule) -> bool:
        return rule.may([held[cell] for cell in rule.cells])

    def fits(cell: Cell, value: Value, of: Sequence[Rule]) -> bool:
        held[cell] = value
        good = all(allows(rule) for rule in of)
        held[cell] = None
        return good

    def walk(left: Mapping[Cell, Sequence[Value]]) -> Iterator[Assignment]:
        nonlocal nodes
        nodes += 1
        if nodes > most_nodes:
            raise Skipped
        waiting = [cell for cell in cells if held[cell] is None]
        if not waiting:
            yield {cell: value for cell, value in held.items() if value is not None}
            return
        cell = min(waiting, key=lambda one: len(left[one]))
        for value in left[cell]:
            held[cell] = value
            if all(allows(rule) for rule in rules_of[cell]):
                narrowed = dict(left)
                for other in {one for rule in rules_of[cell] for one in rule.cells if held[one] is None}:
                    shared = [rule for rule in rules_of[other] if cell in rule.cells]
                    narrowed[other] = [v for v in left[other] if fits(other, v, shared)]
                if all(narrowed[one] for one in waiting):
                    yield from walk(narrowed)
            held[cell] = None

    for rule in rules:  # one without cells, too
        if not allows(rule):
            return
    yield from walk({cell: tuple(domains[cell]) for cell in cells})


# Rules that several puzzles have.


def distinct(values: Values) -> bool:
    """No value stands twice."""
    given = [value for value in values if value is not None]
    return len(set(given)) == len(given)


def ascending(values: Values) -> bool:
    """The first of two values is less than the second."""
    first, second = values
    return first is None or second is None or int(first) < int(second)


def name_of(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def rows_and_columns(size: int) -> list[Rule]:
    index = range(1, size + 1)
    rows = [Rule(f"row {r}", tuple((r, c) for c in index), distinct) for r in index]
    return rows + [Rule(f"column {c}", tuple((r, c) for r in index), distinct) for c in index]


def grid_cells(rows: int, columns: int) -> list[Cell]:
    return [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]


def clues_of(grid: Sequence[Sequence[Value | None]]) -> Assignment:
    return {(r, c): v for r, row in enumerate(grid, 1) for c, v in enumerate(row, 1) if v is not None}
