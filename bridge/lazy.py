"""Objects by the place where they are defined, imported when they are first used.

    >>> load("fractions:Fraction")
    <class 'fractions.Fraction'>

So that starting is fast, the commands, engines, puzzles, formats and the names of `bridge` itself are tables of places.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(place: str) -> Any:
    """The object at `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
