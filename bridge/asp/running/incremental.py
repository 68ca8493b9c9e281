"""The incremental mode: `#include <incmode>.`

clingo's own program then grounds and solves in steps t = 0, 1, 2, ... until it finds an answer set. Step 0 grounds the
parts `base` and `check(0)`, each later one `check(t)` and `step(t)`; the external `query(t)` is true in step t alone.
The constants `imin` and `imax` say how many steps there are at least and at most, `istop` on which result to stop:
`"SAT"`, `"UNSAT"` or `"UNKNOWN"`. The Python package parses the directive and leaves it at that; so the loop is here.
"""

from __future__ import annotations

from collections.abc import Callable

import clingo
from clingo.symbol import Function, Number, SymbolType

from bridge.asp.internals import observed
from bridge.asp.types import Part


class Steps:
    """The steps of one run: which is next, and whether there is one."""

    def __init__(self, control: clingo.Control) -> None:
        self._control = control
        control.add("check", ["t"], "#external query(t).")
        self._least = self._number("imin", 0)
        self._most = self._number("imax", None)
        stop = control.get_const("istop")
        is_name = stop is not None and stop.type in (SymbolType.Function, SymbolType.String)
        self._stop = (stop.name if stop.type is SymbolType.Function else stop.string) if stop and is_name else "SAT"
        self.taken = 0

    def _number(self, name: str, default: int | None) -> int | None:
        value = self._control.get_const(name)
        return value.number if value is not None and value.type is SymbolType.Number else default

    def more(self, satisfiable: bool | None) -> bool:
        """Is there another step after one with this result?"""
        if self._most is not None and self.taken >= self._most:
            return False
        if self.taken == 0 or self.taken < (self._least or 0):
            return True
        return {"SAT": True, "UNSAT": False, "UNKNOWN": None}.get(self._stop, ...) is not satisfiable

    def ground_next(self, ground: Callable[[list[Part]], None]) -> None:
        """Take the next step up to where it can be solved."""
        step, here = self.taken, (str(self.taken),)
        if step:
            with observed(self._control):
                self._control.release_external(Function("query", [Number(step - 1)]))
            self._control.cleanup()
        ground([("check", here), ("step", here) if step else ("base", ())])
        with observed(self._control):
            self._control.assign_external(Function("query", [Number(step)]), True)
        self.taken = step + 1
