"""Parts: packages that add to the bridge, which does not name them.

A package of `bridge` with a module `part` is one; `PART` there says what it adds. What it adds is imported when it is
used: a place is `module:name`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from bridge.common.lazy import load

_NONE: Mapping[str, Any] = MappingProxyType({})


class Part(NamedTuple):
    """What a part adds. All fields but the tables are places, empty where there is nothing."""

    #: The commands of `lpbridge`, each with its place and its line in `--help`.
    commands: Mapping[str, tuple[str, str]] = _NONE
    #: What stands above them there.
    heading: str = ""
    #: What was a command of `lpbridge` once, and which does it now.
    former: Mapping[str, str] = _NONE
    #: The words by which commands begin that read a file once, as it comes: it may be a pipe that never ends.
    streaming: tuple[tuple[str, ...], ...] = ()
    #: What the optional packages are for, by their extra.
    extras: Mapping[str, str] = _NONE
    #: What its commands print under `--json`, by their words; what is a line, by words and option.
    forms: str = ""
    lines: str = ""
    #: A function with further findings of `doctor`.
    findings: str = ""
    #: Anything in the module that registers further pictures with `bridge.picture`.
    pictures: str = ""
    #: The name of a variable of its problems that is not text.
    variable_name: str = ""
    #: What is given to `compare` as an `Instance`, or as a `Contender`; None of what is something else.
    instance: str = ""
    contender: str = ""
    #: A comparison on pages, as bytes, from its result, the problems and the paper; a check that a file can be one.
    handout: str = ""
    check_handout: str = ""


@cache
def parts() -> tuple[Part, ...]:
    """All parts that are installed."""
    root = os.path.dirname(os.path.dirname(__file__))
    found = sorted(name for name in os.listdir(root) if os.path.isfile(os.path.join(root, name, "part.py")))
    return tuple(import_module(f"bridge.{name}.part").PART for name in found)


def added(what: str) -> Iterator[Any]:
    """What stands at the places of a field, part by part."""
    return (load(place) for part in parts() if (place := getattr(part, what)))


class Pictured:
    """A result that shows itself as SVG in Jupyter; how it is drawn is defined in packages above its own."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(load("bridge:picture")(self).svg())
