"""Kakuro and variant Sudokus solved in plain Python: a second program, which shares no rule with the encodings.

A constraint is a tuple of cells and a test of their values, in which None is open: whether they may still come right.
The search takes the cell with the fewest values left, or the value with the fewest places in a row, column or region,
and asks only the constraints of its cell again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import isqrt
from typing import Any

Cell = tuple[int, int]
Values = Sequence[int | None]
Constraint = tuple[tuple[Cell, ...], Callable[[Values], bool]]


def solutions(domains: dict[Cell, list[int]], constraints: list[Constraint], most: int = 2) -> list[dict[Cell, int]]:
    """The first solutions."""
    high = max(max(options) for options in domains.values())
    full = [cells for cells, test in constraints if test is differ and len(cells) == high]
    of_cell: dict[Cell, list[Constraint]] = {cell: [] for cell in domains}
    for constraint in constraints:
        for cell in set(constraint[0]):
            of_cell[cell].append(constraint)
    values: dict[Cell, int] = {}
    found: list[dict[Cell, int]] = []

    def left(cell: Cell, options: Iterable[int]) -> list[int]:
        good = []
        for value in options:
            values[cell] = value
            if all(test([values.get(one) for one in cells]) for cells, test in of_cell[cell]):
                good.append(value)
            del values[cell]
        return good

    def choice(options: dict[Cell, list[int]]) -> list[tuple[Cell, int]]:
        """The cell with the fewest values, or the value with the fewest places in a unit that holds all values."""
        cell = min(options, key=lambda one: len(options[one]))
        best = [(cell, value) for value in options[cell]]
        for unit in full if len(best) > 1 else ():
            places: dict[int, list[Cell]] = {}
            for one in unit:
                for value in options.get(one, ()):
                    places.setdefault(value, []).append(one)
            missing = {*range(1, high + 1)} - {values.get(one) for one in unit}
            for value in missing:
                if len(places.get(value, ())) < len(best):
                    best = [(one, value) for one in places.get(value, ())]
        return best

    def search(options: dict[Cell, list[int]]) -> None:
        if not options:
            found.append(dict(values))
            return
        for cell, value in choice(options):
            near = {one for cells, _ in of_cell[cell] for one in cells}
            values[cell] = value
            after = {
                one: left(one, those) if one in near else those for one, those in options.items() if one != cell
            }
            if all(after.values()):
                search(after)
            del values[cell]
            if len(found) >= most:
                return

    search({cell: left(cell, options) for cell, options in domains.items()})
    return found


def differ(values: Values) -> bool:
    known = [value for value in values if value is not None]
    return len(known) == len(set(known))


def adds(total: int, low: int, high: int) -> Callable[[Values], bool]:
    """Values from `low` to `high` that may repeat add up to a number."""

    def test(values: Values) -> bool:
        known = [value for value in values if value is not None]
        rest = total - sum(known)
        return low * (len(values) - len(known)) <= rest <= high * (len(values) - len(known))

    return test


def cage(total: int | None, size: int, high: int) -> Callable[[Values], bool]:
    """Values that differ add up to a number."""
    if total is None:
        return differ
    sets = [set(one) for one in combinations(range(1, high + 1), size) if sum(one) == total]

    def test(values: Values) -> bool:
        known = {value for value in values if value is not None}
        return differ(values) and any(known <= one for one in sets)

    return test


def two(test: Callable[[int, int], bool]) -> Callable[[Values], bool]:
    return lambda values: values[0] is None or values[1] is None or test(values[0], values[1])


def rising(high: int) -> Callable[[Values], bool]:
    """Values rise, and leave room for those before and after them."""

    def test(values: Values) -> bool:
        known = [value - place for place, value in enumerate(values) if value is not None]
        return known == sorted(known) and all(1 <= value <= high + 1 - len(values) for value in known)

    return test


def of_arrow(size: int) -> Callable[[Values], bool]:
    def test(values: Values) -> bool:
        circle, *shaft = values
        known = [value for value in shaft if value is not None]
        least = sum(known) + len(shaft) - len(known)
        return least <= (circle or size) and (circle is None or len(known) < len(shaft) or sum(known) == circle)

    return test


def unbroken(values: Values) -> bool:
    known = [value for value in values if value is not None]
    return differ(values) and (not known or max(known) - min(known) < len(values))


def between(total: int, size: int) -> Callable[[Values], bool]:
    def test(values: Values) -> bool:
        if 1 not in values or size not in values:
            return True
        one, other = sorted((list(values).index(1), list(values).index(size)))
        inside = values[one + 1 : other]
        known = sum(value for value in inside if value is not None)
        return known == total if None not in inside else known < total

    return test


def of_variant(puzzle: Any) -> tuple[dict[Cell, list[int]], list[Constraint]]:
    """A variant Sudoku."""
    size = len(puzzle.grid)
    every = [(r, c) for r in range(1, size + 1) for c in range(1, size + 1)]
    facts: dict[str, list[tuple[Any, ...]]] = {}
    for name, arguments in puzzle.atoms:
        facts.setdefault(name, []).append(arguments)
    rules = {str(name) for (name,) in facts.pop("rule", [])}
    high = next(h for h in range(isqrt(size), 0, -1) if size % h == 0)
    found: list[Constraint] = []

    def groups(rows: Iterable[tuple[Any, Cell]]) -> dict[Any, tuple[Cell, ...]]:
        held: dict[Any, tuple[Cell, ...]] = {}
        for key, cell in rows:
            held[key] = (*held.get(key, ()), cell)
        return held

    def paths(name: str) -> Iterator[tuple[Cell, ...]]:
        rows = sorted(facts.pop(name, []))
        yield from groups((line, (r, c)) for line, _, r, c in rows).values()

    regions = groups((zone, (r, c)) for r, c, zone in facts.pop("region", []))
    if not regions and "no-regions" not in rules:
        regions = groups((((r - 1) // high, (c - 1) // (size // high)), (r, c)) for r, c in every)
    units = [*regions.values(), *groups((r, (r, c)) for r, c in every).values()]
    units += groups((c, (r, c)) for r, c in every).values()
    if {"diagonal", "diagonal-"} & rules:
        units.append(tuple((i, i) for i in range(1, size + 1)))
    if {"diagonal", "diagonal+"} & rules:
        units.append(tuple((i, size + 1 - i) for i in range(1, size + 1)))
    if "disjoint-groups" in rules:
        units += groups((((r - 1) % high, (c - 1) % (size // high)), (r, c)) for r, c in every).values()
    found += [(unit, differ) for unit in units]
    steps = ([(1, 2), (2, 1), (1, -2), (2, -1)] if "anti-knight" in rules else []) + (
        [(1, 1), (1, -1)] if "anti-king" in rules else []
    )
    for r, c in every:
        found += [(((r, c), (r + a, c + b)), differ) for a, b in steps if (r + a, c + b) in every]
    sums = dict(facts.pop("sum", []))
    for name, cells in groups((name, (r, c)) for r, c, name in facts.pop("cage", [])).items():
        found.append((cells, cage(sums.get(name), len(cells), size)))
    found += [(cells, rising(size)) for cells in paths("thermo")]
    found += [(cells, of_arrow(size)) for cells in paths("arrow")]
    found += [(cells, unbroken) for cells in paths("renban")]
    found += [((cell,), lambda values: values[0] is None or values[0] % 2 == 0) for cell in facts.pop("even", [])]
    found += [((cell,), lambda values: values[0] is None or values[0] % 2 == 1) for cell in facts.pop("odd", [])]
    dotted, signed = set[Cell | tuple[Cell, Cell]](), set[tuple[Cell, Cell]]()
    for number, *place in facts.pop("difference", []):
        pair = (place[0], place[1]), (place[2], place[3])
        dotted |= {pair, pair[::-1]}
        found.append((pair, two(lambda a, b, n=number: abs(a - b) == n)))
    for number, *place in facts.pop("ratio", []):
        pair = (place[0], place[1]), (place[2], place[3])
        dotted |= {pair, pair[::-1]}
        found.append((pair, two(lambda a, b, n=number: n in (a / b, b / a))))
    for number, *place in facts.pop("total", []):
        pair = (place[0], place[1]), (place[2], place[3])
        signed |= {pair, pair[::-1]}
        found.append((pair, two(lambda a, b, n=number: a + b == n)))
    for r, c in every:
        for pair in (((r, c), (r + 1, c)), ((r, c), (r, c + 1))):
            if pair[1] not in every:
                continue
            if {"consecutive", "kropki"} & rules and pair not in dotted:
                found.append((pair, two(lambda a, b: abs(a - b) != 1)))
            if {"double", "kropki"} & rules and pair not in dotted:
                found.append((pair, two(lambda a, b: 2 not in (a / b, b / a))))
            if "xv" in rules and pair not in signed:
                found.append((pair, two(lambda a, b: a + b not in (5, 10))))
    for total, r, c, name in facts.pop("little", []):
        down, right = {"ne": (-1, 1), "se": (1, 1), "sw": (1, -1), "nw": (-1, -1)}[str(name)]
        cells = tuple((r + i * down, c + i * right) for i in range(size) if (r + i * down, c + i * right) in every)
        found.append((cells, adds(total, 1, size)))
    for side, index, total in facts.pop("sandwich", []):
        cells = tuple((index, i) if side == "row" else (i, index) for i in range(1, size + 1))
        found.append((cells, between(total, size)))
    assert not facts, f"no rule for {', '.join(facts)}"
    domains = {cell: [puzzle.clues()[cell]] if cell in puzzle.clues() else [*range(1, size + 1)] for cell in every}
    return domains, found


def of_kakuro(puzzle: Any) -> tuple[dict[Cell, list[int]], list[Constraint]]:
    """A Kakuro."""
    rows, columns = len(puzzle.grid), len(puzzle.grid[0])
    black = {arguments for name, arguments in puzzle.atoms if name == "black"}
    white = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1) if (r, c) not in black]
    sums = {(name, *arguments[:2]): arguments[2] for name, arguments in puzzle.atoms if name != "black"}
    found: list[Constraint] = []
    for name, down, right in (("across", 0, 1), ("down", 1, 0)):
        for r, c in white:
            if (r - down, c - right) not in white:
                cells = [(r, c)]
                while (cells[-1][0] + down, cells[-1][1] + right) in white:
                    cells.append((cells[-1][0] + down, cells[-1][1] + right))
                total = sums.pop((name, r - down, c - right), None)
                found.append((tuple(cells), cage(total, len(cells), 9)))
    assert not sums
    return {cell: [puzzle.clues()[cell]] if cell in puzzle.clues() else [*range(1, 10)] for cell in white}, found
