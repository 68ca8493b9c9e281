"""Smallest hitting sets against all subsets."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import given_time

from bridge.asp.hitting import HittingSets
from bridge.errors import LimitError
from bridge.limits import Limits

pytestmark = pytest.mark.local

ELEMENTS = range(7)
subsets = st.frozensets(st.sampled_from(ELEMENTS), max_size=4)


@settings(max_examples=20)
@given(st.lists(st.tuples(subsets, subsets), max_size=6))
def test_proposals_are_smallest(clauses: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    def good(chosen: tuple[int, ...]) -> bool:
        return all(some & {*chosen} or missing - {*chosen} for some, missing in clauses)

    sets = HittingSets(ELEMENTS)
    for some, missing in clauses:
        sets.require(some, missing)
        sets.propose()  # clauses come in between proposals
    best = next((len(c) for k in range(8) for c in combinations(ELEMENTS, k) if good(c)), None)
    proposed = sets.propose()
    if best is None:
        assert proposed is None
    else:
        assert proposed is not None
        assert len(proposed) == best == sets.size
        assert good(proposed)


def test_all_smallest_by_forbidding() -> None:
    sets = HittingSets("abcd")
    sets.require("ab")
    sets.require("cd")
    found = set()
    while (proposed := sets.propose(2)) is not None:
        found.add("".join(proposed))
        sets.forbid(proposed)
    assert found == {"ac", "ad", "bc", "bd"}
    assert sets.size == 3


def test_elements_that_come_later() -> None:
    sets = HittingSets("a")
    sets.require("a")
    assert sets.propose() == ("a",)
    sets.require("bc")
    assert sets.propose() in {("a", "b"), ("a", "c")}
    sets.require("c", unless_missing="b")
    assert sets.propose() == ("a", "c")
    sets.forbid("c")
    assert sets.propose() is None


def test_a_limit_leaves_a_lower_bound() -> None:
    sets = HittingSets(range(300))
    for i in range(60):
        sets.require(range(i, 300, 7 + i % 13))
    for i in range(120):
        sets.require((i * k * k + 3 * k + i) % 300 for k in range(9))

    def bound(seconds: float) -> int:
        with pytest.raises(LimitError):
            sets.propose(limits=Limits(seconds=seconds))
        return sets.size

    assert given_time(bound, lambda size: size > 0)
