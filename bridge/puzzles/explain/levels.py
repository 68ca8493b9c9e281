"""The levels that puzzles of a kind and size have: what a generator can be asked for.

A level is known to be reached where `generate` has made a puzzle of it (`REACHED`), with the usual options. For other
sizes and options, those are left out that the constraints cannot have: without full houses there is no hidden single,
without other constraints than all-different there is no arc consistency beyond forward checking. A kind without a CSP
is graded by steps of an explanation, and has the levels that these have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

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

#: By kind, then by rows and columns. Written by `python -m benchmarks.reach --write`.
TABLE = Path(__file__).with_name("reached.json")
REACHED: Mapping[str, Mapping[str, tuple[LevelName, ...]]] = {
    kind: {size: tuple(levels) for size, levels in of_kind.items()}
    for kind, of_kind in json.loads(TABLE.read_text(encoding="utf-8")).items()
}


def offered(everything: Puzzle, usual: bool) -> tuple[LevelName, ...]:
    """The levels that puzzles of a shape have, as far as known; `usual` says whether its options are the usual ones.

    `everything` is a blank instance with all optional rules.
    """
    known = REACHED.get(everything.kind, {}).get(f"{len(everything.grid)}x{len(everything.grid[0])}")
    return known if usual and known else possible(everything)


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
