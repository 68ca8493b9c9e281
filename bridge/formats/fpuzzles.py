"""Links of f-puzzles, which SudokuPad reads as well: JSON packed by lz-string, one puzzle per line.

    https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3...

Anything beside clues and regions is a constraint of a variant, or a drawing that may represent one: it is refused by
name. Regions other than boxes are the variant jigsaw, which is refused as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import unquote

from bridge.errors import BridgeError, InputError, Place, UnsupportedError
from bridge.formats.codec import LineCodec, Reading, Request, listed, made
from bridge.formats.lzstring import compress, decompress
from bridge.puzzles import Puzzle
from bridge.puzzles.latin.text import checked_size
from bridge.puzzles.rules import cell_name
from bridge.puzzles.sudoku.rules import Box
from bridge.puzzles.sudoku.text import squarest_box
from bridge.puzzles.text import Token

#: Keys that express no constraint, with their names in notes; None for no note.
_ASIDE: Mapping[str, str | None] = {
    "size": None, "grid": None, "solution": "the solution", "title": "the title", "author": "the author",
    "ruleset": "the rules in words", "highlightConflicts": None, "disabledlogic": None, "truecandidatesoptions": None,
    "successMessage": None,
}  # fmt: skip
_OF_A_CELL: Mapping[str, str | None] = {
    "value": None, "given": None, "region": None, "c": "colours", "highlight": "colours", "cArray": "colours",
    "highlightArray": "colours", "centerPencilMarks": "pencil marks", "cornerPencilMarks": "pencil marks",
}  # fmt: skip

#: The names of variants in messages; others have the name of their key.
_VARIANTS: Mapping[str, str] = {
    "diagonal+": "X (a diagonal)", "diagonal-": "X (a diagonal)", "antiknight": "anti-knight", "antiking": "anti-king",
    "disjointgroups": "disjoint groups", "nonconsecutive": "non-consecutive", "killercage": "killer (cages)",
    "littlekillersum": "little killer", "thermometer": "thermo", "extraregion": "extra regions",
    "betweenline": "between lines", "minimum": "minimum cells", "maximum": "maximum cells", "sandwichsum": "sandwich",
    "difference": "kropki (differences)", "ratio": "kropki (ratios)", "xv": "XV", "clone": "clones",
    "quadruple": "quadruples", "negative": "negative constraints", "cage": "drawn cages", "line": "drawn lines",
    "rectangle": "drawn rectangles", "circle": "drawn circles", "text": "drawn text",
}  # fmt: skip

_LINK = re.compile(r"(?:https?://)?[\w.-]*f-puzzles\.com/?\?(?:.*&)?(?:load|id)=(.+)")
_PAD = re.compile(r"(?:.*[/=])?(?:fpuzzles|fpuz)([\w+/=%]{8,})")
_BARE = re.compile(r"N4Ig[\w+/=%]{8,}")


class FPuzzles(LineCodec):
    """Sudokus without variants."""

    name = "fpuzzles"
    title = "links of f-puzzles (and the same with fpuz, as SudokuPad has them)"
    kinds = ("sudoku",)
    carries = (
        "Size, boxes and clues. Every variant constraint is refused by name; title, author, colours, pencil marks and"
        " values that a player has entered are left out."
    )
    _ADDRESS: ClassVar[str] = "https://www.f-puzzles.com/?load="

    def sniff_line(self, line: str) -> bool:
        return any(form.fullmatch(line) for form in (_LINK, _PAD, _BARE))

    def decode_line(self, line: Token, request: Request) -> Reading:
        packed = next((found for form in (_LINK, _PAD, _BARE) if (found := form.fullmatch(line.text))), None)
        if packed is None:
            raise InputError("this is no link of f-puzzles", where=line.place, hint=f"{self._ADDRESS}...")
        text = packed[1] if packed.re is not _BARE else packed[0]
        return read_data(unpacked(text, line.place), line.place, request)

    def write_line(self, puzzle: Puzzle) -> str:
        return self._ADDRESS + packed_data(puzzle)


def unpacked(text: str, place: Place) -> str:
    """The text packed in a link."""
    try:
        return decompress(unquote(text).replace(" ", "+"))
    except BridgeError as error:
        raise InputError(error.message, where=place, hint=error.hint) from None


def read_data(text: str, place: Place, request: Request) -> Reading:
    """The puzzle in f-puzzles' JSON."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("what is packed is no JSON", where=place, hint="copy the whole link") from None
    if not isinstance(data, dict) or not isinstance(data.get("grid"), list):
        raise InputError("what is packed is no puzzle of f-puzzles: it has no grid", where=place)
    refuse([_VARIANTS.get(key, key) for key, value in data.items() if key not in _ASIDE and value], place)
    rows = data["grid"]
    size = checked_size(len(rows), "Sudoku", place)
    if not all(
        isinstance(row, list) and len(row) == size and all(isinstance(one, dict) for one in row) for row in rows
    ):
        raise InputError("`grid` is no square of cells", where=place)
    aside = [f"{what}" for key, what in _ASIDE.items() if what and data.get(key)]
    grid: list[list[Any]] = []
    for r, row in enumerate(rows, 1):
        grid.append([])
        for c, cell in enumerate(row, 1):
            if unknown := [key for key, value in cell.items() if key not in _OF_A_CELL and value]:
                refuse([f"{unknown[0]} in {cell_name((r, c))}"], place)
            aside += [what for key, what in _OF_A_CELL.items() if what and cell.get(key)]
            given = bool(cell.get("given")) and cell.get("value") is not None
            if cell.get("value") and not given:
                aside.append("values that a player has entered")
            grid[-1].append(cell["value"] if given else None)
    box = _boxes([[cell.get("region", ...) for cell in row] for row in rows], place)
    notes = (f"left out: {listed(list(dict.fromkeys(aside)))}",) if aside else ()
    if data.get("ruleset"):
        notes = (*notes, f"its rules in words were not looked at: {' '.join(str(data['ruleset']).split())[:200]!r}")
    return Reading((made("sudoku", {"grid": grid, "box": list(box)}, place, request),), notes)


