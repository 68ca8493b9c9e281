"""A puzzle as logic programs: the encodings, and the instance in the form that each of them takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bridge.errors import UnsupportedError
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import ClpForm, models
from bridge.puzzles.kinds.rules import at

#: A query longer than this is not shown: it is a list of words.
LONGEST = 60_000


def sources(puzzle: Puzzle) -> Iterator[dict[str, str]]:
    """Each text with a file name and the command that runs it."""
    forms = models(puzzle)
    asp = forms.encoding.rpartition("/")[2] if forms.program else forms.encoding
    run = f"clingo {asp if forms.program else f'encodings/{asp}'} instance.lp 0"
    yield {"name": "The instance as facts", "file": "instance.lp", "run": run, "text": forms.facts()}
    yield {"name": "The rules for clingo", "file": asp, "run": run, "text": forms.program or _text(asp)}
    try:
        clp = forms.clp()
    except UnsupportedError as error:
        yield {"name": "The rules for SWI-Prolog", "file": "", "run": "", "text": f"% {error}\n"}
        return
    query = _query(puzzle, clp)
    if len(query) <= LONGEST:
        yield {
            "name": "The instance as a query",
            "file": "instance.pl",
            "run": f"swipl encodings/{clp.encoding}",
            "text": query,
        }
    yield {
        "name": "The rules for SWI-Prolog",
        "file": clp.encoding,
        "run": f"swipl encodings/{clp.encoding}",
        "text": _text(clp.encoding),
    }
    yield {
        "name": "As text",
        "file": "puzzle.txt",
        "run": f"lpbridge puzzle check {puzzle.kind} puzzle.txt",
        "text": puzzle.draw() + "\n",
    }


def _text(file: str) -> str:
    return Path(encoding(file)).read_text(encoding="utf-8")


def _query(puzzle: Puzzle, form: ClpForm) -> str:
    """The goals that post the constraints and search, as a query for the toplevel."""
    inputs = [f"{name} = {_term(value)}" for name, value in form.inputs.items()]
    white = set(puzzle.cells())
    rows = [
        ", ".join(_cell(form, at(puzzle.grid, (r, c)), (r, c) in white) for c in range(1, len(row) + 1))
        for r, row in enumerate(puzzle.grid, 1)
    ]
    grid = "Rows = [[" + "],\n           [".join(rows) + "]]"
    return "?- " + ",\n   ".join([*inputs, grid, form.post, form.label]) + ".\n"


def _cell(form: ClpForm, value: Any, white: bool) -> str:
    if not white:
        return "#"
    return "_" if value is None else str(form.code(value))


def _term(value: Any) -> str:
    """A value in Prolog syntax: numbers, lists, and text as an atom."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_term, value))}]"
    return str(value) if isinstance(value, int) else "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"
