"""Results as JSON, and in a line. A class says once what its keys are: `to_json` and the schema follow.

>>> from dataclasses import dataclass
>>> @dataclass
... class Found(Json):
...     file: str
...     seconds: float
...     texts: tuple[str, ...] = ()
...     _json = "file seconds", Key("number", int, lambda self: len(self.texts))
>>> Found("a.lp", 0.12345678, ("b",)).to_json()
{'file': 'a.lp', 'seconds': 0.123457, 'number': 1}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields
from enum import StrEnum
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, NotRequired, get_origin


class Key(NamedTuple):
    """A key that is no attribute of that name: its type, and its value. `NotRequired` is left out where it is None."""

    name: str
    type: Any
    value: Callable[[Any], Any]


#: What a class says of its form.
Keys = tuple[str | Key, ...]


class Extended:
    """The form of an object that has the keys of others, but for some, and more."""

    def __init__(self, name: str, about: str, others: tuple[Any, ...], more: Mapping[str, Any] | None = None,
                 without: tuple[str, ...] = ()) -> None:
        self.name, self.about, self.others, self.more, self.without = name, about, others, more or {}, without


class Json:
    """A result that has a form as JSON."""

    __slots__ = ()

    #: Its keys: a `Key`, or names of attributes with blanks between; `KEY=NAME` where the attribute has another name,
    #: and `*NAME` for the keys of that attribute. A dataclass has all its fields where nothing is said.
    _json: ClassVar[Keys] = ()

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key in keys_of(type(self)):
            if isinstance(key, str):
                name, _, path = key.partition("=")
                part = as_json(attrgetter(path or name.removeprefix("*"))(self))
                data |= part if key.startswith("*") else {name: part}
            elif (value := key.value(self)) is not None or get_origin(key.type) is not NotRequired:
                data[key.name] = as_json(value)
        return data


def keys_of(of: type[Any]) -> list[str | Key]:
    """The keys of a class, one by one."""
    parts = of._json or [field.name for field in fields(of)]
    return [key for part in parts for key in (part.split() if isinstance(part, str) else [part])]


def as_json(part: Any) -> Any:
    """A part of a result: a tuple as a list, a number to six digits, what has a form of its own in that."""
    if hasattr(part, "to_json"):
        return part.to_json()
    if isinstance(part, tuple | list):
        return list(map(as_json, part))
    if isinstance(part, Mapping):
        return {name: as_json(value) for name, value in part.items()}
    if isinstance(part, float):
        return round(part, 6) if abs(part) >= 1 else float(f"{part:.6g}")
    return str(part) if isinstance(part, StrEnum) else part


#: How many characters of one field are shown.
LONGEST = 40


def short(held: Any) -> str:
    """The `repr` of a dataclass with many fields; of a collection its size. None, false and empty are left out, but for
    the first.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Found:
    ...     verdict: str
    ...     clashes: tuple[str, ...] = ()
    ...     limit: str | None = None
    ...     __repr__ = short
    >>> Found("impossible", ("row 1", "row 2"))
    <Found verdict: impossible, clashes: 2>
    """
    shown = []
    for number, field in enumerate(fields(held)):
        value = getattr(held, field.name)
        if field.repr and not (value is None or value is False or value == "" or (number and _size(value) == 0)):
            shown.append(f"{field.name}: {_value(value)}")
    return f"<{type(held).__name__} {', '.join(shown)}>"


def _size(value: Any) -> int | None:
    return len(value) if isinstance(value, Mapping | Sequence | Set) and not isinstance(value, str) else None


def _value(value: Any) -> str:
    if (size := _size(value)) is not None:
        return str(size)
    text = str(value) if isinstance(value, str | int) else f"{value:.3g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
