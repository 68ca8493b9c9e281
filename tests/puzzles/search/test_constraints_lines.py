"""Constraints on lines against their definition, under every strategy."""

import pytest
from csp_problems import ALL_STRATEGIES, brute_force
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.errors import InputError
from bridge.puzzles.search import CSP, INFERENCES, Among, NotEqualVectors, Stretch, propagate, search


@st.composite
def line_problems(draw):
    names = [f"x{i}" for i in range(draw(st.integers(1, 6)))]
    domains = {name: draw(st.permutations(range(3)))[: draw(st.integers(1, 3))] for name in names}
    constraints = []
    for i in range(draw(st.integers(1, 4))):
        scope = draw(st.permutations(names))[: draw(st.integers(1, 6))]
        match draw(st.sampled_from(["count", "runs", "differ"])):
            case "count":
                least = draw(st.integers(0, 4))
                value = draw(st.integers(0, 3))  # 3 is in no domain
                constraints.append(Among(scope, value, least, least + draw(st.integers(0, 2)), f"count {i}"))
            case "runs":
                constraints.append(Stretch(scope, draw(st.integers(1, 3)), f"runs {i}"))
            case _:
                half = len(scope) // 2
                constraints.append(NotEqualVectors(scope[:half], scope[half : 2 * half], f"differ {i}"))
    return CSP(domains, constraints)


@settings(max_examples=25)
@given(line_problems(), st.sampled_from(ALL_STRATEGIES))
def test_search_finds_what_brute_force_finds(csp, strategy):
    outcome = search(csp, strategy).collect()
    expected = brute_force(csp)
    assert outcome.complete
    assert len(outcome.solutions) == len(expected)
    assert all(solution in expected for solution in outcome.solutions)


@given(line_problems(), st.sampled_from(INFERENCES))
def test_propagation_loses_no_solution(csp, inference):
    domains = propagate(csp, inference)
    for solution in brute_force(csp):
        assert domains is not None
        assert all(solution[x] in domains[x] for x in solution)


@pytest.mark.parametrize(
    ("constraint", "givens", "left"),
    [
        (Among("abcd", 1, 2, 2, "two"), {"a": 1, "b": 1}, {"c": (0,), "d": (0,)}),
        (Among("abcd", 1, 2, 2, "two"), {"a": 0, "b": 0}, {"c": (1,), "d": (1,)}),
        (Stretch("abcd", 2, "no three"), {"a": 1, "c": 1}, {"b": (0,), "d": (0, 1)}),
        (NotEqualVectors("ab", "cd", "differ"), {"a": 1, "c": 1, "b": 0}, {"d": (1,)}),
        (NotEqualVectors("ab", "cd", "differ"), {"a": 1, "c": 0}, {"b": (0, 1), "d": (0, 1)}),
    ],
)
def test_what_propagation_sees(constraint, givens, left):
    csp = CSP({x: [givens[x]] if x in givens else [0, 1] for x in "abcd"}, [constraint])
    domains = propagate(csp)
    assert {x: domains[x] for x in left} == left


def test_lines_to_compare_have_one_length():
    with pytest.raises(InputError, match="vectors of 2 and 1"):
        NotEqualVectors("ab", "c", "differ")
