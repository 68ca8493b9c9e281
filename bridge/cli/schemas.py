"""JSON Schema (draft 2020-12) of the JSON that commands print, made from the types of results and of `forms`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import reduce
from inspect import Parameter, getdoc, isclass, signature
from sys import modules
from types import SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    NamedTuple,
    NotRequired,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from bridge.as_json import Extended, Json, Key, keys_of
from bridge.common.strict_json import VERSION

#: The form of an object: a `TypedDict`, a class of results, or an `Extended`.
Form = Any

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


class Item(TypedDict):
    """An instance of a batch: its number from 1, and its place."""

    index: int
    file: str | None
    line: int | None


class FailedItem(Item):
    """An instance that is wrong, or whose process ended."""

    error: Error
    errors: list[Located]


def item(about: str, *forms: Form) -> LineForms:
    """The lines of a batch: of each instance a result, with its place."""
    return LineForms((*(Extended(f"Item{name_of(form)}", about, (Item, form)) for form in forms), FailedItem))


def schema(objects: Sequence[Form], parts: Sequence[Any] = ()) -> dict[str, Any]:
    """The JSON Schema of what is one of these forms; objects have a version beside their keys."""
    named: dict[str, Any] = {}
    whole = [_object(form, named, {"version": {"const": VERSION}}) for form in objects]
    whole += [_schema(part, named) for part in parts]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "anyOf": whole, "$defs": named}


def arguments(function: Callable[..., Any], **more: tuple[Any, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with the arguments of a method, and with `more`, each its type and its default.

    What stands beside a type in `Annotated` is merged into its schema.
    """
    hints = get_type_hints(function, include_extras=True)
    own = list(signature(function).parameters.values())[1:]
    given = {one.name: (hints[one.name], one.default) for one in own} | more
    named: dict[str, Any] = {}
    parts = {
        name: _schema(of, named) | ({} if default in (Parameter.empty, None, ()) else {"default": default})
        for name, (of, default) in given.items()
    }
    needed = [name for name, (_, default) in given.items() if default is Parameter.empty]
    return {"type": "object", "properties": parts, "required": needed, "additionalProperties": False}


def columns(forms: Sequence[Form]) -> dict[str, Any]:
    """The type of each key of objects of these forms; `Any` where they differ."""
    found: dict[str, Any] = {}
    for form in forms:
        for name, hint in members(form).items():
            of = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
            found[name] = of if found.get(name, of) == of else Any
    return found | {"version": int}


def members(form: Form) -> dict[str, Any]:
    """The keys of an object, and their types."""
    if isinstance(form, Extended):
        found = {name: of for other in form.others for name, of in members(other).items() if name not in form.without}
        return found | dict(form.more)
    if is_typeddict(form):
        return get_type_hints(form, include_extras=True)
    found = {}
    for key in keys_of(_class(form)):
        if isinstance(key, Key):
            found[key.name] = key.type
            continue
        name, _, path = key.partition("=")
        of = reduce(_type_of, (path or name.removeprefix("*")).split("."), form)
        found |= members(of) if key.startswith("*") else {name: of}
    return found


def _type_of(form: Any, name: str) -> Any:
    """The type of a field or property of a class, as it is written there."""
    cls = _class(form)
    for base in cls.__mro__:
        if (written := vars(base).get("__annotations__", {}).get(name)) is not None:
            module = base.__module__
            if isinstance(written, ForwardRef):
                module, written = str(written.__forward_module__), written.__forward_arg__
            # what a module imports for its types alone is found by its name
            known = {one.__name__: one for one in _below(Json)} | vars(modules[module])
            of = get_type_hints(SimpleNamespace(__annotations__={name: written}), known, include_extras=True)[name]
        elif isinstance(member := vars(base).get(name), property):
            of = get_type_hints(member.fget)["return"]
        else:
            continue
        of_variable = dict(zip(getattr(cls, "__parameters__", ()), get_args(form), strict=False))
        variables = [of_variable.get(one, Any) for one in getattr(of, "__parameters__", ())]
        return of_variable.get(of, of) if isinstance(of, TypeVar) else of[tuple(variables)] if variables else of
    raise AttributeError(f"{cls.__name__} has no {name}")


def _below(cls: type[Any]) -> list[type[Any]]:
    below: list[type[Any]] = cls.__subclasses__()
    return [*below, *(other for one in below for other in _below(one))]


def _class(form: Any) -> type[Any]:
    return get_origin(form) or form  # type: ignore[no-any-return]


def name_of(form: Form) -> str:
    """What a form is called in a schema."""
    if isinstance(form, Extended):
        return form.name
    return "Of".join([_class(form).__name__, *(name for one in get_args(form) for name in _names(one))])


def _names(of: Any) -> list[str]:
    return [name for one in get_args(of) for name in _names(one)] or [of.__name__]


def _object(form: Form, parts: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    types = members(form)
    others = types.pop(OTHERS, None)
    about = form.about if isinstance(form, Extended) else getdoc(_class(form)) or ""
    return {
        "title": name_of(form),
        "description": " ".join(about.partition("\n\n")[0].split()),
        "type": "object",
        "properties": {name: _schema(of, parts) for name, of in types.items()} | more,
        "required": [*(name for name, of in types.items() if get_origin(of) is not NotRequired), *more],
        "additionalProperties": others is not None and _schema(others, parts),
    }


def _one_of(inner: Sequence[Any], parts: dict[str, Any]) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    for one in inner:
        if (made := _schema(one, parts)) not in found:
            found.append(made)
    return found[0] if len(found) == 1 else {"anyOf": found}


def _schema(of: Any, parts: dict[str, Any]) -> dict[str, Any]:
    origin, inner = get_origin(of), get_args(of)
    if of is Any:
        return {}
    if isinstance(of, tuple):
        return _one_of(of, parts)
    if origin is NotRequired:
        return _schema(inner[0], parts)
    if origin is Annotated:
        more: dict[str, Any] = inner[1]
        return ({} if {"anyOf", "type"} & more.keys() else _schema(inner[0], parts)) | more
    if origin is UnionType or origin is Union:
        return _one_of(inner, parts)
    if origin is Literal:
        return {"enum": list(inner)}
    if is_typeddict(of) or isinstance(of, Extended) or issubclass(origin or of, Json):
        if (name := name_of(of)) not in parts:
            parts[name] = {}  # a form may be a part of itself
            parts[name] = _object(of, parts, {})
        return {"$ref": f"#/$defs/{name}"}
    if hasattr(of, "to_json"):
        return _schema(get_type_hints(of.to_json)["return"], parts)
    if isclass(of) and issubclass(of, StrEnum):
        return {"enum": list(map(str, of))}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(inner[1], parts)}
    if origin is not None and issubclass(origin, Sequence):
        return {"type": "array", "items": _one_of([one for one in inner if one is not ...], parts)}
    return {"type": _PLAIN[of]}
