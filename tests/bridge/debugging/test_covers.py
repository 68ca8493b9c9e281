"""Covers by clingo, held against all subsets."""

from __future__ import annotations

from itertools import combinations
from random import Random

from bridge.debugging.covers import covers


def test_the_cheapest_cover_comes_first_and_then_the_others_in_order() -> None:
    chance = Random(3)
    for _ in range(60):
        size = chance.randint(0, 7)
        costs = {number: chance.randint(1, 30) / 10 for number in range(size)}
        wrong = [{one for one in costs if chance.random() < 0.4} for _ in range(chance.randint(0, 6))]
        every = [set(some) for number in range(size + 1) for some in combinations(costs, number)]
        hitting = [some for some in every if all(some & one for one in wrong)]
        minimal = [some for some in hitting if not any(other < some for other in hitting)]
        found = list(covers(wrong, costs, most=1000))
        assert {frozenset(one) for one in found} == {frozenset(one) for one in minimal}
        prices = [(round(sum(costs[one] for one in some), 6), len(some)) for some in found]
        assert prices == sorted(prices)
