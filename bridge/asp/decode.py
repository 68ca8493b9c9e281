"""clingo's terms as Python values.

| clingo                    | Python                                                    |
|---------------------------|-----------------------------------------------------------|
| `42`                      | `int`                                                     |
| `"text"`                  | `str`                                                     |
| `abc`                     | `Constant("abc")`, a `str` that is told apart by its type |
| `(1, a)`                  | `tuple`                                                   |
| `f(1, a)`, `-f(1)`        | `Function("f", (1, a))`, `Function("f", (1,), False)`     |
| `#inf`, `#sup`            | `INFIMUM`, `SUPREMUM`                                     |

A dataclass or NamedTuple of your own goes in as a `Function`, named as the class is: `Queen(1, 5)` is `queen(1,5)`. It
comes back by `Model.read` (see `typed`).

This module needs no clingo: a program may run in another process (`symbols` reads clingo's own terms).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, NamedTuple, TypeVar

from bridge.errors import InputError

T = TypeVar("T")

#: The integers that clingo can hold: 32 bits.
SMALLEST, LARGEST = -(2**31), 2**31 - 1


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


_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*\Z")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


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
        if not SMALLEST <= value <= LARGEST:
            shown = value if abs(value) < 10**40 else f"an integer of {value.bit_length():,} bits"
            raise InputError(f"{shown} does not fit in clingo's 32-bit integers", hint="scale it down")
        return str(int(value))
    if isinstance(value, Constant):
        if not _NAME.match(value):
            raise InputError(f"{str(value)!r} is not the name of a constant", hint="pass it as text")
        return str(value)
    if isinstance(value, str):
        if "\0" in value:
            raise InputError(f"{value!r} holds a NUL character, which ends a text in clingo", hint="leave it out")
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, Extreme):
        return value.value
    if isinstance(value, Function):
        sign = "" if value.positive else "-"
        if not _NAME.match(value.name):
            raise InputError(f"{value.name!r} is not the name of a function", hint="it begins with a small letter")
        return sign + compound(value.name, value.arguments)
    cls: Any = type(value)
    if is_record(cls):
        return compound(term_name(cls), [getattr(value, name) for name in field_names(cls)])
    if isinstance(value, tuple):
        inner = ",".join(map(encode, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    raise InputError(f"{value!r} is not a term of clingo", hint="use int, str, Constant, tuple or Function")


def compound(name: str, arguments: Iterable[Any]) -> str:
    """`name(arguments)`, or the name alone."""
    inner = ",".join(map(encode, arguments))
    return f"{name}({inner})" if inner else name


@cache
def is_record(cls: Any) -> bool:
    """Is this a dataclass or a NamedTuple, which stands for a compound term?"""
    return is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))


@cache
def field_names(cls: Any) -> tuple[str, ...]:
    """The fields of such a class that its constructor takes: the arguments of the term."""
    if is_dataclass(cls):
        return tuple([field.name for field in fields(cls) if field.init])
    return tuple(cls._fields)


@cache
def term_name(cls: Any) -> str:
    """The name that a class has in a program: its own in snake_case."""
    name = _HUMP.sub("_", cls.__name__).lower()
    if not _NAME.match(name):
        raise InputError(f"the class {cls.__name__} gives no name of a predicate", hint="rename it, or pass the name")
    return name


def facts(of: str | Iterable[Any], rows: Iterable[Sequence[Any]] | None = None) -> str:
    """Facts as text, one `name(arguments).` a row. Text is the fastest way into clingo.

        >>> facts("queen", [(1, 5), (2, 3)])
        'queen(1,5).\\nqueen(2,3).\\n'

    `facts(objects)` takes instances of dataclasses and NamedTuples, which know their predicate themselves.
    """
    if isinstance(of, str):
        if rows is None:
            raise InputError(f"the facts of {of!r} are missing", hint="facts(name, rows), or facts(objects)")
        if not _NAME.match(of.removeprefix("-")):
            raise InputError(f"{of!r} is not the name of a predicate", hint="it begins with a small letter")
        return "".join([f"{of}({','.join(map(encode, row))}).\n" if row else f"{of}.\n" for row in rows])
    if rows is not None:
        raise InputError("rows need the name of their predicate", hint="facts(name, rows), or facts(objects)")
    lines = []
    for each in of:
        cls: Any = type(each)
        if not is_record(cls):
            raise InputError(f"{each!r} is no dataclass, NamedTuple or Function", hint="or give a name and rows")
        lines.append(f"{encode(each)}.\n")
    return "".join(lines)


Atom = tuple[str, tuple[Any, ...]]

#: The name of what is shown but is no atom (`#show 5.`): numbers, strings, `#inf`, `#sup`. Tuples have the name "".
BARE = "#"


def written(atom: Atom) -> str:
    """An atom as clingo writes it."""
    name, arguments = atom
    if name == BARE:
        return encode(arguments[0])
    return compound(name, arguments) if name else encode(arguments)


class Atoms(dict[int, Atom]):
    """From an atom's number to its predicate name and arguments, and beside it what `Model.read` made of it."""

    __slots__ = ("typed",)

    def __init__(self) -> None:
        super().__init__()
        self.typed: dict[tuple[type, str | None], Mapping[int, Any]] = {}


