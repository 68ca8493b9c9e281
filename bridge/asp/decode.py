"""clingo's terms as Python values.

| clingo                    | Python                                                    |
|---------------------------|-----------------------------------------------------------|
| `42`                      | `int`                                                     |
| `"text"`                  | `str`                                                     |
| `abc`                     | `Constant("abc")`, a `str` of another type                 |
| `(1, a)`                  | `tuple`                                                   |
| `f(1, a)`, `-f(1)`        | `Function("f", (1, a))`, `Function("f", (1,), False)`     |
| `#inf`, `#sup`            | `INFIMUM`, `SUPREMUM`                                     |

A dataclass or NamedTuple of your own goes in as a `Function`, named as the class is: `Queen(1, 5)` is `queen(1,5)`. A
member of an Enum is its value, a constant where that is the name of one, and a date or time its text in the form of ISO
8601. They come back by `Model.read` (see `model` and `typed`).

This module needs no clingo: a program may run in another process (`symbols` reads clingo's own terms).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from bridge.common.lazy import regex
from bridge.common.rows import Rows, field_names, is_record, items_of, table_of
from bridge.common.texts import Name, Quoted
from bridge.errors import InputError, brief
from bridge.public import public

#: The integers that clingo can hold: 32 bits.
SMALLEST, LARGEST = -(2**31), 2**31 - 1


@public("bridge.asp")
class Constant(Name):
    """A constant such as `red`: equal to the text of its name, but not of type `str` itself, and to no `String`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Constant({str(self)!r})"


@public("bridge.asp")
class String(Quoted):
    """A string of an answer, such as `"red"`: equal to its text, and not to the constant of that name."""

    __slots__ = ()


@public("bridge.asp")
class Function(NamedTuple):
    """A term `name(arguments)`; `positive` is False for a classically negated one, `-name(arguments)`."""

    name: str
    arguments: tuple[Any, ...]
    positive: bool = True

    def __str__(self) -> str:
        return encode(self)


@public("bridge.asp")
class Extreme(Enum):
    """The least and the greatest term of all."""

    INFIMUM = "#inf"
    SUPREMUM = "#sup"


INFIMUM, SUPREMUM = Extreme.INFIMUM, Extreme.SUPREMUM


_NAME = regex(r"(?!not\Z)[_']*[a-z][A-Za-z0-9_']*\Z")
#: Of so many classes it is kept how their instances are written.
_CLASSES = 1000
#: What a string of clingo cannot hold.
_NO_TEXT = regex("[\0\ud800-\udfff]")
#: What to use for values that are often tried.
_INSTEAD: dict[type, str] = {
    float: "clingo has integers only: scale it, or pass it as text",
    type(None): "leave it out, or use Constant('none')",
    list: "make it a tuple",
}
_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def is_name(text: str) -> bool:
    """May this be the name of a predicate, a function or a constant?"""
    return _NAME.match(text) is not None


def is_integer(value: Any) -> bool:
    """Is it an integer, perhaps one of NumPy's?"""
    if isinstance(value, int | str | tuple):  # most of all
        return isinstance(value, int)
    from numbers import Integral

    return isinstance(value, Integral)


@public("bridge.asp")
def encode(value: Any) -> str:
    """A Python value as clingo would write it; the inverse of `value_of`.

    NumPy's integers, members of an Enum, dates and clingo's own symbols are terms, too.

    Raises
    ------
    InputError
        For an integer outside 32 bits (clingo silently wraps it around), or a value that is not a term.
    """
    try:
        return _encode(value)
    except RecursionError:
        raise InputError("a term is nested too deeply", hint="keep it below some hundred levels") from None


