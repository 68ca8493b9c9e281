"""Small boards of the puzzles that are files: their rules stated again, in plain Python.

A case has the JSON form of an instance, with the name of its kind; a rule is asked of the answer alone, whichever other
rules are in force.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, groupby, pairwise
from math import prod
from random import Random
from typing import Any
from unittest.mock import patch

from bridge.puzzles.engines import IMPERATIVE
from bridge.puzzles.kinds import trust
from fuzz.campaign import Case, Tally
from fuzz.naive import (
    Assignment,
    Cell,
    Naive,
    Rule,
    Value,
    Values,
    ascending,
    clues_of,
    distinct,
    grid_cells,
    name_of,
)
from fuzz.puzzle import PuzzleCampaign

#: The facts of an instance by predicate: the arguments of each.
Facts = Mapping[str, Sequence[tuple[Any, ...]]]

#: Kinds whose programs have positive loops.
NOT_TIGHT = ("hitori", "slitherlink")

SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


@dataclass(frozen=True)
class Kind:
    """What is told of a kind.

    Attributes
    ----------
    make
        A random instance: its JSON form without the name of the kind.
    state
        The cells, the values, the rules and, where they differ, the values of each cell; of facts and the form.
    size
        The size of a new puzzle like a random one; None where the kind makes none.
    """

    make: Callable[[Random], dict[str, Any]]
    state: Callable[[Facts, dict[str, Any]], tuple[Sequence[Cell], Sequence[Value], list[list[Rule]], Any]]
    size: Callable[[Random], int | tuple[int, int]] | None


class Kinds(PuzzleCampaign):
    """Akari, Hitori, Kakuro, KenKen, Killer, Nonogram, Skyscrapers, Slitherlink, Star Battle, Variant Sudoku, Zebra."""

    name = "kinds"
    weight = 3.0
    round = 3

    checks: Mapping[str, float] = {
        "engine": 4, "count": 2, "cubes": 1, "exact": 2, "propagated": 1, "diagnose": 4, "explain": 2, "grade": 1,
        "new": 0.4,
    }  # fmt: skip
    engines = ("auto", "cp-sat", *IMPERATIVE, "dfs+fc")
    counting = ("asp", "auto", "asp", "cp-sat", "mac+mrv", "gac+mrv+degree")

    def make(self, chance: Random) -> Case:
        return {**super().make(chance), "isolated": chance.random() < 0.15}

    def check(self, case: Case, tally: Tally) -> None:
        with patch.object(trust, "_worker", not case["isolated"]):
            super().check(case, tally)
        tally[case["form"]["puzzle"]] += 1

    def smaller(self, case: Case) -> Iterator[Case]:
        if case["isolated"]:
            yield {**case, "isolated": False}
        yield from super().smaller(case)

    def form(self, chance: Random) -> dict[str, Any]:
        name = chance.choice([*KINDS])
        return {"puzzle": name, **KINDS[name].make(chance)}

    def refused(self, form: dict[str, Any], what: str) -> bool:
        """`clpfd` has no program; programs with positive loops have no CSP."""
        return what == "clpfd" or (what not in ("asp", "auto") and form["puzzle"] in NOT_TIGHT)

    def naive(self, form: dict[str, Any]) -> Naive:
        cells, values, rules, domains = KINDS[form["puzzle"]].state(facts_of(form), form)
        known = list(chain.from_iterable(sorted(group, key=lambda rule: _natural(rule.name)) for group in rules))
        return Naive(cells, values, lambda _: known, clues_of(form["grid"]), domains)

    def smaller_form(self, form: dict[str, Any]) -> Iterator[dict[str, Any]]:
        facts = form.get("facts", [])
        for index, fact in enumerate(facts):
            if not fact.startswith(("black", "number", "region", "has", "attribute", "cage")):
                yield {**form, "facts": facts[:index] + facts[index + 1 :]}
        for r, row in enumerate(form["grid"]):
            for c, value in enumerate(row):
                if value is not None:
                    yield {**form, "grid": [*form["grid"][:r], [*row[:c], None, *row[c + 1 :]], *form["grid"][r + 1 :]]}

    def new(self, form: dict[str, Any], chance: Random) -> tuple[int | tuple[int, int], dict[str, str]] | None:
        size = KINDS[form["puzzle"]].size
        return None if size is None else (size(chance), {})


def facts_of(form: Mapping[str, Any]) -> dict[str, list[tuple[Any, ...]]]:
    """The facts of a form: arguments that are numbers as such, others as text without quotation marks."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for fact in form.get("facts", ()):
        name, _, rest = fact.removesuffix(")").partition("(")
        texts = [text.strip('"') for text in rest.split(",")]
        found.setdefault(name, []).append(tuple(int(t) if re.fullmatch(r"-?\d+", t) else t for t in texts))
    return found


def _natural(name: str) -> list[tuple[int, Any]]:
    return [(0, int(part)) if part.isdigit() else (1, part) for part in re.split(r"([0-9]+)", name)]


def _form(rows: int, columns: int, facts: Iterable[str], constants: Mapping[str, int], solved: Assignment,
          chance: Random, open_share: float = 0.8, values: Sequence[Value] = ()) -> dict[str, Any]:  # fmt: skip
    """The form with some values of an answer as clues, and sometimes another value."""
    grid: list[list[Value | None]] = [[None] * columns for _ in range(rows)]
    for (r, c), value in solved.items():
        if chance.random() > open_share:
            grid[r - 1][c - 1] = chance.choice(values) if values and chance.random() < 0.05 else value
    return {"grid": grid, "facts": sorted(facts), "constants": dict(constants)}


