"""`Element`: two variables with the same key, under every strategy, beside the same said by pairs."""

from __future__ import annotations

from itertools import pairwise

import pytest
from csp_problems import ALL_STRATEGIES, brute_force
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.errors import InputError
from bridge.puzzles.search import CSP, AllDifferent, Binary, Element, keys, propagate, search

WORDS = ["ab", "ba", "bb", "ca", "ac", "dd"]


def letter(position: int):
    return lambda word: word[position]


def crossing(domains: list[list[str]], positions: list[int], agree: bool) -> CSP:
    """Words in a ring, each sharing a letter with the next."""
    names = "xyzw"[: len(domains)]
    constraints: list = [AllDifferent(names, "different")]
    for i, (x, y) in enumerate(pairwise(names)):
        of_x, of_y = letter(positions[i]), letter(positions[i + 1])
        if agree:
            constraints.append(Element(x, y, of_x, of_y, f"{x} meets {y}"))
        else:
            constraints.append(Binary(x, y, lambda a, b, f=of_x, g=of_y: f(a) == g(b), f"{x} meets {y}"))
    return CSP(dict(zip(names, domains, strict=True)), constraints)


problems = st.integers(2, 4).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=n, max_size=n),
        st.lists(st.integers(0, 1), min_size=n, max_size=n),
    )
)


@pytest.fixture(autouse=True, params=[0, 2, keys.FEW])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are asked for their keys, or keys for their values: the domains here are small, so that both happen."""
    monkeypatch.setattr(keys, "FEW", request.param)


@pytest.mark.slow
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(problems)
def test_every_strategy_finds_what_brute_force_finds(problem) -> None:
    csp = crossing(*problem, agree=True)
    expected = {tuple(sorted(found.items())) for found in brute_force(csp)}
    for strategy in ALL_STRATEGIES:
        found = [tuple(sorted(one.items())) for one in search(csp, strategy).collect().solutions]
        assert len(found) == len(set(found))
        assert set(found) == expected, strategy


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(problems)
def test_propagation_is_that_of_the_pairs(problem) -> None:
    for inference in ("bt", "fc", "mac"):
        assert propagate(crossing(*problem, agree=True), inference) == propagate(
            crossing(*problem, agree=False), inference
        )


def test_keys_are_asked_for_once_a_value() -> None:
    asked = []

    def first(word: str) -> str:
        asked.append(word)
        return word[0]

    domains = dict.fromkeys("xyz", WORDS)
    csp = CSP(domains, [Element("x", "y", first, first, "x, y"), Element("y", "z", first, first, "y, z")])
    assert len(search(csp).collect().solutions) == 8 + 8 + 1 + 1  # two words with a, two with b, one with c, one with d
    assert sorted(asked[: len(WORDS)]) == sorted(WORDS)
    assert len(asked) == len(WORDS)


def test_the_same_variable_twice_is_refused() -> None:
    with pytest.raises(InputError, match="twice in its scope"):
        Element("x", "x", letter(0), letter(1), "x")
