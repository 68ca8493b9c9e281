"""The engines, by name.

>>> engine("asp").description
'clingo: answer set programming, conflict-driven'
>>> engine("clingo").name
'asp'
"""

from __future__ import annotations

from functools import cache

from bridge.common import load, named_arguments, public
from bridge.errors import BridgeError, InputError, UnsupportedError, brief
from bridge.puzzles.engines.engine import MEANINGS, Ability, Engine

#: The classes of the engines that are not named by their parts. Imported when asked for: each imports its solver.
_ENGINES = {
    "asp": "bridge.puzzles.engines.asp:Asp",
    "clpfd": "bridge.puzzles.engines.clpfd:Clpfd",
    "auto": "bridge.puzzles.engines.auto:Auto",
}

#: Another solver of the CSP of a puzzle: it needs a package that lpbridge does not install by itself.
_OPTIONAL = {"cp-sat": "bridge.puzzles.engines.cpsat:CpSat"}

#: Other names of engines. Results have the name of the engine.
_OTHER_NAMES = {"clingo": "asp", "prolog": "clpfd"}

#: The imperative engines that are listed; every other combination of their words is an engine too.
IMPERATIVE = (
    "bt", "bt+mrv", "fc", "fc+mrv", "mac", "mac+mrv", "mac+mrv+degree", "mac+mrv+degree+lcv", "mac+mrv+wdeg",
    "mac+mrv+wdeg+lcv+restarts", "gac+mrv+degree", "gac+mrv+wdeg",
)  # fmt: skip

#: The state-space engines that are listed; `+fc` goes with each, `+fit` with greedy and astar.
STATE_SPACE = ("bfs", "dfs", "dfs+fc", "greedy", "astar", "astar+fc", "astar+fit")

#: The names that `lpbridge puzzle engines` lists.
NAMES = (*_ENGINES, *IMPERATIVE, *STATE_SPACE, *_OPTIONAL)


@public("bridge.puzzles")
@named_arguments
def engine(name: str) -> Engine:
    """The engine of a name; `clingo` is `asp`, and `prolog` is `clpfd`.

    Raises
    ------
    InputError
        For an unknown name. The hint lists the names.
    """
    if not isinstance(name, str):
        raise InputError(f"{brief(name)} is not a name of an engine", hint=f"some are: {', '.join(NAMES[:6])}")
    return _engine(_OTHER_NAMES.get(name, name))


@cache
def _engine(name: str) -> Engine:
    if name == "auto":
        auto: Engine = load(_ENGINES[name])(engine)
        return auto
    if place := _ENGINES.get(name) or _OPTIONAL.get(name):
        found: Engine = load(place)()
        return found
    from bridge.puzzles.engines.csp import Backtracking
    from bridge.puzzles.engines.statespace import statespace
    from bridge.puzzles.search import Strategy

    try:
        return statespace(name) if name.split("+")[0] in STATE_SPACE else Backtracking(Strategy.parse(name))
    except BridgeError:
        hint = (
            f"one of: {', '.join((*_ENGINES, *_OPTIONAL))} (clingo is asp, prolog is clpfd), "
            "or bt, fc, mac, gac followed by +mrv, +degree, +wdeg, +lcv, +restarts, "
            "or bfs, dfs, greedy, astar followed by +fc, or greedy, astar by +fit"
        )
        raise InputError(f"there is no engine {name!r}", hint=hint) from None


def only_asp(name: str, what: str) -> None:
    """Refuse an engine other than `asp` for what is found by cores of assumptions, which only clingo has.

    Raises
    ------
    UnsupportedError
        For another engine.
    InputError
        For an unknown name.
    """
    if engine(name).name != "asp":
        raise UnsupportedError(f"engine {engine(name).name} has no {what}", hint="asp does, by unsatisfiable cores")


__all__ = ["IMPERATIVE", "MEANINGS", "NAMES", "STATE_SPACE", "Ability", "Engine", "engine", "only_asp"]
