"""Patterns: what they remove follows from the houses and absent candidates that they name, and nothing is missed."""

from itertools import chain, islice, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.puzzles.search import CSP, AllDifferent, Among, Binary, NotEqualVectors, Strategy, Stretch, Sum, search
from bridge.puzzles.search.network import bits
from bridge.puzzles.search.rule_techniques import Rules
from bridge.puzzles.search.techniques import (
    FINDERS,
    Candidates,
    Houses,
    Pattern,
    finned_fish,
    locked_candidates,
    naked_subsets,
)

ALL = [find for finders in FINDERS.values() for find in finders]


def grid_csp(n, boxes=None, diagonals=False):
    cells = list(product(range(1, n + 1), repeat=2))
    houses = [AllDifferent([(r, c) for c in range(1, n + 1)], f"row {r}") for r in range(1, n + 1)]
    houses += [AllDifferent([(r, c) for r in range(1, n + 1)], f"column {c}") for c in range(1, n + 1)]
    if boxes:
        height, width = boxes
        for R, C in product(range(0, n, height), range(0, n, width)):
            inside = [(R + r, C + c) for r, c in product(range(1, height + 1), range(1, width + 1))]
            houses.append(AllDifferent(inside, f"box {R},{C}"))
    if diagonals:
        houses.append(AllDifferent([(i, i) for i in range(1, n + 1)], "diagonal 1"))
        houses.append(AllDifferent([(n + 1 - i, i) for i in range(1, n + 1)], "diagonal 2"))
    return CSP(dict.fromkeys(cells, range(1, n + 1)), houses)


SHAPES = {
    "latin 4": grid_csp(4),
    "sudoku 4": grid_csp(4, (2, 2)),
    "latin 5, diagonals": grid_csp(5, diagonals=True),
    "edges": CSP(dict.fromkeys("abcde", range(3)), [AllDifferent(pair, pair) for pair in ("ab", "bc", "cd", "de", "ea", "ac")]),
}  # fmt: skip


def some_domains(data, csp):
    """Candidates at random, mostly two or three a variable, so that there are patterns."""
    return {
        x: data.draw(st.sets(st.sampled_from(values), min_size=1, max_size=3)) for x, values in csp.domains.items()
    }


def follows(csp, network, pattern):
    """Whether the removals follow from the rules and absent candidates that a pattern names, and from nothing else."""
    names = set(pattern.rules)
    domains = {variable: set(values) for variable, values in csp.domains.items()}
    for x, mask in pattern.absent:
        domains[network.variables[x]] -= set(network.decode(mask))
    constraints = [one for one in csp.constraints if one.name in names]
    gone = [(x, bit) for x, mask in pattern.removed for bit in bits(mask)]
    if pattern.placed:
        x, value = pattern.placed
        gone += [(x, bit) for bit in bits(network.domains[x] & ~value)]
    for x, bit in gone:
        variable = network.variables[x]
        trial = {**domains, variable: domains[variable] & set(network.decode(bit))}
        if search(CSP(trial, constraints), Strategy("gac", "mrv")).first() is not None:
            return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_what_a_pattern_removes_follows_from_what_it_names(shape, data):
    csp = SHAPES[shape]
    network = csp.network()
    houses = Houses.of(csp, network)
    domains = [network.encode(values) for values in some_domains(data, csp).values()]
    grid = Candidates(houses, domains, placed=0)
    for pattern in chain.from_iterable(islice(find(grid), 2) for find in ALL):
        assert isinstance(pattern, Pattern)
        assert pattern.removed or pattern.placed
        assert all(domains[x] & mask == mask for x, mask in pattern.removed), "only candidates are removed"
        assert not any(domains[x] & mask for x, mask in pattern.absent), "what is said to be absent is"
        assert follows(csp, network, pattern), pattern


