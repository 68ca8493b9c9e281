"""Functions from Python: what `@name(...)` in a program calls.

    >>> class Context:
    ...     def double(self, number: int) -> int:
    ...         return 2 * number
    >>> str(Program("p(@double(3)).", context=Context()).first())
    'p(6)'

Arguments and results are Python values (`bridge.asp.decode`), not `clingo.Symbol`s. A list, a set, a generator, or
another iterable holds several results, or none; a tuple is one term, a string, too.

A program in a process of its own calls back: functions run in the process, the thread and the state that they belong
to, and nothing of them is sent but arguments and results. The limits of the question hold for what they give: between
two values of a generator it is looked at the time and at the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from bridge.asp.decode import encode
from bridge.common.rows import is_record
from bridge.errors import InputError, ProgramError, brief

#: Is told how many bytes the results of a call take so far, and raises an exception when they are to end.
Check = Callable[[int], None]

#: Calls a function by name with Python values: its results as text, None where there is no such function.
Call = Callable[[str, list[Any], Check], list[str] | None]

#: A call has no more results: it is an endless generator, and nobody would wait for the grounding.
MOST_RESULTS = 10_000_000

#: Bytes of a result, beside those of its text.
_EACH = 64


def functions(context: Any) -> Call:
    """A caller of the functions of an object (its methods), a mapping (by name), or an iterable (by their names)."""
    find = _finder(context)

    def call(name: str, arguments: list[Any], check: Check) -> list[str] | None:
        function = find(name)
        return None if function is None else _results(name, function(*arguments), check)

    return call


def _finder(context: Any) -> Callable[[str], Callable[..., Any] | None]:
    if isinstance(context, Mapping):
        for name, function in context.items():
            _checked(name, function)
        return dict(context).get
    if isinstance(context, Iterable) and not isinstance(context, str | bytes):
        by_name = {_name(function): function for function in context}
        return by_name.get
    if context is None or isinstance(context, str | bytes | int | float) or _is_function(context):
        raise InputError(
            f"{brief(context)} has no functions",
            hint="context takes an object with methods, a mapping from names, or a list of functions",
        )

    def find(name: str) -> Callable[..., Any] | None:
        # `@__class__(...)` is a call, too: only what is meant for others can be called.
        found = None if name.startswith("_") else getattr(context, name, None)
        return found if callable(found) else None

    return find


def _is_function(context: Any) -> bool:
    return callable(context) and hasattr(context, "__name__") and not isinstance(context, type | ModuleType)


def _checked(name: Any, function: Any) -> None:
    if not isinstance(name, str) or not callable(function):
        raise InputError(f"{brief(name)}: {brief(function)} is not a function by its name", hint='{"double": double}')


def _name(function: Any) -> str:
    name = getattr(function, "__name__", None)
    if not callable(function) or not isinstance(name, str) or not name.isidentifier():
        raise InputError(f"{brief(function)} is not a function with a name", hint='give a mapping: {"double": ...}')
    return name


def unlimited(size: int) -> None:
    """The check of what has no limits."""


def _results(name: str, result: Any, check: Check) -> list[str]:
    cls: Any = type(result)
    several = isinstance(result, Iterable) and not isinstance(result, str | tuple | Mapping) and not is_record(cls)
    texts: list[str] = []
    size = 0
    for value in result if several else [result]:
        try:
            text = encode(value)
        except InputError as error:
            raise InputError(f"the result of the function {name}: {error.message}", hint=error.hint) from None
        size += len(text) + _EACH
        if several:
            check(size)
        if len(texts) == MOST_RESULTS:
            raise InputError(f"the function {name} gives more than {MOST_RESULTS:,} results", hint="does it ever end?")
        texts.append(text)
    return texts


class Raised:
    """What a function raised while clingo called it. clingo would raise another exception in its place."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def check(self, other: Exception) -> Exception:
        """The exception to raise where clingo raised another one."""
        error, self.error = self.error, None
        if error is None:
            return other
        if not isinstance(error, Exception):  # KeyboardInterrupt, SystemExit
            raise error
        return error


def context_of(
    call: Call,
    value_of: Callable[[Any], Any],
    symbol: Callable[[str], Any],
    script: Callable[[str], Callable[..., Any] | None],
    raised: Raised,
) -> Any:
    """What `clingo.Control.ground` takes: an object that has every name as an attribute.

    `value_of` and `symbol` make a Python value of a symbol, and a symbol of a text. `script` gives the function of the
    program's own scripts that has a name, for names that the context does not have.
    """

    def answer(name: str, *symbols: Any) -> Any:
        try:
            found = call(name, [value_of(one) for one in symbols], unlimited)
            if found is not None:
                return [symbol(text) for text in found]
            if (function := script(name)) is not None:
                return function(*symbols)
            raise ProgramError(f"the program calls @{name}, which the context does not have", hint="add it")
        except BaseException as error:
            raised.error = error
            raise

    class _Context:
        def __getattribute__(self, name: str) -> Any:
            return lambda *symbols: answer(name, *symbols)

    return _Context()
