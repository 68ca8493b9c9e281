"""Arguments of a wrong kind: an error that names the argument, in place of what Python raises somewhere inside."""

from __future__ import annotations

import builtins
import sys
from collections import abc
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, iscoroutinefunction, signature, unwrap
from types import UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from bridge.errors import InputError, brief, too_deep

P = ParamSpec("P")
R = TypeVar("R")

#: What Python raises where a value is not what it is used as.
_RAW = (TypeError, AttributeError, ValueError, LookupError)


def named_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """A decorator: what Python raises in a function is an InputError where an argument is not what its annotation says,
    and an UnsupportedError where a term is nested too deeply.

    It is looked at only then: what works without being of the annotated type goes on working.
    """

    @wraps(function)
    def called(*args: P.args, **given: P.kwargs) -> R:
        try:
            return function(*args, **given)
        except _RAW as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise  # Python's own words about the call: an argument that is missing, or unknown
            if (wrong := _wrong(function, args, given)) is not None:
                raise wrong from error
            raise
        except RecursionError as error:
            raise too_deep() from error

    return called


def _wrong(function: Callable[..., Any], args: tuple[Any, ...], given: Mapping[str, Any]) -> InputError | None:
    """The error about the first argument that its annotation excludes."""
    inner = unwrap(function)
    try:
        bound = signature(inner).bind(*args, **given)
    except TypeError:
        return None
    for name, value in bound.arguments.items():
        parameter = signature(inner).parameters[name]
        values: Any = [value]
        if parameter.kind is Parameter.VAR_POSITIONAL:
            values = value
        elif parameter.kind is Parameter.VAR_KEYWORD:
            values = value.values()
        hint = _evaluated(parameter.annotation, inner)
        for one in values:
            if not fits(one, hint):
                is_async = iscoroutinefunction(one)
                what = f"{brief(one)}, an async function" if is_async else brief(one)
                return InputError(f"`{name}` cannot be {what}", hint=f"it is of the type {parameter.annotation}")
    return None


def _evaluated(annotation: Any, function: Any) -> Any:
    """An annotation; Any, where it has names that are only for type checkers."""
    if not isinstance(annotation, str):
        return Any if annotation is Parameter.empty else annotation
    names = {**vars(builtins), **function.__globals__}
    for _ in range(9):
        try:
            return eval(annotation, names)
        except NameError as error:  # it is imported for type checkers only
            ours = [vars(one) for name, one in sys.modules.items() if name.startswith("bridge.")]
            found = next((one[error.name] for one in ours if error.name in one), Any)
            names[error.name] = found
        except Exception:
            break
    return Any


def fits(value: Any, hint: Any) -> bool:
    """Whether a value can be of a type; True where that cannot be told."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in inner)
    if origin is abc.Callable:
        return callable(value) and not iscoroutinefunction(value)
    if not isinstance(origin, type):
        return True
    if origin is float:
        origin = float | int
    try:
        if not isinstance(value, origin):
            return False
    except TypeError:  # a protocol
        return True
    if isinstance(value, dict) and len(inner) == 2:
        return all(fits(key, inner[0]) and fits(one, inner[1]) for key, one in value.items())
    if hasattr(value, "readline") and inner:  # an open file, whose lines are text
        return fits("", inner[0])
    if isinstance(value, str | bytes) and inner:  # a string in place of several
        return all(fits(one, inner[0]) for one in value)
    if isinstance(value, Mapping) and len(inner) == 1:
        return all(fits(one, inner[0]) for one in value)
    if isinstance(value, list | tuple | set | frozenset) and inner:
        return all(fits(one, inner[0]) for one in value)
    return True
