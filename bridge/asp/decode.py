"""clingo's terms as Python values.

| clingo                    | Python                                                    |
|---------------------------|-----------------------------------------------------------|
| `42`                      | `int`                                                     |
| `"text"`                  | `str`                                                     |
| `abc`                     | `Constant("abc")`, a `str` that is told apart by its type |
| `(1, a)`                  | `tuple`                                                   |
| `f(1, a)`, `-f(1)`        | `Function("f", (1, a))`, `Function("f", (1,), False)`     |
| `#inf`, `#sup`            | `INFIMUM`, `SUPREMUM`                                     |

An atom is decoded once in the life of the process: models share what they contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from clingo.symbol import Symbol, SymbolType

from bridge.asp import _cffi
from bridge.errors import InputError


class Constant(str):
    """A constant such as `red`: equal to the text of its name, but not of type `str` itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Constant({str(self)!r})"


class Function(NamedTuple):
    """A term `name(arguments)`; `positive` is False for a classically negated one, `-name(arguments)`."""

    name: str
    arguments: tuple[Any, ...]
    positive: bool = True

    def __str__(self) -> str:
        return encode(self)


class Extreme(Enum):
    """The least and the greatest term of all."""

    INFIMUM = "#inf"
    SUPREMUM = "#sup"


INFIMUM, SUPREMUM = Extreme.INFIMUM, Extreme.SUPREMUM


def value_of(symbol: Symbol) -> Any:
    """One term as a Python value; see the table above."""
    kind = symbol.type
    if kind is SymbolType.Number:
        return symbol.number
    if kind is SymbolType.String:
        return symbol.string
    if kind is SymbolType.Infimum:
        return INFIMUM
    if kind is SymbolType.Supremum:
        return SUPREMUM
    arguments = tuple(value_of(argument) for argument in symbol.arguments)
    if not symbol.name:
        return arguments
    if not arguments and symbol.positive:
        return Constant(symbol.name)
    return Function(symbol.name, arguments, symbol.positive)


_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*\Z")


def encode(value: Any) -> str:
    """A Python value as clingo would write it; the inverse of `value_of`.

    Raises
    ------
    InputError
        For an integer outside 32 bits (clingo would wrap it without a word), or a value that is no term.
    """
    if isinstance(value, bool):
        raise InputError(f"{value} is not a term of clingo", hint="use an integer or a constant")
    if isinstance(value, int):
        if not -(2**31) <= value < 2**31:
            raise InputError(f"{value} does not fit in clingo's 32-bit integers", hint="scale it down")
        return str(value)
    if isinstance(value, Constant):
        if not _NAME.match(value):
            raise InputError(f"{str(value)!r} is not the name of a constant", hint="pass it as text")
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, Extreme):
        return value.value
    if isinstance(value, Function):
        inner = ",".join(map(encode, value.arguments))
        return ("" if value.positive else "-") + value.name + (f"({inner})" if inner else "")
    if isinstance(value, tuple):
        inner = ",".join(map(encode, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    raise InputError(f"{value!r} is not a term of clingo", hint="use int, str, Constant, tuple or Function")


def facts(name: str, rows: Sequence[tuple[Any, ...]] | Iterator[tuple[Any, ...]]) -> str:
    """Facts as text, one `name(arguments).` a row. Text is the fastest way into clingo."""
    return "".join(f"{name}({','.join(map(encode, row))}).\n" if row else f"{name}.\n" for row in rows)


class _Atoms(dict[int, tuple[str, tuple[Any, ...]]]):
    """From a symbol's number to its predicate name and arguments; filled as atoms turn up."""

    def __missing__(self, number: int) -> tuple[str, tuple[Any, ...]]:
        symbol = _cffi.symbol_of(number)
        if symbol.type is SymbolType.Function:
            arguments = tuple(value_of(argument) for argument in symbol.arguments)
            atom = (symbol.name if symbol.positive else f"-{symbol.name}", arguments)
        else:
            atom = ("", (value_of(symbol),))
        self[number] = atom
        return atom


atoms = _Atoms()


class Model(Mapping[str, list[tuple[Any, ...]]]):
    """An answer set, or the part of it that is shown: by predicate name, a list of argument tuples.

        >>> model["queen"]
        [(1, 5), (2, 3)]

    A predicate that holds of nothing gives the empty list. A name with a minus sign, `model["-queen"]`, holds the
    classically negated atoms; terms shown without a name stand under `""`. `str(model)` is what clingo prints.
    The model is a value of its own: it stays when the search goes on, and when the program is closed.
    """

    __slots__ = ("_groups", "_ids", "cost")

    def __init__(self, ids: Sequence[int], cost: tuple[int, ...] = ()) -> None:
        self._ids = ids
        self._groups: dict[str, list[tuple[Any, ...]]] | None = None
        self.cost = cost

    def _by_name(self) -> dict[str, list[tuple[Any, ...]]]:
        if self._groups is None:
            groups: dict[str, list[tuple[Any, ...]]] = {}
            for name, arguments in map(atoms.__getitem__, self._ids):
                if name in groups:
                    groups[name].append(arguments)
                else:
                    groups[name] = [arguments]
            self._groups = groups
        return self._groups

    def __getitem__(self, name: str) -> list[tuple[Any, ...]]:
        return self._by_name().get(name, [])

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name())

    def __len__(self) -> int:
        return len(self._by_name())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Model):
            return set(self._ids) == set(other._ids)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._ids))

    def __str__(self) -> str:
        return " ".join(str(_cffi.symbol_of(number)) for number in self._ids)

    def __repr__(self) -> str:
        return f"<Model {self}>"
