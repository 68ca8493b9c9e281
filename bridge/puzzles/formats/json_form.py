"""The JSON of lpbridge, `json` and `jsonl`: the form of `Puzzle.to_json`, with published JSON Schemas.

A file is an object, or a list of them; `jsonl` has one object per line. The form is lossless. Its schemas are in
`bridge.puzzles.formats.schemas`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bridge.errors import InputError, Place, UnsupportedError
from bridge.puzzles.formats.codec import LARGEST, Codec, LineCodec, Reading, Request, Source, made
from bridge.puzzles.kinds import KINDS, Puzzle
from bridge.puzzles.kinds.about import NAMES as ABOUT
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
        data = load_json(source.text, source.place)
        items = objects_in(data)
        if not items:
            raise InputError("the list is empty", where=source.place)
        puzzles = []
        for path, item in items:
            with placed(source.text, source.place, path):
                puzzles.append(read_object(item, source.place, request))
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
