"""Propagation without search, against closures computed the slow and obvious way; and constraints of one's own."""

from itertools import combinations, product
from operator import lt
from random import Random

import pytest
from csp_problems import ALL_STRATEGIES, HARD_SUDOKUS, brute_force, csps, latin, random_csp, sudoku
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.puzzles.search import CSP, AllDifferent, Binary, Constraint, Propagator, Sum, propagate, search
from bridge.puzzles.search.inference import MAC
from bridge.puzzles.search.network import bits


def relations(csp):
    """Each binary relation both ways: (x, y, allowed)."""
    for constraint in csp.constraints:
        if isinstance(constraint, AllDifferent):
            pairs = [(x, y, lambda a, b: a != b) for x, y in combinations(constraint.scope, 2)]
        else:
            pairs = [(*constraint.scope, constraint.relation)]
        for x, y, allowed in pairs:
            yield x, y, allowed
            yield y, x, lambda b, a, allowed=allowed: allowed(a, b)


def naive_closure(csp):
    """Remove values without support until there are none: the definition of arc consistency."""
    domains = {variable: list(values) for variable, values in csp.domains.items()}
    changed = True
    while changed:
        changed = False
        for x, y, allowed in relations(csp):
            kept = [a for a in domains[x] if any(allowed(a, b) for b in domains[y])]
            changed |= kept != domains[x]
            domains[x] = kept
    return {x: tuple(values) for x, values in domains.items()} if all(domains.values()) else None


def naive_forward_check(csp):
    """Each given takes from its neighbours what it does not support; nothing else happens."""
    domains = dict(csp.domains)
    for x, y, allowed in relations(csp):
        if len(csp.domains[x]) == 1:
            domains[y] = tuple(b for b in domains[y] if allowed(csp.domains[x][0], b))
    return domains if all(domains.values()) else None


binary_csps = csps(("binary", "less", "all-different"))


@settings(max_examples=50)
@given(binary_csps)
def test_mac_is_the_arc_consistent_closure(csp):
    assert propagate(csp, "mac") == naive_closure(csp)


@settings(max_examples=50)
@given(binary_csps)
def test_fc_checks_forward_from_the_givens_once(csp):
    assert propagate(csp, "fc") == naive_forward_check(csp)


@settings(max_examples=50)
@given(csps())
def test_propagation_loses_no_solution_and_more_inference_leaves_less(csp):
    solutions = brute_force(csp)
    weaker = dict(csp.domains)
    for inference in ("bt", "fc", "mac"):
        domains = propagate(csp, inference)
        if domains is None:
            assert not solutions
            weaker = dict.fromkeys(csp.variables, ())
            continue
        for variable, values in domains.items():
            assert set(values) <= set(weaker[variable])
            assert {solution[variable] for solution in solutions} <= set(values)
            assert list(values) == [value for value in csp.domains[variable] if value in values]
        weaker = domains


@settings(max_examples=50)
@given(st.integers(0, 10**9), st.booleans())
def test_nothing_is_left_to_propagate_after_assignments_and_exclusions(seed, stronger):
    """Every constraint that a change concerns was woken: neither an arc nor a propagator removes anything more."""
    random = Random(seed)
    state = MAC(random_csp(seed).network(stronger=stronger))
    network, domains = state.network, state.domains
    if not state.root():
        return
    for _ in range(6):
        assert all(list(propagator.narrow(domains)) == [] for propagator in network.propagators)
        for x, domain in enumerate(domains):
            assert all(image[domain] & domains[y] == domains[y] for y, image in network.arcs[x])
            assert domain & (domain - 1) or not any(domains[y] & domain for y in network.differ[x])
        open_variables = state.open_at_root()
        if not open_variables:
            break
        x, mark, before = random.choice(open_variables), len(state.trail), domains.copy()
        bit = random.choice(list(bits(domains[x])))
        alive = (state.assign if random.random() < 0.5 else state.exclude)(x, bit)
        if not alive or random.random() < 0.2:
            state.retract(x, mark)
            assert domains == before