@pytest.mark.parametrize(
    ("places", "technique", "fins", "removed"),
    [
        ({2: (2, 8), 5: (2, 7, 8)}, "finned X-wing", [(5, 7)], [(4, 8), (6, 8)]),
        ({2: (2, 8), 5: (2, 7, 9)}, "sashimi X-wing", [(5, 7), (5, 9)], [(4, 8), (6, 8)]),
        ({1: (1, 4), 5: (4, 7), 9: (1, 7, 8)}, "finned swordfish", [(9, 8)], [(7, 7), (8, 7)]),
    ],
)
def test_fins(places, technique, fins, removed):
    """Value 1 has these columns in some rows: what a fish removes is left to it where it sees the fins."""
    csp = grid_csp(9, (3, 3))
    network = csp.network()
    one = network.encode([1])
    domains = [
        network.domains[x] & ~(one if row in places and column not in places[row] else 0)
        for x, (row, column) in enumerate(network.variables)
    ]
    grid = Candidates(Houses.of(csp, network), domains)
    size = len(places)
    found = [pattern for pattern in finned_fish(grid, size) if {f"row {row}" for row in places} == set(pattern.houses)]
    (pattern,) = (one for one in found if [network.variables[x] for x, _ in one.fins] == fins)
    assert pattern.technique == technique
    assert sorted(network.variables[x] for x, _ in pattern.removed) == removed
    rows = [set(columns) for columns in places.values()]
    for way in permutations(range(1, 10), size):  # whatever the rows hold
        if all(column in columns for column, columns in zip(way, rows, strict=True)):
            true = dict(zip(places, way, strict=True))
            for row, column in removed:
                box = [(r, c) for r, c in true.items() if (r - 1) // 3 == (row - 1) // 3 and (c - 1) // 3 == (column - 1) // 3]
                assert column in way or box, "it sees one of them"


LINES = CSP(
    dict.fromkeys(product("xy", range(6)), (0, 1)),
    [
        *(Among([(line, i) for i in range(6)], 1, 3, 3, f"{line}: count") for line in "xy"),
        *(Stretch([(line, i) for i in range(6)], 2, f"{line}: no three alike") for line in "xy"),
        NotEqualVectors([("x", i) for i in range(6)], [("y", i) for i in range(6)], "x and y differ"),
    ],
)
SUMS = CSP(
    dict.fromkeys("abcd", range(1, 8)),
    [Sum("abc", 9, "abc"), AllDifferent("abcd", "all"), Binary("a", "d", lambda a, d: a < d, "a < d")],
)


@pytest.mark.parametrize("csp", [LINES, SUMS], ids=["lines", "sums"])
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_what_rules_remove_follows_from_what_is_named(csp, data):
    network = csp.network()
    chosen = [data.draw(st.sets(st.sampled_from(values), min_size=1, max_size=4)) for values in csp.domains.values()]
    domains = [network.encode(values) for values in chosen]
    rules = Rules(csp, network)
    for pattern in chain(rules.alone(domains), rules.combined(domains)):
        assert pattern.removed
        assert not any(domains[x] & mask for x, mask in pattern.absent)
        assert follows(csp, network, pattern), pattern


def test_a_combination_is_all_that_its_variables_can_be():
    rules = Rules(SUMS, SUMS.network())
    network = rules.network
    domains = [network.encode(values) for values in ([1, 2], [1, 2, 3, 4], [5, 6, 7], range(1, 8))]
    pattern = next(rules.combined(domains))
    assert pattern.technique == "sum combinations"
    ways = [way for way in product([1, 2], [1, 2, 3, 4], [5, 6, 7]) if sum(way) == 9 and len(set(way)) == 3]
    left = [set(network.decode(domains[x] & ~dict(pattern.removed).get(x, 0))) for x in range(3)]
    assert left == [{way[x] for way in ways} for x in range(3)]
    narrowed = [network.encode(one) for one in (*left, range(1, 8))]
    assert all(pattern.cells != (0, 1, 2) for pattern in rules.combined(narrowed)), "nothing is left to remove"


@pytest.mark.parametrize(
    ("line", "technique", "place"),
    [([0, 0], "pair", 2), ([None, 1, 1], "pair", 0), ([1, None, 1], "sandwich", 1)],
)
def test_pairs_and_sandwiches(line, technique, place):
    csp = CSP(dict.fromkeys(range(3), (0, 1)), [Stretch(range(3), 2, "row")])
    network = csp.network()
    domains = [network.encode([value] if value is not None else [0, 1]) for value in (*line, *[None] * 3)][:3]
    (pattern,) = Rules(csp, network).alone(domains)
    assert (pattern.technique, pattern.removed[0][0]) == (technique, place)


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_no_locked_candidates_and_no_naked_pair_is_missed(data):
    """Against the definitions, on 4x4 Sudokus."""
    csp = SHAPES["sudoku 4"]
    network = csp.network()
    houses = Houses.of(csp, network)
    domains = [network.encode(values) for values in some_domains(data, csp).values()]
    grid = Candidates(houses, domains, placed=0)
    scopes = [set(house.cells) for house in houses.all]
    locked, pairs = set(), set()
    for one, other in permutations(scopes, 2):
        for value in bits(houses.values):
            places = {x for x in one if domains[x] & value}
            if len(places) > 1 and places <= other:
                locked |= {(x, value) for x in other - one if domains[x] & value}
    for scope in scopes:
        for x, y in permutations(scope, 2):
            union = domains[x] | domains[y]
            if union.bit_count() == 2 and min(domains[x].bit_count(), domains[y].bit_count()) == 2 and domains[x] == domains[y]:
                pairs |= {(z, bit) for z in scope - {x, y} if domains[z].bit_count() > 1 for bit in bits(domains[z] & union)}
    found = {(x, bit) for pattern in locked_candidates(grid) for x, mask in pattern.removed for bit in bits(mask)}
    assert locked <= found
    found = {(x, bit) for pattern in naked_subsets(grid, 2) for x, mask in pattern.removed for bit in bits(mask)}
    assert pairs <= found
