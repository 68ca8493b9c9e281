"""The engine `cp-sat`: the CSP of a puzzle by CP-SAT of OR-Tools (`pip install 'lpbridge[cp]'`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bridge.limits import Limits
from bridge.outcome import Progress
from bridge.puzzles.engines.csp import CSPEngine
from bridge.puzzles.engines.engine import Ability
from bridge.puzzles.engines.posting import solve
from bridge.puzzles.search import CSP


class CpSat(CSPEngine):
    """CP-SAT: lazy clause generation, with one worker."""

    name = "cp-sat"
    description = "CP-SAT of OR-Tools: lazy clause generation, conflict-driven"
    abilities = frozenset({Ability.FIND, Ability.ENUMERATE, Ability.PROVE})
    package = "ortools"

    def assigned(self, csp: CSP, limits: Limits, progress: Progress) -> Iterator[dict[Any, Any]]:
        return solve(csp, limits, progress)
