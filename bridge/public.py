"""`public`: the module that users import a class or function from, as its `__module__`.

A definition is in a file of its subject, and users import it from a package: `bridge.InputError` is in
`bridge/errors.py`. Tracebacks, `help`, `repr` and pickles name the package, which stays when a file is moved.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import get_annotations
from typing import Any, ForwardRef, TypeVar

Defined = TypeVar("Defined")


def public(package: str) -> Callable[[Defined], Defined]:
    """A decorator for what a package exports. It comes first: `dataclass` reads annotations in the module of the file.

    `typing.get_type_hints` reads them there, too. As of any class whose `__module__` is set, `inspect.getsource` finds
    the text of each method, but not that of the whole class.
    """

    def name(defined: Defined) -> Defined:
        if isinstance(defined, type) and (written := get_annotations(defined)):
            place: dict[str, Any] = {"module": defined.__module__, "is_argument": False, "is_class": True}
            # Those of a NamedTuple are references already.
            texts = {field: getattr(hint, "__forward_arg__", hint) for field, hint in written.items()}
            defined.__annotations__ = {
                field: ForwardRef(hint, **place) if isinstance(hint, str) else hint for field, hint in texts.items()
            }
        defined.__module__ = package
        return defined

    return name


def export(package: str) -> None:
    """Make public what a package imports from its modules and has in `__all__`; compiled modules take no decorator."""
    names = vars(sys.modules[package])
    for defined in (names[name] for name in names["__all__"]):
        if hasattr(defined, "__qualname__") and defined.__module__.startswith(f"{package}."):
            public(package)(defined)
