"""Names of strategies: every one parses back, and what is no name is refused with the words that are."""

import pytest
from csp_problems import ALL_STRATEGIES, latin

from bridge.errors import InputError
from bridge.search import Strategy, propagate


@pytest.mark.parametrize("strategy", ALL_STRATEGIES, ids=str)
def test_names_go_both_ways(strategy):
    assert Strategy.parse(str(strategy)) == strategy


def test_there_are_24_names():
    assert len({str(strategy) for strategy in ALL_STRATEGIES}) == 24


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("bt", Strategy("bt", "first", "given")),
        ("fc", Strategy("fc", "first", "given")),
        ("mac", Strategy("mac", "first", "given")),
        ("fc+lcv", Strategy("fc", "first", "lcv")),
        ("mac+degree", Strategy("mac", "degree", "given")),
        ("mac+mrv+degree+lcv", Strategy("mac", "mrv+degree", "lcv")),
        ("bt+first+given", Strategy()),
    ],
)
def test_what_names_mean(name, strategy):
    assert Strategy.parse(name) == strategy


@pytest.mark.parametrize("name", ["max", "mac+mvr", "", "mac+", "mac+mrv+degre", "MAC"])
def test_unknown_words_list_the_known(name):
    with pytest.raises(InputError, match="unknown word") as caught:
        Strategy.parse(name)
    for word in ("bt", "fc", "mac", "first", "mrv", "degree", "mrv+degree", "given", "lcv"):
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["mrv", "mac+fc", "mac+lcv+mrv", "mac+degree+mrv", "mac+mrv+mrv", "bt+given+lcv"])
def test_words_that_do_not_go_together(name):
    with pytest.raises(InputError, match="do not go together"):
        Strategy.parse(name)


def test_parts_are_checked():
    with pytest.raises(InputError, match="'dom' among first, mrv"):
        Strategy("mac", "dom")
    with pytest.raises(InputError, match="'gac' among bt, fc, mac"):
        propagate(latin(2), "gac")
