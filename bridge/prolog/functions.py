"""Predicates from Python: what `context=` of a session makes of functions.

    with Session("cheap(X) :- price(X, P), P < 3.\\n", context=[price]) as session: ...

A function of two arguments is a predicate of three: its result is the last. What it gives is one answer, None none, and
an iterator, such as a generator function gives, an answer for each of its values, fetched one by one as they are asked
for. Functions run in the process of the caller, and nothing of them is sent but arguments and results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import Parameter, signature
from itertools import count
from typing import Any

from bridge.errors import InputError, brief
from bridge.isolation import frames
from bridge.prolog.answer import Answer, Header
from bridge.prolog.packing import encode

_VALUE = Header(("E",), lambda values: "")


class Functions:
    """Functions by name, and the iterators that they gave and Prolog has not finished with."""

    def __init__(self, context: Any) -> None:
        if not isinstance(context, Mapping):
            if not isinstance(context, Iterable) or isinstance(context, str | bytes):
                raise InputError(f"{brief(context)} is no collection of functions", hint="context=[f, g]")
            context = {getattr(function, "__name__", None) or brief(function): function for function in context}
        self._by_name = dict(context)
        #: A name, and the number of inputs; each that the function can be called with.
        self.predicates = [[name, inputs] for name, one in context.items() for inputs in _inputs(name, one)]
        self._numbers = count(1)
        self._open: dict[int, tuple[str, Iterator[Any]]] = {}

    def reply(self, call: Any, check: Callable[[int], None]) -> Any:
        """Reply to a call of the program: the number of an iterator, or None, and the next value, if there is one."""
        match call:
            case ["call", str(name), list(arguments)] if name in self._by_name:
                result = self._by_name[name](*(Answer(_VALUE, argument)["E"] for argument in arguments))
                if isinstance(result, Iterator):
                    self._open[number := next(self._numbers)] = name, result
                    return self._next(number, check)
                return _checked([None, [] if result is None else [_encoded(name, result)]], check)
            case ["next", int(number)]:
                return self._next(number, check)
            case ["close", int(number)]:
                self._close(number)
                return [None, []]
        raise frames.FrameError("it is no call of a function")

    def _next(self, number: int, check: Callable[[int], None]) -> Any:
        if number not in self._open:
            return [None, []]
        name, values = self._open[number]
        for value in values:
            return _checked([number, [_encoded(name, value)]], check)
        self._close(number)
        return _checked([None, []], check)

    def _close(self, number: int) -> None:
        _, values = self._open.pop(number, ("", None))
        if (close := getattr(values, "close", None)) is not None:
            close()

    def close(self) -> None:
        """Close the iterators that a program left when it was ended."""
        for number in list(self._open):
            self._close(number)


def _inputs(name: Any, function: Any) -> range:
    if not callable(function) or not isinstance(name, str):
        raise InputError(f"{brief(function)} is not a function with a name", hint='context=[f], or {"name": f}')
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        raise InputError(f"it is not known how many arguments {name} takes", hint="give a function of yours") from None
    if any(one.kind is Parameter.VAR_POSITIONAL for one in parameters):
        raise InputError(f"{name} takes any number of arguments", hint="a predicate has a fixed number of them")
    if any(one.kind is Parameter.KEYWORD_ONLY and one.default is Parameter.empty for one in parameters):
        raise InputError(f"{name} has an argument that can only be named", hint="Prolog gives arguments by position")
    positional = [one for one in parameters if one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    return range(sum(one.default is Parameter.empty for one in positional), len(positional) + 1)


def _encoded(name: str, value: Any) -> Any:
    try:
        return encode(value)
    except InputError as error:
        raise InputError(f"the result of the function {name}: {error.message}", hint=error.hint) from None


def _checked(reply: list[Any], check: Callable[[int], None]) -> list[Any]:
    check(len(frames.pack(reply)))
    return reply
