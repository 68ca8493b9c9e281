"""The levels that puzzles of a kind and size have: what a generator can be asked for.

A level is known to be reached where `generate` has made a puzzle of it (`REACHED`), with the usual options. For other
sizes and options, those are left out that the constraints cannot have: without full houses there is no hidden single,
without other constraints than all-different there is no arc consistency beyond forward checking. A kind without a CSP
is graded by steps of an explanation, and has the levels that these have.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from bridge.errors import UnsupportedError
from bridge.puzzles.explain.grade import LEVELS_BY_STEPS
from bridge.puzzles.explain.recognised import Recognised
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import models
from bridge.puzzles.oracle import Oracle
from bridge.puzzles.search import CSP
from bridge.puzzles.search.constraints import AllDifferent
from bridge.puzzles.search.ladder import LEVELS
from bridge.puzzles.search.rule_techniques import Rules
from bridge.puzzles.search.techniques import House, Houses, LevelName

#: By kind, rows and columns. Written by `python -m benchmarks.reach --write`.
REACHED: Mapping[tuple[str, int, int], tuple[LevelName, ...]] = {
    # begin
    ("futoshiki", 3, 3): ("fc", "ac", "singles"),
    ("futoshiki", 4, 4): ("fc", "ac", "singles", "locked", "gac", "fish", "wings", "chains", "shaving"),
    ("futoshiki", 5, 5): ("fc", "ac", "singles", "locked", "gac", "fish", "wings", "chains", "shaving"),
    ("futoshiki", 6, 6): ("fc", "ac", "singles", "locked", "gac", "fish", "wings", "chains", "shaving", "search"),
    ("futoshiki", 7, 7): ("fc", "ac", "singles", "locked", "gac", "fish", "wings", "chains", "shaving", "search"),
    ("killer", 4, 4): ("fc", "singles"),
    ("latin-square", 3, 3): ("fc",),
    ("latin-square", 4, 4): ("fc",),
    ("latin-square", 5, 5): ("fc", "singles", "wings", "chains", "shaving"),
    ("latin-square", 6, 6): ("fc", "singles", "gac", "wings", "chains"),
    ("latin-square", 7, 7): ("fc", "singles", "gac", "fish", "wings", "chains", "shaving"),
    ("latin-square", 8, 8): ("fc", "singles", "gac", "fish", "wings", "chains", "shaving"),
    ("latin-square", 9, 9): ("fc", "singles", "gac", "fish", "wings", "chains", "shaving"),
    ("magic-square", 3, 3): ("fc", "ac"),
    ("magic-square", 4, 4): ("fc", "ac", "singles", "locked", "gac", "shaving", "search"),
    ("nonogram", 6, 6): ("fc", "ac"),
    ("sudoku", 4, 4): ("fc",),
    ("sudoku", 6, 6): ("fc", "singles", "locked", "wings"),
    ("sudoku", 9, 9): ("fc", "singles", "locked", "gac", "fish", "wings", "chains", "shaving"),
    ("takuzu", 4, 4): ("fc", "ac", "locked"),
    ("takuzu", 6, 6): ("fc", "ac", "locked", "shaving", "search"),
    ("takuzu", 8, 8): ("fc", "ac", "locked", "shaving", "search"),
    ("takuzu", 10, 10): ("fc", "ac", "locked", "shaving", "search"),
    # end
}


def offered(everything: Puzzle, usual: bool) -> tuple[LevelName, ...]:
    """The levels that puzzles of a shape have, as far as known; `usual` says whether its options are the usual ones.

    `everything` is a blank instance with all optional rules.
    """
    shape = everything.kind, len(everything.grid), len(everything.grid[0])
    if usual and shape in REACHED:
        return REACHED[shape]
    return possible(everything)


def possible(everything: Puzzle) -> tuple[LevelName, ...]:
    """The levels that the constraints of a shape do not exclude."""
    try:
        csp = models(everything).csp()
    except UnsupportedError:
        return _possible_by_steps(everything)
    network = csp.network()
    houses = Houses.of(csp, network)
    pairs = ((one, other) for one in _full(houses) for other in houses.all if one != other)
    sharing = any((one.mask & other.mask).bit_count() > 1 for one, other in pairs)
    excluded = {
        **_excluded(houses),
        "ac": all(isinstance(one, AllDifferent) for one in csp.constraints),
        "locked": not sharing and not Rules(csp, network).groups,
        "gac": not any(len(house.cells) > 2 for house in houses.all),
    }
    return tuple(level for level in LEVELS if not excluded.get(level, False))


def _possible_by_steps(everything: Puzzle) -> tuple[LevelName, ...]:
    """The levels of a kind without a CSP: its houses are recognised."""
    oracle = Oracle(everything)
    csp = CSP(dict.fromkeys(everything.cells(), oracle.values), Recognised(oracle, {}).all_different())
    excluded = _excluded(Houses.of(csp, csp.network()))
    return tuple(level for level in LEVELS_BY_STEPS if not excluded.get(level, False))


def _excluded(houses: Houses) -> dict[LevelName, bool]:
    """Which levels houses exclude, of those that take houses alone."""
    full = _full(houses)
    apart = [(one, other) for one, other in combinations(full, 2) if not one.mask & other.mask]
    crossing = {house.name: houses.crossing[i] for i, house in enumerate(houses.all)}
    crossed = any(len(crossing[one.name] & crossing[other.name]) > 1 for one, other in apart)
    return {"singles": not full, "fish": not crossed, "wings": not houses.all, "chains": not houses.all}


def _full(houses: Houses) -> list[House]:
    return [house for house in houses.all if house.full and len(house.cells) > 2]
