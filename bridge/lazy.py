"""Objects by the place where they are defined, imported when they are first used.

    >>> load("fractions:Fraction")
    <class 'fractions.Fraction'>

So that starting is fast, the commands, engines, puzzles, formats and the names of `bridge` itself are tables of places.

What a lower package shows of a higher one (a puzzle its picture, a program its diagnosis) is `registered`: the top,
`bridge/__init__.py`, says where it is, so that no package imports one above it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(place: str) -> Any:
    """The object at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


_registered: dict[str, str] = {}


def register(**places: str) -> None:
    """Say where something is that lower packages use by a name: `module:name`."""
    _registered.update(places)


def registered(name: str) -> Any:
    """What was registered by a name; None if nothing was."""
    return load(_registered[name]) if name in _registered else None
