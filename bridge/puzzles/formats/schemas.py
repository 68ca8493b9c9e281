"""The JSON Schemas (draft 2020-12) of the JSON forms of puzzles."""

from __future__ import annotations

from typing import Any

from bridge.errors import UnsupportedError
from bridge.puzzles.kinds import KINDS, puzzle_class
from bridge.puzzles.kinds.about import NAMES as ABOUT
from bridge.puzzles.kinds.file_puzzle import FilePuzzle

_DRAFT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
_TEXT = {"type": "string", "minLength": 1}


def _choice(description: str, *names: str) -> dict[str, Any]:
    """An option with some values, the usual one first."""
    return {"enum": list(names), "default": names[0], "description": description}


def _grid(cell: dict[str, Any], description: str, most: int | None = None) -> dict[str, Any]:
    size = {"type": "array", "minItems": 1} | ({} if most is None else {"maxItems": most})
    return {**size, "description": description, "items": {**size, "items": cell}}


def _square(most: int, greatest: int, values: str = "values are 1 to their number; ") -> dict[str, Any]:
    cell = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": greatest}, {"type": "null"}]}
    return _grid(cell, f"As many rows as cells in a row; {values}null (or 0) is an open cell.", most)


_LETTERS = _grid(
    {"anyOf": [_TEXT, {"type": "null"}]},
    'Rows of one length: a letter that is given, "#" for a black cell, null for an open one. '
    'A row may be written as a string, with "." for open cells.',
)
_INDEX = {"type": "integer", "minimum": 1, "maximum": 64}

#: Of each kind with a class of its own: what an instance is, and its keys, but for settings that its file says; `grid`
#: and `words` are required.
_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "sudoku": (
        "Sudoku: every row, every column and every box holds each value once.",
        {
            "box": {
                "type": "array",
                "prefixItems": [_INDEX, _INDEX],
                "items": False,
                "minItems": 2,
                "description": "Rows and columns of a box; their product is the number of rows. "
                "Without it boxes are as square as can be, wider than high.",
            },
            "grid": _square(64, 64),
        },
    ),
    "latin-square": (
        "a Latin square: every row and every column holds each value once.",
        {"grid": _square(64, 64)},
    ),
    "futoshiki": (
        "Futoshiki: a Latin square in which some cells hold less than others.",
        {
            "grid": _square(64, 64),
            "less": {
                "type": "array",
                "description": "Inequalities [r1, c1, r2, c2]: the cell in row r1 and column c1 holds less than that "
                "in row r2 and column c2. They count from 1.",
                "items": {"type": "array", "minItems": 4, "maxItems": 4, "items": _INDEX},
            },
        },
    ),
    "magic-square": (
        "a magic square: the numbers 1 to n*n, each once; rows, columns and diagonals have the same sum.",
        {"grid": _square(22, 22**2, "")},
    ),
    "crossword": (
        "crossword filling: words of a list go into the slots of a grid.",
        {
            "reading": _choice(
                "slots: every slot gets a word; words: every word is placed on a slot; anywhere: on a part of one.",
                "slots", "words", "anywhere",
            ),
            "repeat": {"type": "boolean", "default": False, "description": "Under slots: a word may stand twice."},
            "grid": {**_LETTERS, "items": {"anyOf": [_TEXT, _LETTERS["items"]]}},
            "words": {"type": "array", "description": "The words, in any case; each counts once.", "items": _TEXT},
            "scores": {
                "type": "array",
                "description": "The score of each word, the higher the better; null where it has none.",
                "items": {"type": ["integer", "null"]},
            },
        },
    ),
    "takuzu": (
        "Takuzu: zeros and ones, balanced in every line, never three alike side by side, no line twice.",
        {
            "grid": _grid({"enum": [0, 1, None]}, "Rows of one length; null is an open cell.", 64),
        },
    ),
}  # fmt: skip


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a puzzle's JSON form."""
    cls = puzzle_class(kind)
    if kind not in _KINDS:
        if kind in KINDS:
            raise UnsupportedError(f"there is no JSON Schema for {kind}", hint=f"describe it in {__name__}")
        return _of_file(kind, cls.title, list(cls.options))
    what, keys = _KINDS[kind]
    settings = cls.declared.settings if issubclass(cls, FilePuzzle) else ()
    keys = {**{one.name: _choice(one.help, *one.values) for one in settings}, **keys}
    return {
        **_DRAFT,
        "$id": f"urn:lpbridge:schema:{kind}:1",
        "title": cls.title[0].upper() + cls.title[1:],
        "description": f"An instance of {what}",
        "type": "object",
        "properties": {"puzzle": {"const": kind}, **keys, "about": _about(kind)},
        "required": ["puzzle", *(key for key in keys if key in ("grid", "words"))],
        "additionalProperties": False,
    }


def _about(kind: str) -> dict[str, Any]:
    """The JSON Schema of the texts about a puzzle."""
    text: dict[str, Any] = {"type": "string"}
    entry = "^[1-9][0-9]* (across|down)$"
    clues = {"type": "object", "patternProperties": {entry: text}, "additionalProperties": False}
    cell = {"type": ["string", "integer", "null"]}
    row = {"anyOf": [text, {"type": "array", "items": cell}]}
    forms = {"clues": clues, "solution": {"type": "array", "items": row}}
    texts = {name: forms.get(name, text) for name in ABOUT if name != "clues" or kind == "crossword"}
    return {
        "description": "What is printed with the puzzle and is not a part of it.",
        "type": "object",
        "properties": texts,
        "additionalProperties": False,
    }


def _of_file(kind: str, title: str, options: list[str]) -> dict[str, Any]:
    """The JSON Schema of a kind that is a file: its form is the same for all of them."""
    strings = {"type": "array", "items": {"type": "string"}}
    return {
        **_DRAFT,
        "title": title,
        "type": "object",
        "properties": {
            "puzzle": {"const": kind},
            "grid": _grid({"type": ["integer", "string", "null"]}, "Rows of given values; null is open."),
            "facts": {**strings, "description": "The other facts of the instance, as clingo writes them."},
            "constants": {
                "description": "Values of the constants of the program.",
                "type": "object",
                "additionalProperties": {"type": ["integer", "string"]},
            },
            "about": _about(kind),
            **{name: {"type": ["boolean", "integer", "string"]} for name in options},
        },
        "required": ["puzzle"],
    }
