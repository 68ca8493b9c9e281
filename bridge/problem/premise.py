"""What can be in question in a problem: a rule, a fact, a goal, a constraint that was posted."""

from __future__ import annotations

from typing import Protocol

from bridge.as_json import Key
from bridge.errors import Place


class Premise(Protocol):
    """A part of a problem that may be to blame.

    Each way to make a problem has its own: statements of a clingo program (`bridge.problem.asp_oracle`), goals of a
    Prolog program (`bridge.problem.fragments`), constraints that a goal has posted (`bridge.problem.posted`).
    """

    @property
    def name(self) -> str:
        """What it is called: by a comment, as an atom, or by its place."""

    @property
    def kind(self) -> str:
        """What it is: fact, rule, constraint, goal, ..."""

    @property
    def place(self) -> Place:
        """Where it begins."""

    @property
    def text(self) -> str:
        """As its author wrote it."""

    @property
    def sentence(self) -> str:
        """What a comment says of it; empty where there is none."""

    @property
    def is_fact(self) -> bool:
        """Whether it is given, and not a rule."""


SENTENCE = Key("sentence", str | None, lambda premise: premise.sentence or None)

#: What the JSON of each has.
COMMON = ("name kind *place text", SENTENCE)
