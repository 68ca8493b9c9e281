"""State-space search against plain twins: the goals, their order and cost, and exactly what is counted."""

from math import inf

import pytest
from csp_problems import brute_force, csps
from hypothesis import given
from hypothesis import strategies as st

from bridge.errors import InputError
from bridge.limits import Limits
from bridge.puzzles.search import ORDERS, Assignments, Problem, search, search_states
from bridge.puzzles.search.strategy import Strategy


class Graph(Problem):
    """Edges with costs; an action is a position among the edges of a state. Goals lead nowhere that counts."""

    def __init__(self, edges, goals, estimates=None, tree=False):
        self.edges, self.goals, self.estimates, self.tree = edges, goals, estimates or {}, tree

    def initial(self):
        return 0

    def actions(self, state):
        return range(len(self.edges[state]))

    def result(self, state, action):
        return self.edges[state][action][0]

    def cost(self, state, action):
        return self.edges[state][action][1]

    def is_goal(self, state):
        return state in self.goals

    def heuristic(self, state):
        return self.estimates.get(state, 0)

    def key(self, state):
        return None if self.tree else state


def distances(edges, goals, start, cost=lambda c: c):
    """The cheapest cost from a state to every state, through no goal: by relaxing every edge until nothing changes."""
    best = {start: 0}
    for _ in edges:
        for state, far in list(best.items()):
            if state not in goals:
                for other, weight in edges[state]:
                    best[other] = min(best.get(other, inf), far + cost(weight))
    return best


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 9))
    edge = st.tuples(st.integers(0, size - 1), st.integers(0, 4))
    edges = [draw(st.lists(edge, max_size=4)) for _ in range(size)]
    return edges, draw(st.sets(st.integers(0, size - 1), max_size=3))


def run(graph, order, limits=Limits(), **options):  # noqa: B008
    stream = search_states(graph, order, limits, **options)
    outcome = stream.collect()
    return outcome, outcome.statistics.counters


@given(graphs(), st.sampled_from(ORDERS))
def test_every_goal_is_found_once_and_the_path_leads_there(drawn, order):
    edges, goals = drawn
    outcome, _ = run(Graph(edges, goals), order)
    assert outcome.complete
    reached = distances(edges, goals, 0).keys() & goals
    assert sorted(node.state for node in outcome.solutions) == sorted(reached)
    for node in outcome.solutions:
        state, cost = 0, 0
        for action in node.path():
            assert state not in goals
            state, weight = edges[state][action]
            cost += weight
        assert (state, cost, len(node.path())) == (node.state, node.cost, node.depth)


@given(graphs(), st.sampled_from(["bfs", "dfs", "greedy"]))
def test_what_a_whole_search_expands_and_generates(drawn, order):
    edges, goals = drawn
    _, counters = run(Graph(edges, goals), order)
    inner = distances(edges, goals, 0).keys() - goals
    assert counters == {"expanded": len(inner), "generated": sum(len(edges[state]) for state in inner)}


@given(graphs())
def test_breadth_first_finds_shallow_goals_first_and_shortest(drawn):
    edges, goals = drawn
    depths = distances(edges, goals, 0, lambda _: 1)
    found = [(node.depth, node.state) for node in run(Graph(edges, goals), "bfs")[0].solutions]
    assert [depth for depth, _ in found] == sorted(depth for depth, _ in found)
    assert all(depth == depths[state] for depth, state in found)


@given(graphs())
def test_depth_first_is_plain_recursion(drawn):
    edges, goals = drawn
    seen, found, counts = set(), [], []
    expanded = generated = 0

    def visit(state):
        nonlocal expanded, generated
        if state in seen:
            return
        seen.add(state)
        if state in goals:
            found.append(state)
            counts.append((generated, expanded))
            return
        expanded += 1
        generated += len(edges[state])
        for other, _ in edges[state]:
            visit(other)

    visit(0)
    stream = search_states(Graph(edges, goals), "dfs")
    got = [(n.state, (stream.statistics.counters["generated"], stream.statistics.counters["expanded"])) for n in stream]
    assert got == list(zip(found, counts, strict=True))


@given(graphs(), st.data())
def test_a_star_with_an_admissible_heuristic_finds_the_cheapest(drawn, data):
    edges, goals = drawn
    estimates = {}
    for state in range(len(edges)):
        far = min((d for s, d in distances(edges, goals, state).items() if s in goals), default=inf)
        # Anything from 0 to the truth: admissible, mostly not consistent.
        estimates[state] = data.draw(st.sampled_from([0, inf])) if far == inf else data.draw(st.integers(0, far))
    costs = distances(edges, goals, 0)
    outcome, _ = run(Graph(edges, goals, estimates), "astar")
    found = [node.cost for node in outcome.solutions]
    assert found == sorted(found)
    assert {node.state: node.cost for node in outcome.solutions} == {s: c for s, c in costs.items() if s in goals}


