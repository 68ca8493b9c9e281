"""Stopping: every limit says its name and keeps what was found; a search stopped anywhere leaves nothing behind."""

import time
from itertools import count

import pytest
from csp_problems import ALL_STRATEGIES, csps, latin, queens
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.limits import Limits
from bridge.outcome import Interrupted
from bridge.puzzles.search import CSP, Binary, Constraint, Propagator, Strategy, search
from bridge.puzzles.search.inference import MAC


@settings(max_examples=20)
@given(csps(), st.integers(1, 30), st.sampled_from(ALL_STRATEGIES))
def test_a_limit_on_nodes_keeps_the_first_solutions(csp, nodes, strategy):
    every = search(csp, strategy).collect()
    some = search(csp, strategy, Limits(nodes=nodes)).collect()
    assert some.solutions == every.solutions[: len(some.solutions)]
    needed = every.statistics.counters["nodes"]
    assert some.statistics.counters["nodes"] == min(nodes, needed)
    assert (some.complete, some.limit) == ((True, None) if needed <= nodes else (False, "nodes"))


def test_a_limit_on_solutions():
    stream = search(latin(3), limits=Limits(solutions=5))
    outcome = stream.collect()
    assert len(outcome.solutions) == 5
    assert (outcome.complete, outcome.limit) == (False, "solutions")


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ALL_STRATEGIES[::4], ids=str)
def test_a_limit_on_seconds(strategy):
    outcome = search(latin(6), strategy, Limits(seconds=0.02)).collect()  # 812,851,200 squares
    assert (outcome.complete, outcome.limit) == (False, "seconds")
    assert not any(latin(6).violated(solution) for solution in outcome.solutions)


def test_a_limit_on_seconds_ends_the_posting_too():
    asked = []

    def slow(a, b):
        asked.append((a, b))
        time.sleep(0.001)
        return True

    csp = CSP({"x": range(40), "y": range(40)}, [Binary("x", "y", slow, "slow")])
    outcome = search(csp, limits=Limits(seconds=0.01)).collect()
    assert (outcome.complete, outcome.limit, outcome.solutions) == (False, "seconds", ())
    assert len(asked) < 1600
    assert "solve" not in outcome.statistics.seconds


class Peel(Constraint):
    """Takes one value at a time from x, the least; does something each time."""

    def __init__(self, x, each_time):
        super().__init__([x], "peel")
        self.each_time = each_time

    def satisfied(self, values):
        return True

    def post(self, network):
        class Peeler(Propagator):
            scope = (network.index[self.scope[0]],)

            def narrow(_, domains):
                (x,) = _.scope
                self.each_time()
                rest = domains[x] & (domains[x] - 1)
                return [(x, rest)] if rest else []

        network.add(Peeler())


def test_a_limit_on_seconds_ends_a_long_propagation():
    csp = CSP({"x": range(100)}, [Peel("x", lambda: time.sleep(0.002))])
    outcome = search(csp, limits=Limits(seconds=0.02)).collect()
    assert (outcome.complete, outcome.limit, outcome.solutions) == (False, "seconds", ())
    assert outcome.statistics.counters["checks"] < 99


def test_a_long_arc_consistency_looks_at_the_clock():
    links = [Binary(x, x + 1, lambda a, b: a != b, f"link {x}") for x in range(599)]
    csp = CSP({0: [1], **dict.fromkeys(range(1, 600), (1, 2))}, links)

    class Late(Exception):
        pass

    def late():
        raise Late

    with pytest.raises(Late):
        MAC(csp.network(), late).root()
    assert MAC(csp.network()).root()


@pytest.mark.parametrize("strategy", ALL_STRATEGIES, ids=str)
def test_closing_midway_leaves_nothing_behind(strategy):
    csp = queens(6)
    every = search(csp, strategy).collect().solutions
    stream = search(csp, strategy)
    assert (next(stream), next(stream)) == every[:2]
    nodes = stream.statistics.counters["nodes"]
    stream.close()
    assert list(stream) == []
    assert (stream.complete, stream.limit) == (False, None)
    assert stream.statistics.counters["nodes"] == nodes > 0
    assert search(csp, strategy).collect().solutions == every


def test_two_searches_of_one_problem_side_by_side():
    csp = queens(6)
    pairs = list(zip(search(csp, Strategy.parse("mac")), search(csp, Strategy.parse("fc")), strict=True))
    assert len(pairs) == 4
    assert all(left == right for left, right in pairs)


def test_complete_is_said_when_it_is_proved():
    stream = search(queens(4))
    assert (next(stream), stream.complete)[1] is False
    assert (next(stream), stream.complete)[1] is False
    assert next(stream, None) is None
    assert stream.complete


def test_the_time_of_the_caller_is_not_ours(monkeypatch):
    clock = count()
    for module in ("bridge.outcome", "bridge.puzzles.search.backtracking"):
        monkeypatch.setattr(f"{module}.perf_counter", lambda: next(clock))
    with search(queens(4)) as stream:
        next(stream)
        for _ in range(1000):  # a thousand seconds, by this clock
            next(clock)
        next(stream)
    assert 0 < sum(stream.statistics.seconds.values()) < 1000
    assert set(stream.statistics.seconds) == {"post", "solve"}


def test_an_interrupt_keeps_what_was_found():
    presses = iter([False] * 10)  # the root, and nine values of x

    def perhaps_interrupt():
        if next(presses, True):
            raise KeyboardInterrupt

    class Watch(Peel):
        def post(self, network):
            class Watcher(Propagator):
                scope = tuple(network.index[variable] for variable in self.scope)

                def narrow(_, domains):
                    self.each_time()
                    return ()

            network.add(Watcher())

    csp = CSP(dict.fromkeys("xy", range(20)), [Watch("x", perhaps_interrupt)])
    stream = search(csp, Strategy.parse("mac"))
    with pytest.raises(Interrupted) as caught:
        stream.collect()
    found = caught.value.partial
    assert (found.complete, found.limit) == (False, "interrupt")
    assert len(found.solutions) == 9 * 20
    assert found.statistics.counters["nodes"] == 9 * (1 + 20) + 1
