"""Names of strategies: every one parses back, and what is not a name is refused with the words that are."""

import pytest
from csp_problems import ALL_STRATEGIES, latin

from bridge.errors import InputError
from bridge.puzzles.search import Strategy, propagate


@pytest.mark.parametrize("strategy", ALL_STRATEGIES, ids=str)
def test_names_go_both_ways(strategy):
    assert Strategy.parse(str(strategy)) == strategy


def test_no_two_have_the_same_name():
    assert len({str(strategy) for strategy in ALL_STRATEGIES}) == len(ALL_STRATEGIES)


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
        ("gac+wdeg", Strategy("gac", "wdeg")),
        ("mac+mrv+wdeg+restarts", Strategy("mac", "mrv+wdeg", restarts=True)),
        ("fc+mrv+wdeg+lcv+restarts", Strategy("fc", "mrv+wdeg", "lcv", True)),
    ],
)
def test_what_names_mean(name, strategy):
    assert Strategy.parse(name) == strategy


@pytest.mark.parametrize("name", ["max", "mac+mvr", "", "mac+", "mac+mrv+degre", "MAC"])
def test_unknown_words_list_the_known(name):
    with pytest.raises(InputError, match="unknown word") as caught:
        Strategy.parse(name)
    for word in ("bt", "fc", "mac", "gac", "first", "mrv", "degree", "wdeg", "mrv+wdeg", "given", "lcv", "restarts"):
        assert word in str(caught.value)


# Without weights nothing is learnt, and the next run is the same; and restarts come last.
TOGETHER = ["restarts", "mac+restarts", "mac+mrv+degree+restarts", "mac+mrv+wdeg+restarts+lcv", "mac+degree+wdeg"]


@pytest.mark.parametrize(
    "name", ["mrv", "mac+fc", "mac+lcv+mrv", "mac+degree+mrv", "mac+mrv+mrv", "bt+given+lcv", *TOGETHER]
)
def test_words_that_do_not_go_together(name):
    with pytest.raises(InputError, match="do not go together"):
        Strategy.parse(name)


def test_parts_are_checked():
    with pytest.raises(InputError, match="'dom' among first, mrv"):
        Strategy("mac", "dom")
    with pytest.raises(InputError, match="do not go together"):
        Strategy("mac", "mrv", restarts=True)
    with pytest.raises(InputError, match="'sac' among bt, fc, mac, gac"):
        propagate(latin(2), "sac")