def test_a_sudoku_that_singles_alone_leave_open():
    puzzle = next(iter(HARD_SUDOKUS))
    domains = propagate(sudoku(puzzle))
    given = {cell for cell, mark in zip(domains, puzzle, strict=True) if mark != "."}
    assert all(len(domains[cell]) == 1 for cell in given)
    assert any(len(values) > 1 for values in domains.values())


def test_fc_does_not_follow_new_singles_and_mac_does():
    csp = latin(3, {"0": 1, "1": 2})
    assert propagate(csp, "bt")["2"] == (1, 2, 3)
    assert propagate(csp, "fc")["2"] == (3,)
    assert propagate(csp, "fc")["5"] == (1, 2, 3)
    assert propagate(csp, "mac")["5"] == (1, 2)


def test_sums_are_propagated_on_bounds():
    def left(total):
        return propagate(CSP({"x": range(6), "y": range(2)}, [Sum("xy", total, "sum")]))

    assert left(6) == {"x": (5,), "y": (1,)}
    assert left(5) == {"x": (4, 5), "y": (0, 1)}
    assert left(1) == {"x": (0, 1), "y": (0, 1)}
    assert left(0) == {"x": (0,), "y": (0,)}
    assert left(7) is left(-1) is None


class Table(Constraint):
    """The allowed tuples, listed: a constraint that the package does not have, made from its interface alone."""

    def __init__(self, scope, rows, name):
        super().__init__(scope, name)
        self.rows = set(rows)

    def satisfied(self, values):
        return tuple(values) in self.rows

    def post(self, network):
        rows = [
            [1 << network.values.index(value) for value in row]
            for row in self.rows
            if all(value in network.values for value in row)
        ]
        scope_ = tuple(network.index[variable] for variable in self.scope)

        class Supported(Propagator):
            scope = scope_

            def narrow(self, domains):
                live = [row for row in rows if all(bit & domains[x] for bit, x in zip(row, scope_, strict=True))]
                if not live:
                    return None
                kept = [(x, sum({row[i] for row in live})) for i, x in enumerate(scope_)]
                return [(x, mask) for x, mask in kept if mask != domains[x]]

        network.add(Supported())


@pytest.mark.parametrize("strategy", ALL_STRATEGIES, ids=str)
def test_a_constraint_of_ones_own(strategy):
    rows = [(a, b, c) for a, b, c in product(range(5), repeat=3) if a * a + b * b == c * c or (a, b, c) == (4, 0, 1)]
    csp = CSP(dict.fromkeys("abc", range(5)), [Table("abc", rows, "squares"), Binary("b", "c", lt, "b < c")])
    expected = brute_force(csp)
    found = search(csp, strategy).collect()
    assert found.complete
    assert sorted(tuple(s.values()) for s in found.solutions) == sorted(tuple(s.values()) for s in expected)
    assert len(expected) >= 5


def test_generalised_arc_consistency_comes_through_the_interface():
    csp = CSP(dict.fromkeys("abc", range(5)), [Table("abc", [(0, 1, 2), (0, 3, 2), (1, 1, 4)], "rows")])
    assert propagate(csp) == {"a": (0, 1), "b": (1, 3), "c": (2, 4)}


def test_relations_made_while_posting_are_not_confused():
    class Offsets(Constraint):
        """y = x + 1 and z = x + 2, by functions without other references."""

        def satisfied(self, values):
            x, y, z = values
            return (y, z) == (x + 1, x + 2)

        def post(self, network):
            for offset, other in enumerate(self.scope[1:], 1):
                network.arc(self.scope[0], other, lambda x, y, offset=offset: y == x + offset)

    csp = CSP(dict.fromkeys("xyz", range(4)), [Offsets("xyz", "offsets")])
    assert propagate(csp) == {"x": (0, 1), "y": (1, 2), "z": (2, 3)}
    assert list(search(csp)) == brute_force(csp)
