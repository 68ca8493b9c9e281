"""A puzzle as logic programs: the encodings, and the instance in the form that each of them takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bridge.errors import UnsupportedError
from bridge.puzzles.encodings_folder import encoding
from bridge.puzzles.kinds import Puzzle
from bridge.puzzles.kinds.models import ClpForm, models

#: A query longer than this is not shown: it is a list of words.
LONGEST = 60_000


def sources(puzzle: Puzzle) -> Iterator[dict[str, str]]:
    """Each text with a file name and the command that runs it."""

    def part(name: str, file: str, run: str, text: str) -> dict[str, str]:
        return {"name": name, "file": file, "run": run, "text": text}

    forms = models(puzzle)
    asp = forms.encoding.rpartition("/")[2] if forms.program else forms.encoding
    run = f"clingo {asp if forms.program else f'encodings/{asp}'} instance.lp 0"
    yield part("The instance as facts", "instance.lp", run, forms.facts())
    yield part("The rules for clingo", asp, run, forms.program or _text(asp))
    try:
        clp = forms.clp()
    except UnsupportedError as error:
        yield part("The rules for SWI-Prolog", "", "", f"% {error}\n")
        return
    run = f"swipl encodings/{clp.encoding}"
    if len(query := _query(puzzle, clp)) <= LONGEST:
        yield part("The instance as a query", "instance.pl", run, query)
    yield part("The rules for SWI-Prolog", clp.encoding, run, _text(clp.encoding))
    yield part("As text", "puzzle.txt", f"lpbridge puzzle check {puzzle.kind} puzzle.txt", puzzle.draw() + "\n")


def _text(file: str) -> str:
    return Path(encoding(file)).read_text(encoding="utf-8")


def _query(puzzle: Puzzle, form: ClpForm) -> str:
    """The goals that post the constraints and search, as a query for the toplevel."""
    inputs = [f"{name} = {_term(value)}" for name, value in form.inputs.items()]
    rows = [", ".join(map(str, row)) for row in form.rows(puzzle, "#", lambda cell: "_")]
    grid = "Rows = [[" + "],\n           [".join(rows) + "]]"
    return "?- " + ",\n   ".join([*inputs, grid, form.post, form.label]) + ".\n"


def _term(value: Any) -> str:
    """A value in Prolog syntax: numbers, lists, and text as an atom."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_term, value))}]"
    return str(value) if isinstance(value, int) else "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"
