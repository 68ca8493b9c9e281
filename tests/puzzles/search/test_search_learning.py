"""Weights, restarts, two-way branching and keys: what was learnt shows in the order, never in the solutions."""

import gc
from itertools import pairwise, product
from random import Random

import pytest
from csp_problems import HARD_SUDOKUS, brute_force, csps, latin, queens, sudoku
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.limits import Limits
from bridge.puzzles.search import CSP, AllDifferent, Binary, Element, Strategy, Sum, backtracking, propagate, search
from bridge.puzzles.search.inference import BT, FC, MAC
from bridge.puzzles.search.keys import Keyed
from bridge.puzzles.search.ordering import ValueChooser, variable_chooser

LEARNERS = [
    Strategy(inference, order, values, restarts)
    for inference, order, values, restarts in product(
        ("bt", "fc", "mac", "gac"), ("wdeg", "mrv+wdeg"), ("given", "lcv"), (False, True)
    )
]


def counted(csp, strategy):
    outcome = search(csp, strategy).collect()
    return sorted(tuple(solution.values()) for solution in outcome.solutions), outcome


@settings(max_examples=30)
@given(csps())
def test_every_solution_once_and_the_search_ends(csp):
    """Runs of one failure, so that restarts come often: at the root, before the first solution, and before a proof."""
    expected = sorted(tuple(solution.values()) for solution in brute_force(csp))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backtracking, "UNIT", 1)
        for strategy in LEARNERS:
            found, outcome = counted(csp, strategy)
            assert outcome.complete
            assert found == expected, strategy


@settings(max_examples=20)
@given(csps(), st.randoms(use_true_random=False))
def test_the_first_value_is_that_of_the_order(csp, random):
    """Domains in their order and in another one; `lcv` against its definition."""
    mixed = {variable: random.sample(values, len(values)) for variable, values in csp.domains.items()}
    for each in (csp, CSP(mixed, csp.constraints)):
        state = MAC(each.network())
        if not state.root():
            continue
        network = state.network
        for x in range(len(network.variables)):
            values = list(network.given(x, state.domains[x]))

            def forbidden(bit, x=x, state=state, network=network):
                return sum(state.domains[y] & bit != 0 for y in network.differ[x]) + sum(
                    (state.domains[y] & ~image[bit]).bit_count() for y, image in network.arcs[x]
                )

            for order, expected in ("given", values), ("lcv", sorted(values, key=forbidden)):
                assert list(ValueChooser(order, state).ordered(x)) == expected
                assert ValueChooser(order, state).first(x) == expected[0]


def test_a_search_that_has_ended_leaves_nothing_to_the_garbage_collector():
    csp = latin(5)
    for name in ("mac+mrv", "gac+mrv+wdeg+lcv+restarts", "bt"):
        with search(csp, Strategy.parse(name)) as stream:
            next(stream)
        list(search(csp, Strategy.parse(name), Limits(nodes=3)))
    gc.collect()
    gc.disable()
    try:
        for name in ("mac+mrv", "gac+mrv+wdeg+lcv+restarts", "bt"):
            with search(csp, Strategy.parse(name)) as stream:
                next(stream)
            list(search(csp, Strategy.parse(name), Limits(nodes=3)))
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize("inference", ["bt", "fc", "mac", "gac"])
def test_restarts_until_the_proof(inference, monkeypatch):
    monkeypatch.setattr(backtracking, "UNIT", 1)
    # Five numbers, no two of the same parity.
    parity = [Binary(x, y, lambda a, b: a % 2 != b % 2, f"{x} {y}") for x in range(5) for y in range(x)]
    csp = CSP(dict.fromkeys(range(5), range(10)), parity)
    outcome = search(csp, Strategy(inference, "mrv+wdeg", restarts=True)).collect()
    assert (outcome.solutions, outcome.complete) == ((), True)
    assert outcome.statistics.counters["restarts"] > 1


def test_restarts_until_the_first_solution_only(monkeypatch):
    monkeypatch.setattr(backtracking, "UNIT", 1)
    strategy = Strategy.parse("mac+mrv+wdeg+restarts")
    with search(queens(8), strategy) as stream:
        next(stream)
        first = stream.statistics.counters["restarts"]
        assert first > 0
        assert len(stream.collect().solutions) == 91
        assert stream.statistics.counters["restarts"] == first


def test_without_the_word_nothing_is_counted():
    assert "restarts" not in search(queens(6), Strategy("mac", "mrv+wdeg")).collect().statistics.counters


@pytest.mark.parametrize("name", ["gac+mrv+degree", "gac+mrv+wdeg", "mac+mrv+wdeg+lcv+restarts"])
@pytest.mark.parametrize("text", HARD_SUDOKUS)
def test_hard_sudokus(name, text):
    (solution,) = search(sudoku(text), Strategy.parse(name)).collect().solutions
    assert "".join(map(str, solution.values())) == HARD_SUDOKUS[text]


def test_gac_sees_all_different_as_a_whole():
    csp = CSP(dict.fromkeys("abcd", (1, 2, 3)), [AllDifferent("abcd", "four in three")])
    assert propagate(csp, "mac") is not None
    assert propagate(csp, "gac") is None
    assert search(csp, Strategy("gac")).collect().statistics.counters["nodes"] == 0
    assert len(search(latin(4), Strategy("gac", "mrv+wdeg")).collect().solutions) == 576