def refuse(variants: list[str], place: Place) -> None:
    """An error that names the variants, where there are any."""
    if variants:
        names = listed(list(dict.fromkeys(variants)))
        raise UnsupportedError(f"a Sudoku of the variant {names} is not supported", where=place)


def _boxes(regions: list[list[Any]], place: Place) -> Box:
    """The shape of the boxes; a cell without a region is in its default box."""
    size = len(regions)
    if size == 0:
        raise InputError("`grid` is empty", where=place)
    height, width = squarest_box(size)
    said = {
        (r, c): (r // height) * (size // width) + c // width if region is ... else region
        for r, row in enumerate(regions)
        for c, region in enumerate(row)
    }
    groups: dict[Any, set[tuple[int, int]]] = {}
    for cell, region in said.items():
        groups.setdefault(str(region), set()).add(cell)
    return box_of(list(groups.values()), size, place)


def box_of(groups: list[set[tuple[int, int]]], size: int, place: Place) -> Box:
    """The shape of boxes given as sets of cells, counted from 0; other regions are refused as a jigsaw."""
    parts = {frozenset(group) for group in groups}
    for height in sorted((h for h in range(1, size + 1) if size % h == 0), key=lambda h: h != squarest_box(size)[0]):
        width = size // height
        if parts == set(boxes_of((height, width))):
            return height, width
    raise UnsupportedError("a Sudoku of the variant jigsaw (regions in place of boxes) is not supported", where=place)


def boxes_of(box: Box) -> list[frozenset[tuple[int, int]]]:
    """The cells of each box, counted from 0; boxes from left to right, then down."""
    height, width = box
    size = height * width
    return [
        frozenset((top + r, left + c) for r in range(height) for c in range(width))
        for top in range(0, size, height)
        for left in range(0, size, width)
    ]


def packed_data(puzzle: Puzzle) -> str:
    """A Sudoku as packed text of f-puzzles. Regions are written if they are not the default boxes."""
    size = len(puzzle.grid)
    height, width = puzzle.to_json()["box"]
    cells: list[list[dict[str, Any]]] = [
        [{} if value is None else {"value": value, "given": True} for value in row] for row in puzzle.grid
    ]
    if (height, width) != squarest_box(size):
        for number, box in enumerate(boxes_of((height, width))):
            for r, c in box:
                cells[r][c]["region"] = number
    return compress(json.dumps({"size": size, "grid": cells}, separators=(",", ":")))