def _size(form: Mapping[str, Any]) -> tuple[int, int]:
    return len(form["grid"]), len(form["grid"][0])


def _near(chance: Random, number: int) -> int:
    """The number, or sometimes one that is near."""
    return number + chance.choice([-1, 1]) if chance.random() < 0.06 else number


def _beside(cell: Cell, cells: Collection[Cell]) -> list[Cell]:
    return [near for r, c in SIDES if (near := (cell[0] + r, cell[1] + c)) in cells]


def _connected(cells: Collection[Cell], beside: Callable[[Cell, Collection[Cell]], Iterable[Cell]]) -> bool:
    left = set(cells)
    todo = [left.pop()] if left else []
    while todo:
        for near in beside(todo.pop(), left):
            left.discard(near)
            todo.append(near)
    return not left


def _several(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells, if a rule about two of them can be about them."""
    return tuple(cells) if cells[1:] else ()


def _count_is(number: int) -> Callable[[Values], bool]:
    """So many of some zeros and ones are ones."""

    def may(values: Values) -> bool:
        ones = sum(value == 1 for value in values)
        return ones <= number <= ones + values.count(None)

    return may


def _at_most_one(values: Values) -> bool:
    return sum(value == 1 for value in values) < 2


def _some_one(values: Values) -> bool:
    return 1 in values or None in values


def _only_full(check: Callable[[Values], bool]) -> Callable[[Values], bool]:
    return lambda values: None in values or check(values)


# Akari


def _akari(chance: Random) -> dict[str, Any]:
    rows, columns = chance.choice([(2, 2), (2, 3), (3, 3), (3, 3), (3, 4), (4, 4)])
    cells = grid_cells(rows, columns)
    walls = {cell for cell in cells if chance.random() < 0.3}
    if len(walls) == len(cells):
        walls.pop()
    solved: Assignment = {cell: int(chance.random() < 0.35) for cell in cells if cell not in walls}
    lines = _akari_lines(set(solved))
    for _, _, line in lines:  # no two bulbs in a line
        for other in [cell for cell in line if solved[cell]][1:]:
            solved[other] = 0
    lit = {cell for _, _, line in lines if any(solved[one] for one in line) for cell in line}
    for cell in sorted(solved):
        if cell not in lit:
            solved[cell] = 1
            lit |= {one for _, _, line in lines if cell in line for one in line}
    facts = []
    for r, c in sorted(walls):
        bulbs = sum(int(solved.get(near, 0)) for near in _beside((r, c), cells))
        facts.append(f"number({r},{c},{min(4, max(0, _near(chance, bulbs)))})" if chance.random() < 0.4
                     else f"wall({r},{c})")  # fmt: skip
    return _form(rows, columns, facts, {"rows": rows, "columns": columns}, solved, chance, 0.9, (0, 1))


def _akari_lines(white: Collection[Cell]) -> list[tuple[str, Cell, list[Cell]]]:
    found = []
    for name, down, right in (("across", 0, 1), ("down", 1, 0)):
        for r, c in sorted(white):
            if (r - down, c - right) not in white:
                line = [(r, c)]
                while (cell := (line[-1][0] + down, line[-1][1] + right)) in white:
                    line.append(cell)
                found.append((name, (r, c), line))
    return found


def _akari_state(facts: Facts, form: dict[str, Any]) -> Any:
    rows, columns = _size(form)
    walls = {(f[0], f[1]) for f in (*facts.get("wall", ()), *facts.get("number", ()))}
    white = [cell for cell in grid_cells(rows, columns) if cell not in walls]
    lines = _akari_lines(set(white))
    alone = [Rule(f"{way} from {name_of(first)}", _several(line), _at_most_one) for way, first, line in lines]
    lit = [
        Rule(f"lit {name_of(cell)}", tuple(sorted({one for _, _, line in lines if cell in line for one in line})),
             _some_one) for cell in white
    ]  # fmt: skip
    told = [
        Rule(f"number r{r}c{c}={n}", tuple(sorted(_beside((r, c), white))), _count_is(n), given=True)
        for r, c, n in facts.get("number", ())
    ]
    return white, (0, 1), [alone, lit, told], None


# Hitori


def _hitori(chance: Random) -> dict[str, Any]:
    rows, columns = chance.choice([(2, 2), (2, 3), (3, 3), (3, 3), (3, 4)])
    most = chance.choice([2, 3, 4, 4, 5])
    facts = [f"number({r},{c},{chance.randint(1, most)})" for r, c in grid_cells(rows, columns)]
    solved: Assignment = {cell: chance.randrange(2) for cell in grid_cells(rows, columns)}
    return _form(rows, columns, facts, {"rows": rows, "columns": columns}, solved, chance, 0.95)


def _hitori_state(facts: Facts, form: dict[str, Any]) -> Any:
    rows, columns = _size(form)
    cells = grid_cells(rows, columns)
    number = {(r, c): n for r, c, n in facts.get("number", ())}

    def once(line: Sequence[Cell]) -> tuple[tuple[Cell, ...], Callable[[Values], bool]]:
        shown = [number[cell] for cell in line]
        twice = tuple(cell for cell in line if shown.count(number[cell]) > 1)
        return twice, lambda values: distinct([number[cell] for cell, v in zip(twice, values, strict=True) if v == 0])

    lines = [[(r, c) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
    across = [Rule(f"row {r}", *once(line)) for r, line in enumerate(lines, 1)]
    down = [Rule(f"column {c}", *once(line)) for c, line in enumerate(zip(*lines, strict=True), 1)]

    def apart(values: Values) -> bool:
        shaded = {cell for cell, value in zip(cells, values, strict=True) if value == 1}
        return not any(_beside(cell, shaded) for cell in shaded)

    def one_area(values: Values) -> bool:
        return _connected([cell for cell, value in zip(cells, values, strict=True) if value == 0], _beside)

    everything = tuple(cells)
    return cells, (0, 1), [across, down, [Rule("apart", everything, apart)],
                           [Rule("one area", everything, _only_full(one_area))]], None  # fmt: skip


# Kakuro


def _kakuro(chance: Random) -> dict[str, Any]:
    rows, columns = chance.choice([(2, 3), (3, 3), (3, 3), (3, 4), (4, 4)])
    cells = grid_cells(rows, columns)
    black = {(r, c) for r, c in cells if r == 1 or c == 1 or chance.random() < 0.2}
    white = [cell for cell in cells if cell not in black]
    if not white:
        black, white = black - {(2, 2)}, [(2, 2)]
    most = chance.choice([3, 4, 9])
    solved: Assignment = {}
    lines = _akari_lines(set(white))
    for cell in white:
        taken = {solved[one] for _, _, line in lines if cell in line for one in line if one in solved}
        solved[cell] = chance.choice([value for value in range(1, most + 5) if value not in taken and value < 10])
    facts = [f"black({r},{c})" for r, c in black]
    for way, (r, c), line in lines:
        if chance.random() < 0.9:
            at = (r, c - 1) if way == "across" else (r - 1, c)
            facts.append(f"{way}({at[0]},{at[1]},{_near(chance, sum(int(solved[one]) for one in line))})")
    open_share = 0.8 if len(white) < 5 else 0.5
    return _form(rows, columns, facts, {"rows": rows, "columns": columns}, solved, chance, open_share, range(1, 10))


def _kakuro_state(facts: Facts, form: dict[str, Any]) -> Any:
    rows, columns = _size(form)
    black = {(r, c) for r, c in facts.get("black", ())}
    white = [cell for cell in grid_cells(rows, columns) if cell not in black]
    groups: dict[str, list[Rule]] = {"across": [], "down": []}
    for way, (r, c), line in _akari_lines(set(white)):
        before = (r, c - 1) if way == "across" else (r - 1, c)
        sums = [n for i, j, n in facts.get(way, ()) if (i, j) == before]
        if sums or len(line) > 1:  # one number alone differs from no other
            groups[way].append(Rule(f"{way} from {name_of((r, c))}", tuple(line), _makes(sums), given=bool(sums)))
    return white, range(1, 10), [groups["across"] + groups["down"]], None


def _makes(sums: Sequence[int]) -> Callable[[Values], bool]:
    """The values differ, and add up to each of the sums."""

    def may(values: Values) -> bool:
        given = [int(value) for value in values if value is not None]
        if len(set(given)) < len(given):
            return False
        return all(sum(given) == n if len(given) == len(values) else sum(given) < n for n in sums)

    return may


# Latin grids


def _latin(chance: Random, size: int) -> list[list[int]]:
    while True:
        rows: list[list[int]] = []
        for _ in range(size):
            for _ in range(20):
                row = chance.sample(range(1, size + 1), size)
                if all(row[c] != other[c] for other in rows for c in range(size)):
                    rows.append(row)
                    break
        if len(rows) == size:
            return rows


def _boxed(chance: Random) -> list[list[int]]:
    """A solved Sudoku of order 4."""
    while True:
        grid = _latin(chance, 4)
        if all(len({grid[r + i][c + j] for i in (0, 1) for j in (0, 1)}) == 4 for r in (0, 2) for c in (0, 2)):
            return grid


def _values_of(grid: Sequence[Sequence[int]]) -> Assignment:
    return {(r, c): value for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1)}


def _parts(chance: Random, cells: Sequence[Cell], most: int) -> list[list[Cell]]:
    """The cells in connected parts of one to so many cells."""
    left, parts = set(cells), []
    while left:
        part = [chance.choice(sorted(left))]
        left.discard(part[0])
        for _ in range(chance.randint(0, most - 1)):
            near = sorted({one for cell in part for one in _beside(cell, left)})
            if near:
                part.append(chance.choice(near))
                left.discard(part[-1])
        parts.append(part)
    return parts


def _lines_of(size: int) -> tuple[list[Rule], list[Rule]]:
    index = range(1, size + 1)
    rows = [Rule(f"row {r}", tuple((r, c) for c in index), distinct) for r in index]
    return rows, [Rule(f"column {c}", tuple((r, c) for r in index), distinct) for c in index]


def _kenken(chance: Random) -> dict[str, Any]:
    size = chance.choice([1, 2, 3, 3, 4])
    grid = _latin(chance, size)
    solved = _values_of(grid)
    facts = []
    for number, part in enumerate(_parts(chance, sorted(solved), 4)):
        name = f"k{number}"
        facts += [f"cage({r},{c},{name})" for r, c in part]
        values = [int(solved[cell]) for cell in part]
        signs = {"+": sum(values), "*": prod(values)}
        if len(values) == 2:
            signs["-"] = abs(values[0] - values[1])
            if max(values) % min(values) == 0:
                signs["/"] = max(values) // min(values)
        sign = chance.choice([*signs])
        if len(values) == 1:
            facts.append(f"result({name},{values[0]})")
        elif chance.random() < 0.85:
            facts.append(f'result({name},{_near(chance, signs[sign])},"{sign}")')
    return _form(size, size, facts, {"n": size}, solved, chance, 0.75, range(1, size + 1))


def _kenken_state(facts: Facts, form: dict[str, Any]) -> Any:
    size = len(form["grid"])
    cages: dict[str, list[Cell]] = {}
    for r, c, name in sorted(facts.get("cage", ())):
        cages.setdefault(name, []).append((r, c))
    told = []
    for name, number, *sign in facts.get("result", ()):
        check = _all_are(number) if not sign else _only_full(_result(sign[0], number))
        told.append(Rule(f"cage {name}", tuple(cages[name]), check, given=True))
    return grid_cells(size, size), range(1, size + 1), [*_lines_of(size), told], None


def _all_are(number: int) -> Callable[[Values], bool]:
    return lambda values: all(value in (None, number) for value in values)


def _result(sign: str, number: int) -> Callable[[Values], bool]:
    def gives(values: Values) -> bool:
        given = [int(value) for value in values if value is not None]
        if sign == "+":
            return sum(given) == number
        if sign == "*":
            return prod(given) == number
        if sign == "-":
            return max(given) - min(given) == number
        return min(given) * number == max(given)

    return gives


def _skyscrapers(chance: Random) -> dict[str, Any]:
    size = chance.choice([1, 2, 3, 3, 4, 4])
    grid = _latin(chance, size)
    facts = [
        f"sees({side},{i},{min(size, max(1, _near(chance, _seen(line))))})"
        for side in ("left", "right", "top", "bottom")
        for i in range(1, size + 1)
        if chance.random() < 0.5
        for line in [[grid[r - 1][c - 1] for r, c in _seen_from(side, i, size)]]
    ]
    open_share = 0.85 if size < 4 else 0.6
    return _form(size, size, facts, {"n": size}, _values_of(grid), chance, open_share, range(1, size + 1))


def _seen_from(side: str, i: int, size: int) -> list[Cell]:
    line = [(i, p) if side in ("left", "right") else (p, i) for p in range(1, size + 1)]
    return line if side in ("left", "top") else line[::-1]


def _seen(line: Sequence[Any]) -> int:
    return sum(all(height > before for before in line[:p]) for p, height in enumerate(line))


def _sees(number: int) -> Callable[[Values], bool]:
    return _only_full(lambda values: _seen(values) == number)


def _skyscrapers_state(facts: Facts, form: dict[str, Any]) -> Any:
    size = len(form["grid"])
    told = [
        Rule(f"{n} from the {side} of {i}", tuple(_seen_from(side, i, size)), _sees(n), given=True)
        for side, i, n in facts.get("sees", ())
    ]
    return grid_cells(size, size), range(1, size + 1), [*_lines_of(size), told], None


# Sudokus with further rules


def _killer(chance: Random) -> dict[str, Any]:
    return _variant(chance, ("killer",))


def _variant_sudoku(chance: Random) -> dict[str, Any]:
    return _variant(chance, chance.sample(sorted(_VARIANTS), chance.randint(1, 3)))


def _variant(chance: Random, parts: Sequence[str]) -> dict[str, Any]:
    size = chance.choice([2, 3, 3, 4, 4, 4])
    grid = _boxed(chance) if size == 4 else _latin(chance, size)
    solved = _values_of(grid)
    facts = list(chain.from_iterable(_VARIANTS[part](chance, size, solved) for part in parts))
    if chance.random() < 0.15:
        facts.append('rule("no-regions")')
    open_share = 0.9 if size < 4 else 0.6
    return _form(size, size, set(facts), {"n": size}, solved, chance, open_share, range(1, size + 1))


def _walk(chance: Random, size: int, longest: int) -> list[Cell]:
    """Some cells, each beside the one before, at a side or a corner."""
    cells = grid_cells(size, size)
    found = [chance.choice(cells)]
    for _ in range(chance.randint(1, longest - 1)):
        last = found[-1]
        near = [one for one in cells if max(abs(one[0] - last[0]), abs(one[1] - last[1])) == 1 and one not in found]
        if not near:
            break
        found.append(chance.choice(near))
    return found


def _cages(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for number, part in enumerate(_parts(chance, sorted(solved), 3)):
        if len({solved[cell] for cell in part}) == len(part) and chance.random() < 0.7:
            yield from (f"cage({r},{c},c{number})" for r, c in part)
            if chance.random() < 0.8:
                yield f"sum(c{number},{_near(chance, sum(int(solved[cell]) for cell in part))})"


def _thermos(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for number in range(chance.randint(1, 2)):
        path = _walk(chance, size, 3)
        if chance.random() < 0.8:
            path.sort(key=lambda cell: solved[cell])
        yield from (f"thermo(t{number},{p},{r},{c})" for p, (r, c) in enumerate(path, 1))


def _arrows(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for number in range(chance.randint(1, 3)):
        path = _walk(chance, size, 3)
        fits = len(path) > 1 and sum(int(solved[cell]) for cell in path[1:]) == solved[path[0]]
        if len(path) > 1 and (fits or chance.random() < 0.15):
            yield from (f"arrow(a{number},{p},{r},{c})" for p, (r, c) in enumerate(path, 1))


def _renbans(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for number in range(chance.randint(1, 3)):
        path = _walk(chance, size, 3)
        values = {int(solved[cell]) for cell in path}
        fits = len(values) == len(path) and max(values) - min(values) < len(path)
        if fits or chance.random() < 0.15:
            yield from (f"renban(l{number},{p},{r},{c})" for p, (r, c) in enumerate(path, 1))


def _pairs_beside(chance: Random, size: int) -> list[tuple[Cell, Cell]]:
    cells = grid_cells(size, size)
    found = [(one, other) for one in cells for other in _beside(one, cells)]
    return chance.sample(found, min(len(found), chance.randint(1, 4)))


def _dots(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for one, other in _pairs_beside(chance, size):
        low, high = sorted((int(solved[one]), int(solved[other])))
        at = f"{one[0]},{one[1]},{other[0]},{other[1]}"
        if chance.random() < 0.5:
            yield f"difference({max(1, _near(chance, high - low))},{at})"
        elif high % low == 0:
            yield f"ratio({max(1, _near(chance, high // low))},{at})"
    if chance.random() < 0.3:
        yield chance.choice(["rule(consecutive)", "rule(double)", "rule(kropki)"])


def _totals(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for one, other in _pairs_beside(chance, size):
        total = _near(chance, int(solved[one]) + int(solved[other]))
        yield f"total({total},{one[0]},{one[1]},{other[0]},{other[1]})"
    if chance.random() < 0.3:
        yield "rule(xv)"


def _parity(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for (r, c), value in chance.sample(sorted(solved.items()), chance.randint(1, 3)):
        even = int(value) % 2 == 0
        yield f"{'even' if even == (chance.random() < 0.9) else 'odd'}({r},{c})"


def _littles(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for _ in range(chance.randint(1, 2)):
        r, c = chance.choice([cell for cell in solved if {1, size} & set(cell)])
        way = chance.choice([w for w, (i, j) in _WAYS.items() if (r - i, c - j) not in solved])
        total = sum(int(solved[cell]) for cell in _diagonal(r, c, way, size))
        yield f"little({_near(chance, total)},{r},{c},{way})"


_WAYS = {"ne": (-1, 1), "se": (1, 1), "sw": (1, -1), "nw": (-1, -1)}


def _diagonal(r: int, c: int, way: str, size: int) -> list[Cell]:
    found = []
    while 1 <= r <= size and 1 <= c <= size:
        found.append((r, c))
        r, c = r + _WAYS[way][0], c + _WAYS[way][1]
    return found


def _sandwiches(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    if size < 3:  # between 1 and 2 there is nothing, and the rule is not a rule
        return
    lines = [(way, i) for way in ("row", "column") for i in range(1, size + 1)]
    for way, i in chance.sample(lines, chance.randint(1, 2)):
        line = [int(solved[cell]) for cell in _seen_from("left" if way == "row" else "top", i, size)]
        yield f"sandwich({way},{i},{max(0, _near(chance, _between(line, size)))})"


def _between(line: Sequence[int], size: int) -> int:
    """The sum of what is after one, and before another, of the least and the greatest value."""
    ends = [p for p, value in enumerate(line) if value in (1, size)]
    return sum(line[ends[0] + 1 : ends[-1]]) if ends else 0


def _between_in_words(line: Sequence[int], size: int) -> int:
    """The same where rows may repeat values: each value that has such an end on either side."""
    return sum(
        value for p, value in enumerate(line)
        if any(v in (1, size) for v in line[:p]) and any(v in (1, size) for v in line[p + 1 :])
    )  # fmt: skip


def _jigsaw(chance: Random, size: int, solved: Assignment) -> Iterator[str]:
    for number, part in enumerate(_parts(chance, sorted(solved), size)):
        if len({solved[cell] for cell in part}) == len(part) or chance.random() < 0.1:
            yield from (f"region({r},{c},z{number})" for r, c in part)


_FALLING, _RISING = '"diagonal-"', '"diagonal+"'

_VARIANTS: Mapping[str, Callable[[Random, int, Assignment], Iterable[str]]] = {
    "killer": _cages, "thermo": _thermos, "arrow": _arrows, "renban": _renbans, "dots": _dots, "xv": _totals,
    "parity": _parity, "little": _littles, "sandwich": _sandwiches, "jigsaw": _jigsaw,
    "diagonal": lambda chance, size, solved: [f"rule({chance.choice(['diagonal', _FALLING, _RISING])})"],
    "knight": lambda chance, size, solved: ['rule("anti-knight")'],
    "king": lambda chance, size, solved: ['rule("anti-king")'],
    "groups": lambda chance, size, solved: ['rule("disjoint-groups")'],
}  # fmt: skip


def _grid_rules(facts: Facts, size: int) -> tuple[list[Cell], list[list[Rule]]]:
    cells = grid_cells(size, size)
    rows, columns = _lines_of(size)
    regions: dict[str, list[Cell]] = {}
    for r, c, z in sorted(facts.get("region", ())):
        regions.setdefault(str(z), []).append((r, c))
    if not regions and ("no-regions",) not in facts.get("rule", ()) and size == 4:
        for r, c in cells:
            regions.setdefault(f"({(r + 1) // 2},{(c + 1) // 2})", []).append((r, c))
    inside = [Rule(f"region {z}", _several(part) if size > 1 else tuple(part), distinct) for z, part in regions.items()]
    return cells, [rows, columns, inside]


def _cage_rules(facts: Facts) -> list[Rule]:
    cages: dict[str, list[Cell]] = {}
    for r, c, name in sorted(facts.get("cage", ())):
        cages.setdefault(name, []).append((r, c))
    sums = {name: [n for other, n in facts.get("sum", ()) if other == name] for name in cages}
    return [Rule(f"cage {name}", tuple(part), _makes(sums[name]), given=True) for name, part in cages.items()]


def _paths(facts: Facts, name: str) -> dict[str, list[Cell]]:
    found: dict[str, list[Cell]] = {}
    for number, _, r, c in sorted(facts.get(name, ()), key=lambda fact: (fact[0], fact[1])):
        found.setdefault(number, []).append((r, c))
    return found


def _killer_state(facts: Facts, form: dict[str, Any]) -> Any:
    size = len(form["grid"])
    cells, rules = _grid_rules(facts, size)
    return cells, range(1, size + 1), [*rules, _cage_rules(facts)], None


def _variant_state(facts: Facts, form: dict[str, Any]) -> Any:
    size = len(form["grid"])
    cells, rules = _grid_rules(facts, size)
    index = range(1, size + 1)
    said = {fact[0] for fact in facts.get("rule", ())}
    everything = tuple(cells)
    pairs = [pair for pair in combinations(cells, 2) if pair[1] in _beside(pair[0], cells)]

    def of_pairs(name: str, wrong: Callable[[int, int], bool], chosen: Iterable[tuple[Cell, Cell]]) -> list[Rule]:
        chosen = list(chosen)

        def may(values: Values) -> bool:
            held = dict(zip(everything, values, strict=True))
            given = ((held[a], held[b]) for a, b in chosen)
            return not any(x is not None and y is not None and wrong(int(x), int(y)) for x, y in given)

        return [Rule(name, everything if chosen else (), may if chosen else _holds)]

    def apart(name: str, moves: Collection[tuple[int, int]]) -> list[Rule]:
        if name not in said:
            return []
        found = ((a, b) for a, b in combinations(cells, 2) if (b[0] - a[0], abs(b[1] - a[1])) in moves)
        return of_pairs(name, lambda x, y: x == y, found)

    def of_two(name: str, said: str, wrong: Callable[[int, int, int], bool]) -> list[Rule]:
        return [
            Rule(f"{said} {n} of r{r}c{c} r{i}c{j}", ((r, c), (i, j)), _two(n, wrong), given=True)
            for n, r, c, i, j in facts.get(name, ())
        ]

    groups = {(i, j): [(r, c) for r, c in cells if ((r - 1) % 2 + 1, (c - 1) % 2 + 1) == (i, j)]
              for i, j in grid_cells(2, 2)} if size == 4 else {
                  (1, c): [(r, c) for r in index] for c in index}  # fmt: skip
    diagonals = [(1, "diagonal-", [(i, i) for i in index]), (2, "diagonal+", [(i, size + 1 - i) for i in index])]
    dotted = {frozenset({(r, c), (i, j)}) for _, r, c, i, j in (*facts.get("difference", ()), *facts.get("ratio", ()))}
    plain = [pair for pair in pairs if frozenset(pair) not in dotted]
    crossed = {frozenset({(r, c), (i, j)}) for _, r, c, i, j in facts.get("total", ())}
    rules += [
        [Rule(f"diagonal {d}", tuple(sorted(line)), distinct) for d, name, line in diagonals
         if said & {"diagonal", name} and size > 1],
        apart("anti-knight", ((1, 2), (2, 1))),
        apart("anti-king", ((1, 1),)),
        [Rule(f"disjoint group {i},{j}", tuple(group), distinct) for (i, j), group in groups.items()
         if "disjoint-groups" in said and group[1:]],
        _cage_rules(facts),
        [Rule(f"little killer {n} from r{r}c{c} {way}", tuple(_diagonal(r, c, way, size)), _total(n), given=True)
         for n, r, c, way in facts.get("little", ())],
        [Rule(f"sandwich of {way} {i}", tuple(_seen_from("left" if way == "row" else "top", i, size)),
              _sandwich(n, size), given=True) for way, i, n in facts.get("sandwich", ())],
        [Rule(f"thermometer {t}", tuple(path), _rises, given=True)
         for t, path in _paths(facts, "thermo").items() if path[1:]],
        [Rule(f"arrow {a}", tuple(path), _only_full(lambda v: sum(map(int, v[1:])) == int(v[0])), given=True)  # type: ignore[arg-type]
         for a, path in _paths(facts, "arrow").items()],
        [Rule(f"renban {name}", tuple(path), _renban, given=True)
         for name, path in _paths(facts, "renban").items() if path[1:]],
        of_two("difference", "difference", lambda n, x, y: abs(x - y) != n),
        of_pairs("consecutive", lambda x, y: abs(x - y) == 1, plain) if said & {"consecutive", "kropki"} else [],
        of_two("ratio", "ratio", lambda n, x, y: x != n * y and y != n * x),
        of_pairs("double", lambda x, y: x == 2 * y or y == 2 * x, plain) if said & {"double", "kropki"} else [],
        of_two("total", "total", lambda n, x, y: x + y != n),
        of_pairs("xv", lambda x, y: x + y in (5, 10), [  # no two values below 3 add up to 5
            p for p in pairs if size > 2 and frozenset(p) not in crossed
        ]) if "xv" in said else [],
        [Rule(f"even r{r}c{c}", ((r, c),), lambda v: v[0] is None or int(v[0]) % 2 == 0, given=True)
         for r, c in facts.get("even", ())],
        [Rule(f"odd r{r}c{c}", ((r, c),), lambda v: v[0] is None or int(v[0]) % 2 == 1, given=True)
         for r, c in facts.get("odd", ())],
    ]  # fmt: skip
    return cells, index, rules, None


def _holds(values: Values) -> bool:
    return True


def _two(n: int, wrong: Callable[[int, int, int], bool]) -> Callable[[Values], bool]:
    return lambda values: None in values or not wrong(n, int(values[0]), int(values[1]))  # type: ignore[arg-type]


def _total(n: int) -> Callable[[Values], bool]:
    return _only_full(lambda values: sum(map(int, values)) == n)  # type: ignore[arg-type]


def _sandwich(n: int, size: int) -> Callable[[Values], bool]:
    return _only_full(lambda values: _between_in_words([int(v) for v in values], size) == n)  # type: ignore[arg-type]


def _rises(values: Values) -> bool:
    return all(ascending(pair) for pair in pairwise(values))


def _renban(values: Values) -> bool:
    given = [int(value) for value in values if value is not None]
    return len(set(given)) == len(given) and (not given or max(given) - min(given) < len(values))


# Nonogram


def _nonogram(chance: Random) -> dict[str, Any]:
    rows, columns = chance.choice([(1, 3), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4)])
    solved: Assignment = {cell: int(chance.random() < 0.5) for cell in grid_cells(rows, columns)}
    lines = [[int(solved[r, c]) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
    facts = []
    for name, told, longest in (("across", lines, columns), ("down", [*zip(*lines, strict=True)], rows)):
        for i, line in enumerate(told, 1):
            if chance.random() < 0.9:
                blocks = _blocks(line)
                if chance.random() < 0.06:
                    blocks = [chance.randint(0, longest)]
                facts += [f"{name}({i},{p},{n})" for p, n in enumerate(blocks or [0], 1)]
    return _form(rows, columns, facts, {"rows": rows, "columns": columns}, solved, chance, 0.9, (0, 1))


def _blocks(line: Sequence[Any]) -> list[int]:
    return [len(list(group)) for value, group in groupby(line) if value == 1]


def _nonogram_state(facts: Facts, form: dict[str, Any]) -> Any:
    rows, columns = _size(form)
    groups = []
    for name, fact, length, other in (("row", "across", rows, columns), ("column", "down", columns, rows)):
        told: dict[int, list[tuple[int, int]]] = {}
        for i, p, n in facts.get(fact, ()):
            told.setdefault(i, []).append((p, n))
        groups += [
            Rule(f"{name} {i}", tuple(_seen_from("left" if name == "row" else "top", i, other)),
                 _has_blocks([n for _, n in sorted(told[i]) if n]), given=True)
            for i in range(1, length + 1) if i in told
        ]  # fmt: skip
    return grid_cells(rows, columns), (0, 1), [groups], None


def _has_blocks(blocks: list[int]) -> Callable[[Values], bool]:
    return _only_full(lambda values: _blocks(values) == blocks)


# Slitherlink


def _slitherlink(chance: Random) -> dict[str, Any]:
    rows, columns = chance.choice([(1, 1), (1, 2), (2, 2), (2, 2), (2, 3)])
    inside = _parts(chance, grid_cells(rows, columns), rows * columns)[0]
    solved = {edge: sum(cell in inside for cell in _cells_at(edge)) % 2 for edge in _edges(rows, columns)}
    facts = [
        f"number({r},{c},{min(4, max(0, _near(chance, sum(solved[edge] for edge in _around(2 * r, 2 * c)))))})"
        for r, c in grid_cells(rows, columns)
        if chance.random() < 0.7
    ]
    held: Assignment = dict(solved)
    return _form(2 * rows + 1, 2 * columns + 1, facts, {"rows": rows, "columns": columns}, held, chance, 0.85, (0, 1))


def _edges(rows: int, columns: int) -> list[Cell]:
    return [(r, c) for r, c in grid_cells(2 * rows + 1, 2 * columns + 1) if (r + c) % 2]


def _around(r: int, c: int) -> list[Cell]:
    return [(r + i, c + j) for i, j in SIDES]


def _cells_at(edge: Cell) -> list[Cell]:
    return [(r // 2, c // 2) for r, c in _around(*edge) if r % 2 == 0 and c % 2 == 0]


def _slitherlink_state(facts: Facts, form: dict[str, Any]) -> Any:
    height, width = _size(form)
    edges = _edges((height - 1) // 2, (width - 1) // 2)
    numbers = [
        Rule(f"number r{r}c{c}={n}", tuple(sorted(_around(2 * r, 2 * c))), _count_is(n), given=True)
        for r, c, n in facts.get("number", ())
    ]

    def two_or_none(values: Values) -> bool:
        ones = sum(value == 1 for value in values)
        return ones < 3 and (None in values or ones != 1)

    dots = [(r, c) for r, c in grid_cells(height, width) if r % 2 and c % 2]
    corners = [
        Rule(f"corner {r},{c}", tuple(edge for edge in edges if edge in _around(r, c)), two_or_none) for r, c in dots
    ]

    def one_loop(values: Values) -> bool:
        taken = [edge for edge, value in zip(edges, values, strict=True) if value == 1]
        return bool(taken) and _connected(taken, _edges_beside)

    return edges, (0, 1), [numbers, corners, [Rule("one loop", tuple(edges), _only_full(one_loop))]], None


def _edges_beside(edge: Cell, edges: Collection[Cell]) -> list[Cell]:
    ends = [(r, c) for r, c in _around(*edge) if r % 2 and c % 2]
    return [other for other in edges if any(other in _around(*end) for end in ends)]


# Star Battle


def _star_battle(chance: Random) -> dict[str, Any]:
    size = chance.choice([1, 2, 3, 4, 4, 4, 5])
    stars = chance.choice([1, 1, 1, 2]) if size > 2 else 1
    cells = grid_cells(size, size)
    parts = _parts(chance, cells, size * 2)
    while len(parts) > size:  # join the smallest one with a neighbour
        parts.sort(key=len)
        small = parts.pop(0)
        near = {one for cell in small for one in _beside(cell, cells)}
        next(part for part in parts if near.intersection(part)).extend(small)
    facts = [f"region({r},{c},{z})" for z, part in enumerate(parts, 1) for r, c in part]
    solved: Assignment = {cell: int(chance.random() < 0.2) for cell in cells}
    constants = {"rows": size, "columns": size, "stars": stars}
    return _form(size, size, facts, constants, solved, chance, 0.95)


def _star_battle_state(facts: Facts, form: dict[str, Any]) -> Any:
    rows, columns = _size(form)
    stars = form.get("constants", {}).get("stars", 1)
    cells = grid_cells(rows, columns)
    regions: dict[Any, list[Cell]] = {}
    for r, c, z in sorted(facts.get("region", ())):
        regions.setdefault(z, []).append((r, c))

    def apart(values: Values) -> bool:
        held = [cell for cell, value in zip(cells, values, strict=True) if value == 1]
        return not any(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in combinations(held, 2))

    lines = [[(r, c) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
    across = [Rule(f"row {r}", tuple(line), _count_is(stars)) for r, line in enumerate(lines, 1)]
    down = [Rule(f"column {c}", line, _count_is(stars)) for c, line in enumerate(zip(*lines, strict=True), 1)]
    inside = [Rule(f"region {z}", tuple(part), _count_is(stars), given=True) for z, part in regions.items()]
    return cells, (0, 1), [across, down, inside, [Rule("apart", tuple(cells), apart)]], None


# Zebra puzzles


def _zebra(chance: Random) -> dict[str, Any]:
    houses, attributes = chance.choice([(2, 2), (3, 2), (3, 2), (2, 3), (3, 3)])
    words = [[f"{'abc'[i]}{h}" for h in range(houses)] for i in range(attributes)]
    facts = [f"attribute({'xyz'[i]},{i + 1})" for i in range(attributes)]
    facts += [f"has({'xyz'[i]},{word})" for i, row in enumerate(words) for word in row]
    live = {word: h for row in words for h, word in enumerate(chance.sample(row, houses), 1)}
    solved: Assignment = {(i, live[word]): word for i, row in enumerate(words, 1) for word in row}
    for _ in range(chance.randint(0, 5)):
        one, other = chance.sample(sorted(live), 2)
        true = {
            "same": live[one] == live[other], "differ": live[one] != live[other],
            "next": abs(live[one] - live[other]) == 1, "right_of": live[one] == live[other] + 1,
        }  # fmt: skip
        names = [name for name, holds in true.items() if holds or chance.random() < 0.05]
        if names:
            facts.append(f"{chance.choice(names)}({one},{other})")
    if chance.random() < 0.3:
        word = chance.choice(sorted(live))
        facts.append(f"at({live[word]},{word})")
    open_share = 0.9 if houses * attributes < 9 else 0.75
    return _form(attributes, houses, set(facts), {}, solved, chance, open_share)


def _zebra_state(facts: Facts, form: dict[str, Any]) -> Any:
    of = {a: [v for b, v in facts["has"] if b == a] for a, _ in facts["attribute"]}
    number: dict[str, int] = {a: i for a, i in facts["attribute"]}  # noqa: C416  (their types)
    houses = max(map(len, of.values()))
    cells = [(i, h) for i in sorted(number.values()) for h in range(1, houses + 1)]
    domains = {(number[a], h): tuple(sorted(of[a])) for a in of for h in range(1, houses + 1)}
    row_of = {v: number[a] for a, v in facts["has"]}

    def row(word: str) -> tuple[Cell, ...]:
        return tuple((row_of[word], h) for h in range(1, houses + 1))

    def related(name: str, said: str, offsets: Sequence[int], holds: bool = True) -> list[Rule]:
        found = []
        for one, other in facts.get(name, ()):
            scope = tuple(sorted({*row(one), *row(other)}))

            def may(values: Values, scope: Any = scope, one: str = one, other: str = other) -> bool:
                if None in values:
                    return True
                held = dict(zip(scope, values, strict=True))
                for cell in row(one):
                    near = any(held.get((row_of[other], cell[1] + by)) == other for by in offsets)
                    if held[cell] == one and near is not holds:
                        return False
                return True

            found.append(Rule(f"{one} {said} {other}", scope, may, given=True))
        return found

    def lives(word: str, house: int) -> Callable[[Values], bool]:
        return lambda values: values[0] in (None, word)

    every = [Rule(a, tuple((i, h) for h in range(1, houses + 1)), distinct) for a, i in number.items() if houses > 1]
    at = [Rule(f"{v} in house {h}", ((row_of[v], h),), lives(v, h), given=True) for h, v in facts.get("at", ())]
    rules = [
        every, related("same", "and", (0,)), related("differ", "not", (0,), False), related("next", "beside", (-1, 1)),
        related("right_of", "right of", (-1,)), at,
    ]  # fmt: skip
    return cells, sorted(row_of), rules, domains


def _square(*sizes: int) -> Callable[[Random], int]:
    return lambda chance: chance.choice(sizes)


KINDS: Mapping[str, Kind] = {
    "akari": Kind(_akari, _akari_state, _square(2, 3)),
    "hitori": Kind(_hitori, _hitori_state, None),
    "kakuro": Kind(_kakuro, _kakuro_state, None),
    "kenken": Kind(_kenken, _kenken_state, None),
    "killer": Kind(_killer, _killer_state, None),
    "nonogram": Kind(_nonogram, _nonogram_state, _square(3, 4)),
    "skyscrapers": Kind(_skyscrapers, _skyscrapers_state, _square(3)),
    "slitherlink": Kind(_slitherlink, _slitherlink_state, _square(2)),
    "star-battle": Kind(_star_battle, _star_battle_state, _square(4)),
    "variant-sudoku": Kind(_variant_sudoku, _variant_state, None),
    "zebra": Kind(_zebra, _zebra_state, None),
}
