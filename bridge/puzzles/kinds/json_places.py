"""Line and column of an error in JSON text, found by its path in the data.

>>> text = '{"grid": [[1, 2],\\n [7, 1]]}'
>>> str(place_of(text, ("grid", 1, 0), Place("two.json")))
'two.json:2:3'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bridge.common import regex
from bridge.errors import BridgeError, InputError, Place

_SPACE = regex(r"[ \t\n\r]*")


def objects_in(text: str, place: Place) -> Iterator[tuple[Any, str, Place, tuple[str | int, ...]]]:
    """The objects of puzzles in a JSON text: one, a list, the results of `generate --json`, or an object a line.

    Yields
    ------
    tuple
        The object, the text that it stands in and its place, and the path of the object in there (`placed`).
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].lstrip().startswith("{") and lines[0].rstrip().endswith("}"):
        for number, line in enumerate(text.splitlines(), place.line or 1):
            if line.strip():
                yield from objects_in(line, Place(place.file, number))
        return
    data, path = load_json(text, place), tuple[str | int, ...]()
    if isinstance(data, dict) and isinstance(data.get("results"), list) and "grid" not in data:
        data, path = data["results"], ("results",)
    if not isinstance(data, list):
        yield data, text, place, path
        return
    if not data:
        raise InputError("the list is empty", where=place)
    for number, one in enumerate(data):
        yield one, text, place, (*path, number)


def load_json(text: str, place: Place) -> Any:
    """A JSON text as data."""
    import json  # here, as in `bridge.common.strict_json`

    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        # A document of one line has its place in the file already.
        line = error.lineno + (place.line or 1) - 1
        where = Place(place.file, line, error.colno + ((place.column or 1) - 1 if error.lineno == 1 else 0))
        raise InputError(f"not JSON: {error.msg}", where=where) from None
    except RecursionError:
        raise InputError("not JSON of a puzzle: nested too deeply", where=place) from None
    except ValueError:
        raise InputError("not JSON of a puzzle: an integer of thousands of digits", where=place) from None


@contextmanager
def placed(text: str, place: Place, path: Sequence[str | int] = ()) -> Iterator[None]:
    """Gives errors that have a path (`Place.inside`) the line and the column of that path in the text.

    The text is a document that has been read, and is JSON; `path` is that of the object in it.
    """
    try:
        yield
    except BridgeError as error:
        if error.where is not None and error.where.path:
            error.where = place_of(text, (*path, *error.where.path), place)
        raise


def place_of(text: str, path: Sequence[str | int], place: Place) -> Place:
    """The place of what is inside a document: by keys of objects, and by numbers, from 0, of elements of lists."""
    at = _after_space(text, 0)
    for key in path:
        at = _inside(text, at, key)
    line, column = text.count("\n", 0, at), at - text.rfind("\n", 0, at)
    # A document of one line has its place in the file already.
    return Place(place.file, (place.line or 1) + line, column + ((place.column or 1) - 1 if line == 0 else 0))


def _inside(text: str, at: int, key: str | int) -> int:
    """The position of a member of the object, or element of the list, at this position; else the position itself."""
    from json import JSONDecoder

    read, found, opening, number = JSONDecoder().raw_decode, at, text[at], 0
    if opening not in "[{":
        return at
    at = _after_space(text, at + 1)
    while text[at] not in "]}":
        name: object = number
        if opening == "{":
            name, at = read(text, at)
            at = _after_space(text, _after_space(text, at) + 1)  # the colon
        if name == key:
            found = at  # of two members of one name the last one counts
        at = _after_space(text, read(text, at)[1])
        at = _after_space(text, at + 1) if text[at] == "," else at
        number += 1
    return found


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
