"""Objects by the place where they are defined, imported when they are first used; regular expressions likewise.

    >>> load("fractions:Fraction")
    <class 'fractions.Fraction'>

So that starting is fast, commands and the like are tables of places, and the names of a public package are `exports`.

What a lower package shows of a higher one (a program its diagnosis) it loads from `bridge:NAME`: no package imports one
above it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, AnyStr, cast


def load(place: str) -> Any:
    """The object at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


class _Regex:
    """Stands for a compiled pattern; its methods are those of the pattern, from the first one that is used."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(re.compile(*self._given), name)  # `re` keeps it compiled
        self.__dict__[name] = found
        return found


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A regular expression, compiled when it is first used.

    >>> regex("[0-9]+").findall("1 and 22")
    ['1', '22']
    """
    return cast("re.Pattern[AnyStr]", _Regex(pattern, flags))


_EXPORTS = regex(r"^    from (\S+) import (.* as .*)$", re.MULTILINE)
_EXPORT = regex(r"\b(\w+) as \1\b")


def exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package that imports its public names under `if TYPE_CHECKING`, `as` themselves.

    That list is the only one: it is read when a name is first asked for, and gives `__all__`, too.
    """
    names = vars(sys.modules[package])

    @cache
    def places() -> dict[str, str]:
        source = names["__spec__"].loader.get_data(names["__file__"]).decode()
        return {name: module for module, names in _EXPORTS.findall(source) for name in _EXPORT.findall(names)}

    def attribute(name: str) -> Any:
        if name == "__all__":
            value: Any = sorted(places())
        elif not name.startswith("__") and (module := places().get(name)):
            value = import_module(f"{package}.{name}") if module == package else load(f"{module}:{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        names[name] = value
        return value

    return attribute, lambda: sorted([*places(), *({"__version__"} & names.keys())])
