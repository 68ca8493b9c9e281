"""clingo's own terms and atoms, decoded. Models share them: an atom is decoded once, until the tables are full.

The tables hold at most `MOST` entries each, and are then begun anew. They can be emptied at any time, and no model is
harmed: what it needs is decoded again. (clingo itself frees no symbol in the life of a process: a program in a process
of its own leaves nothing behind.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from clingo.symbol import Symbol, SymbolType

from bridge.asp import internals
from bridge.asp.decode import BARE, INFIMUM, SUPREMUM, Atom, Atoms, Constant, Function, String
from bridge.errors import ProgramError

#: So many terms, and so many atoms, are kept decoded.
MOST = 1_000_000


class _Terms(dict[int, Any]):
    """What stands in atoms, by the numbers of clingo's symbols: few terms, and in very many atoms."""

    __slots__ = ()

    def __missing__(self, number: int) -> Any:
        if len(self) >= MOST:
            self.clear()
        try:
            value = self[number] = self._value(number)
        except RecursionError:
            raise ProgramError(
                "a term of an answer is nested too deeply to be a Python value", hint="show less of it (#show)"
            ) from None
        return value

    def _value(self, number: int) -> Any:
        symbol = internals.symbol_of(number)
        kind = symbol.type
        if kind is SymbolType.Number:
            return symbol.number
        if kind is SymbolType.String:
            return String(symbol.string)
        if kind is not SymbolType.Function:
            return INFIMUM if kind is SymbolType.Infimum else SUPREMUM
        (numbers,) = internals.arguments((number,))
        arguments, name = tuple([self[one] for one in numbers]), symbol.name
        if not name:
            return arguments
        positive = symbol.positive
        return Constant(name) if not arguments and positive else Function(name, arguments, positive)


#: The terms that stand in atoms.
terms = _Terms()


def value_of(symbol: Symbol) -> Any:
    (number,) = internals.ids_of((symbol,))
    return terms[number]


def arguments_of(numbers: Iterable[int]) -> Iterator[tuple[Any, ...]]:
    """The arguments of each of some atoms, given as the numbers of their symbols."""
    value = terms.__getitem__
    return (tuple(map(value, arguments)) for arguments in internals.arguments(numbers))


class _ClingoAtoms(Atoms):
    """The numbers are those of clingo's symbols in this process; filled as atoms turn up."""

    __slots__ = ()

    def __missing__(self, number: int) -> Atom:
        if len(self) >= MOST:
            self.clear()
        symbol = internals.symbol_of(number)
        if symbol.type is SymbolType.Function:
            name, (arguments,) = symbol.name, internals.arguments((number,))
            atom = (name if symbol.positive else f"-{name}", tuple([terms[argument] for argument in arguments]))
        else:
            atom = (BARE, (terms[number],))
        self[number] = atom
        return atom


#: The atoms of this process.
atoms = _ClingoAtoms()


class _Texts(dict[int, str]):
    """What clingo prints for its symbols, by their numbers."""

    __slots__ = ()

    def __missing__(self, number: int) -> str:
        if len(self) >= MOST:
            self.clear()
        text = self[number] = str(internals.symbol_of(number))
        return text


#: The atoms and terms of answer sets that are only printed.
texts = _Texts()
