"""The engines, by name.

    >>> engine("asp").description
    'clingo: answer set programming, conflict-driven'
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bridge.engines.engine import MEANINGS, Ability, Engine
from bridge.errors import BridgeError, InputError


def _asp() -> Engine:
    from bridge.engines.asp import Asp

    return Asp()


def _clpfd() -> Engine:
    from bridge.engines.clpfd import Clpfd

    return Clpfd()


def _auto() -> Engine:
    from bridge.engines.auto import Auto

    return Auto(engine)


#: Engines with a fixed name, imported on first use, because each imports its solver.
_ENGINES: dict[str, Callable[[], Engine]] = {"asp": _asp, "clpfd": _clpfd, "auto": _auto}

#: The imperative engines that are listed; every other combination of their words is an engine too.
IMPERATIVE = (
    "bt", "bt+mrv", "fc", "fc+mrv", "mac", "mac+mrv", "mac+mrv+degree", "mac+mrv+degree+lcv", "mac+mrv+wdeg",
    "mac+mrv+wdeg+lcv+restarts", "gac+mrv+degree", "gac+mrv+wdeg",
)  # fmt: skip

#: The state-space engines that are listed; `+fc` goes with each, `+fit` with greedy and astar.
STATE_SPACE = ("bfs", "dfs", "dfs+fc", "greedy", "astar", "astar+fc", "astar+fit")

#: The names that `lpbridge engines` lists.
NAMES = (*_ENGINES, *IMPERATIVE, *STATE_SPACE)


@cache
def engine(name: str) -> Engine:
    """The engine with a name.

    Raises
    ------
    InputError
        Listing the names there are.
    """
    if name in _ENGINES:
        return _ENGINES[name]()
    from bridge.engines.imperative import imperative
    from bridge.engines.statespace import statespace

    try:
        return statespace(name) if name.split("+")[0] in STATE_SPACE else imperative(name)
    except BridgeError:
        hint = (
            f"one of: {', '.join(_ENGINES)}, or bt, fc, mac, gac followed by +mrv, +degree, "
            "+wdeg, +lcv, +restarts, or bfs, dfs, greedy, astar followed by +fc, or greedy, astar by +fit"
        )
        raise InputError(f"there is no engine {name!r}", hint=hint) from None


__all__ = ["IMPERATIVE", "MEANINGS", "NAMES", "STATE_SPACE", "Ability", "Engine", "engine"]
