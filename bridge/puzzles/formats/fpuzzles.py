"""Links of f-puzzles, which SudokuPad reads as well: JSON packed by lz-string, one puzzle per line.

    https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3...

A link with constraints that a variant Sudoku has (`bridge.puzzles.formats.fpuzzles_rules`), or with regions other than
boxes, is one. Other constraints, and drawings that may represent one, are refused by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import unquote

from bridge.asp import Constant
from bridge.asp.reading import Atom, written
from bridge.common import listed
from bridge.errors import BridgeError, InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import LineCodec, Reading, Request, left_out, made
from bridge.puzzles.formats.fpuzzles_rules import read_rules, rule, write_rules
from bridge.puzzles.formats.lzstring import compress, decompress
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.latin.text import checked_size
from bridge.puzzles.kinds.rules import Cell, cell_name
from bridge.puzzles.kinds.sudoku.text import Box, squarest_box
from bridge.puzzles.kinds.text import Token

#: Keys that express no constraint, with their names in notes; None for no note.
_ASIDE: Mapping[str, str | None] = {
    "size": None, "grid": None, "solution": "the solution", "title": None, "author": None, "ruleset": None,
    "highlightConflicts": None, "disabledlogic": None, "truecandidatesoptions": None,
    "successMessage": None, "activeConstraints": None,
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


#: The keys of texts about the puzzle, by their names in `About`.
TEXTS: Mapping[str, str] = {"title": "title", "author": "author", "rules": "ruleset"}

#: The kinds of puzzles of links with constraints: any, and cages alone.
VARIANT, KILLER = "variant-sudoku", "killer"


class FPuzzles(LineCodec):
    """Sudokus, Killer Sudokus and variant Sudokus."""

    name = "fpuzzles"
    title = "links of f-puzzles (and the same with fpuz, as SudokuPad has them)"
    kinds = ("sudoku", VARIANT, KILLER)
    carries = (
        "Size, boxes, regions, clues, and the constraints that a variant Sudoku has; with cages alone it is a Killer "
        "Sudoku. Other constraints are refused by"
        " name; colours, pencil marks and values that a player has entered are left out."
    )
    about = frozenset(TEXTS)
    _ADDRESS: ClassVar[str] = "https://www.f-puzzles.com/?load="

    def sniff_line(self, line: str) -> bool:
        return any(form.fullmatch(line) for form in (_LINK, _PAD, _BARE))

    def decode_line(self, line: Token, request: Request) -> Reading:
        packed = next((found for form in (_LINK, _PAD, _BARE) if (found := form.fullmatch(line.text))), None)
        if packed is None:
            raise InputError("this is not a link of f-puzzles", where=line.place, hint=f"{self._ADDRESS}...")
        text = packed[1] if packed.re is not _BARE else packed[0]
        return read_data(unpacked(text, line.place), line.place, request)

    def lost(self, puzzle: Puzzle) -> list[str]:
        return write_rules(puzzle.atoms)[1] if isinstance(puzzle, FilePuzzle) else []

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
        raise InputError("what is packed is not JSON", where=place, hint="copy the whole link") from None
    if not isinstance(data, dict) or not isinstance(data.get("grid"), list):
        raise InputError("what is packed is not a puzzle of f-puzzles: it has no grid", where=place)
    constraints = {key: value for key, value in data.items() if key not in _ASIDE and value}
    if request.puzzle == "sudoku":
        refuse([_VARIANTS.get(key, key) for key in constraints], place)
    rules = read_rules(constraints, place)
    refuse([_VARIANTS.get(key, key) for key in rules.unknown], place)
    rows = square(data["grid"], place)
    aside = [*rules.aside, *(f"{what}" for key, what in _ASIDE.items() if what and data.get(key))]
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
    about = {name: str(data[key]).strip() for name, key in TEXTS.items() if data.get(key)}
    groups = _regions([[cell.get("region", ...) for cell in row] for row in rows], place)
    notes = (*left_out(aside), *not_looked_at(about))
    return Reading((made_of(grid, groups, rules.facts, about, place, request),), notes)


def square(rows: list[Any], place: Place) -> list[list[dict[str, Any]]]:
    """The rows of a grid of objects, checked."""
    size = checked_size(len(rows), "Sudoku", place)
    if not all(
        isinstance(row, list) and len(row) == size and all(isinstance(one, dict) for one in row) for row in rows
    ):
        raise InputError("the grid is not a square of cells", where=place)
    return rows


def not_looked_at(about: Mapping[str, str]) -> list[str]:
    """The note that rules in words mean nothing to a solver."""
    text = " ".join(about.get("rules", "").split())
    return [f"its rules in words were not looked at: {text[:200]!r}"] if text else []


def made_of(
    grid: list[list[Any]],
    groups: list[set[Cell]],
    facts: list[Atom],
    about: Mapping[str, str],
    place: Place,
    request: Request,
) -> Puzzle:
    """The puzzle of clues, regions, the facts of constraints, and texts; regions are sets of cells, counted from 0.

    It is a Sudoku where its regions are boxes and it has no constraints, and a Killer Sudoku where they are the usual
    boxes and it has cages alone, unless another of these kinds is requested.
    """
    box = box_of(groups, len(grid))
    if request.puzzle == "sudoku" and box is None:
        refuse(["jigsaw (regions in place of boxes)"], place)
    if box is not None and not facts and request.puzzle in (None, "sudoku"):
        return made("sudoku", {"grid": grid, "box": list(box), "about": about}, place, request)
    held = [*facts, *_facts_of_regions(groups, box, len(grid))]
    kind = request.puzzle or (KILLER if {name for name, _ in held} <= {"cage", "sum"} else VARIANT)
    return made(kind, {"grid": grid, "facts": [written(fact) for fact in held], "about": about}, place, request)


def _facts_of_regions(groups: list[set[Cell]], box: Box | None, size: int) -> list[Atom]:
    """The facts of regions that are not the usual boxes."""
    if not groups and size > 1:
        return [rule("no-regions")]
    if box == squarest_box(size):
        return []
    letters = [Constant(chr(ord("a") + number % 26) * (number // 26 + 1)) for number in range(len(groups))]
    return [
        ("region", (r + 1, c + 1, letter))
        for letter, group in zip(letters, sorted(groups, key=min), strict=True)
        for r, c in sorted(group)
    ]


def refuse(variants: list[str], place: Place) -> None:
    """An error that names the variants, where there are any."""
    if variants:
        names = listed(tuple(dict.fromkeys(variants)))
        raise UnsupportedError(f"a Sudoku of the variant {names} is not supported", where=place)


def _regions(regions: list[list[Any]], place: Place) -> list[set[Cell]]:
    """The cells of each region; a cell without the key is in its default box, one with null in no region."""
    size = len(regions)
    if size == 0:
        raise InputError("`grid` is empty", where=place)
    height, width = squarest_box(size)
    groups: dict[str, set[Cell]] = {}
    for r, row in enumerate(regions):
        for c, given in enumerate(row):
            region = (r // height) * (size // width) + c // width if given is ... else given
            if region is not None:
                groups.setdefault(str(region), set()).add((r, c))
    return list(groups.values())


def box_of(groups: list[set[Cell]], size: int) -> Box | None:
    """The shape of boxes given as sets of cells, counted from 0; None where regions are not boxes of one shape."""
    parts = {frozenset(group) for group in groups}
    for height in sorted((h for h in range(1, size + 1) if size % h == 0), key=lambda h: h != squarest_box(size)[0]):
        width = size // height
        if parts == set(boxes_of((height, width))):
            return height, width
    return None


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
    cells: list[list[dict[str, Any]]] = [
        [{} if value is None else {"value": value, "given": True} for value in row] for row in puzzle.grid
    ]
    about = puzzle.about
    texts = {key: getattr(about, name) for name, key in TEXTS.items() if getattr(about, name)}
    data: dict[str, Any] = {"size": size, **texts, "grid": cells}
    if isinstance(puzzle, FilePuzzle):
        regions = _regions_of(puzzle)
        data |= write_rules(puzzle.atoms)[0]
    else:
        height, width = puzzle.to_json()["box"]
        usual = (height, width) == squarest_box(size)
        boxes = [] if usual else boxes_of((height, width))
        regions = {cell: number for number, box in enumerate(boxes) for cell in box}
    for (r, c), region in regions.items():
        cells[r][c]["region"] = region
    return compress(json.dumps(data, separators=(",", ":")))


def _regions_of(puzzle: FilePuzzle) -> dict[Cell, int | None]:
    """The region of each cell, counted from 0, where they are not the usual boxes; None for a cell without one."""
    facts = [arguments for name, arguments in puzzle.atoms if name == "region"]
    if not facts and rule("no-regions") not in puzzle.atoms:
        return {}
    names = list(dict.fromkeys(name for _, _, name in sorted(facts, key=lambda row: row[:2])))
    every = ((r, c) for r in range(len(puzzle.grid)) for c in range(len(puzzle.grid)))
    return {**dict.fromkeys(every), **{(r - 1, c - 1): names.index(name) for r, c, name in facts}}
