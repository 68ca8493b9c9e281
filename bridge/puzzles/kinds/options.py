"""Options: settings of an instance that its text does not hold, such as the size of a Sudoku's boxes.

>>> read_options("sudoku", {"box": Option("rows and columns of a box")}, {"box": "2x3"})
{'box': '2x3'}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bridge.errors import InputError, Place

_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def _same(value: Any) -> Any:
    return value


class Option(NamedTuple):
    """An option of a kind of puzzle: one line on its meaning and values, and how these are read.

    `read` converts its text, as typed on the command line, to its value in the JSON form, or raises InputError. `pack`
    and `unpack` convert that value to plain data and back, to send it to another process.
    """

    help: str
    read: Callable[[str], Any] = str
    pack: Callable[[Any], Any] = _same
    unpack: Callable[[Any], Any] = _same


def read_options(kind: str, known: Mapping[str, Option], given: Mapping[str, str]) -> dict[str, Any]:
    """The values of the given options, as keys of the JSON form."""
    if unknown := given.keys() - known.keys():
        raise InputError(f"{kind} has no option {min(unknown)!r}", hint=f"its options: {', '.join(known) or 'none'}")
    return {name: known[name].read(text) for name, text in given.items()}


def read_yes(name: str, text: str) -> bool:
    """The value of an option that is yes or no."""
    if text.lower() not in _YES:
        raise InputError(f"`{name}` is yes or no, not {text!r}", where=Place("--option"))
    return _YES[text.lower()]
