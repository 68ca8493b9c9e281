"""Atoms as instances of user-defined classes, for `Model.read`.

A class is compiled once into a converter, field by field from its annotations. Where the class is immutable (a
NamedTuple, a frozen dataclass), an atom is converted once, and all models share the instance.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import date, time
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from bridge.asp.decode import (
    INFIMUM,
    SUPREMUM,
    Atom,
    Atoms,
    Constant,
    Extreme,
    Function,
    Made,
    String,
    encode,
    term_name,
    written,
)
from bridge.common.rows import field_names, is_record
from bridge.errors import InputError

#: From a term's Python value to that of the annotated type; raises `_Misfit`.
Convert = Callable[[Any], Any]


class _Misfit(Exception):
    """What was expected, and what was there, as text; `path` leads from the field inwards."""

    def __init__(self, expected: str, found: str, path: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.expected, self.found, self.path = expected, found, path

    def inside(self, step: str) -> _Misfit:
        return _Misfit(self.expected, self.found, (step, *self.path))


def table(cls: type, name: str | None, atoms: Atoms) -> Mapping[int, Any]:
    """The instances of a class, by the numbers of their atoms; None for an atom of another predicate."""
    if (instances := atoms.made.get((cls, name))) is None:
        make, predicate = _record(cls), term_name(cls) if name is None else name
        instances = atoms.made[cls, name] = Made(lambda atom: _read(make, predicate, atom), atoms, _immutable(cls))
    return instances


def _read(make: Convert, predicate: str, atom: Atom) -> Any:
    try:
        return make(atom[1]) if atom[0] == predicate else None
    except _Misfit as misfit:
        field = f"the field {'.'.join(misfit.path)} of " if misfit.path else ""
        raise InputError(
            f"{field}{written(atom)} should be {misfit.expected}, not {misfit.found}",
            hint="fix the class, or name another predicate",
        ) from None


def _immutable(cls: type) -> bool:
    """May all models share an instance? Not if it, or one inside it, can be changed."""
    seen: list[Any] = [cls]
    for each in seen:  # grows as it goes: a class may hold others, and itself
        if not issubclass(each, tuple) and not each.__dataclass_params__.frozen:
            return False
        seen += [inner for hint in _fields(each).values() for inner in _records(hint) if inner not in seen]
    return True


def _records(hint: Any) -> list[Any]:
    if isinstance(hint, type) and hint is not Function and is_record(hint):
        return [hint]
    return [record for part in get_args(hint) for record in _records(part)]


@lru_cache(1000)
def _fields(cls: Any) -> dict[str, Any]:
    """The annotations of a class by field, those that its constructor takes."""
    if not isinstance(cls, type) or not is_record(cls):
        raise InputError(f"{cls!r} is not a dataclass or NamedTuple", hint="give a class with annotated fields")
    try:
        hints = get_type_hints(cls)
    except NameError as error:
        raise InputError(
            f"an annotation of {cls.__name__} cannot be read: {error}", hint="define what it names at module level"
        ) from None
    return {name: hints.get(name, Any) for name in field_names(cls)}


@lru_cache(1000)
def _record(cls: Any) -> Convert:
    """From a tuple of arguments to an instance."""
    hints = _fields(cls)
    converters = [(name, _converter(hint, f"{cls.__name__}.{name}")) for name, hint in hints.items()]
    size = len(converters)
    keywords = is_dataclass(cls) and any(field.kw_only for field in fields(cls))

    def make(arguments: tuple[Any, ...]) -> Any:
        if len(arguments) != size:
            raise _Misfit(f"of {size} arguments, as {cls.__name__} is", f"{len(arguments)}")
        values = []
        for (name, convert), argument in zip(converters, arguments, strict=True):
            try:
                values.append(convert(argument))
            except _Misfit as misfit:
                raise misfit.inside(name) from None
        return cls(**dict(zip(hints, values, strict=True))) if keywords else cls(*values)

    return make


def _converter(hint: Any, where: str) -> Convert:
    origin = get_origin(hint)
    if hint is Any or hint is object:
        return lambda value: value
    if hint is str:
        return _checked(_WORDS[str], lambda value: type(value) is String, str)
    if hint in _WORDS:  # by type, not isinstance: a Constant is a str, and a Function a tuple
        return _checked(_WORDS[hint], lambda value: type(value) is hint)
    if origin in (Union, types.UnionType):
        return _either([_converter(part, where) for part in get_args(hint)], _shown(hint))
    if origin is Annotated:
        return _converter(get_args(hint)[0], where)
    if hint is tuple:
        return _checked("a tuple", lambda value: type(value) is tuple)
    if origin is tuple:
        return _tuple(hint, where)
    if isinstance(hint, type) and is_record(hint):
        return _nested(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _made(hint, hint, (Constant, String, int))
    if isinstance(hint, type) and issubclass(hint, date | time):
        return _made(hint.fromisoformat, hint, (String,))
    raise InputError(
        f"{where} is annotated {_shown(hint)}, which no term of clingo is",
        hint="use int, str, Constant, Function, Extreme, an Enum, a date, tuple[...], a dataclass, a union, Any",
    )


_WORDS: dict[Any, str] = {
    int: "an integer",
    str: "a quoted string",
    Constant: "a constant",
    Function: "a compound term",
    Extreme: f"{INFIMUM.value} or {SUPREMUM.value}",
}


def _made(make: Callable[[Any], Any], hint: type, of: tuple[type, ...]) -> Convert:
    """Made of a value of one of these types, a constant as its name."""

    def convert(value: Any) -> Any:
        if type(value) in of:
            with suppress(ValueError):
                return make(str(value) if isinstance(value, str) else value)
        raise _Misfit(f"a {hint.__name__}", encode(value))

    return convert


def _checked(words: str, fits: Callable[[Any], bool], make: Convert = lambda value: value) -> Convert:
    """Made of a value that fits."""

    def convert(value: Any) -> Any:
        if not fits(value):
            raise _Misfit(words, encode(value))
        return make(value)

    return convert


def _either(converters: list[Convert], words: str) -> Convert:
    def convert(value: Any) -> Any:
        for one in converters:
            try:
                return one(value)
            except _Misfit:
                continue
        raise _Misfit(words, encode(value))

    return convert


def _tuple(hint: Any, where: str) -> Convert:
    parts = get_args(hint)
    endless = len(parts) == 2 and parts[1] is ...
    converters = [_converter(part, where) for part in (parts[:1] if endless else parts)]

    def fits(value: Any) -> bool:
        return type(value) is tuple and (endless or len(value) == len(converters))

    def make(value: Any) -> Any:
        pairs = zip(converters * len(value) if endless else converters, value, strict=True)
        return tuple([one(each) for one, each in pairs])

    return _checked(_shown(hint), fits, make)


def _nested(cls: Any) -> Convert:
    name = term_name(cls)

    def convert(value: Any) -> Any:
        if type(value) is Constant and value == name:  # a class without fields is a constant
            return _record(cls)(())
        if type(value) is not Function or value.name != name or not value.positive:
            raise _Misfit(f"a compound term {name}(...)", encode(value))
        return _record(cls)(value.arguments)

    return convert


def _shown(hint: Any) -> str:
    if get_origin(hint) is None and hint in _WORDS:
        return _WORDS[hint]
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(_shown(part) for part in get_args(hint))
    return hint.__name__ if isinstance(hint, type) and get_origin(hint) is None else str(hint).replace("typing.", "")
