"""Minimal sets and correction sets, beside naive twins that try all subsets."""

from __future__ import annotations

import doctest
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE

import bridge
from bridge.analysis import mus
from bridge.analysis.mus import all_muses, one_mus
from bridge.analysis.repairs import removals
from bridge.errors import LimitError
from bridge.limits import UNLIMITED, Limits
from bridge.problem.questions import Reply

LIMITS = Limits(seconds=PATIENCE)


class Cores:
    """Premises of which some sets cannot hold together: those that contain one of these cores."""

    def __init__(self, cores: Iterable[frozenset[int]]) -> None:
        self.cores, self.calls = list(cores), 0

    def ask(self, premises: Iterable[int], limits: Limits = UNLIMITED) -> Reply[int, None]:
        self.calls += 1
        some = frozenset(premises)
        for core in self.cores:
            if core <= some:
                return Reply(False, core=tuple(some))  # as weak as a core may be
        return Reply(True)

    def within(self, limits: Limits = UNLIMITED) -> Limits:
        return limits

    def ordered(self, premises: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(premises))

    def near(self, premises: Sequence[int], core: Sequence[int]) -> Iterator[Sequence[int]]:
        return iter(())


def naive_muses(oracle: Cores, premises: Sequence[int]) -> list[tuple[int, ...]]:
    """All sets that cannot hold together while each smaller one can."""
    found: list[tuple[int, ...]] = []
    for size in range(len(premises) + 1):
        for some in combinations(premises, size):
            if oracle.ask(some).satisfiable is False and not any(set(one) <= set(some) for one in found):
                found.append(some)
    return found


def naive_mcses(oracle: Cores, premises: Sequence[int]) -> list[tuple[int, ...]]:
    """The smallest sets without which the others can hold together."""
    for size in range(len(premises) + 1):
        found = [
            away
            for away in combinations(premises, size)
            if oracle.ask([one for one in premises if one not in away]).satisfiable
        ]
        if found:
            return found
    return []


CORES = st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=5)


@given(CORES)
def test_all_minimal_sets_the_smallest_first(cores: list[frozenset[int]]) -> None:
    oracle, premises = Cores(cores), range(7)
    found = list(all_muses(oracle, premises))
    expected = naive_muses(oracle, premises)
    assert sorted(one.premises for one in found) == sorted(expected)
    assert [len(one.premises) for one in found] == sorted(len(one.premises) for one in found)
    assert [one.smallest for one in found] == [True, *[False] * (len(found) - 1)][: len(found)]
    assert all(one.minimal for one in found)


@given(CORES, st.frozensets(st.integers(0, 6)))
def test_one_minimal_set_that_blames_some_last(cores: list[frozenset[int]], spare: frozenset[int]) -> None:
    oracle, premises = Cores(cores), range(7)
    expected = naive_muses(oracle, premises)
    found = one_mus(oracle, premises, spare.__contains__)
    assert (found is None) == (not expected)
    if found is not None:
        assert found.premises in expected
        # Where some set does without what is spared, it is such a set.
        assert spare.isdisjoint(found.premises) or all(not spare.isdisjoint(one) for one in expected)


@given(CORES)
def test_smallest_correction_sets(cores: list[frozenset[int]]) -> None:
    oracle, premises = Cores(cores), range(7)
    assert sorted(removals(oracle, premises, [], 100).sets) == sorted(naive_mcses(oracle, premises))


def test_the_example() -> None:
    assert doctest.testmod(mus).failed == 0


PROGRAM = "{ a; b }. :- a. :- not a. :- b, a. :- not b."


def test_of_a_program() -> None:
    problem = bridge.AspProblem(PROGRAM)
    smallest = bridge.smallest_mus(problem, limits=LIMITS)
    assert smallest is not None
    assert [one.text for one in smallest.rules] == [":- a.", ":- not a."]
    spared = bridge.mus(problem, limits=LIMITS, spare=[str(smallest.rules[0])])
    assert spared is not None
    assert [one.text for one in spared.rules] == [":- not a.", ":- b, a.", ":- not b."]
    assert [one.text for away in bridge.mcs(problem, limits=LIMITS).sets for one in away] == [":- not a."]


@pytest.mark.parametrize(
    ("problem", "premises"),
    [
        (bridge.AspProblem("{ a }. :- not a."), None),
        (bridge.goal(["item(5).\nhas(1, a).\np(X) :- item(X), has(X, _).\n"], "p(X)"), 5),
    ],
    ids=["program", "goal"],
)
def test_of_other_problems(problem: bridge.AspProblem, premises: int | None) -> None:
    found = bridge.mus(problem, limits=LIMITS)
    assert (None if found is None else len(found.premises)) == premises
    assert (bridge.mcs(problem, limits=LIMITS).sets == ((),)) == (premises is None)


def test_a_limit() -> None:
    pigeons = "{ in(P, H) : H = 1..9 } = 1 :- P = 1..10. :- in(P, H), in(Q, H), P < Q."
    with pytest.raises(LimitError):
        bridge.smallest_mus(bridge.AspProblem(pigeons), limits=Limits(seconds=0.01))
