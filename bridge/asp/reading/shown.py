"""What a program shows, to tell answer sets apart by it where names begin with `_`.

clasp's projection on what is shown leaves such names out: `{ _a(1..3) } = 1.` then has one answer set. What is shown is
therefore projected on explicitly, as `#project` statements would do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import clingo

from bridge.asp.reading.source import with_included
from bridge.common.lazy import regex
from bridge.errors import UnsupportedError

#: A name that begins with `_`; and a function that may give one to what is shown.
_NAME = regex(r"(?<![\w'])_['_]*[^\W\dA-Z_]|#show[^.]*@")


def may_hide(text: str, file: str) -> bool:
    """Whether clasp may leave names of a program, or of what it includes, out of what is shown."""
    return any(_NAME.search(one) is not None for one in with_included(text, file))


class Shown(clingo.Observer):
    """What a Control shows, from when it is registered there. `ignored` is what names of atoms begin with that are not
    shown to anybody.
    """

    def __init__(self, control: clingo.Control, ignored: str) -> None:
        self._control, self._ignored = control, ignored
        self._new: list[Sequence[int]] = []  # the conditions of what is not projected on yet
        self._hides = self._projects = self._projected = self._adding = False
        control.register_observer(self)

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self.output_term(symbol, [atom] if atom else [])

    def output_term(self, symbol: clingo.Symbol, condition: Sequence[int]) -> None:
        if not condition or (symbol.type is clingo.SymbolType.Function and symbol.name.startswith(self._ignored)):
            return
        self._hides = self._hides or str(symbol).startswith("_")
        self._new.append(list(condition))

    def project(self, atoms: Sequence[int]) -> None:
        self._projects = self._projects or not self._adding

    def projection(self, asked: str) -> str:
        """The setting of clasp that does what one asks for: `show`, `project`, or `auto`."""
        if not self._hides:
            return asked
        by_statements = asked == "project" or (asked == "auto" and self._projects)
        if self._projected if by_statements else self._projects:
            hint = "leave out #project, or give what is shown other names"
            raise UnsupportedError("what is shown has names that begin with `_`, beside #project statements", hint=hint)
        if by_statements:
            return asked
        if self._new:
            self._adding = True
            with self._control.backend() as backend:
                backend.add_project([self._atom(backend, condition) for condition in self._new])
            self._adding, self._projected, self._new = False, True, []
        return "project"

    @staticmethod
    def _atom(backend: Any, condition: Sequence[int]) -> int:
        """An atom that is true when some literals are."""
        if len(condition) == 1 and condition[0] > 0:
            return condition[0]
        atom: int = backend.add_atom()
        backend.add_rule([atom], list(condition))
        return atom
