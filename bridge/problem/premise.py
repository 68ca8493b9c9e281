"""What can be in question in a problem: a rule, a fact, a goal, a constraint that was posted."""

from __future__ import annotations

from typing import Any

from bridge.errors import Place


class Premise:
    """A part of a problem that may be to blame.

    Each way to make a problem has its own: statements of a clingo program (`bridge.problem.asp_oracle`), goals of a
    Prolog program (`bridge.problem.fragments`), constraints that a goal has posted (`bridge.problem.posted`).

    Attributes
    ----------
    name
        What it is called: by a comment, as an atom, or by its place.
    kind
        What it is: fact, rule, constraint, goal, ...
    place
        Where it begins.
    text
        As its author wrote it.
    sentence
        What a comment says of it; empty where there is none.
    bindings
        Of an instance of it: the values of its variables.
    is_fact
        Whether it is given, and not a rule.
    """

    __slots__ = ()

    name: str
    kind: str
    place: Place
    text: str
    sentence: str
    bindings: tuple[tuple[str, str], ...]
    is_fact: bool

    def to_json(self) -> dict[str, Any]:
        data = {
            "name": self.name,
            "kind": self.kind,
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "text": self.text,
            "sentence": self.sentence or None,
        }
        return data | {"bindings": dict(self.bindings)} if self.bindings else data
