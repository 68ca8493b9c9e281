"""The questions of a page.

Each question is a function of the page's JSON that sends the parts of its answer as it finds them. It runs in a worker
(`bridge.puzzles.web.job`), independent of HTTP, and uses `bridge.analysis`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from bridge import compare as rows_of
from bridge import explain as steps_of
from bridge.common import standard_input
from bridge.drawing import theme_named
from bridge.errors import InputError, Place
from bridge.limits import Limits
from bridge.puzzles.engines import engine
from bridge.puzzles.generating.generate import generate as made_of
from bridge.puzzles.kinds import Puzzle, puzzle_class
from bridge.puzzles.kinds.authoring import authoring
from bridge.puzzles.kinds.file_authoring import FileAuthoring
from bridge.puzzles.kinds.file_puzzle import FilePuzzle
from bridge.puzzles.kinds.kind_text import syntax
from bridge.puzzles.kinds.registry import is_kind, kinds
from bridge.puzzles.names import rule_sentences
from bridge.puzzles.render import instance
from bridge.puzzles.render.decoration import listed
from bridge.puzzles.render.svg import overlay
from bridge.puzzles.web import pasting
from bridge.puzzles.web.diagnosis import Mentions, Part, Send, send_diagnosis
from bridge.puzzles.web.limits import LOOK_SECONDS, ROW_SECONDS, SECONDS
from bridge.puzzles.web.pasting import sources
from bridge.puzzles.web.tools import options, tools

Data = Mapping[str, Any]

#: The options that name a file. A page sends the contents; no file name that a page sends is ever opened.
_FILES = frozenset({"words"})

#: The greatest number of steps.
MOST_STEPS = 2000

#: The greatest number of engines in a comparison.
MOST_ENGINES = 12


def look(data: Data, send: Send) -> None:
    """Verdict, residual or clashes, repairs, and grade, each as soon as it is known."""
    puzzle = puzzle_in(data)
    cells = {rule.name: rule.cells for rule in puzzle.rules()}
    broken = [
        {"rule": one.rule, "cells": one.cells or cells.get(one.rule, ()), "message": one.message}
        for one in puzzle.clashes()
    ]
    if broken:
        send({"part": "broken", "violations": broken})
    send_diagnosis(puzzle, send, LOOK_SECONDS)


def explain(data: Data, send: Send) -> None:
    """The steps to the solution, one after the other."""
    puzzle = puzzle_in(data)
    mentions = Mentions(puzzle)
    with steps_of(puzzle, limits=Limits(seconds=SECONDS["explain"] - 1)) as steps:
        for number, step in enumerate(steps, 1):
            shown: Part = {"fact": mentions.one(step.fact), "premises": mentions.all(step.premises), "by": step.by}
            shown |= {"new": mentions.all(step.new), "technique": step.technique and step.technique.to_json()}
            says = rule_sentences(puzzle, list(step.rules))
            send({"part": "step", **shown, "sentence": str(step), "says": says})
            if number == MOST_STEPS:
                break
        send({"part": "steps", "complete": steps.complete, "limit": steps.limit})


def compare(data: Data, send: Send) -> None:
    """A comparison of engines on the puzzle, one row per engine."""
    engines = data.get("engines")
    if not (isinstance(engines, list) and all(isinstance(name, str) for name in engines)):
        raise InputError("`engines` is to be a list of names")
    engines, puzzle = engines[:MOST_ENGINES], puzzle_in(data)
    limits = Limits(seconds=ROW_SECONDS, solutions=2)
    found = rows_of(
        # By name: the page may not have programs or functions run.
        *map(engine, engines),
        instances=puzzle,
        limits=limits,
        on_progress=lambda row: send({"part": "row", **row.to_json()}),
    )
    send({"part": "compared", "agree": found.agree, "disagreements": list(found.disagreements)})


def generate(data: Data, send: Send) -> None:
    """A new puzzle."""
    kind, size = kind_in(data), _size(data)
    requested = {name: data[name] for name in ("grade", "symmetry", "seed", "clues") if data.get(name) is not None}
    for name in requested.keys() & {"seed", "clues"}:
        if type(requested[name]) is not int:
            raise InputError(f"`{name}` is to be a whole number, not {requested[name]!r}")
    with _options(data) as given:
        limits = Limits(seconds=SECONDS["generate"] - 2)
        stream = made_of(kind, size, options=given, limits=limits, **requested)
    with stream:
        made = next(stream, None)
        if made is None:
            send({"part": "none", "limit": stream.limit, "remark": stream.remark})
            return
        shown = made.to_json()
        send(
            {"part": "made", "puzzle": made.puzzle.to_json(), **{key: shown[key] for key in ("grade", "seed", "proof")}}
        )


def read(data: Data, send: Send) -> None:
    """The puzzles in a pasted text or in a file."""
    name = str(data["file"]) if data.get("file") else None
    kind = kind_in(data)
    with _options(data) as given:
        known = {name: value for name, value in given.items() if name in puzzle_class(kind).options}
        send({"part": "read", **pasting.puzzles_in(pasting.bytes_in(data), name, kind, known)})


def board(data: Data, send: Send) -> None:
    """What the page draws of a kind that is a file: values, cells, clues, and the decoration of its board."""
    puzzle = puzzle_in(data, draft=True)
    if not isinstance(puzzle, FilePuzzle):
        raise InputError(f"{puzzle.kind} is drawn by the page itself")
    picture, mentions = instance(puzzle), Mentions(puzzle)
    svg, box = overlay(picture, theme_named("light"))
    shown, shape = picture.board, puzzle.shape
    rules = {rule.name for rule in puzzle.rules()}
    send(
        {
            "part": "board",
            "values": list(puzzle.values()),
            "glyphs": [[value, text] for value, text in shape.glyphs.items()],
            "paint": [[value, colour] for value, colour in shown.paint.items()],
            "cells": [list(cell) for cell in shape.cells],
            "black": [list(cell) for cell in sorted(shown.black)],
            "lattice": shape.lattice,
            "headings": [[what, index, text] for (what, index), text in shown.headings.items()],
            "names": [[list(cell), name] for cell, name in shape.names.items()],
            "texts": [[list(cell), text] for cell, text in shown.texts.items()],
            "drawn": list(listed(shown)),
            "boxes": bool(shown.boxes),
            "remark": shown.remark,
            "svg": svg,
            "dark": overlay(picture, theme_named("dark"))[0],
            "box": box,
            "text": puzzle.draw(),
            "syntax": syntax(puzzle.declared),
            "tools": tools(puzzle.declared, puzzle.text_size),
            "options": options(puzzle.declared),
            "given": [[name, list(facts)] for name, facts in shape.details.given.items()],
            "clues": mentions.all(name for name in shape.details.given if name in rules),
        }
    )


def blank(data: Data, send: Send) -> None:
    """A puzzle of a size, of a kind that is a file, for an author to draw on."""
    maker = authoring(kind := kind_in(data))
    if not isinstance(maker, FileAuthoring):
        raise InputError(f"{kind} is drawn by the page itself")
    send({"part": "blank", "puzzle": maker.empty(*_size(data)).to_json()})


def source(data: Data, send: Send) -> None:
    """The puzzle as declarative programs."""
    for part in sources(puzzle_in(data)):
        send({"part": "source", **part})


def _one(name: str, answer: Callable[[Data], Part]) -> Callable[[Data, Send], None]:
    """A question whose answer is one part."""
    return lambda data, send: send({"part": name, **answer(data)})


def _picture(data: Data) -> Part:
    show, form, theme = (str(data.get(*one)) for one in (("show", "clues"), ("form", "svg"), ("theme", "light")))
    return pasting.picture(puzzle_in(data), show, form, theme)


QUESTIONS: dict[str, Callable[[Data, Send], None]] = {
    "look": look,
    "explain": explain,
    "compare": compare,
    "generate": generate,
    "read": read,
    "write": _one("written", lambda data: pasting.written(puzzle_in(data), str(data.get("format")))),
    "links": _one("links", lambda data: pasting.links(puzzle_in(data))),
    "picture": _one("picture", _picture),
    "board": board,
    "blank": blank,
    "source": source,
}


def puzzle_in(data: Data, *, draft: bool = False) -> Puzzle:
    """The puzzle that a page sent, in its JSON form. A draft may be one that its kind still refuses."""
    held = data.get("puzzle")
    if not isinstance(held, dict):
        raise InputError("there is no puzzle in this question")
    cls: Any = puzzle_class(kind_in(held, "puzzle"))
    made: Puzzle = (cls.draft() if draft and hasattr(cls, "draft") else cls).from_json(held, Place("the page"))
    return made


def kind_in(data: Data, key: str = "kind") -> str:
    kind = data.get(key)
    if not isinstance(kind, str) or not is_kind(kind):  # no path: a page does not say which files are read
        raise InputError(f"there is no puzzle {kind!r}", hint=f"one of: {', '.join(kinds())}")
    return kind


def _size(data: Data) -> tuple[int, int]:
    size = data.get("size")
    if not (isinstance(size, list) and len(size) == 2 and all(type(number) is int for number in size)):
        raise InputError(f"`size` is to be [rows, columns], not {size!r}")
    return size[0], size[1]


@contextmanager
def _options(data: Data) -> Iterator[dict[str, str]]:
    """The options that a page sent; the contents of a file are passed as standard input."""
    given = data.get("options") or {}
    if not isinstance(given, dict):
        raise InputError("`options` is to be an object")
    options = {str(name): str(value) for name, value in given.items()}
    with ExitStack() as stack:
        for name in _FILES & options.keys():
            stack.enter_context(standard_input(options[name].encode(errors="replace")))
            options[name] = "-"
        yield options
