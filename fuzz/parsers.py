"""Mutated inputs to every parser of puzzles: a puzzle comes of it, or a `BridgeError` with a message; nothing else.

Parsers are the formats, each puzzle's text and JSON form, and the files of a batch. What was read has to be drawn and
written as JSON, and that has to be read as the same puzzle.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from bridge.errors import BridgeError, Place
from bridge.puzzles import formats
from bridge.puzzles.batching.batch import make_job
from bridge.puzzles.batching.input import Source, items
from bridge.puzzles.batching.jobs import puzzle_of
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds import KINDS, Puzzle, parse_all, puzzle_class
from fuzz.campaign import Campaign, Case, Failure, Tally, demand
from fuzz.kinds import KINDS as FILE_KINDS
from fuzz.mutation import as_json, mutated, mutated_json, pieces

FORMS: list[dict[str, Any]] = [
    {"puzzle": "sudoku", "box": [2, 2], "grid": [[1, None, None, None], [None, None, 3, None], [None, 4, None, None],
    [None, None, None, 2]]},
    {"puzzle": "sudoku", "box": [2, 3], "grid": [[None] * 6, [6, None, 1, None, None, 2], *[[None] * 6] * 4]},
    {"puzzle": "sudoku", "box": [3, 3], "grid": [[None, 9, *[None] * 7], *[[None] * 9] * 7, [*range(1, 9), None]]},
    {"puzzle": "latin-square", "variant": "diagonal", "grid": [[1, None, None], [None, None, None], [None, None, 3]]},
    {"puzzle": "latin-square", "variant": "plain", "grid": [[None] * 12, *[[None] * 11 + [12]] * 11]},
    {"puzzle": "futoshiki", "grid": [[1, None, None], [None, None, None], [None, None, 3]], "less": [[1, 1, 1, 2], [3,
    2, 2, 2]]},
    {"puzzle": "futoshiki", "grid": [[None] * 4] * 4, "less": [[1, 1, 3, 3], [2, 2, 1, 2]]},
    {"puzzle": "magic-square", "variant": "semi", "symmetry": "reduced", "grid": [[2, None, None], [None, 5, None],
    [None] * 3]},
    {"puzzle": "takuzu", "lines": "repeat", "grid": [[0, None, None, 1], [None] * 4, [None, 1, None, None],
    [None] * 4]},
    {"puzzle": "takuzu", "lines": "distinct", "grid": [[0, None, None, 1, None, None], *[[None] * 6] * 5]},
    {"puzzle": "crossword", "reading": "slots", "repeat": True, "grid": [["a", None, "#"], [None, "#", None], [None,
    None, None]], "words": ["ab", "abc", "ba"]},
    {"puzzle": "crossword", "reading": "anywhere", "repeat": False, "grid": [[None, None, "é"]], "words": ["ab",
    "tart"]},
]  # fmt: skip

TEXTS = [
    ("sudoku", "box 2x2\n1 . | . .\n. . | 3 .\n----+----\n. 4 | . .\n. . | . 2\n"),
    ("sudoku", "1.....3..4.....2\n................\n"),
    ("sudoku", "." * 80 + "9\n"),
    ("latin-square", "order 4\nvariant reduced\n"),
    ("futoshiki", ". < . > .\n        v\n.   .   .\n.   1   .\nr1c1 < r3c2\n"),
    ("magic-square", "order 3\nvariant semi\nsymmetry reduced\n2 . .\n. 5 .\n. . 8\n"),
    ("takuzu", "4\n0221\n2222\n2122\n2220\n"),
    ("takuzu", "lines repeat\n0..1\n....\n.1..\n"),
    ("crossword", "% a comment\nh o s e\no # # .\ns # # .\ne . . .\n"),
]

#: Kinds that are files, as game IDs; the other formats get them from here.
GAME_IDS = [
    ("towers", "skyscrapers", "4:/2/3///2/2///2///3///,n3a"),
    ("keen", "kenken", "5:_a_10a_3cba3_a4_,d2m10s1m5a5s2m15s3d2a10a8"),
    ("loopy", "slitherlink", "7x7t0:g2a30a21b212a3d22a21a2b2c13b3a3a21a"),
    ("lightup", "akari", "7x7:c0l1aBb0e1bBa3l2c"),
    ("pattern", "nonogram", "10x10:3/3.2/6/9/3.2/4.2/6/3/2.2/3/1.1/2.1.1/7/9/4.5/2.3.1/3.1/3/3/3"),
    ("singles", "hitori", "6x6:635365362156422665464613653243314324"),
    ("solo", "killer", "2x3k:zj,a__a___a____a_a_a_aa_aa_aa_bac_a_a___a__,9a3_8_7a7_9b9c7a8_10_7e5_16a8_9e4a"),
    ("solo", "variant-sudoku", "6jx:1a3j2c5_4c5j6a3,___b__b_c_c__a__o_b_aa_aa__a"),
]

#: A saved game, which is only read here.
SAVED = b"""SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :6:Unruly
PARAMS  :5:6x6de
CPARAMS :5:6x6de
DESC    :10:faCADAJeBd
NSTATES :2:15
STATEPOS:2:15
MOVE    :6:P0,1,2
"""


class Parsers(Campaign):
    """Whatever comes in, a puzzle or an error in words comes out."""

    name = "parsers"
    unit = "inputs"
    weight = 2.0
    round = 100

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lpbridge-fuzz-")
        words = Path(self._folder.name) / "words"
        words.write_text("hose\nears\neels\nab\nabc\ntart\n", encoding="utf-8")
        self._words = str(words)

    def make(self, chance: Random) -> Case:
        seeds = _seeds()
        target = chance.choice([*_Seeds.targets, "guess", "guess", "text", "text", "json", "json", "batch", "batch"])
        lossy = chance.random() < 0.3
        if target == "json" or (target == "batch" and chance.random() < 0.3):
            form = chance.choice(seeds.forms)
            value: Any = form
            for _ in range(chance.choice([1, 1, 2, 3])):
                value = mutated_json(chance, value)
            data = as_json([value, form] if chance.random() < 0.1 else value)
            if chance.random() < 0.2:
                data = mutated(chance, data, seeds.every)
            return {"target": target, "puzzle": form["puzzle"], "data": data.decode("latin-1"), "lossy": lossy}
        if target == "text" or (target == "batch" and chance.random() < 0.5):
            kind, data = chance.choice(seeds.texts)
        elif target in ("batch", "guess"):
            kind, data = chance.choice(seeds.of_formats[chance.choice(_Seeds.targets)])
        else:
            kind, data = chance.choice(seeds.of_formats[target])
        data = mutated(chance, data, seeds.every)
        kind = chance.choice([*KINDS, *FILE_KINDS]) if chance.random() < 0.05 else kind
        puzzle = kind if target in ("text", "batch") or chance.random() < 0.6 else None
        return {"target": target, "puzzle": puzzle, "data": data.decode("latin-1"), "lossy": lossy}

    def check(self, case: Case, tally: Tally) -> None:
        target, kind, data = case["target"], case["puzzle"], case["data"].encode("latin-1")
        try:
            puzzles = self._read(target, kind, data, case["lossy"])
        except BridgeError as error:
            tally["refused"] += 1
            _told(target, error)
            return
        tally["read"] += len(puzzles)
        for puzzle in puzzles[:3]:
            _whole(target, puzzle)

    def smaller(self, case: Case) -> Iterator[Case]:
        data = case["data"].encode("latin-1")
        yield from ({**case, "data": piece.decode("latin-1")} for piece in pieces(data))

    def close(self) -> None:
        self._folder.cleanup()

    def _read(self, target: str, kind: str | None, data: bytes, lossy: bool) -> list[Puzzle]:
        options = {"words": self._words} if kind == "crossword" else {}
        if target in ("text", "json"):
            text = data.decode("utf-8", "replace")
            assert kind is not None
            return parse_all(kind, text, file="case", **({} if target == "json" else options))
        if target == "batch":
            assert kind is not None
            return self._batch(kind, data, options)
        wanted = None if target == "guess" else target
        if kind != "crossword" or wanted not in ("text", "puz", "ipuz", "guess", None):
            options = {}
        return list(formats.decode(data, wanted, kind, file="case", lossy=lossy, **options).puzzles)

    def _batch(self, kind: str, data: bytes, options: dict[str, str]) -> list[Puzzle]:
        """The instances of a file, as a batch reads them. An error is an answer, told as a document."""
        path = Path(self._folder.name) / "batch"
        path.write_bytes(data)
        job, found = make_job(kind, "check", options=options), []
        wrong: BridgeError | None = None
        for item in items(kind, [Source(path)]):
            try:
                one = puzzle_of(job, item)
            except BridgeError as error:
                wrong = error
                continue
            if isinstance(one, Puzzle):
                found.append(one)
            else:
                demand("batch", bool(one["error"]["message"]), f"an error without a message: {one}")
        if wrong is not None and not found:
            raise wrong
        return found


class _Seeds:
    """What inputs are made from: puzzles in every format, and in their own text forms."""

    targets: ClassVar[tuple[str, ...]] = formats.names()

    def __init__(self) -> None:
        puzzles = [puzzle_class(form["puzzle"]).from_json(form, Place("seed")) for form in FORMS]
        puzzles += [puzzle for name, kind, text in GAME_IDS for puzzle in formats.decode(text, name, kind).puzzles]
        self.forms = [*FORMS, *(puzzle.to_json() for puzzle in puzzles[len(FORMS) :])]
        self.of_formats: dict[str, list[tuple[str, bytes]]] = {}
        for name in self.targets:
            self.of_formats[name] = []
            for puzzle in puzzles:
                try:
                    self.of_formats[name].append((puzzle.kind, formats.encode([puzzle], name, lossy=True).data))
                except BridgeError:
                    continue
        self.of_formats["sav"].append(("takuzu", SAVED))
        self.texts = [(kind, text.encode()) for kind, text in TEXTS]
        self.texts += [(puzzle.kind, puzzle.draw().encode()) for puzzle in puzzles]
        for kind in FILE_KINDS:
            folder = kind.replace("-", "_")
            self.texts.append((kind, Path(encoding(f"{folder}/{folder}.txt")).read_bytes()))
        self.every = [data for found in self.of_formats.values() for _, data in found]
        self.every += [data for _, data in self.texts]


@cache
def _seeds() -> _Seeds:
    seeds = _Seeds()
    assert all(seeds.of_formats.values()), "a format without a seed"
    return seeds


def _told(target: str, error: BridgeError) -> None:
    """An error says something, on one line, and can be printed as JSON."""
    demand(f"{target}: error", bool(error.message.strip()), f"{type(error).__name__} without a message")
    json.dumps(error.to_json())
    str(error)


def _whole(target: str, puzzle: Puzzle) -> None:
    """What was read can be drawn, and written as JSON that is the same puzzle."""
    try:
        drawn, form = puzzle.draw(), json.dumps(puzzle.to_json())
        again = puzzle_class(puzzle.kind).from_json(json.loads(form), Place("again"))
    except Exception as error:
        raise Failure(f"{target}: again", f"{type(error).__name__}: {error}") from error
    demand(f"{target}: again", bool(drawn.strip()), "drawn as nothing")
    demand(f"{target}: again", again == puzzle, f"read again it is another: {form}")
