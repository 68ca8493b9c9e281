"""JSON Schema (draft 2020-12) of the JSON that commands print, made from the types in `forms`."""

from __future__ import annotations

from collections.abc import Sequence
from types import UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from bridge.common.strict_json import VERSION

#: The type of an object: a `TypedDict`.
Form = type[Any]

#: As a key: there may be others, with values of its type.
OTHERS = "*"

_PLAIN = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}


class Error(TypedDict):
    """What is wrong; `where` is the place as text, and `others` are further errors."""

    kind: str
    message: str
    where: str | None
    hint: NotRequired[str]
    term: NotRequired[Any]
    others: NotRequired[list[Error]]
    backtrace: NotRequired[list[str]]


class Located(TypedDict):
    """One of the errors, with its place."""

    kind: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    hint: str | None


class Failed(TypedDict):
    """A call that ended with an error: the first one, and all of them in the order of the program."""

    error: Error
    errors: list[Located]


class LineForms(NamedTuple):
    """The forms of lines of JSON: of those with a version, and of parts of a result, which have none."""

    objects: tuple[Form, ...]
    parts: tuple[Any, ...] = ()


def schema(objects: Sequence[Form], parts: Sequence[Any] = ()) -> dict[str, Any]:
    """The JSON Schema of what is one of these forms; objects have a version beside their keys."""
    named: dict[str, Any] = {}
    whole = [_object(form, named, {"version": {"const": VERSION}}) for form in objects]
    whole += [_schema(part, named) for part in parts]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "anyOf": whole, "$defs": named}


def columns(forms: Sequence[Form]) -> dict[str, Any]:
    """The type of each key of objects of these forms; `Any` where they differ."""
    found: dict[str, Any] = {}
    for form in forms:
        for name, of in get_type_hints(form).items():
            found[name] = of if found.get(name, of) == of else Any
    return found | {"version": int}


def _object(form: Form, parts: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    types = get_type_hints(form, include_extras=True)
    others = types.pop(OTHERS, None)
    return {
        "title": form.__name__,
        "description": form.__doc__,
        "type": "object",
        "properties": {name: _schema(of, parts) for name, of in types.items()} | more,
        "required": [*(name for name, of in types.items() if get_origin(of) is not NotRequired), *more],
        "additionalProperties": others is not None and _schema(others, parts),
    }


def _schema(of: Any, parts: dict[str, Any]) -> dict[str, Any]:
    origin, inner = get_origin(of), get_args(of)
    if origin is NotRequired:
        return _schema(inner[0], parts)
    if origin is UnionType or origin is Union:
        return {"anyOf": [_schema(one, parts) for one in inner]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": _schema(inner[0], parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inner[1], parts)}
    if is_typeddict(of):
        if of.__name__ not in parts:
            parts[of.__name__] = {}  # a form may be a part of itself
            parts[of.__name__] = _object(of, parts, {})
        return {"$ref": f"#/$defs/{of.__name__}"}
    return {} if of is Any else {"type": _PLAIN[of]}
