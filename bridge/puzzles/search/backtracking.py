"""Depth-first backtracking search for the solutions of a CSP, one at a time.

- A **node** is an assignment tried: one value for one open variable.
- A **backtrack** is a return from a variable all of whose values have been tried.
- A **check** is one test of one constraint. Under `bt`: a pair of assigned variables compared. Under `fc` and `mac`:
  an arc x → y along which y's domain is revised, whatever its size, since a mask is all values at once; an
  `AllDifferent` has an arc for every pair. Under all: one run of a propagator.

Search and inference are separate components: `bridge.puzzles.search.walk` keeps the open choices, the inference
propagates each assignment and reports whether it failed. This module puts them together, and to an end.

    >>> from bridge.puzzles.search import AllDifferent, CSP
    >>> triangle = CSP({c: ["red", "green", "blue"] for c in "abc"}, [AllDifferent("abc", "neighbours")])
    >>> stream = search(triangle)
    >>> next(stream)
    {'a': 'red', 'b': 'green', 'c': 'blue'}
    >>> len(stream.collect().solutions), stream.complete
    (5, True)

Under every inference a domain of one value is a given: it is assigned at the root and counts as no node. If givens
clash, the search is complete at the root, without a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from bridge.limits import UNLIMITED, Deadline, LimitName, Limits
from bridge.outcome import Progress, Stream
from bridge.puzzles.search.csp import CSP
from bridge.puzzles.search.inference import BT, FC, MAC, Inference
from bridge.puzzles.search.keys import Keyed
from bridge.puzzles.search.network import Value, Variable
from bridge.puzzles.search.propagator import nothing
from bridge.puzzles.search.strategy import DEFAULT, InferenceName, Strategy
from bridge.puzzles.search.walk import NodesReached, Walk
from bridge.puzzles.search.walk import luby as luby

#: The number of failures after which the shortest run restarts.
UNIT = 100


def search(csp: CSP, strategy: Strategy = DEFAULT, limits: Limits = UNLIMITED) -> Stream[dict[Variable, Value]]:
    """All solutions of a problem, each once, as they are found.

    Parameters
    ----------
    csp
        The problem. It is not changed, and several searches may run on it at the same time.
    strategy
        The search strategy. It determines the time and the order of the solutions, not the solutions.
    limits
        When to stop. The clock starts when the first solution is requested.

    Returns
    -------
    A stream of solutions, each a value for every variable. Its statistics count `nodes`, `backtracks` and `checks`,
    and have the seconds of `post` (the constraints, and inference at the root) and `solve`.
    """

    return Stream(lambda progress: solutions(csp, strategy, limits, progress), limits)


def solutions(csp: CSP, strategy: Strategy, limits: Limits, progress: Progress) -> Iterator[dict[Variable, Value]]:
    """What `search` streams, for a stream of the caller's own: it sets the statistics and the end in `progress`."""
    statistics, deadline = progress.statistics, Deadline(limits.seconds)
    inference: Inference | None = None
    walk: Walk | None = None

    def look() -> None:
        if deadline.expired():
            raise LimitReached("seconds")

    def count() -> None:
        counters = statistics.counters
        counters["nodes"], counters["backtracks"] = (0, 0) if walk is None else (walk.nodes, walk.backtracks)
        counters["checks"] = 0 if inference is None else inference.checks
        if strategy.restarts:
            counters["restarts"] = 0 if walk is None else walk.restarts

    since, phase = perf_counter(), "post"
    try:
        inference = _posted(csp, strategy.inference, look)
        if inference.root():
            walk = Walk(inference, strategy, limits.nodes, look, UNIT)
        since, phase = statistics.spend("post", since), "solve"
        while walk is not None and walk.advance():
            statistics.spend("solve", since)
            count()
            phase = ""  # the consumer's time does not count
            yield walk.solution()
            since, phase = perf_counter(), "solve"
        progress.complete = True
    except LimitReached as reached:
        progress.limit = reached.limit
    except NodesReached:
        progress.limit = "nodes"
    finally:
        if phase:  # after Ctrl-C, too
            statistics.spend(phase, since)
            count()


def propagate(csp: CSP, inference: InferenceName = "mac") -> dict[Variable, tuple[Value, ...]] | None:
    """The domains after inference at the root, without search; values keep the order given.

    Under `mac` that is the arc-consistent closure, under `fc` what the givens leave open, under `bt` the domains as
    they are. None if there is no solution: a domain was wiped out, or two givens clash.

        >>> from operator import lt
        >>> from bridge.puzzles.search import Binary
        >>> propagate(CSP({"x": [3, 2, 1], "y": [1, 2, 3]}, [Binary("x", "y", lt, "x < y")]))
        {'x': (2, 1), 'y': (2, 3)}
    """
    state = _posted(csp, Strategy(inference).inference, nothing)
    if not state.root():
        return None
    network = state.network
    return {variable: network.given_values(x, state.domains[x]) for x, variable in enumerate(network.variables)}


def _posted(csp: CSP, inference: InferenceName, look: Callable[[], object]) -> Inference:
    """The problem with its constraints stated, and nothing inferred yet."""
    network = csp.network(look, stronger=inference == "gac")
    if inference in ("mac", "gac"):
        return Keyed(network, look) if network.links else MAC(network, look)
    return (BT if inference == "bt" else FC)(network, look)


class LimitReached(Exception):
    """Raised to leave a search, or grading, when a limit is reached."""

    def __init__(self, limit: LimitName) -> None:
        super().__init__(limit)
        self.limit = limit