class Model(Mapping[str, list[tuple[Any, ...]]]):
    """An answer set, or the part of it that is shown: by predicate name, a list of argument tuples.

        >>> model["queen"]
        [(1, 5), (2, 3)]

    A predicate that holds of nothing gives the empty list. A name with a minus sign, `model["-queen"]`, holds the
    classically negated atoms; terms shown without a name stand under `""`. `str(model)` is what clingo prints.
    The model is a value of its own: it stays when the search goes on, and when the program is closed.

    Attributes
    ----------
    cost
        What `optimal` minimises, by priority, the highest first; empty otherwise.
    priorities
        The priorities that the numbers of `cost` belong to.
    proved
        True when `optimal` has proved that no answer set costs less.
    """

    __slots__ = ("_atoms", "_groups", "_ids", "cost", "priorities", "proved")

    def __init__(
        self,
        ids: Sequence[int],
        atoms: Atoms,
        cost: tuple[int, ...] = (),
        priorities: tuple[int, ...] = (),
        proved: bool = False,
    ) -> None:
        self._ids = ids
        self._atoms = atoms
        self._groups: dict[str, list[tuple[Any, ...]]] | None = None
        self.cost = cost
        self.priorities = priorities
        self.proved = proved

    def _decoded(self) -> list[Atom]:
        return list(map(self._atoms.__getitem__, self._ids))

    def _by_name(self) -> dict[str, list[tuple[Any, ...]]]:
        if self._groups is None:
            groups: dict[str, list[tuple[Any, ...]]] = {}
            atoms = self._decoded()
            if len(dict(atoms)) == 1:  # one predicate, as in most puzzles: three times faster
                groups[atoms[0][0]] = [arguments for _, arguments in atoms]
                atoms = []
            for name, arguments in atoms:
                if name in groups:
                    groups[name].append(arguments)
                else:
                    groups[name] = [arguments]
            if BARE in groups:
                groups[""] = groups.pop(BARE) + groups.get("", [])
            self._groups = groups
        return self._groups

    def read(self, cls: type[T], name: str | None = None) -> list[T]:
        """The atoms of a predicate as instances of a dataclass or NamedTuple, checked against its annotations.

            >>> class Queen(NamedTuple):
            ...     row: int
            ...     column: int
            >>> model.read(Queen)
            [Queen(row=1, column=5), Queen(row=2, column=3)]

        Parameters
        ----------
        cls
            Its fields are the atom's arguments, in this order. Annotations: `int`, `str` (a quoted string), `Constant`,
            `Function`, `Extreme`, `tuple[...]`, other such classes (for compound terms), unions, `Any`.
        name
            The predicate; without it the name of the class in snake_case.

        Raises
        ------
        InputError
            For an atom that does not fit: which, in which field, and what was expected.
        """
        from bridge.asp.typed import table  # here: most programs never ask

        instances = table(cls, name, self._atoms)
        return [found for found in map(instances.__getitem__, self._ids) if found is not None]

    def through(self, table: Mapping[int, T]) -> Iterator[T]:
        """What a table has for the number of each shown atom: for who reads very many models, and keeps the table."""
        return map(table.__getitem__, self._ids)

    def __getitem__(self, name: str) -> list[tuple[Any, ...]]:
        return self._by_name().get(name, [])

    def __contains__(self, name: object) -> bool:
        return name in self._by_name()  # Mapping's own asks for a KeyError, which there is none of

    def get(self, name: str, default: Any = None) -> Any:
        return self._by_name().get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name())

    def __len__(self) -> int:
        return len(self._by_name())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        if self._atoms is other._atoms:
            return set(self._ids) == set(other._ids)
        return set(map(written, self._decoded())) == set(map(written, other._decoded()))

    def __hash__(self) -> int:
        return hash(frozenset(self._decoded()))

    def __str__(self) -> str:
        return " ".join(map(written, self._decoded()))

    def __repr__(self) -> str:
        return f"<Model {self}>"
