"""lpbridge's own forms: JSON, an object or a list of objects, or one in each line; the text form of each puzzle.

`bridge.puzzles.formats.schemas` describes JSON. Every command reads the text form by default. It does not name the
puzzle: if the caller does not either, the text is read as the only puzzle that it can be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import Codec, LineCodec, Reading, Request, Source, made
from bridge.puzzles.formats.crosswords import unusual
from bridge.puzzles.kinds import KINDS, Puzzle, parse_all, puzzle_class
from bridge.puzzles.kinds.about import IN_COMMENTS, comments
from bridge.puzzles.kinds.about import NAMES as ABOUT
from bridge.puzzles.kinds.files import LARGEST
from bridge.puzzles.kinds.json_places import load_json, objects_in, placed
from bridge.puzzles.kinds.registry import is_kind, kinds
from bridge.puzzles.kinds.text import Token


class Json(Codec):
    """A document."""

    name = "json"
    title = "lpbridge's JSON: an object, or a list of them (with a JSON Schema)"
    suffixes = (".json",)
    kinds = KINDS
    generic = True
    about = frozenset(ABOUT)
    carries = "Everything."

    def sniff(self, source: Source) -> bool:
        # The JSON of ipuz has a `kind`; objects on several lines are `jsonl`.
        head = source.head
        return head.startswith(("{", "[")) and '"grid"' in head and not Jsonl().sniff(source)

    def decode(self, source: Source, request: Request) -> Reading:
        puzzles = []
        for item, text, place, path in objects_in(source.text, source.place):
            with placed(text, place, path):
                puzzles.append(read_object(item, place, request))
        return Reading(tuple(puzzles))

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        objects = [object_text(puzzle.to_json(), "grid") for puzzle in puzzles]
        return ((objects[0] if len(objects) == 1 else "[\n" + ",\n".join(objects) + "\n]") + "\n").encode()


class Jsonl(LineCodec):
    """One object per line."""

    name = "jsonl"
    title = "lpbridge's JSON, one object per line"
    longest = LARGEST
    suffixes = (".jsonl", ".ndjson")
    kinds = KINDS
    generic = True
    about = frozenset(ABOUT)
    carries = "Everything."

    def sniff_line(self, line: str) -> bool:
        return line.startswith("{") and line.endswith("}") and '"grid"' in line

    def sniff(self, source: Source) -> bool:
        lines = [line for line in source.head.splitlines() if line.strip()]
        return len(lines) > 1 and self.sniff_line(lines[0].strip()) and lines[1].lstrip().startswith("{")

    def decode_line(self, line: Token, request: Request) -> Reading:
        with placed(line.text, line.place):
            return Reading((read_object(load_json(line.text, line.place), line.place, request),))

    def write_line(self, puzzle: Puzzle) -> str:
        return json.dumps(puzzle.to_json(), ensure_ascii=False)


def read_object(item: Any, place: Place, request: Request) -> Puzzle:
    """The puzzle of an object; its key `puzzle` may be missing if a kind is requested."""
    if not isinstance(item, dict):
        raise InputError("a puzzle in JSON is an object", where=place, hint='{"puzzle": ..., "grid": [[...]]}')
    kind = item.get("puzzle", request.puzzle)
    if kind is None:
        raise InputError("`puzzle` is missing: which one is it?", where=place, hint="say it there, or with --puzzle")
    if not isinstance(kind, str) or not is_kind(kind):
        raise UnsupportedError(f"a puzzle {kind!r} is not supported", where=place, hint=f"one of: {', '.join(kinds())}")
    return made(kind, item, place, request)


def object_text(data: Mapping[str, Any], *in_rows: str) -> str:
    """An object formatted for people: each key on a line, and of the values of some keys each row."""
    parts = []
    for key, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if key in in_rows:
            rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in value)
            text = f"[\n    {rows}\n  ]"
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}"


#: The greatest length, in characters, of a text that is tried as each puzzle in turn: a grid of 100x100 with drawn
#: lines between its cells is shorter.
GUESSED = 1 << 16


class Text(Codec):
    """Grids as people type them."""

    name = "text"
    title = "the text form of each puzzle: one row per line (README, Puzzles)"
    suffixes = (".txt", ".grid")
    kinds = KINDS
    generic = True
    about = frozenset(IN_COMMENTS)
    carries = (
        "Everything but the list of words of a crossword and how it is to be read: --words LIST, -O reading=... "
        "Title, author, rules and clues are comments: `# title: Saturday`, in a crossword `% 1 across: A small pie`."
    )

    def sniff(self, source: Source) -> bool:
        return False  # any text may be a grid: it is tried if no other format matches

    def decode(self, source: Source, request: Request) -> Reading:
        text = source.text
        if text.lstrip()[:1] in ("{", "["):
            raise InputError("this is JSON", where=source.place, hint="take the format json")
        if request.puzzle is not None:
            return Reading(tuple(parse_all(request.puzzle, text, file=source.name, **request.options)))
        if len(text) > GUESSED:
            message = f"more than {GUESSED:,} characters, which may be any puzzle"
            raise InputError(message, where=source.place, hint="say which puzzle it is (--puzzle)")
        found: dict[str, Reading] = {}
        wrong: dict[str, InputError] = {}
        for kind in KINDS:
            if request.options.keys() - puzzle_class(kind).options.keys():
                continue
            try:
                found[kind] = Reading(tuple(parse_all(kind, text, file=source.name, **request.options)))
            except InputError as error:
                wrong[kind] = error
        if len(found) == 1:
            return next(iter(found.values()))
        hint = "say which puzzle it is (--puzzle)"
        if found:
            raise InputError(f"this may be a {' or a '.join(found)}", where=source.place, hint=hint)
        if len(wrong) == 1:
            raise next(iter(wrong.values()))
        raise InputError("this is the text of no puzzle here", where=source.place, hint=hint)

    def lost(self, puzzle: Puzzle) -> list[str]:
        data = puzzle.to_json()
        return ["the list of words", *unusual(data)] if "words" in data else []

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        found = []
        for number, one in enumerate(puzzles, 1):
            comment = one.text_form.comment
            part = f"{comment} puzzle {number}\n" if len(puzzles) > 1 else ""
            found.append(f"{part}{comments(one.about, comment)}{one.draw()}\n")
        return "\n".join(found).encode()


class Course(Codec):
    """Takuzus of a course: the size, then rows, with `2` for an open cell."""

    name = "course"
    title = "a course's form of Takuzu: the size, then rows with 2 for an open cell"
    kinds = ("takuzu",)
    many = False
    carries = "Square grids in which no line repeats."

    def sniff(self, source: Source) -> bool:
        lines = [line.split() for line in source.head.splitlines() if line.strip() and not line.startswith("#")]
        if not lines or len(lines[0]) != 1 or not re.fullmatch("[0-9]+", lines[0][0]):
            return False
        return len(lines) - 1 == int(lines[0][0][:4]) and all(set("".join(row)) <= set("012") for row in lines[1:])

    def decode(self, source: Source, request: Request) -> Reading:
        kind = self.one_of(request, "takuzu", place=source.place)
        return Reading(tuple(parse_all(kind, source.text, file=source.name, **request.options)))

    def lost(self, puzzle: Puzzle) -> list[str]:
        if len(puzzle.grid) != len(puzzle.grid[0]) or len(puzzle.grid) < 2:
            raise UnsupportedError("the course's form has square grids only, from 2x2 on", hint="take text")
        return [] if puzzle.to_json()["lines"] == "distinct" else ["lines that may repeat"]

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        grid = puzzles[0].grid
        rows = (" ".join("2" if value is None else str(value) for value in row) for row in grid)
        return "\n".join([str(len(grid)), *rows, ""]).encode()
