"""The public signatures as text, an entry a line: `tests/data/api.txt` holds them, and `test_api.py` compares.

    python tests/public_api.py --write      # or: make api

Public is what `bridge` and its packages asp, prolog, puzzles and puzzles.search export, and the public members of these classes.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "api.txt"


def lines() -> Iterator[str]:
    """The signatures, by package."""
    import bridge
    from bridge.puzzles import search

    for package in (bridge, bridge.asp, bridge.prolog, bridge.puzzles, search):
        for name in sorted(package.__all__):
            thing = getattr(package, name)
            if not inspect.ismodule(thing):
                yield from _described(f"{package.__name__}.{name}", thing)


def _described(name: str, thing: Any) -> Iterator[str]:
    if not inspect.isclass(thing):
        yield f"{name}{_signature(thing)}" if inspect.isfunction(thing) else f"{name}: {type(thing).__name__}"
        return
    if issubclass(thing, Enum):
        yield f"{name}: {', '.join(member.name for member in thing)}"
        return
    bases = ", ".join(base.__name__ for base in thing.__bases__ if base not in (object,))
    yield f"class {name}{_signature(thing)}" + (f" < {bases}" if bases else "")
    for member, value in sorted(_members(thing).items()):
        if isinstance(value, property):
            yield f"{name}.{member}: {_text(_annotation(value))}"
        elif callable(value) or isinstance(value, classmethod | staticmethod):
            yield f"{name}.{member}{_signature(getattr(thing, member))}"


def _members(cls: type) -> dict[str, Any]:
    """The members of a class, except those of a base class that is public itself."""
    import bridge

    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        public = {*bridge.__all__, *bridge.puzzles.__all__}
        if base.__module__.startswith("bridge") and (base is cls or base.__name__ not in public):
            found |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    return found


def _annotation(value: property) -> Any:
    return inspect.signature(value.fget).return_annotation if value.fget else inspect.Signature.empty


def _signature(thing: Any) -> str:
    if inspect.isclass(thing) and not any(map(inspect.isfunction, (thing.__init__, thing.__new__))):
        return "(...)"  # as of the built-in type
    found = inspect.signature(thing)
    written: list[str] = []
    star = False
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not star:
            written.append("*")
        star = star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        mark = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        text = f"{mark}{one.name}"
        if one.annotation is not one.empty:
            text += f": {_text(one.annotation)}"
        if one.default is not one.empty:
            text += f" = {_default(one.default)}"
        written.append(text)
    returned = "" if found.return_annotation in (found.empty, None, "None") else f" -> {_text(found.return_annotation)}"
    return f"({', '.join(written)}){returned}"


def _text(annotation: Any) -> str:
    """An annotation as the source has it."""
    if annotation is inspect.Signature.empty:
        return "Any"
    annotation = getattr(annotation, "__forward_arg__", annotation)
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _default(value: Any) -> str:
    if is_dataclass(value):
        given = {field.name: getattr(value, field.name) for field in fields(value)}
        said = [f"{name}={one!r}" for name, one in given.items() if one is not None]
        return f"{type(value).__name__}({', '.join(said)})"
    return "..." if callable(value) or " at 0x" in repr(value) else repr(value)


if __name__ == "__main__":
    os.environ["LPBRIDGE_PURE"] = "1"  # compiled functions have no signatures
    text = "".join(f"{line}\n" for line in lines())
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
