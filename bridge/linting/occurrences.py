"""Where the predicates of a program stand in its text: what an editor asks for.

>>> [(one.signature, one.role, one.begin) for one in of_clingo("a. b :- a. #show b/0.")]
[(('a', 0), 'head', 0), (('b', 0), 'head', 3), (('a', 0), 'use', 8), (('b', 0), 'declaration', 17)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from clingo.ast import AST

from bridge.asp import internals
from bridge.asp.reading import STRING, Facts, Messages, Parsed, Signature
from bridge.linting.program import Source, Statement, signature_of
from bridge.prolog import Session

_NAME = re.compile(r"[_']*[a-z][\w']*")


class Occurrence(NamedTuple):
    """The name of a predicate in a text; offsets are in characters, from 0."""

    signature: Signature
    role: Literal["head", "use", "declaration"]
    begin: int
    end: int
    statement: tuple[int, int]  #: Where the statement begins and ends.


def of_clingo(text: str) -> list[Occurrence]:
    """The occurrences in a clingo program, in order; of one with syntax errors, those in what clingo can read."""
    nodes: list[AST] = []
    with suppress(RuntimeError), internals.logging():
        Messages().parse("text", text, nodes.append)
    here = [node for node in nodes if node.location.begin.filename == STRING]  # not what it includes
    return sorted(_of_source(Source([Parsed(STRING, text, here, Facts(STRING))]), text), key=lambda one: one.begin)


def _of_source(source: Source, text: str) -> Iterator[Occurrence]:
    for statement in source.statements:
        for atom in statement.atoms:
            begin, end = statement.text.span(atom.node)
            yield from _named(statement, atom.signature, "head" if atom.role == "head" else "use", begin, end, text)
    for statement in source.directives:
        if hasattr(statement.node, "arity"):
            begin, end = statement.text.span(statement.node)
            yield from _named(statement, signature_of(statement.node), "declaration", begin, end, text)


def _named(
    statement: Statement, signature: Signature, role: Any, begin: int, end: int, text: str
) -> Iterator[Occurrence]:
    data = statement.text.data

    def character(byte: int) -> int:
        return byte if text.isascii() else len(data[:byte].decode(errors="replace"))

    first = character(begin)
    name = signature[0].removeprefix("-")
    for found in _NAME.finditer(text, first, character(end)):
        if found[0] == name:
            around = statement.text.span(statement.node)
            yield Occurrence(signature, role, found.start(), found.end(), (character(around[0]), character(around[1])))
            return


def of_prolog(text: str, session: Session) -> list[Occurrence]:
    """The occurrences in a Prolog program, in order; nothing of it runs. The session is one of `lint_session`."""
    answer = session.query("lpbridge_lint:occurrences(Text, Found)", {"Text": text}).first()
    found = answer["Found"] if answer is not None else []
    every = (
        Occurrence((str(name), arity), str(role), first, last, (begin, end))  # type: ignore[arg-type]
        for name, arity, role, first, last, begin, end in found
    )
    return sorted(every, key=lambda one: one.begin)
