"""All-different by matching, against its definition: a value stays if some solution of the constraint has it."""

from collections import Counter
from itertools import permutations, product

from csp_problems import HARD_SUDOKUS, brute_force, csps, sudoku
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.puzzles.search import CSP, AllDifferent
from bridge.puzzles.search.inference import MAC
from bridge.puzzles.search.matching import Matching

#: Up to six domains over seven values, and a scope that is not simply all of them in order.
masks = st.lists(st.integers(1, 127), min_size=1, max_size=6)
scopes = masks.flatmap(lambda domains: st.tuples(st.just(domains), st.permutations(range(len(domains)))))


def by_definition(domains):
    """The union of all solutions; None when there is none."""
    kept = [0] * len(domains)
    values = [[1 << i for i in range(7) if mask >> i & 1] for mask in domains]
    for solution in product(*values):
        if len(set(solution)) == len(solution):
            kept = [mask | bit for mask, bit in zip(kept, solution, strict=True)]
    return kept if all(kept) else None


def narrowed(matching, domains):
    changes = matching.narrow(domains)
    if changes is None:
        return None
    changes = list(changes)
    assert all(mask and mask != domains[x] and not mask & ~domains[x] for x, mask in changes)
    assert len(dict(changes)) == len(changes)
    kept = list(domains)
    for x, mask in changes:
        kept[x] = mask
    return kept


@settings(max_examples=66)
@given(scopes)
def test_it_leaves_what_some_solution_has(drawn):
    domains, scope = drawn
    given_domains = list(domains)
    matching = Matching(scope)
    assert narrowed(matching, domains) == by_definition(domains)
    assert domains == given_domains


@st.composite
def permutations_with_more(draw):
    """As many variables as values, with a solution, and a few values more."""
    solution = draw(st.integers(2, 7).flatmap(lambda size: st.permutations(range(size))))
    more = st.lists(st.sampled_from(solution), max_size=2)
    return [sum(1 << value for value in {own, *draw(more)}) for own in solution]


@settings(max_examples=100)
@given(permutations_with_more())
def test_where_every_value_is_needed(domains):
    """Where single values and pairs are found without a graph."""
    assert narrowed(Matching(range(len(domains))), domains) == by_definition(domains)


@settings(max_examples=33)
@given(
    masks.flatmap(
        lambda one: st.tuples(st.just(one), st.lists(st.integers(1, 127), min_size=len(one), max_size=len(one)))
    )
)
def test_what_it_remembers_does_not_show(two):
    domains, others = two
    used = Matching(range(len(domains)))
    used.narrow(others)
    assert narrowed(used, domains) == narrowed(Matching(range(len(domains))), domains)


@settings(max_examples=33)
@given(csps())
def test_strengthening_loses_no_solution_and_only_adds(csp):
    network = csp.network()
    before = Counter(map(id, network.propagators))
    weak, strong = MAC(network), MAC(csp.strengthened(network))
    assert Counter(map(id, network.propagators)) == before, "the copy is apart"
    solutions = brute_force(csp)
    if not weak.root():
        assert not solutions
        return
    if not strong.root():
        assert not solutions
        return
    for x, variable in enumerate(network.variables):
        assert not strong.domains[x] & ~weak.domains[x]
        assert {solution[variable] for solution in solutions} <= set(network.decode(strong.domains[x]))


def test_three_that_share_three_values():
    csp = CSP(
        {"a": [1, 2], "b": [2, 3], "c": [1, 3], "d": [1, 2, 3, 4], "e": [3, 4, 5]}, [AllDifferent("abcde", "all")]
    )
    strong = MAC(csp.strengthened(csp.network()))
    assert strong.root()
    assert [strong.network.decode(mask) for mask in strong.domains] == [(1, 2), (2, 3), (1, 3), (4,), (5,)]


def test_too_few_values_for_all():
    csp = CSP(dict.fromkeys("abcd", (1, 2, 3)), [AllDifferent("abcd", "all")])
    weak = MAC(csp.network())
    assert weak.root()
    assert not MAC(csp.strengthened(weak.network)).root()


def test_long_chains_of_passing_on():
    n = 40
    # Each may have its own value or the next one's, and the last only its own: all is decided, from the end.
    matching = Matching(range(n))
    domains = [3 << i for i in range(n - 1)] + [1 << n - 1]
    settled = narrowed(matching, domains)
    assert settled == [1 << i for i in range(n)]
    # A ring of two each: nothing is decided, and one more on the ring is too many.
    ring = [1 << i | 1 << (i + 1) % n for i in range(n)]
    assert narrowed(matching, ring) == ring
    assert Matching(range(n + 1)).narrow([*ring, 3]) is None


def test_two_variables_need_no_more_than_a_difference():
    csp = CSP({"x": [1, 2], "y": [1, 2]}, [AllDifferent("xy", "x ≠ y")])
    assert not csp.strengthened(csp.network()).propagators


def test_every_row_of_a_hard_sudoku_at_its_fixpoint():
    """Against all permutations of each unit, where the domains are what propagation has left."""
    csp = sudoku(next(iter(HARD_SUDOKUS)))
    strong = MAC(csp.strengthened(csp.network()))
    assert strong.root()
    checked = 0
    for constraint in csp.constraints:
        scope = [strong.network.index[variable] for variable in constraint.scope]
        open_ones = [x for x in scope if strong.domains[x] & (strong.domains[x] - 1)]
        if 0 < len(open_ones) <= 6:
            checked += 1
            values = {bit for x in open_ones for bit in range(9) if strong.domains[x] >> bit & 1}
            union = [0] * len(open_ones)
            for bits in permutations(values, len(open_ones)):
                if all(strong.domains[x] >> bit & 1 for x, bit in zip(open_ones, bits, strict=True)):
                    union = [mask | 1 << bit for mask, bit in zip(union, bits, strict=True)]
            assert union == [strong.domains[x] for x in open_ones]
    assert checked
