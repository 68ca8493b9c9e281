"""The puzzles: instances, text forms, and rules, without any solver.

    >>> puzzle = parse("sudoku", "1... ..3. .4.. ...2".replace(" ", ""))
    >>> puzzle.clues()[3, 2]
    4

To add a puzzle, write its module and enter it in `_MODULES`.
"""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import cast

from bridge.errors import InputError, Place
from bridge.files import read_text, shown_name
from bridge.puzzles.json_places import load_json, placed
from bridge.puzzles.puzzle import Puzzle

#: Name on the command line: module and class. Loaded when asked for.
_MODULES = {
    "sudoku": ("bridge.puzzles.sudoku", "Sudoku"),
    "latin-square": ("bridge.puzzles.latin_square", "LatinSquare"),
    "futoshiki": ("bridge.puzzles.futoshiki", "Futoshiki"),
    "magic-square": ("bridge.puzzles.magic_square", "MagicSquare"),
    "crossword": ("bridge.puzzles.crossword", "Crossword"),
    "takuzu": ("bridge.puzzles.takuzu", "Takuzu"),
}

#: The names of the puzzles.
KINDS = tuple(_MODULES)


def puzzle_class(kind: str) -> type[Puzzle]:
    """The class of a puzzle by its name.

    Raises
    ------
    InputError
        Listing the names there are.
    """
    if kind not in _MODULES:
        raise InputError(f"there is no puzzle {kind!r}", hint=f"one of: {', '.join(KINDS)}")
    module, name = _MODULES[kind]
    return cast("type[Puzzle]", getattr(import_module(module), name))


def parse_all(kind: str, text: str, *, file: str | None = None, **options: str) -> list[Puzzle]:
    """All puzzles in a text: one, or one a line where the form allows; JSON when it begins with `{` or `[`.

    Parameters
    ----------
    kind
        The name of a puzzle.
    text
        Any of its text forms.
    file
        What error messages call the text.
    options
        What the text does not say, such as `box="2x3"`; `puzzle_class(kind).options` lists them.

    Raises
    ------
    InputError
        With line and column, when the text is no such puzzle.
    """
    cls, place = puzzle_class(kind), Place(file)
    if unknown := options.keys() - cls.options.keys():
        known = ", ".join(cls.options) or "none"
        raise InputError(f"{kind} has no option {min(unknown)!r}", hint=f"its options: {known}")
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] not in ("{", "["):
        return list(cls.from_text(text, place, options))
    data = load_json(text, place)
    many = isinstance(data, list)
    read, puzzles = cls.read_options(options), []
    for number, item in enumerate(data if many else [data]):
        with placed(text, place, (number,) if many else ()):
            if not isinstance(item, dict):
                raise InputError("a puzzle in JSON is an object", where=place, hint='{"puzzle": ..., "grid": [[...]]}')
            if item.get("puzzle", kind) != kind:
                raise InputError(f"this is a {item['puzzle']}, not a {kind}", where=place.inside("puzzle"))
            puzzles.append(cls.from_json({**item, **read}, place))
    return puzzles


def parse(kind: str, text: str, *, file: str | None = None, **options: str) -> Puzzle:
    """The one puzzle in a text.

    Raises
    ------
    InputError
        With line and column, when the text is no such puzzle, or more than one.
    """
    puzzles = parse_all(kind, text, file=file, **options)
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles, but one is wanted", where=Place(file), hint="use `load_all`")
    return puzzles[0]


def load_all(kind: str, path: str | PathLike[str], **options: str) -> list[Puzzle]:
    """All puzzles in a file, as `parse_all` reads them; `-` is standard input."""
    return parse_all(kind, read_text(path), file=shown_name(str(path)), **options)


def load(kind: str, path: str | PathLike[str], **options: str) -> Puzzle:
    """The one puzzle in a file, as `parse` reads it; `-` is standard input."""
    return parse(kind, read_text(path), file=shown_name(str(path)), **options)


__all__ = ["KINDS", "Puzzle", "load", "load_all", "parse", "parse_all", "puzzle_class"]
