"""`.pl`: an instance as a Prolog fact, `puzzle(Name, Rows, Options)`.

    puzzle(sudoku, [[_,1,_,_],[_,_,_,2],[3,_,_,_],[_,_,3,_]], [box([2,2])]).

Rows have the form that the encodings take: open cells are variables, letters and `#` are atoms. Options are the other
keys of the JSON form. Facts `problem(Number, Rows)`, as in SWI-Prolog's manual, are read as well if the puzzle is
named. Other clauses are skipped, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bridge.errors import InputError, UnsupportedError
from bridge.puzzles.formats.codec import Codec, Reading, Request, Source, made
from bridge.puzzles.formats.terms import Node, clauses
from bridge.puzzles.kinds import KINDS, Puzzle


class Pl(Codec):
    """Facts for Prolog."""

    name = "pl"
    title = "Prolog facts puzzle(Name, Rows, Options)"
    suffixes = (".pl", ".pro", ".prolog")
    kinds = KINDS
    carries = "Everything."

    def sniff(self, source: Source) -> bool:
        return re.search(r"^(puzzle\(\s*[a-z']|problem\(\s*\d+,)", source.head, re.MULTILINE) is not None

    def decode(self, source: Source, request: Request) -> Reading:
        puzzles: list[Puzzle] = []
        others = 0
        for clause in clauses(source.text, source.place, "prolog"):
            if clause.head not in ("puzzle(", "problem("):
                others += 1
                continue
            if clause.term is None:
                if clause.why and not puzzles and clause.head == "puzzle(":
                    raise clause.why
                others += 1
                continue
            term = clause.term
            if term.name == "puzzle" and len(term.args) in (2, 3):
                puzzles.append(_read(term, request))
            elif term.name == "problem" and len(term.args) == 2:
                kind = self.one_of(request, *([request.puzzle] if request.puzzle else KINDS), place=term.place)
                puzzles.append(made(kind, {"grid": _rows(term.args[1])}, term.place, request))
            else:
                others += 1
        if not puzzles:
            hint = "puzzle(sudoku, [[_, 1, ...], ...], [])."
            raise InputError("there is no puzzle in this program", where=source.place, hint=hint)
        notes = (f"left out: {others} clauses that are not facts puzzle/3",) if others else ()
        return Reading(tuple(puzzles), notes)

    def write(self, puzzles: Sequence[Puzzle]) -> bytes:
        facts = []
        for puzzle in puzzles:
            data = puzzle.to_json()
            kind, grid, _ = data.pop("puzzle"), data.pop("grid"), data.pop("about", None)
            rows = ",\n  ".join(_term(row) for row in grid)
            options = ",\n  ".join(f"{name}({_term(value)})" for name, value in data.items())
            facts.append(f"puzzle({_term(kind)}, [\n  {rows}\n], [{options}]).\n")
        return "\n".join(facts).encode()


def _read(term: Node, request: Request) -> Puzzle:
    kind = term.args[0].word.replace("_", "-")
    if kind not in KINDS:
        where = term.args[0].place
        raise UnsupportedError(f"a puzzle {kind!r} is not supported", where=where, hint=f"one of: {', '.join(KINDS)}")
    data: dict[str, Any] = {"grid": _rows(term.args[1])}
    for option in term.args[2].items if len(term.args) == 3 else ():
        if option.kind != "compound" or len(option.args) != 1:
            raise InputError(f"{option} is not an option", where=option.place, hint="an option is NAME(VALUE)")
        value = _value(option.args[0])
        data[option.name] = {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
    return made(kind, data, term.place, request)


def _rows(node: Node) -> list[list[Any]]:
    return [[_value(cell) for cell in row.items] for row in node.items]


def _value(node: Node) -> Any:
    """A term as JSON: a variable is null, `H-W` a list of two."""
    if node.kind == "variable":
        return None
    if node.kind == "number":
        return node.number
    if node.kind == "list" or node.name == "-":
        return [_value(item) for item in node.args]
    if node.kind == "compound":
        raise InputError(f"{node} is not a value", where=node.place)
    return node.name


def _term(value: Any) -> str:
    if value is None:
        return "_"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return f"[{','.join(map(_term, value))}]"
    if re.fullmatch("[a-z][a-zA-Z0-9_]*", value):
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
