"""Values as plain data for another process, and back, by their types.

    >>> form = form_of(dict[str, frozenset[int]])
    >>> form.write({"a": frozenset([1])}), form.read({"a": [1]})
    ({'a': [1]}, {'a': frozenset({1})})

The types are those of annotations: numbers, texts, `Literal`s, unions with None, collections of such, and dataclasses.
What is read is checked, since the process that sent it may be damaged.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints


class Form(NamedTuple):
    """How values of a type are sent: `write` makes plain data, and `read` is its inverse.

    `read` raises a ValueError or TypeError for what `write` does not make.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    atomic: frozenset[type] = frozenset()  # the types of the plain data, where they are the values themselves


#: Plain data have both.
_ARRAYS = (list, tuple)

#: What makes a collection of an array.
_COLLECTIONS: dict[Any, Callable[[Any], Any]] = {
    list: lambda items: items if type(items) is list else list(items),
    Sequence: lambda items: items,
    tuple: tuple,
    frozenset: frozenset,
}


@lru_cache(1000)
def form_of(hint: Any, anything: Form | None = None) -> Form:
    """The form of a type.

    Parameters
    ----------
    anything
        The form of `Any`. Without it there is none.
    """
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any and anything is not None:
        return anything
    if hint in (int, str, bool, bytes, None, NoneType):
        return _atomic(NoneType if hint is None else hint)
    if hint is float:
        return _atomic(float, int)
    if origin is Literal:
        return Form(_same, lambda data: _checked(data, type(data) is not str or data not in parts))
    if origin in (Union, UnionType):
        return _union([form_of(part, anything) for part in parts if part is not NoneType], NoneType in parts)
    if origin is Annotated:  # a collection of numbers, with the type code of an array
        return Form(lambda items: array(parts[1], items).tobytes(), lambda data: array(parts[1], data))
    if origin is tuple and parts[-1] is not ...:
        return _record([form_of(part, anything) for part in parts], list, tuple)
    if origin in _COLLECTIONS:
        return _collection(form_of(parts[0], anything), _COLLECTIONS[origin], as_it_is=origin in (list, tuple))
    if origin in (dict, Mapping):
        return _mapping(*(form_of(part, anything) for part in parts))
    if is_dataclass(hint):
        make: Any = hint
        hints, names = get_type_hints(hint, include_extras=True), [field.name for field in fields(hint)]
        forms = [form_of(hints[name], anything) for name in names]
        return _record(forms, lambda value: [getattr(value, name) for name in names], lambda parts: make(*parts))
    raise TypeError(f"{hint} has no form as plain data")


def _same(value: Any) -> Any:
    return value


def _checked(data: Any, wrong: bool) -> Any:
    if wrong:
        raise ValueError(f"{type(data).__name__} was not expected")
    return data


def _atomic(*types: type) -> Form:
    return Form(_same, lambda data: _checked(data, type(data) not in types), frozenset(types))


def _union(forms: list[Form], optional: bool) -> Form:
    if all(form.atomic for form in forms):
        return _atomic(*(cls for form in forms for cls in form.atomic), *((NoneType,) if optional else ()))
    (form,) = forms
    return Form(
        lambda value: None if value is None else form.write(value),
        lambda data: None if data is None else form.read(data),
    )


def _record(forms: list[Form], taken: Callable[[Any], list[Any]], build: Callable[[list[Any]], Any]) -> Form:
    atomic = [(number, form.atomic) for number, form in enumerate(forms) if form.atomic]
    others = [(number, form.write, form.read) for number, form in enumerate(forms) if not form.atomic]

    def write(value: Any) -> list[Any]:
        parts = taken(value)
        for number, write, _ in others:
            parts[number] = write(parts[number])
        return parts

    def read(data: Any) -> Any:
        _checked(data, type(data) not in _ARRAYS or len(data) != len(forms))
        parts = list(data)
        for number, types in atomic:
            if type(parts[number]) not in types:
                _checked(parts[number], True)
        for number, _, read in others:
            parts[number] = read(parts[number])
        return build(parts)

    as_it_is = taken is list and all(write is _same for _, write, _ in others)
    return Form(_same if as_it_is else write, read)


def _collection(form: Form, build: Callable[[list[Any]], Any], as_it_is: bool = False) -> Form:
    write, each, atomic = form.write, form.read, form.atomic

    def read(data: Any) -> Any:
        if type(data) not in _ARRAYS or (atomic and not atomic.issuperset(map(type, data))):  # there may be millions
            _checked(data, True)
        if atomic:
            return build(data)
        return build([each(item) for item in data])

    if write is _same:
        return Form(_same if as_it_is else list, read)
    return Form(lambda items: [write(item) for item in items], read)


def _mapping(key: Form, value: Form) -> Form:
    if key.atomic == {str}:

        def read(data: Any) -> Any:
            _checked(data, type(data) is not dict or not key.atomic.issuperset(map(type, data)))
            return {name: value.read(item) for name, item in data.items()}

        return Form(lambda items: {name: value.write(item) for name, item in items.items()}, read)
    pairs = _collection(_record([key, value], list, tuple), dict)
    return Form(lambda items: pairs.write(items.items()), pairs.read)
