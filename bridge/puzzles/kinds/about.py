"""What is printed with a puzzle and is not a part of its instance: title, author, rules, texts of clues, solution.

It stands in the key `about` of the JSON form, and in comments of the text form:

    # title: Saturday
    # author: A. Setter
    # rules: Cages hold different values.

In a crossword a comment begins with `%`, and clues are named by their entries:

    % 1 across: A small pie
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bridge.common import public, regex
from bridge.errors import InputError, Place, brief
from bridge.puzzles.kinds.rules import Grid

_COMMENT = regex(r"\s*(title|author|copyright|rules|[1-9][0-9]*\s+(?:across|down))\s*:\s*(.*\S)\s*\Z", re.IGNORECASE)


@public("bridge.puzzles")
@dataclass(frozen=True, slots=True)
class About:
    """Texts about a puzzle; empty where there are none.

    Attributes
    ----------
    rules
        Rules in words, or other notes for the solver. They are printed, never interpreted.
    clues
        The texts of a crossword's clues, by entry: `1 across`.
    solution
        The solution that the puzzle was published with. It is printed if it passes the checker; no engine reads it.
    """

    title: str = ""
    author: str = ""
    copyright: str = ""
    rules: str = ""
    clues: Mapping[str, str] = field(default_factory=dict, hash=False)
    solution: Grid = ()

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return any(getattr(self, name) for name in NAMES)

    def to_json(self) -> dict[str, Any]:
        """What there is, by name."""
        found = {name: getattr(self, name) for name in NAMES if getattr(self, name)}
        if self.clues:
            found["clues"] = dict(self.clues)
        if self.solution:
            found["solution"] = [list(row) for row in self.solution]
        return found

    def of(self, direction: str) -> tuple[tuple[int, str], ...]:
        """The clues `across` or `down`, in the order of their numbers."""
        parts = (entry.partition(" ") for entry in self.clues)
        numbers = sorted(int(number) for number, _, way in parts if way == direction)
        return tuple((number, self.clues[f"{number} {direction}"]) for number in numbers)


#: The names of the texts, and how sentences call them.
NAMES: Mapping[str, str] = {
    one.name: {"rules": "the rules in words", "clues": "the text of the clues"}.get(one.name, f"the {one.name}")
    for one in fields(About)
}

#: The names of those that comments of a text can hold.
IN_COMMENTS = tuple(name for name in NAMES if name != "solution")

#: No text at all.
NOTHING = About()


def read_about(data: Any, place: Place) -> About:
    """The texts in a JSON form."""
    if not isinstance(data, Mapping):
        message, hint = f"`about` is to be an object, not {brief(data)}", '{"title": "Saturday"}'
        raise InputError(message, where=place.inside("about"), hint=hint)
    if unknown := sorted(map(str, data.keys() - NAMES.keys())):
        hint = f"it has {', '.join(NAMES)}"
        raise InputError(f"`about` has no key {unknown[0]!r}", where=place.inside("about", unknown[0]), hint=hint)
    for name, text in data.items():
        if name not in ("clues", "solution") and not isinstance(text, str):
            raise InputError(f"`{name}` is to be a text, not {brief(text)}", where=place.inside("about", name))
    clues = data.get("clues", {})
    if not isinstance(clues, Mapping) or not all(isinstance(text, str) for text in clues.values()):
        hint = '{"1 across": "A small pie"}'
        raise InputError("`clues` is to be an object of texts", where=place.inside("about", "clues"), hint=hint)
    solution = _read_solution(data.get("solution", []), place.inside("about", "solution"))
    return About(**{**data, "clues": {entry: text for entry, text in clues.items() if text}, "solution": solution})


def _read_solution(rows: Any, place: Place) -> Grid:
    """A solution in a JSON form: rows, each a list of cells or a text of one character a cell."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple | str) for row in rows):
        raise InputError("`solution` is to be a list of rows", where=place, hint='[["a", "b"], ["c", "#"]]')
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            if value is not None and type(value) not in (str, int):
                raise InputError(f"{brief(value)} is not a value of a cell", where=place.inside(*place.path, r, c))
    return tuple(map(tuple, rows))


def check_entries(about: About, entries: frozenset[str], title: str, place: Place) -> None:
    """Check that a puzzle has the entries of its clues."""
    for entry in about.clues:
        if entry not in entries:
            where = place.inside("about", "clues", entry)
            hint = f"it has {len(entries)}, such as 1 across" if entries else "only crosswords have clues in words"
            raise InputError(f"the {title} has no entry {entry!r}", where=where, hint=hint)


def about_in_comments(text: str, comment: str, place: Place) -> tuple[About, dict[str, Place]]:
    """The texts in comments, and the place of each clue; a name that comes again adds a line."""
    texts: dict[str, str] = {}
    places: dict[str, Place] = {}
    for number, line in _comments(text, comment):
        if found := _COMMENT.match(line):
            name = " ".join(found[1].lower().split())
            texts[name] = f"{texts[name]}\n{found[2]}" if name in texts else found[2]
            places.setdefault(name, Place(place.file, number))
    clues = {name: text for name, text in texts.items() if name not in NAMES}
    named: dict[str, Any] = {name: text for name, text in texts.items() if name not in clues}
    about = About(**named, clues=clues)
    return about, {entry: places[entry] for entry in clues}


def _comments(text: str, comment: str) -> Iterator[tuple[int, str]]:
    """The lines that begin with a comment sign, without it, and their numbers."""
    if comment not in text:
        return
    for number, line in enumerate(text.splitlines(), 1):
        if (bare := line.lstrip()).startswith(comment):
            yield number, bare.lstrip(comment)


def comments(about: About, comment: str) -> str:
    """The texts as comments, each on lines of its own; the inverse of `about_in_comments`."""
    flat = {**{name: getattr(about, name) for name in IN_COMMENTS if name != "clues"}, **about.clues}
    lines = ((name, part.strip()) for name, text in flat.items() for part in text.splitlines())
    return "".join(f"{comment} {name}: {part}\n" for name, part in lines if part)
