"""Links of SudokuPad: `https://sudokupad.app/scl...`, one puzzle per line; `fpuz` links are those of f-puzzles.

The packed text is abbreviated JSON: names of one or two letters without quotes, nothing for empty objects, `t` and `f`
for true and false, single quotes. SudokuPad's own form has regions, cages, and drawings instead of rules: any drawing
may represent a rule, and is refused. `fpuz` links are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import quote

from bridge.asp import Constant
from bridge.asp.reading import Atom
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import Reading, Request, left_out
from bridge.puzzles.formats.fpuzzles import (
    _PAD,
    FPuzzles,
    made_of,
    not_looked_at,
    packed_data,
    refuse,
    square,
    unpacked,
)
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.rules import cell_name
from bridge.puzzles.kinds.text import Token

_OWN = re.compile(r"(?:.*[/=])?(?:scl|ctc)([\w+/=%]{8,})")
_SHORT = re.compile(r"(?:https?://)?(?:[\w.]*sudokupad\.app|app\.crackingthecryptic\.com)/(?:sudoku/)?(\S+)")

#: The short names of the keys that are read.
_LONG: Mapping[str, str] = {
    "ca": "cages", "ce": "cells", "a": "arrows", "o": "overlays", "u": "underlays", "l": "lines", "re": "regions",
    "cs": "cellSize", "vd": "videos", "v": "value", "t": "title", "m": "metadata", "md": "metadata",
}  # fmt: skip
#: The texts about a puzzle, and how a cage without cells holds one.
_TEXTS = ("title", "author", "rules")
_TEXT_OF_CAGE = re.compile(r"(title|author|rules):\s*(.*)", re.DOTALL | re.IGNORECASE)
_ASIDE = {"id", "cellSize", "cells", "regions", "cages", "metadata", "metaData", "videos", "title", "author", "rules"}
_DRAWN: Mapping[str, str] = {
    "arrows": "drawn arrows",
    "lines": "drawn lines",
    "overlays": "drawings",
    "underlays": "drawings",
}


class SudokuPad(FPuzzles):
    """Sudokus, Killer Sudokus and variant Sudokus."""

    name = "sudokupad"
    title = "links of SudokuPad: scl and ctc (read), fpuz (read and written)"
    carries = (
        "Size, boxes, regions, cages and clues; in `fpuz` links, the constraints that a variant Sudoku has. What is "
        "drawn on the grid may be a rule, and is refused by name; pencil marks and videos are left out."
    )
    _ADDRESS: ClassVar[str] = "https://sudokupad.app/fpuz"

    def sniff_line(self, line: str) -> bool:
        if _PAD.fullmatch(line):
            return False  # `fpuzzles` reads it as well
        return _OWN.fullmatch(line) is not None or _SHORT.fullmatch(line) is not None

    def decode_line(self, line: Token, request: Request) -> Reading:
        if own := _OWN.fullmatch(line.text):
            return _read(_Short(unpacked(own[1], line.place), line.place).value(), line.place, request)
        if short := _SHORT.fullmatch(line.text) if not _PAD.fullmatch(line.text) else None:
            if short[1].startswith(("scf", "classic")):
                raise UnsupportedError("SudokuPad's short form of givens (scf, classic) is not read", where=line.place)
            raise UnsupportedError(
                "this link only names a puzzle, which is kept elsewhere",
                where=line.place,
                hint="open it, and export it with the puzzle in the link (scl or fpuz)",
            )
        return super().decode_line(line, request)

    def write_line(self, puzzle: Puzzle) -> str:
        return self._ADDRESS + quote(packed_data(puzzle), safe="")  # it is part of a path


def _read(data: Any, place: Place, request: Request) -> Reading:
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise InputError("what is packed is not a puzzle of SudokuPad: it has no cells", where=place)
    about = _texts(data, place)
    held = [one for key in ("metadata", "metaData") if isinstance(one := data.get(key), dict)]
    aside = ["metadata"] if any(value and key not in _TEXTS for one in held for key, value in one.items()) else []
    aside += ["videos"] if data.get("videos") else []
    variants = [_DRAWN.get(key, key) for key, value in data.items() if key not in _ASIDE and value]
    facts: list[Atom] = []
    for number, cage in enumerate(_listed(data, "cages", place), 1):
        if not isinstance(cage, dict):
            raise InputError("a cage has cells and a value", where=place)
        if cage.get("cells"):
            facts += _facts_of_cage(cage, number, place)
        elif not _TEXT_OF_CAGE.match(str(cage.get("value"))):
            aside.append("texts")
    refuse(variants + ["killer (cages)"] * (bool(facts) and request.puzzle == "sudoku"), place)
    rows = square(data["cells"], place)
    grid: list[list[int | None]] = []
    for r, row in enumerate(rows, 1):
        grid.append([_clue(cell.get("value"), cell_name((r, c)), place) for c, cell in enumerate(row, 1)])
        if any(key != "value" and value for cell in row for key, value in cell.items()):
            aside.append("pencil marks")
    regions = [_cells(region, place) for region in _listed(data, "regions", place)]
    if not regions and request.puzzle == "sudoku":
        refuse(["Latin square: it has no boxes"], place)
    cages = (
        ["its cages were read as those of a killer Sudoku: values differ, and add up to the number"] if facts else []
    )
    notes = (*left_out(aside), *cages, *not_looked_at(about))
    return Reading((made_of(grid, regions, facts, about, place, request),), notes)


def _texts(data: Mapping[str, Any], place: Place) -> dict[str, str]:
    """Title, author and rules: keys of the puzzle or of its metadata, or values of cages without cells."""
    found: dict[str, str] = {}
    for cage in _listed(data, "cages", place):
        if isinstance(cage, dict) and not cage.get("cells") and (text := _TEXT_OF_CAGE.match(str(cage.get("value")))):
            found.setdefault(text[1].lower(), text[2])
    for held in (data.get("metadata"), data.get("metaData"), data):
        if isinstance(held, dict):
            texts = {name: held[name] for name in _TEXTS if held.get(name)}
            lines = {name: text if isinstance(text, list) else [text] for name, text in texts.items()}
            found |= {name: "\n".join(map(str, some)) for name, some in lines.items()}
    return {name: text.strip() for name, text in found.items() if text.strip()}


def _facts_of_cage(cage: Mapping[str, Any], number: int, place: Place) -> list[Atom]:
    """The facts of a cage; its value is a number, or there is none."""
    value = cage.get("value")
    cells = sorted(_cells(cage["cells"], place))
    if value is None or value == "":
        return [("cage", (r + 1, c + 1, Constant(f"k{number}"))) for r, c in cells]
    if isinstance(value, bool) or not re.fullmatch("[0-9]{1,6}", str(value)):
        raise UnsupportedError(f"a cage with {str(value)[:40]!r} in its corner is not read", where=place)
    return [*(("cage", (r + 1, c + 1, number)) for r, c in cells), ("sum", (number, int(value)))]


def _listed(data: Mapping[str, Any], key: str, place: Place) -> list[Any]:
    found = data.get(key) or []
    if not isinstance(found, list):
        raise InputError(f"what is packed is not a puzzle of SudokuPad: `{key}` is not a list", where=place)
    return found


def _clue(value: Any, name: str, place: Place) -> int | None:
    if value is None or value == "":
        return None
    if isinstance(value, str) and re.fullmatch("[0-9]{1,2}", value):
        value = int(value)
    if type(value) is not int:
        raise InputError(f"{name}: {value!r} is not a value", where=place)
    return value


def _cells(region: Any, place: Place) -> set[tuple[int, int]]:
    cells: list[Any] = region if isinstance(region, list) else [None]
    if not all(isinstance(cell, list) and [*map(type, cell)] == [int, int] for cell in cells):
        raise InputError("a region is a list of cells", where=place)
    return {(cell[0], cell[1]) for cell in cells}


class _Short:
    """A recursive-descent parser of SudokuPad's abbreviated JSON, of limited depth."""

    _DEEPEST = 32
    _BARE = re.compile(r"[^,\]}:]*")
    _NAME = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\w+))\s*:""")
    _TEXT = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""")

    def __init__(self, text: str, place: Place) -> None:
        self._text, self._place, self._at = text, place, 0

    def value(self, depth: int = 0) -> Any:
        if depth > self._DEEPEST:
            raise self._wrong("it is nested too deeply")
        mark = self._text[self._at : self._at + 1]
        if mark == "[":
            return self._items("]", depth)
        if mark == "{":
            return dict(self._items("}", depth))
        if text := self._TEXT.match(self._text, self._at):
            self._at = text.end()
            return _unquoted(text[1] if text[1] is not None else text[2])
        bare = self._BARE.match(self._text, self._at)
        word = bare[0].strip() if bare else ""
        self._at += len(bare[0]) if bare else 0
        if word in ("t", "true", "f", "false", "null"):
            return {"t": True, "true": True, "f": False, "false": False, "null": None}[word]
        if re.fullmatch(r"-?[0-9]{1,15}", word):
            return int(word)
        return word if word else {}  # a number, a colour; or an object that is empty

    def _items(self, end: str, depth: int) -> list[Any]:
        """The items between two brackets: values, or pairs of a name and a value."""
        found: list[Any] = []
        self._at += 1
        if self._text[self._at : self._at + 1] == end:
            self._at += 1
            return found
        while True:
            if end == "}":
                if (name := self._NAME.match(self._text, self._at)) is None:
                    raise self._wrong("a name is expected")
                self._at = name.end()
                key = next(group for group in name.groups() if group is not None)
                found.append((_LONG.get(key, key), self.value(depth + 1)))
            else:
                found.append(self.value(depth + 1))
            mark = self._text[self._at : self._at + 1]
            self._at += 1
            if mark == end:
                return found
            if mark != ",":
                raise self._wrong("it breaks off" if not mark else f"{mark!r} has no place there")

    def _wrong(self, what: str) -> InputError:
        message = f"what is packed is not a puzzle of SudokuPad: at character {self._at + 1} {what}"
        return InputError(message, where=self._place, hint="copy the whole link")


def _unquoted(text: str) -> str:
    try:
        return str(json.loads('"' + re.sub(r"\\'", "'", text).replace('"', '\\"') + '"', strict=False))
    except ValueError:
        return text
