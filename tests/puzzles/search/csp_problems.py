"""Problems that the tests of the search share, and the brute force that they are compared with."""

from itertools import product
from operator import lt
from random import Random

from hypothesis import strategies as st

from bridge.puzzles.search import CSP, INFERENCES, VALUE_ORDERS, VARIABLE_ORDERS, AllDifferent, Binary, Strategy, Sum
from bridge.puzzles.search.strategy import LEARNING

ALL_STRATEGIES = [
    Strategy(*parts, restarts)
    for *parts, restarts in product(INFERENCES, VARIABLE_ORDERS, VALUE_ORDERS, (False, True))
    if not restarts or parts[1] in LEARNING
]

# Source: norvig/pytudes, py/sudoku-hardest.txt; MIT licence.
HARD_SUDOKUS = {
    "12..4......5.69.1...9...5.........7.7...52.9..3......2.9.6...5.4..9..8.1..3...9.4": (
        "128547639345869217679213548912486375784352196536791482891624753467935821253178964"
    ),
    "...92......68.3...19..7...623..4.1....1...7....8.3..297...8..91...5.72......64...": (
        "387926415546813972192475836235749168961258743478631529754382691613597284829164357"
    ),
}


def latin(n, givens=None):
    """The Latin square of order n as report 1 numbers it: cells 0, 1, … row by row."""
    givens = givens or {}
    cells = [str(i) for i in range(n * n)]
    domains = {cell: [givens[cell]] if cell in givens else range(1, n + 1) for cell in cells}
    rows = [AllDifferent(cells[i * n : i * n + n], f"row {i + 1}") for i in range(n)]
    columns = [AllDifferent(cells[i::n], f"column {i + 1}") for i in range(n)]
    return CSP(domains, [*rows, *columns])


def sudoku(text):
    cells = {(r, c): text[9 * r + c] for r, c in product(range(9), repeat=2)}
    units = [[(r, c) for c in range(9)] for r in range(9)]
    units += [[(r, c) for r in range(9)] for c in range(9)]
    units += [[(3 * R + i, 3 * C + j) for i, j in product(range(3), repeat=2)] for R, C in product(range(3), repeat=2)]
    domains = {cell: [int(mark)] if mark in "123456789" else range(1, 10) for cell, mark in cells.items()}
    return CSP(domains, [AllDifferent(unit, f"unit {i}") for i, unit in enumerate(units)])


def queens(n):
    """One queen a column; every two by a binary relation of their rows."""

    def safe(distance):
        return lambda a, b: a != b and abs(a - b) != distance

    pairs = [(x, y) for x in range(n) for y in range(x + 1, n)]
    return CSP(dict.fromkeys(range(n), range(n)), [Binary(x, y, safe(y - x), f"{x}/{y}") for x, y in pairs])


def australia():
    borders = ["WA-NT", "WA-SA", "NT-SA", "NT-Q", "SA-Q", "SA-NSW", "SA-V", "Q-NSW", "NSW-V"]
    states = ["WA", "NT", "SA", "Q", "NSW", "V", "T"]
    colours = ["red", "green", "blue"]
    return CSP(dict.fromkeys(states, colours), [AllDifferent(border.split("-"), border) for border in borders])


def magic(n):
    cells = list(product(range(n), repeat=2))
    lines = [[(r, c) for c in range(n)] for r in range(n)] + [[(r, c) for r in range(n)] for c in range(n)]
    lines += [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    total = n * (n * n + 1) // 2
    sums = [Sum(line, total, f"line {i}") for i, line in enumerate(lines)]
    return CSP(dict.fromkeys(cells, range(1, n * n + 1)), [AllDifferent(cells, "all"), *sums])


def brute_force(csp):
    """Every solution, by trying every assignment: in the order in which `first` and `given` find them."""
    assignments = (dict(zip(csp.variables, values, strict=True)) for values in product(*csp.domains.values()))
    return [assignment for assignment in assignments if not csp.violated(assignment)]


def csps(kinds=("binary", "less", "all-different", "sum")):
    """Small problems of every kind, drawn by a seed, because the simplest problems of hypothesis need no search."""
    return st.integers(0, 10**9).map(lambda seed: random_csp(seed, kinds))


def random_csp(seed, kinds=("binary", "less", "all-different", "sum")):
    """A small problem with givens, domains in any order, and now and then an empty domain."""
    random = Random(seed)
    variables = [f"x{i}" for i in range(random.randint(1, 5))]
    domains = {variable: random.sample(range(4), random.choice([1, 2, 3, 3, 4, 4])) for variable in variables}
    if random.random() < 0.03:
        domains[random.choice(variables)] = []
    constraints = []
    for i in range(random.randint(0, 5)):
        kind = random.choice(kinds)
        scope = random.sample(variables, min(len(variables), random.choice([0, 1, 2, 2, 3, 3, 4])))
        if kind == "sum":
            constraints.append(Sum(scope, random.randint(len(scope) // 2, 2 * len(scope)), f"sum {i}"))
        elif kind == "all-different":
            constraints.append(AllDifferent(scope, f"all-different {i}"))
        elif len(scope) >= 2:
            pairs = frozenset(random.sample(list(product(range(4), repeat=2)), random.randint(6, 14)))
            relation = lt if kind == "less" else lambda a, b, pairs=pairs: (a, b) in pairs
            constraints.append(Binary(*scope[:2], relation, f"{kind} {i}"))
    return CSP(domains, constraints)
