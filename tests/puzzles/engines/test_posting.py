"""`cp-sat`: every class of constraints, against brute force and the engines of lpbridge's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.errors import InputError, UnsupportedError
from bridge.limits import UNLIMITED, Limits
from bridge.puzzles.engines import engine
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.engines.posting import MOST_TUPLES
from bridge.puzzles.search import (
    CSP,
    AllDifferent,
    Among,
    Binary,
    Constraint,
    Element,
    Network,
    NotEqualVectors,
    Stretch,
    Sum,
)
from bridge.puzzles.search.constraints_arithmetic import Clause, Linear, Relation, WeightedSum


def assignments(csp: CSP, limits: Limits = UNLIMITED, name: str = "cp-sat") -> Any:
    found = engine(name)
    assert isinstance(found, CSPEngine)
    return found.assignments(csp, limits)


def brute_force(csp: CSP) -> list[dict[Any, Any]]:
    every = (dict(zip(csp.variables, values, strict=True)) for values in product(*csp.domains.values()))
    return [assignment for assignment in every if not csp.violated(assignment)]


def as_set(solutions: Sequence[dict[Any, Any]]) -> set[frozenset[tuple[Any, Any]]]:
    return {frozenset(solution.items()) for solution in solutions}


def assert_same(csp: CSP) -> None:
    expected = brute_force(csp)
    outcome = assignments(csp).collect()
    assert outcome.complete, csp
    assert len(outcome.solutions) == len(expected), csp
    assert as_set(outcome.solutions) == as_set(expected), csp


class Even(Constraint):
    """A class that no engine knows: the number of values that are not the first of the domain is even."""

    def satisfied(self, values: Sequence[Any]) -> bool:
        return sum(hash(value) % 2 for value in values) % 2 == 0

    def post(self, network: Network) -> None:
        raise AssertionError("not for a network")


class Reversed(AllDifferent):
    """A subclass with another meaning."""

    def satisfied(self, values: Sequence[Any]) -> bool:
        return not super().satisfied(values)


INTEGERS = st.integers(-3, 6)
NUMBERS = st.one_of(INTEGERS, st.fractions(-2, 3, max_denominator=3))
ANYTHING = st.one_of(NUMBERS, st.sampled_from(["a", "b", "", ("a", 1), None]), st.booleans())


@st.composite
def problems(draw: st.DrawFn) -> CSP:
    """Up to five variables with all classes of constraints; numbers alone where a constraint adds."""
    values = draw(st.sampled_from([INTEGERS, NUMBERS, ANYTHING]))
    variables = [f"v{i}" for i in range(draw(st.integers(0, 5)))]
    domains = {x: draw(st.lists(values, min_size=0 if draw(st.integers(0, 15)) == 0 else 1, max_size=4)) for x in variables}
    constraints: list[Constraint] = []

    def add(make: Callable[[list[str], str], Constraint], least: int) -> None:
        if len(variables) >= least:
            scope = draw(st.permutations(variables))[: draw(st.integers(least, len(variables)))]
            constraints.append(make(scope, f"c{len(constraints)}"))

    def comparable(relation: Any) -> Any:
        return relation if values is not ANYTHING or relation in (eq, ne) else lambda x, y: hash(x) <= hash(y)

    small = st.integers(-4, 8)
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.integers(0, 11))
        if kind == 0:
            add(AllDifferent, 0)
        elif kind == 1:
            relation = comparable(draw(st.sampled_from([lt, le, gt, ge, eq, ne, lambda x, y: x != y])))
            add(lambda scope, name, of=relation: Binary(scope[0], scope[1], of, name), 2)
        elif kind == 2 and values is not ANYTHING:
            add(lambda scope, name: Sum(scope, draw(NUMBERS), name), 0)
        elif kind == 3 and values is not ANYTHING:
            add(
                lambda scope, name: Linear(
                    {x: draw(small) for x in scope}, draw(st.sampled_from(["=", "<=", "!="])), draw(small), name
                ),
                0,
            )
        elif kind == 4:
            add(lambda scope, name: Among(scope, draw(values), draw(st.integers(0, 3)), draw(st.integers(0, 4)), name), 0)
        elif kind == 5:
            add(lambda scope, name: Stretch(scope, draw(st.integers(1, 3)), name), 1)
        elif kind == 6 and len(variables) >= 2:
            length = draw(st.integers(1, len(variables) // 2))
            order = draw(st.permutations(variables))
            constraints.append(NotEqualVectors(order[:length], order[length : 2 * length], f"c{len(constraints)}"))
        elif kind == 7:
            parity = draw(st.integers(1, 3))
            add(
                lambda scope, name, by=parity: Element(
                    scope[0], scope[1], lambda x: hash(x) % by, lambda y: (hash(y) + 1) % by, name
                ),
                2,
            )
        elif kind == 8:
            add(Even, 0)
        elif kind == 9:
            add(lambda scope, name: Clause({x: draw(st.lists(values, max_size=3)) for x in scope}, name), 0)
        elif kind == 10:
            add(
                lambda scope, name: WeightedSum(
                    {x: draw(st.dictionaries(values, small, max_size=4)) for x in scope},
                    draw(st.none() | small), draw(st.none() | small), name,
                ),
                0,
            )  # fmt: skip
        else:
            add(Reversed, 2)
    return CSP(domains, constraints)


@settings(max_examples=41, deadline=None)
@given(problems())
def test_random_problems_have_the_solutions_of_brute_force(csp: CSP) -> None:
    assert_same(csp)


@pytest.mark.parametrize("relation", [lt, le, gt, ge, eq, ne, lambda x, y: x + 1 == y])
@pytest.mark.parametrize("domains", [(range(4), [3, 1, 2]), ([Fraction(1, 2), 1], [0, 1, 2]), ([0, 2**80], [2**80, 1]), ([2], [2])])
def test_binary_constraints(relation: Any, domains: Any) -> None:
    x, y = domains
    assert_same(CSP({"x": x, "y": y}, [Binary("x", "y", relation, "c")]))
    assert_same(CSP({"x": x, "y": y, "z": [1, 2]}, [Binary("y", "x", relation, "c"), Sum("z", 2, "sum")]))


def test_equal_and_different_words() -> None:
    for relation in (eq, ne):
        assert_same(CSP({"x": "abc", "y": ["b", "c", 1]}, [Binary("x", "y", relation, "c"), AllDifferent("x", "d")]))


@pytest.mark.parametrize("value", [0, 1, "a", 7])
@pytest.mark.parametrize(("least", "most"), [(0, 0), (1, 1), (1, 2), (2, 3), (0, 4), (4, 9), (3, 2)])
def test_among(value: Any, least: int, most: int) -> None:
    domains = {"w": [0, 1], "x": [1], "y": [1, "a"], "z": ["a", 1, 0]}
    assert_same(CSP(domains, [Among("wxyz", value, least, most, "c")]))
    assert_same(CSP({"w": [0, 1], "x": [0, 1], "y": [1]}, [Among("wxy", value, least, most, "c")]))


@pytest.mark.parametrize("longest", [1, 2, 3])
def test_stretch(longest: int) -> None:
    assert_same(CSP({"w": [0, 1], "x": [1, 0, 2], "y": [1], "z": [1, 0]}, [Stretch("wxyz", longest, "c")]))
    assert_same(CSP({"w": [1], "x": [1], "y": [1]}, [Stretch("wxy", longest, "c")]))


def test_vectors() -> None:
    for domains in ([[0, 1]] * 4, [[0], [1], [0], [1, 2]], [[0], [1], [0], [1]], [[0, 3], [1], [4, 5], [1]], ["ab", "bc", "ab", "ab"]):
        assert_same(CSP(dict(zip("wxyz", domains, strict=True)), [NotEqualVectors("wx", "yz", "c")]))


def test_common_results() -> None:
    words = ["ab", "cb", "ba", "dd"]
    csp = CSP(
        {"x": words, "y": words, "z": words[::-1]},
        [
            Element("x", "y", lambda word: word[0], lambda word: word[1], "first of x, second of y"),
            Element("x", "z", lambda word: word[1], lambda word: word[1], "second of both"),
        ],
    )
    assert brute_force(csp)
    assert_same(csp)
    assert_same(CSP({"x": words, "y": words}, [Element("x", "y", lambda word: 1, lambda word: 2, "nothing in common")]))


@pytest.mark.parametrize("comparison", ["=", "<=", "!="])
@pytest.mark.parametrize("bound", [-20, -6, 0, 1, 9, 20])
def test_linear_constraints(comparison: Any, bound: int) -> None:
    domains = {"x": range(4), "y": [-2, 0, 3], "z": [Fraction(1, 2), 1]}
    assert_same(CSP(domains, [Linear({"x": 2, "y": -3, "z": 2}, comparison, bound, "c")]))
    assert_same(CSP({"x": range(4), "y": range(3)}, [Linear({"x": 1, "y": -1}, comparison, bound, "c")]))
    assert_same(CSP({"x": [2]}, [Linear({"x": 3}, comparison, bound, "c")]))
    assert_same(CSP({"x": [1, 2]}, [Linear({"x": 0}, comparison, bound, "c"), Linear({}, comparison, bound, "d")]))


def test_constraints_without_variables_or_values() -> None:
    assert_same(CSP({}, []))
    assert_same(CSP({}, [Relation((), lambda: False, "no")]))
    assert_same(CSP({}, [Relation((), lambda: True, "yes"), Sum((), 0, "nothing"), AllDifferent((), "all")]))
    assert_same(CSP({}, [Sum((), 1, "one")]))
    assert_same(CSP({"x": [], "y": [1]}, [AllDifferent("xy", "all")]))
    assert_same(CSP({"x": [1, 2, 3]}, [Relation("x", lambda x: x != 2, "unary")]))
    assert_same(CSP({"x": [1, 2]}, [Relation("x", lambda x: False, "never")]))


def test_results_keep_the_values_as_they_are_given() -> None:
    csp = CSP({"x": [True], "y": ["1"], "z": [Fraction(1), 1.5]}, [AllDifferent("xy", "all"), Binary("x", "z", eq, "c")])
    (solution,) = assignments(csp)
    assert solution == {"x": True, "y": "1", "z": 1}
    assert isinstance(solution["x"], bool)
    assert isinstance(solution["z"], Fraction)


def test_a_sum_of_what_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="adds values"):
        assignments(CSP({"x": ["a", "b"], "y": [1]}, [Sum("xy", 3, "s")])).collect()


def test_a_linear_constraint_on_texts_is_refused() -> None:
    """Times a large factor a text would fill the memory."""
    csp = CSP({"x": ["b", 1]}, [Linear({"x": 2**33}, "<=", 0, "sum")])
    for name in ("cp-sat", "mac", "fc+mrv"):
        with pytest.raises(InputError, match="adds values"):
            assignments(csp, name=name).collect()


def test_a_bound_that_is_no_finite_number() -> None:
    assert_same(CSP({"x": [1, 2]}, [Linear({"x": 1}, "<=", float("inf"), "c")]))  # type: ignore[arg-type]
    assert_same(CSP({"x": [1, 2]}, [Sum("x", float("nan"), "c")]))
    assert_same(CSP({"x": [1, 2], "y": [1]}, [Sum("xy", 2.5, "c"), Sum("y", 1.0, "d")]))


def test_numbers_too_large_for_the_solver_are_refused_where_they_are_added() -> None:
    huge = [0, 2**70]
    # Where nothing is added, values are only told apart.
    assert len(assignments(CSP({"x": huge, "y": huge}, [AllDifferent("xy", "all")])).collect().solutions) == 2
    for added in (Sum("xy", 2**70, "s"), Linear({"x": 1, "y": 2**40}, "=", 2**70, "s")):
        with pytest.raises(UnsupportedError, match="too large for cp-sat"):
            assignments(CSP({"x": huge, "y": huge}, [added])).collect()
    # What the bounds decide is not posted.
    assert_same(CSP({"x": huge}, [Linear({"x": 1}, "<=", 2**80, "s")]))
    assert_same(CSP({"x": huge}, [Linear({"x": 1}, "<=", -1, "s")]))


def test_a_table_that_is_too_large_is_refused() -> None:
    csp = CSP({x: range(100) for x in "abc"}, [Even("abc", "even")])
    with pytest.raises(UnsupportedError, match=r"'even' \(Even\) has 1,000,000 tuples"):
        assignments(csp).collect()
    assert MOST_TUPLES < 100**3


def test_large_domains() -> None:
    wide = CSP({"x": range(200_001), "y": [0, 999_999, 3_000_000]}, [Linear({"x": 5, "y": -1}, "=", 1, "c")])
    assert assignments(wide).collect().solutions == ({"x": 200_000, "y": 999_999},)


def queens(n: int) -> CSP:
    """Queens that take each other's place nowhere; `Linear` is not an all-different."""
    columns = [f"q{i}" for i in range(n)]
    apart = [
        Linear({columns[i]: 1, columns[j]: -1}, "!=", sign * (j - i), f"{i} {j} {sign}")
        for i in range(n)
        for j in range(i + 1, n)
        for sign in (1, -1)
    ]
    return CSP({x: range(n) for x in columns}, [AllDifferent(columns, "columns"), *apart])


def test_enumeration() -> None:
    outcome = assignments(queens(8)).collect()
    assert (len(outcome.solutions), outcome.complete) == (92, True)
    assert len(as_set(outcome.solutions)) == 92
    assert outcome.statistics.counters["conflicts"] > 0
    assert {"post", "solve"} <= outcome.statistics.seconds.keys()