@pytest.mark.parametrize(("inference", "learnt"), [(BT, [3, 2, 3]), (FC, [2, 3, 3]), (MAC, [3, 2, 3])])
def test_weights_are_constraints_and_failures(inference, learnt):
    """a = 0 leaves b = 1, and c can be neither b nor such that a + c = 1: the levels differ in whether they detect it."""
    pairs = [AllDifferent("ab", "a, b"), AllDifferent("bc", "b, c")]
    csp = CSP(dict.fromkeys("abc", (0, 1)), [*pairs, Sum("ac", 1, "a + c")])
    state = inference(csp.network())
    assert state.weights == [2, 2, 2]
    assert state.root()
    assert not (state.assign(0, 1) and state.assign(1, 2) and state.assign(2, 1))
    assert state.weights == learnt
    state.retract(0, 0)
    assert state.weights == learnt, "failures are not taken back"


def test_failures_change_who_is_next():
    csp = CSP({"a": range(3), "b": range(3), "c": range(2), "d": range(4)}, [AllDifferent("abcd", "all")])
    state = FC(csp.network())
    assert state.weights == [3, 3, 3, 3]

    def chosen(order):
        return "abcd"[variable_chooser(order, state)([0, 1, 2, 3])]

    assert (chosen("wdeg"), chosen("mrv+wdeg")) == ("a", "c")
    state.weights[1] += 2  # b: 3 values for a weight of 5, c: 2 for 3
    assert (chosen("wdeg"), chosen("mrv+wdeg")) == ("b", "b")
    state.weights[3] += 2  # d: 4 values for 5
    assert (chosen("wdeg"), chosen("mrv+wdeg")) == ("b", "b")


def test_a_variable_without_constraints_comes_last():
    csp = CSP({"alone": (1, 2), "x": range(9), "y": range(9)}, [AllDifferent("xy", "x ≠ y")])
    assert variable_chooser("mrv+wdeg", FC(csp.network()))([0, 1, 2]) == 1
    assert len(search(csp, Strategy("mac", "mrv+wdeg")).collect().solutions) == 144


def words_csp(seed, agree):
    """Words of two and three letters, in a grid of slots that cross at random."""
    random = Random(seed)
    words = ["".join(random.choice("abcd") for _ in range(3)) for _ in range(random.randint(1, 7))]
    names = "vwxyz"[: random.randint(2, 5)]
    constraints = []
    for x, y in [*pairwise(names), (names[0], names[-1])][: random.randint(1, 5)]:
        i, j = random.randrange(3), random.randrange(3)
        name = f"{x}{i} {y}{j} {len(constraints)}"
        if agree:
            constraints.append(Element(x, y, lambda word, i=i: word[i], lambda word, j=j: word[j], name))
        else:
            constraints.append(Binary(x, y, lambda a, b, i=i, j=j: a[i] == b[j], name))
    if random.random() < 0.5:
        constraints.append(AllDifferent(names, "no word twice"))
        constraints.append(Binary(names[0], names[1], lambda a, b: a[0] <= b[0], "in order"))
    domains = {name: random.sample(words, random.randint(1, len(words))) for name in names}
    return CSP(domains, constraints)


@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_keys_infer_what_pairs_infer(seed):
    """The same domains after every assignment and exclusion, and the same node counts."""
    keyed, plain = Keyed(words_csp(seed, True).network()), MAC(words_csp(seed, False).network())
    count = len(plain.domains)
    alive = plain.root()
    assert keyed.root() == alive
    random, made = Random(seed), []
    while alive:
        assert keyed.domains[:count] == plain.domains
        variables = plain.open_at_root()
        assert keyed.open_at_root() == variables
        if not variables:
            break
        x = random.choice(variables)
        bit = plain.domains[x] & -plain.domains[x]
        made.append((x, len(plain.trail), len(keyed.trail), plain.domains.copy()))
        step = random.choice(["assign", "exclude"])
        alive = getattr(plain, step)(x, bit)
        assert getattr(keyed, step)(x, bit) == alive
    for x, mark, other_mark, domains in reversed(made):
        plain.retract(x, mark)
        keyed.retract(x, other_mark)
        assert keyed.domains[:count] == plain.domains == domains


@settings(max_examples=20)
@given(st.integers(0, 10**9))
def test_least_constraining_by_keys_is_that_of_pairs(seed):
    keyed, plain = FC(words_csp(seed, True).network()), FC(words_csp(seed, False).network())
    alive = plain.root()
    assert keyed.root() == alive
    if alive:
        for x in range(len(plain.domains)):
            assert list(ValueChooser("lcv", keyed).ordered(x)) == list(ValueChooser("lcv", plain).ordered(x))


def test_keys_with_the_words_of_a_small_square():
    """A 4×4 square of words, all of which cross all: the same fills whatever is switched on."""
    words = ["lane", "area", "near", "ears", "line", "idea", "earn", "tsar", "open", "pile", "even", "near"]
    slots = {f"{way}{i}": dict.fromkeys(words) for way in "ad" for i in range(4)}
    crossings = [
        Element(f"a{r}", f"d{c}", lambda word, c=c: word[c], lambda word, r=r: word[r], f"r{r}c{c}")
        for r, c in product(range(4), repeat=2)
    ]
    csp = CSP(slots, crossings)
    expected = counted(csp, Strategy("fc"))[0]
    assert {("lane", "area", "near", "ears") * 2} <= set(expected)
    for name in ("mac", "mac+mrv+wdeg", "mac+mrv+wdeg+lcv+restarts", "gac+wdeg+lcv"):
        assert counted(csp, Strategy.parse(name))[0] == expected
