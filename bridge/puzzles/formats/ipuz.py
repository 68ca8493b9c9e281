"""ipuz: puzzles as JSON, crosswords with letters of any script, Sudokus and Latin squares.

The words of a crossword are those of its solution, unless the caller or the file has a list. The list and its reading,
which ipuz does not define, are extension keys as the format provides for them: `lpbridge:words`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from typing import Any

from bridge.common import listed
from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import Codec, Reading, Request, Source, left_out, made
from bridge.puzzles.formats.crosswords import check_size, published, with_words
from bridge.puzzles.formats.own import object_text
from bridge.puzzles.formats.sudoku_lines import usual_boxes
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.about import NAMES as ABOUT
from bridge.puzzles.kinds.crossword.runs import BLACK, slots
from bridge.puzzles.kinds.json_places import load_json
from bridge.puzzles.kinds.rules import Cell, cell_name

_OURS = "lpbridge:"
_DIGITS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CROSSWORD, _SUDOKU = "http://ipuz.org/crossword", "http://ipuz.org/sudoku"

#: The supported kinds of ipuz, with the variant.
_SQUARES: Mapping[str, tuple[str, dict[str, Any]]] = {
    _SUDOKU: ("sudoku", {}),
    f"{_SUDOKU}/latinsquare": ("latin-square", {}),
    f"{_SUDOKU}/diagonallatinsquare": ("latin-square", {"variant": "diagonal"}),
}
_ASIDE = ("publisher", "notes", "explanation", "saved")
#: The keys of texts about the puzzle, by their names in `About`.
_TEXTS: Mapping[str, str] = {"title": "title", "author": "author", "copyright": "copyright", "rules": "intro"}

#: The tags that ipuz allows in its texts.
_TAG = re.compile(r"</?(?:b|i|s|u|em|strong|big|small|sup|sub|br|p|span|font|tt|ul|ol|li)\b[^<>]*>", re.IGNORECASE)


class Ipuz(Codec):
    """Crosswords, Sudokus and Latin squares."""

    name = "ipuz"
    title = "ipuz files, version 1 and 2"
    suffixes = (".ipuz",)
    kinds = ("crossword", "sudoku", "latin-square")
    many = False
    carries = (
        "Crosswords with everything (the list of words under lpbridge:words; read: else the words of the solution), "
        "Sudokus with the usual boxes of their size, and Latin squares, plain and diagonal, up to 35. Title, author, "
        "copyright, intro (the rules), the text of clues and the solution of a crossword; barred grids, rebuses, "
        "cages, zones and other kinds of puzzle are refused."
    )
    about = frozenset(ABOUT)
    has_solution = True

    def sniff(self, source: Source) -> bool:
        head = source.head
        return head.startswith(("{", "ipuz(")) and "ipuz.org/" in head

    def decode(self, source: Source, request: Request) -> Reading:
        text, place = source.text, source.place
        if wrapped := re.fullmatch(r"\s*ipuz\((.*)\)\s*(?:;\s*)?", text, re.DOTALL):
            # Replaced by blanks, so that lines and columns stay the same.
            text = " " * wrapped.start(1) + wrapped[1]
        data = load_json(text, place)
        if not isinstance(data, dict) or not isinstance(data.get("kind"), list) or not data["kind"]:
            raise InputError("no ipuz: `kind` is missing", where=place)
        kinds = [str(kind).partition("#")[0].removesuffix("/") for kind in data["kind"]]
        rows = data.get("puzzle")
        if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
            raise InputError("no ipuz: `puzzle` is to be a list of rows", where=place)
        if _CROSSWORD in kinds or f"{_CROSSWORD}/crypticcrossword" in kinds:
            return _crossword(data, rows, place, request)
        known = next((_SQUARES[kind] for kind in kinds if kind in _SQUARES), None)
        if known is None or len(kinds) > 1:
            raise UnsupportedError(f"a puzzle of the kind {listed(kinds)} is not supported", where=place)
        return _square(data, rows, known, place, request)

    def lost(self, puzzle: Puzzle) -> list[str]:
        data = puzzle.to_json()
        if puzzle.kind == "crossword":
            return []
        if len(puzzle.grid) > len(_DIGITS):
            raise UnsupportedError(f"ipuz has no sign for values above {len(_DIGITS)}", hint="take json")
        if data.get("variant") == "reduced":
            return ["the variant reduced"]
        return usual_boxes(tuple(data["box"]), len(puzzle.grid)) if "box" in data else []

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        puzzle = puzzles[0]
        return _bytes(_written_crossword(puzzle) if puzzle.kind == "crossword" else _written_square(puzzle))

    def write_open(self, puzzles: Sequence[Puzzle]) -> bytes:
        data = _written_crossword(puzzles[0])
        for name in ("words", "scores"):  # those of the puzzle are in its solution
            data.pop(f"{_OURS}{name}", None)
        data["solution"] = [list(row) for row in puzzles[0].grid]
        data["puzzle"] = [[cell["cell"] if isinstance(cell, dict) else cell for cell in row] for row in data["puzzle"]]
        return _bytes(data)


def _bytes(data: Mapping[str, Any]) -> bytes:
    return f"{object_text(data, 'puzzle', 'solution')}\n".encode()


# Crosswords


def _crossword(data: Mapping[str, Any], rows: list[list[Any]], place: Place, request: Request) -> Reading:
    block, aside = str(data.get("block", "#")), _aside(data)
    check_size(len(rows), max(map(len, rows)), place)
    grid: list[list[Any]] = []
    labels: dict[str, Cell] = {}
    for r, row in enumerate(rows, 1):
        grid.append([])
        for c, cell in enumerate(row, 1):
            value = None
            if isinstance(cell, dict):
                _look_at_style(cell.get("style"), cell_name((r, c)), place, aside)
                cell, value = cell.get("cell", 0), cell.get("value")
            if cell is None:
                aside.append("that cells are missing: they are black here")
            black = cell is None or str(cell) == block
            if not black:
                labels.setdefault(str(cell), (r, c))
            grid[-1].append(BLACK if black else _letter(value, (r, c), place))
    solution: dict[Cell, str] = {}
    for r, row in enumerate(data.get("solution") or (), 1):
        for c, answer in enumerate(row if isinstance(row, list) else (), 1):
            answer = answer.get("value") if isinstance(answer, dict) else answer
            if answer is not None and str(answer) != block and (letter := _letter(answer, (r, c), place)):
                solution[r, c] = letter
    if any(len(row) != len(grid[0]) for row in grid):
        raise InputError("the rows of `puzzle` are not equally long", where=place)
    form: dict[str, Any]
    notes: list[str] = []
    if f"{_OURS}words" in data and "words" not in request.options:
        form = {"grid": grid, "words": data[f"{_OURS}words"], "scores": data.get(f"{_OURS}scores")}
    else:
        form, notes = with_words(grid, solution, request, place)
    form |= {name: data[f"{_OURS}{name}"] for name in ("reading", "repeat") if f"{_OURS}{name}" in data}
    clues, strays = _clues(data, labels, grid)
    form["about"] = _texts(data) | {"clues": clues, "solution": published(grid, solution)}
    if strays:
        aside.append(f"clues of no entry ({', '.join(strays[:5])}{', ...' if len(strays) > 5 else ''})")
    return Reading((made("crossword", form, place, request),), (*notes, *left_out(aside)))


def _letter(value: Any, cell: Cell, place: Place) -> str | None:
    if value in (None, "", 0, "0"):
        return None
    if isinstance(value, str) and len(value) > 1 and value.isalpha():
        import unicodedata  # a letter of two characters is one in its composed form (NFC)

        value = unicodedata.normalize("NFC", value)
    if not isinstance(value, str):
        raise InputError(f"{cell_name(cell)} holds {value!r}, which is not a letter", where=place)
    if len(value) > 1:
        raise UnsupportedError(f"a rebus ({value!r} in {cell_name(cell)}) is not supported", where=place)
    return value


def _look_at_style(style: Any, name: str, place: Place, aside: list[str]) -> None:
    for key, what in (("barred", "a barred grid"), ("divided", "a divided cell")):
        if isinstance(style, dict) and style.get(key):
            raise UnsupportedError(f"{what} ({name}) is not supported", where=place)
    if style:
        aside.append("styles")


def _clues(
    data: Mapping[str, Any], labels: Mapping[str, Cell], grid: list[list[Any]]
) -> tuple[dict[str, str], list[str]]:
    """The texts of clues by entry, and the names of clues that belong to no entry.

    An entry is found by the label of its first cell: a file may number its entries in another way.
    """
    named = {slot.start: slot.name for slot in slots(tuple(map(tuple, grid)))}
    found: dict[str, str] = {}
    strays: list[str] = []
    clues = data.get("clues")
    for heading, listed_clues in clues.items() if isinstance(clues, dict) else ():
        direction = str(heading).partition(":")[0].strip().lower()
        for clue in listed_clues if isinstance(listed_clues, list) else ():
            number, text, enumeration = _clue(clue)
            if not text:
                continue
            entry = named.get((direction, labels.get(number, (0, 0))))
            if entry is None or entry in found:
                strays.append(" ".join(part for part in (number, direction) if part))
            else:
                found[entry] = text if not enumeration or text.endswith(")") else f"{text} ({enumeration})"
    return {entry: found[entry] for entry in named.values() if entry in found}, strays


def _clue(clue: Any) -> tuple[str, str, str]:
    """The number, the text and the enumeration of a clue: `[1, "text"]`, an object, or a text."""
    if isinstance(clue, dict):
        return str(clue.get("number", "")), _plain(clue.get("clue")), str(clue.get("enumeration") or "")
    if isinstance(clue, list) and clue:
        return str(clue[0]) if len(clue) > 1 else "", _plain(clue[-1]), ""
    return "", _plain(clue), ""


def _texts(data: Mapping[str, Any]) -> dict[str, str]:
    """The texts about the puzzle other than clues."""
    found = {name: _plain(data.get(key)) for name, key in _TEXTS.items()}
    return {name: text for name, text in found.items() if text}


def _plain(text: Any) -> str:
    """A text of ipuz, which is HTML with a few tags, as plain text."""
    if text is None or isinstance(text, dict | list):
        return ""
    lines = re.sub(r"<br\b[^<>]*>", "\n", str(text), flags=re.IGNORECASE)
    return unescape(_TAG.sub("", lines)).strip()


def _html(text: str) -> str:
    """A plain text as ipuz has it."""
    return escape(text, quote=False).replace("\n", "<br/>")


def _written_texts(puzzle: Puzzle) -> dict[str, str]:
    return {key: _html(getattr(puzzle.about, name)) for name, key in _TEXTS.items() if getattr(puzzle.about, name)}


def _written_crossword(puzzle: Puzzle) -> dict[str, Any]:
    form = puzzle.to_json()
    every = slots(puzzle.grid)
    numbers = {slot.cells[0]: int(slot.name.split()[0]) for slot in every}
    clues: dict[str, list[list[Any]]] = {"Across": [], "Down": []}
    for slot in every:
        text = _html(puzzle.about.clues.get(slot.name, ""))
        clues[slot.direction.title()].append([numbers[slot.cells[0]], text])
    rows: list[list[Any]] = []
    for r, row in enumerate(puzzle.grid, 1):
        rows.append([])
        for c, value in enumerate(row, 1):
            number, given = numbers.get((r, c), 0), {"cell": numbers.get((r, c), 0), "value": str(value)}
            rows[-1].append(number if value is None else BLACK if value == BLACK else given)
    return {
        "version": "http://ipuz.org/v2",
        "kind": [f"{_CROSSWORD}#1"],
        **_written_texts(puzzle),
        "dimensions": {"width": len(rows[0]), "height": len(rows)},
        "puzzle": rows,
        "clues": clues,
        **({"solution": [list(row) for row in puzzle.about.solution]} if puzzle.about.solution else {}),
        **{f"{_OURS}{name}": form[name] for name in ("reading", "repeat", "words", "scores") if name in form},
    }


# Squares


def _square(
    data: Mapping[str, Any], rows: list[list[Any]], known: tuple[str, dict[str, Any]], place: Place, request: Request
) -> Reading:
    kind, variant = known
    for key, what in (("cages", "cages (killer, calcudoku)"), ("zones", "zones (jigsaw)")):
        if data.get(key):
            raise UnsupportedError(f"a Sudoku with {what} is not supported", where=place)
    if kind == "sudoku" and data.get("boxes", True) is False:
        kind = "latin-square"
    aside = _aside(data)
    charset = str(data.get("charset", _DIGITS[: max(9, len(rows))]))
    empty = str(data.get("empty", "0"))
    grid: list[list[int | None]] = []
    for r, row in enumerate(rows, 1):
        grid.append([])
        for c, cell in enumerate(row, 1):
            if isinstance(cell, dict):
                _look_at_style(cell.get("style"), cell_name((r, c)), place, aside)
                cell = cell.get("value", cell.get("cell", 0))
            if cell is None:
                raise UnsupportedError(f"{cell_name((r, c))} is missing: there is no such Sudoku here", where=place)
            text = str(cell)
            if text == empty or text.strip() == "":
                grid[-1].append(None)
            elif len(text) == 1 and text in charset:
                grid[-1].append(charset.index(text) + 1)
            else:
                raise InputError(f"{cell_name((r, c))}: {text!r} is none of {charset!r}", where=place)
    return Reading((made(kind, {"grid": grid, **variant, "about": _texts(data)}, place, request),), left_out(aside))


def _written_square(puzzle: Puzzle) -> dict[str, Any]:
    form, size = puzzle.to_json(), len(puzzle.grid)
    charset = _DIGITS[:size]
    name = ""
    if puzzle.kind == "latin-square":
        name = "/diagonallatinsquare" if form["variant"] == "diagonal" else "/latinsquare"
    signs = [0, *(int(sign) if sign.isdigit() else sign for sign in charset)]
    rows = [[signs[int(value or 0)] for value in row] for row in puzzle.grid]
    return {
        "version": "http://ipuz.org/v2",
        "kind": [f"{_SUDOKU}{name}#1"],
        **_written_texts(puzzle),
        "dimensions": {"width": size, "height": size},
        "charset": charset,
        "boxes": puzzle.kind == "sudoku",
        "puzzle": rows,
    }


def _aside(data: Mapping[str, Any]) -> list[str]:
    return [f"`{key}`" for key in _ASIDE if data.get(key)]