def _encode(value: Any) -> str:
    if type(value) is int and SMALLEST <= value <= LARGEST:  # most of all
        return str(value)
    if type(value) is Constant and is_name(value):
        return str.__str__(value)
    if isinstance(value, bool):
        raise InputError(f"{value} is not a term of clingo", hint="use an integer or a constant")
    if is_integer(value):
        number = int(value)
        if not SMALLEST <= number <= LARGEST:
            shown = number if abs(number) < 10**40 else f"an integer of {number.bit_length():,} bits"
            raise InputError(f"{shown} does not fit in clingo's 32-bit integers", hint="scale it down")
        return str(number)
    if isinstance(value, Extreme):
        return value.value
    if isinstance(value, Enum):
        of = value.value
        return str.__str__(of) if isinstance(of, str) and is_name(of) else _encode(of)
    if isinstance(value, Constant):
        if not is_name(value):
            raise InputError(f"{str(value)!r} is not the name of a constant", hint="pass it as text")
        return str(value)
    if isinstance(value, str):
        if (wrong := _NO_TEXT.search(value)) is not None:
            what = "a NUL character, which ends a text in clingo" if wrong[0] == "\0" else "half of a surrogate pair"
            raise InputError(f"{brief(value)} holds {what}", hint="leave it out")
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, Function):
        sign = "" if value.positive else "-"
        if not isinstance(value.name, str) or not is_name(value.name):
            raise InputError(f"{value.name!r} is not the name of a function", hint="it begins with a small letter")
        if not isinstance(value.arguments, tuple | list):
            message = f"{brief(value.arguments)} is not a tuple of arguments of {value.name}"
            raise InputError(message, hint='write it as in Function("f", (1,))')
        return sign + compound(value.name, value.arguments)
    cls: Any = type(value)
    if is_record(cls):
        return compound(term_name(cls), [getattr(value, name) for name in field_names(cls)])
    if isinstance(value, tuple):
        inner = ",".join(map(_encode, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if _is_symbol(cls):
        return str(value)
    if isinstance(value, date | time):
        return f'"{value.isoformat()}"'
    raise InputError(
        f"{brief(value)} is not a term of clingo", hint=_INSTEAD.get(cls, "use int, str, Constant, tuple or Function")
    )


def _is_symbol(cls: type) -> bool:
    """Is this `clingo.Symbol`? Told by its name: this module needs no clingo."""
    return (cls.__module__, cls.__name__) == ("clingo.symbol", "Symbol")


def _is_one(value: Any) -> bool:
    """Is it a term, and not a row of them?"""
    return isinstance(value, str | Function) or _is_symbol(type(value))


def compound(name: str, arguments: Iterable[Any]) -> str:
    """`name(arguments)`, or the name alone."""
    inner = ",".join(map(_encode, arguments))
    return f"{name}({inner})" if inner else name


@lru_cache(_CLASSES)
def term_name(cls: Any) -> str:
    """The name that a class has in a program: its own in snake_case."""
    name = _HUMP.sub("_", cls.__name__).lower()
    if not is_name(name):
        raise InputError(f"the class {cls.__name__} gives no name of a predicate", hint="rename it, or pass the name")
    return name


@public("bridge.asp")
def facts(
    of: str | Iterable[Any],
    rows: Iterable[Any] | None = None,
    *,
    columns: Mapping[str, Callable[[Any], Any]] | None = None,
) -> str:
    """Facts as text, one `name(arguments).` a row. Text is the fastest way into clingo.

        >>> facts("queen", [(1, 5), (2, 3)])
        'queen(1,5).\\nqueen(2,3).\\n'
        >>> facts("node", ["ab", 7])
        'node("ab").\\nnode(7).\\n'

    Parameters
    ----------
    of
        The name of the predicate; or instances of dataclasses and NamedTuples, `Function`s and clingo's symbols, which
        know their predicate themselves.
    rows
        A fact each: a tuple or another sequence holds its arguments, a dataclass or NamedTuple does so in its fields,
        and any other value (a string, an integer, a `Function`) is the one argument. Or a table of pandas, Polars or
        PyArrow: a fact for each row, its arguments in the order of the columns (the index of pandas is not one).
    columns
        Of a table, functions for the values of some columns, by their names: `{"city": Constant}` makes constants of
        what would be strings.

    Raises
    ------
    InputError
        A column of `columns` is not in the table.
        With the index of the item that is not a row, or holds no term, and its column in a table; for a mapping, a
        string or a single row in place of the rows.
    """
    if not isinstance(of, str):
        if rows is not None:
            raise InputError("rows need the name of their predicate", hint="facts(name, rows), or facts(objects)")
        if table_of(of) is not None:
            raise InputError("a table does not name its predicate", hint="facts(name, table)")
        return "".join([_fact(index, each) for index, each in enumerate(items_of(of, "objects", _is_one))])
    if rows is None:
        raise InputError(f"the facts of {of!r} are missing", hint="facts(name, rows), or facts(objects)")
    if not is_name(of.removeprefix("-")):
        raise InputError(f"{of!r} is not the name of a predicate", hint="it begins with a small letter")
    lines = []
    for row in Rows(rows, columns, _encode, _is_one, "a term of clingo"):
        inner = ",".join(row)
        lines.append(f"{of}({inner}).\n" if inner else f"{of}.\n")
    return "".join(lines)


def _fact(index: int, each: Any) -> str:
    cls: Any = type(each)
    if not is_record(cls) and not (_is_symbol(cls) and each.type.name == "Function" and each.name):
        message = f"objects[{index}]: {brief(each)} is not a dataclass, NamedTuple or Function"
        raise InputError(message, hint="or give a name and rows")
    try:
        return f"{encode(each)}.\n"
    except InputError as error:
        raise InputError(f"objects[{index}]: {error.message}", hint=error.hint) from None


Atom = tuple[str, tuple[Any, ...]]

#: The name of what is shown but is not an atom (`#show 5.`): numbers, strings, `#inf`, `#sup`. Tuples have the name "".
BARE = "#"


def written(atom: Atom) -> str:
    """An atom as clingo writes it."""
    name, arguments = atom
    if name == BARE:
        return encode(arguments[0])
    return compound(name, arguments) if name else encode(arguments)


class Atoms(dict[int, Atom]):
    """From an atom's number to its predicate name and arguments, and beside it what readers of models made of it."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        super().__init__()
        self.made: dict[Any, Made] = {}

    def clear(self) -> None:
        super().clear()
        self.made.clear()


class Made(dict[int, Any]):
    """What a function makes of atoms, by their numbers. Filled as atoms turn up; without `keep`, by None alone."""

    def __init__(self, make: Callable[[Atom], Any], atoms: Atoms, keep: bool = True) -> None:
        super().__init__()
        self._make, self._atoms, self._keep = make, atoms, keep

    def __missing__(self, number: int) -> Any:
        found = self._make(self._atoms[number])
        if self._keep or found is None:
            self[number] = found
        return found