@given(graphs(), st.data())
def test_a_star_hands_out_no_goal_twice_whatever_the_heuristic(drawn, data):
    edges, goals = drawn
    estimates = {state: data.draw(st.integers(0, 20)) for state in range(len(edges))}
    states = [node.state for node in run(Graph(edges, goals, estimates), "astar")[0].solutions]
    assert len(states) == len(set(states))


@given(graphs(), st.sampled_from(ORDERS), st.integers(1, 12))
def test_a_limit_on_nodes_keeps_what_was_found(drawn, order, nodes):
    whole, needed = run(Graph(*drawn), order)
    some, counters = run(Graph(*drawn), order, Limits(nodes=nodes))
    assert [n.state for n in some.solutions] == [n.state for n in whole.solutions][: len(some.solutions)]
    assert counters["expanded"] == min(nodes, needed["expanded"])
    assert (some.complete, some.limit) == ((True, None) if needed["expanded"] <= nodes else (False, "nodes"))


def binary(depth):
    """A tree of all words over two letters; the goal is the last of the longest."""
    size = 2 ** (depth + 1) - 1
    edges = [[(2 * i + 1, 1), (2 * i + 2, 1)] if 2 * i + 2 < size else [] for i in range(size)]
    return edges, {size - 1}


# A tree of 15 nodes, the goal last. All others are expanded before it, the 7 other leaves to no effect; breadth-first
# search sees it when its parent, the last of the 7 inner nodes, is expanded.
@pytest.mark.parametrize(
    ("order", "counts"), [("bfs", (14, 7)), ("dfs", (14, 14)), ("greedy", (14, 14)), ("astar", (14, 14))]
)
def test_counts_on_a_small_tree(order, counts):
    graph = Graph(*binary(3), estimates=dict.fromkeys(range(15), 0))
    stream = search_states(graph, order)
    assert next(stream).state == 14
    assert (stream.statistics.counters["generated"], stream.statistics.counters["expanded"]) == counts


class Endless(Problem):
    """Every number, each from the one before and from half of it."""

    def initial(self):
        return 1

    def actions(self, state):
        return [2 * state, 2 * state + 1]

    def result(self, state, action):
        return action

    def is_goal(self, state):
        return state == 5

    def key(self, state):
        return None


def test_limits_end_an_endless_search():
    for order in ORDERS:
        outcome, _ = run(Endless(), order, Limits(seconds=0.05))
        assert (outcome.complete, outcome.limit) == (False, "seconds")
    outcome, counters = run(Endless(), "bfs", memory=1000)
    assert (outcome.complete, outcome.limit, [n.state for n in outcome.solutions]) == (False, "memory", [5])
    assert 1000 < counters["generated"] <= 1002
    assert run(Endless(), "dfs", memory=1000)[0].limit == "memory"  # its path gets longer for ever


def test_depth_first_needs_little_memory():
    outcome, counters = run(Graph(*binary(12), tree=True), "dfs", memory=40)
    assert outcome.complete
    assert counters["generated"] == 2**13 - 2
    assert run(Graph(*binary(12), tree=True), "bfs", memory=40)[0].limit == "memory"


def test_without_keys_every_way_counts():
    diamond = [[(1, 1), (2, 1)], [(3, 1)], [(3, 1)], []]
    for order in ORDERS:
        assert len(run(Graph(diamond, {3}, tree=True), order)[0].solutions) == 2
        assert len(run(Graph(diamond, {3}), order)[0].solutions) == 1


def test_an_unknown_order_is_refused_at_once():
    with pytest.raises(InputError, match=r"no search order 'ids'; one of: bfs, dfs, greedy, astar"):
        search_states(Endless(), "ids")


# A CSP as a state space.


@given(csps(), st.sampled_from(ORDERS), st.booleans())
def test_assignments_are_the_solutions(csp, order, forward):
    space = Assignments(csp, forward_checking=forward)
    outcome = search_states(space, order).collect()
    found = [space.read(node.state) for node in outcome.solutions]
    assert outcome.complete
    expected = brute_force(csp)
    assert len(found) == len(expected)
    assert all(solution in expected for solution in found)


@given(csps(), st.booleans())
def test_depth_first_in_that_space_is_backtracking(csp, forward):
    """The nodes that stand under `bt` or `fc` are those that depth-first search generates."""
    space = Assignments(csp, forward_checking=forward)
    ours = [space.read(node.state) for node in search_states(space, "dfs").collect().solutions]
    theirs = search(csp, Strategy("fc" if forward else "bt")).collect()
    assert ours == list(theirs.solutions)
    counters = search_states(space, "dfs").collect().statistics.counters
    assert counters["generated"] <= theirs.statistics.counters["nodes"]
